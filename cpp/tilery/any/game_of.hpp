// SPDX-License-Identifier: MIT
// AnyGame for any Game. Only the one source of each game includes this (<game>.cpp in this folder).
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/any/game.hpp"
#include "tilery/core/decisions.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/core/views.hpp"
#include "tilery/search/chooser.hpp"
#include "tilery/search/evaluated.hpp"
#include "tilery/simulation/arrays.hpp"

#ifndef TILERY_ONLY_C
#include "tilery/simulation/policies.hpp"
#include "tilery/simulation/simulate.hpp"
#endif

namespace tilery::any {

// Batches and views, which the C table does not have, are left out of libraries with the table alone, such as
// tilery.wasm, which has no threads.
#ifdef TILERY_ONLY_C
inline constexpr bool kOnlyC = true;
#else
inline constexpr bool kOnlyC = false;
#endif
// Structs are nothing that JavaScript could read.
#ifdef __wasm__
inline constexpr bool kRows = false;
#else
inline constexpr bool kRows = true;
#endif
[[noreturn]] inline void only_c() { throw std::logic_error("this build has the calls of the C table only"); }

template <Game G>
[[nodiscard]] GameFacts facts_of(const G& game) {
    return {.num_players = game.num_players(),
            .num_distinct_actions = game.num_distinct_actions(),
            .num_chance_actions = game.num_chance_actions(),
            .max_decisions = game.max_decisions(),
            .max_chance_nodes = game.max_chance_nodes(),
            .max_game_length = game.max_decisions() + game.max_chance_nodes(),
            .fewest_points_win = bool{G::kFewestPointsWin},
            .hides_information = game.hides_information(),
            .min_utility = tilery::min_utility(game),
            .num_inputs = num_inputs_of<G>(),
            .score_sources = names_of(tilery::score_sources<G>()),
            .observation_shape = shape_of(game.observation_parts()),
            .observation_parts = game.observation_parts()};
}

#ifndef TILERY_ONLY_C
// One row of results (game.hpp, row_width).
template <Game G>
void write_row(std::uint8_t* row, const G& game, const typename G::State& state, Played played) {
    const auto put = [&row](const auto& item) {
        std::memcpy(row, &item, sizeof item);
        row += sizeof item;
    };
    const auto players = index(game.num_players());
    const auto utilities = returns(game, state);
    const auto scores = game.scores(state);
    for (std::size_t player = 0; player < players; ++player) put(utilities[player]);
    for (std::size_t player = 0; player < players; ++player) put(std::int32_t{scores[player]});
    put(played.actions);
    put(played.decisions);
}

template <Game G>
bool simulate_of(const G& game, const Simulation& simulation, const GoOn& go_on) {
    const Simulation& it = simulation;
    const auto begin = [&](std::uint64_t i) {
        typename G::State state = *static_cast<const typename G::State*>(it.start);
        if (it.viewer >= 0) {
            Rng rng = stream_of(it.seed, Purpose::deals(it.viewer), it.first + i);
            game.determinize(state, it.viewer, rng);
        }
        return state;
    };
    const auto done = [&, width = row_width(game.num_players())](std::uint64_t i, const typename G::State& state,
                                                                 Played played) {
        write_row(it.rows + i * width, game, state, played);
        if (it.over != nullptr) it.over->fetch_add(1, std::memory_order_relaxed);
    };
    const auto note = [&](std::uint64_t i, Action action) {
        if (it.tokens == nullptr) return;
        std::string& text = (*it.tokens)[static_cast<std::size_t>(i)];
        if (!text.empty()) text += ' ';
        text += game.action_to_string(action);
    };
    if (!it.line_up.seats.empty()) {
        return simulate(game, begin, it.line_up, it.seed, it.first, it.count, it.threads, note, done, go_on);
    }
    if (it.tokens != nullptr) return simulate(game, begin, it.seed, it.first, it.count, it.threads, note, done, go_on);
    return simulate(game, begin, it.seed, it.first, it.count, it.threads, Unwatched{}, done, go_on);
}
#endif

template <Game G>
class GameOf final : public AnyGame {
  public:
    using State = typename G::State;
    static_assert(alignof(State) <= 8, "the bytes of a state in a Python object are aligned to 8");
    static_assert(alignof(Slot<G>) <= 16 && std::is_trivially_destructible_v<Slot<G>>, "and those of a slot to 16");
    static_assert(std::is_trivially_copyable_v<State> && offsetof(Slot<G>, state) == 0, "a slot begins with a state");

