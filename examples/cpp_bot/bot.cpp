// SPDX-License-Identifier: MIT
// A flat Monte Carlo bot for any game, written on the C++ concept.
//
//     bot
//
// speaks docs/protocol.md, version 2, on standard input and output.
//
//     bot GAME N PLAYOUTS [OPTION=VALUE ...]
//
// plays games 0..N-1 of seed 1 and prints the final scores of each. Player 0 tries every legal action with this many
// random games, after dealing again what they cannot see; the others play at random. With 0 playouts everybody does,
// and the games are those of tilery.simulate(game, N, seed=1) in Python.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../bot_lines.h"
#include "tilery/c/words.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/simulation/games.hpp"
#include "tilery/simulation/simulate.hpp"

namespace {

using namespace tilery;

// The action with the best mean return over a number of rounds of a playout after each. Rounds end early once
// enough(round, best action so far) says so.
template <Game G, class Enough>
Action best_action(const G& game, const typename G::State& state, int playouts, Rng& rng, Enough&& enough) {
    const auto player = static_cast<std::size_t>(game.current_player(state));
    std::vector<Action> actions;
    game.legal_actions(state).for_each([&](Action action) { actions.push_back(action); });
    std::vector<double> sums(actions.size());
    std::size_t best = 0;
    for (int round = 1; round <= playouts; ++round) {
        for (std::size_t i = 0; i < actions.size(); ++i) {
            typename G::State trial = state;
            game.determinize(trial, static_cast<Player>(player), rng);
            game.apply_action(trial, actions[i]);
            playout(game, trial, rng);
            sums[i] += returns(game, trial)[player];
        }
        best = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
        if (enough(round, actions[best])) break;
    }
    return actions[best];
}

template <Game G>
void play(const G& game, int playouts, Rng rng, Rng luck) {
    typename G::State state = game.initial_state();
    for (Player player = game.current_player(state); player != kTerminal; player = game.current_player(state)) {
        if (player == kChance) {
            game.apply_action(state, random_outcome(game, state, rng));
        } else if (player == 0 && playouts > 0) {
            game.apply_action(state, best_action(game, state, playouts, luck, [](int, Action) { return false; }));
        } else {
            game.apply_action(state, random_decision(game, state, rng));
        }
    }
    const auto scores = game.scores(state);
    for (std::size_t seat = 0; seat < static_cast<std::size_t>(game.num_players()); ++seat) {
        std::cout << (seat == 0 ? "" : " ") << scores[seat];
    }
    std::cout << '\n';
}

int run(std::string_view name, std::uint64_t games, int playouts, const Value::Object& options) {
    bool found = false;
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        found = true;
        const G game(read_rules<typename G::Rules>(options));
        for (std::uint64_t i = 0; i < games; ++i) play(game, playouts, Rng(1, i), Rng(2, i));
    });
    if (!found) std::cerr << "bot: unknown game '" << name << "'\n";
    return found ? 0 : 2;
}

// ---- The protocol.

// A game that a referee announced.
class Table {
  public:
    Table() = default;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    virtual ~Table() = default;

    // The token of an action. Enough is asked as by best_action, with the token.
    using Enough = std::function<bool(int round, const std::string& token)>;
    [[nodiscard]] virtual std::string choose(std::string_view state, std::uint64_t number, int playouts,
                                             const Enough& enough) const = 0;
};
template <Game G>
class TableOf final : public Table {
  public:
    explicit TableOf(const typename G::Rules& rules) : game_(rules) {}
    [[nodiscard]] std::string choose(std::string_view data, std::uint64_t number, int playouts,
                                     const Enough& enough) const override {
        const auto state = deserialize(game_, data);
        Rng rng(number, 0);
        return game_.action_to_string(best_action(game_, state, playouts, rng, [&](int round, Action action) {
            return enough(round, game_.action_to_string(action));
        }));
    }

  private:
    const G game_;
};

std::string text_of(const char* value) {
    std::string text(value == nullptr ? 0 : json_behind(value) - value, ' ');
    if (!json_copy(value, text.data(), text.size() + 1)) throw OptionError("the message is not complete");
    return text.c_str();
}

