// SPDX-License-Identifier: MIT
// The observation: planes of cells, then numbers; docs/rules/carcassonne.md.
#include "tilery/core/observation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

constexpr int kPointsDivisor = 100;

template <class Writer>
class Observation {
  public:
    Observation(const Game& game, const State& state, Player player, int window, Writer& out)
        : game_(game),
          box_(game.box()),
          state_(state),
          player_(player),
          frame_(box_.rules.table ? box_.land : window_of(state, window)),
          out_(out) {
        find_tiles();
        find_open_cells();
    }

    void write() {
        write_tiles();
        write_meeples();
        write_open_cells();
        out_.set_plane({});
        write_turn();
        if (box_.rules.tile_sale) write_sale();
        if (box_.rules.hand_size > 0) write_hands();
        if (box_.rules.first_player == FirstPlayer::kMostRoads) write_order();
        if (!box_.rules.table) write_outside();
    }

  private:
    // The contents of the planes, in no order, each with its place in a plane.
    struct Tile {
        std::size_t place;
        Code code;
    };
    struct Meeple {
        std::size_t place, seat;
        Code code;
        const Segment* segment;
    };
    struct OpenCell {
        std::size_t place;
        unsigned fitting;
    };
    template <class Item, std::size_t N>
    struct Shown {
        std::array<Item, N + 1> items;
        std::size_t size = 0;

        // Without a branch: which cells hold something, and which are outside, nobody can predict.
        void add_if(bool is_shown, const Item& item) {
            items[size] = item;
            size += is_shown ? 1 : 0;
        }
        // n planes: calls write(item, put) for each, where put(plane, value) sets the cell of the item.
        void write(Writer& out, std::size_t n, auto&& write) const {
            out.planes(n, [&](auto put) {
                for (const Item& item : std::span(items).first(size)) {
                    write(item, [&](std::size_t plane, auto value) { put(plane, item.place, value); });
                }
            });
        }
    };

    // The place of a cell in each plane; of one that is outside, a number without meaning.
    [[nodiscard]] std::size_t place_of(Cell cell) const {
        return index_of((y_of(cell) - frame_.south) * frame_.width() + x_of(cell) - frame_.west);
    }
    void find_tiles() {
        const Land& land = state_.land;
        for (std::size_t slot = 1; slot < land.size; ++slot) {
            const Cell cell = land.cells[slot];
            const bool is_tile = land.has_tile(slot), inside = frame_.contains(cell);
            tiles_.add_if(is_tile && inside, {place_of(cell), land.codes[slot]});
            tiles_outside_ += is_tile && !inside ? 1 : 0;
        }
        const Meeples& meeples = state_.meeples;
        for (MeepleSet left = meeples_placed(meeples); left != 0; left &= left - 1) {
            const std::size_t meeple = index_of(std::countr_zero(left));
            const std::size_t slot = meeples.slots[meeple], seat = meeple / kMeepleNumbers;
            const TileType& type = box_.type(land.codes[slot]);
            const Segment& segment = type.segments[type.segment_of[meeples.segments[meeple]]];
            const bool inside = frame_.contains(land.cells[slot]);
            meeples_.add_if(inside, {place_of(land.cells[slot]), seat, land.codes[slot], &segment});
            meeples_outside_[seat] += inside ? 0 : 1;
        }
    }
    void find_open_cells() {
        const Frontier& frontier = state_.frontier;
        const std::size_t tile = state_.turn.tile;
        for (std::size_t at = 0; at < frontier.size; ++at) {
            const bool inside = frame_.contains(frontier.cells[at]);
            const unsigned rotations = tile == 0 ? 0U : fitting(box_.tiles.tables[tile - 1], frontier.edges[at]);
            open_.add_if(inside, {place_of(frontier.cells[at]), rotations});
            open_outside_ += inside ? 0 : 1;
            const unsigned outside = rotations & (inside ? 0U : 0xFFU);
            for (std::size_t r = 0; r < kRotations; ++r) fits_outside_[r] += fits(outside, r);
        }
    }
    [[nodiscard]] static int fits(unsigned rotations, std::size_t r) { return narrow<int>(rotations >> (7 - r) & 1); }

