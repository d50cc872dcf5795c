/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of simulate_peers.cu, on the stream of a CUDA context of bailey's.
 */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include "simulate_deal.h"

#include <bailey/bailey.h>

struct bench_peers;

/* For a context of the cuda backend. NULL with the reason in `why`. */
struct bench_peers *bench_peers_open(bailey_context *context, char *why, size_t why_size);
void bench_peers_close(struct bench_peers *peers); /* NULL is allowed */

/* A kernel, with the launch that was found to be the fastest. */
struct bench_peer {
    struct bench_peers *peers;
    void *kernel;          /* NULL: there is none */
    const char *name;      /* of the variant: "basket_philox_f32_4" */
    unsigned block, grid;  /* threads of a block, blocks */
    const void *arguments; /* its first argument, a struct */
    uint64_t paths;
};

/* Tries the variants in `names` (NULL ends) in groups of 128, 256 and 512 threads. `arguments` must live on.
 * False with the reason in bench_peers_why. */
int bench_peer_choose(struct bench_peers *peers, const char *const *names, const void *arguments,
                      uint64_t paths, struct bench_peer *peer);

/* Where a buffer's memory is on the device. */
bailey_status bench_peers_address(bailey_buffer *buffer, unsigned long long *address);

/* Queues a call; `user` is the struct bench_peer. A failure has its reason in bench_peers_why. */
bailey_status bench_peer_queue(void *user);
const char *bench_peers_why(const struct bench_peers *peers);

/* Waits for the last call: the mean of its payoffs and the standard error. */
bailey_status bench_peer_result(const struct bench_peer *peer, double *mean, double *error);

#endif
