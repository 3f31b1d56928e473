# SPDX-License-Identifier: MIT
"""evaluation.py in Cython: it reads positions as plain structs (tilery/views/pueblo.h), without Python in between.

`choose` is the policy, `search` the search of the engine with the same evaluation at its leaves, which tries actions in the
order in which `choose` prefers them.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

from tilery.capi cimport (
    TILERY_MAX_PLAYERS,
    TILERY_OK,
    api_of,
    handle_of,
    tilery_api,
    tilery_game,
    tilery_policy,
    tilery_rng,
)

cdef extern from "tilery/views/pueblo.h" nogil:
    ctypedef struct tilery_pueblo_square:
        uint8_t height
        int8_t owner

cdef enum:
    WORDS = 512  # TILERY_MAX_STATE_SIZE bytes, aligned

cdef double RISK = 0.25


cdef inline double risk(const tilery_pueblo_square *squares, int square, int beside, bint on_site) noexcept nogil:
    """Of the side of a cube towards the next square, which may be beyond the site."""
    cdef int above = squares[square].height - (squares[beside].height if on_site else 0)
    return RISK * above if above > 0 else 0


cdef void value(const tilery_game *game, const void *state, void *data, double *worth) noexcept nogil:
    """A tilery_value: what I think each player will have. `data` is the table."""
    cdef const tilery_api *api = <const tilery_api *> data
    cdef tilery_pueblo_square[64] squares
    cdef int32_t[TILERY_MAX_PLAYERS] points
    cdef int32_t players = api.num_players(game), owner, seat
    cdef int square, rank, file
    api.scores_if_over(game, state, points)
    for seat in range(players):
        worth[seat] = points[seat]
    api.view(game, state, "squares", sizeof(squares[0]), squares, 64, NULL)
    for rank in range(8):
        for file in range(8):
            square = 8 * rank + file
            owner = squares[square].owner
            if 0 <= owner < players:
                worth[owner] += risk(squares, square, square - 8, rank > 0)
                worth[owner] += risk(squares, square, square + 8, rank < 7)
                worth[owner] += risk(squares, square, square - 1, file > 0)
                worth[owner] += risk(squares, square, square + 1, file < 7)


cdef void order(const tilery_game *game, const void *state, void *data, const int32_t *actions, uint32_t count,
                double *priorities) noexcept nogil:
    """A tilery_order: by how much the player to act is ahead of the best other after each action."""
    cdef const tilery_api *api = <const tilery_api *> data
    cdef uint64_t[WORDS] after
    cdef double[TILERY_MAX_PLAYERS] worth
    cdef int32_t player = api.current_player(game, state), seat
    cdef uint32_t i
    for i in range(count):
        memcpy(after, state, api.state_size)
        api.apply_action(game, after, actions[i])
        value(game, after, data, worth)
        priorities[i] = 1e6
        for seat in range(api.num_players(game)):
            if seat != player:
                priorities[i] = min(priorities[i], worth[seat] - worth[player])  # few points are good


def choose(state):
    """A policy: the action after which the player to act is the farthest ahead of the best other."""
    cdef const tilery_api *api = api_of(state.game)
    cdef const tilery_game *game = handle_of(state.game)
    cdef uint64_t[WORDS] root
    cdef int32_t[:] actions
    cdef double[:] priorities
    cdef bytes data = state.serialize()
    if api.deserialize(game, <const char *> data, len(data), root) != TILERY_OK:
        raise ValueError(api.last_error().decode())
    actions = np.empty(api.num_legal_actions(game, root), np.int32)
    priorities = np.empty(len(actions))
    api.legal_actions(game, root, &actions[0], len(actions), NULL)
    order(game, root, <void *> api, &actions[0], len(actions), &priorities[0])
    return actions[np.argmax(priorities)]


def search(state, rng):
    """A policy: `mcts` with 1000 simulations, this evaluation and this order of actions."""
    cdef const tilery_api *api = api_of(state.game)
    cdef uint64_t[WORDS] root
    cdef tilery_policy *policy = NULL
    cdef tilery_rng luck
    cdef bytes data = state.serialize()
    cdef int32_t action
    api.seed_rng(&luck, int(rng.integers(1 << 63)), 0)
    if (api.deserialize(handle_of(state.game), <const char *> data, len(data), root) != TILERY_OK
            or api.new_search(handle_of(state.game), "mcts:1000", value, order, <void *> api, &policy) != TILERY_OK):
        raise ValueError(api.last_error().decode())
    with nogil:
        action = api.choose(policy, root, &luck)
        api.free_policy(policy)
    if action < 0:
        raise ValueError(api.last_error().decode())
    return action
