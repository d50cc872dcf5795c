/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Records and lists as code, for derivatives and for what surrounds their jumps.
 */
#include "writing.h"
#include "symbols.h"

#include <host/payoff/machine.h>

#include <stdio.h>
#include <string.h>

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

void bly_writing_field(struct bly_text *text, const char *type, const struct bly_field_node *f)
{
    WRITE("    %s %s", type, f->name);
    if (f->type->kind == BLY_TYPE_ARRAY) WRITE("[%u]", (unsigned)f->type->count);
    WRITE(";\n");
}

void bly_writing_fields(struct bly_text *text, const struct bly_record *record)
{
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; f = f->next)
        bly_writing_field(text, bly_list_text_type(f->type), f);
}

static bool is_member(const struct bly_record *record, const char *name)
{
    for (const struct bly_field_node *f = record ? record->fields : NULL; f; f = f->next)
        if (strcmp(f->name, name) == 0) return true;
    return false;
}

void bly_writing_choose_name(const struct bly_writing *w, bool needed, const char *name, char *chosen)
{
    snprintf(chosen, 80, "%s", needed ? name : "");
    for (unsigned k = 2; needed && is_member(w->d->unit->params, chosen); k++)
        snprintf(chosen, 80, "%s_%u", name, k);
}

struct bly_list_text bly_writing_list(struct bly_writing *w, const struct bly_reversed *r)
{
    struct bly_list_text list = {.d = w->d, .r = r, .text = w->text, .arena = &w->arena, .members = w->names};
    if (!bly_list_text_begin(&list)) w->text->failed = 1;
    return list;
}

void bly_writing_member(const struct bly_derivative *d, const char *of, uint32_t cell, char *text,
                        size_t size)
{
    char name[160];
    bly_record_name(d->unit->state, cell, name, sizeof name);
    snprintf(text, size, "%s%s", of, name);
}

void bly_writing_set(struct bly_list_text *list, const char *target, uint32_t value)
{
    struct bly_text *text = list->text;
    WRITE("    %s = ", target);
    if (value)
        bly_list_text_value(list, value);
    else
        WRITE("0");
    WRITE(";\n");
}

void bly_writing_forward(struct bly_writing *w, const struct bly_reversed *r, bool kept,
                         const char *signature, bool turned)
{
    const struct bly_derivative *d = w->d;
    struct bly_text *text = w->text;
    struct bly_list_text list = bly_writing_list(w, r);
    const char *type = kept ? "kept" : "running";
    char target[200];
    list.turned = turned;
    WRITE("\n%s %s\n{\n    %s after;\n", type, signature, type);
    if (text->failed) return;
    for (uint32_t k = 0; k < d->states; k++)
        if (!kept || d->needed[k]) bly_list_text_need(&list, r->results[k]);
    bly_list_text_lines(&list);
    for (uint32_t k = 0; k < d->states; k++) {
        if (kept && !d->needed[k]) continue;
        bly_writing_member(d, "after.", k, target, sizeof target);
        bly_writing_set(&list, target, r->results[k]);
    }
    if (!d->states) WRITE("    after.nothing = 0;\n");
    WRITE("    return after;\n}\n");
}
