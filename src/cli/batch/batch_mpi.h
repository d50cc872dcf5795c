/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The ranks of MPI as a team that prices a batch.
 */
#ifndef CLI_BATCH_MPI_H
#define CLI_BATCH_MPI_H

#include "batch_team.h"

/* The team; NULL of one rank. `all_start` says whether every rank is ready, and is called once. */
const struct batch_team *batch_mpi_team(int rank, int ranks, int (*all_start)(int ready));

#endif
