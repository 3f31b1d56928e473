// SPDX-License-Identifier: MIT
// What the drawing of Taj Mahal is made of: the colours of cards, and the symbols.
#pragma once

#include <string_view>

namespace tilery::tajmahal {

inline std::string_view card_colour(char letter) {
    switch (letter) {
        case 'g':
            return "#3f9b58";
        case 'v':
            return "#8059b8";
        case 'r':
            return "#c53a36";
        case 'y':
            return "#e5b92e";
        default:
            return "#f7f5ee";
    }
}

inline std::string_view symbol_words(char letter) {
    switch (letter) {
        case 'E':
            return "the elephant: the goods of the province (TM-12)";
        case 'M':
            return "the mogul's crown: a mogul palace (TM-12)";
        case 'V':
            return "the vizier: a palace (TM-12)";
        case 'G':
            return "the general: a palace (TM-12)";
        case 'K':
            return "the monk: a palace (TM-12)";
        default:
            return "the princess: a palace (TM-12)";
    }
}

// What a person or thing looks like, in a square of 18 around the origin.
inline std::string_view symbol_shape(char letter) {
    switch (letter) {
        case 'E':
            return "<path d=\"M-8 5V-2Q-8 -8 -1 -8H2Q8 -8 8 -2V5Q8 8 6 8V1H4V6H1V2H-3V6H-6V2Z\" fill=\"#a7acb5\" "
                   "stroke=\"#222\"/><circle cx=\"4\" cy=\"-3\" r=\"1\" fill=\"#222\"/>";
        case 'M':
            return "<path d=\"M-8 5L-9 -6L-4 -1L0 -8L4 -1L9 -6L8 5Z\" fill=\"#f0c419\" stroke=\"#222\"/>";
        case 'V':
            return "<circle r=\"8\" fill=\"#4a8fd0\" stroke=\"#222\"/><path d=\"M-4 -3L0 4L4 -3\" fill=\"none\" "
                   "stroke=\"#fff\" stroke-width=\"2\"/>";
        case 'G':
            return "<path d=\"M0 -8L7 -5V1Q6 6 0 9Q-6 6 -7 1V-5Z\" fill=\"#b5352f\" stroke=\"#222\"/><path "
                   "d=\"M-3 -3L3 4M3 -3L-3 4\" stroke=\"#fff\" stroke-width=\"2\"/>";
        case 'K':
            return "<circle r=\"8\" fill=\"#e58a2b\" stroke=\"#222\"/><circle cy=\"-2\" r=\"3\" fill=\"#fff\"/><path "
                   "d=\"M-5 6Q0 -2 5 6Z\" fill=\"#fff\"/>";
        default:
            return "<circle r=\"8\" fill=\"#d65a97\" stroke=\"#222\"/><path d=\"M0 -6L2 -2L6 -1L3 2L4 6L0 4L-4 6L-3 "
                   "2L-6 -1L-2 -2Z\" fill=\"#fff\"/>";
    }
}

}  // namespace tilery::tajmahal
