/* SPDX-License-Identifier: MIT
 * Carcassonne in plain structs, which the member `view` of the C table writes (tilery/capi.h). Numbers of types and
 * segments are those of game.tile_types and game.segment_names in Python (docs/rules/carcassonne.md).
 */
#ifndef TILERY_VIEWS_CARCASSONNE_H
#define TILERY_VIEWS_CARCASSONNE_H

#include <stdint.h>

enum { TILERY_CARCASSONNE_MOST_TILES = 84, TILERY_CARCASSONNE_MOST_FEATURES = 340 };
enum { TILERY_CARCASSONNE_CITY, TILERY_CARCASSONNE_ROAD, TILERY_CARCASSONNE_FIELD, TILERY_CARCASSONNE_MONASTERY };

/* View "tiles": the tiles on the land, by y, then x. */
typedef struct tilery_carcassonne_tile {
    int8_t x, y;
    uint8_t type, rotation; /* quarter turns clockwise */
    int8_t seat;            /* of the meeple on it, or -1 */
    uint8_t segment;        /* where it stands; 0 without one */
} tilery_carcassonne_tile;

/* View "features": what features() lists in Python, in the same order. */
typedef struct tilery_carcassonne_feature {
    int16_t points;     /* what it gives to those with most meeples, when complete or, as it is now, at the end */
    uint16_t open_ends; /* edges at which it is open; of a monastery the empty cells around it */
    int8_t x, y;        /* the cell of its first segment */
    uint8_t segment;    /* its first segment */
    uint8_t kind;       /* TILERY_CARCASSONNE_CITY, ... */
    uint8_t complete;   /* 1 or 0; a field never is */
    uint8_t tiles, shields;
    uint8_t cities;     /* of a field: the complete cities it borders */
    uint8_t meeples[6]; /* by seat */
} tilery_carcassonne_feature;

/* Views "segments", "open_cells", "borders": what belongs to the features, which are numbered as in "features": all
 * their segments, by y, then x; the open cells at which they end, by feature; the complete cities that fields border.
 */
typedef struct tilery_carcassonne_segment {
    uint16_t feature;
    int8_t x, y;
    uint8_t segment, padding;
} tilery_carcassonne_segment;
typedef struct tilery_carcassonne_open_cell {
    uint16_t feature;
    int8_t x, y;
} tilery_carcassonne_open_cell;
typedef struct tilery_carcassonne_border {
    uint16_t field, city;
} tilery_carcassonne_border;

#endif
