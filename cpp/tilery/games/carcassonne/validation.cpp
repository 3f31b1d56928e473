// SPDX-License-Identifier: MIT
#include "tilery/core/validation.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tilery/games/carcassonne/derive.hpp"
#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/turn.hpp"
#include "tilery/games/carcassonne/validation.hpp"

namespace tilery::carcassonne {
namespace {

// The checks of the land, and of all that follows from it. Each relies on those before it.
class LandValidation {
  public:
    LandValidation(const Box& box, const State& state) : box_(box), state_(state) {}

    [[nodiscard]] std::string laid() const {
        using V = LandValidation;
        return first_fault(*this, {&V::padding, &V::tile_slots, &V::copies, &V::land, &V::meeples});
    }
    // Of a state without fault up to here.
    [[nodiscard]] std::string derived() {
        using V = LandValidation;
        fresh_ = state_;
        derive(box_, fresh_);
        return first_fault(*this, {&V::frontier, &V::features, &V::unscored, &V::labels_left, &V::points});
    }

  private:
    [[nodiscard]] std::size_t players() const { return index_of(box_.rules.players); }

    [[nodiscard]] std::string padding() const {
        const auto clear = [](const auto& bytes) { return std::ranges::count(bytes, 0) == std::ssize(bytes); };
        const bool unused = clear(state_.padding) && clear(state_.land.padding) && state_.frontier.padding == 0 &&
                            state_.turn.padding == 0 && state_.sale.padding == 0;
        return unused ? "" : "padding is not zero";
    }

    [[nodiscard]] std::string tile_slots() const {
        const Land& land = state_.land;
        if (land.size == 0 || land.size > kTileSlots) return "number of tile slots out of range";
        std::size_t next = 1;  // where the next tile should begin
        for (std::size_t slot = 0; slot < kTileSlots; ++slot) {
            const std::size_t code = land.codes[slot];
            if (code == 0) {
                if (land.cells[slot] != kNoCell) return "cell without a tile";
                if (slot >= next && slot < land.size) return "tile slots without a tile";
                continue;
            }
            if (slot != next || slot >= land.size || code >= kCodes || code < kRotations) {
                return "tile in the wrong slot";
            }
            if (type_of(code) >= box_.num_types) return "tile type that is not in the box";
            if ((box_.type(code).rotations >> rotation_of(code) & 1) == 0)
                return "tile in a rotation that is never used";
            next += box_.table(code).slots;
            if (!box_.land.contains(land.cells[slot])) return "tile outside the table";
        }
        return next == land.size ? "" : "tile slots without a tile";
    }

    [[nodiscard]] std::string copies() const {
        for (std::size_t type = 0; type < kPileBytes; ++type) {
            const bool in_box = type < box_.num_types;
            const int left = state_.pile.copies(type);
            if (left < 0 || (!in_box && left > 0)) return "impossible pile";
            if (in_box && copies_in_game(state_, type) > box_.tiles.types[type].count) {
                return "more tiles of a type than are in the box";
            }
        }
        return "";
    }

    // CA-2, CA-4: one land of tiles that agree, around the start tile.
    [[nodiscard]] std::string land() const {
        const Land& land = state_.land;
        const SlotMap map(land);
        const std::size_t placed = state_.turn.placed;
        UnionFind<kTileSlots> reach, before;  // now, and before a tile was just placed
        bool agree = true;
        for_each_meeting(land, map, [&](std::size_t side, std::size_t slot, std::size_t other) {
            reach.join(slot, other);
            if (slot != placed && other != placed) before.join(slot, other);
            agree = agree && edge_on(box_.tiles.edges[land.codes[slot]], side) ==
                                 edge_on(box_.tiles.edges[land.codes[other]], opposite(side));
        });
        const std::size_t start = map.slot(cell_at(0, 0));
        const bool any_start = box_.rules.start_tile_in_bag;  // CA-H5
        if (start == SlotMap::kNone) {
            if (!any_start || land.size > 1) return "no start tile";
        } else if (rotation_of(land.codes[start]) != 0 || (!any_start && type_of(land.codes[start]) != kStartType)) {
            return "wrong start tile";
        }
        for (std::size_t slot = 1; slot < land.size; ++slot) {
            if (!land.has_tile(slot)) continue;
            if (map.slot(land.cells[slot]) != slot) return "two tiles on one cell";
            if (reach.find(slot) != reach.find(start)) return "tile not connected to the land";
            if (slot != placed && before.find(slot) != before.find(start)) return "tile connected by a later one";
        }
        if (!agree) return "adjacent edges that do not agree";
        return placed < land.size && (placed == 0 || land.has_tile(placed)) ? "" : "no tile where one was just placed";
    }

