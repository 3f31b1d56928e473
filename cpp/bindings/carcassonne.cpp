// SPDX-License-Identifier: MIT
// The calls that only this game has in Python: features, windows of observations, and their action ids.
#include "tilery/any/carcassonne.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "batch.hpp"
#include "state_object.hpp"
#include "types.hpp"

namespace tilery::bindings {
namespace {

// The size of the window asked for; None is the default.
int to_window(const AnyGame& game, const py::object& window) {
    const WindowBounds bounds = window_bounds(game);
    if (window.is_none()) return bounds.usual;
    if (bounds.has_table) throw py::value_error("window: with a table the planes show the table");
    const std::optional<std::uint64_t> cells = integer_in(window.ptr(), 1, index(bounds.most));
    if (!cells || *cells % 2 == 0) {
        throw py::value_error("window must be an odd number from 1 to " + std::to_string(bounds.most) + ", got " +
                              shown(window));
    }
    return static_cast<int>(*cells);
}

// CompactActions of tilery.carcassonne: the game it is for, and errors.
class Compact {
  public:
    Compact(py::object game, const py::object& window)
        : owner_(checked_game(std::move(game))), window_(to_window(rules(), window)), actions_(rules(), window_) {
        if (window_bounds(rules()).has_table)
            throw py::value_error("with a table the ids of the game are compact already");
    }

    [[nodiscard]] const py::object& game() const { return owner_; }
    [[nodiscard]] Action size() const { return actions_.size(); }
    [[nodiscard]] py::tuple arguments() const { return py::make_tuple(owner_, window_); }

    [[nodiscard]] Action compact(const py::object& state, const py::object& action) const {
        const Action id = in_range(to_action(action.ptr()), rules().facts().num_distinct_actions);
        if (const auto compact = actions_.compact(checked(state), id)) return *compact;
        throw py::value_error("'" + rules().action_to_string(id) + "' is outside the window");
    }
    [[nodiscard]] Action expand(const py::object& state, const py::object& compact) const {
        const Action id = in_range(to_action(compact.ptr()), size());
        if (const auto action = actions_.expand(checked(state), id)) return *action;
        throw py::value_error("compact action " + std::to_string(id) + " is beyond the cells of the game");
    }
    // The compact ids of all that may be applied, ascending as legal_actions() is.
    [[nodiscard]] std::vector<Action> legal(const py::object& state) const { return actions_.legal(checked(state)); }
    [[nodiscard]] py::array_t<bool> mask(const py::object& state) const {
        py::array_t<bool> mask(size());
        std::fill_n(mask.mutable_data(), mask.size(), false);
        for (const Action id : legal(state)) mask.mutable_data()[id] = true;
        return mask;
    }

    [[nodiscard]] py::array_t<bool> batch_mask(const py::object& batch, const py::object& out) const {
        const Batch& games = checked_batch(batch);
        py::array_t<bool> mask =
            output(out, py::dtype::of<bool>(), {static_cast<py::ssize_t>(games.plan().size), size()});
        reading(batch, [&, data = mask.mutable_data()] { actions_.write_masks(games, data); });
        return mask;
    }
    [[nodiscard]] py::array_t<std::int64_t> batch_expand(const py::object& batch, const py::object& ids) const {
        const Batch& games = checked_batch(batch);
        const auto given = signed_integers(ids, games.plan().size);
        py::array_t<std::int64_t> actions(given.shape(0));
        reading(batch, [&, from = given.data(), to = actions.mutable_data()] { actions_.expand_all(games, from, to); });
        return actions;
    }

