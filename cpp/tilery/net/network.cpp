// SPDX-License-Identifier: MIT
#include "tilery/net/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "tilery/core/errors.hpp"
#include "tilery/net/sha256.hpp"
#include "tilery/simd/rows.hpp"

namespace tilery::net {
namespace {

constexpr std::string_view kMagic = "tilery network 1\n";
constexpr std::string_view kCalibrated = "calibration 1\n";  // begins what may follow the weights
constexpr std::size_t kMostName = 32, kMostInputs = 0x10000;
constexpr std::int16_t kTopUnit = 512;  // 4 in units of 1/128

static_assert(std::endian::native == std::endian::little);

// Calls f(bytes of one array) for all arrays, in the order of the file.
void for_each_array(auto& weights, auto&& f) {
    const auto raw = [&f](auto& array) { f(std::as_writable_bytes(std::span(array))); };
    raw(weights.rows);
    raw(weights.direct);
    raw(weights.bias);
    raw(weights.second);
    raw(weights.second_bias);
    raw(weights.heads);
    raw(weights.head_bias);
}

class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] std::string_view take(std::size_t size) {
        if (size > rest_.size()) throw WeightsError("the network is cut off: its file is too short");
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    template <class Number>
    [[nodiscard]] Number number() {
        Number value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    [[nodiscard]] std::size_t rest() const { return rest_.size(); }

  private:
    std::string_view rest_;
};

void put(std::string& out, auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

}  // namespace

double share_of(double raw) {
    const double x = raw / kWinUnit;
    return 0.5 + 0.5 * x / std::sqrt(1 + x * x);
}

Network::Network(Heading heading, Weights weights, const std::optional<Calibration>& calibration)
    : heading_(std::move(heading)), weights_(std::move(weights)), calibration_(calibration) {}

std::shared_ptr<const Network> Network::read(std::string_view bytes) {
    Reader reader(bytes);
    if (bytes.size() < kMagic.size() || reader.take(kMagic.size()) != kMagic) {
        throw WeightsError("not a network: the file does not begin with '" +
                           std::string(kMagic.substr(0, kMagic.size() - 1)) + "'");
    }
    Heading heading;
    const auto name = reader.number<std::uint32_t>();
    if (name == 0 || name > kMostName) throw WeightsError("the network's game has a name of invalid length");
    heading.game = reader.take(name);
    heading.inputs = reader.number<std::uint64_t>();
    heading.num_inputs = reader.number<std::uint32_t>();
    if (heading.num_inputs == 0 || heading.num_inputs > kMostInputs) {
        throw WeightsError("the network has an invalid number of inputs: " + std::to_string(heading.num_inputs));
    }
    const auto about = reader.number<std::uint32_t>();
    if (about > kMostAbout) throw WeightsError("the network's description is too long");
    heading.about = reader.take(about);
    Weights weights;
    const std::size_t rows = heading.num_inputs;
    std::size_t fixed = 0;
    for_each_array(weights, [&fixed](std::span<std::byte> raw) { fixed += raw.size(); });
    const std::size_t expected = fixed + rows * (sizeof weights.rows[0] + sizeof weights.direct[0]);
    const bool calibrated = reader.rest() == expected + kCalibrated.size() + sizeof(Calibration);
    if (!calibrated && reader.rest() != expected) {
        throw WeightsError("the network must have " + std::to_string(expected) + " bytes of weights, got " +
                           std::to_string(reader.rest()));
    }
    weights.rows.resize(rows);
    weights.direct.resize(rows);
    for_each_array(weights, [&reader](std::span<std::byte> raw) {
        std::memcpy(raw.data(), reader.take(raw.size()).data(), raw.size());
    });
    if (!calibrated) return std::make_shared<const Network>(std::move(heading), std::move(weights));
    if (reader.take(kCalibrated.size()) != kCalibrated) {
        throw WeightsError("what follows the network's weights is no calibration");
    }
    const auto calibration = reader.number<Calibration>();
    for (const auto& shares : calibration) {
        if (shares[0] == 0 || std::ranges::adjacent_find(shares, std::greater_equal{}) != shares.end()) {
            throw WeightsError("the network's calibrated shares of the win must ascend");
        }
    }
    return std::make_shared<const Network>(std::move(heading), std::move(weights), calibration);
}

std::string Network::write() const {
    std::string out = write_uncalibrated();
    if (calibration_) {
        out += kCalibrated;
        put(out, *calibration_);
    }
    return out;
}

std::string Network::name() const {
    const std::string named = write_uncalibrated();
    return sha256(std::as_bytes(std::span(named)));
}

std::string Network::write_uncalibrated() const {
    std::string out(kMagic);
    put(out, static_cast<std::uint32_t>(heading_.game.size()));
    out += heading_.game;
    put(out, heading_.inputs);
    put(out, heading_.num_inputs);
    put(out, static_cast<std::uint32_t>(heading_.about.size()));
    out += heading_.about;
    Weights weights = weights_;
    for_each_array(weights, [&out](std::span<std::byte> raw) {
        out.append(reinterpret_cast<const char*>(raw.data()), raw.size());
    });
    return out;
}

Heads Network::judge(std::span<const InputId> inputs) const {
    std::array<std::uint16_t, kHidden> sums;  // unsigned, because a file may hold weights whose sum overflows
    std::memcpy(sums.data(), weights_.bias.data(), sizeof sums);
    add_rows(sums, weights_.rows, inputs);
    const std::array<std::int32_t, 4> direct = sum_rows(weights_.direct, inputs);
    std::array<std::int16_t, kHidden> units;
    for (std::size_t j = 0; j < kHidden; ++j) {
        units[j] = std::clamp(static_cast<std::int16_t>(sums[j]), std::int16_t{0}, kTopUnit);
    }
    std::array<std::int64_t, kHeads> deep{};
    for (std::size_t m = 0; m < kSecond; ++m) {
        std::int32_t sum = 0;
        // 32 products of at most 2^15 * 2^9, so no overflow
        for (std::size_t j = 0; j < kHidden; ++j) sum += std::int32_t{weights_.second[m][j]} * units[j];
        const std::int64_t unit = (std::max<std::int64_t>(std::int64_t{sum} + weights_.second_bias[m], 0)) >> 4;
        for (std::size_t head = 0; head < kHeads; ++head) deep[head] += weights_.heads[head][m] * unit;
    }
    Heads out;
    for (std::size_t head = 0; head < kHeads; ++head) {
        // units of 2^-12 * 2^-12, for points down to 1/256, for the win to 1/4096
        const int shift = head == kWin ? 12 : 16;
        const std::int64_t value = std::int64_t{weights_.head_bias[head]} + direct[head] + (deep[head] >> shift);
        out[head] = static_cast<std::int32_t>(std::clamp<std::int64_t>(value, -(1 << 24), 1 << 24));
    }
    return out;
}

double Network::calibrated(double share, int players) const {
    if (!calibration_ || players < 2) return share;
    const auto& shares = (*calibration_)[static_cast<std::size_t>(players) - 2];
    const double at = share * kSteps;
    const std::size_t step = std::min(static_cast<std::size_t>(at), kSteps - 1);
    const double low = step == 0 ? 0 : shares[step - 1], high = step == kSteps - 1 ? kShareUnit : shares[step];
    return (low + (at - static_cast<double>(step)) * (high - low)) / kShareUnit;
}

}  // namespace tilery::net
