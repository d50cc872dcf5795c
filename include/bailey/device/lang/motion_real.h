/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What bailey/device/ticks.h offers, in one precision; it includes this file for each. BAILEY_MOTION_IS is
 * _f32 or _f64 and ends the names: for users bailey_motion_value_f32, bailey_motion_between_f32, and
 * bailey_motion_walk_begin_f32 with bailey_motion_walk_to_f32.
 */
/* A name is joined before it can be expanded: some OpenCL compilers have macros fma and select. */
#define BAILEY_MOTION_JOINED(name, real) name##real
#define BAILEY_MOTION_JOIN(name, real) BAILEY_MOTION_JOINED(name, real)
#define BAILEY_MOTION(name) BAILEY_MOTION_JOIN(bailey_motion_##name, BAILEY_MOTION_IS)
#define BAILEY_MOTION_OP(name) BAILEY_MOTION_JOIN(bailey_##name, BAILEY_MOTION_IS)
#define BAILEY_MOTION_TYPE BAILEY_MOTION_JOIN(bailey_motion, BAILEY_MOTION_IS)
#define BAILEY_MOTION_TABLE const BAILEY_ICDF_SPACE BAILEY_MOTION_SCALAR *

/* A midpoint: the bridge's formula with both weights 1/2. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(midpoint)(BAILEY_MOTION_REAL sigma, BAILEY_MOTION_REAL z_,
                                                     BAILEY_MOTION_REAL left, BAILEY_MOTION_REAL right)
{
    const BAILEY_MOTION_REAL weight = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5);
    return BAILEY_MOTION_OP(fma)(sigma, z_, BAILEY_MOTION_OP(fma)(weight, right, weight * left));
}
/* The standard deviation of a midpoint of level 2 `pair` + 1, or of 2 `pair` + 2. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(sigma)(const BAILEY_MOTION_TYPE *m_, bailey_uint32 pair, int even)
{
    return BAILEY_MOTION_OP(splat)(even ? m_->even[0] : m_->odd[0]) * BAILEY_MOTION(shift)(pair);
}

/* W of a path and dimension at a tick, 0 .. 2^levels (of any other: NaN), of a motion with areas 0, that
 * starts at 0 and ends anywhere or at 0. `table` is the inverse CDF's. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(value)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                                  bailey_u64 path, bailey_uint32 dim, bailey_u64 tick)
{
    BAILEY_MOTION(held) held;
    bailey_u64 node = bailey_splat_u64(1);
    BAILEY_MOTION_REAL z_ = BAILEY_MOTION(odd)(m_, table, path, dim, node, &held);
    const BAILEY_MOTION_REAL end =
        BAILEY_MOTION_OP(splat)(m_->root[0]) * BAILEY_MOTION(root)(m_, table, path, dim, &held);
    BAILEY_MOTION_REAL left = BAILEY_MOTION_OP(splat)(0), right = end;
    BAILEY_MOTION_SCALAR scale = 1;
    /* Two levels in a turn. Where no lower bit is set, the tick is the left end, which later turns leave
     * alone.
     */
    for (bailey_uint32 below = m_->levels - 1;; below -= 2) {
        BAILEY_MOTION_REAL middle =
            BAILEY_MOTION(midpoint)(BAILEY_MOTION_OP(splat)(m_->odd[0] * scale), z_, left, right);
        const bailey_u64 second = bailey_motion_bit(tick, below);
        left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(second), middle, left);
        right = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(second), right, middle);
        if (below == 0 || !bailey_motion_any(~bailey_motion_equal(tick << (64 - below), bailey_splat_u64(0))))
            break;
        z_ = BAILEY_MOTION(even)(m_, table, path, dim, node, &held, second);
        middle = BAILEY_MOTION(midpoint)(BAILEY_MOTION_OP(splat)(m_->even[0] * scale), z_, left, right);
        const bailey_u64 fourth = bailey_motion_bit(tick, below - 1);
        left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(fourth), middle, left);
        right = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(fourth), right, middle);
        if (below == 1 || !bailey_motion_any(~bailey_motion_equal(tick << (65 - below), bailey_splat_u64(0))))
            break;
        scale *= (BAILEY_MOTION_SCALAR)0.5;
        node = (tick >> (below - 1)) + bailey_splat_u64((bailey_uint64)1 << (m_->levels - below + 1));
        z_ = BAILEY_MOTION(odd)(m_, table, path, dim, node, &held);
    }
    const bailey_u64 last = bailey_splat_u64((bailey_uint64)1 << m_->levels);
    left = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(bailey_motion_less(last, tick) | tick),
                                    BAILEY_MOTION(nan)(), left);
    return BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(bailey_motion_equal(tick, last)), end, left);
}

