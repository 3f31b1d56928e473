// SPDX-License-Identifier: MIT
// The rules of Java that look at the island, as set algebra; a template, because sets of cells
// have the size and the steps of the numbering that suits the board.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <variant>

#include "tilery/games/java/board.hpp"
#include "tilery/games/java/cells.hpp"
#include "tilery/games/java/game.hpp"

namespace tilery::java {

// The figures of a player in some place, as heights from the highest down; 0 where there are no
// more. Such lists compare as JA-26 wants.
using Heights = std::array<std::uint8_t, kFigures>;

inline constexpr int kLongestStretch = 7;  // action points a turn can have: most changes of colour in a move
static_assert(kLongestStretch == kActionPoints + 1);
inline constexpr int kNever = 100;  // a cost beyond all action points

[[nodiscard]] inline bool matches(std::size_t kind, std::size_t open) { return (kSymbols[kind] & kSymbols[open]) != 0; }

template <class Numbering>
class Island {
  public:
    using Set = typename Numbering::Set;
    static constexpr std::size_t kWords = Numbering::kWords;

    Island(const Rules& rules, const Board& board, const Ids& ids, const Numbers& cell_of);

    // JA-7 to JA-29: what the player whose turn it is may do.
    void add_turn_actions(const State& state, LegalActions& legal) const;
    [[nodiscard]] bool is_legal_in_turn(const State& state, Move move) const;
    // The action points that a legal action of a turn takes.
    [[nodiscard]] int cost(const State& state, Move move) const;
    // What a legal action changes on the island: scores and supplies too, action points not.
    void place_tile(State& state, Move move) const;
    void place_water(State& state, std::uint16_t cell) const;
    void place_palace(State& state, Move move) const;
    void enter(State& state, std::uint16_t cell) const;
    void leave(State& state, std::uint16_t cell) const;
    void set_down(State& state, std::uint16_t cell, int price) const;
    void forget_moves(State& state) const;    // JA-22
    void forget_palaces(State& state) const;  // JA-25

    // A bit for each player with a figure in the city of this palace (JA-30).
    [[nodiscard]] std::uint8_t guests(const State& state, std::uint16_t palace) const;
    void close_festival(State& state) const { erase(state, kFresh, state.festival); }
    [[nodiscard]] int palace_value(const State& state, std::uint16_t cell) const;
    void final_count(State& state, std::size_t player) const;

  private:
    // The sets that most questions begin with.
    struct View {
        Set land, village, own;
        Set blocked;  // by irrigation tiles, palaces, figures
        Set open;     // land without palace and figure
        Set palaces;
    };
    using Shaped = std::array<Set, kShapes>;

    [[nodiscard]] Set get(const State& state, std::size_t plane) const {
        return Numbering::load(&state.planes[plane * kWords]);
    }
    void put(State& state, std::size_t plane, const Set& set) const {
        Numbering::store(set, &state.planes[plane * kWords]);
    }
    [[nodiscard]] bool has(const State& state, std::size_t plane, std::size_t cell) const {
        return (state.planes[plane * kWords + cell / 64] >> (cell % 64) & 1) != 0;
    }
    void insert(State& state, std::size_t plane, std::size_t cell) const {
        state.planes[plane * kWords + cell / 64] |= std::uint64_t{1} << (cell % 64);
    }
    void erase(State& state, std::size_t plane, std::size_t cell) const {
        state.planes[plane * kWords + cell / 64] &= ~(std::uint64_t{1} << (cell % 64));
    }
    [[nodiscard]] static bool any_palace(const State& state) { return state.palaces != kPalaceTiles; }
    [[nodiscard]] Set palaces(const State& state) const {
        return get(state, kPalace) | get(state, kPalace + 1) | get(state, kPalace + 2);
    }
    [[nodiscard]] static Set only(std::size_t cell) { return Numbering::only(cell); }
    [[nodiscard]] Set step(Direction direction, const Set& set) const;
    // All of `within` that hangs together with `seed`, itself in it.
    [[nodiscard]] Set flood(Set seed, const Set& within) const {
        for (;;) {
            const Set next = numbering_.around(seed) & within;
            if (next == seed) return seed;
            seed = next;
        }
    }
    [[nodiscard]] View view(const State& state) const;

