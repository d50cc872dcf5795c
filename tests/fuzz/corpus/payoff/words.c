/* all of
   it */ #define SQ(x) ((x) * (x))
typedef struct t { real a; int b; } params; // c
typedef struct { real a; uint32 h[(STEPS - 2) * 2]; int32 b; } state;
typedef struct { real a; int b; } leg;
enum { ONE = 1, TWO };
real g(real x, const leg *l);
#if DIMS > 2 && \
  defined(SQ)
void start(state *s, const params *p) { leg l = {1., 2}, m[TWO]; for (int j = 0; j < DIMS; j++) s->a = g(1e3, &l); }
#else
#error don't /* "do"
#endif
void step(state *s, const params *p, int i, real t, const real x[]) { while (i == 3) { s->b = (int)SQ(2.5e0); break; } }
real g(real x, const leg *l) { return pow(x, l->a) ? ONE : 0; }
void finish(const state *s, const params *p, real out[TWO]) { out[0] = s->a; out[ONE] = -1; }
