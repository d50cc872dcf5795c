/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The layers of a model: reads them, adds those that others need, and puts each above what it asks.
 *
 *     rates, which give discount and growth; then what changes these
 *     prices; then what changes these: jumps, dividends
 *     names of stacks, whose files have no code
 */
#include "compose.h"
#include "tokens.h"

#include <base/status.h>

#include <stdio.h>
#include <string.h>

/* ---- Reading ------------------------------------------------------------------------------------- */

static uint32_t of_many(uint32_t a, uint32_t b) { return a ? a : b ? b : 1; }

static bailey_status read_part(struct bly_part *part, enum bly_unit_kind kind, const struct bly_layer *layer,
                               uint32_t dims, uint32_t steps)
{
    static const char *const words[] = {"payoff", "model", "product"};
    const bailey_payoff_kind expected =
        kind == BLY_UNIT_MODEL ? BAILEY_PAYOFF_KIND_MODEL : BAILEY_PAYOFF_KIND_PRODUCT;
    struct bly_unit *unit = &part->unit;
    *unit = (struct bly_unit){.kind = kind,
                              .code = layer->code,
                              .length = strlen(layer->code),
                              .argument = kind == BLY_UNIT_MODEL ? "model" : "payoff"};
    bly_unit_name(unit, layer->name);
    bailey_status status = bly_tokens_read(unit);
    if (status == BAILEY_OK) status = bly_head_read(unit, &part->head);
    if (status != BAILEY_OK) return status;
    if (part->head.kind != expected)
        return bly_refuse_at(unit, (struct bly_place){0, 0},
                             "this is a %s, not a %s: the head comment of a %s has the line kind: %s",
                             words[part->head.kind], words[expected], words[expected], words[expected]);
    unit->dims = of_many(part->head.needs.assets || kind == BLY_UNIT_PRODUCT ? dims : 0,
                         part->head.needs.dims_least);
    unit->own = bly_own_dims(&part->head.needs, unit->dims);
    unit->steps = of_many(steps, (uint32_t)part->head.needs.steps);
    status = bly_macros_expand(unit);
    if (status == BAILEY_OK) status = bly_unit_parse(unit);
    if (status == BAILEY_OK) status = bly_describe(unit, &part->description);
    part->timed = kind == BLY_UNIT_MODEL && (!unit->step || unit->step->parameter_count == 6) &&
                  bly_part_field(part, BLY_NAME_STATE, "time");
    return status;
}

/* A model that has prices need not say what their logarithms are. */
static bailey_status add_log_price(struct bly_part *part, const struct bly_layer *layer, uint32_t dims, uint32_t steps)
{
    bly_text_add(&part->longer,
                 "%s\nreal log_price(const state *s, const params *p, int a, real first) { return log(price(s, p, a) / "
                 "first); }\n",
                 layer->code);
    bly_description_free(part->description);
    part->description = NULL;
    bly_unit_free(&part->unit);
    if (part->longer.failed) return bly_fail(BAILEY_ERROR_MEMORY, "no memory to compose a model and a product");
    return read_part(part, BLY_UNIT_MODEL, &(struct bly_layer){part->longer.data, layer->name}, dims, steps);
}

bailey_status bly_part_read(struct bly_part *part, enum bly_unit_kind kind, const struct bly_layer *layer,
                            uint32_t dims, uint32_t steps)
{
    const bailey_status status = read_part(part, kind, layer, dims, steps);
    const bool lacks = status == BAILEY_OK && kind == BLY_UNIT_MODEL && bly_part_function(part, "price") &&
                       !bly_part_function(part, "log_price");
    return lacks ? add_log_price(part, layer, dims, steps) : status;
}

static bailey_status add_layer(struct bly_joint *j, const struct bly_layer *layer)
{
    if (j->count == BLY_MOST_LAYERS)
        return bly_fail_argument("model_name", "the model %s has more than %u layers",
                                 j->composition->model_name, BLY_MOST_LAYERS);
    struct bly_part *part = &j->part[j->count];
    j->parts[j->count++] = part;
    return bly_part_read(part, BLY_UNIT_MODEL, layer, j->composition->assets, j->composition->dates);
}

/* ---- What layers ask and answer ------------------------------------------------------------------ */

