// SPDX-License-Identifier: MIT
// The SHA-256 of bytes (FIPS 180-4), which is the name of a network.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilery::net {

// In 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

}  // namespace tilery::net
