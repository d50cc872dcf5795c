/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program that ends the sums of looks at dates and fits their regressions, on the device, so that nothing waits
 * for the host from date to date (host/simulate/simulation_looks.c). A group joins the nodes that are left of a look,
 * as the host would (kernels/simulation_nodes.h). Functions are factorised for all dates at once, so that, date after
 * date, little is left to solve. Coefficients go to a record, which the host reads at the end, and to the parameters of
 * the launch that follows.
 *
 * A program defines BLY_SCALAR, the type of parameters.
 */
#ifndef BLY_REGRESSION_ITEM_H
#define BLY_REGRESSION_ITEM_H

#include "kernels/regression_code.h"
#include "kernels/simulation_nodes.h"

#if defined(BLY_SCALAR)

#define BLY_FIT_TERMS 16 /* nodes that an item joins at once */

/* The node of nodes first .. first + length - 1 of a row. */
BAILEY_FN double bly_fit_part(bly_fit_params p, const BAILEY_GLOBAL double *nodes, bailey_uint32 row,
                              bailey_uint64 first, bailey_uint64 length)
{
    double left[64], joined = BLY_NODE_NOTHING;
    for (bailey_uint64 k = 0; k < length; k += BLY_FIT_TERMS) {
        double node[BLY_FIT_TERMS];
        bailey_uint32 height = 0;
        BAILEY_UNROLL
        for (bailey_uint32 i = 0; i < BLY_FIT_TERMS; i++) {
            const bailey_uint64 at = first + k + i;
            bailey_uint64 part = 0, within = at;
            for (; within >= p.each && at < p.count; within -= p.each) part++; /* of few */
            node[i] = k + i < length && at < p.count
                          ? nodes[(part * p.looks * p.rows + row) * p.each + within]
                          : BLY_NODE_NOTHING;
        }
#define BLY_HALVE(half)                                                                                      \
    BAILEY_UNROLL                                                                                            \
    for (bailey_uint32 i = 0; i < (half); i++) node[i] = node[2 * i] + node[2 * i + 1];
        BLY_HALVE(8)
        BLY_HALVE(4)
        BLY_HALVE(2)
        BLY_HALVE(1)
#undef BLY_HALVE
        joined = node[0];
        for (; k / BLY_FIT_TERMS >> height & 1; height++) joined = left[height] + joined;
        left[height] = joined;
    }
    return joined;
}

/* The sums of all rows, from `parts` parts of each, a power of two. */
BAILEY_FN void bly_fit_sums(bly_fit_params p, const BAILEY_GLOBAL double *nodes, BLY_SHARED double *sums,
                            BLY_SHARED double *some)
{
    bailey_uint64 length = 1;
    bailey_uint32 parts = 1;
    while (2 * parts * p.rows <= BLY_BLOCK) parts *= 2;
    while (length * parts < p.count) length *= 2;
    bailey_uint32 apart = 1; /* nodes of a row that are left are so far from each other */
    BLY_FIT_EACH(i, parts * p.rows) some[i] = bly_fit_part(p, nodes, i / parts, i % parts * length, length);
#if defined(BAILEY_IS_CUDA) && BLY_BLOCK % 32 == 0
    if (parts > 1) { /* then an item has one of them, and lanes of a warp join them without waiting for others */
        double node = BLY_LOCAL_ID < parts * p.rows ? some[BLY_LOCAL_ID] : 0;
        for (; apart < parts && apart < 32; apart *= 2) node = node + bailey_warp_behind(node, apart);
        if (BLY_LOCAL_ID < parts * p.rows) some[BLY_LOCAL_ID] = node;
    }
#endif
    BLY_BARRIER();
    for (; apart < parts; apart *= 2) {
        /* In place: an item reads both of its nodes before others write where they were. */
        const bailey_uint32 i = BLY_LOCAL_ID;
        if (i < parts * p.rows && i % (2 * apart) == 0) some[i] = some[i] + some[i + apart];
        BLY_BARRIER();
    }
    BLY_FIT_EACH(row, p.rows) sums[row] = some[row * parts];
    BLY_BARRIER();
}

/* The first sum that is not finite, or 0. */
BAILEY_FN double bly_fit_refused(const BLY_SHARED double *sums, bailey_uint32 rows)
{
    for (bailey_uint32 row = 0; row < rows; row++)
        if (!(sums[row] - sums[row] == 0)) return sums[row];
    return 0;
}

