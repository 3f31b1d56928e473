// SPDX-License-Identifier: MIT
// The rules of Java that look at the island, as set algebra: tiles.hpp, figures.hpp, cities.hpp and turn.hpp, by
// chapters. game.cpp alone includes those, so that a playout becomes one function with all of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "tilery/games/java/board.hpp"
#include "tilery/games/java/cells.hpp"
#include "tilery/games/java/legal_actions.hpp"
#include "tilery/games/java/score_events.hpp"
#include "tilery/games/java/state.hpp"

namespace tilery::java {

// The figures of a player in some place, as heights from the highest down; 0 where there are no
// more. Such lists compare as JA-26 says.
struct Heights : std::array<std::uint8_t, kFigures> {
    // A number of the same order: to compare bytes one by one calls the library.
    [[nodiscard]] std::pair<std::uint64_t, std::uint32_t> number() const {
        std::pair<std::uint64_t, std::uint32_t> found{};
        for (std::size_t i = 0; i < 8; ++i) found.first = found.first << 8 | (*this)[i];
        for (std::size_t i = 8; i < kFigures; ++i) found.second = found.second << 8 | (*this)[i];
        return found;
    }
    bool operator==(const Heights& other) const { return number() == other.number(); }
    auto operator<=>(const Heights& other) const { return number() <=> other.number(); }
};

inline constexpr int kLongestStretch = kActionPoints + 1;  // action points a turn can have
inline constexpr int kNever = 100;                         // a cost beyond all action points

[[nodiscard]] inline bool matches(std::size_t kind, std::size_t open) { return (kSymbols[kind] & kSymbols[open]) != 0; }
// JA-31, JA-32: the symbols on some cards that the open card has too.
[[nodiscard]] inline int matching(const Cards& cards, std::size_t open) {
    int symbols = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        symbols += cards[kind] * std::popcount(unsigned{kSymbols[kind]} & unsigned{kSymbols[open]});
    }
    return symbols;
}
// Whether a hand has a card that shares a symbol with the open card (JA-29).
[[nodiscard]] inline bool has_match(const Cards& hand, std::size_t open) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        if (hand[kind] > 0 && matches(kind, open)) return true;
    }
    return false;
}
// Whether there is a card to take (JA-27).
[[nodiscard]] inline bool some_card(const State& state) {
    unsigned cards = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) cards += state.pile[kind] + 0U + state.discards[kind];
    return cards != 0;
}

// Why an action is not legal: one sentence that begins with the number of the rule, or nullptr if it is legal.
using Refusal = const char*;

inline constexpr Refusal kTooFewPoints = "JA-7: the player has too few action points left";
inline constexpr Refusal kKeepReserve =
    "JA-9: a land tile must still be placed in this turn, and its action points are reserved";

// JA-9, JA-R6, JA-R7: what the duty to place a land tile leaves for anything else.
struct Reserve {
    bool in_force;  // the turn may not end yet
    int budget;     // action points that anything but a land tile may take

    [[nodiscard]] static Reserve none(const State& state) { return {false, state.ap}; }
    // With the least cost of a land tile, or kNever. `token_later`: a token may be used after other actions. `after`:
    // the state after an action decides (Game::keeps_duty), so all points may be taken.
    [[nodiscard]] static Reserve of(const State& state, int cheapest, bool token_later, bool after) {
        const int ap = state.ap;
        if (cheapest > ap + state.token) return none(state);
        return {true, after ? ap : std::min(ap, ap + (token_later ? state.token : 0) - cheapest)};
    }
    [[nodiscard]] bool allows(int cost) const { return cost <= budget; }
};

class Onlooker;  // inputs.cpp

class Island {
  public:
    using Set = Stripes;

    Island(const Rules& rules, const Board& board, const Ids& ids, const Numbers& cell_of);

