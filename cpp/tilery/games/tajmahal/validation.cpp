// SPDX-License-Identifier: MIT
// Why untrusted bytes cannot be a position. Each check may rely on those before it.
#include "tilery/core/validation.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

// All hands together gain at most 3n cards in a visit: the display has 2n - 1; a player who plays nothing draws
// one; one who builds for t persons with p cards draws t - p more than were played, which is at most 1 for
// one card and 2 for two, and there are only four persons.
constexpr int kMostGainedByEach = 3;
constexpr std::uint32_t kMostPersonTiles = 2;  // TM-20

// Whether cards may still be in front of a player.
bool may_have_played(const State& state, std::size_t player) {
    return has(state.in, player) || (player == state.turn && building(state));
}

// The cards that the withdrawal under way may still draw, and those of the display that it takes (TM-15, TM-19).
int still_drawn(const State& state) { return state.draws + state.persons; }
int still_taken(const State& state, int display) {
    if (!building(state) && state.phase != Phase::kDraw) return state.takes;
    return std::min(state.in != 0 ? 2 : 1, display);
}

// By how many cards all hands and the display together may still grow in this visit: see kMostGainedByEach. A player
// draws two more than they played at most, for three persons or more, and so only one does.
int still_gained(const State& state, int players, int display, int played) {
    const int in = std::popcount(state.in), persons = std::popcount(std::uint32_t{state.offer} >> kFirstPerson);
    const int laid_out = state.phase <= Phase::kDisplay ? 2 * players - 1 - display : 0;
    return laid_out + in + (in > 0 && persons > 2 ? 1 : 0) + still_drawn(state) - (building(state) ? played : 0);
}

// The most points of a player for palaces and for the princess's card: in the n-th visit at most n provinces are
// connected, and the card is played once (TM-9, TM-17).
int most_of_visits(const State& state, std::size_t player) {
    constexpr int card = int{kPrincessPoints};
    if (!may_have_played(state, player)) return triangle(state.visit) + card * state.visit;
    const bool played = has(state.used & state.specials[player], kPrincessCard);
    return triangle(state.visit - 1) + card * (state.visit - (played ? 0 : 1));
}

}  // namespace

std::string Game::fault(const State& state) const {
    const std::string fault =
        first_fault(*this, {&Game::ranges_fault, &Game::numbers_fault, &Game::map_fault, &Game::cards_fault}, state);
    if (!fault.empty()) return fault;
    if (state.phase < Phase::kDisplay) return first_fault(*this, {&Game::set_up_fault, &Game::deal_fault}, state);
    return first_fault(
        *this,
        {&Game::turn_fault, &Game::order_fault, &Game::tiles_fault, &Game::palaces_fault, &Game::points_fault,
         &Game::played_fault, &Game::building_fault, &Game::withdrawal_fault, &Game::display_fault},
        state);
}

std::string Game::ranges_fault(const State& state) const {
    if (static_cast<std::size_t>(state.phase) >= kPhases) return "phase out of range";
    if (state.visit < 1 || state.visit > kVisits) return "visit out of range";
    if (state.turn >= players_ || state.in >= bit(players_)) return "player out of range";
    if (state.offer > kAllSymbols) return "set of items out of range";
    if (state.fictive_in > (players_ == 2 ? 1 : 0)) return "flag of the fictive player out of range";
    if (state.persons > kPersons || state.crown > 1) return "more palaces to build than items";
    if (state.draws > kPersons || state.takes > 2) return "more cards to draw or take than allowed";
    if (state.site > cities_) return "city to build in out of range";
    if (state.first > deck_.types()) return "type taken first out of range";
    if (state.padding != decltype(state.padding){}) return "padding that is not zero";
    std::uint32_t held = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const std::uint32_t specials = state.specials[seat];
        if (specials >= bit(kPersons)) return "special cards out of range";
        if ((specials & held) != 0) return "a special card with two holders";
        held |= specials;
        if (state.colour[seat] > kColours) return "colour out of range";
        for (std::size_t person = 0; person < kPersons; ++person) {
            if (tiles_held(state.tiles[seat], person) > kMostPersonTiles) return "more than two tiles of a person";
        }
        const bool nothing = state.points[seat] == 0 && state.goods[seat] == decltype(state.goods)::value_type{} &&
                             state.tiles[seat] == 0 && specials == 0 && state.colour[seat] == 0;
        if (seat >= players_ && !nothing) return "things of a player who does not take part";
    }
    if ((state.used & ~held) != 0) return "a played special card without a holder";
    return "";
}

