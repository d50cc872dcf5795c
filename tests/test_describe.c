/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Descriptions of payoffs and of level functions: what is read from comments, and each remark that is
 * refused, with its place. No device, no context.
 */
#include "harness.h"

#include <bailey/mlmc.h>
#include <base/alloc.h>
#include <host/mlmc/driver.h>
#include <host/payoff/payoff.h>
#include <locale.h>
#include <math.h>

#define PARAMS(...) "typedef struct {\n" __VA_ARGS__ "} params;\n"
#define REST                                                                                                 \
    "typedef struct { real x; } state;\n"                                                                    \
    "void start(state *s, const params *p) { s->x = 0; }\n"                                                  \
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->x = x[0]; }\n"                 \
    "void finish(const state *s, const params *p, real out[2]) { out[0] = s->x; out[1] = 1; }\n"

static bailey_description *describe(const char *code, const bailey_describe_params *params)
{
    const bailey_payoff payoff = {.code = code};
    bailey_description *d = NULL;
    if (bailey_payoff_describe(&payoff, params, &d) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_message(), code);
    return d;
}

static const bailey_parameter *parameter(const bailey_description *d, const char *name)
{
    for (uint32_t i = 0; i < d->parameter_count; i++)
        if (strcmp(d->parameters[i].name, name) == 0) return &d->parameters[i];
    fail_msg("there is no %s", name);
    return NULL;
}

/* ---- Descriptions -------------------------------------------------------------------------------- */

static const char full[] =
    "/** A call on the worst of several prices.\n"
    " * It is the first\n"
    " * paragraph: still.\n"
    " *\n"
    " * And a second one, in which a line may begin with a word and a colon, as\n"
    " * scheme: here.\n"
    " *\n"
    " * path: increments\n"
    " * dims: assets, at least 2\n"
    " * steps: 12, at least 2, at most 512\n"
    " * construction: walk\n"
    " * start: 0\n"
    " * coarser: width\n"
    " * out[1] geometric: a control variate,\n"
    " *     on two lines [control; likelihood]\n"
    " * out[0] price: its payoff\n"
    " * source: Somebody 1973\n"
    " * example: --device cuda:0 --spot 90,110: two prices: one\n"
    " *     colon is enough\n"
    " * example: ... --type put: puts\n"
    " * check: low <= high or high == 0: the range is empty\n"
    " */\n" PARAMS("    real spot[DIMS]; /* price today,\n"
                   "                      * of each x[d] [> 0; unit money; role spot] */\n"
                   "    real rate /* [unit per year] */, dividend; // yield [default 0; role dividend]\n"
                   "    real low, high; /* a range [default low -1; default high 2.5e0; in [-10, 10)] */\n"
                   "    int side, knock_in; /* of it [side -1 (down) or 1 (up); knock_in 0, 1 or 2; default "
                   "knock_in 1] */\n"
                   "    real initial[2 * DIMS]; /* [default 1 / DIMS; usual > 0 and < 0.5] */\n"
                   "    real fixing; /* see [3] for more */\n"
                   "    real width; /* [>= 0; default rate] */\n"
                   "    uint64 n; real nothing;\n") REST;

