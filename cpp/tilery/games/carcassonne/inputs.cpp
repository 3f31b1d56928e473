// SPDX-License-Identifier: MIT
// The inputs of a learner in Carcassonne: each road, city, field and monastery with meeples, what it is worth
// and how hard it is to complete with the tiles left, features without meeples, and the meeples at home. Tiles left are
// those of the pile and of all hands together, which everybody knows.
#include "tilery/core/inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "tilery/games/carcassonne/features.hpp"
#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"

namespace tilery::carcassonne {
namespace {

constexpr int kOwn = 2;         // "seat": 0 the player, 1 another
constexpr int kOwners = 5;      // see owner_of
constexpr int kLeft = 12;       // tiles left, finely
constexpr int kStages = 6;      // and coarsely
constexpr int kFits = 8;        // tiles left that fit the open cell that fewest fit
constexpr int kWorths = 6;      // points of a feature, coarsely
constexpr int kOpenCells = 5;   // 1 to 5; a feature that no cell can complete counts as with 1
constexpr int kRoadOrCity = 2;  // 0 a road, 1 a city
constexpr int kOptions = 13;    // see add_game
constexpr int kHome = kMeeples + 1;
constexpr int kAround = kMonasteryTiles + 1;

constexpr InputGroups<26> kGroups({{
    {"game", {{{"players", kMaxPlayers + 1}, {"tiles left", kLeft}}}},
    {"option", {{{"number", kOptions}}}},
    {"turn", {{{"phase", kPhases}, {"seats to come", kMaxPlayers}, {"stage", kStages}}}},
    {"tile", {{{"own turn", 2}, {"type", kTypes}}}},
    {"own hand", {{{"type", kTypes}}}},
    {"sale", {{{"price/2", 20}, {"buyer", 3}}}},
    {"lead", {{{"points/4+15", 31}, {"stage", kStages}}}},
    {"at home", {{{"seat", kOwn}, {"meeples", kHome}, {"tiles left", kLeft}}}},
    {"at home of both", {{{"own", kHome}, {"most of another", kHome}, {"stage", kStages}}}},
    // roads and cities with meeples
    {"road by points", {{{"owner", kOwners}, {"points", 13}, {"open cells-1", kOpenCells}}}},
    {"road by cells", {{{"owner", kOwners}, {"fit", kFits}, {"open cells-1", kOpenCells}, {"stage", kStages}}}},
    {"road by fit", {{{"owner", kOwners}, {"worth", kWorths}, {"fit", kFits}, {"stage", kStages}}}},
    {"city by points", {{{"owner", kOwners}, {"points", 13}, {"open cells-1", kOpenCells}}}},
    {"city by cells", {{{"owner", kOwners}, {"fit", kFits}, {"open cells-1", kOpenCells}, {"stage", kStages}}}},
    {"city by fit", {{{"owner", kOwners}, {"worth", kWorths}, {"fit", kFits}, {"stage", kStages}}}},
    {"meeples together", {{{"kind", kRoadOrCity}, {"own", 4}, {"most of another", 4}, {"worth", kWorths}}}},
    // and without
    {"free by cells", {{{"kind", kRoadOrCity}, {"worth", kWorths}, {"open cells-1", kOpenCells}, {"stage", kStages}}}},
    {"free by fit", {{{"kind", kRoadOrCity}, {"worth", kWorths}, {"fit", kFits}}}},
    {"monk", {{{"seat", kOwn}, {"tiles", kAround}, {"stage", kStages}}}},
    {"monk by fit", {{{"seat", kOwn}, {"tiles", kAround}, {"fit", kFits}}}},
    {"monk's far cells", {{{"seat", kOwn}, {"cells", kAround}, {"stage", kStages}}}},
    {"farm", {{{"owner", kOwners}, {"complete cities", 10}, {"stage", kStages}}}},
    {"farm by cities", {{{"owner", kOwners}, {"complete cities", 10}, {"open cities", 6}}}},
    {"farm's open cities", {{{"owner", kOwners}, {"open cities", 6}, {"stage", kStages}}}},
    {"farmers together", {{{"own", 4}, {"most of another", 4}, {"complete cities", 6}}}},
    {"others' farms", {{{"count", 6}, {"stage", kStages}}}},
}});

// The places of all numbers of a byte among limits, since every feature is looked up.
constexpr auto places(const auto& limits) {
    return array_of<256>([&limits](int number) { return narrow<std::uint8_t>(bucket(number, limits)); });
}
constexpr auto kWorthOf = places(std::array{2, 3, 5, 7, 10});
constexpr auto kFitOf = places(std::array{0, 1, 2, 4, 7, 12, 20});

// The meeples of a feature: the player's, and the most that another has.
struct Crowd {
    int own = 0, most = 0;

