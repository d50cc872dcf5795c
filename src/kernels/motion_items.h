/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motions at ticks (bailey/device/ticks.h): values, walks and what happens in intervals, for the
 * paths of a request; and start, end and factor, which come after them.
 */
#ifndef BLY_MOTION_ITEMS_H
#define BLY_MOTION_ITEMS_H

#include "bailey/device/ticks.h"
#include "kernels/families.h"

/* Which paths and ticks, and where the results go. An item has one vector of paths. Results of query q, part
 * c (0 W, 1 H, 2 K), dimension j and path first_path + p lie at out[out_offset + ((q parts + c) dims + j)
 * paths + p]. Tick number e (0 or 1) of query q and path p is ticks[q tick_row + p tick_path + e tick_end];
 * where tick_end is 0 a query has one tick, and an interval begins at tick 0.
 *
 * Where `own` is not 0, the request is one of many intervals side by side, of `own` paths each: `paths` is
 * the number of all their paths, tick_path is 1, and end 2 of path p is its number. Results of part c and
 * dimension j of path p = i own + k lie at out[((i parts + c) dims + j) own + k]. */
typedef struct bly_motion_place {
    bailey_uint64 first_path, paths, out_offset;
    bailey_uint64 tick_row, tick_path, tick_end;
    bailey_uint64 queries, walk, own;
    bailey_uint32 dims, parts, fixed_end, reserved;
} bly_motion_place;

#define BLY_MOTION_PARAMS(real)                                                                              \
    typedef struct bly_motion_params_##real {                                                                \
        bly_motion_place at;                                                                                 \
        bailey_motion_##real motion;                                                                         \
    } bly_motion_params_##real;
BLY_MOTION_PARAMS(f32)
#if BAILEY_HAS_F64
BLY_MOTION_PARAMS(f64)
#endif

/* The paths of an item, and how many of them there are. */
BAILEY_FN bailey_u64 bly_motion_paths(bly_motion_place at, bailey_uint64 begin)
{
    return bailey_splat_u64(at.first_path + begin) + bailey_lane_numbers();
}
BAILEY_FN bailey_uint32 bly_motion_count(bly_motion_place at, bailey_uint64 begin)
{
    return at.paths - begin < BAILEY_LANES ? (bailey_uint32)(at.paths - begin) : BAILEY_LANES;
}

/* Tick number `end` of query `row` for each lane; lanes past the last path have 0. */
BAILEY_FN bailey_u64 bly_motion_ticks(bly_motion_place at, const BAILEY_GLOBAL bailey_uint64 *ticks,
                                      bailey_uint64 row, bailey_uint64 begin, bailey_uint32 end)
{
    const bailey_uint64 from = row * at.tick_row + end * at.tick_end;
    if (at.tick_path == 0) return bailey_splat_u64(ticks[from]);
#if BAILEY_LANES == 1
    return ticks[from + begin * at.tick_path];
#else
    bailey_uint64 own[BAILEY_LANES];
    for (bailey_uint32 i = 0; i < BAILEY_LANES; i++)
        own[i] = i < bly_motion_count(at, begin) ? ticks[from + (begin + i) * at.tick_path] : 0;
    return bailey_vector_get_u64(own);
#endif
}

/* The paths of an item, with their own numbers where they have them. */
BAILEY_FN bailey_u64 bly_motion_paths_of(bly_motion_place at, const BAILEY_GLOBAL bailey_uint64 *ticks,
                                         bailey_uint64 row, bailey_uint64 begin)
{
    return at.own ? bly_motion_ticks(at, ticks, row, begin, 2) : bly_motion_paths(at, begin);
}

BAILEY_FN bailey_u64 bly_motion_from(bly_motion_place at, const BAILEY_GLOBAL bailey_uint64 *ticks,
                                     bailey_uint64 row, bailey_uint64 begin)
{
    return at.tick_end ? bly_motion_ticks(at, ticks, row, begin, 0) : bailey_splat_u64(0);
}

/* Where the number of (query, part, dimension) and the item's first path lies. */
BAILEY_FN bailey_uint64 bly_motion_spot(bly_motion_place at, bailey_uint64 row, bailey_uint32 part,
                                        bailey_uint32 dim, bailey_uint64 begin)
{
    return at.out_offset + ((row * at.parts + part) * at.dims + dim) * at.paths + begin;
}