TEST(parameters, HOST)
{
    bailey_description *d = describe(full, &(bailey_describe_params){.dims = 4});
    assert_int_equal(d->parameter_count, 12);
    const bailey_parameter *p = parameter(d, "spot");
    assert_string_equal(p->summary, "price today, of each x[d]");
    assert_string_equal(p->unit, "money");
    assert_string_equal(p->size, "DIMS");
    assert_string_equal(p->range_words, "positive");
    assert_true(p->count == 4 && p->role == BAILEY_ROLE_SPOT && p->line == 24);
    assert_true(p->range.low == 0 && p->range.low_open && isinf(p->range.high));
    assert_true(p->default_kind == BAILEY_DEFAULT_KIND_NONE && *p->default_code == 0);
    p = parameter(d, "rate");
    assert_string_equal(p->unit, "per year");
    assert_string_equal(p->summary, "");
    assert_true(p->role == BAILEY_ROLE_NONE && p->default_kind == BAILEY_DEFAULT_KIND_NONE);
    p = parameter(d, "dividend");
    assert_string_equal(p->summary, "yield");
    assert_string_equal(p->unit, "");
    assert_string_equal(p->default_code, "0");
    assert_true(p->default_kind == BAILEY_DEFAULT_KIND_NUMBER && p->default_value == 0);
    assert_true(p->usual.low == -1 && p->usual.high == 1); /* of its role */
    p = parameter(d, "low");
    assert_string_equal(p->range_words, "in [-10, 10)");
    assert_true(p->default_value == -1 && p->range.low == -10 && !p->range.low_open && p->range.high_open);
    assert_true(parameter(d, "high")->default_value == 2.5);
    p = parameter(d, "side");
    assert_string_equal(p->range_words, "-1 (down) or 1 (up)");
    assert_true(p->type == BAILEY_PARAMETER_TYPE_INT && p->choice_count == 2 &&
                p->default_kind == BAILEY_DEFAULT_KIND_NONE);
    assert_string_equal(p->choices[1].name, "up");
    p = parameter(d, "knock_in");
    assert_string_equal(p->range_words, "0, 1 or 2");
    assert_true(p->choice_count == 3 && p->default_value == 1);
    p = parameter(d, "initial");
    assert_string_equal(p->size, "2 * DIMS");
    assert_string_equal(p->default_code, "1 / DIMS");
    assert_string_equal(p->usual_words, "in (0, 0.5)");
    assert_true(p->count == 8 && p->default_value == 0.25);
    assert_string_equal(parameter(d, "fixing")->summary, "see [3] for more");
    p = parameter(d, "width");
    assert_string_equal(p->default_code, "rate");
    assert_string_equal(p->range_words, "0 or more");
    assert_true(p->default_kind == BAILEY_DEFAULT_KIND_PARAMETER);
    assert_true(parameter(d, "n")->type == BAILEY_PARAMETER_TYPE_UINT64);
    p = parameter(d, "nothing");
    assert_true(!*p->summary && !*p->unit && !*p->size && !*p->range_words && p->count == 1);
    bailey_description_destroy(d);
}

TEST(head, HOST)
{
    bailey_description *d = describe(full, NULL);
    assert_string_equal(d->name, "payoff.c");
    assert_string_equal(d->summary,
                        "A call on the worst of several prices. It is the first paragraph: still.");
    assert_string_equal(
        d->details, "And a second one, in which a line may begin with a word and a colon, as scheme: here.");
    assert_string_equal(d->source, "Somebody 1973");
    assert_int_equal(d->example_count, 2);
    assert_string_equal(d->examples[0].options, "--device cuda:0 --spot 90,110");
    assert_string_equal(d->examples[0].summary, "two prices: one colon is enough");
    assert_string_equal(d->examples[1].options, "... --type put");
    assert_true(d->has_head && d->path.kind == BAILEY_PATH_KIND_INCREMENTS);
    assert_true(d->path.assets && d->path.dims_least == 2 && d->path.dims_most == 0);
    assert_true(d->path.steps == 12 && d->path.steps_least == 2 && d->path.steps_most == 512);
    assert_true(d->path.has_construction && d->path.construction == BAILEY_CONSTRUCTION_WALK);
    assert_true(d->path.start == BAILEY_PATH_START_ZERO && !d->path.coarser_steps);
    assert_string_equal(d->path.coarser, "width");
    assert_int_equal(d->output_count, 2);
    assert_string_equal(d->outputs[0].name, "price");
    assert_string_equal(d->outputs[1].summary, "a control variate, on two lines");
    assert_true(!d->outputs[0].control && !d->outputs[0].likelihood);
    assert_true(d->outputs[1].control && d->outputs[1].likelihood);
    assert_int_equal(d->check_count, 1);
    assert_string_equal(d->checks[0], "low <= high or high == 0");
    assert_true(parameter(d, "spot")->count == 2); /* the dims that it asks for */
    bailey_description_destroy(d);
}

