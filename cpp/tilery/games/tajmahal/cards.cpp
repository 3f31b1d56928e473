// SPDX-License-Identifier: MIT
#include "tilery/games/tajmahal/cards.hpp"

#include <cstring>

namespace tilery::tajmahal {
namespace {

constexpr std::size_t kWordBits = 64;

// The lowest bits of a word.
constexpr std::uint64_t low_bits(std::size_t n) {
    return n >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

// Inserts into a list of bytes that ascends and has room.
void insert_sorted(std::uint8_t* first, std::size_t size, std::uint8_t item) {
    std::uint8_t* const at = std::upper_bound(first, first + size, item);
    std::copy_backward(at, first + size, first + size + 1);
    *at = item;
}

}  // namespace

Deck::Deck(const std::array<std::uint8_t, kMostTypes>& copies) {
    // Every type there might be, in the order of TM-30.
    std::size_t index = 0, offset = 0;
    const auto add_type = [&](std::size_t colour, std::size_t first, std::size_t second) {
        const std::uint8_t number = copies[index++];
        if (number == 0) return;
        list_[types_++] = {static_cast<std::uint8_t>(colour), static_cast<std::uint8_t>(first),
                           static_cast<std::uint8_t>(second), number};
        size_ += number;
    };
    for (std::size_t colour = 0; colour < kColours; ++colour) {
        for (std::size_t first = 0; first < kSymbols; ++first) {
            for (std::size_t second = first; second < kSymbols; ++second) add_type(colour, first, second);
        }
    }
    coloured_ = types_;
    for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) add_type(kWhite, symbol, kSymbols);

    // Copies of a type lie within one word.
    std::array<std::size_t, kMostTypes> offsets{};
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t number = list_[type].copies;
        if (offset < kWordBits && offset + number > kWordBits) offset = kWordBits;
        offsets[type] = offset;
        offset += number;
        small_ = small_ && number <= kWordBits;
    }
    small_ = small_ && offset <= 2 * kWordBits;
    for (std::size_t type = 0; type < types_; ++type) {
        const std::size_t at = small_ ? offsets[type] : type, number = small_ ? list_[type].copies : 1;
        slot_[type] = static_cast<std::uint8_t>(at);
        slots_before_[type + 1] = Slots::below(at);
        std::array<std::uint64_t, 2> low{}, all{};
        low[at / kWordBits] = std::uint64_t{1} << (at % kWordBits);
        all[at / kWordBits] = low_bits(number) << (at % kWordBits);
        for (std::size_t copy = 0; copy < number; ++copy) {
            slot_types_[at + copy] = static_cast<std::uint8_t>(type);
            fields_[at + copy] = {Bytes16::load(low.data()), Bytes16::load(all.data())};
        }
        first_copies_.insert(at);
        const std::size_t colour = list_[type].colour;
        for (std::size_t copy = 0; copy < number; ++copy) colour_cards_[colour].insert(at + copy);
        (colour == kWhite ? white_slots_ : playable_slots_[colour + 1]).insert(at);
    }
    slot_[no_type()] = static_cast<std::uint8_t>(no_slot());
    playable_slots_[0] = first_copies_ - white_slots_;
}

Lanes Deck::printed(const Counts& counts) const {
    Lanes symbols = 0;
    for (std::size_t type = 0; type < types_; ++type) symbols += counts[type] * list_[type].symbols();
    return symbols;
}

Cards Deck::all_in_pile() const {
    Places places{};
    for (std::size_t type = 0; type < types_; ++type) places.pile[type] = list_[type].copies;
    return pack(places);
}

Places Deck::unpack(const Cards& cards) const {
    Places places{};
    if (small_) {
        const auto read = [&](Counts& counts, std::size_t at) {
            const Slots set = pair(cards, at);
            for (std::size_t type = 0; type < types_; ++type) {
                counts[type] = static_cast<std::uint8_t>((set & copies(type)).size());
            }
        };
        read(places.pile, kPile);
        read(places.display, kDisplay);
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            read(places.hand[player], hand_at(player));
            read(places.known[player], hand_at(player) + kKnown);
            read(places.played[player], hand_at(player) + kPlayed);
            places.special[player] = cards.words[kFirstSymbols + player] - printed(places.played[player]);
        }
        return places;
    }
    const std::uint8_t* const bytes = large_bytes(cards);
    std::memcpy(places.pile.data(), bytes + kPileBytes, kMostTypes);
    for (std::size_t i = 0; i < kMostDisplay; ++i) {
        const std::size_t item = bytes[kDisplayBytes + i];
        if (item > 0 && item <= types_) ++places.display[item - 1];
    }
    std::size_t at = 0;
    for (std::size_t player = 0; player < kMaxPlayers; ++player) {
        for (std::size_t i = 0; i < bytes[kSizes + 2 * player] && at < kPoolSize; ++i, ++at) {
            const std::size_t type = bytes[kPool + at] / 2U;
            if (type >= types_) continue;
            ++places.hand[player][type];
            if (bytes[kPool + at] % 2U == 0) ++places.known[player][type];
        }
        for (std::size_t i = 0; i < bytes[kSizes + 2 * player + 1] && at < kPoolSize; ++i, ++at) {
            if (bytes[kPool + at] < types_) ++places.played[player][bytes[kPool + at]];
        }
    }
    return places;
}

