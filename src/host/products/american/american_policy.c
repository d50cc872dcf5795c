/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * When to exercise a put on one asset, or a call on the largest of several: what the texts american_*.c
 * beside this one begin with. They are payoffs (docs/payoffs.md). host/products/american.c puts these lines
 * before them:
 *
 *   #define PUT        1: the put; 0: the call
 *   #define FUNCTIONS  of the regression
 *   #define LARGEST    how many prices they look at: the largest ones, at most 4
 *   #define TIMES      of exercise that the parameters are of: all, STEPS, or 1
 *
 * The path: x[d] is the Brownian motion of the logarithm of price d (output PATHS), volatility included; the
 * times are those of exercise. Money is in strikes, and what is paid is discounted to today.
 */
typedef struct {
    real spot[DIMS];
    real drift[DIMS];     /* per year, of the logarithm */
    real discount[TIMES]; /* from each time to today */
    /* The value of holding on at each time is, in the money, the sum of these times the functions; at the
     * last it is 0. */
    real coefficient[TIMES * FUNCTIONS]; /* [default 0] */
    real from[DIMS];                     /* see american_value.c [default 0] */
    int date;                            /* a time, of which each text says the meaning [default 0] */
    real time;                           /* that of the one time in years [default 0] */
    int last;                            /* 1: it is the last one [default 0] */
} params;

void largest(const params *p, real t, const real x[], real price[LARGEST])
{
    for (int k = 0; k < LARGEST; k++) price[k] = 0;
    for (int d = 0; d < DIMS; d++) {
        real rest = p->spot[d] * exp(fma(p->drift[d], t, x[d]));
        for (int k = 0; k < LARGEST; k++) {
            const real larger = fmax(price[k], rest);
            rest = fmin(price[k], rest);
            price[k] = larger;
        }
    }
}

real gain(const real price[]) { return PUT ? 1 - price[0] : price[0] - 1; }

/* Put: the constant and exp(-S/2) (S - 1)^j, which span what the constant and the weighted Laguerre
 * polynomials of Longstaff and Schwartz span, and are further from dependent. Call on one asset: powers of S
 * - 1. On more: products of powers of S_1 - 1 and S_1 - S_2, by degree, where S_1 > S_2 > ... are the
 * prices; the last five of 15 bring in S_3 and S_4, where there are such. */
void regressors(const real price[LARGEST], real b[FUNCTIONS])
{
    const real u = price[0] - 1, w = LARGEST > 1 ? price[0] - price[1 % LARGEST] : 0;
    int degree = 1, within = 0;
    b[0] = 1;
    for (int j = 1; j < FUNCTIONS; j++) {
        if (PUT) {
            b[j] = j == 1 ? exp(-0.5 * price[0]) : b[j - 1] * u;
        } else if (LARGEST == 1) {
            b[j] = b[j - 1] * u;
        } else if (LARGEST > 2 && j >= 10) {
            const real third = price[2 % LARGEST];
            b[j] = j == 10   ? third
                   : j == 11 ? third * third
                   : j == 12 ? third * price[0]
                   : j == 13 ? third * price[1 % LARGEST]
                             : price[3 % LARGEST];
        } else {
            int before = within < degree ? j - degree : j - degree - 1;
            if (before < 0) before = 0; /* it is not, which an index has to prove */
            b[j] = b[before] * (within < degree ? u : w);
            within++;
            if (within > degree) {
                degree++;
                within = 0;
            }
        }
    }
}

/* What holding on is worth at time i of the parameters. */
real holding(const params *p, int i, const real price[LARGEST])
{
    real b[FUNCTIONS], sum = 0;
    regressors(price, b);
    for (int j = 0; j < FUNCTIONS; j++) sum = fma(p->coefficient[i * FUNCTIONS + j], b[j], sum);
    return sum;
}

/* What it pays to exercise at time i of the parameters; negative where it is better to hold on, 0 out of the
 * money. */
real decide(const params *p, int i, int last, real t, const real x[])
{
    real price[LARGEST];
    largest(p, t, x, price);
    const real worth = gain(price), pays = worth * p->discount[i];
    if (worth <= 0) return 0;
    return last || pays >= holding(p, i, price) ? pays : -pays;
}
