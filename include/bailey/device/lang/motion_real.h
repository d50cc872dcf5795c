/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What bailey/device/motion.h offers, in one precision; it includes this file for each. BAILEY_MOTION_IS is
 * f32 or f64 and ends the names: for users bailey_motion_value_f32, bailey_motion_between_f32, and
 * bailey_motion_walk_begin_f32 with bailey_motion_walk_to_f32.
 */
/* A name is joined before it can be expanded: some OpenCL compilers have macros fma and select. */
#define BAILEY_MOTION_JOINED(name, real) name##real
#define BAILEY_MOTION_JOIN(name, real) BAILEY_MOTION_JOINED(name, real)
#define BAILEY_MOTION(name) BAILEY_MOTION_JOIN(bailey_motion_##name##_, BAILEY_MOTION_IS)
#define BAILEY_MOTION_OP(name) BAILEY_MOTION_JOIN(bailey_##name##_, BAILEY_MOTION_IS)
#define BAILEY_MOTION_TYPE BAILEY_MOTION_JOIN(bailey_motion_, BAILEY_MOTION_IS)
#define BAILEY_MOTION_TABLE const BAILEY_ICDF_SPACE BAILEY_MOTION_SCALAR *

/* A midpoint: the bridge's formula with both weights 1/2. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(midpoint)(BAILEY_MOTION_REAL sigma, BAILEY_MOTION_REAL z,
                                                     BAILEY_MOTION_REAL left, BAILEY_MOTION_REAL right)
{
    const BAILEY_MOTION_REAL weight = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5);
    return BAILEY_MOTION_OP(fma)(sigma, z, BAILEY_MOTION_OP(fma)(weight, right, weight * left));
}
/* The deviation of a midpoint of level 2 `pair` + 1, or of 2 `pair` + 2. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(sigma)(const BAILEY_MOTION_TYPE *m, bailey_uint32 pair, int even)
{
    return BAILEY_MOTION_OP(splat)(even ? m->even[0] : m->odd[0]) * BAILEY_MOTION(shift)(pair);
}

/* W of a path and dimension at a tick, 0 .. 2^levels (of any other: NaN), of a motion with areas 0, that
 * starts at 0 and ends anywhere or at 0. `table` is the inverse CDF's. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(value)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                                  bailey_u64 path, bailey_uint32 dim, bailey_u64 tick)
{
    BAILEY_MOTION(held) held;
    bailey_u64 node = bailey_splat_u64(1);
    BAILEY_MOTION_REAL z = BAILEY_MOTION(odd)(m, table, path, dim, node, &held);
    const BAILEY_MOTION_REAL end =
        BAILEY_MOTION_OP(splat)(m->root[0]) * BAILEY_MOTION(root)(m, table, path, dim, &held);
    BAILEY_MOTION_REAL left = BAILEY_MOTION_OP(splat)(0), right = end;
    BAILEY_MOTION_SCALAR scale = 1;
    /* Two levels in a turn. Where no lower bit is set, the tick is the left end, which later turns leave
     * alone.
     */
    for (bailey_uint32 below = m->levels - 1;; below -= 2) {
        BAILEY_MOTION_REAL middle =
            BAILEY_MOTION(midpoint)(BAILEY_MOTION_OP(splat)(m->odd[0] * scale), z, left, right);
        const bailey_u64 second = bailey_motion_bit(tick, below);
        left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(second), middle, left);
        right = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(second), right, middle);
        if (below == 0 || !bailey_motion_any(~bailey_motion_equal(tick << (64 - below), bailey_splat_u64(0))))
            break;
        z = BAILEY_MOTION(even)(m, table, path, dim, node, &held, second);
        middle = BAILEY_MOTION(midpoint)(BAILEY_MOTION_OP(splat)(m->even[0] * scale), z, left, right);
        const bailey_u64 fourth = bailey_motion_bit(tick, below - 1);
        left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(fourth), middle, left);
        right = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(fourth), right, middle);
        if (below == 1 || !bailey_motion_any(~bailey_motion_equal(tick << (65 - below), bailey_splat_u64(0))))
            break;
        scale *= (BAILEY_MOTION_SCALAR)0.5;
        node = (tick >> (below - 1)) + bailey_splat_u64((bailey_uint64)1 << (m->levels - below + 1));
        z = BAILEY_MOTION(odd)(m, table, path, dim, node, &held);
    }
    const bailey_u64 last = bailey_splat_u64((bailey_uint64)1 << m->levels);
    left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(bailey_motion_less(last, tick) | tick),
                                    BAILEY_MOTION(nan)(), left);
    return BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(bailey_motion_equal(tick, last)), end, left);
}

