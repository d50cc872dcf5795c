/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Makes a simulation from options and files: times, dimensions, correlation, construction. The path that a
 * product's code asks for comes first; options fill in the rest.
 */
#include "price.h"

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Times ---- */

/* For a product that counts steps: 1, 2, 3, ... */
static int refuse_times(const struct arguments *a, const struct price_model *m)
{
    static const int refused[] = {MATURITY, TIMES, VALUATION};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (a->value[refused[i]])
            return cli_error(CLI_USAGE, "%s: %s counts in steps, not years; see --steps",
                             price_options[refused[i]].name, m->name);
    return CLI_OK;
}

static int equidistant(const struct arguments *a, struct price_model *m)
{
    double maturity = 1;
    if (!m->steps) m->steps = m->needs.steps;
    const int code = option_f64(a, MATURITY, &maturity);
    if (code) return code;
    if (!(maturity > 0)) return cli_error(CLI_USAGE, "--maturity: %s is not positive", a->value[MATURITY]);
    if (m->needs.normals) maturity = (double)m->steps;
    m->times = malloc((size_t)m->steps * sizeof *m->times);
    if (!m->times) return cli_memory_error("the times", m->steps * sizeof *m->times);
    /* T i / N, the last exactly T: one rounded quotient, one rounded product, on every machine */
    for (uint64_t i = 0; i + 1 < m->steps; i++) m->times[i] = maturity * ((double)(i + 1) / (double)m->steps);
    for (uint64_t i = 0; i + 1 < m->steps && m->needs.normals; i++) m->times[i] = (double)(i + 1);
    m->times[m->steps - 1] = maturity;
    return CLI_OK;
}

/* The fixing number `i` of an array, from 0, in years. */
static int given_time(const struct option_numbers *numbers, uint64_t i, int64_t valuation, double *time)
{
    const double value = numbers->value[i];
    if (numbers->dates && valuation == INT64_MIN)
        return cli_error(CLI_USAGE,
                         "--times: dates need --valuation YYYY-MM-DD, the day from which they are counted");
    if (!numbers->dates && valuation != INT64_MIN)
        return cli_error(CLI_USAGE, "--times: %g is a number, but --valuation expects dates", value);
    *time = numbers->dates ? (value - (double)valuation) / 365.0 : value;
    if (*time > (i ? time[-1] : 0)) return CLI_OK;
    return cli_error(CLI_USAGE, "--times: time number %llu, %g years, is not after %s",
                     (unsigned long long)i + 1, *time, i ? "the previous one" : "the start");
}

/* Times that the caller has read already. */
static int given_times(const struct option_numbers *numbers, int64_t valuation, struct price_model *m)
{
    int code = CLI_OK;
    if (numbers->count > BAILEY_BRIDGE_MAX_STEPS)
        return cli_error(CLI_USAGE, "--times: %llu times; the maximum is %llu",
                         (unsigned long long)numbers->count, (unsigned long long)BAILEY_BRIDGE_MAX_STEPS);
    m->steps = numbers->count;
    m->times = malloc((size_t)m->steps * sizeof *m->times);
    if (!m->times) return cli_memory_error("the times", m->steps * sizeof *m->times);
    for (uint64_t i = 0; i < m->steps && !code; i++) code = given_time(numbers, i, valuation, &m->times[i]);
    return code;
}

/* For a path that is a motion, if it is. */
static int read_motion_depth(const struct arguments *a, struct price_model *m)
{
    static const int others[] = {STEPS, TIMES, ORDER, CONSTRUCTION};
    int code = CLI_OK;
    if (!m->motion_depth) m->motion_depth = m->needs.motion_depth;
    for (size_t i = 0; i < sizeof others / sizeof *others && m->motion_depth && !code; i++)
        if (a->value[others[i]])
            code = cli_error(CLI_USAGE, "%s: not with --motion-depth, whose path ends at --maturity",
                             price_options[others[i]].name);
    if (!code && m->motion_depth && !m->product && a->value[INCREMENTS])
        code = cli_error(CLI_USAGE, "--increments cannot be combined with --motion-depth");
    return code;
}

