// SPDX-License-Identifier: MIT
// The games of tilery as games of OpenSpiel in C++, over the table of functions in tilery/capi.h.
//
// plugin.py compiles this file against the headers in the wheel of OpenSpiel and loads it next to pyspiel. Python makes
// the games and reads positions (Answerer), so options and positions mean here what they mean there; nothing else needs
// Python or its GIL.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "open_spiel/abseil-cpp/absl/strings/escaping.h"
#include "open_spiel/abseil-cpp/absl/strings/str_cat.h"
#include "open_spiel/abseil-cpp/absl/types/span.h"
#include "open_spiel/json/include/nlohmann/json.hpp"
#include "open_spiel/observer.h"
#include "open_spiel/spiel.h"
#include "open_spiel/spiel_utils.h"
#include "tilery/capi.h"

namespace open_spiel::tilery {

using Json = nlohmann::json;

// Puts what is asked of a game with these parameters, written "(players=3)", as JSON into a std::string: its
// description for {}, the position of {"bytes": HEX}, and for {"position": POSITION} the text of the state that begins
// there.
using Answerer = void (*)(const char* parameters, const char* question, void* result);

Json Ask(Answerer answerer, const GameParameters& parameters, const Json& question) {
    std::string result;
    answerer(GameParametersToString(parameters).c_str(), question.dump().c_str(), &result);
    Json answer = Json::parse(result);
    if (answer.contains("error")) SpielFatalError(answer.at("error").get<std::string>());
    return answer;
}

// The structs of all games are JSON.
template <class Kind>
class Written final : public Kind {
  public:
    explicit Written(Json values) : values_(std::move(values)) {}
    Json to_json_base() const override { return values_; }

  private:
    Json values_;
};

// A part of an observation.
struct Part {
    std::string name;
    absl::InlinedVector<int, 4> shape;
};

class TileryGame final : public Game {
  public:
    TileryGame(const GameType& type, const GameParameters& parameters, const tilery_api* api, Answerer answerer,
               const Json& description)
        : Game(type, parameters),
          api_(api),
          answerer_(answerer),
          handle_(reinterpret_cast<const tilery_game*>(description.at("handle").get<std::uintptr_t>())),
          description_(description),
          players_(api->num_players(handle_)),
          actions_(api->num_distinct_actions(handle_)),
          hides_(description.at("hides")),
          hashes_(description.at("hashes")),
          shape_(description.at("shape").get<std::vector<int>>()) {
        for (const Json& part : description.at("parts")) {
            const std::vector<int> shape = part.at(1);
            parts_.push_back({part.at(0), {shape.begin(), shape.end()}});
        }
    }

    int NumDistinctActions() const override { return actions_; }
    using Game::NewInitialState;
    std::unique_ptr<State> NewInitialState() const override;
    std::unique_ptr<State> NewInitialState(const Json& position) const override;
    int MaxChanceOutcomes() const override { return description_.at("chance_actions"); }
    int NumPlayers() const override { return players_; }
    double MinUtility() const override { return description_.at("min_utility"); }
    double MaxUtility() const override { return description_.at("max_utility"); }
    absl::optional<double> UtilitySum() const override { return 0; }
    std::vector<int> ObservationTensorShape() const override { return shape_; }
    std::vector<int> InformationStateTensorShape() const override { return shape_; }
    int MaxGameLength() const override { return description_.at("decisions"); }
    int MaxChanceNodesInHistory() const override { return description_.at("chance_nodes"); }
    std::string ActionToString(Player, Action action) const override {
        SPIEL_CHECK_GE(action, 0);
        SPIEL_CHECK_LT(action, actions_);
        return Text(api_->action_to_string, static_cast<std::int32_t>(action));
    }
    std::pair<std::string, std::string> ActionStructSpec() const override {
        const Action first = NewInitialState()->LegalActions().front();
        return {R"({"token": string})", Json{{"token", ActionToString(0, first)}}.dump()};
    }
    std::unique_ptr<State> DeserializeState(const std::string& text) const override;
    std::shared_ptr<Observer> MakeObserver(absl::optional<IIGObservationType> type,
                                           const GameParameters& parameters) const override;

