/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations: types as they are written, structures, enumerations, typedefs, variables and their initial
 * values.
 */
#include "parser.h"

#include <stdio.h>
#include <string.h>

#define MOST_MEMBERS 64u /* of params, and of state */
#define MOST_ADDED 3u    /* that code around a payoff adds */
#define MOST_PARAMS_BYTES (1u << 20)
#define MOST_STATE_BYTES (1u << 16)

/* ---- Structures ---------------------------------------------------------------------------------- */

void bly_refuse_pointer(struct bly_parser *p)
{
    if (bly_next_is(p, "*")) bly_stop(p, p->token->place, "a pointer can be a parameter, and nothing else");
    if (bly_next_is(p, "("))
        bly_stop(p, p->token->place, "( found instead of a name; pointers to functions are not supported");
}

/* Members may be called like functions: they stand behind a point or arrow. */
static const char *member_name(struct bly_parser *p, const struct bly_record *record)
{
    const struct bly_token *token = bly_expect_name(p, "the name of a member");
    const struct bly_name *name = bly_name_of(p, token);
    if (name->word == BLY_WORD_REFUSED) bly_stop(p, token->place, "%s %s", name->text, name->advice);
    if (name->word == BLY_WORD_KEYWORD || name->word == BLY_WORD_TYPE || name->word == BLY_WORD_SIZE)
        bly_stop(p, token->place, "%s is predefined and cannot be declared", name->text);
    if (bly_record_find(record, token)) bly_stop(p, token->place, "a second %s in a structure", name->text);
    return name->text;
}

void bly_check_stored(struct bly_parser *p, const struct bly_type *type, struct bly_place place)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    if (type->kind == BLY_TYPE_VOID) bly_stop(p, place, "void is for functions that return nothing");
    if (type->kind == BLY_TYPE_PATH) bly_stop(p, place, "a path is a parameter, and nothing else");
    if (type == p->params->type) bly_stop(p, place, "params is for parameters: const params *p");
    if (type == p->noise->type) bly_stop(p, place, "noise is for parameters: const noise *n");
    if (type == p->state->type && !p->unit->state) bly_stop(p, place, "state is not declared before");
}

static void members(struct bly_parser *p, struct bly_record *record)
{
    struct bly_specifiers s;
    struct bly_field_node *first = NULL;
    bly_parse_specifiers(p, &s);
    if (s.constant || s.is_static || s.is_inline || s.is_typedef)
        bly_stop(p, s.place, "a member has a type and a name, and nothing before");
    do {
        bly_refuse_pointer(p);
        const struct bly_token *token = p->token;
        const char *name = member_name(p, record);
        const struct bly_type *type = bly_parse_sizes(p, s.type, token, NULL);
        if (bly_next_is(p, ":")) bly_stop(p, p->token->place, "bit-fields are not supported");
        bly_check_stored(p, type, token->place);
        struct bly_field_node *field = bly_record_add(p, record, name, type, token->place);
        field->from = s.from;
        field->token = (uint32_t)(token - p->unit->tokens);
        if (!first) first = field;
        bly_note_member(token, record->kind);
    } while (bly_accept(p, ","));
    for (; first; first = first->next) first->to = bly_token_number(p);
    bly_expect(p, ";");
}

static struct bly_record *record_body(struct bly_parser *p, const char *name, struct bly_place place)
{
    struct bly_record *record = bly_record_new(p, name, BLY_RECORD_OWN, place);
    bly_expect(p, "{");
    bly_parse_enter(p);
    while (!bly_accept(p, "}")) members(p, record);
    bly_parse_leave(p);
    if (!record->fields) bly_stop(p, place, "a structure without members");
    bly_record_end(p, record);
    return record;
}

static void link_record(struct bly_parser *p, struct bly_record *record)
{
    record->number = p->record_count++;
    *p->last_record = record;
    p->last_record = &record->next;
}

/* After the word struct: its tag, its body, or both. The tag is known after the body, so that no structure
 * can have itself as a member. */
