// SPDX-License-Identifier: MIT
// The observation: planes of cells, then numbers.
#include <algorithm>
#include <optional>

#include "tilery/games/carcassonne/game.hpp"
#include "tilery/games/carcassonne/hands.hpp"
#include "tilery/games/carcassonne/views.hpp"

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

float quotient(int number, int by) { return narrow<float>(double(number) / by); }

class Observer {
  public:
    Observer(const Game& game, const State& state, Player player, std::span<float> out, int window)
        : game_(game), box_(game.box()), state_(state), player_(player), out_(out), land_(laid_tiles(state)) {
        frame_ = box_.land;
        if (!box_.rules.table) center(window);
        area_ = index_of(frame_.width()) * index_of(frame_.height());
        players_ = index_of(box_.rules.players);
    }

    void observe() {
        std::fill(out_.begin(), out_.end(), 0.0F);
        for (const LaidTile& laid : land_) draw(laid);
        draw_open_cells();
        at_ = out_.data() + (kPlanesBesidePlayers + players_) * area_;
        put_turn();
        put_stock();
        if (box_.rules.tile_sale) {
            put(quotient(state_.sale.price, 100));
            one_seat(state_.sale.buyer);
        }
        if (box_.rules.hand_size > 0) put_hands();
        if (box_.rules.first_player == FirstPlayer::kMostRoads) put_order();
        if (!box_.rules.table) put_outside();
    }

  private:
    // The window around the middle of the land.
    void center(int window) {
        Box::Rectangle land{0, 0, 0, 0};
        if (!land_.empty()) {
            const int x = x_of(land_.front().cell);
            land = {x, y_of(land_.front().cell), x, y_of(land_.back().cell)};
        }
        for (const LaidTile& laid : land_) {
            land.west = std::min(land.west, x_of(laid.cell));
            land.east = std::max(land.east, x_of(laid.cell));
        }
        // The shifts round down, below zero too.
        const int west = ((land.west + land.east) >> 1) - window / 2;
        const int south = ((land.south + land.north) >> 1) - window / 2;
        frame_ = {west, south, west + window - 1, south + window - 1};
    }

    // The place of a cell in each plane, or nothing if it is outside.
    [[nodiscard]] std::optional<std::size_t> place_of(Cell cell) const {
        if (!frame_.contains(cell)) return std::nullopt;
        return index_of((y_of(cell) - frame_.south) * frame_.width() + x_of(cell) - frame_.west);
    }
    [[nodiscard]] std::size_t seat_from_here(int seat) const {
        return (index_of(seat) + players_ - index_of(player_)) % players_;
    }
    [[nodiscard]] std::size_t seat_at(std::size_t k) const { return (index_of(player_) + k) % players_; }
    void set(std::size_t plane, std::size_t place, float value = 1.0F) { out_[plane * area_ + place] = value; }

    void draw(const LaidTile& laid) {
        const auto place = place_of(laid.cell);
        if (!place) {
            ++tiles_outside_;
            if (laid.seat >= 0) ++meeples_outside_[seat_from_here(laid.seat)];
            return;
        }
        const std::size_t rotation = rotation_of(laid.code);
        const TileType& tile = box_.type(laid.code);
        set(kTilePlane, *place);
        set(kTypePlane, *place, quotient(narrow<int>(type_of(laid.code)) + 1, narrow<int>(box_.num_types)));
        set(kRotationPlane, *place, quotient(narrow<int>(rotation), int{kRotations}));
        draw_edges(tile, rotation, *place);
        if (tile.shield) set(kShieldPlane, *place);
        if (tile.monastery) set(kMonasteryPlane, *place);
        if (laid.seat < 0) return;
        for (const Segment& segment : tile.segments) {
            if (segment.id != laid.segment) continue;
            set(kMeepleKindPlanes + std::string_view("crfm").find(segment.kind), *place);
            const unsigned halves = turned_halves(segment.halves, rotation);
            for (std::size_t half = 0; half < 8; ++half) {
                if ((halves >> half & 1) != 0) set(kMeepleHalfPlanes + half, *place);
            }
        }
        set(kMeepleSeatPlanes + seat_from_here(laid.seat), *place);
    }

    void draw_edges(const TileType& tile, std::size_t rotation, std::size_t place) {
        std::array<const Segment*, kSides> mains{};  // by side as it is now, clockwise from the north
        for (std::size_t c = 0; c < kSides; ++c) {
            const std::size_t turned = (c + rotation) % kSides;
            set(kEdgePlanes + 3 * turned + edge_on(tile.edges, kClockwise[c]) - kCity, place);
            for (const Segment& segment : tile.segments) {
                if ((segment.sides >> kClockwise[c] & 1) != 0) mains[turned] = &segment;
            }
        }
        std::size_t pair = kPairPlanes;
        for (std::size_t one = 0; one < kSides; ++one) {
            for (std::size_t other = one + 1; other < kSides; ++other, ++pair) {
                if (mains[one] != nullptr && mains[one] == mains[other]) set(pair, place);
            }
        }
    }

