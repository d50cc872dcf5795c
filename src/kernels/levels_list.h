/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in levels of multilevel Monte Carlo: X(name, file), of a text in src/host/mlmc/levels/.
 */
#ifndef BLY_LEVELS_LIST_H
#define BLY_LEVELS_LIST_H

#define BLY_LEVELS_LIST(X)                                                                                   \
    X("european", european_levels)                                                                           \
    X("asian", asian_levels)                                                                                 \
    X("lookback", lookback_levels)                                                                           \
    X("digital", digital_levels)                                                                             \
    X("barrier", barrier_levels)

#endif
