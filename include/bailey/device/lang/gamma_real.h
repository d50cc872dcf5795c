/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What bailey/device/gamma.h offers, in one precision; it includes this file for each. BAILEY_GAMMA_IS is
 * _f32 or _f64 and ends the names, BAILEY_GAMMA_REAL is the type, BAILEY_GAMMA_C(x) a number of it.
 */
#define BAILEY_GAMMA_JOINED(name, real) name##real
#define BAILEY_GAMMA_JOIN(name, real) BAILEY_GAMMA_JOINED(name, real)
#define BAILEY_GAMMA(name) BAILEY_GAMMA_JOIN(bailey_gamma_##name, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_FMA BAILEY_GAMMA_JOIN(bailey_fma, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_LOG BAILEY_GAMMA_JOIN(bailey_log, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_EXP BAILEY_GAMMA_JOIN(bailey_exp, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_SQRT BAILEY_GAMMA_JOIN(bailey_sqrt, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_POW BAILEY_GAMMA_JOIN(bailey_pow, BAILEY_GAMMA_IS)
#define BAILEY_GAMMA_ABS BAILEY_GAMMA_JOIN(bailey_abs, BAILEY_GAMMA_IS)

/* ---- Functions without cancellation ------------------------------------------------------------- */

/* exp(w) - 1 - w: Taylor's series for |w| <= 1/2. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(bend)(BAILEY_GAMMA_REAL w_)
{
    BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_C(1);
    if (BAILEY_GAMMA_ABS(w_) > BAILEY_GAMMA_C(0.5)) return (BAILEY_GAMMA_EXP(w_) - BAILEY_GAMMA_C(1)) - w_;
    BAILEY_UNROLL
    for (int k_ = BAILEY_GAMMA_BEND_TERMS; k_ >= 3; k_--)
        y_ = BAILEY_GAMMA_FMA(w_ * (BAILEY_GAMMA_C(1) / (BAILEY_GAMMA_REAL)k_), y_, BAILEY_GAMMA_C(1));
    return BAILEY_GAMMA_C(0.5) * w_ * w_ * y_;
}

/* ln(ratio) - d, where the ratio is 1 + d: with r = d / (2 + d), ln(1 + d) is 2 (r + r^3 / 3 + r^5 / 5 +
 * ...). */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(log_rest)(BAILEY_GAMMA_REAL d_, BAILEY_GAMMA_REAL ratio)
{
    if (BAILEY_GAMMA_ABS(d_) > BAILEY_GAMMA_C(0.4375)) return BAILEY_GAMMA_LOG(ratio) - d_;
    const BAILEY_GAMMA_REAL r_ = d_ / (BAILEY_GAMMA_C(2) + d_), squared = r_ * r_;
    BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_C(0);
    BAILEY_UNROLL
    for (int k_ = BAILEY_GAMMA_LOG_TERMS; k_ >= 1; k_--)
        y_ = BAILEY_GAMMA_FMA(squared, y_, BAILEY_GAMMA_C(1) / (BAILEY_GAMMA_REAL)(2 * k_ + 1));
    return r_ * BAILEY_GAMMA_FMA(BAILEY_GAMMA_C(2) * squared, y_, -d_);
}

