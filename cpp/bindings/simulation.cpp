// SPDX-License-Identifier: MIT
// Game._simulate_into, on which tilery.simulation stands.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <string>
#include <vector>

#include "game_object.hpp"
#include "native_call.hpp"
#include "search.hpp"
#include "state_object.hpp"

namespace tilery::bindings {
namespace {

// The rows into which games are played.
[[nodiscard]] std::uint8_t* result_rows(const py::object& rows, std::uint64_t count, int num_players) {
    using Bytes = py::array_t<std::uint8_t, py::array::c_style>;
    const std::size_t width = row_width(num_players);
    const auto array = Bytes::check_(rows) ? py::reinterpret_borrow<Bytes>(rows) : Bytes();
    if (array.ndim() != 2 || static_cast<std::uint64_t>(array.shape(0)) != count ||
        static_cast<std::size_t>(array.shape(1)) != width || !array.writeable()) {
        throw py::value_error("rows must be a writeable uint8 array of shape (" + std::to_string(count) + ", " +
                              std::to_string(width) + ") in C order");
    }
    return const_cast<std::uint8_t*>(array.data());
}

// The array to which a line-up adds its thinking.
[[nodiscard]] Thinking* thinking_rows(const py::object& rows, std::uint64_t count, int num_players) {
    using Doubles = py::array_t<double, py::array::c_style>;
    auto array = Doubles::check_(rows) ? py::reinterpret_borrow<Doubles>(rows) : Doubles();
    if (array.ndim() != 3 || static_cast<std::uint64_t>(array.shape(0)) != count || array.shape(1) != num_players ||
        array.shape(2) != 3 || !array.writeable()) {
        throw py::value_error("thinking must be a writeable float64 array of shape (" + std::to_string(count) + ", " +
                              std::to_string(num_players) + ", 3) in C order");
    }
    static_assert(sizeof(Thinking) == 3 * sizeof(double));
    return reinterpret_cast<Thinking*>(array.mutable_data());
}

// The state that games are to be played on from: of this game, or of another with the same rules.
[[nodiscard]] StateCopy start_state(const GameObject& game, const py::object& start) {
    if (start.is_none()) return StateCopy(*game.game);
    return {*game.game,
            state_object(start, game, "start must be a state of this game, got one of other rules").state()};
}

// The policies of a line-up: a tuple with one of each seat, a Policy of the engine or a callable that takes a state,
// the number of its stream and the ids of all actions as that player saw them.
//
// The seats only borrow Python objects, which the caller keeps: they are moved and destroyed without the GIL.
[[nodiscard]] std::vector<SeatPolicy> read_seats(py::handle owner, const py::tuple& given, NativeCall& call) {
    std::vector<SeatPolicy> seats;
    for (const py::handle seat : given) {
        if (py::isinstance<PolicyObject>(seat)) {
            seats.emplace_back(
                search::resolved(py::cast<const PolicyObject&>(seat).policy, game_of(owner).kind().name));
            continue;
        }
        seats.emplace_back(
            Callback([owner, seat, &call](const void* state, std::uint64_t luck, const std::vector<Action>& seen) {
                const PythonCode in_python(call);
                const auto object = py::reinterpret_steal<py::object>(new_state(owner.ptr(), state));
                if (!object) throw py::error_already_set();
                return to_action(seat(object, luck, seen).ptr());
            }));
    }
    return seats;
}

// Plays games into `rows`, each from `start`, or if `player` is not None from a determinization of it for that player:
// at random, or where `seats` is not None, between its policies (read_seats). Returns the games' tokens if records are
// wanted, one string a game. `progress`: None, or called with the number of games that are over. `thinking`: None, or
// float64[count, players, 3], to which each seat's seconds, decisions and CPU seconds are added.
py::object simulate_into(const py::object& self, const py::object& start, const py::object& player, std::uint64_t count,
                         const py::object& seed, std::uint64_t first, unsigned threads, const py::object& results,
                         bool records, const py::object& progress, const py::object& seats, bool rotate,
                         const py::object& thinking) {
    const AnyGame& game = game_of(self);
    const int players = game.num_players();
    // A private copy, since a policy may change what the caller gave.
    const auto policies = seats.is_none() ? py::tuple() : py::tuple(seats);
    Thinking* const thought = thinking.is_none() ? nullptr : thinking_rows(thinking, count, players);
    const std::uint64_t stream = to_seed(seed, "seed");
    std::uint8_t* const rows = result_rows(results, count, players);
    const StateCopy from = start_state(game_object(self), start);
    const Player viewer = player.is_none() ? Player{-1} : to_player(player.ptr(), players);
    std::vector<std::string> tokens(records ? static_cast<std::size_t>(count) : 0);
    std::atomic<std::uint64_t> over{0};
    std::function<void()> report;
    if (!progress.is_none()) report = [&] { progress(over.load()); };
    NativeCall call(1, report);
    std::vector<SeatPolicy> all = read_seats(self, policies, call);
    bool finished = false;
    {
        const py::gil_scoped_release release;
        finished = game.simulate({.start = from.get(),
                                  .viewer = viewer,
                                  .seed = stream,
                                  .first = first,
                                  .count = count,
                                  .threads = threads,
                                  .rows = rows,
                                  .line_up = {std::move(all), rotate, thought},
                                  .tokens = records ? &tokens : nullptr,
                                  .over = report ? &over : nullptr},
                                 [&call] { return call.go_on(); });
    }
    if (!finished) call.throw_reason();
    if (report) report();
    if (!records) return py::none();
    return py::cast(tokens);
}

}  // namespace

void bind_simulation(const Members& game) {
    game.method("_simulate_into", nullptr, &simulate_into, py::arg("start"), py::arg("player"), py::arg("count"),
                py::arg("seed"), py::arg("first"), py::arg("threads"), py::arg("rows"), py::arg("records"),
                py::arg("progress"), py::arg("seats") = py::none(), py::arg("rotate") = false,
                py::arg("thinking") = py::none(), py::pos_only());
}

}  // namespace tilery::bindings
