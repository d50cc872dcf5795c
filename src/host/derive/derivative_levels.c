/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of what levels change by with a parameter: start, step, pair and finish of a state that has
 * changes too. States are what they are in the levels' own code, to the last bit.
 */
#include "symbols.h"
#include "writing.h"

#include <string.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

static void records_text(const struct bly_derivative *d, struct bly_text *text)
{
    const struct bly_unit *unit = d->unit;
    if (unit->normals) WRITE("#define NORMALS %u\n", (unsigned)unit->normals);
    if (unit->uniforms) WRITE("#define UNIFORMS %u\n", (unsigned)unit->uniforms);
    WRITE("typedef struct {\n");
    bly_writing_fields(text, unit->params);
    WRITE("} params;\n");
    if (!d->states) return;
    WRITE("\ntypedef struct {\n");
    bly_writing_fields(text, unit->state);
    WRITE("} state;\n");
}

/* All cells are read before one is written. */
static void state_text(struct bly_writing *w, const struct bly_reversed *r, const char *signature)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    char target[200], from[200];
    WRITE("\nvoid %s\n{\n", signature);
    if (text->failed) return;
    if (d->states) WRITE("    state after;\n");
    for (uint32_t k = 0; k < d->states; k++) bly_list_text_need(&list, r->results[k]);
    bly_list_text_lines(&list);
    for (uint32_t k = 0; k < d->states; k++) {
        bly_writing_member(d, "after.", k, target, sizeof target);
        bly_writing_set(&list, target, r->results[k]);
    }
    for (uint32_t k = 0; k < d->states; k++) {
        bly_writing_member(d, "s->", k, target, sizeof target);
        bly_writing_member(d, "after.", k, from, sizeof from);
        WRITE("    %s = %s;\n", target, from);
    }
    WRITE("}\n");
}

static void finish_text(struct bly_writing *w)
{
    const struct bly_reversed *r = &w->d->finish;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    WRITE("\nvoid finish(const state *s, const params *p, real t, real out[2])\n{\n");
    if (text->failed) return;
    for (uint32_t o = 0; o < 2; o++) bly_list_text_need(&list, r->results[o]);
    bly_list_text_lines(&list);
    for (uint32_t o = 0; o < 2; o++) bly_writing_set(&list, o ? "out[1]" : "out[0]", r->results[o]);
    WRITE("}\n");
}

void bly_derivative_levels_write(const struct bly_derivative *d, struct bly_text *text)
{
    struct bly_derivative_names names; /* levels have none */
    struct bly_writing w = {.d = d, .text = text, .names = &names};
    memset(&names, 0, sizeof names);
    records_text(d, text);
    if (d->has_start) state_text(&w, &d->start, "start(state *s, const params *p, int level)");
    state_text(&w, &d->step, "step(state *s, const params *p, real t, real h, const noise *n)");
    state_text(&w, &d->pair,
               "pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)");
    finish_text(&w);
    bly_arena_free(&w.arena);
}
