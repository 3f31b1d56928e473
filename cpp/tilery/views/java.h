/* SPDX-License-Identifier: MIT
 * Java in plain structs, which the member `view` of the C table writes (tilery/capi.h; docs/rules/java.md).
 */
#ifndef TILERY_VIEWS_JAVA_H
#define TILERY_VIEWS_JAVA_H

#include <stdint.h>

enum { TILERY_JAVA_MOST_SPACES = 512 };

/* View "spaces": all spaces by number, outside ones included. */
typedef struct tilery_java_space {
    int32_t height;  /* layers of tiles */
    int32_t terrain; /* '.' bare, '~' printed irrigation, 'w' irrigation tile, 'r' rice, 'v' village */
    int32_t palace;  /* its value, or 0 */
    int32_t figure;  /* the seat whose figure stands there, or -1 */
} tilery_java_space;

#endif