    // JA-7 to JA-29: what the player whose turn it is may do.
    void add_turn_actions(const State& state, LegalActions& legal) const;
    [[nodiscard]] Refusal refusal(const State& state, Move move) const;
    // JA-9: whether a land tile is owed and could still be placed this turn.
    [[nodiscard]] bool duty_in_force(const State& state) const { return reserve(state, view(state)).in_force; }
    // The action points that a legal action of a turn takes.
    [[nodiscard]] int cost(const State& state, Move move) const;
    // The changes of a legal action on the island: scores and supplies too, action points not.
    // events(source, player, points, cells) is called where points are given.
    void place_tile(State& state, Move move, auto events) const;
    void place_water(State& state, std::size_t cell, auto events) const;
    void place_palace(State& state, Move move, auto events) const;
    void enter(State& state, std::size_t cell) const;
    void leave(State& state, std::size_t cell) const;
    void set_down(State& state, std::size_t cell, int price) const;
    void forget_moves(State& state) const;    // JA-22
    void forget_palaces(State& state) const;  // JA-25

    // A bit for each player with a figure in the city of this palace (JA-30).
    [[nodiscard]] std::uint8_t guests(const State& state, std::size_t palace) const;
    void close_festival(State& state) const { erase(state, Plane::kFresh, state.festival); }
    [[nodiscard]] std::uint32_t palace_value(const State& state, std::size_t cell) const;
    template <class Events = NoEvents>
    void final_count(State& state, std::size_t player, Events events = {}) const;

  private:
    friend class Onlooker;

    // The sets that most questions begin with.
    struct View {
        Set land, village, own;
        Set blocked;  // by irrigation tiles, palaces, figures
        Set open;     // land without palace and figure
        Set palaces;
    };
    using Shaped = std::array<Set, kShapes>;
    // Where land tiles may be placed, but for their cost (JA-10 to JA-14).
    struct Places {
        Shaped flat;  // by shape, at first spaces: level, on nothing forbidden, not exactly on one tile
        Set joints;   // where a village would touch two cities or more
    };

    [[nodiscard]] static std::size_t word_of(Plane plane, std::size_t cell) {
        return planes::index(plane) * kSetWords + cell / 64;
    }
    [[nodiscard]] Set get(const State& state, Plane plane) const { return Set::load(&state.planes[word_of(plane, 0)]); }
    void put(State& state, Plane plane, const Set& set) const { set.store(&state.planes[word_of(plane, 0)]); }
    [[nodiscard]] bool has(const State& state, Plane plane, std::size_t cell) const {
        return (state.planes[word_of(plane, cell)] >> (cell % 64) & 1) != 0;
    }
    // Whole sets: the load of a set has to wait for the store of a word.
    void insert(State& state, Plane plane, std::size_t cell) const {
        put(state, plane, get(state, plane) | only(cell));
    }
    void erase(State& state, Plane plane, std::size_t cell) const { put(state, plane, get(state, plane) - only(cell)); }
    [[nodiscard]] static bool any_palace(const State& state) { return state.palaces != kPalaceTiles; }
    [[nodiscard]] Set palaces(const State& state) const {
        return get(state, planes::palace(0)) | get(state, planes::palace(1)) | get(state, planes::palace(2));
    }
    [[nodiscard]] static Set only(std::size_t cell) { return Set::only(cell); }
    [[nodiscard]] static Set step_to(Direction direction, const Set& set);
    // The part of `within` that is connected with `seed`, which is in it.
    [[nodiscard]] static Set flood(Set seed, const Set& within) {
        for (;;) {
            const Set next = around(seed) & within;
            if (next == seed) return seed;
            seed = next;
        }
    }
    [[nodiscard]] View view(const State& state) const;

    // tiles.hpp
    [[nodiscard]] Places places(const State& state, const View& v) const;
    [[nodiscard]] Shaped flat_places(const State& state, const View& v) const;
    [[nodiscard]] Set joints(const View& v) const;
    [[nodiscard]] bool unites(const View& v, std::size_t village, Set rice) const;
    [[nodiscard]] Set without_unions(const View& v, const Set& joints, Set places, std::size_t d, Placing placing,
                                     bool three) const;
    [[nodiscard]] Set affordable(Set places, std::size_t shape, const Set& land, int ap) const;
    [[nodiscard]] bool some_tile(const State& state, const View& v, const Places& places, int ap) const;
    [[nodiscard]] Reserve reserve(const State& state, const View& v, const Places& places) const;
    [[nodiscard]] Reserve reserve(const State& state, const View& v) const;
    [[nodiscard]] Refusal refusal_of_place(const State& state, Move move) const;
    [[nodiscard]] Refusal refusal_of_tile(const State& state, const View& v, Move move) const;
    void leave_bonds(State& state, const Set& spaces) const;
    void keep_pairs(State& state, const Set& spaces) const;
    void score_enclosed(State& state, Set near, auto events) const;
    [[nodiscard]] std::array<std::size_t, 3> cells_of(Move move) const;
    [[nodiscard]] std::size_t first_of(Move move) const;

