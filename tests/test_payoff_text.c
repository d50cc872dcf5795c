/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoffs' texts: what is read from them, what compilers get, what is refused and with which line. No device,
 * no context.
 */
#include "harness.h"

#include <base/alloc.h>
#include <host/simulate/payoff.h>
#include <locale.h>

static bailey_status read_text(const char *text, bailey_precision precision, struct bly_payoff *out)
{
    const bailey_payoff payoff = {.text = text};
    memset(out, 0xa5, sizeof *out);
    return bly_payoff_read(&payoff, &(struct bly_payoff_path){.precision = precision, .steps = 12, .dims = 3},
                           out);
}

/* The three functions with nothing in them, on one line. */
#define START "void start(state *s, const params *p) {}"
#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {}"
#define FINISH "void finish(const state *s, const params *p, real out[]) {}"
#define PLAIN START STEP FINISH

static void compilers_get(const char *text, bailey_precision precision, const char *expected)
{
    struct bly_payoff payoff;
    if (read_text(text, precision, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_text(), text);
    assert_string_equal(payoff.text, expected);
    bly_payoff_free(&payoff);
}

static const char good[] =
    "/* A text\n"
    "   with it all */\n"
    "#define N 2\n"
    "#define SQUARE(x) ((x) * (x))\n"
    "#define now p->spot\n"
    "typedef struct tag { real spot, weight[DIMS * 2 + N]; int knock_in; // comment\n"
    "  int64 n; } params;\n"
    "typedef struct { real sum; uint32 hit[(STEPS - 2) * N]; int32 b; uint64 c; } state;\n"
    "typedef struct { real now_a; int b; } leg;\n"
    "enum { ONE = 1, TWO };\n"
    "static const real table[3] = {1.f, .5, 0x1p-3};\n"
    "static real helper(real x, const leg *l);\n"
    "void start(state *s, const params *p) { s->sum = 0; s->hit[0] = 3u; }\n"
    "#if DIMS > 2 && \\\n"
    "    defined(N)\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    leg l = {1., 2}, m[N];\n"
    "    for (int j = 0, k = 1; j < DIMS; j++) s->sum += exp(x[j]) * now + helper(t, &l);\n"
    "    if (i == 3) s->b = (int)SQUARE(2.5e0L);\n"
    "}\n"
    "#else\n"
    "#error don't /* \"do\"\n"
    "#endif\n"
    "real helper(real x, const leg *l)\n"
    "{ return pow(x, l->now_a) / 3 + table[TWO]; }\n"
    "void finish(const state *s, const params *p, real out[N])\n"
    "{ real at = fmax(s->sum / STEPS - p->weight[0], 0.1); out[0] = at; out[1] = 1e3; }\n";

static const char good_f32[] =
    "#line 1 \"payoff.c\"\n"
    "\n"
    "\n"
    "#define bly_own_N 2\n"
    "#define bly_own_SQUARE(x) ((x) * (x))\n"
    "#define bly_own_now p->spot\n"
    "\n"
    "\n"
    "\n"
    "typedef struct { real now_a; int b; } bly_own_leg;\n"
    "enum { bly_own_ONE = 1, bly_own_TWO };\n"
    "BAILEY_CONSTANT real bly_own_table[3] = {1.f, .5f, 0x1p-3f};\n"
    "BAILEY_FN real bly_own_helper(real x, const bly_own_leg *l);\n"
    "BAILEY_FN void bly_own_start(state *s, const params *p) { s->sum = 0; s->hit[0] = 3u; }\n"
    "#if DIMS > 2 && \\\n"
    "     defined(bly_own_N)\n"
    "BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    bly_own_leg l = {1.f, 2}, m[bly_own_N];\n"
    "    BLY_LOOP for (int j = 0, k = 1; j < DIMS; j++) s->sum += bly_payoff_exp(x[j]) * bly_own_now + "
    "bly_own_helper(t, &l);\n"
    "    if (i == 3) s->b = (int)bly_own_SQUARE(2.5e0f);\n"
    "}\n"
    "#else\n"
    "#error \" don't /*  do \"\n"
    "#endif\n"
    "BAILEY_FN real bly_own_helper(real x, const bly_own_leg *l)\n"
    "{ return bly_payoff_pow(x, l->now_a) / 3 + bly_own_table[bly_own_TWO]; }\n"
    "BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[bly_own_N])\n"
    "{ real at = bly_payoff_fmax(s->sum / STEPS - p->weight[0], 0.1f); out[0] = at; out[1] = 1e3f; }\n"
    "\n";

static void whole_text(void **state)
{
    (void)state;
    compilers_get(good, BAILEY_PRECISION_F32, good_f32);
}

static void check_field(const struct bly_field *field, const char *name, enum bly_field_type type,
                        uint32_t count, uint32_t array, uint32_t offset)
{
    assert_string_equal(field->name, name);
    assert_int_equal(field->type, type);
    assert_int_equal(field->count, count);
    assert_int_equal(field->array, array);
    assert_int_equal(field->offset, offset);
}

static void fields(void **state)
{
    (void)state;
    for (int f64 = 0; f64 < 2; f64++) {
        struct bly_payoff payoff;
        assert_int_equal(read_text(good, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, &payoff),
                         BAILEY_OK);
        assert_int_equal(payoff.param_count, 4);
        check_field(&payoff.params[0], "spot", BLY_FIELD_REAL, 1, 0, 0);
        check_field(&payoff.params[1], "weight", BLY_FIELD_REAL, 8, 1, f64 ? 8 : 4);
        check_field(&payoff.params[2], "knock_in", BLY_FIELD_INT, 1, 0, f64 ? 72 : 36);
        check_field(&payoff.params[3], "n", BLY_FIELD_INT64, 1, 0, f64 ? 80 : 40);
        assert_int_equal(payoff.params_bytes, f64 ? 88 : 48);
        assert_int_equal(payoff.state_count, 4);
        check_field(&payoff.states[1], "hit", BLY_FIELD_UINT32, 20, 1, f64 ? 8 : 4);
        check_field(&payoff.states[2], "b", BLY_FIELD_INT, 1, 0, f64 ? 88 : 84);
        check_field(&payoff.states[3], "c", BLY_FIELD_UINT64, 1, 0, f64 ? 96 : 88);
        assert_int_equal(payoff.outputs, 2);
        assert_int_equal(payoff.whole, 0);
        assert_int_equal(payoff.has_root, 1);
        bly_payoff_free(&payoff);
    }
}

static void check_layout(const char *text, uint32_t bytes, uint32_t outputs, int whole, int has_root)
{
    struct bly_payoff payoff;
    if (read_text(text, BAILEY_PRECISION_F32, &payoff) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_text(), text);
    assert_int_equal(payoff.params_bytes, bytes);
    assert_int_equal(payoff.outputs, outputs);
    assert_int_equal(payoff.whole, whole);
    assert_int_equal(payoff.has_root, has_root);
    bly_payoff_free(&payoff);
}

#define WHOLE(body) "void whole(const params *p, path x, real out[]) {" body "}"
static void interfaces(void **state)
{
    (void)state;
    check_layout(PLAIN, 8, 1, 0, 0);
    check_layout(STEP FINISH, 8, 1, 0, 0);
    check_layout("typedef struct { int a, b, c; } params;" PLAIN, 16, 1, 0, 0);
    check_layout("typedef struct { int a; } params;" PLAIN, 8, 1, 0, 0);
    check_layout(STEP "void finish(const state *s, const params *p, real *out) {}", 8, 1, 0, 0);
    check_layout(STEP "void finish(const state *s, const params *p, real out[DIMS + 13]) {}", 8, 16, 0, 0);
    check_layout(WHOLE("out[0] = at(x, 0, 0);"), 8, 1, 1, 0);
    check_layout(WHOLE("out[0] = sqrt(at(x, 0, 0));"), 8, 1, 1, 1);
    check_layout(WHOLE("out[0] = 1; /* a / b */"), 8, 1, 1, 0);
    check_layout(WHOLE("out[0] /= 2;"), 8, 1, 1, 1);
}

#define REST                                                                                                 \
    "BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[]) {}BAILEY_FN "     \
    "void "                                                                                                  \
    "bly_own_finish(const state *s, const params *p, real out[]) {}\n"                                       \
    "BAILEY_FN void bly_own_start(state *s, const params *p) { (void)s, (void)p; }\n"
static void is_written(const char *text, bailey_precision precision, const char *expected)
{
    char both[4096], all[4096];
    snprintf(both, sizeof both, "%s" STEP FINISH, text);
    snprintf(all, sizeof all, "#line 1 \"payoff.c\"\n%s" REST, expected);
    compilers_get(both, precision, all);
}

static void details(void **state)
{
    (void)state;
    is_written("const real a[] = {1.F, 2.5L, 1e-3, 0x.8P0, 7, 07, 0xfU};\n", BAILEY_PRECISION_F32,
               "BAILEY_CONSTANT real bly_own_a[] = {1.f, 2.5f, 1e-3f, 0x.8P0f, 7, 07, 0xfU};\n");
    is_written("const real a[] = {1.F, 2.5L, 1e-300, 0.0e-999};\n", BAILEY_PRECISION_F64,
               "BAILEY_CONSTANT real bly_own_a[] = {1., 2.5, 1e-300, 0.0e-999};\n");
    is_written("const static int a = 1, b = 2;\n", BAILEY_PRECISION_F32,
               "BAILEY_CONSTANT int bly_own_a = 1, bly_own_b = 2;\n");
    is_written("struct leg { real r; }; const struct leg l = {1};\n", BAILEY_PRECISION_F32,
               "struct bly_own_leg { real r; }; BAILEY_CONSTANT struct bly_own_leg bly_own_l = {1};\n");
    is_written("real f(real x, int at) { real define = x; return define * at; }\n", BAILEY_PRECISION_F32,
               "BAILEY_FN real bly_own_f(real x, int at) { real define = x; return define * at; }\n");
    is_written("static inline const real *f(const real *x) { return x; }\n", BAILEY_PRECISION_F32,
               "BAILEY_FN const real *bly_own_f(const real *x) { return x; }\n");
    is_written("// caf\xc3\xa9\r\n#ifdef SPECIAL\r\n#undef SPECIAL\n#endif\n", BAILEY_PRECISION_F32,
               "\n#ifdef bly_own_SPECIAL\n#undef bly_own_SPECIAL\n#endif\n");
    is_written(
        "#define MONEY real\nMONEY f(MONEY x) { MONEY y = x, z[2]; z[0] = y; return z[0]; }\n",
        BAILEY_PRECISION_F32,
        "#define bly_own_MONEY real\nBAILEY_FN bly_own_MONEY bly_own_f(bly_own_MONEY x) { bly_own_MONEY y "
        "= x, z[2]; z[0] = y; return z[0]; }\n");
    is_written(
        "int f(int i) { switch (i) { case 1: return (int)sizeof(real); default: break; } return -i; }\n",
        BAILEY_PRECISION_F32,
        "BAILEY_FN int bly_own_f(int i) { switch (i) { case 1: return (int)sizeof(real); default: break; } "
        "return -i; }\n");
    is_written(
        "real f(real x) { return x; } real g(real f_) { struct { real f, x; } a; a.f = f(f_); return a.x; "
        "}\n",
        BAILEY_PRECISION_F32,
        "BAILEY_FN real bly_own_f(real x) { return x; } BAILEY_FN real bly_own_g(real f_) { struct { real f, "
        "x; } a; a.f = bly_own_f(f_); return a.x; }\n");
}

/* What an address is refused of must not keep an & between numbers out; members may come from a macro. */
static void constants(void **state)
{
    (void)state;
    is_written(
        "const int a = 1, b[] = {1}; int f(int i) { return i & a & b[i] & (i)&a; }\n", BAILEY_PRECISION_F32,
        "BAILEY_CONSTANT int bly_own_a = 1, bly_own_b[] = {1}; BAILEY_FN int bly_own_f(int i) { return i & "
        "bly_own_a & bly_own_b[i] & (i)&bly_own_a; }\n");
    is_written(
        "#define OF(m) q->m\nstruct own { real m0; }; real f(const struct own *q) { return OF(m0); }\n",
        BAILEY_PRECISION_F32,
        "#define bly_own_OF(m) q->m\nstruct bly_own_own { real m0; }; BAILEY_FN real bly_own_f(const struct "
        "bly_own_own *q) { return bly_own_OF(m0); }\n");
}

/* Macros that declare, and helpers with pointers. */
static void macros(void **state)
{
    (void)state;
    is_written("#define EACH(i, n) for (int i = 0; i < n; i++)\nreal f(const real *x)\n{ real y = 0; EACH(j, "
               "DIMS) y += "
               "x[j]; return y; }\n",
               BAILEY_PRECISION_F32,
               "#define bly_own_EACH(i, n) BLY_LOOP for (int i = 0; i < n; i++)\nBAILEY_FN real "
               "bly_own_f(const real "
               "*x)\n{ real "
               "y = 0; bly_own_EACH(j, DIMS) y += x[j]; return y; }\n");
    is_written(
        "#define N 3\n#define M (N + 1)\nvoid f(real *x) { real y[M]; x[0] = y[N - 1]; }\n",
        BAILEY_PRECISION_F32,
        "#define bly_own_N 3\n#define bly_own_M (bly_own_N + 1)\nBAILEY_FN void bly_own_f(real *x) { real "
        "y[bly_own_M]; x[0] = y[bly_own_N - 1]; }\n");
    is_written(
        "#define PTR const real *\n#define ROW table\nconst real table[1] = {1};\nreal f(PTR a) { PTR b = a; "
        "return "
        "*b + ROW[0]; }\n",
        BAILEY_PRECISION_F32,
        "#define bly_own_PTR const real *\n#define bly_own_ROW bly_own_table\nBAILEY_CONSTANT real "
        "bly_own_table[1] = "
        "{1};\nBAILEY_FN real bly_own_f(bly_own_PTR a) { bly_own_PTR b = a; return *b + bly_own_ROW[0]; }\n");
    is_written("\xef\xbb\xbf// a byte order mark\n", BAILEY_PRECISION_F32, "\n");
}

/* How often BLY_LOOP stands in what compilers get of a text. */
static void unrolls(int times, const char *helpers)
{
    char text[4096];
    struct bly_payoff payoff;
    int found = 0;
    snprintf(text, sizeof text,
             "typedef struct { int n; } params; typedef struct { int n; } state;\n%s\n" PLAIN, helpers);
    if (read_text(text, BAILEY_PRECISION_F32, &payoff) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_text(), text);
    for (const char *at = payoff.text; (at = strstr(at, "BLY_LOOP ")); at++) found++;
    if (found != times) fail_msg("%d loops are unrolled, not %d:\n%s", found, times, payoff.text);
    bly_payoff_free(&payoff);
}

/* Loops are unrolled as far as they have a condition, as gcc wants it, and their copies do not multiply. */
static void loops(void **state)
{
#define FOR(k, n) "for (int " k " = 0; " k " < " n "; " k "++) "
#define EACH(body)                                                                                           \
    "#define EACH(k, n) for (int k = 0; k < n; k++)\nint f(int x) { int y = 0; " body " return y; }"
#define BODY(body) "int f(int x) { int y = 0; " body " return y; }"
    (void)state;
    unrolls(1, BODY("for (int k = 0; k < 4; k++) y++;"));
    unrolls(0, BODY("for (int k = 0;; k++) if (k > 3) break;"));
    unrolls(0, BODY("for (;;) break;"));
    unrolls(1, BODY("for (; y < 3;) y++;"));
    unrolls(0, "#define LESS(k)\n" BODY("for (int k = 0; LESS(k); k++) break;"));
    unrolls(0, "#define LESS\n" BODY("for (int k = 0; LESS; k++) break;"));
    unrolls(0, "#define EVER(c) for (; c;) break;\n" BODY("EVER()"));
    unrolls(2, BODY(FOR("a", "16") FOR("b", "16") "y += a * b;"));
    unrolls(2, BODY(FOR("a", "16") FOR("b", "16") FOR("c", "16") "y += a * b * c;"));
    unrolls(3, BODY(FOR("a", "DIMS") FOR("b", "DIMS") FOR("c", "DIMS") "y += a * b * c;"));
    unrolls(2, BODY(FOR("a", "16") "{ if (x) " FOR("b", "x") "y++; else { " FOR("c", "x") "y--; } }"));
    unrolls(4, BODY(FOR("a", "16") "y++; " FOR("b", "16") "y++; " FOR("c", "16") FOR("d", "16") "y++;"));
    /* By functions that are called, and by macros. */
    unrolls(2, "int g(int x) { int y = 0; " FOR(
                   "k", "16") "y += k; return y; }\n"
                              "int h(int x) { int y = 0; " FOR("k", "16") "y += g(k); return y; }\n" BODY(
                                  FOR("k", "16") "y += h(k);"));
    unrolls(1, EACH("EACH(a, 16) y += a;"));
    unrolls(1, EACH("EACH(a, 16) EACH(b, 16) y += a * b;"));
    unrolls(0, EACH("EACH(a, 16) EACH(b, 16) EACH(c, 16) y += a * b * c;"));
#undef FOR
#undef EACH
#undef BODY
}

static void names(void **state)
{
    (void)state;
    struct bly_payoff out;
    const bailey_payoff payoff = {.text = STEP FINISH, .name = "a\"b\\c\nd\t%s.c"}, nothing = {.text = NULL},
                        unknown = {.name = "no such thing"};
    assert_int_equal(
        bly_payoff_read(&payoff,
                        &(struct bly_payoff_path){.precision = BAILEY_PRECISION_F32, .steps = 1, .dims = 1},
                        &out),
        BAILEY_OK);
    assert_ptr_equal(strstr(out.text, "#line 1 \"a_b_c_d_%s.c\"\n"), out.text);
    bly_payoff_free(&out);
    assert_int_equal(
        bly_payoff_read(&nothing,
                        &(struct bly_payoff_path){.precision = BAILEY_PRECISION_F32, .steps = 1, .dims = 1},
                        &out),
        BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "payoff");
    bly_payoff_free(&out);
    assert_int_equal(
        bly_payoff_read(&unknown,
                        &(struct bly_payoff_path){.precision = BAILEY_PRECISION_F32, .steps = 1, .dims = 1},
                        &out),
        BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_text(), "payoff \"no such thing\" is not a built-in");
    bly_payoff_free(&out);
}

static const struct {
    unsigned line;
    const char *word, *text;
} refused[] = {
    /* tokens */
    {2, "comment does not end", "\n/* \n"},
    {1, "backslash", "// comment \\\n" PLAIN},
    {2, "strings", "\nconst int a = 'a';"},
    {1, "strings", "const int a[] = \"a\";"},
    {1, "ASCII", "real caf\xc3\xa9;"},
    {2, "byte 0x01", "\n\001"},
    {1, "@ in the text", "@"},
    {1, "$ in the text", "real a$b;"},
    {1,
     "?"
     "? is not",
     "?"
     "?="},
    {1, "<: is not", "real a<:2:>;"},
    {1, ".. is not", "real f(real x, ...);"},
    {3, "write a space", "\n\nreal a\\\nb;"},
    {2, "65 characters; at most 63",
     "\nreal a234567890123456789012345678901234567890123456789012345678901234x;"},
    {1, "{ is not closed", "void step() {\n\n"},
    {2, "( is not closed", "void f()\n{ f(; }"},
    {2, "closes nothing", "\n}"},
    {3, "closes what begins before", "void f() {\n#if DIMS\n}\n#endif\n"},
    {1, "{ is not closed", "#define A {\n}"},
    {1, "closes nothing", "#define A }"},
    {2, "no #endif", "\n#if DIMS\n" PLAIN},
    {2, "no #if", "\n#else"},
    /* directives */
    {2, "#include is not offered", "\n#include <math.h>\n"},
    {1, "#pragma", "#pragma once"},
    {1, "#line", "#line 3"},
    {1, "no word", "#"},
    {1, "no word", "# 3"},
    {1, "## in a macro", "#define PASTE(a, b) a##b"},
    {1, "must be a function", "#define step 3"},
    {1, "real has a meaning", "#define real int"},
    {1, "if has a meaning", "#define if while"},
    {1, "__CUDA_ARCH__ is reserved", "#ifdef __CUDA_ARCH__\n#endif"},
    {1, "linux is reserved", "#if linux\n#endif"},
    /* words */
    {3, "double is not offered; write real", "\n\n" START "double f(void);"},
    {2, "write int64", "\nlong f(void);"},
    {1, "write uint32", "unsigned f(void);"},
    {1, "write int", "bool f(void);"},
    {1, "size_t is not offered", "size_t f(void);"},
    {1, "template is reserved", "real f(int template) {}"},
    {1, "float4 is reserved", "const float4 a;"},
    {1, "uint16 is reserved", "void f(uint16 a) {}"},
    {1, "image2d_array_t is reserved", "void f(image2d_array_t a) {}"},
    {1, "global is reserved", "void f(global real *a) {}"},
    {1, "goto is reserved", "void f() { goto a; }"},
    {1, "union is reserved", "union a { real b; int c; };"},
    {1, "bly_x is reserved", "real bly_x(void);"},
    {1, "_Generic is reserved", "void f() { _Generic; }"},
    {1, "threadIdx is reserved", "int f() { return threadIdx.x; }"},
    {2, "M_PI is reserved", "real f(void) {\n return M_PI; }"},
    {2, "a is not declared", "real f(void) {\n return a; }"},
    {2, "static is for declarations", "void f(void) {\n static int a = 0; }"},
    {1, "defined is for #if", "int f(int a) { return defined; }"},
    /* numbers */
    {2, "1e39 is beyond", "\nconst real a = 1e39;"},
    {1, "1e-39 is beyond", "const real a = 1e-39;"},
    {1, "0x1p-127 is beyond", "const real a = 0x1p-127f;"},
    {1, "1L: the suffix L", "const int a = 1L;"},
    {1, "1uLL: the suffix L", "const int a = 1uLL;"},
    {1, "exceeds 2147483647", "const int a = 2147483648;"},
    {1, "does not fit uint32", "const int a = 4294967296u;"},
    {1, "09 is not a number", "const int a = 09;"},
    {1, "1.5h is not a number", "const real a = 1.5h;"},
    {1, "1e is not a number", "const real a = 1e;"},
    {1, "0x is not a number", "const real a = 0x;"},
    {1, "0x1.8 is not a number", "const real a = 0x1.8;"},
    {1, "1.2.3 is not a number", "const real a = 1.2.3;"},
    {1, "0xe+1 is not a number", "const int a = 0xe+1;"},
    /* fields */
    {2, "second a in params", "typedef struct { real a;\n int a; } params;"},
    {1, "const in state", "typedef struct { const real a; } state;"},
    {3, "size of b", "typedef struct {\n real a;\n int b[0]; } params;"},
    {1, "size of b", "typedef struct { int b[STEPS - 12]; } params;"},
    {1, "size of b", "typedef struct { int b[65536 * 65536]; } params;"},
    {1, "size of b", "typedef struct { int b[]; } params;"},
    {3, "size of b", "#define N 2\n#undef N\ntypedef struct { int b[N]; } params;"},
    {1, "more than one dimension", "typedef struct { int b[2][2]; } params;"},
    {1, "where a semicolon", "typedef struct { int b } params;"},
    {1, "params has", "typedef struct { real b[262145]; } params;" PLAIN},
    {1, "state has", "typedef struct { real b[16385]; } state;" PLAIN},
    {1, "name is missing", "typedef struct { real *b; } params;"},
    {2, "a # line within params", "typedef struct { real b;\n#if DIMS\n int c;\n#endif\n} params;"},
    {2, "within an #if", "#if DIMS\ntypedef struct { real b; } params;\n#endif\n"},
    {2, "second state", "typedef struct { real b; } state;\ntypedef struct { real b; } state;"},
    {1, "write typedef struct", "typedef real state;"},
    {1, "has a meaning of its own", "typedef struct { real exp; } params;"},
    /* file scope */
    {2, "a is not const", "\nreal a = 3;"},
    {1, "a is not const", "static int a;"},
    {1, "no pointers", "const real *a = 0;"},
    {1, "has no value", "const real a;"},
    {1, "does not end", "const real a = 3"},
    {1, "hidden does not begin", "hidden a;"},
    {1, "f does not begin", "f(void) { }"},
    {1, "as a function is", "real a, f(void);"},
    {2, "a # line within a declaration", "real\n#if DIMS\n#endif\nf(void);"},
    {1, "exp has a meaning", "real exp(real x) { return x; }"},
    {1, "gives one type", "typedef real (*f)(real);"},
    {1, "size of b is not constant", "void f(int a) { real b[a]; }"},
    {1, "write values in order", "struct s { real a; }; void f() { struct s b = {.a = 1}; }"},
    {1, "conversion is (real)x", "real f(int a) { return real(a); }"},
    {1, "int has a meaning", "void f() { real int; }"},
    {1, "real has a meaning", "real f(int real) { return 0; }"},
    /* calls */
    {2, "sinh is not offered; a payoff may call exp", "real f(real x) {\n return sinh(x); }"},
    {1, "printf is not offered", "void f() { printf(1); }"},
    {1, "at is not offered", "real f(int a) { return at(a, 0, 0); }"},
    {1, "exp is a function", "void f() { real a = exp; }"},
    {1, "the function h has no body", "real h(void); real f(void) { return h(); }"},
    {1, "g is a function", "real g(void) { return 1; } void f() { real a = g; }"},
    {1, "fmax is a function", "#define LARGER fmax"},
    {1, "f is not offered", "#define CALL(f, x) f(x)"},
    {2, "A is not offered", "#define A (2)\nvoid f() { A (3); }"},
    {2, "f calls itself", "int f(int i) {\n return f(i); }" PLAIN},
    {2, "f calls itself",
     "int f(int i);\nint g(int i) { return f(i); }\nint f(int i) { return g(i); }" PLAIN},
    {2, "w is an array of params",
     "typedef struct { real w[2]; } params; real f(const real *w) { return *w; }\nvoid g(const params *p) { "
     "f(p->w); }"},
    {1, "a is an array", "const real a[2] = {1, 2}; real f(const real *x) { return *x; } void g() { f(a); }"},
    {2, "a is a constant", "const real a = 1; real f(const real *x) { return *x; }\nvoid g() { f(&a); }"},
    /* interface */
    {1, "no function step and no", ""},
    {2, "no function step", FINISH "\n"},
    {1, "no function finish", START STEP},
    {1, "no function start", "typedef struct { real a; } state;" STEP FINISH},
    {1, "stands in place", WHOLE("") STEP},
    {1, "whole has no state", "typedef struct { real a; } state;" WHOLE("")},
    {2, "write void start(", STEP FINISH "\nvoid start(state *s) {}"},
    {2, "write void step(", START FINISH "\nvoid step(state *s, const params *p) {}"},
    {2, "write void finish(", START STEP "\nvoid finish(real out[]) {}"},
    {2, "write void whole(", "\nvoid whole(void) {}"},
    {1, "must return void",
     "int step(state *s, const params *p, int i, real t, const real x[]) { return 0; }"},
    {2, "outputs is not in 1 .. 16", STEP "\nvoid finish(const state *s, const params *p, real out[17]) {}"},
    {1, "outputs is not in 1 .. 16",
     STEP "void finish(const state *s, const params *p, real out[sizeof(real)]) {}"},
    {1, "last parameter", STEP "void finish(const state *s, const params *p, real out) {}"},
};

static int is_refused(size_t i)
{
    struct bly_payoff payoff;
    char line[64];
    const bailey_status status = read_text(refused[i].text, BAILEY_PRECISION_F32, &payoff);
    const char *text = bailey_error_text();
    snprintf(line, sizeof line, "payoff.c, line %u: ", refused[i].line);
    bly_payoff_free(&payoff);
    if (status == BAILEY_ERROR_INVALID && strncmp(text, line, strlen(line)) == 0 &&
        strstr(text, refused[i].word) && strcmp(bailey_error_argument(), "payoff") == 0)
        return 1;
    print_error("status %d, \"%s\", not line %u, \"%s\", of\n%s\n", (int)status, text, refused[i].line,
                refused[i].word, refused[i].text);
    return 0;
}

static void refusals(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) wrong += !is_refused(i);
    assert_int_equal(wrong, 0);
}

