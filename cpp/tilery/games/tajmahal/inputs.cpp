// SPDX-License-Identifier: MIT
// The inputs of a learner in Taj Mahal: hands, goods and palaces of each seat, and for each symbol still on
// offer how the fight for it stands. Of the others' hands only the numbers of cards and the known cards are seen.
#include "tilery/core/inputs.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>

#include "tilery/core/lists.hpp"
#include "tilery/games/tajmahal/visit.hpp"
#include "tilery/games/tajmahal/withdrawal.hpp"

namespace tilery::tajmahal {
namespace {

constexpr int kOwn = 2;      // "seat": 0 the player, 1 another
constexpr int kWho = 8;      // who is in the visit: the player 1, another 2, the fictive player 4
constexpr int kLeft = 13;    // visits to come, this one included
constexpr int kStage = 5;    // the same in stages: see stage_of
constexpr int kMargins = 9;  // own symbols less the most of another's, from -4 to 4
constexpr int kMoment = 6;   // see add_moment
constexpr int kOthers = 7;   // others in the visit, 0 to 4, and for two players 5 or 6: the fictive one and 0 or 1
constexpr int kHeld = 1 + 2 * kMaxPlayers;  // 2n - 1 cards are displayed at most

constexpr InputGroups<37> kGroups({{
    {"game", {{{"players", kMaxPlayers + 1}, {"monk announces", 2}, {"visits left", kLeft}}}},
    {"moment", {{{"what", kMoment}, {"in", 2}, {"others in", kOthers}, {"stage", kStage}}}},
    {"turn", {{{"seats to come", kMaxPlayers}, {"phase", kPhases}}}},
    {"begins next visit", {{{"seats to come", kMaxPlayers}, {"visits left", kLeft}}}},
    {"lead", {{{"points/4+15", 31}, {"visits left", kLeft}}}},
    // the hand
    {"hand", {{{"seat", kOwn}, {"cards", 21}, {"visits left", kLeft}}}},
    {"best colours", {{{"seat", kOwn}, {"in", 2}, {"best", 12}, {"second", 12}}}},
    {"white cards", {{{"seat", kOwn}, {"cards", 10}, {"visits left", kLeft}}}},
    {"symbols in hand", {{{"seat", kOwn}, {"symbol", kSymbols}, {"count", 10}, {"in", 2}}}},
    {"symbols of best colours", {{{"colour", 2}, {"symbol", kSymbols}, {"count", 6}, {"in", 2}}}},
    {"colour played", {{{"seat", kOwn}, {"cards", 9}, {"whites", 5}, {"fixed+2*others in", 10}}}},
    {"played", {{{"seat", kOwn}, {"cards", 9}, {"in hand", 13}, {"others in", 2}}}},
    // what lasts
    {"special cards", {{{"seat", kOwn}, {"set VGKP", 1 << kPersons}, {"visits left", kLeft}}}},
    {"special cards used", {{{"seat", kOwn}, {"set VGKP", 1 << kPersons}, {"others in", 2}}}},
    {"tiles", {{{"seat", kOwn}, {"set VGKP", 1 << kPersons}, {"visits left", kLeft}}}},
    {"goods", {{{"seat", kOwn}, {"commodity", kCommodities}, {"symbols", 10}, {"stage", kStage}}}},
    {"goods in all", {{{"seat", kOwn}, {"symbols", 26}, {"visits left", kLeft}}}},
    {"chain to next province", {{{"seat", kOwn}, {"provinces", 13}, {"visits left", kLeft}}}},
    {"chains to provinces to come", {{{"seat", kOwn}, {"provinces", 40}, {"visits left", kLeft}}}},
    {"palaces", {{{"seat", kOwn}, {"built", kPalaces + 1}, {"visits left", kLeft}}}},
    // the fight for the symbols on offer
    {"fight", {{{"seat", kOwn}, {"symbol", kSymbols}, {"margin+4", kMargins}, {"who", kWho}}}},
    {"reach", {{{"symbol", kSymbols}, {"margin+4", kMargins}, {"cards to add", 4}, {"others in", 2}}}},
    {"fight for person", {{{"seat", kOwn}, {"symbol", kSymbols}, {"margin+4", kMargins}, {"tiles", 9}}}},
    {"fight for goods", {{{"seat", kOwn}, {"points", 21}, {"margin+4", kMargins}}}},
    {"leading", {{{"own", 7}, {"other", 7}, {"who", kWho}}}},
    {"chain if out now", {{{"seat", kOwn}, {"provinces", 13}, {"palaces", 6}, {"others in", 2}}}},
    {"points if out now", {{{"seat", kOwn}, {"points", 26}, {"others in", 2}, {"stage", kStage}}}},
    // the province and the display
    {"offer", {{{"set EMVGKP", 1 << kSymbols}, {"who", 4}}}},
    {"free cities", {{{"count", 10}, {"who", 4}}}},
    {"bonus tiles", {{{"kind", kBonusKinds}, {"count", 4}, {"who", 4}}}},
    {"display", {{{"cards", kHeld}, {"who", 4}}}},
    {"display white", {{{"cards", 4}, {"who", 4}}}},
    {"display of best colour", {{{"cards", 6}, {"who", 4}}}},
    {"fictive cards", {{{"cards", kColours + 2}}}},
    // the player's withdrawal under way
    {"takes", {{{"cards", 3}, {"stage", kStage}}}},
    {"draws", {{{"cards", 6}, {"stage", kStage}}}},
    {"palaces to build", {{{"persons", 5}, {"mogul", 2}}}},
}});

// The last visit, the one before, two more, three more, and those before; by visits to come.
constexpr std::array<int, kLeft> kStageOf{0, 0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4};

// The cards of a seat that the player knows.
struct Hand {
    int cards = 0;  // those not known included
    int whites = 0;
    std::array<int, kColours> of_colour{};
    std::array<std::size_t, kColours> order{0, 1, 2, 3};  // colours, most cards first

