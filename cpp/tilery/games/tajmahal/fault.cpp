// SPDX-License-Identifier: MIT
// What makes bytes from outside no possible position. Each check may rely on those before it.
#include <algorithm>
#include <bit>
#include <numeric>

#include "tilery/games/tajmahal/game.hpp"

namespace tilery::tajmahal {
namespace {

// A visit brings a player two cards of the display at most, and two more than he plays: four persons'
// palaces on four card tiles cost two cards.
constexpr int kMostGained = 4;
constexpr int kMostOfPersonGained = 3;  // on average over the players; see Deck
constexpr int kMostPersonTiles = 2;     // TM-20
constexpr int kVisitsPoints = 78;       // 1 + 2 + ... + 12 palace points
constexpr int kPrincessPointsInAll = kPrincessPoints * static_cast<int>(kVisits);
constexpr int kMostHand = static_cast<int>(kDealt) + kMostGained * static_cast<int>(kVisits);
constexpr int kMostFinalPoints = static_cast<int>(kPersons) + kMostHand;
constexpr std::uint32_t kAllSymbols = (1U << kSymbols) - 1;

int triangle(int n) { return n * (n + 1) / 2; }

}  // namespace

std::string Game::fault(const State& state) const {
    for (const auto check : {&Game::fault_of_ranges, &Game::fault_of_map, &Game::fault_of_cards}) {
        if (std::string fault = (this->*check)(state); !fault.empty()) return fault;
    }
    if (state.phase < Phase::display) return fault_of_set_up(state);
    for (const auto check : {&Game::fault_of_visit, &Game::fault_of_played, &Game::fault_of_withdrawal}) {
        if (std::string fault = (this->*check)(state); !fault.empty()) return fault;
    }
    return "";
}

std::string Game::fault_of_ranges(const State& state) const {
    const std::uint32_t seats = (1U << players_) - 1;
    if (static_cast<std::size_t>(state.phase) >= kPhases) return "no such phase";
    if (state.visit < 1 || state.visit > kVisits) return "no such visit";
    if (state.turn >= players_ || state.in > seats) return "a player too many";
    if (state.offer > kAllSymbols) return "no such item on offer";
    if (state.fictive_in > (players_ == 2 ? 1 : 0)) return "no such fictive player";
    if (state.persons > kPersons || state.crown > 1) return "more palaces to build than items";
    if (state.draws > kPersons || state.takes > 2) return "more cards to draw or take than allowed";
    if (state.site > cities_) return "no such city to build in";
    if (state.first > deck_.types()) return "no such type taken first";
    if (state.unused != decltype(state.unused){}) return "bytes that are never used";
    std::uint32_t held = 0;
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const std::uint32_t specials = state.specials[seat];
        if (specials >= 1U << kPersons || (specials & held) != 0) return "no such special card";
        held |= specials;
        if (state.colour[seat] > kColours) return "no such colour";
        for (std::size_t person = 0; person < kPersons; ++person) {
            if ((state.tiles[seat] >> (2 * person) & 3U) > kMostPersonTiles) return "more tiles than are ever held";
        }
        const bool nothing = state.points[seat] == 0 && state.goods[seat] == decltype(state.goods)::value_type{} &&
                             state.tiles[seat] == 0 && specials == 0 && state.colour[seat] == 0;
        if (seat >= players_ && !nothing) return "a seat too many";
    }
    if ((state.used & ~held) != 0) return "a special card played that nobody holds";
    return "";
}

