// SPDX-License-Identifier: MIT
// Pueblo: which states can occur. Of the first auction all that pass can be reached
// (tests/games/pueblo/test_reachable.cpp).
#include "tilery/core/validation.hpp"

#include <algorithm>

#include "tilery/games/pueblo/columns.hpp"

namespace tilery::pueblo {

// Each check relies on those before it.
class Game::Validation {
  public:
    Validation(const Game& game, const State& state) : game_(game), rules_(game.rules_), state_(state) {}

    [[nodiscard]] std::string fault() const {
        using V = Validation;
        return first_fault(*this, {&V::ranges, &V::columns, &V::hands, &V::order, &V::auction, &V::blocks,
                                   &V::demolition, &V::turns, &V::points});
    }

  private:
    // Single fields.
    [[nodiscard]] std::string ranges() const {
        if (state_.phase > Phase::kOver) return "no such phase";
        const int part = state_.part;
        if (part < 1 || part > 3 || (part == 2 && !rules_.pro) || (part == 3 && !rules_.demolition)) {
            return "a part that these rules do not have";
        }
        if ((state_.phase == Phase::kPlace && part == 3) || (state_.phase == Phase::kRemove && part < 3)) {
            return "a phase of another part";
        }
        if (over() && rules_.demolition && part != 3) return "the game is over without demolition";
        if (state_.player >= rules_.players || (over() && state_.player != 0)) return "no such player to act";
        if (state_.chieftain >= kSpaces) return "the chieftain is not on the path";
        if (std::ranges::min(state_.points) < 0) return "points below 0";
        for (Player p = rules_.players; p < kMostPlayers; ++p) {
            if (state_.points[p] > 0 || in_hand(p) + state_.order[p] > 0) {
                return "points, blocks or tokens of a player who does not take part";
            }
        }
        return "";
    }
    [[nodiscard]] bool over() const { return state_.phase == Phase::kOver; }
    [[nodiscard]] int in_hand(Player player) const { return state_.supply[player][0] + state_.supply[player][1]; }

    [[nodiscard]] std::string columns() const {
        const std::size_t most_high = kMostBlocks * kCubes;
        std::size_t high = 0;
        for (std::size_t s = 0; s < kSquares; ++s) {
            const int height = state_.heights[s];
            if (height > kMostLevels) return "a column higher than all blocks reach";
            if (height > 0 && game_.covered_.has(s)) return "a cube on a sacred site";
            const int low = std::min(height, kLowLevels);
            if ((state_.cubes[0][s] | state_.cubes[1][s] | state_.cubes[2][s]) != (1 << low) - 1) {
                return "cubes that are not on top of each other";
            }
            for (int level = 0; level < height; ++level) {
                if (level >= kLowLevels && high >= most_high) return "more cubes than the box has";
                const int code = level < kLowLevels ? code_at(state_, s, level) : nibble(state_.high_cubes, high++);
                if (code == 0 || (code != code_of(kNeutral) && code > rules_.players)) {
                    return "a cube of a player who does not take part";
                }
            }
        }
        for (; high < most_high; ++high) {
            if (nibble(state_.high_cubes, high) != 0) return "cubes above the columns";
        }
        return "";
    }

    // The blocks that a player has placed are those neither in hand nor set aside.
    [[nodiscard]] int pairs() const { return kPairs[rules_.players] - state_.aside; }
    [[nodiscard]] int coloured_placed(Player player) const { return pairs() + 1 - state_.supply[player][0]; }
    [[nodiscard]] int neutral_placed(Player player) const { return pairs() - state_.supply[player][1]; }
    [[nodiscard]] int placed(Player player) const { return coloured_placed(player) + neutral_placed(player); }
    [[nodiscard]] int placed_by_all() const {
        int blocks = 0;
        for (Player p = 0; p < rules_.players; ++p) blocks += placed(p);
        return blocks;
    }

    // Blocks are either in hand, set aside or placed (PB-11, PB-14, PB-23).
    [[nodiscard]] std::string hands() const {
        const bool aside = rules_.pro && (state_.part == 1 || (state_.part == 2 && in_auction(state_)));
        const bool ended_early = rules_.pro && state_.part == 3 && state_.aside == kAsidePairs;  // PB-16
        if (state_.aside != (aside ? kAsidePairs : 0) && !ended_early) return "a wrong number of pairs set aside";

        Keyed<int, kOwners> cubes{};
        for (int square = 0; square < kSquares; ++square) {
            for (int level = 0; level < state_.heights[index(square)]; ++level) {
                ++cubes[game_.owner(state_, square, level)];
            }
        }
        const bool demolition = state_.part == 3 && !in_auction(state_);
        const auto wrong = [demolition](int standing, int blocks) {
            return demolition ? standing > kCubes * blocks || standing % kCubes != 0 : standing != kCubes * blocks;
        };
        int neutrals = 0;
        for (Player p = 0; p < rules_.players; ++p) {
            const int coloured = coloured_placed(p), neutral = neutral_placed(p);
            if (coloured < 0 || neutral < 0) return "more blocks in hand than the box has";
            if (coloured + neutral > 0 && (coloured < 1 || coloured < neutral || coloured > neutral + 2)) {
                return "blocks placed in an impossible order of colours";
            }
            if (wrong(cubes[p], coloured)) return "coloured cubes that do not match the blocks placed";
            neutrals += neutral;
        }
        return wrong(cubes[kNeutral], neutrals) ? "neutral cubes that do not match the blocks placed" : "";
    }