    void write_tiles() {
        out_.part("tile", 1);
        tiles_.write(out_, 1, [](const Tile&, auto put) { put(0, 1); });
        out_.part("type", num_types(), num_types());
        tiles_.write(out_, 1, [](const Tile& tile, auto put) { put(0, type_of(tile.code) + 1); });
        out_.part("rotation", kRotations - 1, kRotations);
        tiles_.write(out_, 1, [](const Tile& tile, auto put) { put(0, rotation_of(tile.code)); });
        out_.part("edges", 1);
        tiles_.write(out_, 3 * kSides, [this](const Tile& tile, auto put) {
            for (std::size_t c = 0; c < kSides; ++c) {
                put(3 * c + edge_on(box_.tiles.edges[tile.code], kClockwise[c]) - kCity, 1);
            }
        });
        out_.part("links", 1);
        // Pairs of sides, clockwise from the north, with the same city or road.
        tiles_.write(out_, kPairs, [this](const Tile& tile, auto put) {
            const std::uint32_t mains = box_.tiles.mains[tile.code];
            const auto main_on = [mains](std::size_t c) { return mains >> 8 * kClockwise[c] & 0xFF; };
            std::size_t pair = 0;
            for (std::size_t one = 0; one < kSides; ++one) {
                for (std::size_t other = one + 1; other < kSides; ++other, ++pair) {
                    put(pair, main_on(one) == main_on(other) && main_on(one) != kNothing ? 1 : 0);
                }
            }
        });
        out_.part("shield", 1);
        tiles_.write(out_, 1, [this](const Tile& tile, auto put) { put(0, box_.table(tile.code).shield); });
        out_.part("monastery", 1);
        tiles_.write(out_, 1, [this](const Tile& tile, auto put) { put(0, box_.table(tile.code).monastery); });
    }

    void write_meeples() {
        constexpr std::string_view kKinds = "crfm";
        out_.part("meeple_kind", 1);
        meeples_.write(out_, kKinds.size(),
                       [&](const Meeple& meeple, auto put) { put(kKinds.find(meeple.segment->kind), 1); });
        out_.part("meeple_halves", 1);
        meeples_.write(out_, 2 * kSides, [](const Meeple& meeple, auto put) {
            const unsigned halves = turned_halves(meeple.segment->halves, rotation_of(meeple.code));
            for (std::size_t half = 0; half < 2 * kSides; ++half) put(half, halves >> half & 1);
        });
        out_.part("meeple_seat", 1);
        meeples_.write(out_, index_of(box_.rules.players),
                       [this](const Meeple& meeple, auto put) { put(out_.place_of(meeple.seat), 1); });
    }

    void write_open_cells() {
        out_.part("cell", 1).planes(1, [this](auto put) {
            if (state_.turn.placed != 0 && frame_.contains(placed_cell())) put(0, place_of(placed_cell()), 1);
        });
        out_.part("open", 1);
        open_.write(out_, 1, [](const OpenCell&, auto put) { put(0, 1); });
        out_.part("fits", 1);
        open_.write(out_, kRotations, [](const OpenCell& cell, auto put) {
            for (std::size_t r = 0; r < kRotations; ++r) put(r, fits(cell.fitting, r));
        });
    }
    [[nodiscard]] int num_types() const { return narrow<int>(box_.num_types); }
    [[nodiscard]] Cell placed_cell() const { return state_.land.cells[state_.turn.placed]; }

    void write_turn() {
        out_.part("phase", 1).one_hot(kPhases, index_of(state_.turn.phase));
        out_.part("actor", 1).one_seat(state_.turn.actor);
        out_.part("turn", 1).one_seat(state_.turn.mover);
        out_.part("ordinary", 1).one_seat(state_.turn.ordinary);
        out_.part("again", 1).number(state_.turn.goes_on);
        out_.in_bytes("scores", "scores_above_255", kMostPoints, kPointsDivisor, [this](auto split) {
            out_.seats([&](std::size_t seat) { out_.number(split(state_.points[seat])); });
        });
        out_.part("supply", kMeeples, kMeeples).seats([this](std::size_t seat) {
            out_.number(state_.meeples.at_home[seat]);
        });
        out_.part("tile_type", 1).one_hot(box_.num_types, state_.turn.tile - std::size_t{1});
        const auto most = [this] {
            const auto types = std::span(box_.tiles.types).first(box_.num_types);
            return std::ranges::max_element(types, {}, &TileType::count)->count;
        };
        out_.part("unseen", most).numbers(game_.unseen_counts(state_, player_));
        out_.part("pile", box_.num_tiles(), box_.num_tiles()).number(state_.pile.size());
    }

