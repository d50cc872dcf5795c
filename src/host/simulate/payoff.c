/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads a payoff's text: its interface, what it may use, and the text that compilers get.
 */
#include "payoff_scan.h"

#include <bailey/mlmc.h>

#include <base/alloc.h>
#include <base/status.h>
#include <base/text.h>

#include <string.h>

#define MOST_PARAMS_BYTES (1u << 20)
#define MOST_STATE_BYTES (1u << 16)
#define MOST_CALLS 200u /* of functions by each other */

#define OFFERED "exp, log, sqrt, pow, fabs, fmin, fmax, floor, ceil, fma, normal_cdf and functions of its own"

static bailey_status check_reserved(const struct bly_scan *scan)
{
    for (uint32_t k = 0; k < scan->count; k++)
        if (bly_flags(scan, k) & BLY_WORD_REFUSED)
            return bly_refuse(scan, scan->tokens[k].line, "%.*s %s", BLY_SHOWN(&scan->tokens[k]),
                              bly_word_of(scan, k)->advice);
    return BAILEY_OK;
}

/* The word of token k with a bracket after it. */
static bailey_status check_call(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_token *token = &scan->tokens[k];
    if (bly_flags(scan, k) &
        (BLY_WORD_FUNCTION | BLY_WORD_MACRO_CALL | BLY_WORD_LIBRARY | BLY_WORD_KEYWORD | BLY_WORD_TYPE))
        return BAILEY_OK;
    return bly_refuse(scan, token->line, "%.*s is not offered; a payoff may call " OFFERED, BLY_SHOWN(token));
}

static int is_in_condition(const struct bly_scan *scan, uint32_t k)
{
    const uint32_t directive = scan->tokens[k].directive;
    return directive && !bly_is(scan, directive, "define") && !bly_is(scan, directive, "undef");
}

/* Words that are not free, and where they may stand. */
static bailey_status check_fixed(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_token *token = &scan->tokens[k];
    if (scan->levels && bly_is(scan, k, "STEPS"))
        return bly_refuse(scan, token->line,
                          "STEPS is not known to a text of levels, which serves all of them");
    if (scan->motion && bly_is(scan, k, "STEPS"))
        return bly_refuse(scan, token->line, "STEPS is not known where a path has 2^LEVELS ticks");
    if (bly_is(scan, k, "static") || bly_is(scan, k, "inline"))
        return bly_refuse(scan, token->line, "%.*s is for declarations outside functions", BLY_SHOWN(token));
    if (bly_is(scan, k, "defined") && !is_in_condition(scan, k))
        return bly_refuse(scan, token->line, "defined is for #if");
    return BAILEY_OK;
}

/* Whether the address of a token is taken: not so in a & b. `before` are the two tokens before it. */
static int is_address(const struct bly_scan *scan, const uint32_t before[2])
{
    const enum bly_token_kind kind = (enum bly_token_kind)scan->tokens[before[1]].kind;
    if (!bly_is(scan, before[0], "&")) return 0;
    return bly_is(scan, before[1], "return") ||
           (kind != BLY_TOKEN_WORD && kind != BLY_TOKEN_NUMBER && !bly_is(scan, before[1], ")") &&
            !bly_is(scan, before[1], "]"));
}

/* At the end of a macro one cannot know. */
static int is_indexed(const struct bly_scan *scan, uint32_t k)
{
    const uint32_t after = bly_after(scan, k);
    return bly_is(scan, after, "[") || (scan->tokens[k].directive && after == scan->count);
}

/* Constants outside functions, and params, are in memories of their own in OpenCL: pointers to them are of
 * other types. */
static bailey_status check_constant(const struct bly_scan *scan, uint32_t k, const uint32_t before[2])
{
    const struct bly_token *token = &scan->tokens[k];
    const uint32_t flags = bly_flags(scan, k);
    if (token->member && flags & BLY_WORD_PARAMS_ARRAY && !is_indexed(scan, k))
        return bly_refuse(scan, token->line,
                          "%.*s is an array of params: it can be indexed, and nothing else",
                          BLY_SHOWN(token));
    if (token->member || !(flags & (BLY_WORD_DATA | BLY_WORD_ARRAY))) return BAILEY_OK;
    if (flags & BLY_WORD_ARRAY && !is_indexed(scan, k))
        return bly_refuse(scan, token->line,
                          "%.*s is an array outside functions: it can be indexed, and nothing else",
                          BLY_SHOWN(token));
    if (is_address(scan, before))
        return bly_refuse(scan, token->line, "%.*s is a constant outside functions: it has no address",
                          BLY_SHOWN(token));
    return BAILEY_OK;
}