    const tilery_api& api() const { return *api_; }
    const tilery_game* handle() const { return handle_; }
    bool hides() const { return hides_; }
    bool hashes() const { return hashes_; }
    const std::vector<Part>& parts() const { return parts_; }
    Json Ask(const Json& question) const { return tilery::Ask(answerer_, game_parameters_, question); }
    // Ends in an error with the engine's words unless a call succeeded.
    void Check(tilery_status status) const {
        if (status != TILERY_OK) SpielFatalError(api_->last_error());
    }
    // The text that a function of the table writes about its arguments: it is called once, and again with room for all.
    template <class Function, class... Arguments>
    std::string Text(Function write, Arguments... arguments) const {
        std::string text(1000, '\0');
        std::size_t length = 0;
        tilery_status status = write(handle_, arguments..., text.data(), text.size(), &length);
        if (status == TILERY_BUFFER_TOO_SMALL) {
            text.resize(length + 1);
            status = write(handle_, arguments..., text.data(), text.size(), &length);
        }
        Check(status);
        text.resize(length);
        return text;
    }
    std::string Hex(const void* state) const { return absl::BytesToHexString(Text(api_->serialize, state)); }

  private:
    const tilery_api* api_;
    Answerer answerer_;
    const tilery_game* handle_;
    Json description_;
    int players_, actions_;
    bool hides_, hashes_;
    std::vector<int> shape_;
    std::vector<Part> parts_;
};

[[noreturn]] void Unreadable(const std::string& why) {
    SpielFatalError(absl::StrCat("the text is not a serialized state of tilery: ", why));
}

// A state of the engine, which takes the first state_size bytes.
struct Bytes {
    alignas(8) unsigned char data[TILERY_MAX_STATE_SIZE];
};

// A state as it was when the history had a length.
struct World {
    std::size_t length;
    Bytes bytes;
};

// Where a state was last resampled, and for which player; -1: a position without a history.
// `before`: where it was last resampled for another player.
struct Origin {
    Player player;
    std::shared_ptr<const World> drawn;
    std::shared_ptr<const World> before;
};

// For each action of a history, the players who did not see it, as bits.
using Masks = std::vector<std::uint8_t>;

// No chance node of a game has more outcomes; Check would say so.
constexpr std::uint32_t kMostOutcomes = 256;
// Longer lists of actions are rare.
constexpr std::uint32_t kMostListed = 512;

class TileryState final : public State {
  public:
    explicit TileryState(std::shared_ptr<const Game> game) : State(std::move(game)) {
        this->game().Check(api().initial_state(handle(), bytes()));
        Moved();
    }

    // With room in the history for a rollout: a copy is made to be played on.
    TileryState(const TileryState& other)
        : State(other.game_),
          player_(other.player_),
          origin_(other.origin_),
          hidden_(std::atomic_load(&other.hidden_)) {
        constexpr std::size_t kRollout = 128;
        history_.reserve(other.history_.size() + kRollout);
        history_ = other.history_;
        move_number_ = other.move_number_;
        starting_state_str_ = other.starting_state_str_;
        std::memcpy(bytes(), other.bytes(), api().state_size);
    }

    std::unique_ptr<State> Clone() const override { return std::make_unique<TileryState>(*this); }
    Player CurrentPlayer() const override { return player_; }
    bool IsChanceNode() const override { return player_ == kChancePlayerId; }
    bool IsTerminal() const override { return player_ == kTerminalPlayerId; }

    using State::LegalActions;
    std::vector<Action> LegalActions() const override {
        listed_ = 0;
        std::uint32_t count = 0;
        const tilery_status status = api().legal_actions(handle(), bytes(), ids_, kMostListed, &count);
        if (status == TILERY_BUFFER_TOO_SMALL) {
            std::vector<std::int32_t> ids(count);
            game().Check(api().legal_actions(handle(), bytes(), ids.data(), count, &count));
            return {ids.begin(), ids.end()};
        }
        game().Check(status);
        listed_ = count;
        return {ids_, ids_ + count};
    }

    ActionsAndProbs ChanceOutcomes() const override {
        SPIEL_CHECK_TRUE(IsChanceNode());
        std::uint32_t weights[kMostOutcomes];
        std::uint32_t count = 0, total = 0;
        listed_ = 0;
        game().Check(api().chance_outcomes(handle(), bytes(), ids_, weights, kMostOutcomes, &count, &total));
        listed_ = count;
        ActionsAndProbs found(count);
        for (std::uint32_t i = 0; i < count; ++i) found[i] = {ids_[i], static_cast<double>(weights[i]) / total};
        return found;
    }

