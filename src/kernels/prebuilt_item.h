/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An item of a built-in payoff that is compiled with the library: it reads BLY_WIDTH paths from memory and
 * writes their outputs. Included behind each payoff of kernels/prebuilt_<real>.h, which define
 *   BLY_OF(name)   the payoff's own name for `name`
 *   BLY_OUTPUTS    of the payoff
 *   BLY_WHOLE      1 if it is given the whole path
 *   BLY_SHOWN      dimensions that it looks at; 0: all of them
 */

/* Stores the outputs of a path or, after those of its mirror image, the means of both. */
BAILEY_FN void BLY_OF(store)(bly_prebuilt_params p, const real out[], int mirrored,
                             BAILEY_GLOBAL double *outputs)
{
    for (int a = 0; a < BLY_OUTPUTS; a++) {
        BAILEY_GLOBAL double *to = outputs + (bailey_uint64)a * p.output_row;
        *to = mirrored ? (*to + (double)out[a]) * 0.5 : (double)out[a];
    }
}

/* Dimension d of a step, of all the item's paths or their mirror images. */
BAILEY_FN void BLY_OF(load)(bly_prebuilt_params p, const BAILEY_GLOBAL real *constants,
                            const BAILEY_GLOBAL real *x, int d, int mirrored, real row[BLY_WIDTH])
{
    const BAILEY_GLOBAL real *from = x + (bailey_uint64)d * p.x_row;
    BLY_FOR_PATHS row[v] = from[v];
    if (!mirrored) return;
    const real twice = p.increments ? 0 : 2 * constants[d];
    BLY_FOR_PATHS row[v] = twice - row[v];
}

/* Follows the item's paths or their mirror images, of which the first is at x. */
BAILEY_FN void BLY_OF(follow)(bly_prebuilt_params p, const params *payoff,
                              const BAILEY_GLOBAL real *constants, const BAILEY_GLOBAL real *x,
                              BAILEY_GLOBAL double *outputs, int mirrored, const int bly_dims,
                              const int bly_steps, const int shown)
{
#if BLY_WHOLE
    (void)shown;
    for (int v = 0; v < BLY_WIDTH; v++) {
        real out[BLY_OUTPUTS] = {0};
        path one;
        one.x = x + v;
        one.row = p.x_row;
        one.constants = constants;
        one.dims = bly_dims;
        one.increments = (int)p.increments;
        one.mirrored = mirrored;
        BLY_OF(whole)(payoff, one, out, bly_dims, bly_steps);
        BLY_OF(store)(p, out, mirrored, outputs + v);
    }
#else
    const BAILEY_GLOBAL real *times = constants + bly_dims * (2 + bly_dims);
    real point[BLY_SHOWN ? BLY_SHOWN : BLY_PREBUILT_DIMS][BLY_WIDTH];
    bly_states states;
    BLY_FOR_PATHS
    {
        state s;
        BLY_OF(start)(&s, payoff, bly_dims, bly_steps);
        bly_state_put(&states, v, s);
    }
    for (int i = 0; i < bly_steps; i++, x += (bailey_uint64)bly_dims * p.x_row) {
        const real time = times[i];
        for (int d = 0; d < shown; d++)
            BLY_OF(load)(p, constants, x, d < bly_dims ? d : 0, mirrored, point[d]);
        BLY_FOR_PATHS
        {
            state s = bly_state_get(&states, v);
            real one[BLY_SHOWN ? BLY_SHOWN : BLY_PREBUILT_DIMS];
            BAILEY_UNROLL
            for (int d = 0; d < shown; d++) one[d] = point[d][v];
            BLY_OF(step)(&s, payoff, i, time, one, bly_dims, bly_steps);
            bly_state_put(&states, v, s);
        }
    }
    BLY_FOR_PATHS
    {
        const state s = bly_state_get(&states, v);
        real out[BLY_OUTPUTS] = {0};
        BLY_OF(finish)(&s, payoff, out, bly_dims, bly_steps);
        BLY_OF(store)(p, out, mirrored, outputs + v);
    }
#endif
}

BAILEY_FN void BLY_OF(item)(bly_prebuilt_params p, const BAILEY_GLOBAL bailey_uint64 *values,
                            const BAILEY_GLOBAL real *constants, const BAILEY_GLOBAL real *x,
                            BAILEY_GLOBAL double *outputs, bailey_uint64 item, bailey_uint64 row)
{
    const bailey_uint64 begin = item * BLY_WIDTH;
    const params *payoff = (const params *)(values + p.values);
    (void)row;
    if (begin >= p.paths) return;
    x += begin;
    outputs += p.output_first + begin;
    for (int mirrored = 0; mirrored <= (int)p.antithetic; mirrored++) {
#if BLY_SHOWN || BLY_WHOLE
        BLY_OF(follow)(p, payoff, constants, x, outputs, mirrored, (int)p.dims, (int)p.steps, BLY_SHOWN);
#elif !defined(BAILEY_IS_OPENCL) /* where each device has a compiler, and few wait for this one's */
        /* Loops over a few dimensions vanish if the compiler knows their number, and tests for long paths if
         * it knows that there are less than 256 steps: so paths become lanes. */
        const int few = (int)(p.steps & 255);
#define BLY_CASE(n)                                                                                          \
    case n:                                                                                                  \
        BLY_OF(follow)(p, payoff, constants, x, outputs, mirrored, n, few, n);                               \
        break;
        switch (p.steps < 256 ? p.dims : 0) {
            BLY_CASE(1)
            BLY_CASE(2)
            BLY_CASE(3)
            BLY_CASE(4)
#if !defined(BAILEY_IS_CUDA) /* whose paths are lanes anyway */
            BLY_CASE(5)
            BLY_CASE(6)
            BLY_CASE(7)
            BLY_CASE(8)
#endif
        default:
            BLY_OF(follow)
            (p, payoff, constants, x, outputs, mirrored, (int)p.dims, (int)p.steps, (int)p.dims);
        }
#undef BLY_CASE
#else
        BLY_OF(follow)(p, payoff, constants, x, outputs, mirrored, (int)p.dims, (int)p.steps, (int)p.dims);
#endif
    }
}

#undef BLY_OF
#undef BLY_OUTPUTS
#undef BLY_WHOLE
#undef BLY_SHOWN