static void structure(struct bly_parser *p, struct bly_specifiers *s)
{
    const struct bly_token *tag = p->token->kind == BLY_TOKEN_NAME ? p->token++ : NULL;
    if (!bly_next_is(p, "{")) {
        if (!tag) bly_stop(p, p->token->place, "write struct and a name, or struct { ... }");
        const struct bly_symbol *symbol = bly_name_of(p, tag)->tag;
        if (!symbol || symbol->type->kind != BLY_TYPE_RECORD)
            bly_stop(p, tag->place, "struct %.*s is not declared before", BLY_SHOWN(tag));
        s->type = symbol->type;
        return;
    }
    if (tag && !s->is_typedef && bly_name_of(p, tag)->word == BLY_WORD_TYPE)
        bly_stop(p, tag->place, "write typedef struct { ... } %.*s;", BLY_SHOWN(tag));
    s->declares = true;
    s->record = record_body(p, tag ? bly_name_of(p, tag)->text : "", tag ? tag->place : p->token->place);
    s->type = s->record->type;
    if (!tag) return;
    s->tag = bly_declare_tag(p, tag);
    s->tag->type = s->type;
}

/* ---- Enumerations -------------------------------------------------------------------------------- */

static void enumerators(struct bly_parser *p)
{
    int64_t value = 0;
    bly_expect(p, "{");
    while (!bly_accept(p, "}")) {
        const struct bly_token *name = bly_expect_name(p, "a name");
        if (bly_accept(p, "=")) value = bly_parse_constant(p, "a constant of an enum");
        if (value < INT32_MIN || value > INT32_MAX)
            bly_stop(p, name->place, "%.*s does not fit int", BLY_SHOWN(name));
        bly_declare(p, name, BLY_SYMBOL_NUMBER)->number = value++;
        if (!bly_next_is(p, "}")) bly_expect(p, ",");
    }
}

static void enumeration(struct bly_parser *p, struct bly_specifiers *s)
{
    const struct bly_token *tag = p->token->kind == BLY_TOKEN_NAME ? p->token++ : NULL;
    s->type = &bly_type_int;
    if (!bly_next_is(p, "{")) {
        if (!tag || !bly_name_of(p, tag)->tag || bly_name_of(p, tag)->tag->type->kind != BLY_TYPE_INT)
            bly_stop(p, tag ? tag->place : p->token->place, "this enum is not declared before");
        return;
    }
    s->declares = true;
    enumerators(p);
    if (tag) bly_declare_tag(p, tag)->type = &bly_type_int;
}

/* ---- Specifiers ---------------------------------------------------------------------------------- */

static const struct bly_type *named_type(struct bly_parser *p, const struct bly_token *token)
{
    if (token->kind != BLY_TOKEN_NAME) return NULL;
    const struct bly_name *name = bly_name_of(p, token);
    if (name->word == BLY_WORD_TYPE) return name->type;
    return name->symbol && name->symbol->kind == BLY_SYMBOL_TYPE ? name->symbol->type : NULL;
}

bool bly_begins_type(struct bly_parser *p, const struct bly_token *token)
{
    static const char *const words[] = {"const", "struct", "enum", "typedef", "static", "inline"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bly_token_is(token, words[i])) return true;
    return named_type(p, token) != NULL;
}

static bool qualifier(struct bly_parser *p, struct bly_specifiers *s)
{
    bool *const flag = bly_next_is(p, "const")     ? &s->constant
                       : bly_next_is(p, "static")  ? &s->is_static
                       : bly_next_is(p, "inline")  ? &s->is_inline
                       : bly_next_is(p, "typedef") ? &s->is_typedef
                                                   : NULL;
    if (!flag) return false;
    *flag = true;
    p->token++;
    return true;
}

_Noreturn void bly_stop_no_type(struct bly_parser *p)
{
    const struct bly_token *token = p->token;
    if (token->kind == BLY_TOKEN_END) bly_stop(p, token->place, "the code ends where a type should be");
    if (token->kind != BLY_TOKEN_NAME)
        bly_stop(p, token->place, "%.*s where a type should be", BLY_SHOWN(token));
    const struct bly_name *name = bly_name_of(p, token);
    if (name->word == BLY_WORD_REFUSED) bly_stop(p, token->place, "%s %s", name->text, name->advice);
    if (p->scope == 0 && p->depth == 0)
        bly_stop(p, token->place, "%s does not begin a function, a constant or a type", name->text);
    bly_stop(p, token->place, "%s is not a type; types are real, int, uint32, int64, uint64 and structures",
             name->text);
}

