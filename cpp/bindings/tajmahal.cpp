// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bind_game.hpp"
#include "tilery/games/tajmahal/fictive.hpp"
#include "tilery/games/tajmahal/game.hpp"
#include "tilery/games/tajmahal/scoring.hpp"

namespace tilery::bindings {
namespace {

using namespace tajmahal;
using Index = std::size_t;
using Taj = tajmahal::Game;
using Position = tajmahal::State;

}  // namespace

void bind_tajmahal(py::module_& parent) {
    using std::int8_t, std::uint8_t;
    const BoundGame bound = bind_game<Taj>(
        parent,
        "Taj Mahal for 3 to 5 players, and its variant for two.\n\n"
        "Game(*, players=3, monk_colour=\"later\", data=\"shipped\"); see tilery.tajmahal for the options and views.");

    py::reinterpret_borrow<py::class_<Taj>>(bound.game)
        .def_property_readonly("card_types", [](const Taj& g) { return g.card_names(); })
        .def_property_readonly("cities", [](const Taj& g) { return g.city_names(); })
        .def_property_readonly(
            "fortresses",
            [](const Taj& g) { return row<bool>(g.num_cities(), [&](Index city) { return g.is_fortress(city); }); })
        .def_property_readonly("roads",
                               [](const Taj& g) {
                                   return table<bool>(g.num_cities(), g.num_cities(),
                                                      [&](Index a, Index b) { return g.neighbours(a).has(b); });
                               })
        .def_property_readonly("map", [](const Taj& g) { return from_value(g.map()); })
        .def_property_readonly("production", [](const Taj& g) {
            return table<uint8_t>(kVisits, kCommodities,
                                  [&](Index visit, Index good) { return g.production(visit)[good]; });
        });

    const auto view = [&](const char* name, auto f) { add_view<Taj>(bound.state, name, f); };
    const auto of_types = [&](const char* name, auto counts) {
        view(name, [counts](const Taj& g, const Position& s) {
            return row<uint8_t>(g.deck().types(), [cards = counts(g, s)](Index type) { return cards[type]; });
        });
    };
    const auto of_players_types = [&](const char* name, PerPlayer<Counts> Places::* place) {
        view(name, [place](const Taj& g, const Position& s) {
            return table<uint8_t>(g.seats(), g.deck().types(), [all = g.places(s), place](Index player, Index type) {
                return (all.*place)[player][type];
            });
        });
    };
    const auto of_players = [&]<class T>(T, const char* name, Index columns, auto cell) {
        view(name, [columns, cell](const Taj& g, const Position& s) {
            return table<T>(g.seats(), columns, [&](Index player, Index column) { return cell(g, s, player, column); });
        });
    };
    const auto of_cities = [&](const char* name, auto value) {
        view(name, [value](const Taj& g, const Position& s) {
            return row<int8_t>(g.num_cities(), [&](Index city) { return value(g, s, city); });
        });
    };
    of_players_types("hands", &Places::hand);
    of_players_types("known_hands", &Places::known);
    of_players_types("played", &Places::played);
    of_types("display", [](const Taj& g, const Position& s) { return g.places(s).display; });
    of_types("pile", [](const Taj& g, const Position& s) { return g.places(s).pile; });
    of_types("discards", [](const Taj& g, const Position& s) { return g.discards(s); });
    of_types("fictive_cards", [](const Taj& g, const Position& s) { return g.fictive_cards(s); });
    of_players(uint8_t{}, "symbols", kSymbols, [](const Taj&, const Position& s, Index player, Index symbol) {
        return count_of(s.cards.symbols[player], symbol);
    });
    of_players(bool{}, "special_cards", kPersons,
               [](const Taj&, const Position& s, Index player, Index card) { return s.specials[player] >> card & 1; });
    of_players(uint8_t{}, "person_tiles", kPersons, [](const Taj&, const Position& s, Index player, Index person) {
        return s.tiles[player] >> (2 * person) & 3;
    });
    of_players(uint8_t{}, "goods", kCommodities,
               [](const Taj&, const Position& s, Index player, Index good) { return s.goods[player][good]; });
    of_players(uint8_t{}, "chains", kProvinces, [](const Taj& g, const Position& s, Index player, Index province) {
        return g.palace_points(s, player, province);
    });
    of_cities("ordinary_palaces",
              [](const Taj&, const Position& s, Index city) { return static_cast<int>(s.sites.owner(city)) - 1; });
    of_cities("mogul_palaces",
              [](const Taj&, const Position& s, Index city) { return static_cast<int>(s.moguls.at(city)) - 1; });
    of_cities("bonus_tiles",
              [](const Taj&, const Position& s, Index city) { return static_cast<int>(s.sites.tile(city)) - 1; });
    view("fictive_symbols", [](const Taj& g, const Position& s) {
        return row<uint8_t>(kSymbols, [&](Index symbol) { return count_of(g.fictive_symbols(s), symbol); });
    });
    view("offer", [](const Taj&, const Position& s) {
        return row<bool>(kSymbols, [&](Index symbol) { return s.offer >> symbol & 1; });
    });
    view("still_in", [](const Taj& g, const Position& s) {
        return row<bool>(g.seats(), [&](Index player) { return s.in >> player & 1; });
    });
    view("province_numbers", [](const Taj&, const Position& s) {
        return row<uint8_t>(kProvinces, [&](Index province) { return s.numbers.visit_of(province); });
    });
}

}  // namespace tilery::bindings