/* Limits of size and depth. */
static void limits(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    struct bly_payoff payoff;
    char *text = calloc(MOST + 2, 1);
    memset(text, '\n', MOST + 1);
    memcpy(text, STEP FINISH, strlen(STEP FINISH));
    assert_int_equal(read_text(text, BAILEY_PRECISION_F32, &payoff), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_text(), "1048576 bytes"));
    text[MOST] = 0;
    assert_int_equal(read_text(text, BAILEY_PRECISION_F32, &payoff), BAILEY_OK);
    bly_payoff_free(&payoff);
    memset(text, '(', MOST);
    assert_int_equal(read_text(text, BAILEY_PRECISION_F32, &payoff), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_text(), "more than 200 brackets"));
    bly_payoff_free(&payoff);
    for (size_t i = 0; i < MOST; i += 8)
        snprintf(text + i, 9, "%s%05x,", i ? "a_" : "c ", (unsigned)(i & 0xfffff));
    assert_int_equal(read_text(text, BAILEY_PRECISION_F32, &payoff), BAILEY_ERROR_INVALID);
    bly_payoff_free(&payoff);
    free(text);
}

/* A program whose decimal point is a comma reads the same numbers. */
static void any_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return; /* not installed here */
    compilers_get(good, BAILEY_PRECISION_F32, good_f32);
    setlocale(LC_ALL, "C");
}

