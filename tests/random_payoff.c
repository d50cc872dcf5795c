/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The generator: declarations and statements. Expressions are in random_expression.c.
 */
#include "random_payoff.h"

#include "random_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Declarations of a program ------------------------------------------------------------------- */

static void declare_macros(struct writer *w)
{
    write_line(w, "#define K%u_SIZE %u", w->program, (unsigned)(2 + draw(w, 4)));
    write_line(w, "#define K%u_MIX(a, b) ((a) * %u + (b))", w->program, (unsigned)(1 + draw(w, 9)));
    write_line(w, "#if K%u_SIZE > 3 && !defined(K%u_SIZE_)", w->program, w->program);
    write_line(w, "#define K%u_STEP 2", w->program);
    write_line(w, "#else");
    write_line(w, "#define K%u_STEP 1", w->program);
    write_line(w, "#endif");
    write_line(w, "enum { K%u_LOW = 3, K%u_NEXT, K%u_HIGH = %u };", w->program, w->program, w->program,
               (unsigned)(7 + draw(w, 90)));
}

static void declare_tables(struct writer *w)
{
    const char *a = real_literal(w), *b = real_literal(w), *type = type_names[1 + draw(w, INTEGER_TYPES)];
    write_line(w, "static const real k%u_weights[4] = {%s, %s, 0.75, 40};", w->program, a, b);
    a = integer_literal(w), b = integer_literal(w);
    write_line(w, "static const %s k%u_codes[3] = {%s, %s};", type, w->program, a, b);
    add_variable(w, REAL, 4, 0, "k%u_weights", w->program);
    write_line(w, "static const int k%u_limit = %u;", w->program, (unsigned)(1 + draw(w, 6)));
    add_variable(w, INT, 0, 0, "k%u_limit", w->program);
}

static void declare_record(struct writer *w)
{
    write_line(w, "typedef struct { real a; int n; uint32 h[3]; } k%u_pair;", w->program);
    write_line(w, "typedef struct { k%u_pair one, many[2]; real b; } k%u_record;", w->program, w->program);
}

static void declare_fields(struct writer *w)
{
    const uint32_t k = w->program;
    append(&w->params, "    real k%u_p;\n    int k%u_n;\n    real k%u_v[2];\n", k, k, k);
    append(&w->state, "    real k%u_r, k%u_q;\n    real k%u_h[4];\n", k, k, k);
    append(&w->state, "    int k%u_i;\n    uint32 k%u_u;\n    int64 k%u_l;\n    uint64 k%u_w;\n", k, k, k, k);
    append(&w->state, "    int k%u_c[STEPS];\n", k);
}

/* What functions that get `p` may read. */
static void add_params(struct writer *w)
{
    const uint32_t k = w->program;
    w->has_params = 1;
    add_variable(w, REAL, 0, 0, "p->k%u_p", k);
    add_variable(w, INT, 0, 0, "p->k%u_n", k);
    add_variable(w, REAL, 2, 0, "p->k%u_v", k);
}

static void add_state(struct writer *w, int writable)
{
    const uint32_t k = w->program;
    add_variable(w, REAL, 0, writable, "s->k%u_r", k);
    add_variable(w, REAL, 0, writable, "s->k%u_q", k);
    add_variable(w, REAL, 4, writable, "s->k%u_h", k);
    add_variable(w, INT, 0, writable, "s->k%u_i", k);
    add_variable(w, UINT32, 0, writable, "s->k%u_u", k);
    add_variable(w, INT64, 0, writable, "s->k%u_l", k);
    add_variable(w, UINT64, 0, writable, "s->k%u_w", k);
    add_variable(w, INT, w->options->steps, writable, "s->k%u_c", k);
}

/* ---- Statements ---------------------------------------------------------------------------------- */

static void write_statement(struct writer *w);

static void write_block(struct writer *w, uint32_t most)
{
    const uint32_t scope = w->variable_count;
    w->indent++;
    for (uint32_t n = 1 + (uint32_t)draw(w, most); n > 0; n--) write_statement(w);
    w->indent--;
    w->variable_count = scope;
}

static void declare_local(struct writer *w)
{
    const enum type type = (enum type)draw(w, TYPES);
    const uint32_t number = w->names++;
    const char *value = value_of(w, type, 3);
    if (draw(w, 4) == 0) {
        write_line(w, "const %s v%u = %s;", type_names[type], number, value);
        add_variable(w, type, 0, 0, "v%u", number);
        return;
    }
    write_line(w, "%s v%u = %s;", type_names[type], number, value);
    add_variable(w, type, 0, 1, "v%u", number);
}

