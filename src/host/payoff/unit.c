/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A unit from its code to its checks.
 */
#include "language.h"

bailey_status bly_unit_read(struct bly_unit *unit)
{
    bailey_status status = unit->around ? bly_around_begin(unit) : BAILEY_OK;
    if (status == BAILEY_OK) status = bly_tokens_read(unit);
    if (status == BAILEY_OK) status = bly_macros_expand(unit);
    if (status == BAILEY_OK && unit->around) status = bly_around_end(unit);
    if (status == BAILEY_OK) status = bly_unit_parse(unit);
    if (status == BAILEY_OK) status = bly_unit_check(unit);
    return status;
}

void bly_unit_free(struct bly_unit *unit)
{
    bly_arena_free(&unit->arena);
    unit->tokens = NULL;
    unit->comments = NULL;
    unit->names = NULL;
    unit->token_count = unit->comment_count = unit->name_count = 0;
}
