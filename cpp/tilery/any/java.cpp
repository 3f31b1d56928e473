// SPDX-License-Identifier: MIT
#include "tilery/any/game_of.hpp"
#include "tilery/games/java/game.hpp"

namespace tilery::java {
namespace {

using namespace any;

// The board.
void add_properties(const Views<Game>& views) {
    views.add_property("spaces", "[row, column] of each space, outside ones included, by space number.",
                       [](const Game& g) { return g.spaces(); });
    views.add_property("board",
                       "The spaces by their ground, as a board object (JA-2) has them: a dict of the lists 'land',\n"
                       "'printed_irrigation', 'outside_mountains' and 'outside_lowlands' of [row, column].",
                       [](const Game& g) { return g.board(); });
}

// The island, space by space.
void add_island(const Views<Game>& views) {
    views.add("heights", "int8[number of spaces]: layers of tiles on each space, by space number; 0 is bare.",
              [](const Game& g, const State& state) {
                  const std::vector<int> heights = g.heights(state);
                  return row<std::int8_t>(heights.size(), [&](std::size_t space) { return heights[space]; });
              });
    views.add("terrain",
              "A character for each space, by space number: '.' bare, '~' printed irrigation,\n"
              "'w' irrigation tile, 'r' rice, 'v' village (also below a palace).",
              [](const Game& g, const State& state) { return Value(g.terrain(state)); });
    views.add("figures", "(space, player) of each figure on the island, by space.",
              [](const Game& g, const State& state) { return Tuples{g.figures(state)}; });
    views.add_rows("spaces", [](const Game& g, const State& state) { return g.rows(state); });
    const auto add = [&views](const char* name, Value (Game::*ask)(const State&) const, const char* doc) {
        views.add(name, doc, [ask](const Game& g, const State& state) { return (g.*ask)(state); });
    };
    add("tiles", &Game::tiles,
        "Lists of the spaces that one physical tile covers with all that is left of it on top\n"
        "(JA-R3), by first space.");
    add("settlements", &Game::settlements,
        "A dict for each settlement (JA-14): 'spaces'; 'palace': None (a village) or a dict of\n"
        "'space', 'value', 'fresh'; 'ranking' (JA-26): dicts of 'players' who are level and their 'heights', best "
        "first.\nThe number of spaces is its size.");
    add("bodies", &Game::bodies,
        "A dict for each body of irrigation (JA-17): 'spaces'; 'open': spaces of its shore without\n"
        "land (none: enclosed); 'ranking' of the figures on its shore, as in settlements().");
}

// The supplies of a player, and the prices of actions.
void add_means(const Views<Game>& views) {
    views.add_of_player("cards",
                        "What a player knows of the cards (JA-38): 'hand', 'known', 'unknown', 'open', 'discards',\n"
                        "'pile', as in the information state.",
                        [](const Game& g, const State& state, int player) { return g.cards(state, player); });
    views.add("costs", "Action points that each legal action of a player takes: {action: points}.",
              [](const Game& g, const State& state) {
                  Numbers costs;
                  if (g.current_player(state) >= 0) {
                      g.legal_actions(state).for_each([&](Action a) { costs.emplace_back(a, g.cost(state, a)); });
                  }
                  return costs;
              });
}

}  // namespace
}  // namespace tilery::java

namespace tilery::any {

GameKind java_kind() {
    GameKind kind = kind_of<java::Game>(
        "Java (Kiesling, Kramer; Ravensburger 2000) for 2 to 4 players; rules, ids and planes are in "
        "docs/rules/java.md.");
    kind.editions = {
        {"official",
         {{"token_timing", "turn_start"},
          {"two_on_three", true},
          {"irrigation_on_perimeter", false},
          {"irrigation_scoring", "per_space"}},
         "official(**options)\n--\n\nA game with the options of the official rules, which the options given override."},
        {"source",
         {{"token_timing", "any"},
          {"two_on_three", false},
          {"irrigation_on_perimeter", true},
          {"irrigation_scoring", "per_body"},
          {"land_reserve", "after"}}}};
    const Views<java::Game> views(kind);
    java::add_properties(views);
    java::add_island(views);
    java::add_means(views);
    return kind;
}

}  // namespace tilery::any
