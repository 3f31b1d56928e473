// SPDX-License-Identifier: MIT
#include "tilery/any/carcassonne.hpp"

#include "tilery/any/game_of.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/views.hpp"
#include "tilery/simulation/arrays.hpp"

#ifndef TILERY_ONLY_C
#include "tilery/any/batch.hpp"
#endif

namespace tilery::carcassonne {
namespace {

using namespace any;

Array counts(const std::vector<int>& numbers) {
    return row<std::uint8_t>(numbers.size(), [&](std::size_t i) { return numbers[i]; });
}

void add_names(const Views<Game>& views) {
    views.add_property("tile_types", "The ids of the tile types in play; their order is that of all numbers of types.",
                       [](const Game& self) { return Value::list_of(self.tile_types()); });
    views.add_property("segment_names",
                       "The tokens of CA-22; their order is that of all numbers of segments, '-' being 0.",
                       [](const Game&) { return Value::list_of(kSegmentNames); });
}

// Tiles, meeples and features.
void add_land(const Views<Game>& views) {
    const auto rows_of_four = [&views](const char* name, auto ask, const char* doc) {
        views.add(name, doc, [ask](const Game& self, const State& state) {
            const auto rows = (self.*ask)(state);
            return table<std::int16_t>(rows.size(), 4, [&](auto row, auto column) { return rows[row][column]; });
        });
    };
    rows_of_four("tiles", &Game::tiles_laid, "int16[tiles, 4]: x, y, number of the type, rotation.");
    rows_of_four("meeples", &Game::meeples, "int16[meeples, 4]: x, y, number of the segment, seat.");
    using Tile = tilery_carcassonne_tile;
    views.add_rows("tiles", [](const Game&, const State& state) {
        std::vector<Tile> tiles;
        for (const LaidTile& laid : laid_tiles(state)) {
            tiles.push_back({narrow<std::int8_t>(x_of(laid.cell)), narrow<std::int8_t>(y_of(laid.cell)),
                             narrow<std::uint8_t>(carcassonne::type_of(laid.code)),
                             narrow<std::uint8_t>(rotation_of(laid.code)), laid.seat, laid.segment});
        }
        return tiles;
    });
    using Row = tilery_carcassonne_feature;
#define FIELD(member) field_of<decltype(Row::member)>(#member, offsetof(Row, member))
    views.add_rows(
        "features",
        [](const Game& self, const State& state) { return list_features(self.box(), state, false).features; },
        "The numbers of features() as a structured array; see tilery.carcassonne.",
        {FIELD(points), FIELD(open_ends), FIELD(x), FIELD(y), FIELD(segment), FIELD(kind), FIELD(complete),
         FIELD(tiles), FIELD(shields), FIELD(cities), FIELD(meeples)});
#undef FIELD
    const auto parts = [&views](const char* name, auto member) {
        views.add_rows(name, [member](const Game& self, const State& state) {
            return list_features(self.box(), state, true).*member;
        });
    };
    parts("segments", &FeatureList::segments);
    parts("open_cells", &FeatureList::open_cells);
    parts("borders", &FeatureList::borders);
}

// The open cells.
void add_frontier(const Views<Game>& views) {
    views.add("frontier", "int16[k, 2]: x, y of the k open cells, by y, then x.", [](const Game&, const State& state) {
        const auto& frontier = state.frontier;
        return table<std::int16_t>(frontier.size, 2, [&](auto at, auto axis) {
            return axis == 0 ? x_of(frontier.cells[at]) : y_of(frontier.cells[at]);
        });
    });
    views.add("frontier_edges",
              "uint8[k, 4]: what the neighbours north, east, south, west ask for; 0 nothing, 1 city, 2 road, 3 field.",
              [](const Game&, const State& state) {
                  return table<std::uint8_t>(state.frontier.size, kSides, [&](auto at, auto side) {
                      return edge_on(state.frontier.edges[at], kClockwise[side]);
                  });
              });
    views.add("fits", "bool[k, types, 4]: whether the type fits there in that rotation (CA-3, CA-4).",
              [](const Game& self, const State& state) {
                  constexpr std::size_t kTurns = kRotations;
                  const std::size_t types = self.box().num_types;
                  return filled<bool>({state.frontier.size, types, kTurns}, [&](std::size_t i) {
                      const Edges edges = state.frontier.edges[i / kTurns / types];
                      return fits(self.box().tiles.tables[i / kTurns % types], edges, i % kTurns);
                  });
              });
}

// The tiles that are still to be placed.
void add_supplies(const Views<Game>& views) {
    views.add("remaining", "uint8[types]: copies in the pile.",
              [](const Game& self, const State& state) { return counts(self.pile_counts(state)); });
    views.add_of_player(
        "unseen", "uint8[types]: copies that a player has not seen, in the pile or in hidden hands.",
        [](const Game& self, const State& state, int player) { return counts(self.unseen_counts(state, player)); });
    views.add("supply", "Meeples at home, a list by seat.", [](const Game& self, const State& state) {
        const auto* const at_home = state.meeples.at_home.data();
        return Value::list_of(std::span(at_home, index(self.num_players())));
    });
    views.add("hands", "uint8[players, types]: copies in each hand, hidden or not (CA-H3, CA-H4).",
              [](const Game& self, const State& state) {
                  return table<std::uint8_t>(static_cast<std::size_t>(self.num_players()), self.box().num_types,
                                             [&](auto seat, auto kind) { return self.hand_counts(state, seat)[kind]; });
              });
}

#ifndef TILERY_ONLY_C
// The compact id of an action in a window of this size, or nothing if it is a placement outside.
std::optional<Action> compact_in(const Box& box, const Box::Rectangle& frame, int window, Action action) {
    if (action < box.first_placement) return action;
    const auto [cell, rotation] = box.placement_of(action);
    if (!frame.contains(cell)) return std::nullopt;
    const int line = rotation * window + y_of(cell) - frame.south;
    return box.first_placement + line * window + x_of(cell) - frame.west;
}
// Calls use(compact) on the actions of for_each that are inside the window.
void for_each_inside(const Box& box, const State& state, int window, auto&& for_each, auto&& use) {
    const Box::Rectangle frame = window_of(state, window);
    for_each([&](Action action) {
        if (const auto compact = compact_in(box, frame, window, action)) use(*compact);
    });
}
#endif

}  // namespace
}  // namespace tilery::carcassonne