    // java_tiles.hpp
    [[nodiscard]] Shaped fitting(const State& state, const View& v) const;
    [[nodiscard]] Set joining(const View& v) const;
    [[nodiscard]] bool unites(const View& v, std::uint16_t village, Set rice) const;
    [[nodiscard]] Set without_unions(const View& v, const Set& joints, Set places, Direction d, Placing placing,
                                     bool three) const;
    [[nodiscard]] Set affordable(Set places, std::size_t shape, const Set& land, int ap) const;
    [[nodiscard]] bool some_tile(const State& state, const View& v, const Shaped& fitting, const Set& joints,
                                 int ap) const;
    [[nodiscard]] int cheapest(const State& state, const View& v, const Shaped& fitting, const Set& joints) const;
    [[nodiscard]] bool fits(const State& state, Move move) const;
    void leave_bonds(State& state, const Set& spaces) const;
    void score_enclosed(State& state, Set near) const;
    [[nodiscard]] std::array<std::uint16_t, 3> cells_of(Move move) const;
    [[nodiscard]] std::uint16_t first_of(Move move) const;
    [[nodiscard]] static std::size_t size_of(Kind kind) {
        return kind == Kind::kThree ? 3 : kind == Kind::kTwo ? 2 : 1;
    }

    // JA-9, JA-R6: what may be spent on anything but a land tile, and whether the turn may end.
    struct Duty {
        bool in_force;
        int budget;
    };
    [[nodiscard]] Duty duty(const State& state, int cheapest) const;
    [[nodiscard]] Duty duty(const State& state, const View& v) const;

    // java_figures.hpp
    [[nodiscard]] Set edge_at(const View& v, int budget) const;
    [[nodiscard]] int edge_price(const State& state, std::uint16_t cell) const;
    template <class Goals>
    void reach(const State& state, const View& v, std::uint16_t from, int budget, Goals&& goals) const;
    [[nodiscard]] Set goals(const State& state, const View& v, std::uint16_t from, int budget) const;
    [[nodiscard]] Set liftable(const State& state, const View& v, int budget) const;
    [[nodiscard]] int move_price(const State& state, const View& v, std::uint16_t from, std::uint16_t to) const;

    // java_cities.hpp
    [[nodiscard]] int height(const State& state, std::size_t cell) const;
    [[nodiscard]] Heights ranks(const State& state, std::size_t player, const Set& place) const;
    [[nodiscard]] std::size_t first_alone(const State& state, const Set& place) const;
    struct Works {
        std::array<Set, kPalaceValues> palaces;  // where one of this value may be built or laid on top
        Set festivals;                           // fresh palaces in cities with an own figure
    };
    [[nodiscard]] Works works(const State& state, const View& v, const Set& seeds) const;
    [[nodiscard]] bool can_host(const State& state) const;

    std::size_t players_;
    bool tokens_any_time_, two_on_three_, per_space_;
    Numbering numbering_;
    const Ids& ids_;
    std::vector<std::array<std::uint16_t, kDirections>> neighbour_;  // of a cell, kNowhere if none is buildable
    Set spaces_, outside_, lowlands_, mountains_, printed_, board_land_, buildable_, irrigable_, edge_;
    // Bare places of each shape that cost more than 0, 1, 2, 3 action points (JA-10), or have no
    // space on the board (JA-11).
    std::array<std::array<Set, 4>, kShapes> too_dear_;
};

// What all games under the same rules share.
struct Tables {
    explicit Tables(const Rules& rules);
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    using Compact = Island<Rows>;
    using Sprawling = Island<Anywhere>;

    // Calls f with the island in its own numbering.
    template <class F>
    decltype(auto) on_island(F&& f) const {
        if (const auto* compact = std::get_if<Compact>(&island)) return f(*compact);
        return on_sprawling(f);
    }
    // Out of line: the playout becomes one function, and need not be that for boards of odd shapes too.
    template <class F>
    [[gnu::noinline]] decltype(auto) on_sprawling(F& f) const {
        return f(*std::get_if<Sprawling>(&island));
    }
    // Whether the cell of a space is in a plane.
    [[nodiscard]] bool has(const State& state, std::size_t plane, std::size_t space) const {
        const std::size_t cell = cell_of[space];
        return (state.planes[plane * words + cell / 64] >> (cell % 64) & 1) != 0;
    }

    Board board;
    Numbers cell_of;    // by space
    Numbers space_of;   // by cell; kNowhere for cells that are no spaces
    std::size_t words;  // of a set
    std::size_t slots;  // of a word
    Ids ids;
    std::variant<Compact, Sprawling> island;
};

}  // namespace tilery::java
