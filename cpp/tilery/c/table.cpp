// SPDX-License-Identifier: MIT
// The members of the C table that need not be hot, for any game.
#include "tilery/c/table.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "tilery/c/words.hpp"
#include "tilery/net/shelf.hpp"
#include "tilery/search/policy.hpp"

namespace tilery::c {
namespace {

using any::AnyGame;
using State = const void*;

[[nodiscard]] Player player_of(const AnyGame& game, std::int32_t player) {
    const int players = game.num_players();
    if (player >= 0 && player < players) return player;
    throw std::invalid_argument("player must be in 0.." + std::to_string(players - 1) + ", got " +
                                std::to_string(player));
}

[[nodiscard]] tilery_status write_bytes(std::string_view bytes, void* buffer, std::size_t capacity,
                                        std::size_t* length) {
    const tilery_status status = check_room(bytes.size(), static_cast<char*>(buffer), capacity, length);
    if (status == TILERY_OK) std::memcpy(buffer, bytes.data(), bytes.size());
    return status;
}

// A member that writes the text, or as JSON the value, that ask(game, arguments...) returns.
template <auto ask, class... Arguments>
tilery_status written(const tilery_game* game, Arguments... arguments, char* buffer, std::size_t capacity,
                      std::size_t* length) {
    return without_throwing([&] {
        const auto answer = std::invoke(ask, any_of(game), arguments...);
        if constexpr (std::is_same_v<decltype(answer), const std::string>) {
            return write_text(answer, buffer, capacity, length);
        } else {
            return write_text(Value(answer).json(), buffer, capacity, length);
        }
    });
}
// A member that does what act(game, arguments...) does, and returns whether it could.
template <auto act, class... Arguments>
tilery_status done(const tilery_game* game, Arguments... arguments) {
    return succeeding([&] { act(any_of(game), arguments...); });
}
// A member that returns ask(game, arguments...).
template <auto ask, class... Arguments>
auto answer(const tilery_game* game, Arguments... arguments) {
    return without_throwing([&] { return std::invoke(ask, any_of(game), arguments...); });
}
template <auto Fact>
std::int32_t fact(const tilery_game* game) {
    return static_cast<std::int32_t>(any_of(game).facts().*Fact);
}

tilery_status observation_tensor(const tilery_game* game, const void* state, std::int32_t player, float* values,
                                 std::uint32_t capacity, std::uint32_t* count) {
    return without_throwing([&] {
        const Player viewer = player_of(any_of(game), player);
        const std::size_t size = any_of(game).facts().observation_size();
        const tilery_status status = check_room(size, values, capacity, count);
        if (status == TILERY_OK) any_of(game).observe(state, viewer, values, NumberKind::kFloat32);
        return status;
    });
}
tilery_status serialize(const tilery_game* game, const void* state, void* buffer, std::size_t capacity,
                        std::size_t* length) {
    return without_throwing([&] { return write_bytes(any_of(game).serialize(state), buffer, capacity, length); });
}
void deserialize(const AnyGame& game, const void* data, std::size_t length, void* state) {
    check_memory(state);
    if (data == nullptr && length > 0) throw std::invalid_argument("the data is null");
    game.deserialize(std::string_view(static_cast<const char*>(data), length), state);
}

tilery_status view(const tilery_game* game, const void* state, const char* name, std::size_t size, void* structs,
                   std::uint32_t capacity, std::uint32_t* count) {
    return without_throwing([&] {
        refuse_null(name, "view");
        std::string names;
        for (const any::RowView& each : any_of(game).kind().rows) {
            if (std::string_view(each.name) != name) {
                names += std::string(names.empty() ? "" : ", ") + each.name;
                continue;
            }
            if (each.size != size) {
                throw std::invalid_argument("a struct of the view " + std::string(name) + " has " +
                                            std::to_string(each.size) + " bytes, not " + std::to_string(size));
            }
            const std::vector<std::byte> rows = each.ask(any_of(game), state);
            const auto* const bytes = static_cast<std::byte*>(structs);
            const tilery_status status = check_room(rows.size() / size, bytes, capacity, count);
            if (status == TILERY_OK && !rows.empty()) std::memcpy(structs, rows.data(), rows.size());
            return status;
        }
        throw std::invalid_argument("there is no view " + std::string(name) + "; there are: " + names);
    });
}

[[nodiscard]] std::string drawing(const AnyGame& game, State state, std::int32_t player, std::int32_t last,
                                  std::int32_t targets, std::int32_t part, std::int32_t ghost) {
    PictureRequest request;
    if (player != TILERY_EVERYBODY) request.viewer = player_of(game, player);
    if (part < 0 || part >= 4 * TILERY_TURN) {
        throw std::invalid_argument("there is no part " + std::to_string(part) + " of a picture");
    }
    if (last != TILERY_NO_ACTION) request.last = last;
    if (ghost != TILERY_NO_ACTION) request.ghost = ghost;
    request.targets = targets != 0;
    request.part = static_cast<Part>(part % TILERY_TURN);
    request.turns = part / TILERY_TURN;
    return game.picture(state, request);
}

// ---- policies

struct PolicyInGame {
    const AnyGame& game;
    std::unique_ptr<any::AnyChooser> chooser;
    bool searches;
    search::Callbacks own;  // of new_search

