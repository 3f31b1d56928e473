// SPDX-License-Identifier: MIT
#include "tilery/net/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "tilery/core/random.hpp"

namespace tilery::net {
namespace {

constexpr float kScale = 10;  // the network learns leads and points in units of ten points
constexpr float kClip = 4;
constexpr float kMostError = 4;

// A number of the network and the sum of squares of its gradients. Loops over such blocks have no reductions, so the
// compiler may compute several at once and every build adds up in the same order.
template <std::size_t N>
struct Block {
    std::array<float, N> value{}, squares;
    Block() { squares.fill(1e-6F); }

    void learn(const std::array<float, N>& gradient, float rate) {
        for (std::size_t i = 0; i < N; ++i) {
            squares[i] += gradient[i] * gradient[i];
            value[i] -= rate * gradient[i] / std::sqrt(squares[i]);
        }
    }
};

using Direct = std::array<float, 4>;  // kHeads, and one for vectors of a power of two

// Values of one position, kept for the way back.
struct Pass {
    std::array<float, kHidden> sums, units;
    std::array<float, kSecond> seconds, rectified;
    Direct heads;
};

class Learner {
  public:
    Learner(std::size_t num_inputs, const FitSettings& settings)
        : rows_(num_inputs), direct_(num_inputs), rate_(static_cast<float>(settings.rate)) {
        Rng rng(settings.seed);
        const auto random = [&rng](float most) {
            return most * (static_cast<float>(rng.next() >> 40) / static_cast<float>(1 << 23) - 1);
        };
        for (auto& row : rows_) {
            for (float& weight : row.value) weight = random(0.1F);
        }
        bias_.value.fill(0.2F);
        for (auto& column : second_) {
            for (float& weight : column.value) weight = random(std::sqrt(3.0F / kHidden));
        }
        second_bias_.value.fill(0.1F);
        for (auto& unit : heads_) {
            for (std::size_t head = 0; head < kHeads; ++head) unit.value[head] = random(std::sqrt(3.0F / kSecond));
        }
    }

    void set_rate(float rate) { rate_ = rate; }

    [[nodiscard]] Direct forward(std::span<const InputId> inputs, Pass& pass) const {
        pass.sums = bias_.value;
        pass.heads = head_bias_.value;
        for (const InputId id : inputs) {
            for (std::size_t j = 0; j < kHidden; ++j) pass.sums[j] += rows_[id].value[j];
            for (std::size_t h = 0; h < 4; ++h) pass.heads[h] += direct_[id].value[h];
        }
        for (std::size_t j = 0; j < kHidden; ++j) pass.units[j] = std::clamp(pass.sums[j], 0.0F, kClip);
        pass.seconds = second_bias_.value;
        for (std::size_t j = 0; j < kHidden; ++j) {
            for (std::size_t m = 0; m < kSecond; ++m) pass.seconds[m] += second_[j].value[m] * pass.units[j];
        }
        for (std::size_t m = 0; m < kSecond; ++m) {
            pass.rectified[m] = std::max(pass.seconds[m], 0.0F);
            for (std::size_t h = 0; h < 4; ++h) pass.heads[h] += heads_[m].value[h] * pass.rectified[m];
        }
        return pass.heads;
    }

    // One step down the gradient of the errors of the heads.
    void backward(std::span<const InputId> inputs, const Pass& pass, const Direct& errors) {
        std::array<float, kSecond> to_seconds{};
        for (std::size_t m = 0; m < kSecond; ++m) {
            Direct gradient;
            for (std::size_t h = 0; h < 4; ++h) gradient[h] = errors[h] * pass.rectified[m];
            if (pass.seconds[m] > 0) {
                for (std::size_t h = 0; h < kHeads; ++h) to_seconds[m] += errors[h] * heads_[m].value[h];
            }
            heads_[m].learn(gradient, rate_);
        }
        std::array<float, kHidden> to_units{};
        for (std::size_t j = 0; j < kHidden; ++j) {
            std::array<float, kSecond> gradient;
            for (std::size_t m = 0; m < kSecond; ++m) gradient[m] = to_seconds[m] * pass.units[j];
            if (pass.sums[j] > 0 && pass.sums[j] < kClip) {
                for (std::size_t m = 0; m < kSecond; ++m) to_units[j] += to_seconds[m] * second_[j].value[m];
            }
            second_[j].learn(gradient, rate_);
        }
        second_bias_.learn(to_seconds, rate_);
        head_bias_.learn(errors, rate_);
        bias_.learn(to_units, rate_);
        for (const InputId id : inputs) {
            rows_[id].learn(to_units, rate_);
            direct_[id].learn(errors, rate_);
        }
    }

