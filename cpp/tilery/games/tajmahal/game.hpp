// SPDX-License-Identifier: MIT
// Taj Mahal (Knizia; alea 2000) for 3 to 5 players, and its variant for two with a fictive player.
// docs/rules/tajmahal.md; TM-1 and so on are its numbers.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/game.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/token.hpp"
#include "tilery/games/tajmahal/actions.hpp"
#include "tilery/games/tajmahal/cards.hpp"
#include "tilery/games/tajmahal/rules.hpp"
#include "tilery/games/tajmahal/state.hpp"

namespace tilery::tajmahal {

class Game {
  public:
    using State = tajmahal::State;
    using Rules = tajmahal::Rules;
    static constexpr std::string_view kName = "tajmahal";
    static constexpr bool kFewestPointsWin = false;
    static constexpr std::size_t kPhasesApart = kPhases;
    static constexpr std::array kScoreSources{
        ScoreSource{"princess", "TM-9"},     ScoreSource{"commodities", "TM-16"},
        ScoreSource{"bonus tiles", "TM-15"}, ScoreSource{"taj mahal", "TM-15"},
        ScoreSource{"palaces", "TM-17"},     ScoreSource{"special cards", "TM-23"},
        ScoreSource{"white cards", "TM-23"}, ScoreSource{"cards of a colour", "TM-23"}};
    static constexpr std::size_t kNumInputs = 12536;

    // With five players a search that cuts playouts does worse (docs/bots.md).
    static constexpr SearchTuning kSearch{.exploration = 1.0, .depth = 40, .cut_up_to = 2};
    static constexpr NetTuning kNet{.form = NetTuning::Form::kRounds, .worlds = 8};

    explicit Game(const Rules& rules);
    [[nodiscard]] const Rules& rules() const { return rules_; }
    [[nodiscard]] int num_players() const { return rules_.players; }
    [[nodiscard]] Action num_distinct_actions() const { return ids_.end; }
    [[nodiscard]] Action num_chance_actions() const { return ids_.out; }
    [[nodiscard]] int max_decisions() const;
    [[nodiscard]] int max_chance_nodes() const;
    [[nodiscard]] bool hides_information() const { return true; }

    [[nodiscard]] State initial_state() const { return initial_; }
    [[nodiscard]] Player current_player(const State& state) const {
        if (has(kDecisions, static_cast<std::size_t>(state.phase))) return state.turn;
        return state.phase == Phase::kOver ? kTerminal : kChance;
    }
    [[nodiscard]] LegalActions legal_actions(const State& state) const;
    [[nodiscard]] bool is_legal(const State& state, Action action) const;
    [[nodiscard]] ChanceOutcomes chance_outcomes(const State& state) const;
    void apply_action(State& state, Action action) const;
    // The same for the i-th of the legal actions, and for the outcome whose share contains r.
    void apply_nth(State& state, const LegalActions& actions, std::uint32_t i) const;
    void apply_outcome(State& state, const ChanceOutcomes& outcomes, std::uint32_t r) const;
    [[nodiscard]] PerPlayer<int> scores(const State& state) const { return per_player(state.points); }
    [[nodiscard]] PerPlayer<int> scores_if_over(const State& state) const;
    [[nodiscard]] PerPlayer<int> prospects(const State& state) const;
    // Whether a visit begins, before its display or its first turn.
    [[nodiscard]] bool round_begins(const State& state) const {
        if (state.phase != Phase::kDisplay && state.phase != Phase::kTurn) return false;
        const Lanes played = std::accumulate(state.cards.symbols.begin(), state.cards.symbols.end(), Lanes{0});
        return played == 0 && state.in == bit(players_) - 1;
    }

    [[nodiscard]] ScoreEvents score_events(const State& state, Action action) const;

    void inputs(const State& state, Player player, Inputs& out) const;
    [[nodiscard]] std::string input_name(InputId id) const;
    // Every position is, because the inputs tell a visit's actions apart.
    [[nodiscard]] bool judgeable(const State&, Player) const { return true; }

    [[nodiscard]] std::string action_to_string(Action action) const;
    [[nodiscard]] Action string_to_action(std::string_view token) const;
    [[nodiscard]] std::string to_string(const State& state) const;
    [[nodiscard]] std::string to_string(const State& state, Player player) const;
    [[nodiscard]] std::string describe_action(Action action) const;
    [[nodiscard]] std::vector<std::string> picks(Action action) const;
    [[nodiscard]] std::string describe_pick(std::string_view pick) const;
    [[nodiscard]] std::string picture(const PictureInput& input) const;  // words/picture.cpp
    [[nodiscard]] std::string why_illegal(const State& state, Action action) const;

