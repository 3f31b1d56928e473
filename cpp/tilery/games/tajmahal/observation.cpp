// SPDX-License-Identifier: MIT
// Observations: the parts in the order of docs/rules/tajmahal.md.
#include <algorithm>
#include <utility>

#include "tilery/core/playout.hpp"
#include "tilery/games/tajmahal/game.hpp"
#include "tilery/games/tajmahal/visit.hpp"

namespace tilery::tajmahal {
namespace {

constexpr int kMostSymbols = 2 * kMostHand + 2;  // two on each card played, and two of a special card

void write_lanes(auto& out, Lanes lanes) {
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) out.number(count_of(lanes, symbol));
}

}  // namespace

std::vector<ObservationPart> Game::observation_parts() const {
    ObservationCounter out({}, rules_.players);
    write_observation(initial_, 0, out);
    return std::move(out).parts();
}

// One function with the writer in registers: what is written as bytes might be anything that is in memory.
template <class Number>
TILERY_FLATTEN void Game::observe(const State& state, Player player, std::span<Number> numbers) const {
    ObservationWriter out({}, rules_.players, player, numbers);
    write_observation(state, player, out);
}
template void Game::observe(const State&, Player, std::span<float>) const;
template void Game::observe(const State&, Player, std::span<std::uint8_t>) const;

void Game::write_observation(const State& state, Player player, auto& out) const {
    write_hands(state, player, out);
    write_items(state, out);
    write_map(state, out);
    write_turn(state, out);
}

// The number of cards of each type. The cards of a place are the first ones of their types, so that each says how many
// there are at least.
void Game::write_cards(const CardSet& place, auto& out) const {
    out.planes(deck_.types(), [&](auto put) {
        place.for_each([&](std::size_t card) {
            const std::size_t type = deck_.type_of(card);
            put(type, 0, card - deck_.first_card(type) + 1);
        });
    });
}

void Game::write_hands(const State& state, Player player, auto& out) const {
    const auto& cards = state.cards.players;
    const auto write = [&](const CardSet& place) { write_cards(place, out); };
    const auto copies = [this] { return most_copies(); };
    out.part("own hand", copies);
    write(cards[static_cast<std::size_t>(player)].hand);
    out.part("known cards", copies).seats([&](std::size_t seat) { write(cards[seat].known); });
    out.part("other cards", kMostHand).seats([&](std::size_t seat) {
        out.number(cards[seat].hand.size() - cards[seat].known.size());
    });
    out.part("played cards", copies).seats([&](std::size_t seat) { write(cards[seat].played); });
    out.part("symbol totals", kMostSymbols);
    out.seats([&](std::size_t seat) { write_lanes(out, state.cards.symbols[seat]); });
    out.part("fixed colour", 1);
    out.seats([&](std::size_t seat) { out.one_hot(kColours, state.colour[seat] - std::size_t{1}); });
    out.part("still in", 1).seats([&](std::size_t seat) { out.number(has(state.in, seat)); });
}

void Game::write_items(const State& state, auto& out) const {
    out.part("special cards held", 1);
    out.seats([&](std::size_t seat) { out.bits(state.specials[seat], kPersons); });
    out.part("played special cards", 1);
    out.bits(state.used, kPersons);
    out.part("tiles of persons", 2).seats([&](std::size_t seat) {
        for (std::size_t person = 0; person < kPersons; ++person) out.number(tiles_held(state.tiles[seat], person));
    });
    out.part("offer", 1);
    out.bits(state.offer, kSymbols);
    const auto copies = [this] { return most_copies(); };
    out.part("display", copies);
    write_cards(state.cards.display, out);
    out.part("discards", copies);
    out.numbers(std::span<const std::uint8_t>(discards(state)).first(deck_.types()));
    out.part("pile", deck_.size()).number(state.cards.pile.size());
}

void Game::write_map(const State& state, auto& out) const {
    const auto write = [&](const Cities& set) { out.members(set, cities_); };
    out.part("numbers of provinces", kVisits);
    out.planes(kProvinces, [&](auto put) {
        for (std::size_t visit = 0; visit < kVisits; ++visit) {
            if (state.numbers[visit] > 0) put(state.numbers[visit] - 1, 0, visit + 1);
        }
    });
    out.part("province of the visit", 1).one_hot(kProvinces, current_province(state));
    out.part("production tile of the visit", 2).numbers(production(visit_index(state)));
    out.part("bonus tiles", 1);
    [&]<std::size_t... kKinds>(std::index_sequence<kKinds...>) {  // constants in place of a loop
        (write(state.sites.tiles_of(kKinds)), ...);
    }(std::make_index_sequence<kBonusKinds>());
    out.part("ordinary palaces", 1).seats([&](std::size_t seat) { write(state.sites.palaces_of(seat)); });
    out.part("mogul palaces", 1).seats([&](std::size_t seat) { write(own_moguls(state, seat)); });
    out.part("palaces left", kPalaces);
    out.seats([&](std::size_t seat) { out.number(kPalaces - state.palaces[seat]); });
    out.part("commodities", [this] { return std::ranges::max(most_goods()); });
    out.seats([&](std::size_t seat) { out.numbers(state.goods[seat]); });
    out.in_bytes(
        "points", "points above 255", [this] { return most_points(); }, 1,
        [&](auto split) { out.seats([&](std::size_t seat) { out.number(split(state.points[seat])); }); });
}

void Game::write_turn(const State& state, auto& out) const {
    out.part("visit", 1).one_hot(kVisits, visit_index(state));
    out.part("phase", 1).one_hot(kPhases, static_cast<std::size_t>(state.phase));
    out.part("turn", 1).one_seat(has_turn(state) ? int{state.turn} : -1);
    out.part("start player", 1).one_seat((state.visit - 1) % rules_.players);
    out.part("to build", kPersons).number(state.persons);
    out.number(state.crown);
    out.part("to draw", kPersons).number(state.draws);
    out.part("to take", 2).number(state.takes);
    out.part("first taken", 1).one_hot(deck_.types(), state.first - std::size_t{1});
    out.part("fictive player in", 1).number(state.fictive_in);
    out.part("fictive player's cards", 1);
    out.numbers(std::span<const std::uint8_t>(fictive_cards(state)).first(deck_.types()));
    out.part("fictive player's symbols", 2 * (kColours + 1));
    write_lanes(out, fictive_symbols(state));
}

}  // namespace tilery::tajmahal