// TM-2
std::string Game::numbers_fault(const State& state) const {
    const std::size_t taj_mahal_province = province_of_[taj_mahal_];
    if (!state.numbers.canonical()) return "numbers of provinces out of range";
    if (state.numbers[kVisits - 1] != taj_mahal_province + 1) return "number 12 in another province";
    std::uint32_t seen = bit(taj_mahal_province);
    bool open = false;
    for (std::size_t i = 0; i + 1 < kVisits; ++i) {
        const std::size_t number = state.numbers[i];
        if (number > kProvinces) return "numbers of provinces out of range";
        if (open && number > 0) return "numbers of provinces out of order";
        open |= number == 0;
        if (number == 0) continue;
        if (has(seen, number - 1)) return "a province with two numbers";
        seen |= bit(number - 1);
    }
    return open != (state.phase == Phase::kNumbers) ? "numbers of provinces that do not fit the phase" : "";
}

// Palaces and bonus tiles (TM-6, TM-13, TM-15).
std::string Game::map_fault(const State& state) const {
    const Cities ordinary = state.sites.palaces(), tiles = state.sites.tiles(), moguls = state.moguls.any();
    if (!(ordinary | moguls).subset_of(Cities::below(cities_))) return "a palace outside the cities";
    if (!tiles.subset_of(tiled_)) return "a bonus tile where none can be";
    Cities owned, owned_moguls, known_tiles;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        owned |= state.sites.palaces_of(seat);
        owned_moguls |= own_moguls(state, seat);
    }
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) known_tiles |= state.sites.tiles_of(kind);
    if (owned != ordinary || owned_moguls != moguls) return "a palace without an owner";
    if (known_tiles != tiles) return "kind of a bonus tile out of range";
    if (greater(bonus_on_map(state), bonus_supply_) != 0) return "more bonus tiles of a kind than there are";
    if (state.phase > Phase::kBonus && tiles != tiled_ - ordinary) return "a missing bonus tile";
    for (const Cities& province : province_cities_) {
        if ((moguls & province).size() > 1) return "two mogul palaces in a province";
    }
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const std::uint32_t built = state.sites.palaces_of(seat).size() + own_moguls(state, seat).size();
        if (built != state.palaces[seat]) return "a wrong count of palaces";
        if (built > kPalaces) return "more palaces than a player has";
    }
    return "";
}

bool Game::nobody_out(const State& state) const {
    return state.in == bit(players_) - 1 && (players_ != 2 || state.fictive_in != 0);
}

std::string Game::cards_fault(const State& state) const {
    for (std::size_t colour = 0; colour <= kColours; ++colour) {
        const std::size_t card = state.fictive[colour];
        if (card == 0) continue;
        if (card > deck_.types() || deck_.type(card - 1).colour != colour) return "invalid card of the fictive player";
        if (state.fictive_in == 0) return "cards of the fictive player, who has withdrawn";
    }
    const Places all = places(state);
    if (!deck_.canonical(state.cards)) return "a set of cards that is not canonical";
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        if (state.cards.symbols[seat] != deck_.printed(all.played[seat]) + special_symbols(state, seat)) {
            return "symbols that do not match the played cards";
        }
    }
    const Counts fictive = fictive_cards(state);
    int cards = total(all.display);
    for (std::size_t type = 0; type < deck_.types(); ++type) {
        int copies = all.pile[type] + all.display[type] + fictive[type];
        for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
            if (all.known[seat][type] > all.hand[seat][type]) return "a known card that is not in the hand";
            const int own = all.hand[seat][type] + all.played[seat][type];
            if (own > 0 && seat >= players_) return "cards of a player who does not take part";
            copies += own;
            cards += own;
        }
        if (copies > deck_.type(type).copies) return "more cards of a type than the deck has";
    }
    if (state.cards.display.size() >= 2 * players_) return "too many cards in the display";
    const int display = total(all.display);
    const int gained = still_gained(state, rules_.players, display, total(all.played[state.turn]));
    if (cards + gained > (int{kDealt} + kMostGainedByEach * state.visit) * rules_.players) {
        return "too many cards in hands";
    }
    const int due = still_drawn(state) + still_taken(state, display);
    if (total(all.hand[state.turn]) + due > int{kDealt} + kMostGained * state.visit) {
        return "too many cards in a hand, with those still to come";
    }
    const bool first_visit = state.visit == 1 && state.phase >= Phase::kDisplay;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const int gains = may_have_played(state, seat) ? state.visit - 1 : state.visit;
        const int own = total(all.hand[seat]) + total(all.played[seat]);
        if (own > int{kDealt} + kMostGained * gains) return "too many cards in a hand";
        if (!first_visit || !has(state.in, seat)) continue;
        if (own != kDealt || total(all.known[seat]) > 0) return "a hand that is not the one dealt";
    }
    // Discards are what players who have withdrawn had played.
    if (first_visit && nobody_out(state) && cards + total(fictive) + total(all.pile) != number(deck_.size())) {
        return "discards before the first withdrawal";
    }
    return "";
}