    GameOf(const GameKind& kind, const typename G::Rules& rules) : AnyGame(kind), game_(rules) {
        set_facts(facts_of(game_), write_rules(game_.rules()));
    }

    [[nodiscard]] const G& game() const { return game_; }
    static const State& of(const void* state) { return *static_cast<const State*>(state); }
    static State& of(void* state) { return *static_cast<State*>(state); }

    [[nodiscard]] std::uint64_t fingerprint() const override { return rules_fingerprint(game_); }

    void initial_state(void* state) const override { new (state) State(game_.initial_state()); }
    [[nodiscard]] Player current_player(const void* state) const override { return game_.current_player(of(state)); }
    [[nodiscard]] std::uint32_t num_legal_actions(const void* state) const override {
        return with_actions(game_, of(state), [](std::uint32_t size, auto&&) { return size; });
    }
    bool list_actions(const void* state, const Listing& list) const override {
        return tilery::list_actions(game_, of(state), list);
    }
    void legal_actions(const void* state, std::vector<Action>& out) const override {
        with_actions(game_, of(state), [&out](std::uint32_t size, auto&& for_each) {
            out.reserve(size);
            for_each([&out](Action action) { out.push_back(action); });
        });
    }
    void mask(const void* state, std::uint8_t* out) const override {
        std::memset(out, 0, index(game_.num_distinct_actions()));
        with_actions(game_, of(state),
                     [out](std::uint32_t, auto&& for_each) { for_each([out](Action action) { out[action] = 1; }); });
    }
    [[nodiscard]] Outcomes chance_outcomes(const void* state, std::uint32_t& total) const override {
        Outcomes list;
        if (current_player(state) != kChance) return list;
        const auto outcomes = game_.chance_outcomes(of(state));
        total = outcomes.total();
        outcomes.for_each([&list](Action outcome, std::uint32_t weight) { list.emplace_back(outcome, weight); });
        return list;
    }
    void apply_checked(void* state, Action action) const override { tilery::apply_checked(game_, of(state), action); }
    [[nodiscard]] Action random_action(const void* state, Rng& rng) const override {
        return current_player(state) == kChance ? random_outcome(game_, of(state), rng)
                                                : random_decision(game_, of(state), rng);
    }
    void playout(void* state, Rng& rng) const override { tilery::playout(game_, of(state), rng); }
    [[nodiscard]] std::uint64_t perft(const void* state, int depth, const GoOn& go_on) const override {
        return tilery::perft(game_, of(state), depth, go_on);
    }
    [[nodiscard]] PerPlayer<int> scores(const void* state) const override { return game_.scores(of(state)); }
    [[nodiscard]] PerPlayer<int> scores_if_over(const void* state) const override {
        return tilery::scores_if_over(game_, of(state));
    }
    [[nodiscard]] PerPlayer<double> returns(const void* state) const override {
        return tilery::returns(game_, of(state));
    }

    [[nodiscard]] Value score_events(const void* state, Action action) const override {
        return tilery::score_events(game_, of(state), action);
    }

