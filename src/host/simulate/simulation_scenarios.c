/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Scenarios: a table that is checked once, and passes over the paths, each of as many scenarios as one
 * program values side by side. A result has the same bits in whatever pass it is made, so that passes can be
 * cut as suits the device.
 *
 * A scenario that moves paths takes a path x of the simulation to x' = start + M (x - start + a (x1 -
 * start)), where x1 is the first point. M = L' inverse(L), of the factors of both covariances. a = sqrt((t1 +
 * shift - t0) / (t1 - t0)) - 1 makes the first point one of time t1 + shift; the increments after it stay.
 * Increments that come divided by their time have the first one divided by 1 + a instead.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <base/real.h>
#include <host/describe/records.h>
#include <host/source/source.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Scenarios side by side: at most, on processors and on GPUs; and the 4-byte words of their states that fit
 * the stack, of four paths. */
#define SCENARIOS 16u
#define SCENARIOS_GPU 8u
#define STATE_WORDS 16384u

/* Rows of weights that one pass makes. */
struct rows {
    uint32_t first, count, scenarios;
};

struct bly_scenario_plan {
    const bailey_simulation *s;
    const bailey_scenarios *table;
    const bailey_simulation_run_params *params;
    uint64_t count, outputs, results, passes;
    uint32_t shifts, recorrelates;
    uint32_t most, side; /* scenarios of a pass that may be, and are, side by side; without weights */
    struct bly_parameter *columns;
    uint8_t *given;    /* 1 of each parameter that the columns set */
    struct rows *rows; /* [passes], with weights */
    /* For the pass that was asked for last. */
    uint64_t *scenario;
    struct bly_terms *terms;
};

/* ---- The table ----------------------------------------------------------------------------------- */

bailey_status bly_scenarios_named(uint64_t number, bailey_status status)
{
    char words[BLY_ERROR_TEXT], argument[BLY_ERROR_TEXT];
    if (status != BAILEY_ERROR_INVALID) return status;
    snprintf(words, sizeof words, "%s", bailey_error_message());
    snprintf(argument, sizeof argument, "%s", bailey_error_argument());
    bly_fail(status, "scenario %llu: %s", (unsigned long long)number, words);
    return bly_name_argument(status, argument);
}

/* The argument is the table's. */
static bailey_status in_scenario(bailey_status status, uint64_t number)
{
    char argument[BLY_ERROR_TEXT];
    snprintf(argument, sizeof argument, "%s", bailey_error_argument());
    if (status != BAILEY_ERROR_INVALID) return status;
    bly_scenarios_named(number, status);
    return bly_name_argument(status, strcmp(argument, "values") == 0 ? "values" : "covariance");
}

/* The element that "name[3]" names, after its name; 0 if the text is not of that form. */
static int read_index(const char *text, uint64_t *index)
{
    int used = 0;
    if (*text != '[' || text[1] < '0' || text[1] > '9') return 0;
    *index = 0;
    for (text++; *text >= '0' && *text <= '9' && used < 10; text++, used++)
        *index = *index * 10 + (uint64_t)(*text - '0');
    return text[0] == ']' && text[1] == 0;
}

bailey_status bly_simulation_parameter_named(const bailey_simulation *s, const char *argument,
                                             const char *name, struct bly_parameter *out)
{
    if (!name) return bly_fail_argument(argument, "a name is NULL");
    const size_t length = strcspn(name, "[");
    const struct bly_field *field = bly_parameter_find(&s->payoff, name, length);
    uint64_t index = 0;
    if (!field) return bly_fail_argument(argument, "%s has no parameter \"%s\"", s->payoff.name, name);
    if (name[length] && !read_index(name + length, &index))
        return bly_fail_argument(argument, "\"%s\" is not a name such as \"strike\" or \"spot[1]\"", name);
    if (!name[length] && field->count > 1)
        return bly_fail_argument(argument, "%s has %u elements: name one, such as \"%s[0]\"", name,
                                 field->count, name);
    if (index >= field->count)
        return bly_fail_argument(argument, "\"%s\" is beyond the %u elements of %s", name, field->count,
                                 field->name);
    *out = (struct bly_parameter){field, (uint32_t)index};
    return BAILEY_OK;
}

