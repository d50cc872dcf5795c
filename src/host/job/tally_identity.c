/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which run a tally is of, part by part, so that an error names what differs from another run.
 */
#include "tally.h"

#include <host/describe/records.h>

#include <string.h>

const struct bly_seal bly_tally_seal = {
    "bailey tally ",
    2,
    1,
    "bytes",
    "bytes are damaged, or not a tally",
    {[BLY_IDENTITY_PATH] = "the paths, or the precision",
     [BLY_IDENTITY_PAYOFF] = "the payoff's code",
     [BLY_IDENTITY_PARAMETERS] = "the payoff's parameters",
     [BLY_IDENTITY_SOURCE] = "the source, or how normals are drawn",
     [BLY_IDENTITY_RUN] =
         "the numbers of paths and replicates, or what is kept of them and how it is added up"}};

/* Sums of products are collected for control variates and covariances, whatever these are. Nothing else of
 * scenarios is examined where their count is 0. */
static void identify_run(const bailey_simulation *s, const bailey_simulation_run_params *params,
                         uint8_t *digest)
{
    const struct bly_size sizes[] = {{"dims", s->dims}, {"outputs", s->payoff.outputs}, {NULL, 0}};
    const uint32_t products = params->covariance || params->expected;
    bailey_simulation_run_params p = *params;
    struct bly_hash hash;
    if (!p.scenarios.count) p.scenarios = (bailey_scenarios){0};
    bly_hash_init(&hash);
    bly_record_digest(&hash, &bly_record_simulation_run_params, &p, sizes);
    bly_hash_add(&hash, &products, sizeof products);
    bly_hash_done(&hash, digest);
}

void bly_tally_identify(const bailey_simulation *s, const bailey_simulation_run_params *params,
                        struct bly_identity *identity)
{
    memcpy(identity->digest[BLY_IDENTITY_PATH], s->path_digest, BLY_DIGEST_BYTES);
    bly_payoff_digest(&s->payoff, identity->digest[BLY_IDENTITY_PAYOFF]);
    bly_parameters_digest(&s->payoff, s->precision, s->values, identity->digest[BLY_IDENTITY_PARAMETERS]);
    bly_source_digest(&params->source, &params->normal, identity->digest[BLY_IDENTITY_SOURCE]);
    identify_run(s, params, identity->digest[BLY_IDENTITY_RUN]);
}
