/* SPDX-License-Identifier: MIT */
/* The C table, under the name that programs include. */
#include "tilery/c/capi.h"
