/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code as simulations have it: its fields, and the program that compilers get. Refusals are in
 * test_payoff_parse.c and test_payoff_check.c. No device, no context.
 */
#include "harness.h"

#include <base/alloc.h>
#include <host/payoff/payoff.h>
#include <locale.h>

static bailey_status read_text(const char *text, bailey_precision precision, struct bly_payoff *out)
{
    const bailey_payoff payoff = {.code = text};
    memset(out, 0xa5, sizeof *out);
    return bly_payoff_read(&payoff, &(struct bly_payoff_path){.precision = precision, .steps = 12, .dims = 3},
                           out);
}

/* The three functions with nothing in them, on one line. */
#define START "void start(state *s, const params *p) {}"
#define STEP "void step(state *s, const params *p, int i, real t, const real x[]) {}"
#define FINISH "void finish(const state *s, const params *p, real out[]) { out[0] = 0; }"
#define PLAIN START STEP FINISH

static void compilers_get(const char *text, bailey_precision precision, const char *expected)
{
    struct bly_payoff payoff;
    if (read_text(text, precision, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), text);
    assert_string_equal(payoff.text, expected);
    bly_payoff_free(&payoff);
}

/* ---- A program ----------------------------------------------------------------------------------- */

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
    "static const int shift = 3;\n"
    "static real helper(real x, const leg *l)\n"
    "{ return pow(x, l->now_a) / 3 + table[TWO]; }\n"
    "void start(state *s, const params *p)\n"
    "{ s->sum = 0; s->b = 0; s->c = 1; for (int k = 0; k < 20; k++) s->hit[k] = 3u; }\n"
    "#if DIMS > 2 && \\\n"
    "    defined(N)\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    leg l = {1., 2}, m[N] = {{1, 2}, {3, 4}};\n"
    "    for (int j = 0, k = 1; j < DIMS; j++) s->sum += exp(x[j]) * now + helper(t, &l) * k;\n"
    "    if (i == 3) s->b = (int)SQUARE(2.5e0); else s->c = s->c << shift;\n"
    "    s->b += m[1].b;\n"
    "}\n"
    "#else\n"
    "#error don't /* \"do\"\n"
    "#endif\n"
    "void finish(const state *s, const params *p, real out[N])\n"
    "{ real at = fmax(s->sum / STEPS - p->weight[0], 0.1); out[0] = -at; out[1] = p->n > 5 ? 1e3 : -1e-3; "
    "}\n";

static const char good_f32[] =
    "#include \"kernels/payoff_checked.h\"\n"
    "typedef struct bly_own_2_leg {\n"
    "    real own_now_a;\n"
    "    int own_b;\n"
    "} bly_own_2_leg;\n"
    "BAILEY_CONSTANT real bly_own_table[3] = {1.0f, 0.5f, 0.125f};\n"
    "BAILEY_FN real bly_own_helper(real own0_x, const bly_own_2_leg *own1_l)\n"
    "{\n"
    "    return bly_payoff_pow(own0_x, own1_l->own_now_a) / 3.0f + bly_own_table[2];\n"
    "}\n"
    "BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)\n"
    "{\n"
    "    own0_s->own_sum = 0.0f;\n"
    "    own0_s->own_b = 0;\n"
    "    own0_s->own_c = (uint64)1u;\n"
    "    BLY_LOOP for (int own2_k = 0; own2_k < 20; own2_k = own2_k + 1) {\n"
    "        own0_s->own_hit[own2_k] = 3u;\n"
    "    }\n"
    "}\n"
    "BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const "
    "real own4_x[])\n"
    "{\n"
    "    bly_own_2_leg own5_l = {1.0f, 2};\n"
    "    bly_own_2_leg own6_m[2] = {{1.0f, 2}, {3.0f, 4}};\n"
    "    BLY_LOOP for (int own7_j = 0, own8_k = 1; own7_j < 3; own7_j = own7_j + 1) {\n"
    "        own0_s->own_sum = own0_s->own_sum + (bly_payoff_exp(own4_x[own7_j]) * own1_p->own_spot + "
    "bly_own_helper(own3_t, &own5_l) * (real)own8_k);\n"
    "    }\n"
    "    if (own2_i == 3) {\n"
    "        own0_s->own_b = bly_to_i32(2.5f * 2.5f);\n"
    "    } else {\n"
    "        own0_s->own_c = own0_s->own_c << 3;\n"
    "    }\n"
    "    own0_s->own_b = bly_add_i32(own0_s->own_b, own6_m[1].own_b);\n"
    "}\n"
    "BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])\n"
    "{\n"
    "    real own3_at = bly_payoff_fmax(own0_s->own_sum / (real)12 - own1_p->own_weight[0], 0.1f);\n"
    "    own2_out[0] = -own3_at;\n"
    "    own2_out[1] = own1_p->own_n > (int64)5 ? 1e+03f : -0.001f;\n"
    "}\n";

