/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Records of plans in both precisions and outputs, read and written as one type; and digests of all that a
 * strategy's program depends on, by which it is cached.
 */
#include "bridge_job.h"

#include <bailey/device/bridge.h>

#include <host/internal.h>

const char *bailey_bridge_strategy_name(bailey_bridge_strategy strategy)
{
    switch (strategy) {
#define NAME(number, name, word, writer)                                                                     \
    case BAILEY_BRIDGE_STRATEGY_##name: return word;
        BAILEY_BRIDGE_STRATEGY_LIST(NAME)
#undef NAME
    }
    return "unknown";
}

struct bly_record bly_record_read(const struct bly_bridge_job *job, uint32_t k)
{
#define STEP(suffix)                                                                                         \
    const bailey_bridge_step_##suffix s = ((const bailey_bridge_step_##suffix *)job->records)[k];            \
    return (struct bly_record){                                                                              \
        s.row, s.point, 0, s.code, s.left, s.right, {s.left_weight, s.right_weight, s.sigma}};
#define SPLIT(suffix)                                                                                        \
    const bailey_bridge_split_##suffix s = ((const bailey_bridge_split_##suffix *)job->records)[k];          \
    return (struct bly_record){                                                                              \
        s.row, s.gap, s.node, s.code, 0, 0, {s.left_weight, s.right_weight, s.left_sigma, s.right_sigma}};
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) {
        if (f64) {
            SPLIT(f64)
        }
        SPLIT(f32)
    }
    if (f64) {
        STEP(f64)
    }
    STEP(f32)
#undef STEP
#undef SPLIT
}

void bly_record_write_code(const struct bly_bridge_job *job, void *records, uint32_t k, uint32_t code)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) {
        if (f64)
            ((bailey_bridge_split_f64 *)records)[k].code = code;
        else
            ((bailey_bridge_split_f32 *)records)[k].code = code;
    } else if (f64) {
        ((bailey_bridge_step_f64 *)records)[k].code = code;
    } else {
        ((bailey_bridge_step_f32 *)records)[k].code = code;
    }
}

size_t bly_record_bytes(const struct bly_bridge_job *job)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    if (job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS)
        return f64 ? sizeof(bailey_bridge_split_f64) : sizeof(bailey_bridge_split_f32);
    return f64 ? sizeof(bailey_bridge_step_f64) : sizeof(bailey_bridge_step_f32);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void digest_arrays(const struct bly_bridge_job *job, struct bly_job_digests *digests)
{
    if (digests->has_arrays) return;
    bly_hash_of(job->records, job->records_bytes, digests->records);
    bly_hash_of(job->constants, (size_t)job->dims * (2 + job->dims) * bly_element_bytes(job->precision),
                digests->constants);
    digests->has_arrays = 1;
}

static void digest_order(const struct bly_bridge_job *job, struct bly_job_digests *digests)
{
    struct bly_hash hash;
    if (digests->has_order) return;
    bly_hash_init(&hash);
    for (uint32_t k = 0; k < job->steps; k++) {
        const struct bly_record r = bly_record_read(job, k);
        const uint32_t numbers[] = {r.z, r.a, r.b, r.code, r.left, r.right};
        bly_hash_add(&hash, numbers, sizeof numbers);
    }
    bly_hash_done(&hash, digests->order);
    digests->has_order = 1;
}

void bly_job_key(const struct bly_bridge_job *job, struct bly_job_digests *digests, const char *question,
                 uint8_t key[BLY_DIGEST_BYTES])
{
    const uint32_t numbers[] = {(uint32_t)job->strategy,
                                (uint32_t)job->output,
                                (uint32_t)job->layout,
                                (uint32_t)job->precision,
                                job->steps,
                                job->dims,
                                job->slots,
                                (uint32_t)job->fixed_end,
                                (uint32_t)job->correlated,
                                (uint32_t)job->transfer,
                                (uint32_t)job->whole,
                                job->rounds,
                                job->points,
                                (uint32_t)job->owen,
                                (uint32_t)job->part,
                                job->copies != NULL,
                                (uint32_t)job->gives};
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_hash_add_text(&hash, question);
    bly_hash_add(&hash, numbers, sizeof numbers);
    bly_hash_add_text(&hash, job->draw ? job->draw : "");
    if (job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED) {
        /* Its code reads weights and constants from memory: one program serves all times of an order. */
        digest_order(job, digests);
        bly_hash_add(&hash, digests->order, sizeof digests->order);
    } else {
        digest_arrays(job, digests);
        bly_hash_add(&hash, digests->records, sizeof digests->records);
        /* BLOCKS has its records besides, and the others may have constants in their text. */
        if (job->strategy != BAILEY_BRIDGE_STRATEGY_BLOCKS)
            bly_hash_add(&hash, digests->constants, sizeof digests->constants);
    }
    bly_hash_done(&hash, key);
}

void bly_job_arrays_key(const struct bly_bridge_job *job, struct bly_job_digests *digests,
                        uint8_t key[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    const uint32_t kind[] = {(uint32_t)job->output, (uint32_t)job->precision};
    digest_arrays(job, digests);
    bly_hash_init(&hash);
    bly_hash_add_text(&hash, "arrays");
    bly_hash_add(&hash, kind, sizeof kind);
    bly_hash_add(&hash, digests->records, sizeof digests->records);
    bly_hash_add(&hash, digests->constants, sizeof digests->constants);
    bly_hash_done(&hash, key);
}
