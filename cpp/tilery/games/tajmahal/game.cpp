// SPDX-License-Identifier: MIT
#include "tilery/games/tajmahal/game.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tilery::tajmahal {
namespace {

constexpr int kBonusPoints = 2;
constexpr int kFinalPoint = 1;
constexpr std::uint32_t kSymbolSet = (1U << kSymbols) - 1;
constexpr unsigned kTileBits = 2;             // of a person's tiles in State::tiles
constexpr std::uint32_t kSecondTiles = 0xAA;  // where that is 2

constexpr std::uint8_t byte(std::size_t number) { return static_cast<std::uint8_t>(number); }
constexpr std::uint32_t bit(std::size_t i) { return 1U << i; }

// Two bits for each person of a set of persons, and the set that belongs to such bits.
constexpr auto kOneTileEach = [] {
    std::array<std::uint8_t, 1U << kPersons> table{};
    for (std::size_t set = 0; set < table.size(); ++set) {
        std::size_t tiles = 0;
        for (std::size_t person = 0; person < kPersons; ++person) tiles |= (set >> person & 1U) << (kTileBits * person);
        table[set] = byte(tiles);
    }
    return table;
}();
constexpr auto kPersonsOfTiles = [] {
    std::array<std::uint8_t, (kSecondTiles >> 1) + 1> table{};
    for (std::size_t set = 0; set < kOneTileEach.size(); ++set) table[kOneTileEach[set]] = byte(set);
    return table;
}();

// The next player clockwise, by the set of those of whom he is one.
constexpr auto kNextOf = [] {
    std::array<std::array<std::uint8_t, 8>, 1U << kMaxPlayers> table{};
    for (std::size_t set = 1; set < table.size(); ++set) {
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            std::size_t next = player;
            do next = (next + 1) % kMaxPlayers;
            while ((set >> next & 1U) == 0);
            table[set][player] = byte(next);
        }
    }
    return table;
}();

// TM-15: what a bonus tile gives, by its kind plus 1; nothing where none lies.
struct BonusTile {
    std::uint8_t points, cards, goods, good;
};
constexpr auto kBonusTiles = [] {
    std::array<BonusTile, kBonusKinds + 1> table{};
    table[kPlusTwo + 1].points = kBonusPoints;
    table[kPlusCard + 1].cards = 1;
    for (std::size_t good = 0; good < kCommodities; ++good) {
        table[kFirstCommodityTile + good + 1] = {0, 0, 1, byte(good)};
    }
    return table;
}();

// The cities from one on.
constexpr auto kCitiesFrom = [] {
    std::array<Cities, kMostCities + 1> table;
    for (std::size_t city = 0; city < table.size(); ++city) table[city] = Cities::below(128) - Cities::below(city);
    return table;
}();

void add_points(State& state, std::size_t player, int points) {
    state.points[player] = static_cast<std::uint16_t>(state.points[player] + points);
}

}  // namespace

// Questions.

State Game::initial_state() const { return initial_; }

PerPlayer<int> Game::scores(const State& state) const {
    PerPlayer<int> scores{};
    std::copy(state.points.begin(), state.points.end(), scores.begin());
    return scores;
}

LegalActions Game::legal_actions(const State& state) const {
    LegalActions actions;
    actions.heads_ = 1;
    actions.head_ = &ids_.none;
    actions.names_ = member_names_.data();
    actions.whites_count_ = 0;
    actions.ids_ = nullptr;
    switch (state.phase) {
        case Phase::turn: {
            const std::size_t player = state.turn;
            const CardSet& hand = state.cards.players[player].hand;
            const std::size_t fixed = state.colour[player];
            actions.head_ = &ids_.out;
            actions.base_ = &ids_.alone;
            actions.names_ = deck_.card_types();
            actions.set_ = hand & deck_.playable_cards(fixed);  // TM-8
            actions.whites_ = hand & deck_.white_cards();
            actions.count_ = actions.set_.size();
            actions.whites_count_ = actions.whites_.size();
            // TM-21. No jump for those who hold none: who does is hard to foresee. The monk's card needs one,
            // for other cards may be beside it.
            actions.ids_ = &ids_;
            actions.specials_ = state.specials[player] & ~std::uint32_t{state.used};
            actions.size_ = 1 + actions.count_ * (1 + actions.whites_count_ +
                                                  static_cast<std::uint32_t>(std::popcount(actions.specials_)));
            if ((actions.specials_ & bit(kMonkCard)) != 0) {
                actions.any_colour_ = hand & deck_.playable_cards(0);
                std::uint32_t ways = actions.any_colour_.size();
                if (rules_.monk_colour == MonkColour::announce && fixed == 0) {
                    actions.specials_ -= bit(kMonkCard);
                    ways *= static_cast<std::uint32_t>(kColours);
                }
                actions.size_ += ways - actions.count_;
            }
            return actions;
        }
        case Phase::build:
            actions.base_ = &ids_.at;
            actions.set_ = building_sites(state);
            break;
        case Phase::crown:
            actions.base_ = &ids_.crown;
            actions.set_ = province_cities_[current_province(state)];
            break;
        default:
            assert(state.phase == Phase::take);
            actions.heads_ = 0;
            actions.base_ = &ids_.take;
            actions.names_ = deck_.card_types();
            actions.set_ = takable(state);
            break;
    }
    actions.count_ = actions.set_.size();
    actions.size_ = actions.heads_ + actions.count_;
    return actions;
}

