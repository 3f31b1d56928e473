/* SPDX-License-Identifier: MIT */
/* What own_value.py measures: searches that judge leaves by themselves, or by a function of C that says the same. */
#include <time.h>

#include "tilery/capi.h"

static void value(const tilery_game* game, const void* state, void* data, double* points) {
    const tilery_api* const api = (const tilery_api*)data;
    int32_t scores[TILERY_MAX_PLAYERS];
    api->scores_if_over(game, state, scores);
    for (int32_t player = 0; player < api->num_players(game); ++player) points[player] = scores[player];
}

/* CPU seconds of a choice in a serialized state, or a negative number; `chosen` is set to the action. */
double search(const tilery_api* api, const tilery_game* game, const void* data, size_t length, const char* policy,
              int own, int32_t* chosen) {
    uint64_t state[TILERY_MAX_STATE_SIZE / 8];
    tilery_policy* searches = NULL;
    tilery_rng rng;
    api->seed_rng(&rng, 1, 1);
    if (api->deserialize(game, data, length, state) != TILERY_OK) return -1;
    if (api->new_search(game, policy, own ? value : NULL, NULL, (void*)(uintptr_t)api, &searches) != TILERY_OK)
        return -1;
    const clock_t began = clock();
    *chosen = api->choose(searches, state, &rng);
    const clock_t ended = clock();
    api->free_policy(searches);
    return (double)(ended - began) / CLOCKS_PER_SEC;
}
