// SPDX-License-Identifier: MIT
// Sends millions of forged states, tokens, option words and inputs of the fuzzer, without measuring coverage.
//
//     tilery_hostile CONFIGURATIONS SEED STATES PLAYED TOKENS WORDS INPUTS
//
// Forges STATES states and passes them to deserialize. PLAYED of those accepted go through all queries and are played
// to the end; every state on the way must be accepted. Then sends the other inputs. Prints the counts as JSON, or
// aborts at the first broken law. The same arguments give the same inputs. Used by `nox -s campaign -- forged` and,
// under sanitizers, by `nox -s cpp`.
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "forge.hpp"
#include "inputs.hpp"
#include "laws.hpp"
#include "tilery/core/serialize.hpp"

namespace tilery::fuzz {

namespace {

struct Wanted {
    std::uint64_t seed, states, played, tokens, words, inputs;
};
struct Counts {
    std::uint64_t forged = 0, accepted = 0, played = 0, tokens = 0, read = 0, words = 0, games = 0, inputs = 0;
};

[[nodiscard]] const std::string& one_of(const std::vector<std::string>& list, Rng& rng) {
    return list[rng.below(static_cast<std::uint32_t>(list.size()))];
}

// Forges states one after the other, each from a state of a random game or from the last one accepted.
void forge_states(const Subject& subject, std::uint64_t states, std::uint64_t play, Rng& rng, Counts& counts) {
    const std::size_t size = subject.api().state_size;
    std::string envelope = std::string(subject.head()) + std::string(size + kEnvelopeTail, '\0'), last;
    const std::span<char> content(envelope.data() + kEnvelopeHead, size);
    std::uint64_t played = 0;
    for (std::uint64_t i = 0; i < states;) {
        const std::string& from = !last.empty() && rng.below(4) == 0 ? last : one_of(subject.states(), rng);
        std::memcpy(content.data(), from.data(), size);
        forge(subject, content, rng);
        if (std::memcmp(content.data(), from.data(), size) == 0) continue;
        ++i;
        seal(envelope);
        ++counts.forged;
        Memory state;
        if (!subject.accepts(envelope, state)) continue;
        ++counts.accepted;
        last.assign(content.data(), size);
        if (played >= play || played > play * i / states) continue;
        ++played;
        ++counts.played;
        check_bytes(subject, envelope, state);
        check_questions(subject, state, rng);
        check_successors(subject, state, 8, rng);
        check_playing_on(subject, state, rng);
    }
}

void send_tokens(const Subject& subject, std::uint64_t tokens, Rng& rng, Counts& counts) {
    for (std::uint64_t i = 0; i < tokens; ++i) {
        const std::string token = garbled(one_of(subject.tokens(), rng), one_of(subject.tokens(), rng), rng);
        counts.read += check_token(subject, token);
        ++counts.tokens;
    }
}

void send_words(const Subject& subject, std::uint64_t words, Rng& rng, Counts& counts) {
    for (std::uint64_t i = 0; i < words; ++i) {
        std::array<std::string, 2> pair;
        for (std::string& word : pair) {
            word = garbled(one_of(subject.words(), rng), one_of(subject.words(), rng), rng);
            word.resize(std::min(word.size(), word.find('\0')));
        }
        const std::size_t size = 1 + rng.below(2);
        counts.games += check_words(subject, std::span(pair).first(size), 256, rng);
        counts.words += size;
    }
}

// Mutates bytes at random, without knowledge of the layout.
std::size_t change_bytes(std::uint8_t* data, std::size_t size, std::size_t capacity) {
    static Rng rng(1);
    const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(capacity, size + 8));
    const std::size_t longer = rng.below(room + 1);
    for (std::size_t at = size; at < longer; ++at) data[at] = static_cast<std::uint8_t>(rng.below(256));
    if (longer > 0) data[rng.below(static_cast<std::uint32_t>(longer))] = static_cast<std::uint8_t>(rng.below(256));
    return longer;
}

void send_inputs(const std::vector<Subject>& subjects, const Wanted& wanted, Counts& counts) {
    std::vector<std::uint8_t> input(2 * TILERY_MAX_STATE_SIZE);
    std::size_t size = 0;
    for (; counts.inputs < wanted.inputs; ++counts.inputs) {
        const auto seed = static_cast<std::uint32_t>(mix(wanted.seed * 1'000'003 + counts.inputs));
        size =
            mutate_input(subjects, input.data(), counts.inputs % 4 == 0 ? 0 : size, input.size(), seed, change_bytes);
        const std::vector<std::uint8_t> exact(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size));
        check_input(subjects, exact);
    }
}

int run(const char* path, const Wanted& wanted) {
    const std::vector<Subject> subjects = read_subjects(path);
    Counts counts;
    Rng rng(wanted.seed, 1);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto share = [&](std::uint64_t all) {
            return all * (i + 1) / subjects.size() - all * i / subjects.size();
        };
        // If a subject has too few accepted states, more of the next one are played.
        const std::uint64_t play = wanted.played * (i + 1) / subjects.size() - counts.played;
        forge_states(subjects[i], share(wanted.states), play, rng, counts);
        send_tokens(subjects[i], share(wanted.tokens), rng, counts);
        if (!subjects[i].words().empty()) send_words(subjects[i], share(wanted.words), rng, counts);
    }
    send_inputs(subjects, wanted, counts);
    std::printf(
        "{\"forged states\": %llu, \"accepted\": %llu, \"played on\": %llu, \"tokens\": %llu, "
        "\"tokens read\": %llu, \"option words\": %llu, \"games made\": %llu, \"inputs\": %llu}\n",
        static_cast<unsigned long long>(counts.forged), static_cast<unsigned long long>(counts.accepted),
        static_cast<unsigned long long>(counts.played), static_cast<unsigned long long>(counts.tokens),
        static_cast<unsigned long long>(counts.read), static_cast<unsigned long long>(counts.words),
        static_cast<unsigned long long>(counts.games), static_cast<unsigned long long>(counts.inputs));
    return 0;
}

}  // namespace

}  // namespace tilery::fuzz

int main(int count, char** words) {
    std::array<std::uint64_t, 6> numbers{};
    bool good = count == 2 + static_cast<int>(numbers.size());
    for (std::size_t i = 0; good && i < numbers.size(); ++i) {
        const std::string_view word = words[i + 2];
        good = std::from_chars(word.data(), word.data() + word.size(), numbers[i]).ptr == word.data() + word.size();
    }
    if (!good) {
        std::fprintf(stderr, "tilery_hostile CONFIGURATIONS SEED STATES PLAYED TOKENS WORDS INPUTS\n");
        return 2;
    }
    const auto [seed, states, played, tokens, option_words, inputs] = numbers;
    return tilery::fuzz::run(words[1], {seed, states, played, tokens, option_words, inputs});
}
