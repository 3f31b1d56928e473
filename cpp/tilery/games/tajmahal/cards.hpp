// SPDX-License-Identifier: MIT
// The cards of Taj Mahal: what is printed on them and where they lie (TM-28, TM-30).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tilery/core/cell_set.hpp"
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

// Six counts, one for each symbol from the low byte up.
using Lanes = std::uint64_t;
inline constexpr Lanes kLaneTops = 0x0000808080808080U;
inline constexpr Lanes kLaneOnes = kLaneTops >> 7;

[[nodiscard]] constexpr Lanes lane(std::size_t symbol, std::uint64_t count = 1) { return count << (8 * symbol); }
[[nodiscard]] constexpr int count_of(Lanes lanes, std::size_t symbol) {
    return static_cast<int>(lanes >> (8 * symbol) & 0xFFU);
}
// The tops of the lanes where `a` is greater. Totals stay below 128: a hand has at most 54 cards.
[[nodiscard]] constexpr Lanes greater(Lanes a, Lanes b) { return ((a | kLaneTops) - b - kLaneOnes) & kLaneTops; }
// Those tops as a set of symbols.
[[nodiscard]] constexpr std::uint32_t symbols_of(Lanes tops) {
    return static_cast<std::uint32_t>((tops >> 7) * 0x0102040810204080U >> 56);
}

// What is printed on a card.
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

// A set of types, each of which has a bit of its own in it, its slot; slots ascend with types.
inline constexpr std::size_t kSlots = 128;
using Slots = CellSet<kSlots>;

// How many of each type lie somewhere.
using Counts = std::array<std::uint8_t, kMostTypes>;

[[nodiscard]] inline int total(const Counts& counts) {
    int sum = 0;
    for (const std::uint8_t count : counts) sum += count;
    return sum;
}

// Where the cards lie that are neither before the fictive player nor in the discards; the discards
// are the rest of the deck. Only a Deck can read it; it has two ways to write, because a box holds
// a hundred cards, which go into words, but a user's deck may hold thousands.
//
// A deck of few cards: each place (pile, display, and of each player hand, known cards in it, and
// played cards) is a set of cards of two words. Copies of a type lie side by side in a word, and
// a place uses the lower ones first, so equal places are equal words. After all places come the
// symbols of each player's played cards, special cards included.
//
// A deck of many cards, byte by byte: the counts of the pile by type; the display as a list of
// types plus 1, ascending; the sizes of the players' hands and played cards; these cards
// themselves, player by player, ascending: in a hand twice the type, plus 1 if the card is not known.
struct Cards {
    static constexpr std::size_t kWords = 40;
    std::array<std::uint64_t, kWords> words;

    bool operator==(const Cards&) const = default;
};

// The same, spread out for questions that need not be fast.
struct Places {
    Counts pile, display;
    PerPlayer<Counts> hand, known, played;
    PerPlayer<Lanes> special;  // symbols of special cards played, which only a small deck keeps with the others
};

// The cards of a game: their types, and the reading and moving of them.
class Deck {
  public:
    Deck() = default;
    explicit Deck(const std::array<std::uint8_t, kMostTypes>& copies);  // of all the types there might be

    [[nodiscard]] std::size_t types() const { return types_; }        // K
    [[nodiscard]] std::size_t coloured() const { return coloured_; }  // Kc; they come first
    [[nodiscard]] std::size_t whites() const { return types_ - coloured_; }
    [[nodiscard]] const CardType& type(std::size_t type) const { return list_[type]; }
    [[nodiscard]] int size() const { return size_; }
    // They stand for no card where a second one may be played.
    [[nodiscard]] static constexpr std::size_t no_type() { return kMostTypes; }
    [[nodiscard]] static constexpr std::size_t no_slot() { return kSlots; }

