/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of a derivative: a `whole` that runs the path forward, keeps the state of every so many steps, and
 * then goes back from one of these to the one before, each time through the states between them again.
 */
#include "symbols.h"
#include "writing.h"

#include <host/payoff/machine.h>

#include <stdio.h>
#include <string.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

/* ---- Records ------------------------------------------------------------------------------------- */

static bool any_of(const struct bly_field_node *f, const uint8_t *cells)
{
    bool any = false;
    for (uint32_t k = 0; k < bly_cells(f->type); k++) any |= cells[f->cell + k] != 0;
    return any;
}

static bool has_bars(const struct bly_derivative *d)
{
    bool any = false;
    for (uint32_t k = 0; k < d->states; k++) any |= d->barred[k] != 0;
    return any;
}

static bool has_kept(const struct bly_derivative *d)
{
    bool any = false;
    for (uint32_t k = 0; k < d->states && bly_derivative_goes_back(d); k++) any |= d->needed[k] != 0;
    return any;
}

/* Whether the last state is, as finish is run again. */
static bool keeps_end(const struct bly_derivative *d)
{
    return d->runs && bly_derivative_has_jumps(d) && d->finish.turn_count;
}

static const struct bly_field_node *fields_of(const struct bly_record *record)
{
    return record ? record->fields : NULL;
}

void bly_writing_params(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const struct bly_derivative_names *n = w->names;
    const unsigned dims = d->dims;
    WRITE("typedef struct {\n");
    bly_writing_fields(text, d->unit->params);
    if (*n->factor) WRITE("    real %s[%u]; /* C, of the covariance C C' of x */\n", n->factor, dims * dims);
    if (*n->inverse) WRITE("    real %s[%u]; /* of C */\n", n->inverse, dims * dims);
    if (*n->origin) WRITE("    real %s[%u]; /* of x */\n", n->origin, dims);
    if (*n->stretch) WRITE("    real %s; /* of the first step of x, by time */\n", n->stretch);
    if (*n->weight) WRITE("    real %s[%u]; /* of outputs */\n", n->weight, (unsigned)d->unit->outputs);
    if (*n->width) WRITE("    real %s[%u]; /* of comparisons */\n", n->width, (unsigned)d->jump_count);
    if (*n->side)
        WRITE("    real %s[%u]; /* of comparisons: 1 or -1, where l - r is smoothed alone; 0: both */\n",
              n->side, (unsigned)d->jump_count);
    WRITE("} params;\n\n");
}

static void records_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const struct bly_unit *unit = d->unit;
    const unsigned dims = d->dims;
    if (bly_derivative_has_params(d)) bly_writing_params(w);
    WRITE("/* The state of a path. */\ntypedef struct {\n");
    bly_writing_fields(text, unit->state);
    if (!d->states) WRITE("    int nothing;\n");
    WRITE("} running;\n\n");
    if (has_kept(d) || keeps_end(d)) {
        WRITE("/* The part of it that is kept, to go back. */\ntypedef struct {\n");
        for (const struct bly_field_node *f = fields_of(unit->state); f; f = f->next)
            if (any_of(f, d->needed)) bly_writing_field(text, bly_list_text_type(f->type), f);
        if (!d->states) WRITE("    int nothing;\n");
        WRITE("} kept;\n\n");
    }
    WRITE("/* The derivatives of the result with respect to the state. */\ntypedef struct {\n");
    for (const struct bly_field_node *f = fields_of(unit->state); f; f = f->next)
        if (any_of(f, d->barred)) bly_writing_field(text, "real", f);
    if (!has_bars(d)) WRITE("    int nothing;\n");
    WRITE("} kept_bar;\n\n/* The same of parameters. */\ntypedef struct {\n");
    bool any = d->cross || d->by_time;
    for (const struct bly_field_node *f = fields_of(unit->params); f; f = f->next) {
        if (!any_of(f, d->asked)) continue;
        any = true;
        bly_writing_field(text, "real", f);
    }
    if (d->cross || d->by_time) WRITE("    real point_bar[%u];\n", dims);
    if (d->cross) WRITE("    real matrix_of_x[%u];\n", dims * dims);
    if (d->by_time) WRITE("    real time_bar, first_bar[%u]; /* of the first step of x */\n", dims);
    if (d->has_fixed) {
        any = true;
        WRITE("    real fixed_bar[%u]; /* of values that are the same in all steps */\n",
              (unsigned)d->step.fixed_count);
    }
    if (!any) WRITE("    int nothing;\n");
    WRITE("} sums;\n");
}