/* What a motion does over an interval [a, b], b - a = h: w = W(b) - W(a); h = H, the integral of
 * W(s) - W(a) - (s - a) w / h over it, divided by h, which is N(0, h / 12); k = K, the integral of the same
 * times ((a + b) / 2 - s), divided by h^2, which is N(0, h / 720). All three are independent. w is N(0, h)
 * or, with a fixed end, N(0, h - h^2 / (T - t0)), and then not independent of other intervals' w. Those that
 * the motion's areas do not have are 0. */
typedef struct BAILEY_MOTION(part) {
    BAILEY_MOTION_REAL w, h, k;
} BAILEY_MOTION(part);

BAILEY_FN BAILEY_MOTION(part) BAILEY_MOTION(none)(void)
{
    BAILEY_MOTION(part) p;
    p.w = p.h = p.k = BAILEY_MOTION_OP(splat)(0);
    return p;
}
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(choose)(bailey_u64 condition, BAILEY_MOTION(part) a, BAILEY_MOTION(part) b)
{
    a.w = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a.w, b.w);
    a.h = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a.h, b.h);
    a.k = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a.k, b.k);
    return a;
}

/* The whole interval; *held is what node 1 has for its children, with areas nothing. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(whole)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table, bailey_u64 path,
                         bailey_uint32 dim, BAILEY_MOTION(held) * held)
{
    BAILEY_MOTION(part) p = BAILEY_MOTION(none)();
    (void)BAILEY_MOTION(odd)(m, table, path, dim, bailey_splat_u64(1), held);
    if (m->areas == 0) {
        p.w = BAILEY_MOTION_OP(splat)(m->root[0]) * BAILEY_MOTION(root)(m, table, path, dim, held);
        return p;
    }
    BAILEY_MOTION_REAL z[3];
    BAILEY_MOTION(normals)(m, table, path, dim, bailey_splat_u64(0), z);
    p.w = BAILEY_MOTION_OP(splat)(m->root[0]) * z[0];
    p.h = BAILEY_MOTION_OP(splat)(m->root[1]) * z[1];
    p.k = BAILEY_MOTION_OP(splat)(m->root[2]) * z[2];
    return p;
}

/* The halves of an interval of level `level`, of number `node` there.
 *
 * Given W, H and K of the whole the six of the halves have three degrees of freedom. With W1 - W2, H1 +- H2
 * and K1 +- K2 the conditions are W = W1 + W2, H = (H1 + H2) / 2 + (W1 - W2) / 4, K = (K1 + K2) / 4 + (H1 -
 * H2) / 8, so that regression gives, with independent normals x of variance h/16, y of h/768 (h/48 without K)
 * and u of h/2880: W1,2 = W/2 +- (3/2 H + x),  H1,2 = H/4 - x/2 +- (15/4 K + y),  K1,2 = K/8 - y/2 +- u. */
