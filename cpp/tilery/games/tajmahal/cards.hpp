// SPDX-License-Identifier: MIT
// The cards of Taj Mahal: what is printed on them and where they are (TM-28, TM-30).
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilery/core/cell_set.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"
#include "tilery/simd/bytes.hpp"

namespace tilery::tajmahal {

inline constexpr std::string_view kSymbolLetters = "EMVGKP";  // elephant, mogul, vizier, general, monk, princess
inline constexpr std::string_view kColourLetters = "gvryw";   // the last one is white
inline constexpr std::size_t kSymbols = 6;
inline constexpr std::size_t kElephant = 0, kMogul = 1, kFirstPerson = 2;
inline constexpr std::size_t kPersons = 4;
inline constexpr std::size_t kColours = 4;  // white does not count
inline constexpr std::size_t kWhite = kColours;
inline constexpr std::size_t kPairs = kSymbols * (kSymbols + 1) / 2;
inline constexpr std::size_t kMostTypes = kColours * kPairs + kSymbols;
static_assert(kPairs == 21 && kMostTypes == 90 && kSymbolLetters.size() == kSymbols);
inline constexpr int kMostCopies = 99;

// A number as the state stores it.
[[nodiscard]] constexpr std::uint8_t byte(auto number) { return static_cast<std::uint8_t>(number); }

// Six counts, one for each symbol from the low byte up.
using Lanes = std::uint64_t;
inline constexpr Lanes kLaneTops = 0x0000808080808080U;
inline constexpr Lanes kLaneOnes = kLaneTops >> 7;

[[nodiscard]] constexpr Lanes lane(std::size_t symbol, std::uint64_t count = 1) { return count << (8 * symbol); }
[[nodiscard]] constexpr int count_of(Lanes lanes, std::size_t symbol) {
    return static_cast<int>(lanes >> (8 * symbol) & 0xFFU);
}
// The top bits of the lanes where `a` is greater. Totals stay below 128: a hand has at most 54 cards.
[[nodiscard]] constexpr Lanes greater(Lanes a, Lanes b) { return ((a | kLaneTops) - b - kLaneOnes) & kLaneTops; }
// These top bits as a set of symbols.
[[nodiscard]] constexpr std::uint32_t symbols_of(Lanes tops) {
    return static_cast<std::uint32_t>((tops >> 7) * 0x0102040810204080U >> 56);
}

// The print on a card.
struct CardType {
    std::uint8_t colour;  // of kColourLetters
    std::uint8_t first;   // of kSymbolLetters
    std::uint8_t second;  // not before the first; kSymbols on white cards, which have one symbol
    std::uint8_t copies;  // in the deck

    [[nodiscard]] std::string name() const {
        std::string text{kColourLetters[colour], kSymbolLetters[first]};
        if (colour != kWhite) text += kSymbolLetters[second];
        return text;
    }
    [[nodiscard]] Lanes symbols() const { return lane(first) + (colour == kWhite ? 0 : lane(second)); }
};

// Every type there might be, in the order of TM-30.
inline constexpr auto kAllTypes = [] {
    std::array<CardType, kMostTypes> types{};
    std::size_t count = 0;
    for (std::uint8_t colour = 0; colour < kColours; ++colour) {
        for (std::uint8_t first = 0; first < kSymbols; ++first) {
            for (std::uint8_t second = first; second < kSymbols; ++second) types[count++] = {colour, first, second, 0};
        }
    }
    for (std::uint8_t symbol = 0; symbol < kSymbols; ++symbol) types[count++] = {kWhite, symbol, kSymbols, 0};
    return types;
}();

// A set of cards. Each card of the deck has a bit of its own; copies of a type are next to each other,
// types in the order of TM-30. A place (pile, hand, ...) always uses the lowest copies of a type, so equal
// places are equal sets.
inline constexpr std::size_t kMostCards = 128;
using CardSet = CellSet<kMostCards>;

// The number of cards of each type.
using Counts = std::array<std::uint8_t, kMostTypes>;

[[nodiscard]] inline int total(const Counts& counts) {
    int sum = 0;
    for (const std::uint8_t count : counts) sum += count;
    return sum;
}

// Where the cards are. The cards of the fictive player are in State; the discards are the rest of the deck.
struct Cards {
    struct OfPlayer {
        CardSet hand, known, played;  // known: those cards of the hand that everybody has seen