    // 0 the player alone, 1 others alone, 2 the player has more, 3 another has, 4 both have as many.
    [[nodiscard]] int owner() const {
        if (most == 0) return 0;
        if (own == 0) return 1;
        return own > most ? 2 : own < most ? 3 : 4;
    }
};

}  // namespace

// The inputs about the land and the tiles left. It does not depend on meeples, so all positions behind one
// placement share it.
struct Survey {
    using Copies = std::array<std::uint8_t, kTypes>;
    // A road or city that can be continued.
    struct Growing {
        Label label;  // bare
        bool city;
        std::uint8_t cells;  // open ones
        std::uint8_t least;  // tiles left that fit the cell that fewest fit
        std::uint8_t last;   // the cell counted last
    };

    // Brings it up to date; `now` are the copies left of each type.
    void look(const Box& box, const State& state, const Copies& now) {
        const bool same_tiles = left == now;
        left = now;
        if (!same_tiles) count_fits(box);
        Land bare_land = state.land;  // whether a label is occupied depends on meeples
        for (auto& labels : bare_land.labels) {
            for (Label& label : labels) label = bare(label);
        }
        if (same_tiles && std::memcmp(&land, &bare_land, sizeof land) == 0) return;
        land = bare_land;
        known = {};
        find_growing(box, state.frontier);
    }

    void count_fits(const Box& box) {
        constexpr std::size_t kHalf = 16;  // by the edges of two sides
        for (std::size_t high = 0; high < kHalf; ++high) {
            Bytes16 sum;
            for (std::size_t type = 0; type < box.num_types; ++type) {
                if (left[type] == 0) continue;
                const TypeTables& table = box.tiles.tables[type];
                const Bytes16 rotations = Bytes16::load(&table.fits_low) & Bytes16::broadcast(table.fits_high[high]);
                sum = sum + Bytes16::broadcast(left[type]).and_not(rotations.equal(Bytes16()));
            }
            sum.store(&fits[kHalf * high]);
        }
    }

    void find_growing(const Box& box, const Frontier& frontier) {
        constexpr std::uint8_t kNew = 0xFF;
        std::array<std::uint8_t, kLabels> indices;
        indices.fill(kNew);
        num_growing = 0;
        reached = open_cities = {};
        for (std::size_t cell = 0; cell < frontier.size; ++cell) {
            const std::uint8_t* facing = &frontier.facing[frontier.first[cell]];
            for (std::size_t side = 0; side < kSides; ++side) {
                const Edge edge = edge_on(frontier.edges[cell], side);
                if (edge == kNoEdge) continue;
                const std::size_t slot = *facing++;
                if (edge == kField) continue;
                const std::size_t place = box.tiles.mains[land.codes[slot]] >> 8 * opposite(side) & 0xFF;
                const Label label = land.label_at(slot, place);
                if (indices[label] == kNew) {
                    indices[label] = narrow<std::uint8_t>(num_growing);
                    growing[num_growing++] = {label, edge == kCity, 0, 0xFF, 0xFF};
                    reached.insert(label);
                    if (edge == kCity) open_cities.insert(label);
                }
                Growing& feature = growing[indices[label]];
                if (feature.last == cell) continue;
                feature.last = narrow<std::uint8_t>(cell);
                ++feature.cells;
                feature.least = std::min(feature.least, fits[frontier.edges[cell]]);
            }
        }
    }

