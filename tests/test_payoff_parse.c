/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The parser of the payoff language: the trees that it makes, and what it refuses in which words
 * (payoff_refusals.h). How long it takes is in test_payoff_steps.c. No device, no context.
 */
#include "harness.h"

#include "payoff_refusals.h"

#include <bailey/mlmc.h>
#include <bailey/simulation.h>

#include <base/alloc.h>
#include <host/mlmc/driver.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/language.h>
#include <host/payoff/payoff.h>
#include <locale.h>

static struct bly_unit unit_of(enum bly_unit_kind kind, const char *code, bailey_precision precision)
{
    struct bly_unit unit = {.kind = kind,
                            .precision = precision,
                            .dims = 3,
                            .steps = kind == BLY_UNIT_PAYOFF ? 12 : 0,
                            .levels = kind == BLY_UNIT_MOTION ? 5 : 0,
                            .code = code,
                            .length = strlen(code),
                            .argument = kind == BLY_UNIT_LEVELS ? "estimator" : "payoff"};
    bly_unit_name(&unit, NULL);
    return unit;
}

static bailey_status parse(struct bly_unit *unit)
{
    bailey_status status = bly_tokens_read(unit);
    if (status == BAILEY_OK) status = bly_macros_expand(unit);
    return status == BAILEY_OK ? bly_unit_parse(unit) : status;
}

static struct bly_unit parsed(enum bly_unit_kind kind, const char *code, bailey_precision precision)
{
    struct bly_unit unit = unit_of(kind, code, precision);
    if (parse(&unit) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), code);
    return unit;
}

/* ---- Trees as text ------------------------------------------------------------------------------- */

static char said[4096];

#define WRITE(...) (void)snprintf(said + strlen(said), sizeof said - strlen(said), __VA_ARGS__)

static char letter_of(const struct bly_type *type)
{
    static const char letters[] = "vriuIURApP";
    return letters[type->kind];
}

static void write_expression(const struct bly_expression *e);

static void write_number(const struct bly_expression *e)
{
    if (e->type->kind == BLY_TYPE_REAL)
        WRITE("%.9gr", e->real);
    else
        WRITE("%lld", (long long)e->integer);
    if (e->type->kind > BLY_TYPE_INT) WRITE("%c", letter_of(e->type));
}

static void write_call(const struct bly_expression *e)
{
    WRITE("%s(", e->library                    ? e->library->name
                 : e->function                 ? e->function->name
                 : e->path_call == BLY_PATH_AT ? "at"
                                               : "time");
    for (const struct bly_expression *argument = e->arguments; argument; argument = argument->next) {
        write_expression(argument);
        if (argument->next) WRITE(", ");
    }
    WRITE(")");
}

static const char *const signs[] = {[BLY_NEGATE] = "-",
                                    [BLY_NOT] = "!",
                                    [BLY_FLIP] = "~",
                                    [BLY_ADD] = "+",
                                    [BLY_SUBTRACT] = "-",
                                    [BLY_MULTIPLY] = "*",
                                    [BLY_DIVIDE] = "/",
                                    [BLY_REMAINDER] = "%",
                                    [BLY_SHIFT_LEFT] = "<<",
                                    [BLY_SHIFT_RIGHT] = ">>",
                                    [BLY_BIT_AND] = "&",
                                    [BLY_BIT_XOR] = "^",
                                    [BLY_BIT_OR] = "|",
                                    [BLY_LESS] = "<",
                                    [BLY_LESS_EQUAL] = "<=",
                                    [BLY_GREATER] = ">",
                                    [BLY_GREATER_EQUAL] = ">=",
                                    [BLY_EQUAL] = "==",
                                    [BLY_UNEQUAL] = "!=",
                                    [BLY_AND] = "&&",
                                    [BLY_OR] = "||",
                                    [BLY_SELECT] = "?",
                                    [BLY_ADDRESS] = "&",
                                    [BLY_DECAY] = "@",
                                    [BLY_CALL] = NULL};

