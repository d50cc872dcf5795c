/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * docs/mlmc.md is true: its level code runs and gives the line that the page has, and its calls stand in
 * examples/mlmc.c. What its commands print is for cli/console.sh.
 *
 * A block of the page whose first line is a comment "levels: NAME" is a text that is run as cases[] say. All
 * other blocks of C are parts of the example.
 */
#define BLY_PAGE BLY_SOURCE_DIR "/docs/mlmc.md"
#define BLY_EXAMPLE BLY_SOURCE_DIR "/examples/mlmc.c"
#include "pages.h"

#include <bailey/mlmc.h>

enum { MOST_PARAMETERS = 8 };

static const struct page_case {
    const char *name;
    uint32_t first_steps;
    double time, eps;
    struct {
        const char *name;
        double value;
    } parameters[MOST_PARAMETERS];
} cases[] = {
    {.name = "bond-euler",
     .first_steps = 4,
     .time = 5,
     .eps = 1e-4,
     .parameters = {{"first_rate", 0.03}, {"reversion", 0.5}, {"mean_rate", 0.05}, {"volatility", 0.15}}},
};
#define CASES (sizeof cases / sizeof *cases)

static bailey_mlmc *levels_of_case(const struct page_case *c, const char *text)
{
    const bailey_mlmc_params params = {
        .estimator = {.code = text, .name = c->name}, .time = c->time, .first_steps = c->first_steps};
    bailey_mlmc *m;
    OK(bailey_mlmc_create(context, &params, &m));
    for (int i = 0; i < MOST_PARAMETERS && c->parameters[i].name; i++)
        OK(bailey_mlmc_set(m, c->parameters[i].name, &c->parameters[i].value, 1));
    return m;
}

/* As examples/mlmc.c prints it. */
static void expect_line(const char *name, const bailey_mlmc_result *r)
{
    char line[300];
    snprintf(line, sizeof line, "\n%s: %.6f +- %.6f, bias %.6f, beta %.2f, cost %.0f\n", name, r->mean,
             r->standard_error, r->bias, r->beta, r->cost);
    if (!strstr(page, line)) fail_msg("the page does not have this line:%s", line);
}

TEST(texts, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    for (size_t i = 0; i < CASES; i++) {
        char *text = find_block("levels", cases[i].name);
        bailey_mlmc *m = levels_of_case(&cases[i], text);
        const bailey_mlmc_run_params run = {.source = {.seed = 42}, .eps = cases[i].eps};
        bailey_mlmc_result result;
        const bailey_status status = bailey_mlmc_run(m, &run, &result);
        bailey_mlmc_destroy(m);
        free(text);
        if (status == BAILEY_ERROR_UNSUPPORTED) skip(); /* nothing is compiled here */
        if (status != BAILEY_OK) fail_msg("%s", bailey_error_message());
        expect_line(cases[i].name, &result);
    }
}

static int is_a_text(const char *block)
{
    for (size_t i = 0; i < CASES; i++)
        if (is_called(block, "levels", cases[i].name)) return 1;
    return 0;
}

TEST(blocks, DEVICE)
{
    const char *from = page;
    size_t found = 0;
    for (char *block = next_block(&from); block; block = next_block(&from), found++) {
        if (!is_a_text(block) && !strstr(example, block))
            fail_msg("neither run nor in the example:\n%s", block);
        free(block);
    }
    assert_true(found > CASES);
}
