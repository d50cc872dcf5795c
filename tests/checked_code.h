/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of checks of payoff code: code with a body of step that a test gives.
 */
#ifndef CHECKED_CODE_H
#define CHECKED_CODE_H

#include "harness.h"

#include <host/payoff/language.h>

struct path {
    enum bly_unit_kind kind;
    uint32_t dims, steps, levels;
};
static const struct path twelve = {BLY_UNIT_PAYOFF, 1, 12, 0};

static inline bailey_status check(struct bly_unit *unit, const struct path *path, const char *code)
{
    *unit = (struct bly_unit){.kind = path->kind,
                              .precision = BAILEY_PRECISION_F64,
                              .dims = path->dims,
                              .steps = path->steps,
                              .levels = path->levels,
                              .code = code,
                              .length = strlen(code),
                              .name = "payoff.c",
                              .argument = "payoff"};
    return bly_unit_read(unit);
}

/* Sites as one text: "index h[2], divide, loop for, tick". */
static inline void list_sites(const struct bly_unit *unit, char *text, size_t size)
{
    static const char *const kinds[] = {"none", "index ", "divide", "loop ", "tick"};
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < unit->site_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", i > 0 ? ", " : "",
                                 kinds[unit->sites[i].kind], unit->sites[i].what ? unit->sites[i].what : "");
}

/* What stands before the body of step, which begins at line 9. */
#define HEAD                                                                                                 \
    "typedef struct { int n, m; real a; int64 big; uint32 u; int w[3]; uint64 e; } params;\n"                \
    "typedef struct { real sum, h[3]; int k, out, ring[4]; uint32 v; } state;\n"                             \
    "typedef struct { real x, y; int q; } leg;\n"                                                            \
    "enum { N = 3 };\n"                                                                                      \
    "static const int table[4] = {0, 1, 2, 1};\n"
#define FUNCTIONS_AT_6 "\n"
#define START "void start(state *s, const params *p) { s->sum = 0; s->k = 0; s->out = 0; s->v = 0; }\n"
#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {\n"
#define END "\n}\nvoid finish(const state *s, const params *p, real out[]) { out[0] = s->sum; }\n"

static char code[1 << 16];

static inline const char *step_of(const char *functions, const char *body)
{
    snprintf(code, sizeof code, "%s%s%s%s%s%s%s", HEAD, functions, FUNCTIONS_AT_6, START, STEP, body, END);
    return code;
}

/* The names of what is zeroed, one after the other. */
static inline void list_zeroed(const struct bly_unit *unit, char *text)
{
    for (const struct bly_function *f = unit->functions; f; f = f->next) {
        for (const struct bly_variable *v = f->parameters; v; v = v->next)
            if (v->zeroed) strcat(text, v->name);
        for (const struct bly_variable *v = f->locals; v; v = v->next)
            if (v->zeroed) strcat(text, v->name);
    }
}

#endif
