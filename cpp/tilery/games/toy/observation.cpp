// SPDX-License-Identifier: MIT
// Toy: what players see, and what they do not.
#include "tilery/core/playout.hpp"
#include "tilery/core/value_reader.hpp"
#include "tilery/games/toy/game.hpp"

namespace tilery::toy {

Cards open_cards(const State& state) {
    Cards open{};
    for (int value = 0; value < kValues; ++value) {
        int hidden = state.deck[value];
        for (const Cards& hand : state.hands) hidden += hand[value];
        open[value] = kCopies - hidden;
    }
    return open;
}

Value Game::public_state(const State& state) const {
    const auto size = [&](std::size_t seat) { return count(state.hands[seat]); };
    return Value::object({
        {"hand_sizes", Value::list_of(index(rules_.players), size)},
        {"open", Value::list_of(open_cards(state))},
        {"prize", state.prize},
        {"table", Value::list_of(state.table.first(rules_.players))},
        {"scores", Value::list_of(state.scores.first(rules_.players))},
    });
}

Value Game::information_state(const State& state, Player player) const {
    Value::Object all{{"hand", Value::list_of(state.hands[player])}};
    const Value seen = public_state(state);
    for (const auto& member : *seen.get<Value::Object>()) all.push_back(member);
    return all;
}

// T-2: a card that is dealt is seen by the player who gets it.
Action Game::action_seen_by(const State& state, Player player, Action action) const {
    return state.undealt > 0 && dealt_to(state) != player ? kUnseen : action;
}

void Game::write_observation(const State& state, Player player, auto& out) const {
    out.part("hand", kCopies).numbers(state.hands[player]);
    out.part("open", kCopies).numbers(open_cards(state));
    out.part("prize", kValues).number(state.prize);
    out.part("seats", kValues * rules_.hand).seats([&](std::size_t seat) {
        out.number(count(state.hands[seat]));
        out.number(state.table[seat]);
        out.number(state.scores[seat]);
    });
}

std::vector<ObservationPart> Game::observation_parts() const {
    ObservationCounter counter({}, rules_.players);
    write_observation(initial_state(), 0, counter);
    return std::move(counter).parts();
}

template <class Number>
void Game::observe(const State& state, Player player, std::span<Number> out) const {
    ObservationWriter writer({}, rules_.players, player, out);
    write_observation(state, player, writer);
}
template void Game::observe(const State&, Player, std::span<float>) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>) const;

void Game::determinize(State& state, Player player, Rng& rng) const {
    PerSeat<int> sizes{};
    for (Player other = 0; other < rules_.players; ++other) {
        if (other == player) continue;
        sizes[other] = count(state.hands[other]);
        for (int value = 0; value < kValues; ++value) state.deck[value] += state.hands[other][value];
        state.hands[other] = {};
    }
    for (Player other = 0; other < rules_.players; ++other) {
        for (; sizes[other] > 0; --sizes[other]) {
            const Action card = random_outcome(*this, state, rng);
            --state.deck[card];
            ++state.hands[other][card];
        }
    }
}

Value Game::position(const State& state) const {
    return Value::object({
        {"deck", Value::list_of(state.deck)},
        {"undealt", state.undealt},
        {"hands", Value::list_of(state.hands.first(rules_.players))},
        {"prize", state.prize},
        {"table", Value::list_of(state.table.first(rules_.players))},
        {"scores", Value::list_of(state.scores.first(rules_.players))},
    });
}

State Game::state_of(const Value& position) const {
    const ValueReader reader(position, "position");
    const std::size_t players = index(rules_.players);
    constexpr int kMost = 255;  // fault() knows what can be
    State state{};
    reader.at("deck").integers(state.deck, kValues, 0, kMost);
    state.undealt = reader.at("undealt").integer(0, kMost);
    reader.at("hands").items(players, [&](std::size_t player, const ValueReader& hand) {
        hand.integers(state.hands[player], kValues, 0, kMost);
    });
    state.prize = reader.at("prize").integer(0, kMost);
    reader.at("table").integers(state.table, players, 0, kMost);
    reader.at("scores").integers(state.scores, players, 0, kMost);
    return state;
}

}  // namespace tilery::toy