    [[nodiscard]] int best() const { return of_colour[order[0]]; }
    // TM-23: every other card not known counts.
    [[nodiscard]] int points() const {
        return whites + best() + (cards - whites - std::accumulate(of_colour.begin(), of_colour.end(), 0)) / 2;
    }
};

// Palaces of a seat that are connected by roads.
struct Chain {
    Cities near;  // all neighbours
    std::uint32_t provinces = 0, near_provinces = 0;

    bool operator==(const Chain&) const = default;
};
using Chains = FixedVector<Chain, kPalaces>;

class Onlooker {
  public:
    Onlooker(const Game& game, const State& state, Player player, const Cities& cities, Inputs& out)
        : game_(game),
          state_(state),
          me_(index(player)),
          seats_(game.seats()),
          visit_(visit_index(state)),
          left_(number(kVisits - visit_)),
          stage_(kStageOf[index(left_)]),
          out_(out) {
        const bool under_way = state.phase >= Phase::kDisplay && state.phase < Phase::kOver;
        if (under_way) free_ = cities - state.sites.palaces();
        cities_ = under_way ? cities : Cities{};
        const Phase phase = state.phase;
        fresh_ = game.round_begins(state) && (phase == Phase::kDisplay || state.turn == visit_ % seats_);
        mine_ = has_turn(state) && state.turn == me_ && phase != Phase::kTurn && phase != Phase::kFictive;
        fictive_ = state.fictive_in != 0;
        if (fictive_) fictive_symbols_ = game.fictive_symbols(state);
        for (std::size_t seat = 0; seat < seats_; ++seat) hands_[seat] = hand_of(seat);
    }

    void add_all() {
        add_points();
        add_moment();
        for (std::size_t k = 0; k < seats_; ++k) {
            const std::size_t seat = (me_ + k) % seats_;
            add_hand(seat);
            add_possessions(seat);
            const Chains chains = chains_of(seat);
            add_chains(seat, chains);
            if (in(seat) && !cities_.empty()) add_fight(seat, chains);
        }
        out_.add(kGroups["leading"](leading_[0], leading_[1], who()));
        add_province();
        add_display();
        if (mine_) add_withdrawal();
    }

  private:
    [[nodiscard]] bool in(std::size_t seat) const { return has(state_.in, seat); }
    [[nodiscard]] int other(std::size_t seat) const { return seat == me_ ? 0 : 1; }
    [[nodiscard]] int others_in() const { return number(size_of(state_.in)) - (in(me_) ? 1 : 0); }
    [[nodiscard]] int others() const { return others_in() > 0 ? 1 : 0; }
    [[nodiscard]] int seats_to(std::size_t seat) const { return number((seat + seats_ - me_) % seats_); }
    // Of kWho, and the same without the fictive player.
    [[nodiscard]] int in_visit() const { return (in(me_) ? 1 : 0) + 2 * others(); }
    [[nodiscard]] int who() const { return in_visit() + (fictive_ ? 4 : 0); }

