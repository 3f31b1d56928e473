// SPDX-License-Identifier: MIT
// Actions for people: in words, as things to point at, and why one is illegal.
#include <string>

#include "tilery/core/token.hpp"
#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

constexpr std::array<std::string_view, kColours + 1> kColourNames{"green", "violet", "red", "yellow", "white"};
constexpr std::array<std::string_view, kSymbols> kSymbolNames{"elephant", "mogul", "vizier",
                                                              "general",  "monk",  "princess"};

// "green card with elephant and vizier"
std::string card_text(const CardType& card) {
    std::string text = std::string(kColourNames[card.colour]) + " card with ";
    if (card.first == card.second) return text + "two symbols of " + std::string(kSymbolNames[card.first]);
    text += kSymbolNames[card.first];
    if (card.colour != kWhite) text += " and " + std::string(kSymbolNames[card.second]);
    return text;
}

std::string special_text(std::size_t special) {
    return std::string(kSymbolNames[kFirstPerson + special]) + "'s special card";
}

std::string player_name(std::size_t player) { return "player " + std::to_string(player); }

}  // namespace

Action Game::action_seen_by(const State& state, Player player, Action action) const {
    const bool dealt = state.phase == Phase::kDeal;
    if (!dealt && state.phase != Phase::kDraw) return action;
    const std::size_t seat = dealt ? (deck_.size() - state.cards.pile.size()) / kDealt : state.turn;
    return seat == index(player) ? action : kUnseen;
}

std::string Game::describe_action(Action action) const {
    check_action_id(action, num_distinct_actions());
    if (action < ids_.province) return "draw a " + card_text(deck_.type(place_in(ids_.card, action)));
    if (action < ids_.bonus) {
        return std::string("give province ") + kProvinceLetters[province_of_action(action)] + " the next number";
    }
    if (action < ids_.out) {
        return "put a bonus tile (" + std::string(kBonusNames[bonus_kinds_[place_in(ids_.bonus, action)]]) +
               ") on the next fortress";
    }
    if (action == ids_.out) return "withdraw from the visit";
    if (action == ids_.none) return "build no further palace of this sort";
    if (action >= ids_.take) return "take a " + card_text(deck_.type(place_in(ids_.take, action)));
    if (action >= ids_.crown) return "build a mogul palace in " + city_name(place_in(ids_.crown, action));
    if (action >= ids_.at) return "build a palace in " + city_name(place_in(ids_.at, action));
    const Play& play = play_of(action);
    std::string text = "play a " + card_text(deck_.type(play.type));
    if (play.white != Deck::kNoType) text += " and a " + card_text(deck_.type(play.white));
    if (play.special != 0) text += " and the " + special_text(special_of(play));
    if (action >= ids_.announce) text += ", naming " + std::string(kColourNames[play.fixes - std::size_t{1}]);
    return text;
}

std::vector<std::string> Game::picks(Action action) const {
    const std::string token = action_to_string(action);
    if (action < ids_.out) return {"draw:" + token.substr(1)};
    if (action == ids_.out || action == ids_.none) return {"button:" + token};
    if (action >= ids_.at) {  // at:A1, crown:A1 or take:gEV
        return {(action >= ids_.take ? "display:" : "city:") + token.substr(token.find(':') + 1)};
    }
    const Play& play = play_of(action);
    std::vector<std::string> path{"hand:" + deck_.type(play.type).name()};
    if (play.white != Deck::kNoType) {
        path.push_back("hand:" + deck_.type(play.white).name());
    } else if (play.special != 0) {
        path.push_back("special:" + special_name(special_of(play)));
    } else {
        path.emplace_back("button:alone");
    }
    if (action >= ids_.announce) path.push_back(std::string("colour:") + kColourLetters[play.fixes - std::size_t{1}]);
    return path;
}