/* ---- Functions ----------------------------------------------------------------------------------- */

static void keep_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    char of[200], to[200];
    WRITE("\nkept keep(const running *s)\n{\n    kept of;\n");
    for (uint32_t k = 0; k < d->states; k++) {
        if (!d->needed[k]) continue;
        bly_writing_member(d, "s->", k, of, sizeof of);
        bly_writing_member(d, "of.", k, to, sizeof to);
        WRITE("    %s = %s;\n", to, of);
    }
    WRITE("    return of;\n}\n");
}

static void finish_text(struct bly_writing *w)
{
    const struct bly_reversed *r = &w->d->finish;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    WRITE("\nvoid finish_path(const running *s, const params *p, real out[%u])\n{\n",
          (unsigned)w->d->outputs);
    if (text->failed) return;
    for (uint32_t o = 0; o < w->d->outputs; o++) bly_list_text_need(&list, r->results[o]);
    bly_list_text_lines(&list);
    for (uint32_t o = 0; o < w->d->outputs; o++) {
        char target[32];
        snprintf(target, sizeof target, "out[%u]", (unsigned)o);
        bly_writing_set(&list, target, r->results[o]);
    }
    WRITE("}\n");
}

static bool is_changed(const struct bly_reversed *r, uint32_t bar)
{
    const enum bly_atom_kind kind = r->list.values[bar].kind;
    return bar && kind != BLY_ATOM_PARAM_BAR && kind != BLY_ATOM_FIXED_BAR;
}

static void sums_text(struct bly_list_text *list)
{
    const struct bly_derivative *d = list->d;
    const struct bly_reversed *r = list->r;
    struct bly_text *text = list->text;
    char target[200];
    for (uint32_t k = 0; k < d->params; k++) {
        if (!d->asked[k] || !is_changed(r, r->param_bars[k])) continue;
        bly_param_text(d, "all->", k, target, sizeof target);
        bly_writing_set(list, target, r->param_bars[k]);
    }
    for (uint32_t k = 0; k < r->fixed_count && r->fixed; k++) {
        if (!is_changed(r, r->fixed_bars[k])) continue;
        snprintf(target, sizeof target, "all->fixed_bar[%u]", (unsigned)k);
        bly_writing_set(list, target, r->fixed_bars[k]);
    }
    for (uint32_t k = 0; k < d->dims && (d->cross || d->by_time) && r == &d->step; k++) {
        snprintf(target, sizeof target, "all->point_bar[%u]", (unsigned)k);
        bly_writing_set(list, target, r->point_bars[k]);
    }
    if (r->time_bar) {
        WRITE("    all->time_bar += ");
        bly_list_text_value(list, r->time_bar);
        WRITE(";\n");
    }
    for (uint32_t k = 0; k < r->scatter_count; k++) {
        bly_param_text(d, "all->", r->scatters[k].first, target, sizeof target);
        char *bracket = strrchr(target, '[');
        if (bracket) *bracket = 0;
        WRITE("    %s[", target);
        bly_list_text_value(list, r->scatters[k].index);
        WRITE("] += ");
        bly_list_text_value(list, r->scatters[k].value);
        WRITE(";\n");
    }
}