/* (1 / Gamma(1 + f) - 1) / f for |f| <= 1/2: Taylor's series. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(reciprocal)(BAILEY_GAMMA_REAL f_)
{
    BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_C(0);
    BAILEY_UNROLL
    for (int k_ = 0; k_ < BAILEY_GAMMA_RECIPROCAL_TERMS; k_++)
        y_ = BAILEY_GAMMA_FMA(y_, f_, BAILEY_GAMMA(coefficients)[k_]);
    return y_;
}

/* ln(Gamma(1 + a)) / a for 0 < a < 1. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(log_by)(BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL f_ = a_ > BAILEY_GAMMA_C(0.5) ? a_ - BAILEY_GAMMA_C(1) : a_;
    const BAILEY_GAMMA_REAL by = BAILEY_GAMMA(reciprocal)(f_);
    const BAILEY_GAMMA_REAL ln = -BAILEY_GAMMA_FMA(
        f_, by, BAILEY_GAMMA(log_rest)(f_ * by, BAILEY_GAMMA_FMA(f_, by, BAILEY_GAMMA_C(1))));
    return (a_ > BAILEY_GAMMA_C(0.5) ? BAILEY_GAMMA_LOG(a_) + ln : ln) / a_;
}

/* The rest of Stirling's formula for ln(Gamma(a)), a >= 16. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(stirling)(BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL r_ = BAILEY_GAMMA_C(1) / a_, squared = r_ * r_;
    BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_C(1.0 / 156);
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(-691.0 / 360360));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 1188));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(-1.0 / 1680));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 1260));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(-1.0 / 360));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 12));
    return y_ * r_;
}

/* ln(a) less the digamma function, a > 0; below 16 by that of a + 16. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(log_digamma)(BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL b_ = a_ < BAILEY_GAMMA_C(16) ? a_ + BAILEY_GAMMA_C(16) : a_;
    const BAILEY_GAMMA_REAL r_ = BAILEY_GAMMA_C(1) / b_, squared = r_ * r_;
    BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_C(-691.0 / 32760), sum = BAILEY_GAMMA_C(0);
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 132));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(-1.0 / 240));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 252));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(-1.0 / 120));
    y_ = BAILEY_GAMMA_FMA(y_, squared, BAILEY_GAMMA_C(1.0 / 12));
    y_ = BAILEY_GAMMA_FMA(y_, r_, BAILEY_GAMMA_C(0.5));
    if (!(a_ < BAILEY_GAMMA_C(16))) return y_ * r_;
    for (int k_ = 15; k_ >= 0; k_--) sum = sum + BAILEY_GAMMA_C(1) / (a_ + (BAILEY_GAMMA_REAL)k_);
    return BAILEY_GAMMA_FMA(y_, r_, sum) - BAILEY_GAMMA_LOG(b_ / a_);
}

/* ---- Density and probabilities ------------------------------------------------------------------ */

/* x times the density at x > 0: x^a exp(-x) / Gamma(a). */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(weight)(BAILEY_GAMMA_REAL x_, BAILEY_GAMMA_REAL a_)
{
    if (a_ < BAILEY_GAMMA_C(16)) {
        /* 1 / Gamma(a) by that of 1 + f; the factors are exact */
        BAILEY_GAMMA_REAL f_ = a_, product = BAILEY_GAMMA_C(1);
        if (a_ >= BAILEY_GAMMA_C(0.5)) f_ = a_ - BAILEY_GAMMA_C(1);
        BAILEY_UNROLL_1 for (int k_ = 0; k_ < 15; k_++)
        {
            const int more = f_ > BAILEY_GAMMA_C(0.5);
            product = more ? product * f_ : product;
            f_ = more ? f_ - BAILEY_GAMMA_C(1) : f_;
        }
        const BAILEY_GAMMA_REAL r_ = BAILEY_GAMMA_FMA(f_, BAILEY_GAMMA(reciprocal)(f_), BAILEY_GAMMA_C(1)) *
                                     (a_ >= BAILEY_GAMMA_C(0.5) ? BAILEY_GAMMA_C(1) / product : a_);
        const BAILEY_GAMMA_REAL e_ = BAILEY_GAMMA_EXP(-x_);
        return e_ > BAILEY_GAMMA_C(0) ? BAILEY_GAMMA_POW(x_, a_) * e_ * r_ : BAILEY_GAMMA_C(0);
    }
    const BAILEY_GAMMA_REAL rest = BAILEY_GAMMA(log_rest)((x_ - a_) / a_, x_ / a_);
    return BAILEY_GAMMA_SQRT(a_ * BAILEY_GAMMA_C(0.15915494309189535)) *
           BAILEY_GAMMA_EXP(BAILEY_GAMMA_FMA(a_, rest, -BAILEY_GAMMA(stirling)(a_)));
}

/* A tail's probability, divided by `weight` of x, and that with the factor w, integrated over w = ln(t / x):
 * of exp((a - x) w - x (exp(w) - 1 - w)) until it has fallen by exp(-BAILEY_GAMMA_FALL), up or down. */
typedef struct BAILEY_GAMMA(tail) {
    BAILEY_GAMMA_REAL sum, slope;
} BAILEY_GAMMA(tail);

