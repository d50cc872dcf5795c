/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The # lines of code, and what is left of it when they are followed.
 */
#include "tokens.h"

#include <bailey/mlmc.h>

#include <base/alloc.h>

#include <stdio.h>
#include <string.h>

/* For the # lines from an #if to its #endif. */
struct group {
    const struct bly_token *hash; /* of the #if */
    bool outer;                   /* what is around it is read */
    bool taken;                   /* one of its parts has been read, or is */
    bool past_else;
};

struct reader {
    struct bly_expander e;
    struct bly_unit *unit;
    struct bly_list out;
    struct group groups[BLY_MOST_DEPTH];
    uint32_t group_count;
    bool active;                    /* what stands here is read */
    const struct bly_token *random; /* the last #define of NORMALS or UNIFORMS */
};

/* A # line: its #, and what stands behind its word. */
struct line {
    const struct bly_token *hash, *tokens;
    uint32_t count;
};

static const char *const keywords[] = {"if",      "else",   "for",      "while",  "do",      "switch", "case",
                                       "default", "break",  "continue", "return", "sizeof",  "struct", "enum",
                                       "typedef", "const",  "static",   "inline", "defined", "real",   "int",
                                       "int32",   "uint32", "int64",    "uint64", "params",  "state",  "path",
                                       "void",    "DIMS",   "STEPS",    NULL};

static bool is_among(const struct bly_token *token, const char *const *list)
{
    for (; *list; list++)
        if (bly_token_is(token, *list)) return true;
    return false;
}

/* Names that the language gives a meaning in some code only. */
static bool means_something(const struct reader *r, const struct bly_token *token)
{
    if (bly_token_is(token, "LEVELS")) return r->unit->kind == BLY_UNIT_MOTION;
    if (bly_token_is(token, "noise")) return r->unit->kind == BLY_UNIT_LEVELS;
    if (bly_token_is(token, "at") || bly_token_is(token, "time")) return bly_name_find(r->unit, "whole") != 0;
    return is_among(token, keywords) || bly_library_find(token->text, token->length) != NULL;
}

static bailey_status check_name(const struct reader *r, const struct bly_token *token)
{
    if (token->kind != BLY_TOKEN_NAME)
        return bly_refuse_at(r->unit, token->place, "%.*s found instead of a name", BLY_SHOWN(token));
    if (means_something(r, token))
        return bly_refuse_at(r->unit, token->place, "%.*s is predefined and cannot be a macro",
                             BLY_SHOWN(token));
    return BAILEY_OK;
}

/* Code cannot ask which compiler reads it: it is the same for all. */
static bailey_status check_question(const struct reader *r, const struct line *line)
{
    for (uint32_t k = 0; k < line->count; k++)
        if (line->tokens[k].kind == BLY_TOKEN_NAME && line->tokens[k].length > 1 &&
            line->tokens[k].text[0] == '_' && line->tokens[k].text[1] == '_')
            return bly_refuse_at(r->unit, line->tokens[k].place,
                                 "%.*s is a compiler macro, but code must read the same for all devices",
                                 BLY_SHOWN(&line->tokens[k]));
    return BAILEY_OK;
}

/* ---- #define ------------------------------------------------------------------------------------- */

static bool is_of_interface(const struct reader *r, const struct bly_token *token)
{
    static const char *const names[] = {"start", "step", "finish", "whole", NULL};
    return is_among(token, names) || (r->unit->kind == BLY_UNIT_LEVELS && bly_token_is(token, "pair"));
}

static bailey_status check_parameter(const struct reader *r, const uint32_t *before, uint32_t count,
                                     const struct bly_token *token)
{
    const bailey_status status = check_name(r, token);
    if (status != BAILEY_OK) return status;
    if (count == BLY_MOST_ARGUMENTS)
        return bly_refuse_at(r->unit, token->place, "a macro with more than %u parameters",
                             BLY_MOST_ARGUMENTS);
    for (uint32_t i = 0; i < count; i++)
        if (before[i] == token->name)
            return bly_refuse_at(r->unit, token->place, "a second parameter %.*s", BLY_SHOWN(token));
    return BAILEY_OK;
}

