/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The questions that a product may ask its model.
 */
#include "language.h"

#include <string.h>

const struct bly_question bly_questions[BLY_QUESTIONS] = {
    {"price", "i", "price(a)", "real price(const state *s, const params *p, int a)", "the price of asset a", NULL, false},
    {"log_price", "ir", "log_price(a, first)",
     "real log_price(const state *s, const params *p, int a, real first)",
     "the logarithm of price a divided by first, which it was at the start", "price", false},
    {"variance", "i", "variance(a)", "real variance(const state *s, const params *p, int a)",
     "the variance per year of the logarithm of price a over the last step", "price", false},
    {"discount", "", "discount()", "real discount(const state *s, const params *p)",
     "what 1 paid now is worth at time 0", NULL, false},
    {"discount_in", "r", "discount_in(tau)", "real discount_in(const state *s, const params *p, real tau)",
     "the value at time 0 of 1 paid in tau years, as seen now", "discount", false},
    {"bond", "r", "bond(tau)", "real bond(const state *s, const params *p, real tau)",
     "the price now of 1 paid in tau years", "discount", false},
    {"rate", "", "rate()", "real rate(const state *s, const params *p)", "the short rate now", "discount", false},
    {"growth", "ir", "growth(a, more)", "real growth(const state *s, const params *p, int a, real more)",
     "the integral since time 0 of the rate less the dividend yield of asset a, with more added to it", NULL, false},
    {"known_growth", "i", "known_growth(a)", "real known_growth(const state *s, const params *p, int a)",
     "growth(a, 0) where rates and dividends are known at time 0", "growth", false},
    {"price_growth", "i", "price_growth(a)", "real price_growth(const state *s, const params *p, int a)",
     "the logarithm of the mean of price a divided by its spot, as known at any time before", "price", true},
    {"martingale", "i", "martingale(a)", "real martingale(const state *s, const params *p, int a)",
     "the discounted price of asset a divided by its mean, less 1; or less of it that has the mean 0 too", NULL, true},
    {"lognormal", "i", "lognormal(a)", "real lognormal(const state *s, const params *p, int a)",
     "a lognormal number of mean 1, close to the discounted price of asset a divided by its mean", NULL, true},
    {"lognormal_variance", "i", "lognormal_variance(a)",
     "real lognormal_variance(const state *s, const params *p, int a)",
     "the variance of the logarithm of lognormal(a), known at time 0", "lognormal", true},
    {"known_variance", "i", "known_variance(a)", "real known_variance(const state *s, const params *p, int a)",
     "the variance of the logarithm of price a, where that is normal and its variance known at time 0", "price", true},
    {"known_option", "irrr", "known_option(a, sign, strike, tau)",
     "real known_option(const state *s, const params *p, int a, real sign, real strike, real tau)",
     "the price at time 0 of a call or put on price a that is paid in tau years, divided by known_discount(tau)", "price", true},
    {"fixed_rate", "", "fixed_rate()", "real fixed_rate(const state *s, const params *p)",
     "the rate, where rates and dividend yields stay the same", "growth", true},
    {"fixed_volatility", "i", "fixed_volatility(a)", "real fixed_volatility(const state *s, const params *p, int a)",
     "the volatility of price a, where that is lognormal with a volatility that stays the same", "price", true},
    {"known_discount", "r", "known_discount(tau)", "real known_discount(const state *s, const params *p, real tau)",
     "the price at time 0 of 1 paid in tau years, the mean of discount_in(tau)", "discount", true},
    {"bond_variance", "r", "bond_variance(tau)", "real bond_variance(const state *s, const params *p, real tau)",
     "the variance of the logarithm of bond(tau), where one normal number moves all bonds", "bond", true},
};

const struct bly_question *bly_question_find(const char *name)
{
    for (size_t i = 0; i < BLY_QUESTIONS; i++)
        if (strcmp(bly_questions[i].name, name) == 0) return &bly_questions[i];
    return NULL;
}
