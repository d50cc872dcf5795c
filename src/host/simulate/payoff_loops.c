/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which loops of a text are unrolled (BLY_LOOP, kernels/payoff_head.h). Loops within loops multiply, and so
 * do loops in functions that they call, which are inlined: 16 times 16 times 16 copies take a compiler many
 * seconds. So a loop whose copies would have too many tokens is left to the compiler, and with it those
 * around it. One without a condition is too: gcc refuses to unroll it.
 */
#include "payoff_scan.h"

#define MOST_TRIPS 16u    /* that BLY_LOOP unrolls */
#define MOST_TOKENS 8192u /* of all copies of a loop: three nested ones of 16 trips have more, two fewer */
#define MOST_DEPTH 64     /* of statements: beyond, a loop is left to the compiler */

struct weigher {
    struct bly_scan *scan;
    int depth;
};

static uint64_t weigh(struct weigher *w, uint32_t from, uint32_t to);

/* ---- Heads of loops ------------------------------------------------------------------------------ */

static int is_for(const struct bly_scan *scan, uint32_t k) { return bly_is(scan, k, "for"); }

/* The # of a macro that has a loop, plus 1; 0 of other tokens. */
static uint32_t macro_loop(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_word *word = scan->tokens[k].directive ? NULL : bly_word_of(scan, k);
    return word && bly_flags(scan, k) & BLY_WORD_MACRO ? word->loop : 0;
}

/* Whether what begins at k, up to the next ;, is something that no macro can turn into nothing. */
static int has_condition(const struct bly_scan *scan, uint32_t k, uint32_t end)
{
    for (; k < end && !bly_is(scan, k, ";"); k++) {
        const struct bly_token *token = &scan->tokens[k];
        const int may_vanish =
            token->kind == BLY_TOKEN_WORD &&
            (token->directive || bly_flags(scan, k) & (BLY_WORD_MACRO | BLY_WORD_MACRO_CALL));
        if (!may_vanish) return 1;
        if (bly_is(scan, k + 1, "(")) k = scan->tokens[k + 1].mate; /* and the macro's arguments */
    }
    return 0;
}

static uint32_t next_semicolon(const struct bly_scan *scan, uint32_t k, uint32_t end)
{
    while (k < end && !bly_is(scan, k, ";")) k++;
    return k;
}

/* The trips of `for (int k = A; k < B; ...)` with plain numbers or sizes; MOST_TRIPS of any other. */
static uint32_t trips_of(const struct bly_scan *scan, uint32_t open)
{
    const uint32_t end = scan->tokens[open].mate, first = next_semicolon(scan, open, end);
    uint32_t from, to;
    if (first + 4 >= end || !bly_is(scan, first + 4, ";") || !bly_is(scan, first - 2, "=")) return MOST_TRIPS;
    const int closed = bly_is(scan, first + 2, "<=");
    if (!closed && !bly_is(scan, first + 2, "<")) return MOST_TRIPS;
    if (!bly_number_plain(&scan->tokens[first - 1], &from)) return MOST_TRIPS;
    if (!bly_size_read(scan, first + 3, first + 4, &to)) return MOST_TRIPS;
    const uint64_t trips = (uint64_t)to + (uint32_t)closed;
    return trips <= from ? 1 : trips - from < MOST_TRIPS ? (uint32_t)(trips - from) : MOST_TRIPS;
}

/* ---- Statements ---------------------------------------------------------------------------------- */

static int has_head(const struct bly_scan *scan, uint32_t k)
{
    static const char *const words[] = {"for", "if", "while", "switch"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bly_is(scan, k, words[i])) return 1;
    return macro_loop(scan, k) != 0;
}

/* Where the statement that begins at k ends: the token after it. */
static uint32_t after_statement(const struct bly_scan *scan, uint32_t k, uint32_t end)
{
    while (k < end) {
        if (bly_is(scan, k, "{") || bly_is(scan, k, ";")) {
            k = bly_is(scan, k, ";") ? k + 1 : scan->tokens[k].mate + 1;
            if (k >= end || !bly_is(scan, k, "else")) return k;
            k++;
        } else if (has_head(scan, k) && k + 1 < end && bly_is(scan, k + 1, "(")) {
            k = scan->tokens[k + 1].mate + 1;
        } else if (bly_is(scan, k, "(") || bly_is(scan, k, "[")) {
            k = scan->tokens[k].mate + 1;
        } else {
            k++;
        }
    }
    return end;
}