static bailey_status read_columns(struct bly_scenario_plan *plan)
{
    const bailey_scenarios *t = plan->table;
    if (t->columns == 0) return BAILEY_OK;
    if (!t->names) return bly_fail_argument("names", "names is NULL but columns is %u", t->columns);
    if (!t->values) return bly_fail_argument("values", "values is NULL but columns is %u", t->columns);
    plan->columns = bly_alloc(t->columns, sizeof *plan->columns);
    if (!plan->columns) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    for (uint32_t c = 0; c < t->columns; c++) {
        const bailey_status status =
            bly_simulation_parameter_named(plan->s, "names", t->names[c], &plan->columns[c]);
        if (status != BAILEY_OK) return status;
        for (uint32_t b = 0; b < c; b++)
            if (plan->columns[b].field == plan->columns[c].field &&
                plan->columns[b].element == plan->columns[c].element)
                return bly_fail_argument("names", "\"%s\" occurs twice", t->names[c]);
    }
    return BAILEY_OK;
}

static bailey_status check_values(const struct bly_scenario_plan *plan)
{
    const bailey_scenarios *t = plan->table;
    for (uint64_t i = 0; i < t->count; i++)
        for (uint32_t c = 0; c < t->columns; c++) {
            const bailey_status status =
                bly_parameter_check(&plan->s->payoff, plan->s->precision, plan->columns[c].field,
                                    plan->columns[c].element, t->values[i * t->columns + c]);
            if (status != BAILEY_OK) return in_scenario(status, i);
        }
    for (uint32_t c = 0; c < t->columns; c++)
        bly_parameter_warn(&plan->s->payoff, plan->columns[c].field, plan->columns[c].element, t->values + c,
                           t->count, t->columns);
    return BAILEY_OK;
}

/* Notes the parameters all of whose elements are columns: they need not be set. */
static bailey_status find_given(struct bly_scenario_plan *plan)
{
    const struct bly_payoff *payoff = &plan->s->payoff;
    const uint32_t columns = plan->table->count ? plan->table->columns : 0;
    uint32_t *elements = bly_alloc(payoff->param_count + 1u, sizeof *elements);
    plan->given = bly_alloc(payoff->param_count + 1u, sizeof *plan->given);
    for (uint32_t c = 0; elements && plan->given && c < columns; c++) {
        const size_t p = (size_t)(plan->columns[c].field - payoff->params);
        plan->given[p] = ++elements[p] == payoff->params[p].count;
    }
    bly_free(elements);
    return elements && plan->given ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
}

/* Defaults that are other parameters are those of the
 * simulation, so that a bump of the other leaves them; but where only scenarios give the other, they are
 * theirs. */
void bly_scenarios_set(const struct bly_scenario_plan *plan, uint64_t scenario, uint8_t *set)
{
    const bailey_simulation *s = plan->s;
    const bailey_scenarios *t = plan->table;
    if (set != s->values) memcpy(set, s->values, s->payoff.params_bytes);
    if (!t->count || !t->columns) return;
    for (uint32_t c = 0; c < t->columns; c++)
        bly_parameter_write(s->precision, plan->columns[c].field, plan->columns[c].element,
                            t->values[scenario * t->columns + c], set);
    bly_parameters_follow(&s->payoff, s->precision, s->given, plan->given, set);
}

/* Each scenario's whole set of parameters, of which some values may not go together. */
static bailey_status check_sets(struct bly_scenario_plan *plan)
{
    const bailey_simulation *s = plan->s;
    bailey_status status = find_given(plan);
    if (status == BAILEY_OK) status = bly_parameters_missing(&s->payoff, s->given, plan->given);
    if (status != BAILEY_OK || !s->payoff.description->d.check_count) return status;
    uint8_t *set = bly_alloc(s->payoff.params_bytes, 1);
    if (!set) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    for (uint64_t i = 0; i < plan->count && status == BAILEY_OK; i++) {
        bly_scenarios_set(plan, i, set);
        status = bly_parameters_check(&s->payoff, s->precision, set);
        if (status != BAILEY_OK && plan->table->count) status = in_scenario(status, i);
    }
    bly_free(set);
    return status;
}