static bool asks(const struct bly_part *part, const char *question)
{
    for (const struct bly_asking *a = part->unit.askings; a; a = a->next)
        if (strcmp(a->question->name, question) == 0) return true;
    return false;
}

static bool answers(const struct bly_part *part, const char *question)
{
    return bly_part_function(part, question) != NULL;
}

static bool is_stack(const struct bly_part *part) { return !part->unit.functions; }

/* Whether a layer answers without asking others. */
static bool is_answered(const struct bly_joint *j, const char *question)
{
    for (uint32_t i = 0; i < j->count; i++)
        if (answers(j->parts[i], question) && !asks(j->parts[i], question)) return true;
    return false;
}

/* ---- Layers that are added ----------------------------------------------------------------------- */

static bailey_status add_with_stacks(struct bly_joint *j, const struct bly_layer *layer);

/* The layers of a line model: heston+flat. */
static bailey_status add_usual(struct bly_joint *j, const struct bly_part *of)
{
    const char *from = of->head.model;
    bailey_status status = BAILEY_OK;
    while (*from && status == BAILEY_OK) {
        const size_t length = strcspn(from, "+");
        const char *name = bly_arena_text(&j->part[0].unit.arena, from, length);
        const char *code = name ? j->composition->find(name) : NULL;
        if (!name) return bly_no_memory(&of->unit);
        if (!code)
            return bly_refuse_at(&of->unit, (struct bly_place){0, 0}, "model %s is not a built-in", name);
        status = add_with_stacks(j, &(struct bly_layer){code, name});
        from += length + (from[length] == '+');
    }
    return status;
}

/* The layers of a stack have its place among those that are named. */
static bailey_status add_with_stacks(struct bly_joint *j, const struct bly_layer *layer)
{
    const bailey_status status = add_layer(j, layer);
    const struct bly_part *part = j->parts[j->count - 1];
    return status == BAILEY_OK && is_stack(part) ? add_usual(j, part) : status;
}

static bool lacks_layers(const struct bly_joint *j, const struct bly_part *part)
{
    for (const struct bly_asking *a = part->unit.askings; a; a = a->next)
        if (!bly_asks_optionally(part, a) && !is_answered(j, a->question->name)) return true;
    return false;
}

/* ---- Their order --------------------------------------------------------------------------------- */

static int height(const struct bly_part *part)
{
    if (is_stack(part)) return 4;
    if (answers(part, "price")) return asks(part, "price") ? 3 : 2;
    for (const struct bly_asking *a = part->unit.askings; a; a = a->next)
        if (answers(part, a->question->name)) return 1;
    return 0;
}

static void sort(struct bly_joint *j)
{
    for (uint32_t i = 1; i < j->count; i++)
        for (uint32_t k = i; k > 0 && height(j->parts[k]) < height(j->parts[k - 1]); k--) {
            struct bly_part *part = j->parts[k];
            j->parts[k] = j->parts[k - 1];
            j->parts[k - 1] = part;
        }
}

/* Layers that change nothing below them cannot answer the same question. */
static bailey_status check_twice(const struct bly_joint *j)
{
    for (size_t q = 0; q < BLY_QUESTIONS; q++)
        for (uint32_t i = 0; i < j->count; i++)
            for (uint32_t k = 0; k < i; k++) {
                const char *name = bly_questions[q].name;
                const int at = height(j->parts[i]);
                if (at % 2 == 0 && at == height(j->parts[k]) && answers(j->parts[i], name) &&
                    answers(j->parts[k], name))
                    return bly_fail_argument("model", "%s and %s both have %s, and one model has one of them",
                                             bly_part_name(j->parts[k]), bly_part_name(j->parts[i]),
                                             bly_questions[q].asked);
            }
    return BAILEY_OK;
}

bailey_status bly_layers_read(struct bly_joint *j)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < j->composition->layer_count && status == BAILEY_OK; i++)
        status = add_with_stacks(j, &j->composition->layers[i]);
    for (uint32_t i = 0; i < j->count && status == BAILEY_OK; i++)
        if (*j->parts[i]->head.model && lacks_layers(j, j->parts[i])) status = add_usual(j, j->parts[i]);
    if (status != BAILEY_OK) return status;
    sort(j);
    return check_twice(j);
}
