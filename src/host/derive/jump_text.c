/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code around jumps: what the result would be if a comparison were what it is not, by the rest of the path
 * once more, where l - r is within the width; and the pilot, which sums up l - r.
 */
#include "symbols.h"
#include "writing.h"

#include <stdio.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

void bly_writing_result(const struct bly_writing *w)
{
    struct bly_text *text = w->text;
    bool any = false;
    for (uint32_t o = 0; o < w->d->outputs; o++) {
        if (w->d->is_extended ? o + 1 < w->d->outputs : !w->d->chosen[o]) continue;
        if (any) WRITE(" + ");
        if (w->d->has_weights && !w->d->is_extended) WRITE("p->%s[%u] * ", w->names->weight, (unsigned)o);
        WRITE("out[%u]", (unsigned)o);
        any = true;
    }
}

/* ---- The result with a comparison turned --------------------------------------------------------- */

static void run_text(struct bly_writing *w)
{
    struct bly_text *text = w->text;
    bly_writing_forward(
        w, &w->d->step, true,
        "step_turned(const kept *s, const params *p, int i, real t, const real x[DIMS], int turned)", true);
    WRITE("\n/* The result if a comparison of step i were what it is not. */\n"
          "real run_turned(const kept *s, const params *p, path walk, int i, real t, const real x[DIMS],\n"
          "                int turned)\n{\n    real point[DIMS];\n"
          "    kept after = step_turned(s, p, i, t, x, turned);\n"
          "    for (int j = i + 1; j < STEPS; j++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(walk, j, d);\n"
          "        after = again_path(&after, p, j, time(walk, j), point);\n    }\n"
          "    return finish_turned(&after, p, -1);\n}\n");
}

static void finish_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, &d->finish);
    list.turned = true;
    WRITE("\nreal finish_turned(const kept *s, const params *p, int turned)\n{\n    real out[%u];\n",
          (unsigned)d->outputs);
    if (text->failed) return;
    for (uint32_t o = 0; o < d->outputs; o++) bly_list_text_need(&list, d->finish.results[o]);
    bly_list_text_lines(&list);
    for (uint32_t o = 0; o < d->outputs; o++) {
        WRITE("    out[%u] = ", (unsigned)o);
        bly_list_text_value(&list, d->finish.results[o]);
        WRITE(";\n");
    }
    WRITE("    return ");
    bly_writing_result(w);
    WRITE(";\n}\n");
}

/* Regions of the code that compute a comparison of a turn. The same comparison may be in several of them, as
 * in both sides of a branch. */
static void need_regions(struct bly_list_text *list, uint32_t value)
{
    const struct bly_atoms *all = &list->r->list;
    for (uint32_t at = all->values[value].region; at; at = all->regions[at].outer)
        bly_list_text_need(list, all->regions[at].condition);
}

static void region_text(struct bly_list_text *list, uint32_t value)
{
    struct bly_text *text = list->text;
    const struct bly_atoms *all = &list->r->list;
    uint32_t at = all->values[value].region;
    if (!at) WRITE("1");
    for (; at; at = all->regions[at].outer) {
        WRITE(all->regions[at].holds ? "(" : "!(");
        bly_list_text_value(list, all->regions[at].condition);
        WRITE(all->regions[at].outer ? ") && " : ")");
    }
}

/* Whether the code comes to any comparison of a turn. */
static void comes_text(struct bly_list_text *list, uint32_t turn)
{
    struct bly_text *text = list->text;
    const struct bly_reversed *r = list->r;
    bool any = false;
    WRITE("(");
    for (uint32_t i = r->turns[turn].atom; i < r->primal; i++) {
        if (r->turn_of[i] != turn + 1) continue;
        if (any) WRITE(" || ");
        region_text(list, i);
        any = true;
    }
    WRITE(")");
}

static void need_turns(struct bly_list_text *list)
{
    const struct bly_reversed *r = list->r;
    for (uint32_t i = 1; i < r->primal; i++)
        if (r->turn_of[i]) need_regions(list, i);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        const struct bly_atom *c = &r->list.values[r->turns[k].atom];
        bly_list_text_need(list, c->a);
        bly_list_text_need(list, c->b);
    }
}