/* ---- Moves --------------------------------------------------------------------------------------- */

static double shift_of(const struct bly_scenario_plan *plan, uint64_t scenario)
{
    return plan->table->time_shift ? plan->table->time_shift[scenario] : 0;
}

static bailey_status check_shift(const struct bly_scenario_plan *plan, uint64_t scenario)
{
    const bailey_simulation *s = plan->s;
    const double shift = shift_of(plan, scenario), first = s->first_time - s->start_time;
    if (shift == 0) return BAILEY_OK;
    if (s->fixed_end)
        return bly_fail_argument("time_shift", "time_shift[%llu] is %g, but paths have a fixed end",
                                 (unsigned long long)scenario, shift);
    if (!(first + shift > 0x1p-40 * first && first + shift < 0x1p40 * first))
        return bly_fail_argument("time_shift",
                                 "time_shift[%llu] is %.*g: it moves the first time, %.*g, to %.*g, which "
                                 "must be beyond start_time, %.*g",
                                 (unsigned long long)scenario, BLY_REAL(shift), BLY_REAL(s->first_time),
                                 BLY_REAL(s->first_time + shift), BLY_REAL(s->start_time));
    return BAILEY_OK;
}

/* M - 1 of a scenario with its own covariance; *moves is 0 if that equals the covariance of the simulation,
 * up to rounding. */
static bailey_status find_matrix(const struct bly_scenario_plan *plan, uint64_t scenario, double *matrix,
                                 int *moves)
{
    const uint32_t d = plan->s->assets, all = plan->s->dims;
    const double *own = plan->s->factor, tolerance = BLY_FACTOR_TOLERANCE(d);
    double other[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS];
    const bailey_status status =
        bly_factor_covariance("covariance", plan->table->covariance + scenario * d * d, d, other);
    *moves = 0;
    if (status != BAILEY_OK) return in_scenario(status, scenario);
    /* The sign of a column is free, and that of the simulation's own factor is taken. */
    for (uint32_t j = 0; j < d; j++)
        for (uint32_t i = j; i < d && own[j * all + j] < 0; i++) other[i * d + j] = -other[i * d + j];
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j <= i; j++)
            *moves |= fabs(other[i * d + j] - own[i * all + j]) > tolerance * fabs(own[i * all + i]);
    memset(matrix, 0, sizeof(double) * all * all);
    for (uint32_t j = 0; j < d && *moves; j++)
        if (!(own[j * all + j] != 0))
            return bly_fail_argument("covariance",
                                     "scenario %llu: the covariance differs from the simulation's, which is "
                                     "singular: its factor has 0 at [%u][%u]",
                                     (unsigned long long)scenario, j, j);
    for (uint32_t i = 0; i < d && *moves; i++) {
        for (uint32_t j = i + 1; j-- > 0;) {
            double rest = other[i * d + j];
            for (uint32_t k = j + 1; k <= i; k++) rest = fma(-matrix[i * all + k], own[k * all + j], rest);
            matrix[i * all + j] = rest / own[j * all + j];
        }
        matrix[i * all + i] -= 1;
    }
    return BAILEY_OK;
}

static bailey_status check_moves(struct bly_scenario_plan *plan)
{
    double matrix[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS];
    const bailey_scenarios *t = plan->table;
    const char *moved = t->time_shift ? "time_shift" : t->covariance ? "covariance" : NULL;
    if (plan->s->motion && moved)
        return bly_fail_argument(moved, "%s is given, but scenarios cannot move paths that are motions",
                                 moved);
    for (uint64_t i = 0; i < plan->count; i++) {
        bailey_status status = check_shift(plan, i);
        plan->shifts |= shift_of(plan, i) != 0;
        int moves = 0;
        if (status == BAILEY_OK && plan->table->covariance) status = find_matrix(plan, i, matrix, &moves);
        if (status != BAILEY_OK) return status;
        if (moves && (plan->s->fixed_end || plan->s->independent))
            return bly_fail_argument(
                "covariance", "scenario %llu has another covariance, but %s", (unsigned long long)i,
                plan->s->fixed_end ? "paths have a fixed end" : "the payoff needs independent dimensions");
        plan->recorrelates |= (uint32_t)moves;
    }
    return BAILEY_OK;
}

