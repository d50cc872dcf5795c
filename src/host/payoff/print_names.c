/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Names and types in printed programs.
 *
 * For the code's characters there are letters, digits and _ in names alone, and no name stands there by
 * itself: fields are own_<name>, variables own<number>_<name>, functions and constants <prefix><name>,
 * records <prefix><number>_<name>. No compiler and no header of the library has names or macros of these
 * forms, so that a variable may be called `kernel`, `linux` or `exp`. Numbers make names of variables and
 * records different, wherever they are declared.
 */
#include "print.h"

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

void bly_print_record_name(const struct bly_printer *p, const struct bly_record *record)
{
    PRINT("%s%u_%s", p->printing->prefix, record->number, record->name ? record->name : "");
}

static void print_record_type(const struct bly_printer *p, const struct bly_record *record)
{
    switch (record->kind) {
    case BLY_RECORD_PARAMS: PRINT("params"); break;
    case BLY_RECORD_STATE: PRINT("bly_state"); break;
    case BLY_RECORD_NOISE: PRINT("bly_noise"); break;
    case BLY_RECORD_OWN: bly_print_record_name(p, record); break;
    }
}

void bly_print_type(const struct bly_printer *p, const struct bly_type *type)
{
    static const char *const names[] = {"void", "real", "int", "uint32", "int64", "uint64"};
    const struct bly_type *whole = type;
    while (type->kind == BLY_TYPE_ARRAY || type->kind == BLY_TYPE_POINTER) type = type->of;
    if (type->kind == BLY_TYPE_RECORD)
        print_record_type(p, type->record);
    else if (bly_is_half(p, whole))
        PRINT("bly_half");
    else
        PRINT("%s", type->kind == BLY_TYPE_PATH ? "bly_path" : names[type->kind]);
}

void bly_print_object_type(const struct bly_printer *p, const struct bly_type *type, bool stored)
{
    if (stored && bly_is_half(p, type))
        PRINT("real");
    else
        bly_print_type(p, type);
}

void bly_print_arrays(const struct bly_printer *p, const struct bly_type *type)
{
    for (; type->kind == BLY_TYPE_ARRAY; type = type->of) PRINT("[%u]", type->count);
}

void bly_print_variable(const struct bly_printer *p, const struct bly_variable *variable)
{
    if (variable->kind == BLY_VARIABLE_CONSTANT)
        PRINT("%s%s", p->printing->prefix, variable->name);
    else
        PRINT("own%u_%s", variable->number, variable->name ? variable->name : "");
}

bool bly_is_number(const struct bly_variable *variable)
{
    const struct bly_initial *initial = variable->initial;
    return variable->kind == BLY_VARIABLE_CONSTANT && initial && initial->value &&
           initial->value->kind == BLY_NUMBER;
}

/* Those of the interface have the names that the kernels call. */
void bly_print_function_name(const struct bly_printer *p, const struct bly_function *function)
{
    static const char *const names[] = {"", "start", "step", "finish", "whole", "pair"};
    if (function->role == BLY_ROLE_OWN)
        PRINT("%s%s", p->printing->prefix, function->name);
    else
        PRINT("%s%s", p->printing->half ? p->printing->prefix : "bly_own_", names[function->role]);
}