    // CA-8
    [[nodiscard]] std::string meeples() const {
        const Meeples& meeples = state_.meeples;
        std::array<bool, kTileSlots> taken{};
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            int home = seat < players() ? kMeeples : 0;
            for (std::size_t i = 0; i < kMeepleNumbers; ++i) {
                const std::size_t meeple = kMeepleNumbers * seat + i;
                const std::size_t slot = meeples.slots[meeple], segment = meeples.segments[meeple];
                if (segment == 0) {
                    if (slot != 0 || meeples.labels[meeple] != 0) return "meeple without a segment";
                    continue;
                }
                if (i == kMeeples || --home < 0) return "too many meeples";
                if (slot >= state_.land.size || !state_.land.has_tile(slot)) return "meeple without a tile";
                if (!has_segment(slot, segment)) return "meeple on a segment that the tile does not have";
                if (taken[slot] || slot == state_.turn.placed) return "two meeples on one tile";
                taken[slot] = true;
            }
            if (meeples.at_home[seat] != home) return "wrong number of meeples in a supply";
        }
        const std::size_t start = SlotMap(state_.land).slot(cell_at(0, 0));
        const bool on_start = start != SlotMap::kNone && (taken[start] || state_.turn.placed == start);
        return on_start && !box_.rules.start_tile_in_bag ? "meeple on the start tile" : "";
    }
    [[nodiscard]] bool has_segment(std::size_t slot, std::size_t segment) const {
        const TypeTables& table = box_.table(state_.land.codes[slot]);
        return segment < kMonkId ? (table.ids >> segment & 1) != 0 : segment == kMonkId && table.monastery != 0;
    }

    [[nodiscard]] std::string frontier() const {
        if (state_.frontier.size != fresh_.frontier.size) return "wrong number of open cells";
        return state_.frontier.same(fresh_.frontier) ? "" : "open cells that do not follow from the land";
    }

    // By our label of a road or city, and of a field, that of fresh_, or 0 if it is not in use.
    using Names = std::array<std::array<Label, kLabels>, 2>;

    // Whether what is kept up turn by turn follows from the land, but for the names of features.
    [[nodiscard]] std::string features() const {
        if (!(state_.land.shields == fresh_.land.shields)) return "wrong set of shields";
        if (state_.turn.options != fresh_.turn.options) return "wrong set of segments for a meeple";
        Names names{};
        if (std::string fault = labels(names); !fault.empty()) return fault;
        const Features& ours = state_.features;
        for (std::size_t label = 1; label < kLabels; ++label) {
            const std::size_t fresh = names[0][label];
            if (ours.open_ends[label] != (fresh == 0 ? 0 : fresh_.features.open_ends[fresh])) {
                return "wrong number of open ends";
            }
            if (ours.walled.has(label) != (fresh != 0 && fresh_.features.walled.has(fresh))) {
                return "wrong set of complete cities";
            }
        }
        if (ours.open_ends[0] != 1 || ours.walled.has(0)) return "feature without a label";
        return meeple_labels(names);
    }
    [[nodiscard]] std::string labels(Names& names) const {
        const auto& next = state_.features.next_label;
        std::array<Label, 2> most{};  // derive() counts features by first appearance
        for (std::size_t slot = 0; slot < kTileSlots; ++slot) {
            for (std::size_t place = 0; place < kSlotPlaces; ++place) {
                const Label our = state_.land.labels[slot][place], other = fresh_.land.labels[slot][place];
                const bool field = is_field_place(place);
                Label& name = names[field ? 1 : 0][bare(our)];
                if (name == 0 && bare(our) != 0) name = ++most[field ? 1 : 0];
                if (name != bare(other)) return "wrong division into features";
                // On complete features the highest bit matters only if there are meeples.
                const bool complete = !field && fresh_.features.open_ends[bare(other)] == 0;
                if ((our ^ other) >= kOccupied && !(complete && our >= kOccupied)) return "feature without its meeple";
                if (bare(our) >= next[place]) return "label that is not yet in use";
            }
        }
        for (std::size_t place = 0; place < kPlaces; ++place) {
            if (next[place] != next[is_field_place(place) ? 2 : 0]) return "inconsistent next labels";
        }
        return "";
    }
    [[nodiscard]] std::string meeple_labels(const Names& names) const {
        for (std::size_t meeple = 0; meeple < state_.meeples.labels.size(); ++meeple) {
            const Label our = state_.meeples.labels[meeple], other = fresh_.meeples.labels[meeple];
            const Label name = names[other < kOccupied ? 1 : 0][bare(our)];
            const bool in_feature = other != 0 && other != kMonk && our != kMonk;
            if (in_feature ? (our ^ other) >= kOccupied || name != bare(other) : our != other) {
                return "meeple with the label of another feature";
            }
        }
        return "";
    }

