/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Questions of products to their models, such as price(0): the calls in a product, and the functions of a
 * model that answer them.
 */
#include "parser.h"

#include <string.h>

void bly_note_member(const struct bly_token *name, enum bly_record_kind kind)
{
    struct bly_token *token = (struct bly_token *)(uintptr_t)name;
    token->member = (uint8_t)(kind + 1);
}

/* ---- Calls in products --------------------------------------------------------------------------- */

static const char *parameter_to(const struct bly_function *f, const struct bly_type *type)
{
    const struct bly_variable *v = f ? f->parameters : NULL;
    for (; v; v = v->next)
        if (v->type->kind == BLY_TYPE_POINTER && v->type->of == type) return v->name;
    return NULL;
}

static const struct bly_type *type_of(char letter) { return letter == 'i' ? &bly_type_int : &bly_type_real; }

void bly_parse_question(struct bly_parser *p, struct bly_expression *call, const struct bly_token *name)
{
    const struct bly_question *question = bly_name_of(p, name)->question;
    const uint32_t wanted = (uint32_t)strlen(question->takes);
    struct bly_asking *asking = BLY_NEW(p, struct bly_asking);
    if (call->argument_count != wanted) bly_stop(p, name->place, "write %s", question->asked);
    const char *letter = question->takes;
    for (struct bly_expression *a = call->arguments; a; a = a->next, letter++) {
        if (*letter == 'i') bly_need_integer(p, a, "an asset");
        bly_convert(p, a, type_of(*letter));
    }
    *asking = (struct bly_asking){.question = question,
                                  .function = p->function,
                                  .token = (uint32_t)(name - p->unit->tokens),
                                  .s = parameter_to(p->function, p->state->type),
                                  .p = parameter_to(p->function, p->params->type)};
    if (!asking->s || !asking->p)
        bly_stop(p, name->place,
                 "%s asks the model, which takes the path's state and the parameters; give this function "
                 "const state *s and const params *p",
                 question->asked);
    *p->last_asking = asking;
    p->last_asking = &asking->next;
}

/* ---- Answers of models --------------------------------------------------------------------------- */

static bool is_const_pointer(const struct bly_variable *v, const struct bly_type *to)
{
    return v && v->type->kind == BLY_TYPE_POINTER && !v->type->is_array && v->type->of == to &&
           v->type->constant;
}

static bool answers(const struct bly_parser *p, const struct bly_function *f, const struct bly_question *q)
{
    const struct bly_variable *v = f->parameters;
    if (f->returns->kind != BLY_TYPE_REAL || f->parameter_count != 2 + strlen(q->takes)) return false;
    if (!is_const_pointer(v, p->state->type) || !is_const_pointer(v->next, p->params->type)) return false;
    v = v->next->next;
    for (const char *letter = q->takes; *letter; letter++, v = v->next)
        if (v->type->kind != type_of(*letter)->kind) return false;
    return true;
}

void bly_check_answers(struct bly_parser *p)
{
    uint32_t count = 0;
    for (const struct bly_function *f = p->unit->functions; f; f = f->next) {
        const struct bly_question *q = bly_question_find(f->name);
        if (!q) continue;
        if (!answers(p, f, q)) bly_stop(p, f->place, "write %s", q->as);
        count++;
    }
    if (!count)
        bly_stop(p, p->token->place, "a model answers what products ask: write, for example, %s",
                 bly_questions[0].as);
}
