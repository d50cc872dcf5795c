/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Control variates and closed forms of a composition: those of the product whose questions the model answers.
 *
 * A control NAME of a product is the function control_NAME, which has the mean 0, and date_NAME, which is
 * called after date; closed_form is the price that is known, with date_closed_form. A layer answers their
 * questions if it can. What is not answered, or not asked, is left out of the payoff's code.
 */
#include "compose.h"
#include "tokens.h"

#include <base/status.h>

#include <string.h>

/* ---- Questions without an answer ------------------------------------------------------------------ */

/* Whether `by` calls it without asking: a layer's own function. */
static bool calls(const struct bly_part *part, struct bly_range by, const struct bly_function *f)
{
    const struct bly_unit *unit = &part->unit;
    const struct bly_range own = bly_function_range(unit, f);
    const struct bly_asking *a = unit->askings;
    for (uint32_t i = by.from; i <= by.to && i < unit->token_count; i++) {
        while (a && a->token < i) a = a->next;
        const bool asks = a && a->token == i, in_own = own.from <= i && i <= own.to;
        if (!asks && !in_own && !unit->tokens[i].member && bly_token_is(&unit->tokens[i], f->name) &&
            !bly_left_out_at(part, i))
            return true;
    }
    return false;
}

static bool is_answered(const struct bly_joint *j, uint32_t k, const struct bly_function *f)
{
    const struct bly_part *part = j->parts[k];
    for (uint32_t i = 0; i < part->left_out_count; i++)
        if (calls(part, bly_function_range(&part->unit, f), part->left_out[i])) return false;
    for (const struct bly_asking *a = j->parts[k]->unit.askings; a; a = a->next)
        if (bly_is_within(j->parts[k], f, a) && !bly_answer_find(j, k, a->question)) return false;
    return true;
}

static bool asks(const struct bly_part *part, const struct bly_function *f, const char *question)
{
    for (const struct bly_asking *a = part->unit.askings; a; a = a->next)
        if (strcmp(a->question->name, question) == 0 && bly_is_within(part, f, a)) return true;
    return false;
}

static bailey_status too_many(const struct bly_part *part)
{
    return bly_refuse_at(&part->unit, (struct bly_place){0, 0}, "more than %u functions of controls",
                         BLY_MOST_LEFT_OUT);
}

bailey_status bly_layer_controls(struct bly_joint *j)
{
    for (uint32_t k = 0; k < j->count; k++) {
        struct bly_part *part = j->parts[k];
        for (const struct bly_function *f = part->unit.functions; f; f = f->next)
            if (bly_is_optional(part, f) && !is_answered(j, k, f) && !bly_leave_out(part, f))
                return too_many(part);
    }
    return BAILEY_OK;
}

/* ---- Those of the product ------------------------------------------------------------------------ */

static const struct bly_function *find(const struct bly_unit *unit, const char *role, const char *name)
{
    const size_t length = strlen(role);
    const struct bly_function *f = unit->functions;
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

static bool is_known(const struct bly_joint *j, const struct bly_function *f)
{
    return !f || is_answered(j, j->count - 1, f);
}

/* One that is close to the lognormal price is the price itself where that has a closed form; not of barriers, whose
 * closed forms need a fixed rate. */
static bool is_wanted(const struct bly_joint *j, const struct bly_control *control, bool has_closed_form)
{
    const struct bly_part *product = j->product;
    if (!j->composition->controls || j->composition->closed) return false;
    if (!is_known(j, control->value) || !is_known(j, control->date)) return false;
    return !(has_closed_form && !asks(product, product->closed.value, "fixed_rate") &&
             asks(product, control->value, "lognormal"));
}

/* If it is not an output. */
static bool leave_out_all(struct bly_part *product, const struct bly_control *control)
{
    const struct bly_function *const functions[] = {control->date, control->value};
    bool left_out = true;
    for (int k = 0; k < 2 && !control->wanted && left_out; k++)
        left_out = !functions[k] || bly_leave_out(product, functions[k]);
    return left_out;
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
    j->has_closed_form = closed->value && is_known(j, closed->value) && is_known(j, closed->date);
    closed->wanted = j->composition->closed && j->has_closed_form;
    return status != BAILEY_OK || leave_out_all(product, closed) ? status : too_many(product);
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
        if (!leave_out_all(product, control)) return too_many(product);
    }
    if (product->unit.outputs + j->controls > BAILEY_SIMULATION_MAX_OUTPUTS)
        return bly_refuse_at(&product->unit, (struct bly_place){0, 0}, "more than %u outputs and controls",
                             BAILEY_SIMULATION_MAX_OUTPUTS);
    return BAILEY_OK;
}

/* ---- Questions that are not asked ----------------------------------------------------------------- */

static bool is_asked(const struct bly_joint *j, uint32_t k, const char *question)
{
    for (uint32_t l = k + 1; l < j->count; l++)
        for (const struct bly_asking *a = j->parts[l]->unit.askings; a; a = a->next)
            if (strcmp(a->question->name, question) == 0 && !bly_left_out_at(j->parts[l], a->token) &&
                bly_answer_find(j, l, a->question) == j->parts[k])
                return true;
    return false;
}

bailey_status bly_unasked_leave_out(struct bly_joint *j)
{
    for (uint32_t k = j->count - 1; k-- > 0;) {
        struct bly_part *part = j->parts[k];
        const struct bly_range all = {0, part->unit.token_count};
        for (uint32_t before = UINT32_MAX; before != part->left_out_count;) {
            before = part->left_out_count;
            for (const struct bly_function *f = part->unit.functions; f; f = f->next)
                if (bly_is_optional(part, f) && !bly_is_left_out(part, f) && !is_asked(j, k, f->name) &&
                    !calls(part, all, f) && !bly_leave_out(part, f))
                    return too_many(part);
        }
    }
    return BAILEY_OK;
}
