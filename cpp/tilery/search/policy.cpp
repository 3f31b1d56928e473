// SPDX-License-Identifier: MIT
#include "tilery/search/policy.hpp"

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "tilery/core/decimals.hpp"
#include "tilery/core/errors.hpp"
#include "tilery/net/shelf.hpp"

namespace tilery::search {

namespace {

[[nodiscard]] std::string text_of(auto number) {
    char buffer[32];
    const auto [end, error] = write_decimal(buffer, buffer + sizeof buffer, number);
    return std::string(buffer, error == std::errc() ? end : buffer);
}

void for_each_policy(auto&& f) {
    [&]<class... Policies>(std::type_identity<std::variant<Policies...>>) {
        (f(std::type_identity<Policies>{}), ...);
    }(std::type_identity<Policy>{});
}

template <class P, class F>
void for_each_parameter(F&& f) {
    std::apply([&](const auto&... parameter) { (f(parameter), ...); }, P::parameters());
}

[[nodiscard]] std::string text_of(const std::string& text) { return text; }
[[nodiscard]] std::string text_of(const Tuning& tuning);

// The parameters that differ from their defaults, each behind a separator; a count, which is always said, behind ':'.
template <class P>
[[nodiscard]] std::string words_of(const P& chosen, char separator, char equals) {
    std::string text;
    bool count = P::kCounted;
    for_each_parameter<P>([&](const auto& parameter) {
        const std::string value = text_of(chosen.*parameter.member);
        if (count) {
            if (value != "0") text += ':' + value;
        } else if (chosen.*parameter.member != P{}.*parameter.member) {
            text += separator + std::string(parameter.key) + equals + value;
        }
        count = false;
    });
    return text;
}
std::string text_of(const Tuning& tuning) {
    const std::string words = words_of(tuning, '+', ':');
    return words.substr(words.empty() ? 0 : 1);
}

[[noreturn]] void refuse(const std::string& reason) { throw std::invalid_argument(printable(reason)); }

[[noreturn]] void refuse_name(std::string_view name) {
    std::string known;
    for_each_policy([&]<class P>(std::type_identity<P>) {
        known += (known.empty() ? "" : ", ") + std::string(P::kName) + (P::kCounted ? ":N" : "");
    });
    refuse("unknown policy '" + std::string(name) + "'; there are " + known);
}

template <class P>
[[noreturn]] void refuse_key(std::string_view key) {
    std::string known;
    for_each_parameter<P>(
        [&](const auto& parameter) { known += (known.empty() ? "" : ", ") + std::string(parameter.key); });
    refuse("policy " + std::string(P::kName) + " has no parameter '" + std::string(key) + "'; " +
           (known.empty() ? "it has none" : "it has " + known));
}

// The name of a network.
template <class P>
void read(P& policy, const Parameter<P, std::string>& parameter, std::string_view text) {
    constexpr std::size_t kDigits = 64;
    if (text == Nn::kName) {
        policy.*parameter.member = std::is_same_v<P, Nn> ? std::string() : std::string(text);
        return;
    }
    if (text.size() != kDigits || text.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
        refuse("policy " + std::string(P::kName) + ": " + std::string(parameter.key) +
               " must be nn or the SHA-256 of a network that is loaded, in 64 hexadecimal digits, got '" +
               std::string(text) + "'");
    }
    policy.*parameter.member = text;
}

template <class P, class Of, class Number>
void read(P& policy, const Parameter<Of, Number>& parameter, std::string_view text) {
    Number number{};
    const auto [end, error] = read_decimal(text.data(), text.data() + text.size(), number);
    // Written so that a NaN is refused.
    const bool in_range = number >= parameter.low && number <= parameter.high;
    if (error != std::errc() || end != text.data() + text.size() || !in_range) {
        refuse("policy " + std::string(P::kName) + ": " + std::string(parameter.key) + " must be " +
               (std::is_integral_v<Number> ? "an integer" : "a number") + " from " + text_of(parameter.low) + " to " +
               text_of(parameter.high) + ", got '" + std::string(text) + "'");
    }
    policy.*parameter.member = number == 0 ? Number{0} : number;  // -0 is 0
}

void read(Mcts& policy, const Parameter<Mcts, Tuning>& parameter, std::string_view text);

// Reads parameters, each behind a separator. Bit i of `said`: parameter i was given.
template <class P>
void read_words(P& policy, std::string_view rest, char separator, char equals, std::uint64_t& said) {
    while (!rest.empty()) {
        rest.remove_prefix(1);  // the separator
        const std::string_view word = rest.substr(0, rest.find(separator));
        rest.remove_prefix(word.size());
        const std::size_t end = word.find(equals);
        const std::string_view key = word.substr(0, end);
        if (end == std::string_view::npos) {
            refuse("policy " + std::string(P::kName) + ": a parameter is written key" + equals + "value, got '" +
                   std::string(word) + "'");
        }
        bool found = false;
        std::size_t at = 0;
        for_each_parameter<P>([&](const auto& parameter) {
            if (parameter.key == key) {
                if ((said >> at & 1) != 0) {
                    refuse("policy " + std::string(P::kName) + ": " + std::string(key) + " is given twice");
                }
                said |= std::uint64_t{1} << at;
                read(policy, parameter, word.substr(end + 1));
                found = true;
            }
            ++at;
        });
        if (!found) refuse_key<P>(key);
    }
}

void read(Mcts& policy, const Parameter<Mcts, Tuning>& parameter, std::string_view text) {
    std::uint64_t said = 0;
    read_words(policy.*parameter.member, '+' + std::string(text), '+', ':', said);
}

// A search by a network has no playouts and one tree.
void refuse_without_effect(const Mcts& policy) {
    if (policy.eval.empty()) return;
    const Mcts heard{
        {.simulations = policy.simulations, .seconds = policy.seconds}, policy.c, policy.margin, {}, policy.eval};
    if (policy != heard) refuse("policy mcts: with eval there are simulations, seconds, c and margin");
}

template <class P>
[[nodiscard]] P parse_parameters(std::optional<std::string_view> count, std::string_view rest) {
    P policy;
    std::uint64_t said = count ? 1 : 0;  // bit i: parameter i was given
    if constexpr (P::kCounted) {
        if (count) read(policy, std::get<0>(P::parameters()), *count);
    } else if (count) {
        refuse("policy " + std::string(P::kName) + " takes no number, got ':" + std::string(*count) + "'");
    }
    read_words(policy, rest, ',', '=', said);
    if constexpr (std::is_same_v<P, Mcts>) refuse_without_effect(policy);
    if constexpr (std::is_base_of_v<Budget, P>) {
        if ((said & 1) == 0 && policy.seconds > 0) policy.simulations = 0;
    }
    return policy;
}

}  // namespace

Policy parse_policy(std::string_view text) {
    const std::string_view head = text.substr(0, text.find(',')), name = head.substr(0, head.find(':'));
    std::optional<std::string_view> count;
    if (name.size() < head.size()) count = head.substr(name.size() + 1);
    std::optional<Policy> policy;
    for_each_policy([&]<class P>(std::type_identity<P>) {
        if (P::kName == name) policy = parse_parameters<P>(count, text.substr(head.size()));
    });
    if (!policy) refuse_name(name);
    return *std::move(policy);
}

std::string to_string(const Policy& policy) {
    return std::visit([]<class P>(const P& chosen) { return std::string(P::kName) + words_of(chosen, ',', '='); },
                      policy);
}

std::vector<std::pair<std::string, Setting>> parameters_of(const Policy& policy) {
    std::vector<std::pair<std::string, Setting>> all;
    std::visit(
        [&all]<class P>(const P& chosen) {
            for_each_parameter<P>([&](const auto& parameter) {
                if constexpr (std::is_same_v<decltype(chosen.*parameter.member), const Tuning&>) {
                    all.emplace_back(parameter.key, text_of(chosen.*parameter.member));
                } else {
                    all.emplace_back(parameter.key, chosen.*parameter.member);
                }
            });
        },
        policy);
    return all;
}

Policy resolved(const Policy& policy, std::string_view game) {
    const std::string of(game);
    if (const auto* const nn = std::get_if<Nn>(&policy)) {
        Nn named = *nn;
        if (named.eval.empty()) named.eval = net::shipped(of).network;
        return named;
    }
    if (const auto* const mcts = std::get_if<Mcts>(&policy); mcts != nullptr && mcts->eval == Nn::kName) {
        Mcts named = *mcts;
        named.eval = net::shipped_network(of);
        return named;
    }
    const auto* const rung = std::get_if<Rung>(&policy);
    if (rung == nullptr && !std::holds_alternative<Champion>(policy)) return policy;
    const std::vector<std::string> rungs = net::shipped(of).rungs;
    if (rungs.empty()) throw WeightsError(of + " has no ladder, so there are no rungs and no champion");
    const std::size_t number = rung == nullptr ? rungs.size() : static_cast<std::size_t>(rung->number);
    if (number > rungs.size()) {
        refuse("the ladder of " + of + " has " + std::to_string(rungs.size()) + " rungs, got rung " +
               std::to_string(number));
    }
    return resolved(parse_policy(rungs[number - 1]), game);
}

bool can_analyse(const Policy& policy) {
    return !std::holds_alternative<Random>(policy) && !std::holds_alternative<Greedy>(policy) &&
           !std::holds_alternative<Flat>(policy);
}

}  // namespace tilery::search
