// SPDX-License-Identifier: MIT
// Arrays for the views of a game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/any/game.hpp"

namespace tilery::any {

template <class T>
[[nodiscard]] constexpr Array::Type type_of() {
    if constexpr (std::is_same_v<T, bool>) return Array::Type::kBool;
    if constexpr (std::is_same_v<T, std::int8_t>) return Array::Type::kInt8;
    if constexpr (std::is_same_v<T, std::uint8_t>) return Array::Type::kUint8;
    if constexpr (std::is_same_v<T, std::int16_t>) return Array::Type::kInt16;
}

// An array of this shape, in C order from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] Array filled(std::vector<std::size_t> shape, F&& item) {
    const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    Array array{type_of<T>(), std::move(shape), std::vector<std::byte>(size * sizeof(T))};
    for (std::size_t i = 0; i < size; ++i) {
        const T value = static_cast<T>(item(i));
        std::memcpy(array.data.data() + i * sizeof value, &value, sizeof value);
    }
    return array;
}

// An array [size], from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] Array row(std::size_t size, F&& item) {
    return filled<T>({size}, item);
}

// An array [rows, columns], from cell(row, column).
template <class T, class F>
[[nodiscard]] Array table(std::size_t rows, std::size_t columns, F&& cell) {
    return filled<T>({rows, columns}, [&](std::size_t i) { return cell(i / columns, i % columns); });
}

}  // namespace tilery::any