    // As in State, without asking for the player, who is known.
    void ApplyAction(Action action) override {
        const Player player = player_;
        DoApplyAction(action);
        history_.push_back({player, action});
        ++move_number_;
    }

    void UndoAction(Player, Action action) override {
        SPIEL_CHECK_FALSE(history_.empty());
        SPIEL_CHECK_EQ(history_.back().action, action);
        if (origin_.drawn != nullptr && history_.size() <= origin_.drawn->length) {
            SpielFatalError("a resampled state cannot be undone beyond its resampling");
        }
        history_.pop_back();
        --move_number_;
        if (hidden_ != nullptr && hidden_->size() > history_.size()) {
            hidden_ = std::make_shared<const Masks>(hidden_->begin(), hidden_->begin() + history_.size());
        }
        for (std::size_t i = Rewind(bytes()); i < history_.size(); ++i) {
            api().apply_action(handle(), bytes(), static_cast<std::int32_t>(history_[i].action));
        }
        Moved();
    }

    std::vector<double> Returns() const override {
        std::vector<double> returns(num_players_);
        api().returns(handle(), bytes(), returns.data());
        return returns;
    }

    // --- What players know ---

    // All that the player has seen, action by action: perfect recall. In a world drawn for another player they have
    // seen what everybody saw until then, and their part of that world.
    std::string InformationStateString(Player player) const override {
        SPIEL_CHECK_GE(player, 0);
        SPIEL_CHECK_LT(player, num_players_);
        const std::string name = absl::StrCat("p", player);
        const std::shared_ptr<const World>& world = origin_.player == player ? origin_.before : origin_.drawn;
        if (world == nullptr) return absl::StrCat(name, ListSeen(0, history_.size(), 1U << player));
        return absl::StrCat(name, ListSeen(0, world->length, ~0U), " ", KeyOf(world->bytes.data, player),
                            ListSeen(world->length, history_.size(), 1U << player));
    }

    std::string ObservationString(Player player) const override {
        SPIEL_CHECK_GE(player, 0);
        SPIEL_CHECK_LT(player, num_players_);
        return KeyOf(bytes(), player);
    }

    void ObservationTensor(Player player, absl::Span<float> values) const override {
        SPIEL_CHECK_GE(player, 0);
        SPIEL_CHECK_LT(player, num_players_);
        game().Check(api().observation_tensor(handle(), bytes(), player, values.data(),
                                              static_cast<std::uint32_t>(values.size()), nullptr));
    }

    // Without perfect recall, which only the string has: learners ask for this one.
    using State::InformationStateTensor;
    void InformationStateTensor(Player player, absl::Span<float> values) const override {
        ObservationTensor(player, values);
    }

    std::string PublicString() const { return game().Text(api().public_state_string, bytes()); }

    // The part that the player knows and spectators do not; empty where nothing is hidden.
    std::string PrivateString(Player player) const {
        if (!game().hides()) return "";
        const auto seen = nlohmann::ordered_json::parse(PublicString());
        auto known = nlohmann::ordered_json::parse(PositionString(bytes(), player));
        for (auto entry = known.begin(); entry != known.end();) {
            const bool same = seen.contains(entry.key()) && seen.at(entry.key()) == entry.value();
            entry = same ? known.erase(entry) : std::next(entry);
        }
        return known.dump();
    }

    // The history stays that of this state, so it holds the true hidden draws; what players know is kept apart from it.
    std::unique_ptr<State> ResampleFromInfostate(int player, std::function<double()> rng) const override {
        SPIEL_CHECK_GE(player, 0);
        SPIEL_CHECK_LT(player, num_players_);
        auto drawn = std::make_unique<TileryState>(*this);
        if (!game().hides()) return drawn;
        constexpr double kTwoTo53 = 9007199254740992.0;
        tilery_rng stream;
        const auto seed = static_cast<std::uint64_t>(rng() * kTwoTo53);
        const auto index = static_cast<std::uint64_t>(rng() * kTwoTo53);
        api().seed_rng(&stream, seed, index);
        game().Check(api().determinize(handle(), drawn->bytes(), player, &stream));
        std::atomic_store(&drawn->hidden_, Hidden());
        drawn->Moved();
        auto world = std::make_shared<World>();
        world->length = history_.size();
        std::memcpy(world->bytes.data, drawn->bytes(), api().state_size);
        const bool again = origin_.player == player || origin_.drawn == nullptr;
        drawn->origin_ = {player, std::move(world), again ? origin_.before : origin_.drawn};
        return drawn;
    }

