/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program that ends the sums of a date's paths and fits its regression, on the device, so that nothing
 * waits for the host from date to date (host/simulate/simulation_looks.c). One group joins the nodes that are
 * left of a deal, as the host would (kernels/simulation_nodes.h), and solves. Coefficients go to a record, which the
 * host reads at the end, and to the parameters of the launch that follows. Deals have a group each.
 *
 * A program defines BLY_SCALAR, the type of parameters.
 */
#ifndef BLY_REGRESSION_ITEM_H
#define BLY_REGRESSION_ITEM_H

#include "kernels/regression_code.h"
#include "kernels/simulation_nodes.h"

#if defined(BLY_SCALAR)

#define BLY_FIT_TERMS 8 /* nodes that an item joins at once */

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
            const bailey_uint64 at = first + k + i, part = at < p.each ? 0 : at / p.each,
                                within = at - part * p.each;
            const int is_there = k + i < length && at < p.count;
            node[i] = is_there ? nodes[(part * p.deals * p.rows + row) * p.each + within] : BLY_NODE_NOTHING;
        }
        BAILEY_UNROLL
        for (bailey_uint32 width = BLY_FIT_TERMS / 2; width > 0; width /= 2) BAILEY_UNROLL
        for (bailey_uint32 i = 0; i < width; i++) node[i] = node[2 * i] + node[2 * i + 1];
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
    BLY_FIT_EACH(i, parts * p.rows)
    some[i] = bly_fit_part(p, nodes, i / parts, i % parts * length, length);
    BLY_BARRIER();
    for (bailey_uint32 width = parts / 2; width > 0; width /= 2) {
        /* In place: an item reads both of its nodes before others write where they were. */
        double joined[1];
        const bailey_uint32 i = BLY_LOCAL_ID, row = i / width, at = row * parts + i % width;
        const int joins = i < width * p.rows;
        joined[0] = joins ? some[row * parts + 2 * (i % width)] + some[row * parts + 2 * (i % width) + 1] : 0;
        BLY_BARRIER();
        if (joins) some[at] = joined[0];
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

BAILEY_FN void bly_regression_group(bly_fit_params p, const BAILEY_GLOBAL double *nodes,
                                    BAILEY_GLOBAL double *records, BAILEY_GLOBAL BLY_SCALAR *values,
                                    BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)
{
    BLY_SHARED double *sums = (BLY_SHARED double *)shared, *some = sums + p.rows;
    const bailey_uint32 functions = p.functions + 1;
    const double n = (double)p.paths;
    const bailey_uint64 deal = item / BLY_BLOCK;
    nodes += deal * p.rows * p.each;
    records += deal * p.deal_record;
    values += deal * p.deal_values;
    bly_fit f = bly_fit_at(some, p.functions);
    int fits = 0;
    bly_fit_sums(p, nodes, sums, some);
    if (p.fits) fits = bly_fit_read(&f, sums, n);
    if (fits) bly_fit_all(&f);
    if (BLY_LOCAL_ID != 0) return; /* one item writes the record */
    BAILEY_GLOBAL double *record = records + p.record;
    record[BLY_RECORD_USED] = fits ? 1 + f.rank : 0;
    record[BLY_RECORD_CONDITION] = f.condition;
    record[BLY_RECORD_REFUSED] = bly_fit_refused(sums, p.rows);
    record[BLY_RECORD_SUM] = sums[0];
    record[BLY_RECORD_SQUARES] = sums[p.functions + 2];
    const double level = p.otherwise != 0 ? p.otherwise
                         : sums[0] > 0    ? sums[functions] / n / (sums[0] / n)
                                          : 0;
    for (bailey_uint32 k = 0; k < functions; k++) {
        const double c = fits ? f.coefficient[k] : k == 0 ? level : 0;
        record[BLY_RECORD_COEFFICIENTS + k] = c;
        if (p.gives) values[p.values + k] = (BLY_SCALAR)c;
    }
}

BLY_GROUP_ENTRY_3(bly_regression, bly_fit_params, const double, double, BLY_SCALAR)

#endif

#endif
