// SPDX-License-Identifier: MIT
// The options of Taj Mahal, with their values and a sentence each.
#include "tilery/games/tajmahal/rules.hpp"

namespace tilery::tajmahal {

Options Rules::options() {
    return {int_option<&Rules::players>("players", 2, kMaxPlayers,
                                        "the number of players; 2 is the variant with the fictive player (TM-25)"),
            choice_option<&Rules::monk_colour>(
                "monk_colour", {"later", "announce"},
                "whether a first card played with the monk's card leaves the colour open, or "
                "the player names it (TM-8)"),
            own_option<&Rules::data, read_data, write_data>(
                "data", "the deck, the tiles and the map: built in, or custom ones from a file or a mapping",
                "shipped, a path to a JSON file, or the object itself")};
}

}  // namespace tilery::tajmahal