/* The same for one path of a request whose paths have their own numbers. */
BAILEY_FN bailey_uint64 bly_motion_own_spot(bly_motion_place at, bailey_uint32 part, bailey_uint32 dim,
                                            bailey_uint64 path)
{
    return ((path / at.own * at.parts + part) * at.dims + dim) * at.own + path % at.own;
}

#if BAILEY_LANES == 1
#define BLY_MOTION_MOVES(real, scalar)                                                                       \
    BAILEY_FN void bly_motion_store_##real(bly_motion_place at, BAILEY_GLOBAL scalar *out,                   \
                                           bailey_uint64 spot, bailey_uint64 begin, scalar x)                \
    {                                                                                                        \
        (void)at, (void)begin;                                                                               \
        out[spot] = x;                                                                                       \
    }                                                                                                        \
    BAILEY_FN scalar bly_motion_load_##real(bly_motion_place at, const BAILEY_GLOBAL scalar *out,            \
                                            bailey_uint64 spot, bailey_uint64 begin)                         \
    {                                                                                                        \
        (void)at, (void)begin;                                                                               \
        return out[spot];                                                                                    \
    }                                                                                                        \
    BAILEY_FN void bly_motion_store_own_##real(bly_motion_place at, BAILEY_GLOBAL scalar *out,               \
                                               bailey_uint32 part, bailey_uint32 dim, bailey_uint64 begin,   \
                                               scalar x)                                                     \
    {                                                                                                        \
        out[bly_motion_own_spot(at, part, dim, begin)] = x;                                                  \
    }
#else
#define BLY_MOTION_MOVES(real, scalar)                                                                       \
    BAILEY_FN void bly_motion_store_##real(bly_motion_place at, BAILEY_GLOBAL scalar *out,                   \
                                           bailey_uint64 spot, bailey_uint64 begin, bailey_##real x)         \
    {                                                                                                        \
        scalar own[BAILEY_LANES];                                                                            \
        bailey_vector_put_##real(own, x);                                                                    \
        for (bailey_uint32 i = 0; i < bly_motion_count(at, begin); i++) out[spot + i] = own[i];              \
    }                                                                                                        \
    BAILEY_FN bailey_##real bly_motion_load_##real(bly_motion_place at, const BAILEY_GLOBAL scalar *out,     \
                                                   bailey_uint64 spot, bailey_uint64 begin)                  \
    {                                                                                                        \
        scalar own[BAILEY_LANES];                                                                            \
        for (bailey_uint32 i = 0; i < BAILEY_LANES; i++)                                                     \
            own[i] = i < bly_motion_count(at, begin) ? out[spot + i] : 0;                                    \
        return bailey_vector_get_##real(own);                                                                \
    }                                                                                                        \
    BAILEY_FN void bly_motion_store_own_##real(bly_motion_place at, BAILEY_GLOBAL scalar *out,               \
                                               bailey_uint32 part, bailey_uint32 dim, bailey_uint64 begin,   \
                                               bailey_##real x)                                              \
    {                                                                                                        \
        scalar own[BAILEY_LANES];                                                                            \
        bailey_vector_put_##real(own, x);                                                                    \
        for (bailey_uint32 i = 0; i < bly_motion_count(at, begin); i++)                                      \
            out[bly_motion_own_spot(at, part, dim, begin + i)] = own[i];                                     \
    }
#endif

/* Values of motions with areas 0. Rows are queries times dims. */
#define BLY_MOTION_VALUE(real, scalar)                                                                       \
    BAILEY_FN void bly_motion_value_##real##_item(                                                           \
        bly_motion_params_##real p, const BAILEY_GLOBAL bailey_uint64 *ticks,                                \
        const BAILEY_ICDF_SPACE scalar *table, BAILEY_GLOBAL scalar *out, bailey_uint64 item,                \
        bailey_uint64 row)                                                                                   \
    {                                                                                                        \
        const bailey_uint64 begin = item * BAILEY_LANES, query = row / p.at.dims;                            \
        const bailey_uint32 dim = (bailey_uint32)(row % p.at.dims);                                          \
        if (begin >= p.at.paths) return;                                                                     \
        const bailey_##real x =                                                                              \
            bailey_motion_value_##real(&p.motion, table, bly_motion_paths(p.at, begin), dim,                 \
                                       bly_motion_ticks(p.at, ticks, query, begin, 0));                      \
        bly_motion_store_##real(p.at, out, bly_motion_spot(p.at, query, 0, dim, begin), begin, x);           \
    }