    // The roads and cities of a tile. Those of the tile just placed are still to be scored.
    [[nodiscard]] LabelSet mains_of(std::size_t slot) const {
        LabelSet mains;
        const std::uint32_t labels = main_labels(box_, fresh_, slot);
        for (std::size_t side = 0; side < kSides; ++side) mains.insert(bare(labels >> 8 * side));
        return mains;
    }
    // Whether the monastery on a cell was complete before the tile just placed.
    [[nodiscard]] bool was_complete(Cell cell) const {
        const std::size_t placed = fresh_.turn.placed;
        const bool near = placed != 0 && are_near(cell, fresh_.land.cells[placed]);
        return !near && tiles_around(fresh_, cell) == monastery_tiles(box_, cell);
    }

    // Meeples that should have gone home (CA-9).
    [[nodiscard]] std::string unscored() const {
        const LabelSet pending = mains_of(fresh_.turn.placed);
        const bool only_farmers = state_.turn.phase == Phase::kOver && box_.rules.final_meeples == FinalMeeples::kHome;
        for (std::size_t meeple = 0; meeple < kAllMeeples; ++meeple) {
            const Label label = fresh_.meeples.labels[meeple];
            if (only_farmers && label >= kOccupied) return "meeple that the final scoring sends home";
            if (label == kMonk) {
                const Cell cell = fresh_.land.cells[fresh_.meeples.slots[meeple]];
                if (was_complete(cell)) return "meeple in a complete monastery";
            } else if (label >= kOccupied && fresh_.features.open_ends[bare(label)] == 0 && !pending.has(bare(label))) {
                return "meeple in a complete feature";
            }
        }
        return "";
    }

    // Labels cannot run out: a tile that joins the land reuses the label of what it joins by: of a road or
    // city, if it has no field on its edges; of a field, if it has no city on its edges.
    [[nodiscard]] std::string labels_left() const {
        int mains = state_.features.next_label[0] - 1, fields = state_.features.next_label[2] - 1;
        for (std::size_t type = 0; type < box_.num_types; ++type) {
            const int left = copies_left(state_, type);
            mains += left * box_.tiles.tables[type].new_mains;
            fields += left * box_.tiles.tables[type].new_fields;
        }
        const bool enough = mains <= box_.tiles.most_mains && fields <= box_.tiles.most_fields;
        return enough ? "" : "more labels in use than can have been needed";
    }

