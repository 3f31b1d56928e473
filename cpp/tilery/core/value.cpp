// SPDX-License-Identifier: MIT
#include "tilery/core/value.hpp"

#include <array>
#include <stdexcept>

#include "tilery/core/decimals.hpp"

namespace tilery {
namespace {

void write_string(std::string& out, std::string_view text) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    const auto escape = [&out](unsigned code) {
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) out += kHex[code >> shift & 15U];
    };
    out += '"';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += text[i];
        } else if (byte >= 0x20 && byte < 0x7F) {
            out += text[i];
        } else if (byte < 0x80) {
            escape(byte);
        } else {
            // UTF-8, as Python hands it over: one code point, written as one escape or as a pair.
            const unsigned length = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
            unsigned code = byte & (0x3FU >> length);
            for (unsigned k = 0; k < length && i + 1 < text.size(); ++k) {
                code = code << 6 | (static_cast<unsigned char>(text[++i]) & 0x3FU);
            }
            if (code >= 0x10000) {
                escape(0xD800 + ((code - 0x10000) >> 10));
                escape(0xDC00 + ((code - 0x10000) & 0x3FF));
            } else {
                escape(code);
            }
        }
    }
    out += '"';
}

void write_number(std::string& out, auto number) {
    std::array<char, 32> buffer{};
    const auto result = write_decimal(buffer.data(), buffer.data() + buffer.size(), number);
    out.append(buffer.data(), result.ptr);
}

void write(std::string& out, const Value& value) {
    struct Writer {
        std::string& out;
        void operator()(std::nullptr_t) const { out += "null"; }
        void operator()(bool flag) const { out += flag ? "true" : "false"; }
        void operator()(std::int64_t number) const { write_number(out, number); }
        void operator()(double number) const {
            const std::size_t before = out.size();
            write_number(out, number);
            // A whole number stays apart from an integer, as in Python.
            if (out.find_first_not_of("-0123456789", before) == std::string::npos) out += ".0";
        }
        void operator()(const std::string& text) const { write_string(out, text); }
        void operator()(const Value::List& list) const {
            out += '[';
            for (const Value& item : list) {
                if (&item != list.data()) out += ',';
                write(out, item);
            }
            out += ']';
        }
        void operator()(const Value::Object& object) const {
            out += '{';
            for (const auto& member : object) {
                if (&member != object.data()) out += ',';
                write_string(out, member.first);
                out += ':';
                write(out, member.second);
            }
            out += '}';
        }
    };
    std::visit(Writer{out}, value.variant());
}

Value read_flat(const FlatValue*& at) {
    const FlatValue& node = *at++;
    switch (node.kind) {
        case FlatValue::kNull:
            return nullptr;
        case FlatValue::kBool:
            return node.number != 0;
        case FlatValue::kInt:
            return node.number;
        case FlatValue::kText:
            return node.text;
        case FlatValue::kList: {
            Value::List items;
            for (std::int64_t i = 0; i < node.number; ++i) items.push_back(read_flat(at));
            return items;
        }
        case FlatValue::kObject: {
            Value::Object members;
            for (std::int64_t i = 0; i < node.number; ++i) {
                const char* const key = (at++)->text;
                members.emplace_back(key, read_flat(at));
            }
            return members;
        }
    }
    return nullptr;
}

}  // namespace

Value Value::from_flat(const FlatValue* nodes) { return read_flat(nodes); }

const Value* Value::find(std::string_view name) const {
    if (const auto* object = get<Object>()) {
        for (const auto& [key, value] : *object) {
            if (key == name) return &value;
        }
    }
    return nullptr;
}

template <class T>
const T& Value::known() const {
    const T* const found = get<T>();
    if (found == nullptr) throw std::logic_error("a value has another form: " + json());
    return *found;
}

const Value& Value::operator[](std::string_view name) const {
    const Value* const member = find(name);
    if (member == nullptr) throw std::logic_error("a value has no member " + std::string(name) + ": " + json());
    return *member;
}

const Value& Value::operator[](int i) const { return items().at(index(i)); }
const Value::List& Value::items() const { return known<List>(); }
const Value::Object& Value::members() const { return known<Object>(); }
int Value::integer() const { return static_cast<int>(known<std::int64_t>()); }
bool Value::flag() const { return known<bool>(); }
const std::string& Value::text() const { return known<std::string>(); }

std::string Value::json() const {
    std::string out;
    write(out, *this);
    return out;
}

}  // namespace tilery