BAILEY_FN void BAILEY_MOTION(halve)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table, bailey_u64 path,
                                    bailey_uint32 dim, bailey_uint32 level, bailey_u64 node,
                                    BAILEY_MOTION(held) * held, BAILEY_MOTION(part) p,
                                    BAILEY_MOTION(part) * left, BAILEY_MOTION(part) * right)
{
    BAILEY_MOTION_REAL z[3], s[3];
    z[1] = z[2] = BAILEY_MOTION_OP(splat)(0);
    const int even = !(level & 1u);
    const BAILEY_MOTION_REAL scale = BAILEY_MOTION(shift)((level - 1) / 2);
    if (m->areas)
        BAILEY_MOTION(normals)(m, table, path, dim, node, z);
    else if (even)
        z[0] = BAILEY_MOTION(even)(m, table, path, dim, node >> 1, held, bailey_motion_bit(node, 0));
    else
        z[0] = BAILEY_MOTION(odd)(m, table, path, dim, node, held);
    for (int i = 0; i < 3; i++) s[i] = BAILEY_MOTION_OP(splat)(even ? m->even[i] : m->odd[i]) * scale;
#define BAILEY_MOTION_FMA(c, x, y)                                                                           \
    BAILEY_MOTION_OP(fma)(BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)(c)), x, y)
    const BAILEY_MOTION_REAL halved = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5) * p.w;
    *left = *right = BAILEY_MOTION(none)();
    if (m->areas == 0) {
        left->w = BAILEY_MOTION_OP(fma)(s[0], z[0], halved);
        right->w = BAILEY_MOTION_OP(fma)(-s[0], z[0], halved);
        return;
    }
    left->w = BAILEY_MOTION_OP(fma)(s[0], z[0], BAILEY_MOTION_FMA(1.5, p.h, halved));
    right->w = BAILEY_MOTION_OP(fma)(-s[0], z[0], BAILEY_MOTION_FMA(-1.5, p.h, halved));
    const BAILEY_MOTION_REAL x = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)-0.5) * s[0];
    const BAILEY_MOTION_REAL mean =
        BAILEY_MOTION_OP(fma)(x, z[0], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.25) * p.h);
    const BAILEY_MOTION_REAL apart =
        BAILEY_MOTION_OP(fma)(s[1], z[1], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)3.75) * p.k);
    left->h = mean + apart;
    right->h = mean - apart;
    if (m->areas < 2) return;
    const BAILEY_MOTION_REAL y = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)-0.5) * s[1];
    const BAILEY_MOTION_REAL rest =
        BAILEY_MOTION_OP(fma)(y, z[1], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.125) * p.k);
    left->k = BAILEY_MOTION_OP(fma)(s[2], z[2], rest);
    right->k = BAILEY_MOTION_OP(fma)(-s[2], z[2], rest);
#undef BAILEY_MOTION_FMA
}

/* Two neighbouring intervals as one; `first` and `second` are their ticks, not both 0. With shares a and c of
 * the length and e = c W1 - a W2: H = a H1 + c H2 + e/2, K = a^2 K1 + c^2 K2 + a c (H1 - H2) / 2 + e (c - a)
 * / 12 (from the definitions). An interval of no length changes nothing. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(joined)(bailey_uint32 areas, bailey_u64 first, BAILEY_MOTION(part) p, bailey_u64 second,
                          BAILEY_MOTION(part) q)
{
    BAILEY_MOTION(part) r = BAILEY_MOTION(none)();
    r.w = p.w + q.w;
    if (areas == 0) return r;
    const BAILEY_MOTION_REAL length = BAILEY_MOTION(real)(first + second);
    const BAILEY_MOTION_REAL a = BAILEY_MOTION(real)(first) / length,
                             c = BAILEY_MOTION(real)(second) / length;
    const BAILEY_MOTION_REAL e = BAILEY_MOTION_OP(fma)(c, p.w, -(a * q.w));
    const BAILEY_MOTION_REAL weight = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5);
    r.h = BAILEY_MOTION_OP(fma)(weight, e, BAILEY_MOTION_OP(fma)(a, p.h, c * q.h));
    if (areas < 2) return r;
    const BAILEY_MOTION_REAL twelfth = BAILEY_MOTION_OP(splat)(BAILEY_MOTION_TWELFTH);
    r.k = BAILEY_MOTION_OP(fma)(a * a, p.k, c * c * q.k);
    r.k = BAILEY_MOTION_OP(fma)(a * c * weight, p.h - q.h, r.k);
    r.k = BAILEY_MOTION_OP(fma)((c - a) * twelfth, e, r.k);
    return r;
}

/* One end of an interval on its way down the tree: the node that holds it, where that begins, and what lies
 * between it and the midpoint at which the ends parted. */
