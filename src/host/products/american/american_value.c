/* What the policy pays after time `date`, on paths that are at from[] then; after today where date is -1, and
 * from[] is 0.
 */
typedef struct {
    real shift[DIMS]; /* of x */
    real paid;
    int over;
} state;

void start(state *s, const params *p)
{
    for (int d = 0; d < DIMS; d++) s->shift[d] = p->from[d];
    s->paid = 0;
    s->over = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    if (i < p->date || s->over) return;
    if (i == p->date) {
        for (int d = 0; d < DIMS; d++) s->shift[d] = p->from[d] - x[d];
        return;
    }
    real y[DIMS];
    for (int d = 0; d < DIMS; d++) y[d] = x[d] + s->shift[d];
    const real pays = decide(p, i, i == STEPS - 1, t, y);
    if (pays > 0) {
        s->paid = pays;
        s->over = 1;
    }
}

void finish(const state *s, const params *p, real out[]) { out[0] = s->paid; }