LegalActions::Choice LegalActions::beside_special(std::uint32_t i) const {
    for (std::uint32_t left = specials_; left != 0; left &= left - 1) {
        const int special = std::countr_zero(left);
        const CardSet& set = special == static_cast<int>(kMonkCard) ? any_colour_ : set_;
        const std::uint32_t count = set.size();
        if (i < count) {
            const std::size_t member = set.nth(i);
            return {ids_->special + special * ids_->coloured + names_[member], member, Deck::kNoCard};
        }
        i -= count;
    }
    const std::uint32_t any = any_colour_.size();
    const std::size_t member = any_colour_.nth(i % any);
    return {ids_->announce + static_cast<Action>(i / any) * ids_->coloured + names_[member], member, Deck::kNoCard};
}

bool Game::is_legal(const State& state, Action action) const {
    const auto member = [action](Action base) { return static_cast<std::size_t>(action - base); };
    switch (state.phase) {
        case Phase::turn: {
            if (action == ids_.out) return true;
            if (action < ids_.alone || action >= ids_.at) return false;
            const Play& play = play_of(action);
            const std::size_t player = state.turn, fixed = state.colour[player];
            const CardSet& hand = state.cards.players[player].hand;
            if (!hand.has(deck_.first_card(play.type))) return false;
            if (play.white != Deck::kNoType && !hand.has(deck_.first_card(play.white))) return false;
            if (play.special != 0 && (play.special & state.specials[player] & ~state.used) == 0) return false;
            if (play.special == bit(kMonkCard)) {  // TM-8
                const bool announcing = rules_.monk_colour == MonkColour::announce && fixed == 0;
                return announcing == (action >= ids_.announce);
            }
            return fixed == 0 || deck_.type(play.type).colour == fixed - 1;
        }
        case Phase::build:
            return action == ids_.none ||
                   (action >= ids_.at && action < ids_.crown && building_sites(state).has(member(ids_.at)));
        case Phase::crown:
            return action == ids_.none || (action >= ids_.crown && action < ids_.take &&
                                           province_cities_[current_province(state)].has(member(ids_.crown)));
        default:
            return action >= ids_.take && takable(state).has(deck_.first_card(member(ids_.take)));
    }
}

// TM-19: two cards are taken in the order of types.
CardSet Game::takable(const State& state) const {
    const CardSet& display = state.cards.display;
    if (state.takes > 1) return display.but_last() & deck_.first_cards();
    return (display & deck_.first_cards()) - deck_.cards_before(state.first);
}

ChanceOutcomes Game::chance_outcomes(const State& state) const {
    ChanceOutcomes outcomes;
    switch (state.phase) {
        case Phase::provinces: {
            Cities left = Cities::below(kProvinces);
            left.set_word(0,
                          left.word(0) & ~std::uint64_t{state.numbers.leading() >> 1 | bit(province_of_[taj_mahal_])});
            outcomes.base_ = ids_.province;
            outcomes.names_ = province_names_.data();
            outcomes.set_ = left;
            outcomes.total_ = left.size();
            return outcomes;
        }
        case Phase::bonus: {
            outcomes.base_ = ids_.bonus;
            outcomes.of_kinds_ = true;
            outcomes.names_ = bonus_names_.data();
            outcomes.sums_ = (bonus_supply_ - bonus_lying(state)) * kLaneOnes;
            outcomes.total_ = static_cast<std::uint32_t>(count_of(outcomes.sums_, kBonusKinds - 1));
            return outcomes;
        }
        default:
            outcomes.base_ = ids_.card;
            outcomes.total_ = state.cards.pile.size();
            outcomes.names_ = deck_.card_types();
            outcomes.set_ = state.cards.pile;
            return outcomes;
    }
}

