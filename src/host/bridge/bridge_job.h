/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridge strategies that are compiled at run time: what they are asked to build, and what they answer.
 */
#ifndef BLY_BRIDGE_JOB_H
#define BLY_BRIDGE_JOB_H

#include <backend/backend.h>
#include <bailey/bailey.h>
#include <base/hash.h>

/* The job of one kernel. A new field that is not a trait of the device must go into bly_job_key too. */
struct bly_bridge_job {
    bailey_bridge_strategy strategy;
    bailey_bridge_output output;
    bailey_layout layout;
    bailey_precision precision;
    uint32_t steps, dims;
    uint32_t slots; /* stack slots that the records use */
    int fixed_end, correlated;
    const void *records; /* bailey_bridge_step_* or bailey_bridge_split_*, of the output and precision */
    size_t records_bytes;
    const void *constants; /* start[dims], end[dims] and, where correlated, C[dims][dims]; in the precision */
    const char *draw;      /* the method's constant of bailey/device/draw.h; NULL: Z is read from memory */
    uint32_t rounds;       /* of Philox, where it is drawn */
    uint32_t points;       /* where it is drawn from points, the bits of their words; else 0 */
    int owen;              /* those words are hashed */
    int part;              /* paths are a part of X that starts at x_first; not where normals are drawn */
    int transfer;          /* Z goes to X without arithmetic (bly_bridge_transfer) */
    /* Every row of Z and X starts at a multiple of 16 bytes (step-major), and paths and first_path are
     * multiples of 4 (f32) or 2 (f64): whole vectors may be moved without checks at the ends. */
    int whole;
    /* The table of the inverse CDF is read from copies in the memory of each group; NULL: where it is. */
    const struct bly_copies_tuning *copies;
    int in_line;             /* only then: a row of normals is drawn where it is used, not in a function */
    int gives;               /* only in line: weights come with the parameters (BLY_GIVEN) */
    int gpu;                 /* many items run at once, and hide the latency of memory */
    const char *miscompiles; /* see struct bly_device */
    uint32_t shared_limit;   /* bytes that a group may share */
    uint32_t group_limit;    /* items that it may have; 0: as many as it likes */
};
static inline int bly_job_takes_group(const struct bly_bridge_job *job, uint32_t items)
{
    return !job->group_limit || items <= job->group_limit;
}

/* A program. Its kernel is named "bly_bridge", takes bly_bridge_params and the buffers records, constants, Z
 * (only where it is read) and X, then, where it draws from points, their table and heads, and is a group
 * kernel (BLY_GROUP_ENTRY_n of kernels/group_entry.h).
 *
 * Rules for a kernel:
 * - `item` counts through the launch; a group is `block` consecutive items, and its memory is aligned to 16
 *   bytes. Groups are always whole: items past the end run too, write nothing, and pass every barrier.
 * - Element (row, path) of Z is z[row * p.z_row + path * p.z_path], with row = step * dims + dim; element
 *   (row, path) of X is x[p.x_first + row * p.x_row + path * p.x_path]. Sizes have 64 bits. This covers both
 *   layouts, and X that is a part of larger arrays; `part` is 0 where p.x_first is 0.
 * - bly_range_of_item gives the part of the range that an item has.
 * - Normals come from bailey_draw_rounds_f32 or _f64, with `rounds`, the keys p.keys, the stream p.stream and
 *   the table of the inverse CDF (buffer 2, instead of Z), at row * 2^38 + first path of the block. For a
 *   generator that steps, the host writes Z to memory and uses the kernel that reads Z.
 * - The arithmetic is bailey_bridge_point_* and bailey_bridge_left_*, or exactly their operations: + - * and
 *   bailey_fma_*. No product feeds a plain + or -. A zero term stays, because it decides the sign of a zero.
 * - Code that is the same for many plans is compiled once: keep times and weights out of it.
 * - PoCL 3.1 miscompiles a loop with barriers that is left early, and a barrier under a condition, even one
 *   that all items share: pass the barriers, and make the work conditional. */
struct bly_bridge_program {
    char *source;          /* to be freed with bly_free */
    uint32_t block;        /* items per group */
    uint32_t shared_bytes; /* memory that a group shares */
    uint32_t paths;        /* paths per item, or per team */
    /* Items that make the same paths together; 0 means 1. Paths are counted from first_path rounded down to
     * a generator block (bly_block_elements), so that a launch of n of them takes ceil(n / paths) * team
     * items. `block` is a multiple of team. */
    uint32_t team;
    void *records; /* what the kernel takes for records, to be freed with bly_free; NULL: job->records */
    size_t records_bytes;
};

/* Digests of a bridge's arrays, for the keys of its programs; made when one is needed. */
struct bly_job_digests {
    uint8_t order[BLY_DIGEST_BYTES];     /* the integers of the records */
    uint8_t records[BLY_DIGEST_BYTES];   /* all of them */
    uint8_t constants[BLY_DIGEST_BYTES]; /* start, end and C */
    int has_order, has_arrays;
};

/* The digest of all that the answer to `question` depends on: a strategy's program with its own records, or
 * what is asked of it. It does not depend on the device. */
void bly_job_key(const struct bly_bridge_job *job, struct bly_job_digests *digests, const char *question,
                 uint8_t key[BLY_DIGEST_BYTES]);
/* The digest of the records and the constants. */
void bly_job_arrays_key(const struct bly_bridge_job *job, struct bly_job_digests *digests,
                        uint8_t key[BLY_DIGEST_BYTES]);

/* bly_<writer>_program of each strategy: bly_walk_program, which walks the records (walk.c),
 * bly_specialised_program, which turns them into code (specialise.c, specialise_text.c), and so on;
 * bly_none_program always refuses. Return OK, ERROR_MEMORY, or ERROR_UNSUPPORTED with the reason set. */
#define BLY_STRATEGY_WRITER(number, name, word, writer)                                                      \
    bailey_status bly_##writer##_program(const struct bly_bridge_job *job,                                   \
                                         struct bly_bridge_program *program);
BAILEY_BRIDGE_STRATEGY_LIST(BLY_STRATEGY_WRITER)
#undef BLY_STRATEGY_WRITER

/* About how many instructions SPECIALISED has if it draws each row where it is used; UINT64_MAX where it
 * cannot. */
uint64_t bly_in_line_code(const struct bly_bridge_job *job);

/* The part of the steps, from 0 to 1, that BLOCKS has code for; it walks the rest. Returns OK, ERROR_MEMORY.
 */
bailey_status bly_blocks_coverage(const struct bly_bridge_job *job, double *covered);

/* The fields of a record. */
struct bly_record {
    uint32_t z, a, b, code; /* a: point or gap; b: node */
    uint32_t left, right;   /* neighbours of a point */
    double real[4];         /* left_weight, right_weight, then sigma, or left_sigma, right_sigma */
};

struct bly_record bly_record_read(const struct bly_bridge_job *job, uint32_t k);
void bly_record_write_code(const struct bly_bridge_job *job, void *records, uint32_t k, uint32_t code);
size_t bly_record_bytes(const struct bly_bridge_job *job);

#endif
