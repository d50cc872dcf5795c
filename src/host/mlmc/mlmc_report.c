/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The report of bailey_mlmc_test in M. Giles's file format 1.0. His scripts find their way by the beginnings
 * of lines ("*** MLMC file version", "*** using N =", " l ", "  eps"), by columns within the first two, and
 * by empty lines after tables.
 */
#include <bailey/mlmc.h>

#include <base/status.h>

#include <stdio.h>
#include <string.h>

#define LINE_BYTES 512
#define LEAST_PLAIN_EPS 0.0005 /* below it four decimals do not show eps */

struct writer {
    char *text;
    uint64_t size, used; /* `used` goes on beyond `size` */
};

static void put(struct writer *w, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void put(struct writer *w, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    bly_format(line, sizeof line, format, arguments);
    va_end(arguments);
    const uint64_t length = strlen(line), room = w->used < w->size ? w->size - w->used - 1 : 0;
    if (room) memcpy(w->text + w->used, line, (size_t)(length < room ? length : room));
    w->used += length;
}

static void put_stars(struct writer *w, int count)
{
    static const char stars[] = "**********************************************************";
    put(w, "%.*s\n", count, stars);
}

static void put_head(struct writer *w, const bailey_mlmc_report *r)
{
    char samples[64];
    put(w, "\n");
    put_stars(w, 58);
    put(w, "*** MLMC file version 1.0     produced by              ***\n");
    put(w, "*** bailey_mlmc_test of bailey %-23s ***\n", bailey_version());
    put_stars(w, 58);
    put(w, "\n");
    put_stars(w, 58);
    put(w, "*** Convergence tests, kurtosis, telescoping sum check ***\n");
    snprintf(samples, sizeof samples, "%7llu samples", (unsigned long long)r->samples);
    put(w, "*** using N =%-42s***\n", samples);
    put_stars(w, 58);
}

static void put_levels(struct writer *w, const bailey_mlmc_report *r)
{
    put(w, "\n l   ave(Pf-Pc)    ave(Pf)   var(Pf-Pc)    var(Pf)    kurtosis     check        cost \n");
    put(w, "---------------------------------------------------------------------------------------\n");
    for (uint32_t l = 0; l < r->levels; l++) {
        const bailey_mlmc_test_level *level = &r->level[l];
        put(w, "%2u  %11.4e %11.4e %11.4e %11.4e %11.4e %11.4e %11.4e \n", l, level->mean, level->fine_mean,
            level->variance, level->fine_variance, level->kurtosis, level->check, level->cost);
    }
}

static void put_warnings(struct writer *w, const bailey_mlmc_report *r)
{
    double check = 0;
    for (uint32_t l = 0; l < r->levels; l++)
        if (r->level[l].check > check) check = r->level[l].check;
    if (r->kurtosis_warning)
        put(w,
            "\n WARNING: kurtosis on finest level = %f \n"
            " few samples make up its variance, which is hard to estimate \n",
            r->level[r->levels - 1].kurtosis);
    if (r->check_warning)
        put(w,
            "\n WARNING: maximum consistency error = %f \n"
            " E[Pf-Pc] is not E[Pf] - E[Pf] of the level below; more samples would make it certain \n",
            check);
}

static void put_orders(struct writer *w, const bailey_mlmc_report *r)
{
    put(w, "\n");
    put_stars(w, 54);
    put(w, "*** Linear regression estimates of MLMC parameters ***\n");
    put_stars(w, 54);
    put(w, "\n alpha = %f  (exponent for MLMC weak convergence)\n", r->alpha);
    put(w, " beta  = %f  (exponent for MLMC variance) \n", r->beta);
    put(w, " gamma = %f  (exponent for MLMC cost) \n", r->gamma);
}

static void put_samples(struct writer *w, const bailey_mlmc_level *level, uint32_t levels)
{
    for (uint32_t l = 0; l < levels; l++) put(w, "%9llu", (unsigned long long)level[l].samples);
    put(w, "\n");
}

static void put_run(struct writer *w, const bailey_mlmc_test_run *run)
{
    const bailey_mlmc_result *result = &run->result;
    put(w, run->eps < LEAST_PLAIN_EPS ? "%.2e  " : "%.4f  ", run->eps);
    put(w, "%.4e  %.3e  %.3e  %7.2f ", result->mean, result->cost, run->standard_cost, run->savings);
    put_samples(w, result->level, result->levels);
}

const char *bailey_mlmc_reason_message(bailey_mlmc_reason reason)
{
    static const char *const text[] = {[BAILEY_MLMC_REASON_CONVERGED] = "",
                                       [BAILEY_MLMC_REASON_BIAS] =
                                           "the bias is too large on the finest level",
                                       [BAILEY_MLMC_REASON_NOTHING] = "no sample differs from 0"};
    return (unsigned)reason < sizeof text / sizeof *text ? text[reason] : "";
}

/* Not in the table, whose rows his scripts read to their ends. */
static void put_corrections(struct writer *w, const bailey_mlmc_report *r)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        const bailey_mlmc_result *result = &r->run[i].result;
        int any = 0;
        for (uint32_t l = 0; l < result->levels; l++) any |= result->correction[l].samples > 0;
        if (!any) continue;
        put(w, " corrections: eps = %g, N_l ", r->run[i].eps);
        put_samples(w, result->correction, result->levels);
    }
}

static void put_runs(struct writer *w, const bailey_mlmc_report *r)
{
    if (r->runs == 0) return;
    put(w, "\n");
    put_stars(w, 29);
    put(w, "*** MLMC complexity tests ***\n");
    put_stars(w, 29);
    put(w, "\n  eps       value     mlmc_cost  std_cost  savings     N_l \n");
    put(w, "--------------------------------------------------------- \n");
    for (uint32_t i = 0; i < r->runs; i++) put_run(w, &r->run[i]);
    put(w, "\n");
    put_corrections(w, r);
    for (uint32_t i = 0; i < r->runs; i++)
        if (!r->run[i].result.converged)
            put(w, " WARNING: eps = %g is not reached with %u levels: %s \n", r->run[i].eps,
                r->run[i].result.levels, bailey_mlmc_reason_message(r->run[i].result.reason));
}

uint64_t bailey_mlmc_report_write(const bailey_mlmc_report *report, char *text, uint64_t size)
{
    struct writer w = {.text = text, .size = text ? size : 0};
    if (!report) return 0;
    put_head(&w, report);
    put_levels(&w, report);
    put_warnings(&w, report);
    put_orders(&w, report);
    put_runs(&w, report);
    if (w.size) w.text[w.used < w.size ? w.used : w.size - 1] = 0;
    return w.used;
}
