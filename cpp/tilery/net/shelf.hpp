// SPDX-License-Identifier: MIT
// The networks that a process has loaded, by name (Network::name), and the ladder of each game.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/net/network.hpp"

namespace tilery::net {

// Makes a network known under its name, for all threads; it replaces one that has the name, whose calibration may be
// another.
void load(const std::string& name, std::shared_ptr<const Network> network);

// Makes the network of a file known under its name, and returns that. A policy that names none means
// the one that is shipped for the game, or else the first that was loaded so. WeightsError for other bytes.
std::string load_by_hash(std::string_view bytes);

// The networks shipped for a game: the name of the network that a policy means which names none, and the texts of the
// rungs of its ladder, the weakest first.
struct Shipped {
    std::string network;
    std::vector<std::string> rungs;
};
void set_shipped(const std::string& game, Shipped shipped);

// How the shipped things of a game are loaded when they are first asked for: calls set_shipped, or does nothing for a
// game without any. Called by any thread.
void set_loader(std::function<void(const std::string& game)> loader);

[[nodiscard]] Shipped shipped(const std::string& game);
[[nodiscard]] std::string shipped_network(const std::string& game);  // WeightsError where there is none

// The network of this name, "" for the shipped one, whose inputs must be those of the game. WeightsError says what
// is missing or does not fit.
[[nodiscard]] std::shared_ptr<const Network> network_for(std::string_view game, std::string_view name,
                                                         std::uint64_t inputs, std::size_t num_inputs);

}  // namespace tilery::net
