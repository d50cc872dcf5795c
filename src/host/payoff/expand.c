/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Expansion of macros, as C has it: arguments are expanded, substituted for parameters, and the result is
 * read again together with what follows. A macro that is being expanded is not expanded again within; its
 * name is marked then, and stays for good.
 *
 * A few lines can ask for more tokens than there are atoms, or for none in as much time. So both are counted.
 */
#include "tokens.h"

#include <base/alloc.h>

#include <string.h>

#define MOST_STEPS (16 * BLY_MOST_TOKENS)

bailey_status bly_keep(struct bly_expander *e, struct bly_list *list, const struct bly_token *token)
{
    if (e->stored == BLY_MOST_TOKENS)
        return bly_refuse_at(e->unit, token->place, "the code has more than %u tokens after macro expansion",
                             BLY_MOST_TOKENS);
    if (!bly_list_add(list, token)) return bly_no_memory(e->unit);
    e->stored++;
    return BAILEY_OK;
}

void bly_release(struct bly_expander *e, struct bly_list *list)
{
    e->stored -= list->count;
    bly_list_free(list);
}

static void pop(struct bly_expander *e)
{
    struct bly_context *context = &e->contexts[--e->context_count];
    if (context->macro) context->macro->open = false;
    bly_release(e, &context->owned);
}

/* Takes what the context owns, with success and without. */
static bailey_status push(struct bly_expander *e, struct bly_context context)
{
    if (e->context_count == e->context_room) {
        const uint32_t room = e->context_room ? 2 * e->context_room : 16;
        struct bly_context *contexts = bly_alloc(room, sizeof *contexts);
        if (!contexts) {
            bly_release(e, &context.owned);
            return bly_no_memory(e->unit);
        }
        if (e->context_count) memcpy(contexts, e->contexts, e->context_count * sizeof *contexts);
        bly_free(e->contexts);
        e->contexts = contexts;
        e->context_room = room;
    }
    if (context.macro) context.macro->open = true;
    e->contexts[e->context_count++] = context;
    return BAILEY_OK;
}

void bly_expander_free(struct bly_expander *e)
{
    while (e->context_count) pop(e);
    bly_free(e->contexts);
    bly_free(e->macros);
}

static struct bly_macro *macro_of(const struct bly_expander *e, const struct bly_token *token)
{
    return token->kind == BLY_TOKEN_NAME && !token->hidden ? e->macros[token->name] : NULL;
}

/* The next token, or NULL. */
static const struct bly_token *peek(struct bly_expander *e)
{
    while (e->context_count > e->base) {
        const struct bly_context *top = &e->contexts[e->context_count - 1];
        if (top->at < top->count) return &top->tokens[top->at];
        pop(e);
    }
    const struct bly_token *token = &e->unit->tokens[e->at];
    return e->bounded || token->kind == BLY_TOKEN_END || token->kind == BLY_TOKEN_HASH ? NULL : token;
}

/* What peek sees, and goes on; of the kind END where there is none. */
static bailey_status next(struct bly_expander *e, struct bly_token *token)
{
    const struct bly_token *from = peek(e);
    *token = from ? *from : (struct bly_token){.kind = BLY_TOKEN_END};
    if (!from) return BAILEY_OK;
    if (e->context_count > e->base) {
        struct bly_context *top = &e->contexts[e->context_count - 1];
        top->at++;
        if (top->placed) token->place = top->place;
    } else
        e->at++;
    const struct bly_macro *macro = macro_of(e, token);
    if (macro && macro->open) token->hidden = 1;
    if (++e->steps <= MOST_STEPS) return BAILEY_OK;
    return bly_refuse_at(e->unit, token->place, "expanding the macros takes more than %u steps", MOST_STEPS);
}

/* The call of a macro with parameters. */
struct call {
    struct bly_macro *macro;
    struct bly_place place;
    struct bly_list written;                      /* all arguments, without the commas between */
    uint32_t ends[BLY_MOST_ARGUMENTS];            /* of each, in `written` */
    struct bly_list expanded[BLY_MOST_ARGUMENTS]; /* each */
    uint32_t count;
};

static bailey_status unclosed(const struct bly_expander *e, const struct call *call)
{
    const bool line = !e->bounded && e->unit->tokens[e->at].kind == BLY_TOKEN_HASH;
    return bly_refuse_at(e->unit, call->place,
                         line ? "a # line occurs within this call of the macro %s"
                              : "this call of the macro %s is not closed",
                         call->macro->name);
}

/* The arguments behind the (, and the ). */
static bailey_status read_arguments(struct bly_expander *e, struct call *call)
{
    uint32_t depth = 0;
    struct bly_token token;
    call->count = 1;
    for (;;) {
        bailey_status status = next(e, &token);
        if (status == BAILEY_OK && token.kind == BLY_TOKEN_END) status = unclosed(e, call);
        if (status != BAILEY_OK) return status;
        const char sign = token.kind == BLY_TOKEN_SIGN && token.length == 1 ? *token.text : 0;
        if (call->count <= BLY_MOST_ARGUMENTS) call->ends[call->count - 1] = call->written.count;
        if (sign == ')' && depth == 0) return BAILEY_OK;
        if (sign == ',' && depth == 0) {
            call->count++;
            continue;
        }
        depth += sign == '(';
        depth -= sign == ')';
        status = bly_keep(e, &call->written, &token);
        if (status != BAILEY_OK) return status;
    }
}

