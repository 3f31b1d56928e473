// SPDX-License-Identifier: MIT
// The samples that a network learns from: positions as inputs, and what became of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tilery/core/inputs.hpp"

namespace tilery::net {

// The target of the judgement of a position, less what Inputs::points say already.
struct Target {
    float lead = 0, points = 0;  // points
    float share = 0;             // of the win, 0 to 1
};

// The positions of some games, one game after the other.
struct Samples {
    std::vector<InputId> ids;
    std::vector<std::uint64_t> ends;   // of each position in ids
    std::vector<Target> targets;       // of each position
    std::vector<std::uint64_t> games;  // the number of positions at the end of each game

    [[nodiscard]] std::size_t size() const { return targets.size(); }
    [[nodiscard]] std::span<const InputId> inputs(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(i == 0 ? 0 : ends[i - 1]);
        return std::span(ids).subspan(begin, static_cast<std::size_t>(ends[i]) - begin);
    }
    void add(std::span<const InputId> inputs, const Target& target) {
        ids.insert(ids.end(), inputs.begin(), inputs.end());
        ends.push_back(ids.size());
        targets.push_back(target);
    }
    void append(const Samples& more) {
        for (const std::uint64_t end : more.ends) ends.push_back(ids.size() + end);
        for (const std::uint64_t end : more.games) games.push_back(size() + end);
        ids.insert(ids.end(), more.ids.begin(), more.ids.end());
        targets.insert(targets.end(), more.targets.begin(), more.targets.end());
    }
};

}  // namespace tilery::net