    Land land{};                           // with bare labels
    Copies left{};                         // of each type
    std::array<std::uint8_t, 256> fits{};  // by the edges of a cell: tiles left that fit
    KnownFeatures known;
    std::array<Growing, kLabels> growing;
    std::size_t num_growing = 0;
    LabelSet reached, open_cities;  // labels of roads and cities at open cells; of cities
};

namespace {

class Onlooker {
  public:
    Onlooker(const Box& box, const State& state, Player player, Inputs& out, Survey& survey)
        : box_(box), state_(state), me_(index_of(player)), out_(out), survey_(survey) {
        players_ = index_of(box_.rules.players);
        const bool open_tile = state.turn.tile != 0 && state.turn.phase != Phase::kMeeple;
        tiles_left_ = state.pile.size() + (open_tile ? 1 : 0);
        Survey::Copies left;  // of each type
        for (std::size_t type = 0; type < kTypes; ++type) {
            left[type] = narrow<std::uint8_t>(state.pile.copies(type));
        }
        for (std::size_t seat = 0; seat < players_; ++seat) {
            for (const std::uint8_t type : hand_of(state, seat)) {
                ++left[type - std::size_t{1}];
                ++tiles_left_;
            }
        }
        left_ = bucket(tiles_left_, std::array{2, 5, 9, 13, 18, 24, 31, 39, 48, 57, 68});
        stage_ = bucket(tiles_left_, std::array{4, 12, 24, 40, 60});
        survey.look(box, state, left);
    }

    void add_all() {
        out_.points = points_if_over(box_, state_, survey_.known);
        add_game();
        add_turn();
        add_home();
        if (state_.turn.phase == Phase::kOver) return;
        for (std::size_t i = 0; i < survey_.num_growing; ++i) add_growing(survey_.growing[i]);
        add_blocked();
        add_monks();
        add_farms();
    }

  private:
    [[nodiscard]] int other(std::size_t seat) const { return seat == me_ ? 0 : 1; }
    [[nodiscard]] int seats_to(int seat) const {
        return seat < 0 ? 0 : narrow<int>((index_of(seat) + players_ - me_) % players_);
    }
    [[nodiscard]] Crowd crowd(MeepleSet meeples) const {
        Crowd crowd;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            const int count = std::popcount(meeples >> kMeepleNumbers * seat & 0xFF);
            if (seat == me_) {
                crowd.own = count;
            } else {
                crowd.most = std::max(crowd.most, count);
            }
        }
        return crowd;
    }

    void add_game() {
        out_.add(kGroups["game"](players_, left_));
        const Rules& rules = box_.rules;
        const std::array<bool, kOptions> options{rules.tiles == TileSet::kBase,
                                                 !rules.farmers,
                                                 rules.hand_size == 1,
                                                 rules.hand_size == kMostHand,
                                                 rules.hand_size > 0 && rules.hands == HandKind::kOpen,
                                                 rules.start_tile_in_bag,
                                                 rules.unplaceable == Unplaceable::kReturn,
                                                 !rules.trees_end_roads,
                                                 rules.tile_sale,
                                                 rules.gap_bonus,
                                                 !rules.score_unfinished,
                                                 rules.table.has_value(),
                                                 rules.edge_closes};
        for (std::size_t option = 0; option < options.size(); ++option) {
            if (options[option]) out_.add(kGroups["option"](option));
        }
    }

    void add_turn() {
        const Turn& turn = state_.turn;
        out_.add(kGroups["turn"](index_of(turn.phase), seats_to(turn.mover), stage_));
        if (turn.tile != 0 && turn.phase != Phase::kMeeple) {
            out_.add(kGroups["tile"](turn.mover == narrow<int>(me_) ? 1 : 0, turn.tile - 1));
        }
        for (const std::uint8_t type : hand_of(state_, me_)) out_.add(kGroups["own hand"](type - 1));
        if (turn.phase == Phase::kBid || turn.phase == Phase::kAccept) {
            const int buyer = state_.sale.buyer;
            out_.add(kGroups["sale"](state_.sale.price / 2, buyer < 0 ? 0 : 1 + other(index_of(buyer))));
        }
    }

    void add_home() {
        int points = std::numeric_limits<int>::min(), most = 0;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            const int home = state_.meeples.at_home[seat];
            out_.add(kGroups["at home"](other(seat), home, left_));
            if (seat == me_) continue;
            points = std::max(points, out_.points[seat]);
            most = std::max(most, home);
        }
        out_.add(kGroups["at home of both"](state_.meeples.at_home[me_], most, stage_));
        // rounded down
        out_.add(kGroups["lead"]((out_.points[me_] - points + 4 * 256) / 4 - 256 + 15, stage_));
    }