static bailey_status check_word(const struct bly_scan *scan, uint32_t k, struct bly_payoff *out)
{
    const struct bly_token *token = &scan->tokens[k];
    const uint32_t flags = bly_flags(scan, k);
    const int called = bly_is(scan, bly_after(scan, k), "(");
    /* After a #: define and its like, and what is defined. */
    if (token->directive && (k == token->directive || k == token->directive + 1) && !is_in_condition(scan, k))
        return BAILEY_OK;
    if (is_in_condition(scan, k) && (k == token->directive || !called)) return BAILEY_OK;
    if (token->member && !(flags & BLY_WORD_MACRO))
        return called ? bly_refuse(scan, token->line, "the member %.*s is called", BLY_SHOWN(token))
                      : BAILEY_OK;
    if (flags & (BLY_WORD_LIBRARY | BLY_WORD_FUNCTION) && !called)
        return bly_refuse(scan, token->line, "%.*s is a function: it can be called, and nothing else",
                          BLY_SHOWN(token));
    if (flags & BLY_WORD_FUNCTION && !bly_word_of(scan, k)->body)
        return bly_refuse(scan, token->line, "the function %.*s has no body", BLY_SHOWN(token));
    if (called && bly_is(scan, k, "sqrt")) out->has_root = 1;
    if (flags & BLY_WORD_FIXED) {
        const bailey_status status = check_fixed(scan, k);
        return status == BAILEY_OK && called ? check_call(scan, k) : status;
    }
    if (called) return check_call(scan, k);
    /* A member's name may be the argument of a macro. */
    if (!(flags & (BLY_WORD_DECLARED | BLY_WORD_FIELD)) && bly_is(scan, k, "LEVELS"))
        return bly_refuse(scan, token->line,
                          "LEVELS is not declared: only paths that are motions have levels");
    if (!(flags & (BLY_WORD_DECLARED | BLY_WORD_FIELD)))
        return bly_refuse(scan, token->line, "%.*s is not declared", BLY_SHOWN(token));
    return BAILEY_OK;
}

static bailey_status check_uses(struct bly_scan *scan, struct bly_payoff *out)
{
    bailey_status status = BAILEY_OK;
    uint32_t before[2] = {scan->count, scan->count};
    for (uint32_t k = 0; k < scan->count && status == BAILEY_OK; k++) {
        struct bly_token *token = &scan->tokens[k];
        if (token->dropped) continue;
        if (bly_is(scan, k, "/") || bly_is(scan, k, "/=")) out->has_root = 1;
        if (token->kind == BLY_TOKEN_NUMBER) status = bly_number_check(scan, token);
        if (token->kind == BLY_TOKEN_WORD) status = check_word(scan, k, out);
        if (status == BAILEY_OK) status = check_constant(scan, k, before);
        before[1] = before[0];
        before[0] = k;
    }
    return status;
}

/* OpenCL has no recursion. Depth first; `visit` is 1 while a function is under way and 2 afterwards. */
static bailey_status check_recursion(struct bly_scan *scan, struct bly_word *word, uint32_t depth)
{
    word->visit = 1;
    for (uint32_t k = word->body; k < scan->tokens[word->body].mate; k++) {
        struct bly_word *called = bly_word_of(scan, k);
        if (!called || !called->body || scan->tokens[k].member || called->visit == 2) continue;
        if (called->visit == 1 || depth == MOST_CALLS)
            return bly_refuse(scan, scan->tokens[k].line,
                              depth == MOST_CALLS ? "%.*s: functions call each other too deeply"
                                                  : "%.*s calls itself: recursion is not offered",
                              BLY_SHOWN(&scan->tokens[k]));
        const bailey_status status = check_recursion(scan, called, depth + 1);
        if (status != BAILEY_OK) return status;
    }
    word->visit = 2;
    return BAILEY_OK;
}

