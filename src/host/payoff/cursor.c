/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What all files of the parser use: where it is in the tokens, and how it stops.
 */
#include "parser.h"

#include <base/status.h>

#include <stdarg.h>

_Noreturn void bly_stop(struct bly_parser *p, struct bly_place place, const char *format, ...)
{
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    bly_format(words, sizeof words, format, arguments);
    va_end(arguments);
    p->status = bly_refuse_at(p->unit, place, "%s", words);
    longjmp(p->out, 1);
}

void *bly_take(struct bly_parser *p, size_t bytes)
{
    void *memory = bly_arena_take(&p->unit->arena, bytes);
    if (memory) return memory;
    p->status = bly_no_memory(p->unit);
    longjmp(p->out, 1);
}

void bly_parse_enter(struct bly_parser *p)
{
    if (++p->depth > BLY_MOST_DEPTH)
        bly_stop(p, p->token->place, "more than %u nested brackets, statements or types",
                 (unsigned)BLY_MOST_DEPTH);
}

void bly_parse_leave(struct bly_parser *p) { p->depth--; }

bool bly_next_is(const struct bly_parser *p, const char *text) { return bly_token_is(p->token, text); }

bool bly_accept(struct bly_parser *p, const char *text)
{
    if (!bly_next_is(p, text)) return false;
    p->token++;
    return true;
}

static bool is_assignment(const struct bly_token *token)
{
    const char last = token->kind == BLY_TOKEN_SIGN ? token->text[token->length - 1] : 0;
    return last == '=' && !bly_token_is(token, "==") && !bly_token_is(token, "!=") &&
           !bly_token_is(token, "<=") && !bly_token_is(token, ">=");
}

/* What expressions of C may go on with, and those of the language may not. */
static void refuse_more(struct bly_parser *p)
{
    const struct bly_token *token = p->token;
    if (bly_next_is(p, "="))
        bly_stop(p, token->place,
                 "= within an expression; write the assignment as a separate statement, or == to compare");
    if (is_assignment(token) || bly_next_is(p, "++") || bly_next_is(p, "--"))
        bly_stop(p, token->place, "%.*s within an expression; write it as a separate statement",
                 BLY_SHOWN(token));
    if (bly_next_is(p, ",")) bly_stop(p, token->place, "a comma within an expression; write two statements");
}

void bly_expect(struct bly_parser *p, const char *text)
{
    if (bly_accept(p, text)) return;
    const struct bly_token *token = p->token;
    if (token->kind == BLY_TOKEN_END) bly_stop(p, token->place, "the code ends where %s should be", text);
    refuse_more(p);
    bly_stop(p, token->place, "%.*s where %s should be", BLY_SHOWN(token), text);
}

const struct bly_token *bly_expect_name(struct bly_parser *p, const char *what)
{
    const struct bly_token *token = p->token;
    if (token->kind == BLY_TOKEN_END) bly_stop(p, token->place, "the code ends where %s should be", what);
    if (token->kind != BLY_TOKEN_NAME)
        bly_stop(p, token->place, "%.*s where %s should be", BLY_SHOWN(token), what);
    return p->token++;
}