    [[nodiscard]] Weights weights() const {
        Weights out;
        out.rows.resize(rows_.size());
        out.direct.resize(rows_.size());
        for (std::size_t id = 0; id < rows_.size(); ++id) {
            for (std::size_t j = 0; j < kHidden; ++j) out.rows[id][j] = whole<std::int16_t>(rows_[id].value[j] * 128);
            for (std::size_t h = 0; h < kHeads; ++h) {
                out.direct[id][h] = whole<std::int16_t>(direct_[id].value[h] * unit_of(h));
            }
        }
        for (std::size_t j = 0; j < kHidden; ++j) {
            out.bias[j] = whole<std::int16_t>(bias_.value[j] * 128);
            for (std::size_t m = 0; m < kSecond; ++m) out.second[m][j] = whole<std::int16_t>(second_[j].value[m] * 512);
        }
        for (std::size_t m = 0; m < kSecond; ++m) {
            out.second_bias[m] = whole<std::int32_t>(second_bias_.value[m] * 65536);
            for (std::size_t h = 0; h < kHeads; ++h) {
                const float scale = h == kWin ? 1 : kScale;
                out.heads[h][m] = whole<std::int32_t>(heads_[m].value[h] * scale * 4096);
            }
        }
        for (std::size_t h = 0; h < kHeads; ++h) {
            out.head_bias[h] = whole<std::int32_t>(head_bias_.value[h] * unit_of(h));
        }
        return out;
    }

  private:
    [[nodiscard]] static float unit_of(std::size_t head) { return head == kWin ? kWinUnit : kScale * kUnit; }
    template <class Integer>
    [[nodiscard]] static Integer whole(float value) {
        constexpr auto most = sizeof(Integer) == 2 ? 32000.0F : 1.0e9F;
        return static_cast<Integer>(std::lround(std::clamp(value, -most, most)));
    }

    std::vector<Block<kHidden>> rows_;
    std::vector<Block<4>> direct_;
    Block<kHidden> bias_;
    std::array<Block<kSecond>, kHidden> second_;
    Block<kSecond> second_bias_;
    std::array<Block<4>, kSecond> heads_;
    Block<4> head_bias_;
    float rate_;
};

// The share of the win of an output, and its slope.
struct Share {
    float value, slope;
    explicit Share(float x) {
        const float root = std::sqrt(1 + x * x);
        value = 0.5F + 0.5F * x / root;
        slope = 0.5F / (root * root * root);
    }
};

}  // namespace

Weights without_unlearned(Weights weights, const FitSettings& settings) {
    const Weights began = Learner(weights.rows.size(), settings).weights();
    for (std::size_t id = 0; id < weights.rows.size(); ++id) {
        if (weights.rows[id] == began.rows[id]) weights.rows[id] = {};
    }
    return weights;
}

Fitted fit(std::size_t num_inputs, std::span<const Samples* const> all, const FitSettings& settings,
           const GoOn& go_on) {
    struct Place {
        std::uint32_t samples, position;
    };
    std::vector<Place> learned, held;
    for (std::size_t s = 0; s < all.size(); ++s) {
        std::uint32_t i = 0;
        for (std::size_t game = 0; game < all[s]->games.size(); ++game) {
            const bool apart = settings.held_out > 0 && game % settings.held_out == settings.held_out - 1;
            for (; i < all[s]->games[game]; ++i) (apart ? held : learned).push_back({static_cast<std::uint32_t>(s), i});
        }
    }
    Learner learner(num_inputs, settings);
    Rng rng(settings.seed, 1);
    Pass pass;
    for (unsigned at = 0; at < settings.passes; ++at) {
        const unsigned left = settings.passes - at;
        learner.set_rate(static_cast<float>(settings.rate) * (left == 1 ? 0.15F : left == 2 ? 0.4F : 1.0F));
        for (std::size_t i = learned.size(); i > 1; --i) {
            std::swap(learned[i - 1], learned[rng.below(static_cast<std::uint32_t>(i))]);
        }
        for (std::size_t i = 0; i < learned.size(); ++i) {
            if (i % 8192 == 0 && !go_on()) return {};
            const Samples& samples = *all[learned[i].samples];
            const auto inputs = samples.inputs(learned[i].position);
            const Target& target = samples.targets[learned[i].position];
            const Direct said = learner.forward(inputs, pass);
            const Share share(said[kWin]);
            Direct errors{};
            errors[kLead] = std::clamp(said[kLead] - target.lead / kScale, -kMostError, kMostError);
            errors[kPoints] = static_cast<float>(settings.points) *
                              std::clamp(said[kPoints] - target.points / kScale, -kMostError, kMostError);
            errors[kWin] = static_cast<float>(settings.win) * (share.value - target.share) * share.slope;
            learner.backward(inputs, pass, errors);
        }
    }
    FitErrors errors;
    for (const Place& place : held) {
        const Target& target = all[place.samples]->targets[place.position];
        const Direct said = learner.forward(all[place.samples]->inputs(place.position), pass);
        const auto square = [](float x) { return static_cast<double>(x) * static_cast<double>(x); };
        errors.lead += square(kScale * said[kLead] - target.lead);
        errors.lead_without += square(target.lead);
        errors.points += square(kScale * said[kPoints] - target.points);
        errors.points_without += square(target.points);
        errors.win += square(Share(said[kWin]).value - target.share);
    }
    errors.positions = held.size();
    for (double* sum : {&errors.lead, &errors.lead_without, &errors.points, &errors.points_without, &errors.win}) {
        *sum = held.empty() ? 0 : std::sqrt(*sum / static_cast<double>(held.size()));
    }
    return {learner.weights(), errors};
}

}  // namespace tilery::net