static void distance_text(struct bly_list_text *list, uint32_t turn)
{
    struct bly_text *text = list->text;
    const struct bly_atom *c = &list->r->list.values[list->r->turns[turn].atom];
    WRITE("(");
    bly_list_text_value(list, c->a);
    WRITE(") - (");
    bly_list_text_value(list, c->b);
    WRITE(")");
}

static void turns_text(struct bly_writing *w, const struct bly_reversed *r, const char *signature,
                       const char *other)
{
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    WRITE("\n/* What comparisons that are near change the result by, as they become 1. */\nvoid %s\n{\n",
          signature);
    if (text->failed) return;
    for (uint32_t k = 0; k < r->turn_count; k++) bly_list_text_need(&list, r->turns[k].atom);
    need_turns(&list);
    bly_list_text_lines(&list);
    WRITE("    int near[%u], held[%u];\n", (unsigned)r->turn_count, (unsigned)r->turn_count);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        WRITE("    held[%u] = ", (unsigned)k);
        bly_list_text_value(&list, r->turns[k].atom);
        WRITE(";\n    near[%u] = ", (unsigned)k);
        comes_text(&list, k);
        WRITE(" && fabs(");
        distance_text(&list, k);
        WRITE(") < p->%s[%u];\n", w->names->width, (unsigned)r->turns[k].jump);
    }
    WRITE("    for (int k = 0; k < %u; k++) {\n        turns[k] = 0;\n        if (share > 0 && near[k]) {\n"
          "            const real other = %s;\n"
          "            turns[k] = held[k] ? result - other : other - result;\n        }\n    }\n}\n",
          (unsigned)r->turn_count, other);
}

void bly_writing_turns(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    char signature[300];
    finish_text(w);
    if (d->step.turn_count) {
        run_text(w);
        snprintf(
            signature, sizeof signature,
            "step_turns(const kept *s, const params *p, path walk, real share, real result, int i, real t,\n"
            "                const real x[DIMS], real turns[%u])",
            (unsigned)d->step.turn_count);
        turns_text(w, &d->step, signature, "run_turned(s, p, walk, i, t, x, k)");
    }
    if (!d->finish.turn_count) return;
    snprintf(signature, sizeof signature,
             "finish_turns(const kept *s, const params *p, real share, real result, real turns[%u])",
             (unsigned)d->finish.turn_count);
    turns_text(w, &d->finish, signature, "finish_turned(s, p, k)");
}

/* ---- The pilot ----------------------------------------------------------------------------------- */

static void note_text(struct bly_writing *w, unsigned most)
{
    struct bly_text *text = w->text;
    WRITE("\nvoid note_jump(real d, int comes, int jump, const real last[%u], real now[%u], int turn, real "
          "sums_of[%u])\n{\n",
          most, most, (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS));
    WRITE("    const int first = %u * jump;\n    int before = 0;\n    now[turn] = last[turn];\n"
          "    if (!(d - d == 0)) return;\n"
          "    sums_of[first + 5] += 1;\n    sums_of[first + 6] += d;\n    sums_of[first + 7] += d * d;\n"
          "    if (!comes) return;\n"
          "    for (int k = 0; k < %u; k++)\n"
          "        if (fabs(d) == fabs(last[k]) || k < turn && fabs(d) == fabs(now[k])) before = 1;\n"
          "    if (last[turn] < 1e38) {\n        const real change = d - last[turn];\n"
          "        sums_of[first + 8] += 1;\n        sums_of[first + 9] += change * change;\n    }\n"
          "    now[turn] = d;\n    sums_of[first] += 1;\n    sums_of[first + 1] += d;\n"
          "    sums_of[first + 2] += d * d;\n    sums_of[first + 3] += d == 0 ? 1 : 0;\n"
          "    sums_of[first + 4] += before ? 1 : 0;\n}\n",
          BLY_PILOT_OUTPUTS, most);
}

