// SPDX-License-Identifier: MIT
// The inputs of a learner in Pueblo: what the chieftain will see from each space ahead of him, which cubes
// can still be hidden, and which blocks the players have left. Nothing is hidden from anybody.
#include "tilery/core/inputs.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {
namespace {

constexpr int kSeat = 4;         // 0 the player, 1 another; 2 more for the one who acts next
constexpr int kBlocksLeft = 37;  // blocks of all players still to be placed
constexpr int kStages = 3;       // of the game, by blocks left
constexpr int kPairing = 3;      // of a seat's supply: one coloured block more than neutral, as many, one fewer
constexpr int kGaps = 6;         // levels that a cube stands above what is before it, up to 4; 5: nothing is before it
constexpr int kSeen = 16;        // points that a seat gets from a space
constexpr int kLeads = 41;       // from -20 to 20

constexpr InputGroups<15> kGroups({{
    {"game", {{{"players", kMostPlayers + 1}, {"part", 4}, {"blocks left", kBlocksLeft}}}},
    {"turn", {{{"players", kMostPlayers + 1}, {"phase", kPhases}, {"seats to come", kMostPlayers}}}},
    {"next in order", {{{"players", kMostPlayers + 1}, {"seats to come", kMostPlayers}, {"stage", kStages}}}},
    {"option", {{{"left-handed, demolition, pro", 3}}}},
    {"sites", {{{"squares", 13}}}},
    {"supply", {{{"own", kPairing}, {"other", kPairing}, {"own turn", 2}, {"blocks left", kBlocksLeft}}}},
    {"seen from space", {{{"seat", kSeat}, {"ahead", kSpaces + 1}, {"points", kSeen}, {"stage", kStages}}}},
    {"cube", {{{"seat", kSeat}, {"level", kLowLevels}, {"gap", kGaps}, {"stage", 4}}}},
    {"top", {{{"square from the chieftain's side", kSquares}, {"owner", 3}, {"height", kLowLevels}}}},
    {"lap", {{{"lead/2+20", kLeads}, {"own turn", 2}, {"blocks left", kBlocksLeft}}}},
    {"next spaces", {{{"ahead", 2 * kMostSteps + 1}, {"lead+20", kLeads}, {"own turn", 2}, {"stage", kStages}}}},
    {"lead", {{{"points/4+20", kLeads}, {"blocks left", kBlocksLeft}}}},
    {"token", {{{"seat", kSeat}, {"place", kMostPlayers + 1}, {"part", 4}}}},
    {"bid", {{{"amount/2", 26}, {"bidder", 3}, {"opener", 2}, {"part", 4}}}},
    {"in auction", {{{"player", 2}, {"others", kMostPlayers}, {"tokens left", kMostPlayers + 1}, {"part", 4}}}},
}});

class Onlooker {
  public:
    Onlooker(const Game& game, const State& state, Player player, Inputs& out)
        : game_(game), state_(state), me_(player), players_(game.num_players()), out_(out) {
        for (Player p = 0; p < players_; ++p) left_ += state.supply[p][0] + state.supply[p][1];
        actor_ = state.player;
        if (state.phase == Phase::kOver) actor_ = me_;
        own_turn_ = actor_ == me_ ? 1 : 0;
        stage_ = 2 - bucket(left_, std::array{8, 18});
    }

    void add_all() {
        add_game();
        add_supply();
        if (state_.part < 3 && state_.phase != Phase::kOver) {
            look_along_spaces();
            look_from_above();
            add_lap();
        }
        add_points();
        if (game_.rules().pro) add_auction();
    }

  private:
    [[nodiscard]] int seats_to(Player p) const { return (p + players_ - me_) % players_; }
    [[nodiscard]] int seat(Player p) const { return (p == me_ ? 0 : 1) + (p == actor_ ? 2 : 0); }

    void add_game() {
        out_.add(kGroups["game"](players_, state_.part, left_));
        out_.add(kGroups["turn"](players_, index(state_.phase), seats_to(actor_)));
        const Rules& rules = game_.rules();
        if (rules.handedness == Handedness::kLeft) out_.add(kGroups["option"](0));
        if (rules.demolition) out_.add(kGroups["option"](1));
        if (rules.pro) out_.add(kGroups["option"](2));
        Squares covered;
        for (const Site& site : rules.sites) covered |= squares_of(site.apex, site.direction);
        if (!covered.empty()) out_.add(kGroups["sites"](covered.size()));
    }

    // Whether the coloured blocks of a seat are more than its neutral ones, as many or fewer: which it may place next.
    [[nodiscard]] int pairing(Player p) const {
        const auto [coloured, neutral] = state_.supply[p].items_;
        return coloured > neutral ? 0 : coloured == neutral ? 1 : 2;
    }
    void add_supply() {
        for (int k = 1; k < players_; ++k) {
            const Player other = (me_ + k) % players_;
            out_.add(kGroups["supply"](pairing(me_), pairing(other), own_turn_, left_));
        }
        if (state_.phase == Phase::kPlace || state_.phase == Phase::kMove) {
            const Player next = state_.order[(state_.turn + 1) % players_] - 1;
            if (next >= 0) out_.add(kGroups["next in order"](players_, seats_to(next), stage_));
        }
    }