    [[nodiscard]] const Slots& coloured_slots() const { return playable_slots_[0]; }
    [[nodiscard]] const Slots& white_slots() const { return white_slots_; }
    // The coloured types that may be played when a colour (plus 1) is fixed, or none (0).
    [[nodiscard]] const Slots& playable_slots(std::size_t fixed) const { return playable_slots_[fixed]; }
    // The first slot of a type, or no_slot().
    [[nodiscard]] std::size_t slot(std::size_t type) const { return slot_[type]; }
    // The slots before that of a type (plus 1), or none (0).
    [[nodiscard]] const Slots& slots_before(std::size_t type) const { return slots_before_[type]; }
    // The type of each slot; in a small deck of each card of a set.
    [[nodiscard]] const std::uint8_t* slot_types() const { return slot_types_.data(); }

    // Whether a set of cards in two words can hold this deck.
    [[nodiscard]] bool small() const { return small_; }

    [[nodiscard]] Cards all_in_pile() const;
    [[nodiscard]] Places unpack(const Cards& cards) const;  // safe for any bytes
    [[nodiscard]] Cards pack(const Places& places) const;

    [[nodiscard]] std::uint32_t pile_size(const Cards& cards) const {
        if (!small_) return large_pile_size(cards);
        return pair_size(cards, kPile);
    }
    [[nodiscard]] bool pile_empty(const Cards& cards) const {
        if (!small_) return large_pile_size(cards) == 0;
        return (cards.words[kPile] | cards.words[kPile + 1]) == 0;
    }
    // The pile of a small deck as a set of cards.
    [[nodiscard]] Slots pile_cards(const Cards& cards) const { return pair(cards, kPile); }
    // The pile of a large deck as counts.
    [[nodiscard, gnu::pure]] Counts pile_counts(const Cards& cards) const;

    [[nodiscard]] std::uint32_t display_size(const Cards& cards) const {
        if (!small_) return large_display_size(cards);
        return pair_size(cards, kDisplay);
    }
    [[nodiscard]] Slots display_slots(const Cards& cards) const {
        if (!small_) return large_display_slots(cards, false);
        return pair(cards, kDisplay) & first_copies_;
    }
    // The types of which a copy is left when a copy of the last type has gone.
    [[nodiscard]] Slots display_slots_but_last(const Cards& cards) const {
        if (!small_) return large_display_slots(cards, true);
        return pair(cards, kDisplay).but_last() & first_copies_;
    }

    [[nodiscard]] std::uint32_t hand_size(const Cards& cards, std::size_t player) const {
        if (!small_) return large_bytes(cards)[kSizes + 2 * player];
        return pair_size(cards, hand_at(player));
    }
    // The types in a hand, and in a small deck further copies of them.
    [[nodiscard]] Slots hand_slots(const Cards& cards, std::size_t player) const {
        if (!small_) return large_hand_slots(cards, player);
        return pair(cards, hand_at(player));
    }
    // The cards in a hand by colour, white last.
    [[nodiscard]] std::array<int, kColours + 1> hand_colours(const Cards& cards, std::size_t player) const;
    [[nodiscard]] bool has_played(const Cards& cards, std::size_t player) const {
        if (!small_) return large_bytes(cards)[kSizes + 2 * player + 1] != 0;
        return cards.words[kFirstSymbols + player] != 0;
    }
    // The symbols of the player's played cards; in a large deck without the special ones.
    [[nodiscard]] Lanes symbols(const Cards& cards, std::size_t player) const {
        if (!small_) return large_symbols(cards, player);
        return cards.words[kFirstSymbols + player];
    }

