// SPDX-License-Identifier: MIT
// The C table under sanitizers: games played through it are those of the core, its hot calls
// allocate nothing, and what it refuses it leaves alone.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "check.hpp"
#include "tilery/any/game_of.hpp"
#include "tilery/any/kinds.hpp"
#include "tilery/c/table.hpp"
#include "tilery/search/learned.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// Counts what the whole program allocates. Not inlined, or GCC sees new and free that do not match.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tilery::tests {

void test_c_table(std::string_view name, const Value::Object& options);

namespace {

// A game as the table knows it.
template <Game G>
using Made = any::GameOf<G>;

template <Game G>
void play_through_table(const Made<G>& made, std::uint64_t seed) {
    // Behind a volatile pointer, as it is for those who get it from a capsule.
    const tilery_api* volatile const hidden = tilery_find_api(G::kName.data());
    const tilery_api& api = *hidden;
    const G& game = made.game();
    const tilery_game* const handle = c::handle_of(made);
    typename G::State core = game.initial_state();
    Rng core_rng(seed, 3);
    std::vector<std::uint64_t> memory((api.state_size + 7) / 8), other(memory.size());
    std::vector<std::int32_t> actions(static_cast<std::size_t>(api.num_distinct_actions(handle)));
    std::vector<std::uint32_t> weights(actions.size());
    const auto capacity = static_cast<std::uint32_t>(actions.size());
    std::array<std::int32_t, TILERY_MAX_PLAYERS> scores{};
    std::array<double, TILERY_MAX_PLAYERS> returns{};
    tilery_rng rng;
    void* const state = memory.data();
    const auto same = [&] { return std::memcmp(state, &core, sizeof core) == 0; };

    const std::uint64_t before = allocations;
    api.seed_rng(&rng, seed, 3);
    CHECK(api.initial_state(handle, state) == TILERY_OK);
    while (api.is_terminal(handle, state) == 0) {
        std::uint32_t count = 0, total = 0;
        CHECK(api.legal_actions(handle, state, actions.data(), capacity, &count) == TILERY_OK && count > 0);
        CHECK(api.num_legal_actions(handle, state) == static_cast<std::int32_t>(count));
        CHECK(api.legal_action(handle, state, count - 1) == actions[count - 1]);
        const std::int32_t action = api.random_action(handle, state, &rng);
        CHECK(api.is_legal(handle, state, action) == 1);
        CHECK(api.chance_outcomes(handle, state, actions.data(), weights.data(), capacity, &count, &total) ==
              TILERY_OK);
        api.scores(handle, state, scores.data());
        api.returns(handle, state, returns.data());
        std::memcpy(other.data(), state, api.state_size);
        const std::uint64_t counted = allocations;
        std::uint64_t hash = 0;
        CHECK(api.information_state_hash(handle, state, 0, &hash) == TILERY_OK);
        CHECK(hash == information_state_hash(game, core, 0));
        allocations = counted;  // the canonical form of a position may allocate
        std::int32_t seen = 0;
        CHECK(api.action_seen_by(handle, state, 0, action, &seen) == TILERY_OK);
        CHECK(seen == action || seen == TILERY_UNSEEN);
        CHECK(api.apply_checked(handle, state, action) == TILERY_OK);
        CHECK(api.legal_actions(handle, other.data(), actions.data(), capacity, &count) == TILERY_OK);
        const auto at = static_cast<std::uint32_t>(std::find(actions.begin(), actions.end(), action) - actions.begin());
        CHECK(api.apply_nth(handle, other.data(), at) == TILERY_OK);
        CHECK(api.same_position(handle, other.data(), state) == 1);
        CHECK(allocations == before);
        const Player player = game.current_player(core);
        CHECK((player == kChance) == (total > 0));
        game.apply_action(
            core, player == kChance ? random_outcome(game, core, core_rng) : random_decision(game, core, core_rng));
        CHECK(same());
    }
    CHECK(api.initial_state(handle, other.data()) == TILERY_OK);
    api.seed_rng(&rng, seed, 3);
    api.playout(handle, other.data(), &rng, nullptr);
    CHECK(allocations == before);
    CHECK(api.same_position(handle, other.data(), state) == 1);
    CHECK(api.hash_state(handle, other.data()) == api.hash_state(handle, state));
}

template <Game G>
void refuse_through_table(const Made<G>& made) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const G& game = made.game();
    const tilery_game* const handle = c::handle_of(made);
    std::vector<std::uint64_t> memory((api.state_size + 7) / 8);
    void* const state = memory.data();
    CHECK(api.initial_state(handle, state) == TILERY_OK);
    const std::vector<std::uint64_t> begun = memory;
    std::uint32_t count = 0;
    CHECK(api.legal_actions(handle, state, nullptr, 0, &count) == TILERY_BUFFER_TOO_SMALL && count > 0);
    CHECK(api.legal_action(handle, state, count) == TILERY_BAD_ARGUMENT);
    CHECK(api.apply_checked(handle, state, api.num_distinct_actions(handle)) == TILERY_ILLEGAL_ACTION);
    CHECK(std::string_view(api.last_error()).starts_with(G::kName));
    CHECK(api.apply_nth(handle, state, count) == TILERY_BAD_ARGUMENT);
    CHECK(api.information_state_hash(handle, state, -1, nullptr) == TILERY_BAD_ARGUMENT);
    CHECK(api.information_state_hash(handle, state, 0, nullptr) == TILERY_BAD_ARGUMENT);
    CHECK(api.action_seen_by(handle, state, game.num_players(), 0, nullptr) == TILERY_BAD_ARGUMENT);
    std::int32_t seen = 0;
    CHECK(api.action_seen_by(handle, state, 0, -1, &seen) == TILERY_ILLEGAL_ACTION);
    std::size_t length = 0;
    CHECK(api.player_to_string(handle, state, -1, nullptr, 0, &length) == TILERY_BAD_ARGUMENT);
    std::vector<char> text(100'000);
    const auto told = [&] { return std::string_view(text.data(), length); };
    CHECK(api.player_to_string(handle, state, 0, text.data(), text.size(), &length) == TILERY_OK && !told().empty());
    CHECK(api.why_illegal(handle, state, -1, text.data(), text.size(), &length) == TILERY_OK);
    CHECK(told().starts_with("G-4: "));
    CHECK(api.describe_action(handle, 0, text.data(), text.size(), &length) == TILERY_OK && !told().empty());
    CHECK(api.describe_action(handle, -1, text.data(), text.size(), &length) == TILERY_PARSE_ERROR);
    CHECK(api.picks(handle, 0, text.data(), text.size(), &length) == TILERY_OK && told().starts_with("[\""));
    CHECK(api.picks(handle, -1, text.data(), text.size(), &length) == TILERY_PARSE_ERROR);
    CHECK(api.describe_pick(handle, "a:b", text.data(), text.size(), &length) == TILERY_OK && told() == "a b");
    CHECK(api.describe_pick(handle, nullptr, text.data(), text.size(), &length) == TILERY_BAD_ARGUMENT);
    for (const std::int32_t player : {0, TILERY_EVERYBODY}) {
        CHECK(api.picture(handle, state, player, TILERY_NO_ACTION, 1, nullptr, 0, &length) == TILERY_BUFFER_TOO_SMALL);
        text.resize(length + 1);
        CHECK(api.picture(handle, state, player, TILERY_NO_ACTION, 1, text.data(), text.size(), &length) == TILERY_OK);
        CHECK(told().starts_with("<svg ") && told().ends_with("</svg>"));
    }
    CHECK(api.picture(handle, state, game.num_players(), 0, 0, nullptr, 0, &length) == TILERY_BAD_ARGUMENT);
    CHECK(api.picture(handle, state, 0, -2, 0, nullptr, 0, &length) == TILERY_PARSE_ERROR);
    const auto draw = [&](std::int32_t part, std::int32_t ghost) {
        return api.draw(handle, state, 0, TILERY_NO_ACTION, 1, part, ghost, text.data(), text.size(), &length);
    };
    text.resize(200'000);
    CHECK(draw(TILERY_PART_BOARD, TILERY_NO_ACTION) == TILERY_OK && told().starts_with("<svg "));
    CHECK(draw(TILERY_PART_DATA, TILERY_NO_ACTION) == TILERY_OK && told().starts_with(R"({"title":)"));
    CHECK(draw(TILERY_PART_ALL, -2) == TILERY_ILLEGAL_ACTION);
    CHECK(draw(TILERY_PART_BOARD + 3 * TILERY_TURN, TILERY_NO_ACTION) == TILERY_OK && told().starts_with("<svg "));
    CHECK(draw(-1, TILERY_NO_ACTION) == TILERY_BAD_ARGUMENT);
    CHECK(draw(4 * TILERY_TURN, TILERY_NO_ACTION) == TILERY_BAD_ARGUMENT);
    text.resize(100'000);
    CHECK(api.options(text.data(), text.size(), &length) == TILERY_OK);
    CHECK(told().starts_with(R"([{"name":"players","default":)"));
    CHECK(api.rules(handle, text.data(), text.size(), &length) == TILERY_OK && told().starts_with(R"({"players":)"));
    CHECK(api.hides_information(handle) == (game.hides_information() ? 1 : 0));
    CHECK(api.observation_size(handle) > 0 && api.state_size <= TILERY_MAX_STATE_SIZE);
    CHECK(api.fewest_points_win(handle) == (G::kFewestPointsWin ? 1 : 0));
    CHECK(api.serialize(handle, state, nullptr, 0, &length) == TILERY_BUFFER_TOO_SMALL);
    std::vector<char> bytes(length);
    CHECK(api.serialize(handle, state, bytes.data(), length, nullptr) == TILERY_OK);
    std::memset(bytes.data() + kEnvelopeHead, 0xFF, api.state_size);
    CHECK(api.deserialize(handle, bytes.data(), length, state) == TILERY_STATE_DATA_ERROR);
    CHECK(memory == begun);
    // With a checksum that fits, bytes are refused only after they were looked at as a state.
    const std::uint64_t checksum = hash_bytes(std::as_bytes(std::span(bytes.data(), length - kEnvelopeTail)));
    std::memcpy(bytes.data() + length - kEnvelopeTail, &checksum, sizeof checksum);
    CHECK(api.deserialize(handle, bytes.data(), length, state) == TILERY_STATE_DATA_ERROR);
    CHECK(std::string_view(api.last_error()).find("impossible") != std::string_view::npos);
    CHECK(memory == begun);
    tilery_game* none = nullptr;
    const std::string longer = "players=" + std::string(5000, '9');
    const std::string deep = "players=" + std::string(100'000, '[') + std::string(100'000, ']');
    for (const char* const word : {"players=77", "players", "nonsense=1", longer.c_str(), deep.c_str()}) {
        CHECK(api.new_game(&word, 1, &none) == TILERY_OPTION_ERROR && none == nullptr);
        CHECK(std::string_view(api.last_error()).size() > 8);
    }
    CHECK(api.new_game(nullptr, 0, &none) == TILERY_OK);
    api.free_game(none);
    api.free_game(nullptr);
}

// A search finds through the table what it chooses by; a call that fails takes no number.
template <Game G>
void analyse_through_table(tilery_policy* policy, const typename G::State& state, tilery_rng rng) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const tilery_rng before = rng;
    std::size_t length = 0;
    CHECK(api.analyse(policy, &state, 3, &rng, nullptr, 0, &length) == TILERY_BUFFER_TOO_SMALL && length > 0);
    CHECK(rng.s0 == before.s0 && rng.s1 == before.s1);
    std::string text(length + 1, '\0');
    CHECK(api.analyse(policy, &state, 3, &rng, text.data(), text.size(), &length) == TILERY_OK);
    CHECK(rng.s0 != before.s0 || rng.s1 != before.s1);
    tilery_rng again = before;
    const std::int32_t chosen = api.choose(policy, &state, &again);
    CHECK(text.find("\"best\":" + std::to_string(chosen) + ",") != std::string::npos);
    CHECK(text.find("{\"action\":" + std::to_string(chosen) + ",") != std::string::npos);
}

// Loads a network that adds nothing to points, for a game with inputs; false for one without.
template <Game G>
[[nodiscard]] bool load_network(const G& game, const tilery_api& api) {
    CHECK(api.load_weights(nullptr, 3) == TILERY_BAD_ARGUMENT);
    CHECK(api.load_weights("what", 4) == TILERY_BAD_ARGUMENT);
    CHECK(std::string_view(api.last_error()).find("network") != std::string_view::npos);
    if constexpr (HasInputs<G>) {
        net::Weights weights;
        weights.rows.resize(G::kNumInputs);
        weights.direct.resize(G::kNumInputs);
        const std::uint64_t hash = search::Learned<G>::inputs_hash(game);
        const net::Heading heading{std::string(G::kName), hash, static_cast<std::uint32_t>(G::kNumInputs), "{}"};
        const std::string bytes = net::Network(heading, weights).write();
        CHECK(api.load_weights(bytes.data(), bytes.size() - 1) == TILERY_BAD_ARGUMENT);
        CHECK(api.load_weights(bytes.data(), bytes.size()) == TILERY_OK);
        return true;
    } else {
        return false;
    }
}

// A policy chooses through the table as it does without, and says what is wrong with a text.
template <Game G>
void choose_through_table(const Made<G>& made) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const G& game = made.game();
    const tilery_game* const handle = c::handle_of(made);
    tilery_policy* policy = nullptr;
    CHECK(api.new_policy(handle, "best", &policy) == TILERY_BAD_ARGUMENT && policy == nullptr);
    CHECK(std::string_view(api.last_error()).find("there are random") != std::string_view::npos);
    CHECK(api.new_policy(handle, nullptr, &policy) == TILERY_BAD_ARGUMENT);
    std::vector<const char*> texts{"random", "greedy", "uct:20"};
    if (load_network(game, api)) texts.push_back("nn");
    for (const char* const text : texts) {
        CHECK(api.new_policy(handle, text, &policy) == TILERY_OK);
        search::Chooser<G> chooser(game, search::parse_policy(text));
        typename G::State state = game.initial_state();
        tilery_rng rng;
        api.seed_rng(&rng, 3, 4);
        Rng core_rng(3, 4);
        for (int decisions = 0; decisions < 8 && game.current_player(state) != kTerminal;) {
            if (game.current_player(state) == kChance) {
                CHECK(api.choose(policy, &state, &rng) == TILERY_BAD_ARGUMENT);
                CHECK(api.analyse(policy, &state, 3, &rng, nullptr, 0, nullptr) == TILERY_BAD_ARGUMENT);
                game.apply_action(state, random_outcome(game, state, core_rng));
                rng = std::bit_cast<tilery_rng>(core_rng);
                continue;
            }
            if (std::string_view(text).starts_with("uct")) analyse_through_table<G>(policy, state, rng);
            const Action action = chooser.choose(state, core_rng.next());
            CHECK(api.choose(policy, &state, &rng) == action);
            const auto actions = game.legal_actions(state);
            std::uint32_t i = 0;
            while (actions[i] != action) ++i;
            typename G::State next = state;
            api.apply_nth(handle, &next, i);
            game.apply_action(state, action);
            CHECK(same_position(game, next, state));
            ++decisions;
        }
        api.free_policy(policy);
    }
    api.free_policy(nullptr);
}

// What a function of the caller of a search is handed.
struct Asked {
    const tilery_api* api;
    int values = 0, orders = 0;
};
void points_now(const tilery_game* game, const void* state, void* data, double* points) {
    auto& asked = *static_cast<Asked*>(data);
    std::array<std::int32_t, TILERY_MAX_PLAYERS> scores{};
    CHECK(asked.api->scores_if_over(game, state, scores.data()) == TILERY_OK);
    std::copy_n(scores.begin(), asked.api->num_players(game), points);
    ++asked.values;
}
void greatest_first(const tilery_game*, const void*, void* data, const std::int32_t* actions, std::uint32_t count,
                    double* priorities) {
    std::copy_n(actions, count, priorities);
    ++static_cast<Asked*>(data)->orders;
}
void nothing(const tilery_game*, const void*, void*, double* points) { points[0] = std::nan(""); }

// A search that asks the caller what the points are finds what one does that counts them itself.
template <Game G>
void search_through_table(const Made<G>& made) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const tilery_game* const handle = c::handle_of(made);
    typename G::State state = made.game().initial_state();
    tilery_rng rng;
    api.seed_rng(&rng, 5, 6);
    while (api.current_player(handle, &state) < 0) {
        api.apply_action(handle, &state, api.random_action(handle, &state, &rng));
    }
    const tilery_rng before = rng;
    Asked asked{&api};
    const auto found = [&](tilery_policy* policy) {
        std::string text(1 << 16, ' ');
        std::size_t length = 0;
        rng = before;
        CHECK(api.analyse(policy, &state, 9, &rng, text.data(), text.size(), &length) == TILERY_OK);
        api.free_policy(policy);
        return text.substr(0, length);
    };
    tilery_policy *own = nullptr, *given = nullptr, *ordered = nullptr;
    const char* const text = "mcts:40,tuning=depth:2+best:1+prospects:0";
    CHECK(api.new_policy(handle, text, &own) == TILERY_OK);
    CHECK(api.new_search(handle, text, points_now, nullptr, &asked, &given) == TILERY_OK);
    CHECK(api.new_search(handle, text, nullptr, greatest_first, &asked, &ordered) == TILERY_OK);
    CHECK(found(given) == found(own) && asked.values > 0 && asked.orders == 0);
    CHECK(!found(ordered).empty() && asked.orders > 0);
    CHECK(api.new_search(handle, text, nothing, nullptr, nullptr, &own) == TILERY_OK);
    rng = before;
    CHECK(api.choose(own, &state, &rng) == TILERY_BAD_ARGUMENT && rng.s0 == before.s0 && rng.s1 == before.s1);
    api.free_policy(own);
    for (const char* const wrong : {"uct:40", "mcts:40,eval=nn", "best"}) {
        CHECK(api.new_search(handle, wrong, points_now, nullptr, &asked, &own) == TILERY_BAD_ARGUMENT);
    }
    CHECK(api.new_search(handle, nullptr, nullptr, nullptr, nullptr, &own) == TILERY_BAD_ARGUMENT);
    CHECK(api.new_search(handle, text, nullptr, nullptr, nullptr, nullptr) == TILERY_BAD_ARGUMENT);
}

// The views of a position are those of its game, whole or not at all.
template <Game G>
void view_through_table(const Made<G>& made) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const tilery_game* const handle = c::handle_of(made);
    typename G::State state = made.game().initial_state();
    Rng rng(1, 1);
    playout(made.game(), state, rng);
    for (const any::RowView& view : made.kind().rows) {
        const std::vector<std::byte> expected = view.ask(made, &state);
        std::vector<std::byte> bytes(expected.size());
        std::uint32_t count = 0;
        const auto rows = static_cast<std::uint32_t>(expected.size() / view.size);
        CHECK(api.view(handle, &state, view.name, view.size, nullptr, 0, &count) ==
              (rows > 0 ? TILERY_BUFFER_TOO_SMALL : TILERY_OK));
        CHECK(count == rows);
        CHECK(api.view(handle, &state, view.name, view.size, bytes.data(), rows, nullptr) == TILERY_OK);
        CHECK(bytes == expected);
        CHECK(api.view(handle, &state, view.name, view.size + 1, bytes.data(), rows, &count) == TILERY_BAD_ARGUMENT);
    }
    CHECK(api.view(handle, &state, "moon", 1, nullptr, 0, nullptr) == TILERY_BAD_ARGUMENT);
    CHECK(std::string_view(api.last_error()).find("there is no view moon; there are: ") == 0);
    CHECK(api.view(handle, &state, nullptr, 1, nullptr, 0, nullptr) == TILERY_BAD_ARGUMENT);
}

