/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The path algebra: what every strategy does with the values of a bridge, one value being what an item has of
 * a row. Included once for each kind of value, by a file that defines:
 *   BLY_(name)          name followed by f32 or f64; BLY_SCALAR is the type
 *   BLY_VALUE           the type of a value
 *   BLY_VALUE_(name)    the function `name` on such values
 *   BLY_MAP(r, f)       assigns f(part) to each part of r; `x part` is the same part of another value x
 */

BAILEY_FN BLY_VALUE BLY_VALUE_(splat)(BLY_SCALAR a)
{
    BLY_VALUE r;
#define BLY_F(part) BLY_(bailey_splat_)(a)
    BLY_MAP(r, BLY_F);
#undef BLY_F
    return r;
}

/* a x */
BAILEY_FN BLY_VALUE BLY_VALUE_(scale)(BLY_SCALAR a, BLY_VALUE x)
{
#define BLY_F(part) BLY_(bailey_splat_)(a) * x part
    BLY_MAP(x, BLY_F);
#undef BLY_F
    return x;
}

/* a x + y */
BAILEY_FN BLY_VALUE BLY_VALUE_(fma)(BLY_SCALAR a, BLY_VALUE x, BLY_VALUE y)
{
#define BLY_F(part) BLY_(bailey_fma_)(BLY_(bailey_splat_)(a), x part, y part)
    BLY_MAP(x, BLY_F);
#undef BLY_F
    return x;
}

/* The point that step s builds from its neighbours and its entry of C Z. */
BAILEY_FN BLY_VALUE BLY_VALUE_(point)(BLY_(bailey_bridge_step_) s, BLY_VALUE left, BLY_VALUE right,
                                      BLY_VALUE z)
{
#define BLY_F(part) BLY_(bailey_bridge_point_)(s, left part, right part, z part)
    BLY_MAP(z, BLY_F);
#undef BLY_F
    return z;
}

/* The left and the right part of a gap. */
BAILEY_FN BLY_VALUE BLY_VALUE_(left)(BLY_(bailey_bridge_split_) s, BLY_VALUE gap, BLY_VALUE z)
{
#define BLY_F(part) BLY_(bailey_bridge_left_)(s, gap part, z part)
    BLY_MAP(z, BLY_F);
#undef BLY_F
    return z;
}
BAILEY_FN BLY_VALUE BLY_VALUE_(right)(BLY_(bailey_bridge_split_) s, BLY_VALUE gap, BLY_VALUE z)
{
#define BLY_F(part) BLY_(bailey_bridge_right_)(s, gap part, z part)
    BLY_MAP(z, BLY_F);
#undef BLY_F
    return z;
}

/* sum = entry `dim` of C Z: the products for j <= dim, in that order. The expressions c, of that row of C,
 * and z name the dimension `j`. */
#if !defined(BLY_SUM_CZ)
#define BLY_SUM_CZ(sum, dim, c, z)                                                                           \
    do {                                                                                                     \
        bailey_uint32 j = 0;                                                                                 \
        sum = BLY_VALUE_(scale)(c, z);                                                                       \
        for (j = 1; j <= (dim); j++) sum = BLY_VALUE_(fma)(c, z, sum);                                       \
    } while (0)

/* X(T) - X(t0), or with a single step the increment, from the first record: with a free end, and with the
 * ends fixed. */
#define BLY_ROOT(s, z) BLY_VALUE_(fma)((s).left_sigma, z, BLY_VALUE_(splat)(0))
#define BLY_ROOT_FIXED(s, start, end) BLY_VALUE_(splat)((s).left_weight * ((end) - (start)))
#endif
