// SPDX-License-Identifier: MIT
// Pueblo: windows, their names, and the option `sites`.
#include "tilery/games/pueblo/rules.hpp"

#include <algorithm>

#include "tilery/core/token.hpp"

namespace tilery::pueblo {

bool inside(int apex, Direction direction) {
    const bool east = direction == Direction::kNe || direction == Direction::kSe;
    const bool north = direction == Direction::kNe || direction == Direction::kNw;
    return apex % kSide != (east ? kSide - 1 : 0) && apex / kSide != (north ? kSide - 1 : 0);
}

Squares squares_of(int apex, Direction direction) {
    Squares squares;
    for (const int square : {apex, apex + kArms[direction].right, apex + kArms[direction].left}) {
        squares.insert(index(square));
    }
    return squares;
}

std::string square_name(int square) {
    return std::string{"abcdefgh"[square % kSide]} + std::to_string(square / kSide + 1);
}

int read_square(TokenReader& reader) {
    const int file = number(reader.one_of("abcdefgh", "a file from a to h"));
    return kSide * number(reader.one_of("12345678", "a rank from 1 to 8")) + file;
}

std::string window_name(int apex, Direction direction) {
    return square_name(apex) + std::string(kDirections[direction]);
}

Site read_window(TokenReader& reader) {
    const int apex = read_square(reader);
    for (const Direction direction : kEachDirection) {
        if (!reader.accept(kDirections[direction])) continue;
        if (!inside(apex, direction)) reader.fail("the window leaves the site");
        return {apex, direction};
    }
    reader.fail("expected a direction: ne, nw, se or sw");
}

Sites Rules::read_sites(const Value& value) {
    constexpr std::string_view kAllowed = "a list of at most 4 sacred sites such as \"d4ne\" inside the site";
    const auto* list = value.get<Value::List>();
    if (list == nullptr || list->size() > kMostSites) refuse_option("sites", kAllowed, value);
    Sites sites;
    for (const Value& item : *list) {
        const auto* text = item.get<std::string>();
        if (text == nullptr) refuse_option("sites", kAllowed, value);
        try {
            TokenReader reader(*text);
            const Site site = read_window(reader);
            reader.end();
            sites.push_back(site);
        } catch (const ParseError& error) {
            throw OptionError("sites must be " + std::string(kAllowed) + ", got " + value.json() + ": " + error.what());
        }
    }
    std::sort(sites.begin(), sites.end());  // PB-27
    return sites;
}

Value Rules::write_sites(const Sites& sites) {
    Value::List list;
    for (const Site& site : sites) list.emplace_back(window_name(site.apex, site.direction));
    return list;
}

}  // namespace tilery::pueblo