typedef struct BAILEY_MOTION(side) {
    BAILEY_MOTION(part) now, sum;
    BAILEY_MOTION(held) held;
    bailey_u64 low, ticks, done;
} BAILEY_MOTION(side);

BAILEY_FN bailey_u64 BAILEY_MOTION(halve_side)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                               bailey_u64 path, bailey_uint32 dim, bailey_uint32 level,
                                               BAILEY_MOTION(side) * s, BAILEY_MOTION(part) * left,
                                               BAILEY_MOTION(part) * right)
{
    const bailey_u64 node =
        (s->low >> (m->levels - level + 1)) + bailey_splat_u64((bailey_uint64)1 << (level - 1));
    BAILEY_MOTION(halve)(m, table, path, dim, level, node, &s->held, s->now, left, right);
    return s->low + bailey_splat_u64((bailey_uint64)1 << (m->levels - level));
}

/* Adds a piece of `length` ticks, on the left or on the right of the sum. */
BAILEY_FN void BAILEY_MOTION(add)(bailey_uint32 areas, int on_left, BAILEY_MOTION(side) * s,
                                  bailey_u64 condition, bailey_u64 length, BAILEY_MOTION(part) piece)
{
    if (!bailey_motion_any(condition)) return;
    piece = on_left ? BAILEY_MOTION(joined)(areas, length, piece, s->ticks, s->sum)
                    : BAILEY_MOTION(joined)(areas, s->ticks, s->sum, length, piece);
    s->sum = BAILEY_MOTION(choose)(condition, piece, s->sum);
    s->ticks = bailey_motion_choose(condition, s->ticks + length, s->ticks);
}

/* What a path does between ticks `from` and `to`, from <= to <= 2^levels (any others: NaN), to full relative
 * accuracy however short the interval: it is put together of the largest nodes that it holds, those left of
 * the first midpoint inside it from the right to the left, the others from the left to the right, and then
 * both. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(between)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table, bailey_u64 path,
                           bailey_uint32 dim, bailey_u64 from, bailey_u64 to)
{
    const bailey_u64 zero = bailey_splat_u64(0);
    const bailey_u64 last = bailey_splat_u64((bailey_uint64)1 << m->levels);
    const bailey_u64 wrong = bailey_motion_less(last, to) | bailey_motion_less(to, from) | from | to;
    BAILEY_MOTION(side) a, b;
    a.now = BAILEY_MOTION(whole)(m, table, path, dim, &a.held);
    a.sum = BAILEY_MOTION(none)();
    a.low = a.ticks = zero;
    b = a;
    /* Lanes whose interval is all, or empty, or wrong, have nothing to find. */
    const bailey_u64 all = bailey_motion_equal(from, zero) & bailey_motion_equal(to, last);
    BAILEY_MOTION(add)(m->areas, 1, &a, all & ~wrong, last, a.now);
    a.done = all | wrong | bailey_motion_equal(from, to);
    b.done = ~zero; /* until the ends part */
    bailey_u64 parted = zero;
    for (bailey_uint32 level = 1; level <= m->levels && bailey_motion_any(~(a.done & b.done)); level++) {
        const bailey_u64 length = bailey_splat_u64((bailey_uint64)1 << (m->levels - level));
        BAILEY_MOTION(part) left, right, other_left = BAILEY_MOTION(none)(), other_right = other_left;
        const bailey_u64 middle = BAILEY_MOTION(halve_side)(m, table, path, dim, level, &a, &left, &right);
        bailey_u64 other_middle = zero;
        if (bailey_motion_any(~b.done))
            other_middle =
                BAILEY_MOTION(halve_side)(m, table, path, dim, level, &b, &other_left, &other_right);

        const bailey_u64 on_left = bailey_motion_less(from, middle);
        const bailey_u64 parts = on_left & bailey_motion_less(middle, to) & ~parted & ~a.done;
        const bailey_u64 holds = on_left & parted & ~a.done; /* the right half lies in the interval */
        a.now = BAILEY_MOTION(choose)(on_left, left, right);
        a.low = bailey_motion_choose(on_left, a.low, middle);
        const bailey_u64 ends = bailey_motion_equal(a.low, from) & ~a.done &
                                (parted | parts | bailey_motion_equal(a.low + length, to));
        BAILEY_MOTION(add)(m->areas, 1, &a, holds | ends, length, BAILEY_MOTION(choose)(holds, right, a.now));
        a.done = a.done | ends;

        const bailey_u64 other_holds =
            bailey_motion_less(other_middle, to) & ~b.done; /* the left half does */
        b.now = BAILEY_MOTION(choose)(other_holds, other_right, other_left);
        b.low = bailey_motion_choose(other_holds, other_middle, b.low);
        b.now = BAILEY_MOTION(choose)(parts, right, b.now);
        b.low = bailey_motion_choose(parts, middle, b.low);
        b.done = b.done & ~parts;
        b.held = BAILEY_MOTION(choose_held)(parts, a.held, b.held);
        const bailey_u64 other_ends = bailey_motion_equal(b.low + length, to) & ~b.done;
        BAILEY_MOTION(add)
        (m->areas, 0, &b, other_holds | other_ends, length,
         BAILEY_MOTION(choose)(other_holds, other_left, b.now));
        b.done = b.done | other_ends;
        parted = parted | parts;
    }
    BAILEY_MOTION(part) p = a.sum;
    if (bailey_motion_any(parted))
        p = BAILEY_MOTION(choose)(parted, BAILEY_MOTION(joined)(m->areas, a.ticks, a.sum, b.ticks, b.sum), p);
    BAILEY_MOTION(part) nan;
    nan.w = nan.h = nan.k = BAILEY_MOTION(nan)();
    return BAILEY_MOTION(choose)(wrong, nan, p);
}

