// SPDX-License-Identifier: MIT
#include "laws.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace tilery::fuzz {

namespace {

[[nodiscard]] std::uint32_t below(Rng& rng, std::int32_t n) { return rng.below(static_cast<std::uint32_t>(n)); }

[[nodiscard]] std::vector<std::int32_t> legal_actions(const Subject& subject, const Memory& state) {
    const tilery_api& api = subject.api();
    std::uint32_t count = 0;
    const std::int32_t n = api.num_legal_actions(subject.game(), &state);
    subject.require(n >= 0, "legal actions are counted");
    std::vector<std::int32_t> actions(static_cast<std::size_t>(n));
    const tilery_status status =
        api.legal_actions(subject.game(), &state, actions.data(), static_cast<std::uint32_t>(n), &count);
    subject.require(status == TILERY_OK && count == actions.size(), "legal actions are written");
    subject.require((n == 0) == (api.is_terminal(subject.game(), &state) == 1), "a game ends where nothing is legal");
    const auto descent = std::ranges::adjacent_find(actions, std::ranges::greater_equal{});
    subject.require(descent == actions.end(), "legal actions ascend");
    return actions;
}

void check_accepted(const Subject& subject, const Memory& state, std::string_view law) {
    Memory read;
    const std::string bytes = subject.serialize(state);
    if (!subject.accepts(bytes, read)) subject.fail(law, subject.api().last_error());
    subject.require(subject.api().same_position(subject.game(), &state, &read) == 1, "bytes are the same position");
}

void check_player(const Subject& subject, const Memory& state, std::int32_t player, Rng& rng) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    const auto known = [&](const Memory& of) {
        return text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
            return api.information_state_string(game, &of, player, buffer, capacity, length);
        });
    };
    const std::string seen = text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.player_to_string(game, &state, player, buffer, capacity, length);
    });
    const auto size = static_cast<std::uint32_t>(api.observation_size(game));
    const std::unique_ptr<float[]> numbers(new float[size]);
    std::uint32_t count = 0;
    const tilery_status status = api.observation_tensor(game, &state, player, numbers.get(), size, &count);
    subject.require(status == TILERY_OK && count == size, "an observation is written");
    for (std::uint32_t i = 0; i < size; ++i) subject.require(std::isfinite(numbers[i]), "observations are numbers");
    Memory dealt = state;
    tilery_rng luck{rng.next(), rng.next()};
    std::uint64_t hash = 0, dealt_hash = 0;
    subject.require(api.determinize(game, &dealt, player, &luck) == TILERY_OK, "a state is dealt again");
    check_accepted(subject, dealt, "what is dealt again is accepted");
    subject.require(known(dealt) == known(state), "dealing again changes nothing that the player knows");
    subject.require(api.information_state_hash(game, &state, player, &hash) == TILERY_OK, "knowledge has a hash");
    subject.require(api.information_state_hash(game, &dealt, player, &dealt_hash) == TILERY_OK && hash == dealt_hash,
                    "equal knowledge has equal hashes");
    if (api.hides_information(game) == 0) {
        subject.require(std::memcmp(&dealt, &state, sizeof state) == 0, "nothing hidden, nothing dealt again");
    }
}

void check_id(const Subject& subject, const Memory& state, std::int32_t action) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    const bool legal = api.is_legal(game, &state, action) == 1;
    const std::string reason = text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.why_illegal(game, &state, action, buffer, capacity, length);
    });
    subject.require(reason.empty() == legal, "what is illegal has a reason");
    if (action < 0 || action >= api.num_distinct_actions(game)) return;
    const std::string token = text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.action_to_string(game, action, buffer, capacity, length);
    });
    std::int32_t again = -1;
    const tilery_status status = api.string_to_action(game, token.data(), token.size(), &again);
    subject.require(status == TILERY_OK && again == action, "a token is read back");
    static_cast<void>(text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.describe_action(game, action, buffer, capacity, length);
    }));
    static_cast<void>(text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.picks(game, action, buffer, capacity, length);
    }));
    if (legal) {
        static_cast<void>(text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
            return api.score_events(game, &state, action, buffer, capacity, length);
        }));
    }
    std::int32_t seen = 0;
    for (std::int32_t player = 0; legal && player < api.num_players(game); ++player) {
        subject.require(api.action_seen_by(game, &state, player, action, &seen) == TILERY_OK, "players see actions");
        subject.require(seen == action || seen == TILERY_UNSEEN, "a player sees an action, or that there is one");
    }
}

}  // namespace