/* The parameters, from the bracket at *k to what stands behind theirs. */
static bailey_status read_parameters(struct reader *r, const struct line *line, uint32_t *k,
                                     struct bly_macro *macro)
{
    uint32_t numbers[BLY_MOST_ARGUMENTS], count = 0;
    const struct bly_token *open = &line->tokens[(*k)++];
    bool closed = *k < line->count && bly_token_is(&line->tokens[*k], ")");
    for (*k += closed; *k < line->count && !closed; *k += 2) {
        const bailey_status status = check_parameter(r, numbers, count, &line->tokens[*k]);
        if (status != BAILEY_OK) return status;
        numbers[count++] = line->tokens[*k].name;
        if (*k + 1 == line->count) break;
        closed = bly_token_is(&line->tokens[*k + 1], ")");
        if (!closed && !bly_token_is(&line->tokens[*k + 1], ","))
            return bly_refuse_at(r->unit, line->tokens[*k + 1].place,
                                 "a macro's parameters are names separated by commas");
    }
    if (!closed) return bly_refuse_at(r->unit, open->place, "this ( is not closed");
    uint32_t *parameters = bly_arena_take(&r->unit->arena, (count + 1) * sizeof *parameters);
    if (!parameters) return bly_no_memory(r->unit);
    memcpy(parameters, numbers, count * sizeof *parameters);
    macro->has_parameters = true;
    macro->parameters = parameters;
    macro->parameter_count = count;
    return BAILEY_OK;
}

static bailey_status read_body(struct reader *r, const struct bly_token *tokens, uint32_t count,
                               struct bly_macro *macro)
{
    struct bly_token *body = bly_arena_take(&r->unit->arena, (count + 1) * sizeof *body);
    if (!body) return bly_no_memory(r->unit);
    for (uint32_t k = 0; k < count; k++) {
        if (*tokens[k].text == '#')
            return bly_refuse_at(r->unit, tokens[k].place, "# and ## in a macro are not supported");
        body[k] = tokens[k];
        for (uint32_t i = 0; i < macro->parameter_count && tokens[k].name; i++)
            if (macro->parameters[i] == tokens[k].name) body[k].hidden = i + 1;
    }
    macro->body = body;
    macro->length = count;
    return BAILEY_OK;
}

static bool is_same(const struct bly_macro *a, const struct bly_macro *b)
{
    if (a->length != b->length || a->parameter_count != b->parameter_count ||
        a->has_parameters != b->has_parameters)
        return false;
    for (uint32_t i = 0; i < a->parameter_count; i++)
        if (a->parameters[i] != b->parameters[i]) return false;
    for (uint32_t k = 0; k < a->length; k++)
        if (a->body[k].length != b->body[k].length ||
            memcmp(a->body[k].text, b->body[k].text, a->body[k].length) != 0)
            return false;
    return true;
}

/* How many numbers a step of levels takes besides the Brownian motion. The body becomes the plain number, as
 * its parts may become something else. */
static bailey_status read_random(struct reader *r, const struct line *line, struct bly_macro *macro)
{
    const struct bly_token *name = line->tokens;
    uint32_t *number = bly_token_is(name, "NORMALS") ? &r->unit->normals : &r->unit->uniforms;
    int64_t value = -1;
    bailey_status status = BAILEY_OK;
    if (macro->length && !macro->has_parameters)
        status = bly_condition(&r->e, macro->body, macro->length, &value);
    if (status != BAILEY_OK) return status;
    if (value < 0 || value > BAILEY_MLMC_MAX_NUMBERS)
        return bly_refuse_at(r->unit, name->place, "write #define %.*s and a number up to %u",
                             BLY_SHOWN(name), BAILEY_MLMC_MAX_NUMBERS);
    char text[16];
    const int length = snprintf(text, sizeof text, "%d", (int)value);
    struct bly_token *body = bly_arena_take(&r->unit->arena, sizeof *body);
    const char *digits = bly_arena_text(&r->unit->arena, text, (size_t)length);
    if (!body || !digits) return bly_no_memory(r->unit);
    *body = (struct bly_token){.text = digits,
                               .length = (uint32_t)length,
                               .kind = BLY_TOKEN_NUMBER,
                               .place = name->place,
                               .spaced = 1};
    macro->body = body;
    macro->length = 1;
    *number = (uint32_t)value;
    r->random = name;
    return BAILEY_OK;
}