  private:
    [[nodiscard]] const AnyGame& rules() const { return game_of(owner_); }
    [[nodiscard]] static py::object checked_game(py::object game) {
        const AnyGame& given = game_of(game);
        if (given.kind().name != "carcassonne") {
            throw py::type_error("expected a game of carcassonne, got one of " + std::string(given.kind().name));
        }
        return game;
    }
    [[nodiscard]] const void* checked(const py::object& state) const {
        return state_object(state, game_object(owner_), "the state is of a game with other rules").state();
    }
    [[nodiscard]] const Batch& checked_batch(const py::object& batch) const {
        const Batch& games = batch_in(batch);
        if (!rules().same_rules(games.game())) throw py::value_error("the batch is of a game with other rules");
        return games;
    }
    [[nodiscard]] static py::array_t<std::int64_t, py::array::c_style> signed_integers(const py::object& given,
                                                                                       std::size_t size) {
        const std::string wanted = "ids must be integers[" + std::to_string(size) + "] that int64 can hold";
        const py::array array = array_from(given, wanted);
        const bool integers = (array.dtype().kind() == 'i' || array.dtype().kind() == 'u') &&
                              !array.dtype().equal(py::dtype::of<std::uint64_t>());
        if (!integers || array.ndim() != 1 || array.shape(0) != static_cast<py::ssize_t>(size)) {
            throw py::value_error(wanted + ", got " + shown(given));
        }
        return array;
    }
    static Action in_range(Action id, Action ids) {
        if (id >= 0 && id < ids) return id;
        throw py::value_error("ids are 0.." + std::to_string(ids - 1) + ", got " + std::to_string(id));
    }

    py::object owner_;
    int window_;
    CompactIds actions_;
};

void bind_compact(const py::object& module) {
    py::class_<Compact> actions(
        module, "CompactActions",
        "CompactActions(game, window=25)\n--\n\nAction ids for learners: placements relative to the window of the\n"
        "observation, all other ids as in the game. ValueError for a game with a table.",
        py::is_final());
    actions.attr("__module__") = "tilery.carcassonne";
    py::options signatures;
    signatures.disable_function_signatures();  // each docstring begins with its own, in the form that CPython reads
    actions
        .def(py::init<py::object, const py::object&>(), py::arg("game"), py::arg("window") = py::none(),
             "__init__(self, game, window=None)\n--\n\n")
        .def_property_readonly("game", &Compact::game, "The game.")
        .def_property_readonly("num_actions", &Compact::size, "Compact ids are in [0, this).")
        .def("__reduce__",
             [](const py::object& self) {
                 return py::make_tuple(py::type::of(self), self.cast<Compact&>().arguments());
             })
        .def("compact", &Compact::compact, py::arg("state"), py::arg("action"), py::pos_only(),
             "compact(self, state, action, /)\n--\n\n"
             "The compact id of an action id; ValueError if it is a placement outside the window.")
        .def("expand", &Compact::expand, py::arg("state"), py::arg("compact"), py::pos_only(),
             "expand(self, state, compact, /)\n--\n\n"
             "The action id of a compact id; ValueError if the game has none for that cell.")
        .def("legal_actions", &Compact::legal, py::arg("state"), py::pos_only(),
             "legal_actions(self, state, /)\n--\n\nThe compact ids of the legal actions inside the window.")
        .def("mask", &Compact::mask, py::arg("state"), py::pos_only(),
             "mask(self, state, /)\n--\n\nThe same as bool[num_actions].")
        .def("batch_mask", &Compact::batch_mask, py::arg("batch"), py::pos_only(), py::arg("out") = py::none(),
             "batch_mask(self, batch, /, out=None)\n--\n\n"
             "bool[size, num_actions]: mask() of every game of a batch; all False in games that wait for a reset.\n\n"
             "out: an array to fill and return.")
        .def("batch_expand", &Compact::batch_expand, py::arg("batch"), py::arg("ids"), py::pos_only(),
             "batch_expand(self, batch, ids, /)\n--\n\n"
             "int64[size]: expand() in every game of a batch, for its apply_actions(), which leaves games with -1\n"
             "alone and refuses -2, what ids become that have no action. ids: integers[size].");
    seal_class(actions);
}

// The features as dicts. Made by hand, since bots ask for them at every position, and nearly all of the time is that of
// new objects: a dict is copied from one with its numbers, lists are made at their length, and cells are shared tuples.
class FeatureDicts {
  public:
    FeatureDicts() {
        for (const char* const kind : {"city", "road", "field", "monastery"}) kinds_.emplace_back(text(kind));
        constexpr std::array kSegments{"-", "c0", "c1", "r0", "r1", "r2", "r3", "f0", "f1", "f2", "f3", "m"};
        for (const char* const segment : kSegments) segments_.emplace_back(text(segment));
        for (const char* const key : {"segments", "open_cells", "meeples", "cities"}) lists_.emplace_back(text(key));
    }

