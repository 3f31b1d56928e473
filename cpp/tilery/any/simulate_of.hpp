// SPDX-License-Identifier: MIT
// Plays the games of a Simulation.
#pragma once

#include <cstring>
#include <string>

#include "tilery/any/game.hpp"
#include "tilery/core/play.hpp"
#include "tilery/simulation/policies.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery::any {

// One row of results (game.hpp, row_width).
template <Game G>
void write_row(std::uint8_t* row, const G& game, const typename G::State& state, Played played) {
    const auto put = [&row](const auto& item) {
        std::memcpy(row, &item, sizeof item);
        row += sizeof item;
    };
    const auto players = index(game.num_players());
    const auto utilities = returns(game, state);
    const auto scores = game.scores(state);
    for (std::size_t player = 0; player < players; ++player) put(utilities[player]);
    for (std::size_t player = 0; player < players; ++player) put(std::int32_t{scores[player]});
    put(played.actions);
    put(played.decisions);
}

template <Game G>
bool simulate_of(const G& game, const Simulation& simulation, const GoOn& go_on) {
    const Simulation& it = simulation;
    const auto begin = [&](std::uint64_t i) {
        typename G::State state = *static_cast<const typename G::State*>(it.start);
        if (it.viewer >= 0) {
            Rng rng = stream_of(it.seed, Purpose::deals(it.viewer), it.first + i);
            game.determinize(state, it.viewer, rng);
        }
        return state;
    };
    const auto done = [&, width = row_width(game.num_players())](std::uint64_t i, const typename G::State& state,
                                                                 Played played) {
        write_row(it.rows + i * width, game, state, played);
        if (it.over != nullptr) it.over->fetch_add(1, std::memory_order_relaxed);
    };
    const auto note = [&](std::uint64_t i, Action action) {
        if (it.tokens == nullptr) return;
        std::string& text = (*it.tokens)[static_cast<std::size_t>(i)];
        if (!text.empty()) text += ' ';
        text += game.action_to_string(action);
    };
    if (!it.line_up.seats.empty()) {
        return simulate(game, begin, it.line_up, it.seed, it.first, it.count, it.threads, note, done, go_on);
    }
    if (it.tokens != nullptr) return simulate(game, begin, it.seed, it.first, it.count, it.threads, note, done, go_on);
    return simulate(game, begin, it.seed, it.first, it.count, it.threads, Unwatched{}, done, go_on);
}

}  // namespace tilery::any
