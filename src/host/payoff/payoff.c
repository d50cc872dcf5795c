/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The end of the front end: of a unit that was read and checked, what runs need stays - names, places in
 * memory and the text of the program - and the tree goes.
 */
#include "payoff.h"
#include "check.h"
#include "comments.h"

#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>

#include <stdio.h>
#include <string.h>

/* Numbers of a state up to which each is an array of lanes: where no array is longer than SHORT_ARRAY, and
 * else. A call on five assets under heston, with 36 numbers, takes a seventh of the time then (gcc 12, AVX-512, f32). */
#define SPLIT_SHORT 128u
#define SPLIT_STATE 32u
#define SHORT_ARRAY 16u

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

/* ---- Fields -------------------------------------------------------------------------------------- */

static enum bly_field_type type_of(const struct bly_type *type)
{
    switch (type->kind) {
    case BLY_TYPE_INT: return BLY_FIELD_INT;
    case BLY_TYPE_UINT32: return BLY_FIELD_UINT32;
    case BLY_TYPE_INT64: return BLY_FIELD_INT64;
    case BLY_TYPE_UINT64: return BLY_FIELD_UINT64;
    default: return BLY_FIELD_REAL;
    }
}

static uint64_t bytes_of(const struct bly_field *field, bailey_precision precision)
{
    const int wide = field->type == BLY_FIELD_INT64 || field->type == BLY_FIELD_UINT64 ||
                     (field->type == BLY_FIELD_REAL && precision == BAILEY_PRECISION_F64);
    return wide ? 8 : 4;
}

/* Sets offsets; returns the bytes of the structure, as C lays it out. */
static uint64_t place(struct bly_field *fields, uint32_t count, bailey_precision precision)
{
    uint64_t bytes = 0, largest = 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t size = bytes_of(&fields[i], precision);
        bytes = (bytes + size - 1) / size * size;
        fields[i].offset = (uint32_t)bytes;
        bytes += size * fields[i].count;
        if (size > largest) largest = size;
    }
    return (bytes + largest - 1) / largest * largest;
}

static void take_field(const struct bly_field_node *node, struct bly_field *field)
{
    const int array = node->type->kind == BLY_TYPE_ARRAY;
    strncpy(field->name, node->name, sizeof field->name - 1);
    field->type = type_of(array ? node->type->of : node->type);
    field->count = array ? node->type->count : 1;
    field->array = (uint32_t)array;
}

/* Numbers and arrays of them: the parser takes no others, and sees to their number and size. */
static bailey_status take_fields(const struct bly_unit *unit, const struct bly_record *record,
                                 struct bly_field **fields, uint32_t *count, uint64_t *bytes)
{
    *bytes = 0;
    if (!record || !record->field_count) return BAILEY_OK;
    *fields = bly_alloc(record->field_count, sizeof **fields);
    if (!*fields) return bly_fail(BAILEY_ERROR_MEMORY, "no memory to read a payoff");
    for (const struct bly_field_node *node = record->fields; node; node = node->next)
        take_field(node, &(*fields)[(*count)++]);
    *bytes = place(*fields, *count, unit->precision);
    return BAILEY_OK;
}

/* ---- From a unit --------------------------------------------------------------------------------- */

static bailey_status take_sites(const struct bly_unit *unit, struct bly_payoff *out)
{
    out->site_count = unit->site_count;
    out->sites = unit->site_count ? bly_sites_copy(unit->sites, unit->site_count) : NULL;
    if (!unit->site_count || out->sites) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "no memory to read a payoff");
}

static bailey_status take_text(const struct bly_unit *unit, const struct bly_printing *printing, char **out)
{
    struct bly_text text = {0};
    bly_unit_print(unit, printing, &text);
    *out = text.data;
    return text.failed ? bly_fail(BAILEY_ERROR_MEMORY, "no memory for a payoff's program") : BAILEY_OK;
}

