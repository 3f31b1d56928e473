// SPDX-License-Identifier: MIT
// What the programs of this folder share: their words, and the game that these name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/c/words.hpp"
#include "tilery/simulation/games.hpp"

namespace tilery::bench {

// The words of a command line: --NAME VALUE and --SWITCH for the names given, OPTION=VALUE, and others.
class Words {
  public:
    Words(int count, char** words, std::initializer_list<std::string_view> names,
          std::initializer_list<std::string_view> switches = {}) {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            if (std::ranges::find(switches, word) != switches.end()) {
                values_[word] = "";
            } else if (std::ranges::find(names, word) != names.end() && i + 1 < count) {
                values_[word] = words[++i];
            } else if (!add_option(options_, word)) {
                plain_.push_back(word);
            }
        }
    }

    [[nodiscard]] const std::vector<std::string>& plain() const { return plain_; }
    [[nodiscard]] const Value::Object& options() const { return options_; }
    [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
    [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const {
        return has(name) ? values_.at(name) : otherwise;
    }
    [[nodiscard]] int number(const std::string& name, int otherwise) const {
        return has(name) ? std::atoi(values_.at(name).c_str()) : otherwise;
    }

  private:
    std::map<std::string, std::string> values_;
    Value::Object options_;
    std::vector<std::string> plain_;
};

[[nodiscard]] inline std::uint64_t to_count(const std::string& word) {
    return std::strtoull(word.c_str(), nullptr, 10);
}

// Calls run<G>() for the game of this name; returns the status of the program.
template <class Run>
[[nodiscard]] int with_game(std::string_view name, Run&& run) {
    bool found = false;
    try {
        for_each_game([&]<Game G>() {
            if (G::kName != name) return;
            found = true;
            run.template operator()<G>();
        });
        if (!found) throw std::invalid_argument("unknown game " + std::string(name));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
    return 0;
}

}  // namespace tilery::bench