std::string Game::fault_of_map(const State& state) const {
    // Numbers (TM-2).
    const std::size_t taj_mahal_province = province_of_[taj_mahal_];
    if (!state.numbers.canonical() || state.numbers[kVisits - 1] != taj_mahal_province + 1) return "numbers astray";
    std::uint32_t seen = 1U << taj_mahal_province;
    bool open = false;
    for (std::size_t i = 0; i + 1 < kVisits; ++i) {
        const std::size_t number = state.numbers[i];
        if (number > kProvinces || (open && number > 0)) return "numbers out of order";
        open |= number == 0;
        if (number == 0) continue;
        if ((seen >> (number - 1) & 1U) != 0) return "a province with two numbers";
        seen |= 1U << (number - 1);
    }
    if (open != (state.phase == Phase::provinces)) return "numbers that do not fit the phase";

    // Palaces and tiles.
    const Cities ordinary = state.sites.palaces(), tiles = state.sites.tiles(), moguls = state.moguls.any();
    if (!(ordinary | moguls).subset_of(Cities::below(cities_))) return "a palace in no city";
    if (!tiles.subset_of(tiled_)) return "a bonus tile where none can be";
    Cities owned, owned_moguls, known_tiles;
    for (std::size_t seat = 0; seat < players_; ++seat) {
        owned |= state.sites.palaces_of(seat);
        owned_moguls |= own_moguls(state, seat);
    }
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) known_tiles |= state.sites.tiles_of(kind);
    if (owned != ordinary || owned_moguls != moguls) return "a palace of nobody";
    if (known_tiles != tiles) return "no such bonus tile";
    if (greater(bonus_lying(state), bonus_supply_) != 0) return "more bonus tiles than there are";
    if (state.phase > Phase::bonus && tiles != tiled_ - ordinary) return "a bonus tile gone";
    for (const Cities& province : province_cities_) {
        if ((moguls & province).size() > 1) return "two mogul palaces in a province";
    }
    for (std::size_t seat = 0; seat < kMaxPlayers; ++seat) {
        const auto built = state.sites.palaces_of(seat).size() + own_moguls(state, seat).size();
        if (built != state.palaces[seat]) return "palaces miscounted";
        if (built > kPalaces) return "more palaces than a player has";
    }
    return "";
}

std::string Game::fault_of_cards(const State& state) const {
    for (std::size_t colour = 0; colour <= kColours; ++colour) {
        const std::size_t card = state.fictive[colour];
        if (card == 0) continue;
        if (card > deck_.types() || deck_.type(card - 1).colour != colour) return "no such card of the fictive player";
        if (state.fictive_in == 0) return "cards of a fictive player who is not in";
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
            if (all.known[seat][type] > all.hand[seat][type]) return "a known card that is not there";
            const int own = all.hand[seat][type] + all.played[seat][type];
            if (own > 0 && seat >= players_) return "cards of nobody";
            copies += own;
            cards += own;
        }
        if (copies > deck_.type(type).copies) return "more cards of a type than the deck has";
    }
    if (total(all.display) >= 2 * static_cast<int>(players_)) return "too many cards in the display";
    const int visit = state.visit;
    if (cards > (static_cast<int>(kDealt) + kMostOfPersonGained * visit) * rules_.players)
        return "too many cards in hands";
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const bool before = (state.in >> seat & 1U) != 0 || may_lie(state, seat);
        const int most = static_cast<int>(kDealt) + kMostGained * (before ? visit - 1 : visit);
        if (total(all.hand[seat]) + total(all.played[seat]) > most) return "too many cards in a hand";
    }
    return "";
}

// Before the first visit there is nothing but numbers, tiles and cards.
std::string Game::fault_of_set_up(const State& state) const {
    State expected = initial_;
    expected.phase = state.phase;
    expected.numbers = state.numbers;
    expected.sites = state.sites;
    if (state.phase == Phase::deal) expected.cards = state.cards;
    if (!(state == expected)) return "something besides the set-up";
    if (!state.sites.palaces().empty()) return "a palace before the first visit";
    if (state.phase == Phase::provinces) return state.sites.tiles().empty() ? "" : "bonus tiles before the numbers";
    if (state.phase == Phase::bonus) {
        const Cities untiled = tiled_ - state.sites.tiles();
        if (untiled.empty()) return "no fortress for the next bonus tile";
        return state.sites.tiles().subset_of(Cities::below(untiled.first())) ? "" : "bonus tiles out of order";
    }
    const Places all = places(state);
    int hands = 0, most = static_cast<int>(kDealt);
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const int hand = total(all.hand[seat]);
        if (hand > most || total(all.known[seat]) + total(all.played[seat]) > 0) return "a deal out of order";
        if (hand < static_cast<int>(kDealt)) most = 0;
        hands += hand;
    }
    if (most > 0) return "a deal that should have ended";
    if (hands + total(all.pile) != static_cast<int>(deck_.size())) return "cards astray in the deal";
    return "";
}

