// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/derive.hpp"

#include <bit>
#include <set>
#include <span>
#include <utility>

#include "tilery/core/serialize.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// A segment is named by its first place: four times its slot and so on.
constexpr std::size_t kAllPlaces = kTileSlots * kSlotPlaces;

class Derivation {
  public:
    Derivation(const Box& box, State& state) : box_(box), state_(state), map_(state.land) {}

    void run() {
        join_features();
        name_labels();
        count_open_ends();
        list_frontier();
        seat_meeples();
        mark_complete_cities();
        state_.turn.options = state_.turn.placed == 0 ? std::uint16_t{0} : meeple_options();
    }

  private:
    [[nodiscard]] std::size_t feature(std::size_t slot, std::size_t place) {
        return features_.find(kSlotPlaces * slot + place);
    }

    // CA-5, and the copies of a segment on its tile.
    void join_features() {
        state_.land.for_each_tile([this](std::size_t slot, std::size_t code) {
            const Shuffle& copies = box_.table(code).copies;
            for (std::size_t place = 0; place < kPlaces; ++place) {
                if (copies[place] < kPlaces) join(slot, place, slot, copies[place]);
            }
        });
        for_each_meeting(state_.land, map_, [this](std::size_t side, std::size_t slot, std::size_t other) {
            join_along(side, slot, other);
        });
    }
    void join(std::size_t slot, std::size_t place, std::size_t other_slot, std::size_t other_place) {
        features_.join(kSlotPlaces * slot + place, kSlotPlaces * other_slot + other_place);
    }
    // Joins what meets on the edge of a tile with its neighbour on that side.
    void join_along(std::size_t side, std::size_t slot, std::size_t other) {
        const std::uint32_t theirs = box_.tiles.facing[side][state_.land.codes[other]];
        const std::uint32_t ours = box_.tiles.facing[opposite(side)][state_.land.codes[slot]];
        constexpr std::array<std::size_t, 3> kMet{0, 2, 1};  // left meets right
        for (std::size_t port = 0; port < kMet.size(); ++port) {
            const std::size_t one = theirs >> 8 * port & 0xFF, two = ours >> 8 * kMet[port] & 0xFF;
            if (one < kPlaces && two < kPlaces) join(other, one, slot, two);
        }
    }

    // Labels by first appearance, and shields.
    void name_labels() {
        std::array<Label, 2> next{1, 1};  // mains, fields
        state_.land.labels = {};
        state_.land.shields = {};
        state_.land.for_each_tile([&](std::size_t slot, std::size_t code) {
            const TypeTables& table = box_.table(code);
            if (table.shield != 0) state_.land.shields.insert(slot);
            for (std::size_t place = 0; place < kSlotPlaces * table.slots; ++place) {
                if (table.copies[place] >= kPlaces) continue;
                Label& name = names_[feature(slot, place)];
                if (name == 0) name = next[is_field_place(place) ? 1 : 0]++;
                state_.land.label_at(slot, place) = name;
            }
        });
        for (std::size_t place = 0; place < kPlaces; ++place) {
            state_.features.next_label[place] = next[is_field_place(place) ? 1 : 0];
        }
    }

    void count_open_ends() {
        state_.features.open_ends = {};
        state_.features.open_ends[0] = 1;
        state_.land.for_each_tile([this](std::size_t slot, std::size_t code) {
            for (std::size_t side = 0; side < kSides; ++side) {
                const Cell cell = neighbour(state_.land.cells[slot], side);
                if (map_.slot(cell) != SlotMap::kNone) continue;
                if (box_.rules.edge_closes && !box_.table_cells.contains(cell)) continue;  // CA-H11
                const std::size_t place = box_.tiles.mains[code] >> 8 * side & 0xFF;
                if (place < kPlaces) ++state_.features.open_ends[names_[feature(slot, place)]];
            }
        });
    }

    void list_frontier() {
        std::set<Cell> open;
        state_.land.for_each_tile([&](std::size_t slot, std::size_t) {
            for (std::size_t side = 0; side < kSides; ++side) {
                const Cell cell = neighbour(state_.land.cells[slot], side);
                if (map_.slot(cell) == SlotMap::kNone && box_.table_cells.contains(cell)) open.insert(cell);
            }
        });
        Frontier& frontier = state_.frontier;
        frontier = Frontier{};
        frontier.cells.fill(kNoCell);
        std::uint8_t faces = 0;
        for (const Cell cell : open) {
            const std::size_t at = frontier.size++;
            frontier.cells[at] = cell;
            frontier.first[at] = faces;
            for (std::size_t side = 0; side < kSides; ++side) {
                const std::size_t slot = map_.slot(neighbour(cell, side));
                if (slot == SlotMap::kNone) continue;
                frontier.edges[at] |= only(box_.tiles.mirrored[state_.land.codes[slot]], side);
                frontier.facing[faces++] = narrow<std::uint8_t>(slot);
            }
        }
        frontier.first[frontier.size] = faces;
    }

