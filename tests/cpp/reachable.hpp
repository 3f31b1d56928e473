// SPDX-License-Identifier: MIT
// Where games are small, fault() accepts exactly the states that can be reached: enumerated.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/serialize.hpp"

namespace tilery::tests {

// The tests of each game (tests/games/NAME/test_reachable.cpp), which put themselves here.
inline std::map<std::string_view, void (*)()>& reachable_tests() {
    static std::map<std::string_view, void (*)()> tests;
    return tests;
}
struct ReachableTest {
    ReachableTest(std::string_view game, void (*test)()) { reachable_tests().emplace(game, test); }
};
inline void test_reachable(std::string_view game) {
    const auto found = reachable_tests().find(game);
    CHECK(found != reachable_tests().end());
    if (found != reachable_tests().end()) found->second();
}

template <class State>
std::string bytes_of(const State& state) {
    return {reinterpret_cast<const char*>(&state), sizeof state};
}

// All states that can follow `start` while `inside(state)` is true.
template <Game G, class Inside>
std::vector<typename G::State> reachable_from(const G& game, const typename G::State& start, Inside&& inside) {
    std::vector<typename G::State> found{start};
    std::unordered_set<std::string> known{bytes_of(start)};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const typename G::State state = found[i];
        with_actions(game, state, [&](std::uint32_t, auto&& for_each) {
            for_each([&](Action action) {
                typename G::State next = state;
                game.apply_action(next, action);
                if (inside(next) && known.insert(bytes_of(next)).second) found.push_back(next);
            });
        });
    }
    return found;
}

// A byte of a state and how many values to try in it.
struct Field {
    std::size_t at;
    int values;
};

// Tries every value in one, two, ... `depth` of the fields of a state.
template <class State, class Check>
void change(const State& state, const std::vector<Field>& fields, std::size_t first, int depth, Check&& check) {
    check(state);
    if (depth == 0) return;
    for (std::size_t i = first; i < fields.size(); ++i) {
        State changed = state;
        for (int value = 0; value < fields[i].values; ++value) {
            std::memset(reinterpret_cast<char*>(&changed) + fields[i].at, value, 1);
            if (std::memcmp(&changed, &state, sizeof state) != 0) change(changed, fields, i + 1, depth - 1, check);
        }
    }
}

// Changes one or two bytes of a state.
template <class State>
State changed_at_random(State state, Rng& rng) {
    for (std::uint32_t times = 1 + rng.below(2); times > 0; --times) {
        auto* const byte = reinterpret_cast<unsigned char*>(&state) + rng.below(sizeof state);
        switch (rng.below(3)) {
            case 0:
                *byte = static_cast<unsigned char>(rng.below(8));
                break;
            case 1:
                *byte = static_cast<unsigned char>(*byte + 255 + 2 * rng.below(2));
                break;
            default:
                *byte ^= static_cast<unsigned char>(1U << rng.below(8));
        }
    }
    return state;
}

// The states that can follow one, and a check of others against them.
// kept(state): the state without what fault() does not judge exactly.
template <Game G, class Inside, class Kept>
class Reachable {
  public:
    using State = typename G::State;

    Reachable(const G& game, const State& start, Inside inside, Kept kept)
        : game_(game), inside_(std::move(inside)), kept_(std::move(kept)) {
        for (const State& state : reachable_from(game, start, inside_)) {
            const State found = canonical_form(game, state);
            CHECK(game.fault(found).empty());
            if (known_.insert(bytes_of(kept_(found))).second) states_.push_back(found);
        }
        CHECK(states_.size() > 10);
    }

    // Every value in up to `depth` fields of every state.
    void change_all(const std::vector<Field>& fields, int depth) {
        std::uint64_t wrong = 0;
        for (const State& state : states_) {
            change(state, fields, 0, depth, [&](const State& changed) {
                if (!is_right(changed)) ++wrong;
            });
        }
        CHECK(wrong == 0);
    }
    // That many changes of bytes, drawn with a fixed seed.
    void change_some(int changes) {
        Rng rng(17);
        std::uint64_t wrong = 0;
        for (; changes > 0; --changes) {
            const State& state = states_[rng.below(static_cast<std::uint32_t>(states_.size()))];
            if (!is_right(changed_at_random(state, rng))) ++wrong;
        }
        CHECK(wrong == 0);
    }

  private:
    // Whether a state is not accepted that cannot be reached.
    [[nodiscard]] bool is_right(const State& changed) const {
        if (!inside_(changed) || !game_.fault(changed).empty()) return true;
        const bool canonical = bytes_of(canonical_form(game_, changed)) == bytes_of(changed);
        return !canonical || known_.contains(bytes_of(kept_(changed)));
    }

    const G& game_;
    Inside inside_;
    Kept kept_;
    std::vector<State> states_;  // one of those that are the same in what fault() judges exactly
    std::unordered_set<std::string> known_;
};

inline constexpr auto kAll = [](const auto& state) { return state; };

}  // namespace tilery::tests
