/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The persistent kernel of levels, one launch for a whole run: part of kernels/mlmc_code.h where a program
 * defines BLY_PERSISTENT.
 *
 * A warp takes the next ticket, waits until the host has announced it, makes its samples, and takes another,
 * until the host asks it to stop. The warp that has the first ticket not yet announced polls the host's
 * memory and passes on what it finds in the device's, so that the bus has one reader. Nodes go to the host's
 * memory; the warp that does a chunk's last ticket then marks the chunk as done. There are no locks, and no
 * group waits for another's samples, so that groups need not all be resident.
 *
 * A node is written before its ticket counts as done (a fence of the system between both), and the mark is
 * written after all tickets of the chunk count as done (another): who sees the mark sees the nodes.
 */
#ifndef BLY_MLMC_PERSISTENT_H
#define BLY_MLMC_PERSISTENT_H

#define BLY_PERSISTENT_NANOSECONDS 400u    /* between two looks of a warp that waits */
#define BLY_PERSISTENT_PATIENCE 100000000u /* waits, a minute or so, in case the host is gone */
#define BLY_PERSISTENT_END (~(bailey_uint64)0)

/* A 64-bit word of the warp's first lane. */
BAILEY_FN bailey_uint64 bly_of_first(bailey_uint64 x)
{
    return bailey_warp_read((bailey_uint32)x, 0) |
           (bailey_uint64)bailey_warp_read((bailey_uint32)(x >> 32), 0) << 32;
}

/* Copies the chunks that are new, by the warp. Others may be looking for a chunk of theirs meanwhile, in
 * places that are written again: a chunk's `last`, without which nobody takes it for theirs, is written after
 * all else. */
BAILEY_FN void bly_copy_chunks(const bailey_uint64 *control, bailey_uint64 *own)
{
    bailey_fence_system();
    const bailey_uint64 sent = bly_of_first(bailey_hear_u64(control + BLY_PERSISTENT_SENT)),
                        copied = bly_of_first(bailey_hear_u64(own + BLY_PERSISTENT_COPIED));
    bailey_fence_system();
    const bailey_uint32 chunks = (bailey_uint32)(sent - copied), words = chunks * BLY_PERSISTENT_CHUNK_WORDS;
    for (bailey_uint32 i = BLY_LOCAL_ID % 32; i < words; i += 32) {
        const bailey_uint64 at =
            (copied * BLY_PERSISTENT_CHUNK_WORDS + i) % (BLY_PERSISTENT_CHUNKS * BLY_PERSISTENT_CHUNK_WORDS);
        if (at % BLY_PERSISTENT_CHUNK_WORDS != 0)
            bailey_tell_u64(own + BLY_PERSISTENT_COPY + at,
                            bailey_hear_u64(control + BLY_PERSISTENT_RING + at));
    }
    bailey_fence_system();
    bailey_warp_meet();
    for (bailey_uint32 i = BLY_LOCAL_ID % 32; i < chunks; i += 32) {
        const bailey_uint64 at = (copied + i) % BLY_PERSISTENT_CHUNKS * BLY_PERSISTENT_CHUNK_WORDS;
        bailey_tell_u64(own + BLY_PERSISTENT_COPY + at, bailey_hear_u64(control + BLY_PERSISTENT_RING + at));
    }
    bailey_fence_system();
    bailey_warp_meet();
    if (BLY_LOCAL_ID % 32 == 0) bailey_tell_u64(own + BLY_PERSISTENT_COPIED, sent);
}

/* Waits until ticket `ticket` is there, by the warp. Returns how many are known; BLY_PERSISTENT_END: there is
 * none.
 */
BAILEY_FN bailey_uint64 bly_await(const bailey_uint64 *control, bailey_uint64 *own, bailey_uint64 ticket)
{
    for (bailey_uint32 i = 0; i < BLY_PERSISTENT_PATIENCE; i++) {
        const bailey_uint64 known = bly_of_first(bailey_hear_u64(own + BLY_PERSISTENT_KNOWN));
        if (ticket < known) return known;
        if (ticket == known) {
            const bailey_uint64 stop = bly_of_first(bailey_hear_u64(control + BLY_PERSISTENT_STOP));
            const bailey_uint64 announced = bly_of_first(bailey_hear_u64(control + BLY_PERSISTENT_TICKETS));
            if (announced > known) {
                bly_copy_chunks(control, own);
                bailey_fence_system();
                if (BLY_LOCAL_ID % 32 == 0) bailey_tell_u64(own + BLY_PERSISTENT_KNOWN, announced);
                return announced;
            }
            if (stop) break;
        }
        bailey_pause(BLY_PERSISTENT_NANOSECONDS);
    }
    if (BLY_LOCAL_ID % 32 == 0) bailey_tell_u64(own + BLY_PERSISTENT_KNOWN, BLY_PERSISTENT_END);
    return BLY_PERSISTENT_END;
}

/* The place of the ticket's chunk, from a place on: lanes look at one each. BLY_PERSISTENT_CHUNKS: it is
 * nowhere, which cannot be. */
