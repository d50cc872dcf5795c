/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of a derivative in forward mode: a `whole` that runs the path once for each derivative, with the
 * changes of its state. `seed` says what the parameters change by: 1 for one of them; so
 * there is one code for all of them.
 */
#include "writing.h"

#include <stdio.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

static unsigned seeds(const struct bly_derivative *d)
{
    unsigned count = 0;
    for (uint32_t k = 0; k < d->params; k++) count += d->asked[k] != 0;
    return count;
}

/* Parameters of functions behind their other ones, and values for them. */
static void more_parameters(const struct bly_derivative *d, char *text, size_t size, bool of_step)
{
    const bool jumps = bly_derivative_has_jumps(d), moves = of_step && (d->cross || d->by_time);
    snprintf(text, size, "const real seed[%u]%s%s", seeds(d) ? seeds(d) : 1, jumps ? ", real share" : "",
             moves ? ", const real x_change[DIMS], real t_change" : "");
}

static const char *more_given(const struct bly_derivative *d, bool of_step)
{
    const bool jumps = bly_derivative_has_jumps(d), moves = of_step && (d->cross || d->by_time);
    return jumps   ? moves ? "seed, share, x_change, t_change" : "seed, share"
           : moves ? "seed, x_change, t_change"
                   : "seed";
}

static void finish_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    const struct bly_reversed *r = &d->finish;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    char more[200];
    more_parameters(d, more, sizeof more, false);
    WRITE("\n/* The outputs, and behind them what is differentiated changes by. */\n"
          "void finish_path(%s, %s, real out[%u])\n{\n",
          d->unit->whole ? "const params *p, path x" : "const running *s, const params *p", more,
          (unsigned)d->outputs + 1);
    if (text->failed) return;
    for (uint32_t o = 0; o <= d->outputs; o++) bly_list_text_need(&list, r->results[o]);
    bly_list_text_lines(&list);
    for (uint32_t o = 0; o <= d->outputs; o++) {
        char target[32];
        snprintf(target, sizeof target, "out[%u]", (unsigned)o);
        bly_writing_set(&list, target, r->results[o]);
    }
    WRITE("}\n");
}

/* x = C W changes with the covariance S = C C' by M x, M = dC inverse(C), where dC is C times the lower
 * triangle of inverse(C) dS inverse(C') with half of the diagonal (Murray 2016). */
static void covariance_text(const struct bly_writing *w)
{
    struct bly_text *text = w->text;
    const char *c = w->names->factor, *b = w->names->inverse;
    WRITE("\n/* The matrix M, x changes by M x as entry `entry` of the covariance does, 00, 10, 11, 20 and "
          "so on: off\n"
          " * the diagonal both of a pair; 0 for others. */\n"
          "void by_covariance(const params *p, int entry, real m[DIMS * DIMS])\n{\n"
          "    real u[DIMS * DIMS], v[DIMS * DIMS];\n    int row = 0, column = 0, number = 0;\n"
          "    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j <= i; j++) {\n"
          "            if (number == entry) {\n                row = i;\n                column = j;\n       "
          "     }\n"
          "            number++;\n        }\n"
          "    for (int k = 0; k < DIMS * DIMS; k++) m[k] = 0;\n"
          "    if (entry < 0 || entry >= number) return;\n"
          "    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            const real one = p->%s[i * DIMS + row] * p->%s[j * DIMS + column];\n"
          "            const real other = p->%s[i * DIMS + column] * p->%s[j * DIMS + row];\n"
          "            const real both = row == column ? one : one + other;\n"
          "            u[i * DIMS + j] = j < i ? both : j == i ? 0.5 * both : 0;\n        }\n",
          b, b, b, b);
    WRITE("    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = j; k <= i; k++) sum = fma(p->%s[i * DIMS + k], u[k * DIMS + j], sum);\n"
          "            v[i * DIMS + j] = sum;\n        }\n",
          c);
    WRITE("    for (int i = 0; i < DIMS; i++)\n        for (int j = 0; j < DIMS; j++) {\n"
          "            real sum = 0;\n"
          "            for (int k = j; k <= i; k++) sum = fma(v[i * DIMS + k], p->%s[k * DIMS + j], sum);\n"
          "            m[i * DIMS + j] = sum;\n        }\n}\n",
          b);
}

/* The change of x in a step: with the covariance, and where paths begin later, when all times are nearer
 * and the first step of x has another length (derivative_text.c). */