    [[nodiscard]] std::string action_to_string(Action action) const override { return game_.action_to_string(action); }
    [[nodiscard]] std::string describe_action(Action action) const override {
        return tilery::describe_action(game_, action);
    }
    [[nodiscard]] std::vector<std::string> picks(Action action) const override { return tilery::picks(game_, action); }
    [[nodiscard]] std::string describe_pick(std::string_view pick) const override {
        return tilery::describe_pick(game_, pick);
    }
    [[nodiscard]] Action string_to_action(std::string_view token) const override {
        return game_.string_to_action(token);
    }
    [[nodiscard]] std::string why_illegal(const void* state, Action action) const override {
        return tilery::why_illegal(game_, of(state), action);
    }
    [[nodiscard]] std::string to_string(const void* state, std::optional<Player> player) const override {
        return player ? tilery::to_string(game_, of(state), *player) : game_.to_string(of(state));
    }
    [[nodiscard]] std::string picture(const void* state, const PictureRequest& request) const override {
        return tilery::picture(game_, of(state), request);
    }
    [[nodiscard]] std::string public_state_string(const void* state) const override {
        return tilery::public_state_string(game_, of(state));
    }

    [[nodiscard]] Value information_state(const void* state, Player player) const override {
        return game_.information_state(of(state), player);
    }
    [[nodiscard]] std::uint64_t information_state_hash(const void* state, Player player) const override {
        return tilery::information_state_hash(game_, of(state), player);
    }
    [[nodiscard]] Action action_seen_by(const void* state, Player player, Action action) const override {
        check_legal(game_, of(state), action);
        return tilery::action_seen_by(game_, of(state), player, action);
    }
    void observe(const void* state, Player player, void* out, NumberKind kind) const override {
        const std::size_t size = facts().observation_size();
        const auto write = [&](auto numbers) { game_.observe(of(state), player, numbers); };
        if constexpr (kOnlyC) {
            write(std::span(static_cast<float*>(out), size));  // the C table has float32 alone
        } else {
            write_numbers(out, kind, size, facts().observation_parts, write);
        }
    }
    void determinize(void* state, Player player, Rng& rng) const override { game_.determinize(of(state), player, rng); }

    [[nodiscard]] bool same_position(const void* a, const void* b) const override {
        return tilery::same_position(game_, of(a), of(b));
    }
    void inputs(const void* state, Player player, Inputs& out) const override {
        list_inputs(game_, of(state), player, out);
        out.sort();
    }
    [[nodiscard]] std::string input_name(InputId id) const override { return tilery::name_of_input(game_, id); }
    [[nodiscard]] std::uint64_t hash(const void* state) const override { return hash_state(game_, of(state)); }
    [[nodiscard]] std::string serialize(const void* state) const override {
        return tilery::serialize(game_, of(state));
    }
    void deserialize(std::string_view data, void* state) const override {
        const State read = tilery::deserialize(game_, data);  // an error leaves the caller's memory alone
        new (state) State(read);
    }
    [[nodiscard]] Value position(const void* state) const override {
        if constexpr (HasPosition<G>) return game_.position(of(state));
        return {};
    }
    void state_of(const Value& position, void* state) const override {
        if constexpr (HasPosition<G>) new (state) State(state_of_position(game_, position));
    }

    Decision begin(void* memory, Rng rng) const override {
        auto* const slot = new (memory) Slot<G>;
        slot->rng = rng;
        new (&slot->state) State(game_.initial_state());  // in place, without a copy
        return tilery::settle(game_, *slot);
    }
    Decision settle(void* slot) const override { return tilery::settle(game_, *static_cast<Slot<G>*>(slot)); }
    Decision play(void* slot, std::uint32_t pick) const override {
        return Loops<G>::step(game_, *static_cast<Slot<G>*>(slot), pick);
    }
    void play_all(void* memory, const std::uint32_t* picks, std::size_t size, bool fetches,
                  std::uint32_t* num_legal_actions, std::int8_t* players) const override {
        Loops<G>::step_all(game_, static_cast<Slot<G>*>(memory), picks, size, fetches, num_legal_actions, players);
    }
    Steps play_row(void* slot, Decision now, const Uniforms& uniforms, std::size_t size,
                   const void* next) const override {
        return std::visit(
            [&](const auto* numbers) {
                return step_row(game_, *static_cast<Slot<G>*>(slot), now, std::span(numbers, size),
                                static_cast<const Slot<G>*>(next));
            },
            uniforms);
    }
    void write_legal(const void* slot, LegalForm form, void* out) const override {
        const auto& actions = static_cast<const Slot<G>*>(slot)->actions;
        switch (form) {
            case LegalForm::kIds:
                return actions.for_each(
                    [to = static_cast<std::int32_t*>(out)](Action action) mutable { *to++ = action; });
            case LegalForm::kBytes:
                return actions.for_each([to = static_cast<std::uint8_t*>(out)](Action action) { to[action] = 1; });
            case LegalForm::kBits:
                return actions.for_each([to = static_cast<std::uint8_t*>(out)](Action action) {
                    to[action >> 3] = static_cast<std::uint8_t>(to[action >> 3] | (1U << (action & 7)));
                });
        }
    }
    [[nodiscard]] std::optional<std::uint32_t> index_in(const void* slot, Action action) const override {
        return tilery::index_in(static_cast<const Slot<G>*>(slot)->actions, action);
    }