namespace tilery::any {

namespace own = tilery::carcassonne;

namespace {

const own::Box& box_of(const AnyGame& game) { return game_in<own::Game>(game).box(); }
const own::State& of(const void* state) { return *static_cast<const own::State*>(state); }

}  // namespace

WindowBounds window_bounds(const AnyGame& game) {
    return {own::Game::kWindow, own::Game::kWholeLand, game_in<own::Game>(game).rules().table.has_value()};
}
int window_observation_size(const AnyGame& game, int window) {
    int size = 0;
    for (const ObservationPart& part : game.facts().observation_parts) {
        size += part.shape.front() * (part.shape.size() > 1 ? window * window : 1);
    }
    return size;
}
void observe_window(const AnyGame& game, const void* state, Player player, int window, void* out, NumberKind kind) {
    const own::Game& rules = game_in<own::Game>(game);
    const auto parts = kind == NumberKind::kInt16 ? rules.observation_parts(window) : std::vector<ObservationPart>{};
    write_numbers(out, kind, index(window_observation_size(game, window)), parts,
                  [&](auto numbers) { rules.observe(of(state), player, numbers, window); });
}
void with_features(const AnyGame& game, const void* state, const UseFeatures& use) {
    const own::FeatureList list = own::list_features(box_of(game), of(state), true);
    use(list.features, list.segments, list.open_cells, list.borders);
}

#ifndef TILERY_ONLY_C
Action CompactIds::size() const { return box_of(game_).first_placement + Action{own::kRotations} * window_ * window_; }
std::optional<Action> CompactIds::compact(const void* state, Action action) const {
    return own::compact_in(box_of(game_), own::window_of(of(state), window_), window_, action);
}
std::optional<Action> CompactIds::expand(const void* state, Action compact) const {
    const own::Box& box = box_of(game_);
    if (compact < box.first_placement) return compact;
    const own::Box::Rectangle frame = own::window_of(of(state), window_);
    const int place = compact - box.first_placement, line = place / window_;
    const int x = frame.west + place % window_, y = frame.south + line % window_;
    if (!box.land.contains(x, y)) return std::nullopt;
    return box.placement(own::cell_at(x, y), line / window_);
}
std::vector<Action> CompactIds::legal(const void* state) const {
    std::vector<Action> ids;
    with_actions(game_in<own::Game>(game_), of(state), [&](std::uint32_t, auto&& for_each) {
        own::for_each_inside(box_of(game_), of(state), window_, for_each, [&ids](Action id) { ids.push_back(id); });
    });
    return ids;
}
void CompactIds::write_masks(const Batch& batch, bool* out) const {
    const std::size_t width = index(size());
    batch.in_pieces([&, out, width](std::size_t from, std::size_t to) {
        std::fill_n(out + from * width, (to - from) * width, false);
        for (std::size_t i = from; i < to; ++i) {
            if (batch.needs_reset(i)) continue;
            const auto& slot = *static_cast<const Slot<own::Game>*>(batch.slot(i));
            const auto for_each = [&slot](auto&& use) { slot.actions.for_each(use); };
            own::for_each_inside(box_of(game_), slot.state, window_, for_each,
                                 [row = out + i * width](Action compact) { row[compact] = true; });
        }
    });
}
void CompactIds::expand_all(const Batch& batch, const std::int64_t* ids, std::int64_t* actions) const {
    // The numbers that apply_actions() of a batch leaves alone, and those that it always refuses.
    constexpr std::int64_t kLeave = -1, kRefuse = -2;
    batch.in_pieces([&, ids, actions](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const std::int64_t id = ids[i];
            const bool known = id >= 0 && id < size();
            actions[i] = known          ? expand(batch.state_in(i), static_cast<Action>(id)).value_or(kRefuse)
                         : id == kLeave ? kLeave
                                        : kRefuse;
        }
    });
}
#endif

GameKind carcassonne_kind() {
    GameKind kind = kind_of<own::Game>("Carcassonne, Winter Edition; rules in docs/rules/carcassonne.md.");
    kind.editions = {{"official", {{"final_meeples", "home"}}}, {"source", {{"final_meeples", "home"}}}};
    const Views<own::Game> views(kind);
    own::add_names(views);
    own::add_land(views);
    own::add_frontier(views);
    own::add_supplies(views);
    return kind;
}

}  // namespace tilery::any
