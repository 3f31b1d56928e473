// SPDX-License-Identifier: MIT
// A state as bytes for disk and network, and back, with every byte checked.
//
//     bytes 0-5    "tilery"
//     bytes 6-7    version of this envelope
//     bytes 8-15   fingerprint of game and rules
//     bytes 16-23  size of the state
//     ...          the state itself, little-endian
//     last 8       checksum of all before
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "tilery/core/errors.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/options.hpp"

namespace tilery {

static_assert(std::endian::native == std::endian::little, "states are written as they are in memory");

// A hash of bytes: the same on every platform, not meant to withstand an attacker.
[[nodiscard]] inline std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
    std::uint64_t hash = mix(seed ^ bytes.size());
    const std::byte* data = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; data += 8, left -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data, 8);
        hash = std::rotl(hash ^ word, 29) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    if (left > 0) std::memcpy(&rest, data, left);
    return mix(hash ^ rest);
}

// The state in the form whose bytes are those of all equal positions (core/game.hpp).
template <Game G>
[[nodiscard]] typename G::State canonical_form(const G& game, const typename G::State& state) {
    if constexpr (HasCanonical<G>) {
        return game.canonical(state);
    } else {
        return state;
    }
}

template <Game G>
[[nodiscard]] bool same_position(const G& game, const typename G::State& a, const typename G::State& b) {
    const auto same_bytes = [](const auto& one, const auto& other) {
        return std::memcmp(&one, &other, sizeof one) == 0;
    };
    if (same_bytes(a, b)) return true;
    if constexpr (HasCanonical<G>) return same_bytes(game.canonical(a), game.canonical(b));
    return false;
}

template <Game G>
[[nodiscard]] std::uint64_t hash_state(const G& game, const typename G::State& state) {
    const typename G::State form = canonical_form(game, state);
    return hash_bytes(std::as_bytes(std::span(&form, 1)));
}

inline constexpr std::string_view kEnvelopeMagic = "tilery";
inline constexpr std::uint16_t kEnvelopeVersion = 1;
inline constexpr std::size_t kEnvelopeHead = 24;
inline constexpr std::size_t kEnvelopeTail = 8;

template <Game G>
[[nodiscard]] std::uint64_t rules_fingerprint(const G& game) {
    const std::string text = std::string(G::kName) + Value(stable_rules(game.rules())).json();
    return hash_bytes(std::as_bytes(std::span(text)));
}

template <Game G>
[[nodiscard]] std::string serialize(const G& game, const typename G::State& state) {
    const typename G::State form = canonical_form(game, state);
    std::string out(kEnvelopeHead + sizeof form + kEnvelopeTail, '\0');
    const std::uint64_t fingerprint = rules_fingerprint(game), size = sizeof form;
    char* at = out.data();
    const auto put = [&at](const void* from, std::size_t bytes) {
        std::memcpy(at, from, bytes);
        at += bytes;
    };
    put(kEnvelopeMagic.data(), kEnvelopeMagic.size());
    put(&kEnvelopeVersion, sizeof kEnvelopeVersion);
    put(&fingerprint, sizeof fingerprint);
    put(&size, sizeof size);
    put(&form, sizeof form);
    const std::uint64_t checksum = hash_bytes(std::as_bytes(std::span(out.data(), out.size() - kEnvelopeTail)));
    put(&checksum, sizeof checksum);
    return out;
}

// Returns the state that serialize() wrote for this game and these rules; anything else throws
// StateDataError.
template <Game G>
[[nodiscard]] typename G::State deserialize(const G& game, std::string_view data) {
    const auto refuse = [](const std::string& reason) -> void {
        throw StateDataError("serialized " + std::string(G::kName) + " state: " + reason);
    };
    typename G::State state;
    const std::size_t expected = kEnvelopeHead + sizeof state + kEnvelopeTail;
    if (data.size() < kEnvelopeMagic.size() || data.substr(0, kEnvelopeMagic.size()) != kEnvelopeMagic) {
        refuse("does not begin with 'tilery'");
    }
    if (data.size() < kEnvelopeHead + kEnvelopeTail) refuse("cut short at " + std::to_string(data.size()) + " bytes");
    const auto read = [&data](std::size_t offset, auto& into) {
        std::memcpy(&into, data.data() + offset, sizeof into);
    };
    std::uint16_t version = 0;
    std::uint64_t fingerprint = 0, size = 0, checksum = 0;
    read(6, version);
    read(8, fingerprint);
    read(16, size);
    if (version != kEnvelopeVersion) refuse("version " + std::to_string(version) + " is not known here");
    if (fingerprint != rules_fingerprint(game)) refuse("written by another game or under other rules");
    if (size != sizeof state || data.size() != expected) {
        refuse("has " + std::to_string(data.size()) + " bytes where " + std::to_string(expected) + " are due");
    }
    read(data.size() - kEnvelopeTail, checksum);
    if (checksum != hash_bytes(std::as_bytes(std::span(data.data(), data.size() - kEnvelopeTail)))) {
        refuse("the checksum does not fit");
    }
    read(kEnvelopeHead, state);
    if (const std::string fault = game.fault(state); !fault.empty()) refuse("impossible: " + fault);
    const typename G::State form = canonical_form(game, state);
    if (std::memcmp(&form, &state, sizeof form) != 0) refuse("impossible: not in the one form of its position");
    return state;
}

}  // namespace tilery