/* The adjoints of a function: what its state before counts is returned. */
static void backward_text(struct bly_writing *w, const struct bly_reversed *r, const char *signature,
                          bool returns)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    char target[200];
    WRITE("\n%s %s\n{\n", returns ? "kept_bar" : "void", signature);
    if (returns) WRITE("    kept_bar bar;\n");
    if (text->failed) return;
    for (uint32_t k = 0; k < d->states && returns; k++) bly_list_text_need(&list, r->state_bars[k]);
    for (uint32_t k = 0; k < d->params; k++)
        if (is_changed(r, r->param_bars[k])) bly_list_text_need(&list, r->param_bars[k]);
    for (uint32_t k = 0; k < r->fixed_count && r->fixed; k++)
        if (is_changed(r, r->fixed_bars[k])) bly_list_text_need(&list, r->fixed_bars[k]);
    for (uint32_t k = 0; k < d->dims; k++) bly_list_text_need(&list, r->point_bars[k]);
    bly_list_text_need(&list, r->time_bar);
    for (uint32_t k = 0; k < r->scatter_count; k++) {
        bly_list_text_need(&list, r->scatters[k].index);
        bly_list_text_need(&list, r->scatters[k].value);
    }
    bly_list_text_lines(&list);
    sums_text(&list);
    for (const struct bly_field_node *f = fields_of(d->unit->state); f && returns; f = f->next)
        for (uint32_t k = 0; k < bly_cells(f->type) && any_of(f, d->barred); k++) {
            bly_writing_member(d, "bar.", f->cell + k, target, sizeof target);
            bly_writing_set(&list, target, r->state_bars[f->cell + k]);
        }
    if (returns && !has_bars(d)) WRITE("    bar.nothing = 0;\n");
    WRITE(returns ? "    return bar;\n}\n" : "}\n");
}

/* ---- The path ------------------------------------------------------------------------------------ */

static void indented(struct bly_text *text, unsigned depth, const char *line)
{
    WRITE("%*s%s\n", (int)(4 * depth), "", line);
}

/* Memory is slow to answer: the point of a step is read while the step before it is computed. */
static void read_ahead(struct bly_text *text, unsigned depth, const char *step)
{
    WRITE("%*sfor (int d = 0; d < DIMS; d++) ahead[d] = at(x, %s, d);\n", (int)(4 * depth), "", step);
}

/* The same of the step `more` after at_l, or of the path's last. */
static void point_at(struct bly_text *text, unsigned l, unsigned more)
{
    const unsigned depth = l + 1;
    indented(text, depth, "{");
    WRITE("%*sconst int i = at_%u", (int)(4 * depth + 4), "", l);
    if (more) WRITE(" + %u", more);
    WRITE(";\n");
    indented(text, depth + 1, "if (i < STEPS)");
    read_ahead(text, depth + 2, "i");
    indented(text, depth + 1, "else");
    read_ahead(text, depth + 2, "STEPS - 1");
    indented(text, depth, "}");
}

/* The point of step i, and that of the step after it in the order of the loop, where `bound` says that there
 * is one. */
static void point_lines(struct bly_text *text, unsigned depth, const char *bound, const char *next)
{
    indented(text, depth, "for (int d = 0; d < DIMS; d++) point[d] = ahead[d];");
    if (bound) indented(text, depth, bound);
    read_ahead(text, depth + (bound != NULL), next);
}

static void forward_path(const struct bly_derivative *d, struct bly_text *text)
{
    const bool kept = has_kept(d);
    const unsigned span = (unsigned)d->span[0], count = (unsigned)d->count[0];
    for (unsigned l = 0; l < d->levels && kept; l++)
        WRITE("    kept level_%u[%u];\n", l, (unsigned)d->count[l]);
    WRITE("    real point[DIMS], ahead[DIMS];\n");
    read_ahead(text, 1, "0");
    WRITE("    running s = %s;\n", d->has_start ? "start_path(p)" : "{0}");
    if (!kept) {
        indented(text, 1, "for (int i = 0; i < STEPS; i++) {");
        point_lines(text, 2, "if (i < STEPS - 1)", "i + 1");
        indented(text, 2, "s = step_path(&s, p, i, time(x, i), point);");
        indented(text, 1, "}");
        return;
    }
    WRITE("    for (int j = 0; j < %u; j++) {\n        level_0[j] = keep(&s);\n", count);
    WRITE("        for (int k = 0; k < %u; k++) {\n            const int i = %u * j + k;\n"
          "            if (i < STEPS) {\n",
          span, span);
    if (d->levels == 2) WRITE("                if (j == %u) level_1[k] = keep(&s);\n", count - 1);
    point_lines(text, 4, "if (i < STEPS - 1)", "i + 1");
    indented(text, 4, "s = step_path(&s, p, i, time(x, i), point);");
    for (unsigned depth = 4; depth-- > 1;) indented(text, depth, "}");
}

