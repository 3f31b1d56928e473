// SPDX-License-Identifier: MIT
// The entry points of libFuzzer (`nox -s fuzz`). The environment variable TILERY_SUBJECTS names the file of
// configurations. If TILERY_KIND is set, only inputs of that kind are made.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "inputs.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

namespace {

const std::vector<tilery::fuzz::Subject>& subjects() {
    static const std::vector<tilery::fuzz::Subject> read = [] {
        const char* const path = std::getenv("TILERY_SUBJECTS");
        return tilery::fuzz::read_subjects(path == nullptr ? "" : path);
    }();
    return read;
}

std::optional<tilery::fuzz::Kind> only_kind() {
    const char* const name = std::getenv("TILERY_KIND");
    if (name == nullptr) return std::nullopt;
    const auto found = std::ranges::find(tilery::fuzz::kKindNames, std::string_view(name));
    if (found == tilery::fuzz::kKindNames.end()) {
        std::fprintf(stderr, "there are no inputs of the kind %s\n", name);
        std::exit(2);
    }
    return static_cast<tilery::fuzz::Kind>(found - tilery::fuzz::kKindNames.begin());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tilery::fuzz::check_input(subjects(), {data, size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned seed) {
    static const std::optional<tilery::fuzz::Kind> only = only_kind();
    return tilery::fuzz::mutate_input(subjects(), data, size, capacity, seed, LLVMFuzzerMutate, only);
}
