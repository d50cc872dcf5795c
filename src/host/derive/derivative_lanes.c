/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `whole` of a derivative's code does, for the paths of an item side by side: C, for programs of
 * processors, which make vector instructions of it. Each path has the bits that `whole` gives it. The
 * functions and records of the code are called as host/payoff/print_names.c has them.
 */
#include "derivative.h"

#include <host/payoff/machine.h>

#include <stdio.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

/* A record of the code, and which of its fields there are. */
struct laned {
    const char *name; /* "kept" */
    unsigned number;  /* of the code's records */
    const struct bly_record *of;
    const uint8_t *cells; /* NULL: all */
    bool bars;            /* its numbers are reals */
    unsigned points;      /* numbers of point_bar */
    unsigned firsts;      /* of first_bar, with a time_bar */
};

static const char *type_word(const struct laned *l, const struct bly_type *type)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    if (l->bars || type->kind == BLY_TYPE_REAL) return "real";
    return type->kind == BLY_TYPE_UINT32   ? "uint32"
           : type->kind == BLY_TYPE_INT64  ? "int64"
           : type->kind == BLY_TYPE_UINT64 ? "uint64"
                                           : "int32";
}

static bool has(const struct laned *l, const struct bly_field_node *f)
{
    bool any = !l->cells;
    for (uint32_t k = 0; l->cells && k < bly_cells(f->type); k++) any |= l->cells[f->cell + k] != 0;
    return any;
}

static void move_bars(struct bly_text *text, bool put, const char *name, unsigned count, const char *all,
                      const char *one)
{
    for (unsigned k = 0; k < count; k++) {
        if (put)
            WRITE("    %s.own_%s[%u][v] = %s.own_%s[%u];\n", all, name, k, one, name, k);
        else
            WRITE("    %s.own_%s[%u] = %s.own_%s[%u][v];\n", one, name, k, all, name, k);
    }
}

/* Numbers of lane v of `all` to or from `one`, each by itself: compilers keep what is copied as a whole in
 * memory. */
static void moves(const struct laned *l, struct bly_text *text, const char *all, const char *one, bool put)
{
    char at[16] = "";
    for (const struct bly_field_node *f = l->of ? l->of->fields : NULL; f; f = f->next) {
        for (uint32_t k = 0; k < bly_cells(f->type) && has(l, f); k++) {
            snprintf(at, sizeof at, f->type->kind == BLY_TYPE_ARRAY ? "[%u]" : "", (unsigned)k);
            if (put)
                WRITE("    %s.own_%s%s[v] = %s.own_%s%s;\n", all, f->name, at, one, f->name, at);
            else
                WRITE("    %s.own_%s%s = %s.own_%s%s[v];\n", one, f->name, at, all, f->name, at);
        }
    }
    move_bars(text, put, "point_bar", l->points, all, one);
    move_bars(text, put, "first_bar", l->firsts, all, one);
    if (l->firsts && put) WRITE("    %s.own_time_bar[v] = %s.own_time_bar;\n", all, one);
    if (l->firsts && !put) WRITE("    %s.own_time_bar = %s.own_time_bar[v];\n", one, all);
}

static void get(const struct laned *l, struct bly_text *text, const char *all, const char *one)
{
    WRITE("    bly_lane_%s %s;\n", l->name, one);
    moves(l, text, all, one, false);
}

static void put(const struct laned *l, struct bly_text *text, const char *all, const char *one)
{
    moves(l, text, all, one, true);
}

/* The record of all lanes. */
static void record(const struct laned *l, struct bly_text *text)
{
    WRITE("typedef struct bly_lanes_%s {\n    int32 nothing;\n", l->name);
    for (const struct bly_field_node *f = l->of ? l->of->fields : NULL; f; f = f->next) {
        if (!has(l, f)) continue;
        WRITE("    %s own_%s", type_word(l, f->type), f->name);
        if (f->type->kind == BLY_TYPE_ARRAY) WRITE("[%u]", (unsigned)f->type->count);
        WRITE("[BLY_WIDTH];\n");
    }
    if (l->points) WRITE("    real own_point_bar[%u][BLY_WIDTH];\n", l->points);
    if (l->firsts) WRITE("    real own_first_bar[%u][BLY_WIDTH], own_time_bar[BLY_WIDTH];\n", l->firsts);
    WRITE("} bly_lanes_%s;\ntypedef bly_own_%u_%s bly_lane_%s;\n", l->name, l->number, l->name, l->name);
}

/* ---- The path ------------------------------------------------------------------------------------ */

struct lanes {
    const struct bly_derivative *d;
    struct bly_text *text;
    struct laned kept, bar, sums;
    bool back, origin;
    unsigned segments;
};

