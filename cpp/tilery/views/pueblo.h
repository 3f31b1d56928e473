/* SPDX-License-Identifier: MIT
 * Pueblo in plain structs, which the member `view` of the C table writes (tilery/capi.h; docs/rules/pueblo.md).
 */
#ifndef TILERY_VIEWS_PUEBLO_H
#define TILERY_VIEWS_PUEBLO_H

#include <stdint.h>

enum { TILERY_PUEBLO_NEUTRAL = 4 }; /* the owner of neutral cubes */

/* View "squares": the 64 squares, rank by rank from a1. */
typedef struct tilery_pueblo_square {
    uint8_t height; /* cubes */
    int8_t owner;   /* of the topmost cube: a seat or TILERY_PUEBLO_NEUTRAL; -1 without one */
} tilery_pueblo_square;

/* View "cubes": all cubes, square by square, upwards. */
typedef struct tilery_pueblo_cube {
    uint8_t square; /* 8 * rank + file, both from 0 */
    uint8_t level;  /* from 1 */
    int8_t owner;
} tilery_pueblo_cube;

#endif
