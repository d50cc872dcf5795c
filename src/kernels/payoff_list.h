/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs, for the host and for the table of kernels: X(name, file), of the code in
 * src/host/simulate/payoffs/, which says all else about itself. A row of the table is chosen by a payoff's
 * place here.
 */
#ifndef BLY_PAYOFF_LIST_H
#define BLY_PAYOFF_LIST_H

#define BLY_PAYOFF_LIST(X)                                                                                   \
    X("european", european_option)                                                                           \
    X("asian", asian_option)                                                                                 \
    X("asian-geometric", asian_geometric_option)                                                             \
    X("asian-max", asian_max_option)                                                                         \
    X("lookback-garch", lookback_garch_option)                                                               \
    X("barrier", barrier_option)                                                                             \
    X("digital", digital_option)                                                                             \
    X("heston", heston_option)

/* Of the rows: what DIMS and STEPS are in sizes of arrays, which a compiler has to know, and the most that
 * they may be. */
#define BLY_PREBUILT_DIMS 64
#define BLY_PREBUILT_STEPS 512

/* Those whose paths are motions, which have no rows. */
#define BLY_MOTION_PAYOFF_LIST(X) X("adaptive-milstein", adaptive_milstein)

#endif
