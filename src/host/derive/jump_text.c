/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code around jumps: what the result would be if a comparison were what it is not, by the rest of the path
 * once more, where l - r is within the width; and the pilot, which sums up l - r, with
 * and without what it is on the path without noise.
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
          "real run_turned(const kept s[1], const params *p, path walk, int i, int turned%s)\n{\n"
          "    real point[DIMS];\n    kept after = s[0];\n    for (int j = i; j < STEPS; j++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(walk, j, d);\n"
          "        after = step_turned(&after, p, j, time(walk, j), point, j == i ? turned : -1%s);\n    }\n"
          "    return finish_turned(&after, p, -1%s);\n}\n",
          parameters_of(w), repeats ? ", j == i ? own : 0, gap" : "", repeats ? ", 0, gap" : "");
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

/* Regions of the code that compute comparisons of turns, each within another: a flag says whether the code
 * comes there. The same comparison may be in several of them, as in both sides of a branch. */
struct regions {
    uint32_t *flags; /* [region_count]: 1 + the flag; 0: not needed */
    uint32_t count;
};

static void need_region(struct bly_list_text *list, struct regions *of, uint32_t region)
{
    const struct bly_region *all = list->r->list.regions;
    for (; region && !of->flags[region]; region = all[region].outer) {
        of->flags[region] = 1;
        bly_list_text_need(list, all[region].condition);
    }
}

/* The flags, numbered; outer regions come before those in them. */
static void regions_text(struct bly_list_text *list, struct regions *of)
{
    struct bly_text *text = list->text;
    const struct bly_atoms *all = &list->r->list;
    for (uint32_t k = 1; k < all->region_count; k++)
        if (of->flags[k]) of->flags[k] = ++of->count;
    if (of->count) WRITE("    int inside[%u];\n", (unsigned)of->count);
    for (uint32_t k = 1; k < all->region_count; k++) {
        const struct bly_region *region = &all->regions[k];
        if (!of->flags[k]) continue;
        WRITE("    inside[%u] = ", (unsigned)of->flags[k] - 1);
        if (region->outer) WRITE("inside[%u] && ", (unsigned)of->flags[region->outer] - 1);
        WRITE(region->holds ? "(" : "!(");
        bly_list_text_value(list, region->condition);
        WRITE(");\n");
    }
}

/* Whether the code comes to any comparison of a turn. */
static void comes_text(struct bly_list_text *list, const struct regions *of, uint32_t turn)
{
    struct bly_text *text = list->text;
    const struct bly_reversed *r = list->r;
    bool any = false;
    for (uint32_t i = r->turns[turn].atom; i < r->primal; i++) {
        if (r->turn_of[i] != turn + 1) continue;
        const uint32_t region = r->list.values[i].region;
        WRITE(any ? " || " : "(");
        if (region)
            WRITE("inside[%u]", (unsigned)of->flags[region] - 1);
        else
            WRITE("1");
        any = true;
    }
    WRITE(")");
}

