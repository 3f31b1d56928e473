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

// The numbers of an array into which games are played, checked.
template <class T>
[[nodiscard]] T* numbers_in(const py::object& given, const char* name, const std::vector<std::uint64_t>& shape) {
    using Array = py::array_t<T, py::array::c_style>;
    auto array = Array::check_(given) ? py::reinterpret_borrow<Array>(given) : Array();
    if (shape != std::vector<std::uint64_t>(array.shape(), array.shape() + array.ndim()) || !array.writeable()) {
        throw py::value_error(std::string(name) + " must be a writeable " + std::string(py::str(py::dtype::of<T>())) +
                              " array of shape " + shown(py::tuple(py::cast(shape))) + " in C order");
    }
    return array.mutable_data();
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
                return to_action(seat(new_state(owner, state), luck, seen).ptr());
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
    double* const thought =
        thinking.is_none() ? nullptr : numbers_in<double>(thinking, "thinking", {count, index(players), 3});
    static_assert(sizeof(Thinking) == 3 * sizeof(double));
    const std::uint64_t stream = to_seed(seed, "seed");
    auto* const rows = numbers_in<std::uint8_t>(results, "rows", {count, row_width(players)});
    const char* const refusal = "start must be a state of this game, got one of other rules";
    const StateCopy from =
        copy_of_state(game, start.is_none() ? nullptr : state_object(start, game_object(self), refusal).state());
    const Player viewer = player.is_none() ? Player{-1} : to_player(player.ptr(), players);
    std::vector<std::string> tokens(records ? static_cast<std::size_t>(count) : 0);
    std::atomic<std::uint64_t> over{0};
    std::function<void()> report;
    if (!progress.is_none()) report = [&] { progress(over.load()); };
    NativeCall call(1, report);
    std::vector<SeatPolicy> all = read_seats(self, policies, call);
    const Simulation simulation{.start = from.data(),
                                .viewer = viewer,
                                .seed = stream,
                                .first = first,
                                .count = count,
                                .threads = threads,
                                .rows = rows,
                                .line_up = {std::move(all), rotate, reinterpret_cast<Thinking*>(thought)},
                                .tokens = records ? &tokens : nullptr,
                                .over = report ? &over : nullptr};
    static_cast<void>(call.run([&](const GoOn& go_on) { return game.simulate(simulation, go_on); }));
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
