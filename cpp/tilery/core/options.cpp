// SPDX-License-Identifier: MIT
#include "tilery/core/options.hpp"

#include <cstdint>
#include <utility>

namespace tilery {
namespace {

[[nodiscard]] int read_integer(const Option& option, const Value& value) {
    const auto* number = value.get<std::int64_t>();
    if (number == nullptr || *number < option.low || *number > option.high) {
        const std::string bounds = std::to_string(option.low) + " to " + std::to_string(option.high);
        refuse_option(option.name, "an integer from " + bounds, value);
    }
    return static_cast<int>(*number);
}

[[nodiscard]] bool read_flag(const Option& option, const Value& value) {
    const auto* flag = value.get<bool>();
    if (flag == nullptr) refuse_option(option.name, "true or false", value);
    return *flag;
}

[[nodiscard]] int read_word(const Option& option, const Value& value) {
    const auto* text = value.get<std::string>();
    std::string allowed = "one of";
    for (std::size_t i = 0; i < option.words.size(); ++i) {
        if (text != nullptr && *text == option.words[i]) return static_cast<int>(i);
        allowed += (i == 0 ? " \"" : ", \"") + std::string(option.words[i]) + '"';
    }
    refuse_option(option.name, allowed, value);
}

[[nodiscard]] Value::Object domain(const Option& option) {
    switch (option.kind) {
        case Option::kInt:
            return {{"kind", "int"}, {"low", option.low}, {"high", option.high}};
        case Option::kBool:
            return {{"kind", "bool"}};
        case Option::kChoice:
            return {{"kind", "choice"}, {"choices", Value::list_of(option.words)}};
        case Option::kFile:
            return {{"kind", "file"}, {"choices", Value::list_of(option.words)}, {"allowed", option.allowed}};
        case Option::kValue:
            break;
    }
    return {{"kind", "value"}, {"allowed", option.allowed}};
}

}  // namespace

void refuse_option(std::string_view name, std::string_view allowed, const Value& given) {
    throw OptionError(std::string(name) + " must be " + std::string(allowed) + ", got " + given.json());
}

void Option::read(void* rules, const Value& value) const {
    switch (kind) {
        case kInt:
            return set(rules, read_integer(*this, value));
        case kBool:
            return set(rules, read_flag(*this, value));
        case kChoice:
            return set(rules, read_word(*this, value));
        case kFile:
        case kValue:
            return parse(rules, value);
    }
}

Value Option::write(const void* rules) const {
    switch (kind) {
        case kInt:
            return get(rules);
        case kBool:
            return get(rules) != 0;
        case kChoice:
            return words[static_cast<std::size_t>(get(rules))];
        case kFile:
        case kValue:
            break;
    }
    return print(rules);
}

void read_options(const Options& options, void* rules, const Value::Object& given) {
    for (const auto& [name, value] : given) {
        bool known = false;
        std::string names;
        for (const Option& option : options) {
            names += (names.empty() ? "" : ", ") + std::string(option.name);
            if (option.name != name) continue;
            option.read(rules, value);
            known = true;
        }
        if (!known) throw OptionError("unknown option '" + name + "'; there are " + names);
    }
}

Value::Object write_options(const Options& options, const void* rules) {
    Value::Object object;
    for (const Option& option : options) object.emplace_back(std::string(option.name), option.write(rules));
    return object;
}

Value::Object write_stable_options(const Options& options, const void* rules, const void* defaults) {
    Value::Object object;
    for (const Option& option : options) {
        Value value = option.write(rules);
        if (option.later && value == option.write(defaults)) continue;
        object.emplace_back(std::string(option.name), std::move(value));
    }
    return object;
}

Value describe_options(const Options& options, const void* defaults) {
    Value::List list;
    for (const Option& option : options) {
        Value::Object entry{{"name", option.name}, {"default", option.write(defaults)}, {"about", option.about}};
        for (auto& member : domain(option)) entry.push_back(std::move(member));
        list.emplace_back(std::move(entry));
    }
    return list;
}

}  // namespace tilery