        bool operator==(const OfPlayer&) const = default;
    };

    CardSet pile, display;
    PerPlayer<OfPlayer> players;
    PerPlayer<Lanes> symbols;  // on the played cards of each player, special cards included
    std::uint64_t padding;     // always 0

    bool operator==(const Cards&) const = default;
};

// The same as counts, for questions that need not be fast.
struct Places {
    Counts pile, display;
    PerPlayer<Counts> hand, known, played;
};

// The cards of a game: their types, and the moving of them. A card is named by any copy of its type.
class Deck {
  public:
    // Stand for no card where a second one may be played.
    static constexpr std::size_t kNoCard = kMostCards, kNoType = kMostTypes;

    Deck() = default;
    // The copies of all the types there might be; at most kMostCards in all.
    explicit Deck(const Counts& copies);

    [[nodiscard]] std::size_t types() const { return types_; }        // K
    [[nodiscard]] std::size_t coloured() const { return coloured_; }  // Kc; they come first
    [[nodiscard]] const CardType& type(std::size_t type) const { return list_[type]; }
    [[nodiscard]] std::size_t size() const { return size_; }

    // The first card of a type, or kNoCard for kNoType.
    [[nodiscard]] std::size_t first_card(std::size_t type) const { return first_card_[type]; }
    [[nodiscard]] std::size_t type_of(std::size_t card) const { return card_types_[card]; }
    [[nodiscard]] const std::array<std::uint8_t, kMostCards>& card_types() const { return card_types_; }
    // The first card of each type: of all types, of the white ones, and of the coloured ones that may be
    // played when a colour (plus 1) is fixed, or none (0).
    [[nodiscard]] const CardSet& first_cards() const { return first_cards_; }
    [[nodiscard]] const CardSet& white_cards() const { return white_cards_; }
    [[nodiscard]] const CardSet& playable_cards(std::size_t fixed) const { return playable_cards_[fixed]; }
    // All cards before the first one of a type (plus 1), or none (0).
    [[nodiscard]] const CardSet& cards_before(std::size_t type) const { return cards_before_[type]; }
    // All cards of a colour.
    [[nodiscard]] const CardSet& cards_of_colour(std::size_t colour) const { return cards_of_colour_[colour]; }

    [[nodiscard]] Cards all_in_pile() const;
    // These are safe for any bytes.
    [[nodiscard]] Counts counts(const CardSet& place) const;
    [[nodiscard]] Places places(const Cards& cards) const;
    // The copies of each type that none of these places has; of the first `players` players.
    [[nodiscard]] Counts unplaced(const Cards& cards, std::size_t players) const;
    // The place with these cards, of no type more than the deck has.
    [[nodiscard]] CardSet place(const Counts& counts) const;
    // Whether every place uses the lowest copies, and nothing else is set.
    [[nodiscard]] bool canonical(const Cards& cards) const;
    // The symbols printed on these cards.
    [[nodiscard]] Lanes printed(const Counts& counts) const;