void bly_parse_specifiers(struct bly_parser *p, struct bly_specifiers *s)
{
    *s = (struct bly_specifiers){.place = p->token->place, .from = bly_token_number(p)};
    for (;;) {
        if (qualifier(p, s)) continue;
        if (s->type) break;
        if (bly_accept(p, "struct"))
            structure(p, s);
        else if (bly_accept(p, "enum"))
            enumeration(p, s);
        else if (named_type(p, p->token))
            s->type = named_type(p, p->token++);
        else
            bly_stop_no_type(p);
    }
    /* Whether a typedef makes it params or state is not known yet. */
    if (s->record && !s->is_typedef) link_record(p, s->record);
}

const struct bly_type *bly_parse_type_name(struct bly_parser *p)
{
    struct bly_specifiers s;
    bly_parse_specifiers(p, &s);
    if (bly_next_is(p, "*"))
        bly_stop(p, p->token->place, "a conversion makes a number of a number, and nothing else");
    return s.type;
}

static uint32_t array_size(struct bly_parser *p, const struct bly_token *name)
{
    char what[100];
    snprintf(what, sizeof what, "the size of %.*s", name->length > 63 ? 63 : BLY_SHOWN(name));
    const struct bly_place place = p->token->place;
    const int64_t size = bly_parse_constant(p, what);
    if (size < 1 || size > INT32_MAX)
        bly_stop(p, place, "%s is %lld; it must be at least 1", what, (long long)size);
    return (uint32_t)size;
}

const struct bly_type *bly_parse_sizes(struct bly_parser *p, const struct bly_type *type,
                                       const struct bly_token *name, bool *empty)
{
    const struct bly_place place = p->token->place;
    if (!bly_accept(p, "[")) return type;
    const bool is_empty = bly_accept(p, "]");
    if (is_empty && !empty) bly_stop(p, place, "the size of %.*s is missing", BLY_SHOWN(name));
    const uint32_t count = is_empty ? 1 : array_size(p, name);
    if (!is_empty) bly_expect(p, "]");
    bly_parse_enter(p);
    const struct bly_type *of = bly_parse_sizes(p, type, name, NULL);
    bly_parse_leave(p);
    if (is_empty) *empty = true;
    return bly_type_array(p, of, count, place);
}

/* ---- Typedefs, params and state ------------------------------------------------------------------ */

/* Bytes as C lays them out, in the unit's precision. */
static uint64_t bytes_of(const struct bly_parser *p, const struct bly_record *record)
{
    uint64_t bytes = 0, largest = 1;
    for (const struct bly_field_node *field = record->fields; field; field = field->next) {
        const bool is_array = field->type->kind == BLY_TYPE_ARRAY;
        const struct bly_type *type = is_array ? field->type->of : field->type;
        const bool single = type->kind == BLY_TYPE_REAL && p->unit->precision == BAILEY_PRECISION_F32;
        const uint64_t size = single ? 4 : type->bytes;
        bytes = (bytes + size - 1) / size * size + size * (is_array ? field->type->count : 1);
        if (size > largest) largest = size;
    }
    return (bytes + largest - 1) / largest * largest;
}

static void check_members(struct bly_parser *p, const struct bly_record *record, const char *what,
                          uint64_t most)
{
    for (const struct bly_field_node *field = record->fields; field; field = field->next) {
        const bool is_array = field->type->kind == BLY_TYPE_ARRAY;
        const struct bly_type *type = is_array ? field->type->of : field->type;
        if (type->kind == BLY_TYPE_ARRAY)
            bly_stop(p, field->place, "%s has more than one dimension", field->name);
        if (!bly_type_is_number(type))
            bly_stop(p, field->place,
                     "%s in %s: a member is real, int, uint32, int64 or uint64, or an array of them",
                     field->name, what);
    }
    if (record->field_count > MOST_MEMBERS + (p->unit->around ? MOST_ADDED : 0))
        bly_stop(p, record->place, "more than %u members in %s", MOST_MEMBERS, what);
    const uint64_t bytes = bytes_of(p, record);
    if (bytes > most)
        bly_stop(p, record->place, "%s has %llu bytes; at most %llu", what, (unsigned long long)bytes,
                 (unsigned long long)most);
}