/* An array that a loop, or a list, fills. */
static void declare_array(struct writer *w)
{
    const enum type type = (enum type)draw(w, TYPES);
    const uint32_t number = w->names++, count = 1 + (uint32_t)draw(w, 5);
    if (draw(w, 2)) {
        write_line(w, "%s v%u[%u] = {%s};", type_names[type], number, count, value_of(w, type, 2));
    } else {
        const uint32_t index = w->names++;
        write_line(w, "%s v%u[%u];", type_names[type], number, count);
        write_line(w, "for (int v%u = 0; v%u < %u; v%u++) v%u[v%u] = %s;", index, index, count, index, number,
                   index, value_of(w, type, 2));
    }
    add_variable(w, type, count, 1, "v%u", number);
}

static void declare_grid(struct writer *w)
{
    const uint32_t number = w->names++, i = w->names++, j = w->names++;
    write_line(w, "real v%u[2][3] = {{%s}, {0.25, 3}};", number, real_literal(w));
    write_line(w, "for (int v%u = 0; v%u < 2; v%u++)", i, i, i);
    write_line(w, "    for (int v%u = 1; v%u < 3; v%u++) v%u[v%u][v%u] += %s;", j, j, j, number, i, j,
               value_of(w, REAL, 1));
    add_variable(w, REAL, 3, 1, "v%u[%u]", number, (unsigned)draw(w, 2));
}

static void declare_own(struct writer *w)
{
    const uint32_t number = w->names++, k = w->program;
    const char *a = value_of(w, REAL, 2), *n = value_of(w, INT, 2), *h = value_of(w, UINT32, 1);
    write_line(w, "k%u_record v%u = {{%s, %s, {%s}}};", k, number, a, n, h);
    write_line(w, "v%u.many[%u] = v%u.one;", number, (unsigned)draw(w, 2), number);
    a = value_of(w, REAL, 2), n = value_of(w, INT, 2);
    if (w->has_own) write_line(w, "k%u_touch(&v%u, %s);", k, number, a);
    if (w->has_own) write_line(w, "v%u.many[1] = k%u_make(%s, %s);", number, k, a, n);
    add_variable(w, REAL, 0, 1, "v%u.b", number);
    add_variable(w, REAL, 0, 1, "v%u.one.a", number);
    add_variable(w, INT, 0, 1, "v%u.many[%u].n", number, (unsigned)draw(w, 2));
    add_variable(w, UINT32, 3, 1, "v%u.many[%u].h", number, (unsigned)draw(w, 2));
}

