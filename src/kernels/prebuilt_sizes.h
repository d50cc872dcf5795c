/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What DIMS and STEPS stand for in the sizes of a prebuilt payoff's arrays, which a compiler has to know;
 * more dimensions or steps than that take a program of their own.
 */
#ifndef BLY_PREBUILT_SIZES_H
#define BLY_PREBUILT_SIZES_H

#define BLY_PREBUILT_DIMS 64
#define BLY_PREBUILT_STEPS 512

#endif