/* Four evenly spaced ticks of a walk, or 16 where `sixteen` is not 0, tick number q being the first, 2^zeros
 * after where the walk goes first. */
#define BLY_MOTION_EVEN(real, scalar)                                                                        \
    BAILEY_FN void bly_motion_store_four_##real(                                                             \
        bly_motion_place at, const BAILEY_GLOBAL bailey_uint64 *ticks, bailey_uint64 q,                      \
        BAILEY_GLOBAL scalar *out, bailey_uint64 spot, bailey_uint64 begin, const bailey_##real *x)          \
    {                                                                                                        \
        const bailey_uint64 column = (bailey_uint64)at.dims * at.paths;                                      \
        BAILEY_UNROLL                                                                                        \
        for (bailey_uint32 i = 0; i < 4; i++)                                                                \
            bly_motion_store_##real(at, out, spot + BLY_MOTION_QUERY(ticks[2 * (q + i) + 1]) * column,       \
                                    begin, x[i]);                                                            \
    }                                                                                                        \
    BAILEY_FN void bly_motion_even_##real(                                                                   \
        const bly_motion_params_##real *p, const BAILEY_GLOBAL bailey_uint64 *ticks,                         \
        const BAILEY_ICDF_SPACE scalar *table, BAILEY_GLOBAL scalar *out, bailey_u64 path,                   \
        bailey_uint32 dim, bailey_uint64 begin, bailey_uint64 spot, bailey_motion_walk_##real *walk,         \
        bailey_uint64 q, bailey_uint32 zeros, bailey_uint32 sixteen)                                         \
    {                                                                                                        \
        bailey_##real c[4], x[4];                                                                            \
        bailey_##real left = bailey_motion_walk_to_##real(&p->motion, table, path, dim, walk,                \
                                                          ticks[2 * q] - ((bailey_uint64)1 << zeros));       \
        if (!sixteen) {                                                                                      \
            bailey_motion_walk_four_##real(&p->motion, table, path, dim, walk, zeros, x);                    \
            bly_motion_store_four_##real(p->at, ticks, q, out, spot, begin, x);                              \
            return;                                                                                          \
        }                                                                                                    \
        const bailey_uint32 above = p->motion.levels - zeros - 2;                                            \
        const bailey_uint64 node = ((bailey_uint64)1 << above) + (walk->tick >> (zeros + 2));                \
        bailey_motion_walk_four_##real(&p->motion, table, path, dim, walk, zeros + 2, c);                    \
        BAILEY_UNROLL                                                                                        \
        for (bailey_uint32 i = 0; i < 4; i++) {                                                              \
            bailey_motion_quarters_##real(&p->motion, table, path, dim, above / 2, node + i, left, c[i], x); \
            x[3] = left = c[i];                                                                              \
            bly_motion_store_four_##real(p->at, ticks, q + 4 * i, out, spot, begin, x);                      \
        }                                                                                                    \
    }

/* What follows a tick in the list: the query, how many zeros the steps of evenly spaced ticks end in, and
 * whether they are 16. */
#define BLY_MOTION_QUERY(where) ((where) & (((bailey_uint64)1 << 56) - 1))
#define BLY_MOTION_ZEROS(where) ((bailey_uint32)((where) >> 56) % 64 - 1)
#define BLY_MOTION_SIXTEEN(where) ((bailey_uint32)((where) >> 63))

/* The same at ticks that do not decrease, common to all paths, in walks over `walk` of them. Tick number q is
 * ticks[2 q], and its results go to query ticks[2 q + 1] modulo 2^56. Where the rest of that is not 0, four
 * evenly spaced ticks begin, 2^n apart, n + 1 being bits 56 to 61, or 16 of them with bit 63; the last is a
 * multiple of the length of all of them, and levels - n is even. Rows are walks times dims. */