static bool is_random(const struct reader *r, const struct bly_token *name)
{
    return r->unit->kind == BLY_UNIT_LEVELS &&
           (bly_token_is(name, "NORMALS") || bly_token_is(name, "UNIFORMS"));
}

static bailey_status check_again(const struct reader *r, const struct bly_token *name,
                                 const struct bly_macro *macro)
{
    const struct bly_macro *before = r->e.macros[name->name];
    if (!before || is_same(before, macro)) return BAILEY_OK;
    return bly_refuse_at(r->unit, name->place, "line %u defines %s differently; write #undef %s in between",
                         (unsigned)before->place.line, macro->name, macro->name);
}

static bailey_status define(struct reader *r, const struct line *line)
{
    if (line->count == 0) return bly_refuse_at(r->unit, line->hash->place, "this #define has no name");
    const struct bly_token *name = line->tokens;
    bailey_status status = check_name(r, name);
    if (status == BAILEY_OK && is_of_interface(r, name))
        status = bly_refuse_at(r->unit, name->place, "%.*s must be a function, not a macro", BLY_SHOWN(name));
    if (status != BAILEY_OK) return status;
    struct bly_macro *macro = bly_arena_take(&r->unit->arena, sizeof *macro);
    if (!macro) return bly_no_memory(r->unit);
    macro->name = r->unit->names[name->name];
    macro->place = name->place;
    uint32_t k = 1;
    if (k < line->count && !name[1].spaced && bly_token_is(&name[1], "("))
        status = read_parameters(r, line, &k, macro);
    if (status == BAILEY_OK) status = read_body(r, line->tokens + k, line->count - k, macro);
    if (status == BAILEY_OK && is_random(r, name)) status = read_random(r, line, macro);
    if (status == BAILEY_OK) status = check_again(r, name, macro);
    if (status == BAILEY_OK) r->e.macros[name->name] = macro;
    return status;
}

static bailey_status undefine(struct reader *r, const struct line *line)
{
    if (line->count != 1) return bly_refuse_at(r->unit, line->hash->place, "#undef takes one name");
    const bailey_status status = check_name(r, line->tokens);
    if (status != BAILEY_OK) return status;
    if (is_random(r, line->tokens))
        return bly_refuse_at(r->unit, line->tokens->place,
                             "%.*s applies to all of the code and stays defined", BLY_SHOWN(line->tokens));
    r->e.macros[line->tokens->name] = NULL;
    return BAILEY_OK;
}

static bailey_status refuse_by_code(struct reader *r, const struct line *line)
{
    char text[512];
    const struct bly_token *message = line->count ? line->tokens : NULL;
    bly_safe_text(message ? message->text : "", message ? message->length : 0, " ?", text, sizeof text);
    return bly_refuse_at(r->unit, line->hash->place, "#error %s", text);
}

/* ---- #if ----------------------------------------------------------------------------------------- */

static bailey_status begin_group(struct reader *r, const struct line *line, bool taken)
{
    if (r->group_count == BLY_MOST_DEPTH)
        return bly_refuse_at(r->unit, line->hash->place, "more than %u nested #if", BLY_MOST_DEPTH);
    r->groups[r->group_count++] = (struct group){.hash = line->hash, .outer = r->active, .taken = taken};
    r->active = r->active && taken;
    return BAILEY_OK;
}

static bailey_status evaluate(struct reader *r, const struct line *line, bool *is_true)
{
    int64_t value = 0;
    if (line->count == 0)
        return bly_refuse_at(r->unit, line->hash->place, "this #%.*s has no condition",
                             BLY_SHOWN(line->hash + 1));
    bailey_status status = check_question(r, line);
    if (status == BAILEY_OK) status = bly_condition(&r->e, line->tokens, line->count, &value);
    *is_true = value != 0;
    return status;
}

static bailey_status begin_if(struct reader *r, const struct line *line)
{
    bool is_true = false;
    const bailey_status status = r->active ? evaluate(r, line, &is_true) : BAILEY_OK;
    return status == BAILEY_OK ? begin_group(r, line, is_true) : status;
}