static void write_real(const bailey_simulation *s, double value, void *moves, uint32_t at)
{
    if (s->precision == BAILEY_PRECISION_F64)
        ((double *)moves)[at] = value;
    else
        ((float *)moves)[at] = (float)value;
}

static bailey_status write_move(const struct bly_scenario_plan *plan, uint64_t scenario, void *to)
{
    const bailey_simulation *s = plan->s;
    const double shift = shift_of(plan, scenario), first = s->first_time - s->start_time;
    const double more = sqrt((first + shift) / first);
    double matrix[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS] = {0};
    int moves = 0;
    bailey_status status = BAILEY_OK;
    if (plan->table->covariance) status = find_matrix(plan, scenario, matrix, &moves);
    write_real(s, moves || shift != 0, to, 0);
    write_real(s, shift, to, 1);
    write_real(s, (s->walk == BLY_WALK_INCREMENTS ? 1 / more : more) - 1, to, 2);
    for (uint32_t i = 0; i < s->dims * s->dims; i++) write_real(s, matrix[i], to, 3 + i);
    return status;
}

/* ---- Weights ------------------------------------------------------------------------------------- */

static double weight_of(const struct bly_scenario_plan *plan, uint32_t row, uint64_t number)
{
    return plan->table->weights[row * plan->count * plan->outputs + number];
}

static int row_uses(const struct bly_scenario_plan *plan, uint32_t row, uint64_t scenario)
{
    for (uint64_t o = 0; o < plan->outputs; o++)
        if (weight_of(plan, row, scenario * plan->outputs + o) != 0) return 1;
    return 0;
}

static bailey_status check_scores(const struct bly_scenario_plan *plan)
{
    const uint32_t d = plan->s->dims;
    const uint64_t count = 1 + d + (uint64_t)d * d;
    for (uint64_t i = 0; plan->table->scores && i < plan->table->rows * count; i++)
        if (!isfinite(plan->table->scores[i]))
            return bly_fail_argument("scores", "scores[%llu][%llu] is %g, not finite",
                                     (unsigned long long)(i / count), (unsigned long long)(i % count),
                                     plan->table->scores[i]);
    return BAILEY_OK;
}

static bailey_status check_weights(const struct bly_scenario_plan *plan)
{
    const bailey_scenarios *t = plan->table;
    if (t->rows == 0) return BAILEY_OK;
    if (!t->weights) return bly_fail_argument("weights", "weights is NULL but rows is %u", t->rows);
    for (uint32_t r = 0; r < t->rows; r++) {
        int any = 0;
        for (uint64_t k = 0; k < plan->count * plan->outputs; k++) {
            const double weight = weight_of(plan, r, k);
            if (!isfinite(weight))
                return bly_fail_argument("weights", "weights[%u][%llu] is %g, not finite", r,
                                         (unsigned long long)k, weight);
            any |= weight != 0;
        }
        if (!any) return bly_fail_argument("weights", "row %u of weights is all zero", r);
    }
    return check_scores(plan);
}

/* ---- Passes -------------------------------------------------------------------------------------- */

/* Whether all results have to come from one pass: for sums of products. */
static int takes_one_pass(const struct bly_scenario_plan *plan)
{
    return plan->params->covariance || plan->params->expected;
}

uint32_t bly_simulation_state_words(const bailey_simulation *s, int antithetic)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < s->payoff.state_count; i++)
        numbers +=
            s->payoff.states[i].count *
            (s->payoff.states[i].type == BLY_FIELD_REAL && s->precision == BAILEY_PRECISION_F64 ? 2 : 1);
    return numbers * (antithetic ? 2 : 1);
}