BAILEY_FN BAILEY_GAMMA(tail) BAILEY_GAMMA(integral)(BAILEY_GAMMA_REAL x_, BAILEY_GAMMA_REAL a_, int upper)
{
    const BAILEY_GAMMA_REAL fall = BAILEY_GAMMA_C(BAILEY_GAMMA_FALL);
    const BAILEY_GAMMA_REAL away = upper ? x_ - a_ : a_ - x_,
                            rate = away > BAILEY_GAMMA_C(0) ? away : BAILEY_GAMMA_C(0);
    /* the bend is at least w^2 / 2 above x, and w^2 / 3 down to w = -1 */
    const BAILEY_GAMMA_REAL bend = x_ * (upper ? BAILEY_GAMMA_C(2) : BAILEY_GAMMA_C(4.0 / 3)) * fall;
    const BAILEY_GAMMA_REAL by_bend =
        BAILEY_GAMMA_C(2) * fall / (rate + BAILEY_GAMMA_SQRT(BAILEY_GAMMA_FMA(rate, rate, bend)));
    BAILEY_GAMMA_REAL length = by_bend;
    if (upper) {
        const BAILEY_GAMMA_REAL by_end =
            BAILEY_GAMMA_LOG(BAILEY_GAMMA_C(1) + BAILEY_GAMMA_FMA(a_, by_bend, fall) / x_);
        length = by_end < by_bend ? by_end : by_bend;
    } else if (by_bend > BAILEY_GAMMA_C(1)) {
        length = (x_ + fall) / a_;
    }
    length = upper ? length : -length;
    BAILEY_GAMMA(tail) tail = {BAILEY_GAMMA_C(0), BAILEY_GAMMA_C(0)};
    BAILEY_UNROLL_2 for (int k_ = 0; k_ < BAILEY_GAMMA_POINTS; k_++)
    {
        const BAILEY_GAMMA_REAL w_ = length * BAILEY_GAMMA(nodes)[k_];
        const BAILEY_GAMMA_REAL e_ =
            BAILEY_GAMMA_EXP(BAILEY_GAMMA_FMA(a_ - x_, w_, -(x_ * BAILEY_GAMMA(bend)(w_))));
        const BAILEY_GAMMA_REAL part = e_ * BAILEY_GAMMA(weights)[k_];
        tail.sum = BAILEY_GAMMA_FMA(e_, BAILEY_GAMMA(weights)[k_], tail.sum);
        tail.slope = BAILEY_GAMMA_FMA(part, w_, tail.slope);
    }
    tail.sum = tail.sum * BAILEY_GAMMA_ABS(length);
    tail.slope = tail.slope * BAILEY_GAMMA_ABS(length);
    return tail;
}

/* ---- Quantiles ---------------------------------------------------------------------------------- */

/* For a < 1 and x <= 3/2 the probability is (x / y)^a (1 - a T), where ln(y) is ln(Gamma(1 + a)) / a and T is
 * the sum of -(-x)^n / (n! (a + n)) for n = 1, 2, ...; `by_shape` is dT/da. */
typedef struct BAILEY_GAMMA(series) {
    BAILEY_GAMMA_REAL sum, by_shape;
} BAILEY_GAMMA(series);

BAILEY_FN BAILEY_GAMMA(series) BAILEY_GAMMA(series_of)(BAILEY_GAMMA_REAL x_, BAILEY_GAMMA_REAL a_)
{
    BAILEY_GAMMA(series) s_;
    BAILEY_GAMMA_REAL r_ = BAILEY_GAMMA_C(1) / (a_ + BAILEY_GAMMA_C(BAILEY_GAMMA_SERIES_TERMS));
    s_.sum = -r_;
    s_.by_shape = r_ * r_;
    BAILEY_UNROLL_1 for (int k_ = BAILEY_GAMMA_SERIES_TERMS; k_ > 1; k_--)
    {
        const BAILEY_GAMMA_REAL by = -x_ / (BAILEY_GAMMA_REAL)k_;
        r_ = BAILEY_GAMMA_C(1) / (a_ + (BAILEY_GAMMA_REAL)(k_ - 1));
        s_.sum = BAILEY_GAMMA_FMA(by, s_.sum, -r_);
        s_.by_shape = BAILEY_GAMMA_FMA(by, s_.by_shape, r_ * r_);
    }
    s_.sum = -x_ * s_.sum;
    s_.by_shape = -x_ * s_.by_shape;
    return s_;
}

