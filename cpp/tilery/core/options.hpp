// SPDX-License-Identifier: MIT
// Options of a game, declared once: reading, checking, writing and describing follow from the declaration.
//
//     struct Rules {
//         int players = 2;
//         bool farmers = true;
//         static auto options() {
//             return std::tuple{int_option("players", &Rules::players, 2, 5, "The number of players."),
//                               bool_option("farmers", &Rules::farmers, "Meeples may be put on fields.")};
//         }
//     };
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

[[noreturn]] inline void refuse_option(std::string_view name, std::string_view allowed, const Value& given) {
    throw OptionError(std::string(name) + " must be " + std::string(allowed) + ", got " + given.json());
}

template <class Rules>
struct IntOption {
    std::string_view name;
    int Rules::* member;
    int low, high;
    std::string_view about;

    void read(Rules& rules, const Value& value) const {
        const auto* number = value.get<std::int64_t>();
        if (number == nullptr || *number < low || *number > high) {
            refuse_option(name, "an integer from " + std::to_string(low) + " to " + std::to_string(high), value);
        }
        rules.*member = static_cast<int>(*number);
    }
    [[nodiscard]] Value write(const Rules& rules) const { return rules.*member; }
    [[nodiscard]] Value::Object domain() const { return {{"kind", "int"}, {"low", low}, {"high", high}}; }
};

template <class Rules>
struct BoolOption {
    std::string_view name;
    bool Rules::* member;
    std::string_view about;

    void read(Rules& rules, const Value& value) const {
        const auto* flag = value.get<bool>();
        if (flag == nullptr) refuse_option(name, "true or false", value);
        rules.*member = *flag;
    }
    [[nodiscard]] Value write(const Rules& rules) const { return rules.*member; }
    [[nodiscard]] Value::Object domain() const { return {{"kind", "bool"}}; }
};

// One of a few words; the member is an enum whose values count the words from 0.
template <class Rules, class Enum, std::size_t N>
struct ChoiceOption {
    std::string_view name;
    Enum Rules::* member;
    std::array<std::string_view, N> words;
    std::string_view about;

    void read(Rules& rules, const Value& value) const {
        const auto* text = value.get<std::string>();
        std::string allowed = "one of";
        for (std::size_t i = 0; i < N; ++i) {
            if (text != nullptr && *text == words[i]) {
                rules.*member = static_cast<Enum>(i);
                return;
            }
            allowed += (i == 0 ? " \"" : ", \"") + std::string(words[i]) + '"';
        }
        refuse_option(name, allowed, value);
    }
    [[nodiscard]] Value write(const Rules& rules) const { return words[static_cast<std::size_t>(rules.*member)]; }
    [[nodiscard]] Value::Object domain() const { return {{"kind", "choice"}, {"choices", Value::list_of(words)}}; }
};

// An option with a custom form: `reader` throws OptionError (refuse_option), `writer` returns what a
// record stores. The binding has already replaced a file path by the contents of the file.
template <class Rules, class Member>
struct OwnOption {
    std::string_view name;
    Member Rules::* member;
    Member (*reader)(const Value&);
    Value (*writer)(const Member&);
    std::string_view about;
    std::string_view allowed;  // its values in words

    void read(Rules& rules, const Value& value) const { rules.*member = reader(value); }
    [[nodiscard]] Value write(const Rules& rules) const { return writer(rules.*member); }
    [[nodiscard]] Value::Object domain() const {
        if constexpr (requires { Rules::kFileOption; }) {
            if (name == Rules::kFileOption) {
                return {{"kind", "file"}, {"choices", Value::list_of(Rules::kShipped)}, {"allowed", allowed}};
            }
        }
        return {{"kind", "value"}, {"allowed", allowed}};
    }
};

template <class Rules>
[[nodiscard]] constexpr auto int_option(std::string_view name, int Rules::* member, int low, int high,
                                        std::string_view about = {}) {
    return IntOption<Rules>{name, member, low, high, about};
}
template <class Rules>
[[nodiscard]] constexpr auto bool_option(std::string_view name, bool Rules::* member, std::string_view about = {}) {
    return BoolOption<Rules>{name, member, about};
}
template <class Rules, class Enum, std::size_t N>
[[nodiscard]] constexpr auto choice_option(std::string_view name, Enum Rules::* member,
                                           const std::string_view (&words)[N], std::string_view about = {}) {
    return ChoiceOption<Rules, Enum, N>{name, member, std::to_array(words), about};
}
template <class Rules, class Member>
[[nodiscard]] constexpr auto own_option(std::string_view name, Member Rules::* member, Member (*reader)(const Value&),
                                        Value (*writer)(const Member&), std::string_view about = {},
                                        std::string_view allowed = {}) {
    return OwnOption<Rules, Member>{name, member, reader, writer, about, allowed};
}

// An option that a game did not have from its beginning. States and runs that were written before are those of its
// default, so it counts in fingerprints only where it differs from that (stable_rules).
template <class Option>
struct LaterOption : Option {
    static constexpr bool kLater = true;
};
template <class Option>
[[nodiscard]] constexpr auto added_later(const Option& option) {
    return LaterOption<Option>{option};
}

// Builds rules from the given options; all others keep their defaults. Each value is checked here,
// combinations by the game's constructor.
template <class Rules>
[[nodiscard]] Rules read_rules(const Value::Object& given) {
    Rules rules;
    for (const auto& member : given) {
        const std::string& name = member.first;
        const Value& value = member.second;
        bool known = false;
        std::string names;
        std::apply(
            [&](const auto&... option) {
                const auto visit = [&](const auto& one) {
                    names += (names.empty() ? "" : ", ") + std::string(one.name);
                    if (one.name == name) {
                        one.read(rules, value);
                        known = true;
                    }
                };
                (visit(option), ...);
            },
            Rules::options());
        if (!known) throw OptionError("unknown option '" + name + "'; there are " + names);
    }
    return rules;
}

// All options, those at their default included, in the order of declaration (G-8).
template <class Rules>
[[nodiscard]] Value::Object write_rules(const Rules& rules) {
    Value::Object object;
    std::apply(
        [&](const auto&... option) { (object.emplace_back(std::string(option.name), option.write(rules)), ...); },
        Rules::options());
    return object;
}

// The options that a fingerprint of rules is made of.
template <class Rules>
[[nodiscard]] Value::Object stable_rules(const Rules& rules) {
    Value::Object object;
    const Rules defaults;
    std::apply(
        [&](const auto&... option) {
            const auto add = [&]<class Option>(const Option& one) {
                Value value = one.write(rules);
                if constexpr (requires { Option::kLater; }) {
                    if (value == one.write(defaults)) return;
                }
                object.emplace_back(std::string(one.name), std::move(value));
            };
            (add(option), ...);
        },
        Rules::options());
    return object;
}

// The same rules, after every value has been checked: those that a C++ program filled in were not.
template <class Rules>
[[nodiscard]] Rules checked_rules(const Rules& rules) {
    return read_rules<Rules>(write_rules(rules));
}

// Of each option, in the order of declaration: name, default, what it does (about), kind and the allowed values.
template <class Rules>
[[nodiscard]] Value describe_options() {
    Value::List list;
    const Rules defaults;
    std::apply(
        [&](const auto&... option) {
            const auto add = [&](const auto& one) {
                Value::Object entry{{"name", one.name}, {"default", one.write(defaults)}, {"about", one.about}};
                for (auto& member : one.domain()) entry.push_back(std::move(member));
                list.emplace_back(std::move(entry));
            };
            (add(option), ...);
        },
        Rules::options());
    return list;
}

}  // namespace tilery