    [[nodiscard]] search::Control control() const {
        search::Control made;
        if (own.value || own.order) made.callbacks = &own;
        return made;
    }
};
[[nodiscard]] PolicyInGame& of(tilery_policy* policy) { return *reinterpret_cast<PolicyInGame*>(policy); }

void check_decision(const AnyGame& game, State state) {
    const Player player = game.current_player(state);
    if (player == kTerminal) throw std::invalid_argument("the game is over");
    if (player == kChance) throw std::invalid_argument("chance is to act");
}

[[nodiscard]] tilery_policy* made_policy(const AnyGame& game, const search::Policy& policy, search::Callbacks own) {
    return reinterpret_cast<tilery_policy*>(
        new PolicyInGame{game, game.chooser(policy), search::can_analyse(policy), std::move(own)});
}
void new_policy(const AnyGame& game, const char* text, tilery_policy** policy) {
    refuse_null(text == nullptr ? nullptr : policy, "new_policy");
    *policy = made_policy(game, search::parse_policy(text), {});
}
void new_search(const AnyGame& game, const char* text, tilery_value value, tilery_order order, void* data,
                tilery_policy** policy) {
    refuse_null(text == nullptr ? nullptr : policy, "new_search");
    const search::Policy parsed = search::parse_policy(text);
    const auto* const mcts = std::get_if<search::Mcts>(&parsed);
    if (mcts == nullptr || !mcts->eval.empty()) {
        throw std::invalid_argument("new_search takes mcts without eval, not " + std::string(text));
    }
    *policy = made_policy(game, parsed, callbacks_of(game, value, order, data));
}

std::int32_t choose(tilery_policy* policy, const void* state, tilery_rng* rng) {
    return without_throwing([&]() -> std::int32_t {
        check_decision(of(policy).game, state);
        return with_rng(
            rng, [&](Rng& stream) { return of(policy).chooser->choose(state, stream.next(), of(policy).control()); });
    });
}

tilery_status analyse(tilery_policy* policy, const void* state, std::uint32_t most, tilery_rng* rng, char* buffer,
                      std::size_t capacity, std::size_t* length) {
    return without_throwing([&] {
        const PolicyInGame& by = of(policy);
        check_decision(by.game, state);
        if (!by.searches) throw std::invalid_argument("the policy is not a search; uct:N and mcts:N are");
        tilery_rng copy = *rng;
        const search::Analysis found =
            with_rng(&copy, [&](Rng& stream) { return by.chooser->analyse(state, stream.next(), by.control()); });
        const tilery_status status = write_text(analysis_value(by.game, found, most).json(), buffer, capacity, length);
        if (status == TILERY_OK) *rng = copy;
        return status;
    });
}

// ---- one line for each member

void add_games(tilery_api& api) {
    using any::GameFacts;
    api.last_error = [] { return static_cast<const char*>(error_text().data()); };
    api.free_game = [](tilery_game* game) { delete reinterpret_cast<AnyGame*>(game); };
    api.num_players = fact<&GameFacts::num_players>;
    api.num_distinct_actions = fact<&GameFacts::num_distinct_actions>;
    api.max_game_length = fact<&GameFacts::max_game_length>;
    api.fewest_points_win = fact<&GameFacts::fewest_points_win>;
    api.num_chance_actions = fact<&GameFacts::num_chance_actions>;
    api.max_decisions = fact<&GameFacts::max_decisions>;
    api.max_chance_nodes = fact<&GameFacts::max_chance_nodes>;
    api.hides_information = fact<&GameFacts::hides_information>;
    api.observation_size =
        answer<[](const AnyGame& game) { return static_cast<std::int32_t>(game.facts().observation_size()); }>;
    api.rules = written<&AnyGame::rules>;
    api.score_sources = written<[](const AnyGame& game) { return Value::list_of(game.facts().score_sources); }>;
}
void add_streams(tilery_api& api) {
    api.seed_rng = [](tilery_rng* rng, std::uint64_t seed, std::uint64_t index) {
        *rng = std::bit_cast<tilery_rng>(Rng(seed, index));
    };
    api.next = [](tilery_rng* rng) { return with_rng(rng, [](Rng& stream) { return stream.next(); }); };
    api.below = [](tilery_rng* rng, std::uint32_t n) {
        return with_rng(rng, [n](Rng& stream) { return stream.below(n); });
    };
}
void add_knowledge(tilery_api& api) {
    api.determinize = done<[](const AnyGame& game, void* state, std::int32_t player, tilery_rng* rng) {
        const Player viewer = player_of(game, player);
        Rng stream = std::bit_cast<Rng>(*rng);
        game.determinize(state, viewer, stream);
        *rng = std::bit_cast<tilery_rng>(stream);
    }>;
    api.information_state_string = written<[](const AnyGame& game, State state, std::int32_t player) {
        return game.information_state(state, player_of(game, player));
    },
                                           State, std::int32_t>;
    api.information_state_hash = done<[](const AnyGame& game, State state, std::int32_t player, std::uint64_t* hash) {
        const Player viewer = player_of(game, player);
        refuse_null(hash, "information_state_hash");
        *hash = game.information_state_hash(state, viewer);
    }>;
    api.action_seen_by =
        done<[](const AnyGame& game, State state, std::int32_t player, std::int32_t action, std::int32_t* seen) {
            const Player viewer = player_of(game, player);
            refuse_null(seen, "action_seen_by");
            *seen = game.action_seen_by(state, viewer, action);
        }>;
    api.public_state_string = written<&AnyGame::public_state_string, State>;
    api.observation_tensor = observation_tensor;
}
void add_texts(tilery_api& api) {
    api.view = view;
    api.action_to_string = written<&AnyGame::action_to_string, std::int32_t>;
    api.describe_action = written<&AnyGame::describe_action, std::int32_t>;
    api.picks = written<[](const AnyGame& game, std::int32_t action) { return Value::list_of(game.picks(action)); },
                        std::int32_t>;
    api.describe_pick = written<[](const AnyGame& game, const char* pick) {
        refuse_null(pick, "describe_pick");
        return game.describe_pick(pick);
    },
                                const char*>;
    api.string_to_action = done<[](const AnyGame& game, const char* token, std::size_t length, std::int32_t* action) {
        refuse_null(token == nullptr && length > 0 ? nullptr : action, "string_to_action");
        *action = game.string_to_action(std::string_view(token, length));
    }>;
    api.why_illegal = written<&AnyGame::why_illegal, State, std::int32_t>;
    api.score_events = written<&AnyGame::score_events, State, std::int32_t>;
    api.scores_if_over = done<[](const AnyGame& game, State state, std::int32_t* scores) {
        refuse_null(scores, "scores_if_over");
        std::copy_n(game.scores_if_over(state).begin(), game.num_players(), scores);
    }>;
    api.to_string =
        written<[](const AnyGame& game, State state) { return game.to_string(state, std::nullopt); }, State>;
    api.player_to_string = written<[](const AnyGame& game, State state, std::int32_t player) {
        return game.to_string(state, player_of(game, player));
    },
                                   State, std::int32_t>;
    api.picture =
        written<[](const AnyGame& game, State state, std::int32_t player, std::int32_t last, std::int32_t targets) {
            return drawing(game, state, player, last, targets, TILERY_PART_ALL, TILERY_NO_ACTION);
        },
                State, std::int32_t, std::int32_t, std::int32_t>;
    api.draw = written<drawing, State, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
}
void add_identity(tilery_api& api) {
    api.serialize = serialize;
    api.deserialize = done<deserialize>;
    api.hash_state = answer<&AnyGame::hash>;
    api.same_position =
        answer<[](const AnyGame& game, State a, State b) -> std::int32_t { return game.same_position(a, b); }>;
}
void add_policies(tilery_api& api) {
    api.new_policy = done<new_policy>;
    api.new_search = done<new_search>;
    api.free_policy = [](tilery_policy* policy) { delete reinterpret_cast<PolicyInGame*>(policy); };
    api.choose = choose;
    api.load_weights = [](const void* data, std::size_t size) {
        return succeeding([&] {
            refuse_null(data, "load_weights");
            net::load_by_hash(std::string_view(static_cast<const char*>(data), size));
        });
    };
    api.analyse = analyse;
}

}  // namespace

Value analysis_value(const AnyGame& game, const search::Analysis& found, std::size_t most) {
    Value::List actions;
    for (const search::ActionReport& report : found.actions) {
        if (actions.size() == most) break;
        const std::span utilities(report.utilities.begin(), index(game.num_players()));
        actions.push_back(Value::object({{"action", report.action},
                                         {"token", game.action_to_string(report.action)},
                                         {"visits", static_cast<std::int64_t>(report.visits)},
                                         {"share", report.share},
                                         {"prior", report.prior},
                                         {"utilities", Value::list_of(utilities)}}));
    }
    return Value::object({{"player", found.player},
                          {"simulations", static_cast<std::int64_t>(found.simulations)},
                          {"best", found.best},
                          {"actions", std::move(actions)}});
}

tilery_status write_text(const std::string& text, char* buffer, std::size_t capacity, std::size_t* length) {
    const tilery_status status = write_bytes(std::string_view(text.c_str(), text.size() + 1), buffer, capacity, length);
    if (length != nullptr) *length = text.size();
    return status;
}

Value::Object read_words(const char* const* words, std::size_t count) {
    Value::Object options;
    for (const char* const word : std::span(words, count)) {
        if (word == nullptr || !add_option(options, word)) {
            throw OptionError("an option is written OPTION=VALUE, not " + std::string(word == nullptr ? "null" : word));
        }
    }
    return options;
}

tilery_api common_members() {
    tilery_api api{};
    api.version = TILERY_API_VERSION;
    api.struct_size = sizeof(tilery_api);
    for (const auto add : {add_games, add_streams, add_knowledge, add_texts, add_identity, add_policies}) add(api);
    return api;
}

}  // namespace tilery::c
