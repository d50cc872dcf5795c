void step(state *s, const params *p, int i, real t, const real x[])
{
    real a = a + 1, b[b[0]], c[2] = {1, c[0]};
    const int n = n;
}
void finish(const state *s, const params *p, real out[out[0]]) { out[0] = 1; }