/* Steps from a state of the level above through one of its spans, for the states of this level. */
static void again_text(const struct bly_derivative *d, struct bly_text *text, unsigned l)
{
    const unsigned depth = l + 1, span = (unsigned)d->span[l], count = (unsigned)d->count[l];
    point_at(text, l, 0);
    if (d->levels == 2)
        WRITE("%*sfor (int k = 0; k < %u && j_0 < %u; k++) {\n", (int)(4 * depth), "", count,
              (unsigned)d->count[0] - 1);
    else
        WRITE("%*sfor (int k = 0; k < %u; k++) {\n", (int)(4 * depth), "", count);
    WRITE("%*slevel_%u[k] = again;\n", (int)(4 * depth + 4), "", l);
    WRITE("%*sfor (int q = 0; q < %u && k < %u; q++) {\n", (int)(4 * depth + 4), "", span, count - 1);
    WRITE("%*sconst int i = at_%u + %u * k + q;\n", (int)(4 * depth + 8), "", l, span);
    indented(text, depth + 2, "if (i < STEPS - 1) {");
    point_lines(text, depth + 3, NULL, "i + 1");
    indented(text, depth + 3, "again = again_path(&again, p, i, time(x, i), point);");
    indented(text, depth + 2, "}");
    indented(text, depth + 1, "}");
    indented(text, depth, "}");
}

static void back_step(const struct bly_derivative *d, struct bly_text *text, unsigned depth,
                      const char *state)
{
    const bool runs = d->runs && bly_derivative_has_jumps(d) && d->step.turn_count;
    indented(text, depth, "if (i < STEPS) {");
    point_lines(text, depth + 1, "if (i > 0)", "i - 1");
    if (runs)
        WRITE("%*sconst int any = step_turns(%sp, x, share, result, i, time(x, i), point, turns);\n"
              "%*sif (any) near = 1;\n",
              (int)(4 * depth + 4), "", state, (int)(4 * depth + 4), "");
    WRITE("%*sbar = step_back(%s&bar, p, &all, i, time(x, i), point%s);\n", (int)(4 * depth + 4), "", state,
          runs                          ? ", share, turns"
          : bly_derivative_has_jumps(d) ? ", share"
                                        : "");
    if (d->cross) indented(text, depth + 1, "by_point(p, &all, point);");
    if (d->by_time) indented(text, depth + 1, "by_first(&all);");
    indented(text, depth, "}");
}

static void backward_levels(const struct bly_derivative *d, struct bly_text *text)
{
    const unsigned last = (unsigned)d->levels - 1;
    char state[40];
    snprintf(state, sizeof state, "&level_%u[j_%u], ", last, last);
    for (unsigned l = 0; l <= last; l++) {
        const unsigned depth = l + 1;
        if (l) {
            WRITE("%*sconst int at_%u = %u * j_%u%s", (int)(4 * depth), "", l, (unsigned)d->span[l - 1],
                  l - 1, l > 1 ? "" : ";\n");
            if (l > 1) WRITE(" + at_%u;\n", l - 1);
            WRITE("%*skept again = level_%u[j_%u];\n", (int)(4 * depth), "", l - 1, l - 1);
            again_text(d, text, l);
        }
        if (l == last && last) point_at(text, l, (unsigned)d->count[l] - 1);
        if (l == last && !last) read_ahead(text, 1, "STEPS - 1");
        WRITE("%*sfor (int j_%u = %u; j_%u >= 0; j_%u--) {\n", (int)(4 * depth), "", l,
              (unsigned)d->count[l] - 1, l, l);
    }
    if (last)
        WRITE("%*sconst int i = at_%u + j_%u;\n", (int)(4 * last + 8), "", last, last);
    else
        WRITE("        const int i = j_0;\n");
    back_step(d, text, last + 2, state);
    for (unsigned l = last + 1; l-- > 0;) indented(text, l + 1, "}");
}

