/* SPDX-License-Identifier: MIT */
/* A bot in C that speaks docs/protocol.md: the engine's search with an evaluation of its own. README.md says how to
 * build it.
 *
 * It searches again and again with twice the simulations until it has made as many as its option says, its time is
 * over, or the referee says stop; so it always has an answer. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <time.h>

#include "../bot_lines.h"
#include "tilery/capi.h"

typedef struct bot {
    const tilery_api* api;
    tilery_game* game;
    unsigned simulations;
    int second; /* whether the referee speaks version 2 */
    bot_lines in;
} bot;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void failed(const char* reason) {
    char safe[300]; /* a JSON text */
    size_t i = 0;
    for (; reason[i] != '\0' && i + 1 < sizeof safe; ++i) {
        safe[i] = reason[i] < ' ' || reason[i] > '~' || reason[i] == '"' || reason[i] == '\\' ? '\'' : reason[i];
    }
    safe[i] = '\0';
    printf("{\"type\":\"error\",\"reason\":\"%s\"}\n", safe);
}

/* The evaluation: what each player would have if the game ended here. Yours is better. */
static void value(const tilery_game* game, const void* state, void* data, double* points) {
    const tilery_api* const api = ((const bot*)data)->api;
    int32_t scores[TILERY_MAX_PLAYERS];
    api->scores_if_over(game, state, scores);
    for (int32_t player = 0; player < api->num_players(game); ++player) points[player] = scores[player];
}

/* Makes the game that "hello" or "new" announces; 0 if it cannot. */
static int begin(bot* me, const char* message) {
    enum { MOST = 64 };
    char name[64], words[MOST][512], *pointers[MOST];
    size_t count = 0, length = 0;
    const char *at = json_find(message, "rules"), *option = NULL, *given = NULL;
    if (!json_copy(json_find(message, "game"), name, sizeof name) || at == NULL || *at++ != '{') return 0;
    const tilery_api* const api = tilery_find_api(name);
    if (api == NULL) return 0;
    while (count < MOST && json_next(&at, &option, &length, &given)) {
        char* const word = pointers[count] = words[count];
        if (length > 100) return 0;
        memcpy(word, option, length);
        word[length] = '=';
        if (!json_copy(given, word + length + 1, sizeof words[0] - length - 1)) return 0;
        ++count;
    }
    tilery_game* game = NULL;
    if (api->new_game((const char* const*)pointers, count, &game) != TILERY_OK) return 0;
    if (me->game != NULL) me->api->free_game(me->game);
    me->api = api;
    me->game = game;
    return 1;
}

/* Answers "choose" or "analyse". */
static void think(bot* me, const char* message, int analyse) {
    const double began = now(), seconds = json_number(json_find(message, "seconds"), 10);
    const char* const clock = json_find(message, "clock");
    const double left = json_number(json_find(clock, "left"), 1e9);
    const double share = left / 20 + json_number(json_find(clock, "increment"), 0);
    const double end = began + (share < seconds ? share : seconds) / 3; /* a round takes twice the time of all before */
    char text[64], found[65536], token[256], number[32] = "0";
    uint64_t state[TILERY_MAX_STATE_SIZE / 8];
    size_t size = 0;
    unsigned done = 0;
    found[0] = '\0';
    unsigned char* const bytes = json_bytes(json_find(message, "state"), &size);
    if (me->game == NULL || bytes == NULL || me->api->deserialize(me->game, bytes, size, state) != TILERY_OK) {
        free(bytes);
        failed(me->game == NULL ? "there is no game" : me->api->last_error());
        return;
    }
    free(bytes);
    json_copy(json_find(message, "number"), number, sizeof number);
    for (unsigned round = me->simulations < 64 ? me->simulations : 64;; round = 2 * round) {
        tilery_policy* search = NULL;
        tilery_rng rng;
        if (round > me->simulations) round = me->simulations;
        snprintf(text, sizeof text, "mcts:%u", round);
        me->api->seed_rng(&rng, strtoull(number, NULL, 10), 0);
        tilery_status status = me->api->new_search(me->game, text, value, NULL, me, &search);
        if (status == TILERY_OK) status = me->api->analyse(search, state, 1, &rng, found, sizeof found, NULL);
        me->api->free_policy(search);
        const int32_t best = (int32_t)json_number(json_find(found, "best"), -1);
        if (status == TILERY_OK) status = me->api->action_to_string(me->game, best, token, sizeof token, NULL);
        if (status != TILERY_OK) {
            failed(me->api->last_error());
            return;
        }
        done = round;
        if (done == me->simulations || now() > end || bot_stopped(&me->in)) break;
        if (!me->second) continue;
        printf("{\"type\":\"info\",\"simulations\":%u,\"line\":[\"%s\"]}\n", done, token);
    }
    if (analyse) {
        printf("{\"type\":\"analysis\",\"best\":\"%s\",\"simulations\":%u}\n", token, done);
    } else {
        printf("{\"type\":\"action\",\"token\":\"%s\"}\n", token);
    }
}

int main(void) {
    bot me = {.simulations = 1024};
    char type[32];
    for (const char* line; (line = bot_line(&me.in)) != NULL; fflush(stdout)) {
        if (!json_copy(json_find(line, "type"), type, sizeof type)) continue;
        const int hello = strcmp(type, "hello") == 0;
        if (hello || strcmp(type, "new") == 0) {
            const char* const versions = json_find(line, "protocols");
            if (hello && versions != NULL) {
                me.second = memchr(versions, '2', (size_t)(json_behind(versions) - versions)) != NULL;
            }
            if (!begin(&me, line)) {
                failed(me.api == NULL ? "this program has no such game" : me.api->last_error());
            } else if (hello && me.second) {
                puts(
                    "{\"type\":\"ready\",\"protocol\":2,\"name\":\"c\",\"options\":[{\"name\":\"simulations\","
                    "\"kind\":\"int\",\"default\":1024,\"about\":\"at most, for an answer\"}]}");
            } else {
                puts("{\"type\":\"ready\",\"name\":\"c\"}");
            }
        } else if (strcmp(type, "options") == 0) {
            const char* const given = json_find(json_find(line, "values"), "simulations");
            const double wanted = json_number(given, me.simulations);
            if (wanted >= 1 && wanted <= 1e9) {
                me.simulations = (unsigned)wanted;
                puts("{\"type\":\"ready\"}");
            } else {
                failed("simulations must be from 1 to 1000000000");
            }
        } else if (strcmp(type, "choose") == 0 || strcmp(type, "analyse") == 0) {
            think(&me, line, strcmp(type, "analyse") == 0);
        } else if (strcmp(type, "quit") == 0) {
            break;
        }
    }
    if (me.game != NULL) me.api->free_game(me.game);
    free(me.in.data);
    return 0;
}
