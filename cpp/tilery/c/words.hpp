// SPDX-License-Identifier: MIT
// Options as words OPTION=VALUE, as the C tables and the native programs take them.
#pragma once

#include <algorithm>
#include <charconv>
#include <string_view>

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

// The first item of a list without its brackets: what is before the first comma outside of brackets and quotation
// marks, without blanks around it. `rest` becomes what is behind that comma.
[[nodiscard]] inline std::string_view take_item(std::string_view& rest) {
    std::size_t size = 0;
    int brackets = 0;
    bool quoted = false;
    for (; size < rest.size() && (rest[size] != ',' || brackets > 0 || quoted); ++size) {
        if (rest[size] == '"') quoted = !quoted;
        if (!quoted) brackets += rest[size] == '[' ? 1 : rest[size] == ']' ? -1 : 0;
    }
    std::string_view item = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    return item.substr(0, item.find_last_not_of(' ') + 1);
}

// true, false, null, an integer, a list of values in brackets, or a word, in quotation marks or not; OptionError for
// lists nested more than 16 deep.
[[nodiscard]] inline Value value_of_word(std::string_view word, int depth = 0) {
    if (depth > 16) throw OptionError("lists are nested too deeply");
    if (word == "true" || word == "false") return word == "true";
    if (word == "null") return nullptr;
    if (word.size() > 1 && word.front() == '[' && word.back() == ']') {
        Value::List list;
        std::string_view rest = word.substr(1, word.size() - 2);
        while (!rest.empty()) list.push_back(value_of_word(take_item(rest), depth + 1));
        return list;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) return number;
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    return std::string(word);
}

// Adds the option that a word of the form OPTION=VALUE gives; false if it has another form. OptionError if it has been
// given before.
inline bool add_option(Value::Object& options, std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string name(word.substr(0, equals));
    if (std::ranges::find(options, name, &Value::Object::value_type::first) != options.end()) {
        throw OptionError(name + " is given twice");
    }
    options.emplace_back(name, value_of_word(word.substr(equals + 1)));
    return true;
}

}  // namespace tilery
