/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The questions that a product may ask its model.
 */
#include "language.h"

#include <string.h>

const struct bly_question bly_questions[BLY_QUESTIONS] = {
    {"price", "i", "price(a)", "real price(const state *s, const params *p, int a)", "the price of asset a", NULL},
    {"variance", "i", "variance(a)", "real variance(const state *s, const params *p, int a)",
     "the variance per year of the logarithm of price a over the last step", "price"},
    {"discount", "", "discount()", "real discount(const state *s, const params *p)",
     "what 1 paid now is worth at time 0", NULL},
    {"discount_in", "r", "discount_in(tau)", "real discount_in(const state *s, const params *p, real tau)",
     "the value at time 0 of 1 paid in tau years, as seen now", "discount"},
    {"bond", "r", "bond(tau)", "real bond(const state *s, const params *p, real tau)",
     "the price now of 1 paid in tau years", "discount"},
    {"rate", "", "rate()", "real rate(const state *s, const params *p)", "the short rate now", "discount"},
    {"growth", "ir", "growth(a, more)", "real growth(const state *s, const params *p, int a, real more)",
     "the integral since time 0 of the rate less the dividend yield of asset a, with more added to it", NULL},
    {"known_growth", "i", "known_growth(a)", "real known_growth(const state *s, const params *p, int a)",
     "growth(a, 0) where rates and dividends are known at time 0", "growth"},
};

const struct bly_question *bly_question_find(const char *name)
{
    for (size_t i = 0; i < BLY_QUESTIONS; i++)
        if (strcmp(bly_questions[i].name, name) == 0) return &bly_questions[i];
    return NULL;
}
