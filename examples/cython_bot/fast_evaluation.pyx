# SPDX-License-Identifier: MIT
"""evaluation.py in Cython: it reads positions as plain structs (tilery/views/carcassonne.h), without Python in between.

`choose` is the policy, `search` the search of the engine with the same evaluation at its leaves.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
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

cdef extern from "tilery/views/carcassonne.h" nogil:
    enum:
        TILERY_CARCASSONNE_CITY
        TILERY_CARCASSONNE_MOST_FEATURES
    ctypedef struct tilery_carcassonne_feature:
        int16_t points
        uint16_t open_ends
        uint8_t kind
        uint8_t complete
        uint8_t meeples[6]

cdef enum:
    WORDS = 512  # TILERY_MAX_STATE_SIZE bytes, aligned

cdef double OUT = 1.5
cdef double HOPE = 0.5


cdef void value(const tilery_game *game, const void *state, void *data, double *worth) noexcept nogil:
    """A tilery_value: what I think each player will have. `data` is the table."""
    cdef const tilery_api *api = <const tilery_api *> data
    cdef tilery_carcassonne_feature[TILERY_CARCASSONNE_MOST_FEATURES] features
    cdef const tilery_carcassonne_feature *feature
    cdef int32_t[TILERY_MAX_PLAYERS] points
    cdef int32_t players = api.num_players(game), seat
    cdef uint32_t count = 0, i
    cdef uint8_t most
    api.scores_if_over(game, state, points)
    for seat in range(players):
        worth[seat] = points[seat]
    api.view(game, state, "features", sizeof(features[0]), features, TILERY_CARCASSONNE_MOST_FEATURES, &count)
    for i in range(count):
        feature = &features[i]
        most = 0
        for seat in range(players):
            most = max(most, feature.meeples[seat])
        if most == 0:
            continue
        for seat in range(players):
            worth[seat] -= OUT * feature.meeples[seat]
            if feature.meeples[seat] == most and feature.kind == TILERY_CARCASSONNE_CITY and not feature.complete:
                worth[seat] += HOPE * feature.points / (1 + feature.open_ends)


cdef int32_t best_action(const tilery_api *api, const tilery_game *game, const void *state, int32_t *actions,
                         uint32_t capacity) noexcept nogil:
    cdef uint64_t[WORDS] after
    cdef double[TILERY_MAX_PLAYERS] worth
    cdef double lead, most = -1e300
    cdef int32_t player = api.current_player(game, state), best = -1, seat
    cdef uint32_t count = 0, i
    api.legal_actions(game, state, actions, capacity, &count)
    for i in range(count):
        memcpy(after, state, api.state_size)
        api.apply_nth(game, after, i)
        value(game, after, <void *> api, worth)
        lead = 1e300
        for seat in range(api.num_players(game)):
            if seat != player:
                lead = min(lead, worth[player] - worth[seat])
        if lead > most:
            best, most = actions[i], lead
    return best


def choose(state):
    """A policy: the action after which the player to act leads the best other by most."""
    cdef const tilery_api *api = api_of(state.game)
    cdef const tilery_game *game = handle_of(state.game)
    cdef uint64_t[WORDS] root
    cdef int32_t[:] actions = np.empty(state.game.num_distinct_actions, np.int32)
    cdef bytes data = state.serialize()
    if api.deserialize(game, <const char *> data, len(data), root) != TILERY_OK:
        raise ValueError(api.last_error().decode())
    return best_action(api, game, root, &actions[0], len(actions))


def search(state, rng):
    """A policy: `mcts` with 1000 simulations and this evaluation."""
    cdef const tilery_api *api = api_of(state.game)
    cdef uint64_t[WORDS] root
    cdef tilery_policy *policy = NULL
    cdef tilery_rng luck
    cdef bytes data = state.serialize()
    cdef int32_t action
    api.seed_rng(&luck, int(rng.integers(1 << 63)), 0)
    if (api.deserialize(handle_of(state.game), <const char *> data, len(data), root) != TILERY_OK
            or api.new_search(handle_of(state.game), "mcts:1000", value, NULL, <void *> api, &policy) != TILERY_OK):
        raise ValueError(api.last_error().decode())
    with nogil:
        action = api.choose(policy, root, &luck)
        api.free_policy(policy)
    if action < 0:
        raise ValueError(api.last_error().decode())
    return action
