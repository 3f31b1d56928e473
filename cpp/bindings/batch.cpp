// SPDX-License-Identifier: MIT
// The Python type Batch: checks of arrays and indices, and a lock, around a batch of the engine.
#include "batch.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "arrays.hpp"
#include "native_call.hpp"
#include "search.hpp"
#include "state_object.hpp"

namespace tilery::bindings {
namespace {

constexpr std::uint64_t kMostGames = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 24;

// A batch in Python, with the arrays that show its view. One call at a time touches the batch.
struct BatchObject {
    py::object game;  // the Python Game, which outlives the batch
    std::unique_ptr<Batch> batch;
    std::mutex mutex;
    std::atomic<std::thread::id> owner;                         // of the mutex
    std::atomic<unsigned long> process{NativeCall::process()};  // in which the mutex was last locked
    py::array num_legal_actions, current_player, done, returns, scores, game_index, player;

    [[nodiscard]] std::size_t size() const { return batch->size(); }
};

// A read-only array over memory that `view` keeps alive.
template <class T>
[[nodiscard]] py::array array_over(const std::shared_ptr<BatchView>& view, T* data, std::vector<py::ssize_t> shape,
                                   const py::dtype& dtype) {
    const py::capsule base(new std::shared_ptr<BatchView>(view),
                           [](void* kept) { delete static_cast<std::shared_ptr<BatchView>*>(kept); });
    py::array array(dtype, std::move(shape), data, base);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

struct Unlock {
    void operator()(BatchObject* self) const {
        self->owner = std::thread::id();
        self->mutex.unlock();
    }
};
using Lock = std::unique_ptr<BatchObject, Unlock>;

[[nodiscard]] Lock locked(BatchObject& self) {
    self.owner = std::this_thread::get_id();
    self.process = NativeCall::process();
    return Lock(&self);
}

// Locks the batch; null if another thread has it. Throws where to wait for it would be without end.
[[nodiscard]] Lock try_lock(BatchObject& self) {
    if (self.mutex.try_lock()) return locked(self);
    if (self.process != NativeCall::process()) {
        throw std::runtime_error("another thread was using the batch when the process was forked");
    }
    // A handler of a signal, which play runs now and then, or a finalizer.
    if (self.owner.load() == std::this_thread::get_id()) {
        throw std::runtime_error("this thread is using the batch already");
    }
    return nullptr;
}

// Locks the batch. Call without the GIL, which the thread that has the batch may need to go on.
[[nodiscard]] Lock lock(BatchObject& self) {
    if (Lock own = try_lock(self)) return own;
    self.mutex.lock();
    return locked(self);
}

// Runs what touches the batch without the GIL, one call at a time.
void exclusively(BatchObject& self, auto&& f) {
    without_gil([&] {
        const Lock own = lock(self);
        f(*self.batch);
    });
}

// The same for what may think for long: f(batch, go_on). A signal ends it with the error of its handler.
void playing(BatchObject& self, auto&& f) {
    static_cast<void>(interruptible(1, [&](const search::Control& control) {
        const Lock own = lock(self);
        f(*self.batch, control.go_on);
        return true;
    }));
}

// The lock of a batch for calls that keep the GIL. While they have it they must not run Python code, which may use the
// same batch.
[[nodiscard]] Lock lock_with_gil(BatchObject& self) {
    if (Lock own = try_lock(self)) return own;
    return without_gil([&self] { return lock(self); });
}

// Integers of a type that a batch reads: the array itself, or a copy of it.
[[nodiscard]] std::pair<py::array, Integers> readable(const py::array& array, const char* name) {
    const py::dtype dtype = array.dtype();
    const bool native = dtype.byteorder() == '=' || dtype.byteorder() == '|';
    if (!native || (dtype.kind() != 'i' && dtype.kind() != 'u')) {
        throw py::value_error(std::string(name) + " must be an array of integers in native byte order, got dtype " +
                              std::string(py::str(dtype)));
    }
    const void* const data = array.data();
    if (dtype.equal(py::dtype::of<std::int32_t>())) return {array, static_cast<const std::int32_t*>(data)};
    if (dtype.equal(py::dtype::of<std::uint64_t>())) return {array, static_cast<const std::uint64_t*>(data)};
    const py::array_t<std::int64_t> wide(array);
    return {wide, wide.data()};
}

// One integer a game, as the caller gave them or as NumPy reads them.
[[nodiscard]] std::pair<py::array, Integers> integers(const BatchObject& self, const py::object& given,
                                                      const char* name) {
    const py::array array = array_from(given, std::string(name) + " must be an array of integers");
    check_layout(array, name, {static_cast<py::ssize_t>(self.size())});
    return readable(array, name);
}

void step(BatchObject& self, const py::object& given) {
    const auto [array, indices] = integers(self, given, "indices");
    playing(self, [&data = indices](Batch& batch, const GoOn& go_on) { batch.step(data, go_on); });
}

void apply_actions(BatchObject& self, const py::object& given) {
    const auto [array, ids] = integers(self, given, "ids");
    playing(self, [&data = ids](Batch& batch, const GoOn& go_on) { batch.apply_actions(data, go_on); });
}

[[nodiscard]] py::array random_indices(BatchObject& self, const py::object& out) {
    py::array array = output(out, py::dtype::of<std::int32_t>(), {static_cast<py::ssize_t>(self.size())});
    exclusively(
        self, [data = static_cast<std::int32_t*>(array.mutable_data())](Batch& batch) { batch.random_indices(data); });
    return array;
}

[[nodiscard]] Uniforms uniforms_in(const py::array& array) {
    if (array.dtype().equal(py::dtype::of<float>())) return static_cast<const float*>(array.data());
    if (array.dtype().equal(py::dtype::of<double>())) return static_cast<const double*>(array.data());
    throw py::value_error("uniforms must have dtype float64 or float32, got " + std::string(py::str(array.dtype())));
}

[[nodiscard]] py::array uniforms_from(const py::object& given) {
    return array_from(given, "uniforms must be an array of numbers");
}

[[nodiscard]] py::array indices(BatchObject& self, const py::object& given, const py::object& out) {
    const py::array uniforms = uniforms_from(given);
    check_layout(uniforms, "uniforms", {static_cast<py::ssize_t>(self.size())});
    const Uniforms numbers = uniforms_in(uniforms);
    py::array array = output(out, py::dtype::of<std::int32_t>(), {static_cast<py::ssize_t>(self.size())});
    exclusively(self, [&numbers, to = static_cast<std::int32_t*>(array.mutable_data())](Batch& batch) {
        batch.indices(numbers, to);
    });
    return array;
}

void random_step(BatchObject& self) {
    playing(self, [](Batch& batch, const GoOn& go_on) { batch.random_step(go_on); });
}

[[nodiscard]] std::uint64_t random_steps(BatchObject& self, const py::object& given) {
    const py::array uniforms = uniforms_from(given);
    if (uniforms.ndim() != 2) {
        throw py::value_error("uniforms must have two dimensions, got shape " +
                              shown(py::tuple(uniforms.attr("shape"))));
    }
    const py::ssize_t columns = uniforms.shape(1);
    check_layout(uniforms, "uniforms", {static_cast<py::ssize_t>(self.size()), columns});
    const Uniforms numbers = uniforms_in(uniforms);
    std::uint64_t steps = 0;
    playing(self, [&](Batch& batch, const GoOn& go_on) {
        steps = batch.random_steps(numbers, static_cast<std::size_t>(columns), go_on);
    });
    return steps;
}

[[nodiscard]] py::tuple all_legal_actions(BatchObject& self) {
    py::array_t<std::int64_t> offsets(static_cast<py::ssize_t>(self.size()) + 1);
    std::unique_ptr<std::int32_t[]> ids;
    exclusively(self, [at = offsets.mutable_data(), &ids](Batch& batch) {
        const std::vector<std::uint32_t>& counts = batch.view()->num_legal_actions;
        at[0] = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) at[i + 1] = at[i] + counts[i];
        ids = std::make_unique_for_overwrite<std::int32_t[]>(static_cast<std::size_t>(at[counts.size()]));
        batch.legal_actions(at, ids.get());
    });
    const py::ssize_t total = offsets.at(static_cast<py::ssize_t>(self.size()));
    const py::capsule base(ids.get(), [](void* kept) { delete[] static_cast<std::int32_t*>(kept); });
    return py::make_tuple(offsets, py::array_t<std::int32_t>(total, ids.release(), base));
}

[[nodiscard]] py::array actions_mask(BatchObject& self, const py::object& out, bool packed) {
    const Action actions = self.batch->game().facts().num_distinct_actions;
    py::array array = output(out, packed ? py::dtype::of<std::uint8_t>() : py::dtype::of<bool>(),
                             {static_cast<py::ssize_t>(self.size()), packed ? (actions + 7) / 8 : actions});
    exclusively(self, [packed, data = array.mutable_data()](Batch& batch) {
        packed ? batch.packed_mask(static_cast<std::uint8_t*>(data)) : batch.mask(static_cast<bool*>(data));
    });
    return array;
}

void reset(BatchObject& self, const py::object& where) {
    const bool* slots = nullptr;
    if (!where.is_none()) {
        if (!py::isinstance<py::array>(where)) throw py::value_error("where must be a NumPy array of bool");
        const auto array = py::reinterpret_borrow<py::array>(where);
        if (!array.dtype().equal(py::dtype::of<bool>())) {
            throw py::value_error("where must have dtype bool, got " + std::string(py::str(array.dtype())));
        }
        check_layout(array, "where", {static_cast<py::ssize_t>(self.size())});
        slots = static_cast<const bool*>(array.data());
    }
    playing(self, [slots](Batch& batch, const GoOn& go_on) { batch.reset(slots, go_on); });
}

// The slot that an index of Python's names, also from the end.
[[nodiscard]] std::size_t slot_of(const BatchObject& self, const py::object& index) {
    const Py_ssize_t i = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
    if (i == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    const auto n = static_cast<Py_ssize_t>(self.size());
    if (i < -n || i >= n) {
        throw py::index_error("there is no game " + std::to_string(i) + " in a batch of " + std::to_string(n));
    }
    return static_cast<std::size_t>(i < 0 ? i + n : i);
}

// The Python Batch around this one.
[[nodiscard]] py::object wrap(const py::object& game, std::unique_ptr<Batch> batch);

// A batch of copies of these slots. Keeps the GIL, because the copy counts a reference to the game.
[[nodiscard]] py::object copy_of(BatchObject& self, std::span<const std::size_t> which) {
    std::unique_ptr<Batch> copies;
    {
        const Lock own = lock_with_gil(self);
        copies = self.batch->select(which);
    }
    return wrap(self.game, std::move(copies));
}

[[nodiscard]] py::object select(BatchObject& self, const py::object& indices) {
    const py::array array = array_from(indices, "indices must be an array of integers");
    if (array.ndim() != 1 || array.size() == 0) throw py::value_error("indices must have one dimension and an entry");
    if (static_cast<std::uint64_t>(array.size()) > kMostSlots) {
        throw py::value_error("indices must have at most " + std::to_string(kMostSlots) + " entries, got " +
                              std::to_string(array.size()));
    }
    check_layout(array, "indices", {array.shape(0)});
    std::vector<std::size_t> which;
    const auto [kept, items] = readable(array, "indices");
    std::visit(
        [&](const auto* numbers) {
            for (py::ssize_t i = 0; i < array.size(); ++i) which.push_back(slot_of(self, py::int_(numbers[i])));
        },
        items);
    return copy_of(self, which);
}

[[nodiscard]] py::object clone(BatchObject& self) {
    std::vector<std::size_t> which(self.size());
    for (std::size_t i = 0; i < which.size(); ++i) which[i] = i;
    return copy_of(self, which);
}

[[nodiscard]] py::tuple reduce(BatchObject& self) {
    std::vector<SavedSlot> saved(self.size());
    exclusively(self, [&](Batch& batch) {
        for (std::size_t i = 0; i < saved.size(); ++i) saved[i] = batch.save(i);
    });
    py::list slots;
    for (const SavedSlot& slot : saved) {
        slots.append(py::make_tuple(py::bytes(slot.state), py::bytes(slot.ended), py::cast(slot.streams),
                                    slot.game_index, slot.ended_by));
    }
    const BatchPlan& plan = self.batch->plan();
    const py::object player = plan.rotate ? py::cast("rotate") : py::cast(plan.player);
    const py::object opponents = plan.has_opponents() ? py::cast(search::to_string(plan.opponents)) : py::none();
    const py::tuple arguments =
        py::make_tuple(plan.size, plan.seed, plan.first, plan.threads, plan.autoreset, player, opponents);
    return py::make_tuple(self.game.attr("_restore_batch"), py::make_tuple(arguments, self.batch->stride(), slots));
}

// A policy of the engine, by its text or as an object of tilery.policies.
[[nodiscard]] search::Policy opponents_of(const py::object& given) {
    if (PyUnicode_Check(given.ptr())) {
        const std::string text = text_of(given, "opponents");
        try {
            return search::parse_policy(text);
        } catch (const std::invalid_argument& error) {
            throw py::value_error(std::string("opponents: ") + error.what());
        }
    }
    const py::object native = optional_attribute(given, "_native");
    if (!native || !py::isinstance<PolicyObject>(native)) {
        throw py::value_error("opponents must be a policy of the engine or its text, got " + shown(given));
    }
    return py::cast<const PolicyObject&>(native).policy;
}

using BatchType = py::class_<BatchObject>;

void bind_properties(BatchType& type) {
    type.def("__len__", [](const BatchObject& self) { return self.size(); });
    type.def_property_readonly("size", &BatchObject::size, "The number of games.");
    type.def_property_readonly("game", [](const BatchObject& self) { return self.game; }, "The game.");
    const auto property = [&type](const char* name, py::array BatchObject::* array, const char* doc) {
        type.def_property_readonly(name, [array](const BatchObject& self) { return self.*array; }, doc);
    };
    property("num_legal_actions", &BatchObject::num_legal_actions,
             "uint32[size]: legal actions of each decision; 0 in games that are over and wait for a reset.");
    property("current_player", &BatchObject::current_player,
             "int8[size]: the player to act; -4 in games that wait for a reset.");
    property("done", &BatchObject::done, "bool[size]: whether the game ended in the last step.");
    property("returns", &BatchObject::returns,
             "float64[size, num_players]: rule G-6, of games that ended in the last step; 0 elsewhere.");
    property("scores", &BatchObject::scores,
             "int32[size, num_players]: final points of games that ended in the last step; 0 elsewhere.");
    property("game_index", &BatchObject::game_index,
             "uint64[size]: game k of the seed plays stream (seed, k); slot i plays games first + i,\n"
             "first + i + size, ...");
    property("player", &BatchObject::player,
             "int8[size]: the player of that game whose decisions the batch stops at; -1 without player=.");
}

void bind_actions(BatchType& type) {
    type.def(
        "step", &step, py::arg("indices"),
        "Take the indices[i]-th legal action in every game, settle chance and opponents, and reset games that end.\n\n"
        "indices: integers[size] of any integer dtype, C-contiguous; -1 leaves a game alone.\n"
        "Raises IllegalActionError naming slot, game and index, or ValueError for another dtype or shape.\n"
        "Then, and after Ctrl-C while opponents think, no game has moved.");
    type.def("apply_actions", &apply_actions, py::arg("ids"),
             "As step(), with action ids (integers[size]; -1 leaves a game alone).");
    type.def("random_indices", &random_indices, py::arg("out") = py::none(),
             "int32[size]: an index for step() uniformly at random, by one draw from the stream of each game;\n"
             "-1 in games that wait for a reset. out: an array to fill and return.");
    type.def("indices", &indices, py::arg("uniforms"), py::arg("out") = py::none(),
             "int32[size]: an index for step() by the caller's own numbers, floor(uniforms * num_legal_actions);\n"
             "-1 in games that wait for a reset.\n\n"
             "uniforms: float64[size] or float32[size], C-contiguous, in [0, 1). out: an array to fill and return.\n"
             "Raises ValueError for another dtype or shape, or a number outside [0, 1); then out is as it was.");
    type.def("random_step", &random_step, "As step(random_indices()), in one pass over the games.");
    type.def("random_steps", &random_steps, py::arg("uniforms"),
             "Take several decisions in each game by the caller's own numbers, all of one game before the next: the\n"
             "same as step(indices(column)) for each column, but that a game that ends leaves the rest of its row, so\n"
             "that done, returns and scores tell of each end. Returns the number of decisions taken in all games.\n\n"
             "uniforms: float64[size, k] or float32[size, k], C-contiguous, in [0, 1). Raises ValueError for another\n"
             "dtype or shape, or a number outside [0, 1). Then, and after Ctrl-C while opponents think, no game has\n"
             "moved.");
    type.def("legal_actions", &all_legal_actions,
             "(offsets int64[size + 1], ids int32[total]): the legal ids of game i, ascending, are\n"
             "ids[offsets[i]:offsets[i + 1]]; none in games that wait for a reset.");
    type.def("legal_actions_mask", &actions_mask, py::arg("out") = py::none(), py::kw_only(), py::arg("packed") = false,
             "bool[size, num_distinct_actions]: which ids are legal; all False in games that wait for a reset.\n\n"
             "packed: uint8[size, (num_distinct_actions + 7) // 8] instead, as numpy.packbits(mask, axis=1,\n"
             "bitorder=\"little\"). out: an array to fill and return.");
}

// A method whose arguments are out, dtype and player.
void bind_observer(BatchType& type, const char* name, void (Batch::*write)(void*, NumberKind, Batch::Viewer) const,
                   const char* doc) {
    type.def(
        name,
        [write](BatchObject& self, const py::object& out, const py::object& dtype, const py::object& player) {
            const AnyGame& game = self.batch->game();
            Batch::Viewer viewer;
            if (!player.is_none()) viewer = to_player(player.ptr(), game.num_players());
            const auto [wanted, kind] = number_type(self.game, dtype);
            std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(self.size())};
            for (const int extent : game.facts().observation_shape) shape.push_back(extent);
            py::array array = output(out, wanted, shape);
            exclusively(self, [write, viewer, data = array.mutable_data(), kind = kind](const Batch& batch) {
                (batch.*write)(data, kind, viewer);
            });
            return array;
        },
        py::arg("out") = py::none(), py::arg("dtype") = "float32", py::arg("player") = py::none(), doc);
}

void bind_observations(BatchType& type) {
    bind_observer(
        type, "observations", &Batch::observations,
        "[size, *game.observation_tensor_shape]: the observation of the player to act, or of `player`, in every\n"
        "game; zeros in games that wait for a reset. out: an array to fill and return.\n\n"
        "dtype: float32; uint8 and int16 where all values are integers of this kind (docs/batches.md), otherwise\n"
        "ValueError naming a part of the observation that is not.");
    bind_observer(
        type, "final_observations", &Batch::final_observations,
        "The same of the final states of games that ended in the last step, seen by `player`, or else by the player\n"
        "of the batch, or else by the player who decided last; zeros elsewhere.");
}

void bind_resets(BatchType& type) {
    type.def("reset", &reset, py::arg("where") = py::none(),
             "Begin the next game in the slots where `where` (bool[size]) is true; without it, in those that wait.");
    type.def(
        "determinize",
        [](BatchObject& self, const py::object& player, const py::object& seed) {
            const Player unknowing = to_player(player.ptr(), self.batch->game().num_players());
            const std::uint64_t stream = to_seed(seed, "seed");
            exclusively(self, [=](Batch& batch) { batch.determinize(unknowing, stream); });
        },
        py::arg("player"), py::arg("seed"),
        "Deal again, in place, what the player does not know: slot i by stream (seed, i).");
    type.def(
        "playout",
        [](BatchObject& self) { playing(self, [](Batch& batch, const GoOn& go_on) { batch.playout(go_on); }); },
        "Play every game to its end at random, from its own stream, without a reset; with opponents, their seats\n"
        "are played by them.");
}

// A batch as a sequence of states, and as a value.
void bind_as_sequence(BatchType& type) {
    type.def("__getitem__", [](BatchObject& self, const py::object& index) {
        const std::size_t i = slot_of(self, index);
        const Lock own = lock_with_gil(self);
        return new_state(self.game, self.batch->state_in(i));
    });
    type.def("__setitem__", [](BatchObject& self, const py::object& index, const py::object& state) {
        const std::size_t i = slot_of(self, index);
        const StateObject& given =
            state_object(state, game_object(self.game), "state must be of the rules of this batch");
        if (given.game->current_player(given.state()) == kTerminal) {
            throw py::value_error("state must not be terminal");
        }
        const StateCopy put_in = copy_of_state(*given.game, given.state());
        playing(self, [&](Batch& batch, const GoOn& go_on) { batch.put(i, put_in.data(), go_on); });
    });
    type.def("clone", &clone, "An independent copy.");
    type.def("__copy__", &clone);
    type.def("__deepcopy__", [](BatchObject& self, const py::object&) { return clone(self); });
    type.def("select", &select, py::arg("indices"),
             "A batch of copies of the games named by indices (integers, repeats allowed). A copy goes on with the\n"
             "stream and the later games of its original. Raises ValueError for more than 2**24 indices.");
    type.def("__reduce__", &reduce);
    type.def("__repr__", [](const BatchObject& self) {
        return "<tilery.Batch: " + std::to_string(self.size()) + " of " + std::string(py::repr(self.game)) + ">";
    });
}

// The meaning of the arguments of game.batch(). Throws py::value_error that names the argument.
[[nodiscard]] BatchPlan checked_plan(int num_players, const py::object& size, const py::object& seed,
                                     const py::object& first, const py::object& threads, const py::object& autoreset,
                                     const py::object& player, const py::object& opponents) {
    if (!PyBool_Check(autoreset.ptr())) throw py::value_error("autoreset must be a bool, got " + shown(autoreset));
    BatchPlan plan{.size = static_cast<std::size_t>(to_integer(size.ptr(), "size", 1, kMostSlots)),
                   .seed = to_seed(seed, "seed"),
                   .first = to_integer(first.ptr(), "first", 0, kMostGames << 31),
                   .threads = static_cast<unsigned>(to_integer(threads.ptr(), "threads", 1, 1024)),
                   .autoreset = autoreset.ptr() == Py_True};
    if (PyUnicode_Check(player.ptr()) && PyUnicode_CompareWithASCIIString(player.ptr(), "rotate") == 0) {
        plan.rotate = true;
    } else if (!player.is_none()) {
        plan.player = to_player(player.ptr(), num_players);
    }
    if (opponents.is_none()) return plan;
    if (!plan.has_opponents())
        throw py::value_error("opponents need a player, whose decisions they leave to the caller");
    plan.opponents = opponents_of(opponents);
    return plan;
}

py::object wrap(const py::object& game, std::unique_ptr<Batch> batch) {
    auto self = std::make_unique<BatchObject>();
    const std::shared_ptr<BatchView>& view = batch->view();
    const auto n = static_cast<py::ssize_t>(batch->plan().size);
    const py::ssize_t players = game_of(game).num_players();
    self->num_legal_actions = array_over(view, view->num_legal_actions.data(), {n}, py::dtype::of<std::uint32_t>());
    self->current_player = array_over(view, view->current_player.data(), {n}, py::dtype::of<std::int8_t>());
    self->done = array_over(view, view->done.data(), {n}, py::dtype::of<bool>());
    self->returns = array_over(view, view->returns.data(), {n, players}, py::dtype::of<double>());
    self->scores = array_over(view, view->scores.data(), {n, players}, py::dtype::of<std::int32_t>());
    self->game_index = array_over(view, view->game_index.data(), {n}, py::dtype::of<std::uint64_t>());
    self->player = array_over(view, view->player.data(), {n}, py::dtype::of<std::int8_t>());
    self->game = game;
    self->batch = std::move(batch);
    return py::cast(std::move(self));
}

// game._restore_batch(arguments, stride, slots): what reduce() took apart.
[[nodiscard]] py::object restore_batch(const py::object& game, const py::tuple& arguments, std::uint64_t stride,
                                       const std::vector<py::tuple>& slots) {
    const AnyGame& rules = game_of(game);
    if (arguments.size() != 7) throw py::value_error("a plan must have the arguments of batch()");
    const BatchPlan plan = checked_plan(rules.num_players(), arguments[0], arguments[1], arguments[2], arguments[3],
                                        arguments[4], arguments[5], arguments[6]);
    if (slots.size() != plan.size) throw py::value_error("slots must have one entry for each game");
    auto batch = std::make_unique<Batch>(rules, plan, stride);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto [state, ended, streams, index, ended_by] =
            py::cast<std::tuple<py::bytes, py::bytes, std::vector<std::uint64_t>, std::uint64_t, Player>>(slots[i]);
        if (ended_by < kTerminal || ended_by >= rules.num_players()) {
            throw py::value_error("slots name no player of this game");
        }
        batch->restore(i, {state, ended, streams, index, ended_by});
    }
    return wrap(game, std::move(batch));
}

}  // namespace