Cards Deck::pack(const Places& places) const {
    Cards cards{};
    if (small_) {
        const auto write = [&](const Counts& counts, std::size_t at) {
            for (std::size_t type = 0; type < types_; ++type) {
                const std::uint64_t lowest = low_bits(std::min(counts[type], list_[type].copies));
                cards.words[at + slot_[type] / kWordBits] |= lowest << (slot_[type] % kWordBits);
            }
        };
        write(places.pile, kPile);
        write(places.display, kDisplay);
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            write(places.hand[player], hand_at(player));
            write(places.known[player], hand_at(player) + kKnown);
            write(places.played[player], hand_at(player) + kPlayed);
            cards.words[kFirstSymbols + player] = printed(places.played[player]) + places.special[player];
        }
        return cards;
    }
    std::uint8_t* const bytes = large_bytes(cards);
    std::memcpy(bytes + kPileBytes, places.pile.data(), kMostTypes);
    std::size_t at = kPool;
    const auto write = [&](std::size_t& into, std::size_t end, int copies, std::size_t item) {
        for (; copies > 0 && into < end; --copies) bytes[into++] = static_cast<std::uint8_t>(item);
    };
    std::size_t display_at = kDisplayBytes;
    for (std::size_t type = 0; type < types_; ++type) {
        write(display_at, kDisplayBytes + kMostDisplay, places.display[type], type + 1);
    }
    for (std::size_t player = 0; player < kMaxPlayers; ++player) {
        const std::size_t hand = at;
        for (std::size_t type = 0; type < types_; ++type) {
            const int known = places.known[player][type];
            write(at, sizeof cards, known, 2 * type);
            write(at, sizeof cards, places.hand[player][type] - known, 2 * type + 1);
        }
        const std::size_t played = at;
        for (std::size_t type = 0; type < types_; ++type) write(at, sizeof cards, places.played[player][type], type);
        bytes[kSizes + 2 * player] = static_cast<std::uint8_t>(played - hand);
        bytes[kSizes + 2 * player + 1] = static_cast<std::uint8_t>(at - played);
    }
    return cards;
}

std::array<int, kColours + 1> Deck::hand_colours(const Cards& cards, std::size_t player) const {
    std::array<int, kColours + 1> count{};
    if (small_) {
        const Slots hand = pair(cards, hand_at(player));
        for (std::size_t colour = 0; colour <= kColours; ++colour) {
            count[colour] = static_cast<int>((hand & colour_cards_[colour]).size());
        }
        return count;
    }
    const Counts hand = unpack(cards).hand[player];
    for (std::size_t type = 0; type < types_; ++type) count[list_[type].colour] += hand[type];
    return count;
}

void Deck::make_known(Cards& cards) const {
    if (!small_) {
        Places places = unpack(cards);
        places.known = places.hand;
        cards = pack(places);
        return;
    }
    for (std::size_t player = 0; player < kMaxPlayers; ++player) {
        Bytes16::load(&cards.words[hand_at(player)]).store(&cards.words[hand_at(player) + kKnown]);
    }
}

bool Deck::refill(Cards& cards, const std::array<std::uint8_t, kColours + 1>& elsewhere) const {
    if (small_) {
        Bytes16 pile = Bytes16::load(&cards.words[kPile]);
        for (std::size_t type = 0; type < types_; ++type) pile = pile | fields_[slot_[type]].all;
        pile.store(&cards.words[kPile]);
        const auto remove_all = [&](std::size_t at) {
            pair(cards, at).for_each([&](std::size_t card) { remove(cards, kPile, fields_[card]); });
        };
        remove_all(kDisplay);
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            remove_all(hand_at(player));
            remove_all(hand_at(player) + kPlayed);
        }
        for (const std::size_t card : elsewhere) {
            if (card > 0) remove(cards, kPile, fields_[slot_[card - 1]]);
        }
        return !pile_empty(cards);
    }
    const Places places = unpack(cards);
    std::uint8_t* const pile = large_bytes(cards) + kPileBytes;
    for (std::size_t type = 0; type < types_; ++type) {
        int left = list_[type].copies - places.display[type];
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            left -= places.hand[player][type] + places.played[player][type];
        }
        pile[type] = static_cast<std::uint8_t>(left);
    }
    for (const std::size_t card : elsewhere) {
        if (card > 0) --pile[card - 1];
    }
    return !pile_empty(cards);
}

// The large deck.

Counts Deck::pile_counts(const Cards& cards) const {
    Counts counts;
    std::memcpy(counts.data(), large_bytes(cards) + kPileBytes, kMostTypes);
    return counts;
}

