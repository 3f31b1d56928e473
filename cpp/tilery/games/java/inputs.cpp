// SPDX-License-Identifier: MIT
// The inputs of a learner in Java: action points and supplies, and of each settlement, palace, pond and
// figure how the seats stand there. Of the others' hands only the numbers of cards are seen.
#include "tilery/core/inputs.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tilery/games/java/game.hpp"
#include "tilery/games/java/island.hpp"

namespace tilery::java {
namespace {

constexpr int kThree = kThreeTiles + 1;  // three-space tiles left
constexpr int kStages = 3;               // of the game, by three-space tiles left
constexpr int kPoints = 9;               // action points left up to 7; 8: it is another's turn
constexpr int kPhases = 6;
constexpr int kRanks = 6;                   // see rank()
constexpr int kHalves = kPalaceValues + 1;  // half of a palace's value, or 0
constexpr int kHeights = 8;
constexpr int kMargins = 9;  // from -4 to 4
constexpr int kLeads = 41;

constexpr InputGroups<22> kGroups({{
    {"game", {{{"players", kMostPlayers + 1}, {"last turns", 2}, {"stage", kStages}}}},
    {"option", {{{"tokens at start, no two on three, perimeter, per space", 4}}}},
    {"turn", {{{"seats to come", kMostPlayers}, {"phase", kPhases}, {"action points", kPoints}}}},
    {"action points", {{{"three left", kThree}, {"left", kPoints}, {"tile owed", 2}, {"token", 2}}}},
    {"last action points", {{{"last turns", 2}, {"left", kPoints}}}},
    {"supply", {{{"seat", 2}, {"two, rice, village, tokens, figures", 5}, {"left", 13}, {"stage", kStages}}}},
    {"palaces left", {{{"half value", kHalves}, {"left", 11}, {"stage", kStages}}}},
    {"water left", {{{"tiles", kWaterTiles + 1}}}},
    {"lead", {{{"three left", kThree}, {"points/4+20", kLeads}}}},
    {"settlement", {{{"spaces", 13}, {"half palace", kHalves}, {"rank", kRanks}, {"fresh+2*stage", 2 * kStages}}}},
    {"palace to build", {{{"rank", kRanks}, {"half value", kHalves}, {"action points", kPoints}, {"city", 2}}}},
    {"highest", {{{"rank", kRanks}, {"margin+4", kMargins}, {"half palace", kHalves}, {"free above+3", 7}}}},
    {"figure", {{{"seat", 2}, {"height", kHeights}, {"in village", 2}, {"stage", kStages}}}},
    {"highest figure", {{{"seat", 2}, {"height", kHeights}, {"highest land", kHeights}}}},
    {"pond", {{{"open shore", 8}, {"rank", kRanks}, {"action points", kPoints}}}},
    {"hand", {{{"matching symbols", 7}, {"cards of others", 7}, {"half fresh palace", kHalves}, {"stage", kStages}}}},
    {"cards", {{{"own", 8}, {"others", 8}, {"stage", kStages}}}},
    {"cards taken", {{{"cards", kMostTaken + 1}, {"phase", kPhases}}}},
    {"best", {{{"seat", 2}, {"half to build", kHalves}, {"half fresh palace", kHalves}, {"stage", kStages}}}},
    {"best and cards", {{{"half to build", kHalves}, {"half fresh palace", kHalves}, {"own cards", 8}}}},
    {"festival", {{{"margin+4", kMargins}, {"in", 4}, {"half palace", kHalves}, {"matching symbols", 7}}}},
    {"bidding", {{{"margin+4", kMargins}, {"in", 4}, {"seats to come", kMostPlayers}, {"has laid", 2}}}},
}});

}  // namespace

// Of a player among the best of the others in some place (JA-26).
enum Rank : int { kNobody, kAlone, kFirst, kOnlyOthers, kSecond, kTie };
static Rank rank(const Heights& own, const Heights& other) {
    if (own[0] == 0) return other[0] == 0 ? kNobody : kOnlyOthers;
    if (other[0] == 0) return kAlone;
    return own > other ? kFirst : own < other ? kSecond : kTie;
}

// The inputs about places on the island, for all seats. Most places are as they were one action before, and those
// are not looked at again.
struct Survey {
    using Set = Island::Set;
    // How a seat stands in a place against the best of the others, by JA-26.
    struct Standing {
        Rank rank;
        int own, other;  // the highest figures
        int halves;      // of a palace's value for the seat in a final count (JA-35)
    };
    struct Settlement {
        Set cells, around;
        PerSeat<Standing> standings;
        std::uint32_t size;
        int half;  // of its palace's value, or 0
        int top;   // height of the highest free space
        bool fresh, changed;
    };
    struct Pond {
        Set cells, around;
        PerSeat<Standing> standings;  // on the shore
        std::uint32_t open;           // spaces of the shore without land
    };
    struct Figure {
        std::uint8_t height;
        bool village;
    };
    struct Band {
        Set cells;
        std::size_t size = 0;
        std::array<Figure, kFigures> figures;
    };