const Batch& batch_in(const py::object& batch) {
    if (!py::isinstance<BatchObject>(batch)) throw py::type_error("batch must be a tilery.Batch, got " + shown(batch));
    return *py::cast<const BatchObject&>(batch).batch;
}

void reading(const py::object& batch, const std::function<void()>& read) {
    exclusively(py::cast<BatchObject&>(batch), [&read](const Batch&) { read(); });
}

void bind_batches(const Members& members) {
    members.method(
        "batch", documentation("Game", "batch"),
        [](const py::object& self, const py::object& size, const py::object& seed, const py::object& first,
           const py::object& threads, const py::object& autoreset, const py::object& player,
           const py::object& opponents) {
            const AnyGame& rules = game_of(self);
            const BatchPlan plan =
                checked_plan(rules.num_players(), size, seed, first, threads, autoreset, player, opponents);
            return wrap(self, interruptible(1, [&](const search::Control& control) {
                            return std::make_unique<Batch>(rules, plan, control.go_on);
                        }));
        },
        py::arg("size"), py::arg("seed") = 0, py::arg("first") = 0, py::arg("threads") = 1, py::arg("autoreset") = true,
        py::arg("player") = py::none(), py::arg("opponents") = py::none());
    members.method("_restore_batch", nullptr, &restore_batch);
}

void bind_batch(py::module_& module) {
    BatchType type(
        module, "Batch", py::is_final(),
        "Many games of one kind stepped together: arrays in, arrays out (docs/batches.md). Made by game.batch().\n\n"
        "Every game stops at decisions, or only at those of the player given to game.batch(); chance and opponents\n"
        "are played inside. The arrays that the properties return are read-only and stay the same objects: each step\n"
        "writes into them. One thread uses a batch at a time; a second one waits. Every call runs without the GIL.");
    type.attr("__module__") = "tilery";
    bind_properties(type);
    bind_actions(type);
    bind_observations(type);
    bind_resets(type);
    bind_as_sequence(type);
}

}  // namespace tilery::bindings