/* Increment and areas over an interval [a, b], b - a = h: w = W(b) - W(a); h = H, the integral of
 * W(s) - W(a) - (s - a) w / h over it, divided by h, which is N(0, h / 12); k = K, the integral of the same
 * integrand times ((a + b) / 2 - s), divided by h^2, which is N(0, h / 720). All three are independent. w is
 * N(0, h) or, with a fixed end, N(0, h - h^2 / (T - t0)), and then not independent of other intervals' w.
 * Parts that the motion does not have are 0. */
typedef struct BAILEY_MOTION(part) {
    BAILEY_MOTION_REAL w_, h_, k_;
} BAILEY_MOTION(part);

BAILEY_FN BAILEY_MOTION(part) BAILEY_MOTION(none)(void)
{
    BAILEY_MOTION(part) p_;
    p_.w_ = p_.h_ = p_.k_ = BAILEY_MOTION_OP(splat)(0);
    return p_;
}
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(choose)(bailey_u64 condition, BAILEY_MOTION(part) a_, BAILEY_MOTION(part) b_)
{
    a_.w_ = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a_.w_, b_.w_);
    a_.h_ = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a_.h_, b_.h_);
    a_.k_ = BAILEY_MOTION_OP(select)(BAILEY_MOTION_MASK(condition), a_.k_, b_.k_);
    return a_;
}

/* The whole interval; *held is what node 1 has for its children, with areas nothing. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(whole)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table, bailey_u64 path,
                         bailey_uint32 dim, BAILEY_MOTION(held) * held)
{
    BAILEY_MOTION(part) p_ = BAILEY_MOTION(none)();
    (void)BAILEY_MOTION(odd)(m_, table, path, dim, bailey_splat_u64(1), held);
    if (m_->areas == 0) {
        p_.w_ = BAILEY_MOTION_OP(splat)(m_->root[0]) * BAILEY_MOTION(root)(m_, table, path, dim, held);
        return p_;
    }
    BAILEY_MOTION_REAL z_[3];
    BAILEY_MOTION(normals)(m_, table, path, dim, bailey_splat_u64(0), z_);
    p_.w_ = BAILEY_MOTION_OP(splat)(m_->root[0]) * z_[0];
    p_.h_ = BAILEY_MOTION_OP(splat)(m_->root[1]) * z_[1];
    p_.k_ = BAILEY_MOTION_OP(splat)(m_->root[2]) * z_[2];
    return p_;
}

/* The halves of an interval of level `level`, of number `node` there.
 *
 * Given W, H and K of the whole the six of the halves have three degrees of freedom. With W1 - W2, H1 +- H2
 * and K1 +- K2 the conditions are W = W1 + W2, H = (H1 + H2) / 2 + (W1 - W2) / 4, K = (K1 + K2) / 4 + (H1 -
 * H2) / 8, so that regression gives, with independent normals x of variance h/16, y of h/768 (h/48 without K)
 * and u of h/2880: W1,2 = W/2 +- (3/2 H + x),  H1,2 = H/4 - x/2 +- (15/4 K + y),  K1,2 = K/8 - y/2 +- u. */
