/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The checks of a run, made before anything is queued: kernels repeat none of them.
 */
#include "simulation_internal.h"

#include <host/bridge/bridge_internal.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/motion/motion_internal.h>

#include <math.h>

#define MOST_POINTS (UINT64_C(1) << 63)

static bailey_status check_samples(const bailey_simulation *s, const bailey_simulation_run_params *p,
                                   uint64_t results, uint64_t replicates)
{
    if (!p->samples) return BAILEY_OK;
    const uint64_t count = bly_multiply(bly_multiply(p->paths, replicates), results);
    if (p->samples->host)
        return bly_fail_argument("samples", "samples adopts host memory, but must be on the device");
    return bly_check_buffer(s->context, p->samples, "samples", 0, count ? count : UINT64_MAX,
                            bly_element_bytes(s->precision));
}

static bailey_status check_paths(const bailey_simulation_run_params *p, int points, uint64_t replicates)
{
    const uint64_t most = points ? MOST_POINTS : BAILEY_BRIDGE_MAX_PATHS;
    if (p->paths > most || p->first_path > most - p->paths)
        return bly_fail_argument("first_path", "first_path %llu + paths %llu exceeds 2^%d",
                                 (unsigned long long)p->first_path, (unsigned long long)p->paths,
                                 points ? 63 : 38);
    if (replicates > 1 && p->source.stream > UINT64_MAX - (replicates - 1))
        return bly_fail_argument("stream", "stream %llu + replicates %llu exceeds 2^64",
                                 (unsigned long long)p->source.stream, (unsigned long long)replicates);
    if (replicates > 1 && points && p->source.scramble == BAILEY_SCRAMBLE_NONE)
        return bly_fail_argument("replicates",
                                 "replicates is %llu, but without a scramble all would use the same points",
                                 (unsigned long long)replicates);
    return BAILEY_OK;
}

static bailey_status check_expected(const bailey_simulation_run_params *p, uint64_t results)
{
    uint64_t controls = 0;
    for (uint64_t o = 0; p->expected && o < results; o++) {
        if (isinf(p->expected[o]))
            return bly_fail_argument("expected", "expected[%llu] is %g, not finite", (unsigned long long)o,
                                     p->expected[o]);
        controls += !isnan(p->expected[o]);
    }
    if (controls == results)
        return bly_fail_argument("expected", "expected gives all %llu %s, so there is nothing to estimate",
                                 (unsigned long long)results, p->scenarios.count ? "results" : "outputs");
    return BAILEY_OK;
}

static bailey_status check_histogram(const bailey_simulation *s, const bailey_simulation_run_params *p,
                                     uint64_t results, uint64_t replicates)
{
    const bailey_histogram *h = &p->histogram;
    if (h->bins == 0) return BAILEY_OK;
    if (!h->counts) return bly_fail_argument("counts", "counts is NULL but bins is %u", h->bins);
    if (h->output >= results)
        return bly_fail_argument("output", "output is %u, but %s has %llu%s", h->output, s->payoff.name,
                                 (unsigned long long)results, p->scenarios.count ? " results" : "");
    if (!(isfinite(h->low) && isfinite(h->high) && h->low < h->high &&
          isfinite(h->bins / (h->high - h->low))))
        return bly_fail_argument("low", "low is %g and high is %g, which is not an interval", h->low,
                                 h->high);
    if (bly_multiply(p->paths, replicates) - 1 > UINT32_MAX - 1)
        return bly_fail_argument(
            "paths", "paths is %llu in %llu replicates; with a histogram the total must be below 2^32",
            (unsigned long long)p->paths, (unsigned long long)replicates);
    return BAILEY_OK;
}

static bailey_status check_flags(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    if (p->antithetic && s->fixed_end)
        return bly_fail_argument("antithetic", "antithetic paths need a free end");
    return BAILEY_OK;
}