static struct regions need_turns(struct bly_list_text *list)
{
    const struct bly_reversed *r = list->r;
    struct regions of = {bly_arena_take(list->arena, (r->list.region_count + 1) * sizeof *of.flags), 0};
    if (!of.flags) list->text->failed = 1;
    for (uint32_t i = 1; i < r->primal && of.flags; i++)
        if (r->turn_of[i]) need_region(list, &of, r->list.values[i].region);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        const struct bly_atom *c = &r->list.values[r->turns[k].atom];
        bly_list_text_need(list, c->a);
        bly_list_text_need(list, c->b);
    }
    return of;
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
    WRITE("\n/* What comparisons that are near change the result by, as they become 1, and whether any is. */\nint %s\n{\n",
          signature);
    if (text->failed) return;
    for (uint32_t k = 0; k < r->turn_count; k++) bly_list_text_need(&list, r->turns[k].atom);
    struct regions regions = need_turns(&list);
    if (text->failed) return;
    bly_list_text_lines(&list);
    regions_text(&list, &regions);
    WRITE("    int near[%u], held[%u];\n", (unsigned)r->turn_count, (unsigned)r->turn_count);
    if (repeats) WRITE("    real gaps[%u];\n", (unsigned)r->turn_count);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        WRITE("    held[%u] = ", (unsigned)k);
        bly_list_text_value(&list, r->turns[k].atom);
        WRITE(";\n    near[%u] = ", (unsigned)k);
        comes_text(&list, &regions, k);
        WRITE(" && fabs(");
        distance_text(&list, k);
        WRITE(") < p->%s[%u];\n", w->names->width, (unsigned)r->turns[k].jump);
        if (!repeats) continue;
        WRITE("    gaps[%u] = fabs(", (unsigned)k);
        distance_text(&list, k);
        WRITE(");\n");
    }
    WRITE("    int any = 0;\n    for (int k = 0; k < %u; k++) {\n        turns[k] = 0;\n"
          "        if (near[k]) any = 1;\n        if (share > 0 && near[k]) {\n",
          (unsigned)r->turn_count);
    if (repeats)
        WRITE("            real base = 0, other = 0;\n            for (int own = 0; own < 2; own++) {\n"
              "                base = other;\n                other = %s, own, gaps[k]);\n            }\n",
              other);
    else
        WRITE("            const real other = %s), base = result;\n", other);
    WRITE("            turns[k] = held[k] ? base - other : other - base;\n        }\n    }\n    return any;\n}\n");
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
        turns_text(w, &d->step, signature, "run_turned(s, p, walk, i, k");
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

/* Arrays of a path: for each turn l - r now and before, the same of the path without noise, and the jumps
 * that these were of. */
#define NOTED "last, now, calm_last, calm_now, sums_of, seen, jumps_of, seen_count"

static void noted_text(struct bly_text *text, unsigned most, unsigned sums)
{
    WRITE("const real last[%u], real now[%u],\n               const real calm_last[%u], real calm_now[%u], "
          "real sums_of[%u], real seen[%u],\n               int jumps_of[%u], int seen_count[1])\n{\n",
          most, most, most, most, sums, MOST_SEEN, 2 * most + MOST_SEEN);
}

/* What d is on the path without noise comes off, so that the spread is not that of its dates. */
static void note_text(struct bly_writing *w, unsigned most)
{
    struct bly_text *text = w->text;
    WRITE("\nvoid note_jump(real d, real calm, int comes, int changes, int jump, int turn, ");
    noted_text(text, most, (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS));
    WRITE(
        "    const int first = %u * jump;\n    int before = 0, with = 0;\n    now[turn] = last[turn];\n"
        "    calm_now[turn] = calm_last[turn];\n    jumps_of[%u + turn] = jumps_of[turn];\n"
        "    if (!(d - d == 0)) return;\n"
        "    const real known = calm - calm == 0 ? calm : 0, rest = d - known;\n"
        "    sums_of[first + 6] += 1;\n    sums_of[first + 7] += d;\n    sums_of[first + 8] += rest;\n"
        "    sums_of[first + 9] += rest * rest;\n    if (!comes) return;\n"
        "    for (int k = 0; k < %u; k++)\n"
        "        if (fabs(d) == fabs(last[k]) || k < turn && fabs(d) == fabs(now[k])) {\n"
        "            before = 1;\n            with = jumps_of[fabs(d) == fabs(last[k]) ? k : %u + k];\n      "
        "  }\n"
        "    const real digits = 4096 * log(fabs(d));\n"
        "    if (digits - floor(digits) < 0.03125) { /* one of 32, the same ones at each time */\n"
        "        for (int k = 0; k < %u && k < seen_count[0]; k++)\n"
        "            if (fabs(d) == seen[k] && !before) {\n                before = 32;\n"
        "                with = jumps_of[%u + k];\n            }\n"
        "        if (seen_count[0] < %u) {\n            seen[seen_count[0]] = fabs(d);\n"
        "            jumps_of[%u + seen_count[0]] = jump;\n        }\n"
        "        seen_count[0]++;\n    }\n    jumps_of[%u + turn] = jump;\n"
        "    sums_of[first + 17] += before * with;\n    sums_of[first + 18] += before * with * with;\n"
        "    if (changes && last[turn] < 1e38) {\n"
        "        const real change = d - last[turn] - (known - calm_last[turn]);\n"
        "        sums_of[first + 10] += 1;\n        sums_of[first + 11] += change;\n"
        "        sums_of[first + 12] += change * change;\n    }\n"
        "    now[turn] = d;\n    calm_now[turn] = known;\n    sums_of[first] += 1;\n"
        "    sums_of[first + 1] += d;\n    sums_of[first + 2] += rest;\n"
        "    sums_of[first + 3] += rest * rest;\n    sums_of[first + 4] += d == 0 ? 1 : 0;\n"
        "    sums_of[first + 5] += before;\n    sums_of[first + 13] = fmin(sums_of[first + 13], d);\n"
        "    sums_of[first + 14] = fmax(sums_of[first + 14], d);\n    sums_of[first + 15] += d < 0 ? 1 : 0;\n"
        "    sums_of[first + 16] = fmax(sums_of[first + 16], fmin(1 / fabs(d), 1e15));\n}\n",
        BLY_PILOT_OUTPUTS, most, most, most, MOST_SEEN, 2 * most, MOST_SEEN, 2 * most, most);
}

