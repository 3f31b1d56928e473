// SPDX-License-Identifier: MIT
// A game that is known at run time only: what Python asks of any game, without Python. States are bytes of a size that
// the game tells; a caller passes only states of this game. game_of.hpp has the one implementation.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tilery/core/decisions.hpp"
#include "tilery/core/inputs.hpp"
#include "tilery/core/listing.hpp"
#include "tilery/core/observation.hpp"
#include "tilery/core/picture.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"
#include "tilery/net/fit.hpp"
#include "tilery/search/analysis.hpp"
#include "tilery/search/learned.hpp"
#include "tilery/search/policy.hpp"
#include "tilery/simulation/line_up.hpp"
#include "tilery/simulation/self_play.hpp"

namespace tilery::any {

class AnyGame;
using search::AnyChooser, search::AnyTree;

// How legal actions are written: as int32 ids, or as 1 at the byte or the bit of each id.
enum class LegalForm { kIds, kBytes, kBits };

// An array of numbers in [0, 1).
using Uniforms = std::variant<const float*, const double*>;

using Outcomes = std::vector<std::pair<Action, std::uint32_t>>;

// An array of a view, in C order.
struct Array {
    char type;  // of the numbers, as NumPy writes it
    std::vector<std::size_t> shape;
    std::vector<std::byte> data;
};
// A dict of numbers by numbers.
using Numbers = std::vector<std::pair<std::int64_t, std::int64_t>>;
// A list of tuples, from a list of lists.
struct Tuples {
    Value lists;
};
using Shown = std::variant<Value, Array, Numbers, Tuples>;

// A property of Game besides the common calls.
struct GameView {
    const char* name;
    const char* doc;
    std::function<Shown(const AnyGame&)> ask;
};
// A method of State, without an argument or with one: a number below `limit`, or where that is 0 a player.
struct StateView {
    const char* name;
    const char* doc;
    std::function<Shown(const AnyGame&, const void* state, int argument)> ask;
    const char* argument = nullptr;
    int limit = 0;
};
// Plain structs of a state for other languages (tilery/views/<game>.h), and for Python an array of them.
struct RowField {
    const char* name;
    std::string format;  // as NumPy writes it
    std::size_t offset;
};
struct RowView {
    const char* name;
    std::size_t size;  // bytes of a row
    std::function<std::vector<std::byte>(const AnyGame&, const void* state)> ask;
    const char* doc = nullptr;  // of the method <name>_array, where there is one
    std::vector<RowField> fields = {};
};
// Options under one word, which the options given override; with a text, also a static method of Game of this name.
struct Edition {
    const char* name;
    Value::Object options;
    const char* doc = nullptr;
};
// Every game has these; those that a kind does not list set nothing.
inline constexpr std::array kEditions{"default", "official", "source"};

// The facts about a game that are known before one is made.
struct GameKind {
    std::string_view name;
    const char* doc;
    std::size_t state_size, slot_size;
    std::size_t stream_at;                  // of a slot, in bytes
    Value options;                          // describe_options()
    Value::Object defaults;                 // the options at their defaults
    std::string_view file;                  // the option that may be a path to a file; or empty
    std::vector<std::string_view> shipped;  // and what else it may be
    bool has_position;
    std::unique_ptr<AnyGame> (*make)(const GameKind& kind, const Value::Object& options);  // throws OptionError
    std::vector<GameView> properties = {};
    std::vector<StateView> views = {};
    std::vector<RowView> rows = {};
    std::vector<Edition> editions = {};
    std::vector<std::pair<const char*, int>> constants = {};  // of the module
};

// The numbers of a game, which never change.
struct GameFacts {
    int num_players;
    Action num_distinct_actions, num_chance_actions;
    int max_decisions, max_chance_nodes, max_game_length;
    bool fewest_points_win, hides_information;
    double min_utility;
    std::size_t num_inputs;  // 0 where the game has none
    std::vector<std::string> score_sources;
    std::vector<int> observation_shape;
    std::vector<ObservationPart> observation_parts;

