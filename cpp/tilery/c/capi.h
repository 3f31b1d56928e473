/* SPDX-License-Identifier: MIT */
/* The engine for C, Cython and every language that can call C: one table of functions per game.
 * docs/embedding.md shows how to get a table and a game, and a bot that uses them.
 *
 * A game (tilery_game) is the rules with all options fixed. It never changes, and any number of
 * threads may use it at once.
 *
 * A state is `state_size` bytes in the caller's memory, aligned to 8. It contains no pointers: memcpy
 * copies it, and a copy is the undo. It has a meaning only together with a game of the same options. A
 * state, like a random stream, may be used by one thread at a time.
 *
 * Actions are ids in [0, num_distinct_actions), the same as in Python; players are numbers from 0.
 *
 * Nothing here needs Python or its GIL. No exception leaves a call. The calls marked `hot` neither
 * allocate nor lock, unless they fail. A tilery_status is TILERY_OK or says what is wrong with the
 * input; last_error() says it in words. legal_action and random_action return an id or, if negative,
 * such a status. A call that fails does nothing and changes nothing but `length`, `count` and `total`.
 *
 * Pointers must not be null where no comment says that they may be; some calls check that. States and
 * games are not checked: pass only states written by initial_state, by deserialize, by the calls that
 * play on from them or by memcpy, and only with the table of their own game. deserialize checks bytes
 * from elsewhere. */
#ifndef TILERY_CAPI_H
#define TILERY_CAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a member of the table changes its meaning. New members are added at the end and change
 * only struct_size. A table can be used by a program compiled with this header if
 *
 *     api->version == TILERY_API_VERSION && api->struct_size >= sizeof(tilery_api)
 */
#define TILERY_API_VERSION 1

/* What current_player returns when no player is to act. */
#define TILERY_CHANCE (-1)
#define TILERY_TERMINAL (-4)

/* No game has more players, and none has states of more bytes: buffers of these sizes hold any. */
#define TILERY_MAX_PLAYERS 5
#define TILERY_MAX_STATE_SIZE 4096

/* What action_seen_by says of an action that the player does not see. */
#define TILERY_UNSEEN (-1)

/* For picture: a drawing that shows all hands, and one that marks no action. */
#define TILERY_EVERYBODY (-1)
#define TILERY_NO_ACTION (-1)
/* For draw: all of a picture, the board, what belongs next to it, and that as JSON. TILERY_TURN is added for each
 * quarter turn, 1 to 3, of what is drawn as a solid. */
#define TILERY_PART_ALL 0
#define TILERY_PART_BOARD 1
#define TILERY_PART_PANEL 2
#define TILERY_PART_DATA 3
#define TILERY_TURN 4

typedef int32_t tilery_status;
enum {
    TILERY_OK = 0,
    TILERY_ILLEGAL_ACTION = -1,   /* an id that is not legal in the state */
    TILERY_PARSE_ERROR = -2,      /* a token that cannot be read, or an id that has none */
    TILERY_OPTION_ERROR = -3,     /* an unknown option, or a value that is not allowed */
    TILERY_STATE_DATA_ERROR = -4, /* bytes that are not a serialized state of this game */
    TILERY_BUFFER_TOO_SMALL = -5, /* `length` or `count` says how much is needed */
    TILERY_BAD_ARGUMENT = -6,     /* a null or misaligned pointer, a player or index out of range */
    TILERY_INTERNAL_ERROR = -7    /* out of memory, or a defect of the engine */
};

/* The rules of a game with all options fixed; never changes. */
typedef struct tilery_game tilery_game;

/* What chooses actions in one game, made by new_policy or new_search. */
typedef struct tilery_policy tilery_policy;

/* An evaluation by the caller: writes what a position is worth to each player, numbers from -1e6 to 1e6, into an array
 * of num_players; in points as scores counts them, or on any other scale. The state is a decision, with hidden things
 * dealt as the searching player may expect them. `data` is what the caller of the search gave. A NaN ends the search.
 */
