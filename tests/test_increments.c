/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How exact scaled increments are, against a reference in long double: gaps of every size side by side keep
 * their digits, on the right as on the left. Their bits: test_paths.c and test_strategies.c.
 */
#include "harness.h"

#include <float.h>
#include <math.h>

#define MOST_STEPS 64
#define PATHS 256
#define MOST_Z 4.0 /* of |Z| here */

struct bridge {
    uint64_t steps;
    double start_time, times[MOST_STEPS];
    uint32_t order[MOST_STEPS];
    int fixed, f64;
    double end; /* start is 0 */
};

static double time_of(const struct bridge *b, uint64_t point)
{
    return point == 0 ? b->start_time : b->times[point - 1];
}

/* X for Z, both [step][path]; rows of Z in construction order. Numbers are those of the precision. */
static void generate(const struct bridge *b, bailey_bridge_output output, const double *z, double *x)
{
    const uint64_t count = b->steps * PATHS, z_count = count - (b->fixed ? PATHS : 0);
    const size_t element = b->f64 ? 8 : 4;
    const bailey_bridge_params params = {.times = b->times,
                                         .steps = b->steps,
                                         .start_time = b->start_time,
                                         .order = b->order,
                                         .dims = 1,
                                         .output = output,
                                         .precision = b->f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                                         .end = b->fixed ? &b->end : NULL};
    float *narrow = allocate(count * sizeof *narrow);
    for (uint64_t i = 0; i < z_count; i++) narrow[i] = (float)z[i];
    bailey_bridge *bridge = NULL;
    bailey_buffer *in = poisoned(count * element), *out = poisoned(count * element);
    if (z_count) OK(bailey_buffer_write(in, 0, b->f64 ? (const void *)z : narrow, z_count * element));
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_bridge_build(bridge, PATHS, in, out));
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(in);
    void *found = harvest(out, count * element);
    for (uint64_t i = 0; i < count; i++) x[i] = b->f64 ? ((double *)found)[i] : (double)((float *)found)[i];
    free(found);
    free(narrow);
}

/* One path of increments, from the definition. depth[i]: how many splits made increment i. */
static void reference(const struct bridge *b, const double *z, uint64_t path, long double *x, unsigned *depth)
{
    uint64_t right_of[MOST_STEPS + 1] = {b->steps}; /* of the gap that begins at a point; 0: none does */
    const long double span = (long double)time_of(b, b->steps) - b->start_time;
    x[0] = b->fixed ? (long double)b->end : sqrtl(span) * z[path];
    depth[0] = 0;
    for (uint64_t k = 1; k < b->steps; k++) {
        const uint64_t point = b->order[k - 1];
        uint64_t l = point - 1;
        while (right_of[l] == 0) l--;
        const uint64_t r = right_of[l];
        const long double before = (long double)time_of(b, point) - time_of(b, l);
        const long double after = (long double)time_of(b, r) - time_of(b, point);
        const long double all = (long double)time_of(b, r) - time_of(b, l);
        const long double noise = sqrtl(before * after / all) * z[(k - (b->fixed ? 1 : 0)) * PATHS + path];
        x[point] = after / all * x[l] - noise;
        x[l] = before / all * x[l] + noise;
        depth[point] = ++depth[l];
        right_of[point] = r;
        right_of[l] = point;
    }
    for (uint64_t i = 0; i < b->steps; i++) x[i] /= (long double)time_of(b, i + 1) - time_of(b, i);
}

/* How far an increment may be from its reference, in units u of roundoff and of the increment's standard
 * deviation sqrt(dt) / dt; with |Z| <= m, and |D| <= m sqrt(L) of the root, as it is here.
 *
 * A gap of length L after k splits has |D| <= m sqrt(k + 1) sqrt(L): a part w of a gap is w D + sigma Z, and
 * sigma is sqrt(w (1 - w) L), so in units of the part's sqrt(w L) it is at most sqrt(w) d + sqrt(1 - w) m,
 * and that at most sqrt(d^2 + m^2). The error e of D enters the part as sqrt(w) e, in those units; the
 * weight, off by a, and the product with it add (a + 1) sqrt(w) d, sigma, off by s, adds s sqrt(1 - w) m, and
 * the last rounding the part itself. No term grows as the part gets small. In single precision weights and
 * sigmas are rounded once; in double they have 3 and at most 5.5 roundings from the host's arithmetic. */
