// SPDX-License-Identifier: MIT
#include "tilery/search/policy.hpp"

#include <stdexcept>
#include <type_traits>

#include "tilery/core/decimals.hpp"
#include "tilery/core/errors.hpp"

namespace tilery::search {

namespace {

template <class Number>
[[nodiscard]] std::string text_of(Number number) {
    char buffer[32];
    const auto [end, error] = write_decimal(buffer, buffer + sizeof buffer, number);
    return std::string(buffer, error == std::errc() ? end : buffer);
}

template <class F>
void for_each_policy(F&& f) {
    [&]<class... Policies>(std::type_identity<std::variant<Policies...>>) {
        (f(std::type_identity<Policies>{}), ...);
    }(std::type_identity<Policy>{});
}

template <class P, class F>
void for_each_parameter(F&& f) {
    std::apply([&](const auto&... parameter) { (f(parameter), ...); }, P::parameters());
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

template <class P, class Number>
void read(P& policy, const Parameter<P, Number>& parameter, std::string_view text) {
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

template <class P>
[[nodiscard]] P parse_parameters(std::string_view count, bool counted, std::string_view rest) {
    P policy;
    bool said_count = counted;
    if (counted) {
        if constexpr (P::kCounted) {
            read(policy, std::get<0>(P::parameters()), count);
        } else {
            refuse("policy " + std::string(P::kName) + " takes no number, got ':" + std::string(count) + "'");
        }
    }
    while (!rest.empty()) {
        rest.remove_prefix(1);  // the comma
        const std::string_view word = rest.substr(0, rest.find(','));
        rest.remove_prefix(word.size());
        const std::size_t equals = word.find('=');
        const std::string_view key = word.substr(0, equals);
        if (equals == std::string_view::npos) {
            refuse("policy " + std::string(P::kName) + ": a parameter is written key=value, got '" + std::string(word) +
                   "'");
        }
        bool found = false;
        std::size_t at = 0;
        for_each_parameter<P>([&](const auto& parameter) {
            if (parameter.key == key) {
                read(policy, parameter, word.substr(equals + 1));
                found = true;
                said_count |= P::kCounted && at == 0;
            }
            ++at;
        });
        if (!found) refuse_key<P>(key);
    }
    if constexpr (std::is_base_of_v<Budget, P>) {
        if (!said_count && policy.seconds > 0) policy.simulations = 0;
    }
    return policy;
}

}  // namespace

Policy parse_policy(std::string_view text) {
    const std::size_t comma = text.find(',');
    const std::string_view head = text.substr(0, comma);
    const std::string_view rest = comma == std::string_view::npos ? std::string_view() : text.substr(comma);
    const std::size_t colon = head.find(':');
    const bool counted = colon != std::string_view::npos;
    const std::string_view name = head.substr(0, colon);
    const std::string_view count = counted ? head.substr(colon + 1) : std::string_view();
    Policy policy;
    bool found = false;
    for_each_policy([&]<class P>(std::type_identity<P>) {
        if (P::kName != name) return;
        policy = parse_parameters<P>(count, counted, rest);
        found = true;
    });
    if (!found) refuse_name(name);
    return policy;
}

std::string to_string(const Policy& policy) {
    return std::visit(
        []<class P>(const P& chosen) {
            std::string text(P::kName);
            std::size_t at = 0;
            for_each_parameter<P>([&](const auto& parameter) {
                const auto value = chosen.*parameter.member;
                if (P::kCounted && at++ == 0) {
                    if (value > 0) text += ':' + text_of(value);
                } else if (value != P{}.*parameter.member) {
                    text += ',' + std::string(parameter.key) + '=' + text_of(value);
                }
            });
            return text;
        },
        policy);
}

std::vector<std::pair<std::string, Number>> parameters_of(const Policy& policy) {
    std::vector<std::pair<std::string, Number>> all;
    std::visit(
        [&all]<class P>(const P& chosen) {
            for_each_parameter<P>(
                [&](const auto& parameter) { all.emplace_back(parameter.key, chosen.*parameter.member); });
        },
        policy);
    return all;
}

const Budget* budget_of(const Policy& policy) {
    return std::visit(
        []<class P>(const P& chosen) -> const Budget* {
            if constexpr (std::is_base_of_v<Budget, P>) {
                return &chosen;
            } else {
                return nullptr;
            }
        },
        policy);
}

}  // namespace tilery::search