    [[nodiscard]] Value information_state(const State& state, Player player) const;
    [[nodiscard]] Value public_state(const State& state) const;
    [[nodiscard]] Action action_seen_by(const State& state, Player player, Action action) const;
    [[nodiscard]] std::vector<ObservationPart> observation_parts() const;
    template <class Number>  // float or std::uint8_t
    void observe(const State& state, Player player, std::span<Number> out) const;
    void determinize(State& state, Player player, Rng& rng) const;
    [[nodiscard]] Value position(const State& state) const;
    [[nodiscard]] State state_of(const Value& position) const;
    [[nodiscard]] std::string fault(const State& state) const;

    // For views.
    [[nodiscard]] const Deck& deck() const { return deck_; }
    [[nodiscard]] std::size_t seats() const { return players_; }
    [[nodiscard]] std::size_t num_cities() const { return cities_; }
    [[nodiscard]] std::vector<std::string> card_names() const;
    [[nodiscard]] std::vector<std::string> city_names() const;
    [[nodiscard]] std::string city_name(std::size_t city) const;
    [[nodiscard]] std::size_t province_of(std::size_t city) const { return province_of_[city]; }
    [[nodiscard]] bool is_fortress(std::size_t city) const { return fortresses_.has(city); }
    [[nodiscard]] Cities neighbours(std::size_t city) const { return neighbours_[city]; }
    // Cities with coordinates, and roads, for drawing.
    [[nodiscard]] Value map() const;
    // The symbols on the production tile of a visit, counted from 0.
    [[nodiscard]] std::array<std::uint8_t, kCommodities> production(std::size_t visit) const;
    [[nodiscard]] Places places(const State& state) const { return deck_.places(state.cards); }
    [[nodiscard]] Counts discards(const State& state) const;
    [[nodiscard]] Counts fictive_cards(const State& state) const;
    [[nodiscard]] Lanes fictive_symbols(const State& state) const;
    // The player's palace points for withdrawing now, with what is built, in a visit to the province (TM-17).
    [[nodiscard]] std::size_t palace_points(const State& state, std::size_t player, std::size_t province) const;

  private:
    struct ProductionTile {
        std::array<std::uint8_t, 2> goods;
        std::uint8_t size;  // 1 or 2
    };

    enum Source : std::size_t {
        kPrincessPlay,
        kGoods,
        kTiles,
        kTajMahal,
        kJoined,
        kSpecialCards,
        kWhiteCards,
        kColourCards
    };

    // The hands that a value shows: those of all, of none, or of one player.
    enum class Seen { kEverything, kByAll, kByPlayer };

    // Bounds: copies of a type, symbols of each commodity that can be gained, and a score.
    [[nodiscard]] int most_copies() const;
    [[nodiscard]] std::array<int, kCommodities> most_goods() const;
    [[nodiscard]] int most_points() const;

    // data.cpp
    [[nodiscard]] const Value& data() const;
    void read_deck(const Value& data);
    void read_map(const Value& data);
    void read_tiles(const Value& data);
    void read_bonus_tiles(const Value& data);
    void number_actions();
    void list_plays();

    // game.cpp
    [[nodiscard]] std::size_t province_of_action(Action action) const {
        const std::size_t place = place_in(ids_.province, action);
        return place < province_of_[taj_mahal_] ? place : place + 1;
    }
    [[nodiscard]] LegalActions plays(const State& state) const;
    [[nodiscard]] LegalActions gains(const State& state) const;  // in the other phases
    [[nodiscard]] bool is_legal_play(const State& state, Action action) const;
    [[nodiscard]] const Play& play_of(Action action) const { return plays_[place_in(ids_.alone, action)]; }

    // events(source, player, points, where) is called where points are given; where is a city, provinces or nothing.
    void apply(State& state, Action action, auto events) const;

    // visit.hpp, visit.cpp
    void reveal(State& state, std::size_t card) const;
    void turn_up(State& state, std::size_t card) const;
    void begin_visit(State& state) const;
    void end_visit(State& state) const;
    void begin_turns(State& state) const;
    void end_turn(State& state) const;
    static void pass_turn(State& state);
    void play(State& state, const Play& play, std::size_t card, std::size_t white, auto events) const;
    void hand_over_special_cards(State& state) const;

    // withdrawal.hpp
    void withdraw(State& state, auto events) const;
    [[nodiscard]] std::uint32_t items_won(const State& state) const;
    void go_on_building(State& state, auto events) const;
    void end_building(State& state) const;
    void build_ordinary(State& state, std::size_t city, auto events) const;
    static void build_mogul(State& state, std::size_t city);
    void go_on_drawing(State& state) const;
    void take(State& state, std::size_t card) const;
    [[nodiscard]] Cities building_sites(const State& state) const;
    [[nodiscard]] CardSet takable(const State& state) const;
    // TM-5: whether a card can be drawn, now that one is needed.
    bool can_draw(State& state) const { return !state.cards.pile.empty() || deck_.refill(state.cards, state.fictive); }