static int read_times(const struct arguments *a, struct price_model *m)
{
    static const char why[] = "the file says when the times are";
    int64_t valuation = INT64_MIN;
    int code = m->needs.normals ? refuse_times(a, m) : CLI_OK;
    if (code || (code = read_motion_depth(a, m)) || (code = options_conflict(a, STEPS, TIMES, why)) ||
        (code = options_conflict(a, MATURITY, TIMES, why)) || (code = option_date(a, VALUATION, &valuation)))
        return code;
    if (option_numbers(a, TIMES)) return given_times(option_numbers(a, TIMES), valuation, m);
    if (a->value[TIMES])
        return csv_times("--times", a->value[TIMES], 0, &valuation, BAILEY_BRIDGE_MAX_STEPS, &m->times,
                         &m->steps);
    if (a->value[VALUATION]) return cli_error(CLI_USAGE, "--valuation: only dates in --times need it");
    return equidistant(a, m);
}

/* ---- Dimensions ---- */

/* Whether `word`, NAME=VALUE, gives a parameter that has a number for each dimension. */
static int is_for_dims(const bailey_description *d, const char *word)
{
    const bailey_parameter *p = price_find_parameter(d, word, strcspn(word, "="));
    return p && !strcmp(p->size, "DIMS");
}

/* Of parameters that have a number for each dimension, the most that are given. */
static uint64_t longest_list(const struct arguments *a, const bailey_description *d)
{
    uint64_t most = 0;
    for (int i = 0; d && i < a->repeats; i++)
        if (is_for_dims(d, a->repeated[i]) && option_list_length(a->repeated[i]) > most)
            most = option_list_length(a->repeated[i]);
    return most;
}

static int agree(const struct price_model *m, uint64_t fixed, const char *option)
{
    if (!fixed || !m->dims || fixed == m->dims) return CLI_OK;
    return cli_error(CLI_USAGE, "%s: %u dimension%s, but %s has %u", option, (unsigned)m->dims,
                     m->dims == 1 ? "" : "s", m->name, (unsigned)fixed);
}

static int read_dims(const struct arguments *a, struct price_model *m)
{
    const uint64_t fixed = m->product ? m->product->dims : 0;
    int code;
    if ((code = options_conflict(a, DIMS, ASSETS, "the file gives the number of assets")) ||
        (a->value[ASSETS] && (code = assets_read("--assets", a->value[ASSETS], &m->assets))))
        return code;
    if (m->assets.count) m->dims = m->assets.count;
    if ((code = agree(m, fixed, a->value[ASSETS] ? "--assets" : "--dims"))) return code;
    if (fixed)
        m->dims = fixed;
    else if (!m->dims && m->needs.listed > 1)
        m->dims = m->needs.listed;
    if (m->dims > BAILEY_BRIDGE_MAX_DIMS)
        return cli_error(CLI_USAGE, "%u assets; at most %u", (unsigned)m->dims, BAILEY_BRIDGE_MAX_DIMS);
    if (m->needs.independent && a->value[CORRELATION] && !price_is_correlated(a, m))
        return cli_error(CLI_USAGE, "--correlation: %s has its own parameters for it; see --set", m->name);
    if (!price_is_correlated(a, m))
        code = price_correlation(a, assets_names(&m->assets), &m->dims, &m->correlation);
    if (!m->dims) m->dims = m->needs.dims ? m->needs.dims : 1;
    m->correlation_source = price_is_correlated(a, m) ? NULL : a->value[CORRELATION];
    return code;
}

/* ---- Options that a product takes ---- */

static int has_parameter(const bailey_description *d, const char *name)
{
    return price_find_parameter(d, name, strlen(name)) != NULL;
}

/* By a parameter `sign` whose values have these names, or none. */
static int is_call_or_put(const bailey_description *d)
{
    const bailey_parameter *sign = price_find_parameter(d, "sign", 4);
    uint32_t i = 0;
    while (sign && i < sign->choice_count && strcmp(sign->choices[i].name, "call") != 0) i++;
    return sign && (!sign->choice_count || i < sign->choice_count);
}

