// SPDX-License-Identifier: MIT
// The options of Pueblo, with their values and a sentence each.
#include <algorithm>

#include "tilery/core/token.hpp"
#include "tilery/games/pueblo/rules.hpp"

namespace tilery::pueblo {

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

Options Rules::options() {
    return {
        int_option<&Rules::players>("players", 2, kMostPlayers, "the number of players"),
        bool_option<&Rules::demolition>(
            "demolition", "adds the demolition variant: after the final lap, blocks are removed one per turn (PB-19)"),
        bool_option<&Rules::pro>(
            "pro", "plays the pro game: two pairs set aside for a second part, turn order by auction (PB-23)"),
        own_option<&Rules::sites, read_sites, write_sites>(
            "sites", "covers squares on which no block may be built (PB-27)",
            "a list of at most four sacred sites, each an apex and a direction (\"d4ne\")"),
        choice_option<&Rules::start_corner>("start_corner", {"sw", "nw", "ne", "se"},
                                            "the corner where the chieftain starts: space 0, 9, 18 or 27 (PB-12)"),
        choice_option<&Rules::handedness>(
            "handedness", {"right", "left"},
            "which of the two mirror images the blocks are; \"left\" swaps R and L and nothing else (PB-2)"),
        int_option<&Rules::first_bidder>("first_bidder", 0, kMostPlayers - 1,
                                         "who opens every auction of the pro game; checked in every game (PB-25)"),
        int_option<&Rules::max_bid>("max_bid", 1, 99,
                                    "the highest bid in the auctions of the pro game; checked in every game (PB-26)")};
}

}  // namespace tilery::pueblo