    // A card is named by a slot of its type. In a small deck any copy does.
    void lay_out(Cards& cards, std::size_t slot) const {
        if (!small_) return large_lay_out(cards, slot);
        remove(cards, kPile, fields_[slot]);
        add(cards, kDisplay, fields_[slot]);
    }
    void draw(Cards& cards, std::size_t slot, std::size_t player) const {
        if (!small_) return large_draw(cards, slot, player);
        remove(cards, kPile, fields_[slot]);
        add(cards, hand_at(player), fields_[slot]);
    }
    void turn_up(Cards& cards, std::size_t slot) const {
        if (!small_) return large_turn_up(cards, slot);
        remove(cards, kPile, fields_[slot]);
    }
    void take(Cards& cards, std::size_t slot, std::size_t player) const {
        if (!small_) return large_take(cards, slot, player);
        remove(cards, kDisplay, fields_[slot]);
        add(cards, hand_at(player), fields_[slot]);
        add(cards, hand_at(player) + kKnown, fields_[slot]);
    }
    // Plays a coloured card and perhaps a white one, which have these symbols together with a special
    // card beside them. A card played is a known one if there is one (TM-28).
    void play(Cards& cards, std::size_t slot, std::size_t white, Lanes symbols, std::size_t player) const {
        if (!small_) return large_play(cards, slot, white, player);
        const std::size_t hand = hand_at(player);
        assert(has_room(cards, hand + kPlayed, fields_[slot]));
        assert(white == no_slot() || has_room(cards, hand + kPlayed, fields_[white]));
        const Field both{fields_[slot].low | fields_[white].low, fields_[slot].all | fields_[white].all};
        remove(cards, hand, both);
        remove(cards, hand + kKnown, both);
        add(cards, hand + kPlayed, both);
        cards.words[kFirstSymbols + player] += symbols;
    }
    void discard_played(Cards& cards, std::size_t player) const {
        if (!small_) return large_discard_played(cards, player);
        Bytes16().store(&cards.words[hand_at(player) + kPlayed]);
        cards.words[kFirstSymbols + player] = 0;
    }
    // Makes every card in a hand a known one.
    void make_known(Cards& cards) const;
    // TM-5: the pile is empty, and everything that lies nowhere else becomes the pile.
    // `elsewhere` are types plus 1 (0: none) of single cards that Cards does not know of. Answers
    // whether there was anything.
    [[gnu::noinline, gnu::cold]] bool refill(Cards& cards,
                                             const std::array<std::uint8_t, kColours + 1>& elsewhere) const;

  private:
    // The lowest and all of the copies of a type, or of two, in a set of cards; zero for no_slot().
    struct Field {
        Bytes16 low, all;
    };
    // Offsets in words; of known and played cards from the hand.
    static constexpr std::size_t kPile = 0, kDisplay = 2, kFirstHand = 4, kKnown = 2, kPlayed = 4, kWordsOfPlayer = 6;
    static constexpr std::size_t kFirstSymbols = kFirstHand + kMaxPlayers * kWordsOfPlayer;
    static_assert(kFirstSymbols + kMaxPlayers <= Cards::kWords);
    // Offsets in bytes.
    static constexpr std::size_t kPileBytes = 0, kDisplayBytes = kMostTypes, kMostDisplay = 2 * kMaxPlayers - 1;
    static constexpr std::size_t kSizes = kDisplayBytes + kMostDisplay, kPool = kSizes + 2 * kMaxPlayers;
    static constexpr std::size_t kPoolSize = 8 * Cards::kWords - kPool;
    // All hands together gain at most 3n cards a visit: the display has 2n - 1; who plays nothing draws
    // one; who builds for t persons with p cards draws t - p more than he plays, which is at most 1 for
    // one card and 2 for two, and there are but four persons.
    static_assert(kPoolSize >= (6 + 12 * 3) * kMaxPlayers);

