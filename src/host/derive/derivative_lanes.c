/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `whole` of a derivative's code does, for the paths of an item side by side: C, for programs of
 * processors, which make vector instructions of it, and of GPUs, whose items have one path, a segment of its
 * steps at a time (kernels/simulation_segment.h). Each path has the bits that `whole` gives it. The
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
    unsigned fixed;       /* of fixed_bar */
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
    move_bars(text, put, "fixed_bar", l->fixed, all, one);
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
    if (l->fixed) WRITE("    real own_fixed_bar[%u][BLY_WIDTH];\n", l->fixed);
    if (l->firsts) WRITE("    real own_first_bar[%u][BLY_WIDTH], own_time_bar[BLY_WIDTH];\n", l->firsts);
    WRITE("} bly_lanes_%s;\ntypedef bly_own_%u_%s bly_lane_%s;\n", l->name, l->number, l->name, l->name);
}

/* ---- The path ------------------------------------------------------------------------------------ */

#define MATRIX_STEPS 16u /* whose bars of x wait to be multiplied by x */
#define TILE 4u          /* rows and columns of the matrix whose sums are in registers */

struct lanes {
    const struct bly_derivative *d;
    struct bly_text *text;
    struct laned running, kept, bar, sums;
    const struct bly_derivative_names *names;
    bool back, keeps, origin;
    bool segments; /* of paths, in programs of GPUs */
};

/* Loops over steps, where a compiler of GPUs would unroll them. */
static const char *rolled(const struct lanes *w) { return w->segments ? "    BAILEY_UNROLL_1\n" : ""; }

/* Before points of step i are read. Going back, a segment is there if its states have just been computed. */
static const char *need(const struct lanes *w, bool back)
{
    const struct bly_derivative *d = w->d;
    const bool is_there =
        d->segment >= d->unit->steps || (w->keeps && d->levels == 2 && d->span[0] == d->segment);
    return w->segments && !(back && is_there) ? "    bly_segment_need(t, i);\n" : "";
}

static void point(const struct lanes *w)
{
    struct bly_text *text = w->text;
    WRITE("    real point[BLY_DIMS];\n");
    for (unsigned d = 0; d < w->d->dims; d++)
        WRITE("    point[%u] = bly_row_at(t, mirrored, i, %u, v);\n", d, d);
}

/* Lanes of one record to those of another, of the numbers that are kept. */
static void copy_kept(const struct lanes *w, const char *to, const char *from)
{
    struct bly_text *text = w->text;
    WRITE("    BLY_FOR_PATHS\n    {\n");
    get(&w->kept, text, from, "one");
    put(&w->kept, text, to, "one");
    WRITE("    }\n");
}

static void step(const struct lanes *w, bool again)
{
    struct bly_text *text = w->text;
    const struct laned *l = again ? &w->kept : &w->running;
    WRITE("%s    BLY_FOR_PATHS\n    {\n", need(w, again));
    get(l, text, again ? "again" : "s", "one");
    point(w);
    WRITE("    const bly_lane_%s after = bly_own_%s_path(&one, p, i, time, point);\n", l->name,
          again ? "again" : "step");
    put(l, text, again ? "again" : "s", "after");
    WRITE("    }\n");
}

