/* The state of american_regression.c and american_backward.c: the place of a path after each step, which is
 * kept, and its later payoff under the policy, one number for all steps (see kernels/simulation_kept.h). Both
 * look at one time, that of the parameters, and are given its states.
 */
typedef struct {
    real x[DIMS];
    real paid;
} state;

void start(state *s, const params *p)
{
    for (int d = 0; d < DIMS; d++) s->x[d] = 0;
    s->paid = 0;
}

void step(state *s, const params *p, int i, real t, const real x[])
{
    for (int d = 0; d < DIMS; d++) s->x[d] = x[d];
}
