/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a payoff's text declares: macros, and names after types. A name counts as declared in the whole text:
 * scopes are the compilers' business. What matters here is that a text uses no name that only some compilers
 * know.
 */
#include "payoff_scan.h"

#include <base/status.h>

#define ANY_TYPE (BLY_WORD_TYPE | BLY_WORD_OWN_TYPE)

static bailey_status check_free(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_token *token = &scan->tokens[k];
    if (token->kind != BLY_TOKEN_WORD) return bly_refuse(scan, token->line, "a name is missing");
    if (bly_flags(scan, k) & BLY_WORD_FIXED)
        return bly_refuse(scan, token->line, "%.*s has a meaning of its own and cannot be declared",
                          BLY_SHOWN(token));
    return BAILEY_OK;
}

/* A macro's parameters, from the bracket at k. */
static bailey_status macro_parameters(struct bly_scan *scan, uint32_t k)
{
    bailey_status status = BAILEY_OK;
    const uint32_t end = scan->tokens[k].mate;
    for (k++; k < end && status == BAILEY_OK; k += 2) {
        status = check_free(scan, k);
        if (status != BAILEY_OK) break;
        bly_word_of(scan, k)->flags |= BLY_WORD_DECLARED;
        if (k + 1 < end && !bly_is(scan, k + 1, ","))
            status =
                bly_refuse(scan, scan->tokens[k].line, "a macro's parameters are names with commas between");
    }
    return status;
}

static bailey_status macro_body(struct bly_scan *scan, uint32_t name, uint32_t k, uint32_t end, int sure)
{
    struct bly_word *word = bly_word_of(scan, name);
    const int again = (word->flags & BLY_WORD_MACRO) != 0;
    uint32_t last = end - 1;
    word->flags |= BLY_WORD_MACRO | BLY_WORD_DECLARED | BLY_WORD_OWN;
    for (uint32_t i = k; i < end; i++)
        if (bly_is(scan, i, "#") || bly_is(scan, i, "##"))
            return bly_refuse(scan, scan->tokens[i].line, "# and ## in a macro are not offered");
    while (last > k && (bly_is(scan, last, "*") || bly_is(scan, last, "const"))) last--;
    if (k == name + 1 && end > k && bly_flags(scan, last) & ANY_TYPE) word->flags |= BLY_WORD_OWN_TYPE;
    word->flags &= ~(uint32_t)BLY_WORD_NUMBER;
    if (sure && !again && end == k + 1 && bly_number_plain(&scan->tokens[k], &word->value))
        word->flags |= BLY_WORD_NUMBER;
    return BAILEY_OK;
}

static int is_of_interface(const struct bly_scan *scan, uint32_t k)
{
    return bly_is(scan, k, "start") || bly_is(scan, k, "step") || bly_is(scan, k, "finish") ||
           bly_is(scan, k, "whole") || (scan->levels && bly_is(scan, k, "pair"));
}

/* `sure`: not within an #if. */
static bailey_status define(struct bly_scan *scan, uint32_t k, uint32_t end, int sure)
{
    const uint32_t name = k + 2;
    uint32_t body = name + 1;
    if (name >= end) return bly_refuse(scan, scan->tokens[k].line, "this #define has no name");
    bailey_status status = check_free(scan, name);
    if (status == BAILEY_OK && is_of_interface(scan, name))
        status = bly_refuse(scan, scan->tokens[k].line, "%.*s must be a function, not a macro",
                            BLY_SHOWN(&scan->tokens[name]));
    if (status == BAILEY_OK && body < end && bly_is(scan, body, "(") && scan->tokens[body].spaces == 0) {
        status = macro_parameters(scan, body);
        bly_word_of(scan, name)->flags |= BLY_WORD_MACRO_CALL;
        body = scan->tokens[body].mate + 1;
    }
    return status == BAILEY_OK ? macro_body(scan, name, body, end, sure) : status;
}

/* What an #if asks for: names of the text alone, so that it cannot ask which compiler this is. */
static bailey_status condition(struct bly_scan *scan, uint32_t k, uint32_t end)
{
    for (uint32_t i = k + 2; i < end; i++) {
        if (scan->tokens[i].kind != BLY_TOKEN_WORD || bly_flags(scan, i) & BLY_WORD_SIZE ||
            bly_is(scan, i, "defined"))
            continue;
        const bailey_status status = check_free(scan, i);
        if (status != BAILEY_OK) return status;
        bly_word_of(scan, i)->flags |= BLY_WORD_OWN;
    }
    return BAILEY_OK;
}

static bailey_status undefine(struct bly_scan *scan, uint32_t k, uint32_t end)
{
    if (end != k + 3) return bly_refuse(scan, scan->tokens[k].line, "#undef takes one name");
    const bailey_status status = check_free(scan, k + 2);
    if (status == BAILEY_OK) {
        struct bly_word *word = bly_word_of(scan, k + 2);
        word->flags = (word->flags & ~(uint32_t)BLY_WORD_NUMBER) | BLY_WORD_MACRO | BLY_WORD_OWN;
    }
    return status;
}