static void backward_path(const struct bly_derivative *d, struct bly_text *text)
{
    if (d->runs && bly_derivative_has_jumps(d) && d->step.turn_count)
        WRITE("    real turns[%u];\n", (unsigned)d->step.turn_count);
    if (has_kept(d)) {
        backward_levels(d, text);
    } else {
        read_ahead(text, 1, "STEPS - 1");
        indented(text, 1, "for (int i = STEPS - 1; i >= 0; i--) {");
        back_step(d, text, 2, "");
        indented(text, 1, "}");
    }
    if (d->has_start) WRITE("    start_back(&bar, p, &all);\n");
    if (d->has_fixed) WRITE("    fixed_back(p, &all);\n");
}

static void outputs_text(const struct bly_derivative *d, struct bly_text *text)
{
    char member[200];
    uint32_t o = d->outputs;
    for (uint32_t k = 0; k < d->params; k++) {
        if (!d->asked[k]) continue;
        bly_param_text(d, "all.", k, member, sizeof member);
        WRITE("    out[%u] = %s;\n", (unsigned)o++, member);
    }
    if (d->cross)
        WRITE("    real covariance_bar[DIMS * DIMS];\n"
              "    by_covariance(p, all.matrix_of_x, covariance_bar);\n");
    for (unsigned i = 0; i < d->unit->dims && d->cross; i++)
        for (unsigned j = 0; j <= i; j++)
            WRITE("    out[%u] = covariance_bar[%u];\n", (unsigned)o++, i * d->dims + j);
    if (!d->by_time) return;
    WRITE("    for (int d = 0; d < DIMS; d++) point[d] = at(x, 0, d);\n"
          "    out[%u] = by_time(p, &all, point);\n",
          (unsigned)o);
}

/* When paths begin later by h, all times are nearer by it: t, and the first step of x has another length, as
 * the member `stretch` says, which all of x has if it is a sum of steps. */
static void time_text(const struct bly_writing *w)
{
    struct bly_text *text = w->text;
    const char *origin = w->names->origin;
    WRITE("\n/* What the first step of x counts. */\nvoid by_first(sums *all)\n{\n"
          "    for (int d = 0; d < DIMS; d++) all->first_bar[d] %s all->point_bar[d];\n}\n",
          w->d->has_origin ? "+=" : "=");
    WRITE("\n/* What the time counts at which paths begin. */\n"
          "real by_time(const params *p, const sums *all, const real first[DIMS])\n{\n    real sum = 0;\n"
          "    for (int d = 0; d < DIMS; d++) sum = fma(all->first_bar[d], first[d]%s%s%s, sum);\n"
          "    return -fma(sum, p->%s, all->time_bar);\n}\n",
          *origin ? " - p->" : "", origin, *origin ? "[d]" : "", w->names->stretch);
}

/* Adjoints of the matrix that all points, less their origin, are multiplied by. */
static void point_text(const struct bly_writing *w)
{
    struct bly_text *text = w->text;
    const char *origin = w->names->origin;
    WRITE("\n/* What the matrix counts that all x are multiplied by, of what x does. */\n"
          "void by_point(const params *p, sums *all, const real x[DIMS])\n{\n"
          "    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++)\n"
          "            all->matrix_of_x[i * DIMS + j] =\n"
          "                fma(all->point_bar[i], x[j]%s%s%s, all->matrix_of_x[i * DIMS + j]);\n}\n",
          *origin ? " - p->" : "", origin, *origin ? "[j]" : "");
}

/* Murray 2016, \"Differentiation of the Cholesky decomposition\": a change dS of the covariance C C' makes C
 * change by C L(inverse(C) dS inverse(C')), where L is the lower triangle with half of the diagonal. So what
 * the matrix counts, M, becomes inverse(C') L(C' M inverse(C')) inverse(C). */