/* ---- Weights ------------------------------------------------------------------------------------- */

/* What the body of a function weighs. There is no recursion. */
static uint64_t weigh_function(struct weigher *w, struct bly_word *word)
{
    if (word->weight) return word->weight;
    word->weight = 1;
    const uint64_t weight = weigh(w, word->body + 1, w->scan->tokens[word->body].mate);
    word->weight = weight < MOST_TOKENS ? (uint32_t)weight + 1 : MOST_TOKENS + 1;
    return word->weight;
}

/* Leaves a loop to the compiler; that of a macro wherever it stands. */
static void leave(struct bly_scan *scan, uint32_t k)
{
    const uint32_t directive = macro_loop(scan, k);
    if (!directive) scan->tokens[k].before = BLY_BEFORE_NOTHING;
    for (uint32_t i = directive; directive && i < scan->count && scan->tokens[i].directive == directive; i++)
        if (is_for(scan, i)) scan->tokens[i].before = BLY_BEFORE_NOTHING;
}

/* The loop whose head is token k: its copies, or itself where they would be too many. *end is after it. */
static uint64_t weigh_loop(struct weigher *w, uint32_t k, uint32_t *end)
{
    struct bly_scan *scan = w->scan;
    const uint32_t open = k + 1, begin = scan->tokens[open].mate + 1;
    *end = after_statement(scan, begin, *end);
    const uint64_t one = weigh(w, open, *end);
    const uint64_t all = one * (is_for(scan, k) ? trips_of(scan, open) : MOST_TRIPS);
    if (all <= MOST_TOKENS && (macro_loop(scan, k) || scan->tokens[k].before == BLY_BEFORE_LOOP)) return all;
    leave(scan, k);
    return one;
}

/* Tokens from .. to - 1 with all copies of loops and what they call, at most about UINT32_MAX each. */
static uint64_t weigh(struct weigher *w, uint32_t from, uint32_t to)
{
    struct bly_scan *scan = w->scan;
    uint64_t weight = 0;
    if (w->depth == MOST_DEPTH) return MOST_TOKENS + 1;
    w->depth++;
    for (uint32_t k = from; k < to;) {
        if (scan->tokens[k].directive) {
            k++;
            continue;
        }
        struct bly_word *word = scan->tokens[k].member ? NULL : bly_word_of(scan, k);
        uint32_t end = to;
        if ((is_for(scan, k) || macro_loop(scan, k)) && k + 1 < to && bly_is(scan, k + 1, "(")) {
            weight += weigh_loop(w, k, &end);
            k = end;
        } else {
            weight += word && word->body ? weigh_function(w, word) : 1;
            k++;
        }
        if (weight > UINT32_MAX) weight = UINT32_MAX;
    }
    w->depth--;
    return weight;
}

/* ---- All loops ----------------------------------------------------------------------------------- */

/* Marks all that can be unrolled, and the macros that have any. */
static void mark(struct bly_scan *scan)
{
    for (uint32_t k = 0; k < scan->count; k++) {
        const uint32_t directive = scan->tokens[k].directive;
        if (!is_for(scan, k) || !bly_is(scan, k + 1, "(")) continue;
        const uint32_t end = scan->tokens[k + 1].mate, first = next_semicolon(scan, k + 1, end);
        if (has_condition(scan, first + 1, end)) scan->tokens[k].before = BLY_BEFORE_LOOP;
        struct bly_word *macro = directive ? bly_word_of(scan, directive + 1) : NULL; /* # define NAME */
        if (macro) macro->loop = directive;
    }
}

void bly_loops_choose(struct bly_scan *scan)
{
    struct weigher w = {.scan = scan};
    mark(scan);
    for (uint32_t i = 0; i < scan->word_count; i++)
        if (scan->words[i].body) weigh_function(&w, &scan->words[i]);
}