    [[nodiscard]] py::list of(const AnyGame& game, const void* state) {
        py::list dicts;
        any::with_features(game, state, [&](auto features, auto segments, auto open_cells, auto borders) {
            const std::size_t size = features.size(), players = index(game.num_players());
            const auto in_segments = split(size, segments, &tilery_carcassonne_segment::feature,
                                           [this](auto& each) { return place(each.x, each.y, each.segment); });
            const auto in_cells = split(size, open_cells, &tilery_carcassonne_open_cell::feature,
                                        [this](auto& each) { return place(each.x, each.y, 0); });
            const auto in_cities =
                split(size, borders, &tilery_carcassonne_border::field, [](auto& each) { return number(each.city); });
            dicts = py::list(size);
            for (std::size_t i = 0; i < size; ++i) {
                PyObject* const dict = checked(PyDict_Copy(numbers(features[i]).ptr()));
                PyList_SET_ITEM(dicts.ptr(), static_cast<Py_ssize_t>(i), dict);
                const py::list meeples(players);
                for (std::size_t p = 0; p < players; ++p) {
                    PyList_SET_ITEM(meeples.ptr(), static_cast<Py_ssize_t>(p), number(features[i].meeples[p]));
                }
                const std::array values{in_segments[i].ptr(), in_cells[i].ptr(), meeples.ptr(), in_cities[i].ptr()};
                for (std::size_t key = 0; key < values.size(); ++key) {
                    if (PyDict_SetItem(dict, lists_[key].ptr(), values[key]) != 0) throw py::error_already_set();
                }
            }
        });
        return dicts;
    }

  private:
    [[nodiscard]] static py::object text(const char* text) {
        return py::reinterpret_steal<py::object>(PyUnicode_InternFromString(text));
    }
    [[nodiscard]] static PyObject* checked(PyObject* made) {
        if (made == nullptr) throw py::error_already_set();
        return made;
    }
    [[nodiscard]] static PyObject* number(long value) { return checked(PyLong_FromLong(value)); }
    // The value of a key of a map, if it is in a sensible range.
    template <class Made>
    [[nodiscard]] static Made& kept(std::unordered_map<std::uint64_t, Made>& map, std::uint64_t key) {
        constexpr std::size_t kMost = 1 << 14;
        if (map.size() > kMost) map.clear();
        return map[key];
    }
    // (x, y), or with a segment (x, y, token).
    [[nodiscard]] PyObject* place(int x, int y, std::size_t segment) {
        py::object& made = kept(places_, (segment << 8 | index(x & 0xFF)) << 8 | index(y & 0xFF));
        if (!made && segment == 0) made = py::make_tuple(x, y);
        if (!made) made = py::make_tuple(x, y, segments_[segment]);
        return Py_NewRef(made.ptr());
    }
    // A list for each feature: of item(part) for each part that belongs to it.
    template <class Part, class Item>
    [[nodiscard]] static std::vector<py::list> split(std::size_t features, std::span<const Part> parts,
                                                     std::uint16_t Part::* feature, Item item) {
        std::vector<Py_ssize_t> left(features);
        for (const Part& part : parts) ++left[part.*feature];
        std::vector<py::list> lists(left.begin(), left.end());
        for (std::size_t i = parts.size(); i-- > 0;) {
            const std::uint16_t at = parts[i].*feature;
            PyList_SET_ITEM(lists[at].ptr(), --left[at], item(parts[i]));
        }
        return lists;
    }
    // A dict of a feature without its lists, to be copied.
    [[nodiscard]] const py::dict& numbers(const tilery_carcassonne_feature& feature) {
        const std::array<std::uint64_t, 6> all{feature.kind,      feature.complete,
                                               feature.tiles,     feature.shields,
                                               feature.open_ends, static_cast<std::uint16_t>(feature.points)};
        std::uint64_t key = 0;
        for (const std::uint64_t each : all) key = key << 10 | each;
        py::dict& made = kept(numbers_, key);
        if (!made.empty()) return made;
        const py::object later = py::none();
        const std::array<std::pair<const char*, py::object>, 10> entries{{{"kind", kinds_[feature.kind]},
                                                                          {"segments", later},
                                                                          {"tiles", py::int_(feature.tiles)},
                                                                          {"shields", py::int_(feature.shields)},
                                                                          {"complete", py::bool_(feature.complete)},
                                                                          {"open_ends", py::int_(feature.open_ends)},
                                                                          {"open_cells", later},
                                                                          {"meeples", later},
                                                                          {"cities", later},
                                                                          {"points", py::int_(feature.points)}}};
        for (const auto& [name, value] : entries) made[text(name)] = value;
        return made;
    }

