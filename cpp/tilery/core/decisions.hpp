// SPDX-License-Identifier: MIT
// Play from decision to decision, choosing by index: for callers that step many games themselves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "tilery/core/playout.hpp"

namespace tilery {

// The set that G::legal_actions returns.
template <Game G>
using LegalActionsOf = decltype(std::declval<const G&>().legal_actions(std::declval<const typename G::State&>()));

// A game between two choices: the state, its random stream and the legal actions of the decision. The set of
// actions may refer to the state, so a slot is not copied but filled again by settle().
template <Game G>
struct Slot {
    static_assert(std::is_trivially_destructible_v<LegalActionsOf<G>>);

    typename G::State state;
    Rng rng{0};
    union {
        LegalActionsOf<G> actions;  // exists while num_legal_actions, as settle() returned it, is above 0
    };

    Slot() {}  // not defaulted: a union has no default member
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
};

struct Decision {
    std::uint32_t num_legal_actions;  // 0 when the game is over
    Player player;                    // kTerminal when the game is over
};

// The index that leaves a game as it is, and the one that takes no action but settles.
inline constexpr std::uint32_t kLeave = 0xFFFFFFFFU;
inline constexpr std::uint32_t kSettle = kLeave - 1;

// Takes the pick-th legal action of the decision, if there is one, then chance until a player is to decide or the game
// is over; lists what is legal then.
template <Game G>
TILERY_FLATTEN Decision Loops<G>::step(const G& game, Slot<G>& slot, std::uint32_t pick) {
    if (pick != kSettle) {
        in_phase<G>(slot.state, [&] {
            apply_nth(game, slot.state, slot.actions, pick);
            return false;
        });
    }
    Decision decision{0, kTerminal};
    while (in_phase<G>(slot.state, [&] {
        decision.player = game.current_player(slot.state);
        if (decision.player == kTerminal) return false;
        if (decision.player == kChance) {
            apply_chance(game, slot.state, slot.rng, Unwatched{});
            return true;
        }
        new (&slot.actions) auto(game.legal_actions(slot.state));
        decision.num_legal_actions = slot.actions.size();
        return false;
    })) {
    }
    return decision;
}

// The lines of the cache in the ranges that a game says most steps touch, as offsets in a slot.
template <HasTouched G>
inline constexpr auto kTouchedLines = [] {
    constexpr std::size_t kLine = 64;
    constexpr auto lines_in = [](ByteRange range) { return (range.end - range.begin + kLine - 1) / kLine; };
    constexpr auto size = [lines_in] {
        std::size_t sum = 0;
        for (const ByteRange range : G::kTouched) sum += lines_in(range);
        return sum;
    };
    static_assert(std::ranges::all_of(G::kTouched, [](ByteRange range) { return range.end <= sizeof(Slot<G>); }));
    std::array<std::size_t, size()> lines{};
    auto* next = lines.begin();
    for (const ByteRange range : G::kTouched) {
        for (std::size_t i = 0; i < lines_in(range); ++i) *next++ = range.begin + kLine * i;
    }
    return lines;
}();

// Loads these lines of a slot, each by an instruction: a loop would take longer than it saves. Inlined at any price,
// since GCC drops calls of functions that do nothing but load ahead.
template <Game G, std::size_t... I>
[[gnu::always_inline]] inline void fetch(const Slot<G>* slot, std::index_sequence<I...>) {
    (__builtin_prefetch(reinterpret_cast<const char*>(slot) + kTouchedLines<G>[I], 1), ...);
}

// Steps an array of slots, but for those whose pick is kLeave. `fetches` loads each slot while the one before it is
// stepped, as far as the game says what a step touches; behind the last slot are others, or memory loaded for nothing.
template <Game G>
void Loops<G>::step_all(const G& game, Slot<G>* slots, const std::uint32_t* picks, std::size_t size,
                        [[maybe_unused]] bool fetches, std::uint32_t* num_legal_actions, std::int8_t* players) {
    for (std::size_t i = 0; i < size; ++i) {
        if constexpr (HasTouched<G>) {
            if (fetches) fetch(&slots[i + 1], std::make_index_sequence<kTouchedLines<G>.size()>());
        }
        if (picks[i] == kLeave) continue;
        const Decision decision = step(game, slots[i], picks[i]);
        num_legal_actions[i] = decision.num_legal_actions;
        players[i] = static_cast<std::int8_t>(decision.player);
    }
}

// The index below a count, or -1 if that is 0, that a number in [0, 1) stands for, each as likely as another.
[[nodiscard]] inline std::int32_t spread_pick(double uniform, std::uint32_t num_legal_actions) {
    const auto count = static_cast<std::int32_t>(num_legal_actions);
    return std::min(static_cast<std::int32_t>(uniform * count), count - 1);  // the product may be rounded up
}

// The same of a number in single precision, whose product is exact in either way. The number is read ahead of the
// decision, so that less is to be done between one decision and the next.
[[nodiscard]] inline std::uint32_t spread_pick(float uniform, std::uint32_t num_legal_actions) {
    const auto fraction = static_cast<std::uint64_t>(static_cast<std::int64_t>(uniform * 0x1p63F)) << 1;
    return static_cast<std::uint32_t>(multiply_high(fraction, num_legal_actions));
}

// What steps of one slot came to.
struct Steps {
    std::uint32_t taken;
    Player last;  // who decided last
    Decision now;
};

// Steps a slot from a decision by spread_pick() of one number after the other, until the game is over. Meanwhile the
// slot at `next` is loaded, unless that is null.
template <Game G, class Real>
Steps step_row(const G& game, Slot<G>& slot, Decision now, std::span<const Real> uniforms, const Slot<G>* next) {
    constexpr std::size_t kLine = 64, kLinesAtATime = 4;
    const char* ahead = reinterpret_cast<const char*>(next);
    const char* const end = next == nullptr ? nullptr : ahead + sizeof(*next);
    Steps steps{0, kTerminal, now};
    for (const Real uniform : uniforms) {
        if (steps.now.num_legal_actions == 0) break;
        for (std::size_t i = 0; i < kLinesAtATime && ahead < end; ++i, ahead += kLine) __builtin_prefetch(ahead, 1);
        ++steps.taken;
        steps.last = steps.now.player;
        const auto pick = static_cast<std::uint32_t>(spread_pick(uniform, steps.now.num_legal_actions));
        steps.now = Loops<G>::step(game, slot, pick);
    }
    return steps;
}

// Settles a slot whose state and stream are new: takes chance until a player is to decide or the game is over.
template <Game G>
Decision settle(const G& game, Slot<G>& slot) {
    return Loops<G>::step(game, slot, kSettle);
}

}  // namespace tilery
