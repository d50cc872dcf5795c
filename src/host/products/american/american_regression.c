/* One regression of Longstaff and Schwartz ("Valuing American options by simulation: a simple least-squares
 * approach", Review of Financial Studies 14, 2001): of what a path in the money at `date` pays later, under
 * the policy for later times.
 *
 * out[0 .. FUNCTIONS - 1]: the functions at `date`; out[FUNCTIONS]: what is paid. 0 out of the money.
 */
typedef struct {
    real price[LARGEST]; /* at date */
    real paid;
    int over; /* exercised, or out of the money at date */
} state;

void start(state *s, const params *p)
{
    for (int k = 0; k < LARGEST; k++) s->price[k] = 1;
    s->paid = 0;
    s->over = 1;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    if (i < p->date) return;
    if (i == p->date) {
        real price[LARGEST];
        largest(p, t, x, price);
        for (int k = 0; k < LARGEST; k++) s->price[k] = price[k];
        s->over = gain(price) <= 0;
        return;
    }
    if (s->over) return;
    const real pays = decide(p, i, t, x);
    if (pays > 0) {
        s->paid = pays;
        s->over = 1;
    }
}

void finish(const state *s, const params *p, real out[FUNCTIONS + 1])
{
    real price[LARGEST], b[FUNCTIONS];
    for (int k = 0; k < LARGEST; k++) price[k] = s->price[k];
    regressors(price, b);
    const int in = gain(price) > 0;
    for (int j = 0; j < FUNCTIONS; j++) out[j] = in ? b[j] : 0;
    out[FUNCTIONS] = s->paid;
}