    bool simulate(const Simulation& simulation, const GoOn& go_on) const override {
        if constexpr (!kOnlyC) return simulate_of(game_, simulation, go_on);
        only_c();
    }
    [[nodiscard]] std::unique_ptr<AnyChooser> chooser(const search::Policy& policy) const override {
        return std::make_unique<search::Chooser<G>>(game_, policy);
    }
    [[nodiscard]] search::Expectation expect(const search::Nn& policy, const void* state) const override {
        return search::Learned<G>(game_, policy).expect(of(state));
    }
    [[nodiscard]] net::Heads judge(const std::string& network, const void* state, Player player) const override {
        return search::Learned<G>(game_, {.eval = network}).judge(of(state), player);
    }
    [[nodiscard]] net::Samples self_play(const std::string& network, const SelfPlay& plan,
                                         const GoOn& go_on) const override {
        if constexpr (!kOnlyC) return tilery::self_play(game_, network, plan, go_on);
        only_c();
    }
    [[nodiscard]] std::uint64_t inputs_hash() const override { return search::Learned<G>::inputs_hash(game_); }
    [[nodiscard]] std::unique_ptr<AnyTree> tree(const void* root, Rng rng, float c) const override {
        if constexpr (!kOnlyC) return std::make_unique<search::Evaluated<G>>(game_, of(root), rng, c);
        only_c();
    }

  private:
    const G game_;
};

// The kind of a game without its views.
template <Game G>
[[nodiscard]] GameKind kind_of(const char* doc) {
    using Rules = typename G::Rules;
    GameKind kind{.name = G::kName,
                  .doc = doc,
                  .state_size = sizeof(typename G::State),
                  .slot_size = sizeof(Slot<G>),
                  .stream_at = offsetof(Slot<G>, rng),
                  .options = describe_options<Rules>(),
                  .defaults = write_rules(Rules{}),
                  .file = {},
                  .shipped = {},
                  .has_position = HasPosition<G>,
                  .make = [](const GameKind& of_it, const Value::Object& options) -> std::unique_ptr<AnyGame> {
                      return std::make_unique<GameOf<G>>(of_it, read_rules<Rules>(options));
                  }};
    if constexpr (requires { Rules::kFileOption; }) {
        kind.file = Rules::kFileOption;
        kind.shipped.assign(Rules::kShipped.begin(), Rules::kShipped.end());
    }
    return kind;
}

// A type of numbers of arrays, as NumPy writes it.
template <class T>
[[nodiscard]] constexpr char type_character() {
    if constexpr (std::is_same_v<T, bool>) return '?';
    if constexpr (std::is_same_v<T, std::int16_t>) return 'h';
    return std::is_signed_v<T> ? 'b' : 'B';
}

// An array of this shape, in C order from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] Array filled(std::vector<std::size_t> shape, F&& item) {
    const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    Array array{type_character<T>(), std::move(shape), std::vector<std::byte>(size * sizeof(T))};
    for (std::size_t i = 0; i < size; ++i) {
        const T value = static_cast<T>(item(i));
        std::memcpy(array.data.data() + i * sizeof value, &value, sizeof value);
    }
    return array;
}

