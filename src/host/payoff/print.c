/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing of a unit: records, constants and functions. The program is the same for C, OpenCL C and CUDA.
 */
#include "print.h"

#include <base/alloc.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

/* ---- Records and constants ----------------------------------------------------------------------- */

static void print_record(struct bly_printer *p, const struct bly_record *record)
{
    if (record->kind != BLY_RECORD_OWN) return;
    PRINT("typedef struct ");
    bly_print_record_name(p, record);
    PRINT(" {\n");
    for (const struct bly_field_node *field = record->fields; field; field = field->next) {
        PRINT("    ");
        bly_print_object_type(p, field->type, true);
        PRINT(" own_%s", field->name);
        bly_print_arrays(p, field->type);
        PRINT(";\n");
    }
    PRINT("} ");
    bly_print_record_name(p, record);
    PRINT(";\n");
}

static void print_constant(struct bly_printer *p, const struct bly_variable *constant)
{
    struct bly_variable plain = *constant;
    if (bly_is_number(constant)) return;
    plain.constant = false; /* BAILEY_CONSTANT says so */
    PRINT("BAILEY_CONSTANT ");
    bly_print_declaration(p, &plain, constant->initial);
    PRINT(";\n");
}

/* ---- Functions ----------------------------------------------------------------------------------- */

static void print_parameter(struct bly_printer *p, const struct bly_variable *parameter)
{
    const struct bly_type *type = parameter->type;
    const bool points = type->kind == BLY_TYPE_POINTER;
    const bool params =
        points && type->of->kind == BLY_TYPE_RECORD && type->of->record->kind == BLY_RECORD_PARAMS;
    if (points ? type->constant || params : parameter->constant && type->kind != BLY_TYPE_PATH)
        PRINT("const ");
    bly_print_object_type(p, type, parameter->wide);
    PRINT(points && !type->is_array ? " *" : " ");
    bly_print_variable(p, parameter);
    if (points && type->is_array) PRINT("[]"), bly_print_arrays(p, type->of);
}

/* Tokens of a function of derivatives that is inlined. Those that are longer are compiled once each: a single
 * function of all of them takes a compiler time that grows with the square of its length. */
#define MOST_INLINED 1000u

/* The functions that runs call take a watch in all programs that have sites. */
static bool has_watch(const struct bly_printer *p, const struct bly_function *function)
{
    return function->faults || (function->role != BLY_ROLE_OWN && p->unit->site_count);
}

static void print_signature(struct bly_printer *p, const struct bly_function *function)
{
    const bool is_long = p->unit->most_outputs && function->weight > MOST_INLINED;
    PRINT(is_long ? "BLY_LONG_FN " : "BAILEY_FN ");
    bly_print_type(p, function->returns);
    PRINT(" ");
    bly_print_function_name(p, function);
    PRINT("(");
    for (const struct bly_variable *v = function->parameters; v && v->kind == BLY_VARIABLE_PARAMETER;
         v = v->next) {
        if (v != function->parameters) PRINT(", ");
        print_parameter(p, v);
    }
    if (has_watch(p, function)) PRINT(function->parameter_count ? ", bly_watch *w" : "bly_watch *w");
    if (p->printing->lanes && function->role == BLY_ROLE_OWN)
        PRINT(function->parameter_count ? ", bly_mask bly_m0)\n" : "bly_mask bly_m0)\n");
    else
        PRINT(!function->parameter_count && !has_watch(p, function) ? "void)\n" : ")\n");
}

/* The body is printed first: it says which temporaries there are. */
static void print_function(struct bly_printer *p, const struct bly_function *function)
{
    struct bly_text *text = p->text, body = {0};
    p->text = &body;
    p->temporaries = (struct bly_text){0};
    p->temporary_count = 0;
    bly_print_body(p, function);
    p->text = text;
    print_signature(p, function);
    PRINT("{\n%s%s}\n", p->temporaries.data ? p->temporaries.data : "", body.data ? body.data : "");
    text->failed |= p->temporaries.failed || body.failed;
    bly_free(p->temporaries.data);
    bly_free(body.data);
}

/* A payoff without state needs no start; programs call one. */
static void print_no_start(struct bly_printer *p)
{
    PRINT("BAILEY_FN void %sstart(bly_state *s, const params *p%s%s)\n{\n    (void)s, (void)p%s%s;\n}\n",
          p->printing->half ? p->printing->prefix : "bly_own_",
          p->unit->kind == BLY_UNIT_LEVELS ? ", int level" : "", p->unit->site_count ? ", bly_watch *w" : "",
          p->unit->kind == BLY_UNIT_LEVELS ? ", (void)level" : "", p->unit->site_count ? ", (void)w" : "");
}

static void print_head(struct bly_printer *p)
{
    const uint64_t budget = p->unit->loop_budget ? p->unit->loop_budget : BLY_DEFAULT_LOOP_BUDGET;
    if (p->unit->site_count)
        PRINT("#define BLY_FAULTS 1\n#define BLY_LOOP_BUDGET %uu\n",
              (unsigned)(budget < UINT32_MAX ? budget : UINT32_MAX));
    if (p->checked || p->unit->site_count) PRINT("#include \"kernels/payoff_checked.h\"\n");
}

void bly_unit_print(const struct bly_unit *unit, const struct bly_printing *printing, struct bly_text *text)
{
    struct bly_text all = {0};
    struct bly_printer printer = {.unit = unit, .printing = printing, .text = &all}, *p = &printer;
    bly_unrolled_choose(unit);
    bly_indices_choose(unit);
    if (printing->half) bly_half_begin(unit);
    for (const struct bly_record *r = unit->records; r; r = r->next) print_record(p, r);
    for (const struct bly_variable *c = unit->constants; c; c = c->next) print_constant(p, c);
    for (const struct bly_function *f = unit->functions; f && !all.failed; f = f->next)
        if ((f->used || f->role != BLY_ROLE_OWN) && !(printing->half && f->role == BLY_ROLE_FINISH))
            print_function(p, f);
    if (!unit->whole && !unit->start) print_no_start(p);
    p->text = text;
    print_head(p);
    PRINT("%s", all.data ? all.data : "");
    text->failed |= all.failed;
    bly_free(all.data);
}