    // The tokens: who has which, and nothing of an auction that is over.
    [[nodiscard]] std::string order() const {
        Seats owners;
        for (const int owner : state_.order.first(rules_.players)) {
            if (owner > rules_.players) return "a token of a player who does not take part";
            if (owner == 0) continue;
            if (owners.has(index(owner - 1))) return "two tokens of one player";
            owners.insert(index(owner - 1));
        }
        if (in_auction(state_)) return rules_.pro ? "" : "an auction outside of the pro game";
        if (owners != all()) return "a token that no player took";
        if (state_.opener + state_.bid + state_.bidder + state_.passed > 0) return "bids outside of an auction";
        for (int i = 0; !rules_.pro && i < rules_.players; ++i) {
            if (state_.order[i] != i + 1) return "an order of turns that was never auctioned";
        }
        return "";
    }
    [[nodiscard]] Seats all() const { return Seats::below(index(rules_.players)); }

    // PB-25, PB-26: the bids for one token.
    [[nodiscard]] std::string auction() const {
        if (!in_auction(state_)) return "";
        const Seats waiting = game_.waiting(state_), passed = Seats::of_word(state_.passed);
        const Seats left = waiting - passed, owners = all() - waiting;
        if (waiting.size() < 2) return "an auction that should have ended";
        if (!passed.subset_of(waiting)) return "a player who passed but does not bid";
        if (state_.opener >= rules_.players || !waiting.has(index(state_.opener))) return "an opener who does not bid";
        // Who opens: the first bidder, then the next clockwise after the player who took the last token.
        bool opens = owners.empty() && state_.opener == rules_.first_bidder;
        owners.for_each([&](std::size_t owner) { opens = opens || next_of(waiting, number(owner)) == state_.opener; });
        if (!opens) return "a wrong opener";

        if (state_.bid > rules_.max_bid || (state_.bid == 0) != (state_.bidder == 0)) return "an impossible bid";
        if (state_.bidder > rules_.players) return "a bid of a player who does not take part";
        if (state_.bidder != 0 && !left.has(index(state_.bidder - 1))) return "a bid of a player who is out";
        // A token is taken by the bidder when all others are out, or by the opener when all are.
        const bool won = state_.bidder != 0 ? left.size() == 1 : left.empty();
        if (won != (state_.phase == Phase::kToken)) return "a token taken at the wrong time";
        if (won) {
            const int winner = state_.bidder != 0 ? state_.bidder - 1 : int{state_.opener};
            return state_.player == winner ? "" : "a token taken by the wrong player";
        }
        if (!left.has(index(state_.player)) || state_.bidder == state_.player + 1) return "a player asked who is out";

        // Clockwise from the opener: where the players are.
        const auto place = [&](int p) { return (p - state_.opener + rules_.players) % rules_.players; };
        const auto count = [&](const Seats& set, int from, int end) {  // of the set, at places from..end-1
            int size = 0;
            set.for_each([&](std::size_t p) { size += place(number(p)) >= from && place(number(p)) < end ? 1 : 0; });
            return size;
        };
        const int n = rules_.players, asked = place(state_.player);
        if (state_.bidder == 0) {
            if (count(left, 0, asked) > 0) return "a player who was not asked";
            return count(passed, asked, n) > 0 ? "a player who passed before being asked" : "";
        }
        const int bidder = place(state_.bidder - 1);
        const bool wrapped = asked < bidder;  // asked after the opener was again
        const int between =
            wrapped ? count(left, bidder + 1, n) + count(left, 0, asked) : count(left, bidder + 1, asked);
        if (between > 0) return "a player who was not asked";
        // Those before the bidder have bid too. If a player passed who comes later, this is not the first round,
        // in which all who are left have bid.
        const bool second_round = !wrapped && count(passed, asked, n) > 0;
        const int bids = 1 + count(left, 0, bidder) + (second_round ? number(left.size()) : 0);
        return state_.bid < bids ? "a bid lower than the number of bids before" : "";
    }