    [[nodiscard]] std::size_t observation_size() const { return size_of(observation_shape); }
    // The first part of the observations that is not exact in such numbers, or null.
    [[nodiscard]] const ObservationPart* inexact_in(NumberKind kind) const {
        return with_number(kind, [this]<class Number>(Number) { return inexact_part<Number>(observation_parts); });
    }
};

// Games to be played: `count` of them, each from `start`, or if viewer >= 0 from a determinization of it for that
// player; at random, or where the line-up has seats, by their policies.
struct Simulation {
    const void* start;
    Player viewer;
    std::uint64_t seed, first, count;
    unsigned threads;
    std::uint8_t* rows;  // of results, count times row_width()
    LineUp line_up;
    std::vector<std::string>* tokens;  // of each game; or null
    std::atomic<std::uint64_t>* over;  // counts the games that are over; or null
};
// The bytes of one row of results, as tilery.simulation lays it out: returns (float64 a player), scores (int32 a
// player), num_actions (int32), num_decisions (int32).
[[nodiscard]] inline std::size_t row_width(int num_players) {
    return index(num_players) * (sizeof(double) + sizeof(std::int32_t)) + 2 * sizeof(std::int32_t);
}

class AnyGame : public search::Interface {
  public:
    [[nodiscard]] const GameKind& kind() const { return kind_; }
    [[nodiscard]] const GameFacts& facts() const { return facts_; }
    [[nodiscard]] int num_players() const { return facts_.num_players; }
    [[nodiscard]] Value::Object rules() const { return rules_; }
    // Whether states of the other game are states of this one.
    [[nodiscard]] bool same_rules(const AnyGame& other) const {
        return this == &other || (&kind_ == &other.kind_ && rules_ == other.rules_);
    }
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;  // of game and rules

    // Rule G-4, and what follows from it.
    virtual void initial_state(void* state) const = 0;
    [[nodiscard]] virtual Player current_player(const void* state) const = 0;
    [[nodiscard]] virtual std::uint32_t num_legal_actions(const void* state) const = 0;
    // Whether there was room, and no pointer was null.
    virtual bool list_actions(const void* state, const Listing& list) const = 0;
    virtual void legal_actions(const void* state, std::vector<Action>& out) const = 0;
    virtual void mask(const void* state, std::uint8_t* out) const = 0;
    [[nodiscard]] virtual Outcomes chance_outcomes(const void* state, std::uint32_t& total) const = 0;
    virtual void apply_checked(void* state, Action action) const = 0;
    [[nodiscard]] virtual Action random_action(const void* state, Rng& rng) const = 0;  // unless the game is over
    virtual void playout(void* state, Rng& rng) const = 0;
    [[nodiscard]] virtual std::uint64_t perft(const void* state, int depth, const GoOn& go_on) const = 0;
    [[nodiscard]] virtual PerPlayer<int> scores(const void* state) const = 0;
    [[nodiscard]] virtual PerPlayer<int> scores_if_over(const void* state) const = 0;
    [[nodiscard]] virtual PerPlayer<double> returns(const void* state) const = 0;

    // The points of an action about to be applied and their reasons: a list of objects. IllegalActionError.
    [[nodiscard]] virtual Value score_events(const void* state, Action action) const = 0;

    // Texts.
    [[nodiscard]] virtual std::string action_to_string(Action action) const = 0;
    [[nodiscard]] virtual std::string describe_action(Action action) const = 0;
    [[nodiscard]] virtual std::vector<std::string> picks(Action action) const = 0;
    [[nodiscard]] virtual std::string describe_pick(std::string_view pick) const = 0;
    [[nodiscard]] virtual Action string_to_action(std::string_view token) const = 0;
    [[nodiscard]] virtual std::string why_illegal(const void* state, Action action) const = 0;
    [[nodiscard]] virtual std::string to_string(const void* state, std::optional<Player> player) const = 0;
    [[nodiscard]] virtual std::string picture(const void* state, const PictureRequest& request) const = 0;
    [[nodiscard]] virtual std::string public_state_string(const void* state) const = 0;