static bailey_status directive(struct bly_scan *scan, uint32_t k, uint32_t *depth)
{
    const uint32_t end = bly_after_directive(scan, k), word = k + 1;
    if (bly_is(scan, word, "define")) return define(scan, k, end, *depth == 0);
    if (bly_is(scan, word, "undef")) return undefine(scan, k, end);
    if (bly_is(scan, word, "error")) return BAILEY_OK;
    if (scan->tokens[word].kind != BLY_TOKEN_WORD)
        return bly_refuse(scan, scan->tokens[k].line, "this # has no word after it");
    if (bly_is(scan, word, "endif")) --*depth;
    if (bly_is(scan, word, "if") || bly_is(scan, word, "ifdef") || bly_is(scan, word, "ifndef")) ++*depth;
    return condition(scan, k, end);
}

bailey_status bly_declare_macros(struct bly_scan *scan)
{
    bailey_status status = BAILEY_OK;
    uint32_t depth = 0;
    for (uint32_t k = 0; k < scan->count && status == BAILEY_OK; k++)
        if (scan->tokens[k].directive == k + 1) status = directive(scan, k, &depth);
    return status;
}

/* An array has a size that every compiler takes for constant. */
static bailey_status check_size(const struct bly_scan *scan, uint32_t name, uint32_t open)
{
    const uint32_t constant =
        BLY_WORD_SIZE | BLY_WORD_MACRO | BLY_WORD_CONSTANT | BLY_WORD_KEYWORD | ANY_TYPE;
    for (uint32_t k = open + 1; k < scan->tokens[open].mate; k++)
        if (scan->tokens[k].kind == BLY_TOKEN_WORD && !(bly_flags(scan, k) & constant))
            return bly_refuse(
                scan, scan->tokens[k].line,
                "the size of %.*s is not constant: it may have numbers, DIMS, STEPS, macros and "
                "constants of an enum",
                BLY_SHOWN(&scan->tokens[name]));
    return BAILEY_OK;
}

static uint32_t skip_pointer(const struct bly_scan *scan, uint32_t k)
{
    while (bly_is(scan, k, "*") || bly_is(scan, k, "const")) k = bly_after(scan, k);
    return k;
}

/* From an initialiser to the comma after it; another token where there is no comma. */
static uint32_t skip_value(const struct bly_scan *scan, uint32_t k)
{
    while (k < scan->count && !bly_is(scan, k, ",") && !bly_is(scan, k, ";") && !bly_is(scan, k, ")") &&
           !bly_is(scan, k, "]") && !bly_is(scan, k, "}") && !(bly_flags(scan, k) & BLY_WORD_TYPE)) {
        if (bly_is(scan, k, "(") || bly_is(scan, k, "[") || bly_is(scan, k, "{")) k = scan->tokens[k].mate;
        k = bly_after(scan, k);
    }
    return k;
}

/* The declarators from token k on, which follows a type. */
static bailey_status declare(struct bly_scan *scan, uint32_t k, uint32_t flags, int member)
{
    for (;;) {
        k = skip_pointer(scan, k);
        if (scan->tokens[k].kind != BLY_TOKEN_WORD) return BAILEY_OK;
        const uint32_t name = k;
        bailey_status status = check_free(scan, k);
        if (status != BAILEY_OK) return status;
        bly_word_of(scan, k)->flags |= member ? BLY_WORD_FIELD : flags;
        scan->tokens[k].member |= (uint8_t)member;
        for (k = bly_after(scan, k); bly_is(scan, k, "["); k = bly_after(scan, scan->tokens[k].mate)) {
            if (flags & BLY_WORD_OWN && !member) bly_word_of(scan, name)->flags |= BLY_WORD_ARRAY;
            status = check_size(scan, name, k);
            if (status != BAILEY_OK) return status;
        }
        if (bly_is(scan, k, "=")) {
            if (flags & BLY_WORD_OWN && !member) bly_word_of(scan, name)->flags |= BLY_WORD_DATA;
            k = skip_value(scan, k);
        }
        if (!bly_is(scan, k, ",")) return BAILEY_OK;
        k = bly_after(scan, k);
        if (bly_is(scan, k, "const") || bly_is(scan, k, "struct") || bly_is(scan, k, "enum") ||
            bly_flags(scan, k) & ANY_TYPE)
            return BAILEY_OK;
    }
}

struct names {
    struct bly_scan *scan;
    uint32_t inner,
        members; /* ends of the outermost bracket, and of the outermost struct, that hold the token */
};

