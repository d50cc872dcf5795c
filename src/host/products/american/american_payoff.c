/** A put on one asset, or a call on the largest of several, that may be exercised early. The assets are
 * geometric Brownian motions. Money is in strikes.
 *
 * host/products/american.c puts these lines before it:
 *
 *   #define PUT        1: the put; 0: the call
 *   #define FUNCTIONS  of the regression, besides the constant, at least 1
 *   #define LARGEST    how many prices they look at: the largest ones, at most 4
 *
 * path: paths
 * dims: at least 1
 * construction: walk
 * start: 0
 * source: Longstaff and Schwartz 2001; Andersen and Broadie 2004
 */
typedef struct {
    real spot[DIMS];
    real drift[DIMS]; /* per year, of the logarithm, whose Brownian motion is x: its volatility is the path's */
    real rate;
    int constant; /* the constant is the only function [0 or 1] */
} params;

typedef struct {
    real price[LARGEST]; /* the largest ones, in order */
} state;

void start(state *s, const params *p)
{
    for (int k = 0; k < LARGEST; k++) s->price[k] = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int k = 0; k < LARGEST; k++) s->price[k] = 0;
    for (int d = 0; d < DIMS; d++) {
        real rest = p->spot[d] * exp(fma(p->drift[d], t, x[d]));
        for (int k = 0; k < LARGEST; k++) {
            const real larger = fmax(s->price[k], rest);
            rest = fmin(s->price[k], rest);
            s->price[k] = larger;
        }
    }
}

real exercise(const state *s, const params *p, real t)
{
    return fmax(PUT ? 1 - s->price[0] : s->price[0] - 1, 0) * exp(-p->rate * t);
}

/* Put: exp(-S/2) (S - 1)^j, which with the constant span what the weighted Laguerre polynomials of Longstaff
 * and Schwartz span, and are further from dependent. Call on one asset: powers of S - 1. On more: products of
 * powers of S_1 - 1 and S_1 - S_2, by degree, where S_1 > S_2 > ... are the prices; the last five of 14 bring
 * in S_3 and S_4, where there are such. */
void regress(const state *s, const params *p, real f[FUNCTIONS])
{
    const real u = s->price[0] - 1, w = LARGEST > 1 ? s->price[0] - s->price[1 % LARGEST] : 0;
    int degree = 1, within = 0;
    for (int j = 0; j < FUNCTIONS; j++) {
        if (PUT) {
            f[j] = j == 0 ? exp(-0.5 * s->price[0]) : f[j > 0 ? j - 1 : 0] * u;
        } else if (LARGEST == 1) {
            f[j] = j == 0 ? u : f[j > 0 ? j - 1 : 0] * u;
        } else if (LARGEST > 2 && j >= 9) {
            const real third = s->price[2 % LARGEST];
            f[j] = j == 9    ? third
                   : j == 10 ? third * third
                   : j == 11 ? third * s->price[0]
                   : j == 12 ? third * s->price[1 % LARGEST]
                             : s->price[3 % LARGEST];
        } else {
            const int before = within < degree ? j - degree : j - degree - 1;
            f[j] = (before < 0 ? 1 : f[before < 0 ? 0 : before]) * (within < degree ? u : w);
            within++;
            if (within > degree) {
                degree++;
                within = 0;
            }
        }
    }
    if (p->constant) f[0] = 0;
}

/* What is paid at the end is exercise's. */
void finish(const state *s, const params *p, real out[]) { out[0] = 0; }
