/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * docs/payoffs.md is true: each of its texts runs and gives the numbers that the page says, its errors read
 * as it says, and its calls stand in examples/payoff.c.
 *
 * A block of the page whose first line is a comment "payoff: NAME" is a text that is run as cases[] say;
 * "wrong: NAME" is one whose line 7 is replaced. All other blocks of C are parts of the example.
 */
#include "api.h"
#define BLY_PAGE BLY_SOURCE_DIR "/docs/payoffs.md"
#define BLY_EXAMPLE BLY_SOURCE_DIR "/examples/payoff.c"
#include "pages.h"
#include "simulations.h"

enum { MOST_PARAMETERS = 4, MOST_OUTPUTS = 2, STEPS = 12, PATHS = 1 << 16 };

static const struct page_case {
    const char *name;
    struct {
        const char *name;
        double value;
    } parameters[MOST_PARAMETERS];
} cases[] = {
    {.name = "asian", .parameters = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2}}},
    {.name = "above", .parameters = {{"spot", 100}, {"volatility", 0.2}}},
};
#define CASES (sizeof cases / sizeof *cases)

static bailey_simulation *simulation_of_case(const struct page_case *c, const char *text)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    bailey_simulation *s = simulation_of(text, (bailey_bridge_params){.times = times, .steps = STEPS});
    for (int i = 0; i < MOST_PARAMETERS && c->parameters[i].name; i++)
        set(s, c->parameters[i].name, c->parameters[i].value);
    return s;
}

/* The line that the program prints for an output, as on the page. */
static void expect_line(const char *name, uint32_t output, const bailey_estimate *e)
{
    char line[200];
    snprintf(line, sizeof line, " %.8f  +- %.8f standard error\n", e->mean, e->standard_error);
    if (!strstr(page, line)) fail_msg("of output %u of %s the page does not have%s", output, name, line);
}

TEST(texts, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = PATHS};
    for (size_t i = 0; i < CASES; i++) {
        bailey_estimate e[MOST_OUTPUTS];
        char *text = find_block("payoff", cases[i].name);
        bailey_simulation *s = simulation_of_case(&cases[i], text);
        assert_in_range(bailey_simulation_outputs(s), 1, MOST_OUTPUTS);
        OK(bailey_simulation_run(s, &run, e));
        for (uint32_t o = 0; o < bailey_simulation_outputs(s); o++) expect_line(cases[i].name, o, &e[o]);
        bailey_simulation_destroy(s);
        free(text);
    }
}

/* ---- Errors -------------------------------------------------------------------------------------- */

/* `text` with another line 7. The caller frees it. */
static char *with_line_7(const char *text, const char *line)
{
    char *out = calloc(strlen(text) + strlen(line) + 6, 1);
    const char *begin = text;
    assert_non_null(out);
    for (int i = 1; i < 7; i++) begin = strchr(begin, '\n') + 1;
    sprintf(out, "%.*s    %s%s", (int)(begin - text), text, line, strchr(begin, '\n'));
    return out;
}

static void expect_error(const char *text)
{
    const double time = 1;
    const bailey_simulation_params params = {.path = {.times = &time, .steps = 1},
                                             .payoff = {.code = text, .name = "wrong.c"}};
    const bailey_simulation_run_params run = {.paths = 1};
    bailey_estimate e;
    bailey_simulation *s = NULL;
    bailey_status status = bailey_simulation_create(context, &params, &s);
    if (status == BAILEY_OK) status = bailey_simulation_run(s, &run, &e);
    bailey_simulation_destroy(s);
    assert_int_not_equal(status, BAILEY_OK);
    assert_string_equal(bailey_error_argument(), "payoff");
}

static void expect_words_in_page(void)
{
    char words[2000];
    snprintf(words, sizeof words, "\n%s\n", bailey_error_message());
    if (!strstr(page, words)) fail_msg("the page does not say:%s", words);
}

TEST(errors, DEVICE)
{
    if (!simulates()) skip();
    static const char *const lines[] = {"s->lst = x[0];", "s->last = x[1];"};
    char *text = find_block("wrong", "last");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *wrong = with_line_7(text, lines[i]);
        if (!strstr(page, lines[i])) fail_msg("the page does not have %s", lines[i]);
        expect_error(wrong);
        assert_non_null(strstr(bailey_error_message(), "wrong.c:7:"));
        expect_words_in_page();
        free(wrong);
    }
    free(text);
}

/* Parameters that are wrong, and outputs that are not finite. */
TEST(numbers, DEVICE)
{
    if (!simulates()) skip();
    const double time = 1, one = 1, nothing = NAN;
    const bailey_simulation_run_params run = {.paths = 1000};
    bailey_estimate e;
    bailey_simulation *s = simulation_of("typedef struct { real a; } params;\n"
                                         "void whole(const params *p, path x, real out[])\n"
                                         "{ out[0] = p->a + log(at(x, 0, 0)); }\n",
                                         (bailey_bridge_params){.times = &time, .steps = 1});
    assert_int_equal(bailey_simulation_set(s, "b", &one, 1), BAILEY_ERROR_INVALID);
    expect_words_in_page();
    assert_int_equal(bailey_simulation_set(s, "a", &nothing, 1), BAILEY_ERROR_INVALID);
    expect_words_in_page();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bailey_simulation_run(s, &run, &e), BAILEY_ERROR_INVALID);
        expect_words_in_page();
        OK(bailey_simulation_set(s, "a", &one, 1));
    }
    bailey_simulation_destroy(s);
}

/* ---- The page ------------------------------------------------------------------------------------ */

static int is_a_text(const char *block)
{
    for (size_t i = 0; i < CASES; i++)
        if (is_called(block, "payoff", cases[i].name)) return 1;
    return is_called(block, "wrong", "last");
}

TEST(blocks, DEVICE)
{
    const char *from = page;
    for (char *block = next_block(&from); block; block = next_block(&from)) {
        if (!is_a_text(block) && !strstr(example, block))
            fail_msg("neither run nor in the example:\n%s", block);
        free(block);
    }
}