static const char *refuse_path_option(const struct price_product *p, int option)
{
    switch (option) {
    case MATURITY:
    case TIMES:
    case VALUATION: return p->normals ? "it counts steps, not years; see --steps" : NULL;
    case MOTION_DEPTH: return p->motion_depth ? NULL : "its path has steps";
    case DIMS: return p->dims ? "the product says how many" : NULL;
    case CORRELATION:
        return p->independent ? "the product has parameters for it"
               : p->dims == 1 ? "it is on one asset"
                              : NULL;
    default: return NULL;
    }
}

static int is_among(int option, const int *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (option == options[i]) return 1;
    return 0;
}

const char *price_refuses(const struct command *command, int option)
{
    static const int of_steps[] = {STEPS, TIMES, VALUATION, ORDER, CONSTRUCTION};
    static const int of_others[] = {SEQUENCE, WARP_SET, SCRAMBLE, ASSIGNMENT, POINT_ORDER};
    static const int of_gradients[] = {
        GRADIENT,   BY,          BY_COVARIANCE,   BY_TIME,          DIRECTIONS,
        JUMP_WIDTH, JUMP_WIDTHS, GRADIENT_OUTPUT, GRADIENT_WEIGHTS, DERIVATIVE_CODE};
    const struct price_product *p = price_product(strchr(command->name, ' ') + 1);
    if (!p) return NULL;
    if (p->motion_depth && is_among(option, of_steps, sizeof of_steps / sizeof *of_steps))
        return "its path is a motion, and ends at --maturity";
    if (p->motion_depth && is_among(option, of_others, sizeof of_others / sizeof *of_others))
        return "its path is a motion, which draws from philox or philox7";
    if (p->motion_depth && is_among(option, of_gradients, sizeof of_gradients / sizeof *of_gradients))
        return "its path is a motion, which has no gradients";
    const int has_spot = has_parameter(p->description, "spot");
    if (option >= H_PAYOFF && option < H_EXERCISE) return "it is built in";
    if (option == TYPE) return is_call_or_put(p->description) ? NULL : "it is neither a call nor a put";
    if (option == ASSETS && !has_spot) return "it has no parameter spot";
    if (option == LIKELIHOOD &&
        (!has_spot || p->normals || p->motion_depth || !has_parameter(p->description, "volatility")))
        return "it is not a function of a Brownian motion, with a spot and a volatility of each asset";
    return refuse_path_option(p, option);
}

/* ---- The path ---- */

static int read_construction(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    m->increments = m->needs.increments || (!m->product && a->value[INCREMENTS]);
    if (m->construction == BAILEY_CONSTRUCTION_AUTO)
        m->construction =
            m->needs.walk && !a->value[ORDER] && (m->needs.normals || !source_is_points(&s->run.source))
                ? BAILEY_CONSTRUCTION_WALK
                : BAILEY_CONSTRUCTION_BRIDGE;
    if (m->construction == BAILEY_CONSTRUCTION_BRIDGE)
        return order_read(a, ORDER, -1, m->steps - 1, &m->order);
    if (a->value[ORDER])
        return cli_error(CLI_USAGE, "--order needs --construction bridge, not %s",
                         option_word_of("bridge_params", "construction", m->construction));
    if (m->construction == BAILEY_CONSTRUCTION_PCA && m->steps > BAILEY_BRIDGE_PCA_MAX_STEPS)
        return cli_error(CLI_USAGE, "--construction: pca allows at most %u steps, not %llu",
                         BAILEY_BRIDGE_PCA_MAX_STEPS, (unsigned long long)m->steps);
    return CLI_OK;
}

/* The path that the code asks for. Errors in it are reported when the simulation is made. */
static bailey_payoff payoff_of(const struct price_model *m)
{
    return (bailey_payoff){.code = m->text,
                           .name = m->name,
                           .model_code = m->model_text,
                           .model_name = m->model_name,
                           .substeps = m->substeps,
                           .controls = m->controls,
                           .loop_budget = (uint32_t)m->loop_budget};
}

static void read_needs(struct price_model *m)
{
    const bailey_payoff payoff = payoff_of(m);
    m->needs.steps = 1;
    if (bailey_payoff_describe(&payoff, NULL, &m->described) == BAILEY_OK)
        price_product_of(m->described, m->outputs, &m->needs);
}