/* Keeps states of level 0, and of the last span of level 1. */
static void forward_steps(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const struct bly_derivative *d = w->d;
    const unsigned span = (unsigned)d->span[0], last = (unsigned)(d->count[0] - 1) * span;
    WRITE("%s    for (int i = 0; i < BLY_STEPS; i++) {\n    const real time = BLY_TIMES(t)[i];\n", rolled(w));
    if (w->keeps) {
        if (span > 1) WRITE("    if (i %% %u == 0)\n", span);
        WRITE("    {\n    bly_lanes_kept *to = &level_0[i / %u];\n", span);
        copy_kept(w, "(*to)", "s");
        WRITE("    }\n");
    }
    if (w->keeps && d->levels == 2) {
        WRITE("    if (i >= %u) {\n    bly_lanes_kept *to = &level_1[i - %u];\n", last, last);
        copy_kept(w, "(*to)", "s");
        WRITE("    }\n");
    }
    step(w, false);
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
    WRITE("    BLY_FOR_PATHS\n    {\n    bly_lane_sums no = {0};\n    const bly_lane_running one = %s;\n",
          d->has_start ? "bly_own_start_path(p)" : "{0}");
    put(&w->running, text, "s", "one");
    put(&w->sums, text, "all", "no");
    WRITE("    (void)one, (void)no;\n    }\n");
    forward_steps(w);
    WRITE("    BLY_FOR_PATHS\n    {\n    real out[BLY_OUTPUTS];\n");
    get(&w->running, text, "s", "one");
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

/* Rows and columns of the matrix: sums in registers over the steps whose bars have waited, from the last to
 * the first. Where there are fewer, at the end of the path, the others are 0. With another number of trips
 * gcc does not make vectors of the paths. */
static void tile(const struct lanes *w, unsigned row, unsigned column)
{
    struct bly_text *text = w->text;
    const unsigned dims = (unsigned)w->d->dims, rows = dims - row < TILE ? dims - row : TILE,
                   columns = dims - column < TILE ? dims - column : TILE;
    WRITE("    BLY_FOR_PATHS\n    {\n");
    for (unsigned a = 0; a < rows; a++)
        for (unsigned b = 0; b < columns; b++)
            WRITE("    real m%u_%u = matrix[%u][v];\n", a, b, (row + a) * dims + column + b);
    WRITE("    for (int q = %u; q >= 0; q--) {\n", MATRIX_STEPS - 1);
    for (unsigned b = 0; b < columns; b++) WRITE("    const real x%u = moved[q][%u][v];\n", b, column + b);
    for (unsigned a = 0; a < rows; a++) {
        WRITE("    const real b%u = point_bars[q][%u][v];\n", a, row + a);
        for (unsigned b = 0; b < columns; b++)
            WRITE("    m%u_%u = bly_payoff_fma(b%u, x%u, m%u_%u);\n", a, b, a, b, a, b);
    }
    WRITE("    }\n");
    for (unsigned a = 0; a < rows; a++)
        for (unsigned b = 0; b < columns; b++)
            WRITE("    matrix[%u][v] = m%u_%u;\n", (row + a) * dims + column + b, a, b);
    WRITE("    }\n");
}

/* A point's element, less its origin. */
static void moved(const struct lanes *w, const char *to, unsigned k)
{
    struct bly_text *text = w->text;
    WRITE("    %s = point[%u]", to, k);
    if (w->origin) WRITE(" - bly_origin(t->constants, %u)", k);
    WRITE(";\n");
}

/* On GPUs a step adds to all sums of the matrix, which have a name each and are in registers. */
static void matrix_step(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const unsigned dims = (unsigned)w->d->dims;
    char to[40];
    for (unsigned b = 0; b < dims; b++) {
        snprintf(to, sizeof to, "const real moved_%u", b);
        moved(w, to, b);
    }
    for (unsigned a = 0; a < dims; a++)
        for (unsigned b = 0; b < dims; b++)
            WRITE("    m%u_%u = bly_payoff_fma(sums.own_point_bar[%u], moved_%u, m%u_%u);\n", a, b, a, b, a,
                  b);
}

/* On processors bars and points wait, until a tile of sums at a time is in registers. */
static void matrix_wait(const struct lanes *w)
{
    struct bly_text *text = w->text;
    char to[40];
    for (unsigned k = 0; k < (unsigned)w->d->dims; k++) {
        WRITE("    point_bars[i %% %u][%u][v] = sums.own_point_bar[%u];\n", MATRIX_STEPS, k, k);
        snprintf(to, sizeof to, "moved[i %% %u][%u][v]", MATRIX_STEPS, k);
        moved(w, to, k);
    }
}

static void back_step(const struct lanes *w, const char *state)
{
    struct bly_text *text = w->text;
    const unsigned dims = (unsigned)w->d->dims;
    WRITE("%s    const real time = BLY_TIMES(t)[i];\n    BLY_FOR_PATHS\n    {\n", need(w, true));
    if (w->keeps) get(&w->kept, text, state, "one");
    get(&w->bar, text, "bar", "next");
    get(&w->sums, text, "all", "sums");
    point(w);
    WRITE("    const bly_lane_kept_bar before = bly_own_step_back(%s&next, p, &sums, i, time, point%s);\n",
          w->keeps ? "&one, " : "", share(w->d));
    put(&w->bar, text, "bar", "before");
    if (w->d->by_time) WRITE("    bly_own_by_first(&sums);\n");
    put(&w->sums, text, "all", "sums");
    if (w->d->cross && w->segments) matrix_step(w);
    if (w->d->cross && !w->segments) matrix_wait(w);
    WRITE("    }\n");
    if (!w->d->cross || w->segments) return;
    WRITE("    if (i %% %u == 0) {\n", MATRIX_STEPS);
    for (unsigned row = 0; row < dims; row += TILE)
        for (unsigned column = 0; column < dims; column += TILE) tile(w, row, column);
    WRITE("    }\n");
}

/* Fills level l of the span that level l - 1 is at. */
static void again(const struct lanes *w, unsigned l)
{
    struct bly_text *text = w->text;
    const struct bly_derivative *d = w->d;
    const unsigned span = (unsigned)d->span[l], above = (unsigned)d->span[l - 1];
    WRITE("    const int at_%u = %u * j_%u%s", l, above, l - 1, l > 1 ? "" : ";\n");
    if (l > 1) WRITE(" + at_%u;\n", l - 1);
    WRITE("    const int end_%u = BLY_STEPS - at_%u < %u ? BLY_STEPS - at_%u : %u;\n", l, l, above, l, above);
    if (d->levels == 2) WRITE("    if (j_0 < %u)\n", (unsigned)d->count[0] - 1);
    WRITE("    {\n");
    WRITE("    const bly_lanes_kept *from = &level_%u[j_%u];\n", l - 1, l - 1);
    copy_kept(w, "again", "(*from)");
    if (w->segments && !*need(w, true)) WRITE("    bly_segment_need(t, at_%u);\n", l);
    WRITE("%s    for (int k = 0; k < end_%u; k++) {\n    const int i = at_%u + k;\n"
          "    const real time = BLY_TIMES(t)[i];\n",
          rolled(w), l, l);
    if (span > 1) WRITE("    if (k %% %u == 0)\n", span);
    WRITE("    {\n    bly_lanes_kept *to = &level_%u[k / %u];\n", l, span);
    copy_kept(w, "(*to)", "again");
    WRITE("    }\n    if (k >= (end_%u - 1) / %u * %u) break;\n", l, span, span);
    step(w, true);
    WRITE("    }\n    }\n");
}

static void backward_levels(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const struct bly_derivative *d = w->d;
    const unsigned last = (unsigned)d->levels - 1;
    char state[40];
    snprintf(state, sizeof state, "level_%u[j_%u]", last, last);
    for (unsigned l = 0; l <= last; l++) {
        if (l) again(w, l);
        if (l)
            WRITE("%s    for (int j_%u = (end_%u - 1) / %u; j_%u >= 0; j_%u--) {\n", rolled(w), l, l,
                  (unsigned)d->span[l], l, l);
        else
            WRITE("%s    for (int j_0 = %u; j_0 >= 0; j_0--) {\n", rolled(w), (unsigned)d->count[0] - 1);
    }
    if (last)
        WRITE("    const int i = at_%u + j_%u;\n", last, last);
    else
        WRITE("    const int i = j_0;\n");
    back_step(w, state);
    for (unsigned l = 0; l <= last; l++) WRITE("    }\n");
}

static void backward(const struct lanes *w)
{
    struct bly_text *text = w->text;
    if (w->keeps) {
        backward_levels(w);
    } else {
        WRITE("%s    for (int i = BLY_STEPS - 1; i >= 0; i--) {\n", rolled(w));
        back_step(w, "");
        WRITE("    }\n");
    }
    if (!w->d->has_start && !w->d->has_fixed) return;
    WRITE("    BLY_FOR_PATHS\n    {\n");
    get(&w->bar, text, "bar", "next");
    get(&w->sums, text, "all", "sums");
    if (w->d->has_start) WRITE("    bly_own_start_back(&next, p, &sums);\n");
    if (w->d->has_fixed) WRITE("    bly_own_fixed_back(p, &sums);\n");
    put(&w->sums, text, "all", "sums");
    WRITE("    (void)next;\n    }\n");
}

/* A sum of products for each entry (i, j), over k from `first` to `last`, both in C: by_covariance of the
 * code, side by side. */
static void products(const struct lanes *w, const char *to, const char *first, const char *last,
                     const char *factor, const char *of)
{
    struct bly_text *text = w->text;
    WRITE("    for (int i = 0; i < BLY_DIMS; i++)\n    for (int j = 0; j < BLY_DIMS; j++) {\n"
          "    real sum[BLY_WIDTH];\n    BLY_FOR_PATHS sum[v] = 0;\n"
          "    for (int k = %s; k <= %s; k++) {\n    const real by = p->own_%s;\n"
          "    BLY_FOR_PATHS sum[v] = bly_payoff_fma(by, %s[v], sum[v]);\n    }\n"
          "    BLY_FOR_PATHS %s[i * BLY_DIMS + j][v] = sum[v];\n    }\n",
          first, last, factor, of, to);
}

static void covariance(const struct lanes *w)
{
    struct bly_text *text = w->text;
    char factor[120], below[120], left[120], right[120];
    snprintf(factor, sizeof factor, "%s[k * BLY_DIMS + i]", w->names->factor);
    snprintf(below, sizeof below, "%s[j * BLY_DIMS + k]", w->names->inverse);
    snprintf(right, sizeof right, "%s[k * BLY_DIMS + j]", w->names->inverse);
    snprintf(left, sizeof left, "%s[k * BLY_DIMS + i]", w->names->inverse);
    const unsigned dims = (unsigned)w->d->dims;
    if (w->segments) WRITE("    real matrix[BLY_DIMS * BLY_DIMS][1];\n");
    for (unsigned k = 0; k < dims * dims && w->segments; k++)
        WRITE("    matrix[%u][0] = m%u_%u;\n", k, k / dims, k % dims);
    WRITE("    real other[BLY_DIMS * BLY_DIMS][BLY_WIDTH];\n");
    products(w, "other", "i", "BLY_DIMS - 1", factor, "matrix[k * BLY_DIMS + j]");
    products(w, "matrix", "0", "j", below, "other[i * BLY_DIMS + k]");
    WRITE("    for (int i = 0; i < BLY_DIMS; i++)\n    for (int j = i; j < BLY_DIMS; j++)\n"
          "    BLY_FOR_PATHS matrix[i * BLY_DIMS + j][v] = i == j ? %s * matrix[i * BLY_DIMS + j][v] : 0;\n",
          "(real)0.5");
    products(w, "other", "j", "i", right, "matrix[i * BLY_DIMS + k]");
    products(w, "matrix", "i", "BLY_DIMS - 1", left, "other[k * BLY_DIMS + j]");
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
    if (d->by_time) {
        WRITE("    const int i = 0;\n%s", need(w, true));
        point(w);
        WRITE("    outputs[%u].value[v] = (bly_number)bly_own_by_time(p, &sums, point);\n",
              (unsigned)(d->outputs + bly_derivative_count(d)) - 1);
    }
    WRITE("    (void)sums;\n    }\n");
    if (!d->cross) return;
    covariance(w);
    for (unsigned i = 0; i < d->unit->dims; i++)
        for (unsigned j = 0; j <= i; j++) {
            const unsigned at = i * (unsigned)d->dims + j, mirrored = j * (unsigned)d->dims + i;
            WRITE("    BLY_FOR_PATHS outputs[%u].value[v] = (bly_number)", o++);
            if (at == mirrored)
                WRITE("matrix[%u][v];\n", at);
            else
                WRITE("(matrix[%u][v] + matrix[%u][v]);\n", at, mirrored);
        }
}

static void begin(const struct lanes *w)
{
    struct bly_text *text = w->text;
    const struct bly_derivative *d = w->d;
    WRITE("BAILEY_FN real bly_row_at(const bly_simulated *t, int mirrored, int i, int d, int v)\n{\n"
          "#if BLY_SEGMENT\n    (void)v;\n    return bly_segment_at(t, mirrored, i, d);\n#else\n"
          "#if BLY_FOLLOWS\n    const real value = t->path[i * BLY_DIMS + d][v];\n#else\n"
          "    const real value = t->from[((bailey_uint64)i * BLY_DIMS + (bailey_uint64)d) * t->row + "
          "(bailey_uint64)v];\n#endif\n"
          "    return mirrored ? 2 * bly_origin(t->constants, d) - value : value;\n#endif\n}\n"
          "BAILEY_FN void bly_gradient%s(bly_simulated *t, int scenario, int mirrored%s, bly_output "
          "outputs[BLY_OUTPUTS])\n{\n    const params *p = bly_set(t, scenario);\n"
          "    bly_lanes_running s;\n    bly_lanes_kept_bar bar;\n    bly_lanes_sums all;\n",
          bly_derivative_has_jumps(d) ? "_path" : "", bly_derivative_has_jumps(d) ? ", real share" : "");
    if (d->cross && w->segments) {
        for (unsigned k = 0; k < d->dims * d->dims; k++)
            WRITE("    real m%u_%u = 0;\n", k / (unsigned)d->dims, k % (unsigned)d->dims);
    }
    if (d->cross && !w->segments)
        WRITE("    real matrix[BLY_DIMS * BLY_DIMS][BLY_WIDTH];\n"
              "    real point_bars[%u][BLY_DIMS][BLY_WIDTH], moved[%u][BLY_DIMS][BLY_WIDTH]; /* x less its "
              "origin */\n"
              "    for (int k = 0; k < BLY_DIMS * BLY_DIMS; k++)\n    BLY_FOR_PATHS matrix[k][v] = 0;\n"
              "    for (int q = 0; q < %u; q++)\n    for (int k = 0; k < BLY_DIMS; k++)\n"
              "    BLY_FOR_PATHS point_bars[q][k][v] = moved[q][k][v] = 0;\n",
              MATRIX_STEPS, MATRIX_STEPS, MATRIX_STEPS);
    for (unsigned l = 0; l < d->levels && w->keeps; l++)
        WRITE("    bly_lanes_kept level_%u[%u];\n", l, (unsigned)d->count[l]);
    if (w->keeps && d->levels > 1) WRITE("    bly_lanes_kept again;\n");
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

void bly_derivative_lanes(const struct bly_derivative *d, struct bly_text *text,
                          const struct bly_derivative_names *names)
{
    struct lanes w = {.d = d, .text = text, .names = names, .origin = d->cross && d->has_origin};
    w.back = bly_derivative_goes_back(d);
    w.segments = d->segment != 0;
    for (uint32_t k = 0; k < d->states && w.back; k++) w.keeps |= d->needed[k] != 0;
    unsigned number = bly_derivative_has_params(d); /* of the code's records */
    const unsigned dims = (unsigned)d->dims;
    const struct bly_record *state = d->unit->state;
    w.running = (struct laned){.name = "running", .number = number++, .of = state};
    if (w.keeps) w.kept = (struct laned){.name = "kept", .number = number++, .of = state, .cells = d->needed};
    w.bar =
        (struct laned){.name = "kept_bar", .number = number++, .of = state, .cells = d->barred, .bars = true};
    w.sums = (struct laned){.name = "sums",
                            .number = number,
                            .of = d->unit->params,
                            .cells = d->asked,
                            .bars = true,
                            .points = d->cross || d->by_time ? dims : 0,
                            .firsts = d->by_time ? dims : 0,
                            .fixed = d->has_fixed ? (unsigned)d->step.fixed_count : 0};
    record(&w.running, text);
    if (w.keeps) record(&w.kept, text);
    record(&w.bar, text);
    record(&w.sums, text);
    begin(&w);
    forward(&w);
    if (w.back) backward(&w);
    results(&w);
    WRITE("    (void)s, (void)bar, (void)all;\n}\n");
    if (bly_derivative_has_jumps(d)) without_jumps(d, text);
}