static void assign(struct writer *w)
{
    static const char *const real_signs[] = {"=", "=", "+=", "-=", "*="};
    static const char *const integer_signs[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="};
    enum type type;
    const char *place = place_of(w, &type);
    if (!place) {
        declare_local(w);
    } else if (type == REAL) {
        const char *sign = real_signs[draw(w, 5)];
        write_line(w, "%s %s %s;", place, sign, value_of(w, type, 3));
        write_line(w, "%s = tame(%s);", place, place);
    } else if (draw(w, 4) == 0) {
        write_line(w, draw(w, 2) ? "%s++;" : "--%s;", place);
    } else {
        const uint64_t sign = draw(w, w->options->plain ? 7 : 9);
        type = (enum type)(1 + draw(w, INTEGER_TYPES));
        write_line(w, "%s %s %s;", place, integer_signs[sign], value_of(w, type, 3));
    }
}

static void write_if(struct writer *w)
{
    write_line(w, "if (%s) {", condition(w, 3));
    write_block(w, 2);
    if (draw(w, 2)) {
        write_line(w, "} else if (%s) {", condition(w, 2));
        write_block(w, 2);
    }
    if (draw(w, 2)) {
        write_line(w, "} else {");
        write_block(w, 2);
    }
    write_line(w, "}");
}

/* Now and then out of the loop, or round again. */
static void write_leave(struct writer *w)
{
    if (draw(w, 3)) return;
    const char *when = condition(w, 2);
    write_line(w, draw(w, 2) ? "    if (%s) break;" : "    if (%s) continue;", when);
}

static void write_for(struct writer *w)
{
    const uint32_t number = w->names++, scope = w->variable_count;
    static const char *const bounds[] = {"%u", "%u", "DIMS + %u", "(%s & 3) + %u"};
    const uint64_t kind = draw(w, 4);
    const uint32_t bound = 1 + (uint32_t)draw(w, 5);
    const char *text = kind < 3 ? say(w, bounds[kind], bound) : say(w, bounds[3], value_of(w, INT, 2), bound);
    if (draw(w, 4) == 0)
        write_line(w, "for (int v%u = %s; v%u > 0; v%u -= K%u_STEP) {", number, text, number, number,
                   w->program);
    else
        write_line(w, "for (int v%u = %u; v%u < %s; v%u++) {", number, (unsigned)draw(w, 2), number, text,
                   number);
    add_variable(w, INT, 0, 0, "v%u", number);
    w->loops++;
    write_leave(w);
    write_block(w, 2);
    w->loops--;
    write_line(w, "}");
    w->variable_count = scope;
}

/* Loops whose trips depend on numbers. */
static void write_while(struct writer *w)
{
    const uint32_t number = w->names++;
    const int is_do = draw(w, 2) == 0;
    write_line(w, "uint32 v%u = %s;", number, value_of(w, UINT32, 2));
    write_line(w, is_do ? "do {" : "while (v%u > %u) {", number, (unsigned)draw(w, 3));
    w->loops++;
    if (w->options->faults && w->has_params && draw(w, 6) == 0)
        write_line(w, "    v%u = v%u / 2 + (uint32)(p->k%u_n > 3);", number, number,
                   w->program); /* may not end */
    else
        write_line(w, "    v%u >>= %u;", number, (unsigned)(3 + draw(w, 4)));
    write_leave(w);
    write_block(w, 2);
    w->loops--;
    write_line(w, is_do ? "} while (v%u > %u);" : "}", number, (unsigned)draw(w, 3));
    add_variable(w, UINT32, 0, 1, "v%u", number);
}

static void write_switch(struct writer *w)
{
    const uint32_t cases = 1 + (uint32_t)draw(w, 4);
    write_line(w, "switch (%s & 3) {", value_of(w, INT, 2));
    for (uint32_t i = 0; i < cases; i++) {
        if (i == 3)
            write_line(w, "default:");
        else
            write_line(w, "case %u:", i);
        write_line(w, "    {");
        write_block(w, 2);
        write_line(w, "    }");
        if (draw(w, 3)) write_line(w, "    break;");
    }
    write_line(w, "}");
}

/* A call that writes through its parameters. */
static void write_call(struct writer *w)
{
    if (!w->has_own) {
        declare_own(w);
        return;
    }
    const uint32_t number = w->names++;
    write_line(w, "real v%u[3] = {%s};", number, value_of(w, REAL, 2));
    write_line(w, "k%u_fill(v%u, %s);", w->program, number, value_of(w, INT, 2));
    add_variable(w, REAL, 3, 1, "v%u", number);
}

static void write_statement(struct writer *w)
{
    static void (*const flat[])(struct writer *) = {
        declare_local, declare_array, declare_own, declare_grid, assign, assign, assign, assign, write_call};
    static void (*const nested[])(struct writer *) = {write_if, write_switch, write_if, write_for,
                                                      write_while};
    /* Loops of data in loops in loops are more than the checks look into. */
    if (w->indent < 5 && w->left > 0 && draw(w, 3) == 0) {
        w->left--;
        nested[draw(w, w->loops < 2 ? 5 : 2)](w);
    } else {
        flat[draw(w, 9)](w);
    }
}

/* ---- Functions ----------------------------------------------------------------------------------- */

static void open_function(struct writer *w, uint32_t nested)
{
    w->has_params = 0;
    w->indent = 0;
    w->left = nested;
    w->loops = 0;
    w->variable_count = w->outside;
    write_line(w, "{");
}

/* a and b, numbers; v, an array. */
static void declare_functions(struct writer *w)
{
    const uint32_t k = w->program;
    write_line(w, "real k%u_curve(real a, int b)", k);
    open_function(w, 2);
    add_variable(w, REAL, 0, 1, "a");
    add_variable(w, INT, 0, 1, "b");
    const char *when = condition(w, 2), *what = value_of(w, REAL, 2);
    if (draw(w, 2)) write_line(w, "    if (%s) return %s;", when, what);
    write_block(w, 1);
    write_line(w, "    return %s;\n}", value_of(w, REAL, 3));
    write_line(w, "uint32 k%u_code(const real v[3], uint64 c)", k);
    open_function(w, 1);
    add_variable(w, REAL, 3, 0, "v");
    add_variable(w, UINT64, 0, 1, "c");
    w->has_curve = 1;
    write_block(w, 1);
    write_line(w, "    return %s;\n}", value_of(w, UINT32, 3));
    write_line(w, "void k%u_fill(real v[3], int n)", k);
    open_function(w, 1);
    add_variable(w, REAL, 3, 1, "v");
    add_variable(w, INT, 0, 0, "n");
    write_block(w, 1);
    write_line(w, "    for (int i = 0; i < 3; i++) v[i] = tame(v[i] + %s);\n}", real_literal(w));
}

static void declare_record_functions(struct writer *w)
{
    const uint32_t k = w->program;
    write_line(w, "k%u_pair k%u_make(real a, int n)", k, k);
    open_function(w, 1);
    add_variable(w, REAL, 0, 0, "a");
    add_variable(w, INT, 0, 1, "n");
    write_block(w, 1);
    write_line(w, "    k%u_pair made = {a, n};\n    made.h[n & 1] = %s;\n    return made;\n}", k,
               value_of(w, UINT32, 2));
    write_line(w, "void k%u_touch(k%u_record *r, real a)", k, k);
    open_function(w, 1);
    add_variable(w, REAL, 0, 1, "r->b");
    add_variable(w, UINT32, 3, 1, "r->one.h");
    add_variable(w, INT, 0, 1, "r->many[1].n");
    add_variable(w, REAL, 0, 0, "a");
    write_block(w, 1);
    write_line(w, "}");
    w->has_own = 1;
}

static void write_start(struct writer *w)
{
    const uint32_t k = w->program;
    write_line(w, "void k%u_start(state *s, const params *p)", k);
    open_function(w, 0);
    add_params(w);
    w->indent = 1;
    write_line(w, "s->k%u_r = %s;", k, value_of(w, REAL, 2));
    write_line(w, "s->k%u_q = %s;", k, real_literal(w));
    write_line(w, "for (int i = 0; i < 4; i++) s->k%u_h[i] = %s;", k, value_of(w, REAL, 2));
    write_line(w, "s->k%u_i = %s;", k, value_of(w, INT, 2));
    write_line(w, "s->k%u_u = %s;", k, value_of(w, UINT32, 2));
    write_line(w, "s->k%u_l = %s;", k, value_of(w, INT64, 2));
    write_line(w, "s->k%u_w = %s;", k, value_of(w, UINT64, 2));
    write_line(w, "for (int i = 0; i < STEPS; i++) s->k%u_c[i] = %s;", k, value_of(w, INT, 1));
    w->indent = 0;
    write_line(w, "}");
}

static void write_step(struct writer *w)
{
    write_line(w, "void k%u_step(state *s, const params *p, int i, real t, const real x[])", w->program);
    open_function(w, w->options->small ? 2 : 4);
    add_params(w);
    add_state(w, 1);
    add_variable(w, INT, 0, 0, "i");
    add_variable(w, REAL, 0, 0, "t");
    add_variable(w, REAL, w->options->dims, 0, "x");
    write_line(w, "    s->k%u_r = tame(s->k%u_r + %s * x[0]);", w->program, w->program, real_literal(w));
    write_block(w, 3);
    write_line(w, "}");
}

/* The first of its outputs. */
static uint32_t output_of(const struct writer *w) { return 2 * (w->program - w->options->first); }

/* The whole state of a path. */
static void write_hash(struct writer *w)
{
    const uint32_t k = w->program;
    write_line(w, "uint32 k%u_hash(const state *s)\n{", k);
    write_line(w, "    uint32 h = (uint32)(int64)(s->k%u_r * 4096) + (uint32)s->k%u_i * 31u;", k, k);
    write_line(w, "    h = h * 1000003u + (uint32)(int64)(s->k%u_q * 64) + s->k%u_u;", k, k);
    write_line(w, "    h ^= (uint32)(s->k%u_w >> 32) ^ (uint32)s->k%u_w ^ (uint32)(s->k%u_l >> 7);", k, k, k);
    write_line(w, "    for (int i = 0; i < 4; i++) h = h * 1000003u + (uint32)(int)(s->k%u_h[i] * 16);", k);
    write_line(
        w,
        "    for (int i = 0; i < STEPS; i++) h = (h << 5 | h >> 27) ^ (uint32)s->k%u_c[i];\n    return h;\n}",
        k);
}

static void write_finish(struct writer *w)
{
    const uint32_t k = w->program;
    write_hash(w);
    write_line(w, "void k%u_finish(const state *s, const params *p, real out[%u])", k,
               2 * w->options->programs);
    open_function(w, 1);
    add_params(w);
    add_state(w, 0);
    write_block(w, 2);
    const char *a = value_of(w, REAL, 3), *b = value_of(w, INT, 2);
    write_line(w, "    out[%u] = tame(%s + s->k%u_r);", output_of(w), a, k);
    write_line(w, "    out[%u] = (k%u_hash(s) ^ (uint32)K%u_MIX(%s, s->k%u_i)) & 0xfffffu;\n}",
               output_of(w) + 1, k, k, b, k);
}

/* In a program of the whole path, x[DIMS - 1] of the steps is read into an array. */
static void write_whole(struct writer *w)
{
    const uint32_t k = w->program;
    write_line(w, "void k%u_whole(const params *p, path x, real out[%u])", k, 2 * w->options->programs);
    open_function(w, 5);
    add_params(w);
    write_line(w, "    real x0[STEPS];\n    for (int i = 0; i < STEPS; i++) x0[i] = at(x, i, DIMS - 1);");
    add_variable(w, REAL, w->options->steps, 1, "x0");
    write_line(w, "    const real late = time(x, STEPS - 1);");
    add_variable(w, REAL, 0, 0, "late");
    w->has_path = 1;
    write_block(w, 4);
    const char *value = value_of(w, REAL, 3), *step = index_of(w, w->options->steps),
               *code = value_of(w, UINT32, 4);
    write_line(w, "    out[%u] = tame(%s + at(x, %s, 0));", output_of(w), value, step);
    write_line(w, "    out[%u] = (uint32)(%s) & 0xfffffu;\n}", output_of(w) + 1, code);
    w->has_path = 0;
}

static void write_program(struct writer *w)
{
    w->variable_count = w->outside = w->names = 0;
    w->has_own = w->has_curve = 0;
    declare_macros(w);
    declare_tables(w);
    w->outside = w->variable_count;
    declare_record(w);
    declare_fields(w);
    if (!w->options->small) {
        declare_functions(w);
        declare_record_functions(w);
    }
    if (w->options->whole) {
        write_whole(w);
        return;
    }
    append(&w->later, "%s", ""); /* below, as they need `state` */
    struct buffer before = w->code;
    w->code = w->later;
    write_start(w);
    write_step(w);
    write_finish(w);
    w->later = w->code;
    w->code = before;
}

/* ---- All together -------------------------------------------------------------------------------- */

/* A real that no device takes for anything else: finite, and neither subnormal nor near to it. */
static const char tame[] = "real tame(real v)\n"
                           "{\n"
                           "    if (!(v > -1000000 && v < 1000000)) return 0.5;\n"
                           "    return fabs(v) < 0.000000001 ? 0 : v;\n"
                           "}\n";

static void call_all(const struct random_payoff_options *o, const char *call, struct buffer *all)
{
    for (uint32_t k = o->first; k < o->first + o->programs; k++) append(all, "    k%u_%s;\n", k, call);
    append(all, "}\n");
}

static void write_all(const struct random_payoff_options *o, struct buffer *all)
{
    if (o->whole) {
        append(all, "void whole(const params *p, path x, real out[%u])\n{\n", 2 * o->programs);
        call_all(o, "whole(p, x, out)", all);
        return;
    }
    append(all, "void start(state *s, const params *p)\n{\n");
    call_all(o, "start(s, p)", all);
    append(all, "void step(state *s, const params *p, int i, real t, const real x[])\n{\n");
    call_all(o, "step(s, p, i, t, x)", all);
    append(all, "void finish(const state *s, const params *p, real out[%u])\n{\n", 2 * o->programs);
    call_all(o, "finish(s, p, out)", all);
}

static char *put_together(struct writer *w)
{
    struct buffer all = {0};
    append(&all, "typedef struct {\n%s} params;\n", w->params.text);
    append(&all, "%s%s", tame, w->options->whole ? "" : "typedef struct {\n");
    if (!w->options->whole) append(&all, "%s} state;\n", w->state.text);
    append(&all, "%s%s", w->code.text, w->options->whole ? "" : w->later.text);
    write_all(w->options, &all);
    return all.text;
}

char *random_payoff(uint64_t seed, const struct random_payoff_options *options)
{
    struct writer *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->options = options;
    w->random = seed;
    for (uint32_t k = 0; k < options->programs; k++) {
        w->program = options->first + k;
        write_program(w);
    }
    char *code = put_together(w);
    free_writer(w);
    return code;
}