/* Two functions: the distances of a list, from `base` on, and what they add to the sums. */
static void pilot_list_text(struct bly_writing *w, const struct bly_reversed *r, const char *name,
                            const char *parameters, bool changes, unsigned most)
{
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    const unsigned count = (unsigned)r->turn_count;
    WRITE("\nvoid %s_pilot(%s, int base, real distance[%u], int comes[%u])\n{\n", name, parameters, 2 * most,
          2 * most);
    if (text->failed) return;
    struct regions regions = need_turns(&list);
    if (text->failed) return;
    bly_list_text_lines(&list);
    regions_text(&list, &regions);
    for (uint32_t k = 0; k < r->turn_count; k++) {
        WRITE("    distance[base + %u] = ", (unsigned)k);
        distance_text(&list, k);
        WRITE(";\n    comes[base + %u] = ", (unsigned)k);
        comes_text(&list, &regions, k);
        WRITE(";\n");
    }
    WRITE("}\n\nvoid %s_notes(const real distance[%u], const int comes[%u], ", name, 2 * most, 2 * most);
    noted_text(text, most, (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS));
    WRITE("    const int jumps[%u] = {", count);
    for (uint32_t k = 0; k < r->turn_count; k++) WRITE(k ? ", %u" : "%u", (unsigned)r->turns[k].jump);
    WRITE("};\n    for (int k = 0; k < %u; k++)\n        note_jump(distance[k], distance[%u + k], comes[k], "
          "%d, jumps[k], k, " NOTED ");\n}\n",
          count, most, changes);
}

static void noted_arrays(struct bly_text *text, unsigned most, unsigned sums)
{
    WRITE("    real last[%u], now[%u], calm_last[%u], calm_now[%u], seen[%u] = {0}, distance[%u] = {0};\n"
          "    int jumps_of[%u] = {0}, seen_count[1] = {0}, comes[%u];\n    for (int k = 0; k < %u; k++) "
          "sums_of[k] = 0;\n"
          "    for (int k = 0; k < %u; k++) {\n        last[k] = 2e38; /* none yet */\n"
          "        now[k] = 2e38;\n        calm_last[k] = 0;\n        calm_now[k] = 0;\n    }\n",
          most, most, most, most, MOST_SEEN, 2 * most, 2 * most + MOST_SEEN, 2 * most, sums, most);
}

static void remember(struct bly_text *text, unsigned most, const char *indent)
{
    WRITE("%sfor (int k = 0; k < %u; k++) {\n%s    last[k] = now[k];\n%s    calm_last[k] = calm_now[k];\n"
          "%s    jumps_of[k] = jumps_of[%u + k];\n%s}\n",
          indent, most, indent, indent, indent, most, indent);
}

