// SPDX-License-Identifier: MIT
// The views of a state for a player, a spectator or a person: the optional hooks of a game, with defaults for
// games that need none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tilery/core/errors.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/picture.hpp"
#include "tilery/core/play.hpp"
#include "tilery/core/score_events.hpp"
#include "tilery/core/serialize.hpp"
#include "tilery/core/value_reader.hpp"

namespace tilery {

// An action about to be applied as a player sees it: its id, or kUnseen. In a game that hides something and does not
// say what, chance counts as unseen.
template <Game G>
[[nodiscard]] Action action_seen_by(const G& game, const typename G::State& state, Player player, Action action) {
    if constexpr (HasActionSeenBy<G>) {
        return game.action_seen_by(state, player, action);
    } else {
        return game.hides_information() && game.current_player(state) == kChance ? kUnseen : action;
    }
}

// The position as every spectator sees it, as JSON.
template <Game G>
[[nodiscard]] std::string public_state_string(const G& game, const typename G::State& state) {
    if constexpr (HasPublicState<G>) return game.public_state(state).json();
    if (game.hides_information()) throw std::logic_error("public_state is missing in a game that hides information");
    return game.information_state(state, 0).json();
}

// The board as a player may see it.
template <Game G>
[[nodiscard]] std::string to_string(const G& game, const typename G::State& state, Player player) {
    if constexpr (HasPlayerToString<G>) return game.to_string(state, player);
    return game.hides_information() ? game.information_state(state, player).json() : game.to_string(state);
}

// A hash of the player and of what they know. A determinization with a fixed stream follows from that alone, and has
// all of it.
template <Game G>
[[nodiscard]] std::uint64_t information_state_hash(const G& game, typename G::State state, Player player) {
    Rng rng(0);
    game.determinize(state, player, rng);
    const std::uint64_t viewer = mix(static_cast<std::uint64_t>(player) + 1);
    if constexpr (HasPositionHash<G>) return mix(game.position_hash(state) + viewer);
    return mix(hash_state(game, state) + viewer);
}

// The state that a readable position describes (Game::position); StateDataError if there is none.
template <Game G>
    requires HasPosition<G>
[[nodiscard]] typename G::State state_of_position(const G& game, const Value& position) {
    if (position.get<Value::Object>() == nullptr)
        throw StateDataError("position must be an object, got " + position.json());
    const typename G::State state = game.state_of(position);
    const std::string of = "position of " + std::string(G::kName);
    ValueReader(position, of).check_keys(game.position(state));
    if (const std::string fault = game.fault(state); !fault.empty()) {
        throw StateDataError(of + ": impossible: " + fault);
    }
    return canonical_form(game, state);
}

// The things that a person points at to choose an action.
template <Game G>
[[nodiscard]] std::vector<std::string> picks(const G& game, Action action) {
    if constexpr (HasPicks<G>) return game.picks(action);
    return {game.action_to_string(action)};
}

// One of these things in words, for a button where a picture does not show it: "turn 3".
template <Game G>
[[nodiscard]] std::string describe_pick(const G& game, std::string_view pick) {
    if constexpr (HasDescribePick<G>) {
        if (std::string words = game.describe_pick(pick); !words.empty()) return words;
    }
    // A step that is a whole action, such as "button:pass".
    constexpr std::string_view kButton = "button:";
    try {
        const std::string_view token = pick.starts_with(kButton) ? pick.substr(kButton.size()) : pick;
        return describe_action(game, game.string_to_action(token));
    } catch (const ParseError&) {
        return words_of_pick(pick);
    }
}

// The reasons for points that score_events() names; "points" alone in a game without the hook.
inline constexpr std::array kPointsAlone{ScoreSource{"points", ""}};
template <Game G>
[[nodiscard]] constexpr std::span<const ScoreSource> score_sources() {
    if constexpr (HasScoreEvents<G>) return G::kScoreSources;
    return kPointsAlone;
}

// The position that a drawing shows. A preview for a player is that of a determinization, always the same one, since an
// action may show what the player does not know yet, such as the final scores.
template <Game G>
[[nodiscard]] typename G::State position_shown(const G& game, const typename G::State& state,
                                               const PictureRequest& request) {
    typename G::State shown = state;
    if (!request.ghost) return shown;
    if (request.viewer && *request.viewer != game.current_player(state)) {
        throw IllegalActionError("a preview for player " + std::to_string(*request.viewer) +
                                 " needs that player to act");
    }
    check_legal(game, state, *request.ghost);
    Rng rng(0, 0);
    if (request.viewer && game.hides_information()) game.determinize(shown, *request.viewer, rng);
    game.apply_action(shown, *request.ghost);
    return shown;
}

// The data that a drawing is made from. Targets are shown to the player to act alone, since they follow from what that
// player knows.
template <Game G>
[[nodiscard]] PictureInput picture_input(const G& game, const typename G::State& state, const PictureRequest& request) {
    const std::optional<Player> viewer = request.viewer;
    const typename G::State shown = position_shown(game, state, request);
    PictureInput input;
    input.name = G::kName;
    input.viewer = viewer;
    input.rules = write_rules(game.rules());
    input.part = request.part;
    input.ghost = request.ghost.has_value();
    input.spots = request.targets && !request.ghost && request.part == Part::kBoard;
    input.turns = request.turns;
    if (viewer) {
        input.known.push_back(game.information_state(shown, *viewer));
    } else {
        for (Player p = 0; p < game.num_players(); ++p) input.known.push_back(game.information_state(shown, p));
    }
    if (const std::optional<Action> last = request.ghost ? request.ghost : request.last)
        input.last = picks(game, *last);
    const Player to_act = game.current_player(state);
    input.to_act = to_act;
    if (request.targets && !request.ghost && to_act >= 0 && viewer.value_or(to_act) == to_act) {
        std::unordered_map<std::string, bool> begins;  // whether a pick begins the path to some action
        Value::List prices;
        game.legal_actions(state).for_each([&](Action action) {
            std::vector<std::string> path = picks(game, action);
            for (std::string& pick : path) {
                begins.try_emplace(std::move(pick), false).first->second |= &pick == path.data();
            }
            if constexpr (HasCost<G>) prices.emplace_back(game.cost(state, action));
        });
        for (const auto& [pick, first] : begins) input.targets.push_back({pick, first});
        std::ranges::sort(input.targets);
        if constexpr (HasCost<G>) {
            input.more.emplace_back("prices", std::move(prices));
            input.more.emplace_back("unit", G::kCostUnit);
        }
    }
    if constexpr (HasStanding<G>) {
        if (request.part == Part::kData)
            input.more.emplace_back("standing", event_list(score_sources<G>(), game.standing(state)));
    }
    return input;
}

// A position as SVG, or the panel next to it as JSON.
template <Game G>
[[nodiscard]] std::string picture(const G& game, const typename G::State& state, const PictureRequest& request) {
    const PictureInput input = picture_input(game, state, request);
    if constexpr (HasPicture<G>) {
        return game.picture(input);
    } else {
        const typename G::State shown = position_shown(game, state, request);
        return picture_of_text(input, request.viewer ? to_string(game, shown, *request.viewer) : game.to_string(shown));
    }
}
template <Game G>
[[noreturn]] void refuse_inputs() {
    throw WeightsError(std::string(G::kName) + " has no inputs: nothing says what a learner sees of it");
}
template <Game G>
[[nodiscard]] constexpr std::size_t num_inputs_of() {
    if constexpr (HasInputs<G>) return G::kNumInputs;
    return 0;
}
// The inputs of a position from one seat; WeightsError for a game without any.
template <Game G>
void list_inputs(const G& game, const typename G::State& state, Player player, Inputs& out) {
    out.clear();
    if constexpr (HasInputs<G>) {
        game.inputs(state, player, out);
    } else {
        refuse_inputs<G>();
    }
}
// The memory of the inputs of one position for those of the next (G::InputMemory); most games keep nothing.
template <class G>
struct InputMemoryOf {
    struct Type {};
};
template <class G>
    requires requires { typename G::InputMemory; }
struct InputMemoryOf<G> {
    using Type = typename G::InputMemory;
};
template <class G>
using InputMemory = typename InputMemoryOf<G>::Type;

// The same inputs, for position after position.
template <Game G>
void list_inputs(const G& game, const typename G::State& state, Player player, Inputs& out, InputMemory<G>& memory) {
    if constexpr (requires { game.inputs(state, player, out, memory); }) {
        out.clear();
        game.inputs(state, player, out, memory);
    } else {
        list_inputs(game, state, player, out);
    }
}
template <Game G>
[[nodiscard]] std::string name_of_input(const G& game, InputId id) {
    if constexpr (HasInputs<G>) return game.input_name(id);
    refuse_inputs<G>();
}
// Whether a network judges a position right after an action of this player.
template <Game G>
[[nodiscard]] bool judgeable(const G& game, const typename G::State& state, Player player) {
    if constexpr (HasJudgeable<G>) return game.judgeable(state, player);
    return game.current_player(state) != player;
}

// The points that an action from an untrusted caller is going to give; IllegalActionError if it is not legal.
template <Game G>
[[nodiscard]] Value score_events(const G& game, const typename G::State& state, Action action) {
    check_legal(game, state, action);
    if constexpr (HasScoreEvents<G>) return event_list(score_sources<G>(), game.score_events(state, action));
    typename G::State next = state;
    game.apply_action(next, action);
    const PerPlayer<int> before = game.scores(state), after = game.scores(next);
    ScoreEvents events;
    for (std::size_t player = 0; player < index(game.num_players()); ++player) {
        add_event(events, 0, player, after[player] - before[player], {});
    }
    return event_list(score_sources<G>(), events);
}

// The least utility of a player (G-6): that of one who loses to all others at once.
[[nodiscard]] double min_utility(const Game auto& game) { return -1 / static_cast<double>(game.num_players() - 1); }

}  // namespace tilery
