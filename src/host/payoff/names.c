/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Names: what each means at the moment, by its number. A declaration puts a symbol in front of the one that a
 * name had; the end of its scope takes it away.
 */
#include "parser.h"

#include <string.h>

/* ---- Words that mean something in all code ------------------------------------------------------- */

static const char *const keywords[] = {"if",   "else",    "for",   "while",    "do",     "switch",
                                       "case", "default", "break", "continue", "return", "struct",
                                       "enum", "typedef", "const", "static",   "inline", NULL};

/* Words of C, and of other languages, that one might expect here. */
static const struct {
    const char *advice;
    const char *names[30];
} refused[] = {
    {"is not supported; write real", {"double", "float", "_Float16", "_Float32", "_Float64"}},
    {"is not supported; write int, with 0 and 1 for false and true", {"bool", "_Bool", "true", "false"}},
    {"is not supported; write int",
     {"short", "char", "signed", "int8", "int16", "uint8", "uint16", "int8_t", "int16_t", "int32_t",
      "uint8_t", "uint16_t", "wchar_t", "ushort", "uchar", "char8_t", "char16_t", "char32_t"}},
    {"is not supported; write int64",
     {"long", "int64_t", "intptr_t", "ptrdiff_t", "ssize_t", "longlong", "intmax_t"}},
    {"is not supported; write uint32", {"unsigned", "uint", "uint32_t"}},
    {"is not supported; write uint64",
     {"size_t", "ulong", "uint64_t", "uintptr_t", "uintmax_t", "ulonglong"}},
    {"is not supported; write loops, break, continue and return", {"goto"}},
    {"is not supported; write a struct", {"union"}},
    {"is not supported; write the number", {"sizeof", "alignof", "_Alignof"}},
    {"is not supported; write the type",
     {"typeof", "typeof_unqual", "__typeof__", "__typeof", "__auto_type", "decltype"}},
    {"is not supported; leave it out",
     {"auto", "register", "volatile", "restrict", "extern", "alignas", "_Alignas", "_Noreturn", "_Atomic",
      "thread_local", "_Thread_local", "__restrict", "__restrict__", "__volatile__", "__inline", "__inline__",
      "__extension__", "__attribute__", "constexpr"}},
    {"is not supported",
     {"asm", "__asm__", "__asm", "_Generic", "_Static_assert", "static_assert", "_Complex", "_Imaginary"}},
    {"is not supported; only parameters are pointers", {"NULL", "nullptr"}},
    {"is not supported: such numbers differ between devices; write a large one, such as 1e30",
     {"INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "MAXFLOAT"}},
};

/* Numbers that headers of C have, by what to write. */
static const struct {
    const char *name, *write;
} header_numbers[] = {
    {"M_PI", "3.141592653589793"},
    {"M_PI_2", "1.5707963267948966"},
    {"M_PI_4", "0.7853981633974483"},
    {"M_1_PI", "0.3183098861837907"},
    {"M_2_PI", "0.6366197723675814"},
    {"M_E", "2.718281828459045"},
    {"M_LN2", "0.6931471805599453"},
    {"M_LN10", "2.302585092994046"},
    {"M_LOG2E", "1.4426950408889634"},
    {"M_SQRT2", "1.4142135623730951"},
    {"M_SQRT1_2", "0.7071067811865476"},
    {"INT_MAX", "2147483647"},
    {"DBL_EPSILON", "2.220446049250313e-16"},
    {"FLT_EPSILON", "1.1920929e-07"},
};

/* ---- Names with a meaning in all code ----------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0) list++;
    return *list != NULL;
}

static const char *advice_for(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_among(name, refused[i].names)) return refused[i].advice;
    return NULL;
}

/* noise is a free name but in levels. */
static const struct bly_type *type_called(const struct bly_parser *p, const char *name)
{
    const struct {
        const char *name;
        const struct bly_type *type;
    } types[] = {{"real", &bly_type_real},     {"int", &bly_type_int},     {"int32", &bly_type_int},
                 {"uint32", &bly_type_uint32}, {"int64", &bly_type_int64}, {"uint64", &bly_type_uint64},
                 {"void", &bly_type_void},     {"path", &bly_type_path},   {"params", p->params->type},
                 {"state", p->state->type},    {"noise", p->noise->type}};
    const size_t count = sizeof types / sizeof *types - (p->unit->kind != BLY_UNIT_LEVELS);
    for (size_t i = 0; i < count; i++)
        if (strcmp(types[i].name, name) == 0) return types[i].type;
    return NULL;
}

/* LEVELS is a free name where there are none. */
static bool is_size(const struct bly_parser *p, const char *name)
{
    return strcmp(name, "DIMS") == 0 || strcmp(name, "STEPS") == 0 ||
           (strcmp(name, "LEVELS") == 0 && p->unit->kind == BLY_UNIT_MOTION);
}

/* at and time are free names where there is no path to ask. */
static bool is_of_path(const struct bly_parser *p, const char *name)
{
    return p->has_path && (strcmp(name, "at") == 0 || strcmp(name, "time") == 0);
}

static void classify(const struct bly_parser *p, struct bly_name *name)
{
    name->type = type_called(p, name->text);
    name->library = bly_library_find(name->text, strlen(name->text));
    const bool asks = p->unit->kind == BLY_UNIT_PRODUCT || p->unit->kind == BLY_UNIT_MODEL;
    name->question = asks ? bly_question_find(name->text) : NULL;
    name->advice = advice_for(name->text);
    name->word = name->type                       ? BLY_WORD_TYPE
                 : name->library                  ? BLY_WORD_LIBRARY
                 : name->question && p->unit->kind == BLY_UNIT_PRODUCT ? BLY_WORD_QUESTION
                 : name->advice                   ? BLY_WORD_REFUSED
                 : is_among(name->text, keywords) ? BLY_WORD_KEYWORD
                 : is_size(p, name->text)         ? BLY_WORD_SIZE
                 : is_of_path(p, name->text)      ? BLY_WORD_PATH
                                                  : BLY_WORD_FREE;
}

struct bly_name *bly_name_of(struct bly_parser *p, const struct bly_token *token)
{
    struct bly_name *name = p->names[token->name];
    if (name) return name;
    name = p->names[token->name] = BLY_NEW(p, struct bly_name);
    name->text = p->unit->names[token->name];
    classify(p, name);
    return name;
}

void bly_names_begin(struct bly_parser *p)
{
    p->names = bly_take(p, p->unit->name_count * sizeof *p->names);
    p->has_path = bly_name_find(p->unit, "whole") != 0;
}

/* ---- Scopes -------------------------------------------------------------------------------------- */

/* Scopes are as deep as statements at most. */
void bly_scope_enter(struct bly_parser *p) { p->scopes[++p->scope] = NULL; }

void bly_scope_leave(struct bly_parser *p)
{
    for (struct bly_symbol *s = p->scopes[p->scope]; s; s = s->before)
        *(s->is_tag ? &s->name->tag : &s->name->symbol) = s->outer;
    p->scope--;
}

static void note_outer(struct bly_parser *p, const struct bly_name *name)
{
    struct bly_outer *outer = BLY_NEW(p, struct bly_outer);
    outer->name = name->text;
    *p->last_outer = outer;
    p->last_outer = &outer->next;
}

static struct bly_symbol *add(struct bly_parser *p, struct bly_name *name, const struct bly_token *token,
                              bool is_tag)
{
    struct bly_symbol **place = is_tag ? &name->tag : &name->symbol, *symbol = BLY_NEW(p, struct bly_symbol);
    if (*place && (*place)->scope == p->scope)
        bly_stop(p, token->place, "a second %s; the first is in line %u", name->text,
                 (unsigned)(*place)->place.line);
    symbol->name = name;
    symbol->is_tag = is_tag;
    symbol->place = token->place;
    symbol->scope = p->scope;
    symbol->outer = *place;
    symbol->before = p->scopes[p->scope];
    p->scopes[p->scope] = *place = symbol;
    if (p->scope == 0) note_outer(p, name);
    return symbol;
}

struct bly_symbol *bly_declare(struct bly_parser *p, const struct bly_token *token, enum bly_symbol_kind kind)
{
    struct bly_name *name = bly_name_of(p, token);
    if (name->word == BLY_WORD_REFUSED) bly_stop(p, token->place, "%s %s", name->text, name->advice);
    if (name->word != BLY_WORD_FREE)
        bly_stop(p, token->place, "%s is predefined and cannot be declared", name->text);
    struct bly_symbol *symbol = add(p, name, token, false);
    symbol->kind = kind;
    return symbol;
}

struct bly_symbol *bly_declare_tag(struct bly_parser *p, const struct bly_token *token)
{
    return add(p, bly_name_of(p, token), token, true);
}

/* ---- Names that mean nothing --------------------------------------------------------------------- */

enum { MOST_NEAR = 2, MOST_LETTERS = 64 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* How many letters to add, drop, change or swap with the next one make a of b: the distance of Damerau and
 * Levenshtein, row by row. */
static uint32_t distance(const char *a, uint32_t m, const char *b, uint32_t n)
{
    uint32_t rows[3][MOST_LETTERS + 1];
    for (uint32_t j = 0; j <= n; j++) rows[0][j] = j;
    for (uint32_t i = 1; i <= m; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], higher[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

void bly_near_try(struct bly_near *near, const char *name)
{
    const uint32_t m = near->token->length, n = (uint32_t)strlen(name),
                   most = m < 3   ? 0
                          : m < 6 ? 1
                                  : MOST_NEAR;
    if (m > MOST_LETTERS || n > MOST_LETTERS || m > n + most || n > m + most) return;
    const uint32_t found = distance(near->token->text, m, name, n);
    if (found > most || (near->best && found >= near->distance)) return;
    near->best = name;
    near->distance = found;
}

const char *bly_near_words(const struct bly_near *near, char text[100])
{
    text[0] = 0;
    if (!near->best) return text;
    strcpy(text, "; did you mean ");
    strncat(text, near->best, MOST_LETTERS);
    return strcat(text, "?");
}

/* All names that mean something; many names are too many to look at. */
static void try_all(struct bly_parser *p, struct bly_near *near, bool called)
{
    for (uint32_t i = 1; i < p->unit->name_count && i < 4096; i++) {
        const struct bly_name *name = p->names[i];
        const bool known = name && name->symbol && (name->symbol->kind == BLY_SYMBOL_FUNCTION) == called;
        if (known) bly_near_try(near, name->text);
    }
    for (size_t i = 0; called && i < bly_library_count(); i++) bly_near_try(near, bly_library_at(i)->name);
    for (size_t i = 0; called && p->has_path && i < 2; i++) bly_near_try(near, i ? "time" : "at");
    for (size_t i = 0; !called && i < 2; i++) bly_near_try(near, i ? "STEPS" : "DIMS");
}

static void add_functions(char *text, bool has_path)
{
    for (size_t i = 0; i < bly_library_count(); i++) strcat(strcat(text, bly_library_at(i)->name), ", ");
    if (has_path) strcat(text, "at, time, ");
    text[strlen(text) - 2] = 0;
}

_Noreturn static void stop_call(struct bly_parser *p, const struct bly_token *token)
{
    char near_words[100], functions[1024] = "";
    struct bly_near near = {.token = token};
    try_all(p, &near, true);
    add_functions(functions, p->has_path);
    bly_stop(p, token->place, "%.*s is not supported; a payoff may call %s and its own functions%s",
             BLY_SHOWN(token), functions, bly_near_words(&near, near_words));
}

/* f(x), and (f)(x). */
static bool is_called(const struct bly_token *token)
{
    return bly_token_is(token + 1, "(") || (bly_token_is(token + 1, ")") && bly_token_is(token + 2, "("));
}

_Noreturn void bly_stop_unknown(struct bly_parser *p, const struct bly_token *token)
{
    char words[100];
    struct bly_near near = {.token = token};
    const struct bly_name *name = bly_name_of(p, token);
    if (name->word == BLY_WORD_REFUSED) bly_stop(p, token->place, "%s %s", name->text, name->advice);
    if (name->word == BLY_WORD_KEYWORD || name->word == BLY_WORD_TYPE)
        bly_stop(p, token->place, "%s where a value should be", name->text);
    if (is_called(token)) stop_call(p, token);
    if (strcmp(name->text, "LEVELS") == 0)
        bly_stop(p, token->place, "LEVELS is not declared: only paths that are motions have levels");
    for (size_t i = 0; i < sizeof header_numbers / sizeof *header_numbers; i++)
        if (strcmp(name->text, header_numbers[i].name) == 0)
            bly_stop(p, token->place, "%s is not declared; write %s", name->text, header_numbers[i].write);
    try_all(p, &near, false);
    bly_stop(p, token->place, "%s is not declared%s", name->text, bly_near_words(&near, words));
}