static bailey_status check_count(const struct bly_expander *e, struct call *call)
{
    const uint32_t wanted = call->macro->parameter_count;
    if (wanted == 0 && call->written.count == 0 && call->count == 1) call->count = 0;
    if (call->count == wanted) return BAILEY_OK;
    return bly_refuse_at(e->unit, call->place, "the macro %s takes %u argument%s, but this call has %u",
                         call->macro->name, wanted, wanted == 1 ? "" : "s", call->count);
}

static bailey_status expand_arguments(struct bly_expander *e, struct call *call)
{
    bailey_status status = BAILEY_OK;
    uint32_t begin = 0;
    if (e->depth == BLY_MOST_DEPTH)
        return bly_refuse_at(e->unit, call->place, "more than %u nested macro calls", BLY_MOST_DEPTH);
    e->depth++;
    for (uint32_t i = 0; i < call->count && status == BAILEY_OK; i++) {
        const uint32_t count = call->ends[i] - begin;
        if (count) status = bly_expand_tokens(e, &call->written.tokens[begin], count, &call->expanded[i]);
        begin = call->ends[i];
    }
    e->depth--;
    return status;
}

/* The body with the arguments in it. */
static bailey_status substitute(struct bly_expander *e, const struct call *call, struct bly_list *result)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < call->macro->length && status == BAILEY_OK; k++) {
        struct bly_token token = call->macro->body[k];
        const struct bly_list *argument = token.hidden ? &call->expanded[token.hidden - 1] : NULL;
        token.place = call->place;
        if (!argument) status = bly_keep(e, result, &token);
        for (uint32_t i = 0; argument && i < argument->count && status == BAILEY_OK; i++)
            status = bly_keep(e, result, &argument->tokens[i]);
    }
    return status;
}

static bailey_status perform(struct bly_expander *e, struct call *call)
{
    struct bly_token open;
    struct bly_list result = {0};
    bailey_status status = next(e, &open);
    if (status == BAILEY_OK) status = read_arguments(e, call);
    if (status == BAILEY_OK) status = check_count(e, call);
    if (status == BAILEY_OK) status = expand_arguments(e, call);
    if (status == BAILEY_OK) status = substitute(e, call, &result);
    if (status != BAILEY_OK) {
        bly_release(e, &result);
        return status;
    }
    return push(e,
                (struct bly_context){
                    .macro = call->macro, .tokens = result.tokens, .owned = result, .count = result.count});
}

static bailey_status call_macro(struct bly_expander *e, struct bly_macro *macro, struct bly_place place)
{
    struct call *call = bly_alloc(1, sizeof *call);
    if (!call) return bly_no_memory(e->unit);
    call->macro = macro;
    call->place = place;
    const bailey_status status = perform(e, call);
    bly_release(e, &call->written);
    for (uint32_t i = 0; i < macro->parameter_count; i++) bly_release(e, &call->expanded[i]);
    bly_free(call);
    return status;
}

/* Without brackets behind it, the name of a macro with parameters is a plain name. */
static bool is_call(struct bly_expander *e)
{
    const struct bly_token *token = peek(e);
    return token && bly_token_is(token, "(");
}

static bailey_status expand_token(struct bly_expander *e, const struct bly_token *token, struct bly_list *out)
{
    struct bly_macro *macro = macro_of(e, token);
    if (!macro || (macro->has_parameters && !is_call(e))) return bly_keep(e, out, token);
    if (macro->has_parameters) return call_macro(e, macro, token->place);
    return push(e, (struct bly_context){.macro = macro,
                                        .tokens = macro->body,
                                        .count = macro->length,
                                        .placed = true,
                                        .place = token->place});
}

bailey_status bly_expand(struct bly_expander *e, struct bly_list *out)
{
    for (;;) {
        struct bly_token token;
        bailey_status status = next(e, &token);
        if (status != BAILEY_OK || token.kind == BLY_TOKEN_END) return status;
        status = expand_token(e, &token, out);
        if (status != BAILEY_OK) return status;
    }
}

bailey_status bly_expand_tokens(struct bly_expander *e, const struct bly_token *tokens, uint32_t count,
                                struct bly_list *out)
{
    const uint32_t base = e->base;
    const bool bounded = e->bounded;
    e->base = e->context_count;
    e->bounded = true;
    bailey_status status = push(e, (struct bly_context){.tokens = tokens, .count = count});
    if (status == BAILEY_OK) status = bly_expand(e, out);
    e->base = base;
    e->bounded = bounded;
    return status;
}
