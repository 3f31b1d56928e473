# SPDX-License-Identifier: MIT
"""The engine for Cython: `from tilery.capi cimport tilery_api, tilery_game, api_of, handle_of`.

tilery/capi.h documents every member of the table, and docs/embedding.md shows a bot.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_Import
from libc.stdint cimport int32_t, uint32_t, uint64_t


cdef extern from "tilery/capi.h" nogil:
    enum:
        TILERY_API_VERSION
        TILERY_CHANCE
        TILERY_TERMINAL
        TILERY_MAX_PLAYERS
        TILERY_OK
        TILERY_ILLEGAL_ACTION
        TILERY_PARSE_ERROR
        TILERY_OPTION_ERROR
        TILERY_STATE_DATA_ERROR
        TILERY_BUFFER_TOO_SMALL
        TILERY_BAD_ARGUMENT
        TILERY_INTERNAL_ERROR

    ctypedef int32_t tilery_status

    ctypedef struct tilery_policy:
        pass

    ctypedef struct tilery_game:
        pass

    ctypedef struct tilery_rng:
        uint64_t s0
        uint64_t s1

    ctypedef struct tilery_played:
        uint32_t actions
        uint32_t decisions

    ctypedef struct tilery_api:
        uint32_t version
        uint32_t struct_size
        const char *name
        size_t state_size
        const char *(*last_error)() noexcept nogil
        tilery_status (*new_game)(const char *const *options, size_t count,
                                  tilery_game **game) noexcept nogil
        void (*free_game)(tilery_game *game) noexcept nogil
        int32_t (*num_players)(const tilery_game *game) noexcept nogil
        int32_t (*num_distinct_actions)(const tilery_game *game) noexcept nogil
        int32_t (*max_game_length)(const tilery_game *game) noexcept nogil
        tilery_status (*initial_state)(const tilery_game *game, void *state) noexcept nogil
        int32_t (*current_player)(const tilery_game *game, const void *state) noexcept nogil
        int32_t (*is_terminal)(const tilery_game *game, const void *state) noexcept nogil
        int32_t (*num_legal_actions)(const tilery_game *game, const void *state) noexcept nogil
        tilery_status (*legal_actions)(const tilery_game *game, const void *state, int32_t *actions,
                                       uint32_t capacity, uint32_t *count) noexcept nogil
        int32_t (*legal_action)(const tilery_game *game, const void *state,
                                uint32_t i) noexcept nogil
        int32_t (*is_legal)(const tilery_game *game, const void *state,
                            int32_t action) noexcept nogil
        tilery_status (*chance_outcomes)(const tilery_game *game, const void *state,
                                         int32_t *outcomes, uint32_t *weights, uint32_t capacity,
                                         uint32_t *count, uint32_t *total) noexcept nogil
        void (*scores)(const tilery_game *game, const void *state, int32_t *scores) noexcept nogil
        void (*returns)(const tilery_game *game, const void *state, double *returns) noexcept nogil
        void (*apply_action)(const tilery_game *game, void *state, int32_t action) noexcept nogil
        tilery_status (*apply_checked)(const tilery_game *game, void *state,
                                       int32_t action) noexcept nogil
        void (*seed_rng)(tilery_rng *rng, uint64_t seed, uint64_t index) noexcept nogil
        uint64_t (*next)(tilery_rng *rng) noexcept nogil
        uint32_t (*below)(tilery_rng *rng, uint32_t n) noexcept nogil
        int32_t (*random_action)(const tilery_game *game, const void *state,
                                 tilery_rng *rng) noexcept nogil
        void (*playout)(const tilery_game *game, void *state, tilery_rng *rng,
                        tilery_played *played) noexcept nogil
        tilery_status (*determinize)(const tilery_game *game, void *state, int32_t player,
                                     tilery_rng *rng) noexcept nogil
        tilery_status (*information_state_string)(const tilery_game *game, const void *state,
                                                  int32_t player, char *buffer, size_t capacity,
                                                  size_t *length) noexcept nogil
        tilery_status (*observation_tensor)(const tilery_game *game, const void *state,
                                            int32_t player, float *values, uint32_t capacity,
                                            uint32_t *count) noexcept nogil
        tilery_status (*action_to_string)(const tilery_game *game, int32_t action, char *buffer,
                                          size_t capacity, size_t *length) noexcept nogil
        tilery_status (*string_to_action)(const tilery_game *game, const char *token, size_t length,
                                          int32_t *action) noexcept nogil
        tilery_status (*to_string)(const tilery_game *game, const void *state, char *buffer,
                                   size_t capacity, size_t *length) noexcept nogil
        tilery_status (*serialize)(const tilery_game *game, const void *state, void *buffer,
                                   size_t capacity, size_t *length) noexcept nogil
        tilery_status (*deserialize)(const tilery_game *game, const void *data, size_t length,
                                     void *state) noexcept nogil
        uint64_t (*hash_state)(const tilery_game *game, const void *state) noexcept nogil
        int32_t (*same_position)(const tilery_game *game, const void *a,
                                 const void *b) noexcept nogil
        void (*apply_nth)(const tilery_game *game, void *state, uint32_t i) noexcept nogil
        tilery_status (*new_policy)(const tilery_game *game, const char *text,
                                    tilery_policy **policy) noexcept nogil
        void (*free_policy)(tilery_policy *policy) noexcept nogil
        int32_t (*choose)(tilery_policy *policy, const void *state,
                          tilery_rng *rng) noexcept nogil


cdef inline const tilery_api *api_of(object game) except NULL:
    """The table for a Python Game; it is never freed."""
    cdef bytes name = f"tilery.{game.name}._C_API".encode()
    cdef const tilery_api *api = <const tilery_api *> PyCapsule_Import(name, 0)
    if api.version != TILERY_API_VERSION or api.struct_size < sizeof(tilery_api):
        raise ImportError(f"compiled for another tilery: its C table is version {api.version}, "
                          f"wanted {TILERY_API_VERSION}, or is shorter than the header said")
    return api


cdef inline const tilery_game *handle_of(object game) except NULL:
    """A Python Game for its table; good as long as the Python object lives, so hold on to that."""
    cdef bytes name = f"tilery.{game.name}.Game".encode()
    return <const tilery_game *> PyCapsule_GetPointer(game._c_handle(), name)
