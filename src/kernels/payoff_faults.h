/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Faults of a payoff's code: what an item notes of each of its paths, and how the notes are folded. Part of
 * kernels/simulation_code.h and kernels/mlmc_code.h, behind the payoff, which defines BLY_FAULTS as 1 where
 * its code has sites that are tested as it runs. Elsewhere all of this compiles to nothing.
 *
 * A run folds the number of the first path that failed. The host then runs that path alone with BLY_DIAGNOSES
 * as 1. The rows are then a diagnosis of it: which of its scenarios and mirror images failed first, the site,
 * and the value in halves.
 *
 * A word of the launch holds the first failure so far, as the complement of a number that grows with paths; 0
 * at first. Paths behind it need not be examined. That saves time where much code fails, such as loops that
 * use up their budget, and no result depends on it.
 */
#ifndef BLY_PAYOFF_FAULTS_H
#define BLY_PAYOFF_FAULTS_H

#if BLY_FAULTS

#ifndef BLY_DIAGNOSES
#define BLY_DIAGNOSES 0
#endif

/* For an item's paths between two calls of the payoff. */
typedef struct bly_watched {
    bailey_uint32 site[BLY_WIDTH]; /* 0: nothing has failed */
#if BLY_DIAGNOSES
    bailey_int64 value[BLY_WIDTH];
#endif
} bly_watched;

/* Where it is known that a path before these has failed, they count as failed too: that changes nothing, and
 * they take no time in loops. */
BAILEY_FN void bly_watched_begin(bly_watched *watched, int paths, int behind)
{
    for (int v = 0; v < paths; v++) {
        watched->site[v] = behind ? 1 : 0;
#if BLY_DIAGNOSES
        watched->value[v] = 0;
#endif
    }
}

/* What a call is given; loops of a path that has failed end at once. */
BAILEY_FN bly_watch bly_watch_of(const bly_watched *watched, int v)
{
    bly_watch w;
    w.site = watched->site[v];
    w.trips = w.site ? 0 : BLY_LOOP_BUDGET;
#if BLY_DIAGNOSES
    w.value = watched->value[v];
#else
    w.value = 0;
#endif
    return w;
}

BAILEY_FN void bly_watch_keep(bly_watched *watched, int v, bly_watch w)
{
    watched->site[v] = w.site;
#if BLY_DIAGNOSES
    watched->value[v] = w.value;
#endif
}

#define BLY_WATCHING , bly_watched *watched
#define BLY_WATCHED_BY(w) , w
#define BLY_WATCH(v) bly_watch watch = bly_watch_of(watched, v);
#define BLY_WATCHED , &watch
#define BLY_KEEP(v) bly_watch_keep(watched, v, watch);

/* Rows of the fold, whose numbers doubles hold. */
#define BLY_FAULT_ROWS (BLY_DIAGNOSES ? 4 : 1)
#define BLY_FAULT_ORDER 0 /* of the scenario and mirror image; else the path */
#define BLY_FAULT_SITE 1
#define BLY_FAULT_HIGH 2
#define BLY_FAULT_LOW 3

#if BLY_DIAGNOSES
BAILEY_FN bailey_uint64 bly_fault_diagnosis(const bly_watched *watched, int v, int order, int row)
{
    const bailey_uint64 value = (bailey_uint64)watched->value[v];
    switch (row) {
    case BLY_FAULT_ORDER: return (bailey_uint64)order;
    case BLY_FAULT_SITE: return watched->site[v];
    case BLY_FAULT_HIGH: return value >> 32;
    default: return value & 0xffffffffu;
    }
}
#endif

#else

#define BLY_WATCHING
#define BLY_WATCHED_BY(w)
#define BLY_WATCH(v)
#define BLY_WATCHED
#define BLY_KEEP(v)
#define BLY_FAULT_ROWS 0

#endif

#endif