#define BLY_MOTION_WALK(real, scalar)                                                                        \
    BAILEY_FN void bly_motion_walk_##real##_item(                                                            \
        bly_motion_params_##real p, const BAILEY_GLOBAL bailey_uint64 *ticks,                                \
        const BAILEY_ICDF_SPACE scalar *table, BAILEY_GLOBAL scalar *out, bailey_uint64 item,                \
        bailey_uint64 row)                                                                                   \
    {                                                                                                        \
        const bailey_uint64 begin = item * BAILEY_LANES, first = row / p.at.dims * p.at.walk;                \
        const bailey_uint64 end = first + p.at.walk < p.at.queries ? first + p.at.walk : p.at.queries;       \
        const bailey_uint32 dim = (bailey_uint32)(row % p.at.dims);                                          \
        if (begin >= p.at.paths) return;                                                                     \
        const bailey_u64 path = bly_motion_paths(p.at, begin);                                               \
        const bailey_uint64 spot = bly_motion_spot(p.at, 0, 0, dim, begin);                                  \
        bailey_motion_walk_##real walk;                                                                      \
        bailey_motion_walk_begin_##real(&p.motion, table, path, dim, &walk);                                 \
        for (bailey_uint64 q = first; q < end;) {                                                            \
            const bailey_uint64 where = ticks[2 * q + 1];                                                    \
            if (where >> 56) {                                                                               \
                const bailey_uint32 sixteen = BLY_MOTION_SIXTEEN(where);                                     \
                bly_motion_even_##real(&p, ticks, table, out, path, dim, begin, spot, &walk, q,              \
                                       BLY_MOTION_ZEROS(where), sixteen);                                    \
                q += sixteen ? 16 : 4;                                                                       \
            } else {                                                                                         \
                const bailey_##real x =                                                                      \
                    bailey_motion_walk_to_##real(&p.motion, table, path, dim, &walk, ticks[2 * q]);          \
                bly_motion_store_##real(p.at, out, spot + where * p.at.dims * p.at.paths, begin, x);         \
                q++;                                                                                         \
            }                                                                                                \
        }                                                                                                    \
    }

#if BAILEY_LANES > 1
/* bailey_motion_between of ticks that all lanes share, in the same order of operations: the way down the tree
 * is the same for all, so that nothing is chosen lane by lane and only the nodes of that way are made. */