    // The blocks must be made of the cubes, and it must be possible to take them away one by one, or demolition
    // would never end.
    [[nodiscard]] std::string blocks() const {
        if (!state_.blocks.canonical()) return "unused places of blocks are not clear";
        if (!rules_.demolition) return state_.blocks.empty() ? "" : "blocks are recorded only with demolition";
        Keyed<std::uint64_t, kSquares> taken{};
        int cubes = 0;
        for (std::size_t i = 0; i < state_.blocks.size(); ++i) {
            const Block block = state_.blocks[i];
            if (i > 0 && state_.blocks[i - 1] >= block) return "blocks out of order";
            if (std::string wrong = this->block(block); !wrong.empty()) return wrong;
            for (const Column& column : game_.shape_of_block(block)) {
                std::uint64_t& levels = taken[first_square(block) + column.square];
                const std::uint64_t own = ((std::uint64_t{1} << column.cubes) - 1) << (level_of(block) + column.level);
                if ((levels & own) != 0) return "two blocks in one place";
                levels |= own;
                cubes += column.cubes;
            }
        }
        for (const int height : state_.heights) cubes -= height;
        if (cubes != 0) return "cubes that belong to no block";

        State rest = state_;
        for (std::size_t i = 0; i < rest.blocks.size();) {
            if (game_.is_removable(rest, rest.blocks[i])) {
                game_.take_away(rest, i);
                i = 0;
            } else {
                ++i;
            }
        }
        return rest.blocks.empty() ? "" : "blocks that can never be removed";
    }
    // One block must fit on the site and have cubes of one owner.
    [[nodiscard]] std::string block(Block block) const {
        if ((block & 15) >= game_.shapes_.size()) return "no such shape of a block";
        const Shape& shape = game_.shape_of_block(block);
        const int apex = first_square(block) + shape[0].square;
        if (apex < 0 || apex >= kSquares || !game_.open_[(block & 15) / 3].has(index(apex))) {
            return "a block outside the site";
        }
        for (const Column& column : shape) {
            const int square = first_square(block) + column.square, level = level_of(block) + column.level;
            if (level < 0 || level + column.cubes > state_.heights[index(square)]) return "a block without its cubes";
        }
        for (const Column& column : shape) {
            for (int cube = 0; cube < column.cubes; ++cube) {
                const int square = first_square(block) + column.square, level = level_of(block) + column.level + cube;
                if (game_.owner(state_, square, level) != game_.block_owner(state_, block)) {
                    return "a block of several colours";
                }
            }
        }
        return "";
    }

    [[nodiscard]] std::string demolition() const {
        if (state_.phase != Phase::kRemove) {
            if (!state_.removable.empty()) return "blocks to remove in another phase";
        } else if (state_.removable.empty() || state_.removable != game_.recomputed_removable(state_, state_.player)) {
            return "a wrong set of blocks to remove";
        }
        if (state_.part < 3) return "";
        const bool coloured = std::ranges::any_of(
            state_.blocks, [this](Block block) { return game_.block_owner(state_, block) != kNeutral; });
        if (coloured != over()) return "";
        return coloured ? "demolition ended too early" : "demolition without a coloured block";
    }
    [[nodiscard]] bool can_remove(Player player) const { return !game_.recomputed_removable(state_, player).empty(); }

    // Who is to act, by the order of tokens and the phase.
    [[nodiscard]] std::string turns() const {
        const bool auction = in_auction(state_);
        const bool out_of_turn = state_.turn >= rules_.players || state_.order[state_.turn] != state_.player + 1;
        if (auction || over() ? state_.turn != 0 : out_of_turn) return "a player out of turn";
        if (std::string wrong = rounds(); !wrong.empty()) return wrong;

        bool empty_hands = true;
        for (Player p = 0; p < rules_.players; ++p) empty_hands = empty_hands && in_hand(p) == 0;
        if (auction && state_.part == 1 && placed_by_all() > 0) return "an auction after building has begun";
        if (auction && state_.part == 2 && !empty_hands) return "an auction before part 1 is over";
        const bool fits = game_.fits_anywhere(state_);
        if (state_.phase == Phase::kPlace && !fits) return "building goes on where no block fits";
        const bool just_ended = (over() && !rules_.demolition) || (auction && state_.part == 3);
        return just_ended && (!empty_hands || state_.aside > 0) && fits ? "building ended too early" : "";
    }