    // figures.hpp
    [[nodiscard]] Set edge_at(const View& v, int budget) const;
    [[nodiscard]] int edge_price(const State& state, std::size_t cell) const;
    void reach(const State& state, const View& v, std::size_t from, int budget, auto&& goals) const;
    [[nodiscard]] Set goals(const State& state, const View& v, std::size_t from, int budget,
                            LegalActions* by_price = nullptr) const;
    [[nodiscard]] Set liftable(const State& state, const View& v, int budget) const;
    [[nodiscard]] int move_price(const State& state, const View& v, std::size_t from, std::size_t to) const;
    [[nodiscard]] Refusal refusal_of_set_down(const State& state, const View& v, std::size_t cell) const;
    [[nodiscard]] Refusal refusal_at_edge(const State& state, const View& v, Move move, const Reserve& reserve) const;

    // cities.hpp
    [[nodiscard]] std::uint8_t height(const State& state, std::size_t cell) const;
    [[nodiscard]] Heights ranks(const State& state, std::size_t player, const Set& place) const;
    [[nodiscard]] std::size_t first_alone(const State& state, const Set& place) const;
    struct Works {
        std::array<Set, kPalaceValues> palaces;  // where one of this value may be built or expanded to
        Set festivals;                           // fresh palaces in cities with an own figure
    };
    [[nodiscard]] Works works(const State& state, const View& v, const Set& seeds) const;
    [[nodiscard]] Refusal refusal_of_palace(const State& state, const View& v, Move move) const;
    [[nodiscard]] Refusal refusal_of_festival(const State& state, const View& v, std::size_t palace) const;

    // turn.hpp
    [[nodiscard]] Refusal refusal_of_purchase(const State& state, const View& v, Move move,
                                              const Reserve& reserve) const;
    class Adder;
    void add_tiles(Adder& adder, const State& state, const View& v, const Places& places) const;
    void add_figures(Adder& adder, const State& state, const View& v, int budget) const;
    void add_works(Adder& adder, const State& state, const View& v, const Reserve& reserve) const;

    std::size_t players_;
    bool tokens_any_time_, two_on_three_, per_space_, reserve_after_;
    const Ids& ids_;
    std::vector<std::array<std::uint16_t, kDirections>> neighbour_;  // of a cell, kNowhere if none is buildable
    Set spaces_, outside_, lowlands_, mountains_, printed_, board_land_, buildable_, irrigable_, edge_;
    // Bare places of each shape that cost more than 0, 1, 2, 3 action points (JA-10), or have no
    // space on the board (JA-11).
    std::array<std::array<Set, 4>, kShapes> too_dear_;
};

// The tables that all games under the same rules share.
struct Tables {
    explicit Tables(const Rules& rules);
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    // Whether the cell of a space is in a plane.
    [[nodiscard]] bool has(const State& state, Plane plane, std::size_t space) const {
        const std::size_t cell = cell_of[space];
        return (state.planes[planes::index(plane) * kSetWords + cell / 64] >> (cell % 64) & 1) != 0;
    }
    void insert(State& state, Plane plane, std::size_t space) const {
        const std::size_t cell = cell_of[space];
        state.planes[planes::index(plane) * kSetWords + cell / 64] |= std::uint64_t{1} << (cell % 64);
    }

    Board board;
    Numbers cell_of;                                      // by space
    Numbers space_of;                                     // by cell; kNowhere for cells that are not spaces
    std::vector<std::uint32_t> place_of;                  // by cell: where on the planes of an observation
    std::array<CellSet<kCells>, kGroundLists.size()> on;  // the cells of each ground
    Ids ids;
    Island island;
};

}  // namespace tilery::java
