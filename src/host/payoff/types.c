/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Types. Those of numbers are static objects here; arrays, pointers and structures are made as the code
 * writes them.
 */
#include "parser.h"

#include <stdio.h>
#include <string.h>

#define MOST_FIELDS 256u

const struct bly_type bly_type_void = {.kind = BLY_TYPE_VOID};
const struct bly_type bly_type_real = {.kind = BLY_TYPE_REAL, .bytes = 8};
const struct bly_type bly_type_int = {.kind = BLY_TYPE_INT, .bytes = 4};
const struct bly_type bly_type_uint32 = {.kind = BLY_TYPE_UINT32, .bytes = 4};
const struct bly_type bly_type_int64 = {.kind = BLY_TYPE_INT64, .bytes = 8};
const struct bly_type bly_type_uint64 = {.kind = BLY_TYPE_UINT64, .bytes = 8};
const struct bly_type bly_type_path = {.kind = BLY_TYPE_PATH};

bool bly_type_is_integer(const struct bly_type *type)
{
    return type->kind >= BLY_TYPE_INT && type->kind <= BLY_TYPE_UINT64;
}

bool bly_type_is_number(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_REAL || bly_type_is_integer(type);
}

bool bly_type_is_same(const struct bly_type *a, const struct bly_type *b)
{
    while (a->kind == BLY_TYPE_ARRAY && b->kind == BLY_TYPE_ARRAY && a->count == b->count)
        a = a->of, b = b->of;
    return a->kind == b->kind && a->kind != BLY_TYPE_ARRAY && a->kind != BLY_TYPE_POINTER &&
           a->record == b->record;
}

/* C's usual arithmetic conversions, where int has 32 bits and there is no smaller type: real before uint64
 * before int64, which holds each uint32, before uint32 before int. */
const struct bly_type *bly_type_common(const struct bly_type *a, const struct bly_type *b)
{
    if (a->kind == BLY_TYPE_REAL || b->kind == BLY_TYPE_REAL) return &bly_type_real;
    return a->kind > b->kind ? a : b;
}

const struct bly_type *bly_type_array(struct bly_parser *p, const struct bly_type *of, uint32_t count,
                                      struct bly_place place)
{
    struct bly_type *type = BLY_NEW(p, struct bly_type);
    if ((uint64_t)of->bytes * count > BLY_MOST_OBJECT)
        bly_stop(p, place, "an array of %llu bytes; at most %u", (unsigned long long)of->bytes * count,
                 BLY_MOST_OBJECT);
    if (of->depth >= BLY_MOST_DEPTH)
        bly_stop(p, place, "more than %u nested arrays and structures", (unsigned)BLY_MOST_DEPTH);
    *type = (struct bly_type){.kind = BLY_TYPE_ARRAY, .of = of, .count = count};
    type->bytes = of->bytes * count;
    type->depth = of->depth + 1;
    return type;
}

const struct bly_type *bly_type_pointer(struct bly_parser *p, const struct bly_type *of, uint32_t count,
                                        bool is_array, bool constant)
{
    struct bly_type *type = BLY_NEW(p, struct bly_type);
    *type = (struct bly_type){
        .kind = BLY_TYPE_POINTER, .of = of, .count = count, .is_array = is_array, .constant = constant};
    return type;
}

/* ---- Structures ---------------------------------------------------------------------------------- */

struct bly_record *bly_record_new(struct bly_parser *p, const char *name, enum bly_record_kind kind,
                                  struct bly_place place)
{
    struct bly_record *record = BLY_NEW(p, struct bly_record);
    struct bly_type *type = BLY_NEW(p, struct bly_type);
    *type = (struct bly_type){.kind = BLY_TYPE_RECORD, .record = record};
    *record = (struct bly_record){.name = name, .kind = kind, .place = place, .type = type};
    return record;
}

struct bly_field_node *bly_record_add(struct bly_parser *p, struct bly_record *record, const char *name,
                                      const struct bly_type *type, struct bly_place place)
{
    struct bly_field_node *field = BLY_NEW(p, struct bly_field_node), **last = &record->fields;
    if (record->field_count == MOST_FIELDS)
        bly_stop(p, place, "more than %u fields in a structure", MOST_FIELDS);
    while (*last) last = &(*last)->next;
    *field = (struct bly_field_node){.name = name, .type = type, .place = place};
    *last = field;
    record->field_count++;
    return field;
}

/* As C lays it out, with reals of 8 bytes. */
void bly_record_end(struct bly_parser *p, struct bly_record *record)
{
    struct bly_type *type = (struct bly_type *)(uintptr_t)record->type;
    uint64_t bytes = 0;
    uint32_t depth = 0;
    for (const struct bly_field_node *field = record->fields; field; field = field->next) {
        bytes += (field->type->bytes + 7) / 8 * 8;
        if (field->type->depth > depth) depth = field->type->depth;
    }
    if (bytes > BLY_MOST_OBJECT)
        bly_stop(p, record->place, "a structure of %llu bytes; at most %u", (unsigned long long)bytes,
                 BLY_MOST_OBJECT);
    if (depth >= BLY_MOST_DEPTH)
        bly_stop(p, record->place, "more than %u nested arrays and structures", (unsigned)BLY_MOST_DEPTH);
    type->bytes = (uint32_t)bytes;
    type->depth = depth + 1;
}

struct bly_field_node *bly_record_find(const struct bly_record *record, const struct bly_token *token)
{
    struct bly_field_node *field = record->fields;
    while (field && !bly_token_is(token, field->name)) field = field->next;
    return field;
}

/* ---- Words --------------------------------------------------------------------------------------- */

static const char *plain_words(const struct bly_type *type)
{
    static const char *const names[] = {"void", "real", "int", "uint32", "int64", "uint64"};
    if (type->kind == BLY_TYPE_PATH) return "path";
    if (type->kind != BLY_TYPE_RECORD) return names[type->kind];
    return *type->record->name ? type->record->name : "a structure without a name";
}

const char *bly_type_words(const struct bly_type *type, char text[120])
{
    const struct bly_type *plain = type->kind == BLY_TYPE_POINTER ? type->of : type;
    char sizes[40] = "";
    for (; plain->kind == BLY_TYPE_ARRAY; plain = plain->of) {
        const size_t used = strlen(sizes);
        snprintf(sizes + used, sizeof sizes - used, "[%u]", (unsigned)plain->count);
    }
    const bool pointer = type->kind == BLY_TYPE_POINTER;
    snprintf(text, 120, "%s%s%s%s", pointer && type->constant ? "const " : "", plain_words(plain),
             !pointer         ? ""
             : type->is_array ? "[]"
                              : " *",
             sizes);
    return text;
}