/* In integers, bins are of them. */
static bailey_status check_fixed_bins(const bailey_simulation_run_params *p)
{
    const bailey_histogram *h = &p->histogram;
    if (h->bins == 0) return BAILEY_OK;
    if (!(h->low >= -p->sum_limit && h->high <= p->sum_limit))
        return bly_fail_argument("low", "the histogram from %g to %g exceeds sum_limit %g", h->low, h->high,
                                 p->sum_limit);
    const bly_fixed_params fixed = bly_fixed_params_of(p, BAILEY_PRECISION_F64);
    if (fixed.low == fixed.high)
        return bly_fail_argument(
            "low", "the ends of the histogram, %g and %g, are equal at the resolution of sum_limit %g",
            h->low, h->high, p->sum_limit);
    return BAILEY_OK;
}

bailey_status bly_simulation_check_sum(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    const bailey_device *device = &s->context->device->info;
    if (p->sum == BAILEY_SUM_FIXED && !(p->sum_limit >= 1 / BLY_SUM_LIMIT && p->sum_limit <= BLY_SUM_LIMIT))
        return bly_fail_argument("sum_limit", "sum_limit is %g; BAILEY_SUM_FIXED needs it from 2^-60 to 2^60",
                                 p->sum_limit);
    if (p->sum == BAILEY_SUM_FIXED && p->scenarios.count && p->scenarios.rows)
        return bly_fail_argument(
            "weights", "weights need BAILEY_SUM_DOUBLE, not BAILEY_SUM_FIXED: rows are computed in double");
    if (p->sum == BAILEY_SUM_FIXED && s->prebuilt) {
        bly_fail(BAILEY_ERROR_UNSUPPORTED,
                 "BAILEY_SUM_FIXED needs a compiler: the precompiled %s accumulates in double",
                 s->payoff.name);
        return bly_name_argument(BAILEY_ERROR_UNSUPPORTED, "sum");
    }
    if (p->sum == BAILEY_SUM_FIXED) return check_fixed_bins(p);
    if (p->sum_limit != 0)
        return bly_fail_argument("sum_limit", "sum_limit is %g, but only BAILEY_SUM_FIXED uses it",
                                 p->sum_limit);
    if (device->has_f64) return BAILEY_OK;
    bly_fail(BAILEY_ERROR_UNSUPPORTED,
             "%s has no double precision, which BAILEY_SUM_DOUBLE needs; use BAILEY_SUM_FIXED",
             device->address);
    return bly_name_argument(BAILEY_ERROR_UNSUPPORTED, "sum");
}

static bailey_status check_motion(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    if (p->normal.method != BAILEY_NORMAL_METHOD_ICDF)
        return bly_fail_argument("method", "method is %s, but a motion needs icdf",
                                 BLY_CHOICE_WORD(NORMAL_METHODS, p->normal.method));
    if (p->normal.word_bits && p->normal.word_bits != (s->precision == BAILEY_PRECISION_F64 ? 64 : 32))
        return bly_fail_argument("word_bits", "word_bits is %u, but a motion needs those of its precision",
                                 p->normal.word_bits);
    return bly_motion_check_source(&p->source);
}

static bailey_status check_fields(const bailey_simulation_run_params *p)
{
    bailey_simulation_run_params looked_at = *p;
    looked_at.normal.precision = BAILEY_PRECISION_F32; /* the simulation's counts */
    return bailey_record_check(&bly_record_simulation_run_params, &looked_at);
}

bailey_status bly_simulation_check_run(const bailey_simulation *s, const bailey_simulation_run_params *p,
                                       uint64_t results, enum bly_draw *draw)
{
    const uint64_t replicates = bly_simulation_replicates(p);
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    bailey_status status = check_fields(p);
    if (status == BAILEY_OK) status = bailey_source_check(&p->source, &kind);
    if (status == BAILEY_OK && s->motion) status = check_motion(s, p);
    if (status == BAILEY_OK) status = bly_bridge_check_source(s->bridge, &p->source, &p->normal, draw);
    if (status == BAILEY_OK) status = check_paths(p, kind == BAILEY_SOURCE_KIND_POINT, replicates);
    if (status == BAILEY_OK) status = check_flags(s, p);
    if (status == BAILEY_OK) status = check_expected(p, results);
    if (status == BAILEY_OK) status = check_histogram(s, p, results, replicates);
    if (status == BAILEY_OK) status = bly_simulation_check_sum(s, p);
    return status == BAILEY_OK ? check_samples(s, p, results, replicates) : status;
}
