// SPDX-License-Identifier: MIT
// Reading a Value of known form, with errors that name the place: "position: hands[1][0] must be ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

class ValueReader {
  public:
    // `name` is what errors call the whole.
    ValueReader(const Value& value, std::string name) : value_(value), path_(std::move(name)) {}

    // The member of an object that has to be there.
    [[nodiscard]] ValueReader at(std::string_view name) const {
        if (value_.get<Value::Object>() == nullptr) refuse("an object");
        const Value* const member = value_.find(name);
        if (member == nullptr) throw StateDataError(path_ + " has no '" + std::string(name) + "'");
        return {*member, path_ + "." + std::string(name)};
    }
    // Calls read(i, reader) for each item of a list of `size` items.
    template <class Read>
    void items(std::size_t size, Read&& read) const {
        const auto* const list = value_.get<Value::List>();
        if (list == nullptr || list->size() != size) refuse("a list of " + std::to_string(size) + " items");
        for (std::size_t i = 0; i < size; ++i) {
            read(i, ValueReader((*list)[i], path_ + "[" + std::to_string(i) + "]"));
        }
    }
    // The number of items of a list that has at most so many.
    [[nodiscard]] std::size_t size(std::size_t most) const {
        const auto* const list = value_.get<Value::List>();
        if (list == nullptr || list->size() > most) refuse("a list of at most " + std::to_string(most) + " items");
        return list->size();
    }
    [[nodiscard]] int integer(int low, int high) const {
        const auto* const number = value_.get<std::int64_t>();
        if (number == nullptr || *number < low || *number > high) {
            refuse("an integer from " + std::to_string(low) + " to " + std::to_string(high));
        }
        return static_cast<int>(*number);
    }
    // Integers into the places of an array, as many as it has or as are given first.
    template <class Array>
    void integers(Array& into, std::size_t size, int low, int high) const {
        items(size, [&](std::size_t i, const ValueReader& item) { into[i] = item.integer(low, high); });
    }
    [[nodiscard]] bool boolean() const {
        const auto* const flag = value_.get<bool>();
        if (flag == nullptr) refuse("true or false");
        return *flag;
    }
    [[nodiscard]] const std::string& text() const {
        const auto* const text = value_.get<std::string>();
        if (text == nullptr) refuse("a string");
        return *text;
    }
    [[nodiscard]] bool is_null() const { return value_.is_null(); }

    [[noreturn]] void refuse(const std::string& allowed) const {
        throw StateDataError(path_ + " must be " + allowed + ", got " + value_.json());
    }

  private:
    const Value& value_;
    std::string path_;
};

}  // namespace tilery