// An array [size], from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] Array row(std::size_t size, F&& item) {
    return filled<T>({size}, item);
}

// An array [rows, columns], from cell(row, column).
template <class T, class F>
[[nodiscard]] Array table(std::size_t rows, std::size_t columns, F&& cell) {
    return filled<T>({rows, columns}, [&](std::size_t i) { return cell(i / columns, i % columns); });
}

// An array of one member of each row: [rows], or [rows, extent].
template <class T, class Row, class Member>
[[nodiscard]] Array column(const std::vector<Row>& rows, Member Row::* member) {
    if constexpr (std::is_array_v<Member>) {
        return table<T>(rows.size(), std::extent_v<Member>,
                        [&](auto i, auto place) { return (rows[i].*member)[place]; });
    } else {
        return row<T>(rows.size(), [&](auto i) { return rows[i].*member; });
    }
}

// The field of a row, for NumPy.
template <class T>
[[nodiscard]] RowField field_of(const char* name, std::size_t offset) {
    using Item = std::remove_all_extents_t<T>;
    std::string format = (std::is_signed_v<Item> ? "i" : "u") + std::to_string(sizeof(Item));
    if constexpr (std::is_array_v<T>) format = "(" + std::to_string(std::extent_v<T>) + ",)" + format;
    return {name, std::move(format), offset};
}

// The Game behind an AnyGame.
template <Game G>
[[nodiscard]] const G& game_in(const AnyGame& any) {
    return static_cast<const GameOf<G>&>(any).game();
}

// Adds views of states to a kind; ask takes (const G&, const State&), and the argument where there is one.
template <Game G>
class Views {
  public:
    using State = typename G::State;

    explicit Views(GameKind& kind) : kind_(kind) {}

    void add(const char* name, const char* doc, auto ask) const {
        const auto without_argument = [ask](const G& game, const State& state, int) { return ask(game, state); };
        add_of_number(name, doc, nullptr, 0, without_argument);
    }
    void add_of_player(const char* name, const char* doc, auto ask) const {
        add_of_number(name, doc, "player", 0, ask);
    }
    // Of a number in [0, limit).
    void add_of_number(const char* name, const char* doc, const char* argument, int limit, auto ask) const {
        if constexpr (!kOnlyC)
            kind_.views.push_back({name, doc,
                                   [ask](const AnyGame& any, const void* state, int given) -> Shown {
                                       return ask(game_in<G>(any), *static_cast<const State*>(state), given);
                                   },
                                   argument, limit});
    }
    // An array of one member of what rows(game, state) lists.
    template <class T>
    void add_column(const char* name, const char* doc, auto rows, auto member) const {
        add(name, doc, [=](const G& game, const State& state) { return column<T>(rows(game, state), member); });
    }
    // Structs, from a list that ask returns; with a text for Python and the fields, a method there too.
    template <class Ask>
    void add_rows(const char* name, Ask ask, const char* doc = nullptr, std::vector<RowField> fields = {}) const {
        using Row = typename std::invoke_result_t<Ask, const G&, const State&>::value_type;
        static_assert(std::has_unique_object_representations_v<Row>);
        if constexpr (kRows) {
            const auto bytes = [ask](const AnyGame& any, const void* state) {
                const auto rows = ask(game_in<G>(any), *static_cast<const State*>(state));
                const auto raw = std::as_bytes(std::span(rows));
                return std::vector(raw.begin(), raw.end());
            };
            kind_.rows.push_back({name, sizeof(Row), bytes, doc, std::move(fields)});
        }
    }
    // A property of the game.
    void add_property(const char* name, const char* doc, auto ask) const {
        if constexpr (!kOnlyC)
            kind_.properties.push_back(
                {name, doc, [ask](const AnyGame& any) -> Shown { return ask(game_in<G>(any)); }});
    }

  private:
    GameKind& kind_;
};

}  // namespace tilery::any
