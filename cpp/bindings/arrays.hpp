// SPDX-License-Identifier: MIT
// New NumPy arrays for the views of a game.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace tilery::bindings {

// An array of this shape, in C order from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] pybind11::array_t<T> filled(std::vector<pybind11::ssize_t> shape, F&& item) {
    pybind11::array_t<T> array(std::move(shape));
    T* const data = array.mutable_data();
    const auto size = static_cast<std::size_t>(array.size());
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<T>(item(i));
    return array;
}

// An array [size], from item(0), item(1), ...
template <class T, class F>
[[nodiscard]] pybind11::array_t<T> row(std::size_t size, F&& item) {
    return filled<T>({static_cast<pybind11::ssize_t>(size)}, item);
}

// An array [rows, columns], from cell(row, column).
template <class T, class F>
[[nodiscard]] pybind11::array_t<T> table(std::size_t rows, std::size_t columns, F&& cell) {
    return filled<T>({static_cast<pybind11::ssize_t>(rows), static_cast<pybind11::ssize_t>(columns)},
                     [&](std::size_t i) { return cell(i / columns, i % columns); });
}

}  // namespace tilery::bindings
