// SPDX-License-Identifier: MIT
// The inputs as a target of libFuzzer (`nox -s fuzz`). TILERY_SUBJECTS names the file of configurations.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tilery::fuzz::check_input(subjects(), {data, size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                               unsigned seed) {
    return tilery::fuzz::mutate_input(subjects(), data, size, capacity, seed, LLVMFuzzerMutate);
}