bool check_bytes(const Subject& subject, std::span<const char> envelope, Memory& state) {
    const Memory before = state;
    if (!subject.accepts(envelope, state)) {
        subject.require(std::memcmp(&state, &before, sizeof state) == 0, "what is refused changes nothing");
        return false;
    }
    const std::string written = subject.serialize(state);
    subject.require(std::ranges::equal(written, envelope), "accepted bytes are the one form of their state");
    return true;
}

void check_questions(const Subject& subject, const Memory& state, Rng& rng) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    static_cast<void>(text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.to_string(game, &state, buffer, capacity, length);
    }));
    static_cast<void>(text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.public_state_string(game, &state, buffer, capacity, length);
    }));
    const auto viewer = static_cast<std::int32_t>(below(rng, api.num_players(game) + 1)) - 1;
    const auto last = static_cast<std::int32_t>(below(rng, api.num_distinct_actions(game) + 1)) - 1;
    const std::string drawn = text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.picture(game, &state, viewer, last, 1, buffer, capacity, length);
    });
    subject.require(drawn.starts_with("<svg") && drawn.ends_with("</svg>"), "a picture is an SVG");
    std::array<std::int32_t, TILERY_MAX_PLAYERS> scores{};
    std::array<double, TILERY_MAX_PLAYERS> returns{};
    api.scores(game, &state, scores.data());
    api.returns(game, &state, returns.data());
    for (const double utility : returns) subject.require(utility >= -1 && utility <= 1, "utilities are in [-1, 1]");
    for (std::int32_t player = 0; player < api.num_players(game); ++player) check_player(subject, state, player, rng);
    const std::int32_t ids = api.num_distinct_actions(game);
    for (int i = 0; i < 8; ++i) check_id(subject, state, static_cast<std::int32_t>(below(rng, ids)));
    for (const std::int32_t outside : {-1, ids, INT32_MIN, INT32_MAX}) check_id(subject, state, outside);
}

void check_successors(const Subject& subject, const Memory& state, std::uint32_t most, Rng& rng) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    const std::vector<std::int32_t> actions = legal_actions(subject, state);
    const auto size = static_cast<std::uint32_t>(actions.size());
    const bool chance = api.current_player(game, &state) == TILERY_CHANCE;
    for (std::uint32_t i = 0; i < std::min(most, size); ++i) {
        const std::uint32_t nth = size <= most ? i : rng.below(size);
        const std::int32_t action = actions[nth];
        subject.require((action < api.num_chance_actions(game)) == chance, "chance has the first ids");
        check_id(subject, state, action);
        Memory next = state, same = state;
        subject.require(api.apply_checked(game, &next, action) == TILERY_OK, "a legal action is applied");
        subject.require(api.apply_nth(game, &same, nth) == TILERY_OK, "so is the same by its place");
        subject.require(api.same_position(game, &next, &same) == 1, "an action by id and by place are the same");
        check_accepted(subject, next, "what follows an accepted state is accepted");
    }
}

void check_playing_on(const Subject& subject, Memory state, Rng& rng) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    tilery_rng luck{rng.next(), rng.next() | 1};
    std::int32_t decisions = 0, draws = 0;
    while (api.is_terminal(game, &state) == 0) {
        ++(api.current_player(game, &state) == TILERY_CHANCE ? draws : decisions);
        const std::int32_t action = api.random_action(game, &state, &luck);
        subject.require(action >= 0, "a game that is not over has a legal action");
        api.apply_action(game, &state, action);
        check_accepted(subject, state, "what follows an accepted state is accepted");
        subject.require(decisions <= api.max_decisions(game) && draws <= api.max_chance_nodes(game),
                        "a game ends within its bounds");
    }
    subject.require(decisions + draws <= api.max_game_length(game), "a game ends in time");
}

