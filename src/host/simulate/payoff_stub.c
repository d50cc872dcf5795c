#include "payoff.h"
#include <base/alloc.h>
#include <host/internal.h>
#include <string.h>
#include <stdlib.h>
bailey_status bly_payoff_read(const bailey_payoff *payoff, bailey_precision precision, uint32_t steps, uint32_t dims, struct bly_payoff *out)
{
    const char *t="#line 1 \"payoff.c\"\n"
    "BAILEY_FN void bly_own_start(state *s, const params *p) { s->sum = 0; }\n"
    "BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])\n"
    "{ s->sum += p->spot * bly_payoff_exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0]); }\n"
    "BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])\n"
    "{ real a = s->sum / STEPS - p->strike; out[0] = a > 0 ? a : 0; }\n";
    memset(out,0,sizeof *out);
    out->params=bly_alloc(4,sizeof *out->params); out->states=bly_alloc(1,sizeof *out->states);
    const char *n[]={"spot","strike","rate","volatility"};
    for(int i=0;i<4;i++){strcpy(out->params[i].name,n[i]);out->params[i].count=1;out->params[i].offset=i*(precision?8:4);}
    out->param_count=4; out->params_bytes=32; strcpy(out->states[0].name,"sum"); out->states[0].count=1; out->state_count=1; out->outputs=1;
    out->text=bly_alloc(strlen(t)+1,1); strcpy(out->text,t);
    return BAILEY_OK;
}
void bly_payoff_free(struct bly_payoff *p){bly_free(p->params);bly_free(p->states);bly_free(p->text);}
const char *bly_payoff_builtin_text(const char*n){return NULL;}
