/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The warp generator on the host: its parameters, its step, jumps.
 */
#ifndef BLY_WARP_H
#define BLY_WARP_H

#include <bailey/advanced.h>

#define BLY_WARP_PUBLISHED 16 /* the published set; below it the shipped ones */

/* 32 words of bailey/device/warp_sets.h. */
const uint32_t *bly_warp_taps(uint32_t set);

void bly_warp_step(uint32_t set, uint32_t state[32]);

#endif