static bailey_status check_recursions(struct bly_scan *scan)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < scan->word_count && status == BAILEY_OK; i++)
        if (scan->words[i].body && !scan->words[i].visit) status = check_recursion(scan, &scan->words[i], 0);
    return status;
}

/* The parameters of the function whose ( is token `open`; *last is where the last one begins. */
static uint32_t count_parameters(const struct bly_scan *scan, uint32_t open, uint32_t *last)
{
    const uint32_t end = scan->tokens[open].mate;
    uint32_t count = 1;
    *last = bly_after(scan, open);
    if (*last == end || (bly_is(scan, *last, "void") && bly_after(scan, *last) == end)) return 0;
    for (uint32_t k = *last; k < end; k = bly_after(scan, k)) {
        if (bly_is(scan, k, "(") || bly_is(scan, k, "[") || bly_is(scan, k, "{")) k = scan->tokens[k].mate;
        if (!bly_is(scan, k, ",")) continue;
        *last = bly_after(scan, k);
        count++;
    }
    return count;
}

static bailey_status check_parameters(const struct bly_scan *scan, uint32_t open, uint32_t wanted,
                                      const char *as)
{
    uint32_t last;
    if (!open || count_parameters(scan, open, &last) == wanted) return BAILEY_OK;
    return bly_refuse(scan, scan->tokens[open].line, "write %s", as);
}

/* The outputs: the size of the last parameter, of finish or whole; [] and * are 1. */
static bailey_status read_outputs(const struct bly_scan *scan, uint32_t open, uint32_t *outputs)
{
    uint32_t k;
    const uint32_t line = scan->tokens[open].line, end = scan->tokens[open].mate;
    int pointer = 0;
    count_parameters(scan, open, &k);
    for (; k < end && !bly_is(scan, k, "["); k = bly_after(scan, k)) pointer |= bly_is(scan, k, "*");
    *outputs = 1;
    if (k == end)
        return pointer ? BAILEY_OK
                       : bly_refuse(scan, line, "the last parameter must be real out[], or out[2]");
    const uint32_t close = scan->tokens[k].mate, size = bly_after(scan, k);
    if (size != close &&
        (!bly_size_read(scan, size, close, outputs) || *outputs > BAILEY_SIMULATION_MAX_OUTPUTS))
        return bly_refuse(scan, line, "the number of outputs is not in 1 .. %u",
                          BAILEY_SIMULATION_MAX_OUTPUTS);
    return BAILEY_OK;
}

static bailey_status check_presence(const struct bly_scan *scan, const struct bly_file *file)
{
    const uint32_t end = scan->tokens[scan->count].line;
    if (scan->motion && !file->whole)
        return bly_refuse(scan, end,
                          "no function whole, in which a path that is a motion is asked for its ticks");
    if (file->whole && (file->start || file->step || file->finish))
        return bly_refuse(scan, scan->tokens[file->whole].line,
                          "whole stands in place of start, step and finish, not beside them");
    if (file->whole && file->state)
        return bly_refuse(scan, scan->tokens[file->state].line, "whole has no state; use local variables");
    if (file->whole) return BAILEY_OK;
    if (!file->step && !file->finish)
        return bly_refuse(scan, end, "no function step and no function finish, nor whole in their place");
    if (!file->step || !file->finish)
        return bly_refuse(scan, end, "no function %s", file->step ? "finish" : "step");
    if (!file->start && file->state) return bly_refuse(scan, end, "no function start, which sets the state");
    return BAILEY_OK;
}

static int is_word(const struct bly_word *word, const char *name)
{
    return word->length == strlen(name) && memcmp(word->text, name, word->length) == 0;
}

static bailey_status check_levels_presence(const struct bly_scan *scan, const struct bly_file *file)
{
    const uint32_t end = scan->tokens[scan->count].line;
    if (file->whole)
        return bly_refuse(scan, scan->tokens[file->whole].line,
                          "a text of levels has step and pair, not whole");
    if (!file->step || !file->pair || !file->finish)
        return bly_refuse(scan, end, "no function %s",
                          !file->step   ? "step"
                          : !file->pair ? "pair"
                                        : "finish");
    if (!file->start && file->state) return bly_refuse(scan, end, "no function start, which sets the state");
    return BAILEY_OK;
}