#define BLY_MOTION_SHARED(real, scalar)                                                                      \
    typedef struct bly_motion_end_##real { /* one end's node, and what lies inside of it so far */           \
        bailey_motion_part_##real now, sum;                                                                  \
        bailey_motion_held_##real held;                                                                      \
        bailey_uint64 low, ticks;                                                                            \
    } bly_motion_end_##real;                                                                                 \
    BAILEY_FN bailey_uint64 bly_motion_halve_##real(                                                         \
        const bailey_motion_##real *m, const BAILEY_ICDF_SPACE scalar *table, bailey_u64 path,               \
        bailey_uint32 dim, bailey_uint32 level, bly_motion_end_##real *e, bailey_motion_part_##real *left,   \
        bailey_motion_part_##real *right)                                                                    \
    {                                                                                                        \
        const bailey_uint64 node = (e->low >> (m->levels - level + 1)) + ((bailey_uint64)1 << (level - 1));  \
        bailey_motion_halve_##real(m, table, path, dim, level, bailey_splat_u64(node), &e->held, e->now,     \
                                   left, right);                                                             \
        return e->low + ((bailey_uint64)1 << (m->levels - level));                                           \
    }                                                                                                        \
    BAILEY_FN void bly_motion_add_##real(bailey_uint32 areas, int on_left, bly_motion_end_##real *e,         \
                                         bailey_uint64 length, bailey_motion_part_##real piece)              \
    {                                                                                                        \
        const bailey_u64 first = bailey_splat_u64(length), ticks = bailey_splat_u64(e->ticks);               \
        e->sum = on_left ? bailey_motion_joined_##real(areas, first, piece, ticks, e->sum)                   \
                         : bailey_motion_joined_##real(areas, ticks, e->sum, first, piece);                  \
        e->ticks += length;                                                                                  \
    }                                                                                                        \
    BAILEY_FN bailey_motion_part_##real bly_motion_shared_##real(                                            \
        const bailey_motion_##real *m, const BAILEY_ICDF_SPACE scalar *table, bailey_u64 path,               \
        bailey_uint32 dim, bailey_uint64 from, bailey_uint64 to)                                             \
    {                                                                                                        \
        const bailey_uint64 last = (bailey_uint64)1 << m->levels;                                            \
        bailey_motion_part_##real left, right;                                                               \
        bly_motion_end_##real a, b;                                                                          \
        a.sum = bailey_motion_none_##real();                                                                 \
        a.low = a.ticks = 0;                                                                                 \
        if (from >= to) return a.sum;                                                                        \
        a.now = bailey_motion_whole_##real(m, table, path, dim, &a.held);                                    \
        if (from == 0 && to == last) {                                                                       \
            bly_motion_add_##real(m->areas, 1, &a, last, a.now);                                             \
            return a.sum;                                                                                    \
        }                                                                                                    \
        bailey_uint32 level = 1;                                                                             \
        bailey_uint64 length = last / 2, middle;                                                             \
        for (;; level++, length /= 2) { /* to the first midpoint inside, if there is one */                  \
            middle = bly_motion_halve_##real(m, table, path, dim, level, &a, &left, &right);                 \
            if (from < middle && middle < to) break;                                                         \
            a.now = from < middle ? left : right;                                                            \
            a.low = from < middle ? a.low : middle;                                                          \
            if (a.low == from && a.low + length == to) {                                                     \
                bly_motion_add_##real(m->areas, 1, &a, length, a.now);                                       \
                return a.sum;                                                                                \
            }                                                                                                \
        }                                                                                                    \
        b = a;                                                                                               \
        a.now = left;                                                                                        \
        b.now = right;                                                                                       \
        b.low = middle;                                                                                      \
        int a_done = a.low == from, b_done = b.low + length == to;                                           \
        if (a_done) bly_motion_add_##real(m->areas, 1, &a, length, a.now);                                   \
        if (b_done) bly_motion_add_##real(m->areas, 0, &b, length, b.now);                                   \
        while (!(a_done && b_done)) {                                                                        \
            level++;                                                                                         \
            length /= 2;                                                                                     \
            if (!a_done) {                                                                                   \
                middle = bly_motion_halve_##real(m, table, path, dim, level, &a, &left, &right);             \
                const int holds = from < middle;                                                             \
                if (holds) bly_motion_add_##real(m->areas, 1, &a, length, right);                            \
                a.now = holds ? left : right;                                                                \
                a.low = holds ? a.low : middle;                                                              \
                a_done = a.low == from;                                                                      \
                if (a_done) bly_motion_add_##real(m->areas, 1, &a, length, a.now);                           \
            }                                                                                                \
            if (!b_done) {                                                                                   \
                middle = bly_motion_halve_##real(m, table, path, dim, level, &b, &left, &right);             \
                const int holds = middle < to;                                                               \
                if (holds) bly_motion_add_##real(m->areas, 0, &b, length, left);                             \
                b.now = holds ? right : left;                                                                \
                b.low = holds ? middle : b.low;                                                              \
                b_done = b.low + length == to;                                                               \
                if (b_done) bly_motion_add_##real(m->areas, 0, &b, length, b.now);                           \
            }                                                                                                \
        }                                                                                                    \
        return bailey_motion_joined_##real(m->areas, bailey_splat_u64(a.ticks), a.sum,                       \
                                           bailey_splat_u64(b.ticks), b.sum);                                \
    }                                                                                                        \
    BAILEY_FN bailey_motion_part_##real bly_motion_interval_##real(                                          \
        const bly_motion_params_##real *p, const BAILEY_GLOBAL bailey_uint64 *ticks,                         \
        const BAILEY_ICDF_SPACE scalar *table, bailey_uint64 query, bailey_uint32 dim, bailey_uint64 begin)  \
    {                                                                                                        \
        const bailey_u64 path = bly_motion_paths_of(p->at, ticks, query, begin);                             \
        const bailey_uint64 row = query * p->at.tick_row;                                                    \
        if (p->at.tick_path == 0)                                                                            \
            return bly_motion_shared_##real(&p->motion, table, path, dim, p->at.tick_end ? ticks[row] : 0,   \
                                            ticks[row + p->at.tick_end]);                                    \
        return bailey_motion_between_##real(&p->motion, table, path, dim,                                    \
                                            bly_motion_from(p->at, ticks, query, begin),                     \
                                            bly_motion_ticks(p->at, ticks, query, begin, 1));                \
    }