/* Code without remarks, and with comments that are none. */
TEST(plain, HOST)
{
    bailey_description *d =
        describe("/* path: increments */\n" PARAMS("  real a; /* x[0] of [1] */\n") REST, NULL);
    assert_true(!d->has_head && d->path.kind == BAILEY_PATH_KIND_ANY && d->path.dims_least == 0 &&
                !*d->path.coarser);
    assert_true(d->parameter_count == 1 && d->output_count == 2 && !*d->outputs[0].name && !*d->summary);
    bailey_description_destroy(d);
    d = describe("typedef struct { real x; } state;\n/** path: increments */\n"
                 "void start(state *s, const params *p) { s->x = 0; }\n"
                 "void step(state *s, const params *p, int i, real t, const real x[]) { s->x = x[0]; }\n"
                 "void finish(const state *s, const params *p, real out[]) { out[0] = s->x; }\n",
                 NULL);
    assert_true(!d->has_head &&
                d->parameter_count == 0); /* the comment stands behind the first of the code */
    bailey_description_destroy(d);
}

/* A comma is the decimal point of this locale. */
TEST(test_locale, HOST)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
    bailey_description *d = describe(PARAMS("  real a; /* [> 0.25; default 0.75] */\n") REST, NULL);
    assert_true(d->parameters[0].default_value == 0.75);
    assert_string_equal(d->parameters[0].range_words, "above 0.25");
    bailey_description_destroy(d);
    setlocale(LC_NUMERIC, "C");
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuse(const char *code, const char *words)
{
    const bailey_payoff payoff = {.code = code};
    bailey_description *d = (bailey_description *)&d;
    assert_int_equal(bailey_payoff_describe(&payoff, NULL, &d), BAILEY_ERROR_INVALID);
    assert_null(d);
    assert_string_equal(bailey_error_argument(), "payoff");
    if (!strstr(bailey_error_message(), words)) fail_msg("'%s' has no '%s'", bailey_error_message(), words);
}

