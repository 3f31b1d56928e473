// SPDX-License-Identifier: MIT
// Carcassonne in numbers: the observation.
#include <algorithm>

#include "tilery/games/carcassonne/game.hpp"

namespace tilery::carcassonne {
namespace {

// Planes that do not depend on the number of players; docs/rules/carcassonne.md.
enum Plane : std::size_t {
    kTilePlane,
    kTypePlane,
    kRotationPlane,
    kEdgePlanes,
    kPairPlanes = kEdgePlanes + 3 * kSides,
    kShieldPlane = kPairPlanes + 6,
    kMonasteryPlane,
    kMeepleKindPlanes,
    kMeepleHalfPlanes = kMeepleKindPlanes + 4,
    kMeepleSeatPlanes = kMeepleHalfPlanes + 8
};
constexpr std::size_t kPlanesBesidePlayers = 41;

float quotient(int number, int by) { return static_cast<float>(static_cast<double>(number) / by); }

}  // namespace

int Game::observation_size(int window) const {
    const int n = rules_.players, t = static_cast<int>(types_);
    const int planes = static_cast<int>(kPlanesBesidePlayers) + n;
    const int area = rules_.table ? width_ * height_ : window * window;
    int numbers = static_cast<int>(kPhases) + 5 * n + 2 + 2 * t;
    if (rules_.tile_sale) numbers += 1 + n;
    if (rules_.hand_size > 0) numbers += n + n * t + t;
    if (rules_.first_player == FirstPlayer::kMostRoads) numbers += 1 + 2 * n;
    if (!rules_.table) numbers += 7 + n;
    return planes * area + numbers;
}

void Game::observe(const State& state, Player player, std::span<float> out, int window) const {
    const auto players = static_cast<std::size_t>(rules_.players);
    const int total = static_cast<int>(types_);
    const std::vector<Laid> land = land_of(state);
    int west = west_, south = south_, width = width_, height = height_;
    if (!rules_.table) {
        int x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        if (!land.empty()) {
            x1 = x2 = x_of(land[0].cell);
            y1 = y_of(land.front().cell);
            y2 = y_of(land.back().cell);
        }
        for (const Laid& laid : land) {
            x1 = std::min(x1, x_of(laid.cell));
            x2 = std::max(x2, x_of(laid.cell));
        }
        width = height = window;
        west = ((x1 + x2) >> 1) - window / 2;  // the shift rounds down, below zero too
        south = ((y1 + y2) >> 1) - window / 2;
    }
    std::fill(out.begin(), out.end(), 0.0F);
    const std::size_t area = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    // The place of a cell in each plane, or nothing if it lies outside.
    const auto place_of = [&](Cell cell) -> std::optional<std::size_t> {
        const int x = x_of(cell) - west, y = y_of(cell) - south;
        if (x < 0 || x >= width || y < 0 || y >= height) return std::nullopt;
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    const auto seat_from_here = [&](int seat) {
        return static_cast<std::size_t>((seat - player + rules_.players) % rules_.players);
    };

    int tiles_outside = 0, open_outside = 0;
    std::array<int, kRotations> fits_outside{};
    std::array<int, kMaxPlayers> meeples_outside{};
    for (const Laid& laid : land) {
        const auto place = place_of(laid.cell);
        if (!place) {
            ++tiles_outside;
            if (laid.seat >= 0) ++meeples_outside[seat_from_here(laid.seat)];
            continue;
        }
        const auto set = [&](std::size_t plane, float value = 1.0F) { out[plane * area + *place] = value; };
        const std::size_t type = type_of(laid.code), rotation = rotation_of(laid.code);
        const TileType& tile = tiles_.types[type];
        set(kTilePlane);
        set(kTypePlane, quotient(static_cast<int>(type) + 1, total));
        set(kRotationPlane, quotient(static_cast<int>(rotation), static_cast<int>(kRotations)));
        std::array<const Segment*, kSides> mains{};  // by side as it lies, clockwise from the north
        for (std::size_t c = 0; c < kSides; ++c) {
            const std::size_t lies = (c + rotation) % kSides;
            set(kEdgePlanes + 3 * lies + edge_on(tile.edges, kClockwise[c]) - kCity);
            for (const Segment& segment : tile.segments) {
                if ((segment.sides >> kClockwise[c] & 1) != 0) mains[lies] = &segment;
            }
        }
        std::size_t pair = kPairPlanes;
        for (std::size_t one = 0; one < kSides; ++one) {
            for (std::size_t other = one + 1; other < kSides; ++other, ++pair) {
                if (mains[one] != nullptr && mains[one] == mains[other]) set(pair);
            }
        }
        if (tile.shield) set(kShieldPlane);
        if (tile.monastery) set(kMonasteryPlane);
        if (laid.seat < 0) continue;
        for (const Segment& segment : tile.segments) {
            if (segment.id != laid.segment) continue;
            set(kMeepleKindPlanes + std::string_view("crfm").find(segment.kind));
            const auto halves = std::rotl(segment.halves, static_cast<int>(2 * rotation));
            for (std::size_t half = 0; half < 8; ++half) {
                if ((halves >> half & 1) != 0) set(kMeepleHalfPlanes + half);
            }
        }
        set(kMeepleSeatPlanes + seat_from_here(laid.seat));
    }
    const std::size_t cell_plane = kMeepleSeatPlanes + players, open_plane = cell_plane + 1,
                      fits_planes = open_plane + 1;
    bool cell_outside = false;
    if (state.last != 0) {
        const auto place = place_of(state.tile_cells[state.last]);
        if (place) out[cell_plane * area + *place] = 1.0F;
        cell_outside = !place;
    }
    for (std::size_t at = 0; at < state.num_cells; ++at) {
        const auto place = place_of(state.cells[at]);
        if (place) out[open_plane * area + *place] = 1.0F;
        open_outside += place ? 0 : 1;
        if (state.tile == 0) continue;
        const std::uint8_t fits = fitting(tiles_.tables[state.tile - std::size_t{1}], state.sides[at]);
        for (std::size_t r = 0; r < kRotations; ++r) {
            if ((fits >> (7 - r) & 1) == 0) continue;
            if (place) out[(fits_planes + r) * area + *place] = 1.0F;
            fits_outside[r] += place ? 0 : 1;
        }
    }

    auto at = out.begin() + static_cast<std::ptrdiff_t>((kPlanesBesidePlayers + players) * area);
    const auto put = [&at](float value) { *at++ = value; };
    const auto one_hot = [&at](std::size_t size, std::size_t which) {
        if (which < size) at[static_cast<std::ptrdiff_t>(which)] = 1.0F;
        at += static_cast<std::ptrdiff_t>(size);
    };
    const auto one_seat = [&](int seat) { one_hot(players, seat < 0 ? players : seat_from_here(seat)); };
    const auto seat_at = [&](std::size_t k) { return (static_cast<std::size_t>(player) + k) % players; };
    one_hot(kPhases, static_cast<std::size_t>(state.phase));
    one_seat(state.actor);
    one_seat(state.turn);
    one_seat(state.ordinary);
    put(state.again);
    for (std::size_t k = 0; k < players; ++k) put(quotient(state.scores[seat_at(k)], 100));
    for (std::size_t k = 0; k < players; ++k) put(quotient(state.supply[seat_at(k)], kMeeples));
    one_hot(types_, state.tile - std::size_t{1});
    for (const int copies : unseen_counts(state, player)) put(static_cast<float>(copies));
    put(quotient(state.pile.back(), rules_.tiles == TileSet::kBase ? kBaseTiles : kTiles));
    if (rules_.tile_sale) {
        put(quotient(state.price, 100));
        one_seat(state.buyer);
    }
    if (rules_.hand_size > 0) {
        for (std::size_t k = 0; k < players; ++k) put(static_cast<float>(hand_of(state, seat_at(k)).size()));
        const auto copies = [&](std::size_t seat, bool shown_alone) {
            const std::span<const std::uint8_t> hand = hand_of(state, seat);
            for (std::size_t i = 0; i < hand.size(); ++i) {
                if (!shown_alone || (state.shown[seat] >> i & 1) != 0) at[hand[i] - 1] += 1.0F;
            }
            at += total;
        };
        for (std::size_t k = 0; k < players; ++k) copies(seat_at(k), !sees_hand(player, seat_at(k)));
        copies(seat_at(0), true);
    }
    if (rules_.first_player == FirstPlayer::kMostRoads) {
        put(quotient(state.round, kMostRounds));
        for (std::size_t k = 0; k < players; ++k) put((state.contenders >> seat_at(k) & 1) != 0 ? 1.0F : 0.0F);
        for (std::size_t k = 0; k < players; ++k) {
            put(quotient(state.phase == Phase::kOrder ? state.hands[seat_at(k)][0] : 0, total));
        }
    }
    if (!rules_.table) {
        put(static_cast<float>(tiles_outside));
        put(static_cast<float>(open_outside));
        for (const int cells : fits_outside) put(static_cast<float>(cells));
        for (std::size_t k = 0; k < players; ++k) put(static_cast<float>(meeples_outside[k]));
        put(cell_outside ? 1.0F : 0.0F);
    }
}

// A hidden hand keeps what it has shown; each other place takes a draw from what is left.
void Game::determinize(State& state, Player player, Rng& rng) const {
    if (rules_.hand_size == 0 || rules_.hands == Hands::kOpen || state.phase == Phase::kOrder) return;
    std::vector<int> left = unseen_counts(state, player);
    const auto weights_total = [&](auto&& weight) {
        std::uint32_t total = 0;
        for (std::size_t type = 0; type < types_; ++type) total += weight(type);
        return total;
    };
    // A type with the chance of its weight, taken from what is left.
    const auto draw_by = [&](auto&& weight) {
        std::uint32_t r = rng.below(weights_total(weight));
        std::size_t type = 0;
        for (; r >= weight(type); ++type) r -= weight(type);
        --left[type];
        return type;
    };
    const auto count = [&left](std::size_t type) { return static_cast<std::uint32_t>(left[type]); };
    const auto falling = [](std::uint32_t n, std::uint32_t k) {
        std::uint32_t product = 1;
        for (std::uint32_t i = 0; i < k; ++i) product *= n >= i ? n - i : 0;
        return product;
    };
    const auto deal_anew = [&](std::size_t seat, bool must_play) {
        const auto hand = state.hands[seat];
        const auto size = static_cast<std::uint32_t>(hand_of(state, seat).size());
        const std::uint32_t shown = state.shown[seat];
        state.hands[seat] = {};
        state.shown[seat] = 0;
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if ((shown >> i & 1) == 0) continue;
            state.hands[seat][kept++] = hand[i];
            must_play = must_play && !can_be_played(state, hand[i] - std::size_t{1});
        }
        state.shown[seat] = static_cast<std::uint8_t>((1U << kept) - 1U);
        for (std::uint32_t places = size - kept; places > 0; --places) {
            std::size_t type = 0;
            if (must_play) {
                // Each tile by the number of ways in which the rest of the hand makes it one that can play.
                const std::uint32_t all = weights_total(count);
                const std::uint32_t unfit =
                    weights_total([&](std::size_t one) { return can_be_played(state, one) ? 0 : count(one); });
                type = draw_by([&](std::size_t one) {
                    if (count(one) == 0) return 0U;
                    const std::uint32_t vain = can_be_played(state, one) ? 0 : falling(unfit - 1, places - 1);
                    return count(one) * (falling(all - 1, places - 1) - vain);
                });
                must_play = !can_be_played(state, type);
            } else {
                type = draw_by(count);
            }
            take_in_hand(state, seat, type);
        }
    };
    const int chooser = state.phase == Phase::kChoose && state.turn != player ? state.turn : -1;
    if (chooser >= 0) deal_anew(static_cast<std::size_t>(chooser), true);
    for (int seat = 0; seat < rules_.players; ++seat) {
        if (seat != player && seat != chooser) deal_anew(static_cast<std::size_t>(seat), false);
    }
    std::uint8_t before = 0;
    for (std::size_t type = 0; type < state.pile.size(); ++type) {
        if (type < types_) before = static_cast<std::uint8_t>(before + left[type]);
        state.pile[type] = before;
    }
}

}  // namespace tilery::carcassonne
