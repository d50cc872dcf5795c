/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which layer answers a question, and which functions of the parts a payoff needs: those that it calls, those that
 * these call, and the answers to what they ask. The others are not in its code. A function calls those before it
 * alone, and asks layers below alone, so one look at each, in this order or backwards, is enough.
 */
#include "check.h"
#include "compose.h"
#include "tokens.h"

#include <base/status.h>

/* ---- Answers ------------------------------------------------------------------------------------- */

struct bly_answer bly_answer_find(const struct bly_joint *j, uint32_t k, const struct bly_question *question)
{
    while (k-- > 0) {
        const struct bly_part *part = j->parts[k];
        struct bly_function *f = bly_part_function(part, question->name);
        if (f && f->answered) return (struct bly_answer){part, f};
        if (question->with && bly_part_function(part, question->with)) break;
    }
    return (struct bly_answer){NULL, NULL};
}

static void look_at_call(void *of, struct bly_expression *e)
{
    struct bly_function *f = of;
    if (e->kind == BLY_CALL && e->function) f->answered &= e->function->answered;
}

void bly_answers_find(const struct bly_joint *j, uint32_t k)
{
    const struct bly_unit *unit = &j->parts[k]->unit;
    for (struct bly_function *f = unit->functions; f; f = f->next) {
        const struct bly_visitor visitor = {.expression = look_at_call, .of = f};
        f->answered = true;
        for (const struct bly_asking *a = unit->askings; a && f->answered; a = a->next)
            if (a->function == f) f->answered = bly_answer_find(j, k, a->question).function != NULL;
        bly_visit_all(f->body, &visitor);
    }
}

/* ---- Functions that are needed -------------------------------------------------------------------- */

static bailey_status refuse_question(const struct bly_joint *j, const struct bly_part *part,
                                     const struct bly_asking *a)
{
    const struct bly_place place = part->unit.tokens[a->token].place;
    if (part != j->product)
        return bly_refuse_at(&part->unit, place, "%s asks for %s, %s, which no layer below it has",
                             bly_part_name(part), a->question->asked, a->question->means);
    return bly_name_argument(bly_refuse_at(&part->unit, place,
                                           "%s asks for %s, %s, which the model %s does not have",
                                           bly_part_name(part), a->question->asked, a->question->means,
                                           j->composition->model_name),
                             "model");
}

static void keep_called(void *of, struct bly_expression *e)
{
    (void)of;
    if (e->kind == BLY_CALL && e->function) e->function->kept = true;
}

static bailey_status keep_asked(const struct bly_joint *j, uint32_t k, const struct bly_function *f)
{
    for (const struct bly_asking *a = j->parts[k]->unit.askings; a; a = a->next) {
        if (a->function != f) continue;
        const struct bly_answer answer = bly_answer_find(j, k, a->question);
        if (!answer.function) return refuse_question(j, j->parts[k], a);
        answer.function->kept = true;
    }
    return BAILEY_OK;
}

static bailey_status keep_needed(const struct bly_joint *j, uint32_t k)
{
    static const struct bly_visitor visitor = {.expression = keep_called};
    struct bly_unit *unit = &j->parts[k]->unit;
    bailey_status status = BAILEY_OK;
    size_t count = 0;
    for (struct bly_function *f = unit->functions; f; f = f->next) count++;
    struct bly_function **functions = bly_arena_take(&unit->arena, (count + 1) * sizeof(struct bly_function *));
    if (!functions) return bly_no_memory(unit);
    count = 0;
    for (struct bly_function *f = unit->functions; f; f = f->next) functions[count++] = f;
    while (count-- > 0 && status == BAILEY_OK)
        if (functions[count]->kept) {
            bly_visit_all(functions[count]->body, &visitor);
            status = keep_asked(j, k, functions[count]);
        }
    return status;
}

static void begin(struct bly_function *f)
{
    if (f) f->kept = true;
}

bailey_status bly_needed_keep(struct bly_joint *j)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < j->count; k++) {
        const struct bly_unit *unit = &j->parts[k]->unit;
        struct bly_function *const called[] = {unit->start,  unit->step,
                                               unit->date,   unit->finish,
                                               bly_part_function(j->parts[k], "exercise"),
                                               bly_part_function(j->parts[k], "regress")};
        for (size_t i = 0; i < sizeof called / sizeof *called; i++) begin(called[i]);
    }
    for (uint32_t i = 0; i <= j->product->head.control_count; i++) {
        const bool closed = i == j->product->head.control_count;
        const struct bly_control *control = closed ? &j->product->closed : &j->product->controls[i];
        if (!control->wanted) continue;
        begin(control->date);
        begin(control->value);
    }
    for (uint32_t k = j->count; k-- > 0 && status == BAILEY_OK;) status = keep_needed(j, k);
    return status;
}