#else
#define BLY_MOTION_SHARED(real, scalar)                                                                      \
    BAILEY_FN bailey_motion_part_##real bly_motion_interval_##real(                                          \
        const bly_motion_params_##real *p, const BAILEY_GLOBAL bailey_uint64 *ticks,                         \
        const BAILEY_ICDF_SPACE scalar *table, bailey_uint64 query, bailey_uint32 dim, bailey_uint64 begin)  \
    {                                                                                                        \
        return bailey_motion_between_##real(                                                                 \
            &p->motion, table, bly_motion_paths_of(p->at, ticks, query, begin), dim,                         \
            bly_motion_from(p->at, ticks, query, begin), bly_motion_ticks(p->at, ticks, query, begin, 1));   \
    }
#endif

/* What happens in intervals, of which the first `parts` of W, H and K are stored. Rows are queries times
 * dims. */
#define BLY_MOTION_BETWEEN(real, scalar)                                                                     \
    BAILEY_FN void bly_motion_put_##real(bly_motion_place at, BAILEY_GLOBAL scalar *out,                     \
                                         bailey_uint64 query, bailey_uint32 part, bailey_uint32 dim,         \
                                         bailey_uint64 begin, bailey_##real x)                               \
    {                                                                                                        \
        if (at.own)                                                                                          \
            bly_motion_store_own_##real(at, out, part, dim, begin, x);                                       \
        else                                                                                                 \
            bly_motion_store_##real(at, out, bly_motion_spot(at, query, part, dim, begin), begin, x);        \
    }                                                                                                        \
    BAILEY_FN void bly_motion_between_##real##_item(                                                         \
        bly_motion_params_##real p, const BAILEY_GLOBAL bailey_uint64 *ticks,                                \
        const BAILEY_ICDF_SPACE scalar *table, BAILEY_GLOBAL scalar *out, bailey_uint64 item,                \
        bailey_uint64 row)                                                                                   \
    {                                                                                                        \
        const bailey_uint64 begin = item * BAILEY_LANES, query = row / p.at.dims;                            \
        const bailey_uint32 dim = (bailey_uint32)(row % p.at.dims);                                          \
        if (begin >= p.at.paths) return;                                                                     \
        const bailey_motion_part_##real x = bly_motion_interval_##real(&p, ticks, table, query, dim, begin); \
        bly_motion_put_##real(p.at, out, query, 0, dim, begin, x.w_);                                        \
        if (p.at.parts > 1) bly_motion_put_##real(p.at, out, query, 1, dim, begin, x.h_);                    \
        if (p.at.parts > 2) bly_motion_put_##real(p.at, out, query, 2, dim, begin, x.k_);                    \
    }

/* Makes X of W, in place. `constants` are, in each dimension, the means at t0 and at T, dims of each, and C
 * [dims][dims]: of values start and end, of intervals 0 and end - start; of a free end start and 0, or 0 and
 * 0, and the mean is that at t0 throughout. Else it lies between by the share of the time that the ticks are
 * of the whole: from tick 0 to the query's, or between its two. Rows are queries times parts; H and K have no
 * mean. A dimension of X needs those of W up to its own, so that the last is made first. */
#define BLY_MOTION_PLACED(real, scalar)                                                                      \
    BAILEY_FN void bly_motion_placed_##real##_item(                                                          \
        bly_motion_params_##real p, const BAILEY_GLOBAL bailey_uint64 *ticks,                                \
        const BAILEY_GLOBAL scalar *constants, BAILEY_GLOBAL scalar *out, bailey_uint64 item,                \
        bailey_uint64 row)                                                                                   \
    {                                                                                                        \
        const bailey_uint64 begin = item * BAILEY_LANES, query = row / p.at.parts;                           \
        const bailey_uint32 part = (bailey_uint32)(row % p.at.parts), d = p.at.dims;                         \
        if (begin >= p.at.paths) return;                                                                     \
        const bailey_u64 whole = bailey_splat_u64((bailey_uint64)1 << p.motion.levels);                      \
        const bailey_u64 ticks_in =                                                                          \
            bly_motion_ticks(p.at, ticks, query, begin, 1) - bly_motion_from(p.at, ticks, query, begin);     \
        const bailey_##real unit = bailey_motion_shift_##real(p.motion.levels);                              \
        const bailey_##real later = bailey_motion_real_##real(ticks_in) * unit;                              \
        const bailey_##real sooner =                                                                         \
            p.at.fixed_end ? bailey_motion_real_##real(whole - ticks_in) * unit : bailey_splat_##real(1);    \
        for (bailey_uint32 i = d; i-- > 0;) {                                                                \
            bailey_##real x = bailey_splat_##real(0);                                                        \
            if (part == 0)                                                                                   \
                x = bailey_fma_##real(later, bailey_splat_##real(constants[d + i]),                          \
                                      sooner * bailey_splat_##real(constants[i]));                           \
            for (bailey_uint32 j = 0; j <= i; j++)                                                           \
                x = bailey_fma_##real(                                                                       \
                    bailey_splat_##real(constants[(2 + i) * d + j]),                                         \
                    bly_motion_load_##real(p.at, out, bly_motion_spot(p.at, query, part, j, begin), begin),  \
                    x);                                                                                      \
            bly_motion_store_##real(p.at, out, bly_motion_spot(p.at, query, part, i, begin), begin, x);      \
        }                                                                                                    \
    }

