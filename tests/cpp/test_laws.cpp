// SPDX-License-Identifier: MIT
// The laws that matter under sanitizers: random games of every game, every question asked on the
// way, and states made of changed bytes that are refused or played to their end.
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/playout.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/core/views.hpp"
#include "tilery/simulation/arrays.hpp"
#include "tilery/simulation/games.hpp"

namespace tilery::tests {

void test_laws(std::string_view name, const Value::Object& options);

namespace {

// The parts of an observation follow one another, fill its shape and keep their bounds; as other numbers they are
// integers, of which the floating-point numbers are fractions.
template <Game G>
void check_observation(const G& game, const typename G::State& state, Player player, const std::vector<float>& floats) {
    const std::vector<ObservationPart> parts = game.observation_parts();
    int offset = 0;
    for (const ObservationPart& part : parts) {
        CHECK(part.offset == offset && part.shape.front() > 0);
        int size = 1;
        for (const int length : part.shape) size *= length;
        offset += size;
        for (int i = part.offset; i < offset; ++i) {
            const float value = floats[static_cast<std::size_t>(i)];
            CHECK(value >= 0 && value <= part.high());
        }
    }
    CHECK(offset == static_cast<int>(floats.size()));
    const auto check_exact = [&]<class Number>(NumberKind kind, Number rubbish) {
        if (inexact_part<Number>(parts) != nullptr) return;
        std::vector<Number> numbers(floats.size(), rubbish);
        write_numbers(numbers.data(), kind, numbers.size(), parts, [&](auto out) { game.observe(state, player, out); });
        for (const ObservationPart& part : parts) {
            const auto end = &part == &parts.back() ? numbers.size() : static_cast<std::size_t>((&part + 1)->offset);
            for (auto i = static_cast<std::size_t>(part.offset); i < end; ++i) {
                CHECK(numbers[i] >= 0 && numbers[i] <= part.most);
                CHECK(static_cast<float>(static_cast<double>(numbers[i]) / part.divisor) == floats[i]);
            }
        }
    };
    check_exact(NumberKind::kUint8, std::uint8_t{0xA5});
    check_exact(NumberKind::kInt16, std::int16_t{-7});
}

// What a game tells of an id, whether or not it is legal here.
template <Game G>
void ask_about_id(const G& game, const typename G::State& state, Action action) {
    const std::string reason = why_illegal(game, state, action);
    CHECK(reason.empty() == is_legal(game, state, action));
    CHECK(reason.empty() || reason.find(": ") < 8);  // the number of a rule comes first
    if constexpr (HasDescribeAction<G>) CHECK(!game.describe_action(action).empty());
    if constexpr (HasPicks<G>) CHECK(!game.picks(action).empty());
    if constexpr (HasActionSeenBy<G>) {
        for (Player player = 0; reason.empty() && player < game.num_players(); ++player) {
            const Action seen = game.action_seen_by(state, player, action);
            CHECK(seen == action || seen == kUnseen);
        }
    }
}

// Inputs are in bounds and have names, and equal knowledge gives equal inputs and points.
template <Game G>
void ask_about_inputs(const G& game, const typename G::State& state) {
    Inputs here, there;
    if constexpr (!HasInputs<G>) {
        bool refused = false;
        try {
            list_inputs(game, state, 0, here);
        } catch (const WeightsError&) {
            refused = true;
        }
        CHECK(refused);
        return;
    }
    const bool over = game.current_player(state) == kTerminal;
    for (Player player = 0; player < game.num_players(); ++player) {
        typename G::State dealt = state;
        Rng rng(5, static_cast<std::uint64_t>(player));
        game.determinize(dealt, player, rng);
        list_inputs(game, state, player, here);
        list_inputs(game, canonical_form(game, dealt), player, there);
        here.sort();
        there.sort();
        CHECK(std::ranges::equal(here, there) && here.points == there.points);
        CHECK(!over || here.points == game.scores(state));
        for (const InputId id : here) CHECK(id < num_inputs_of<G>() && !name_of_input(game, id).empty());
    }
}

// Memory of earlier positions changes no input.
template <HasInputs G>
void ask_with_memory(const G& game, const typename G::State& state, InputMemory<G>& memory) {
    Inputs fresh, remembered;
    for (Player player = 0; player < game.num_players(); ++player) {
        list_inputs(game, state, player, fresh);
        list_inputs(game, state, player, remembered, memory);
        fresh.sort();
        remembered.sort();
        CHECK(std::ranges::equal(fresh, remembered) && fresh.points == remembered.points);
    }
}

template <Game G>
void ask_everything(const G& game, const typename G::State& state) {
    CHECK(game.fault(state).empty());
    CHECK(!game.to_string(state).empty());
    std::vector<float> floats(size_of(shape_of(game.observation_parts())));
    for (Player player = 0; player < game.num_players(); ++player) {
        typename G::State dealt = state;
        Rng rng(3, static_cast<std::uint64_t>(player));
        game.determinize(dealt, player, rng);
        CHECK(game.fault(dealt).empty());
        CHECK(game.information_state(dealt, player) == game.information_state(state, player));
        game.observe(state, player, std::span(floats));
        CHECK(game.hides_information() || std::memcmp(&dealt, &state, sizeof state) == 0);
        check_observation(game, state, player, floats);
        if constexpr (HasPlayerToString<G>) CHECK(!game.to_string(state, player).empty());
    }
    Rng rng(4, 4);
    for (int i = 0; i < 20; ++i) {
        const std::uint32_t ids = static_cast<std::uint32_t>(game.num_distinct_actions());
        ask_about_id(game, state, static_cast<Action>(rng.below(ids)));
    }
    if constexpr (HasPublicState<G>) CHECK(!game.public_state(state).json().empty());
    CHECK(picture(game, state, {.targets = true}).ends_with("</svg>"));
    CHECK(picture(game, state, {.viewer = 0, .last = 0, .targets = true}).ends_with("</svg>"));
    if constexpr (HasPosition<G>) {
        const typename G::State read = game.state_of(game.position(state));
        CHECK(game.fault(read).empty() && same_position(game, read, state));
    }
    const auto again = deserialize(game, serialize(game, state));
    CHECK(same_position(game, again, state));
    ask_about_inputs(game, state);
}

template <Game G>
void ask_about_actions(const G& game, const typename G::State& state) {
    const Player player = game.current_player(state);
    if (player < 0) return;
    const auto actions = game.legal_actions(state);
    CHECK(actions.size() > 0);
    std::uint32_t i = 0;
    Action last = -1;
    actions.for_each([&](Action action) {
        CHECK(action > last && action == actions[i]);
        if (i % 16 == 0) {
            CHECK(is_legal(game, state, action));
            CHECK(game.string_to_action(game.action_to_string(action)) == action);
        }
        // The gap between two legal actions is illegal.
        if (action > last + 1 && i % 8 == 0) CHECK(!is_legal(game, state, action - 1));
        last = action;
        ++i;
    });
    CHECK(i == actions.size());
    CHECK(!is_legal(game, state, last + 1) || last + 1 < game.num_distinct_actions());
    CHECK(!is_legal(game, state, -1) && !is_legal(game, state, game.num_distinct_actions()));
}

// The final scoring takes nothing from anybody.
template <HasScoresIfOver G>
void ask_final_scoring(const G& game, const typename G::State& state) {
    const PerPlayer<int> now = game.scores(state), then = game.scores_if_over(state);
    for (std::size_t player = 0; player < now.size(); ++player) CHECK(then[player] >= now[player]);
}

template <Game G>
void play_every_step(const G& game, std::uint64_t seed) {
    typename G::State state = game.initial_state();
    Rng rng(seed);
    int length = 0;
    [[maybe_unused]] int rounds = 0;
    [[maybe_unused]] InputMemory<G> memory;
    while (game.current_player(state) != kTerminal) {
        if constexpr (HasRoundBegins<G>) rounds += game.round_begins(state) ? 1 : 0;
        if (length % 10 == 0) ask_everything(game, state);
        CHECK(game.fault(state).empty());
        ask_about_actions(game, state);
        if constexpr (HasScoresIfOver<G>) ask_final_scoring(game, state);
        if constexpr (HasInputs<G>) ask_with_memory(game, state, memory);
        const Action action = game.current_player(state) == kChance ? random_outcome(game, state, rng)
                                                                    : random_decision(game, state, rng);
        game.apply_action(state, action);
        ++length;
    }
    ask_everything(game, state);
    CHECK(length <= game.max_decisions() + game.max_chance_nodes());
    if constexpr (HasScoresIfOver<G>) CHECK(game.scores_if_over(state) == game.scores(state));
    if constexpr (HasProspects<G>) CHECK(game.prospects(state) == PerPlayer<int>{});
    if constexpr (HasRoundBegins<G>) CHECK(rounds < length && !game.round_begins(state));
}

// What follows an accepted state by legal actions is accepted too, and the game ends in time.
template <Game G>
void play_accepted(const G& game, typename G::State& state, Rng& rng) {
    int decisions = 0, draws = 0;
    for (Player player = 0; (player = game.current_player(state)) != kTerminal;) {
        const Action action = player == kChance ? random_outcome(game, state, rng) : random_decision(game, state, rng);
        CHECK((action < game.num_chance_actions()) == (player == kChance));
        ++(player == kChance ? draws : decisions);
        game.apply_action(state, action);
        CHECK(game.fault(state).empty());
    }
    CHECK(decisions <= game.max_decisions() && draws <= game.max_chance_nodes());
}

// Changes a few bytes of a state that was reached, and plays on from every changed state that is accepted.
template <Game G>
void play_changed_states(const G& game, std::uint64_t seed, int rounds) {
    Rng rng(seed, 9);
    typename G::State state = game.initial_state();
    for (int round = 0; round < rounds; ++round) {
        if (game.current_player(state) == kTerminal) state = game.initial_state();
        for (std::uint32_t steps = rng.below(12); steps > 0 && game.current_player(state) != kTerminal; --steps) {
            game.apply_action(state, game.current_player(state) == kChance ? random_outcome(game, state, rng)
                                                                           : random_decision(game, state, rng));
        }
        for (int change = 0; change < 50; ++change) {
            typename G::State changed = state;
            const std::span bytes = std::as_writable_bytes(std::span(&changed, 1));
            for (std::uint32_t times = 1 + rng.below(3); times > 0; --times) {
                const auto at = rng.below(static_cast<std::uint32_t>(bytes.size()));
                const std::uint32_t value = rng.below(2) == 0
                                                ? rng.below(256)
                                                : std::to_integer<std::uint32_t>(bytes[at]) + 255 + 2 * rng.below(2);
                bytes[at] = static_cast<std::byte>(value);
            }
            if (!game.fault(changed).empty()) continue;
            static_cast<void>(game.to_string(changed));
            Rng luck(seed, static_cast<std::uint64_t>(change));
            play_accepted(game, changed, luck);
        }
    }
}

// Options that a C++ program fills in are checked like those from outside.
template <Game G>
void refuse_rules() {
    typename G::Rules rules;
    rules.players = kMaxPlayers + 1;
    bool refused = false;
    try {
        const G game(rules);
    } catch (const OptionError&) {
        refused = true;
    }
    CHECK(refused);
}

// A hook that a game has under its name has the signature of core/game.hpp.
template <Game G>
constexpr bool check_hooks() {
#define TILERY_HOOK(concept_name, member) \
    static_assert(concept_name<G> || !requires { &G::member; }, #member " has another signature than the hook")
    TILERY_HOOK(HasIsLegal, is_legal);
    TILERY_HOOK(HasApplyNth, apply_nth);
    TILERY_HOOK(HasApplyOutcome, apply_outcome);
    TILERY_HOOK(HasPhasesApart, kPhasesApart);
    TILERY_HOOK(HasCanonical, canonical);
    TILERY_HOOK(HasPositionHash, position_hash);
    TILERY_HOOK(HasWhyIllegal, why_illegal);
    TILERY_HOOK(HasActionSeenBy, action_seen_by);
    TILERY_HOOK(HasPublicState, public_state);
    TILERY_HOOK(HasPosition, position);
    TILERY_HOOK(HasPosition, state_of);
    TILERY_HOOK(HasDescribeAction, describe_action);
    TILERY_HOOK(HasPicks, picks);
    TILERY_HOOK(HasDescribePick, describe_pick);
    TILERY_HOOK(HasPicture, picture);
    TILERY_HOOK(HasScoresIfOver, scores_if_over);
    TILERY_HOOK(HasProspects, prospects);
    TILERY_HOOK(HasRoundBegins, round_begins);
    TILERY_HOOK(HasInputs, inputs);
    TILERY_HOOK(HasInputs, input_name);
    TILERY_HOOK(HasInputs, kNumInputs);
    TILERY_HOOK(HasJudgeable, judgeable);
    TILERY_HOOK(HasScoreEvents, score_events);
    TILERY_HOOK(HasScoreEvents, kScoreSources);
#undef TILERY_HOOK
    return true;
}

}  // namespace

void test_laws(std::string_view name, const Value::Object& options) {
    bool found = false;
    for_each_game([&]<Game G>() {
        if (G::kName != name) return;
        found = true;
        static_assert(check_hooks<G>());
        refuse_rules<G>();
        const G game(read_rules<typename G::Rules>(options));
        for (std::uint64_t seed = 0; seed < 3; ++seed) play_every_step(game, seed);
        play_changed_states(game, options.size(), 60);
    });
    CHECK(found);
}

}  // namespace tilery::tests