// What must be true in all visits.
std::string Game::fault_of_visit(const State& state) const {
    const std::size_t current = current_province(state);
    const std::uint32_t seats = (1U << players_) - 1;
    const bool running = has_turn(state);
    if (state.phase == Phase::over && state.visit != kVisits) return "over before the last visit";
    if (!running && state.turn != 0) return "a turn of nobody's";

    // Who is in, and what is to be had.
    const bool nobody_out = state.in == seats && (players_ != 2 || state.fictive_in != 0);
    if (state.phase == Phase::display && !nobody_out) return "out before the first turn";
    if (nobody_out && state.offer != kAllSymbols) return "an item won before anybody was out";
    if (state.phase == Phase::over && (state.in != 0 || state.offer != 0 || state.fictive_in != 0)) {
        return "somebody in when the game is over";
    }
    const bool in = (state.in >> state.turn & 1U) != 0;
    const bool withdrawing = state.phase >= Phase::build && state.phase <= Phase::take;
    if (running && state.phase != Phase::fictive && in == withdrawing) return "a turn out of turn";
    if (state.phase == Phase::fictive && (state.fictive_in == 0 || state.in == 0)) return "a fictive turn out of turn";
    if (!running && state.fictive != decltype(state.fictive){}) return "fictive cards out of turn";

    // Tiles and special cards (TM-20): a second tile is of this visit.
    for (std::size_t person = 0; person < kPersons; ++person) {
        int second = 0;
        for (std::size_t seat = 0; seat < players_; ++seat) {
            if ((state.tiles[seat] >> (2 * person) & 3U) < kMostPersonTiles) continue;
            ++second;
            if (!running || (state.in >> seat & 1U) != 0) return "a second tile of a player who is in";
        }
        if (second > 1 || (second == 1 && (state.offer >> (kFirstPerson + person) & 1U) != 0)) {
            return "a second tile that is on offer";
        }
    }

    // Palaces stand in provinces that were visited, in the current one those won (TM-12).
    const int persons_won = static_cast<int>(kPersons) - std::popcount(std::uint32_t{state.offer} >> kFirstPerson);
    Cities later = Cities::below(cities_);
    for (std::size_t i = 0; i < state.visit; ++i) {
        const std::size_t province = state.numbers[i] - 1;
        const Cities built = state.sites.palaces() & province_cities_[province];
        const int most = province == current && running ? persons_won - state.persons : static_cast<int>(kPersons);
        if (static_cast<int>(built.size()) > most) return "more palaces in a province than persons";
        later -= province_cities_[province];
    }
    if ((state.sites.palaces() | state.moguls.any()).meets(later)) return "a palace where no visit was";
    const bool open = state.phase != Phase::over && ((state.offer >> kMogul & 1U) != 0 || state.crown != 0);
    if (open && state.moguls.any().meets(province_cities_[current])) return "a mogul palace before it was won";
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const bool waiting = (state.in >> seat & 1U) != 0;
        if (waiting && own_cities(state, seat).meets(province_cities_[current])) return "a palace of a player still in";
    }

    // Goods and points.
    const bool elephants_won = state.phase == Phase::over || (state.offer >> kElephant & 1U) == 0;
    const Lanes bonus = bonus_supply_ - bonus_lying(state);  // tiles that do not lie on the map any more
    int most_points = taj_mahal_points_ + kVisitsPoints + kPrincessPointsInAll + 2 * count_of(bonus, kPlusTwo) +
                      (state.phase == Phase::over ? kMostFinalPoints : 0);
    for (std::size_t good = 0; good < kCommodities; ++good) {
        int symbols = count_of(bonus, kFirstCommodityTile + good);
        for (std::size_t i = 0; i + (elephants_won ? 0 : 1) < state.visit; ++i) symbols += production(i)[good];
        most_points += triangle(symbols);
        for (std::size_t seat = 0; seat < players_; ++seat) symbols -= state.goods[seat][good];
        if (symbols < 0) return "more goods than were to be had";
    }
    for (std::size_t seat = 0; seat < players_; ++seat) {
        int of_goods = 0;
        for (const std::uint8_t symbols : state.goods[seat]) of_goods += triangle(symbols);
        if (state.points[seat] < of_goods || state.points[seat] > most_points) return "points out of reach";
    }
    return "";
}