    void write_sale() {
        out_.in_bytes("price", "price_above_255", kMostPoints, kPointsDivisor,
                      [this](auto split) { out_.number(split(state_.sale.price)); });
        out_.part("buyer", 1).one_seat(state_.sale.buyer);
    }

    // CA-H3
    void write_hands() {
        const int most = box_.rules.hand_size;
        out_.part("hand_sizes", most).seats([this](std::size_t seat) { out_.number(hand_of(state_, seat).size()); });
        out_.part("hands", most).seats([this](std::size_t seat) {
            out_.numbers(known_copies(seat, sees_hand(box_, player_, seat)));
        });
        out_.part("own_shown", most).numbers(known_copies(index_of(player_), false));
    }
    // The copies of each type in a hand, or of those that are shown.
    [[nodiscard]] std::vector<int> known_copies(std::size_t seat, bool all) const {
        std::vector<int> copies(box_.num_types);
        const std::span<const std::uint8_t> hand = hand_of(state_, seat);
        for (std::size_t i = 0; i < hand.size(); ++i) {
            if (all || (state_.hands.shown[seat] >> i & 1) != 0) ++copies[hand[i] - std::size_t{1}];
        }
        return copies;
    }

    // CA-H2
    void write_order() {
        out_.part("round", kMostRounds, kMostRounds).number(state_.turn.round);
        out_.part("contenders", 1).seats([this](std::size_t seat) { out_.number(state_.turn.contenders >> seat & 1); });
        out_.part("drawn", num_types(), num_types()).seats([this](std::size_t seat) {
            out_.number(state_.turn.phase == Phase::kOrder ? int{state_.hands.tiles[seat][0]} : 0);
        });
    }

    void write_outside() {
        const int tiles = box_.num_tiles();
        out_.part("tiles_outside", tiles).number(tiles_outside_);
        out_.part("open_outside", 2 * tiles + 2).number(open_outside_);
        out_.part("fits_outside", 2 * tiles + 2).numbers(fits_outside_);
        out_.part("meeples_outside", kMeeples).seats([&](std::size_t seat) { out_.number(meeples_outside_[seat]); });
        out_.part("cell_outside", 1).number(state_.turn.placed != 0 && !frame_.contains(placed_cell()) ? 1 : 0);
    }

    const Game& game_;
    const Box& box_;
    const State& state_;
    Player player_;
    Box::Rectangle frame_;  // the cells that the planes show
    Writer& out_;
    Shown<Tile, kTiles> tiles_;
    Shown<Meeple, kAllMeeples> meeples_;
    Shown<OpenCell, kMostOpen> open_;
    // The part outside of the frame.
    int tiles_outside_ = 0, open_outside_ = 0;
    std::array<int, kRotations> fits_outside_{};
    PerPlayer<int> meeples_outside_{};
};

Plane plane_of(const Box& box, int window) {
    return box.rules.table ? Plane{box.height, box.width} : Plane{window, window};
}

}  // namespace

std::vector<ObservationPart> Game::observation_parts(int window) const {
    ObservationCounter counter(plane_of(box_, window), num_players());
    Observation(*this, initial_, 0, window, counter).write();
    return std::move(counter).parts();
}

template <class Number>
void Game::observe(const State& state, Player player, std::span<Number> out, int window) const {
    ObservationWriter writer(plane_of(box_, window), num_players(), player, out);
    Observation(*this, state, player, window, writer).write();
}
template void Game::observe(const State&, Player, std::span<float>, int) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>, int) const;

}  // namespace tilery::carcassonne