static bailey_status enum_constants(struct names *n, uint32_t open, uint32_t flags)
{
    struct bly_scan *scan = n->scan;
    const uint32_t end = scan->tokens[open].mate;
    bailey_status status = BAILEY_OK;
    for (uint32_t k = bly_after(scan, open); k < end && status == BAILEY_OK; k = bly_after(scan, k)) {
        status = check_free(scan, k);
        if (status != BAILEY_OK) break;
        bly_word_of(scan, k)->flags |= flags | BLY_WORD_CONSTANT;
        for (k = bly_after(scan, k); k < end && !bly_is(scan, k, ","); k = bly_after(scan, k))
            if (bly_is(scan, k, "(")) k = scan->tokens[k].mate;
    }
    return status;
}

/* struct and enum: tag, body, and what is declared after it. */
static bailey_status tagged(struct names *n, uint32_t k, uint32_t flags)
{
    struct bly_scan *scan = n->scan;
    const int enumeration = bly_is(scan, k, "enum"), member = k < n->members;
    bailey_status status = BAILEY_OK;
    k = bly_after(scan, k);
    if (scan->tokens[k].kind == BLY_TOKEN_WORD) {
        status = check_free(scan, k);
        if (status == BAILEY_OK) bly_word_of(scan, k)->flags |= flags;
        k = bly_after(scan, k);
    }
    if (status == BAILEY_OK && bly_is(scan, k, "{")) {
        if (enumeration) status = enum_constants(n, k, flags);
        k = scan->tokens[k].mate;
        if (!enumeration && k > n->members) n->members = k;
        k = bly_after(scan, k);
    }
    return status == BAILEY_OK ? declare(scan, k, flags, member) : status;
}

/* The arguments of a macro that are words: it may be the macro that declares them. */
static void arguments(struct bly_scan *scan, uint32_t open)
{
    const uint32_t end = scan->tokens[open].mate;
    uint32_t before = open;
    for (uint32_t k = bly_after(scan, open); k < end; k = bly_after(scan, k)) {
        const uint32_t after = bly_after(scan, k);
        if (scan->tokens[k].kind == BLY_TOKEN_WORD && !(bly_flags(scan, k) & BLY_WORD_FIXED) &&
            (before == open || bly_is(scan, before, ",")) && (after == end || bly_is(scan, after, ",")))
            bly_word_of(scan, k)->flags |= BLY_WORD_DECLARED;
        if (bly_is(scan, k, "(") || bly_is(scan, k, "[") || bly_is(scan, k, "{")) k = scan->tokens[k].mate;
        before = k;
    }
}

static bailey_status name(struct names *n, uint32_t k, uint32_t before)
{
    struct bly_scan *scan = n->scan;
    const int point = bly_is(scan, before, ".") || bly_is(scan, before, "->");
    const uint32_t flags = BLY_WORD_DECLARED | (k < n->inner || scan->tokens[k].directive ? 0 : BLY_WORD_OWN);
    if (point) scan->tokens[k].member = 1;
    if (point || scan->tokens[k].member) return BAILEY_OK;
    if (bly_is(scan, k, "struct") || bly_is(scan, k, "enum")) return tagged(n, k, flags);
    if (bly_flags(scan, k) & BLY_WORD_MACRO_CALL && bly_is(scan, bly_after(scan, k), "("))
        arguments(scan, bly_after(scan, k));
    if (!(bly_flags(scan, k) & ANY_TYPE)) return BAILEY_OK;
    if (bly_is(scan, bly_after(scan, k), "("))
        return bly_refuse(scan, scan->tokens[k].line, "( after the type %.*s; a conversion is (%.*s)x",
                          BLY_SHOWN(&scan->tokens[k]), BLY_SHOWN(&scan->tokens[k]));
    return declare(scan, bly_after(scan, k), flags, k < n->members);
}

/* Whether k is the name that a #define defines. */
static int is_defined_here(const struct bly_scan *scan, uint32_t k)
{
    return scan->tokens[k].directive && scan->tokens[k].directive + 1 == k;
}

bailey_status bly_declare_names(struct bly_scan *scan)
{
    struct names n = {.scan = scan};
    uint32_t before[2] = {scan->count, scan->count}; /* the token before, outside # lines and in them */
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < scan->count && status == BAILEY_OK; k++) {
        const struct bly_token *token = &scan->tokens[k];
        uint32_t *last = &before[token->directive != 0];
        if (token->dropped) continue;
        if (!token->directive && k > n.inner && (bly_is(scan, k, "(") || bly_is(scan, k, "{")))
            n.inner = token->mate;
        if (bly_is(scan, k, ".") && (bly_is(scan, *last, "{") || bly_is(scan, *last, ",")))
            status = bly_refuse(scan, token->line,
                                "initialisers with names are not offered; write values in order");
        else if (token->kind == BLY_TOKEN_WORD && !is_defined_here(scan, k))
            status = name(&n, k, *last);
        *last = k;
    }
    return status;
}
