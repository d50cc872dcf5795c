/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs, for the host and for the table of kernels: X(name, file, dims, kind, coarser), of a
 * text in src/host/simulate/payoffs/. A row of the table is chosen by a payoff's place here.
 *
 * dims: of the path, at least; 0: any number.
 * kind: what x[] is, an enum bly_path_kind (host/simulate/payoff.h).
 * coarser: what makes the text's discretisation of its model coarser, an enum bly_coarser; NONE of a text
 * that has no discretisation, so that its estimates have no bias.
 */
#ifndef BLY_PAYOFF_LIST_H
#define BLY_PAYOFF_LIST_H

#define BLY_PAYOFF_LIST(X)                                                                                   \
    X("european", european_option, 1, VALUES, NONE)                                                          \
    X("asian", asian_option, 0, VALUES, NONE)                                                                \
    X("asian-geometric", asian_geometric_option, 0, VALUES, NONE)                                            \
    X("asian-max", asian_max_option, 2, NORMALS, NONE)                                                       \
    X("lookback-garch", lookback_garch_option, 1, NORMALS, NONE)                                             \
    X("barrier", barrier_option, 1, VALUES, NONE)                                                            \
    X("digital", digital_option, 1, VALUES, NONE)                                                            \
    X("heston", heston_option, 2, INCREMENTS, STEPS)

/* Of the rows: what DIMS and STEPS are in sizes of arrays, which a compiler has to know, and the most that they may be. */
#define BLY_PREBUILT_DIMS 64
#define BLY_PREBUILT_STEPS 512

/* Those whose paths are motions, which have no rows. */
#define BLY_MOTION_PAYOFF_LIST(X) X("adaptive-milstein", adaptive_milstein, 1, VALUES, TOLERANCE)

#endif