    std::array<std::uint64_t, planes::kCount * kSetWords> planes{};  // of the position looked at
    std::vector<Settlement> settlements;
    std::vector<Pond> ponds;
    PerSeat<Band> bands;
};

class Onlooker {
  public:
    using Set = Island::Set;

    Onlooker(const Island& island, const Rules& rules, const State& state, Player player, Inputs& out, Survey& survey)
        : island_(island),
          rules_(rules),
          state_(state),
          me_(index(player)),
          seats_(index(rules.players)),
          stage_(2 - bucket(state.three, std::array{14, 36})),
          out_(out),
          survey_(survey) {
        own_turn_ = state.phase != Phase::kDeal && state.phase != Phase::kOver && state.turn == me_;
        points_ = own_turn_ ? std::min<int>(state.ap, kPoints - 2) : kPoints - 1;
        village_ = island.get(state, Plane::kVillage);
        land_ = island.get(state, Plane::kLand);
        for (std::size_t seat = 0; seat < seats_; ++seat) out.points[seat] = state.scores[seat];
    }

    void add_all() {
        add_turn();
        add_supplies();
        look();
        for (const Survey::Settlement& settlement : survey_.settlements) add_settlement(settlement);
        add_figures();
        add_ponds();
        add_cards();
        if (state_.phase == Phase::kFestival) add_festival();
        add_lead();
    }

  private:
    [[nodiscard]] int seats_to(std::size_t seat) const { return number((seat + seats_ - me_) % seats_); }
    // The final count of the seat (JA-35) is still to come.
    [[nodiscard]] bool counts(std::size_t seat) const {
        return (seat + seats_ - state_.turn) % seats_ < counts_to_come(state_, seats_);
    }
    // The highest space of a set.
    [[nodiscard]] int highest(Set set) const {
        std::size_t height = 0;
        for (std::size_t bit = state_.height_bits; bit-- > 0;) {
            const Set higher = set & island_.get(state_, planes::height(bit));
            if (higher.empty()) continue;
            set = higher;
            height |= std::size_t{1} << bit;
        }
        return number(height);
    }