// A driver plays the games of playout, from the beginning and from a state, and refuses what is not there.
template <Game G>
void play_by_driver(const Made<G>& made, std::uint64_t seed) {
    const tilery_api& api = *tilery_find_api(G::kName.data());
    const G& game = made.game();
    const tilery_game* const handle = c::handle_of(made);
    CHECK(api.new_driver(handle, nullptr) == TILERY_BAD_ARGUMENT);
    tilery_driver* driver = nullptr;
    CHECK(api.new_driver(handle, &driver) == TILERY_OK);
    CHECK(api.play(driver, 0) == TILERY_BAD_ARGUMENT);
    tilery_rng rng;
    api.seed_rng(&rng, seed, 1);
    typename G::State expected = game.initial_state(), middle{};
    tilery_rng middle_rng{};
    Rng core(seed, 1);
    playout(game, expected, core);
    tilery_rng* const stream = api.driver_rng(driver);
    const auto now = [&] { return *static_cast<const typename G::State*>(api.driver_state(driver)); };
    const auto stands_at = [&](const typename G::State& state) {
        return std::memcmp(api.driver_state(driver), &state, sizeof state) == 0;
    };
    const auto play_on = [&](std::int32_t legal) {
        for (int step = 0; legal > 0; ++step) {
            if (step == 3) {
                middle = now();
                middle_rng = *stream;
                CHECK(api.play(driver, static_cast<std::uint32_t>(legal)) == TILERY_BAD_ARGUMENT);
                CHECK(stands_at(middle));
            }
            tilery_rng inlined = *stream;
            const std::uint32_t i = api.below(stream, static_cast<std::uint32_t>(legal));
            CHECK(tilery_below(&inlined, static_cast<std::uint32_t>(legal)) == i);
            CHECK(inlined.s0 == stream->s0 && inlined.s1 == stream->s1);
            legal = api.play(driver, i);
        }
        CHECK(stands_at(expected));
        CHECK(api.play(driver, 0) == TILERY_BAD_ARGUMENT);
    };
    const std::uint64_t before = allocations;
    const std::int32_t first = api.drive(driver, nullptr, &rng);
    CHECK(allocations == before);
    play_on(first);
    play_on(api.drive(driver, &middle, &middle_rng));
    CHECK(api.drive(driver, &expected, &rng) == 0);
    api.free_driver(driver);
    api.free_driver(nullptr);
}

}  // namespace

void test_c_table(std::string_view name, const Value::Object& options) {
    any::for_each_kind([&]<Game G, auto kind>() {
        if (G::kName != name) return;
        const any::GameKind known = kind();
        // Made by the table's own code: to make one here would compile all of it for every game again.
        const std::unique_ptr<any::AnyGame> owned = known.make(known, options);
        const auto& made = static_cast<const Made<G>&>(*owned);
        for (std::uint64_t seed = 0; seed < 3; ++seed) play_through_table(made, seed);
        for (std::uint64_t seed = 0; seed < 3; ++seed) play_by_driver(made, seed);
        refuse_through_table(made);
        choose_through_table(made);
        search_through_table(made);
        view_through_table(made);
    });
}

}  // namespace tilery::tests