/* Each allocation fails in turn: ERROR_MEMORY, and nothing is lost. */
static void no_memory(void **state)
{
    (void)state;
    int failures = 0;
    for (bly_alloc_countdown = 1;; bly_alloc_countdown = ++failures + 1) {
        struct bly_payoff payoff;
        const bailey_status status = read_text(good, BAILEY_PRECISION_F32, &payoff);
        bly_alloc_countdown = -1;
        bly_payoff_free(&payoff);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
    }
    assert_in_range(failures, 6, 20);
}

/* Damages a text: some bytes become others, tokens are repeated, the end is lost. */
static void damage(char *text, size_t length, uint64_t *random)
{
    static const char likely[] = "(){}[];,*#\\/\"'.=+-\n aet01";
    const uint64_t changes = next_random(random) % 4;
    for (uint64_t i = 0; i < changes; i++) {
        const size_t at = next_random(random) % length, from = next_random(random) % length;
        const uint64_t what = next_random(random) % 4;
        const size_t room = length - (at > from ? at : from), count = next_random(random) % 16;
        if (what == 0) text[at] = (char)(1 + next_random(random) % 255);
        if (what == 1 || what == 2) text[at] = likely[next_random(random) % (sizeof likely - 1)];
        if (what == 3) memmove(text + at, text + from, count < room ? count : room);
    }
    if (changes == 0) text[next_random(random) % length] = 0;
}