TEST(whole_text, HOST)
{
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

TEST(fields, HOST)
{
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
        fail_msg("%s\n%s", bailey_error_message(), text);
    assert_int_equal(payoff.params_bytes, bytes);
    assert_int_equal(payoff.outputs, outputs);
    assert_int_equal(payoff.whole, whole);
    assert_int_equal(payoff.has_root, has_root);
    bly_payoff_free(&payoff);
}

#define WHOLE(body) "void whole(const params *p, path x, real out[]) {" body "}"
TEST(interfaces, HOST)
{
    check_layout(PLAIN, 8, 1, 0, 0);
    check_layout(STEP FINISH, 8, 1, 0, 0);
    check_layout("typedef struct { int a, b, c; } params;" PLAIN, 16, 1, 0, 0);
    check_layout("typedef struct { int a; } params;" PLAIN, 8, 1, 0, 0);
    check_layout(STEP "void finish(const state *s, const params *p, real *out) { out[0] = 0; }", 8, 1, 0, 0);
    check_layout(STEP "void finish(const state *s, const params *p, real out[DIMS + 13]) { for (int k = 0; k "
                      "< 16; k++) out[k] = 0; }",
                 8, 16, 0, 0);
    check_layout(WHOLE("out[0] = at(x, 0, 0);"), 8, 1, 1, 0);
    check_layout(WHOLE("out[0] = sqrt(at(x, 0, 0));"), 8, 1, 1, 1);
    check_layout(WHOLE("out[0] = 1; /* a / b */"), 8, 1, 1, 0);
    check_layout(WHOLE("out[0] = 1; out[0] /= 2;"), 8, 1, 1, 1);
}

/* ---- Parts of programs --------------------------------------------------------------------------- */

/* What stands in the program of a function of the code's own, with these lines before it. */
static void function_is(const char *before, const char *code, bailey_precision precision,
                        const char *expected)
{
    char text[4096];
    struct bly_payoff payoff;
    snprintf(text, sizeof text,
             "%s\nreal f(real a, real b, int i, int k, uint32 u) { %s }\n" STEP
             "void finish(const state *s, const params *p, real out[]) { out[0] = f(1, 2, 3, 4, 5u); }",
             before, code);
    if (read_text(text, precision, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), text);
    if (!strstr(payoff.text, expected)) fail_msg("no\n%s\nin\n%s", expected, payoff.text);
    bly_payoff_free(&payoff);
}

#define F32 BAILEY_PRECISION_F32
#define F64 BAILEY_PRECISION_F64

/* The shortest digits that have the same bits, of any way to write them. */
TEST(numbers, HOST)
{
    function_is("", "return 0.1;", F32, "    return 0.1f;\n");
    function_is("", "return 0.1;", F64, "    return 0.1;\n");
    function_is("", "return 0.1000000000000000055511151231257827021181583404541015625;", F64,
                " return 0.1;\n");
    function_is("", "return 3;", F32, " return 3.0f;\n");
    function_is("", "return 1e6 + 1e-7;", F32, " return 1e+06f + 1e-07f;\n");
    function_is("", "return 0x1.8p-3;", F64, " return 0.1875;\n");
    function_is("", "return 16777216;", F32, " return 16777216.0f;\n");
    function_is("", "return 3.4028234663852886e38;", F32, " return 3.4028235e+38f;\n");
    function_is("", "return 0.3333333333333333;", F64, " return 0.3333333333333333;\n");
    function_is("", "return i + (-2147483647 - 1);", F32, "2147483647");
    function_is("", "return u / 4294967295u;", F32, " return (real)(own4_u / 4294967295u);\n");
    function_is("", "return (int64)65536 * 65536 / 3;", F32,
                " return (real)((int64)65536 * (int64)65536 / (int64)3);\n");
}

/* Operators keep their order; brackets stand where they are needed, and where few know the order. */
TEST(operators, HOST)
{
    function_is("", "return a - (b - a) * b / (a / b);", F32,
                " return own0_a - (own1_b - own0_a) * own1_b / (own0_a / own1_b);\n");
    function_is("", "return a - b - a;", F32, " return own0_a - own1_b - own0_a;\n");
    function_is("", "return -(-a) * -b;", F32, " return -(-own0_a) * -own1_b;\n");
    function_is("", "return a < b && b > 0 || !i ? a : b;", F32, "own0_a < own1_b");
    function_is("", "return (u & 7u) == 3u ? (u ^ 1u) | u & 2u : u + 1u;", F32,
                " return (real)((own4_u & 7u) == 3u ? (own4_u ^ 1u) | (own4_u & 2u) : own4_u + 1u);\n");
    function_is("", "return a > b == (b > a);", F32,
                " return (real)((own0_a > own1_b) == (own1_b > own0_a));\n");
}

/* Where it cannot be proved that C defines the operation. */
TEST(checked, HOST)
{
    const char *params = "typedef struct { int n, m; uint32 u; int64 w; real r, table[3]; } params;";
    static const struct {
        const char *code, *expected;
    } cases[] = {
        {"p->n + p->m", "bly_add_i32(own1_p->own_n, own1_p->own_m)"},
        {"p->w - p->n", "bly_subtract_i64(own1_p->own_w, bly_widen(own1_p->own_n))"},
        {"p->n * 3", "bly_multiply_i32(own1_p->own_n, 3)"},
        {"-p->n", "bly_negate_i32(own1_p->own_n)"},
        {"p->u * p->u", "own1_p->own_u * own1_p->own_u"},
        {"p->n << p->m", "bly_left_i32(own1_p->own_n, (uint32)own1_p->own_m)"},
        {"p->u >> 3", "own1_p->own_u >> 3"},
        {"p->u >> p->w", "bly_right_u32(own1_p->own_u, (uint32)own1_p->own_w)"},
        {"p->n / 2", "own1_p->own_n / 2"},
        {"p->n / -1", "bly_quotient_i32(own1_p->own_n, "},
        {"p->n / p->m", "bly_divide_i32(w, 1, own1_p->own_n, own1_p->own_m)"},
        {"p->w % p->n", "bly_remainder_i64(w, 1, own1_p->own_w, bly_widen(own1_p->own_n))"},
        {"p->u / p->u", "bly_divide_u32(w, 1, own1_p->own_u, own1_p->own_u)"},
        {"(int)p->r", "bly_to_i32(own1_p->own_r)"},
        {"(uint64)p->r", "bly_to_u64(own1_p->own_r)"},
        {"p->table[p->n]", "own1_p->own_table[bly_index_i32(w, 1, own1_p->own_n, 3u)]"},
        {"p->table[p->u]", "own1_p->own_table[bly_index_u32(w, 1, own1_p->own_u, 3u)]"},
        {"p->table[p->u % 3u]", "own1_p->own_table[own1_p->own_u % 3u]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct bly_payoff payoff;
        snprintf(text, sizeof text,
                 "%s" STEP "void finish(const state *s, const params *p, real out[]) { out[0] = %s; }",
                 params, cases[i].code);
        if (read_text(text, F32, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), text);
        if (!strstr(payoff.text, cases[i].expected)) fail_msg("no %s in\n%s", cases[i].expected, payoff.text);
        const int fails = strstr(cases[i].expected, "w, 1") != NULL;
        assert_int_equal(payoff.site_count, fails);
        assert_int_equal(strstr(payoff.text, "#define BLY_FAULTS 1") != NULL, fails);
        assert_int_equal(strstr(payoff.text, "real own2_out[], bly_watch *w)") != NULL, fails);
        bly_payoff_free(&payoff);
    }
}

/* What may fail is evaluated from left to right. */
TEST(order, HOST)
{
    const char *params = "typedef struct { int i, j; real g[2], h[3]; } params;"
                         "typedef struct { real sum[2]; int k; } state;";
    static const struct {
        const char *code, *expected;
    } cases[] = {
        {"out[0] = p->g[p->i];",
         "    own2_out[0] = own1_p->own_g[bly_index_i32(w, 1, own1_p->own_i, 2u)];\n"},
        {"out[0] = p->g[p->i] + p->h[p->j];",
         "    bly_t1 = bly_index_i32(w, 1, own1_p->own_i, 2u), bly_t2 = bly_index_i32(w, 2, own1_p->own_j, "
         "3u), "
         "own2_out[0] = own1_p->own_g[bly_t1] + own1_p->own_h[bly_t2];\n"},
        {"out[0] = p->i > 0 && p->g[p->i] > 0 ? 1 : 0;",
         "own1_p->own_i > 0 && own1_p->own_g[bly_index_i32(w, 1, own1_p->own_i, 2u)] > 0.0f"},
        {"out[0] = fmax(p->g[p->i], p->i > 0 ? p->h[p->j] : 0);",
         "bly_t2 = own1_p->own_i > 0 ? own1_p->own_h[bly_index_i32(w, 2, own1_p->own_j, 3u)] : 0.0f, "
         "own2_out[0] = "
         "bly_payoff_fmax(own1_p->own_g[bly_t1], bly_t2);\n"},
        {"out[0] = p->g[p->i] + (p->i > 0 ? p->h[p->j] - p->g[p->j] : 0);",
         "bly_t2 = own1_p->own_i > 0 ? (bly_t3 = bly_index_i32(w, 2, own1_p->own_j, 3u), bly_t4 = "
         "bly_index_i32(w, 3, own1_p->own_j, 2u), own1_p->own_h[bly_t3] - own1_p->own_g[bly_t4]) : 0.0f, "
         "own2_out[0] = own1_p->own_g[bly_t1] + bly_t2;\n"},
        {"real a[2] = {1, 2}; a[p->i] = p->h[p->j]; out[0] = a[0];",
         "    bly_t1 = bly_index_i32(w, 1, own1_p->own_j, 3u), bly_t2 = bly_index_i32(w, 2, own1_p->own_i, "
         "2u), "
         "own3_a[bly_t2] = own1_p->own_h[bly_t1];\n"},
        {"real a[2] = {1, 2}; a[p->i] += p->h[0]; out[0] = a[0];",
         "    bly_t1 = bly_index_i32(w, 1, own1_p->own_i, 2u), own3_a[bly_t1] = own3_a[bly_t1] + "
         "own1_p->own_h[0];\n"},
        {"const real a[2] = {p->g[p->i], p->h[p->j]}; out[0] = a[0];",
         "    const real own3_a[2] = {own1_p->own_g[bly_t1], own1_p->own_h[bly_t2]};\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct bly_payoff payoff;
        snprintf(text, sizeof text,
                 "%s void start(state *s, const params *p) { s->sum[0] = 0; s->sum[1] = 0; s->k = 0; }\n" STEP
                 "void finish(const state *s, const params *p, real out[]) { %s }",
                 params, cases[i].code);
        if (read_text(text, F32, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), text);
        if (!strstr(payoff.text, cases[i].expected))
            fail_msg("no\n%s\nin\n%s", cases[i].expected, payoff.text);
        bly_payoff_free(&payoff);
    }
}

/* Indices of x and of functions' arrays are hidden from compilers where they depend on data. */
TEST(indices, HOST)
{
#define EACH "for (int k = 0; k < DIMS; k++) "
    static const struct {
        const char *code, *expected;
    } cases[] = {
        /* The state, parameters, the step and what is computed from these. */
        {"r += x[s->u % 3u];", "own4_x[bly_opaque_index(own0_s->own_u % 3u)]"},
        {"r += x[i % 3];", "own4_x[bly_opaque_index(own2_i % 3)]"},
        {"r += x[(int64)(s->u & 1u) + 1];",
         "own4_x[bly_opaque_index((int64)(own0_s->own_u & 1u) + (int64)1)]"},
        {"r += x[t > 1 ? 1 : 0];", "own4_x[bly_opaque_index(own3_t > 1.0f ? 1 : 0)]"},
        {"r += x[tens(s->u)];", "own4_x[bly_opaque_index(bly_own_tens(own0_s->own_u))]"},
        {"r += x[s->zero % 3u];", "own4_x[bly_opaque_index(own0_s->own_zero % 3u)]"}, /* though it is 0 */
        {"r += x[DIMS - 1];", "own4_x[3 - 1]"},
        {"const real y[2] = {1, 2}; r += y[s->u % 2u];", "own6_y[own0_s->own_u % 2u]"},
        /* Code with tests as it runs. */
        {"r += x[p->n];", "own4_x[bly_opaque_index(bly_index_i32(w, 1, own1_p->own_n, 3u))]"},
        {"r += x[p->n] + x[p->w];", "bly_t1 = bly_opaque_index(bly_index_i32(w, 1, own1_p->own_n, 3u)), "
                                    "bly_t2 = bly_opaque_index(bly_index_u64(w, 2, own1_p->own_w, 3u)), "},
        {"for (int k = 0; k < 99; k++) r += x[k * k % 4];",
         "own4_x[bly_index_i32(w, 1, own6_k * own6_k % 4, 3u)]"},
        /* Counters. */
        {EACH "r += x[k];", "own4_x[own6_k]"},
        {EACH "{ if (x[k] > t) break; r = 1; }", "own4_x[own6_k]"},
        {"if (x[0] > t) " EACH "r += x[k];", "own4_x[own6_k]"},
        {"for (int k = 0; k < 3 && k < p->n; k++) r += x[k];", "own4_x[bly_opaque_index(own6_k)]"},
        /* Tables. */
        {EACH "r += x[turns[k]];", "own4_x[bly_own_turns[own6_k]]"},
        {"r += x[turns[s->u % 3u]];", "own4_x[bly_opaque_index(bly_own_turns[own0_s->own_u % 3u])]"},
        /* Local variables. */
        {EACH "{ const int j = 2 - k; r += x[j]; }", "own4_x[own7_j]"},
        {"const uint32 j = s->u % 3u; r += x[j];", "own4_x[bly_opaque_index(own6_j)]"},
        {"int j = 0; " EACH "{ r += x[j]; j = (j + 1) % 3; }", "own4_x[own6_j]"},
        {"int j = 0, l = 0; " EACH "{ r += x[j]; j = l; l = (int)(s->u % 3u); }",
         "own4_x[bly_opaque_index(own6_j)]"},
        {"int j = 0; if (x[0] > t) j = 1; r += x[j];", "own4_x[bly_opaque_index(own6_j)]"},
        {"if (x[0] > t) { int j = 0; " EACH "j = k; r += x[j]; }", "own4_x[own6_j]"},
        {"int j[2] = {0, 1}; " EACH "r += x[j[k / 2]];", "own4_x[own6_j[own7_k / 2]]"},
        {"int j[2] = {0, 1}; j[s->u % 2u] = 2; r += x[j[0]];", "own4_x[bly_opaque_index(own6_j[0])]"},
        /* Functions. */
        {EACH "r += of(x, k);", "own0_y[own1_k]"},
        {EACH "r += of(x, k); r += of(x, (int)(s->u % 3u));", "own0_y[bly_opaque_index(own1_k)]"},
        {"int j[1] = {1}; set(j, 1, 2u); set(j, 0, 0u); r += x[j[0]];", "own4_x[own6_j[0]]"},
        {"int j[1] = {1}; set(j, 1, s->u); r += x[j[0]];", "own4_x[bly_opaque_index(own6_j[0])]"},
    };
#undef EACH
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        struct bly_payoff payoff;
        snprintf(
            text, sizeof text,
            "typedef struct { int n; uint64 w; } params; typedef struct { real r; uint32 u, zero; } state;\n"
            "static const int turns[3] = {2, 0, 1};\n"
            "int tens(uint32 u) { return u > 9u ? 1 : 0; }\n"
            "real of(const real y[3], int k) { return y[k]; }\n"
            "void set(int j[], int k, uint32 u) { j[0] = k + (int)(u & 1u); }\n"
            "void start(state *s, const params *p) { s->r = 0; s->u = 0u; s->zero = 0u; }\n"
            "void step(state *s, const params *p, int i, real t, const real x[]) { real r = 0; %s s->r "
            "= r; s->u += 7u; }\n" FINISH,
            cases[i].code);
        if (read_text(text, F32, &payoff) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), text);
        if (!strstr(payoff.text, cases[i].expected)) fail_msg("no %s in\n%s", cases[i].expected, payoff.text);
        bly_payoff_free(&payoff);
    }
}

/* How often BLY_LOOP stands in what compilers get of a text. */
static void unrolls(int times, const char *helpers)
{
    char text[4096];
    struct bly_payoff payoff;
    int found = 0;
    snprintf(text, sizeof text,
             "typedef struct { int n; } params;\n%s\n" START STEP
             "void finish(const state *s, const params *p, real out[]) { out[0] = f(p->n); }",
             helpers);
    if (read_text(text, BAILEY_PRECISION_F32, &payoff) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_message(), text);
    for (const char *at = payoff.text; (at = strstr(at, "BLY_LOOP ")); at++) found++;
    if (found != times) fail_msg("%d loops are unrolled, not %d:\n%s", found, times, payoff.text);
    bly_payoff_free(&payoff);
}

/* Loops are unrolled as far as they have a condition, as gcc wants it, and their copies do not multiply. */
TEST(loops, HOST)
{
#define FOR(k, n) "for (int " k " = 0; " k " < " n "; " k "++) "
#define EACH(body)                                                                                           \
    "#define EACH(k, n) for (int k = 0; k < n; k++)\nint f(int x) { int y = 0; " body " return y; }"
#define BODY(body) "int f(int x) { int y = 0; " body " return y; }"
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
    unrolls(2, BODY(FOR("a", "16") "{ if (x > 100) " FOR("b", "x") "y++; else { " FOR("c", "x") "y--; } }"));
    unrolls(4, BODY(FOR("a", "16") "y++; " FOR("b", "16") "y++; " FOR("c", "16") FOR("d", "16") "y++;"));
    /* By functions that are called, and by macros. */
    unrolls(2, "int g(int x) { int y = 0; " FOR(
                   "k", "16") "y += k; return y; }\n"
                              "int h(int x) { int y = 0; " FOR("k", "16") "y += g(k); return y; }\n" BODY(
                                  FOR("k", "16") "y += h(k);"));
    unrolls(1, EACH("EACH(a, 16) y += a;"));
    unrolls(2, EACH("EACH(a, 16) EACH(b, 16) y += a * b;"));
    unrolls(2, EACH("EACH(a, 16) EACH(b, 16) EACH(c, 16) y += a * b * c;"));
#undef FOR
#undef EACH
#undef BODY
}

TEST(names, HOST)
{
    struct bly_payoff out;
    const bailey_payoff payoff = {.code = STEP FINISH, .name = "a\"b\\c\nd\t%s.c"}, nothing = {.code = NULL},
                        unknown = {.name = "no such thing"};
    assert_int_equal(
        bly_payoff_read(&payoff,
                        &(struct bly_payoff_path){.precision = BAILEY_PRECISION_F32, .steps = 1, .dims = 1},
                        &out),
        BAILEY_OK);
    assert_string_equal(out.name, "a_b_c_d_%s.c");
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
    assert_string_equal(bailey_error_message(), "payoff \"no such thing\" is not a built-in");
    bly_payoff_free(&out);
}

/* A program whose decimal point is a comma reads the same numbers. */
TEST(any_locale, HOST)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return; /* not installed here */
    compilers_get(good, BAILEY_PRECISION_F32, good_f32);
    setlocale(LC_ALL, "C");
}

/* Each allocation fails in turn: ERROR_MEMORY, and nothing is lost. */
TEST(no_memory, HOST)
{
    int failures = 0;
    for (bly_alloc_countdown = 1;; bly_alloc_countdown = ++failures + 1) {
        struct bly_payoff payoff;
        const bailey_status status = read_text(good, BAILEY_PRECISION_F32, &payoff);
        bly_alloc_countdown = -1;
        bly_payoff_free(&payoff);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
    }
    assert_in_range(failures, 6, 100);
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

TEST(beginnings, HOST)
{
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

TEST(damaged_texts, HOST)
{
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