static bailey_status begin_ifdef(struct reader *r, const struct line *line)
{
    if (line->count != 1 || line->tokens->kind != BLY_TOKEN_NAME)
        return bly_refuse_at(r->unit, line->hash->place, "#%.*s takes one name", BLY_SHOWN(line->hash + 1));
    const bailey_status status = check_question(r, line);
    const bool wanted = bly_token_is(line->hash + 1, "ifdef");
    return status == BAILEY_OK ? begin_group(r, line, bly_is_defined(&r->e, line->tokens) == wanted) : status;
}

/* The #if of an #elif, #else or #endif. */
static bailey_status find_group(struct reader *r, const struct line *line, struct group **group)
{
    const struct bly_token *word = line->hash + 1;
    *group = r->group_count ? &r->groups[r->group_count - 1] : NULL;
    if (!*group) return bly_refuse_at(r->unit, line->hash->place, "this #%.*s has no #if", BLY_SHOWN(word));
    if ((*group)->past_else && !bly_token_is(word, "endif"))
        return bly_refuse_at(r->unit, line->hash->place, "this #%.*s comes after #else", BLY_SHOWN(word));
    if (line->count && !bly_token_is(word, "elif"))
        return bly_refuse_at(r->unit, line->tokens->place, "#%.*s stands alone in its line", BLY_SHOWN(word));
    return BAILEY_OK;
}

static bailey_status next_part(struct reader *r, const struct line *line)
{
    struct group *group;
    bailey_status status = find_group(r, line, &group);
    if (status != BAILEY_OK) return status;
    bool is_true = true;
    const bool asked = group->outer && !group->taken;
    group->past_else = bly_token_is(line->hash + 1, "else");
    if (asked && !group->past_else) status = evaluate(r, line, &is_true);
    r->active = asked && is_true;
    group->taken |= r->active;
    return status;
}

static bailey_status end_group(struct reader *r, const struct line *line)
{
    struct group *group;
    const bailey_status status = find_group(r, line, &group);
    if (status != BAILEY_OK) return status;
    r->active = group->outer;
    r->group_count--;
    return BAILEY_OK;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    bailey_status (*does)(struct reader *, const struct line *);
    bool always; /* also in what is not read */
} offered[] = {{"define", define, false}, {"undef", undefine, false},   {"error", refuse_by_code, false},
               {"if", begin_if, true},    {"ifdef", begin_ifdef, true}, {"ifndef", begin_ifdef, true},
               {"elif", next_part, true}, {"else", next_part, true},    {"endif", end_group, true}};

static bailey_status follow(struct reader *r, const struct line *line)
{
    const struct bly_token *word = line->hash + 1;
    if (line->hash->last_of_line || word->kind != BLY_TOKEN_NAME)
        return bly_refuse_at(r->unit, line->hash->place, "this # is not followed by a word");
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
        if (bly_token_is(word, offered[i].word))
            return r->active || offered[i].always ? offered[i].does(r, line) : BAILEY_OK;
    return bly_refuse_at(
        r->unit, line->hash->place,
        "#%.*s is not supported; code may have #define, #undef, #if, #ifdef, #ifndef, #else, #elif, "
        "#endif, #error",
        BLY_SHOWN(word));
}

static bailey_status read_line(struct reader *r)
{
    const struct bly_token *tokens = r->unit->tokens;
    const uint32_t hash = r->e.at;
    uint32_t end = hash;
    while (!tokens[end].last_of_line) end++;
    r->e.at = end + 1;
    const struct line line = {&tokens[hash], &tokens[hash] + 2, end - hash > 1 ? end - hash - 1 : 0};
    return follow(r, &line);
}

static bailey_status read_all(struct reader *r)
{
    bailey_status status = BAILEY_OK;
    const struct bly_token *tokens = r->unit->tokens;
    while (status == BAILEY_OK && tokens[r->e.at].kind != BLY_TOKEN_END) {
        if (tokens[r->e.at].kind == BLY_TOKEN_HASH)
            status = read_line(r);
        else if (r->active)
            status = bly_expand(&r->e, &r->out);
        else
            r->e.at++;
    }
    if (status == BAILEY_OK && r->group_count)
        status = bly_refuse_at(r->unit, r->groups[r->group_count - 1].hash->place, "this #if has no #endif");
    return status;
}

