# SPDX-License-Identifier: MIT
"""A flat Monte Carlo bot for any game, in Cython on the table of tilery/capi.h: it plays whole games without the GIL.

README.md in this folder says how to build and run it.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from tilery.capi cimport (
    TILERY_MAX_PLAYERS,
    TILERY_OK,
    TILERY_TERMINAL,
    api_of,
    handle_of,
    tilery_api,
    tilery_game,
    tilery_policy,
    tilery_rng,
)


cdef int32_t best_action(const tilery_api *api, const tilery_game *game, const void *state, void *trial,
                         int32_t *actions, uint32_t capacity, int playouts, tilery_rng *rng) noexcept nogil:
    """The action with the best mean return over this many playouts each, for the player to act."""
    cdef int32_t player = api.current_player(game, state)
    cdef int32_t best = -1
    cdef double mean, best_mean = 0
    cdef double[TILERY_MAX_PLAYERS] returns
    cdef uint32_t count = 0, i
    cdef int k
    api.legal_actions(game, state, actions, capacity, &count)
    for i in range(count):
        mean = 0
        for k in range(playouts):
            memcpy(trial, state, api.state_size)
            api.determinize(game, trial, player, rng)  # a bot must not peek
            api.apply_action(game, trial, actions[i])
            api.playout(game, trial, rng, NULL)
            api.returns(game, trial, returns)
            mean += returns[player] / playouts
        if best < 0 or mean > best_mean:
            best, best_mean = actions[i], mean
    return best


cdef void play_game(const tilery_api *api, const tilery_game *game, void *state, void *trial, int32_t *actions,
                    uint32_t capacity, int playouts, tilery_policy *others, tilery_rng *rng) noexcept nogil:
    """The bot on seat 0 against a policy, to the end."""
    cdef int32_t player
    api.initial_state(game, state)
    while True:
        player = api.current_player(game, state)
        if player == TILERY_TERMINAL:
            return
        if player == 0 and playouts > 0:
            api.apply_action(game, state, best_action(api, game, state, trial, actions, capacity, playouts, rng))
        elif player >= 0:
            api.apply_action(game, state, api.choose(others, state, rng))
        else:
            api.apply_action(game, state, api.random_action(game, state, rng))  # chance


cdef class Memory:
    """Two states and room for a list of actions."""

    cdef void *state
    cdef void *trial
    cdef int32_t *actions
    cdef uint32_t capacity

    def __cinit__(self, game):
        cdef const tilery_api *api = api_of(game)
        self.capacity = game.num_distinct_actions
        self.state, self.trial = malloc(api.state_size), malloc(api.state_size)
        self.actions = <int32_t *> malloc(self.capacity * sizeof(int32_t))
        if not self.state or not self.trial or not self.actions:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)
        free(self.trial)
        free(self.actions)


def choose(root, luck):
    """A policy of docs/bots.md: `py:bot:choose`; `tilery bot py:bot:choose` is a program (docs/protocol.md)."""
    cdef const tilery_api *api = api_of(root.game)
    cdef const tilery_game *handle = handle_of(root.game)  # good as long as `root` holds its game
    cdef Memory memory = Memory(root.game)
    cdef bytes data = root.serialize()
    cdef tilery_rng rng
    cdef int32_t action
    if api.deserialize(handle, <const char *> data, len(data), memory.state) != TILERY_OK:
        raise ValueError(api.last_error().decode())
    api.seed_rng(&rng, int(luck.integers(1 << 63)), 0)
    with nogil:
        action = best_action(api, handle, memory.state, memory.trial, memory.actions, memory.capacity, 20, &rng)
    return action


def play(game, int playouts, uint64_t seed, uint64_t index=0, policy="random"):
    """The scores of game `index` under `seed` against a policy; with 0 playouts it plays seat 0 as well."""
    cdef const tilery_api *api = api_of(game)
    cdef const tilery_game *handle = handle_of(game)  # good as long as `game`, which we were handed
    cdef Memory memory = Memory(game)
    cdef int32_t[TILERY_MAX_PLAYERS] scores
    cdef tilery_policy *others = NULL
    cdef tilery_rng rng
    try:
        if api.new_policy(handle, policy.encode(), &others) != TILERY_OK:
            raise ValueError(api.last_error().decode())
        api.seed_rng(&rng, seed, index)
        with nogil:
            play_game(api, handle, memory.state, memory.trial, memory.actions, memory.capacity, playouts, others, &rng)
            api.scores(handle, memory.state, scores)
        return [scores[player] for player in range(game.num_players)]
    finally:
        api.free_policy(others)