    // Meeples, and the features they are in.
    void seat_meeples() {
        Meeples& meeples = state_.meeples;
        meeples.labels = {};
        for (std::size_t meeple = 0; meeple < kAllMeeples; ++meeple) {
            const std::size_t segment = meeples.segments[meeple], slot = meeples.slots[meeple];
            if (segment == kMonkId) meeples.labels[meeple] = kMonk;
            if (segment == 0 || segment == kMonkId) continue;
            const std::size_t place = box_.table(state_.land.codes[slot]).by_id[segment];
            occupied_[feature(slot, place)] = true;
            const Label name = names_[feature(slot, place)];
            meeples.labels[meeple] = is_field_place(place) ? name : Label(name | kOccupied);
        }
        for (std::size_t slot = 1; slot < state_.land.size; ++slot) {
            for (std::size_t place = 0; place < kSlotPlaces; ++place) {
                Label& label = state_.land.label_at(slot, place);
                if (label != 0 && occupied_[feature(slot, place)]) label |= kOccupied;
            }
        }
    }

    // Those of the tile just placed are still to be scored.
    void mark_complete_cities() {
        LabelSet pending;
        state_.features.walled = {};
        state_.land.for_each_tile([&](std::size_t slot, std::size_t code) {
            for (const Segment& segment : box_.type(code).segments) {
                if (segment.kind != 'c') continue;
                const std::size_t city = names_[feature(slot, segment.place)];
                if (state_.features.open_ends[city] == 0) state_.features.walled.insert(city);
                if (slot == state_.turn.placed) pending.insert(city);
            }
        });
        state_.features.walled -= pending;
    }

    // CA-8: of segments of one feature only the first.
    [[nodiscard]] std::uint16_t meeple_options() {
        const std::size_t slot = state_.turn.placed;
        std::array<bool, kAllPlaces> taken = occupied_;
        unsigned options = 0;
        for (const Segment& segment : box_.type(state_.land.codes[slot]).segments) {
            bool available = segment.kind != 'f' || box_.rules.farmers;
            if (segment.kind != 'm') available = available && !std::exchange(taken[feature(slot, segment.place)], true);
            if (available) options |= 1U << segment.id;
        }
        return narrow<std::uint16_t>(options == 0 ? 0U : options | 1U);
    }

    const Box& box_;
    State& state_;
    SlotMap map_;
    UnionFind<kAllPlaces> features_;
    std::array<Label, kAllPlaces> names_{};
    std::array<bool, kAllPlaces> occupied_{};
};

}  // namespace

void derive(const Box& box, State& state) { Derivation(box, state).run(); }

State Game::canonical(const State& state) const {
    State result = state;
    Land& land = result.land;
    land.cells.fill(kNoCell);
    land.codes = {};
    Meeples& meeples = result.meeples;
    meeples.slots = meeples.segments = {};
    PerPlayer<std::size_t> placed{};  // meeples
    result.turn.placed = 0;
    std::uint8_t slot = 1;
    for (const LaidTile& laid : laid_tiles(state)) {
        land.cells[slot] = laid.cell;
        land.codes[slot] = laid.code;
        if (laid.slot == state.turn.placed) result.turn.placed = slot;
        if (laid.seat >= 0) {
            const std::size_t seat = index_of(laid.seat), meeple = kMeepleNumbers * seat + placed[seat]++;
            meeples.slots[meeple] = slot;
            meeples.segments[meeple] = laid.segment;
        }
        slot = narrow<std::uint8_t>(slot + box_.table(laid.code).slots);
    }
    derive(box_, result);
    return result;
}

// Tiles and meeples are added up, because their order in the state means nothing.
std::uint64_t Game::position_hash(const State& state) const {
    const Land& land = state.land;
    const auto cell = [&](std::size_t slot) { return std::uint64_t{std::bit_cast<std::uint16_t>(land.cells[slot])}; };
    std::uint64_t sum = 0;
    land.for_each_tile([&](std::size_t slot, std::size_t code) { sum += mix(cell(slot) << 16 | code); });
    const Meeples& meeples = state.meeples;
    for (std::size_t meeple = 0; meeple < kAllMeeples; ++meeple) {
        if (meeples.labels[meeple] == 0) continue;
        const std::uint64_t seat = meeple / kMeepleNumbers + 1;  // told apart from tiles
        sum += mix(seat << 32 | cell(meeples.slots[meeple]) << 16 | meeples.segments[meeple]);
    }
    Turn turn = state.turn;
    turn.options = 0;  // follow from the tile
    turn.placed = 0;
    std::uint64_t hash = state.turn.placed != 0 ? mix(cell(state.turn.placed) + 1) : 0;
    const auto add = [&hash](const auto& part) { hash = hash_bytes(std::as_bytes(std::span(&part, 1)), hash); };
    add(turn);
    add(state.sale);
    add(state.points);
    add(meeples.at_home);
    add(state.hands);
    add(state.pile);
    return mix(hash + sum);
}

}  // namespace tilery::carcassonne
