/* SPDX-License-Identifier: MIT */
/* The engine inside a C program, without Python: plays random games action by action.
 *
 *     embed GAME N [OPTION=VALUE ...]
 *
 * plays games 0..N-1 of seed 1 and prints the final scores of each, the same as
 * tilery.simulate(game, N, seed=1) in Python. */
#include <ctype.h>
#include <errno.h>
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

/* The number of games, or 0 if the word is not a number from 1 to 10^9. */
static unsigned long count_of(const char* word) {
    char* end = NULL;
    if (!isdigit((unsigned char)word[0])) return 0; /* strtoul reads "-3" as a huge number */
    errno = 0;
    const unsigned long games = strtoul(word, &end, 10);
    return *end == '\0' && errno == 0 && games <= 1000000000 ? games : 0;
}

int main(int count, char** words) {
    if (count < 3) {
        fprintf(stderr, "usage: embed GAME N [OPTION=VALUE ...]\n");
        return 2;
    }
    const tilery_api* api = tilery_find_api(words[1]);
    if (api == NULL) {
        fprintf(stderr, "embed: unknown game '%s'\n", words[1]);
        return 2;
    }
    const unsigned long games = count_of(words[2]);
    if (games == 0) {
        fprintf(stderr, "embed: N must be a number from 1 to 1000000000, got '%s'\n", words[2]);
        return 2;
    }
    tilery_game* game;
    if (api->new_game((const char* const*)words + 3, (size_t)count - 3, &game) != TILERY_OK) {
        fprintf(stderr, "embed: %s\n", api->last_error());
        return 2;
    }
    const int failed = play(api, game, games);
    api->free_game(game);
    return failed;
}