/* Operations as r+(a, b): the type of the result, the operator, its operands; conversions as r<a>. */
static void write_operation(const struct bly_expression *e)
{
    WRITE("%c%s(", letter_of(e->type), signs[e->kind]);
    write_expression(e->a);
    if (e->b) WRITE(", "), write_expression(e->b);
    if (e->c) WRITE(", "), write_expression(e->c);
    WRITE(")");
}

static void write_expression(const struct bly_expression *e)
{
    switch (e->kind) {
    case BLY_NUMBER: write_number(e); break;
    case BLY_SIZE: WRITE("%s=%lld", e->name, (long long)e->integer); break;
    case BLY_VARIABLE: WRITE("%s", e->variable->name); break;
    case BLY_MEMBER:
        write_expression(e->a),
            WRITE("%s%s", e->a->type->kind == BLY_TYPE_POINTER ? "->" : ".", e->field->name);
        break;
    case BLY_INDEX: write_expression(e->a), WRITE("["), write_expression(e->b), WRITE("]"); break;
    case BLY_CONVERT: WRITE("%c<", letter_of(e->type)), write_expression(e->a), WRITE(">"); break;
    case BLY_CALL: write_call(e); break;
    default: write_operation(e);
    }
}

static void write_statements(const struct bly_statement *s);

static void write_initial(const struct bly_initial *i)
{
    if (i->value) {
        write_expression(i->value);
        return;
    }
    WRITE("{");
    for (const struct bly_initial *item = i->list; item; item = item->next) {
        write_initial(item);
        if (item->next) WRITE(", ");
    }
    WRITE("}");
}

static void write_type(const struct bly_type *type)
{
    for (; type->kind == BLY_TYPE_ARRAY; type = type->of) WRITE("%u ", (unsigned)type->count);
    WRITE("%c ", letter_of(type));
}

static void write_loop(const struct bly_statement *s)
{
    WRITE("%s (", s->is_for ? "for" : "while");
    write_statements(s->first);
    WRITE("; ");
    if (s->condition) write_expression(s->condition);
    WRITE("; ");
    write_statements(s->each);
    WRITE(") ");
    write_statements(s->body);
}

static void write_assignment(const struct bly_statement *s)
{
    assert_true(!s->seen || s->seen == s->target);
    write_expression(s->target);
    WRITE(s->seen ? " := " : " = ");
    write_expression(s->value);
}

static void write_if(const struct bly_statement *s)
{
    WRITE("if "), write_expression(s->condition), WRITE(" "), write_statements(s->body);
    if (s->otherwise) WRITE(" else "), write_statements(s->otherwise);
}

static void write_declaration(const struct bly_statement *s)
{
    write_type(s->variable->type);
    WRITE("%s%s", s->variable->name, s->initial ? " = " : "");
    if (s->initial) write_initial(s->initial);
}

static void write_statement(const struct bly_statement *s)
{
    switch (s->kind) {
    case BLY_EMPTY: WRITE("empty"); break;
    case BLY_BLOCK: WRITE("{"), write_statements(s->body), WRITE("}"); break;
    case BLY_DECLARE: write_declaration(s); break;
    case BLY_ASSIGN: write_assignment(s); break;
    case BLY_EVALUATE: write_expression(s->value); break;
    case BLY_IF: write_if(s); break;
    case BLY_LOOP: write_loop(s); break;
    case BLY_DO:
        WRITE("do "), write_statements(s->body), WRITE(" while "), write_expression(s->condition);
        break;
    case BLY_SWITCH:
        WRITE("switch "), write_expression(s->condition), WRITE(" "), write_statements(s->body);
        break;
    case BLY_CASE: s->labelled ? WRITE("case %lld", (long long)s->label) : WRITE("default"); break;
    case BLY_BREAK: WRITE("break"); break;
    case BLY_CONTINUE: WRITE("continue"); break;
    case BLY_RETURN: WRITE("return "), s->value ? write_expression(s->value) : (void)0; break;
    }
}

