/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Of rows that pay: what DIMS and STEPS are in sizes of arrays, which a compiler has to know, and the most
 * that they may be.
 */
#ifndef BLY_PREBUILT_SIZES_H
#define BLY_PREBUILT_SIZES_H

#define BLY_PREBUILT_DIMS 64
#define BLY_PREBUILT_STEPS 512

#endif
