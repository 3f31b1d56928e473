/* SPDX-License-Identifier: MIT */
/* The engine inside a C program, without Python: plays random games action by action.
 *
 *     embed GAME N [OPTION=VALUE ...]
 *
 * plays games 0..N-1 of seed 1 and prints the final scores of each, the same as
 * tilery.simulate(game, N, seed=1) in Python. */
#include <stdio.h>
#include <stdlib.h>

#include "tilery/capi.h"

static int play(const tilery_api* api, const tilery_game* game, unsigned long games) {
    void* state = malloc(api->state_size); /* malloc aligns to 8 and more */
    int32_t scores[TILERY_MAX_PLAYERS];
    if (state == NULL) return 1;
    for (unsigned long index = 0; index < games; ++index) {
        tilery_rng rng;
        api->seed_rng(&rng, 1, index);
        api->initial_state(game, state);
        while (!api->is_terminal(game, state)) {
            api->apply_action(game, state, api->random_action(game, state, &rng));
        }
        api->scores(game, state, scores);
        for (int player = 0; player < api->num_players(game); ++player) {
            printf(player == 0 ? "%d" : " %d", (int)scores[player]);
        }
        printf("\n");
    }
    free(state);
    return 0;
}

int main(int count, char** words) {
    const tilery_api* api = count < 3 ? NULL : tilery_find_api(words[1]);
    if (api == NULL) {
        fprintf(stderr, "usage: embed GAME N [OPTION=VALUE ...]\n");
        return 2;
    }
    tilery_game* game;
    if (api->new_game((const char* const*)words + 3, (size_t)count - 3, &game) != TILERY_OK) {
        fprintf(stderr, "embed: %s\n", api->last_error());
        return 2;
    }
    const int failed = play(api, game, strtoul(words[2], NULL, 10));
    api->free_game(game);
    return failed;
}
