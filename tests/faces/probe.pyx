# SPDX-License-Identifier: MIT
"""The C table seen from Python: states that answer the calls of tilery.State through it, for tests/faces/test_capi.py."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

import tilery
from tilery.capi cimport (
    TILERY_API_VERSION,
    TILERY_BAD_ARGUMENT,
    TILERY_BUFFER_TOO_SMALL,
    TILERY_CHANCE,
    TILERY_ILLEGAL_ACTION,
    TILERY_MAX_PLAYERS,
    TILERY_OK,
    TILERY_OPTION_ERROR,
    TILERY_PARSE_ERROR,
    TILERY_STATE_DATA_ERROR,
    api_of,
    handle_of,
    tilery_api,
    tilery_game,
    tilery_played,
    tilery_rng,
    tilery_status,
)

BUFFER_TOO_SMALL = TILERY_BUFFER_TOO_SMALL
GUARD = 0xA5  # what buffers hold before a call, and behind them after it

ERRORS = {
    TILERY_ILLEGAL_ACTION: tilery.IllegalActionError,
    TILERY_PARSE_ERROR: tilery.ParseError,
    TILERY_OPTION_ERROR: tilery.OptionError,
    TILERY_STATE_DATA_ERROR: tilery.StateDataError,
    TILERY_BAD_ARGUMENT: IndexError,
    TILERY_BUFFER_TOO_SMALL: BufferError,
}


cdef class State:
    """A state in memory of our own. `game` is the Python Game, or None if `options` made one through the table."""

    cdef readonly object game
    cdef const tilery_api *api
    cdef const tilery_game *handle
    cdef tilery_game *own
    cdef void *bytes

    def __cinit__(self, game, options=None):
        cdef const char *words[16]
        cdef size_t i
        self.game = game
        self.api = api_of(game)
        if options is None:
            self.handle = handle_of(game)
        else:
            for i in range(len(options)):
                words[i] = options[i]
            self.check(self.api.new_game(words, len(options), &self.own))
            self.handle = self.own
        self.bytes = malloc(self.api.state_size)
        self.check(self.api.initial_state(self.handle, self.bytes))

    def __dealloc__(self):
        free(self.bytes)
        if self.own:
            self.api.free_game(self.own)

    cdef int check(self, int32_t answer) except? -1000:
        """The answer, or the error that it is."""
        if answer < 0:
            raise ERRORS[answer](self.api.last_error().decode())
        return answer

    # What a game says.

    def facts(self):
        return {
            "version": self.api.version,
            "name": self.api.name.decode(),
            "state_size": self.api.state_size,
            "num_players": self.api.num_players(self.handle),
            "num_distinct_actions": self.api.num_distinct_actions(self.handle),
            "max_game_length": self.api.max_game_length(self.handle),
            "num_chance_actions": self.api.num_chance_actions(self.handle),
            "max_decisions": self.api.max_decisions(self.handle),
            "max_chance_nodes": self.api.max_chance_nodes(self.handle),
            "hides_information": self.api.hides_information(self.handle),
        }

    # The calls of tilery.State.

    def current_player(self):
        return self.api.current_player(self.handle, self.bytes)

    def is_chance_node(self):
        return self.api.current_player(self.handle, self.bytes) == TILERY_CHANCE

    def is_terminal(self):
        return self.api.is_terminal(self.handle, self.bytes) == 1

    def legal_actions(self):
        cdef uint32_t n = self.api.num_legal_actions(self.handle, self.bytes)
        cdef uint32_t count
        cdef int32_t[:] actions = np.empty(n + 1, np.int32)
        self.check(self.api.legal_actions(self.handle, self.bytes, &actions[0], n, &count))
        assert count == n
        return np.asarray(actions[:n]).tolist()

    def legal_action(self, uint32_t i):
        return self.check(self.api.legal_action(self.handle, self.bytes, i))

    def is_legal(self, int32_t action):
        return self.api.is_legal(self.handle, self.bytes, action) == 1

    def legal_actions_mask(self):
        mask = np.zeros(self.api.num_distinct_actions(self.handle), bool)
        mask[self.legal_actions()] = True
        return mask

    def weights(self):
        cdef uint32_t n = self.api.num_legal_actions(self.handle, self.bytes)
        cdef uint32_t count, total
        cdef int32_t[:] ids = np.empty(n + 1, np.int32)
        cdef uint32_t[:] weights = np.empty(n + 1, np.uint32)
        self.check(self.api.chance_outcomes(self.handle, self.bytes, &ids[0], &weights[0], n, &count, &total))
        return np.asarray(ids[:count]).tolist(), np.asarray(weights[:count]).tolist(), total

    def chance_outcomes(self):
        ids, weights, total = self.weights()
        return [(action, weight / total) for action, weight in zip(ids, weights, strict=True)]

    def apply_action(self, int32_t action):
        self.check(self.api.apply_checked(self.handle, self.bytes, action))

    def apply_trusting(self, int32_t action):
        self.api.apply_action(self.handle, self.bytes, action)

    def scores_if_over(self):
        cdef int32_t[TILERY_MAX_PLAYERS] scores
        assert self.api.scores_if_over(self.handle, self.bytes, scores) == 0
        return [scores[player] for player in range(self.api.num_players(self.handle))]

    def scores(self):
        cdef int32_t[TILERY_MAX_PLAYERS] scores
        self.api.scores(self.handle, self.bytes, scores)
        return [scores[player] for player in range(self.api.num_players(self.handle))]

    def returns(self):
        cdef double[TILERY_MAX_PLAYERS] returns
        self.api.returns(self.handle, self.bytes, returns)
        return [returns[player] for player in range(self.api.num_players(self.handle))]

    def clone(self):
        cdef State copy = State(self.game)
        memcpy(copy.bytes, self.bytes, self.api.state_size)
        return copy

    def same_bytes(self, State other):
        return memcmp(self.bytes, other.bytes, self.api.state_size) == 0

    def __eq__(self, State other):
        return self.api.same_position(self.handle, self.bytes, other.bytes) == 1

    def hash_state(self):
        return self.api.hash_state(self.handle, self.bytes)

    def determinize(self, int32_t player, uint64_t seed):
        cdef tilery_rng rng
        cdef State dealt = self.clone()
        self.api.seed_rng(&rng, seed, 0)
        self.check(self.api.determinize(self.handle, dealt.bytes, player, &rng))
        return dealt

    def observation_tensor(self, int32_t player):
        cdef uint32_t count
        shape = self.game.observation_tensor_shape
        cdef float[:] values = np.empty(int(np.prod(shape)), np.float32)
        self.check(self.api.observation_tensor(self.handle, self.bytes, player, &values[0], len(values), &count))
        assert count == len(values)
        return np.asarray(values).reshape(shape)

    # Text and bytes, asked for twice: for the length, then for the content.

    def into(self, what, int32_t number, object room):
        """(status, length, content) of a call that writes into a buffer with that much room (None: a null buffer)."""
        cdef size_t capacity = 0 if room is None else room
        cdef size_t length = 0
        cdef unsigned char *buffer = NULL if room is None else <unsigned char *> malloc(capacity + 16)
        cdef char *text = <char *> buffer
        cdef tilery_status status
        if buffer:
            memset(buffer, GUARD, capacity + 16)
        if what == "action_to_string":
            status = self.api.action_to_string(self.handle, number, text, capacity, &length)
        elif what == "information_state_string":
            status = self.api.information_state_string(self.handle, self.bytes, number, text, capacity, &length)
        elif what == "to_string":
            status = self.api.to_string(self.handle, self.bytes, text, capacity, &length)
        else:
            status = self.api.serialize(self.handle, self.bytes, buffer, capacity, &length)
        content = (<char *> buffer)[:capacity + 16] if buffer else b""
        free(buffer)
        assert content[capacity:] in (b"", bytes([GUARD] * 16)), "written behind the buffer"
        return status, length, content[:capacity]

    def text(self, what, int32_t number=0):
        status, length, _ = self.into(what, number, None)
        if status != TILERY_BUFFER_TOO_SMALL:
            self.check(status)
        status, again, content = self.into(what, number, length + 1)
        assert (status, again, content[length]) == (TILERY_OK, length, 0)
        return content[:length].decode()

    def action_to_string(self, int32_t action):
        return self.text("action_to_string", action)

    def information_state_string(self, int32_t player):
        return self.text("information_state_string", player)

    def __str__(self):
        return self.text("to_string")

    def string_to_action(self, token):
        cdef int32_t action
        cdef bytes text = token.encode("utf-8", "surrogatepass")
        self.check(self.api.string_to_action(self.handle, text, len(text), &action))
        return action

    def serialize(self):
        status, length, _ = self.into("serialize", 0, None)
        assert status == TILERY_BUFFER_TOO_SMALL
        status, again, content = self.into("serialize", 0, length)
        assert (status, again) == (TILERY_OK, length)
        return content

    def deserialize(self, bytes data):
        self.check(self.api.deserialize(self.handle, <const char *> data, len(data), self.bytes))

    # Small buffers of numbers, and pointers that are none.

    def lists_into(self, uint32_t capacity):
        """(status, count) of the calls that write lists, and whether the buffers were left alone."""
        cdef int32_t[64] actions
        cdef uint32_t[64] weights
        cdef float[64] values
        cdef uint32_t[3] counts
        cdef uint32_t total
        assert capacity <= 64
        memset(actions, GUARD, sizeof(actions))
        memset(weights, GUARD, sizeof(weights))
        memset(values, GUARD, sizeof(values))
        statuses = [
            self.api.legal_actions(self.handle, self.bytes, actions, capacity, &counts[0]),
            self.api.chance_outcomes(self.handle, self.bytes, actions, weights, capacity, &counts[1], &total),
            self.api.observation_tensor(self.handle, self.bytes, 0, values, capacity, &counts[2]),
        ]
        untouched = bytes([GUARD] * sizeof(actions))
        whole = [(<char *> actions)[:sizeof(actions)], (<char *> weights)[:sizeof(weights)],
                 (<char *> values)[:sizeof(values)]]
        return list(zip(statuses, [counts[0], counts[1], counts[2]])), all(one == untouched for one in whole)

    def nulls(self):
        """The statuses of calls with a pointer that is null or misaligned."""
        cdef int32_t action
        cdef tilery_game *game
        return [
            self.api.initial_state(self.handle, NULL),
            self.api.initial_state(self.handle, <char *> self.bytes + 4),
            self.api.deserialize(self.handle, <const char *> b"", 0, NULL),
            self.api.deserialize(self.handle, NULL, 5, self.bytes),
            self.api.string_to_action(self.handle, NULL, 5, &action),
            self.api.string_to_action(self.handle, <const char *> b"1", 1, NULL),
            self.api.new_game(NULL, 1, &game),
            self.api.new_game(NULL, 0, NULL),
            self.api.action_to_string(self.handle, 0, NULL, 100, NULL),
            self.api.legal_actions(self.handle, self.bytes, NULL, 1 << 30, NULL),
        ]

    # Whole games.

    def playout(self, uint64_t seed, uint64_t index):
        """Plays to the end inside the engine; actions and decisions."""
        cdef tilery_rng rng
        cdef tilery_played played
        self.api.seed_rng(&rng, seed, index)
        with nogil:
            self.api.playout(self.handle, self.bytes, &rng, &played)
        return played.actions, played.decisions

    def play(self, uint64_t seed, uint64_t index):
        """The same, call by call; actions and decisions."""
        cdef tilery_rng rng
        cdef tilery_played played = tilery_played(0, 0)
        self.api.seed_rng(&rng, seed, index)
        with nogil:
            while not self.api.is_terminal(self.handle, self.bytes):
                played.decisions += self.api.current_player(self.handle, self.bytes) >= 0
                self.api.apply_action(self.handle, self.bytes, self.api.random_action(self.handle, self.bytes, &rng))
                played.actions += 1
        return played.actions, played.decisions

    def play_by_index(self, uint64_t seed, uint64_t index):
        """The same once more, choosing by hand."""
        cdef tilery_rng rng
        cdef uint32_t n
        self.api.seed_rng(&rng, seed, index)
        while not self.is_terminal():
            if self.is_chance_node():
                ids, weights, total = self.weights()
                share = self.api.below(&rng, total)
                i = int(np.searchsorted(np.cumsum(weights), share, side="right"))
                assert self.legal_action(i) == ids[i]
                self.apply_action(ids[i])
            else:
                n = self.api.num_legal_actions(self.handle, self.bytes)
                self.apply_action(self.legal_action(self.api.below(&rng, n)))

    def random_action(self):
        cdef tilery_rng rng
        self.api.seed_rng(&rng, 1, 1)
        return self.check(self.api.random_action(self.handle, self.bytes, &rng))


def draws(game, uint64_t seed, uint64_t index, int n):
    """The first outputs of a stream."""
    cdef const tilery_api *api = api_of(game)
    cdef tilery_rng rng
    api.seed_rng(&rng, seed, index)
    return [api.next(&rng) for _ in range(n)]
