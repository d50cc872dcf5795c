/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs over the ranks of an MPI communicator. A library of its own, libbailey-mpi, where the build found MPI.
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
    bailey_job_report job; /* of rank 0: its devices, stages, and what is known in all */
    int ranks;
    uint64_t *rank_paths; /* [ranks], the caller's, or NULL: the paths that each rank has run */
    uint64_t reserved[4];
} bailey_mpi_report;

/* Runs a job on the devices of all ranks, each of which has its own simulations of the same payoff,
 * parameters and paths. Rank 0 shares out the work by the ranks' speeds and has the checkpoint; its fields of
 * `params` count, on the others only run is looked at. All ranks call it, from the thread that MPI was
 * started in, with at least MPI_THREAD_FUNNELED, and all get the estimates. A rank whose devices have all
 * failed leaves, and the others go on.
 *
 * Returns: the same on all ranks, as bailey_job_run; bailey_mpi_error_message says why. */
BAILEY_API bailey_status bailey_mpi_run(MPI_Comm comm, bailey_simulation *const *simulations, size_t count,
                                        const bailey_job_params *params, bailey_estimate *estimates,
                                        bailey_mpi_report *report);

/* Why the last bailey_mpi_run failed; empty after success. */
BAILEY_API const char *bailey_mpi_error_message(void);

/* This rank's share of `items` things that are done independently of one another, such as deals: `count` from
 * *first on. All ranks together have each once. */
BAILEY_API uint64_t bailey_mpi_share(MPI_Comm comm, uint64_t items, uint64_t *first);

#ifdef __cplusplus
}
#endif

#endif