static void write_statements(const struct bly_statement *s)
{
    for (; s; s = s->next) {
        write_statement(s);
        if (s->next) WRITE("; ");
    }
}

/* ---- Trees --------------------------------------------------------------------------------------- */

static const char variables[] =
    "typedef struct { real a, w[DIMS]; int n; } params; typedef struct { real a, h[4]; int n; } state;\n"
    "typedef struct { real x, y[2]; } leg; enum { ONE = 1, TWO, SIX = 6, MINUS = -1 };\n"
    "real f(real y) { return y; } real g(const real y[], int n) { return y[0]; } real c(state *s) { s->a = "
    "1; return 2; }\n"
    "leg l(real y) { leg z = {y, {y, y}}; return z; } real m(const leg *z) { return z->x; }\n"
    "void start(state *s, const params *p) { }\n"
    "void step(state *s, const params *p, int i, real t, const real x[]) {\n"
    "int j = 1, k = 2; uint32 u = 3; int64 b = 4; uint64 w = 5; real r = 6; leg q = l(1); ";
static const char finish[] =
    "\n}\nvoid finish(const state *s, const params *p, real out[]) { out[0] = s->a; }\n";

static const struct {
    const char *code, *tree;
} trees[] = {
    /* Conversions: int op real, int op uint32, int64 before uint32, uint64 before all. */
    {"r = j + k;", "r = r<i+(j, k)>"},
    {"r = j + r;", "r = r+(r<j>, r)"},
    {"r = j + u;", "r = r<u+(u<j>, u)>"},
    {"r = u + b;", "r = r<I+(I<u>, b)>"},
    {"w = b * w;", "w = U*(U<b>, w)"},
    {"w = w + r;", "w = U<r+(r<w>, r)>"},
    {"j = j < u;", "j = i<(u<j>, u)"},
    {"j = b == r;", "j = i==(r<b>, r)"},
    {"u = u << b;", "u = u<<(u, b)"},
    {"b = j >> w;", "b = I<i>>(j, w)>"},
    {"u = u & j;", "u = u&(u, u<j>)"},
    {"b = -u;", "b = I<u-(u)>"},
    {"b = ~j;", "b = I<i~(j)>"},
    {"j = !r;", "j = i!(i!=(r, 0r))"},
    {"j = j && r || b;", "j = i||(i&&(j, i!=(r, 0r)), i!=(b, 0I))"},
    {"r = j ? k : r;", "r = r?(j, r<k>, r)"},
    {"r = r ? 1 : 2;", "r = r<i?(i!=(r, 0r), 1, 2)>"},
    {"b = j ? u : k;", "b = I<u?(j, u, u<k>)>"},
    {"r = (real)j / 2;", "r = r/(r<j>, 2r)"},
    {"r = j / 2;", "r = r<i/(j, 2)>"},
    {"r = 1 / 2;", "r = r<i/(1, 2)>"},
    {"r = 1.0 / 2;", "r = r/(1r, 2r)"},
    {"j = (int)r;", "j = i<r>"},
    {"j = r;", "j = i<r>"},
    {"w = (uint64)1 << 40;", "w = U<<(1U, 40)"},
    {"r = fmax(j, 0);", "r = fmax(r<j>, 0r)"},
    {"r = (r);", "r = r"},
    {"r = +j;", "r = r<j>"},
    /* Precedence and order. */
    {"r = r - r - r;", "r = r-(r-(r, r), r)"},
    {"r = r + r * r / r;", "r = r+(r, r/(r*(r, r), r))"},
    {"r = -r * r;", "r = r*(r-(r), r)"},
    {"j = j | k ^ i & j == k;", "j = i|(j, i^(k, i&(i, i==(j, k))))"},
    {"j = j << 1 + 2 < k;", "j = i<(i<<(j, i+(1, 2)), k)"},
    {"r = j ? k ? 1 : 2 : i ? 3 : 4;", "r = r<i?(j, i?(k, 1, 2), i?(i, 3, 4))>"},
    {"j = i - -1;", "j = i-(i, i-(1))"},
    /* Sizes stay names, constants of an enum are numbers. */
    {"r = r / STEPS;", "r = r/(r, r<STEPS=12>)"},
    {"j = DIMS - TWO + MINUS;", "j = i+(i-(DIMS=3, 2), -1)"},
    /* Literals. */
    {"r = 0.1;", "r = 0.100000001r"},
    {"r = 1.5f + 2.5L;", "r = r+(1.5r, 2.5r)"},
    {"r = 16777217;", "r = 16777216r"},
    {"u = 0xffffffffu;", "u = 4294967295u"},
    {"j = 010 + 0x10;", "j = i+(8, 16)"},
    {"r = 0x1p-3 + 1e3 + .5e0;", "r = r+(r+(0.125r, 1000r), 0.5r)"},
    /* Members, elements, calls. */
    {"r = p->w[i] + s->h[0] + x[DIMS - 1];", "r = r+(r+(p->w[i], s->h[0]), x[i-(DIMS=3, 1)])"},
    {"q.y[1] = q.x;", "q.y[1] = q.x"},
    {"r = l(r).x;", "r = l(r).x"},
    {"q = l(1);", "q = l(1r)"},
    {"r = g(x, 3);", "r = g(x, 3)"},
    {"r = g(s->h, 3);", "r = g(p@(s->h), 3)"},
    {"r = g(&r, 1);", "r = g(p&(r), 1)"},
    {"r = g(&s->h[1], 1);", "r = g(p&(s->h[1]), 1)"},
    {"r = m(&q);", "r = m(p&(q))"},
    {"c(s);", "c(s)"},
    {"r = c(s);", "r = c(s)"},
    {"j = c(s);", "j = i<c(s)>"},
    {"s->h[j] = c(s);", "s->h[j] = c(s)"},
    /* Assignments with operators: the target is one node. */
    {"r += j;", "r := r+(r, r<j>)"},
    {"j += r;", "j := i<r+(r<j>, r)>"},
    {"j += u;", "j := i<u+(u<j>, u)>"},
    {"s->h[j] *= 2;", "s->h[j] := r*(s->h[j], 2r)"},
    {"j <<= b;", "j := i<<(j, b)"},
    {"j++;", "j := i+(j, 1)"},
    {"--r;", "r := r-(r, 1r)"},
    {"w--;", "w := U-(w, 1U)"},
    {"j++, r = 2, k--;", "j := i+(j, 1); r = 2r; k := i-(k, 1)"},
    /* Declarations. */
    {"real a = j, d[2] = {1, j}, e[] = {1, 2, 3};", "r a = r<j>; 2 r d = {1r, r<j>}; 3 r e = {1r, 2r, 3r}"},
    {"real a[2][2] = {{1, 2}, {3}}, d[3][2] = {0};", "2 2 r a = {{1r, 2r}, {3r}}; 3 2 r d = {}"},
    {"leg a = {1, {2}}, d[2] = {{0}, q};", "R a = {1r, {2r}}; 2 R d = {{}, q}"},
    {"int a; { int a = 2; j = a; } a = 3;", "i a; {i a = 2; j = a}; a = 3"},
    {"enum { TEN = 10 }; typedef real row[TEN]; row a; j = TEN;", "10 r a; j = 10"},
    {"struct pair { int a, b; } d = {1, 2}; struct pair e = d;", "R d = {1, 2}; R e = d"},
    /* Statements. */
    {"if (r) j = 1; else if (j) { } else k = 1;", "if i!=(r, 0r) j = 1 else if j {} else k = 1"},
    {"if (j) if (k) j = 1; else j = 2;", "if j if k j = 1 else j = 2"},
    {"if (j) j = 1, k = 2;", "if j {j = 1; k = 2}"},
    {"for (int d = 0, e = 1; d < DIMS; d++, e *= 2) r += x[d];",
     "for (i d = 0; i e = 1; i<(d, DIMS=3); d := i+(d, 1); e := i*(e, 2)) r := r+(r, x[d])"},
    {"for (;;) break;", "for (; ; ) break"},
    {"for (j = 0; j < 3;) { j++; continue; }", "for (j = 0; i<(j, 3); ) {j := i+(j, 1); continue}"},
    {"while (j) j--;", "while (; j; ) j := i-(j, 1)"},
    {"do j--; while (j > 0);", "do j := i-(j, 1) while i>(j, 0)"},
    {"switch (j) { case ONE: case -2: k = 1; break; case 1 + 2: default: k = 2; }",
     "switch j {case 1; case -2; k = 1; break; case 3; default; k = 2}"},
    {"switch (u) { case -1: k = 1; }", "switch u {case 4294967295; k = 1}"},
    {";", "empty"},
    {"(void)s, (void)p;", "empty; empty"},
    {"return;", "return "},
    {"{ { j = 1; } }", "{{j = 1}}"},
};