static double bound(const struct bridge *b, unsigned splits)
{
    const double a = b->f64 ? 3 : 1, s = b->f64 ? 5.5 : 1, m = MOST_Z;
    double e = (s + 1) * m;
    for (unsigned k = 0; k < splits; k++) e = hypot(e + (a + 1) * m * sqrt(k + 1.), s * m) + m * sqrt(k + 2.);
    return e * 1.0001; /* the products of roundings */
}

static double unit(const struct bridge *b, uint64_t i)
{
    return (b->f64 ? DBL_EPSILON : FLT_EPSILON) / 2 / sqrt(time_of(b, i + 1) - time_of(b, i));
}

static void draw(const struct bridge *b, uint64_t *random, double *z)
{
    for (uint64_t i = 0; i < b->steps * PATHS; i++) {
        z[i] = MOST_Z * (2 * next_uniform(random) - 1);
        if (!b->f64) z[i] = (float)z[i];
    }
}

/* The largest error of all increments, as a part of what is allowed, and how many of them are 0. */
static double worst_error(const struct bridge *b, uint64_t *random, unsigned *zeros)
{
    static double z[MOST_STEPS * PATHS], x[MOST_STEPS * PATHS];
    long double expected[MOST_STEPS];
    unsigned depth[MOST_STEPS];
    double worst = 0;
    draw(b, random, z);
    generate(b, BAILEY_BRIDGE_OUTPUT_INCREMENTS, z, x);
    for (uint64_t path = 0; path < PATHS; path++) {
        reference(b, z, path, expected, depth);
        for (uint64_t i = 0; i < b->steps; i++) {
            const double off = (double)fabsl(x[i * PATHS + path] - expected[i]);
            const double part = off / (unit(b, i) * bound(b, depth[i]));
            if (!(part <= worst)) worst = part;
            *zeros += x[i * PATHS + path] == 0;
        }
    }
    return worst;
}

/* Both ends, both precisions. The fixed end is within what a free one reaches. */
static void check(struct bridge *b, uint64_t *random)
{
    static double most;
    for (int variant = 0; variant < 4; variant++) {
        unsigned zeros = 0;
        b->fixed = variant & 1;
        b->f64 = variant >> 1;
        b->end = (float)(-2.5 * sqrt(b->times[b->steps - 1] - b->start_time));
        if (b->f64 && (!device.has_f64 || LDBL_MANT_DIG < 64)) continue;
        const double worst = worst_error(b, random, &zeros);
        if (!(worst <= 1))
            fail_msg("%llu steps from %.17g, %s, f%d: an error of %g of the bound",
                     (unsigned long long)b->steps, b->start_time, b->fixed ? "fixed" : "free",
                     b->f64 ? 64 : 32, worst);
        /* By chance, one of 2^24 or so. */
        if (zeros) fail_msg("%u increments of %llu are 0", zeros, (unsigned long long)b->steps * PATHS);
        if (most < worst && getenv("BAILEY_TEST_VERBOSE")) fprintf(stderr, "%g of the bound\n", most = worst);
    }
}

TEST(two_gaps, DEVICE | LONG_ON_OPENCL)
{
    uint64_t random = 1;
    for (int left = -12; left <= 6; left++)
        for (int right = -12; right <= 6; right++) {
            struct bridge b = {.steps = 2, .order = {1}};
            b.start_time = -pow(10, left);
            b.times[1] = pow(10, right);
            check(&b, &random);
        }
}

/* A second after thirty years, a thousandth of a millionth after a million; the same before. */
TEST(late_times, DEVICE | LONG_ON_OPENCL)
{
    static const double late[] = {30, 1e6}, after[] = {1 / (365.25 * 86400), 1e-9};
    uint64_t random = 2;
    for (int i = 0; i < 2; i++) {
        struct bridge b = {.steps = 2, .order = {1}, .times = {late[i], late[i] + after[i]}};
        check(&b, &random);
        const struct bridge before = {
            .steps = 2, .order = {1}, .start_time = -b.times[1], .times = {-b.times[0], 0}};
        b = before;
        check(&b, &random);
    }
}

