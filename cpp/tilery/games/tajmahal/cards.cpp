// SPDX-License-Identifier: MIT
#include "tilery/games/tajmahal/cards.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tilery/simd/spread.hpp"

namespace tilery::tajmahal {
namespace {

constexpr std::size_t kWordBits = 64;

}  // namespace

Deck::Deck(const Counts& copies) {
    for (std::size_t i = 0; i < kMostTypes; ++i) {
        if (copies[i] == 0) continue;
        copies_[types_] = copies[i];
        list_[types_] = kAllTypes[i];
        list_[types_++].copies = copies[i];
        if (kAllTypes[i].colour != kWhite) coloured_ = types_;
        size_ += copies[i];
    }
    assert(size_ <= kMostCards);

    // Copies of a type are in one word if there is room for that.
    std::array<std::size_t, kMostTypes> compact{}, by_word{};
    std::size_t end = 0, end_by_word = 0;
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t number = list_[type].copies, before = end_by_word / kWordBits;
        compact[type] = end;
        end += number;
        if ((end_by_word + number - 1) / kWordBits > before) end_by_word = (before + 1) * kWordBits;
        by_word[type] = end_by_word;
        end_by_word += number;
        crossing_ |= number > kWordBits;
    }
    crossing_ |= end_by_word > kMostCards;
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t first = crossing_ ? compact[type] : by_word[type], colour = list_[type].colour;
        first_card_[type] = static_cast<std::uint8_t>(first);
        cards_before_[type + 1] = CardSet::below(first);
        CardSet low;
        low.insert(first);
        const CardSet all = this->copies(type);
        for (std::size_t card = first; card < first + list_[type].copies; ++card) {
            card_types_[card] = static_cast<std::uint8_t>(type);
            fields_[card] = {Bytes16::load(&low), Bytes16::load(&all)};
        }
        cards_of_colour_[colour] |= all;
        (colour == kWhite ? white_cards_ : playable_cards_[colour + 1]) |= low;
        if (colour != kWhite) playable_cards_[0] |= low;
        first_cards_ |= low;
    }
    first_card_[kNoType] = static_cast<std::uint8_t>(kNoCard);
}

Lanes Deck::printed(const Counts& counts) const {
    Lanes symbols = 0;
    for (std::size_t type = 0; type < types_; ++type) symbols += counts[type] * list_[type].symbols();
    return symbols;
}

Cards Deck::all_in_pile() const {
    Cards cards{};
    for (std::size_t type = 0; type < types_; ++type) cards.pile |= copies(type);
    return cards;
}

Counts Deck::counts(const CardSet& place) const {
    Counts counts{};
    place.for_each([&](std::size_t card) { ++counts[card_types_[card]]; });
    return counts;
}

Places Deck::places(const Cards& cards) const {
    Places places{counts(cards.pile), counts(cards.display), {}, {}, {}};
    for (std::size_t player = 0; player < kMaxPlayers; ++player) {
        const Cards::OfPlayer& own = cards.players[player];
        places.hand[player] = counts(own.hand);
        places.known[player] = counts(own.known);
        places.played[player] = counts(own.played);
    }
    return places;
}

namespace {

// Counts the places in which each card is, all cards at once: loops over the cards of places end unforeseen.
class CountOfPlaces {
  public:
    void add(const CardSet& place) {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            counts_[i] = counts_[i] + bytes_of_32_bits(place.word(i / 2) >> (i % 2 * 32));
        }
    }
    // At i: the sum of the counts of all cards below i.
    [[nodiscard]] std::array<std::uint8_t, kMostCards + 1> sums() const {
        std::array<std::uint8_t, kMostCards> counts;
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i].store(&counts[32 * i]);
        std::array<std::uint8_t, kMostCards + 1> sums{};
        constexpr std::uint64_t kOnes = 0x0101010101010101U;
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < kMostCards; i += sizeof before) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, &counts[i], sizeof eight);
            eight *= kOnes;  // each byte, and those below it added
            const std::uint64_t up_to = eight + before * kOnes;
            std::memcpy(&sums[i + 1], &up_to, sizeof up_to);
            before = up_to >> 56;
        }
        return sums;
    }

  private:
    std::array<Bytes32, kMostCards / 32> counts_;
};

}  // namespace