BAILEY_FN void BAILEY_MOTION(halve)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table, bailey_u64 path,
                                    bailey_uint32 dim, bailey_uint32 level, bailey_u64 node,
                                    BAILEY_MOTION(held) * held, BAILEY_MOTION(part) p_,
                                    BAILEY_MOTION(part) * left, BAILEY_MOTION(part) * right)
{
    BAILEY_MOTION_REAL z_[3], s_[3];
    z_[1] = z_[2] = BAILEY_MOTION_OP(splat)(0);
    const int even = !(level & 1u);
    const BAILEY_MOTION_REAL scale = BAILEY_MOTION(shift)((level - 1) / 2);
    if (m_->areas)
        BAILEY_MOTION(normals)(m_, table, path, dim, node, z_);
    else if (even)
        z_[0] = BAILEY_MOTION(even)(m_, table, path, dim, node >> 1, held, bailey_motion_bit(node, 0));
    else
        z_[0] = BAILEY_MOTION(odd)(m_, table, path, dim, node, held);
    for (int i_ = 0; i_ < 3; i_++)
        s_[i_] = BAILEY_MOTION_OP(splat)(even ? m_->even[i_] : m_->odd[i_]) * scale;
#define BAILEY_MOTION_FMA(c, x, y)                                                                           \
    BAILEY_MOTION_OP(fma)(BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)(c)), x, y)
    const BAILEY_MOTION_REAL halved = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5) * p_.w_;
    *left = *right = BAILEY_MOTION(none)();
    if (m_->areas == 0) {
        left->w_ = BAILEY_MOTION_OP(fma)(s_[0], z_[0], halved);
        right->w_ = BAILEY_MOTION_OP(fma)(-s_[0], z_[0], halved);
        return;
    }
    left->w_ = BAILEY_MOTION_OP(fma)(s_[0], z_[0], BAILEY_MOTION_FMA(1.5, p_.h_, halved));
    right->w_ = BAILEY_MOTION_OP(fma)(-s_[0], z_[0], BAILEY_MOTION_FMA(-1.5, p_.h_, halved));
    const BAILEY_MOTION_REAL x_ = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)-0.5) * s_[0];
    const BAILEY_MOTION_REAL mean =
        BAILEY_MOTION_OP(fma)(x_, z_[0], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.25) * p_.h_);
    const BAILEY_MOTION_REAL apart =
        BAILEY_MOTION_OP(fma)(s_[1], z_[1], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)3.75) * p_.k_);
    left->h_ = mean + apart;
    right->h_ = mean - apart;
    if (m_->areas < 2) return;
    const BAILEY_MOTION_REAL y_ = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)-0.5) * s_[1];
    const BAILEY_MOTION_REAL rest =
        BAILEY_MOTION_OP(fma)(y_, z_[1], BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.125) * p_.k_);
    left->k_ = BAILEY_MOTION_OP(fma)(s_[2], z_[2], rest);
    right->k_ = BAILEY_MOTION_OP(fma)(-s_[2], z_[2], rest);
#undef BAILEY_MOTION_FMA
}

/* Two neighbouring intervals as one; `first` and `second` are their ticks, not both 0. With shares a and c of
 * the length and e = c W1 - a W2: H = a H1 + c H2 + e/2, K = a^2 K1 + c^2 K2 + a c (H1 - H2) / 2 + e (c - a)
 * / 12 (from the definitions). An interval of no length changes nothing. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(joined)(bailey_uint32 areas, bailey_u64 first, BAILEY_MOTION(part) p_, bailey_u64 second,
                          BAILEY_MOTION(part) q_)
{
    BAILEY_MOTION(part) r_ = BAILEY_MOTION(none)();
    r_.w_ = p_.w_ + q_.w_;
    if (areas == 0) return r_;
    const BAILEY_MOTION_REAL length = BAILEY_MOTION(real)(first + second);
    const BAILEY_MOTION_REAL a_ = BAILEY_MOTION(real)(first) / length,
                             c_ = BAILEY_MOTION(real)(second) / length;
    const BAILEY_MOTION_REAL e_ = BAILEY_MOTION_OP(fma)(c_, p_.w_, -(a_ * q_.w_));
    const BAILEY_MOTION_REAL weight = BAILEY_MOTION_OP(splat)((BAILEY_MOTION_SCALAR)0.5);
    r_.h_ = BAILEY_MOTION_OP(fma)(weight, e_, BAILEY_MOTION_OP(fma)(a_, p_.h_, c_ * q_.h_));
    if (areas < 2) return r_;
    const BAILEY_MOTION_REAL twelfth = BAILEY_MOTION_OP(splat)(BAILEY_MOTION_TWELFTH);
    r_.k_ = BAILEY_MOTION_OP(fma)(a_ * a_, p_.k_, c_ * c_ * q_.k_);
    r_.k_ = BAILEY_MOTION_OP(fma)(a_ * c_ * weight, p_.h_ - q_.h_, r_.k_);
    r_.k_ = BAILEY_MOTION_OP(fma)((c_ - a_) * twelfth, e_, r_.k_);
    return r_;
}

/* One end of an interval on its way down the tree: the node that holds it, where that begins, and what lies
 * between it and the midpoint at which the ends parted. */
