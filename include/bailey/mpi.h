/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs over the ranks of an MPI communicator, in a separate library, libbailey-mpi, which is built if MPI is
 * found.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *     ...
 *     bailey_mpi_run(MPI_COMM_WORLD, &simulation, 1, &job, &estimate, NULL);
 *
 * The results have the bits of bailey_simulation_run, for any number of ranks.
 */
#ifndef BAILEY_MPI_H
#define BAILEY_MPI_H

#include <bailey/job.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bailey_mpi_report {
    bailey_job_report job; /* of rank 0: its devices and stages, and the totals over all ranks */
    int ranks;
    uint64_t *rank_paths; /* [ranks] in your memory, or NULL: the paths that each rank has run */
    uint64_t reserved[4];
} bailey_mpi_report;

/* Runs a job on the devices of all ranks. Each rank passes its own simulations, with the same payoff,
 * parameters and paths. Rank 0 distributes the work according to the ranks' speeds and keeps the checkpoint;
 * its `params` apply, and the other ranks' are ignored except for `run`. All ranks must call it from the
 * thread that initialised MPI, with at least MPI_THREAD_FUNNELED, and all receive the estimates. A rank whose
 * devices have all failed leaves, and the others continue.
 *
 * Returns: the same on all ranks, as bailey_job_run; bailey_mpi_error_message gives the reason. */
BAILEY_API bailey_status bailey_mpi_run(MPI_Comm comm, bailey_simulation *const *simulations, size_t count,
                                        const bailey_job_params *params, bailey_estimate *estimates,
                                        bailey_mpi_report *report);

/* The reason why the last bailey_mpi_run failed; empty after success. */
BAILEY_API const char *bailey_mpi_error_message(void);

/* This rank's share of `items` independent pieces of work, such as deals: returns their number, starting at
 * *first. Together the ranks cover each item once. */
BAILEY_API uint64_t bailey_mpi_share(MPI_Comm comm, uint64_t items, uint64_t *first);

#ifdef __cplusplus
}
#endif

#endif