/* ln(1 - a T) / a. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(log_series)(BAILEY_GAMMA_REAL sum, BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL d_ = -a_ * sum;
    return BAILEY_GAMMA_FMA(-a_, sum,
                            BAILEY_GAMMA(log_rest)(d_, BAILEY_GAMMA_FMA(-a_, sum, BAILEY_GAMMA_C(1)))) /
           a_;
}

/* A quantile, and how it has been found. */
typedef struct BAILEY_GAMMA(found) {
    BAILEY_GAMMA_REAL x_;
    int by_series, upper;
    BAILEY_GAMMA_REAL root; /* ln(u) / a, of the series */
} BAILEY_GAMMA(found);

/* ln(x) is ln(u) / a + ln(y) + g with g = -ln(1 - a T(x)) / a, found by Halley's method: ln(u) in two parts,
 * as a small `a` multiplies what it lacks. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(by_series)(BAILEY_GAMMA_REAL high, BAILEY_GAMMA_REAL low,
                                                    BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL end = BAILEY_GAMMA_C(0.40546510810816438), s_ = high + low;
    BAILEY_GAMMA_REAL g_ = BAILEY_GAMMA_C(0);
    BAILEY_UNROLL_1 for (int k_ = 0; k_ < BAILEY_GAMMA_SERIES_STEPS; k_++)
    {
        const BAILEY_GAMMA_REAL at = s_ + g_;
        const BAILEY_GAMMA_REAL x_ = BAILEY_GAMMA_EXP(at < end ? at : end);
        const BAILEY_GAMMA_REAL sum = BAILEY_GAMMA(series_of)(x_, a_).sum;
        const BAILEY_GAMMA_REAL slope = BAILEY_GAMMA_EXP(-x_) / BAILEY_GAMMA_FMA(-a_, sum, BAILEY_GAMMA_C(1));
        const BAILEY_GAMMA_REAL r_ = (g_ + BAILEY_GAMMA(log_series)(sum, a_)) / slope;
        const BAILEY_GAMMA_REAL curve = BAILEY_GAMMA_FMA(-a_, slope, a_ - x_);
        g_ = g_ - r_ / BAILEY_GAMMA_FMA(BAILEY_GAMMA_C(-0.5) * r_, curve, BAILEY_GAMMA_C(1));
    }
    low = low + g_;
    const BAILEY_GAMMA_REAL all = high + low, added = all - high;
    return BAILEY_GAMMA_JOIN(bailey_exp_sum, BAILEY_GAMMA_IS)(all, (high - (all - added)) + (low - added));
}

/* Where Halley's method begins: by Wilson and Hilferty (1931), and in tails by the leading term. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(guess)(BAILEY_GAMMA_REAL u_, BAILEY_GAMMA_REAL a_, int upper)
{
    if (a_ < BAILEY_GAMMA_C(1)) {
        const BAILEY_GAMMA_REAL by = BAILEY_GAMMA_EXP(a_ * BAILEY_GAMMA(log_by)(a_)) / a_;
        const BAILEY_GAMMA_REAL l_ = -BAILEY_GAMMA_LOG((BAILEY_GAMMA_C(1) - u_) * by);
        const BAILEY_GAMMA_REAL beyond = l_ > BAILEY_GAMMA_C(1.5) ? l_ : BAILEY_GAMMA_C(1.5);
        const BAILEY_GAMMA_REAL x_ = BAILEY_GAMMA_FMA(a_ - BAILEY_GAMMA_C(1), BAILEY_GAMMA_LOG(beyond), l_);
        return x_ > BAILEY_GAMMA_C(1.5) ? x_ : BAILEY_GAMMA_C(1.5);
    }
    const BAILEY_GAMMA_REAL z_ = BAILEY_GAMMA_JOIN(bailey_normal_quantile, BAILEY_GAMMA_IS)(u_);
    const BAILEY_GAMMA_REAL c_ =
        BAILEY_GAMMA_FMA(z_, BAILEY_GAMMA_C(1) / (BAILEY_GAMMA_C(3) * BAILEY_GAMMA_SQRT(a_)),
                         BAILEY_GAMMA_C(1) - BAILEY_GAMMA_C(1) / (BAILEY_GAMMA_C(9) * a_));
    if (upper || c_ > BAILEY_GAMMA_C(0.5)) return a_ * c_ * c_ * c_;
    const BAILEY_GAMMA_REAL ln = BAILEY_GAMMA_LOG(a_);
    const BAILEY_GAMMA_REAL scale =
        BAILEY_GAMMA_FMA(BAILEY_GAMMA_C(0.5), ln, BAILEY_GAMMA_C(0.91893853320467274));
    const BAILEY_GAMMA_REAL s_ = (BAILEY_GAMMA_LOG(u_) + scale) / a_ + (ln - BAILEY_GAMMA_C(1));
    const BAILEY_GAMMA_REAL y_ = BAILEY_GAMMA_EXP(s_), r_ = y_ / (a_ + BAILEY_GAMMA_C(1));
    return y_ * BAILEY_GAMMA_EXP(BAILEY_GAMMA_FMA(r_, r_, r_));
}

BAILEY_FN BAILEY_GAMMA(found) BAILEY_GAMMA(find)(BAILEY_GAMMA_REAL u_, BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL least = BAILEY_GAMMA_C(BAILEY_GAMMA_LEAST);
    BAILEY_GAMMA(found) f_ = {BAILEY_GAMMA_C(0), 0, 0, BAILEY_GAMMA_C(0)};
    u_ = u_ < least ? least : u_;
    f_.upper = u_ > BAILEY_GAMMA_C(0.5);
    if (a_ < BAILEY_GAMMA_C(1)) {
        const BAILEY_GAMMA_JOIN(bailey_sum, BAILEY_GAMMA_IS) ln =
            BAILEY_GAMMA_JOIN(bailey_log_sum, BAILEY_GAMMA_IS)(u_);
        const BAILEY_GAMMA_REAL by = BAILEY_GAMMA(log_by)(a_), high = ln.high / a_;
        const BAILEY_GAMMA_REAL sum = BAILEY_GAMMA(series_of)(BAILEY_GAMMA_C(1.5), a_).sum;
        const BAILEY_GAMMA_REAL low = (BAILEY_GAMMA_FMA(-high, a_, ln.high) + ln.low) / a_ + by;
        f_.root = high;
        f_.by_series = high + low <= BAILEY_GAMMA_C(0.40546510810816438) + BAILEY_GAMMA(log_series)(sum, a_);
        f_.upper = 1;
        if (f_.by_series) {
            f_.x_ = BAILEY_GAMMA(by_series)(high, low, a_);
            return f_;
        }
    }
    BAILEY_GAMMA_REAL x_ = BAILEY_GAMMA(guess)(u_, a_, f_.upper);
    const BAILEY_GAMMA_REAL wanted = f_.upper ? BAILEY_GAMMA_C(1) - u_ : u_;
    BAILEY_UNROLL_1 for (int k_ = 0; k_ < BAILEY_GAMMA_STEPS; k_++)
    {
        const BAILEY_GAMMA_REAL sum = BAILEY_GAMMA(integral)(x_, a_, f_.upper).sum;
        const BAILEY_GAMMA_REAL rest = BAILEY_GAMMA_LOG(BAILEY_GAMMA(weight)(x_, a_) / wanted * sum);
        /* by ln(x) in the lower tail, by x in the upper one */
        const BAILEY_GAMMA_REAL r_ = f_.upper ? -x_ * (rest * sum) : rest * sum;
        const BAILEY_GAMMA_REAL turn = BAILEY_GAMMA_C(1) / sum;
        const BAILEY_GAMMA_REAL curve =
            f_.upper ? ((a_ - x_) - BAILEY_GAMMA_C(1) + turn) / x_ : (a_ - x_) - turn;
        BAILEY_GAMMA_REAL d_ = BAILEY_GAMMA_FMA(BAILEY_GAMMA_C(-0.5) * r_, curve, BAILEY_GAMMA_C(1));
        d_ = -r_ / (d_ > BAILEY_GAMMA_C(0.5) ? d_ : BAILEY_GAMMA_C(0.5));
        const BAILEY_GAMMA_REAL most = f_.upper ? BAILEY_GAMMA_C(0.5) * x_ : BAILEY_GAMMA_C(1);
        d_ = d_ > most ? most : d_ < -most ? -most : d_;
        x_ = f_.upper ? x_ + d_ : BAILEY_GAMMA_FMA(x_, d_, BAILEY_GAMMA_FMA(x_, BAILEY_GAMMA(bend)(d_), x_));
    }
    f_.x_ = x_;
    return f_;
}