    std::vector<py::object> kinds_, segments_, lists_;
    std::unordered_map<std::uint64_t, py::object> places_;
    std::unordered_map<std::uint64_t, py::dict> numbers_;
};

void bind_features(const GameType& type) {
    auto* const dicts = new FeatureDicts();  // lives as long as the process, as the interned names do
    Members(type.state)
        .method("features", "features(self)\n--\n\nA dict for each feature of the land; see tilery.carcassonne.",
                [&type, dicts](py::handle self) {
                    const StateObject& object = state_object(self, type);
                    return dicts->of(*object.game, object.state());
                });
}

// The observation, with a window.
PyObject* tensor_in_window(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&] {
        static constexpr const char* kNames[] = {"player", "out", "window", "dtype", "scaled"};
        std::array<PyObject*, 5> given{};
        parse_arguments({"observation_tensor", kNames, 1, 1, 2}, arguments, count, keywords, given);
        const auto& state = *reinterpret_cast<const StateObject*>(self);
        const auto [player, out, window, dtype, scaled] = given;
        if (window == nullptr || window == Py_None) return observation(state, player, out, dtype, scaled);
        const AnyGame& game = *state.game;
        const Player viewer = to_player(player, game.num_players());
        const int cells = to_window(game, py::reinterpret_borrow<py::object>(window));
        if (is_true(scaled)) throw py::value_error("scaled: only without window");
        const auto& [wanted, kind] = number_type(state.owner, dtype);
        py::array array = output(out, wanted, {window_observation_size(game, cells)});
        observe_window(game, state.state(), viewer, cells, array.mutable_data(), kind);
        return array.release().ptr();
    });
}

void bind_observation(const GameType& type) {
    static PyMethodDef method{
        "observation_tensor", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tensor_in_window)),
        METH_FASTCALL | METH_KEYWORDS,
        "observation_tensor($self, player, /, out=None, *, window=None, dtype=\"float32\", scaled=False)\n--\n\n"
        "What a player knows as a vector of planes and numbers, which docs/rules/carcassonne.md lists.\n\n"
        "out, dtype, scaled: as in every game. window: without a table, the odd number of cells (1..167) that the "
        "planes are\nwide and high, 25 if not given; then out must have that size. Raises ValueError for another "
        "window."};
    Members(type.state).method(method);
}

}  // namespace

void extend_carcassonne(const py::object& module, const GameType& type) {
    bind_features(type);
    bind_observation(type);
    bind_compact(module);
}

}  // namespace tilery::bindings