bailey_status bly_payoff_take(const struct bly_unit *unit, const struct bly_printing *printing,
                              struct bly_payoff *out)
{
    uint64_t params = 0, state = 0;
    memcpy(out->name, unit->name, sizeof out->name);
    out->outputs = unit->outputs;
    out->normals = unit->normals;
    out->uniforms = unit->uniforms;
    out->whole = unit->whole != NULL;
    out->exercises = unit->exercise != NULL;
    out->regressors = unit->regress ? unit->regressors : 0;
    out->has_root = unit->has_root;
    bailey_status status = take_fields(unit, unit->params, &out->params, &out->param_count, &params);
    if (status == BAILEY_OK) status = take_fields(unit, unit->state, &out->states, &out->state_count, &state);
    if (status != BAILEY_OK) return status;
    out->params_bytes = params ? (uint32_t)(params + 7) / 8 * 8 : 8;
    status = take_sites(unit, out);
    return status == BAILEY_OK ? take_text(unit, printing, &out->text) : status;
}

/* For processors. */
static bailey_status take_lanes(const struct bly_unit *unit, struct bly_payoff *out)
{
    const struct bly_printing printing = {.prefix = "bly_own_", .lanes = true};
    struct bly_place where = {0};
    /* Derivatives have lanes already. Early exercise takes some processors several times as long without branches
     * (docs/records/benchmarks.md). */
    if (unit->most_outputs || unit->around || !bly_unit_branches(unit)) return BAILEY_OK;
    out->scalar = bly_unit_scalar(unit, &where);
    out->scalar_line = where.line;
    return out->scalar ? BAILEY_OK : take_text(unit, &printing, &out->lanes);
}

/* Numbers in the code that halves do not have. */
static void note_beyond(void *of, struct bly_expression *e)
{
    struct bly_payoff *out = of;
    if (out->half_line || e->kind != BLY_NUMBER || e->type->kind != BLY_TYPE_REAL) return;
    if (!bly_is_beyond_half(e->real)) return;
    out->half_beyond = e->real;
    out->half_line = e->place.line;
}

static bailey_status take_half(const struct bly_unit *unit, struct bly_payoff *out)
{
    const struct bly_printing printing = {.prefix = "bly_half_own_", .half = true};
    const struct bly_visitor visitor = {.expression = note_beyond, .of = out};
    for (const struct bly_function *f = unit->functions; f; f = f->next)
        if (f->role != BLY_ROLE_FINISH) bly_visit_all(f->body, &visitor);
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        const double n = bly_operations_of(f);
        if (f->role == BLY_ROLE_PAIR) out->pair_operations = n / 2;
        if (f->role == BLY_ROLE_STEP) out->step_operations = n;
        if (f->role == BLY_ROLE_START || f->role == BLY_ROLE_FINISH) out->sample_operations += n;
    }
    return take_text(unit, &printing, &out->half);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static bailey_status read(struct bly_unit *unit, const bailey_payoff *payoff, const char *text,
                          struct bly_payoff *out)
{
    const struct bly_printing printing = {.prefix = "bly_own_"};
    unit->code = text;
    unit->length = strlen(text);
    unit->loop_budget = payoff->loop_budget;
    bly_unit_name(unit, payoff->name);
    memset(out, 0, sizeof *out);
    bailey_status status = bly_unit_read(unit);
    if (status == BAILEY_OK) status = bly_payoff_take(unit, &printing, out);
    if (status == BAILEY_OK) status = take_lanes(unit, out);
    if (status == BAILEY_OK && unit->kind == BLY_UNIT_LEVELS && unit->precision == BAILEY_PRECISION_F32)
        status = take_half(unit, out);
    if (status == BAILEY_OK) status = bly_describe(unit, &out->description);
    bly_unit_free(unit);
    return status;
}

bailey_status bly_levels_read(const bailey_payoff *payoff, bailey_precision precision, uint32_t dims,
                              struct bly_payoff *out)
{
    struct bly_unit unit = {
        .kind = BLY_UNIT_LEVELS, .precision = precision, .dims = dims, .argument = "estimator"};
    return read(&unit, payoff, payoff->code, out);
}

bailey_status bly_payoff_read(const bailey_payoff *payoff, const struct bly_payoff_path *path,
                              struct bly_payoff *out)
{
    struct bly_unit unit = {.kind = path->motion_depth ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF,
                            .precision = path->precision,
                            .dims = path->dims,
                            .own = path->own,
                            .steps = path->steps,
                            .levels = path->motion_depth,
                            .most_outputs = path->most_outputs,
                            .around = path->around,
                            .argument = "payoff"};
    const char *text = payoff->code;
    memset(out, 0, sizeof *out);
    if (!text && !payoff->name)
        return bly_fail_argument("payoff", "payoff has neither code nor the name of a built-in");
    if (!text) text = bly_payoff_builtin_code(payoff->name);
    if (!text) return bly_fail_argument("payoff", "payoff \"%s\" is not a built-in", payoff->name);
    return read(&unit, payoff, text, out);
}

