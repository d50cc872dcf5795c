/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `whole` of a derivative's code does, for the paths of an item side by side: C, for programs of processors,
 * which make vector instructions of it. Each path has the bits that `whole` gives it. The functions and records of
 * the code are called as host/payoff/print_names.c has them.
 */
#include "derivative.h"

#include <host/payoff/machine.h>

#include <stdio.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

/* A record of the code, and which of its fields there are. */
struct laned {
    const char *name;           /* "kept" */
    unsigned number;            /* of the code's records */
    const struct bly_record *of;
    const uint8_t *cells;       /* NULL: all */
    bool bars;                  /* its numbers are reals */
    unsigned matrix;            /* numbers of matrix_of_x */
};

static const char *type_word(const struct laned *l, const struct bly_type *type)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    if (l->bars || type->kind == BLY_TYPE_REAL) return "real";
    return type->kind == BLY_TYPE_UINT32  ? "uint32"
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

static void moves(const struct laned *l, struct bly_text *text, bool put)
{
    for (const struct bly_field_node *f = l->of ? l->of->fields : NULL; f; f = f->next) {
        for (uint32_t k = 0; k < bly_cells(f->type) && has(l, f); k++) {
            char at[16] = "";
            if (f->type->kind == BLY_TYPE_ARRAY) snprintf(at, sizeof at, "[%u]", (unsigned)k);
            if (put)
                WRITE("    all->own_%s%s[v] = one.own_%s%s;\n", f->name, at, f->name, at);
            else
                WRITE("    one.own_%s%s = all->own_%s%s[v];\n", f->name, at, f->name, at);
        }
    }
    for (unsigned k = 0; k < l->matrix; k++) {
        if (put)
            WRITE("    all->own_matrix_of_x[%u][v] = one.own_matrix_of_x[%u];\n", k, k);
        else
            WRITE("    one.own_matrix_of_x[%u] = all->own_matrix_of_x[%u][v];\n", k, k);
    }
}

/* The record of all lanes, and a lane of it. */
static void record(const struct laned *l, struct bly_text *text)
{
    WRITE("typedef struct bly_lanes_%s {\n    int32 nothing;\n", l->name);
    for (const struct bly_field_node *f = l->of ? l->of->fields : NULL; f; f = f->next) {
        if (!has(l, f)) continue;
        WRITE("    %s own_%s", type_word(l, f->type), f->name);
        if (f->type->kind == BLY_TYPE_ARRAY) WRITE("[%u]", (unsigned)f->type->count);
        WRITE("[BLY_WIDTH];\n");
    }
    if (l->matrix) WRITE("    real own_matrix_of_x[%u][BLY_WIDTH];\n", l->matrix);
    WRITE("} bly_lanes_%s;\ntypedef bly_own_%u_%s bly_lane_%s;\n", l->name, l->number, l->name, l->name);
    WRITE("BAILEY_FN bly_lane_%s bly_get_%s(const bly_lanes_%s *all, int v)\n{\n    bly_lane_%s one;\n", l->name,
          l->name, l->name, l->name);
    moves(l, text, false);
    WRITE("    (void)all, (void)v;\n    return one;\n}\n");
    WRITE("BAILEY_FN void bly_put_%s(bly_lanes_%s *all, int v, bly_lane_%s one)\n{\n", l->name, l->name, l->name);
    moves(l, text, true);
    WRITE("    (void)all, (void)v, (void)one;\n}\n");
}

#define STEP                                                                                                 \
    "        BLY_FOR_PATHS\n        {\n"                                                                     \
    "            const bly_lane_kept one = bly_get_kept(&s, v);\n            real point[BLY_DIMS];\n"         \
    "            BLY_FOR_DIMS point[d] = bly_row_at(t, mirrored, i, d, v);\n"                                 \
    "            bly_put_kept(&s, v, bly_own_step_path(&one, p, i, time, point));\n        }\n"

static void forward(const struct bly_derivative *d, struct bly_text *text, bool back)
{
    WRITE("    BLY_FOR_PATHS\n    {\n");
    if (d->has_start)
        WRITE("        bly_put_kept(&s, v, bly_own_start_path(p));\n");
    else
        WRITE("        bly_lane_kept none = {0};\n        bly_put_kept(&s, v, none);\n");
    WRITE("        bly_lane_sums no = {0};\n        bly_put_sums(&all, v, no);\n    }\n"
          "    for (int i = 0; i < BLY_STEPS; i++) {\n        const real time = BLY_TIMES(t)[i];\n");
    if (back) WRITE("        if (i %% %u == 0) first[i / %u] = s;\n", (unsigned)d->every, (unsigned)d->every);
    WRITE(STEP "    }\n");
    WRITE("    BLY_FOR_PATHS\n    {\n        const bly_lane_kept one = bly_get_kept(&s, v);\n"
          "        bly_lane_sums sums = bly_get_sums(&all, v);\n        real out[BLY_OUTPUTS];\n"
          "        bly_own_finish_path(&one, p, out);\n");
    for (unsigned o = 0; o < d->outputs; o++) WRITE("        outputs[%u].value[v] = (bly_number)out[%u];\n", o, o);
    WRITE("        bly_put_kept_bar(&bar, v, bly_own_finish_back(&one, p, &sums));\n"
          "        bly_put_sums(&all, v, sums);\n    }\n");
}