// Set-up (TM-2).

Lanes Game::bonus_lying(const State& state) {
    Lanes lying = 0;
    for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
        lying += lane(kind, state.sites.tiles_of(kind).size());
    }
    return lying;
}

void Game::apply_action(State& state, Action action) const {
    switch (state.phase) {
        case Phase::provinces: {
            const std::size_t number = state.numbers.filled();
            auto province = static_cast<std::size_t>(action - ids_.province);
            if (province >= province_of_[taj_mahal_]) ++province;
            state.numbers.put(number, province + 1);
            if (number + 2 == kVisits) state.phase = tiled_.empty() ? Phase::deal : Phase::bonus;
            return;
        }
        case Phase::bonus: {
            const std::size_t kind = bonus_kinds_[static_cast<std::size_t>(action - ids_.bonus)];
            Cities untiled = tiled_ - state.sites.tiles();
            const std::size_t city = untiled.first();
            state.sites.lay(city, kind);
            untiled.erase(city);
            if (untiled.empty()) state.phase = Phase::deal;
            return;
        }
        case Phase::deal:
        case Phase::display:
        case Phase::draw:
        case Phase::fictive:
            return reveal(state, deck_.first_card(static_cast<std::size_t>(action - ids_.card)));
        case Phase::turn: {
            if (action == ids_.out) return withdraw(state);
            const Play& chosen = play_of(action);
            return play(state, chosen, deck_.first_card(chosen.type), deck_.first_card(chosen.white));
        }
        case Phase::build:
            if (action != ids_.none) {
                build_ordinary(state, static_cast<std::size_t>(action - ids_.at));
            } else {
                state.persons = 0;
            }
            return go_on_building(state);
        case Phase::crown:
            if (action != ids_.none) build_mogul(state, static_cast<std::size_t>(action - ids_.crown));
            state.crown = 0;
            return go_on_building(state);
        case Phase::take:
            return take(state, deck_.first_card(static_cast<std::size_t>(action - ids_.take)));
        case Phase::over:
            return;
    }
}

void Game::apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const {
    const LegalActions::Choice choice = actions.choice(i);
    if (state.phase == Phase::take) return take(state, choice.member);
    if (state.phase != Phase::turn || choice.action == ids_.out) return apply_action(state, choice.action);
    play(state, play_of(choice.action), choice.member, choice.white);
}

void Game::apply_outcome(State& state, const ChanceOutcomes& outcomes, std::uint32_t r) const {
    if (state.phase == Phase::provinces || state.phase == Phase::bonus) return apply_action(state, outcomes.at(r));
    reveal(state, outcomes.set_.nth(r));
}

// A card comes from the pile.
void Game::reveal(State& state, std::size_t card) const {
    switch (state.phase) {
        case Phase::deal: {
            const std::size_t dealt = deck_.size() - state.cards.pile.size();
            deck_.draw(state.cards, card, dealt / kDealt);
            if (dealt + 1 == players_ * kDealt) begin_visit(state);
            return;
        }
        case Phase::display:
            deck_.lay_out(state.cards, card);
            if (state.cards.display.size() == 2 * players_ - 1 || !can_draw(state)) begin_turns(state);
            return;
        case Phase::draw:
            deck_.draw(state.cards, card, state.turn);
            --state.draws;
            return go_on_drawing(state);
        default:
            assert(state.phase == Phase::fictive);
            return turn_up(state, card);
    }
}

// Visit.

void Game::begin_visit(State& state) const {
    state.in = byte(bit(players_) - 1);
    state.offer = byte(kSymbolSet);
    state.fictive_in = players_ == 2 ? 1 : 0;  // TM-25
    if (can_draw(state)) {
        state.phase = Phase::display;
    } else {
        begin_turns(state);
    }
}

