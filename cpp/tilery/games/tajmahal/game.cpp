// SPDX-License-Identifier: MIT
// Who acts, what is possible, and what an action leads to.
#include "tilery/games/tajmahal/game.hpp"

#include <cassert>

#include "tilery/games/tajmahal/visit.hpp"
#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {

LegalActions Game::legal_actions(const State& state) const {
    return state.phase == Phase::kTurn ? plays(state) : gains(state);
}

LegalActions Game::gains(const State& state) const {
    LegalActions actions;
    OneOf& set = actions.single_;
    set.has_head = true;
    set.head = ids_.none;
    set.offsets = &kSameOffsets;
    if (state.phase == Phase::kBuild) {
        set.base = ids_.at;
        set.members = building_sites(state);
    } else if (state.phase == Phase::kCrown) {
        set.base = ids_.crown;
        set.members = province_cities_[current_province(state)];
    } else {
        assert(state.phase == Phase::kTake);
        set.has_head = false;
        set.base = ids_.take;
        set.offsets = &deck_.card_types();
        set.members = takable(state);
    }
    set.count = set.members.size();
    actions.size_ = set.size();
    return actions;
}

// TM-7, TM-8, TM-21
LegalActions Game::plays(const State& state) const {
    const std::size_t player = state.turn, fixed = state.colour[player];
    const CardSet& hand = state.cards.players[player].hand;
    LegalActions actions;
    OneOf& alone = actions.single_;
    alone.has_head = true;
    alone.head = ids_.out;
    alone.base = ids_.alone;
    alone.offsets = &deck_.card_types();
    alone.members = hand & deck_.playable_cards(fixed);
    alone.count = alone.members.size();

    actions.ids_ = &ids_;
    actions.whites_ = hand & deck_.white_cards();
    actions.whites_count_ = actions.whites_.size();
    // Branch-free for players without a special card, because that is unpredictable. The monk's card needs
    // a branch, because it may be played with cards of any colour.
    actions.specials_ = state.specials[player] & ~std::uint32_t{state.used};
    actions.size_ = 1 + alone.count * (1 + actions.whites_count_ + size_of(actions.specials_));
    if (has(actions.specials_, kMonkCard)) {
        actions.with_monk_ = hand & deck_.playable_cards(0);
        std::uint32_t ways = actions.with_monk_.size();
        if (rules_.monk_colour == MonkColour::kAnnounce && fixed == 0) {
            actions.specials_ -= bit(kMonkCard);
            ways *= std::uint32_t{kColours};
        }
        actions.size_ += ways - alone.count;
    }
    return actions;
}

Choice LegalActions::with_special(std::uint32_t i) const {
    const auto& types = *single_.offsets;
    for (std::uint32_t left = specials_; left != 0; left &= left - 1) {
        const int special = std::countr_zero(left);
        const CardSet& set = special == int{kMonkCard} ? with_monk_ : single_.members;
        const std::uint32_t count = set.size();
        if (i < count) {
            const std::size_t card = set.nth(i);
            return {ids_->special + special * ids_->coloured + types[card], card, Deck::kNoCard};
        }
        i -= count;
    }
    const std::uint32_t count = with_monk_.size();
    const std::size_t card = with_monk_.nth(i % count);
    return {ids_->announce + static_cast<Action>(i / count) * ids_->coloured + types[card], card, Deck::kNoCard};
}

bool Game::is_legal(const State& state, Action action) const {
    switch (state.phase) {
        case Phase::kTurn:
            return action == ids_.out || (action >= ids_.alone && action < ids_.at && is_legal_play(state, action));
        case Phase::kBuild:
            return action == ids_.none ||
                   (action >= ids_.at && action < ids_.crown && building_sites(state).has(place_in(ids_.at, action)));
        case Phase::kCrown:
            return action == ids_.none || (action >= ids_.crown && action < ids_.take &&
                                           province_cities_[current_province(state)].has(place_in(ids_.crown, action)));
        default:
            return action >= ids_.take && takable(state).has(deck_.first_card(place_in(ids_.take, action)));
    }
}

bool Game::is_legal_play(const State& state, Action action) const {
    const Play& play = play_of(action);
    const std::size_t player = state.turn, fixed = state.colour[player];
    const CardSet& hand = state.cards.players[player].hand;
    if (!hand.has(deck_.first_card(play.type))) return false;
    if (play.white != Deck::kNoType && !hand.has(deck_.first_card(play.white))) return false;
    if (play.special != 0 && (play.special & state.specials[player] & ~state.used) == 0) return false;
    if (play.special == bit(kMonkCard)) {  // TM-8
        const bool announcing = rules_.monk_colour == MonkColour::kAnnounce && fixed == 0;
        return announcing == (action >= ids_.announce);
    }
    return fixed == 0 || deck_.type(play.type).colour == fixed - 1;
}

