// SPDX-License-Identifier: MIT
// Reading a Value of known form, with errors that name the place: "position: hands[1][0] must be ...".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilery/core/errors.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

// Throws errors of this type.
template <class Thrown>
class ReaderOf {
  public:
    // `name` is what errors call the whole.
    ReaderOf(const Value& value, std::string name) : value_(value), path_(std::move(name)) {}

    // The member of an object that has to be there.
    [[nodiscard]] ReaderOf at(std::string_view name) const {
        if (value_.get<Value::Object>() == nullptr) refuse("an object");
        const Value* const member = value_.find(name);
        if (member == nullptr) throw Thrown(path_ + " has no '" + std::string(name) + "'");
        return {*member, path_ + "." + std::string(name)};
    }
    // Refuses an object that has not these members, or others too.
    void expect_keys(std::initializer_list<std::string_view> keys) const {
        const auto* const object = value_.get<Value::Object>();
        std::string names;
        bool all = object != nullptr && object->size() == keys.size();
        for (const std::string_view key : keys) {
            names.append(names.empty() ? "" : ", ").append(key);
            all = all && value_.find(key) != nullptr;
        }
        if (!all) refuse("an object with the keys " + names);
    }
    // Calls read(place, reader) for each member of an object, by the place of its key in a list of names.
    void members(const auto& names, auto&& read) const {
        for (const auto& [name, member] : as<Value::Object>("an object")) {
            const auto at = std::ranges::find(names, name);
            if (at == std::ranges::end(names)) throw Thrown(path_ + ": there is no '" + name + "'");
            read(static_cast<std::size_t>(at - std::ranges::begin(names)), ReaderOf(member, path_ + "." + name));
        }
    }
    [[nodiscard]] std::vector<ReaderOf> items() const {
        const auto& list = as<Value::List>("a list");
        std::vector<ReaderOf> items;
        for (std::size_t i = 0; i < list.size(); ++i) {
            items.push_back({list[i], path_ + "[" + std::to_string(i) + "]"});
        }
        return items;
    }
    [[nodiscard]] std::vector<ReaderOf> items(std::size_t size) const {
        const auto* const list = value_.get<Value::List>();
        if (list == nullptr || list->size() != size) refuse("a list of " + std::to_string(size) + " items");
        return items();
    }
    // Calls read(i, reader) for each item of a list of `size` items.
    void items(std::size_t size, auto&& read) const {
        const std::vector<ReaderOf> found = items(size);
        for (std::size_t i = 0; i < size; ++i) read(i, found[i]);
    }
    // The number of items of a list that has at most `most`.
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
    // An integer from 0 to the greatest of `into`, and such integers into all places of a range.
    template <class T>
    void number(T& into) const {
        into = static_cast<T>(integer(0, std::numeric_limits<T>::max()));
    }
    void numbers(auto&& into) const {
        items(std::size(into), [&into](std::size_t i, const ReaderOf& item) { item.number(into[i]); });
    }
    // Integers into the places of an array, as many as it has or as are given first.
    void integers(auto& into, std::size_t size, int low, int high) const {
        using T = std::remove_cvref_t<decltype(into[0])>;
        items(size, [&](std::size_t i, const ReaderOf& item) { into[i] = static_cast<T>(item.integer(low, high)); });
    }
    [[nodiscard]] bool boolean() const { return as<bool>("true or false"); }
    [[nodiscard]] const std::string& text() const { return as<std::string>("a string"); }
    // The place of a text in a list of names, which is `allowed`.
    [[nodiscard]] std::size_t place_in(const auto& names, const std::string& allowed) const {
        const auto* const text = value_.get<std::string>();
        const auto at = text == nullptr ? std::ranges::end(names) : std::ranges::find(names, *text);
        if (at == std::ranges::end(names)) refuse(allowed);
        return static_cast<std::size_t>(at - std::ranges::begin(names));
    }
    [[nodiscard]] bool is_null() const { return value_.is_null(); }
    // Throws unless this object has the keys of another, in any order.
    void check_keys(const Value& other) const {
        for (const auto& [key, value] : value_.members()) {
            if (other.find(key) == nullptr) throw Thrown(path_ + ": there is no key '" + key + "'");
        }
        for (const auto& [key, value] : other.members()) {
            if (value_.find(key) == nullptr) throw Thrown(path_ + ": the key '" + key + "' is missing");
        }
    }

    [[noreturn]] void refuse(const std::string& allowed) const {
        throw Thrown(path_ + " must be " + allowed + ", got " + value_.json());
    }

  private:
    // The value as a T, which is `allowed`.
    template <class T>
    [[nodiscard]] const T& as(const std::string& allowed) const {
        const T* const found = value_.get<T>();
        if (found == nullptr) refuse(allowed);
        return *found;
    }

    const Value& value_;
    std::string path_;
};

using ValueReader = ReaderOf<StateDataError>;

}  // namespace tilery