void Game::begin_turns(State& state) const {
    state.phase = Phase::turn;
    state.turn = byte((state.visit - std::size_t{1}) % players_);  // TM-3
}

void Game::end_turn(State& state) const {
    if (state.in == 0) return end_visit(state);
    if (state.fictive_in != 0 && can_draw(state)) {
        state.phase = Phase::fictive;
        return;
    }
    state.phase = Phase::turn;
    state.turn = kNextOf[state.in][state.turn];
}

void Game::play(State& state, const Play& play, std::size_t card, std::size_t white) const {
    const std::size_t player = state.turn;
    deck_.play(state.cards, card, white, play.symbols, player);
    state.used |= play.special;
    add_points(state, player, play.points);  // TM-9
    const std::uint32_t fixed = state.colour[player];
    state.colour[player] = byte(fixed | (play.fixes & ((fixed > 0 ? 1U : 0U) - 1U)));  // TM-8
    end_turn(state);
}

Lanes Game::fictive_symbols(const State& state) const {
    Lanes symbols = 0;
    for (const std::size_t card : state.fictive) symbols += card > 0 ? deck_.type(card - 1).symbols() : 0;
    return symbols;
}

// Withdrawing.

void Game::withdraw(State& state) const {
    const std::size_t player = state.turn;
    state.in = byte(state.in & ~bit(player));
    // TM-11: who has withdrawn has no symbols any more.
    const Lanes mine = state.cards.symbols[player];
    Lanes won = greater(mine, 0);
    for (std::size_t other = 0; other < players_; ++other) {
        won &= greater(mine, state.cards.symbols[other] * (other != player ? 1 : 0));
    }
    if (players_ == 2) won &= greater(mine, fictive_symbols(state));  // TM-27
    const std::uint32_t items = symbols_of(won) & state.offer;
    state.offer = byte(state.offer & ~items);
    // TM-12
    const ProductionTile& tile = production_tiles_[state.visit - std::size_t{1}];
    const std::size_t elephant = items >> kElephant & 1U;  // no jump: who wins it is hard to foresee
    gain_good(state, player, tile.goods[0], elephant);
    gain_good(state, player, tile.goods[1], elephant & (tile.size >> 1));
    const std::uint32_t persons = items >> kFirstPerson;
    state.tiles[player] = byte(state.tiles[player] + std::size_t{kOneTileEach[persons]});
    state.persons = byte(static_cast<std::size_t>(std::popcount(persons)));
    state.crown = items >> kMogul & 1U;
    state.draws = state.cards.symbols[player] != 0 ? 0 : 1;  // TM-19
    if (items >> kMogul != 0) return go_on_building(state);
    end_building(state);
}

// TM-16
void Game::gain_good(State& state, std::size_t player, std::size_t good, std::size_t number) {
    assert(number <= 1);
    std::uint8_t& symbols = state.goods[player][good];
    symbols = byte(symbols + number);
    add_points(state, player, static_cast<int>(symbols * number));
}

// TM-13, TM-14: cities of the province without an ordinary palace, above those the player has just built in.
Cities Game::building_sites(const State& state) const {
    return (province_cities_[current_province(state)] & kCitiesFrom[state.site]) - state.sites.palaces();
}

void Game::go_on_building(State& state) const {
    const std::size_t player = state.turn;
    if (state.persons > 0) {
        if (state.palaces[player] < kPalaces && !building_sites(state).empty()) {
            state.phase = Phase::build;
            return;
        }
        state.persons = 0;
    }
    state.site = 0;
    if (state.crown != 0) {
        if (state.palaces[player] < kPalaces) {
            state.phase = Phase::crown;
            return;
        }
        state.crown = 0;
    }
    add_points(state, player, palace_points(state, player, current_province(state)));  // TM-17
    end_building(state);
}

// TM-18
void Game::end_building(State& state) const {
    const std::size_t player = state.turn;
    deck_.discard_played(state.cards, player);
    state.used = byte(state.used & ~std::uint32_t{state.specials[player]});
    state.colour[player] = 0;
    go_on_drawing(state);
}

// TM-15
void Game::build_ordinary(State& state, std::size_t city) const {
    const std::size_t player = state.turn;
    const BonusTile& tile = kBonusTiles[state.sites.tile(city)];
    state.sites.build(city, player);
    ++state.palaces[player];
    --state.persons;
    state.site = byte(city + 1);
    state.draws = byte(state.draws + tile.cards);
    gain_good(state, player, tile.good, tile.goods);
    add_points(state, player, tile.points + (city == taj_mahal_ ? taj_mahal_points_ : 0));
}