// Before the first visit there are only numbers, tiles and cards.
std::string Game::set_up_fault(const State& state) const {
    State expected = initial_;
    expected.phase = state.phase;
    expected.numbers = state.numbers;
    expected.sites = state.sites;
    if (state.phase == Phase::kDeal) expected.cards = state.cards;
    if (!(state == expected)) return "something that set-up does not bring";
    if (!state.sites.palaces().empty()) return "a palace before the first visit";
    if (state.phase == Phase::kNumbers && !state.sites.tiles().empty()) return "bonus tiles before the numbers";
    if (state.phase == Phase::kBonus) {
        const Cities untiled = tiled_ - state.sites.tiles();
        if (untiled.empty()) return "no fortress for the next bonus tile";
        if (!state.sites.tiles().subset_of(Cities::below(untiled.first()))) return "bonus tiles out of order";
    }
    return "";
}

std::string Game::deal_fault(const State& state) const {
    if (state.phase != Phase::kDeal) return "";
    std::size_t dealt = 0, most = kDealt;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const Cards::OfPlayer& own = state.cards.players[seat];
        const std::size_t hand = own.hand.size();
        if (hand > most || !own.known.empty() || !own.played.empty()) return "a deal out of order";
        if (hand < kDealt) most = 0;
        dealt += hand;
    }
    if (most > 0) return "a complete deal that has not ended";
    return dealt + state.cards.pile.size() != deck_.size() ? "cards missing in the deal" : "";
}

// Who is in, and what can be won.
std::string Game::turn_fault(const State& state) const {
    const bool running = has_turn(state), over = state.phase == Phase::kOver;
    if (over && state.visit != kVisits) return "the end before the last visit";
    if (!running && state.turn != 0) return "a player to move outside the turns";
    if (state.phase == Phase::kDisplay && !nobody_out(state)) return "a withdrawal before the first turn";
    if (nobody_out(state) && state.offer != kAllSymbols) return "an item won before a withdrawal";
    if (over && (state.in != 0 || state.offer != 0 || state.fictive_in != 0)) return "a visit under way at the end";
    const bool withdrawing = building(state) || state.phase == Phase::kDraw || state.phase == Phase::kTake;
    if (running && state.phase != Phase::kFictive && has(state.in, state.turn) == withdrawing) {
        return "a turn of a player who has withdrawn, or a withdrawal of one who has not";
    }
    if (state.phase == Phase::kFictive && (state.fictive_in == 0 || state.in == 0)) {
        return "a card for the fictive player, who has withdrawn";
    }
    if (!running && state.fictive != decltype(state.fictive){}) return "cards of the fictive player outside the turns";
    return "";
}

// TM-3, TM-7: in the order of turns from the start player, a coloured card for each turn.
std::string Game::order_fault(const State& state) const {
    if (!has_turn(state)) return "";
    const std::size_t start = (state.visit - std::size_t{1}) % players_;
    const auto place = [&](std::size_t seat) { return (seat + players_ - start) % players_; };
    const auto turns = [&](std::size_t seat) {
        return (state.cards.players[seat].played - deck_.cards_of_colour(kWhite)).size();
    };
    std::uint32_t rounds = 0;  // turns of those who have not had this round's one yet
    bool known = false;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const bool played = place(seat) < place(state.turn) || (seat == state.turn && state.phase == Phase::kFictive);
        if (!has(state.in, seat) && !(seat == state.turn && building(state))) continue;
        if (played && turns(seat) == 0) return "played cards that do not follow the order of turns";
        const std::uint32_t before = turns(seat) - (played ? 1 : 0);
        if (known && before != rounds) return "played cards that do not follow the order of turns";
        rounds = before;
        known = true;
    }
    return "";
}