typedef void (*tilery_value)(const tilery_game* game, const void* state, void* data, double* points);

/* An order of actions by the caller: writes a priority, from -1e6 to 1e6, for each of `count` legal actions of a
 * decision. A search tries those with the greatest first. */
typedef void (*tilery_order)(const tilery_game* game, const void* state, void* data, const int32_t* actions,
                             uint32_t count, double* priorities);

/* A game in progress that takes chance itself and keeps the legal actions of its decision, made by new_driver. */
typedef struct tilery_driver tilery_driver;

/* A random stream of docs/interface.md, made by seed_rng. Copying it repeats its numbers. */
typedef struct tilery_rng {
    uint64_t s0, s1;
} tilery_rng;

/* The same as `next` and `below` of every table, for the compiler to inline. hot */
static inline uint64_t tilery_next(tilery_rng* rng) {
    const uint64_t sum = rng->s0 + rng->s1, both = rng->s0 ^ rng->s1;
    const uint64_t result = (sum << 17 | sum >> 47) + rng->s0;
    rng->s0 = (rng->s0 << 49 | rng->s0 >> 15) ^ both ^ both << 21;
    rng->s1 = both << 28 | both >> 36;
    return result;
}
static inline uint32_t tilery_below(tilery_rng* rng, uint32_t n) {
    const uint64_t bits = tilery_next(rng);
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    return (uint32_t)((wide)bits * n >> 64);
#else
    return (uint32_t)(((bits >> 32) * n + ((bits & 0xFFFFFFFFU) * n >> 32)) >> 32);
#endif
}

/* The length of a playout. */
typedef struct tilery_played {
    uint32_t actions;   /* chance included */
    uint32_t decisions; /* by players only */
} tilery_played;

/* The table of a game.
 *
 * Text and bytes are written into a buffer of `capacity` bytes, and `*length` is set to their number. If
 * they do not fit, only `*length` is set. Text ends with a zero byte that needs room but is not counted
 * in `*length`. To get the length, pass a null buffer of capacity 0. Lists work in the same way, with
 * capacity and `*count` in items. `length`, `count` and `total` may be null. */