/* The line that a word first stands in; 1 without. */
static uint32_t line_of(const struct bly_scan *scan, const char *name)
{
    for (uint32_t k = 0; k < scan->count; k++)
        if (bly_is(scan, k, name)) return scan->tokens[k].line;
    return 1;
}

/* How many numbers a step takes, by a macro of that name; 0 without. */
static bailey_status read_number(struct bly_scan *scan, const char *name, uint32_t *value)
{
    *value = 0;
    for (uint32_t i = 0; i < scan->word_count; i++) {
        const struct bly_word *word = &scan->words[i];
        if (!is_word(word, name) || !(word->flags & BLY_WORD_DECLARED)) continue;
        if (!(word->flags & BLY_WORD_NUMBER) || word->value > BAILEY_MLMC_MAX_NUMBERS)
            return bly_refuse(scan, line_of(scan, name),
                              "write #define %s and a number up to %u, once and not within an #if", name,
                              BAILEY_MLMC_MAX_NUMBERS);
        *value = word->value;
    }
    return BAILEY_OK;
}

static bailey_status read_numbers(struct bly_scan *scan, struct bly_payoff *out)
{
    bailey_status status = read_number(scan, "NORMALS", &out->normals);
    if (status == BAILEY_OK) status = read_number(scan, "UNIFORMS", &out->uniforms);
    if (status != BAILEY_OK || scan->dims + out->normals + out->uniforms <= BAILEY_MLMC_MAX_NUMBERS)
        return status;
    return bly_refuse(scan, line_of(scan, out->uniforms ? "UNIFORMS" : "NORMALS"),
                      "a step takes %u + %u + %u numbers (DIMS, NORMALS, UNIFORMS); at most %u", scan->dims,
                      out->normals, out->uniforms, BAILEY_MLMC_MAX_NUMBERS);
}

static bailey_status check_levels(struct bly_scan *scan, const struct bly_file *file, struct bly_payoff *out)
{
    bailey_status status = check_levels_presence(scan, file);
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->start, 3, "void start(state *s, const params *p, int level)");
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->step, 5,
                                  "void step(state *s, const params *p, real t, real h, const noise *n)");
    if (status == BAILEY_OK)
        status = check_parameters(
            scan, file->pair, 6,
            "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)");
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->finish, 4,
                                  "void finish(const state *s, const params *p, real t, real out[2])");
    if (status == BAILEY_OK) status = read_outputs(scan, file->finish, &out->outputs);
    if (status == BAILEY_OK && out->outputs > 2)
        status =
            bly_refuse(scan, scan->tokens[file->finish].line,
                       "finish has %u outputs, not two: the fine payoff and the coarse one", out->outputs);
    out->outputs = 2;
    return status == BAILEY_OK ? read_numbers(scan, out) : status;
}

/* at() moves along a motion, which therefore cannot be const. */
static bailey_status check_path(const struct bly_scan *scan)
{
    for (uint32_t k = 0; k < scan->count && scan->motion; k++)
        if (bly_is(scan, k, "const") && bly_is(scan, bly_after(scan, k), "path"))
            return bly_refuse(scan, scan->tokens[k].line,
                              "write path without const: at() moves along a motion");
    return BAILEY_OK;
}

static bailey_status check_interface(struct bly_scan *scan, const struct bly_file *file,
                                     struct bly_payoff *out)
{
    if (scan->levels) return check_levels(scan, file, out);
    bailey_status status = check_presence(scan, file);
    if (status == BAILEY_OK) status = check_path(scan);
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->start, 2, "void start(state *s, const params *p)");
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->step, 5,
                                  "void step(state *s, const params *p, int i, real t, const real x[])");
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->finish, 3,
                                  "void finish(const state *s, const params *p, real out[])");
    if (status == BAILEY_OK)
        status = check_parameters(scan, file->whole, 3, "void whole(const params *p, path x, real out[])");
    out->whole = file->whole != 0;
    return status == BAILEY_OK ? read_outputs(scan, file->whole ? file->whole : file->finish, &out->outputs)
                               : status;
}