/* What stands in step behind the seven variables. */
TEST(statements, HOST)
{
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        char code[4096];
        snprintf(code, sizeof code, "%s%s%s", variables, trees[i].code, finish);
        struct bly_unit unit = parsed(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
        const struct bly_statement *s = unit.step->body->body;
        for (int k = 0; k < 7; k++) s = s->next;
        said[0] = 0;
        write_statements(s);
        if (strcmp(said, trees[i].tree) != 0)
            fail_msg("%s\nis   %s\nnot  %s", trees[i].code, said, trees[i].tree);
        bly_unit_free(&unit);
    }
}

/* Constants outside functions have values, which are those of the unit's precision. */
static void check_constants(void)
{
    static const struct {
        const char *code;
        double f32, f64;
    } values[] = {
        {"0.1", (double)0.1f, 0.1},
        {"1.0 / 3", (double)(1.0f / 3), 1.0 / 3},
        {"0.1 + 0.2", (double)(0.1f + 0.2f), 0.1 + 0.2},
        {"-(1 / 2) - 7 / 2", -3, -3},
        {"16777217", 16777216, 16777217},
        {"2147483647 + 1", -2147483648.0, -2147483648.0},
        {"0u - 1", (double)4294967295.0f, 4294967295.0},
        {"(int64)2147483647 + 1", 2147483648.0, 2147483648.0},
        {"-7 % 3 + (-7 >> 1)", -5, -5},
        {"1 << 33", 2, 2},
        {"(int)2.9 + (int)-2.9 + (int)1e10", 2147483648.0, 2147483647},
        {"(uint32)-1.5", 0, 0},
        {"(uint64)1e19 > (uint64)1 << 63", 1, 1},
        {"0.1 < 0.2 && !(1 > 2) ? DIMS : STEPS", 3, 3},
        {"~5 ^ 3 | 8", -7, -7},
        {"known * 2", 14, 14},
    };
    for (size_t i = 0; i < 2 * (sizeof values / sizeof *values); i++) {
        char code[1000];
        const bool f64 = i % 2;
        snprintf(code, sizeof code, "const int known = 7; const real a = %s;%s", values[i / 2].code,
                 after_outside);
        struct bly_unit unit =
            parsed(BLY_UNIT_PAYOFF, code, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
        const double value = unit.constants->next->initial->value->real;
        if (value != (f64 ? values[i / 2].f64 : values[i / 2].f32))
            fail_msg("%s is %.17g", values[i / 2].code, value);
        bly_unit_free(&unit);
    }
}

TEST(constants, HOST) { check_constants(); }

/* ---- Units --------------------------------------------------------------------------------------- */

TEST(facts, HOST)
{
    struct bly_unit unit = parsed(
        BLY_UNIT_PAYOFF,
        "enum { ONE, TWO }; typedef struct params_tag { real a, b[2 * DIMS]; uint64 c; } params;\n"
        "typedef struct { int n; } state; struct leg { real x; }; typedef struct { struct leg l[2]; } legs;\n"
        "static const int table[] = {1, 2, 3}, one = ONE;\n"
        "real root(real x) { return sqrt(x); }\n"
        "void set(state *s, int n) { s->n = n; } void twice(state *s) { set(s, 2); }\n"
        "int reads(state *s) { return s->n; } void own(int n) { state s; s.n = n; set(&s, 1); }\n"
        "void start(state *s, const params *p) { s->n = reads(s) + 1; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[2]) { twice(s); own(1); }\n"
        "void finish(const state *s, const params *p, real out[TWO + 1]) { out[0] = 1; }\n",
        BAILEY_PRECISION_F64);
    assert_int_equal(unit.outputs, 2);
    assert_false(unit.has_root); /* root is not called */
    assert_string_equal(unit.params->name, "params");
    assert_int_equal(unit.params->field_count, 3);
    assert_int_equal(unit.params->fields->next->type->count, 6);
    assert_ptr_equal(unit.records, unit.params);
    assert_ptr_equal(unit.records->next, unit.state);
    assert_string_equal(unit.state->next->name, "leg");
    assert_string_equal(unit.state->next->next->name, "legs");
    assert_int_equal(unit.state->next->next->number, 3);
    assert_int_equal(unit.constant_count, 2);
    assert_int_equal(unit.constants->type->count, 3);
    const struct bly_function *root = unit.functions, *set = root->next, *twice = set->next,
                              *reads = twice->next, *own = reads->next;
    assert_true(root->has_root);
    assert_true(set->writes && twice->writes && unit.step->writes && unit.start->writes);
    assert_false(root->writes || reads->writes || own->writes);
    assert_int_equal(unit.step->depth, 3);
    assert_int_equal(unit.step->role, BLY_ROLE_STEP);
    assert_int_equal(own->role, BLY_ROLE_OWN);
    const struct bly_variable *x = unit.step->parameters->next->next->next->next;
    assert_int_equal(x->type->count, 3);
    assert_int_equal(x->number, 4);
    assert_true(x->type->is_array && x->type->constant);
    assert_int_equal(unit.finish->parameters->next->next->type->count, 2);
    assert_int_equal(unit.finish->parameters->type->count, 1);
    bly_unit_free(&unit);
}

TEST(roots, HOST)
{
    static const struct {
        const char *body;
        bool root;
    } bodies[] = {{"out[0] = 1; /* a / b */", false}, {"out[0] = 1 / 2;", false}, {"out[0] = 1.0 / 2;", true},
                  {"out[0] = sqrt(2);", true},        {"out[0] /= 2;", true},     {"out[0] = half(1);", true},
                  {"out[0] = log(2);", false}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char code[1000];
        snprintf(code, sizeof code,
                 "real half(real x) { return x / 2; } void whole(const params *p, path x, real out[]) { %s }",
                 bodies[i].body);
        struct bly_unit unit = parsed(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
        assert_int_equal(unit.has_root, bodies[i].root);
        bly_unit_free(&unit);
    }
}

TEST(kinds, HOST)
{
    struct bly_unit motion =
        parsed(BLY_UNIT_MOTION,
               "void whole(const params *p, path x, real out[3]) { const uint64 last = (uint64)1 << "
               "LEVELS; out[0] = at(x, last, 0); out[1] = time(x, 1); }",
               BAILEY_PRECISION_F32);
    said[0] = 0;
    write_statements(motion.whole->body->body);
    assert_string_equal(said, "U last = U<<(1U, LEVELS=5); out[0] = at(x, last, 0); out[1] = time(x, 1U)");
    bly_unit_free(&motion);
    struct bly_unit levels =
        parsed(BLY_UNIT_LEVELS,
               "#define NORMALS 2\n#define UNIFORMS 1\n"
               "void step(state *s, const params *p, real t, real h, const noise *n) { h = n->dw[2] + "
               "n->z[1] + n->u[0]; }\n"
               "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) "
               "{ step(s, p, t, h, n); }\n"
               "void finish(const state *s, const params *p, real t, real out[]) { out[1] = t; }",
               BAILEY_PRECISION_F32);
    assert_int_equal(levels.outputs, 2);
    assert_int_equal(levels.pair->role, BLY_ROLE_PAIR);
    assert_null(levels.records);
    bly_unit_free(&levels);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void code_of(enum place place, const char *code, char *text, size_t size)
{
    if (place == INSIDE)
        snprintf(text, size, "%s%s%s", before_inside, code, after_inside);
    else
        snprintf(text, size, "%s%s", code, place == OUTSIDE ? after_outside : "");
}

static const enum bly_unit_kind kind_of[] = {
    [MOTION] = BLY_UNIT_MOTION, [LEVELS] = BLY_UNIT_LEVELS, [PAYOFF] = BLY_UNIT_PAYOFF};

/* Whether the first line of the message is this, behind the unit's name. */
static bool says(const char *name, const char *message)
{
    char line[BUFSIZ];
    snprintf(line, sizeof line, "%s:%s\n", name, message);
    return strncmp(bailey_error_message(), line, strlen(line)) == 0;
}

TEST(refused, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        char code[8192];
        code_of(refusals[i].place, refusals[i].code, code, sizeof code);
        struct bly_unit unit = unit_of(kind_of[refusals[i].place], code, BAILEY_PRECISION_F32);
        const bailey_status status = parse(&unit);
        if (status != BAILEY_ERROR_INVALID || !says(unit.name, refusals[i].message) ||
            strcmp(bailey_error_argument(), unit.argument) != 0) {
            wrong++;
            print_error("%s\nstatus %d, %s\nnot %s\n", refusals[i].code, (int)status,
                        status == BAILEY_OK ? "" : bailey_error_message(), refusals[i].message);
        }
        bly_unit_free(&unit);
    }
    assert_int_equal(wrong, 0);
}

TEST(taken, HOST)
{
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        char code[8192];
        code_of(accepted[i].place, accepted[i].code, code, sizeof code);
        struct bly_unit unit = parsed(kind_of[accepted[i].place], code, BAILEY_PRECISION_F32);
        bly_unit_free(&unit);
    }
}

/* The line itself, and a caret below the place. */
TEST(whole_message, HOST)
{
    char code[8192];
    code_of(INSIDE, "    s->sum += p->strik;", code, sizeof code);
    struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
    assert_int_equal(parse(&unit), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(),
                        "payoff.c:10:18: params has no member strik; did you mean strike?\n"
                        "        s->sum += p->strik;\n"
                        "                     ^");
    bly_unit_free(&unit);
}

/* ---- Limits -------------------------------------------------------------------------------------- */

/* `count` times `piece` between two texts. */
static char *repeated(const char *begin, const char *piece, size_t count, const char *end)
{
    const size_t length = strlen(piece);
    char *text = calloc(strlen(begin) + count * length + strlen(end) + 1, 1), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", begin);
    for (size_t i = 0; i < count; i++) memcpy(at, piece, length), at += length;
    strcpy(at, end);
    return text;
}

static void expect_limit(const char *begin, const char *piece, size_t fits, const char *end,
                         const char *words)
{
    for (size_t more = 0; more < 2; more++) {
        char *code = repeated(begin, piece, fits + more, end);
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
        const bailey_status status = parse(&unit);
        if (status != (more ? BAILEY_ERROR_INVALID : BAILEY_OK))
            fail_msg("%s: %s", words, bailey_error_message());
        if (more && !strstr(bailey_error_message(), words))
            fail_msg("%s, not %s", bailey_error_message(), words);
        bly_unit_free(&unit);
        free(code);
    }
}

#define WHOLE "void whole(const params *p, path x, real out[]) { "
TEST(limits, HOST)
{
    static const char too_deep[] = "more than 200 nested brackets, statements or types";
    expect_limit(WHOLE "out[0] = 0", "+1", 999, "; }", "more than 1000 operators in each other");
    expect_limit(WHOLE "out[0] = ", "- ", 198, "1; }", too_deep);
    expect_limit(WHOLE "out[0] = ", "1 ? 2 : ", 198, "1; }", too_deep);
    expect_limit(WHOLE, "if (1) ", 199, "; }", too_deep);
    expect_limit(WHOLE, "if (1); else ", 199, "; }", too_deep);
    expect_limit(WHOLE "real a", "[1]", 199, "; }", too_deep);
    expect_limit("typedef struct { real a", "; real a", 0, "; } params;" WHOLE "}", "a second a");
    expect_limit(WHOLE "struct { ", "real a;", 1, "} b; }", "a second a in a structure");
    expect_limit(WHOLE "real a[131072];", "int b;", 0, "}", "take 1048580 bytes; at most 1048576");
}

TEST(calls_in_each_other, HOST)
{
    for (unsigned depth = 199; depth <= 200; depth++) {
        char code[20000] = "void f0(void) { real a[10]; }\n";
        size_t used = strlen(code);
        for (unsigned i = 1; i < depth; i++)
            used += (size_t)snprintf(code + used, sizeof code - used,
                                     "void f%u(void) { real a[10]; f%u(); }\n", i, i - 1);
        snprintf(code + used, sizeof code - used, WHOLE "f%u(); }", depth - 1);
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
        assert_int_equal(parse(&unit), depth == 199 ? BAILEY_OK : BAILEY_ERROR_INVALID);
        if (depth == 199)
            assert_int_equal(unit.whole->frame, 199 * 80);
        else
            assert_non_null(strstr(bailey_error_message(), "f199: functions call each other too deeply"));
        bly_unit_free(&unit);
    }
}

/* A program whose decimal point is a comma reads the same numbers. */
TEST(any_locale, HOST)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip(); /* not installed here */
    check_constants();
    setlocale(LC_ALL, "C");
}

