// SPDX-License-Identifier: MIT
// Observations: the parts in the order of docs/rules/tajmahal.md.
#include <algorithm>

#include "tilery/games/tajmahal/fictive.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

constexpr int kMostSymbols = 2 * kMostHand + 2;  // two on each card played, and two of a special card

void write_lanes(ObservationWriter& out, Lanes lanes) {
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) out.number(count_of(lanes, symbol));
}

void write_set(ObservationWriter& out, std::uint32_t set, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out.number(has(set, i));
}

}  // namespace

std::vector<int> Game::observation_shape() const { return shape_of(observation_parts()); }

std::vector<ObservationPart> Game::observation_parts() const {
    ObservationWriter out({}, rules_.players);
    write_observation(initial_, 0, out);
    return std::move(out).parts();
}

void Game::observe(const State& state, Player player, std::span<float> floats) const {
    ObservationWriter out({}, rules_.players, player, floats);
    write_observation(state, player, out);
}

void Game::write_observation(const State& state, Player player, ObservationWriter& out) const {
    write_hands(state, player, out);
    write_items(state, out);
    write_map(state, out);
    write_turn(state, out);
}

void Game::write_counts(const Counts& counts, ObservationWriter& out) const {
    out.numbers(std::span(counts).first(deck_.types()));
}

void Game::write_hands(const State& state, Player player, ObservationWriter& out) const {
    const auto& cards = state.cards.players;
    const auto write = [&](const CardSet& place) { write_counts(deck_.counts(place), out); };
    const int copies = most_copies();
    out.part("own hand", 0, copies);
    write(cards[static_cast<std::size_t>(player)].hand);
    out.part("known cards", 0, copies).seats([&](std::size_t seat) { write(cards[seat].known); });
    out.part("other cards", 0, kMostHand).seats([&](std::size_t seat) {
        out.number(cards[seat].hand.size() - cards[seat].known.size());
    });
    out.part("played cards", 0, copies).seats([&](std::size_t seat) { write(cards[seat].played); });
    out.part("symbol totals", 0, kMostSymbols);
    out.seats([&](std::size_t seat) { write_lanes(out, state.cards.symbols[seat]); });
    out.part("fixed colour", 0, 1);
    out.seats([&](std::size_t seat) { out.one_hot(kColours, state.colour[seat] - std::size_t{1}); });
    out.part("still in", 0, 1).seats([&](std::size_t seat) { out.number(has(state.in, seat)); });
}

void Game::write_items(const State& state, ObservationWriter& out) const {
    out.part("special cards held", 0, 1);
    out.seats([&](std::size_t seat) { write_set(out, state.specials[seat], kPersons); });
    out.part("played special cards", 0, 1);
    write_set(out, state.used, kPersons);
    out.part("tiles of persons", 0, 2).seats([&](std::size_t seat) {
        for (std::size_t person = 0; person < kPersons; ++person) out.number(tiles_held(state.tiles[seat], person));
    });
    out.part("offer", 0, 1);
    write_set(out, state.offer, kSymbols);
    out.part("display", 0, most_copies());
    write_counts(deck_.counts(state.cards.display), out);
    out.part("discards", 0, most_copies());
    write_counts(discards(state), out);
    out.part("pile", 0, static_cast<double>(deck_.size())).number(state.cards.pile.size());
}

void Game::write_map(const State& state, ObservationWriter& out) const {
    const auto write = [&](const Cities& set) {
        for (std::size_t city = 0; city < cities_; ++city) out.number(set.has(city));
    };
    out.part("numbers of provinces", 0, double{kVisits});
    for (std::size_t province = 0; province < kProvinces; ++province) out.number(state.numbers.visit_of(province));
    out.part("province of the visit", 0, 1).one_hot(kProvinces, current_province(state));
    out.part("production tile of the visit", 0, 2).numbers(production(visit_index(state)));
    out.part("bonus tiles", 0, 1);
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) write(state.sites.tiles_of(kind));
    out.part("ordinary palaces", 0, 1).seats([&](std::size_t seat) { write(state.sites.palaces_of(seat)); });
    out.part("mogul palaces", 0, 1).seats([&](std::size_t seat) { write(own_moguls(state, seat)); });
    out.part("palaces left", 0, double{kPalaces});
    out.seats([&](std::size_t seat) { out.number(kPalaces - state.palaces[seat]); });
    const auto goods = most_goods();
    out.part("commodities", 0, *std::max_element(goods.begin(), goods.end()));
    out.seats([&](std::size_t seat) { out.numbers(state.goods[seat]); });
    out.part("points", 0, most_points()).seats([&](std::size_t seat) { out.number(state.points[seat]); });
}

void Game::write_turn(const State& state, ObservationWriter& out) const {
    out.part("visit", 0, 1).one_hot(kVisits, visit_index(state));
    out.part("phase", 0, 1).one_hot(kPhases, static_cast<std::size_t>(state.phase));
    out.part("turn", 0, 1).one_seat(has_turn(state) ? int{state.turn} : -1);
    out.part("start player", 0, 1).one_seat((state.visit - 1) % rules_.players);
    out.part("to build", 0, double{kPersons}).number(state.persons);
    out.number(state.crown);
    out.part("to draw", 0, double{kPersons}).number(state.draws);
    out.part("to take", 0, 2).number(state.takes);
    out.part("first taken", 0, 1).one_hot(deck_.types(), state.first - std::size_t{1});
    out.part("fictive player in", 0, 1).number(state.fictive_in);
    out.part("fictive player's cards", 0, 1);
    write_counts(fictive_cards(state), out);
    out.part("fictive player's symbols", 0, 2 * (kColours + 1));
    write_lanes(out, fictive_symbols(state));
}

}  // namespace tilery::tajmahal
