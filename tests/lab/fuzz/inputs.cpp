// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include <algorithm>
#include <cstring>

#include "forge.hpp"
#include "laws.hpp"

namespace tilery::fuzz {

namespace {

constexpr auto kKinds = static_cast<std::uint32_t>(kKindNames.size());
constexpr std::size_t kHead = 11;
constexpr std::size_t kCheck = 8;  // the checksum at the end of an envelope

struct Input {
    Kind kind;
    const Subject& subject;
    Rng rng;
    std::span<const std::uint8_t> content;
};

[[nodiscard]] Kind kind_of(std::uint8_t byte) { return static_cast<Kind>(byte % kKinds); }

[[nodiscard]] Input read_input(const std::vector<Subject>& subjects, std::span<const std::uint8_t> input) {
    std::uint64_t seed = 0;
    std::memcpy(&seed, &input[3], sizeof seed);
    const std::size_t subject = input[1] + std::size_t{256} * input[2];
    return {kind_of(input[0]), subjects[subject % subjects.size()], Rng(seed), input.subspan(kHead)};
}

// A copy in a block of exactly its size, so that sanitizers detect any read behind it.
[[nodiscard]] std::unique_ptr<char[]> exact(std::string_view text) {
    std::unique_ptr<char[]> block(new char[text.size()]);
    std::ranges::copy(text, block.get());
    return block;
}

[[nodiscard]] std::string_view text_of(std::span<const std::uint8_t> content) {
    return {reinterpret_cast<const char*>(content.data()), content.size()};
}

void check_envelope(const Subject& subject, const std::string& envelope, Rng& rng) {
    Memory state;
    const std::unique_ptr<char[]> bytes = exact(envelope);
    if (!check_bytes(subject, {bytes.get(), envelope.size()}, state)) return;
    check_questions(subject, state, rng);
    check_successors(subject, state, 32, rng);
    if (rng.below(8) == 0) check_playing_on(subject, state, rng);
}

void check_words_of(const Subject& subject, std::string_view text, Rng& rng) {
    std::vector<std::string> words;
    while (!text.empty() && words.size() < 32) {
        const std::string_view word = text.substr(0, text.find('\n'));
        words.emplace_back(word.substr(0, word.find('\0')));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    check_words(subject, words, 2, rng);
}

void check_ids_of(const Subject& subject, std::span<const std::uint8_t> content, Rng& rng) {
    std::vector<std::int32_t> ids(std::min<std::size_t>(content.size() / 4, 400));
    if (!ids.empty()) std::memcpy(ids.data(), content.data(), 4 * ids.size());
    check_ids(subject, ids, rng);
}

// The content of a new input, taken from the subject's random games, for mutation.
[[nodiscard]] std::string fresh_content(const Subject& subject, Kind kind, Rng& rng) {
    const auto one_of = [&rng](const std::vector<std::string>& list) {
        return list.empty() ? std::string() : list[rng.below(static_cast<std::uint32_t>(list.size()))];
    };
    std::string content;
    switch (kind) {
        case Kind::kState:
            return one_of(subject.states());
        case Kind::kEnvelope:
            content = std::string(subject.head()) + one_of(subject.states()) + std::string(kCheck, '\0');
            seal(content);
            return content;
        case Kind::kIds:
            for (std::uint32_t n = rng.below(60); n > 0; --n) {
                const auto id =
                    rng.below(static_cast<std::uint32_t>(subject.api().num_distinct_actions(subject.game())));
                content.append(reinterpret_cast<const char*>(&id), sizeof id);
            }
            return content;
        case Kind::kToken:
            return one_of(subject.tokens());
        case Kind::kWords:
            for (const std::string& word : subject.words()) content += word + '\n';
            return content;
        case Kind::kPolicy:
            return rng.below(2) == 0 ? "uct:100,c=1.5,worlds=2" : "greedy";
    }
    return content;
}

}  // namespace

void check_input(const std::vector<Subject>& subjects, std::span<const std::uint8_t> input) {
    if (input.size() < kHead) return;
    Input read = read_input(subjects, input);
    const Subject& subject = read.subject;
    const std::string content(text_of(read.content));
    switch (read.kind) {
        case Kind::kState: {
            std::string state = content;
            state.resize(subject.api().state_size);
            std::string envelope = std::string(subject.head()) + state + std::string(kCheck, '\0');
            seal(envelope);
            return check_envelope(subject, envelope, read.rng);
        }
        case Kind::kEnvelope:
            return check_envelope(subject, content, read.rng);
        case Kind::kIds:
            return check_ids_of(subject, read.content, read.rng);
        case Kind::kToken:
            check_token(subject, {exact(content).get(), content.size()});
            return;
        case Kind::kWords:
            return check_words_of(subject, content, read.rng);
        case Kind::kPolicy:
            check_policy(subject, content.substr(0, content.find('\0')));
            return;
    }
}

std::size_t mutate_input(const std::vector<Subject>& subjects, std::uint8_t* data, std::size_t size,
                         std::size_t capacity, std::uint32_t seed, MutateBytes mutate, std::optional<Kind> only) {
    Rng rng(seed);
    const bool fresh = size < kHead || rng.below(64) == 0 || (only && kind_of(data[0]) != *only);
    if (capacity < kHead + TILERY_MAX_STATE_SIZE + 64) return size;
    if (fresh || rng.below(16) == 0) {
        const std::uint64_t luck = rng.next();
        if (fresh) {
            const std::uint32_t drawn = rng.below(2) == 0 ? 0 : rng.below(kKinds);
            data[0] = only ? static_cast<std::uint8_t>(*only) : static_cast<std::uint8_t>(drawn);
            data[1] = static_cast<std::uint8_t>(rng.below(256));
            data[2] = static_cast<std::uint8_t>(rng.below(256));
        }
        std::memcpy(data + 3, &luck, sizeof luck);
        size = std::max(size, kHead);
    }
    const Input input = read_input(subjects, {data, size});
    const Subject& subject = input.subject;
    std::string content(text_of(input.content));
    if (fresh) content = fresh_content(subject, input.kind, rng);
    const bool unknown = rng.below(8) == 0;
    if (!unknown && input.kind == Kind::kState) {
        content.resize(subject.api().state_size);
        forge(subject, content, rng);
    } else if (!unknown && input.kind == Kind::kEnvelope) {
        if (!content.empty()) {
            char& byte = content[rng.below(static_cast<std::uint32_t>(content.size()))];
            byte = static_cast<char>(byte ^ 1 << rng.below(7));
        }
        if (rng.below(2) == 0) seal(content);
    } else if (!unknown && input.kind >= Kind::kToken) {
        content = garbled(content, fresh_content(subject, input.kind, rng), rng);
    }
    const std::size_t length = std::min(content.size(), capacity - kHead);
    std::copy_n(content.begin(), length, data + kHead);
    if (!unknown && input.kind != Kind::kIds) return kHead + length;
    return kHead + mutate(data + kHead, length, capacity - kHead);
}

}  // namespace tilery::fuzz