static void point(const struct lanes *w)
{
    struct bly_text *text = w->text;
    WRITE("    real point[BLY_DIMS];\n");
    for (unsigned d = 0; d < w->d->dims; d++)
        WRITE("    point[%u] = bly_row_at(t, mirrored, i, %u, v);\n", d, d);
}

static void step(const struct lanes *w)
{
    struct bly_text *text = w->text;
    WRITE("    BLY_FOR_PATHS\n    {\n");
    get(&w->kept, text, "s", "one");
    point(w);
    WRITE("    const bly_lane_kept after = bly_own_step_path(&one, p, i, time, point);\n");
    put(&w->kept, text, "s", "after");
    WRITE("    }\n");
}

static const char *share(const struct bly_derivative *d)
{
    return bly_derivative_has_jumps(d) ? ", share" : "";
}

static void forward(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const struct bly_derivative *d = w->d;
    WRITE("    BLY_FOR_PATHS\n    {\n    bly_lane_sums no = {0};\n    const bly_lane_kept one = %s;\n",
          d->has_start ? "bly_own_start_path(p)" : "{0}");
    put(&w->kept, text, "s", "one");
    put(&w->sums, text, "all", "no");
    WRITE("    (void)one, (void)no;\n    }\n    for (int i = 0; i < BLY_STEPS; i++) {\n"
          "    const real time = BLY_TIMES(t)[i];\n");
    const unsigned every = (unsigned)d->every, last = (w->segments - 1) * every;
    if (w->back) WRITE("    if (i %% %u == 0) first[i / %u] = s;\n", every, every);
    if (w->back) WRITE("    if (i >= %u) segment[i - %u] = s;\n", last, last);
    step(w);
    WRITE("    }\n    BLY_FOR_PATHS\n    {\n    real out[BLY_OUTPUTS];\n");
    get(&w->kept, text, "s", "one");
    get(&w->sums, text, "all", "sums");
    WRITE("    bly_own_finish_path(&one, p, out);\n");
    for (unsigned o = 0; o < d->outputs; o++)
        WRITE("    outputs[%u].value[v] = (bly_number)out[%u];\n", o, o);
    WRITE("    const bly_lane_kept_bar before = bly_own_finish_back(&one, p, &sums%s);\n    (void)before;\n",
          share(d));
    put(&w->bar, text, "bar", "before");
    put(&w->sums, text, "all", "sums");
    WRITE("    }\n");
}

static void backward(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const unsigned every = (unsigned)w->d->every;
    WRITE("    for (int j = %u; j >= 0; j--) {\n    const int end = %u * j + %u < BLY_STEPS ? %u : BLY_STEPS "
          "- %u * j;\n"
          "    s = first[j];\n    for (int k = 0; k < end && j < %u; k++) {\n    const int i = %u * j + k;\n"
          "    const real time = BLY_TIMES(t)[i];\n    segment[k] = s;\n    if (k == end - 1) break;\n",
          w->segments - 1, every, every, every, every, w->segments - 1, every);
    step(w);
    WRITE("    }\n    for (int k = end - 1; k >= 0; k--) {\n    const int i = %u * j + k;\n"
          "    const real time = BLY_TIMES(t)[i];\n    BLY_FOR_PATHS\n    {\n",
          every);
    get(&w->kept, text, "segment[k]", "one");
    get(&w->bar, text, "bar", "next");
    get(&w->sums, text, "all", "sums");
    point(w);
    WRITE(
        "    const bly_lane_kept_bar before = bly_own_step_back(&one, &next, p, &sums, i, time, point%s);\n",
        share(w->d));
    put(&w->bar, text, "bar", "before");
    if (w->d->by_time) WRITE("    bly_own_by_first(&sums);\n");
    put(&w->sums, text, "all", "sums");
    WRITE("    }\n");
    if (w->d->cross)
        WRITE("    for (int d = 0; d < BLY_DIMS; d++)\n    for (int e = 0; e < BLY_DIMS; e++) {\n%s    "
              "BLY_FOR_PATHS\n"
              "    matrix[d * BLY_DIMS + e][v] = bly_payoff_fma(all.own_point_bar[d][v], bly_row_at(t, "
              "mirrored, i, e, "
              "v)%s, matrix[d * BLY_DIMS + e][v]);\n    }\n",
              w->origin ? "    const real origin = bly_origin(t->constants, e);\n" : "",
              w->origin ? " - origin" : "");
    WRITE("    }\n    }\n");
    if (!w->d->has_start) return;
    WRITE("    BLY_FOR_PATHS\n    {\n");
    get(&w->bar, text, "bar", "next");
    get(&w->sums, text, "all", "sums");
    WRITE("    bly_own_start_back(&next, p, &sums);\n");
    put(&w->sums, text, "all", "sums");
    WRITE("    }\n");
}

