/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parts of a composition: their members, functions and new names.
 */
#include "compose.h"
#include "tokens.h"

#include <string.h>

const struct bly_field_node *bly_part_field(const struct bly_part *part, enum bly_name_kind kind,
                                            const char *name)
{
    const struct bly_record *record = kind == BLY_NAME_PARAMETER ? part->unit.params : part->unit.state;
    const struct bly_field_node *field = record && kind != BLY_NAME_PLAIN ? record->fields : NULL;
    while (field && strcmp(field->name, name) != 0) field = field->next;
    return field;
}

const char *bly_renamed(const struct bly_part *part, enum bly_name_kind kind, const char *name,
                        uint32_t length)
{
    for (const struct bly_rename *r = part->renames; r; r = r->next)
        if (r->kind == kind && strlen(r->from) == length && memcmp(r->from, name, length) == 0) return r->to;
    return NULL;
}

struct bly_function *bly_part_function(const struct bly_part *part, const char *name)
{
    struct bly_function *f = part->unit.functions;
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f;
}

const char *bly_part_name(const struct bly_part *part)
{
    return *part->head.name ? part->head.name : part->unit.name;
}

uint32_t bly_part_dims(const struct bly_part *part)
{
    const uint32_t least = part->head.needs.dims_least;
    return !part->unit.step ? 0 : least ? least : 1;
}

/* ---- Functions that a payoff may do without ------------------------------------------------------- */

static bool is_called(const char *name, const char *role, const char *of)
{
    const size_t length = strlen(role);
    return strncmp(name, role, length) == 0 && strcmp(name + length, of) == 0;
}

/* Whether a function belongs to a control or the closed form. */
static bool is_of_control(const struct bly_part *product, const char *name)
{
    bool is = is_called(name, "", "closed_form") || is_called(name, "date_", "closed_form");
    for (uint32_t i = 0; i < product->head.control_count; i++) {
        const char *control = product->head.controls[i].name;
        is |= is_called(name, "date_", control) || is_called(name, "control_", control);
    }
    return is;
}

bool bly_asks_optionally(const struct bly_part *part, const struct bly_asking *a)
{
    const struct bly_question *answered = bly_question_find(a->function->name);
    if (part->unit.kind == BLY_UNIT_PRODUCT) return is_of_control(part, a->function->name);
    return answered && answered->optional;
}