/* A walk along one path and dimension of a motion with areas 0, for whoever goes from tick to tick: the same
 * values as bailey_motion_value's, at about one normal for each tick in a dense sequence. Ticks that lie
 * further on cost what is new of the way; going back costs a query. All lanes go to the same ticks.
 *
 * What waits on the right is a stack, the next of all on top: values, and how many zeros their ticks end in.
 */
typedef struct BAILEY_MOTION(walk) {
    bailey_uint64 tick;
    bailey_uint32 zeros, waiting; /* zeros that `tick` ends in; entries of the stack */
    BAILEY_MOTION_REAL left;      /* W at `tick` */
    bailey_uint32 right_zeros[BAILEY_MOTION_MAX_LEVELS + 1];
    BAILEY_MOTION_REAL right[BAILEY_MOTION_MAX_LEVELS + 1];
    BAILEY_MOTION(held) held[BAILEY_MOTION_MAX_LEVELS / 2]; /* of the node met last at each odd level */
} BAILEY_MOTION(walk);

/* At tick 0, before the entry of the last tick. */
BAILEY_FN void BAILEY_MOTION(walk_back)(BAILEY_MOTION(walk) * walk)
{
    walk->tick = 0;
    walk->zeros = BAILEY_MOTION_MAX_LEVELS;
    walk->waiting = 1;
    walk->left = BAILEY_MOTION_OP(splat)(0);
}
BAILEY_FN void BAILEY_MOTION(walk_begin)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                         bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk)
{
    BAILEY_MOTION(held) held;
    BAILEY_MOTION(walk_back)(walk);
    walk->right_zeros[0] = m->levels;
    walk->right[0] = BAILEY_MOTION(whole)(m, table, path, dim, &held).w;
}

/* Builds the middle of what lies between the present tick and the next that waits, an interval whose length
 * is the largest power of 2 that divides both. */
BAILEY_FN void BAILEY_MOTION(walk_down)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                        bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk,
                                        bailey_uint64 tick)
{
    const bailey_uint32 top = walk->waiting - 1, next = walk->right_zeros[top];
    const bailey_uint32 s = next < walk->zeros ? next : walk->zeros;
    const bailey_uint32 level = m->levels - s + 1, pair = (level - 1) / 2;
    const bailey_uint64 node = ((bailey_uint64)1 << (level - 1)) + (walk->tick >> s);
    const bailey_uint64 middle = walk->tick + ((bailey_uint64)1 << (s - 1));
    BAILEY_MOTION_REAL x;
    if (level & 1u)
        x = BAILEY_MOTION(odd)(m, table, path, dim, bailey_splat_u64(node), &walk->held[pair]);
    else
        x = BAILEY_MOTION(even)(m, table, path, dim, bailey_splat_u64(node >> 1), &walk->held[pair],
                                bailey_splat_u64(node << 63));
    x = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m, pair, !(level & 1u)), x, walk->left,
                                walk->right[top]);
    if (middle <= tick) {
        walk->tick = middle;
        walk->zeros = s - 1;
        walk->left = x;
    } else {
        walk->right[walk->waiting] = x;
        walk->right_zeros[walk->waiting++] = s - 1;
    }
}

