/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The structures that payoff code declares, as compilers get them: fields with own_ before their names.
 */
#include "payoff.h"

#include <base/text.h>

#include <stdio.h>

#define KEPT_STATES 32u /* numbers of a state up to which each is an array of lanes */

#define SAY(...) bly_text_add(text, __VA_ARGS__)

uint32_t bly_fields_numbers(const struct bly_field *fields, uint32_t count)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < count; i++) numbers += fields[i].count;
    return numbers;
}

static const char *type_of(const struct bly_field *field)
{
    static const char *const names[] = {"real", "int32", "uint32", "int64", "uint64"};
    return names[field->type];
}

static void say_fields(struct bly_text *text, const struct bly_field *fields, uint32_t count,
                       const char *lanes)
{
    for (uint32_t i = 0; i < count; i++) {
        SAY("    %s own_%s", type_of(&fields[i]), fields[i].name);
        if (fields[i].array) SAY("[%u]", fields[i].count);
        SAY("%s;\n", lanes);
    }
    if (count == 0) SAY("    int32 bly_nothing;\n");
}

/* Moves each number of a state between one path's and those of all. */
static void say_moves(struct bly_text *text, const struct bly_payoff *payoff, int put)
{
    for (uint32_t i = 0; i < payoff->state_count; i++) {
        const struct bly_field *field = &payoff->states[i];
        for (uint32_t k = 0; k < field->count; k++) {
            char at[16] = "";
            if (field->array) snprintf(at, sizeof at, "[%u]", k);
            if (put)
                SAY("    all->own_%s%s[v] = one.own_%s%s;\n", field->name, at, field->name, at);
            else
                SAY("    one.own_%s%s = all->own_%s%s[v];\n", field->name, at, field->name, at);
        }
    }
}

/* Small states are arrays of lanes, which become vectors; large ones are whole, so that a step that touches
 * one number of an array does not move all of them. */
void bly_payoff_structures(const struct bly_payoff *payoff, struct bly_text *text)
{
    const int kept =
        bly_fields_numbers(payoff->states, payoff->state_count) <= KEPT_STATES && payoff->state_count > 0;
    SAY("typedef struct bly_params {\n");
    say_fields(text, payoff->params, payoff->param_count, "");
    SAY("} bly_params;\ntypedef struct bly_state {\n");
    say_fields(text, payoff->states, payoff->state_count, "");
    SAY("} bly_state;\ntypedef struct bly_states {\n");
    if (kept)
        say_fields(text, payoff->states, payoff->state_count, "[BLY_WIDTH]");
    else
        SAY("    bly_state one[BLY_WIDTH];\n");
    SAY("} bly_states;\nBAILEY_FN bly_state bly_state_get(const bly_states *all, int v)\n{\n");
    if (kept) {
        SAY("    bly_state one;\n");
        say_moves(text, payoff, 0);
        SAY("    return one;\n}\n");
    } else {
        SAY("    return all->one[v];\n}\n");
    }
    SAY("BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)\n{\n");
    if (kept)
        say_moves(text, payoff, 1);
    else
        SAY("    all->one[v] = one;\n");
    SAY("}\n");
}