/* Each allocation fails in turn: ERROR_MEMORY, and nothing is lost. */
TEST(no_memory, HOST)
{
    char code[8192];
    int failures = 0;
    code_of(INSIDE, "s->sum += p->strike;", code, sizeof code);
    for (bly_alloc_countdown = 1;; bly_alloc_countdown = ++failures + 1) {
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, BAILEY_PRECISION_F32);
        const bailey_status status = parse(&unit);
        bly_alloc_countdown = -1;
        bly_unit_free(&unit);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
    }
    assert_in_range(failures, 3, 100);
}

/* ---- The library's own code ---------------------------------------------------------------------- */

static void reads(enum bly_unit_kind kind, const char *name, const char *code, uint32_t dims)
{
    for (int f64 = 0; f64 < 2; f64++) {
        struct bly_unit unit = unit_of(kind, code, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
        unit.dims = dims;
        if (parse(&unit) != BAILEY_OK) fail_msg("%s: %s", name, bailey_error_message());
        bly_unit_free(&unit);
    }
}

TEST(built_ins, HOST)
{
    const char *name;
    for (size_t i = 0; (name = bailey_payoff_name(i)); i++) {
        const char *code = bly_payoff_builtin_code(name);
        bailey_path_needs needs;
        OK(bly_needs_of_code(false, code, name, &needs));
        for (uint32_t dims = needs.dims_least; dims <= 64; dims += 31)
            reads(strstr(code, "LEVELS") ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF, name, code, dims);
    }
    for (size_t i = 0; (name = bailey_mlmc_name(i)); i++)
        reads(BLY_UNIT_LEVELS, name, bly_mlmc_builtin_code(name), 1);
}
