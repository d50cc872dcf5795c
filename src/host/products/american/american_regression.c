/* One regression of Longstaff and Schwartz ("Valuing American options by simulation: a simple least-squares
 * approach", Review of Financial Studies 14, 2001): of what a path in the money pays later, under the policy
 * for later times.
 *
 * out[0 .. FUNCTIONS - 1]: the functions; out[FUNCTIONS]: what is paid. 0 out of the money.
 */
void finish(const state *s, const params *p, real out[FUNCTIONS + 1])
{
    real price[LARGEST], b[FUNCTIONS];
    largest(p, p->time, s->x, price);
    regressors(price, b);
    const int in = gain(price) > 0;
    for (int j = 0; j < FUNCTIONS; j++) out[j] = in ? b[j] : 0;
    out[FUNCTIONS] = in ? s->paid : 0;
}