typedef struct BAILEY_MOTION(side) {
    BAILEY_MOTION(part) now, sum;
    BAILEY_MOTION(held) held;
    bailey_u64 low, ticks, done;
} BAILEY_MOTION(side);

BAILEY_FN bailey_u64 BAILEY_MOTION(halve_side)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                               bailey_u64 path, bailey_uint32 dim, bailey_uint32 level,
                                               BAILEY_MOTION(side) * s_, BAILEY_MOTION(part) * left,
                                               BAILEY_MOTION(part) * right)
{
    const bailey_u64 node =
        (s_->low >> (m_->levels - level + 1)) + bailey_splat_u64((bailey_uint64)1 << (level - 1));
    BAILEY_MOTION(halve)(m_, table, path, dim, level, node, &s_->held, s_->now, left, right);
    return s_->low + bailey_splat_u64((bailey_uint64)1 << (m_->levels - level));
}

/* Adds a piece of `length` ticks, on the left or on the right of the sum. */
BAILEY_FN void BAILEY_MOTION(add)(bailey_uint32 areas, int on_left, BAILEY_MOTION(side) * s_,
                                  bailey_u64 condition, bailey_u64 length, BAILEY_MOTION(part) piece)
{
    if (!bailey_motion_any(condition)) return;
    piece = on_left ? BAILEY_MOTION(joined)(areas, length, piece, s_->ticks, s_->sum)
                    : BAILEY_MOTION(joined)(areas, s_->ticks, s_->sum, length, piece);
    s_->sum = BAILEY_MOTION(choose)(condition, piece, s_->sum);
    s_->ticks = bailey_motion_choose(condition, s_->ticks + length, s_->ticks);
}

/* Increment and areas of a path between ticks `from` and `to`, from <= to <= 2^levels (any others: NaN), to
 * full relative accuracy however short the interval: it is put together of the largest nodes that it holds,
 * those left of the first midpoint inside it from the right to the left, the others from the left to the
 * right, and then both. */