BAILEY_FN void bly_fit_write_factor(const bly_fit *f, const BLY_SHARED double *sums, bailey_uint32 rows, int fits,
                                    BAILEY_GLOBAL double *factor)
{
    const bailey_uint32 n = f->count;
    BAILEY_GLOBAL double *order = factor + BLY_FACTOR_SUMS + 1 + n, *scale = order + n, *r = scale + n;
    BLY_FIT_EACH(i, n + 1) factor[BLY_FACTOR_SUMS + i] = sums[i];
    if (BLY_LOCAL_ID == 0) {
        factor[0] = fits;
        factor[1] = f->rank;
        factor[2] = f->condition;
        factor[3] = bly_fit_refused(sums, rows);
    }
    if (!fits) return;
    BLY_FIT_EACH(i, n)
    {
        order[i] = f->order[i];
        scale[i] = f->scale[i];
    }
    BLY_FIT_EACH(i, n * n) r[i] = f->r[i];
}

/* A fit by the factor of which `own` is a copy. */
BAILEY_FN void bly_fit_recall_factor(bly_fit *f, BLY_SHARED double *own)
{
    const bailey_uint32 n = f->count;
    f->rank = (bailey_uint32)own[1];
    f->condition = own[2];
    f->order = own + BLY_FACTOR_SUMS + 1 + n;
    f->scale = f->order + n;
    f->r = f->scale + n;
}

/* One item writes a record. */
BAILEY_FN void bly_fit_write_record(bly_fit_params p, const bly_fit *f, const BLY_SHARED double *sums, double paths,
                                    int fits, double refused, BAILEY_GLOBAL double *record,
                                    BAILEY_GLOBAL BLY_SCALAR *values)
{
    const double n = (double)p.paths, level = p.otherwise != 0 ? p.otherwise
                                              : paths > 0      ? sums[0] / n / (paths / n)
                                                               : 0;
    record[BLY_RECORD_USED] = fits ? 1 + f->rank : 0;
    record[BLY_RECORD_CONDITION] = f->condition;
    record[BLY_RECORD_REFUSED] = refused != 0 ? refused : bly_fit_refused(sums, p.rows);
    record[BLY_RECORD_SUM] = sums[0];
    record[BLY_RECORD_SQUARES] = sums[p.functions + 1];
    for (bailey_uint32 k = 0; k <= p.functions; k++) {
        const double c = fits ? f->coefficient[k] : k == 0 ? level : 0;
        record[BLY_RECORD_COEFFICIENTS + k] = c;
        if (p.gives) values[p.values + k] = (BLY_SCALAR)c;
    }
}

BAILEY_FN void bly_regression_group(bly_fit_params p, const BAILEY_GLOBAL double *nodes,
                                    BAILEY_GLOBAL double *factors, BAILEY_GLOBAL double *records,
                                    BAILEY_GLOBAL BLY_SCALAR *values, BLY_SHARED bailey_uint64 *shared,
                                    bailey_uint64 item)
{
    const bailey_uint32 factor_doubles = BLY_FACTOR_DOUBLES(p.functions);
    BLY_SHARED double *sums = (BLY_SHARED double *)shared, *known = sums + p.rows, *own = known + factor_doubles,
                      *some = own + BLY_FIT_DOUBLES(p.functions);
    const double n = (double)p.paths;
    const bailey_uint32 look = (bailey_uint32)(item / BLY_BLOCK), deal = look / p.dates, date = look - deal * p.dates;
    BAILEY_GLOBAL double *factor =
        factors + p.factor + deal * p.deal_factor + date * (bailey_uint64)factor_doubles;
    bly_fit f = bly_fit_at(own, p.functions);
    double paths = 0, refused = 0;
    int fits = 0;
    if (p.task == BLY_FIT_SOLVE) BLY_FIT_EACH(i, factor_doubles) known[i] = factor[i]; /* with the nodes */
    bly_fit_sums(p, nodes + (bailey_uint64)look * p.rows * p.each, sums, some);
    if (p.task == BLY_FIT_SOLVE) {
        fits = known[0] != 0;
        paths = known[BLY_FACTOR_SUMS];
        refused = known[3];
        bly_fit_recall_factor(&f, known);
    }
    if (p.task == BLY_FIT_FACTOR) {
        fits = bly_fit_is_possible(&f, sums[0], n);
        if (fits) {
            bly_fit_read_functions(&f, sums, n);
            bly_fit_functions(&f);
        }
        bly_fit_write_factor(&f, sums, p.rows, fits, factor);
        return;
    }
    if (fits) {
        bly_fit_read_regressand(&f, known + BLY_FACTOR_SUMS, sums, n);
        bly_fit_coefficients(&f);
    }
    if (BLY_LOCAL_ID == 0)
        bly_fit_write_record(p, &f, sums, paths, fits, refused, records + deal * p.deal_record + p.record,
                             values + deal * p.deal_values);
}

BLY_GROUP_ENTRY_4(bly_regression, bly_fit_params, const double, double, double, BLY_SCALAR)


#endif

#endif