/* typedef struct { ... } params; the type has been there from the beginning. */
static void params_or_state(struct bly_parser *p, const struct bly_specifiers *s,
                            const struct bly_token *name)
{
    const bool is_params = bly_token_is(name, "params");
    struct bly_record *record = is_params ? p->params : p->state,
                      **of_unit = is_params ? &p->unit->params : &p->unit->state;
    if (*of_unit)
        bly_stop(p, name->place, "a second %s; the first is in line %u", record->name,
                 (unsigned)record->place.line);
    if (!s->record || !bly_next_is(p, ";"))
        bly_stop(p, name->place, "write typedef struct { ... } %s;", record->name);
    check_members(p, s->record, record->name, is_params ? MOST_PARAMS_BYTES : MOST_STATE_BYTES);
    record->fields = s->record->fields;
    record->field_count = s->record->field_count;
    record->place = s->record->place;
    record->from = s->from;
    record->to = bly_token_number(p);
    bly_record_end(p, record);
    if (s->tag) s->tag->type = record->type;
    *of_unit = record;
    link_record(p, record);
}

void bly_parse_typedef(struct bly_parser *p, const struct bly_specifiers *s)
{
    if (s->constant || s->is_static || s->is_inline)
        bly_stop(p, s->place, "a typedef gives a type a name, and has no other words before it");
    bly_refuse_pointer(p);
    const struct bly_token *name = bly_expect_name(p, "a name");
    if (p->scope == 0 && (bly_token_is(name, "params") || bly_token_is(name, "state"))) {
        params_or_state(p, s, name);
    } else {
        struct bly_symbol *symbol = bly_declare(p, name, BLY_SYMBOL_TYPE);
        symbol->type = bly_parse_sizes(p, s->type, name, NULL);
        if (symbol->type->kind == BLY_TYPE_ARRAY) bly_check_stored(p, symbol->type, name->place);
        if (s->record && !*s->record->name) s->record->name = symbol->name->text;
        if (s->record) link_record(p, s->record);
    }
    if (bly_next_is(p, "(") || bly_next_is(p, ","))
        bly_stop(p, p->token->place, "a typedef gives one type a name, and not to functions");
    bly_expect(p, ";");
}

/* ---- Initial values ------------------------------------------------------------------------------ */

static struct bly_initial *initial(struct bly_parser *p, const struct bly_variable *v,
                                   const struct bly_type *type, bool outermost);

static struct bly_expression *initial_value(struct bly_parser *p, const struct bly_variable *v,
                                            const struct bly_type *type, bool outermost)
{
    const bool constant = v->kind == BLY_VARIABLE_CONSTANT;
    const struct bly_place place = p->token->place;
    if (bly_next_is(p, ".") || bly_next_is(p, "["))
        bly_stop(p, place, "designated initialisers are not supported; write values in order");
    if (bly_next_is(p, "{")) bly_stop(p, place, "{ ... } around one number; leave the brackets out");
    if (type->kind == BLY_TYPE_ARRAY)
        bly_stop(p, place,
                 outermost ? "the values of an array stand in { ... }"
                           : "write { ... } around the values of each array within this one");
    struct bly_expression *value =
        bly_parse_whole(p, outermost && !constant ? BLY_WRITES_WHOLE : BLY_WRITES_NOTHING);
    value = bly_as_value(p, value, type);
    if (constant && !(value = bly_constant_literal(p, value)))
        bly_stop(p, place,
                 "the value of %s is not constant: it may have numbers, DIMS, STEPS and other constants",
                 v->name);
    return value;
}

