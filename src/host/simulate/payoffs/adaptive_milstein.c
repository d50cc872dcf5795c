/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
/** A European call or put, by a solver with adaptive steps.
 *
 * The equation of the price, dS = drift(S) dt + diffusion(S) dW, is solved by Milstein's scheme with steps
 * that adapt to each path. A step is compared with its two halves, and halved if they differ by more than
 * tolerance times the square root of its length. It is also halved if its expected error exceeds that limit,
 * since two results may be close by chance. Errors of steps have mean 0 and independent signs, so the root
 * mean square error at the end is about the tolerance times the square root of the maturity. Half the
 * tolerance needs twice the steps: the order is 1. (With only the difference it would be 1/2, because a
 * coarse step passes now and then.)
 *
 * The path is the same for every tolerance, since rejected steps leave no trace in it. The steps may
 * therefore depend on the noise. Such steps need a scheme of strong order 1 (Gaines and Lyons).
 *
 * The equation here is a geometric Brownian motion, whose exact end is known. For another equation, replace
 * the functions drift, diffusion and slope, and remove out[1].
 *
 * The path has variance 1 per year; its end is the maturity.
 *
 * name: adaptive-milstein
 * path: motion
 * dims: at least 1
 * levels: 20
 * start: any time
 * coarser: tolerance
 * out[0] price: discounted payoff
 * out[1] squared_error: squared error at the end
 * out[2] steps: number of steps tried
 * source: G. N. Milstein, 1974; J. G. Gaines and T. J. Lyons, Variable step size control in the numerical
 *     solution of stochastic differential equations, SIAM J. Appl. Math. 57, 1997
 * example: --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 100000: one year
 * example: ... --tolerance 0.01 --precision f64: a tenth of the error, ten times the steps
 */
typedef struct {
    real spot;       /* spot price [> 0; unit money; role spot] */
    real strike;     /* strike [unit money; role strike] */
    real rate;       /* rate, continuously compounded [unit per year; role rate] */
    real volatility; /* volatility [>= 0; unit per square root of a year; role volatility] */
    real tolerance;  /* error at the end divided by the square root of the maturity [>= 0; unit money; default
                        0.1] */
    real sign;       /* put or call [-1 (put) or 1 (call); default 1; role sign] */
} params;

real drift(const params *p, real s) { return p->rate * s; }

real diffusion(const params *p, real s) { return p->volatility * s; }

/* The derivative of diffusion. */
real slope(const params *p, real s) { return p->volatility; }

/* Milstein's step of length h, in which W grows by w. */
real milstein(const params *p, real s, real h, real w)
{
    const real b = diffusion(p, s);
    return fma(0.5 * slope(p, s) * b, fma(w, w, -h), fma(b, w, fma(drift(p, s), h, s)));
}

/* The mean of the square of a step's error, which is about (w w w - 3 h w) diffusion slope slope / 6. */
real expected(const params *p, real s, real h)
{
    const real a = diffusion(p, s) * slope(p, s) * slope(p, s);
    return a * a * h * h * h / 6;
}

void whole(const params *p, path x, real out[3])
{
    const uint64 last = (uint64)1 << LEVELS;
    uint64 tick = 0, step = last;
    real s = p->spot, w = 0;
    int tried = 0;
    while (tick < last) {
        const uint64 shorter = step / 2;
        const real h = time(x, step), h_shorter = time(x, shorter);
        const real middle = at(x, tick + shorter, 0), end = at(x, tick + step, 0);
        const real once = milstein(p, s, h, end - w);
        const real twice = milstein(p, milstein(p, s, h_shorter, middle - w), h_shorter, end - middle);
        const real error = fmax((twice - once) * (twice - once), expected(p, s, h));
        const real limit = p->tolerance * p->tolerance * h;
        tried++;
        if (error > limit && shorter > 1) {
            step = shorter;
            continue;
        }
        s = twice;
        w = end;
        tick += step;
        /* As long again where that begins at a multiple of itself, which keeps steps nodes of the motion. */
        if (tick < last && 16 * error < limit && tick % (2 * step) == 0) step = 2 * step;
    }
    const real maturity = time(x, last), v = p->volatility;
    const real exact = p->spot * exp(fma(v, w, (p->rate - 0.5 * v * v) * maturity));
    const real gain = p->sign < 0 ? p->strike - s : s - p->strike;
    out[0] = exp(-p->rate * maturity) * fmax(gain, 0);
    out[1] = (s - exact) * (s - exact);
    out[2] = tried;
}