    [[nodiscard]] Hand hand_of(std::size_t seat) const {
        const auto& own = state_.cards.players[seat];
        const CardSet& seen = seat == me_ ? own.hand : own.known;
        Hand hand;
        hand.cards = number(own.hand.size());
        hand.whites = number((seen & game_.deck().cards_of_colour(kWhite)).size());
        for (std::size_t colour = 0; colour < kColours; ++colour) {
            hand.of_colour[colour] = number((seen & game_.deck().cards_of_colour(colour)).size());
        }
        std::sort(hand.order.begin(), hand.order.end(), [&held = hand.of_colour](std::size_t a, std::size_t b) {
            return held[a] != held[b] ? held[a] > held[b] : a < b;
        });
        return hand;
    }

    // The points that the game would end with, and the leader.
    void add_points() {
        out_.points = game_.scores(state_);
        if (state_.phase != Phase::kOver) {
            for (std::size_t seat = 0; seat < seats_; ++seat) {
                out_.points[seat] += number(size_of(state_.specials[seat])) + hands_[seat].points();
            }
        }
        if (building(state_)) {
            out_.points[state_.turn] += number(game_.palace_points(state_, state_.turn, current_province(state_)));
        }
        int best = std::numeric_limits<int>::min();
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (seat != me_) best = std::max(best, out_.points[seat]);
        }
        // rounded down
        out_.add(kGroups["lead"]((out_.points[me_] - best + 4 * 16) / 4 - 1, left_));
    }

    void add_moment() {
        const bool announce = game_.rules().monk_colour == MonkColour::kAnnounce;
        out_.add(kGroups["game"](seats_, announce, left_));
        const int phase = number(index(state_.phase));
        int moment = fresh_ ? 1 : 0;
        if (mine_) moment = phase - number(index(Phase::kBuild)) + 2;
        const int rivals = fictive_ ? 5 + others() : others_in();
        out_.add(kGroups["moment"](moment, in(me_), rivals, stage_));
        out_.add(kGroups["turn"](has_turn(state_) ? seats_to(state_.turn) : 0, phase));
        out_.add(kGroups["begins next visit"](seats_to((visit_ + 1) % seats_), left_));
    }

    void add_hand(std::size_t seat) {
        const Hand& hand = hands_[seat];
        const int other = this->other(seat), in = this->in(seat) ? 1 : 0;
        const auto& cards = state_.cards.players[seat];
        const int fixed = state_.colour[seat];
        const std::size_t colour = fixed > 0 ? index(fixed - 1) : hand.order[0];
        out_.add(kGroups["hand"](other, hand.cards, left_));
        out_.add(kGroups["best colours"](other, in, hand.best(), hand.of_colour[hand.order[1]]));
        out_.add(kGroups["white cards"](other, hand.whites, left_));
        Lanes all = 0;
        std::array<Lanes, kColours + 1> of_colour{};
        (seat == me_ ? cards.hand : cards.known).for_each([&](std::size_t card) {
            const CardType& type = game_.deck().type(game_.deck().type_of(card));
            of_colour[type.colour] += type.symbols();
        });
        for (const Lanes symbols : of_colour) all += symbols;
        for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
            out_.add(kGroups["symbols in hand"](other, symbol, count_of(all, symbol), in));
            if (seat != me_) continue;
            for (std::size_t rank = 0; rank < 2; ++rank) {
                const int count = count_of(of_colour[hand.order[rank]], symbol);
                out_.add(kGroups["symbols of best colours"](rank, symbol, count, in));
            }
        }
        if (seat == me_) addable_ = of_colour[kWhite] + of_colour[colour];
        if (in == 0) return;
        if (!fresh_) out_.add(kGroups["played"](other, cards.played.size(), hand.cards, others()));
        out_.add(kGroups["colour played"](other, hand.of_colour[colour], hand.whites,
                                          (fixed > 0 ? 1 : 0) + 2 * others_in()));
        const std::uint32_t used = state_.specials[seat] & state_.used;
        if (state_.specials[seat] != 0) out_.add(kGroups["special cards used"](other, used, others()));
    }

