/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code around jumps: what the result would be if a comparison were what it is not, by the rest of the path
 * once more, where l - r is within the width; and the pilot, which sums up l - r.
 *
 * Where numbers are compared again (`repeats`), F(k) is the result with comparison k and all those behind it
 * turned whose l - r is the same, up to the sign. Comparison k counts F(k) - F(k + 1): so all together count
 * what turning all of them at once changes the result by, whichever comes first on a path.
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

/* Parameters behind `turned`. */
static const char *parameters_of(const struct bly_writing *w)
{
    return w->d->repeats ? ", int own, real gap" : "";
}

static void run_text(struct bly_writing *w)
{
    struct bly_text *text = w->text;
    const bool repeats = w->d->repeats;
    char signature[200];
    snprintf(signature, sizeof signature,
             "step_turned(const kept *s, const params *p, int i, real t, const real x[DIMS], int turned%s)",
             parameters_of(w));
    bly_writing_forward(w, &w->d->step, true, signature, true);
    WRITE("\n/* The result if a comparison of step i were what it is not. */\n"
          "real run_turned(const kept *s, const params *p, path walk, int i, real t, const real x[DIMS],\n"
          "                int turned%s)\n{\n    real point[DIMS];\n"
          "    kept after = step_turned(s, p, i, t, x, turned%s);\n"
          "    for (int j = i + 1; j < STEPS; j++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(walk, j, d);\n",
          parameters_of(w), repeats ? ", own, gap" : "");
    WRITE(repeats ? "        after = step_turned(&after, p, j, time(walk, j), point, -1, 0, gap);\n    }\n"
                    "    return finish_turned(&after, p, -1, 0, gap);\n}\n"
                  : "        after = again_path(&after, p, j, time(walk, j), point);\n    }\n"
                    "    return finish_turned(&after, p, -1);\n}\n");
}

static void finish_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, &d->finish);
    list.turned = true;
    WRITE("\nreal finish_turned(const kept *s, const params *p, int turned%s)\n{\n    real out[%u];\n",
          parameters_of(w), (unsigned)d->outputs);
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
    const bool repeats = w->d->repeats;
    struct bly_list_text list = bly_writing_list(w, r);
    WRITE("\n/* What comparisons that are near change the result by, as they become 1. */\nvoid %s\n{\n",
          signature);
    if (text->failed) return;
    for (uint32_t k = 0; k < r->turn_count; k++) bly_list_text_need(&list, r->turns[k].atom);
    need_turns(&list);
    bly_list_text_lines(&list);
    WRITE("    int near[%u], held[%u];\n", (unsigned)r->turn_count, (unsigned)r->turn_count);
    if (repeats) WRITE("    real gaps[%u];\n", (unsigned)r->turn_count);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        WRITE("    held[%u] = ", (unsigned)k);
        bly_list_text_value(&list, r->turns[k].atom);
        WRITE(";\n    near[%u] = ", (unsigned)k);
        comes_text(&list, k);
        WRITE(" && fabs(");
        distance_text(&list, k);
        WRITE(") < p->%s[%u];\n", w->names->width, (unsigned)r->turns[k].jump);
        if (!repeats) continue;
        WRITE("    gaps[%u] = fabs(", (unsigned)k);
        distance_text(&list, k);
        WRITE(");\n");
    }
    WRITE("    for (int k = 0; k < %u; k++) {\n        turns[k] = 0;\n        if (share > 0 && near[k]) {\n",
          (unsigned)r->turn_count);
    if (repeats)
        WRITE("            const real other = %s, 1, gaps[k]), base = %s, 0, gaps[k]);\n", other, other);
    else
        WRITE("            const real other = %s), base = result;\n", other);
    WRITE("            turns[k] = held[k] ? base - other : other - base;\n        }\n    }\n}\n");
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
        turns_text(w, &d->step, signature, "run_turned(s, p, walk, i, t, x, k");
    }
    if (!d->finish.turn_count) return;
    snprintf(signature, sizeof signature,
             "finish_turns(const kept *s, const params *p, real share, real result, real turns[%u])",
             (unsigned)d->finish.turn_count);
    turns_text(w, &d->finish, signature, "finish_turned(s, p, k");
}

/* ---- The pilot ----------------------------------------------------------------------------------- */

#define MOST_SEEN                                                                                            \
    32u /* distances of a path that later ones are compared with, besides the last of each turn */

static void note_text(struct bly_writing *w, unsigned most)
{
    struct bly_text *text = w->text;
    WRITE("\nvoid note_jump(real d, int comes, int jump, const real last[%u], real now[%u], int turn, real "
          "sums_of[%u],\n               real seen[%u], int seen_count[1])\n{\n",
          most, most, (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS), MOST_SEEN);
    WRITE("    const int first = %u * jump;\n    int before = 0;\n    now[turn] = last[turn];\n"
          "    if (!(d - d == 0)) return;\n"
          "    sums_of[first + 5] += 1;\n    sums_of[first + 6] += d;\n    sums_of[first + 7] += d * d;\n"
          "    if (!comes) return;\n"
          "    for (int k = 0; k < %u; k++)\n"
          "        if (fabs(d) == fabs(last[k]) || k < turn && fabs(d) == fabs(now[k])) before = 1;\n"
          "    const real digits = 4096 * log(fabs(d));\n"
          "    if (digits - floor(digits) < 0.03125) { /* one of 32, the same ones at each time */\n"
          "        for (int k = 0; k < %u && k < seen_count[0]; k++)\n"
          "            if (fabs(d) == seen[k] && !before) before = 32;\n"
          "        if (seen_count[0] < %u) seen[seen_count[0]] = fabs(d);\n"
          "        seen_count[0]++;\n    }\n"
          "    if (last[turn] < 1e38) {\n        const real change = d - last[turn];\n"
          "        sums_of[first + 8] += 1;\n        sums_of[first + 9] += change * change;\n    }\n"
          "    now[turn] = d;\n    sums_of[first] += 1;\n    sums_of[first + 1] += d;\n"
          "    sums_of[first + 2] += d * d;\n    sums_of[first + 3] += d == 0 ? 1 : 0;\n"
          "    sums_of[first + 4] += before;\n}\n",
          BLY_PILOT_OUTPUTS, most, MOST_SEEN, MOST_SEEN);
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
          "sums_of, seen, seen_count);\n}\n",
          (unsigned)r->turn_count);
}