std::string Game::describe_pick(std::string_view pick) const {
    if (pick == "button:alone") return "without a white or special card";
    if (pick == "button:out" || pick == "button:none")
        return describe_action(pick.back() == 't' ? ids_.out : ids_.none);
    for (std::size_t colour = 0; colour < kColours; ++colour) {
        if (pick == std::string("colour:") + kColourLetters[colour]) return "name " + std::string(kColourNames[colour]);
    }
    for (std::size_t special = 0; special < kPersons; ++special) {
        if (pick == "special:" + special_name(special)) return "the " + special_text(special);
    }
    const std::string_view place = pick.substr(0, pick.find(':'));
    for (std::size_t type = 0; type < deck_.types() && (place == "hand" || place == "display"); ++type) {
        if (pick.substr(place.size() + 1) == deck_.type(type).name()) return "a " + card_text(deck_.type(type));
    }
    return "";
}

std::string Game::why_illegal(const State& state, Action action) const {
    const std::string player = player_name(state.turn);
    if (action < ids_.out) return "G-2: " + player + " is to act, and chance draws nothing before";
    const bool at = action >= ids_.at && action < ids_.crown, crown = action >= ids_.crown && action < ids_.take;
    switch (state.phase) {
        case Phase::kTurn:
            if (action >= ids_.alone && action < ids_.at) return why_illegal_play(state, play_of(action), action);
            return "TM-7: " + player + " is to play a coloured card or to withdraw";
        case Phase::kBuild:
            if (at) return why_no_palace(state, place_in(ids_.at, action));
            if (crown)
                return "TM-14: ordinary palaces are built before the mogul palace, and " + player + " builds those";
            return "TM-14: " + player + " is to build an ordinary palace or none";
        case Phase::kCrown:
            if (crown) return why_no_palace(state, place_in(ids_.crown, action));
            return "TM-14: " + player + " is to build the mogul palace or none";
        default:
            if (action >= ids_.take) return why_not_taken(state, place_in(ids_.take, action));
            return "TM-19: " + player + " is to take a card of the display";
    }
}

std::string Game::why_illegal_play(const State& state, const Play& play, Action action) const {
    const std::size_t seat = state.turn, fixed = state.colour[seat];
    const std::string player = player_name(seat);
    for (const std::size_t type : {play.type, play.white}) {
        if (type != Deck::kNoType && !state.cards.players[seat].hand.has(deck_.first_card(type))) {
            return "TM-7: " + player + " has no " + deck_.type(type).name() + " in hand";
        }
    }
    const std::string special = play.special != 0 ? special_name(special_of(play)) : "";
    if ((play.special & ~std::uint32_t{state.specials[seat]}) != 0) {
        return "TM-7: " + player + " does not hold the special card " + special;
    }
    if ((play.special & state.used) != 0) return "TM-21: " + special + " has been played in this visit already";
    if (play.special == bit(kMonkCard)) {
        if (action < ids_.announce)
            return "TM-8: " + player + " must name a colour with the monk's card, as in gEV+sK/g";
        return "TM-8: a colour is fixed already, so none is named with the monk's card";
    }
    return "TM-8: the colour of " + player + " in this visit is " + std::string(kColourNames[fixed - 1]);
}

std::string Game::why_no_palace(const State& state, std::size_t city) const {
    const std::size_t province = current_province(state);
    if (province_of_[city] != province) {
        return std::string("TM-13: this visit is to province ") + kProvinceLetters[province];
    }
    const unsigned owner = state.sites.owner(city);
    if (owner > 0) return "TM-13: " + city_name(city) + " has an ordinary palace of " + player_name(owner - 1);
    return "TM-14: palaces are built in rising order of cities, and " + city_name(city) + " comes before the last one";
}

std::string Game::why_not_taken(const State& state, std::size_t type) const {
    const std::string name = deck_.type(type).name();
    if (!state.cards.display.has(deck_.first_card(type))) return "TM-19: there is no " + name + " in the display";
    if (state.first > 0) {
        return "TM-19: the second card may not come before the first, which was " +
               deck_.type(state.first - std::size_t{1}).name() + ", in the order of types";
    }
    return "TM-19: two cards are taken in the order of types, and after " + name + " none is left";
}

}  // namespace tilery::tajmahal
