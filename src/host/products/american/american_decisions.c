/* What it would pay to exercise at times date .. date + 15; negative where the policy holds on, 0 out of the
 * money and after the last time.
 */
typedef struct {
    real pays[16];
} state;

void start(state *s, const params *p)
{
    for (int k = 0; k < 16; k++) s->pays[k] = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    const int k = i - p->date;
    if (k < 0 || k >= 16) return;
    s->pays[k] = decide(p, i, i == STEPS - 1, t, x);
}

void finish(const state *s, const params *p, real out[16])
{
    for (int k = 0; k < 16; k++) out[k] = s->pays[k];
}
