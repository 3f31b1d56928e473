// SPDX-License-Identifier: MIT
#include "tilery/core/options.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "tilery/core/value_reader.hpp"

namespace tilery {

static constexpr std::array<std::string_view, 5> kKinds{"int", "bool", "choice", "file", "value"};

void refuse_option(std::string_view name, std::string_view allowed, const Value& given) {
    throw OptionError(std::string(name) + " must be " + std::string(allowed) + ", got " + given.json());
}

void Option::read(void* rules, const Value& value) const {
    if (parse != nullptr) return parse(rules, value);
    const ReaderOf<OptionError> reader(value, std::string(name));
    if (kind == kInt) return set(rules, reader.integer(low, high));
    if (kind == kBool) return set(rules, reader.boolean() ? 1 : 0);
    std::string one_of;
    for (const std::string_view word : words) one_of += (one_of.empty() ? "one of " : ", ") + Value(word).json();
    set(rules, number(reader.place_in(words, one_of)));
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