    [[nodiscard]] static constexpr std::size_t hand_at(std::size_t player) {
        return kFirstHand + kWordsOfPlayer * player;
    }
    [[nodiscard]] static Slots pair(const Cards& cards, std::size_t at) {
        Slots set;
        set.set_word(0, cards.words[at]);
        set.set_word(1, cards.words[at + 1]);
        return set;
    }
    [[nodiscard]] static std::uint32_t pair_size(const Cards& cards, std::size_t at) { return pair(cards, at).size(); }
    // Whether a copy of the type is not in the set.
    [[nodiscard]] static bool has_room(const Cards& cards, std::size_t at, const Field& field) {
        return (Bytes16::load(&cards.words[at]) & field.all).equal(field.all).high_bits() != 0xFFFF;
    }
    // The copies in use are the lower bits of the field. A place is always written whole: whoever reads
    // two words while one of them is on its way to memory has to wait.
    static void add(Cards& cards, std::size_t at, const Field& field) {
        assert(has_room(cards, at, field));
        const Bytes16 set = Bytes16::load(&cards.words[at]);
        (set | (set & field.all).plus_words(field.low)).store(&cards.words[at]);
    }
    // Takes the highest copy of each type, or does nothing if there is none.
    static void remove(Cards& cards, std::size_t at, const Field& field) {
        const Bytes16 set = Bytes16::load(&cards.words[at]), copies = set & field.all;
        (set ^ copies.without(copies.without(field.low).halved_words())).store(&cards.words[at]);
    }
    // The symbols on these cards.
    [[nodiscard]] Lanes printed(const Counts& counts) const;
    // All copies of a type.
    [[nodiscard]] Slots copies(std::size_t type) const {
        return Slots::below(slot_[type] + std::size_t{list_[type].copies}) - Slots::below(slot_[type]);
    }

    [[nodiscard]] static const std::uint8_t* large_bytes(const Cards& cards) {
        return reinterpret_cast<const std::uint8_t*>(cards.words.data());
    }
    [[nodiscard]] static std::uint8_t* large_bytes(Cards& cards) {
        return reinterpret_cast<std::uint8_t*>(cards.words.data());
    }
    // The same for a large deck, out of the way of the others.
    [[nodiscard, gnu::noinline, gnu::cold, gnu::pure]] std::uint32_t large_pile_size(const Cards& cards) const;
    [[nodiscard, gnu::noinline, gnu::cold, gnu::pure]] std::uint32_t large_display_size(const Cards& cards) const;
    [[nodiscard, gnu::noinline, gnu::cold, gnu::pure]] Slots large_display_slots(const Cards& cards,
                                                                                 bool but_last) const;
    [[nodiscard, gnu::noinline, gnu::cold, gnu::pure]] Slots large_hand_slots(const Cards& cards,
                                                                              std::size_t player) const;
    [[nodiscard, gnu::noinline, gnu::cold, gnu::pure]] Lanes large_symbols(const Cards& cards,
                                                                           std::size_t player) const;
    [[gnu::noinline, gnu::cold]] void large_lay_out(Cards& cards, std::size_t type) const;
    [[gnu::noinline, gnu::cold]] void large_draw(Cards& cards, std::size_t type, std::size_t player) const;
    [[gnu::noinline, gnu::cold]] void large_turn_up(Cards& cards, std::size_t type) const;
    [[gnu::noinline, gnu::cold]] void large_take(Cards& cards, std::size_t type, std::size_t player) const;
    [[gnu::noinline, gnu::cold]] void large_play(Cards& cards, std::size_t type, std::size_t white,
                                                 std::size_t player) const;
    [[gnu::noinline, gnu::cold]] void large_discard_played(Cards& cards, std::size_t player) const;

    bool small_ = true;
    std::size_t types_ = 0;
    std::size_t coloured_ = 0;
    int size_ = 0;
    std::array<CardType, kMostTypes> list_{};
    std::array<Field, kSlots + 1> fields_{};  // by slot
    Slots first_copies_, white_slots_;
    std::array<Slots, kColours + 1> playable_slots_;
    std::array<Slots, kColours + 1> colour_cards_;  // of a small deck, all copies
    std::array<std::uint8_t, kMostTypes + 1> slot_{};
    std::array<Slots, kMostTypes + 1> slots_before_;
    std::array<std::uint8_t, kSlots> slot_types_{};
};

}  // namespace tilery::tajmahal