/* `steps` gaps of random sizes, in a random order; as far as doubles can tell the times apart. */
static struct bridge random_bridge(uint64_t *random, uint64_t steps)
{
    struct bridge b = {.steps = steps};
    double t = b.start_time = 100 * (next_uniform(random) - 0.5);
    for (uint64_t i = 0; i < steps; i++) {
        const double next = t + pow(10, 18 * next_uniform(random) - 12);
        b.times[i] = t = next > t ? next : nextafter(t, INFINITY);
    }
    random_permutation(random, b.order, (uint32_t)steps - 1);
    return b;
}

TEST(many_gaps, DEVICE | LONG_ON_OPENCL)
{
    uint64_t random = 3;
    for (uint64_t i = 0; i < 40; i++) {
        struct bridge b = random_bridge(&random, i < 39 ? 1 + i % 13 : MOST_STEPS);
        check(&b, &random);
    }
}

/* The bridge backwards in time, with all Z but the root's of the other sign, has the same increments, bit for
 * bit, in the opposite order: left and right are made alike. */
TEST(test_mirrored, DEVICE | LONG_ON_OPENCL)
{
    static double z[MOST_STEPS * PATHS], x[MOST_STEPS * PATHS], mirrored[MOST_STEPS * PATHS];
    uint64_t random = 4;
    for (uint64_t i = 0; i < 40; i++) {
        struct bridge b = random_bridge(&random, i < 36 ? 1 + i % 9 : MOST_STEPS), m = b;
        const uint64_t steps = b.steps;
        b.f64 = m.f64 = (int)(i & 1) && device.has_f64;
        b.fixed = m.fixed = (int)(i >> 1 & 1);
        b.end = m.end = 1.5;
        m.start_time = -b.times[steps - 1];
        for (uint64_t k = 1; k <= steps; k++) m.times[k - 1] = -time_of(&b, steps - k);
        for (uint64_t k = 0; k + 1 < steps; k++) m.order[k] = (uint32_t)steps - b.order[k];
        draw(&b, &random, z);
        generate(&b, BAILEY_BRIDGE_OUTPUT_INCREMENTS, z, x);
        for (uint64_t e = b.fixed ? 0 : PATHS; e < steps * PATHS; e++) z[e] = -z[e];
        generate(&m, BAILEY_BRIDGE_OUTPUT_INCREMENTS, z, mirrored);
        for (uint64_t row = 0; row < steps; row++)
            assert_memory_equal(mirrored + row * PATHS, x + (steps - 1 - row) * PATHS, PATHS * sizeof *x);
    }
}

/* They add up to X(T), to within their errors. */
TEST(test_sum, DEVICE | LONG_ON_OPENCL)
{
    static double z[MOST_STEPS * PATHS], x[MOST_STEPS * PATHS], path[MOST_STEPS * PATHS];
    long double expected[MOST_STEPS];
    unsigned depth[MOST_STEPS];
    uint64_t random = 5;
    for (int variant = 0; variant < 8; variant++) {
        struct bridge b = random_bridge(&random, MOST_STEPS);
        b.fixed = variant & 1;
        b.f64 = variant >> 1 & 1;
        b.end = -2;
        if (b.f64 && (!device.has_f64 || LDBL_MANT_DIG < 64)) continue;
        if (variant & 4) OK(bailey_order_make(BAILEY_ORDER_BISECTION, MOST_STEPS - 1, NULL, 0, b.order));
        draw(&b, &random, z);
        generate(&b, BAILEY_BRIDGE_OUTPUT_INCREMENTS, z, x);
        generate(&b, BAILEY_BRIDGE_OUTPUT_PATHS, z, path);
        for (uint64_t p = 0; p < PATHS; p++) {
            long double sum = 0;
            double allowed = 0;
            reference(&b, z, p, expected, depth);
            for (uint64_t i = 0; i < b.steps; i++) {
                const double dt = b.times[i] - time_of(&b, i);
                sum += (long double)x[i * PATHS + p] * dt;
                allowed += unit(&b, i) * bound(&b, depth[i]) * dt;
            }
            /* X(T) itself is rounded, and so is its sigma. */
            allowed += 8 * (b.f64 ? DBL_EPSILON : FLT_EPSILON) * fabs(path[(b.steps - 1) * PATHS + p]);
            assert_true(fabsl(sum - path[(b.steps - 1) * PATHS + p]) <= allowed);
        }
    }
}