/* Checks tokens for errors that the parser then need not look for. */
static bailey_status check_token(const struct bly_unit *unit, const struct bly_token *token)
{
    if (*token->text == '#')
        return bly_refuse_at(unit, token->place, "%.*s is allowed only at the beginning of a line",
                             BLY_SHOWN(token));
    if (token->kind != BLY_TOKEN_NAME) return BAILEY_OK;
    if (bly_token_is(token, "defined"))
        return bly_refuse_at(unit, token->place, "defined is allowed only in #if");
    if (bly_has_steps(unit->kind) || !bly_token_is(token, "STEPS")) return BAILEY_OK;
    return bly_refuse_at(unit, token->place,
                         unit->kind == BLY_UNIT_LEVELS
                             ? "STEPS is not defined in estimator code, which serves all levels"
                             : "STEPS is not defined for a path of 2^LEVELS ticks");
}

static bailey_status check_bracket(const struct bly_unit *unit, const struct bly_token *token,
                                   const struct bly_token **open, uint32_t *depth)
{
    static const char opening[] = "([{", closing[] = ")]}";
    if (token->kind != BLY_TOKEN_SIGN || token->length != 1) return BAILEY_OK;
    const char *closes = strchr(closing, *token->text);
    if (strchr(opening, *token->text)) {
        if (*depth == BLY_MOST_DEPTH)
            return bly_refuse_at(unit, token->place, "more than %u nested brackets", BLY_MOST_DEPTH);
        open[(*depth)++] = token;
    } else if (closes && *depth == 0)
        return bly_refuse_at(unit, token->place, "this %c closes nothing", *closes);
    else if (closes && *open[--*depth]->text != opening[closes - closing])
        return bly_refuse_at(unit, open[*depth]->place, "this %c is not closed before the %c of line %u",
                             *open[*depth]->text, *closes, (unsigned)token->place.line);
    return BAILEY_OK;
}

static bailey_status check_tokens(const struct bly_unit *unit, const struct bly_list *list)
{
    const struct bly_token *open[BLY_MOST_DEPTH];
    uint32_t depth = 0;
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < list->count && status == BAILEY_OK; k++) {
        status = check_token(unit, &list->tokens[k]);
        if (status == BAILEY_OK) status = check_bracket(unit, &list->tokens[k], open, &depth);
    }
    if (status == BAILEY_OK && depth)
        status = bly_refuse_at(unit, open[depth - 1]->place, "this %c is not closed", *open[depth - 1]->text);
    return status;
}

static bailey_status check_numbers(const struct reader *r)
{
    const struct bly_unit *unit = r->unit;
    if (!r->random || unit->dims + unit->normals + unit->uniforms <= BAILEY_MLMC_MAX_NUMBERS)
        return BAILEY_OK;
    return bly_refuse_at(unit, r->random->place,
                         "a step takes %u + %u + %u numbers (DIMS, NORMALS, UNIFORMS); the maximum is %u",
                         unit->dims, unit->normals, unit->uniforms, BAILEY_MLMC_MAX_NUMBERS);
}

/* Instead of the tokens that were read. */
static bailey_status keep(struct bly_unit *unit, const struct bly_list *list)
{
    struct bly_token *tokens = bly_arena_take(&unit->arena, (list->count + 1) * sizeof *tokens);
    if (!tokens) return bly_no_memory(unit);
    for (uint32_t k = 0; k < list->count; k++) {
        tokens[k] = list->tokens[k];
        tokens[k].last_of_line =
            k + 1 == list->count || tokens[k].place.line != list->tokens[k + 1].place.line;
    }
    tokens[list->count] = unit->tokens[unit->token_count];
    unit->tokens = tokens;
    unit->token_count = list->count;
    return BAILEY_OK;
}

bailey_status bly_macros_expand(struct bly_unit *unit)
{
    struct reader r = {.unit = unit, .e.unit = unit, .active = true};
    r.e.macros = bly_alloc(unit->name_count, sizeof *r.e.macros);
    bailey_status status = r.e.macros ? read_all(&r) : bly_no_memory(unit);
    if (status == BAILEY_OK) status = check_numbers(&r);
    if (status == BAILEY_OK) status = check_tokens(unit, &r.out);
    if (status == BAILEY_OK) status = keep(unit, &r.out);
    bly_release(&r.e, &r.out);
    bly_expander_free(&r.e);
    return status;
}