static void covariance_text(const struct bly_writing *w)
{
    struct bly_text *text = w->text;
    const char *c = w->names->factor, *b = w->names->inverse;
    WRITE("\n/* What the covariance counts, of what the matrix of x does: (i, j) with (j, i). */\n"
          "void by_covariance(const params *p, const real m[DIMS * DIMS], real bar[DIMS * DIMS])\n{\n"
          "    real u[DIMS * DIMS], v[DIMS * DIMS];\n"
          "    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = i; k < DIMS; k++) sum = fma(p->%s[k * DIMS + i], m[k * DIMS + j], sum);\n"
          "            u[i * DIMS + j] = sum;\n        }\n",
          c);
    WRITE("    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = 0; k <= j; k++) sum = fma(u[i * DIMS + k], p->%s[j * DIMS + k], sum);\n"
          "            v[i * DIMS + j] = j < i ? sum : j == i ? 0.5 * sum : 0;\n        }\n",
          b);
    WRITE("    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = j; k <= i; k++) sum = fma(v[i * DIMS + k], p->%s[k * DIMS + j], sum);\n"
          "            u[i * DIMS + j] = sum;\n        }\n",
          b);
    WRITE("    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = i; k < DIMS; k++) sum = fma(p->%s[k * DIMS + i], u[k * DIMS + j], sum);\n"
          "            v[i * DIMS + j] = sum;\n        }\n",
          b);
    WRITE(
        "    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++)\n"
        "            bar[i * DIMS + j] = i == j ? v[i * DIMS + j] : v[i * DIMS + j] + v[j * DIMS + i];\n}\n");
}

/* The path, forward and back. */
static void path_text(struct bly_writing *w, const char *signature)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const bool jumps = bly_derivative_has_jumps(d), runs = keeps_end(d);
    WRITE("\n%s\n{\n    sums all = {0};\n", signature);
    forward_path(d, text);
    WRITE("    finish_path(&s, p, out);\n");
    if (d->runs && jumps) {
        WRITE("    int near = 0;\n    const real result = ");
        bly_writing_result(w);
        WRITE(";\n");
    }
    if (runs)
        WRITE("    const kept end = keep(&s);\n    real last[%u];\n"
              "    near = finish_turns(&end, p, share, result, last);\n",
              (unsigned)d->finish.turn_count);
    WRITE("    kept_bar bar = finish_back(&s, p, &all%s);\n", runs    ? ", share, last"
                                                              : jumps ? ", share"
                                                                      : "");
    if (bly_derivative_goes_back(d)) backward_path(d, text);
    outputs_text(d, text);
    WRITE("%s}\n", d->runs && jumps ? "    return near;\n" : "");
}

/* With jumps, behind each derivative without them: what is left is what came through these. */
static void whole_text(struct bly_writing *w)
{
    char signature[120];
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const unsigned outputs = (unsigned)bly_derivative_outputs(d), count = (unsigned)bly_derivative_count(d),
                   first = (unsigned)d->outputs;
    const bool jumps = bly_derivative_has_jumps(d), runs = jumps && d->runs;
    snprintf(signature, sizeof signature,
             jumps ? "%s through_path(const params *p, path x, real share, real out[%u])"
                   : "%s whole(const params *p, path x, real out[%u])",
             runs ? "int" : "void", jumps ? first + count : outputs);
    path_text(w, signature);
    if (jumps && !d->parts)
        WRITE("\nvoid whole(const params *p, path x, real out[%u])\n{\n    through_path(p, x, 1, out);\n}\n",
              outputs);
    if (!jumps || !d->parts) return;
    WRITE("\n/* Behind the derivatives: what part of each came through jumps. */\n"
          "void whole(const params *p, path x, real out[%u])\n{\n"
          "    for (int k = 0; k < %u; k++) out[k] = 0;\n%s    for (int jumps = 0; jumps < 2; jumps++) {\n"
          "        for (int k = %u; k < %u; k++) out[k + %u] = out[k];\n"
          "        %sthrough_path(p, x, jumps, out);\n    }\n"
          "    for (int k = %u; k < %u; k++) out[k + %u] = out[k] - out[k + %u];\n}\n",
          outputs, first + count, runs ? "    int near = 1;\n" : "", first, first + count, count,
          runs ? "if (near) near = " : "", first, first + count, count, count);
}

/* ---- All ----------------------------------------------------------------------------------------- */

static void memory_text(const struct bly_derivative *d, struct bly_text *text)
{
    if (d->forward || !has_kept(d)) {
        WRITE(" * No state of a path is kept.\n");
        return;
    }
    WRITE(" * The states of a path that are kept take %llu bytes: ", (unsigned long long)d->kept_bytes);
    for (unsigned l = 0; l < d->levels; l++)
        if (d->span[l] == 1)
            WRITE("%s%u of %s.\n", l ? ", then " : "", (unsigned)d->count[l],
                  l ? "these steps" : "all steps");
        else
            WRITE("%s%u of every %u steps", l ? ", then " : "", (unsigned)d->count[l], (unsigned)d->span[l]);
}