    // --- Text and structs ---

    std::string ToString() const override { return game().Text(api().to_string, bytes()); }

    std::string ActionToString(Player, Action action) const override { return game_->ActionToString(0, action); }

    Action StringToAction(Player, const std::string& token) const override {
        std::int32_t action = 0;
        game().Check(api().string_to_action(handle(), token.data(), token.size(), &action));
        if (api().is_legal(handle(), bytes(), action) == 0) SpielFatalError(WhyIllegal(action));
        return action;
    }

    std::unique_ptr<StateStruct> ToStruct() const override {
        return std::make_unique<Written<StateStruct>>(game().Ask({{"bytes", game().Hex(bytes())}}));
    }

    using State::ToObservationStruct;
    std::unique_ptr<ObservationStruct> ToObservationStruct(Player player) const override {
        return std::make_unique<Written<ObservationStruct>>(Json::parse(PositionString(bytes(), player)));
    }

    using State::ActionToStruct;
    std::unique_ptr<ActionStruct> ActionToStruct(Player, Action action) const override {
        const std::string token = ActionToString(0, action);
        const std::string words = game().Text(api().describe_action, static_cast<std::int32_t>(action));
        return std::make_unique<Written<ActionStruct>>(Json{{"token", token}, {"words", words}});
    }

    std::vector<Action> StructToActions(const ActionStruct& given) const override {
        std::int32_t action = 0;
        game().Check(ReadToken(given, &action));
        return {action};
    }

    Status ValidateActionStruct(const ActionStruct& given) const override {
        std::int32_t action = 0;
        const bool read = ReadToken(given, &action) == TILERY_OK;
        const std::string wrong = read ? WhyIllegal(action) : api().last_error();
        return wrong.empty() ? OkStatus() : ErrorStatus(wrong);
    }

    // Holds all of a state: its bytes, because the history does not tell a drawn world.
    std::string Serialize() const override {
        Json text;
        text["position"] = game().Hex(bytes());
        Json& history = text["history"] = Json::array();
        for (const PlayerAction& taken : history_) history.push_back({taken.player, taken.action});
        const std::shared_ptr<const Masks> hidden = Hidden();
        text["hidden"] = hidden == nullptr ? Masks{} : *hidden;
        Json& worlds = text["worlds"] = Json::array();
        for (const std::shared_ptr<const World>& world : {origin_.drawn, origin_.before}) {
            if (world != nullptr) worlds.push_back({world->length, game().Hex(world->bytes.data)});
        }
        text["resampled_for"] = origin_.player;
        text["starting_state"] = starting_state_str_;
        return text.dump();
    }

    // The state of such a text.
    static std::unique_ptr<TileryState> Read(std::shared_ptr<const Game> game, const Json& text) {
        auto read = std::make_unique<TileryState>(std::move(game));
        read->ReadBytes(text.at("position"), read->bytes());
        read->Moved();
        for (const Json& taken : text.at("history")) read->history_.push_back({taken.at(0), taken.at(1)});
        const std::size_t length = read->history_.size();
        read->move_number_ = static_cast<int>(length);
        const auto hidden = std::make_shared<const Masks>(text.at("hidden").get<Masks>());
        if (hidden->size() != (read->game().hides() ? length : 0)) Unreadable("hidden and history differ in length");
        read->hidden_ = hidden;
        std::vector<std::shared_ptr<const World>> worlds;
        for (const Json& given : text.at("worlds")) {
            auto world = std::make_shared<World>();
            world->length = given.at(0);
            read->ReadBytes(given.at(1), world->bytes.data);
            if (world->length > length) Unreadable("a world to come");
            worlds.push_back(std::move(world));
        }
        const Player player = text.at("resampled_for");
        if (worlds.size() > 2 || player < -1 || player >= read->num_players_) Unreadable("resampled for nobody");
        worlds.resize(2);
        read->origin_ = {player, worlds[0], worlds[1]};
        read->starting_state_str_ = text.at("starting_state");
        return read;
    }

  protected:
    void DoApplyAction(Action action) override {
        const auto id = static_cast<std::int32_t>(action);
        if (id != action) SpielFatalError(absl::StrCat("no action has the id ", action));
        if (WasListed(id)) {
            api().apply_action(handle(), bytes(), id);
        } else {
            game().Check(api().apply_checked(handle(), bytes(), id));
        }
        Moved();
    }

