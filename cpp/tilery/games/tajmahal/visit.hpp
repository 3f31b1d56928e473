// SPDX-License-Identifier: MIT
// A visit: the display, turns and plays (TM-3 to TM-10), and the fictive third player of a game for two (TM-25 to
// TM-27). Inline, so that a playout becomes one function (core/playout.hpp).
#pragma once

#include <cassert>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {

// The next player clockwise of a set of players, one of whom the player may be.
inline constexpr auto kNextOf = [] {
    std::array<std::array<std::uint8_t, 8>, 1U << kMaxPlayers> table{};
    for (std::uint32_t set = 1; set < table.size(); ++set) {
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            std::size_t next = player;
            do next = (next + 1) % kMaxPlayers;
            while (!has(set, next));
            table[set][player] = byte(next);
        }
    }
    return table;
}();

// A card is turned up from the pile.
inline void Game::reveal(State& state, std::size_t card) const {
    switch (state.phase) {
        case Phase::kDeal: {
            const std::size_t dealt = deck_.size() - state.cards.pile.size();
            deck_.draw(state.cards, card, dealt / kDealt);
            if (dealt + 1 == players_ * kDealt) begin_visit(state);
            return;
        }
        case Phase::kDisplay:
            deck_.lay_out(state.cards, card);
            if (state.cards.display.size() == 2 * players_ - 1 || !can_draw(state)) begin_turns(state);
            return;
        case Phase::kDraw:
            deck_.draw(state.cards, card, state.turn);
            --state.draws;
            return go_on_drawing(state);
        default:
            assert(state.phase == Phase::kFictive);
            return turn_up(state, card);
    }
}

inline void Game::begin_visit(State& state) const {
    state.in = byte(bit(players_) - 1);
    state.offer = kAllSymbols;
    state.fictive_in = players_ == 2 ? 1 : 0;  // TM-25
    if (can_draw(state)) {
        state.phase = Phase::kDisplay;
    } else {
        begin_turns(state);
    }
}

inline void Game::begin_turns(State& state) const {
    state.phase = Phase::kTurn;
    state.turn = byte(visit_index(state) % players_);  // TM-3
}

inline void Game::end_turn(State& state) const {
    if (state.in == 0) return end_visit(state);
    if (state.fictive_in != 0 && can_draw(state)) {
        state.phase = Phase::kFictive;
        return;
    }
    pass_turn(state);
}

inline void Game::pass_turn(State& state) {
    state.phase = Phase::kTurn;
    state.turn = kNextOf[state.in][state.turn];
}

inline void Game::play(State& state, const Play& play, std::size_t card, std::size_t white, auto events) const {
    const std::size_t player = state.turn;
    deck_.play(state.cards, card, white, play.symbols, player);
    state.used |= play.special;
    add_points(state, player, play.points);  // TM-9
    events(kPrincessPlay, player, play.points, nullptr);
    const std::uint32_t fixed = state.colour[player];
    state.colour[player] = byte(fixed | (play.fixes & ((fixed > 0 ? 1U : 0U) - 1U)));  // TM-8
    end_turn(state);
}

inline Lanes Game::fictive_symbols(const State& state) const {
    Lanes symbols = 0;
    for (const std::size_t type : state.fictive) symbols += type > 0 ? deck_.type(type - 1).symbols() : 0;
    return symbols;
}

inline void Game::turn_up(State& state, std::size_t card) const {
    deck_.turn_up(state.cards, card);
    const std::size_t type = deck_.type_of(card);
    std::uint8_t& of_colour = state.fictive[deck_.type(type).colour];
    if (of_colour == 0) {
        of_colour = byte(type + 1);
    } else {  // TM-26: the card turned up goes to the discards with the others
        const Lanes symbols = fictive_symbols(state);
        Lanes won = greater(symbols, 0);
        for (std::size_t player = 0; player < players_; ++player) won &= greater(symbols, state.cards.symbols[player]);
        state.offer = byte(state.offer & ~symbols_of(won));
        state.fictive = {};
        state.fictive_in = 0;
    }
    pass_turn(state);
}

}  // namespace tilery::tajmahal