// Cards lying before the players.
std::string Game::fault_of_played(const State& state) const {
    const Places all = places(state);
    for (std::size_t seat = 0; seat < players_; ++seat) {
        const std::uint32_t used = state.used & state.specials[seat];
        const bool monk = (used >> kMonkCard & 1U) != 0;
        std::array<int, kColours + 1> played{};
        for (std::size_t type = 0; type < deck_.types(); ++type) {
            played[deck_.type(type).colour] += all.played[seat][type];
        }
        const int coloured = std::accumulate(played.begin(), played.begin() + kColours, 0);
        const int beside = played[kWhite] + std::popcount(used);
        const bool may = (state.in >> seat & 1U) != 0 || may_lie(state, seat);
        if (!may && (coloured + beside > 0 || state.colour[seat] != 0)) return "played cards of a player who is out";
        if (state.phase == Phase::display && coloured + beside > 0) return "played cards before the first turn";
        if (beside > coloured) return "a white or special card played alone";
        if (state.colour[seat] == 0) {  // nothing, or one card with the monk's (TM-8)
            const bool one_with_monk = coloured == 1 && monk && beside == 1 && rules_.monk_colour == MonkColour::later;
            if (coloured > 0 && !one_with_monk) return "cards played, but no colour";
        } else {
            const int others = coloured - played[state.colour[seat] - std::size_t{1}];
            if (coloured == 0 || others > (monk ? 1 : 0)) return "cards played that are not of the colour";
            const bool fixed_by_card = rules_.monk_colour == MonkColour::later;
            if (fixed_by_card && others == coloured) return "a colour that no card has fixed";
        }
    }
    return "";
}

// Palaces to build, cards to draw and to take.
std::string Game::fault_of_withdrawal(const State& state) const {
    const auto display = static_cast<int>(state.cards.display.size());
    const int in = std::popcount(state.in);
    const int waiting = in > 0 ? 2 * in - 1 : 0;  // what is left for the others in the display at most
    const bool building = state.phase == Phase::build || state.phase == Phase::crown;
    if (state.phase != Phase::build && state.persons > 0) return "persons to build for out of turn";
    if (state.phase != Phase::build && state.site > 0) return "a city to build in out of turn";
    if (!building && state.crown > 0) return "a mogul palace to build out of turn";
    if (!building && state.phase != Phase::draw && state.draws > 0) return "cards to draw out of turn";
    if (state.phase != Phase::take && (state.takes > 0 || state.first > 0)) return "cards to take out of turn";
    const bool drawing = state.phase == Phase::display || state.phase == Phase::draw || state.phase == Phase::fictive;
    if (drawing && state.cards.pile.empty()) return "no card to draw";

    const std::size_t player = state.turn;
    const Cities built = state.sites.palaces_of(state.turn) & province_cities_[current_province(state)];
    if (building) {
        const Lanes symbols = greater(state.cards.symbols[player], 0);
        const std::uint32_t won = symbols_of(symbols) & ~std::uint32_t{state.offer};
        if (state.persons + built.size() > static_cast<std::size_t>(std::popcount(won >> kFirstPerson))) {
            return "more palaces than persons won";
        }
        if (state.draws > built.size()) return "more cards to draw than tiles";
        if (state.phase == Phase::build && built.up_to_last() != Cities::below(state.site)) {
            return "a city to build in that does not follow the last one";
        }
        if (state.crown > (won >> kMogul & 1U)) return "a mogul palace that is not won";
        if (state.palaces[player] >= kPalaces) return "no palace left to build";
        if (state.phase == Phase::build && (state.persons == 0 || building_sites(state).empty())) {
            return "nothing to build";
        }
        if (state.phase == Phase::crown && state.crown == 0) return "no mogul palace to build";
    }
    switch (state.phase) {
        case Phase::display:
            return display >= 2 * rules_.players - 1 ? "a display that is full" : "";
        case Phase::build:
        case Phase::crown:
            return display > waiting + (in > 0 ? 2 : 1) ? "too many cards in the display" : "";
        case Phase::draw:
            if (state.draws == 0 || state.draws > std::max<std::size_t>(1, built.size())) return "no such card to draw";
            return display > waiting + (in > 0 ? 2 : 1) ? "too many cards in the display" : "";
        case Phase::take: {
            if (state.takes == 0 || state.takes > display) return "nothing to take";
            if (display > waiting + state.takes) return "too many cards in the display";
            if (in == 0) return state.takes > 1 || state.first > 0 ? "two cards for the last player" : "";
            if (state.first > 0) return state.takes > 1 || takable(state).empty() ? "no second card to take" : "";
            return state.takes == 1 && display > 1 ? "one card where two are to be taken" : "";
        }
        case Phase::over: {
            const Places all = places(state);
            if (all.known != all.hand) return "cards unknown when the game is over";
            return display > 0 ? "a display when the game is over" : "";
        }
        default:
            return display > waiting ? "too many cards in the display" : "";
    }
}

// Cards still lie before a player while he builds.
bool Game::may_lie(const State& state, std::size_t seat) const {
    return seat == state.turn && (state.phase == Phase::build || state.phase == Phase::crown);
}

}  // namespace tilery::tajmahal