void bly_writing_head(const struct bly_writing *w, const char *how)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    WRITE("/** %s and its derivatives, for %u dimension%s and %u step%s: %s.\n", d->unit->name,
          (unsigned)d->dims, d->dims == 1 ? "" : "s", (unsigned)d->unit->steps,
          d->unit->steps == 1 ? "" : "s", how);
    memory_text(d, text);
    for (uint32_t k = 0; k < d->jump_count && bly_derivative_has_jumps(d); k++)
        WRITE(" *\n * %s[%u]: of the comparison in line %u.\n", w->names->width, (unsigned)k,
              (unsigned)d->jumps[k].place.line);
    WRITE(" *\n * path: %s\n%s */\n", bly_writing_path(d), d->counts_time ? " * start: any time\n" : "");
}

static void backward_all(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    const bool jumps = bly_derivative_has_jumps(d), runs = jumps && d->runs;
    char signature[300], more[80] = "";
    if (runs) bly_writing_turns(w);
    if (jumps) snprintf(more, sizeof more, ", real share");
    if (runs && d->finish.turn_count)
        snprintf(more, sizeof more, ", real share, const real turns[%u]", (unsigned)d->finish.turn_count);
    snprintf(signature, sizeof signature, "finish_back(const running *s, const params *p, sums *all%s)",
             more);
    backward_text(w, &d->finish, signature, true);
    if (!bly_derivative_goes_back(d)) return;
    if (jumps) snprintf(more, sizeof more, ", real share");
    if (runs && d->step.turn_count)
        snprintf(more, sizeof more, ", real share, const real turns[%u]", (unsigned)d->step.turn_count);
    snprintf(signature, sizeof signature,
             "step_back(%sconst kept_bar *next, const params *p, sums *all, int i, real t,\n"
             "                   const real x[DIMS]%s)",
             has_kept(d) ? "const kept *s, " : "", more);
    backward_text(w, &d->step, signature, true);
    if (d->has_start)
        backward_text(w, &d->start, "start_back(const kept_bar *next, const params *p, sums *all)", false);
    if (d->has_fixed) backward_text(w, &d->fixed, "fixed_back(const params *p, sums *all)", false);
}

void bly_writing_names(const struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_derivative_names *names = w->names;
    bly_writing_choose_name(w, d->cross, "factor", names->factor);
    bly_writing_choose_name(w, d->cross, "inverse", names->inverse);
    bly_writing_choose_name(w, (d->cross || d->by_time) && d->has_origin, "origin", names->origin);
    bly_writing_choose_name(w, d->by_time, "stretch", names->stretch);
    bly_writing_choose_name(w, d->has_weights, "weight", names->weight);
    bly_writing_choose_name(w, bly_derivative_has_jumps(d), "width", names->width);
    bly_writing_choose_name(w, bly_derivative_has_jumps(d) && d->one_sided, "side", names->side);
}

void bly_derivative_write(const struct bly_derivative *d, struct bly_text *text,
                          struct bly_derivative_names *names)
{
    struct bly_writing w = {.d = d, .text = text, .names = names};
    bly_writing_names(&w);
    bly_writing_head(&w, "by adjoints (\"_bar\"), from the last step to\n * the first");
    records_text(&w);
    if (d->has_start) bly_writing_forward(&w, &d->start, false, "start_path(const params *p)", false);
    bly_writing_forward(&w, &d->step, false,
                        "step_path(const running *s, const params *p, int i, real t, const real x[DIMS])",
                        false);
    const bool runs = d->runs && bly_derivative_has_jumps(d);
    if (has_kept(d) || keeps_end(d)) {
        keep_text(&w);
        if (d->levels > 1 || runs)
            bly_writing_forward(
                &w, &d->step, true,
                "again_path(const kept *s, const params *p, int i, real t, const real x[DIMS])", false);
    }
    finish_text(&w);
    backward_all(&w);
    if (d->cross) point_text(&w);
    if (d->cross) covariance_text(&w);
    if (d->by_time) time_text(&w);
    whole_text(&w);
    bly_arena_free(&w.arena);
}