static void pilot_list_text(struct bly_writing *w, const struct bly_reversed *r, const char *signature)
{
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    WRITE("\nvoid %s\n{\n", signature);
    if (text->failed) return;
    need_turns(&list);
    bly_list_text_lines(&list);
    WRITE("    real distance[%u];\n    int comes[%u];\n", (unsigned)r->turn_count, (unsigned)r->turn_count);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        WRITE("    distance[%u] = ", (unsigned)k);
        distance_text(&list, k);
        WRITE(";\n    comes[%u] = ", (unsigned)k);
        comes_text(&list, k);
        WRITE(";\n");
    }
    WRITE("    const int jumps[%u] = {", (unsigned)r->turn_count);
    for (uint32_t k = 0; k < r->turn_count; k++) WRITE(k ? ", %u" : "%u", (unsigned)r->turns[k].jump);
    WRITE("};\n    for (int k = 0; k < %u; k++) note_jump(distance[k], comes[k], jumps[k], last, now, k, "
          "sums_of);\n}\n",
          (unsigned)r->turn_count);
}

static void pilot_path(struct bly_writing *w, unsigned most)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    WRITE(
        "\nvoid whole(const params *p, path x, real out[%u])\n{\n    real point[DIMS], last[%u], now[%u];\n",
        (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS), most, most);
    WRITE("    for (int k = 0; k < %u; k++) out[k] = 0;\n    for (int k = 0; k < %u; k++) now[k] = 2e38; /* "
          "none yet */\n",
          (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS), most);
    WRITE("    running s = %s;\n    for (int i = 0; i < STEPS; i++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(x, i, d);\n"
          "        for (int k = 0; k < %u; k++) last[k] = now[k];\n",
          d->has_start ? "start_path(p)" : "{0}", most);
    if (d->step.turn_count) WRITE("        step_pilot(&s, p, i, time(x, i), point, last, now, out);\n");
    WRITE("        s = step_path(&s, p, i, time(x, i), point);\n    }\n");
    if (d->finish.turn_count)
        WRITE(
            "    for (int k = 0; k < %u; k++) last[k] = now[k];\n    finish_pilot(&s, p, last, now, out);\n",
            most);
    WRITE("}\n");
}

void bly_derivative_pilot(const struct bly_derivative *d, struct bly_text *text)
{
    struct bly_derivative_names names = {0};
    struct bly_writing w = {.d = d, .text = text, .names = &names};
    const unsigned most = (unsigned)(d->step.turn_count > d->finish.turn_count ? d->step.turn_count
                                                                               : d->finish.turn_count),
                   sums = (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS);
    char signature[300];
    WRITE("/** What %s compares where it jumps.\n *\n * path: %s\n%s */\ntypedef struct {\n", d->unit->name,
          d->has_origin ? "paths" : "increments", d->counts_time ? " * start: any time\n" : "");
    bly_writing_fields(text, d->unit->params);
    if (!d->params) WRITE("    real nothing; /* [default 0] */\n");
    WRITE("} params;\n\ntypedef struct {\n");
    bly_writing_fields(text, d->unit->state);
    if (!d->states) WRITE("    int nothing;\n");
    WRITE("} running;\n");
    if (d->has_start) bly_writing_forward(&w, &d->start, false, "start_path(const params *p)", false);
    bly_writing_forward(&w, &d->step, false,
                        "step_path(const running *s, const params *p, int i, real t, const real x[DIMS])",
                        false);
    note_text(&w, most);
    snprintf(signature, sizeof signature,
             "step_pilot(const running *s, const params *p, int i, real t, const real x[DIMS],\n"
             "                const real last[%u], real now[%u], real sums_of[%u])",
             most, most, sums);
    if (d->step.turn_count) pilot_list_text(&w, &d->step, signature);
    snprintf(signature, sizeof signature,
             "finish_pilot(const running *s, const params *p, const real last[%u], real now[%u], real "
             "sums_of[%u])",
             most, most, sums);
    if (d->finish.turn_count) pilot_list_text(&w, &d->finish, signature);
    pilot_path(&w, most);
    bly_arena_free(&w.arena);
}
