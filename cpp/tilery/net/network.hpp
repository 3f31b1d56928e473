// SPDX-License-Identifier: MIT
// A network that judges positions: rows of weights added up for the inputs that are on, two small layers behind them,
// and a straight path. Integers only, so that every build and platform computes the same bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/inputs.hpp"
#include "tilery/core/types.hpp"

namespace tilery::net {

inline constexpr std::size_t kHidden = 32;  // units of the first layer
inline constexpr std::size_t kSecond = 16;  // and of the second

// The output of a network for one seat.
enum Head : std::size_t {
    kLead,    // the margin at the end over the best of the others, less that of Inputs::points
    kPoints,  // the points at the end less those of Inputs::points, better or worse alike
    kWin,     // the share of the win (G-6), before share_of()
    kHeads
};
using Heads = std::array<std::int32_t, kHeads>;
inline constexpr int kUnit = 256;      // of kLead and kPoints: a point
inline constexpr int kWinUnit = 4096;  // of kWin

// The share of the win of a raw output in units of kWinUnit: 0 to 1, by sqrt alone.
[[nodiscard]] double share_of(double raw);

// Weights as a file holds them, little-endian and in this order. The units are powers of two: rows and bias 1/128,
// second 1/512, second_bias 1/65536, heads 1/4096 and direct 1/kUnit points or 1/kWinUnit.
struct Weights {
    std::vector<std::array<std::int16_t, kHidden>> rows;  // of each input
    std::vector<std::array<std::int16_t, 4>> direct;      // of each input to each head; the last is 0
    std::array<std::int16_t, kHidden> bias{};
    std::array<std::array<std::int16_t, kHidden>, kSecond> second{};
    std::array<std::int32_t, kSecond> second_bias{};
    std::array<std::array<std::int32_t, kSecond>, kHeads> heads{};
    std::array<std::int32_t, kHeads> head_bias{};
};

// The contents of a file besides its weights.
struct Heading {
    std::string game;          // its name
    std::uint64_t inputs = 0;  // hash of the names of the game's inputs
    std::uint32_t num_inputs = 0;
    std::string about;  // JSON: how the network was made; at most kMostAbout bytes
};
inline constexpr std::size_t kMostAbout = std::size_t{1} << 16;

// The outcomes of predicted shares of the win, for each number of players from 2 on: the shares at kSteps - 1 equal
// steps between 0 and 1 in units of 1/kShareUnit, each more than the one before.
inline constexpr std::size_t kSteps = 32;
inline constexpr std::uint32_t kShareUnit = 65536;
using Calibration = std::array<std::array<std::uint16_t, kSteps - 1>, kMaxPlayers - 1>;

class Network {
  public:
    Network(Heading heading, Weights weights, const std::optional<Calibration>& calibration = {});

    // A file's bytes; WeightsError that says what is wrong with them. Nothing is allocated before sizes are checked.
    [[nodiscard]] static std::shared_ptr<const Network> read(std::string_view bytes);
    [[nodiscard]] std::string write() const;
    // The SHA-256 of the file in 64 hexadecimal digits, without the calibration, which changes no choice.
    [[nodiscard]] std::string name() const;

    [[nodiscard]] const Heading& heading() const { return heading_; }
    [[nodiscard]] const Weights& weights() const { return weights_; }
    [[nodiscard]] Heads judge(std::span<const InputId> inputs) const;
    // The outcome of a share of the win, 0 to 1, that was predicted with this number of players.
    [[nodiscard]] double calibrated(double share, int players) const;

  private:
    [[nodiscard]] std::string write_uncalibrated() const;

    Heading heading_;
    Weights weights_;
    std::optional<Calibration> calibration_;
};

}  // namespace tilery::net
