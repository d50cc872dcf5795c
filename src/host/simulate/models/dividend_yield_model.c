/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** Dividend yields that stay the same, over a model of rates without dividends.
 *
 * kind: model
 * name: dividend-yield
 * model: flat
 * dims: assets
 * start: any time
 */
typedef struct {
    real dividend[DIMS]; /* dividend yield of each asset, continuously compounded [unit per year; role
                            dividend] */
} params;

real growth(const state *s, const params *p, int a, real more) { return growth(a, more - p->dividend[a]); }

real fixed_rate(const state *s, const params *p) { return fixed_rate(); }
