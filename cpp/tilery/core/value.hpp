// SPDX-License-Identifier: MIT
// A value as in JSON: the form of options, shipped data and information states.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tilery/core/types.hpp"

namespace tilery {

// A node of a value written flat, as cmake/embed.py writes the data of the boxes: a list or an object
// is followed by as many items (each after its key).
struct FlatValue {
    enum Kind { kNull, kBool, kInt, kText, kList, kObject } kind;
    std::int64_t number;
    const char* text;
};

class Value {
  public:
    using List = std::vector<Value>;
    using Object = std::vector<std::pair<std::string, Value>>;  // in the order of writing

    Value() : data_(nullptr) {}
    Value(std::nullptr_t) : data_(nullptr) {}
    Value(bool flag) : data_(flag) {}
    Value(int number) : data_(std::int64_t{number}) {}
    Value(std::int64_t number) : data_(number) {}
    Value(std::uint32_t number) : data_(std::int64_t{number}) {}
    template <class T>
    Value(Narrow<T> number) : data_(std::int64_t{static_cast<T>(number)}) {}
    Value(double number) : data_(number) {}
    Value(std::string text) : data_(std::move(text)) {}
    Value(std::string_view text) : data_(std::string(text)) {}
    Value(const char* text) : data_(std::string(text)) {}
    Value(List list) : data_(std::move(list)) {}
    Value(Object object) : data_(std::move(object)) {}

    [[nodiscard]] static Value list(std::initializer_list<Value> items) { return List(items); }
    [[nodiscard]] static Value object(std::initializer_list<std::pair<std::string, Value>> members) {
        return Object(members);
    }
    // A list of anything that makes a Value, or of ranges of such things.
    [[nodiscard]] static Value list_of(const auto& range) {
        List items;
        for (const auto& item : range) {
            if constexpr (std::is_constructible_v<Value, decltype(item)>) {
                items.emplace_back(item);
            } else {
                items.push_back(list_of(item));
            }
        }
        return items;
    }
    // The list of f(0), f(1) and so on, of `size` items.
    [[nodiscard]] static Value list_of(std::size_t size, const auto& f) {
        List items;
        for (std::size_t i = 0; i < size; ++i) items.emplace_back(f(i));
        return items;
    }

    [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
    // The value as a T, or nullptr if it is something else.
    template <class T>
    [[nodiscard]] const T* get() const {
        return std::get_if<T>(&data_);
    }
    // The value whose nodes begin at `nodes`.
    [[nodiscard]] static Value from_flat(const FlatValue* nodes);

    // The member of an object, or nullptr if there is none of that name (or no object).
    [[nodiscard]] const Value* find(std::string_view name) const;

    // Of a value whose form is known: a member, an item, all items or members, the number, the flag, the text.
    // std::logic_error if it has another form.
    [[nodiscard]] const Value& operator[](std::string_view name) const;
    [[nodiscard]] const Value& operator[](int i) const;
    [[nodiscard]] const List& items() const;
    [[nodiscard]] const Object& members() const;
    [[nodiscard]] int integer() const;
    [[nodiscard]] bool flag() const;
    [[nodiscard]] const std::string& text() const;

    [[nodiscard]] const auto& variant() const { return data_; }
    bool operator==(const Value&) const = default;

    // One line, ASCII, no blanks (docs/interface.md).
    [[nodiscard]] std::string json() const;

  private:
    template <class T>
    [[nodiscard]] const T& known() const;

    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object> data_;
};

}  // namespace tilery