    void add_growing(const Survey::Growing& feature) {
        const Label occupied = feature.label | kOccupied;
        const MeepleSet meeples = meeples_with(state_.meeples, occupied);
        const int points = survey_.known.value(state_, meeples == 0 ? feature.label : occupied, feature.city);
        const int worth = kWorthOf[index_of(points)], cells = feature.cells - 1, fit = kFitOf[feature.least];
        if (meeples == 0) {
            if (points < 2) return;
            out_.add(kGroups["free by cells"](feature.city, worth, cells, stage_));
            out_.add(kGroups["free by fit"](feature.city, worth, fit));
            return;
        }
        const Crowd crowd = this->crowd(meeples);
        const int owner = crowd.owner();
        if (feature.city) {
            out_.add(kGroups["city by points"](owner, points, cells));
            out_.add(kGroups["city by cells"](owner, fit, cells, stage_));
            out_.add(kGroups["city by fit"](owner, worth, fit, stage_));
        } else {
            out_.add(kGroups["road by points"](owner, points, cells));
            out_.add(kGroups["road by cells"](owner, fit, cells, stage_));
            out_.add(kGroups["road by fit"](owner, worth, fit, stage_));
        }
        if (crowd.own + crowd.most > 1) {
            out_.add(kGroups["meeples together"](feature.city, crowd.own, crowd.most, worth));
        }
    }

    // Roads and cities with meeples that no tile can reach: those at the edge of a table.
    void add_blocked() {
        const Meeples& meeples = state_.meeples;
        LabelSet reached = survey_.reached;
        for (std::size_t meeple = 0; meeple < kMeepleNumbers * players_; ++meeple) {
            const Label label = meeples.labels[meeple];
            if (label < kOccupied || label == kMonk || reached.has(bare(label))) continue;
            reached.insert(bare(label));
            add_growing({bare(label), meeples.segments[meeple] < kFirstRoadId, 1, 0, 0});
        }
    }

    void add_monks() {
        const Frontier& frontier = state_.frontier;
        for (MeepleSet monks = meeples_with(state_.meeples, kMonk); monks != 0; monks &= monks - 1) {
            const std::size_t meeple = index_of(std::countr_zero(monks));
            const int other = this->other(meeple / kMeepleNumbers);
            const Cell cell = state_.land.cells[state_.meeples.slots[meeple]];
            const int tiles = tiles_around(state_, cell);
            int open = 0;
            std::uint8_t least = 0xFF;
            for (std::size_t i = 0; i < frontier.size; ++i) {
                if (!are_near(cell, frontier.cells[i])) continue;
                ++open;
                least = std::min(least, survey_.fits[frontier.edges[i]]);
            }
            out_.add(kGroups["monk"](other, tiles, stage_));
            out_.add(kGroups["monk by fit"](other, tiles, kFitOf[least]));
            out_.add(kGroups["monk's far cells"](other, kMonasteryTiles - tiles - open, stage_));
        }
    }

    void add_farms() {
        MeepleSet left = meeples_placed(state_.meeples);
        int others = 0;
        while (left != 0) {
            const std::size_t meeple = index_of(std::countr_zero(left));
            const Label label = state_.meeples.labels[meeple];
            const MeepleSet together = meeples_with(state_.meeples, label) & left;
            left &= ~together;
            if (label >= kOccupied) continue;
            const Crowd crowd = this->crowd(together);
            const int owner = crowd.owner();
            const LabelSet cities = survey_.known.borders(state_, label);
            const auto complete = (cities & state_.features.walled).size(),
                       open = (cities & survey_.open_cities).size();
            out_.add(kGroups["farm"](owner, complete, stage_));
            out_.add(kGroups["farm by cities"](owner, complete, open));
            out_.add(kGroups["farm's open cities"](owner, open, stage_));
            out_.add(kGroups["farmers together"](crowd.own, crowd.most, complete));
            others += owner == 1 ? 1 : 0;
        }
        out_.add(kGroups["others' farms"](others, stage_));
    }

    const Box& box_;
    const State& state_;
    std::size_t me_, players_ = 0;
    Inputs& out_;
    Survey& survey_;
    int tiles_left_ = 0, left_ = 0, stage_ = 0;
};

}  // namespace

static_assert(Game::kNumInputs == kGroups.num_inputs());

std::string Game::input_name(InputId id) const { return kGroups.name_of(id); }

void Game::inputs(const State& state, Player player, Inputs& out, InputMemory& memory) const {
    if (!memory) memory = std::make_shared<Survey>();
    Onlooker(box_, state, player, out, *memory).add_all();
}

void Game::inputs(const State& state, Player player, Inputs& out) const {
    Survey survey;
    Onlooker(box_, state, player, out, survey).add_all();
}

}  // namespace tilery::carcassonne