static void beginnings(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof good - 1; length++) {
        struct bly_payoff payoff;
        char *text = calloc(length + 1, 1); /* no more, so that a sanitizer sees what is read behind it */
        memcpy(text, good, length);
        const bailey_status status = read_text(text, BAILEY_PRECISION_F32, &payoff);
        bly_payoff_free(&payoff);
        free(text);
        assert_int_equal(status, length < sizeof good - 2 ? BAILEY_ERROR_INVALID : BAILEY_OK);
    }
}

static void damaged_texts(void **state)
{
    (void)state;
    uint64_t random = 15;
    int accepted = 0;
    for (int i = 0; i < 20000; i++) {
        struct bly_payoff payoff;
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        damage(text, sizeof good - 1, &random);
        const bailey_status status = read_text(text, BAILEY_PRECISION_F32, &payoff);
        if (status != BAILEY_OK && status != BAILEY_ERROR_INVALID)
            fail_msg("status %d of\n%s", (int)status, text);
        accepted += status == BAILEY_OK;
        bly_payoff_free(&payoff);
    }
    assert_in_range(accepted, 100, 19000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_text),    cmocka_unit_test(fields),    cmocka_unit_test(interfaces),
        cmocka_unit_test(details),       cmocka_unit_test(names),     cmocka_unit_test(macros),
        cmocka_unit_test(constants),     cmocka_unit_test(refusals),  cmocka_unit_test(limits),
        cmocka_unit_test(any_locale),    cmocka_unit_test(no_memory), cmocka_unit_test(beginnings),
        cmocka_unit_test(damaged_texts), cmocka_unit_test(loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