/* On GPUs the states of an item have to be in registers, on processors in a part of the stack. */
static uint32_t limit_of(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    const uint32_t words = bly_simulation_state_words(s, p->antithetic != 0);
    const uint32_t most = words ? STATE_WORDS / words : BAILEY_SIMULATION_MAX_RESULTS;
    return most < 1 ? 1 : most < BAILEY_SIMULATION_MAX_RESULTS ? most : BAILEY_SIMULATION_MAX_RESULTS;
}

static uint32_t side_of(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    const uint32_t words = bly_simulation_state_words(s, p->antithetic != 0), limit = limit_of(s, p),
                   results = BAILEY_SIMULATION_MAX_RESULTS / s->payoff.outputs;
    uint32_t most = bly_simulation_draws(s) ? SCENARIOS_GPU : SCENARIOS;
    if (words && bly_simulation_draws(s)) {
        /* Of as many paths as usual if that leaves two scenarios or more, else of one path. */
        uint32_t fit = BLY_SCENARIO_WORDS / (words * s->width);
        if (fit < 2) fit = BLY_SCENARIO_WORDS / words;
        if (fit < most) most = fit;
    }
    if (most > results) most = results;
    if (most > limit) most = limit;
    return most ? most : 1;
}

static bailey_status check_side(const struct bly_scenario_plan *plan, uint64_t used, const char *what)
{
    const uint32_t limit = limit_of(plan->s, plan->params);
    if (used <= limit) return BAILEY_OK;
    return bly_fail_argument("weights",
                             "%s %llu scenarios at once; the maximum with this payoff's state is %u", what,
                             (unsigned long long)used, limit);
}

/* Notes the scenarios that a row uses; returns how many of them had not been used. */
static uint32_t add_used(const struct bly_scenario_plan *plan, uint32_t row, uint8_t *used)
{
    uint32_t more = 0;
    for (uint64_t i = 0; i < plan->count; i++) {
        if (used[i] || !row_uses(plan, row, i)) continue;
        used[i] = 1;
        more++;
    }
    return more;
}

/* The rows of a pass that begins with row `first`: as many as its scenarios allow. */
static bailey_status cut_pass(struct bly_scenario_plan *plan, uint32_t first, uint8_t *used)
{
    const int all = takes_one_pass(plan);
    struct rows *pass = &plan->rows[plan->passes++];
    memset(used, 0, plan->count);
    *pass = (struct rows){first, 1, add_used(plan, first, used)};
    while (first + pass->count < plan->table->rows && pass->count < BAILEY_SIMULATION_MAX_RESULTS) {
        const uint32_t more = add_used(plan, first + pass->count, used);
        if (!all && pass->scenarios + more > plan->most) break;
        pass->scenarios += more;
        pass->count++;
    }
    return check_side(plan, pass->scenarios, all ? "the rows take" : "a row takes");
}

static bailey_status cut_rows(struct bly_scenario_plan *plan)
{
    const uint32_t rows = plan->table->rows;
    uint8_t *used = bly_alloc(plan->count, 1);
    plan->rows = bly_alloc(rows, sizeof *plan->rows);
    bailey_status status =
        used && plan->rows ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    for (uint32_t r = 0; r < rows && status == BAILEY_OK; r += plan->rows[plan->passes - 1].count)
        status = cut_pass(plan, r, used);
    bly_free(used);
    return status;
}

/* All passes have as many scenarios, so that one program serves them: the last one repeats some. */
static bailey_status cut_scenarios(struct bly_scenario_plan *plan)
{
    if (takes_one_pass(plan)) {
        plan->passes = 1;
        plan->side = (uint32_t)plan->count;
        return check_side(plan, plan->count, "covariances and control variates take");
    }
    plan->passes = (plan->count + plan->most - 1) / plan->most;
    plan->side = (uint32_t)((plan->count + plan->passes - 1) / plan->passes);
    return BAILEY_OK;
}