static void results(const struct lanes *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    unsigned o = (unsigned)d->outputs;
    char member[200];
    WRITE("    BLY_FOR_PATHS\n    {\n");
    get(&w->sums, text, "all", "sums");
    for (uint32_t k = 0; k < d->params; k++) {
        if (!d->asked[k]) continue;
        bly_param_text(d, "sums.own_", k, member, sizeof member);
        WRITE("    outputs[%u].value[v] = (bly_number)%s;\n", o++, member);
    }
    if (d->cross)
        WRITE("    real m[BLY_DIMS * BLY_DIMS], c[BLY_DIMS * BLY_DIMS];\n"
              "    for (int k = 0; k < BLY_DIMS * BLY_DIMS; k++) m[k] = matrix[k][v];\n"
              "    bly_own_by_covariance(p, m, c);\n");
    for (unsigned i = 0; i < d->dims && d->cross; i++)
        for (unsigned j = 0; j <= i; j++)
            WRITE("    outputs[%u].value[v] = (bly_number)c[%u];\n", o++, i * (unsigned)d->dims + j);
    if (d->by_time) {
        WRITE("    const int i = 0;\n");
        point(w);
        WRITE("    outputs[%u].value[v] = (bly_number)bly_own_by_time(p, &sums, point);\n", o);
    }
    WRITE("    (void)sums;\n    }\n");
}

/* The part through jumps: the derivatives less those without jumps. */
static void without_jumps(const struct bly_derivative *d, struct bly_text *text)
{
    const unsigned count = (unsigned)bly_derivative_count(d), first = (unsigned)d->outputs;
    WRITE("BAILEY_FN void bly_gradient(bly_simulated *t, int scenario, int mirrored, bly_output "
          "outputs[BLY_OUTPUTS])\n{\n    bly_gradient_path(t, scenario, mirrored, 1, outputs);\n");
    if (d->parts)
        WRITE("    bly_output smooth[BLY_OUTPUTS];\n"
              "    bly_gradient_path(t, scenario, mirrored, 0, smooth);\n"
              "    for (int k = %u; k < %u; k++)\n    BLY_FOR_PATHS {\n"
              "    const real part = (real)outputs[k].value[v] - (real)smooth[k].value[v];\n"
              "    outputs[k + %u].value[v] = (bly_number)part;\n    }\n",
              first, first + count, count);
    WRITE("}\n");
}

void bly_derivative_lanes(const struct bly_derivative *d, struct bly_text *text)
{
    const bool jumps = bly_derivative_has_jumps(d), has_params = bly_derivative_has_params(d);
    const unsigned dims = (unsigned)d->dims;
    struct lanes w = {.d = d,
                      .text = text,
                      .kept = {"kept", has_params, d->unit->state, NULL, false, 0, 0},
                      .bar = {"kept_bar", has_params + 1u, d->unit->state, d->barred, true, 0, 0},
                      .sums = {"sums", has_params + 2u, d->unit->params, d->asked, true,
                               d->cross || d->by_time ? dims : 0, d->by_time ? dims : 0},
                      .segments = (unsigned)((d->unit->steps + d->every - 1) / d->every)};
    w.origin = d->cross && d->has_origin;
    w.back = bly_derivative_goes_back(d);
    record(&w.kept, text);
    record(&w.bar, text);
    record(&w.sums, text);
    WRITE("BAILEY_FN real bly_row_at(const bly_simulated *t, int mirrored, int i, int d, int v)\n{\n"
          "    const real value = t->from[((bailey_uint64)i * BLY_DIMS + (bailey_uint64)d) * t->row + "
          "(bailey_uint64)v];\n"
          "    return mirrored ? 2 * bly_origin(t->constants, d) - value : value;\n}\n"
          "BAILEY_FN void bly_gradient%s(bly_simulated *t, int scenario, int mirrored%s, bly_output "
          "outputs[BLY_OUTPUTS])\n{\n    const params *p = bly_set(t, scenario);\n"
          "    bly_lanes_kept s;\n    bly_lanes_kept_bar bar;\n    bly_lanes_sums all;\n",
          jumps ? "_path" : "", jumps ? ", real share" : "");
    if (d->cross)
        WRITE("    real matrix[BLY_DIMS * BLY_DIMS][BLY_WIDTH];\n    for (int k = 0; k < BLY_DIMS * "
              "BLY_DIMS; k++)\n"
              "    BLY_FOR_PATHS matrix[k][v] = 0;\n");
    if (w.back) WRITE("    bly_lanes_kept first[%u], segment[%u];\n", w.segments, (unsigned)d->every);
    forward(&w);
    if (w.back) backward(&w);
    results(&w);
    WRITE("    (void)s, (void)bar, (void)all;\n}\n");
    if (jumps) without_jumps(d, text);
}
