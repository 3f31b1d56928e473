// SPDX-License-Identifier: MIT
#include "tilery/views/tajmahal.h"

#include "tilery/any/game_of.hpp"
#include "tilery/games/tajmahal/game.hpp"
#include "tilery/games/tajmahal/visit.hpp"
#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

using namespace any;
using Index = std::size_t;
using std::int8_t, std::uint8_t;

// The printed contents of the box.
void add_box(const Views<Game>& views) {
    const auto property = [&views](const char* name, const char* doc, auto ask) { views.add_property(name, doc, ask); };
    property("card_types", "The names of the K types of cards, in their order: \"gEE\" to \"wP\".",
             [](const Game& g) { return Value::list_of(g.card_names()); });
    property("cities", "The names of the C cities, in their order: A1 to L4.",
             [](const Game& g) { return Value::list_of(g.city_names()); });
    property("fortresses", "bool[C]: which cities are fortresses.",
             [](const Game& g) { return row<bool>(g.num_cities(), [&](Index city) { return g.is_fortress(city); }); });
    property("roads", "bool[C, C]: whether a road joins two cities.", [](const Game& g) {
        return table<bool>(g.num_cities(), g.num_cities(), [&](Index a, Index b) { return g.neighbours(a).has(b); });
    });
    property("map", "For drawing: 'cities', each with 'name', 'xy', 'fortress'; 'roads', pairs of names; 'taj_mahal'.",
             [](const Game& g) { return g.map(); });
    property("production", "uint8[12, 4]: symbols of rice, tea, spice, gems on the tile of each visit.",
             [](const Game& g) {
                 return table<uint8_t>(kVisits, kCommodities,
                                       [&](Index visit, Index good) { return g.production(visit)[good]; });
             });
}

// Adds a view [columns], of cell(game, state, column).
template <class T, class Cell>
void view_row(const Views<Game>& views, const char* name, const char* doc, Index columns, Cell cell) {
    views.add(name, doc, [columns, cell](const Game& g, const State& s) {
        return row<T>(columns, [&](Index column) { return cell(g, s, column); });
    });
}

// Structs for other languages, whose members are arrays in Python.
using City = tilery_tajmahal_city;
[[nodiscard]] std::vector<City> cities(const Game& g, const State& s) {
    std::vector<City> rows;
    for (Index city = 0; city < g.num_cities(); ++city) {
        const auto less_one = [](auto number) { return static_cast<int8_t>(static_cast<int>(number) - 1); };
        rows.push_back({less_one(s.sites.owner(city)), less_one(s.moguls.at(city)), less_one(s.sites.tile(city))});
    }
    return rows;
}
using Seat = tilery_tajmahal_player;
[[nodiscard]] std::vector<Seat> seats(const Game& g, const State& s) {
    std::vector<Seat> rows(g.seats());
    for (Index seat = 0; seat < rows.size(); ++seat) {
        Seat& row = rows[seat];
        const auto fill = [](auto& items, auto value) {
            for (Index i = 0; i < std::size(items); ++i) items[i] = static_cast<uint8_t>(value(i));
        };
        row.in = static_cast<uint8_t>(s.in >> seat & 1);
        fill(row.symbols, [&](Index symbol) { return count_of(s.cards.symbols[seat], symbol); });
        fill(row.special_cards, [&](Index card) { return s.specials[seat] >> card & 1; });
        fill(row.person_tiles, [&](Index person) { return s.tiles[seat] >> (2 * person) & 3; });
        fill(row.goods, [&](Index good) { return s.goods[seat][good]; });
    }
    return rows;
}

// Counts of cards by their types.
void add_cards(const Views<Game>& views) {
    const auto of_types = [&](const char* name, const char* doc, auto counts) {
        views.add(name, doc, [counts](const Game& g, const State& s) {
            return row<uint8_t>(g.deck().types(), [cards = counts(g, s)](Index kind) { return cards[kind]; });
        });
    };
    const auto of_players_types = [&](const char* name, const char* doc, PerPlayer<Counts> Places::* place) {
        views.add(name, doc, [place](const Game& g, const State& s) {
            return table<uint8_t>(g.seats(), g.deck().types(), [all = g.places(s), place](Index player, Index kind) {
                return (all.*place)[player][kind];
            });
        });
    };
    of_players_types("hands", "uint8[n, K]: copies in the hand of each player, by type.", &Places::hand);
    of_players_types("known_hands", "uint8[n, K]: those of them that all players know.", &Places::known);
    of_players_types("played", "uint8[n, K]: copies that lie played.", &Places::played);
    of_types("display", "uint8[K]: copies in the display.",
             [](const Game& g, const State& s) { return g.places(s).display; });
    of_types("pile", "uint8[K]: copies in the pile.", [](const Game& g, const State& s) { return g.places(s).pile; });
    of_types("discards", "uint8[K]: copies discarded.", [](const Game& g, const State& s) { return g.discards(s); });
    of_types("fictive_cards", "uint8[K]: copies that the fictive player has (TM-25).",
             [](const Game& g, const State& s) { return g.fictive_cards(s); });
}

