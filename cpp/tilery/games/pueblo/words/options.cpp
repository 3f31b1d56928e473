// SPDX-License-Identifier: MIT
// The options of Pueblo, with their values and a sentence each.
#include "tilery/games/pueblo/rules.hpp"

namespace tilery::pueblo {

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