/* W at `tick`, at most 2^levels, which is not checked: past it there is nothing on the stack. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(walk_to)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                                    bailey_u64 path, bailey_uint32 dim,
                                                    BAILEY_MOTION(walk) * walk, bailey_uint64 tick)
{
    if (tick < walk->tick) BAILEY_MOTION(walk_back)(walk);
    while (walk->tick < tick) {
        const bailey_uint32 top = walk->waiting - 1, zeros = walk->right_zeros[top];
        const bailey_uint64 next = ((walk->tick >> zeros) + 1) << zeros;
        if (next <= tick) {
            walk->tick = next;
            walk->zeros = zeros;
            walk->left = walk->right[top];
            walk->waiting = top;
        } else {
            BAILEY_MOTION(walk_down)(m, table, path, dim, walk, tick);
        }
    }
    return walk->left;
}

/* W at the three ticks x[0], x[1], x[2] that part an interval in four: node `node` of level 2 pair + 1 in the
 * middle and its children, which share a block. */
BAILEY_FN void BAILEY_MOTION(quarters)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                       bailey_u64 path, bailey_uint32 dim, bailey_uint32 pair,
                                       bailey_uint64 node, BAILEY_MOTION_REAL left, BAILEY_MOTION_REAL right,
                                       BAILEY_MOTION_REAL *x)
{
    const bailey_u64 middle = bailey_splat_u64(node), zero = bailey_splat_u64(0);
    BAILEY_MOTION(held) held;
    BAILEY_MOTION_REAL z = BAILEY_MOTION(odd)(m, table, path, dim, middle, &held);
    x[1] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m, pair, 0), z, left, right);
    z = BAILEY_MOTION(even)(m, table, path, dim, middle, &held, zero);
    x[0] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m, pair, 1), z, left, x[1]);
    z = BAILEY_MOTION(even)(m, table, path, dim, middle, &held, ~zero);
    x[2] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m, pair, 1), z, x[1], right);
}

/* W at the next four ticks of a dense sequence, x[0] .. x[3], each 2^zeros after the one before; a third of
 * the work of four calls of walk_to. The walk must be at a multiple of 2^(zeros + 2), before the last tick,
 * and levels - zeros be even: then the first three are bailey_motion_quarters_*. */
BAILEY_FN void BAILEY_MOTION(walk_four)(const BAILEY_MOTION_TYPE *m, BAILEY_MOTION_TABLE table,
                                        bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk,
                                        bailey_uint32 zeros, BAILEY_MOTION_REAL *x)
{
    const BAILEY_MOTION_REAL left = walk->left;
    const bailey_uint64 number = walk->tick >> (zeros + 2);
    const bailey_uint32 above = m->levels - zeros - 2;
    x[3] = BAILEY_MOTION(walk_to)(m, table, path, dim, walk, (number + 1) << (zeros + 2));
    BAILEY_MOTION(quarters)
    (m, table, path, dim, above / 2, ((bailey_uint64)1 << above) + number, left, x[3], x);
}

#undef BAILEY_MOTION_JOINED
#undef BAILEY_MOTION_JOIN
#undef BAILEY_MOTION
#undef BAILEY_MOTION_OP
#undef BAILEY_MOTION_TYPE
#undef BAILEY_MOTION_TABLE
#undef BAILEY_MOTION_IS
#undef BAILEY_MOTION_REAL
#undef BAILEY_MOTION_SCALAR
#undef BAILEY_MOTION_MASK
#undef BAILEY_MOTION_TWELFTH
