// SPDX-License-Identifier: MIT
// Options of a game, declared once: reading, checking, writing and describing follow from the declaration.
//
//     struct Rules {
//         int players = 2;
//         bool farmers = true;
//         static Options options();
//     };
//     Options Rules::options() {
//         return {int_option<&Rules::players>("players", 2, 5, "The number of players."),
//                 bool_option<&Rules::farmers>("farmers", "Meeples may be put on fields.")};
//     }
#pragma once

#include <string_view>
#include <vector>

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

[[noreturn]] void refuse_option(std::string_view name, std::string_view allowed, const Value& given);

// An option of rules of some type. Its functions take a pointer to them.
struct Option {
    std::string_view name, about;
    enum Kind { kInt, kBool, kChoice, kFile, kValue } kind;
    int low = 0, high = 0;                     // of an integer
    std::vector<std::string_view> words = {};  // the choices, or the names of the files in the package
    std::string_view allowed = {};             // the values of a file or another value, in words
    // Of an integer, a flag (0 or 1) or a choice (the number of its word).
    int (*get)(const void*) = nullptr;
    void (*set)(void*, int) = nullptr;
    // Of a file or another value.
    Value (*print)(const void*) = nullptr;
    void (*parse)(void*, const Value&) = nullptr;
    // States and runs that were written before a game had this option are those of its default, so it counts in
    // fingerprints only where it differs from that.
    bool later = false;

    // Throws OptionError if the value is not allowed.
    void read(void* rules, const Value& value) const;
    [[nodiscard]] Value write(const void* rules) const;
};
using Options = std::vector<Option>;

// The functions of an option that is this member.
template <auto kMember>
struct OptionMember;
template <class Of, class T, T Of::* kMember>
struct OptionMember<kMember> {
    using Rules = Of;

    static int get(const void* rules) { return static_cast<int>(static_cast<const Rules*>(rules)->*kMember); }
    static void set(void* rules, int value) { static_cast<Rules*>(rules)->*kMember = static_cast<T>(value); }
    template <T (*kRead)(const Value&)>
    static void parse(void* rules, const Value& value) {
        static_cast<Rules*>(rules)->*kMember = kRead(value);
    }
    template <Value (*kWrite)(const T&)>
    static Value print(const void* rules) {
        return kWrite(static_cast<const Rules*>(rules)->*kMember);
    }
};

template <auto kMember>
[[nodiscard]] Option int_option(std::string_view name, int low, int high, std::string_view about = {}) {
    using M = OptionMember<kMember>;
    return {.name = name, .about = about, .kind = Option::kInt, .low = low, .high = high, .get = M::get, .set = M::set};
}
template <auto kMember>
[[nodiscard]] Option bool_option(std::string_view name, std::string_view about = {}) {
    using M = OptionMember<kMember>;
    return {.name = name, .about = about, .kind = Option::kBool, .get = M::get, .set = M::set};
}
// One of a few words; the member is an enum whose values count the words from 0.
template <auto kMember>
[[nodiscard]] Option choice_option(std::string_view name, const std::vector<std::string_view>& words,
                                   std::string_view about = {}) {
    using M = OptionMember<kMember>;
    return {.name = name, .about = about, .kind = Option::kChoice, .words = words, .get = M::get, .set = M::set};
}
// An option with a custom form: kRead throws OptionError (refuse_option), kWrite returns what a record stores. The
// binding has already replaced a file path by the contents of the file.
template <auto kMember, auto kRead, auto kWrite>
[[nodiscard]] Option own_option(std::string_view name, std::string_view about = {}, std::string_view allowed = {}) {
    using M = OptionMember<kMember>;
    Option option{.name = name,
                  .about = about,
                  .kind = Option::kValue,
                  .allowed = allowed,
                  .print = M::template print<kWrite>,
                  .parse = M::template parse<kRead>};
    if constexpr (requires { M::Rules::kFileOption; }) {
        if (name == M::Rules::kFileOption) {
            option.kind = Option::kFile;
            option.words.assign(M::Rules::kShipped.begin(), M::Rules::kShipped.end());
        }
    }
    return option;
}
// An option that a game did not have from its beginning.
[[nodiscard]] inline Option added_later(Option option) {
    option.later = true;
    return option;
}

// The functions without a type, for rules of these options: `read_options` changes those given.
void read_options(const Options& options, void* rules, const Value::Object& given);
// `write_options` leaves out later options that are as in `defaults`.
[[nodiscard]] Value::Object write_options(const Options& options, const void* rules, const void* defaults = nullptr);
[[nodiscard]] Value describe_options(const Options& options, const void* defaults);

// The options of a game, made once.
template <class Rules>
[[nodiscard]] const Options& options_of() {
    static const Options options = Rules::options();
    return options;
}

// Builds rules from the given options; all others keep their defaults. Each value is checked here,
// combinations by the game's constructor.
template <class Rules>
[[nodiscard]] Rules read_rules(const Value::Object& given) {
    Rules rules;
    read_options(options_of<Rules>(), &rules, given);
    return rules;
}

// All options, those at their default included, in the order of declaration (G-8).
template <class Rules>
[[nodiscard]] Value::Object write_rules(const Rules& rules) {
    return write_options(options_of<Rules>(), &rules);
}

// The options that a fingerprint of rules is made of.
template <class Rules>
[[nodiscard]] Value::Object stable_rules(const Rules& rules) {
    const Rules defaults;
    return write_options(options_of<Rules>(), &rules, &defaults);
}

// The same rules, after every value has been checked: those that a C++ program filled in were not.
template <class Rules>
[[nodiscard]] Rules checked_rules(const Rules& rules) {
    return read_rules<Rules>(write_rules(rules));
}

// Of each option, in the order of declaration: name, default, what it does (about), kind and the allowed values.
template <class Rules>
[[nodiscard]] Value describe_options() {
    const Rules defaults;
    return describe_options(options_of<Rules>(), &defaults);
}

}  // namespace tilery