/* {0}, as C has it for anything: all of it is 0. */
static bool is_all_zero(const struct bly_parser *p)
{
    return bly_token_is(p->token, "{") && p->token[1].kind == BLY_TOKEN_NUMBER &&
           bly_token_is(p->token + 1, "0") && bly_token_is(p->token + 2, "}");
}

/* { ... } of an array or structure; *count of its values. */
static struct bly_initial *values(struct bly_parser *p, const struct bly_variable *v,
                                  const struct bly_type *type, uint32_t most, uint32_t *count)
{
    struct bly_initial *first = NULL, **last = &first;
    const struct bly_field_node *field = type->kind == BLY_TYPE_RECORD ? type->record->fields : NULL;
    for (*count = 0; !bly_accept(p, "}"); ++*count) {
        if (*count == most)
            bly_stop(p, p->token->place, "more values than the %u that there are", (unsigned)most);
        *last = initial(p, v, field ? field->type : type->of, false);
        last = &(*last)->next;
        if (field) field = field->next;
        if (!bly_next_is(p, "}")) bly_expect(p, ",");
    }
    return first;
}

static struct bly_initial *initial(struct bly_parser *p, const struct bly_variable *v,
                                   const struct bly_type *type, bool outermost)
{
    struct bly_initial *i = BLY_NEW(p, struct bly_initial);
    const bool is_list =
        (type->kind == BLY_TYPE_ARRAY || type->kind == BLY_TYPE_RECORD) && bly_next_is(p, "{");
    uint32_t count;
    i->place = p->token->place;
    bly_parse_enter(p);
    if (is_list && is_all_zero(p))
        p->token += 3;
    else if (is_list && bly_accept(p, "{"))
        i->list = values(p, v, type, type->kind == BLY_TYPE_ARRAY ? type->count : type->record->field_count,
                         &count);
    else
        i->value = initial_value(p, v, type, outermost);
    bly_parse_leave(p);
    return i;
}

/* For an array [], which has as many elements as values. */
static struct bly_initial *counted(struct bly_parser *p, struct bly_variable *v, const struct bly_token *name)
{
    struct bly_initial *i = BLY_NEW(p, struct bly_initial);
    uint32_t count;
    i->place = p->token->place;
    bly_expect(p, "{");
    i->list = values(p, v, v->type, BLY_MOST_OBJECT, &count);
    if (count == 0) bly_stop(p, i->place, "the size of %s is missing", v->name);
    v->type = bly_type_array(p, v->type->of, count, name->place);
    return i;
}

/* ---- Variables ----------------------------------------------------------------------------------- */

static void link_variable(struct bly_parser *p, struct bly_variable *v)
{
    const bool constant = v->kind == BLY_VARIABLE_CONSTANT;
    struct bly_variable ***last = constant ? &p->last_constant : &p->last_variable;
    v->number = constant ? p->unit->constant_count++ : p->function->variable_count++;
    v->of = p->function;
    **last = v;
    *last = &v->next;
}

struct bly_variable *bly_parse_variable(struct bly_parser *p, const struct bly_specifiers *s,
                                        enum bly_variable_kind kind)
{
    bool empty = false;
    bly_refuse_pointer(p);
    const struct bly_token *name = bly_expect_name(p, "the name of a variable");
    struct bly_variable *v = BLY_NEW(p, struct bly_variable);
    struct bly_symbol *symbol = bly_declare(p, name, BLY_SYMBOL_VARIABLE);
    *v = (struct bly_variable){
        .name = symbol->name->text, .kind = kind, .constant = s->constant, .place = name->place};
    v->type = bly_parse_sizes(p, s->type, name, &empty);
    bly_check_stored(p, v->type, name->place);
    link_variable(p, v);
    if (empty && !bly_next_is(p, "=")) bly_stop(p, name->place, "the size of %s is missing", v->name);
    if (bly_accept(p, "=")) v->initial = empty ? counted(p, v, name) : initial(p, v, v->type, true);
    symbol->variable = v; /* its own value cannot name it */
    p->bytes += v->type->bytes;
    return v;
}