    // Brings the survey up to date.
    void look() {
        Set changed, villages;  // the spaces where a plane that a place depends on differs, and where that of villages
        for (std::size_t i = 0; i < planes::kCount; ++i) {
            const Plane plane = planes::at(i);
            if (!seen(plane)) continue;
            const Set now = island_.get(state_, plane);
            std::uint64_t* known = &survey_.planes[Island::word_of(plane, 0)];
            const Set difference = now ^ Set::load(known);
            changed |= difference;
            if (plane == Plane::kVillage) villages = difference;
            now.store(known);
        }

        std::erase_if(survey_.settlements, [&](const Survey::Settlement& at) {
            return changed.meets(at.cells) || villages.meets(at.around);
        });
        Set left = village_;
        for (const Survey::Settlement& at : survey_.settlements) left -= at.cells;
        while (!left.empty()) {
            const Set settlement = island_.flood(Island::only(left.first()), left);
            left -= settlement;
            survey_.settlements.push_back(look_at_settlement(settlement));
        }

        std::erase_if(survey_.ponds, [&](const Survey::Pond& at) { return changed.meets(at.around); });
        left = island_.get(state_, Plane::kWater) | island_.printed_;
        for (const Survey::Pond& at : survey_.ponds) left -= at.cells;
        while (!left.empty()) {
            const Set pond = island_.flood(Island::only(left.first()), left);
            left -= pond;
            survey_.ponds.push_back(look_at_pond(pond));
        }

        for (std::size_t seat = 0; seat < seats_; ++seat) {
            const Set figures = island_.get(state_, planes::figures(seat));
            Survey::Band& band = survey_.bands[seat];
            if (!changed.meets(band.cells | figures)) continue;
            band.cells = figures;
            band.size = 0;
            figures.for_each([&](std::size_t cell) {
                band.figures[band.size++] = {island_.height(state_, cell), village_.has(cell)};
            });
        }
    }
    // Whether inputs of places depend on a plane.
    [[nodiscard]] static bool seen(Plane plane) {
        return plane < Plane::kBond || plane == Plane::kBlocked || plane == Plane::kChanged;
    }
    [[nodiscard]] Survey::Settlement look_at_settlement(const Set& cells) const {
        const Set palace = cells & island_.palaces(state_);
        const std::uint32_t value = palace.empty() ? 0 : island_.palace_value(state_, palace.first());
        return {.cells = cells,
                .around = around(cells),
                .standings = standings(cells),
                .size = cells.size(),
                .half = number(value / 2),
                .top = highest(cells - island_.get(state_, Plane::kBlocked)),
                .fresh = palace.meets(island_.get(state_, Plane::kFresh)),
                .changed = palace.meets(island_.get(state_, Plane::kChanged))};
    }
    [[nodiscard]] Survey::Pond look_at_pond(const Set& cells) const {
        const Set shore = (adjacent(cells) & island_.spaces_) - cells;
        return {.cells = cells, .around = around(cells), .standings = standings(shore), .open = (shore - land_).size()};
    }
    [[nodiscard]] PerSeat<Survey::Standing> standings(const Set& place) const {
        PerSeat<Heights> lists{};
        Heights best{}, second{};
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (!island_.get(state_, planes::figures(seat)).meets(place)) continue;
            lists[seat] = island_.ranks(state_, seat, place);
            best = std::max(best, lists[seat]);
        }
        for (const Heights& list : lists) {
            if (list != best) second = std::max(second, list);
        }
        PerSeat<Survey::Standing> found{};
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            const Heights& own = lists[seat];
            Heights other{};
            for (std::size_t each = 0; each < seats_; ++each) {
                if (each != seat) other = std::max(other, lists[each]);
            }
            const int halves = own[0] == 0 ? 0 : own == best ? 2 : own == second ? 1 : 0;
            found[seat] = {rank(own, other), own[0], other[0], halves};
        }
        return found;
    }

    void add_turn() {
        const int last = state_.final != kNone ? 1 : 0;
        const int phase = number(index(state_.phase));
        out_.add(kGroups["game"](seats_, last, stage_));
        if (rules_.token_timing == TokenTiming::kTurnStart) out_.add(kGroups["option"](0));
        if (!rules_.two_on_three) out_.add(kGroups["option"](1));
        if (rules_.irrigation_on_perimeter) out_.add(kGroups["option"](2));
        if (rules_.irrigation_scoring == IrrigationScoring::kPerSpace) out_.add(kGroups["option"](3));
        out_.add(kGroups["turn"](seats_to(state_.turn), phase, state_.ap));
        out_.add(
            kGroups["action points"](state_.three, points_, own_turn_ ? state_.owed : 0, own_turn_ ? state_.token : 0));
        out_.add(kGroups["last action points"](last, points_));
    }

    void add_supplies() {
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            const std::array<int, 5> supply{state_.two[seat], state_.rice[seat], state_.village[seat],
                                            state_.tokens[seat], state_.figures[seat]};
            for (std::size_t kind = 0; kind < supply.size(); ++kind) {
                out_.add(kGroups["supply"](seat != me_, kind, supply[kind], stage_));
            }
        }
        for (std::size_t half = 1; half <= kPalaceValues; ++half) {
            out_.add(kGroups["palaces left"](half, state_.palaces[half - 1], stage_));
        }
        out_.add(kGroups["water left"](state_.water));
    }

    void add_settlement(const Survey::Settlement& here) {
        const Survey::Standing& at = here.standings[me_];
        const int half = here.half;
        if (half > 0) {
            for (std::size_t seat = 0; seat < seats_; ++seat) {
                if (counts(seat)) out_.points[seat] += half * here.standings[seat].halves;
            }
        }
        out_.add(kGroups["settlement"](here.size, half, at.rank, (here.fresh ? 1 : 0) + 2 * stage_));
        // The best palace that there are spaces and a tile for (JA-23).
        std::size_t build = std::min<std::size_t>(here.size / 2, kPalaceValues);
        while (build > index(half) && state_.palaces[build - 1] == 0) --build;
        const bool first = at.rank == kAlone || at.rank == kFirst;
        if (build > index(half) && !(first && here.changed)) {
            out_.add(kGroups["palace to build"](at.rank, build, points_, half > 0));
            const bool theirs = at.rank == kOnlyOthers || at.rank == kSecond;
            if (first) to_build_[0] = std::max(to_build_[0], number(build));
            if (theirs) to_build_[1] = std::max(to_build_[1], number(build));
        }
        if (here.fresh && at.own > 0) to_celebrate_[0] = std::max(to_celebrate_[0], half);
        if (here.fresh && at.other > 0) to_celebrate_[1] = std::max(to_celebrate_[1], half);
        if (at.rank == kNobody && half == 0 && here.size < 2) return;
        const int top = std::max(at.own, at.other);
        out_.add(kGroups["highest"](at.rank, at.own - at.other + kMargins / 2, half, here.top - top + 3));
    }

    void add_figures() {
        const int land = highest(land_);
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            const Survey::Band& band = survey_.bands[seat];
            int most = 0;
            for (std::size_t i = 0; i < band.size; ++i) {
                const auto [height, village] = band.figures[i];
                most = std::max<int>(most, height);
                out_.add(kGroups["figure"](seat != me_, height, village, stage_));
            }
            out_.add(kGroups["highest figure"](seat != me_, most, land));
        }
    }

    // Bodies of irrigation that are not enclosed (JA-17, JA-18).
    void add_ponds() {
        for (const Survey::Pond& pond : survey_.ponds) {
            if (pond.open > 0) out_.add(kGroups["pond"](pond.open, pond.standings[me_].rank, points_));
        }
    }

    void add_cards() {
        const int own = count(state_.hands[me_]);
        int others = 0;
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (seat != me_) others = std::max(others, count(state_.hands[seat]));
        }
        const int symbols = state_.open == kNone ? 0 : matching(state_.hands[me_], state_.open);
        out_.add(kGroups["hand"](symbols, others, to_celebrate_[0], stage_));
        out_.add(kGroups["cards"](own, others, stage_));
        if (own_turn_) out_.add(kGroups["cards taken"](state_.taken, index(state_.phase)));
        for (std::size_t seat = 0; seat < 2; ++seat) {
            out_.add(kGroups["best"](seat, to_build_[seat], to_celebrate_[seat], stage_));
        }
        out_.add(kGroups["best and cards"](to_build_[0], to_celebrate_[0], own));
    }

    // JA-30 to JA-32
    void add_festival() {
        const int own = matching(state_.laid[me_], state_.open);
        int most = 0;
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (seat != me_) most = std::max(most, matching(state_.laid[seat], state_.open));
        }
        const unsigned me = 1U << me_;
        const int in = ((state_.bidding & me) != 0 ? 1 : 0) + ((state_.bidding & ~me) != 0 ? 2 : 0);
        const int margin = own - most + kMargins / 2;
        const int symbols = matching(state_.hands[me_], state_.open);
        out_.add(kGroups["festival"](margin, in, island_.palace_value(state_, state_.festival) / 2, symbols));
        out_.add(kGroups["bidding"](margin, in, seats_to(state_.bidder), state_.last != kNone));
    }

    void add_lead() {
        int best = -1;
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (seat != me_) best = std::max(best, out_.points[seat]);
        }
        out_.add(kGroups["lead"](state_.three, (out_.points[me_] - best + 2 * (kLeads - 1)) / 4));
    }

    const Island& island_;
    const Rules& rules_;
    const State& state_;
    std::size_t me_, seats_;
    int stage_;
    Inputs& out_;
    Survey& survey_;
    bool own_turn_;
    int points_;  // of kPoints
    Set village_, land_;
    std::array<int, 2> to_build_{}, to_celebrate_{};  // half of the best value, for the player and for another
};

static_assert(Game::kNumInputs == kGroups.num_inputs());

std::string Game::input_name(InputId id) const { return kGroups.name_of(id); }

void Game::inputs(const State& state, Player player, Inputs& out, InputMemory& memory) const {
    if (!memory) memory = std::make_shared<Survey>();
    Onlooker(tables_->island, rules_, state, player, out, *memory).add_all();
}

void Game::inputs(const State& state, Player player, Inputs& out) const {
    Survey survey;
    Onlooker(tables_->island, rules_, state, player, out, survey).add_all();
}

}  // namespace tilery::java