// TM-20: the second tile of a person was won in this visit. A tile of each is won in each visit at most.
std::string Game::tiles_fault(const State& state) const {
    const std::size_t finished = state.visit - (state.phase == Phase::kOver ? 0U : 1U);
    for (std::size_t person = 0; person < kPersons; ++person) {
        std::size_t tiles = has_turn(state) && !has(state.offer, kFirstPerson + person) ? finished + 1 : finished;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            const std::size_t held =
                tiles_held(state.tiles[seat], person) + (has(state.specials[seat], person) ? kMostPersonTiles : 0);
            if (held > tiles) return "more tiles of a person than visits";
            tiles -= held;
            if (has(state.specials[seat], person) && finished < kMostPersonTiles) return "a special card too early";
        }
        int second = 0;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            if (tiles_held(state.tiles[seat], person) < kMostPersonTiles) continue;
            ++second;
            if (!has_turn(state) || has(state.in, seat)) return "a second tile of a player who has not withdrawn";
        }
        if (second > 1) return "a second tile of two players";
        if (second == 1 && has(state.offer, kFirstPerson + person)) return "a second tile that can still be won";
    }
    return "";
}

// Palaces are in provinces that were visited, and in the current one they were won (TM-12).
std::string Game::palaces_fault(const State& state) const {
    const std::size_t current = current_province(state);
    const std::size_t won = kPersons - size_of(std::uint32_t{state.offer} >> kFirstPerson);
    Cities later = Cities::below(cities_);
    for (std::size_t i = 0; i < state.visit; ++i) {
        const std::size_t province = state.numbers[i] - 1;
        const std::size_t most = province == current && has_turn(state) ? won : kPersons + state.persons;
        if ((state.sites.palaces() & province_cities_[province]).size() + state.persons > most) {
            return "more palaces in a province than persons won";
        }
        later -= province_cities_[province];
    }
    if ((state.sites.palaces() | state.moguls.any()).meets(later)) return "a palace in a province not yet visited";
    const bool open = state.phase != Phase::kOver && (has(state.offer, kMogul) || state.crown != 0);
    if (open && state.moguls.any().meets(province_cities_[current])) return "a mogul palace before it was won";
    for (std::size_t seat = 0; seat < players_; ++seat) {
        if (has(state.in, seat) && own_cities(state, seat).meets(province_cities_[current])) {
            return "a palace of a player who has not withdrawn";
        }
    }
    return "";
}

std::string Game::points_fault(const State& state) const {
    const bool over = state.phase == Phase::kOver;
    const bool elephants_won = over || !has(state.offer, kElephant);
    const Lanes bonus = bonus_supply_ - bonus_on_map(state);  // tiles that were taken
    for (std::size_t good = 0; good < kCommodities; ++good) {
        int symbols = count_of(bonus, kFirstCommodityTile + good);
        for (std::size_t i = 0; i + (elephants_won ? 0 : 1) < state.visit; ++i) symbols += production(i)[good];
        for (std::size_t seat = 0; seat < players_; ++seat) symbols -= state.goods[seat][good];
        if (symbols < 0) return "more goods than could be gained";
    }
    for (std::size_t seat = 0; seat < players_; ++seat) {
        int least = state.sites.palaces_of(seat).has(taj_mahal_) ? number(taj_mahal_points_) : 0;
        for (const std::uint8_t symbols : state.goods[seat]) least += triangle(symbols);
        const int most =
            least + most_of_visits(state, seat) + 2 * count_of(bonus, kPlusTwo) + (over ? kMostFinalPoints : 0);
        if (state.points[seat] < least || state.points[seat] > most) return "points out of range";
    }
    return "";
}

