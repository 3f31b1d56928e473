/* SPDX-License-Identifier: MIT */
/* The engine for C, Cython and every language that can call C: one table of functions per game.
 * docs/embedding.md shows how to come by a table and a game, and a bot written on them.
 *
 * A game (tilery_game) is the rules with all options fixed. It never changes, and any number of
 * threads may use it at once.
 *
 * A state is `state_size` bytes in the caller's memory, aligned to 8. It holds no pointer: memcpy
 * copies it, and the copy is the undo. It means something only together with a game of the same
 * options. A state, like a random stream, is for one thread at a time.
 *
 * Actions are ids in [0, num_distinct_actions), the same as in Python; players are numbers from 0.
 *
 * Nothing here needs Python or its GIL. No exception leaves a call, and the calls marked `hot`
 * neither allocate nor lock, unless they refuse. A tilery_status is TILERY_OK or says what is wrong
 * with the input, and last_error() says it in words; legal_action and random_action answer an id or,
 * being negative, such a status. What is asked with bad input is not done, and nothing of the
 * caller's is changed but `length`, `count` and `total`.
 *
 * States are trusted, and so are games: hand in nothing but what initial_state, deserialize, the
 * calls that play on from there, and memcpy have written, with the table of that very game. Bytes
 * from elsewhere come in through deserialize, which checks them. */
#ifndef TILERY_CAPI_H
#define TILERY_CAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves when a member of the table changes its meaning. New members are added at the end and move
 * struct_size alone. A table is good for a program compiled with this header if
 *
 *     api->version == TILERY_API_VERSION && api->struct_size >= sizeof(tilery_api)
 */
#define TILERY_API_VERSION 1

/* What current_player answers when it is no player's turn. */
#define TILERY_CHANCE (-1)
#define TILERY_TERMINAL (-4)

/* No game has more players. */
#define TILERY_MAX_PLAYERS 5

typedef int32_t tilery_status;
enum {
    TILERY_OK = 0,
    TILERY_ILLEGAL_ACTION = -1,   /* an id that is not legal in the state */
    TILERY_PARSE_ERROR = -2,      /* a token that cannot be read, or an id that has none */
    TILERY_OPTION_ERROR = -3,     /* an unknown option, or a value that is not allowed */
    TILERY_STATE_DATA_ERROR = -4, /* bytes that are no serialized state of this game */
    TILERY_BUFFER_TOO_SMALL = -5, /* `length` or `count` says how much room it takes */
    TILERY_BAD_ARGUMENT = -6,     /* a null or misaligned pointer, a player or index out of range */
    TILERY_INTERNAL_ERROR = -7    /* out of memory, or a defect of the engine */
};

/* The rules of a game with all options fixed; never changes. */
typedef struct tilery_game tilery_game;

/* A random stream of docs/interface.md, made by seed_rng. Copying it repeats its numbers. */
typedef struct tilery_rng {
    uint64_t s0, s1;
} tilery_rng;

/* How long a playout was. */
typedef struct tilery_played {
    uint32_t actions;   /* chance included */
    uint32_t decisions; /* by players alone */
} tilery_played;

/* The table of a game.
 *
 * Text and bytes are written into a buffer of `capacity` bytes; `*length` becomes their number,
 * also when that is too many: then nothing else is written. Text ends with a zero byte that
 * `*length` does not count and that needs room as well. Asking with a null buffer of capacity 0 is
 * the way to learn the length. Lists work alike, with capacity and `*count` in items. Whoever does
 * not care passes null for `length`, `count` or `total`. */
