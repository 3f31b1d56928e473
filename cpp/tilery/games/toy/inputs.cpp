// SPDX-License-Identifier: MIT
// Toy: what a learner sees.
#include "tilery/core/inputs.hpp"

#include "tilery/games/toy/game.hpp"

namespace tilery::toy {

namespace {

constexpr int kRounds = kCopies + 1;  // 0..hand of them are to come
constexpr int kLeads = 15;

constexpr InputGroups<6> kGroups({{
    {"players", {{{"count", kMostPlayers + 1}}}},
    {"hand", {{{"value", kValues}, {"copies", kCopies + 1}}}},
    {"unseen", {{{"value", kValues}, {"copies", kCopies + 1}}}},
    {"prize", {{{"value", kValues + 1}, {"rounds", kRounds}}}},
    {"table", {{{"seat", kMostPlayers}, {"card", kValues + 1}, {"prize", kValues + 1}}}},
    {"lead", {{{"seat", kMostPlayers}, {"points", 2 * kLeads + 1}}}},
}});

}  // namespace

static_assert(Game::kNumInputs == kGroups.num_inputs());

std::string Game::input_name(InputId id) const { return kGroups.name_of(id); }

void Game::inputs(const State& state, Player player, Inputs& out) const {
    out.points = scores(state);
    out.add(kGroups["players"](rules_.players));
    const Cards open = open_cards(state);
    for (int value = 0; value < kValues; ++value) {
        const int own = state.hands[player][value];
        out.add(kGroups["hand"](value, own));
        out.add(kGroups["unseen"](value, kCopies - open[value] - own));
    }
    out.add(kGroups["prize"](state.prize, count(state.hands[player])));
    for (int seat = 0; seat < rules_.players; ++seat) {
        const Player other = (player + seat) % rules_.players;
        out.add(kGroups["table"](seat, state.table[other], state.prize));
        if (seat > 0) out.add(kGroups["lead"](seat, state.scores[player] - state.scores[other] + kLeads));
    }
}

}  // namespace tilery::toy
