/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A payoff's text at file scope: types, constants and functions.
 */
#include "payoff_scan.h"

#include <base/status.h>

#define ANY_TYPE (BLY_WORD_TYPE | BLY_WORD_OWN_TYPE)

/* A declaration at file scope: tokens `begin` to `end`. */
struct statement {
    struct bly_scan *scan;
    uint32_t begin, end;
    uint32_t body;                  /* the { of a function's */
    uint32_t bracket;               /* the first ( outside other brackets and before any = */
    uint32_t name;                  /* the word before it */
    uint32_t last;                  /* the last word outside brackets, before any = */
    uint32_t value;                 /* the first = */
    uint32_t comma, star, constant; /* the first , or * or const before any = */
    uint32_t conditions;            /* #ifs that it is in */
};

/* Notes token k, before any =. */
static void note(struct statement *s, uint32_t k, uint32_t before)
{
    const struct bly_scan *scan = s->scan;
    if (scan->tokens[k].kind == BLY_TOKEN_WORD) s->last = k;
    if (bly_is(scan, k, "=")) s->value = k;
    if (bly_is(scan, k, ",") && !s->comma) s->comma = k;
    if (bly_is(scan, k, "*") && !s->star) s->star = k;
    if (bly_is(scan, k, "const") && !s->constant) s->constant = k + 1;
    if (bly_is(scan, k, "(") && !s->bracket) {
        s->bracket = k;
        s->name = before;
    }
}

/* Finds the end of the declaration that begins at s->begin. */
static bailey_status find_end(struct statement *s)
{
    const struct bly_scan *scan = s->scan;
    uint32_t before = s->begin;
    for (uint32_t k = s->begin; k < scan->count; k = bly_after(scan, k)) {
        if (!s->value) note(s, k, before);
        s->end = k;
        if (bly_is(scan, k, ";")) return BAILEY_OK;
        if (bly_is(scan, k, "{") && bly_is(scan, before, ")") && !s->value) s->body = k;
        if (bly_is(scan, k, "(") || bly_is(scan, k, "[") || bly_is(scan, k, "{")) k = scan->tokens[k].mate;
        s->end = before = k;
        if (s->body) return BAILEY_OK;
        if (scan->tokens[k + 1].directive)
            return bly_refuse(scan, scan->tokens[k + 1].line, "a # line within a declaration");
    }
    return bly_refuse(scan, scan->tokens[s->begin].line, "this declaration does not end");
}

static uint32_t line_of(const struct statement *s) { return s->scan->tokens[s->begin].line; }

/* The first token that is neither static, inline nor const. */
static uint32_t first_of(const struct statement *s)
{
    uint32_t k = s->begin;
    while (bly_is(s->scan, k, "static") || bly_is(s->scan, k, "inline") || bly_is(s->scan, k, "const"))
        k = bly_after(s->scan, k);
    return k;
}

/* What a declaration begins with is not written, and `before` is, in its place. */
static void replace_beginning(struct statement *s, enum bly_token_before before)
{
    const int constant = before == BLY_BEFORE_CONSTANT;
    uint32_t depth_end = s->value ? s->value : s->name ? s->name : s->end;
    int written = 0;
    for (uint32_t k = s->begin; k < depth_end; k = bly_after(s->scan, k)) {
        struct bly_token *token = &s->scan->tokens[k];
        token->dropped = bly_is(s->scan, k, "static") || bly_is(s->scan, k, "inline") ||
                         (constant && bly_is(s->scan, k, "const"));
        if (token->dropped || written) continue;
        token->before = (uint8_t)before;
        token->spaces = s->scan->tokens[s->begin].spaces;
        written = 1;
    }
}

static bailey_status params_or_state(struct statement *s, struct bly_file *file)
{
    struct bly_scan *scan = s->scan;
    uint32_t k = bly_after(scan, s->begin);
    uint32_t *open = bly_is(scan, s->last, "params") ? &file->params : &file->state;
    if (*open) return bly_refuse(scan, line_of(s), "a second %.*s", BLY_SHOWN(&scan->tokens[s->last]));
    if (s->conditions)
        return bly_refuse(scan, line_of(s), "%.*s may not be within an #if",
                          BLY_SHOWN(&scan->tokens[s->last]));
    if (bly_is(scan, k, "struct")) {
        k = bly_after(scan, k);
        if (scan->tokens[k].kind == BLY_TOKEN_WORD) k = bly_after(scan, k);
        if (bly_is(scan, k, "{")) *open = k;
    }
    if (!*open || bly_after(scan, scan->tokens[*open].mate) != s->last || bly_after(scan, s->last) != s->end)
        return bly_refuse(scan, line_of(s), "write typedef struct { ... } %.*s;",
                          BLY_SHOWN(&scan->tokens[s->last]));
    for (k = s->begin; k <= s->end; k++) scan->tokens[k].dropped = 1;
    return BAILEY_OK;
}

static bailey_status own_type(struct statement *s, struct bly_file *file)
{
    struct bly_scan *scan = s->scan;
    const struct bly_token *token = &scan->tokens[s->last];
    if (bly_is(scan, s->last, "params") || bly_is(scan, s->last, "state")) return params_or_state(s, file);
    if (s->bracket || s->comma || s->value || s->last == s->begin)
        return bly_refuse(scan, line_of(s), "a typedef gives one type a name, and not to functions");
    if (bly_flags(scan, s->last) & BLY_WORD_FIXED)
        return bly_refuse(scan, token->line, "%.*s has a meaning of its own and cannot be declared",
                          BLY_SHOWN(token));
    bly_word_of(scan, s->last)->flags |= BLY_WORD_OWN | BLY_WORD_OWN_TYPE | BLY_WORD_DECLARED;
    return BAILEY_OK;
}