typedef struct tilery_api {
    uint32_t version;     /* TILERY_API_VERSION of the engine */
    uint32_t struct_size; /* bytes of the engine's tilery_api */
    const char* name;     /* of the game, as tilery.load() takes it */
    size_t state_size;    /* bytes of a state */

    /* What was wrong with the last input that was refused on this thread; "" before any was. The
     * text stands until this thread's next refusal. */
    const char* (*last_error)(void);

    /* --- Games. A game that Python made lives as long as its Python object. --- */

    /* Makes a game from options written as OPTION=VALUE ("players=3", "demolition=true"); what is
     * not said stays at its default. Boards and maps of one's own come in through Python alone.
     * The caller owns the game and gives it back to free_game. */
    tilery_status (*new_game)(const char* const* options, size_t count, tilery_game** game);
    void (*free_game)(tilery_game* game); /* of new_game, or null; of Python never */

    int32_t (*num_players)(const tilery_game* game);
    int32_t (*num_distinct_actions)(const tilery_game* game);
    /* An upper bound on the actions of any game, chance included. */
    int32_t (*max_game_length)(const tilery_game* game);

    /* --- Ask a state. --- */

    tilery_status (*initial_state)(const tilery_game* game, void* state); /* hot */
    /* The player to act, TILERY_CHANCE or TILERY_TERMINAL. hot */
    int32_t (*current_player)(const tilery_game* game, const void* state);
    int32_t (*is_terminal)(const tilery_game* game, const void* state); /* 1 or 0. hot */
    /* Legal actions, ascending; at a chance node its outcomes, none when the game is over. hot
     * Room for num_distinct_actions is always enough. */
    int32_t (*num_legal_actions)(const tilery_game* game, const void* state);
    tilery_status (*legal_actions)(const tilery_game* game, const void* state, int32_t* actions, uint32_t capacity,
                                   uint32_t* count);
    int32_t (*legal_action)(const tilery_game* game, const void* state, uint32_t i); /* the i-th, from 0 */
    int32_t (*is_legal)(const tilery_game* game, const void* state, int32_t action); /* any number; 1 or 0 */
    /* Outcomes of a chance node, ascending, and their weights, of which the sum is `*total`; none
     * (and a total of 0) at any other state. hot */
    tilery_status (*chance_outcomes)(const tilery_game* game, const void* state, int32_t* outcomes, uint32_t* weights,
                                     uint32_t capacity, uint32_t* count, uint32_t* total);
    /* Of all players, into room for num_players: the points at this moment, and the utilities in
     * [-1, 1], zeros until the game is over. hot */
    void (*scores)(const tilery_game* game, const void* state, int32_t* scores);
    void (*returns)(const tilery_game* game, const void* state, double* returns);

    /* --- Play on. --- */

    void (*apply_action)(const tilery_game* game, void* state, int32_t action); /* trusts: a legal action. hot */
    /* Any number: TILERY_ILLEGAL_ACTION leaves the state as it was. hot */
    tilery_status (*apply_checked)(const tilery_game* game, void* state, int32_t action);

    /* --- Luck: the streams and the random policy of docs/interface.md. hot --- */

    void (*seed_rng)(tilery_rng* rng, uint64_t seed, uint64_t index); /* the stream of game `index` under `seed` */
    uint64_t (*next)(tilery_rng* rng);
    uint32_t (*below)(tilery_rng* rng, uint32_t n); /* in [0, n), by one draw */
    /* A legal action, all alike, or an outcome by its weight: by one draw; TILERY_BAD_ARGUMENT and
     * no draw when the game is over. */
    int32_t (*random_action)(const tilery_game* game, const void* state, tilery_rng* rng);
    /* Plays at random to the end of the game; `played` may be null. */
    void (*playout)(const tilery_game* game, void* state, tilery_rng* rng, tilery_played* played);

    /* --- What a player knows. --- */

    /* Makes the state one drawn from all those that the player cannot tell from it. */
    tilery_status (*determinize)(const tilery_game* game, void* state, int32_t player, tilery_rng* rng);
    /* One line of JSON. */
    tilery_status (*information_state_string)(const tilery_game* game, const void* state, int32_t player, char* buffer,
                                              size_t capacity, size_t* length);
    /* The numbers of observation_tensor() in C order. */
    tilery_status (*observation_tensor)(const tilery_game* game, const void* state, int32_t player, float* values,
                                        uint32_t capacity, uint32_t* count);

    /* --- Text, bytes, identity. --- */

    tilery_status (*action_to_string)(const tilery_game* game, int32_t action, char* buffer, size_t capacity,
                                      size_t* length);
    tilery_status (*string_to_action)(const tilery_game* game, const char* token, size_t length, int32_t* action);
    /* A board a person can read. */
    tilery_status (*to_string)(const tilery_game* game, const void* state, char* buffer, size_t capacity,
                               size_t* length);
    /* The bytes of state.serialize() in Python, and back with every check. */
    tilery_status (*serialize)(const tilery_game* game, const void* state, void* buffer, size_t capacity,
                               size_t* length);
    tilery_status (*deserialize)(const tilery_game* game, const void* data, size_t length, void* state);
    /* Equal positions have equal hashes, also where their bytes differ. */
    uint64_t (*hash_state)(const tilery_game* game, const void* state);
    int32_t (*same_position)(const tilery_game* game, const void* a, const void* b); /* 1 or 0 */
} tilery_api;

/* The table of the game of this name, or null. Only for programs that link the library tilery_c;
 * from Python the tables come as capsules `tilery.<game>._C_API`. */
const tilery_api* tilery_find_api(const char* name);

#ifdef __cplusplus
}
#endif

#endif
