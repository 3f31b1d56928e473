// SPDX-License-Identifier: MIT
#include "tilery/core/options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tilery {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"int", "bool", "choice", "file", "value"};

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

}  // namespace

void refuse_option(std::string_view name, std::string_view allowed, const Value& given) {
    throw OptionError(std::string(name) + " must be " + std::string(allowed) + ", got " + given.json());
}

void Option::read(void* rules, const Value& value) const {
    if (parse != nullptr) return parse(rules, value);
    set(rules, kind == kInt    ? read_integer(*this, value)
               : kind == kBool ? int{read_flag(*this, value)}
                               : read_word(*this, value));
}

Value Option::write(const void* rules) const {
    if (print != nullptr) return print(rules);
    const int value = get(rules);
    if (kind == kBool) return value != 0;
    // An enum that a C++ program made up has no word; its number is refused when it is read.
    if (kind == kChoice && value >= 0 && value < std::ssize(words)) return words[static_cast<std::size_t>(value)];
    return value;
}

void read_options(const Options& options, void* rules, const Value::Object& given) {
    for (const auto& [name, value] : given) {
        const auto option = std::ranges::find(options, name, &Option::name);
        if (option == options.end()) {
            std::string names;
            for (const Option& each : options) names += (names.empty() ? "" : ", ") + std::string(each.name);
            throw OptionError("unknown option '" + name + "'; there are " + names);
        }
        option->read(rules, value);
    }
}

Value::Object write_options(const Options& options, const void* rules, const void* defaults) {
    Value::Object object;
    for (const Option& option : options) {
        Value value = option.write(rules);
        if (defaults != nullptr && option.later && value == option.write(defaults)) continue;
        object.emplace_back(std::string(option.name), std::move(value));
    }
    return object;
}

Value describe_options(const Options& options, const void* defaults) {
    Value::List list;
    for (const Option& option : options) {
        Value::Object entry{{"name", option.name},
                            {"default", option.write(defaults)},
                            {"about", option.about},
                            {"kind", kKinds[option.kind]}};
        if (option.kind == Option::kInt) {
            entry.emplace_back("low", option.low);
            entry.emplace_back("high", option.high);
        }
        if (!option.words.empty()) entry.emplace_back("choices", Value::list_of(option.words));
        if (option.parse != nullptr) entry.emplace_back("allowed", option.allowed);
        list.emplace_back(std::move(entry));
    }
    return list;
}

}  // namespace tilery