/* Of `whole`, whose comparisons are all at its end. */
static void pilot_whole(struct bly_writing *w, unsigned most)
{
    const unsigned sums = (unsigned)(w->d->jump_count * BLY_PILOT_OUTPUTS);
    struct bly_text *text = w->text;
    WRITE("\nvoid whole(const params *p, path x, real sums_of[%u])\n{\n", sums);
    noted_arrays(text, most, sums);
    WRITE("    finish_pilot(p, x, 0, distance, comes);\n    finish_notes(distance, comes, " NOTED ");\n}\n");
}

/* A path, and with it that without noise; in forward mode, where loops may depend on the path, it is not
 * there. */
static void pilot_path(struct bly_writing *w, unsigned most)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const unsigned sums = (unsigned)(d->jump_count * BLY_PILOT_OUTPUTS);
    const int sides = d->forward ? 1 : 2;
    WRITE("\nvoid whole(const params *p, path x, real sums_of[%u])\n{\n    real point[DIMS];\n", sums);
    noted_arrays(text, most, sums);
    WRITE("    running s[%d];\n    for (int calm = 0; calm < %d; calm++) s[calm] = %s;\n"
          "    for (int i = 0; i < STEPS; i++) {\n        for (int calm = 0; calm < %d; calm++) {\n"
          "            for (int d = 0; d < DIMS; d++) point[d] = ",
          sides, sides, d->has_start ? "start_path(p)" : "{0}", sides);
    if (d->forward)
        WRITE("at(x, i, d);\n");
    else if (!d->has_origin)
        WRITE("calm ? 0 : at(x, i, d);\n");
    else
        WRITE("calm ? fma(p->%s[d], time(x, i) - time(x, STEPS - 1), p->%s[d]) : at(x, i, d);\n",
              w->names->drift, w->names->origin);
    if (d->step.turn_count)
        WRITE("            step_pilot(&s[calm], p, i, time(x, i), point, %u * calm, distance, comes);\n",
              most);
    WRITE("            s[calm] = step_path(&s[calm], p, i, time(x, i), point);\n        }\n");
    if (d->step.turn_count) {
        remember(text, most, "        ");
        WRITE("        step_notes(distance, comes, " NOTED ");\n");
    }
    WRITE("    }\n");
    if (d->finish.turn_count) {
        remember(text, most, "    ");
        WRITE("    for (int calm = 0; calm < %d; calm++) finish_pilot(&s[calm], p, %u * calm, distance, "
              "comes);\n    finish_notes(distance, comes, " NOTED ");\n",
              sides, most);
    }
    WRITE("}\n");
}

void bly_derivative_pilot(const struct bly_derivative *given, struct bly_text *text,
                          struct bly_derivative_names *names)
{
    struct bly_derivative of = *given, *const d = &of;
    struct bly_writing w = {.d = d, .text = text, .names = names};
    *names = (struct bly_derivative_names){0};
    if (d->forward) { /* without what states change by */
        of.unit = d->first;
        of.states = d->first_states;
    }
    const bool calms = d->has_origin && !d->forward;
    bly_writing_choose_name(&w, calms, "origin", names->origin);
    bly_writing_choose_name(&w, calms, "drift", names->drift);
    const unsigned most =
        (unsigned)(d->step.turn_count > d->finish.turn_count ? d->step.turn_count : d->finish.turn_count);
    WRITE("/** What %s compares where it jumps.\n *\n * path: %s\n%s */\ntypedef struct {\n", d->unit->name,
          bly_writing_path(d), d->counts_time ? " * start: any time\n" : "");
    bly_writing_fields(text, d->unit->params);
    if (calms)
        WRITE("    real %s[DIMS], %s[DIMS]; /* the last point of x without noise, and the slope to it */\n",
              names->origin, names->drift);
    else if (!d->params)
        WRITE("    real nothing; /* [default 0] */\n");
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
    if (d->step.turn_count)
        pilot_list_text(&w, &d->step, "step",
                        "const running *s, const params *p, int i, real t, const real x[DIMS]", true, most);
    if (d->finish.turn_count)
        pilot_list_text(&w, &d->finish, "finish",
                        d->unit->whole ? "const params *p, path x" : "const running *s, const params *p",
                        false, most);
    if (d->unit->whole)
        pilot_whole(&w, most);
    else
        pilot_path(&w, most);
    bly_arena_free(&w.arena);
}