static bailey_status check_results(const struct bly_scenario_plan *plan)
{
    const bailey_simulation_run_params *p = plan->params;
    const char *what = p->covariance ? "covariance"
                       : p->expected ? "expected"
                       : p->samples  ? "samples"
                                     : NULL;
    if (plan->results <= BAILEY_SIMULATION_MAX_RESULTS || !what) return BAILEY_OK;
    return bly_fail_argument(what, "%s of %llu results; the maximum is %u", what,
                             (unsigned long long)plan->results, BAILEY_SIMULATION_MAX_RESULTS);
}

static bailey_status read_table(struct bly_scenario_plan *plan)
{
    const bailey_scenarios *t = plan->table;
    bailey_scenarios looked_at = *t;
    looked_at.values = NULL; /* check_values says of which parameter they are */
    bailey_status status = bailey_record_check(&bly_record_scenarios, &looked_at);
    if (status == BAILEY_OK) status = read_columns(plan);
    if (status == BAILEY_OK) status = check_values(plan);
    if (status == BAILEY_OK) status = check_moves(plan);
    return status == BAILEY_OK ? check_weights(plan) : status;
}

static bailey_status make_plan(struct bly_scenario_plan *plan)
{
    const int weighted = plan->table->count && plan->table->rows;
    bailey_status status = plan->table->count ? read_table(plan) : BAILEY_OK;
    if (status == BAILEY_OK) status = check_sets(plan);
    plan->results = weighted ? plan->table->rows : plan->count * plan->outputs;
    if (status == BAILEY_OK) status = check_results(plan);
    if (status != BAILEY_OK) return status;
    plan->scenario = bly_alloc(BAILEY_SIMULATION_MAX_RESULTS, sizeof *plan->scenario);
    if (!plan->scenario) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    plan->most = side_of(plan->s, plan->params);
    return weighted ? cut_rows(plan) : cut_scenarios(plan);
}

bailey_status bly_scenarios_plan(const bailey_simulation *s, const bailey_simulation_run_params *params,
                                 struct bly_scenario_plan **out)
{
    struct bly_scenario_plan *plan = *out = bly_alloc(1, sizeof *plan);
    if (!plan) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    plan->s = s;
    plan->params = params;
    plan->table = &params->scenarios;
    plan->count = params->scenarios.count ? params->scenarios.count : 1;
    plan->outputs = s->payoff.outputs;
    return make_plan(plan);
}

void bly_scenarios_free(struct bly_scenario_plan *plan)
{
    if (!plan) return;
    bly_free(plan->columns);
    bly_free(plan->given);
    bly_free(plan->rows);
    bly_free(plan->scenario);
    bly_free(plan->terms);
    bly_free(plan);
}

uint64_t bly_scenarios_passes(const struct bly_scenario_plan *plan) { return plan->passes; }

uint64_t bly_scenarios_results(const struct bly_scenario_plan *plan) { return plan->results; }

static int is_weighted(const struct bly_scenario_plan *plan) { return plan->rows != NULL; }

/* The weight of row `row` of a pass for its output `out`. */
static double weight_in(const struct bly_scenario_plan *plan, const struct bly_pass *pass, uint32_t row,
                        uint32_t out)
{
    const uint64_t scenario = plan->scenario[out / plan->outputs];
    return weight_of(plan, (uint32_t)pass->first + row, scenario * plan->outputs + out % plan->outputs);
}

static bailey_status find_terms(struct bly_scenario_plan *plan, struct bly_pass *pass)
{
    const uint32_t outputs = pass->scenarios * (uint32_t)plan->outputs;
    bly_free(plan->terms);
    pass->terms = plan->terms = bly_alloc((size_t)pass->results * (outputs / 2 + 1), sizeof *plan->terms);
    if (!plan->terms) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    struct bly_terms *next = plan->terms;
    for (uint32_t r = 0; r < pass->results; r++)
        for (uint32_t k = 0, before = 0; k < outputs; k++) {
            const int counts = weight_in(plan, pass, r, k) != 0;
            if (counts && !before) *next++ = (struct bly_terms){r, k, 0, pass->weight_count};
            if (counts) next[-1].count++;
            pass->weight_count += (uint32_t)counts;
            before = (uint32_t)counts;
        }
    pass->term_count = (uint32_t)(next - plan->terms);
    return BAILEY_OK;
}