class Bot {
  public:
    // Answers messages until there are no more.
    void run() {
        while (const char* const line = bot_line(&in_)) {
            try {
                const std::string type = text_of(json_find(line, "type"));
                if (type == "quit") return;
                answer(type, line);
            } catch (const std::exception& error) {
                say("error", R"(,"reason":)" + Value(error.what()).json());
            }
        }
    }

  private:
    static void say(std::string_view type, const std::string& more = "") {
        std::cout << R"({"type":")" << type << '"' << more << '}' << std::endl;
    }
    static std::string quoted(const std::string& text) { return Value(text).json(); }

    void answer(const std::string& type, const char* line) {
        if (type == "hello") {
            begin(line);
            const char* const versions = json_find(line, "protocols");
            second_ = versions != nullptr && text_of(versions).find('2') != std::string::npos;
            say("ready", second_
                             ? R"(,"protocol":2,"name":"C++","options":[{"name":"playouts","kind":"int","default":50,)"
                               R"("about":"random games for each legal action, at most"}])"
                             : "");
        } else if (type == "new") {
            begin(line);
            say("ready");
        } else if (type == "options") {
            const double wanted = json_number(json_find(json_find(line, "values"), "playouts"), playouts_);
            if (!(wanted >= 1 && wanted <= 1e6)) throw OptionError("playouts must be from 1 to 1000000");
            playouts_ = static_cast<int>(wanted);
            say("ready");
        } else if (type == "choose") {
            say("action", R"(,"token":)" + quoted(best(line)));
        } else if (type == "analyse") {
            say("analysis", R"(,"best":)" + quoted(best(line)));
        }
    }

    void begin(const char* line) {
        const std::string name = text_of(json_find(line, "game"));
        const char *at = json_find(line, "rules"), *option = nullptr, *value = nullptr;
        std::size_t length = 0;
        Value::Object options;
        if (at != nullptr) ++at;
        while (at != nullptr && json_next(&at, &option, &length, &value) != 0) {
            add_option(options, std::string(option, length) + "=" + text_of(value));
        }
        table_.reset();
        for_each_game([&]<Game G>() {
            if (G::kName == name) table_ = std::make_unique<TableOf<G>>(read_rules<typename G::Rules>(options));
        });
        if (table_ == nullptr) throw OptionError("this program has no game " + name);
    }

    [[nodiscard]] std::string best(const char* line) {
        using Seconds = std::chrono::duration<double>;
        const auto began = std::chrono::steady_clock::now();
        const char* const clock = json_find(line, "clock");
        const double left = json_number(json_find(clock, "left"), 1e9);
        const double seconds = std::min(json_number(json_find(line, "seconds"), 10) / 2,
                                        left / 20 + json_number(json_find(clock, "increment"), 0));
        std::size_t size = 0;
        const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(json_bytes(json_find(line, "state"), &size),
                                                                         &std::free);
        const std::uint64_t number = std::stoull(text_of(json_find(line, "number")));
        if (table_ == nullptr || bytes == nullptr) throw OptionError("there is no position");
        const std::string_view state(reinterpret_cast<const char*>(bytes.get()), size);
        return table_->choose(state, number, playouts_, [&](int round, const std::string& token) {
            const bool enough =
                Seconds(std::chrono::steady_clock::now() - began).count() > seconds || bot_stopped(&in_);
            if (second_ && !enough && (round & (round - 1)) == 0) say("info", R"(,"line":[)" + quoted(token) + "]");
            return enough;
        });
    }

    bot_lines in_{};
    std::unique_ptr<Table> table_;
    int playouts_ = 50;
    bool second_ = false;
};

}  // namespace

int main(int count, char** words) {
    if (count == 1) {
        Bot().run();
        return 0;
    }
    if (count < 4) {
        std::cerr << "usage: bot, or bot GAME N PLAYOUTS [OPTION=VALUE ...]\n";
        return 2;
    }
    try {
        Value::Object options;
        for (int i = 4; i < count; ++i) {
            if (!add_option(options, words[i]))
                throw OptionError("expected OPTION=VALUE, got " + std::string(words[i]));
        }
        return run(words[1], std::stoull(words[2]), std::stoi(words[3]), options);
    } catch (const std::exception& error) {
        std::cerr << "bot: " << error.what() << '\n';
        return 2;
    }
}
