/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing of values that a declaration gives, in it or as assignments where it cannot have them.
 */
#include "print.h"

#include <base/alloc.h>

#define SAY(...) BLY_SAY(p, __VA_ARGS__)

void bly_print_initial(struct bly_printer *p, const struct bly_initial *initial)
{
    if (initial->value) {
        bly_print_ordered(p, initial->value, BLY_BINDS_SELECT);
        return;
    }
    SAY("{");
    for (const struct bly_initial *i = initial->list; i; i = i->next) {
        bly_print_initial(p, i);
        if (i->next) SAY(", ");
    }
    SAY(initial->list ? "}" : "0}");
}

/* ---- Assignments --------------------------------------------------------------------------------- */

/* What is assigned to: x.own_a[3].own_b. */
struct target {
    struct bly_text text;
    int loops; /* around it */
};

static void say_values(struct bly_printer *p, struct target *t, const struct bly_type *type,
                       const struct bly_initial *initial);

/* Takes back what was added to a target. */
static void shorten(struct target *t, size_t used)
{
    t->text.used = used;
    if (t->text.data) t->text.data[used] = 0;
}

static void say_fields(struct bly_printer *p, struct target *t, const struct bly_record *record,
                       const char *point, const struct bly_initial *next)
{
    for (const struct bly_field_node *f = record->fields; f; f = f->next, next = next ? next->next : NULL) {
        const size_t used = t->text.used;
        bly_text_add(&t->text, "%sown_%s", point, f->name);
        say_values(p, t, f->type, next);
        shorten(t, used);
    }
}

/* The elements that have values, and then the others, which are 0, in a loop. */
static void say_elements(struct bly_printer *p, struct target *t, const struct bly_type *of, uint32_t count,
                         const struct bly_initial *next)
{
    const size_t used = t->text.used;
    uint32_t given = 0;
    for (; next; next = next->next, given++) {
        bly_text_add(&t->text, "[%u]", given);
        say_values(p, t, of, next);
        shorten(t, used);
    }
    if (given >= count) return;
    bly_print_indent(p);
    SAY("for (int bly_k%d = %u; bly_k%d < %u; bly_k%d++) {\n", t->loops, given, t->loops, count, t->loops);
    bly_text_add(&t->text, "[bly_k%d]", t->loops++);
    p->indent++;
    say_values(p, t, of, NULL);
    p->indent--;
    t->loops--;
    shorten(t, used);
    bly_print_indent(p);
    SAY("}\n");
}

/* target = initial, or 0 where there is none. */
static void say_values(struct bly_printer *p, struct target *t, const struct bly_type *type,
                       const struct bly_initial *initial)
{
    const struct bly_initial *list = initial ? initial->list : NULL;
    const bool has_value = initial && initial->value;
    if (type->kind == BLY_TYPE_RECORD && !has_value) {
        say_fields(p, t, type->record, ".", list);
    } else if (type->kind == BLY_TYPE_ARRAY) {
        say_elements(p, t, type->of, type->count, list);
    } else {
        bly_print_indent(p);
        SAY("%s = ", t->text.data ? t->text.data : "");
        if (has_value)
            bly_print_ordered(p, initial->value, BLY_BINDS_SELECT);
        else
            SAY("0");
        SAY(";\n");
    }
}

void bly_print_values(struct bly_printer *p, const struct bly_variable *variable,
                      const struct bly_initial *initial)
{
    struct target t = {{0}, 0};
    struct bly_text *text = p->text;
    const struct bly_type *type = variable->type;
    p->text = &t.text;
    bly_print_variable(p, variable);
    p->text = text;
    if (type->kind != BLY_TYPE_POINTER)
        say_values(p, &t, type, initial);
    else if (type->is_array)
        say_elements(p, &t, type->of, type->count, NULL);
    else
        say_fields(p, &t, type->of->record, "->", NULL);
    text->failed |= t.text.failed;
    bly_free(t.text.data);
}
