// SPDX-License-Identifier: MIT
// Deals again what a player does not know (CA-H3); docs/rules/carcassonne.md, Determinization.
#include <array>
#include <bitset>

#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/turn.hpp"
#include "tilery/games/carcassonne/views.hpp"

namespace tilery::carcassonne {
namespace {

// n (n - 1) ... (n - k + 1)
std::uint32_t falling(std::uint32_t n, std::uint32_t k) {
    std::uint32_t product = 1;
    for (std::uint32_t i = 0; i < k; ++i) product *= n >= i ? n - i : 0;
    return product;
}

class Dealer {
  public:
    Dealer(const Box& box, State& state, Player player, Rng& rng) : box_(box), state_(state), rng_(rng) {
        left_ = state.pile.up_to.back();
        for (std::size_t type = 0; type < box.num_types; ++type)
            copies_[type] = narrow<std::uint32_t>(state.pile.copies(type));
        for (std::size_t seat = 0; seat < index_of(box.rules.players); ++seat) {
            if (narrow<int>(seat) != player) take_back(seat);
        }
    }

    // Fills the hidden places of a hand, uniformly; if `must_play`, on the condition that a tile fits.
    void deal(std::size_t seat, bool must_play) {
        if (must_play) {
            for (std::size_t type = 0; type < box_.num_types; ++type) {
                playable_[type] = can_be_played(box_, state_, type);
            }
            for (const std::uint8_t tile : hand_of(state_, seat)) {
                must_play = must_play && !playable_[tile - std::size_t{1}];
            }
        }
        for (std::uint32_t places = taken_[seat]; places > 0; --places) {
            const std::size_t type =
                must_play ? draw_playable(places) : draw(left_, [this](std::size_t i) { return copies_[i]; });
            must_play = must_play && !playable_[type];
            --copies_[type];
            --left_;
            take_in_hand(state_, seat, type);
        }
    }

    void make_pile() {
        state_.pile = Pile::of(box_.num_types, [this](std::size_t type) { return narrow<int>(copies_[type]); });
    }

  private:
    // A hidden hand keeps what it has shown.
    void take_back(std::size_t seat) {
        auto& hand = state_.hands.tiles[seat];
        const auto old = hand;
        const unsigned shown = state_.hands.shown[seat];
        hand = {};
        std::size_t kept = 0;
        for (std::size_t i = 0; i < old.size() && old[i] != 0; ++i) {
            if ((shown >> i & 1) != 0) {
                hand[kept++] = old[i];
                continue;
            }
            ++copies_[old[i] - std::size_t{1}];
            ++left_;
            ++taken_[seat];
        }
        state_.hands.shown[seat] = narrow<std::uint8_t>((1U << kept) - 1U);
    }

    // A type by weights, whose sum is given.
    [[nodiscard]] std::size_t draw(std::uint32_t total, auto&& weight) {
        std::uint32_t r = rng_.below(total);
        std::size_t type = 0;
        for (; r >= weight(type); ++type) r -= weight(type);
        return type;
    }

    // Each tile by the number of ways in which the rest of the hand makes it one that can play.
    [[nodiscard]] std::size_t draw_playable(std::uint32_t places) {
        std::uint32_t unfit = 0;
        for (std::size_t type = 0; type < box_.num_types; ++type) unfit += playable_[type] ? 0 : copies_[type];
        const std::uint32_t all = falling(left_ - 1, places - 1), vain = falling(unfit - 1, places - 1);
        const auto weight = [&](std::size_t type) {
            return copies_[type] == 0 ? 0U : copies_[type] * (all - (playable_[type] ? 0U : vain));
        };
        std::uint32_t total = 0;
        for (std::size_t type = 0; type < box_.num_types; ++type) total += weight(type);
        return draw(total, weight);
    }

    const Box& box_;
    State& state_;
    Rng& rng_;
    std::array<std::uint32_t, kTypes> copies_{};  // not dealt yet
    std::uint32_t left_ = 0;                      // their sum
    PerPlayer<std::uint32_t> taken_{};            // hidden places of each hand
    std::bitset<kTypes> playable_;
};

}  // namespace

void Game::determinize(State& state, Player player, Rng& rng) const {
    if (!box_.has_hidden_hands() || state.turn.phase == Phase::kOrder) return;
    Dealer dealer(box_, state, player, rng);
    const int chooser = state.turn.phase == Phase::kChoose && state.turn.mover != player ? state.turn.mover : -1;
    if (chooser >= 0) dealer.deal(index_of(chooser), true);
    for (int seat = 0; seat < box_.rules.players; ++seat) {
        if (seat != player && seat != chooser) dealer.deal(index_of(seat), false);
    }
    dealer.make_pile();
}

}  // namespace tilery::carcassonne