Counts Deck::unplaced(const Cards& cards, std::size_t players) const {
    CountOfPlaces places;
    places.add(cards.pile);
    places.add(cards.display);
    for (std::size_t player = 0; player < players; ++player) {
        places.add(cards.players[player].hand);
        places.add(cards.players[player].played);
    }
    const auto sums = places.sums();
    Counts left{};
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t first = first_card_[type];
        left[type] = byte(copies_[type] - sums[first + copies_[type]] + sums[first]);
    }
    return left;
}

CardSet Deck::place(const Counts& counts) const {
    CardSet place;
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t first = first_card_[type];
        place |= CardSet::below(first + std::min(counts[type], list_[type].copies)) - CardSet::below(first);
    }
    return place;
}

bool Deck::canonical(const Cards& cards) const {
    const auto lowest = [this](const CardSet& set) { return set == place(counts(set)); };
    return cards.padding == 0 && lowest(cards.pile) && lowest(cards.display) &&
           std::all_of(cards.players.begin(), cards.players.end(), [&](const Cards::OfPlayer& own) {
               return lowest(own.hand) && lowest(own.known) && lowest(own.played);
           });
}

bool Deck::refill(Cards& cards, const std::array<std::uint8_t, kColours + 1>& elsewhere) const {
    cards.pile = all_in_pile().pile;
    const auto remove_all = [&](const CardSet& place) {
        place.for_each([&](std::size_t card) { remove(cards.pile, fields_[card]); });
    };
    remove_all(cards.display);
    for (const Cards::OfPlayer& own : cards.players) {
        remove_all(own.hand);
        remove_all(own.played);
    }
    for (const std::size_t type : elsewhere) {
        if (type > 0) remove(cards.pile, fields_[first_card_[type - 1]]);
    }
    return !cards.pile.empty();
}

void Deck::deal_unseen(Cards& cards, std::size_t players, std::size_t player, Rng& rng) const {
    PerPlayer<std::uint32_t> unknown{};
    for (std::size_t other = 0; other < players; ++other) {
        if (other == player) continue;
        Cards::OfPlayer& hers = cards.players[other];
        const CardSet unseen = hers.hand - hers.known;  // as many of each type as are not known
        unseen.for_each([&](std::size_t card) { add(cards.pile, fields_[card]); });
        unknown[other] = unseen.size();
        hers.hand = hers.known;
    }
    std::uint32_t left = cards.pile.size();
    for (std::size_t other = 0; other < players; ++other) {
        for (; unknown[other] > 0; --unknown[other]) draw(cards, cards.pile.nth(rng.below(left--)), other);
    }
}

namespace {

using Words = std::array<std::uint64_t, 2>;

Words words(const auto& bits) { return std::bit_cast<Words>(bits); }

}  // namespace

// Both carry from word to word, since compilers for 32-bit processors have no integers of 128 bits.
void Deck::add_crossing(CardSet& place, const Field& field) {
    assert(has_room(place, field));
    const Words set = words(place), all = words(field.all), one = words(field.low);
    const std::uint64_t lower = (set[0] & all[0]) + one[0], carry = lower < one[0] ? 1 : 0;
    place.set_word(0, set[0] | lower);
    place.set_word(1, set[1] | ((set[1] & all[1]) + one[1] + carry));
}

void Deck::remove_crossing(CardSet& place, const Field& field) {
    const Words set = words(place), all = words(field.all), one = words(field.low);
    const Words copies = {set[0] & all[0], set[1] & all[1]};
    const Words others = {copies[0] & ~one[0], copies[1] & ~one[1]};
    place.set_word(0, set[0] ^ (copies[0] & ~(others[0] >> 1 | others[1] << (kWordBits - 1))));
    place.set_word(1, set[1] ^ (copies[1] & ~(others[1] >> 1)));
}

}  // namespace tilery::tajmahal