    static void add_points(State& state, std::size_t player, std::size_t points) {
        state.points[player] = static_cast<std::uint16_t>(state.points[player] + points);
    }
    static void gain_good(State& state, std::size_t good, std::size_t number, auto where, auto events);
    // TM-17: the provinces with palaces of the player that are joined to one in this province.
    [[nodiscard]] std::uint32_t joined_provinces(const State& state, std::size_t player, std::size_t province) const;
    template <class Events = NoEvents>
    void score_hands(State& state, std::size_t first = 0, Events events = {}) const;

    // words/text.cpp
    [[nodiscard]] Action read_outcome(TokenReader& reader) const;
    [[nodiscard]] Action read_play(TokenReader& reader) const;
    [[nodiscard]] std::string visit_text(const State& state) const;
    [[nodiscard]] std::string province_text(const State& state, std::size_t province) const;
    [[nodiscard]] std::string board_text(const State& state, std::uint32_t open_hands) const;
    [[nodiscard]] std::string player_text(const State& state, std::size_t player, bool open_hand) const;
    [[nodiscard]] std::string why_illegal_play(const State& state, const Play& play, Action action) const;
    [[nodiscard]] std::string why_no_palace(const State& state, std::size_t city) const;
    [[nodiscard]] std::string why_not_taken(const State& state, std::size_t type) const;

    // words/position.cpp
    void read_sites(State& state, const Value& position) const;
    void read_players(State& state, const Value& position) const;
    void read_cards(State& state, const Value& position) const;

    // observation.cpp
    void write_observation(const State& state, Player player, auto& out) const;
    void write_cards(const CardSet& place, auto& out) const;
    void write_hands(const State& state, Player player, auto& out) const;
    void write_items(const State& state, auto& out) const;
    void write_map(const State& state, auto& out) const;
    void write_turn(const State& state, auto& out) const;

    // views.cpp
    [[nodiscard]] Value value_of(const State& state, Seen seen, std::size_t player) const;
    void add_map(Value::Object& value, const State& state) const;

    // validation.cpp
    [[nodiscard]] std::string ranges_fault(const State& state) const;
    [[nodiscard]] std::string numbers_fault(const State& state) const;
    [[nodiscard]] std::string map_fault(const State& state) const;
    [[nodiscard]] bool nobody_out(const State& state) const;  // of a visit, nor the fictive player
    [[nodiscard]] std::string cards_fault(const State& state) const;
    [[nodiscard]] std::string set_up_fault(const State& state) const;
    [[nodiscard]] std::string deal_fault(const State& state) const;
    [[nodiscard]] std::string turn_fault(const State& state) const;
    [[nodiscard]] std::string order_fault(const State& state) const;
    [[nodiscard]] std::string tiles_fault(const State& state) const;
    [[nodiscard]] std::string palaces_fault(const State& state) const;
    [[nodiscard]] std::string points_fault(const State& state) const;
    [[nodiscard]] std::string played_fault(const State& state) const;
    [[nodiscard]] std::string building_fault(const State& state) const;
    [[nodiscard]] std::string withdrawal_fault(const State& state) const;
    [[nodiscard]] std::string display_fault(const State& state) const;

    Rules rules_;
    std::size_t players_;
    ActionIds ids_{};
    Deck deck_;
    std::vector<Play> plays_;

    std::size_t cities_ = 0;
    std::array<std::uint8_t, kMostCities> province_of_{};
    std::array<char, kMostCities> city_digit_{};
    std::array<std::size_t, kProvinces> first_city_{};
    std::array<Cities, kProvinces> province_cities_{};
    std::array<Cities, kMostCities> neighbours_{};
    Cities fortresses_, tiled_;  // tiled_: those on which a bonus tile is put, all but the Taj Mahal's
    std::size_t taj_mahal_ = 0;
    std::size_t taj_mahal_points_ = 0;
    std::array<ProductionTile, kVisits> production_tiles_{};
    Lanes bonus_supply_ = 0;                               // tiles of each kind
    std::array<std::uint8_t, kBonusKinds> bonus_kinds_{};  // those with tiles
    Offsets bonus_offsets_{};                              // and the place of each among them
    std::size_t bonus_kind_count_ = 0;
    Offsets province_offsets_{};  // the place of each province among those without the Taj Mahal's
    State initial_{};
};

static_assert(tilery::Game<Game>);

}  // namespace tilery::tajmahal

extern template struct tilery::Loops<tilery::tajmahal::Game>;