    // Every point was given for a feature that is complete now, once, or in the final scoring, which can be
    // done again because the meeples are still there.
    [[nodiscard]] std::string points() const {
        State final = fresh_;
        final.points = {};
        if (state_.turn.phase == Phase::kOver) score_finally(box_, final);
        PerPlayer<int> scored{};
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            const int points = state_.points[seat], least = final.points[seat];
            if (points < least) return "fewer points than the final scoring gives";
            if (points > (seat < players() ? kMostPoints : 0)) return "more points than the land gives";
            scored[seat] = points - least;
        }
        // CA-15: without the meeples nothing tells what the final scoring has given.
        const bool gone = state_.turn.phase == Phase::kOver && box_.rules.final_meeples == FinalMeeples::kHome;
        return gone ? "" : scored_fault(scored);
    }

    // A complete feature, and how many meeples there can have been in it at most.
    struct Award {
        int points, meeples;
    };
    // Those of all complete features, except those that the tile just placed completes.
    [[nodiscard]] std::vector<Award> awards() const {
        const LabelSet pending = mains_of(fresh_.turn.placed);
        LabelSet at_start;  // where no meeple can have been
        if (!box_.rules.start_tile_in_bag) at_start = mains_of(SlotMap(fresh_.land).slot(cell_at(0, 0)));
        std::vector<Award> awards;
        for (Label label = 1; label < fresh_.features.next_label[0]; ++label) {
            if (fresh_.features.open_ends[label] > 0 || pending.has(label)) continue;
            const bool city = fresh_.features.walled.has(label);
            const int value = value_of(fresh_, label, city);
            // A meeple only comes to others when a later tile joins their features.
            const int tiles = value - (at_start.has(label) ? 1 : 0);
            awards.push_back({value * (city ? 2 : 1), std::clamp(tiles - 1, std::min(tiles, 1), box_.rules.players)});
        }
        fresh_.land.for_each_tile([&](std::size_t slot, std::size_t code) {
            const Cell cell = fresh_.land.cells[slot];
            if (box_.table(code).monastery != 0 && was_complete(cell)) {
                awards.push_back({monastery_tiles(box_, cell), 1});
            }
        });
        return awards;
    }
    // Whether complete features cannot have given these points. Players who share a feature, each with a meeple, get
    // all its points each. With sales (CA-H7) players also lose points.
    [[nodiscard]] std::string scored_fault(const PerPlayer<int>& scored) const {
        constexpr int kNever = kMostPoints;
        const int most = *std::ranges::max_element(scored);
        std::vector<int> features(index_of(most) + 1, kNever);  // at least as many give a player that many points
        features[0] = 0;
        int each = 0, all = 0;
        for (const Award& award : awards()) {
            each += award.points;
            all += award.points * award.meeples;
            for (int sum = most; sum >= award.points; --sum) {
                int& least = features[index_of(sum)];
                least = std::min(least, features[index_of(sum - award.points)] + 1);
            }
        }
        if (most > each || std::accumulate(scored.begin(), scored.end(), 0) > all) {
            return "more points than the land gives";
        }
        if (box_.rules.tile_sale) return "";
        for (std::size_t seat = 0; seat < players(); ++seat) {
            const int points = features[index_of(scored[seat])];
            if (points >= kNever) return "points that no complete features give";
            const int used = kMeeples - state_.meeples.at_home[seat] + points;
            if (used > turns_of(seat)) return "more meeples used than tiles placed";
        }
        return "";
    }
    // At most how many turns a player has finished.
    [[nodiscard]] int turns_of(std::size_t seat) const {
        const int turns = turns_finished(box_, state_), n = box_.rules.players;
        if (!has_plain_turns(box_)) return turns;
        const bool seat_0 = box_.rules.first_player == FirstPlayer::kSeat0;
        return (turns + n - 1 - (seat_0 ? narrow<int>(seat) : 0)) / n;
    }

    const Box& box_;
    const State& state_;
    State fresh_;
};

}  // namespace

std::string laid_fault(const Box& box, const State& state) {
    std::string fault = hand_fault(box, state);
    return fault.empty() ? LandValidation(box, state).laid() : fault;
}

std::string Game::fault(const State& state) const {
    std::string fault = laid_fault(box_, state);
    if (fault.empty()) fault = LandValidation(box_, state).derived();
    return fault.empty() ? turn_fault(box_, state) : fault;
}

}  // namespace tilery::carcassonne