std::uint32_t Deck::large_pile_size(const Cards& cards) const {
    return static_cast<std::uint32_t>(total(pile_counts(cards)));
}

std::uint32_t Deck::large_display_size(const Cards& cards) const {
    const std::uint8_t* const first = large_bytes(cards) + kDisplayBytes;
    return static_cast<std::uint32_t>(std::find(first, first + kMostDisplay, 0) - first);
}

Slots Deck::large_display_slots(const Cards& cards, bool but_last) const {
    Slots set;
    const std::size_t size = large_display_size(cards);
    for (std::size_t i = 0; i + (but_last ? 1 : 0) < size; ++i) {
        set.insert(large_bytes(cards)[kDisplayBytes + i] - std::size_t{1});
    }
    return set;
}

namespace {

// Where in the pool the cards of a part begin; parts are hand and played cards of player 0, of player 1, ...
std::size_t part_begin(const std::uint8_t* sizes, std::size_t part) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < part; ++i) at += sizes[i];
    return at;
}

void pool_insert(std::uint8_t* sizes, std::uint8_t* pool, std::size_t part, std::size_t item) {
    const std::size_t begin = part_begin(sizes, part), end = begin + sizes[part];
    const std::size_t all = part_begin(sizes, 2 * kMaxPlayers);
    std::copy_backward(pool + end, pool + all, pool + all + 1);
    insert_sorted(pool + begin, sizes[part], static_cast<std::uint8_t>(item));
    ++sizes[part];
}

void pool_erase(std::uint8_t* sizes, std::uint8_t* pool, std::size_t at, std::size_t number) {
    const std::size_t all = part_begin(sizes, 2 * kMaxPlayers);
    std::copy(pool + at + number, pool + all, pool + at);
    std::fill(pool + all - number, pool + all, std::uint8_t{0});
}

}  // namespace

Slots Deck::large_hand_slots(const Cards& cards, std::size_t player) const {
    const std::uint8_t* const bytes = large_bytes(cards);
    const std::uint8_t* const hand = bytes + kPool + part_begin(bytes + kSizes, 2 * player);
    Slots set;
    for (std::size_t i = 0; i < bytes[kSizes + 2 * player]; ++i) set.insert(hand[i] / 2U);
    return set;
}

Lanes Deck::large_symbols(const Cards& cards, std::size_t player) const {
    const std::uint8_t* const bytes = large_bytes(cards);
    const std::uint8_t* const played = bytes + kPool + part_begin(bytes + kSizes, 2 * player + 1);
    Lanes symbols = 0;
    for (std::size_t i = 0; i < bytes[kSizes + 2 * player + 1]; ++i) symbols += list_[played[i]].symbols();
    return symbols;
}

void Deck::large_lay_out(Cards& cards, std::size_t type) const {
    large_turn_up(cards, type);
    insert_sorted(large_bytes(cards) + kDisplayBytes, large_display_size(cards), static_cast<std::uint8_t>(type + 1));
}

void Deck::large_draw(Cards& cards, std::size_t type, std::size_t player) const {
    large_turn_up(cards, type);
    pool_insert(large_bytes(cards) + kSizes, large_bytes(cards) + kPool, 2 * player, 2 * type + 1);
}

void Deck::large_turn_up(Cards& cards, std::size_t type) const { --large_bytes(cards)[kPileBytes + type]; }

void Deck::large_take(Cards& cards, std::size_t type, std::size_t player) const {
    std::uint8_t* const first = large_bytes(cards) + kDisplayBytes;
    std::uint8_t* const end = first + large_display_size(cards);
    std::uint8_t* const at = std::lower_bound(first, end, type + 1);
    std::copy(at + 1, end, at);
    end[-1] = 0;
    pool_insert(large_bytes(cards) + kSizes, large_bytes(cards) + kPool, 2 * player, 2 * type);
}

void Deck::large_play(Cards& cards, std::size_t type, std::size_t white, std::size_t player) const {
    std::uint8_t* const sizes = large_bytes(cards) + kSizes;
    std::uint8_t* const pool = large_bytes(cards) + kPool;
    for (const std::size_t card : {type, white}) {
        if (card == no_slot()) continue;
        const std::size_t begin = part_begin(sizes, 2 * player);
        const std::uint8_t* const hand = pool + begin;
        // Known copies come first.
        const auto at = static_cast<std::size_t>(std::lower_bound(hand, hand + sizes[2 * player], 2 * card) - hand);
        pool_erase(sizes, pool, begin + at, 1);
        --sizes[2 * player];
        pool_insert(sizes, pool, 2 * player + 1, card);
    }
}

void Deck::large_discard_played(Cards& cards, std::size_t player) const {
    std::uint8_t* const sizes = large_bytes(cards) + kSizes;
    std::uint8_t& size = sizes[2 * player + 1];
    pool_erase(sizes, large_bytes(cards) + kPool, part_begin(sizes, 2 * player + 1), size);
    size = 0;
}

}  // namespace tilery::tajmahal