typedef struct tilery_api {
    uint32_t version;     /* TILERY_API_VERSION of the engine */
    uint32_t struct_size; /* bytes of the engine's tilery_api */
    const char* name;     /* of the game, as tilery.load() takes it */
    size_t state_size;    /* bytes of a state */

    /* What was wrong in the last call that failed on this thread; "" if none has. The text is valid
     * until the next call that fails on this thread. */
    const char* (*last_error)(void);

    /* --- Games. A game that Python made lives as long as its Python object. --- */

    /* Makes a game from options written as OPTION=VALUE ("players=3", "demolition=true"); all others
     * keep their defaults. Custom boards and maps can only be loaded from Python. The caller owns the
     * game and frees it with free_game. */
    tilery_status (*new_game)(const char* const* options, size_t count, tilery_game** game);
    void (*free_game)(tilery_game* game); /* made by new_game, or null; never one of Python's */

    int32_t (*num_players)(const tilery_game* game);
    int32_t (*num_distinct_actions)(const tilery_game* game);
    /* An upper bound on the actions of any game, chance included. */
    int32_t (*max_game_length)(const tilery_game* game);

    /* --- Query a state. --- */

    tilery_status (*initial_state)(const tilery_game* game, void* state); /* hot */
    /* The player to act, TILERY_CHANCE or TILERY_TERMINAL. hot */
    int32_t (*current_player)(const tilery_game* game, const void* state);
    int32_t (*is_terminal)(const tilery_game* game, const void* state); /* 1 or 0. hot */
    /* Legal actions, ascending; at a chance node its outcomes, none when the game is over. hot
     * A capacity of num_distinct_actions is always enough. What the buffer holds behind the actions may change. */
    int32_t (*num_legal_actions)(const tilery_game* game, const void* state);
    tilery_status (*legal_actions)(const tilery_game* game, const void* state, int32_t* actions, uint32_t capacity,
                                   uint32_t* count);
    int32_t (*legal_action)(const tilery_game* game, const void* state, uint32_t i); /* the i-th, from 0 */
    int32_t (*is_legal)(const tilery_game* game, const void* state, int32_t action); /* any number; 1 or 0 */
    /* Outcomes of a chance node, ascending, and their weights; `*total` is set to the sum of the weights.
     * In any other state there are none, and the total is 0. hot */
    tilery_status (*chance_outcomes)(const tilery_game* game, const void* state, int32_t* outcomes, uint32_t* weights,
                                     uint32_t capacity, uint32_t* count, uint32_t* total);
    /* For all players, into arrays of num_players: the points now, and the utilities in [-1, 1], which
     * are 0 until the game is over. hot */
    void (*scores)(const tilery_game* game, const void* state, int32_t* scores);
    void (*returns)(const tilery_game* game, const void* state, double* returns);

    /* --- Play on. --- */

    void (*apply_action)(const tilery_game* game, void* state, int32_t action); /* must be legal. hot */
    /* Takes any number: TILERY_ILLEGAL_ACTION leaves the state unchanged. hot */
    tilery_status (*apply_checked)(const tilery_game* game, void* state, int32_t action);

    /* --- Random streams and the random policy of docs/interface.md. hot --- */

    void (*seed_rng)(tilery_rng* rng, uint64_t seed, uint64_t index); /* the stream of game `index` under `seed` */
    uint64_t (*next)(tilery_rng* rng);
    uint32_t (*below)(tilery_rng* rng, uint32_t n); /* in [0, n), by one draw */
    /* A uniformly random legal action, or an outcome with probability proportional to its weight. Uses
     * exactly one draw. If the game is over: TILERY_BAD_ARGUMENT, no draw. */
    int32_t (*random_action)(const tilery_game* game, const void* state, tilery_rng* rng);
    /* Plays at random to the end of the game; `played` may be null. */
    void (*playout)(const tilery_game* game, void* state, tilery_rng* rng, tilery_played* played);

    /* --- What a player knows. --- */

    /* Replaces the state by one drawn from all those that the player cannot tell from it. */
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
    /* The board, for people. */
    tilery_status (*to_string)(const tilery_game* game, const void* state, char* buffer, size_t capacity,
                               size_t* length);
    /* The bytes of state.serialize() in Python, and back with every check. */
    tilery_status (*serialize)(const tilery_game* game, const void* state, void* buffer, size_t capacity,
                               size_t* length);
    tilery_status (*deserialize)(const tilery_game* game, const void* data, size_t length, void* state);
    /* Equal positions have equal hashes, also where their bytes differ. */
    uint64_t (*hash_state)(const tilery_game* game, const void* state);
    int32_t (*same_position)(const tilery_game* game, const void* a, const void* b); /* 1 or 0 */

    /* --- More of the above. --- */

    /* The numbers of an observation: the room that observation_tensor needs. */
    int32_t (*observation_size)(const tilery_game* game);
    int32_t (*fewest_points_win)(const tilery_game* game); /* 1 or 0: if the fewest points win, not the most */
    /* The options of the game as a JSON list of objects: name, default, about (a sentence), kind ("int" with low and
     * high, "bool", "choice" with choices, "file" with choices and allowed, "value" with allowed). */
    tilery_status (*options)(char* buffer, size_t capacity, size_t* length);
    /* Applies the i-th of legal_actions, from 0, without computing its id; TILERY_BAD_ARGUMENT unless there is one. hot
     */
    tilery_status (*apply_nth)(const tilery_game* game, void* state, uint32_t i);
    /* Why an action may not be applied: a sentence that begins with the number of a rule; "" if it may. */
    tilery_status (*why_illegal)(const tilery_game* game, const void* state, int32_t action, char* buffer,
                                 size_t capacity, size_t* length);
    /* What a player sees of a legal action about to be applied: its id, or TILERY_UNSEEN. */
    tilery_status (*action_seen_by)(const tilery_game* game, const void* state, int32_t player, int32_t action,
                                    int32_t* seen);
    /* For one player equal where information_state_string is equal, and different where it differs. May allocate. */
    tilery_status (*information_state_hash)(const tilery_game* game, const void* state, int32_t player, uint64_t* hash);
    /* What every spectator sees, as one line of JSON. */
    tilery_status (*public_state_string)(const tilery_game* game, const void* state, char* buffer, size_t capacity,
                                         size_t* length);
    /* The board as a player may see it, for a person to read. */
    tilery_status (*player_to_string)(const tilery_game* game, const void* state, int32_t player, char* buffer,
                                      size_t capacity, size_t* length);
    /* An action in words. */
    tilery_status (*describe_action)(const tilery_game* game, int32_t action, char* buffer, size_t capacity,
                                     size_t* length);

    /* --- Policies (docs/bots.md). --- */

    /* Makes a policy for this game from its text ("uct:1000"); TILERY_BAD_ARGUMENT lists what there is. The caller
     * owns it, gives it back to free_policy before the game goes, and uses it from one thread at a time. */
    tilery_status (*new_policy)(const tilery_game* game, const char* text, tilery_policy** policy);
    void (*free_policy)(tilery_policy* policy); /* of new_policy, or null */
    /* A legal action for the player to act, by one draw and by what that player knows; TILERY_BAD_ARGUMENT and no draw
     * at a chance node and when the game is over. The policy keeps nothing between calls but memory. */
    int32_t (*choose)(tilery_policy* policy, const void* state, tilery_rng* rng);

    /* --- Bounds. --- */

    int32_t (*num_chance_actions)(const tilery_game* game); /* the ids below it are those of chance outcomes */
    /* Upper bounds of any game: decisions of players, and chance outcomes. */
    int32_t (*max_decisions)(const tilery_game* game);
    int32_t (*max_chance_nodes)(const tilery_game* game);
    /* 1 or 0: whether a player does not know all of a state; if 0, determinize changes nothing. */
    int32_t (*hides_information)(const tilery_game* game);

    /* --- Pictures. --- */

    /* The things that a person points at, one after the other, to choose an action, as a JSON list:
     * ["cell:1,2","turn:3"]. */
    tilery_status (*picks)(const tilery_game* game, int32_t action, char* buffer, size_t capacity, size_t* length);
    /* One of these things in words, for a button. */
    tilery_status (*describe_pick)(const tilery_game* game, const char* pick, char* buffer, size_t capacity,
                                   size_t* length);
    /* The position as an SVG for a player, or for TILERY_EVERYBODY. `last` is the action before it, to be marked, or
     * TILERY_NO_ACTION. With `targets` (1 or 0), what the player to act may point at has an attribute data-pick. */
    tilery_status (*picture)(const tilery_game* game, const void* state, int32_t player, int32_t last, int32_t targets,
                             char* buffer, size_t capacity, size_t* length);

    /* --- What a page needs besides (docs/play.md). --- */

    /* All options of the game with their values, as in a record (rule G-8): a JSON object. */
    tilery_status (*rules)(const tilery_game* game, char* buffer, size_t capacity, size_t* length);
    /* What a search finds for the player to act, as a JSON object: player, simulations, best (an id) and actions, the
     * `most` most visited first: action, token, visits, share (of all visits), prior, utilities. One draw, none if the
     * call fails; TILERY_BAD_ARGUMENT where choose has it and for a policy that is not a search. */
    tilery_status (*analyse)(tilery_policy* policy, const void* state, uint32_t most, tilery_rng* rng, char* buffer,
                             size_t capacity, size_t* length);

    /* --- Drivers: one call for each decision, at nearly the speed of playout. --- */

    /* Makes a driver, which is over until drive is called. The caller owns it, gives it back to free_driver before the
     * game goes, and uses it from one thread at a time. */
    tilery_status (*new_driver)(const tilery_game* game, tilery_driver** driver);
    void (*free_driver)(tilery_driver* driver); /* of new_driver, or null */
    /* Plays on from a copy of a state, or from the initial state if it is null, with chance from a copy of a random
     * stream. Returns the number of legal actions of the first decision, or 0 if the game is over. hot */
    int32_t (*drive)(tilery_driver* driver, const void* state, const tilery_rng* rng);
    /* Takes the i-th legal action, from 0, and chance up to the next decision. Returns the number of legal actions
     * there, or 0 when the game is over; TILERY_BAD_ARGUMENT unless there is an i-th action. hot */
    int32_t (*play)(tilery_driver* driver, uint32_t i);
    /* The state and the random stream of the driver, which play changes. Who draws i by `below` or tilery_below
     * from this stream plays the games of playout. hot */
    const void* (*driver_state)(const tilery_driver* driver);
    tilery_rng* (*driver_rng)(tilery_driver* driver);

    /* --- Pictures in parts. --- */

    /* As picture, a part of it. `ghost` is a legal action that is shown as if it had been taken, or TILERY_NO_ACTION.
     * The part TILERY_PART_DATA is a JSON object: title, to_act, players and picks (docs/pictures.md). */
    tilery_status (*draw)(const tilery_game* game, const void* state, int32_t player, int32_t last, int32_t targets,
                          int32_t part, int32_t ghost, char* buffer, size_t capacity, size_t* length);

    /* --- Where points come from. --- */

    /* The reasons for points, as a JSON list of texts in the order of the rules. */
    tilery_status (*score_sources)(const tilery_game* game, char* buffer, size_t capacity, size_t* length);
    /* The points that an action about to be applied gives, as a JSON list of objects: player, points, source, rule and
     * on (docs/interface.md). TILERY_ILLEGAL_ACTION unless it may be applied. */
    tilery_status (*score_events)(const tilery_game* game, const void* state, int32_t action, char* buffer,
                                  size_t capacity, size_t* length);

    /* The points of all players if the game ended now, as state.scores_if_over() in Python, into an array of
     * num_players. Where something is hidden, a player knows only their own. */
    tilery_status (*scores_if_over)(const tilery_game* game, const void* state, int32_t* scores);

    /* --- Players that learned the game (docs/champions.md). --- */

    /* Loads a network of any game from the bytes of its file, for all games and threads of the process. Policies name
     * it by the SHA-256 of the bytes ("nn,eval=..."); where no network is shipped, as in programs that link tilery::c,
     * `nn` means the first of its game that was loaded. TILERY_BAD_ARGUMENT for bytes that are no network. */
    tilery_status (*load_weights)(const void* data, size_t size);

    /* --- Searches with functions of the caller (docs/bots.md). --- */

    /* As new_policy for the text of an `mcts` without eval, with an evaluation and an order of actions by the caller in
     * place of the game's own; either may be null. choose and analyse call them on the thread that calls, and return
     * TILERY_BAD_ARGUMENT if they write a number that is out of range. */
    tilery_status (*new_search)(const tilery_game* game, const char* text, tilery_value value, tilery_order order,
                                void* data, tilery_policy** policy);

    /* --- Positions in plain structs. --- */

    /* Writes a view of tilery/views/<game>.h, by its name there: structs of `size` bytes each, sizeof of the struct.
     * TILERY_BAD_ARGUMENT for another name, which lists those that there are, and for another size. */
    tilery_status (*view)(const tilery_game* game, const void* state, const char* name, size_t size, void* structs,
                          uint32_t capacity, uint32_t* count);
} tilery_api;

/* The table of the game of this name, or null. Only for programs that link tilery::tilery;
 * from Python the tables come as capsules `tilery.<game>._C_API`. */
const tilery_api* tilery_find_api(const char* name);

#ifdef __cplusplus
}
#endif

#endif