#define BLY_MOTION_ITEMS(real, scalar)                                                                       \
    BLY_MOTION_MOVES(real, scalar)                                                                           \
    BLY_MOTION_VALUE(real, scalar)                                                                           \
    BLY_MOTION_EVEN(real, scalar)                                                                            \
    BLY_MOTION_WALK(real, scalar)                                                                            \
    BLY_MOTION_SHARED(real, scalar)                                                                          \
    BLY_MOTION_BETWEEN(real, scalar)                                                                         \
    BLY_MOTION_PLACED(real, scalar)
BLY_MOTION_ITEMS(f32, float)
#if BAILEY_HAS_F64
BLY_MOTION_ITEMS(f64, double)

/* Times become ticks, as bailey_motion_tick has them: interval i is from times[2 i] to times[2 i + 1], and
 * its `paths` paths begin with firsts[i]. Times below `start` but not below `low` are `start`, and so at
 * `end` with `high`. */
typedef struct bly_motion_times_params {
    double start, end, low, high, span, scale; /* scale 2^levels */
    bailey_uint64 all, paths, last_first;      /* all paths; the highest number of a first one */
} bly_motion_times_params;

BAILEY_FN bailey_uint64 bly_motion_tick(bly_motion_times_params p, double time)
{
    if (time < p.start && time >= p.low) time = p.start;
    if (time > p.end && time <= p.high) time = p.end;
    if (!(time >= p.start && time <= p.end)) return ~(bailey_uint64)0;
    const double nearest = (time - p.start) / p.span * p.scale + 0x1p52; /* at most 2^53 */
    return (bailey_uint64)(nearest - 0x1p52);
}

/* Writes `from`, `to` and the number of each path, `all` of each; what cannot be is above all ticks. An item
 * has as many paths as there are lanes. */
#define BLY_MOTION_TIMES(real, scalar)                                                                       \
    BAILEY_FN void bly_motion_times_##real##_item(                                                           \
        bly_motion_times_params p, const BAILEY_GLOBAL scalar *times,                                        \
        const BAILEY_GLOBAL bailey_uint64 *firsts, BAILEY_GLOBAL bailey_uint64 *ticks, bailey_uint64 item,   \
        bailey_uint64 row)                                                                                   \
    {                                                                                                        \
        (void)row;                                                                                           \
        for (bailey_uint64 lane = 0; lane < BAILEY_LANES; lane++) {                                          \
            const bailey_uint64 at = item * BAILEY_LANES + lane, i = at / p.paths;                           \
            if (at >= p.all) return;                                                                         \
            const bailey_uint64 from = bly_motion_tick(p, times[2 * i]);                                     \
            const bailey_uint64 to = bly_motion_tick(p, times[2 * i + 1]);                                   \
            const int is_right = firsts[i] <= p.last_first && from <= to;                                    \
            ticks[at] = is_right ? from : ~(bailey_uint64)0;                                                 \
            ticks[p.all + at] = is_right ? to : ~(bailey_uint64)0;                                           \
            ticks[2 * p.all + at] = is_right ? firsts[i] + at % p.paths : 0;                                 \
        }                                                                                                    \
    }
BLY_MOTION_TIMES(f32, float)
BLY_MOTION_TIMES(f64, double)
#endif

#endif