/* What options give by itself. */
static int read_fields(const struct arguments *a, struct price_model *m)
{
    bailey_bridge_params path = {0};
    bailey_simulation_params simulation = {0};
    bailey_payoff payoff = {0};
    int code = options_read_fields(a, "bridge_params", &path);
    if (!code) code = options_read_fields(a, "simulation_params", &simulation);
    if (!code) code = options_read_fields(a, "payoff", &payoff);
    m->steps = path.steps;
    m->dims = path.dims;
    m->construction = (int)path.construction;
    m->motion_depth = simulation.motion_depth;
    m->loop_budget = payoff.loop_budget;
    m->substeps = payoff.substeps;
    return code;
}

int price_model_read(const struct arguments *a, const struct price_product *product,
                     const struct price_settings *settings, struct price_model *m)
{
    int code;
    memset(m, 0, sizeof *m);
    m->name = product ? product->name : a->value[PAYOFF];
    m->model_name = a->value[MODEL];
    m->product = m->model_name ? NULL : product;
    m->controls = !a->value[OUTPUTS] && !a->value[CONTROL] && !a->value[GREEKS] && !a->value[SCENARIOS];
    if (m->model_name && (code = price_read_model("--model", m->model_name, &m->model_text))) return code;
    if (!product && (code = price_read_code("--payoff", m->name, &m->text))) return code;
    if (m->product)
        m->needs = *product;
    else
        read_needs(m);
    if (m->needs.description) m->needs.listed = longest_list(a, m->needs.description);
    if ((code = read_fields(a, m)) || (code = read_times(a, m)) || (code = read_dims(a, m))) return code;
    return read_construction(a, settings, m);
}

int price_check(bailey_status status, const struct arguments *a, const struct price_model *m)
{
    const char *const others[][2] = {{"payoff", ""}, /* its errors say where */
                                     {"model", ""},
                                     {"model_name", "--model"},
                                     {"substeps", "--substeps"},
                                     {"times", a->value[TIMES]      ? "--times"
                                               : a->value[MATURITY] ? "--maturity"
                                                                    : "--steps"},
                                     {"order", "--order"},
                                     {"paths", "--paths"},
                                     {"first_path", "--paths"},
                                     {"stream", "--replicates"},
                                     {"expected", "--control"},
                                     {"samples", "--save-outputs"},
                                     {NULL, NULL}};
    const char *what = cli_refused(others, NULL);
    const int code =
        what ? cli_check(status, what)
             : correlation_check(a, status, status == BAILEY_ERROR_BUILD ? "" : "pricing", CORRELATION,
                                 m->correlation ? m->correlation_source : NULL, assets_names(&m->assets));
    return status == BAILEY_ERROR_BUILD && !m->product ? CLI_USAGE : code;
}

/* 0 where runs ask for what takes a compiler, or go on until an error is small enough. */
static uint64_t planned_paths(const struct arguments *a, const struct price_settings *s)
{
    static const int compiled[] = {SCENARIOS, GREEKS, EXPLAIN, TARGET_ERROR, SUM_LIMIT};
    uint64_t paths;
    if (s->quiet) return 0; /* a batch, whose simulations are cached for other deals */
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++)
        if (a->value[compiled[i]]) return 0;
    return cli_multiply(s->run.paths, s->run.replicates, &paths) ? paths : 0;
}

int price_model_create(const struct arguments *a, const struct price_settings *s, bailey_context *context,
                       struct price_model *m)
{
    bailey_simulation_params params = {.payoff = payoff_of(m)};
    params.path.times = m->times;
    params.path.steps = m->steps;
    params.path.dims = (uint32_t)m->dims;
    params.path.order = m->order.index;
    params.path.covariance = m->correlation;
    params.path.output = m->increments ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS;
    params.path.precision = s->run.normal.precision;
    params.path.construction = (bailey_construction)m->construction;
    params.motion_depth = (uint32_t)m->motion_depth;
    params.planned_paths = planned_paths(a, s);
    return price_check(bailey_simulation_create(context, &params, &m->simulation), a, m);
}

void price_model_free(struct price_model *m)
{
    bailey_simulation_destroy(m->simulation);
    price_parameters_free(m);
    assets_free(&m->assets);
    bailey_description_destroy(m->described);
    free(m->text);
    free(m->model_text);
    free(m->times);
    free(m->correlation);
    free(m->order.index);
}