  private:
    const TileryGame& game() const { return static_cast<const TileryGame&>(*game_); }
    const tilery_api& api() const { return game().api(); }
    const tilery_game* handle() const { return game().handle(); }
    void* bytes() { return bytes_.data; }
    const void* bytes() const { return bytes_.data; }

    void Moved() {
        player_ = api().current_player(handle(), bytes());
        listed_ = 0;
    }

    // A binary search without branches, which would be mispredicted.
    bool WasListed(std::int32_t action) const {
        if (listed_ == 0) return false;
        const std::int32_t* first = ids_;
        for (std::uint32_t length = listed_; length > 1; length -= length / 2) {
            const std::uint32_t half = length / 2;
            first += first[half] <= action ? half : 0;
        }
        return *first == action;
    }

    // Empty for a legal action.
    std::string WhyIllegal(std::int32_t action) const { return game().Text(api().why_illegal, bytes(), action); }

    tilery_status ReadToken(const ActionStruct& given, std::int32_t* action) const {
        const Json values = given.to_json_base();
        const Json token = values.is_object() && values.contains("token") ? values.at("token") : Json();
        const std::string text = token.is_string() ? token.get<std::string>() : token.dump();
        return api().string_to_action(handle(), text.data(), text.size(), action);
    }

    // Puts the state that serialize wrote, in hexadecimal digits, into the memory.
    void ReadBytes(const std::string& hex, void* to) const {
        std::string data;
        if (!absl::HexStringToBytes(hex, &data)) Unreadable("no bytes");
        game().Check(api().deserialize(handle(), data.data(), data.size(), to));
    }

    // The players who do not see a legal action about to be applied.
    std::uint8_t BlindTo(const void* bytes, std::int32_t action) const {
        unsigned blind = 0;
        for (Player player = 0; player < num_players_; ++player) {
            std::int32_t seen = 0;
            game().Check(api().action_seen_by(handle(), bytes, player, action, &seen));
            if (seen == TILERY_UNSEEN) blind |= 1U << player;
        }
        return static_cast<std::uint8_t>(blind);
    }

    // Puts the state at the last point from which the history can be played on, and returns the length until there.
    std::size_t Rewind(void* bytes) const {
        if (origin_.drawn == nullptr) {
            game().Check(api().initial_state(handle(), bytes));
            return 0;
        }
        std::memcpy(bytes, origin_.drawn->bytes.data, api().state_size);
        return origin_.drawn->length;
    }

    // The masks of the history, at least: they may go on. Null where nothing is hidden.
    // By playing the history again: a rollout does not pay for what nobody asks. Resampling asks, so what was hidden
    // before a world was drawn is known.
    std::shared_ptr<const Masks> Hidden() const {
        if (!game().hides()) return nullptr;
        std::shared_ptr<const Masks> known = std::atomic_load(&hidden_);
        if (known != nullptr && known->size() >= history_.size()) return known;
        Bytes replayed;
        const std::size_t start = Rewind(replayed.data);
        Masks masks;
        masks.reserve(history_.size());
        if (start > 0) masks.assign(known->begin(), known->begin() + start);
        for (std::size_t i = start; i < history_.size(); ++i) {
            const auto action = static_cast<std::int32_t>(history_[i].action);
            masks.push_back(BlindTo(replayed.data, action));
            api().apply_action(handle(), replayed.data, action);
        }
        known = std::make_shared<const Masks>(std::move(masks));
        std::atomic_store(&hidden_, known);
        return known;
    }

    // The actions from `start` to `end`, with ? for those that one of the players in `blind` did not see.
    std::string ListSeen(std::size_t start, std::size_t end, unsigned blind) const {
        std::string list;
        const std::shared_ptr<const Masks> hidden = Hidden();
        for (std::size_t i = start; i < end; ++i) {
            list += ' ';
            if (hidden != nullptr && ((*hidden)[i] & blind) != 0) {
                list += '?';
            } else {
                absl::StrAppend(&list, history_[i].action);
            }
        }
        return list;
    }

    std::string PositionString(const void* bytes, Player player) const {
        return game().Text(api().information_state_string, bytes, player);
    }