TEST(wrong_brackets, HOST)
{
    static const struct {
        const char *line, *words;
    } wrong[] = {
        {"real a; /* [> zero] */", "payoff.c:2:15: zero found where > needs a number"},
        {"real a; /* [5;] */",
         "a single number is not a range; write, for example, > 0, in [0, 1], or 0 or 1"},
        {"real a; /* [positive] */", "payoff.c:2:13: positive is not known here; write a range"},
        {"real a; /* price [> 0, < 1] */", "payoff.c:2:22: , found instead of ;"},
        {"real a; /* [> 1; < 0] */", "the range of a is empty"},
        {"real a; /* [> 1; > 0] */", "a has two lower ends"},
        {"real a; /* [in 0, 1] */", "write a range such as in [0, 1]"},
        {"real a; /* [in [0; 1]] */", "write a range such as in [0, 1]"},
        {"real a; /* [in [0, 1 2]] */", "2 found instead of ] or ) at the end of the range"},
        {"real a; /* [role spott] */", "spott is not a role; roles are spot, strike, volatility"},
        {"real a; /* [role spot; role spot] */", "the role of a occurs twice"},
        {"real a; /* [unit] */", "unit is empty"},
        {"real a; /* [usual 1 or 2] */", "1 is not a range; write, for example, usual < 1"},
        {"real a; /* [default b] */", "b is neither a number nor a parameter"},
        {"real a; /* [default a] */", "the default of a is a itself"},
        {"real a, b; /* [default a b; default b a] */", "the default of a is a itself"},
        {"real a; real b[3]; /* [default 2] */ real c[2]; /* [default b] */",
         "c has 2 elements, but b has 3"},
        {"real a; /* [> 0; default 0] */", "payoff.c:2:26: 0 is outside the range of a"},
        {"real a; /* [0 or 1; default 2] */", "2 is not a choice of a"},
        {"real a; /* [1 or 1] */", "a has the choice 1 twice"},
        {"int a; /* [default 0.5] */", "a is an integer, but 0.5 is not"},
        {"real a; /* [default 1 / 0] */", "a default can be divided only by DIMS, STEPS or a number"},
        {"real a;\n /* [> 0] */", "this comment describes no parameter; put it after one, on the same line"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char code[2000];
        snprintf(code, sizeof code, "typedef struct {\n%s\n} params;\n%s", wrong[i].line, REST);
        refuse(code, wrong[i].words);
    }
}

TEST(wrong_heads, HOST)
{
    static const struct {
        const char *line, *words;
    } wrong[] = {
        {"dimensions: 2", "payoff.c:3:4: dimensions is not a line of a head comment; they are path, dims"},
        {"path: increment", "payoff.c:3:10: increment is not one of paths, increments, normals and motion"},
        {"path: paths increments", "increments is more than path takes"},
        {"dims: two", "two is not an integer from 1 to 64"},
        {"dims: 65", "65 is not an integer from 1 to 64"},
        {"dims: at mots 3", "mots: write at least 2, or at most 2"},
        {"dims: 1\n * dims: 2", "payoff.c:4:4: dims occurs twice"},
        {"example: --spot 100",
         "an example is options, a colon and a description, such as --spot 100: a price"},
        {"example: --spot 100:",
         "an example is options, a colon and a description, such as --spot 100: a price"},
        {"example:", "an example is options, a colon and a description, such as --spot 100: a price"},
        {"steps: 0", "0 is not an integer from 1"},
        {"levels: 53", "53 is not an integer from 1 to 52"},
        {"construction: tree", "tree is not one of bridge, pca and walk"},
        {"start: 1", "1: write any time"},
        {"coarser: 2", "2: write steps, or the parameter"},
        {"coarser: b", "b is not a parameter; write steps, or one"},
        {"out[2]: more", "out[2] is described, but there are 2 outputs"},
        {"out[16]: more", "16 is not an integer from 0 to 15"},
        {"out[0] a: x\n * out[0] b: y", "out[0] is described twice"},
        {"out[0] a: x\n * out[1] a: y", "out[0] is called a too"},
        {"out[0] a: x [exact]", "exact is not one of control and likelihood"},
        {"check: b > 0", "b is not a parameter"},
        {"check: a", "is not one of > >= < <= == != and increases"},
        {"check: a > 0 and a < 1", "and: join the parts of a check with or"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char code[2000];
        snprintf(code, sizeof code, "/** Prose.\n *\n * %s\n */\n" PARAMS("real a;\n") "%s", wrong[i].line,
                 REST);
        refuse(code, wrong[i].words);
    }
}

/* The bytes of a comment never reach a terminal unchecked. */
TEST(controls, HOST)
{
    bailey_description *d = describe(PARAMS("  real a; /* red \x1b[31m, \xff */\n") REST, NULL);
    assert_string_equal(d->parameters[0].summary, "red ?[31m, ?");
    bailey_description_destroy(d);
    refuse(PARAMS("  real a; /* [\x1b] */\n") REST, "? is not known here");
}

TEST(allocations, HOST)
{
    const bailey_payoff payoff = {.code = full};
    for (int64_t n = 1;; n++) {
        bailey_description *d = NULL;
        bly_alloc_countdown = n;
        const bailey_status status = bailey_payoff_describe(&payoff, NULL, &d);
        const int64_t left = bly_alloc_countdown;
        bly_alloc_countdown = -1;
        if (status == BAILEY_OK) {
            assert_true(left > 0 && n > 3);
            bailey_description_destroy(d);
            break;
        }
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_null(d);
    }
}

/* ---- The built-ins ------------------------------------------------------------------------------- */

/* Each parameter says what it is, and so does each output; a path says all that there is to it. */
static void check_complete(const bailey_description *d, int is_payoff)
{
    assert_true(d->has_head && *d->summary && d->path.dims_least > 0);
    if (strchr(d->summary, '.') != d->summary + strlen(d->summary) - 1 || strlen(d->summary) > 90)
        fail_msg("%s: the first paragraph is a short sentence, for lists: %s", d->name, d->summary);
    if (!d->example_count) fail_msg("%s has no example", d->name);
    for (uint32_t i = 0; i < d->example_count; i++)
        assert_true(*d->examples[i].options && *d->examples[i].summary);
    if (is_payoff)
        assert_true(d->path.kind != BAILEY_PATH_KIND_ANY && d->path.start == BAILEY_PATH_START_COUNTED);
    if (is_payoff)
        assert_true(d->path.kind == BAILEY_PATH_KIND_MOTION ? d->path.motion_depth > 0 : d->path.steps > 0);
    for (uint32_t i = 0; i < d->parameter_count; i++) {
        const bailey_parameter *p = &d->parameters[i];
        if (!*p->summary) fail_msg("%s: %s says nothing", d->name, p->name);
        if (strcmp(p->name, "sign") == 0) assert_true(p->role == BAILEY_ROLE_SIGN && p->default_value == 1);
        if (strncmp(p->name, "spot", 4) == 0) assert_true(p->role == BAILEY_ROLE_SPOT && p->range.low_open);
        if (strcmp(p->name, "rate") == 0) assert_true(p->role == BAILEY_ROLE_RATE);
    }
    for (uint32_t o = 0; o < (is_payoff ? d->output_count : 1); o++)
        if (!*d->outputs[o].name || !*d->outputs[o].summary) fail_msg("%s: out[%u] says nothing", d->name, o);
}

TEST(builtins, HOST)
{
    const char *name;
    bailey_description *d = NULL;
    size_t count = 0;
    for (; (name = bailey_payoff_name(count)); count++) {
        OK(bailey_payoff_describe(&(bailey_payoff){.name = name}, NULL, &d));
        assert_string_equal(d->name, name);
        assert_string_equal(d->code, bly_payoff_builtin_code(name));
        check_complete(d, 1);
        bailey_description_destroy(d);
    }
    assert_true(count >= 9);
    for (count = 0; (name = bailey_mlmc_name(count)); count++) {
        OK(bailey_mlmc_describe(&(bailey_payoff){.name = name}, NULL, &d));
        assert_string_equal(d->name, name);
        assert_string_equal(d->code, bly_mlmc_builtin_code(name));
        check_complete(d, 0);
        bailey_description_destroy(d);
    }
    assert_true(count >= 5);
}

/* Functions of the language, as the compiler of the host computes them. */
TEST(functions, HOST)
{
    static const struct {
        const char *name;
        uint32_t arguments;
        double given[3], value;
    } some[] = {{"exp", 1, {1}, 2.718281828459045},
                {"pow", 2, {3, 4}, 81},
                {"sqrt", 1, {2}, 1.4142135623730951},
                {"fmax", 2, {-1, 2}, 2},
                {"floor", 1, {-1.5}, -2},
                {"fma", 3, {2, 3, 4}, 10},
                {"normal_cdf", 1, {0}, 0.5},
                {"uniform", 1, {-1}, 0.15865525393145705},
                {"normal_icdf", 1, {0.975}, 1.959963984540054},
                {"poisson_icdf", 2, {0.999, 600}, 677},
                {"gamma_icdf", 2, {0.975, 1}, 3.6888794541139354},
                {"gamma_density", 2, {2, 3}, 0.2706705664732254}};
    size_t count = 0, found = 0;
    for (const bailey_language_function *f; (f = bailey_payoff_function(count)); count++) {
        assert_in_range(f->arguments, 1, 3);
        assert_true(*f->summary);
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            if (strcmp(f->name, some[i].name) != 0) continue;
            const double value = bailey_payoff_function_value(count, some[i].given);
            assert_int_equal(f->arguments, some[i].arguments);
            if (fabs(value / some[i].value - 1) > 1e-15) fail_msg("%s is %.17g", f->name, value);
            found++;
        }
    }
    assert_int_equal(found, sizeof some / sizeof *some);
    assert_true(isnan(bailey_payoff_function_value(count, some[0].given)));
}

TEST(levels_refused, HOST)
{
    bailey_description *d = NULL;
    assert_int_equal(bailey_mlmc_describe(&(bailey_payoff){.code = "/** path: paths */\n"}, NULL, &d),
                     BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "estimator");
    assert_non_null(strstr(bailey_error_message(), "levels.c:1:5: path does not apply to estimator code"));
    assert_int_equal(bailey_mlmc_describe(&(bailey_payoff){.name = "none"}, NULL, &d), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_payoff_describe(&(bailey_payoff){.name = "none"}, NULL, &d),
                     BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_payoff_describe(&(bailey_payoff){0}, NULL, &d), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_payoff_describe(NULL, NULL, &d), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_payoff_describe(&(bailey_payoff){.name = "asian"}, NULL, NULL),
                     BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "description");
    bailey_description_destroy(NULL);
}