ChanceOutcomes Game::chance_outcomes(const State& state) const {
    ChanceOutcomes outcomes;
    OneOf& set = outcomes.uniform_;
    set.has_head = false;
    if (state.phase == Phase::kNumbers) {
        const std::uint32_t given_out = state.numbers.provinces() >> 1 | bit(province_of_[taj_mahal_]);
        set.base = ids_.province;
        set.offsets = &province_offsets_;
        set.members.set_word(0, ~std::uint64_t{given_out} & (bit(kProvinces) - 1));
        set.count = set.members.size();
    } else if (state.phase == Phase::kBonus) {
        set.base = ids_.bonus;
        set.offsets = &bonus_offsets_;
        outcomes.of_kinds_ = true;
        outcomes.kinds_.sums = (bonus_supply_ - bonus_on_map(state)) * kLaneOnes;
    } else {
        set.base = ids_.card;
        set.offsets = &deck_.card_types();
        set.members = state.cards.pile;
        set.count = set.members.size();
    }
    return outcomes;
}

inline void Game::apply(State& state, Action action, auto events) const {
    switch (state.phase) {
        case Phase::kNumbers: {  // TM-2
            const std::size_t number = state.numbers.given_out();
            state.numbers.put(number, province_of_action(action) + 1);
            if (number + 2 == kVisits) state.phase = tiled_.empty() ? Phase::kDeal : Phase::kBonus;
            return;
        }
        case Phase::kBonus: {  // TM-2
            Cities untiled = tiled_ - state.sites.tiles();
            const std::size_t city = untiled.first();
            state.sites.put_tile(city, bonus_kinds_[place_in(ids_.bonus, action)]);
            untiled.erase(city);
            if (untiled.empty()) state.phase = Phase::kDeal;
            return;
        }
        case Phase::kDeal:
        case Phase::kDisplay:
        case Phase::kDraw:
        case Phase::kFictive:
            return reveal(state, deck_.first_card(place_in(ids_.card, action)));
        case Phase::kTurn: {
            if (action == ids_.out) return withdraw(state, events);
            const Play& chosen = play_of(action);
            return play(state, chosen, deck_.first_card(chosen.type), deck_.first_card(chosen.white), events);
        }
        case Phase::kBuild:
            if (action != ids_.none) {
                build_ordinary(state, place_in(ids_.at, action), events);
            } else {
                state.persons = 0;
            }
            return go_on_building(state, events);
        case Phase::kCrown:
            if (action != ids_.none) build_mogul(state, place_in(ids_.crown, action));
            state.crown = 0;
            return go_on_building(state, events);
        case Phase::kTake:
            return take(state, deck_.first_card(place_in(ids_.take, action)));
        case Phase::kOver:
            return;
    }
}

void Game::apply_action(State& state, Action action) const { apply(state, action, NoEvents{}); }

ScoreEvents Game::score_events(const State& state, Action action) const {
    ScoreEvents events;
    const auto writer = [&](Source source, std::size_t player, std::size_t points, auto where) {
        std::vector<std::string> on;
        if constexpr (std::is_same_v<decltype(where), Provinces>) {
            for (std::size_t province = 0; province < kProvinces; ++province) {
                if (has(where.bits, province)) on.push_back(std::string("province:") + kProvinceLetters[province]);
            }
        } else if constexpr (std::is_integral_v<decltype(where)>) {
            on.push_back("city:" + city_name(where));
        } else if (source == kPrincessPlay) {
            on.emplace_back("special:sP");
        }
        add_event(events, source, player, points, std::move(on));
    };
    State after = state;
    apply(after, action, writer);
    if (after.phase == Phase::kOver) score_hands(after, state.turn, writer);
    return events;
}

void Game::apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const {
    // In a playout the compiler sees what legal_actions() puts into the set. These assumptions say the same where the
    // caller has kept the set in memory.
    const bool turn = state.phase == Phase::kTurn, take_card = state.phase == Phase::kTake;
    const OneOf& set = actions.single_;
    assume(actions.ids_ == (turn ? &ids_ : nullptr));
    assume(set.has_head == !take_card);
    if (turn) assume(set.head == ids_.out && set.base == ids_.alone && set.offsets == &deck_.card_types());
    const Choice choice = actions.choice(i);
    if (state.phase == Phase::kTake) return take(state, choice.member);
    if (state.phase != Phase::kTurn || choice.action == ids_.out) return apply_action(state, choice.action);
    play(state, play_of(choice.action), choice.member, choice.white, NoEvents{});
}

void Game::apply_outcome(State& state, const ChanceOutcomes& outcomes, std::uint32_t r) const {
    if (state.phase == Phase::kNumbers || state.phase == Phase::kBonus) return apply_action(state, outcomes.at(r));
    reveal(state, outcomes.uniform_.members.nth(r));
}

}  // namespace tilery::tajmahal

template struct tilery::Loops<tilery::tajmahal::Game>;
