#define NORMALS 2
#define UNIFORMS 1
typedef struct { real s, k; } params;
typedef struct { real fine, coarse; } state;
void start(state *s, const params *p, int level) { s->fine = s->coarse = p->s; }
void step(state *s, const params *p, real t, real h, const noise *n) { s->fine += h * n->dw[0] + n->z[1]; }
void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) { s->coarse += n->dw[0] + m->u[0]; }
void finish(const state *s, const params *p, real t, real out[2]) { out[0] = fmax(s->fine - p->k, 0); out[1] = s->coarse; }