void check_ids(const Subject& subject, std::span<const std::int32_t> ids, Rng& rng) {
    const tilery_api& api = subject.api();
    const tilery_game* const game = subject.game();
    Memory state;
    subject.require(api.initial_state(game, &state) == TILERY_OK, "a game begins");
    for (const std::int32_t id : ids) {
        if (api.is_terminal(game, &state) == 1) break;
        Memory next = state;
        const bool legal = api.is_legal(game, &state, id) == 1;
        const tilery_status status = api.apply_checked(game, &next, id);
        subject.require(status == (legal ? TILERY_OK : TILERY_ILLEGAL_ACTION), "illegal ids are refused");
        if (!legal) {
            subject.require(std::memcmp(&next, &state, sizeof state) == 0, "a refusal changes nothing");
            check_id(subject, state, id);
            const std::vector<std::int32_t> actions = legal_actions(subject, state);
            const std::uint32_t nth = static_cast<std::uint32_t>(id) % static_cast<std::uint32_t>(actions.size());
            subject.require(api.apply_nth(game, &next, nth) == TILERY_OK, "a place in the list is applied");
        }
        state = next;
    }
    check_accepted(subject, state, "what was played is accepted");
    check_questions(subject, state, rng);
}

bool check_token(const Subject& subject, std::span<const char> token) {
    const tilery_api& api = subject.api();
    constexpr std::int32_t kNone = -77;
    std::int32_t action = kNone;
    const tilery_status status = api.string_to_action(subject.game(), token.data(), token.size(), &action);
    if (status == TILERY_PARSE_ERROR) {
        subject.require(action == kNone, "a token that is refused gives no action");
        return false;
    }
    subject.require(status == TILERY_OK, "tokens are refused by their status");
    const std::string text = text_from(subject, [&](char* buffer, std::size_t capacity, std::size_t* length) {
        return api.action_to_string(subject.game(), action, buffer, capacity, length);
    });
    if (!std::ranges::equal(text, token)) subject.fail("an action has one token", text);
    return true;
}

bool check_words(const Subject& subject, std::span<const std::string> words, std::uint32_t play_one_in, Rng& rng) {
    const tilery_api& api = subject.api();
    std::vector<const char*> options;
    for (const std::string& word : words) options.push_back(word.c_str());
    tilery_game* game = nullptr;
    const tilery_status status = api.new_game(options.data(), options.size(), &game);
    if (status == TILERY_OPTION_ERROR) {
        subject.require(game == nullptr, "options that are refused give no game");
        return false;
    }
    if (status != TILERY_OK) subject.fail("options are refused by their status", api.last_error());
    if (rng.below(play_one_in) == 0) {
        Memory state;
        tilery_rng luck{rng.next(), rng.next() | 1};
        tilery_played played{};
        subject.require(api.initial_state(game, &state) == TILERY_OK, "a game begins");
        api.playout(game, &state, &luck, &played);
        subject.require(static_cast<std::int32_t>(played.actions) <= api.max_game_length(game), "a game ends in time");
        subject.require(api.is_terminal(game, &state) == 1, "a playout ends the game");
    }
    api.free_game(game);
    return true;
}

bool check_policy(const Subject& subject, const std::string& text) {
    const tilery_api& api = subject.api();
    tilery_policy* policy = nullptr;
    const tilery_status status = api.new_policy(subject.game(), text.c_str(), &policy);
    subject.require(status == TILERY_OK || (status == TILERY_BAD_ARGUMENT && policy == nullptr),
                    "policies are refused by their status");
    api.free_policy(policy);
    return status == TILERY_OK;
}

}  // namespace tilery::fuzz
