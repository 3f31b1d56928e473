// SPDX-License-Identifier: MIT
#include "reachable.hpp"
#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

using namespace tests;

// A map of 13 cities without roads, with one bonus tile, and a deck of these cards.
Game tiny_game(int players, MonkColour monk_colour, Value::Object deck) {
    Value::List cities{Value::object({{"id", "A2"}, {"fortress", false}})};
    for (const char letter : kProvinceLetters) {
        const std::string id = std::string(1, letter) + "1";
        cities.push_back(Value::object({{"id", id}, {"fortress", letter == 'B' || letter == 'G'}}));
    }
    Value::Object goods;
    for (std::size_t visit = 1; visit <= kVisits; ++visit)
        goods.emplace_back(std::to_string(visit), Value::list({"tea"}));
    Rules rules;
    rules.players = players;
    rules.monk_colour = monk_colour;
    rules.data = Value::object({{"deck", std::move(deck)},
                                {"province_tiles", std::move(goods)},
                                {"bonus_tiles", Value::object({{"card", 1}})},
                                {"taj_mahal", Value::object({{"city", "G1"}, {"points", 4}})},
                                {"cities", std::move(cities)},
                                {"roads", Value::list({})}});
    return Game(rules);
}

// From the set-up, with certain numbers of the provinces, to the first withdrawal.
void test_to_first_withdrawal(const Game& game) {
    const auto inside = [&game](const State& state) {
        constexpr std::array<std::size_t, kVisits - 1> numbers{2, 1, 3, 4, 5, 6, 8, 9, 10, 11, 12};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (state.numbers[i] != 0 && state.numbers[i] != numbers[i]) return false;
        }
        const bool all_in = state.in == bit(static_cast<std::size_t>(game.num_players())) - 1 &&
                            (game.num_players() > 2 || state.fictive_in != 0);
        return state.visit == 1 && state.phase < Phase::kOver && (state.phase < Phase::kDisplay || all_in);
    };
    Reachable(game, game.initial_state(), inside, kAll).change_some(200'000);
}

// The numbers of the first three visits, in any order.
void test_numbers(const Game& game) {
    const auto inside = [](const State& state) {
        return state.phase == Phase::kNumbers && state.numbers.given_out() <= 3;
    };
    Reachable(game, game.initial_state(), inside, kAll).change_some(200'000);
}

const ReachableTest set_up("tajmahal", [] {
    test_numbers(tiny_game(3, MonkColour::kLater, {{"gEV", 60}}));
    test_to_first_withdrawal(tiny_game(3, MonkColour::kLater, {{"gEV", 60}, {"gMK", 1}}));
    test_to_first_withdrawal(tiny_game(3, MonkColour::kAnnounce, {{"gEV", 60}, {"wE", 2}}));
    test_to_first_withdrawal(tiny_game(2, MonkColour::kLater, {{"gEV", 60}, {"vMK", 20}}));
    test_to_first_withdrawal(tiny_game(2, MonkColour::kAnnounce, {{"gEV", 30}, {"wM", 20}}));
});

}  // namespace
}  // namespace tilery::tajmahal
