// SPDX-License-Identifier: MIT
// A check that counts, says where it failed, and goes on.
#pragma once

#include <iostream>

namespace tilery::tests {

struct Tally {
    int passed = 0;
    int failed = 0;
};
inline Tally& tally() {
    static Tally counts;
    return counts;
}

inline void check(bool holds, const char* what, const char* file, int line) {
    ++(holds ? tally().passed : tally().failed);
    if (!holds) std::cerr << file << ':' << line << ": " << what << '\n';
}

}  // namespace tilery::tests

#define CHECK(condition) tilery::tests::check((condition), #condition, __FILE__, __LINE__)