static bailey_status read_fields(struct bly_scan *scan, const struct bly_file *file, struct bly_payoff *out)
{
    bailey_status status = BAILEY_OK;
    if (file->params) status = bly_fields_read(scan, file->params, "params", &out->params, &out->param_count);
    if (status == BAILEY_OK && file->state)
        status = bly_fields_read(scan, file->state, "state", &out->states, &out->state_count);
    if (status != BAILEY_OK) return status;
    const uint64_t params = bly_fields_place(out->params, out->param_count, scan->precision),
                   state = bly_fields_place(out->states, out->state_count, scan->precision);
    if (params > MOST_PARAMS_BYTES)
        return bly_refuse(scan, scan->tokens[file->params].line, "params has %llu bytes; at most %u",
                          (unsigned long long)params, MOST_PARAMS_BYTES);
    if (state > MOST_STATE_BYTES)
        return bly_refuse(scan, scan->tokens[file->state].line, "state has %llu bytes; at most %u",
                          (unsigned long long)state, MOST_STATE_BYTES);
    out->params_bytes = params ? (uint32_t)(params + 7) / 8 * 8 : 8;
    return BAILEY_OK;
}

static const char *prefix_of(const struct bly_scan *scan, uint32_t k)
{
    const struct bly_token *token = &scan->tokens[k];
    const uint32_t flags = bly_flags(scan, k);
    if (token->directive && k == token->directive) return "";
    if (token->member) return flags & BLY_WORD_MACRO && !(flags & BLY_WORD_FIELD) ? "bly_own_" : "";
    return flags & BLY_WORD_LIBRARY ? "bly_payoff_" : flags & BLY_WORD_OWN ? "bly_own_" : "";
}

/* The words of an #error, as a string: compilers differ in what else they take. */
static void write_message(struct bly_text *text, const struct bly_token *token)
{
    bly_text_add(text, " \"");
    for (uint32_t i = 0; i < token->length; i++) {
        const unsigned char c = (unsigned char)token->text[i];
        bly_text_add(text, "%c", c == '"' || c == '\\' || c == '?' || c < ' ' || c >= 127 ? ' ' : c);
    }
    bly_text_add(text, "\"");
}

static void write_token(struct bly_text *text, const struct bly_scan *scan, uint32_t k)
{
    static const char *const before[] = {"", "BAILEY_FN ", "BAILEY_CONSTANT ", "BLY_LOOP "};
    const struct bly_token *token = &scan->tokens[k];
    if (token->kind == BLY_TOKEN_MESSAGE) {
        write_message(text, token);
        return;
    }
    bly_text_add(text, "%*s%s%s%.*s%s", (int)token->spaces, "", before[token->before], prefix_of(scan, k),
                 BLY_SHOWN(token), token->real && scan->precision == BAILEY_PRECISION_F32 ? "f" : "");
}

/* A payoff without state needs no start; the program calls one. */
static void write_start(const struct bly_scan *scan, struct bly_text *text)
{
    bly_text_add(text, "BAILEY_FN void bly_own_start(state *s, const params *p%s (void)s, (void)p; }\n",
                 scan->levels ? ", int level) { (void)level," : ") {");
}

static bailey_status write_text(const struct bly_scan *scan, const struct bly_file *file,
                                struct bly_payoff *out)
{
    struct bly_text text = {0};
    uint32_t line = 1;
    bly_text_add(&text, "#line 1 \"%s\"\n", scan->name);
    for (uint32_t k = 0; k <= scan->count && !text.failed; k++) {
        const struct bly_token *token = &scan->tokens[k];
        if (token->dropped) continue;
        const int goes_on = token->directive && token->directive != k + 1;
        for (; line < token->line; line++) bly_text_add(&text, goes_on ? " \\\n" : "\n");
        if (k < scan->count) write_token(&text, scan, k);
    }
    bly_text_add(&text, "\n");
    if (!file->whole && !file->start) write_start(scan, &text);
    out->text = text.data;
    return text.failed ? bly_fail(BAILEY_ERROR_MEMORY, "no memory for a payoff's text") : BAILEY_OK;
}