// Cards in front of the players.
std::string Game::played_fault(const State& state) const {
    const bool fixed_by_card = rules_.monk_colour == MonkColour::kLater;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const CardSet& played = state.cards.players[seat].played;
        const std::uint32_t used = state.used & state.specials[seat], colour = state.colour[seat];
        const std::uint32_t others = (played & deck_.cards_of_colour(kWhite)).size() + size_of(used);
        const std::uint32_t coloured = (played - deck_.cards_of_colour(kWhite)).size();
        if (!may_have_played(state, seat) && (coloured + others > 0 || colour != 0)) {
            return "played cards of a player who has withdrawn";
        }
        if (state.phase == Phase::kDisplay && coloured + others > 0) return "played cards before the first turn";
        if (others > coloured) return "a white or special card played alone";
        if (colour == 0) {  // nothing, or one card with the monk's (TM-8)
            const bool one_with_monk = coloured == 1 && others == 1 && has(used, kMonkCard) && fixed_by_card;
            if (coloured > 0 && !one_with_monk) return "played cards without a colour";
        } else {
            const std::uint32_t fixed = (played & deck_.cards_of_colour(colour - 1)).size();
            if (coloured == 0) return "a colour without played cards";
            if (coloured - fixed > (has(used, kMonkCard) ? 1 : 0)) return "played cards of another colour";
            if (fixed_by_card && fixed == 0) return "a colour that no card has fixed";
        }
    }
    return "";
}

std::string Game::building_fault(const State& state) const {
    if (state.phase != Phase::kBuild && state.persons > 0) return "palaces of persons to build in another phase";
    if (state.phase != Phase::kBuild && state.site > 0) return "a city to build in, in another phase";
    if (!building(state)) return state.crown > 0 ? "a mogul palace to build in another phase" : "";
    const Cities built = state.sites.palaces_of(state.turn) & province_cities_[current_province(state)];
    const Lanes shown = greater(state.cards.symbols[state.turn], 0);
    const std::uint32_t won = symbols_of(shown) & ~std::uint32_t{state.offer};
    if (state.persons + built.size() > size_of(won >> kFirstPerson)) return "more palaces than persons won";
    if (state.draws > built.size()) return "more cards to draw than tiles";
    if (state.phase == Phase::kBuild && built.up_to_last() != Cities::below(state.site)) {
        return "a city to build in that does not follow the last one";
    }
    if (state.crown > (won >> kMogul & 1U)) return "a mogul palace to build that was not won";
    if (state.palaces[state.turn] >= kPalaces) return "no palace left to build";
    if (state.phase == Phase::kBuild && (state.persons == 0 || building_sites(state).empty()))
        return "nothing to build";
    return state.phase == Phase::kCrown && state.crown == 0 ? "no mogul palace to build" : "";
}

// Cards to draw and to take (TM-5, TM-19).
std::string Game::withdrawal_fault(const State& state) const {
    const bool needs_card =
        state.phase == Phase::kDisplay || state.phase == Phase::kDraw || state.phase == Phase::kFictive;
    if (needs_card && state.cards.pile.empty()) return "no card to draw";
    if (state.phase == Phase::kDraw) {
        const Cities built = state.sites.palaces_of(state.turn) & province_cities_[current_province(state)];
        if (state.draws == 0 || state.draws > std::max(1U, built.size())) return "a wrong number of cards to draw";
    } else if (!building(state) && state.draws > 0) {
        return "cards to draw in another phase";
    }
    if (state.phase != Phase::kTake) {
        return state.takes > 0 || state.first > 0 ? "cards to take in another phase" : "";
    }
    const std::size_t display = state.cards.display.size();
    if (state.takes == 0 || state.takes > display) return "nothing to take";
    if (state.in == 0) return state.takes > 1 || state.first > 0 ? "two cards for the last player" : "";
    if (state.first > 0) return state.takes > 1 || takable(state).empty() ? "no second card to take" : "";
    return state.takes == 1 && display > 1 ? "one card to take instead of two" : "";
}

// TM-4: every player takes two cards, the last one to withdraw one.
std::string Game::display_fault(const State& state) const {
    const std::size_t display = state.cards.display.size(), in = size_of(state.in);
    std::size_t most = in > 0 ? 2 * in - 1 : 0;  // what the players who are in leave at most
    if (state.phase == Phase::kDisplay) most = 2 * players_ - 2;
    if (building(state) || state.phase == Phase::kDraw) most += in > 0 ? 2 : 1;
    if (state.phase == Phase::kTake) most += state.takes;
    if (display > most) return "too many cards in the display";
    if (nobody_out(state) && state.phase > Phase::kDisplay && display < most && !state.cards.pile.empty()) {
        return "cards missing in the display";
    }
    if (state.phase != Phase::kOver) return "";
    const auto hidden = [](const Cards::OfPlayer& own) { return own.known != own.hand; };
    return std::ranges::any_of(state.cards.players, hidden) ? "hands that are not open at the end" : "";
}

}  // namespace tilery::tajmahal