// The possessions of each player.
void add_players(const Views<Game>& views) {
    views.add_column<uint8_t>("symbols", "uint8[n, 6]: symbols E M V G K P lying played, special cards included.",
                              seats, &Seat::symbols);
    views.add_column<bool>("special_cards", "bool[n, 4]: the special cards V G K P held.", seats, &Seat::special_cards);
    views.add_column<uint8_t>("person_tiles", "uint8[n, 4]: the tiles of persons V G K P held.", seats,
                              &Seat::person_tiles);
    views.add_column<uint8_t>("goods", "uint8[n, 4]: symbols of rice, tea, spice, gems gained.", seats, &Seat::goods);
    views.add(
        "chains", "uint8[n, 12]: provinces joined to own palaces in this one, itself counted; 0 without an own palace.",
        [](const Game& g, const State& s) {
            return table<uint8_t>(g.seats(), kProvinces,
                                  [&](Index player, Index province) { return g.palace_points(s, player, province); });
        });
}

// The map and the visit.
void add_map(const Views<Game>& views) {
    views.add_column<int8_t>("ordinary_palaces", "int8[C]: the owner of the ordinary palace in each city, -1 for none.",
                             cities, &City::palace);
    views.add_column<int8_t>("mogul_palaces", "int8[C]: the same of palaces with a mogul tower.", cities, &City::mogul);
    views.add_column<int8_t>("bonus_tiles",
                             "int8[C]: the tile lying, of +2, card, rice, tea, spice, gems; -1 for none.", cities,
                             &City::bonus_tile);
    view_row<uint8_t>(
        views, "fictive_symbols", "uint8[6]: the same of the fictive player.", kSymbols,
        [](const Game& g, const State& s, Index symbol) { return count_of(g.fictive_symbols(s), symbol); });
    view_row<bool>(views, "offer", "bool[6]: whether the item of a symbol E M V G K P is still on offer.", kSymbols,
                   [](const Game&, const State& s, Index symbol) { return s.offer >> symbol & 1; });
    view_row<uint8_t>(views, "province_numbers",
                      "uint8[12]: the visit of each province A to L, 0 if not yet given out.", kProvinces,
                      [](const Game&, const State& s, Index province) { return s.numbers.visit_of(province); });
    views.add_column<bool>("still_in", "bool[n]: who has not withdrawn.", seats, &Seat::in);
}

// The same for other languages.
void add_rows(const Views<Game>& views) {
    views.add_rows("cities", cities);
    views.add_rows("players", seats);
    views.add_rows("cards", [](const Game& g, const State& s) {
        std::vector<tilery_tajmahal_cards> rows;
        const Places all = g.places(s);
        for (Index seat = 0; seat < g.seats(); ++seat) {
            for (Index type = 0; type < g.deck().types(); ++type) {
                const uint8_t hand = all.hand[seat][type], played = all.played[seat][type];
                if (hand + played > 0) {
                    rows.push_back({static_cast<uint8_t>(seat), static_cast<uint8_t>(type), hand, played});
                }
            }
        }
        return rows;
    });
}

}  // namespace
}  // namespace tilery::tajmahal

namespace tilery::any {

GameKind tajmahal_kind() {
    GameKind kind = kind_of<tajmahal::Game>(
        "Taj Mahal for 3 to 5 players, and its variant for two; see tilery.tajmahal for the options and views.");
    const Views<tajmahal::Game> views(kind);
    tajmahal::add_box(views);
    tajmahal::add_cards(views);
    tajmahal::add_players(views);
    tajmahal::add_map(views);
    tajmahal::add_rows(views);
    return kind;
}

}  // namespace tilery::any
