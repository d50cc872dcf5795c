/* The payoff of a path at the time or later, from its later payoff. */
void finish(const state *s, const params *p, real out[])
{
    const real pays = decide(p, 0, p->last, p->time, s->x);
    out[0] = pays > 0 ? pays : s->paid;
}
