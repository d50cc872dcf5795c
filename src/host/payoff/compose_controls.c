/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Control variates and closed forms of a composition: those of the product whose questions the model answers.
 *
 * A control NAME of a product is the function control_NAME, which has the mean 0, and date_NAME, which is
 * called after date; closed_form is the price that is known, with date_closed_form.
 */
#include "compose.h"
#include "tokens.h"

#include <base/status.h>

#include <string.h>

static bool asks(const struct bly_part *part, const struct bly_function *f, const char *question)
{
    for (const struct bly_asking *a = part->unit.askings; a; a = a->next)
        if (a->function == f && strcmp(a->question->name, question) == 0) return true;
    return false;
}

static struct bly_function *find(const struct bly_unit *unit, const char *role, const char *name)
{
    const size_t length = strlen(role);
    struct bly_function *f = unit->functions;
    while (f && (strncmp(f->name, role, length) != 0 || strcmp(f->name + length, name) != 0)) f = f->next;
    return f;
}

static bool takes(const struct bly_function *f, enum bly_type_kind returns, uint32_t count)
{
    return f->returns->kind == returns && f->parameter_count == count;
}

static bailey_status check_function(const struct bly_part *product, const struct bly_function *f,
                                    const char *role, const char *name)
{
    const struct bly_unit *unit = &product->unit;
    if (strcmp(role, "date_") == 0 && !takes(f, BLY_TYPE_VOID, 4))
        return bly_refuse_at(unit, f->place, "write void date_%s(state *s, const params *p, int k, real t)",
                             name);
    if (strcmp(role, "control_") == 0 && !takes(f, BLY_TYPE_REAL, 2))
        return bly_refuse_at(unit, f->place, "write real control_%s(const state *s, const params *p)", name);
    return BAILEY_OK;
}

static bailey_status read_control(struct bly_part *product, uint32_t i)
{
    const struct bly_unit *unit = &product->unit;
    const struct bly_head_control *control = &product->head.controls[i];
    struct bly_control *of = &product->controls[i];
    *of = (struct bly_control){.date = find(unit, "date_", control->name),
                               .value = find(unit, "control_", control->name)};
    if (!of->value)
        return bly_refuse_at(
            unit, control->place,
            "the control %s has no function: write real control_%s(const state *s, const params "
            "*p)",
            control->name, control->name);
    bailey_status status = check_function(product, of->value, "control_", control->name);
    if (status == BAILEY_OK && of->date) status = check_function(product, of->date, "date_", control->name);
    return status;
}

static bool is_known(const struct bly_function *f) { return !f || f->answered; }

/* One that is close to the lognormal price is the price itself where that is lognormal and has a closed form; not of
 * barriers, whose closed forms need a fixed rate. */
static bool is_wanted(const struct bly_joint *j, const struct bly_control *control, bool has_closed_form)
{
    const struct bly_part *product = j->product;
    if (!j->composition->controls || j->composition->closed) return false;
    if (!is_known(control->value) || !is_known(control->date)) return false;
    const bool lognormal = bly_answer_find(j, j->count - 1, bly_question_find("known_variance")).function != NULL;
    return !(has_closed_form && lognormal && !asks(product, product->closed.value, "fixed_rate") &&
             (asks(product, control->value, "lognormal") || asks(product, control->date, "lognormal")));
}

static bailey_status read_closed_form(struct bly_joint *j)
{
    struct bly_part *product = j->product;
    const struct bly_unit *unit = &product->unit;
    struct bly_control *closed = &product->closed;
    *closed = (struct bly_control){.date = find(unit, "date_", "closed_form"),
                                   .value = find(unit, "closed_form", "")};
    bailey_status status = BAILEY_OK;
    if (closed->value && !takes(closed->value, BLY_TYPE_REAL, 2))
        return bly_refuse_at(unit, closed->value->place,
                             "write real closed_form(const state *s, const params *p)");
    if (closed->date) status = check_function(product, closed->date, "date_", "closed_form");
    j->has_closed_form = closed->value && is_known(closed->value) && is_known(closed->date);
    closed->wanted = j->composition->closed && j->has_closed_form;
    return status;
}

bailey_status bly_product_controls(struct bly_joint *j)
{
    struct bly_part *product = j->product;
    bailey_status status = read_closed_form(j);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < product->head.control_count; i++) {
        struct bly_control *control = &product->controls[i];
        status = read_control(product, i);
        if (status != BAILEY_OK) return status;
        control->wanted = is_wanted(j, control, j->has_closed_form);
        j->controls += control->wanted;
    }
    if (product->unit.outputs + j->controls > BAILEY_SIMULATION_MAX_OUTPUTS)
        return bly_refuse_at(&product->unit, (struct bly_place){0, 0}, "more than %u outputs and controls",
                             BAILEY_SIMULATION_MAX_OUTPUTS);
    return BAILEY_OK;
}
