/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parts of a composition: their structures, members and new names, and functions that are left out of it.
 */
#include "compose.h"
#include "tokens.h"

#include <string.h>

struct bly_range bly_structure_find(const struct bly_unit *unit, const char *name)
{
    uint32_t from = 0, depth = 0;
    bool is_typedef = false;
    for (uint32_t i = 0; i < unit->token_count; i++) {
        const struct bly_token *token = &unit->tokens[i];
        if (depth == 0 && bly_token_is(token, "typedef")) is_typedef = true, from = i;
        depth += bly_token_is(token, "{");
        depth -= bly_token_is(token, "}");
        if (depth != 0 || !bly_token_is(token, ";")) continue;
        if (is_typedef && i > from + 3 && bly_token_is(token - 1, name) && bly_token_is(token - 2, "}"))
            return (struct bly_range){from, i};
        is_typedef = false;
    }
    return (struct bly_range){0, 0};
}

bool bly_member_next(const struct bly_unit *unit, struct bly_range structure, uint32_t at,
                     struct bly_member *member)
{
    *member = (struct bly_member){.from = at + 1};
    for (uint32_t i = at + 1; i < structure.to; i++) {
        const struct bly_token *token = &unit->tokens[i];
        if (token->member && !member->names++) member->name = i;
        member->to = i;
        if (bly_token_is(token, ";")) return member->names != 0;
    }
    return false;
}

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

const struct bly_function *bly_part_function(const struct bly_part *part, const char *name)
{
    const struct bly_function *f = part->unit.functions;
    while (f && strcmp(f->name, name) != 0) f = f->next;
    return f && !bly_is_left_out(part, f) ? f : NULL;
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

/* ---- Functions that may be left out -------------------------------------------------------------- */

/* The tokens of a function: from what it returns to its last bracket. */
struct bly_range bly_function_range(const struct bly_unit *unit, const struct bly_function *f)
{
    uint32_t from = 0, depth = 0;
    for (uint32_t i = 1; i < unit->token_count; i++) {
        const struct bly_token *token = &unit->tokens[i];
        const bool opens = bly_token_is(token, "{") || bly_token_is(token, "(");
        if (!from && depth == 0 && bly_token_is(token, f->name) && bly_token_is(token + 1, "(")) from = i - 1;
        depth += opens;
        depth -= bly_token_is(token, "}") || bly_token_is(token, ")");
        if (from && depth == 0 && bly_token_is(token, ";")) from = 0; /* it was a declaration */
        if (from && depth == 0 && bly_token_is(token, "}")) return (struct bly_range){from, i};
    }
    return (struct bly_range){0, 0};
}

bool bly_leave_out(struct bly_part *part, const struct bly_function *f)
{
    if (part->left_out_count == BLY_MOST_LEFT_OUT) return false;
    part->left_out[part->left_out_count] = f;
    part->left_out_range[part->left_out_count++] = bly_function_range(&part->unit, f);
    return true;
}

bool bly_is_left_out(const struct bly_part *part, const struct bly_function *f)
{
    for (uint32_t i = 0; i < part->left_out_count; i++)
        if (part->left_out[i] == f) return true;
    return false;
}

const struct bly_range *bly_left_out_at(const struct bly_part *part, uint32_t token)
{
    for (uint32_t i = 0; i < part->left_out_count; i++)
        if (part->left_out_range[i].from <= token && token <= part->left_out_range[i].to)
            return &part->left_out_range[i];
    return NULL;
}

/* date_NAME or control_NAME. */
static const char *control_of(const char *function, const char **role)
{
    static const char *const roles[] = {"date_", "control_"};
    for (int i = 0; i < 2; i++)
        if (strncmp(function, roles[i], strlen(roles[i])) == 0) {
            *role = roles[i];
            return function + strlen(roles[i]);
        }
    return NULL;
}

/* The number of the product's control that a function is of; controls: of none. */
static uint32_t number_of(const struct bly_part *product, const struct bly_function *f)
{
    const char *role, *name = control_of(f->name, &role);
    uint32_t i = 0;
    while (i < product->head.control_count && !(name && strcmp(product->head.controls[i].name, name) == 0)) i++;
    return i;
}

static bool is_closed_form(const struct bly_function *f)
{
    const char *role, *name = control_of(f->name, &role);
    return strcmp(f->name, "closed_form") == 0 || (name && strcmp(name, "closed_form") == 0);
}

bool bly_is_optional(const struct bly_part *part, const struct bly_function *f)
{
    if (part->unit.kind == BLY_UNIT_PRODUCT)
        return is_closed_form(f) || number_of(part, f) < part->head.control_count;
    const struct bly_question *question = bly_question_find(f->name);
    return question && question->control;
}

bool bly_is_within(const struct bly_part *part, const struct bly_function *f, const struct bly_asking *a)
{
    const struct bly_range range = bly_function_range(&part->unit, f);
    return range.from <= a->token && a->token <= range.to;
}

bool bly_asks_optionally(const struct bly_part *part, const struct bly_asking *a)
{
    for (const struct bly_function *f = part->unit.functions; f; f = f->next)
        if (bly_is_optional(part, f) && bly_is_within(part, f, a)) return true;
    return false;
}