/* Of `whole`, whose comparisons are all at its end. */
static void pilot_whole(struct bly_writing *w, unsigned most)
{
    const unsigned sums = (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS);
    struct bly_text *text = w->text;
    WRITE("\nvoid whole(const params *p, path x, real out[%u])\n{\n    real last[%u], now[%u], seen[%u] = "
          "{0};\n"
          "    int seen_count[1] = {0};\n    for (int k = 0; k < %u; k++) out[k] = 0;\n"
          "    for (int k = 0; k < %u; k++) {\n        last[k] = 2e38; /* none yet */\n        now[k] = "
          "2e38;\n    }\n"
          "    finish_pilot(p, x, last, now, out, seen, seen_count);\n}\n",
          sums, most, most, MOST_SEEN, sums, most);
}

static void pilot_path(struct bly_writing *w, unsigned most)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    WRITE("\nvoid whole(const params *p, path x, real out[%u])\n{\n    real point[DIMS], last[%u], now[%u], "
          "seen[%u] = {0};\n    int seen_count[1] = {0};\n",
          (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS), most, most, MOST_SEEN);
    WRITE("    for (int k = 0; k < %u; k++) out[k] = 0;\n    for (int k = 0; k < %u; k++) now[k] = 2e38; /* "
          "none yet */\n",
          (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS), most);
    WRITE("    running s = %s;\n    for (int i = 0; i < STEPS; i++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(x, i, d);\n"
          "        for (int k = 0; k < %u; k++) last[k] = now[k];\n",
          d->has_start ? "start_path(p)" : "{0}", most);
    if (d->step.turn_count)
        WRITE("        step_pilot(&s, p, i, time(x, i), point, last, now, out, seen, "
              "seen_count);\n");
    WRITE("        s = step_path(&s, p, i, time(x, i), point);\n    }\n");
    if (d->finish.turn_count)
        WRITE("    for (int k = 0; k < %u; k++) last[k] = now[k];\n    finish_pilot(&s, p, last, now, out, "
              "seen, seen_count);\n",
              most);
    WRITE("}\n");
}

void bly_derivative_pilot(const struct bly_derivative *given, struct bly_text *text)
{
    struct bly_derivative_names names = {0};
    struct bly_derivative of = *given, *const d = &of;
    struct bly_writing w = {.d = d, .text = text, .names = &names};
    if (d->forward) { /* without what states change by */
        of.unit = d->first;
        of.states = d->first_states;
    }
    const unsigned most = (unsigned)(d->step.turn_count > d->finish.turn_count ? d->step.turn_count
                                                                               : d->finish.turn_count),
                   sums = (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS);
    char signature[300];
    WRITE("/** What %s compares where it jumps.\n *\n * path: %s\n%s */\ntypedef struct {\n", d->unit->name,
          bly_writing_path(d), d->counts_time ? " * start: any time\n" : "");
    bly_writing_fields(text, d->unit->params);
    if (!d->params) WRITE("    real nothing; /* [default 0] */\n");
    WRITE("} params;\n\ntypedef struct {\n");
    bly_writing_fields(text, d->unit->state);
    if (!d->states) WRITE("    int nothing;\n");
    WRITE("} running;\n");
    if (d->has_start) bly_writing_forward(&w, &d->start, false, "start_path(const params *p)", false);
    if (d->has_step)
        bly_writing_forward(&w, &d->step, false,
                            "step_path(const running *s, const params *p, int i, real t, const real x[DIMS])",
                            false);
    note_text(&w, most);
    snprintf(signature, sizeof signature,
             "step_pilot(const running *s, const params *p, int i, real t, const real x[DIMS],\n"
             "                const real last[%u], real now[%u], real sums_of[%u], real seen[%u], int "
             "seen_count[1])",
             most, most, sums, MOST_SEEN);
    if (d->step.turn_count) pilot_list_text(&w, &d->step, signature);
    snprintf(signature, sizeof signature,
             "finish_pilot(%s, const real last[%u], real now[%u], real "
             "sums_of[%u], real seen[%u],\n             int seen_count[1])",
             d->unit->whole ? "const params *p, path x" : "const running *s, const params *p", most, most,
             sums, MOST_SEEN);
    if (d->finish.turn_count) pilot_list_text(&w, &d->finish, signature);
    if (d->unit->whole)
        pilot_whole(&w, most);
    else
        pilot_path(&w, most);
    bly_arena_free(&w.arena);
}