    void draw_open_cells() {
        const std::size_t cell_plane = kMeepleSeatPlanes + players_, open_plane = cell_plane + 1,
                          fits_planes = open_plane + 1;
        if (state_.turn.placed != 0) {
            const auto place = place_of(state_.land.cells[state_.turn.placed]);
            if (place) set(cell_plane, *place);
            cell_outside_ = !place;
        }
        for (std::size_t at = 0; at < state_.frontier.size; ++at) {
            const auto place = place_of(state_.frontier.cells[at]);
            if (place) set(open_plane, *place);
            open_outside_ += place ? 0 : 1;
            if (state_.turn.tile == 0) continue;
            for (std::size_t r = 0; r < kRotations; ++r) {
                if (!game_.fits_at(state_, at, state_.turn.tile - std::size_t{1}, r)) continue;
                if (place) set(fits_planes + r, *place);
                fits_outside_[r] += place ? 0 : 1;
            }
        }
    }

    void put(float value) { *at_++ = value; }
    void one_hot(std::size_t size, std::size_t which) {
        if (which < size) at_[which] = 1.0F;
        at_ += size;
    }
    void one_seat(int seat) { one_hot(players_, seat < 0 ? players_ : seat_from_here(seat)); }

    void put_turn() {
        one_hot(kPhases, index_of(state_.turn.phase));
        one_seat(state_.turn.actor);
        one_seat(state_.turn.mover);
        one_seat(state_.turn.ordinary);
        put(state_.turn.goes_on);
    }

    void put_stock() {
        for (std::size_t k = 0; k < players_; ++k) put(quotient(state_.points[seat_at(k)], 100));
        for (std::size_t k = 0; k < players_; ++k) put(quotient(state_.meeples.at_home[seat_at(k)], kMeeples));
        one_hot(box_.num_types, state_.turn.tile - std::size_t{1});
        for (const int copies : game_.unseen_counts(state_, player_)) put(narrow<float>(copies));
        put(quotient(state_.pile.size(), box_.num_tiles()));
    }

    void put_hands() {
        for (std::size_t k = 0; k < players_; ++k) put(narrow<float>(hand_of(state_, seat_at(k)).size()));
        for (std::size_t k = 0; k < players_; ++k) put_hand(seat_at(k), !sees_hand(box_, player_, seat_at(k)));
        put_hand(seat_at(0), true);
    }
    void put_hand(std::size_t seat, bool shown_alone) {
        const std::span<const std::uint8_t> hand = hand_of(state_, seat);
        for (std::size_t i = 0; i < hand.size(); ++i) {
            if (!shown_alone || (state_.hands.shown[seat] >> i & 1) != 0) at_[hand[i] - 1] += 1.0F;
        }
        at_ += box_.num_types;
    }

    // CA-H2
    void put_order() {
        put(quotient(state_.turn.round, kMostRounds));
        for (std::size_t k = 0; k < players_; ++k) put((state_.turn.contenders >> seat_at(k) & 1) != 0 ? 1.0F : 0.0F);
        for (std::size_t k = 0; k < players_; ++k) {
            const int drawn = state_.turn.phase == Phase::kOrder ? state_.hands.tiles[seat_at(k)][0] : 0;
            put(quotient(drawn, narrow<int>(box_.num_types)));
        }
    }

    void put_outside() {
        put(narrow<float>(tiles_outside_));
        put(narrow<float>(open_outside_));
        for (const int cells : fits_outside_) put(narrow<float>(cells));
        for (std::size_t k = 0; k < players_; ++k) put(narrow<float>(meeples_outside_[k]));
        put(cell_outside_ ? 1.0F : 0.0F);
    }

    const Game& game_;
    const Box& box_;
    const State& state_;
    Player player_;
    std::span<float> out_;
    std::vector<LaidTile> land_;
    Box::Rectangle frame_;  // the cells that the planes show
    std::size_t area_ = 0, players_ = 0;
    float* at_ = nullptr;  // where the next number goes
    int tiles_outside_ = 0, open_outside_ = 0;
    std::array<int, kRotations> fits_outside_{};
    PerPlayer<int> meeples_outside_{};
    bool cell_outside_ = false;
};

}  // namespace

int Game::observation_size(int window) const {
    const Rules& rules = box_.rules;
    const int n = rules.players, t = narrow<int>(box_.num_types);
    const int planes = int{kPlanesBesidePlayers} + n;
    const int area = rules.table ? box_.width * box_.height : window * window;
    int numbers = int{kPhases} + 5 * n + 2 + 2 * t;
    if (rules.tile_sale) numbers += 1 + n;
    if (rules.hand_size > 0) numbers += n + n * t + t;
    if (rules.first_player == FirstPlayer::kMostRoads) numbers += 1 + 2 * n;
    if (!rules.table) numbers += 7 + n;
    return planes * area + numbers;
}

void Game::observe(const State& state, Player player, std::span<float> out, int window) const {
    Observer(*this, state, player, out, window).observe();
}

}  // namespace tilery::carcassonne