BAILEY_FN int BAILEY_GAMMA(takes)(BAILEY_GAMMA_REAL a_)
{
    return a_ >= BAILEY_GAMMA_C(1e-3) && a_ <= BAILEY_GAMMA_C(1e9);
}

BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(icdf)(BAILEY_GAMMA_REAL u_, BAILEY_GAMMA_REAL a_)
{
    if (!(u_ > BAILEY_GAMMA_C(0) && u_ < BAILEY_GAMMA_C(1) && BAILEY_GAMMA(takes)(a_)))
        return BAILEY_GAMMA_NONE;
    return BAILEY_GAMMA(find)(u_, a_).x_;
}

BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(density)(BAILEY_GAMMA_REAL x_, BAILEY_GAMMA_REAL a_)
{
    const BAILEY_GAMMA_REAL none = BAILEY_GAMMA_NONE, zero = BAILEY_GAMMA_C(0), one = BAILEY_GAMMA_C(1);
    if (!(x_ == x_ && BAILEY_GAMMA(takes)(a_))) return none;
    if (x_ > BAILEY_GAMMA_C(1e12)) return zero;
    if (x_ > zero) return BAILEY_GAMMA(weight)(x_, a_) / x_;
    return x_ < zero || a_ > one ? zero : a_ < one ? BAILEY_GAMMA_INFINITE : one;
}