    void lay_out(Cards& cards, std::size_t card) const {
        remove(cards.pile, fields_[card]);
        add(cards.display, fields_[card]);
    }
    void draw(Cards& cards, std::size_t card, std::size_t player) const {
        remove(cards.pile, fields_[card]);
        add(cards.players[player].hand, fields_[card]);
    }
    void turn_up(Cards& cards, std::size_t card) const { remove(cards.pile, fields_[card]); }
    void take(Cards& cards, std::size_t card, std::size_t player) const {
        remove(cards.display, fields_[card]);
        add(cards.players[player].hand, fields_[card]);
        add(cards.players[player].known, fields_[card]);
    }
    // Plays a coloured card and perhaps a white one, which together with a special card show these symbols.
    // A card played is a known one if there is one (TM-28).
    void play(Cards& cards, std::size_t card, std::size_t white, Lanes symbols, std::size_t player) const {
        Cards::OfPlayer& own = cards.players[player];
        assert(has_room(own.played, fields_[card]) && (white == kNoCard || has_room(own.played, fields_[white])));
        const Field both{fields_[card].low | fields_[white].low, fields_[card].all | fields_[white].all};
        remove(own.hand, both);
        remove(own.known, both);
        add(own.played, both);
        cards.symbols[player] += symbols;
    }
    static void discard_played(Cards& cards, std::size_t player) {
        Bytes16().store(&cards.players[player].played);
        cards.symbols[player] = 0;
    }
    // TM-5: the pile is empty, and everything that is nowhere else becomes the pile. `elsewhere` are types
    // plus 1 (0: none) of single cards that Cards does not hold. Returns whether there was anything.
    [[gnu::noinline, gnu::cold]] bool refill(Cards& cards,
                                             const std::array<std::uint8_t, kColours + 1>& elsewhere) const;
    // TM-28: deals the cards that the player has not seen again, uniformly at random.
    void deal_unseen(Cards& cards, std::size_t players, std::size_t player, Rng& rng) const;

  private:
    // The lowest and all of the copies of a type, or of two types; nothing for kNoCard.
    struct Field {
        Bytes16 low, all;
    };

    // Whether a copy of the type is not in the place.
    [[nodiscard]] static bool has_room(const CardSet& place, const Field& field) {
        return (Bytes16::load(&place) & field.all).equal(field.all).movemask() != 0xFFFF;
    }
    // The copies in use are the lower bits of the field. A place is always stored whole, because a load of
    // both words cannot be forwarded from a store of one of them.
    void add(CardSet& place, const Field& field) const {
        if (crossing_) [[unlikely]]
            return add_crossing(place, field);
        assert(has_room(place, field));
        const Bytes16 set = Bytes16::load(&place);
        (set | (set & field.all).add64(field.low)).store(&place);
    }
    // Takes the highest copy of each type, or does nothing if there is none.
    void remove(CardSet& place, const Field& field) const {
        if (crossing_) [[unlikely]]
            return remove_crossing(place, field);
        const Bytes16 set = Bytes16::load(&place), copies = set & field.all;
        (set ^ copies.and_not(copies.and_not(field.low).shift_right64<1>())).store(&place);
    }
    // The same on both words as one number.
    [[gnu::noinline, gnu::cold]] static void add_crossing(CardSet& place, const Field& field);
    [[gnu::noinline, gnu::cold]] static void remove_crossing(CardSet& place, const Field& field);

    // All copies of a type.
    [[nodiscard]] CardSet copies(std::size_t type) const {
        return CardSet::below(first_card_[type] + std::size_t{list_[type].copies}) - CardSet::below(first_card_[type]);
    }

    bool crossing_ = false;  // whether the copies of a type are in both words of a set
    std::size_t types_ = 0;
    std::size_t coloured_ = 0;
    std::size_t size_ = 0;
    std::array<CardType, kMostTypes> list_{};
    Counts copies_{};
    std::array<Field, kMostCards + 1> fields_{};  // by card
    CardSet first_cards_, white_cards_;
    std::array<CardSet, kColours + 1> playable_cards_;
    std::array<CardSet, kColours + 1> cards_of_colour_;
    std::array<std::uint8_t, kMostTypes + 1> first_card_{};
    std::array<CardSet, kMostTypes + 1> cards_before_;
    std::array<std::uint8_t, kMostCards> card_types_{};
};

}  // namespace tilery::tajmahal