BAILEY_FN BAILEY_MOTION(part)
    BAILEY_MOTION(between)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table, bailey_u64 path,
                           bailey_uint32 dim, bailey_u64 from, bailey_u64 to)
{
    const bailey_u64 zero = bailey_splat_u64(0);
    const bailey_u64 last = bailey_splat_u64((bailey_uint64)1 << m_->levels);
    const bailey_u64 wrong = bailey_motion_less(last, to) | bailey_motion_less(to, from) | from | to;
    BAILEY_MOTION(side) a_, b_;
    a_.now = BAILEY_MOTION(whole)(m_, table, path, dim, &a_.held);
    a_.sum = BAILEY_MOTION(none)();
    a_.low = a_.ticks = zero;
    b_ = a_;
    /* Lanes whose interval is all, or empty, or wrong, have nothing to find. */
    const bailey_u64 all = bailey_motion_equal(from, zero) & bailey_motion_equal(to, last);
    BAILEY_MOTION(add)(m_->areas, 1, &a_, all & ~wrong, last, a_.now);
    a_.done = all | wrong | bailey_motion_equal(from, to);
    b_.done = ~zero; /* until the ends part */
    bailey_u64 parted = zero;
    for (bailey_uint32 level = 1; level <= m_->levels && bailey_motion_any(~(a_.done & b_.done)); level++) {
        const bailey_u64 length = bailey_splat_u64((bailey_uint64)1 << (m_->levels - level));
        BAILEY_MOTION(part) left, right, other_left = BAILEY_MOTION(none)(), other_right = other_left;
        const bailey_u64 middle = BAILEY_MOTION(halve_side)(m_, table, path, dim, level, &a_, &left, &right);
        bailey_u64 other_middle = zero;
        if (bailey_motion_any(~b_.done))
            other_middle =
                BAILEY_MOTION(halve_side)(m_, table, path, dim, level, &b_, &other_left, &other_right);

        const bailey_u64 on_left = bailey_motion_less(from, middle);
        const bailey_u64 parts = on_left & bailey_motion_less(middle, to) & ~parted & ~a_.done;
        const bailey_u64 holds = on_left & parted & ~a_.done; /* the right half lies in the interval */
        a_.now = BAILEY_MOTION(choose)(on_left, left, right);
        a_.low = bailey_motion_choose(on_left, a_.low, middle);
        const bailey_u64 ends = bailey_motion_equal(a_.low, from) & ~a_.done &
                                (parted | parts | bailey_motion_equal(a_.low + length, to));
        BAILEY_MOTION(add)
        (m_->areas, 1, &a_, holds | ends, length, BAILEY_MOTION(choose)(holds, right, a_.now));
        a_.done = a_.done | ends;

        const bailey_u64 other_holds =
            bailey_motion_less(other_middle, to) & ~b_.done; /* the left half does */
        b_.now = BAILEY_MOTION(choose)(other_holds, other_right, other_left);
        b_.low = bailey_motion_choose(other_holds, other_middle, b_.low);
        b_.now = BAILEY_MOTION(choose)(parts, right, b_.now);
        b_.low = bailey_motion_choose(parts, middle, b_.low);
        b_.done = b_.done & ~parts;
        b_.held = BAILEY_MOTION(choose_held)(parts, a_.held, b_.held);
        const bailey_u64 other_ends = bailey_motion_equal(b_.low + length, to) & ~b_.done;
        BAILEY_MOTION(add)
        (m_->areas, 0, &b_, other_holds | other_ends, length,
         BAILEY_MOTION(choose)(other_holds, other_left, b_.now));
        b_.done = b_.done | other_ends;
        parted = parted | parts;
    }
    BAILEY_MOTION(part) p_ = a_.sum;
    if (bailey_motion_any(parted))
        p_ = BAILEY_MOTION(choose)(parted,
                                   BAILEY_MOTION(joined)(m_->areas, a_.ticks, a_.sum, b_.ticks, b_.sum), p_);
    BAILEY_MOTION(part) unknown;
    unknown.w_ = unknown.h_ = unknown.k_ = BAILEY_MOTION(nan)();
    return BAILEY_MOTION(choose)(wrong, unknown, p_);
}

/* A walk along one path and dimension of a motion with areas 0, for code that goes from tick to tick: the
 * same values as bailey_motion_value's, at about one normal for each tick in a dense sequence. Ticks that lie
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
BAILEY_FN void BAILEY_MOTION(walk_begin)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                         bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk)
{
    BAILEY_MOTION(held) held;
    BAILEY_MOTION(walk_back)(walk);
    walk->right_zeros[0] = m_->levels;
    walk->right[0] = BAILEY_MOTION(whole)(m_, table, path, dim, &held).w_;
}

/* Builds the middle of what lies between the present tick and the next that waits, an interval whose length
 * is the largest power of 2 that divides both. */