    void add_possessions(std::size_t seat) {
        const int other = this->other(seat);
        out_.add(kGroups["special cards"](other, state_.specials[seat], left_));
        std::uint32_t tiles = 0;
        for (std::size_t person = 0; person < kPersons; ++person) {
            if (tiles_held(state_.tiles[seat], person) > 0) tiles |= bit(person);
        }
        out_.add(kGroups["tiles"](other, tiles, left_));
        int all = 0;
        for (std::size_t good = 0; good < kCommodities; ++good) {
            const int symbols = state_.goods[seat][good];
            all += symbols;
            out_.add(kGroups["goods"](other, good, symbols, stage_));
        }
        out_.add(kGroups["goods in all"](other, all, left_));
        out_.add(kGroups["palaces"](other, state_.palaces[seat], left_));
    }

    [[nodiscard]] Chains chains_of(std::size_t seat) const {
        const Cities own = own_cities(state_, seat);
        Chains chains;
        for (Cities left = own; !left.empty();) {
            Chain chain;
            Cities reached, fresh = Cities::only(left.first());
            while (!fresh.empty()) {
                reached |= fresh;
                Cities next;
                fresh.for_each([&](std::size_t city) {
                    next |= game_.neighbours(city);
                    chain.provinces |= bit(game_.province_of(city));
                });
                chain.near |= next;
                fresh = (next & own) - reached;
            }
            chain.near_provinces = chain.provinces;
            chain.near.for_each([&](std::size_t city) { chain.near_provinces |= bit(game_.province_of(city)); });
            left -= reached;
            chains.push_back(chain);
        }
        return chains;
    }

    // The palaces that those in the provinces to come would be connected with (TM-17).
    void add_chains(std::size_t seat, const Chains& chains) {
        const int other = this->other(seat);
        const std::size_t next = visit_ + (fresh_ || in(seat) ? 0 : 1);
        int sum = 0;
        for (std::size_t visit = visit_; visit < kVisits; ++visit) {
            if (state_.numbers[visit] == 0) continue;
            const std::uint32_t province = bit(state_.numbers[visit] - 1);
            int longest = 0;
            for (const Chain& chain : chains) {
                if ((chain.near_provinces & province) == 0) continue;
                longest = std::max(longest, number(size_of(chain.provinces & ~province)));
            }
            sum += longest;
            if (visit == next) out_.add(kGroups["chain to next province"](other, longest, left_));
        }
        out_.add(kGroups["chains to provinces to come"](other, sum, left_));
    }

    // The points for the goods of this visit (TM-16).
    [[nodiscard]] int points_for_goods(std::size_t seat) const {
        const auto production = game_.production(visit_);
        int points = 0;
        for (std::size_t good = 0; good < kCommodities; ++good) {
            points += triangle(state_.goods[seat][good] + production[good]) - triangle(state_.goods[seat][good]);
        }
        return points;
    }
    // 0: no tile of the person, 1: a tile, 2: the special card.
    [[nodiscard]] int tile_of(std::size_t seat, std::size_t person) const {
        if (has(state_.specials[seat], person)) return 2;
        return tiles_held(state_.tiles[seat], person) > 0 ? 1 : 0;
    }