void bly_payoff_free(struct bly_payoff *payoff)
{
    bly_free(payoff->params);
    bly_free(payoff->states);
    bly_free(payoff->text);
    bly_free(payoff->half);
    bly_free(payoff->lanes);
    bly_free(payoff->sites);
    bly_free(payoff->description); /* one block: see host/payoff/descriptions.h */
    memset(payoff, 0, sizeof *payoff);
}

bailey_status bly_payoff_not_built(const char *argument, const char *name, bailey_status status)
{
    char words[BLY_ERROR_TEXT];
    if (status != BAILEY_ERROR_BUILD || !strstr(bailey_error_message(), "error:")) return status;
    snprintf(words, sizeof words, "%s", bailey_error_message());
    bly_fail(status,
             "%s: the compiler rejects the program that bailey generated from it. This is a bug in bailey: "
             "please report it with the code and this message. %s",
             name, words);
    return bly_name_argument(status, argument);
}

/* ---- Structures ---------------------------------------------------------------------------------- */

uint32_t bly_fields_numbers(const struct bly_field *fields, uint32_t count)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < count; i++) numbers += fields[i].count;
    return numbers;
}

static const char *type_name(const struct bly_field *field)
{
    static const char *const names[] = {"real", "int32", "uint32", "int64", "uint64"};
    return names[field->type];
}

static void write_fields(struct bly_text *text, const struct bly_field *fields, uint32_t count,
                         const char *lanes)
{
    for (uint32_t i = 0; i < count; i++) {
        WRITE("    %s own_%s", type_name(&fields[i]), fields[i].name);
        if (fields[i].array) WRITE("[%u]", fields[i].count);
        WRITE("%s;\n", lanes);
    }
    if (count == 0) WRITE("    int32 bly_nothing;\n");
}

/* Moves each number of a state between one path's and those of all. */
static void write_moves(struct bly_text *text, const struct bly_payoff *payoff, int put)
{
    for (uint32_t i = 0; i < payoff->state_count; i++) {
        const struct bly_field *field = &payoff->states[i];
        for (uint32_t k = 0; k < field->count; k++) {
            char at[16] = "";
            if (field->array) snprintf(at, sizeof at, "[%u]", k);
            if (put)
                WRITE("    all->own_%s%s[v] = one.own_%s%s;\n", field->name, at, field->name, at);
            else
                WRITE("    one.own_%s%s = all->own_%s%s[v];\n", field->name, at, field->name, at);
        }
    }
}

static int is_split(const struct bly_payoff *payoff)
{
    uint32_t most = SPLIT_SHORT;
    for (uint32_t i = 0; i < payoff->state_count; i++)
        if (payoff->states[i].count > SHORT_ARRAY) most = SPLIT_STATE;
    return payoff->state_count > 0 && bly_fields_numbers(payoff->states, payoff->state_count) <= most;
}

/* Small states are arrays of lanes, which become vectors; large ones are whole, so that a step that touches
 * one number of an array does not move all of them. */
void bly_payoff_structures(const struct bly_payoff *payoff, struct bly_text *text)
{
    const int split = is_split(payoff);
    WRITE("typedef struct bly_params {\n");
    write_fields(text, payoff->params, payoff->param_count, "");
    WRITE("} bly_params;\ntypedef struct bly_state {\n");
    write_fields(text, payoff->states, payoff->state_count, "");
    WRITE("} bly_state;\ntypedef struct bly_states {\n");
    if (split)
        write_fields(text, payoff->states, payoff->state_count, "[BLY_WIDTH]");
    else
        WRITE("    bly_state one[BLY_WIDTH];\n");
    WRITE("} bly_states;\nBAILEY_FN bly_state bly_state_get(const bly_states *all, int v)\n{\n");
    if (split) {
        WRITE("    bly_state one;\n");
        write_moves(text, payoff, 0);
        WRITE("    return one;\n}\n");
    } else {
        WRITE("    return all->one[v];\n}\n");
    }
    WRITE("BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)\n{\n");
    if (split)
        write_moves(text, payoff, 1);
    else
        WRITE("    all->one[v] = one;\n");
    WRITE("}\n");
}