static void point_text(const struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const char *origin = w->names->origin, *less = *origin ? " - p->" : "";
    if (d->cross) {
        WRITE("        for (int d = 0; d < DIMS; d++) {\n            real sum = 0;\n"
              "            for (int e = 0; e < DIMS; e++) sum = fma(matrix[d * DIMS + e], point[e]%s%s%s, "
              "sum);\n"
              "            x_change[d] = sum;\n        }\n",
              less, origin, *origin ? "[e]" : "");
    } else {
        WRITE("        for (int d = 0; d < DIMS; d++) x_change[d] = 0;\n");
    }
    if (d->by_time)
        WRITE("        for (int d = 0; d < DIMS%s; d++)\n"
              "            x_change[d] = fma(t_change, (at(x, 0, d)%s%s%s) * p->%s, x_change[d]);\n",
              d->has_origin ? "" : " && i == 0", less, origin, *origin ? "[d]" : "", w->names->stretch);
}

static void path_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const bool moves = d->cross || d->by_time;
    char more[200];
    more_parameters(d, more, sizeof more, false);
    WRITE("\nvoid run_path(const params *p, path x, %s%s%s, real out[%u])\n{\n", more,
          d->cross ? ", const real matrix[DIMS * DIMS]" : "", moves ? ", real t_change" : "",
          (unsigned)d->outputs + 1);
    if (d->unit->whole) {
        WRITE("    finish_path(p, x, %s, out);\n}\n", more_given(d, false));
        return;
    }
    WRITE("    real point[DIMS]%s;\n    running s = ", moves ? ", x_change[DIMS]" : "");
    if (d->has_start)
        WRITE("start_path(p, %s);\n", more_given(d, false));
    else
        WRITE("{0};\n");
    WRITE("    for (int i = 0; i < STEPS; i++) {\n"
          "        for (int d = 0; d < DIMS; d++) point[d] = at(x, i, d);\n");
    if (moves) point_text(w);
    WRITE("        s = step_path(&s, p, i, time(x, i), point, %s);\n    }\n    finish_path(&s, p, %s, "
          "out);\n}\n",
          more_given(d, true), more_given(d, false));
}

/* One run for each derivative, and with jumps and `parts` another one without these. */
static void whole_text(struct bly_writing *w)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    const unsigned outputs = (unsigned)d->outputs, count = (unsigned)bly_derivative_count(d), n = seeds(d);
    const bool jumps = bly_derivative_has_jumps(d), parts = jumps && d->parts;
    char given[100];
    snprintf(given, sizeof given, "%s%s", d->cross ? ", matrix" : "",
             d->by_time ? ", t_change"
             : d->cross ? ", 0"
                        : "");
    WRITE("\nvoid whole(const params *p, path x, real out[%u])\n{\n    real one[%u], seed[%u] = {0};\n",
          (unsigned)bly_derivative_outputs(d), outputs + 1, n ? n : 1);
    if (d->cross) WRITE("    real matrix[DIMS * DIMS];\n");
    WRITE("    for (int k = 0; k < %u; k++) {\n", count ? count : 1);
    if (n) WRITE("        for (int j = 0; j < %u; j++) seed[j] = j == k ? 1 : 0;\n", n);
    if (d->cross) WRITE("        by_covariance(p, k - %u, matrix);\n", n);
    if (d->by_time) WRITE("        const real t_change = k == %u ? -1 : 0;\n", count - 1);
    WRITE("        run_path(p, x, seed%s%s, one);\n", jumps ? ", 1" : "", given);
    WRITE("        for (int j = 0; j < %u; j++) out[j] = one[j];\n", outputs);
    if (count) WRITE("        out[%u + k] = one[%u];\n", outputs, outputs);
    if (parts)
        WRITE("        run_path(p, x, seed, 0%s, one);\n        out[%u + k] = out[%u + k] - one[%u];\n",
              given, outputs + count, outputs, outputs);
    WRITE("    }\n}\n");
}

void bly_derivative_forward(const struct bly_derivative *d, struct bly_text *text,
                            struct bly_derivative_names *names)
{
    struct bly_writing w = {.d = d, .text = text, .names = names};
    char signature[400], more[200];
    bly_writing_names(&w);
    bly_writing_head(&w, "in forward mode (\"_change\"), one after the other");
    if (bly_derivative_has_params(d)) bly_writing_params(&w);
    if (!d->unit->whole) {
        WRITE("/* The state of a path, and what it changes by. */\ntypedef struct {\n");
        bly_writing_fields(text, d->unit->state);
        if (!d->states) WRITE("    int nothing;\n");
        WRITE("} running;\n");
        more_parameters(d, more, sizeof more, false);
        snprintf(signature, sizeof signature, "start_path(const params *p, %s)", more);
        if (d->has_start) bly_writing_forward(&w, &d->start, false, signature, false);
        more_parameters(d, more, sizeof more, true);
        snprintf(signature, sizeof signature,
                 "step_path(const running *s, const params *p, int i, real t, const real x[DIMS],\n"
                 "                  %s)",
                 more);
        bly_writing_forward(&w, &d->step, false, signature, false);
    }
    finish_text(&w);
    if (d->cross) covariance_text(&w);
    path_text(&w);
    whole_text(&w);
    bly_arena_free(&w.arena);
}