    // The points that each space of the next lap would cost each seat (PB-8, PB-9), and the cubes seen from there.
    void look_along_spaces() {
        for (int ahead = 1; ahead <= kSpaces; ++ahead) {
            const int space = (state_.chieftain + ahead) % kSpaces;
            Points points{};
            if (space % (kSide + 1) == 0) {
                points = game_.seen_from(state_, space);
            } else {
                look_along(space, points);
            }
            int most = 0;
            for (Player p = 0; p < players_; ++p) {
                lap_[p] += points[p];
                if (p != me_) most = std::max(most, points[p]);
                if (points[p] > 0) out_.add(kGroups["seen from space"](seat(p), ahead, points[p], stage_));
            }
            if (ahead > 2 * kMostSteps) continue;
            out_.add(kGroups["next spaces"](ahead, most - points[me_] + kLeads / 2, own_turn_, stage_));
        }
    }
    void look_along(int space, Points& points) {
        const int late = 3 - bucket(left_, std::array{5, 12, 20});
        int hidden = 0;
        bool first = true;
        for (const std::uint8_t square : Game::looked_at(space)) {
            const int height = state_.heights[square];
            for (int level = hidden; level < height; ++level) {
                const int owner = code_at(state_, square, level) - 1;
                if (owner == kNeutral) continue;
                points[owner] += level + 1;
                out_.add(kGroups["cube"](seat(owner), level, first ? kGaps - 1 : std::min(level - hidden, 4), late));
            }
            hidden = std::max(hidden, height);
            first = false;
        }
    }

    // The top of each column, the board turned so that the chieftain's side is always the same.
    void look_from_above() {
        static const auto kTurned = array_of<kSpaces / (kSide + 1)>([](int side) {
            std::array<std::uint8_t, kSquares> turned{};
            for (int line = 1; line <= kSide; ++line) {
                const auto from = Game::looked_at((kSide + 1) * side + line), to = Game::looked_at(line);
                for (std::size_t i = 0; i < from.size(); ++i) turned[from[i]] = to[i];
            }
            return turned;
        });
        const auto& turned = kTurned[index(state_.chieftain / (kSide + 1))];
        for (std::size_t square = 0; square < turned.size(); ++square) {
            const int height = state_.heights[square];
            if (height == 0) continue;
            const int owner = code_at(state_, square, height - 1) - 1;
            const int whose = owner == kNeutral ? 2 : owner == me_ ? 0 : 1;
            out_.add(kGroups["top"](turned[square], whose, height - 1));
        }
    }

    // The fewest points of another seat less the player's own.
    [[nodiscard]] int lead(const Points& points) const {
        int fewest = points[seats_to_player(1)];
        for (int k = 2; k < players_; ++k) fewest = std::min(fewest, points[seats_to_player(k)]);
        return fewest - points[me_];
    }
    [[nodiscard]] Player seats_to_player(int k) const { return (me_ + k) % players_; }

    void add_lap() { out_.add(kGroups["lap"]((lead(lap_) + kLeads - 1) / 2, own_turn_, left_)); }

    void add_points() {
        Points points = state_.points;
        for (Player p = 0; p < players_; ++p) points[p] += lap_[p];
        out_.points = per_player(points);
        out_.add(kGroups["lead"]((lead(points) + 2 * kLeads - 2) / 4, left_));
    }

    // The pro game (PB-23 to PB-26).
    void add_auction() {
        int tokens = 0;
        for (int place = 0; place < players_; ++place) {
            const int owner = state_.order[place];
            if (owner > 0) out_.add(kGroups["token"](seat(owner - 1), place, state_.part));
            tokens += owner == 0 ? 1 : 0;
        }
        if (!game_.in_auction(state_)) return;
        const int bidder = state_.bidder == 0 ? 0 : state_.bidder - 1 == me_ ? 1 : 2;
        out_.add(kGroups["bid"]((state_.bid + 1) / 2, bidder, state_.opener == me_, state_.part));
        const Seats in = game_.bidders_left(state_);
        const bool me = in.has(index(me_));
        out_.add(kGroups["in auction"](me, in.size() - (me ? 1 : 0), tokens, state_.part));
    }

    const Game& game_;
    const State& state_;
    Player me_, players_, actor_;
    int own_turn_, stage_, left_ = 0;
    Inputs& out_;
    Points lap_{};  // what a lap would cost each seat now
};

}  // namespace

static_assert(Game::kNumInputs == kGroups.num_inputs());

std::string Game::input_name(InputId id) const { return kGroups.name_of(id); }

void Game::inputs(const State& state, Player player, Inputs& out) const {
    Onlooker(*this, state, player, out).add_all();
}

}  // namespace tilery::pueblo
