/* SPDX-License-Identifier: MIT
 * Taj Mahal in plain structs, which the member `view` of the C table writes (tilery/capi.h; docs/rules/tajmahal.md).
 * Cities, types of cards, symbols, persons and commodities are numbered as in the views of Python (tilery.tajmahal).
 */
#ifndef TILERY_VIEWS_TAJMAHAL_H
#define TILERY_VIEWS_TAJMAHAL_H

#include <stdint.h>

/* View "cities": all cities by number; -1 is none. */
typedef struct tilery_tajmahal_city {
    int8_t palace;     /* the seat whose ordinary palace stands there */
    int8_t mogul;      /* the seat whose palace with the mogul's tower stands there */
    int8_t bonus_tile; /* its number */
} tilery_tajmahal_city;

/* View "players": by seat. */
typedef struct tilery_tajmahal_player {
    uint8_t in;               /* 1 or 0: whether they have not withdrawn from the visit */
    uint8_t symbols[6];       /* on the cards played in this visit */
    uint8_t special_cards[4]; /* 1 or 0, by person */
    uint8_t person_tiles[4];
    uint8_t goods[4]; /* symbols of each commodity */
} tilery_tajmahal_player;

/* View "cards": the cards of each seat by type, where there are any. Those in hand are secret. */
typedef struct tilery_tajmahal_cards {
    uint8_t seat, type, hand, played;
} tilery_tajmahal_cards;

#endif