    // Each symbol on offer: what the seat shows of it against the most that another shows.
    void add_fight(std::size_t seat, const Chains& chains) {
        const int other = this->other(seat);
        const int goods = points_for_goods(seat);
        int gain = 0, palaces = 0, leading = 0;
        for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
            if (!has(state_.offer, symbol)) continue;
            const int own = count_of(state_.cards.symbols[seat], symbol);
            int most = fictive_ ? count_of(fictive_symbols_, symbol) : 0, tile = 0;
            for (std::size_t rival = 0; rival < seats_; ++rival) {
                if (rival == seat) continue;
                most = std::max(most, count_of(state_.cards.symbols[rival], symbol));
                if (symbol >= kFirstPerson) tile = std::max(tile, tile_of(rival, symbol - kFirstPerson));
            }
            const int margin = own - most + kMargins / 2;
            if (own + most > 0) out_.add(kGroups["fight"](other, symbol, margin, who()));
            if (seat == me_ && !fresh_)
                out_.add(kGroups["reach"](symbol, margin, count_of(addable_, symbol), others()));
            if (symbol == kElephant) out_.add(kGroups["fight for goods"](other, goods, margin));
            if (symbol >= kFirstPerson && own + most > 0) {
                const int tiles = 3 * tile_of(seat, symbol - kFirstPerson) + tile;
                out_.add(kGroups["fight for person"](other, symbol, margin, tiles));
            }
            if (own <= most) continue;
            ++leading;
            palaces += symbol == kElephant ? 0 : 1;
            gain += symbol == kElephant ? goods : 0;
        }
        leading_[index(other)] = std::max(leading_[index(other)], leading);
        const int chain = chain_here(seat, chains, palaces > 0);
        if (palaces > 0) gain += chain;
        out_.add(kGroups["chain if out now"](other, chain, palaces, others()));
        out_.add(kGroups["points if out now"](other, gain, others(), stage_));
    }

    // The longest chain with this province, perhaps with one more palace in it.
    [[nodiscard]] int chain_here(std::size_t seat, const Chains& chains, bool one_more) const {
        if (!one_more && !own_cities(state_, seat).meets(cities_)) return 0;
        const std::uint32_t here = bit(current_province(state_));
        std::uint32_t connected = 0;
        for (const Chain& chain : chains) {
            if ((chain.provinces & here) != 0) connected |= chain.provinces;
        }
        int longest = number(size_of(connected));
        if (!one_more) return longest;
        free_.for_each([&](std::size_t city) {
            std::uint32_t provinces = connected | here;
            for (const Chain& chain : chains) {
                if (chain.near.has(city)) provinces |= chain.provinces;
            }
            longest = std::max(longest, number(size_of(provinces)));
        });
        return longest;
    }

    void add_province() {
        if (cities_.empty() || state_.in == 0) return;
        out_.add(kGroups["offer"](state_.offer, in_visit()));
        out_.add(kGroups["free cities"](free_.size(), in_visit()));
        for (std::size_t kind = 0; kind < kBonusKinds; ++kind) {
            const int count = number((state_.sites.tiles_of(kind) & free_).size());
            if (count > 0) out_.add(kGroups["bonus tiles"](kind, count, in_visit()));
        }
        if (!fictive_) return;
        out_.add(kGroups["fictive cards"](std::ranges::count_if(state_.fictive, [](int type) { return type > 0; })));
    }

    void add_display() {
        const CardSet& display = state_.cards.display;
        const Deck& deck = game_.deck();
        out_.add(kGroups["display"](display.size(), in_visit()));
        if (display.empty()) return;
        out_.add(kGroups["display white"]((display & deck.cards_of_colour(kWhite)).size(), in_visit()));
        const CardSet& best = deck.cards_of_colour(hands_[me_].order[0]);
        out_.add(kGroups["display of best colour"]((display & best).size(), in_visit()));
    }

    // The player's own withdrawal.
    void add_withdrawal() {
        out_.add(kGroups["takes"](state_.takes, stage_));
        out_.add(kGroups["draws"](state_.draws, stage_));
        out_.add(kGroups["palaces to build"](state_.persons, state_.crown));
    }

    const Game& game_;
    const State& state_;
    std::size_t me_, seats_, visit_;
    int left_, stage_;
    Inputs& out_;
    Cities cities_, free_;  // of the province of the visit; without palaces
    bool fresh_, mine_;     // whether a visit begins; whether the player is withdrawing
    bool fictive_;
    Lanes fictive_symbols_ = 0, addable_ = 0;  // addable: symbols that the player can still play
    std::array<int, 2> leading_{};             // the number of symbols led in: by the player, by the best of the others
    std::array<Hand, kMaxPlayers> hands_;
};

}  // namespace

static_assert(Game::kNumInputs == kGroups.num_inputs());

std::string Game::input_name(InputId id) const { return kGroups.name_of(id); }

void Game::inputs(const State& state, Player player, Inputs& out) const {
    const std::size_t number = state.numbers[visit_index(state)];
    Onlooker(*this, state, player, number > 0 ? province_cities_[number - 1] : Cities{}, out).add_all();
}

}  // namespace tilery::tajmahal