static bailey_status find_rows(struct bly_scenario_plan *plan, uint64_t number, struct bly_pass *pass)
{
    const struct rows *rows = &plan->rows[number];
    *pass = (struct bly_pass){.results = rows->count, .first = rows->first, .scenario = plan->scenario};
    for (uint64_t i = 0; i < plan->count; i++) {
        int uses = 0;
        for (uint32_t r = 0; r < rows->count && !uses; r++) uses = row_uses(plan, rows->first + r, i);
        if (uses) plan->scenario[pass->scenarios++] = i;
    }
    return find_terms(plan, pass);
}

bailey_status bly_scenarios_pass(struct bly_scenario_plan *plan, uint64_t number, struct bly_pass *pass)
{
    if (is_weighted(plan)) return find_rows(plan, number, pass);
    const uint64_t last = plan->count - plan->side, here = number * plan->side;
    const uint64_t first = here < last ? here : last;
    for (uint32_t i = 0; i < plan->side; i++) plan->scenario[i] = first + i;
    *pass = (struct bly_pass){.results = plan->side * (uint32_t)plan->outputs,
                              .scenarios = plan->side,
                              .first = first * plan->outputs,
                              .scenario = plan->scenario};
    return BAILEY_OK;
}

void bly_scenarios_choose(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                          struct bly_simulation_variant *v)
{
    v->scenarios = pass->scenarios;
    v->results = pass->results;
    v->shifts = plan->shifts;
    v->recorrelates = plan->recorrelates;
    v->weights = pass->weight_count;
    v->scored = is_weighted(plan) && plan->table->scores;
    if (pass->term_count)
        bly_hash_of(pass->terms, pass->term_count * sizeof *pass->terms, (uint8_t *)v->terms);
}

/* ---- Values that a program reads ------------------------------------------------------------------ */

static uint64_t move_words(const bailey_simulation *s)
{
    const uint64_t reals = (3 + (uint64_t)s->dims * s->dims + 1) / 2 * 2;
    return reals * bly_element_bytes(s->precision) / 8;
}

static uint64_t score_words(const bailey_simulation *s) { return 1 + s->dims + (uint64_t)s->dims * s->dims; }

struct bly_values_layout bly_scenarios_layout(const bailey_simulation *s,
                                              const struct bly_simulation_variant *v)
{
    struct bly_values_layout at = {.set = s->payoff.params_bytes / 8};
    at.weights = at.set * v->scenarios;
    at.scores = at.weights + v->weights;
    at.moves = at.scores + v->scored * v->results * score_words(s);
    at.all = at.moves + (v->shifts || v->recorrelates ? v->scenarios * move_words(s) : 0);
    return at;
}

bailey_status bly_scenarios_write(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                                  const struct bly_values_layout *at, void *values)
{
    const bailey_simulation *s = plan->s;
    uint64_t *words = values;
    double *weights = (double *)(words + at->weights);
    for (uint32_t i = 0; i < pass->scenarios; i++) {
        bly_scenarios_set(plan, pass->scenario[i], (uint8_t *)(words + i * at->set));
        if (!plan->shifts && !plan->recorrelates) continue;
        const bailey_status status =
            write_move(plan, pass->scenario[i], words + at->moves + i * move_words(s));
        if (status != BAILEY_OK) return status;
    }
    for (uint32_t t = 0; t < pass->term_count; t++)
        for (uint32_t j = 0; j < pass->terms[t].count; j++)
            weights[pass->terms[t].weight + j] =
                weight_in(plan, pass, pass->terms[t].row, pass->terms[t].from + j);
    if (is_weighted(plan) && plan->table->scores)
        memcpy(words + at->scores, plan->table->scores + pass->first * score_words(s),
               pass->results * score_words(s) * sizeof(double));
    return BAILEY_OK;
}
