// SPDX-License-Identifier: MIT
// The observation: planes of cells, then numbers; docs/rules/carcassonne.md.
#include "tilery/core/observation.hpp"

#include <algorithm>
#include <optional>

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
          tiles_(laid_tiles(state)),
          frame_(box_.rules.table ? box_.land : window_of(state, window)),
          out_(out) {}

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
    // The place of a cell in each plane, or nothing if it is outside.
    [[nodiscard]] std::optional<std::size_t> place_of(Cell cell) const {
        if (!frame_.contains(cell)) return std::nullopt;
        return index_of((y_of(cell) - frame_.south) * frame_.width() + x_of(cell) - frame_.west);
    }
    // n planes: calls write(tile, type, put) for each tile inside, where put(plane, value) sets its cell.
    template <class Write>
    void each_tile(std::size_t n, Write&& write) {
        out_.planes(n, [&](auto put) {
            for (const LaidTile& laid : tiles_) {
                const auto place = place_of(laid.cell);
                if (!place) continue;
                write(laid, box_.type(laid.code), [&](std::size_t plane, auto value) { put(plane, *place, value); });
            }
        });
    }
    // The same for tiles with a meeple, and for the segment that it is on.
    template <class Write>
    void each_meeple(std::size_t n, Write&& write) {
        each_tile(n, [&](const LaidTile& laid, const TileType& type, auto put) {
            if (laid.seat < 0) return;
            for (const Segment& segment : type.segments) {
                if (segment.id == laid.segment) write(laid, segment, put);
            }
        });
    }

    void write_tiles() {
        out_.part("tile", 1);
        each_tile(1, [](const LaidTile&, const TileType&, auto put) { put(0, 1); });
        out_.part("type", num_types(), num_types());
        each_tile(1, [](const LaidTile& laid, const TileType&, auto put) { put(0, type_of(laid.code) + 1); });
        out_.part("rotation", kRotations - 1, kRotations);
        each_tile(1, [](const LaidTile& laid, const TileType&, auto put) { put(0, rotation_of(laid.code)); });
        out_.part("edges", 1);
        each_tile(3 * kSides, [this](const LaidTile& laid, const TileType&, auto put) {
            for (std::size_t c = 0; c < kSides; ++c) {
                put(3 * c + edge_on(box_.tiles.edges[laid.code], kClockwise[c]) - kCity, 1);
            }
        });
        out_.part("links", 1);
        each_tile(6, [](const LaidTile& laid, const TileType& type, auto put) { write_links(laid, type, put); });
        out_.part("shield", 1);
        each_tile(1, [](const LaidTile&, const TileType& type, auto put) { put(0, type.shield ? 1 : 0); });
        out_.part("monastery", 1);
        each_tile(1, [](const LaidTile&, const TileType& type, auto put) { put(0, type.monastery ? 1 : 0); });
    }

    // Pairs of sides, clockwise from the north, with the same city or road.
    template <class Put>
    static void write_links(const LaidTile& laid, const TileType& type, Put&& put) {
        std::array<const Segment*, kSides> mains{};
        for (const Segment& segment : type.segments) {
            for (std::size_t c = 0; c < kSides; ++c) {
                if ((segment.sides >> kClockwise[c] & 1) != 0) mains[(c + rotation_of(laid.code)) % kSides] = &segment;
            }
        }
        std::size_t pair = 0;
        for (std::size_t one = 0; one < kSides; ++one) {
            for (std::size_t other = one + 1; other < kSides; ++other, ++pair) {
                if (mains[one] != nullptr && mains[one] == mains[other]) put(pair, 1);
            }
        }
    }

    void write_meeples() {
        constexpr std::string_view kKinds = "crfm";
        out_.part("meeple_kind", 1);
        each_meeple(kKinds.size(),
                    [&](const LaidTile&, const Segment& segment, auto put) { put(kKinds.find(segment.kind), 1); });
        out_.part("meeple_halves", 1);
        each_meeple(2 * kSides, [](const LaidTile& laid, const Segment& segment, auto put) {
            const unsigned halves = turned_halves(segment.halves, rotation_of(laid.code));
            for (std::size_t half = 0; half < 2 * kSides; ++half) put(half, halves >> half & 1);
        });
        out_.part("meeple_seat", 1);
        each_meeple(index_of(box_.rules.players), [this](const LaidTile& laid, const Segment&, auto put) {
            put(out_.place_of(index_of(laid.seat)), 1);
        });
    }

    [[nodiscard]] bool fits(std::size_t open_cell, std::size_t rotation) const {
        return state_.turn.tile != 0 && game_.fits_at(state_, open_cell, state_.turn.tile - std::size_t{1}, rotation);
    }

    void write_open_cells() {
        const Frontier& frontier = state_.frontier;
        out_.part("cell", 1).planes(1, [this](auto put) {
            const auto place = state_.turn.placed == 0 ? std::nullopt : place_of(placed_cell());
            if (place) put(0, *place, 1);
        });
        out_.part("open", 1).planes(1, [&](auto put) {
            for (std::size_t at = 0; at < frontier.size; ++at) {
                if (const auto place = place_of(frontier.cells[at])) put(0, *place, 1);
            }
        });
        out_.part("fits", 1).planes(kRotations, [&](auto put) {
            for (std::size_t at = 0; at < frontier.size; ++at) {
                const auto place = place_of(frontier.cells[at]);
                for (std::size_t r = 0; place && r < kRotations; ++r) put(r, *place, fits(at, r) ? 1 : 0);
            }
        });
    }
    [[nodiscard]] int num_types() const { return narrow<int>(box_.num_types); }
    [[nodiscard]] Cell placed_cell() const { return state_.land.cells[state_.turn.placed]; }

    void write_turn() {
        const auto& types = box_.tiles.types;
        const auto more = [](const TileType& a, const TileType& b) { return a.count < b.count; };
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
        const auto most = std::max_element(types.begin(), types.begin() + narrow<int>(box_.num_types), more);
        out_.part("unseen", most->count).numbers(game_.unseen_counts(state_, player_));
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
        const auto outside = [this](Cell cell) { return !frame_.contains(cell); };
        const std::span cells = std::span(state_.frontier.cells).first(state_.frontier.size);
        out_.part("tiles_outside", tiles).number(std::ranges::count_if(tiles_, outside, &LaidTile::cell));
        out_.part("open_outside", 2 * tiles + 2).number(std::ranges::count_if(cells, outside));
        out_.part("fits_outside", 2 * tiles + 2);
        for (std::size_t r = 0; r < kRotations; ++r) {
            int count = 0;
            for (std::size_t at = 0; at < cells.size(); ++at) count += outside(cells[at]) && fits(at, r) ? 1 : 0;
            out_.number(count);
        }
        out_.part("meeples_outside", kMeeples).seats([&](std::size_t seat) {
            out_.number(std::ranges::count_if(
                tiles_, [&](const LaidTile& laid) { return laid.seat == narrow<int>(seat) && outside(laid.cell); }));
        });
        out_.part("cell_outside", 1).number(state_.turn.placed != 0 && outside(placed_cell()) ? 1 : 0);
    }

    const Game& game_;
    const Box& box_;
    const State& state_;
    Player player_;
    std::vector<LaidTile> tiles_;
    Box::Rectangle frame_;  // the cells that the planes show
    Writer& out_;
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

int Game::observation_size(int window) const { return shape_of(observation_parts(window)).front(); }

template <class Number>
void Game::observe(const State& state, Player player, std::span<Number> out, int window) const {
    ObservationWriter writer(plane_of(box_, window), num_players(), player, out);
    Observation(*this, state, player, window, writer).write();
}
template void Game::observe(const State&, Player, std::span<float>, int) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>, int) const;
template void Game::observe(const State&, Player, std::span<std::int16_t>, int) const;

}  // namespace tilery::carcassonne
