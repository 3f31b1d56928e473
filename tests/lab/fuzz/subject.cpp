// SPDX-License-Identifier: MIT
#include "subject.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tilery/core/serialize.hpp"

namespace tilery::fuzz {

namespace {

[[nodiscard]] std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find('\t', at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

}  // namespace

Subject::Subject(const std::string& line) : line_(line), words_(split(line)) {
    api_ = tilery_find_api(words_.front().c_str());
    words_.erase(words_.begin());
    if (api_ == nullptr) fail("the game is known", "");
    std::vector<const char*> options;
    for (const std::string& word : words_) options.push_back(word.c_str());
    tilery_game* game = nullptr;
    if (api_->new_game(options.data(), options.size(), &game) != TILERY_OK) fail("options", api_->last_error());
    game_ = {game, Free{api_}};
    play_random_games();
}

void Subject::play_random_games() {
    constexpr std::size_t kGames = 12, kStates = 24;  // of each game
    Rng rng(5);
    for (std::size_t game = 0; game < kGames; ++game) {
        Memory state;
        require(api_->initial_state(game_.get(), &state) == TILERY_OK, "a game begins");
        tilery_rng luck;
        api_->seed_rng(&luck, 6, game);
        const auto length = static_cast<std::uint32_t>(api_->max_game_length(game_.get()));
        for (bool over = false; !over;) {
            over = api_->is_terminal(game_.get(), &state) == 1;
            if (over || rng.below(std::min(length, 200U)) < kStates) {
                const std::string bytes = serialize(state);
                states_.push_back(bytes.substr(kEnvelopeHead, api_->state_size));
            }
            if (over) break;
            const std::int32_t action = api_->random_action(game_.get(), &state, &luck);
            if (rng.below(4) == 0) {
                tokens_.push_back(text_from(*this, [&](char* buffer, std::size_t capacity, std::size_t* size) {
                    return api_->action_to_string(game_.get(), action, buffer, capacity, size);
                }));
            }
            require(api_->apply_checked(game_.get(), &state, action) == TILERY_OK, "a random action is legal");
        }
        if (game == 0) head_ = serialize(state).substr(0, kEnvelopeHead);
    }
    for (std::uint32_t at = 0; at < api_->state_size; ++at) {
        const auto differs = [&](const std::string& state) { return state[at] != states_.front()[at]; };
        if (std::ranges::any_of(states_, differs)) varying_.push_back(at);
    }
}

std::string Subject::serialize(const Memory& state) const {
    std::string envelope(kEnvelopeHead + api_->state_size + kEnvelopeTail, '\0');
    std::size_t length = 0;
    const tilery_status status = api_->serialize(game_.get(), &state, envelope.data(), envelope.size(), &length);
    require(status == TILERY_OK && length == envelope.size(), "a state is serialized");
    return envelope;
}

bool Subject::accepts(std::span<const char> envelope, Memory& state) const {
    const tilery_status status = api_->deserialize(game_.get(), envelope.data(), envelope.size(), &state);
    if (status != TILERY_OK && status != TILERY_STATE_DATA_ERROR) fail("refused by its status", api_->last_error());
    return status == TILERY_OK;
}

void Subject::fail(std::string_view law, std::string_view detail) const {
    std::fprintf(stderr, "%s: broken law: %.*s%s%.*s\n", line_.c_str(), static_cast<int>(law.size()), law.data(),
                 detail.empty() ? "" : ": ", static_cast<int>(detail.size()), detail.data());
    std::abort();
}

std::vector<Subject> read_subjects(const char* path) {
    std::vector<Subject> subjects;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) subjects.emplace_back(line);
    if (subjects.empty()) {
        std::fprintf(stderr, "no configurations in %s\n", path);
        std::exit(2);
    }
    return subjects;
}

void seal(std::span<char> envelope) {
    if (envelope.size() < kEnvelopeTail) return;
    const std::span<char> content = envelope.first(envelope.size() - kEnvelopeTail);
    const std::uint64_t checksum = hash_bytes(std::as_bytes(content));
    std::memcpy(content.data() + content.size(), &checksum, sizeof checksum);
}

}  // namespace tilery::fuzz