void Game::build_mogul(State& state, std::size_t city) const {
    state.moguls.put(city, state.turn + 1U);
    ++state.palaces[state.turn];
}

// TM-17
int Game::palace_points(const State& state, std::size_t player, std::size_t province) const {
    const Cities own = own_cities(state, player);
    Cities fresh = own & province_cities_[province], reached = fresh;
    std::uint32_t provinces = 0;
    while (!fresh.empty()) {
        Cities next;
        fresh.for_each([&](std::size_t city) {
            next |= neighbours_[city];
            provinces |= bit(province_of_[city]);
        });
        fresh = (next & own) - reached;
        reached |= fresh;
    }
    return std::popcount(provinces);
}

// TM-19
void Game::go_on_drawing(State& state) const {
    if (state.draws > 0) {
        if (can_draw(state)) {
            state.phase = Phase::draw;
            return;
        }
        state.draws = 0;
    }
    const std::uint32_t due = state.in != 0 ? 2 : 1;
    state.takes = byte(std::min(due, state.cards.display.size()));
    if (state.takes == 0) return end_turn(state);
    state.phase = Phase::take;
}

void Game::take(State& state, std::size_t card) const {
    deck_.take(state.cards, card, state.turn);
    if (--state.takes > 0) {
        state.first = byte(deck_.card_types()[card] + std::size_t{1});
        return;
    }
    state.first = 0;
    end_turn(state);
}

// Two players (TM-25 to TM-27).

void Game::turn_up(State& state, std::size_t card) const {
    deck_.turn_up(state.cards, card);
    const std::size_t type = deck_.card_types()[card];
    std::uint8_t& mine = state.fictive[deck_.type(type).colour];
    if (mine == 0) {
        mine = byte(type + 1);
    } else {  // TM-26: the card turned up goes to the discards with the others
        const Lanes his = fictive_symbols(state);
        Lanes won = greater(his, 0);
        for (std::size_t player = 0; player < players_; ++player) won &= greater(his, state.cards.symbols[player]);
        state.offer = byte(state.offer & ~symbols_of(won));
        state.fictive = {};
        state.fictive_in = 0;
    }
    state.phase = Phase::turn;
    state.turn = kNextOf[state.in][state.turn];
}

// Between visits, and the end.

void Game::end_visit(State& state) const {
    state.fictive = {};
    state.fictive_in = 0;
    state.offer = 0;
    state.turn = 0;
    hand_over_special_cards(state);
    if (state.visit == kVisits) {
        score_hands(state);
        state.phase = Phase::over;
        return;
    }
    ++state.visit;
    begin_visit(state);
}

// TM-20
void Game::hand_over_special_cards(State& state) const {
    // No jump: who has two tiles is hard to foresee.
    PerPlayer<std::uint32_t> gained{};
    std::uint32_t all = 0;
    for (std::size_t player = 0; player < players_; ++player) {
        const std::uint32_t second = state.tiles[player] & kSecondTiles;
        state.tiles[player] = byte(state.tiles[player] - second);
        gained[player] = kPersonsOfTiles[second >> 1];
        all |= gained[player];
    }
    for (std::size_t player = 0; player < players_; ++player) {
        state.specials[player] = byte((state.specials[player] & ~all) | gained[player]);
    }
}

// TM-23
void Game::score_hands(State& state) const {
    for (std::size_t player = 0; player < players_; ++player) {
        Cards::OfPlayer& own = state.cards.players[player];
        std::array<std::uint32_t, kColours + 1> cards;
        for (std::size_t colour = 0; colour <= kColours; ++colour) {
            cards[colour] = (own.hand & deck_.cards_of_colour(colour)).size();
        }
        const auto best = static_cast<int>(cards[kWhite] + *std::max_element(cards.begin(), cards.begin() + kColours));
        add_points(state, player, kFinalPoint * (std::popcount(state.specials[player]) + best));
        own.known = own.hand;  // TM-R4
    }
}

}  // namespace tilery::tajmahal

template tilery::Played tilery::playout(const tilery::tajmahal::Game&, tilery::tajmahal::State&, tilery::Rng&);