    // The information state of a player, as JSON or as its hash in eleven characters, which need no allocation.
    std::string KeyOf(const void* bytes, Player player) const {
        if (!game().hashes()) return PositionString(bytes, player);
        constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
        std::uint64_t hash = 0;
        game().Check(api().information_state_hash(handle(), bytes, player, &hash));
        std::string text(11, '\0');
        for (char& digit : text) {
            digit = kDigits[hash & 63];
            hash >>= 6;
        }
        return text;
    }

    Bytes bytes_;
    Player player_ = kInvalidPlayer;
    // The actions that were last listed of this position, ascending: playing one of them needs no other check.
    mutable std::int32_t ids_[kMostListed];
    mutable std::uint32_t listed_ = 0;
    Origin origin_{};
    // The result of Hidden(); any number of threads may ask a state that does not change.
    mutable std::shared_ptr<const Masks> hidden_;
};

bool IsWhole(const IIGObservationType& type) {
    return type.public_info && type.private_info == PrivateInfoType::kSinglePlayer;
}

// Observations by their parts; of the public or the private part alone there is text only.
class TileryObserver final : public Observer {
  public:
    TileryObserver(const TileryGame& game, IIGObservationType type)
        : Observer(true, IsWhole(type)), parts_(game.parts()), type_(type) {}
    void WriteTensor(const State& state, int player, Allocator* allocator) const override {
        std::vector<float> values(state.GetGame()->ObservationTensorSize());
        state.ObservationTensor(player, absl::MakeSpan(values));
        const float* from = values.data();
        for (const Part& part : parts_) {
            const absl::Span<float> to = allocator->Get(part.name, part.shape).data();
            std::copy_n(from, to.size(), to.data());
            from += to.size();
        }
    }
    std::string StringFrom(const State& state, int player) const override {
        if (type_.perfect_recall) return state.InformationStateString(player);
        if (HasTensor()) return state.ObservationString(player);
        const auto& mine = down_cast<const TileryState&>(state);
        return type_.public_info ? mine.PublicString() : mine.PrivateString(player);
    }

  private:
    std::vector<Part> parts_;
    IIGObservationType type_;
};

// --- The game, as far as it needs the above ---

std::unique_ptr<State> TileryGame::NewInitialState() const { return std::make_unique<TileryState>(shared_from_this()); }

std::unique_ptr<State> TileryGame::NewInitialState(const Json& position) const {
    return TileryState::Read(shared_from_this(), Ask({{"position", position}}));
}

// Takes what Serialize writes, and a list of actions as other games of OpenSpiel have it.
std::unique_ptr<State> TileryGame::DeserializeState(const std::string& text) const {
    if (text.empty() || text[0] != '{') return Game::DeserializeState(text);
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) Unreadable("no JSON");
    try {
        return TileryState::Read(shared_from_this(), json);
    } catch (const Json::exception& error) {
        Unreadable(error.what());
    }
}

std::shared_ptr<Observer> TileryGame::MakeObserver(absl::optional<IIGObservationType> type,
                                                   const GameParameters& parameters) const {
    if (!parameters.empty()) SpielFatalError("there are no parameters of observations");
    const IIGObservationType wanted = type.value_or(kDefaultObsType);
    const bool one_part = wanted.public_info != (wanted.private_info == PrivateInfoType::kSinglePlayer) &&
                          wanted.private_info != PrivateInfoType::kAllPlayers;
    if (!IsWhole(wanted) && (!one_part || wanted.perfect_recall)) return nullptr;
    return std::make_shared<TileryObserver>(*this, wanted);
}

// --- What plugin.py calls ---

extern "C" {

// The answer of an Answerer.
void tilery_set(void* result, const char* text) { *static_cast<std::string*>(result) = text; }

// Registers the game of a table under the name in its type, and returns null, or why it cannot.
const char* tilery_register(const tilery_api* api, const char* type, Answerer answerer) {
    if (api->version != TILERY_API_VERSION || api->struct_size < sizeof(tilery_api)) {
        return "the table of functions is of another version of tilery";
    }
    GameRegisterer::RegisterGame(GameTypeFromString(type), [api, answerer](const GameParameters& parameters) {
        const Json description = Ask(answerer, parameters, Json::object());
        const GameType type = GameTypeFromString(description.at("type"));
        return std::make_shared<const TileryGame>(type, parameters, api, answerer, description);
    });
    return nullptr;
}
}

}  // namespace open_spiel::tilery