    // How many blocks each player has placed must agree with whose turn it is.
    [[nodiscard]] std::string rounds() const {
        PerSeat<int> blocks{};
        for (Player p = 0; p < rules_.players; ++p) blocks[p] = placed(p);
        const auto [fewest, most] = std::ranges::minmax(blocks.first(rules_.players));
        if (most - fewest > 1) return "players who have placed too few blocks";
        const int in_part_1 = 2 * (kPairs[rules_.players] - kAsidePairs) + 1;
        if (rules_.pro && state_.aside == 0 && fewest < in_part_1) return "part 2 before the end of part 1";
        if (state_.part == 3 || (state_.phase != Phase::kPlace && state_.phase != Phase::kMove)) return "";

        // Those before the player in the order have placed one block more, and the player too who is to move.
        const bool has_placed = state_.phase == Phase::kMove;
        const int rounds = blocks[state_.player] - (has_placed ? 1 : 0);
        if (rounds < 0) return "a move before the first block";
        for (int turn = 0; turn < rules_.players; ++turn) {
            const bool more = turn < state_.turn || (turn == state_.turn && has_placed);
            if (blocks[state_.order[turn] - 1] != rounds + (more ? 1 : 0)) return "blocks placed out of turn";
        }
        return !has_placed && in_hand(state_.player) == 0 ? "a player without blocks to place" : "";
    }

    // How many views have been scored at most: one for each block whose turn is over, and the final lap. In
    // demolition every player moves once for each block that is removed; besides, those who have just moved
    // without removing, because none of the blocks that are free now is theirs.
    [[nodiscard]] int most_views() const {
        const int placed = placed_by_all(), n = rules_.players;
        if (state_.part < 3 && !over()) return placed - (state_.phase == Phase::kMove ? 1 : 0);
        if (state_.part < 3 || in_auction(state_)) return placed + kSpaces;
        const int views = placed + kSpaces + n * (placed - number(state_.blocks.size()));
        if (over()) return views;
        if (state_.phase == Phase::kMove && can_remove(state_.player)) return views - 1;
        int waited = 0;
        while (waited < n - 1 && !can_remove(state_.order[(state_.turn + 2 * n - 1 - waited) % n] - 1)) ++waited;
        return views + waited;
    }

    // A view gives a player points for at most one cube on each level (PB-8), or one for each square of a quarter
    // (PB-9). Before demolition no column was ever higher than now.
    [[nodiscard]] std::string points() const {
        const int views = most_views();
        const int height = state_.part == 3 ? placed_by_all() + 1 : *std::ranges::max_element(state_.heights);
        for (Player p = 0; p < rules_.players; ++p) {
            const int cubes = kCubes * coloured_placed(p), levels = std::min(height, cubes);
            const int line = levels * (2 * height - levels + 1) / 2, quarter = std::min(cubes, kSquares / 4);
            const bool waits = in_auction(state_) && game_.waiting(state_).has(index(p));
            const int auctions = rules_.pro ? state_.part - (waits ? 1 : 0) : 0;
            const std::int64_t most = std::int64_t{views} * std::max(line, quarter) + auctions * rules_.max_bid;
            if (state_.points[p] > most) return "more points than the views and bids so far can have given";
        }
        return rules_.pro && state_.part == 1 && placed_by_all() == 0 ? bids() : "";
    }

    // PB-25, PB-R7: before the first block the points are the bids paid.
    [[nodiscard]] std::string bids() const {
        const Seats waiting = game_.waiting(state_);
        bool possible = false;
        if (in_auction(state_)) {
            waiting.for_each([&](std::size_t p) { possible = possible || state_.points[p] > 0; });
            if (possible) return "points of a player who has not paid for a token";
            possible = have_paid(all() - waiting, all(), rules_.first_bidder, state_.opener);
        } else {  // one of the players got the last token free
            all().for_each([&](std::size_t last) {
                possible = possible || (state_.points[last] == 0 &&
                                        have_paid(all() - Seats::only(last), all(), rules_.first_bidder, -1));
            });
        }
        return possible ? "" : "points that are not the bids paid for tokens";
    }
    // Whether `owners` can have taken tokens, the first of them opened by `opener` among `waiting`, so that at last
    // `last_opener` opens, or there is nobody left to bid against. All have paid 1 to max_bid for a token, or are the
    // opener and got it for nothing.
    [[nodiscard]] bool have_paid(const Seats& owners, const Seats& waiting, int opener, int last_opener) const {
        if (owners.empty()) return opener == last_opener || waiting.size() == 1;
        bool found = false;
        owners.for_each([&](std::size_t owner) {
            const int paid = state_.points[owner];
            if (found || paid > rules_.max_bid || (paid == 0 && owner != index(opener))) return;
            const Seats taken = Seats::only(owner), left = waiting - taken;
            found = have_paid(owners - taken, left, next_of(left, number(owner)), last_opener);
        });
        return found;
    }

    const Game& game_;
    const Rules& rules_;
    const State& state_;
};

std::string Game::fault(const State& state) const { return Validation(*this, state).fault(); }

}  // namespace tilery::pueblo