/* The derivative by `a` of the probability, the other way round, over the density: of the logarithm of
 * the tail's probability it is ln(x) - digamma(a) and the mean of w. */
BAILEY_FN BAILEY_GAMMA_REAL BAILEY_GAMMA(icdf_by_shape)(BAILEY_GAMMA_REAL u_, BAILEY_GAMMA_REAL a_)
{
    if (!(u_ > BAILEY_GAMMA_C(0) && u_ < BAILEY_GAMMA_C(1) && BAILEY_GAMMA(takes)(a_)))
        return BAILEY_GAMMA_NONE;
    const BAILEY_GAMMA(found) f_ = BAILEY_GAMMA(find)(u_, a_);
    const BAILEY_GAMMA_REAL rest = BAILEY_GAMMA(log_digamma)(a_);
    if (f_.by_series) {
        /* of ln(x) = ln(u) / a + ln(y) - ln(1 - a T(x, a)) / a */
        const BAILEY_GAMMA(series) s_ = BAILEY_GAMMA(series_of)(f_.x_, a_);
        const BAILEY_GAMMA_REAL one = BAILEY_GAMMA_C(1), by = BAILEY_GAMMA(log_by)(a_);
        const BAILEY_GAMMA_REAL left = BAILEY_GAMMA_FMA(-a_, s_.sum, one);
        const BAILEY_GAMMA_REAL slope = BAILEY_GAMMA_EXP(-f_.x_) / left;
        const BAILEY_GAMMA_REAL digamma = BAILEY_GAMMA_LOG(a_) - rest + one / a_; /* of 1 + a */
        const BAILEY_GAMMA_REAL own = (digamma - by) - f_.root;
        const BAILEY_GAMMA_REAL more =
            BAILEY_GAMMA(log_series)(s_.sum, a_) + BAILEY_GAMMA_FMA(a_, s_.by_shape, s_.sum) / left;
        return f_.x_ * ((own + more) / (a_ * slope));
    }
    const BAILEY_GAMMA(tail) tail = BAILEY_GAMMA(integral)(f_.x_, a_, f_.upper);
    const BAILEY_GAMMA_REAL ln = BAILEY_GAMMA(log_rest)((f_.x_ - a_) / a_, f_.x_ / a_) + (f_.x_ - a_) / a_;
    const BAILEY_GAMMA_REAL change = f_.x_ * BAILEY_GAMMA_FMA(tail.sum, ln + rest, tail.slope);
    return f_.upper ? change : -change;
}
