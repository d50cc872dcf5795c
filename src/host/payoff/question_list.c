/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The questions that a product may ask its model.
 */
#include "language.h"

#include <string.h>

const struct bly_question bly_questions[BLY_QUESTIONS] = {
    {"price", "i", "price(a)", "real price(const state *s, const params *p, int a)", "the price of asset a"},
    {"variance", "i", "variance(a)", "real variance(const state *s, const params *p, int a)",
     "the variance per year of the logarithm of price a over the last step"},
    {"discount", "", "discount()", "real discount(const state *s, const params *p)",
     "what 1 paid now is worth at time 0"},
    {"discount_in", "r", "discount_in(tau)", "real discount_in(const state *s, const params *p, real tau)",
     "the value at time 0 of 1 paid in tau years, as seen now"},
    {"forward_price", "i", "forward_price(a)", "real forward_price(const state *s, const params *p, int a)",
     "the forward price of asset a for now, as seen at time 0, where rates and dividends are known then"},
    {"bond", "r", "bond(tau)", "real bond(const state *s, const params *p, real tau)",
     "the price now of 1 paid in tau years"},
    {"rate", "", "rate()", "real rate(const state *s, const params *p)", "the short rate now"},
};

const struct bly_question *bly_question_find(const char *name)
{
    for (size_t i = 0; i < BLY_QUESTIONS; i++)
        if (strcmp(bly_questions[i].name, name) == 0) return &bly_questions[i];
    return NULL;
}