BAILEY_FN void BAILEY_MOTION(walk_down)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                        bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk,
                                        bailey_uint64 tick)
{
    const bailey_uint32 top = walk->waiting - 1, next = walk->right_zeros[top];
    const bailey_uint32 s_ = next < walk->zeros ? next : walk->zeros;
    const bailey_uint32 level = m_->levels - s_ + 1, pair = (level - 1) / 2;
    const bailey_uint64 node = ((bailey_uint64)1 << (level - 1)) + (walk->tick >> s_);
    const bailey_uint64 middle = walk->tick + ((bailey_uint64)1 << (s_ - 1));
    BAILEY_MOTION_REAL x_;
    if (level & 1u)
        x_ = BAILEY_MOTION(odd)(m_, table, path, dim, bailey_splat_u64(node), &walk->held[pair]);
    else
        x_ = BAILEY_MOTION(even)(m_, table, path, dim, bailey_splat_u64(node >> 1), &walk->held[pair],
                                 bailey_splat_u64(node << 63));
    x_ = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m_, pair, !(level & 1u)), x_, walk->left,
                                 walk->right[top]);
    if (middle <= tick) {
        walk->tick = middle;
        walk->zeros = s_ - 1;
        walk->left = x_;
    } else {
        walk->right[walk->waiting] = x_;
        walk->right_zeros[walk->waiting++] = s_ - 1;
    }
}

/* W at `tick`, at most 2^levels, which is not checked: past it there is nothing on the stack. */
BAILEY_FN BAILEY_MOTION_REAL BAILEY_MOTION(walk_to)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
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
            BAILEY_MOTION(walk_down)(m_, table, path, dim, walk, tick);
        }
    }
    return walk->left;
}

/* W at the three ticks x[0], x[1], x[2] that part an interval in four: node `node` of level 2 pair + 1 in the
 * middle and its children, which share a block. */
BAILEY_FN void BAILEY_MOTION(quarters)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                       bailey_u64 path, bailey_uint32 dim, bailey_uint32 pair,
                                       bailey_uint64 node, BAILEY_MOTION_REAL left, BAILEY_MOTION_REAL right,
                                       BAILEY_MOTION_REAL *x_)
{
    const bailey_u64 middle = bailey_splat_u64(node), zero = bailey_splat_u64(0);
    BAILEY_MOTION(held) held;
    BAILEY_MOTION_REAL z_ = BAILEY_MOTION(odd)(m_, table, path, dim, middle, &held);
    x_[1] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m_, pair, 0), z_, left, right);
    z_ = BAILEY_MOTION(even)(m_, table, path, dim, middle, &held, zero);
    x_[0] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m_, pair, 1), z_, left, x_[1]);
    z_ = BAILEY_MOTION(even)(m_, table, path, dim, middle, &held, ~zero);
    x_[2] = BAILEY_MOTION(midpoint)(BAILEY_MOTION(sigma)(m_, pair, 1), z_, x_[1], right);
}

/* W at the next four ticks of a dense sequence, x[0] .. x[3], each 2^zeros after the one before; a third of
 * the work of four calls of walk_to. The walk must be at a multiple of 2^(zeros + 2), before the last tick,
 * and levels - zeros be even: then the first three are bailey_motion_quarters_*. */
BAILEY_FN void BAILEY_MOTION(walk_four)(const BAILEY_MOTION_TYPE *m_, BAILEY_MOTION_TABLE table,
                                        bailey_u64 path, bailey_uint32 dim, BAILEY_MOTION(walk) * walk,
                                        bailey_uint32 zeros, BAILEY_MOTION_REAL *x_)
{
    const BAILEY_MOTION_REAL left = walk->left;
    const bailey_uint64 number = walk->tick >> (zeros + 2);
    const bailey_uint32 above = m_->levels - zeros - 2;
    x_[3] = BAILEY_MOTION(walk_to)(m_, table, path, dim, walk, (number + 1) << (zeros + 2));
    BAILEY_MOTION(quarters)
    (m_, table, path, dim, above / 2, ((bailey_uint64)1 << above) + number, left, x_[3], x_);
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