BAILEY_FN bailey_uint32 bly_place_of(const bailey_uint64 *own, bailey_uint64 ticket, bailey_uint32 from)
{
    for (bailey_uint32 i = 0; i < 2 * BLY_PERSISTENT_CHUNKS; i += 32) {
        const bailey_uint32 place = (from + i + BLY_LOCAL_ID % 32) % BLY_PERSISTENT_CHUNKS;
        const bly_persistent_chunk *at = (const bly_persistent_chunk *)(own + BLY_PERSISTENT_COPY) + place;
        const bailey_uint64 last = bailey_hear_u64(&at->last);
        bailey_fence_system();
        const bailey_uint32 here = last > ticket && bailey_hear_u64(&at->chunk.ticket) <= ticket;
        for (bailey_uint32 lane = 0; lane < 32; lane++)
            if (bailey_warp_read(here, lane)) return (from + i + lane) % BLY_PERSISTENT_CHUNKS;
    }
    return BLY_PERSISTENT_CHUNKS;
}

/* Counts a ticket of the chunk as done, and marks the chunk if it was the last. */
BAILEY_FN void bly_ticket_done(bailey_uint64 *control, bailey_uint64 *own, bailey_uint32 place,
                               const bly_persistent_chunk *chunk)
{
    bailey_fence_system();
    bailey_warp_meet();
    if (BLY_LOCAL_ID % 32 != 0) return;
    if (bailey_add_u64(own + BLY_PERSISTENT_COUNTED + place, 1) + 1 != chunk->last - chunk->chunk.ticket)
        return;
    bailey_tell_u64(own + BLY_PERSISTENT_COUNTED + place, 0);
    bailey_fence_system();
    bailey_tell_u64(control + BLY_PERSISTENT_DONE + place, chunk->last);
}

/* A warp takes the next ticket of all, finds the chunk that it is of, makes its samples and leaves its node.
 */
BAILEY_FN void bly_levels_persistent_group(BLY_BY_REFERENCE(bly_levels_launch) launch,
                                           const BAILEY_GLOBAL bailey_uint64 *values,
                                           const BAILEY_GLOBAL real *factor, const BAILEY_GLOBAL real *from,
                                           BAILEY_GLOBAL bailey_uint64 *control, BAILEY_GLOBAL double *nodes,
                                           BAILEY_GLOBAL bailey_uint64 *own, BLY_SHARED bailey_uint64 *shared,
                                           bailey_uint64 item)
{
    bly_sampled t;
    (void)values, (void)item;
#if BLY_GIVEN
    t.values = launch.values;
#else
    t.values = values;
#endif
    t.factor = factor;
    t.time = (real)launch.head.time;
#if defined(BAILEY_ICDF_COPIES)
    BLY_(bailey_icdf_copy_)(BLY_TABLE_AT(shared), from, BLY_LOCAL_ID, BLY_BLOCK);
    BLY_BARRIER();
    t.table = BLY_TABLE_AT(shared);
#else
    t.table = from;
#endif
    t.keys = launch.head.keys;
#if BLY_FAULTS
    t.asked = 0;
    t.failed_begin = 0;
    t.failed_level = 0;
#endif
    bailey_uint64 known = 0;
    bailey_uint32 place = 0;
    bly_persistent_chunk here;
    here.last = 0;
    for (;;) {
        bailey_uint64 ticket = 0;
        if (BLY_LOCAL_ID % 32 == 0) ticket = bailey_add_u64(own + BLY_PERSISTENT_NEXT, 1);
        ticket = bly_of_first(ticket);
        if (ticket >= known) known = bly_await(control, own, ticket);
        if (known == BLY_PERSISTENT_END) return;
        if (ticket >= here.last) {
            bailey_fence_system();
            place = bly_place_of(own, ticket, place);
            if (place == BLY_PERSISTENT_CHUNKS) {
                bailey_tell_u64(own + BLY_PERSISTENT_KNOWN, BLY_PERSISTENT_END);
                return;
            }
            const bailey_uint64 *from_ring = own + BLY_PERSISTENT_COPY + place * BLY_PERSISTENT_CHUNK_WORDS;
            bailey_uint64 *words = (bailey_uint64 *)&here;
            BAILEY_UNROLL
            for (bailey_uint32 i = 0; i < BLY_PERSISTENT_CHUNK_WORDS; i++)
                words[i] = bailey_hear_u64(from_ring + i);
        }
        const bly_level_chunk chunk = here.chunk;
        double sum[BLY_LEVEL_SUMS];
        bly_begin_chunk(&t, &chunk, launch.head.stream);
        bly_take_ticket(&t, &chunk, ticket, sum);
        bly_team_store(&chunk, ticket, sum, shared, nodes);
        bly_ticket_done(control, own, place, &here);
    }
}

BLY_GROUP_ENTRY_6(bly_levels_persistent, bly_levels_launch, const bailey_uint64, const real, const real,
                  bailey_uint64, double, bailey_uint64)

#endif