/* The definition of a function of the interface. */
static bailey_status note_interface(struct statement *s, struct bly_file *file)
{
    const struct bly_scan *scan = s->scan;
    uint32_t *const found = bly_is(scan, s->name, "start")                  ? &file->start
                            : bly_is(scan, s->name, "step")                 ? &file->step
                            : bly_is(scan, s->name, "finish")               ? &file->finish
                            : bly_is(scan, s->name, "whole")                ? &file->whole
                            : scan->levels && bly_is(scan, s->name, "pair") ? &file->pair
                                                                            : NULL;
    if (!found) return BAILEY_OK;
    if (!bly_is(scan, s->name - 1, "void"))
        return bly_refuse(scan, line_of(s), "the function %.*s must return void",
                          BLY_SHOWN(&scan->tokens[s->name]));
    *found = s->bracket;
    return BAILEY_OK;
}

static bailey_status function(struct statement *s, struct bly_file *file)
{
    struct bly_scan *scan = s->scan;
    const struct bly_token *token = &scan->tokens[s->name];
    const uint32_t first = first_of(s);
    if (bly_flags(scan, s->name) & BLY_WORD_FIXED)
        return bly_refuse(scan, token->line, "%.*s has a meaning of its own and cannot be declared",
                          BLY_SHOWN(token));
    if (token->kind != BLY_TOKEN_WORD || first == s->name ||
        !(bly_flags(scan, first) & ANY_TYPE || bly_is(scan, first, "struct") || bly_is(scan, first, "enum")))
        return bly_refuse(scan, token->line, "%.*s does not begin a function, a constant or a type",
                          BLY_SHOWN(&scan->tokens[first]));
    if (s->comma || s->value ||
        bly_after(scan, scan->tokens[s->bracket].mate) != (s->body ? s->body : s->end))
        return bly_refuse(scan, token->line, "%.*s is not declared as a function is", BLY_SHOWN(token));
    struct bly_word *word = bly_word_of(scan, s->name);
    if (word->flags & BLY_WORD_MACRO)
        return bly_refuse(scan, token->line, "%.*s is a macro as well as a function", BLY_SHOWN(token));
    word->flags |= BLY_WORD_FUNCTION | BLY_WORD_OWN | BLY_WORD_DECLARED;
    replace_beginning(s, BLY_BEFORE_FUNCTION);
    if (!s->body) return BAILEY_OK;
    word->body = s->body;
    return note_interface(s, file);
}

static bailey_status constant(struct statement *s)
{
    struct bly_scan *scan = s->scan;
    const uint32_t first = first_of(s);
    const int tagged = bly_is(scan, first, "struct") || bly_is(scan, first, "enum");
    const struct bly_token *token = &scan->tokens[s->last];
    if (tagged && !s->value &&
        (bly_is(scan, s->end - 1, "}") || bly_after(scan, bly_after(scan, first)) == s->end))
        return BAILEY_OK; /* a type alone */
    if (!tagged && !(bly_flags(scan, first) & ANY_TYPE))
        return bly_refuse(scan, line_of(s), "%.*s does not begin a function, a constant or a type",
                          BLY_SHOWN(&scan->tokens[first]));
    if (!s->constant)
        return bly_refuse(
            scan, line_of(s),
            "%.*s is not const: a payoff keeps nothing between paths (state is what a path keeps)",
            BLY_SHOWN(token));
    if (s->star) return bly_refuse(scan, line_of(s), "no pointers outside functions");
    if (!s->value) return bly_refuse(scan, line_of(s), "the constant %.*s has no value", BLY_SHOWN(token));
    replace_beginning(s, BLY_BEFORE_CONSTANT);
    return BAILEY_OK;
}

static bailey_status statement(struct statement *s, struct bly_file *file)
{
    const bailey_status status = find_end(s);
    if (status != BAILEY_OK || s->begin == s->end) return status;
    if (bly_is(s->scan, s->begin, "typedef")) return own_type(s, file);
    return s->bracket ? function(s, file) : constant(s);
}

static void count_conditions(const struct bly_scan *scan, uint32_t k, uint32_t *conditions)
{
    if (bly_is(scan, k + 1, "endif")) --*conditions;
    if (bly_is(scan, k + 1, "if") || bly_is(scan, k + 1, "ifdef") || bly_is(scan, k + 1, "ifndef"))
        ++*conditions;
}

bailey_status bly_payoff_parts(struct bly_scan *scan, struct bly_file *file)
{
    bailey_status status = BAILEY_OK;
    uint32_t conditions = 0, next;
    for (uint32_t k = 0; k < scan->count && status == BAILEY_OK; k = next) {
        if (scan->tokens[k].directive) {
            count_conditions(scan, k, &conditions);
            next = bly_after_directive(scan, k);
            continue;
        }
        struct statement s = {.scan = scan, .begin = k, .conditions = conditions};
        status = statement(&s, file);
        next = s.end + 1;
    }
    return status;
}