static void set_name(struct bly_scan *scan, const char *name)
{
    size_t i = 0;
    if (!name || !*name) name = scan->levels ? "levels.c" : "payoff.c";
    for (; name[i] && i < sizeof scan->name - 1; i++) {
        const unsigned char c = (unsigned char)name[i];
        scan->name[i] = c < ' ' || c == 127 || c == '"' || c == '\\' ? '_' : name[i];
    }
    scan->name[i] = 0;
}

/* `at` and `time` are functions of a text that has `whole`, `noise` is a type of a text of levels, LEVELS
 * belongs to motions; they are free names elsewhere. */
static void free_names(struct bly_scan *scan)
{
    for (uint32_t i = 0; i < scan->word_count && !scan->motion; i++)
        if (is_word(&scan->words[i], "LEVELS")) scan->words[i].flags &= ~(uint32_t)BLY_WORD_SIZE;
    for (uint32_t i = 0; i < scan->word_count && !scan->levels; i++)
        if (is_word(&scan->words[i], "noise")) scan->words[i].flags &= ~(uint32_t)BLY_WORD_TYPE;
    for (uint32_t i = 0; i < scan->word_count; i++)
        if (is_word(&scan->words[i], "whole")) return;
    for (uint32_t i = 0; i < scan->word_count; i++)
        if (is_word(&scan->words[i], "at") || is_word(&scan->words[i], "time"))
            scan->words[i].flags &= ~(uint32_t)BLY_WORD_LIBRARY;
}

static bailey_status read_text(struct bly_scan *scan, const char *text, struct bly_payoff *out)
{
    struct bly_file file = {0};
    bailey_status status = bly_scan_text(scan, text);
    if (status == BAILEY_OK) status = check_reserved(scan);
    if (status == BAILEY_OK) free_names(scan);
    if (status == BAILEY_OK) status = bly_declare_macros(scan);
    if (status == BAILEY_OK) status = bly_payoff_parts(scan, &file);
    if (status == BAILEY_OK) status = read_fields(scan, &file, out);
    if (status == BAILEY_OK) status = bly_declare_names(scan);
    if (status == BAILEY_OK) status = check_uses(scan, out);
    if (status == BAILEY_OK) status = check_interface(scan, &file, out);
    if (status == BAILEY_OK) status = check_recursions(scan);
    if (status == BAILEY_OK) bly_loops_choose(scan);
    return status == BAILEY_OK ? write_text(scan, &file, out) : status;
}

static bailey_status read(struct bly_scan *scan, const char *name, const char *text, struct bly_payoff *out)
{
    set_name(scan, name);
    memcpy(out->name, scan->name, sizeof out->name);
    const bailey_status status = read_text(scan, text, out);
    bly_scan_free(scan);
    return status;
}

bailey_status bly_levels_read(const bailey_payoff *payoff, bailey_precision precision, uint32_t dims,
                              struct bly_payoff *out)
{
    struct bly_scan scan = {.levels = 1, .steps = 1, .dims = dims, .precision = precision};
    memset(out, 0, sizeof *out);
    return read(&scan, payoff->name, payoff->text, out);
}

bailey_status bly_payoff_read(const bailey_payoff *payoff, const struct bly_payoff_path *path,
                              struct bly_payoff *out)
{
    const char *text = payoff->text;
    memset(out, 0, sizeof *out);
    if (!text && !payoff->name)
        return bly_fail_argument("payoff", "payoff has neither a text nor the name of a built-in");
    if (!text) text = bly_payoff_builtin_text(payoff->name);
    if (!text) return bly_fail_argument("payoff", "payoff \"%s\" is not a built-in", payoff->name);
    struct bly_scan scan = {
        .steps = path->steps, .dims = path->dims, .motion = path->levels, .precision = path->precision};
    return read(&scan, payoff->name, text, out);
}

void bly_payoff_free(struct bly_payoff *payoff)
{
    bly_free(payoff->params);
    bly_free(payoff->states);
    bly_free(payoff->text);
    bly_free(payoff->sites);
    memset(payoff, 0, sizeof *payoff);
}