static void backward(const struct bly_derivative *d, struct bly_text *text, unsigned segments)
{
    const unsigned every = (unsigned)d->every;
    WRITE("    for (int j = %u; j >= 0; j--) {\n        const int end = %u * j + %u < BLY_STEPS ? %u : BLY_STEPS - %u * "
          "j;\n        s = first[j];\n        for (int k = 0; k < end; k++) {\n"
          "            const int i = %u * j + k;\n            const real time = BLY_TIMES(t)[i];\n"
          "            segment[k] = s;\n            if (k == end - 1) break;\n" STEP "        }\n",
          segments - 1, every, every, every, every, every);
    WRITE("        for (int k = end - 1; k >= 0; k--) {\n            const int i = %u * j + k;\n"
          "            const real time = BLY_TIMES(t)[i];\n            BLY_FOR_PATHS\n            {\n"
          "                const bly_lane_kept one = bly_get_kept(&segment[k], v);\n"
          "                const bly_lane_kept_bar next = bly_get_kept_bar(&bar, v);\n"
          "                bly_lane_sums sums = bly_get_sums(&all, v);\n                real point[BLY_DIMS];\n"
          "                BLY_FOR_DIMS point[d] = bly_row_at(t, mirrored, i, d, v);\n"
          "                bly_put_kept_bar(&bar, v, bly_own_step_back(&one, &next, p, &sums, i, time, point));\n"
          "                bly_put_sums(&all, v, sums);\n            }\n        }\n    }\n",
          every);
    if (d->has_start)
        WRITE("    BLY_FOR_PATHS\n    {\n        const bly_lane_kept_bar next = bly_get_kept_bar(&bar, v);\n"
              "        bly_lane_sums sums = bly_get_sums(&all, v);\n        bly_own_start_back(&next, p, &sums);\n"
              "        bly_put_sums(&all, v, sums);\n    }\n");
}

static void results(const struct bly_derivative *d, struct bly_text *text)
{
    unsigned o = (unsigned)d->outputs;
    char member[200];
    WRITE("    BLY_FOR_PATHS\n    {\n        const bly_lane_sums sums = bly_get_sums(&all, v);\n");
    for (uint32_t k = 0; k < d->params; k++) {
        if (!d->asked[k]) continue;
        bly_param_text(d, "sums.own_", k, member, sizeof member);
        WRITE("        outputs[%u].value[v] = (bly_number)%s;\n", o++, member);
    }
    if (d->cross) WRITE("        real c[BLY_DIMS * BLY_DIMS];\n        bly_own_by_covariance(p, sums.own_matrix_of_x, c);\n");
    for (unsigned i = 0; i < d->dims && d->cross; i++)
        for (unsigned j = 0; j <= i; j++)
            WRITE("        outputs[%u].value[v] = (bly_number)c[%u];\n", o++, i * (unsigned)d->dims + j);
    WRITE("        (void)sums;\n    }\n");
}

void bly_derivative_lanes(const struct bly_derivative *d, struct bly_text *text)
{
    const bool has_params = d->unit->params || d->jump_count || d->cross;
    bool back = false;
    for (uint32_t k = 0; k < d->states; k++) back |= d->barred[k] != 0;
    const unsigned segments = (unsigned)((d->unit->steps + d->every - 1) / d->every);
    const struct laned all[] = {
        {"kept", has_params, d->unit->state, NULL, false, 0},
        {"kept_bar", has_params + 1u, d->unit->state, d->barred, true, 0},
        {"sums", has_params + 2u, d->unit->params, d->asked, true, d->cross ? (unsigned)(d->dims * d->dims) : 0}};
    for (int k = 0; k < 3; k++) record(&all[k], text);
    WRITE("BAILEY_FN real bly_row_at(const bly_simulated *t, int mirrored, int i, int d, int v)\n{\n"
          "    const real value = t->from[((bailey_uint64)i * BLY_DIMS + (bailey_uint64)d) * t->row + (bailey_uint64)v];\n"
          "    return mirrored ? 2 * bly_origin(t->constants, d) - value : value;\n}\n"
          "BAILEY_FN void bly_gradient(bly_simulated *t, int scenario, int mirrored, bly_output "
          "outputs[BLY_OUTPUTS])\n{\n    const params *p = bly_set(t, scenario);\n"
          "    bly_lanes_kept s;\n    bly_lanes_kept_bar bar;\n    bly_lanes_sums all;\n");
    if (back) WRITE("    bly_lanes_kept first[%u], segment[%u];\n", segments, (unsigned)d->every);
    forward(d, text, back);
    if (back) backward(d, text, segments);
    results(d, text);
    WRITE("}\n");
}
