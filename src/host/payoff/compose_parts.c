/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parts of a composition: their structures, members and new names.
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