    // The knowledge of a player.
    [[nodiscard]] virtual Value information_state(const void* state, Player player) const = 0;
    [[nodiscard]] virtual std::uint64_t information_state_hash(const void* state, Player player) const = 0;
    // IllegalActionError.
    [[nodiscard]] virtual Action action_seen_by(const void* state, Player player, Action action) const = 0;
    virtual void observe(const void* state, Player player, void* out, NumberKind kind) const = 0;
    virtual void determinize(void* state, Player player, Rng& rng) const = 0;
    // Both throw WeightsError for a game without inputs. The ids are ascending.
    virtual void inputs(const void* state, Player player, Inputs& out) const = 0;
    [[nodiscard]] virtual std::string input_name(InputId id) const = 0;

    // States as values.
    [[nodiscard]] virtual bool same_position(const void* a, const void* b) const = 0;
    [[nodiscard]] virtual std::uint64_t hash(const void* state) const = 0;
    [[nodiscard]] virtual std::string serialize(const void* state) const = 0;
    virtual void deserialize(std::string_view data, void* state) const = 0;  // throws StateDataError
    // Only where the kind has_position.
    [[nodiscard]] virtual Value position(const void* state) const = 0;
    virtual void state_of(const Value& position, void* state) const = 0;  // throws StateDataError

    // Slots, in which a game goes from decision to decision by indices (core/decisions.hpp): kind().slot_size bytes
    // that need no destructor, the state first.
    virtual Decision begin(void* slot, Rng rng) const = 0;
    virtual Decision settle(void* slot) const = 0;  // after the state or the stream was changed
    virtual Decision play(void* slot, std::uint32_t pick) const = 0;
    // The same in an array of slots (Loops::step_all in core/decisions.hpp).
    virtual void play_all(void* slots, const std::uint32_t* picks, std::size_t size, bool fetches,
                          std::uint32_t* num_legal_actions, std::int8_t* players) const = 0;
    // step_row() of core/decisions.hpp by `size` numbers; `next` may be null.
    virtual Steps play_row(void* slot, Decision now, const Uniforms& uniforms, std::size_t size,
                           const void* next) const = 0;
    [[nodiscard]] Rng& stream_in(void* slot) const {
        return *reinterpret_cast<Rng*>(static_cast<std::byte*>(slot) + kind_.stream_at);
    }
    [[nodiscard]] const Rng& stream_in(const void* slot) const {
        return *reinterpret_cast<const Rng*>(static_cast<const std::byte*>(slot) + kind_.stream_at);
    }
    // Of a slot at a decision. Bytes and bits of other ids are left as they are.
    virtual void write_legal(const void* slot, LegalForm form, void* out) const = 0;
    [[nodiscard]] virtual std::optional<std::uint32_t> index_in(const void* slot, Action action) const = 0;

    // Many games, and searches. What they return refers to this game.
    virtual bool simulate(const Simulation& simulation, const GoOn& go_on) const = 0;
    [[nodiscard]] virtual std::unique_ptr<AnyChooser> chooser(const search::Policy& policy) const = 0;
    // By networks (search/learned.hpp); WeightsError for a game without inputs.
    [[nodiscard]] virtual search::Expectation expect(const search::Nn& policy, const void* state) const = 0;
    [[nodiscard]] virtual net::Heads judge(const std::string& network, const void* state, Player player) const = 0;
    [[nodiscard]] virtual net::Samples self_play(const std::string& network, const SelfPlay& plan,
                                                 const GoOn& go_on) const = 0;
    [[nodiscard]] virtual std::uint64_t inputs_hash() const = 0;
    [[nodiscard]] virtual std::unique_ptr<AnyTree> tree(const void* root, Rng rng, float c) const = 0;

  protected:
    explicit AnyGame(const GameKind& kind) : kind_(kind) {}
    void set_facts(GameFacts facts, Value::Object rules) {
        facts_ = std::move(facts);
        rules_ = std::move(rules);
    }

  private:
    const GameKind& kind_;
    GameFacts facts_{};
    Value::Object rules_;
};

}  // namespace tilery::any
