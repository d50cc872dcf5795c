/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey price: products, of which the library's own have their commands in price_commands.c, and a user's
 * payoffs. The files that begin with price_ serve both.
 */
#include "price.h"
#include <cli/options/options.h>

#include <stdio.h>

static int run_payoff(const struct arguments *a)
{
    if (a->value[PAYOFF_TEMPLATE]) {
        fputs(price_template, stdout);
        return CLI_OK;
    }
    if (!a->value[PAYOFF])
        return cli_error(CLI_USAGE, "what to price is missing: the name of a product, or --payoff FILE; "
                                    "'bailey price --help' lists them");
    return price_simulate(a, NULL);
}

const struct command command_price_payoff = {
    .name = "price",
    .summary = "'bailey price --payoff --help' explains payoffs of your own, which are texts in C.",
    .usage = "--payoff FILE  [--set NAME=VALUE ...] [options]\n"
             "       bailey price --payoff-template",
    .about =
        "Simulates paths and averages what a payoff of your own makes of each: code in C, compiled into "
        "the\n"
        "simulation for the device, with the same bits on all of them. Its parameters are set by their "
        "names: with\n"
        "--set, with the option of the same name (--type sets sign, to 1 or -1), or from the columns of "
        "--assets.\n"
        "The first output is the price. x[] is Brownian motion, of --dims dimensions with --correlation, "
        "at the\n"
        "times of --steps and --maturity or of --times. 'bailey price --help' lists the built-in "
        "products.",
    .examples = "  bailey price --payoff-template > payoff.c\n"
                "      code to start from, with comments\n"
                "  bailey price --payoff payoff.c --steps 12 --spot 100 --strike 100 --rate 0.03 "
                "--volatility 0.2 \\\n"
                "      --set barrier=80 --outputs price,knocked_out\n"
                "      its mean, with its standard error, and that of its second output\n"
                "  bailey price ... --target-error 0.01 --antithetic\n"
                "      as many paths as it takes\n"
                "  bailey price ... --paths 1000 --save-outputs outputs.csv\n"
                "      what each path pays\n",
    .options = price_payoff_options,
    .run = run_payoff,
    .more_help = generators_help,
    .describe = price_describe,
    .has_parameter = price_has_parameter,
    .repeatable = "--set",
};

#define AMERICAN(id, word, what, needs, text, example)                                                       \
    static const struct command command_price_##id = {                                                       \
        .name = "price " word,                                                                               \
        .summary = what,                                                                                     \
        .usage = needs " [options]",                                                                         \
        .about = text                                                                                        \
        "Prints an interval of 95 % for the price, and what it is made of: a lower bound, the value of a\n"  \
        "policy found by the regressions of Longstaff and Schwartz (2001), and the upper bound of "          \
        "Andersen\n"                                                                                         \
        "and Broadie (2004). The price is the middle of both; its standard error covers their distance.\n"   \
        "--paths are those of the lower bound. --times are the times of exercise; today is one, too.",       \
        .examples = "  bailey price " word " " example,                                                      \
        .options = price_american_options,                                                                   \
        .run = price_american,                                                                               \
        .refuses = price_american_refuses,                                                                   \
        .more_help = generators_help,                                                                        \
    };

AMERICAN(american, "american", "an American put or call on one asset",
         "--spot S --strike K --rate R --volatility V",
         "Prices the put (--type call: the call) on one asset that may be exercised at any of --steps times, "
         "default 50.\n",
         "--spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 12 --antithetic\n"
         "      a year, with a time of exercise each month\n"
         "  bailey price american --spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 12 "
         "--lower-only \\\n"
         "      --paths 1000000\n"
         "      the lower bound alone\n")

AMERICAN(bermudan_max_call, "bermudan-max-call", "a Bermudan call on the largest of several assets",
         "--spot S,S --strike K --rate R --volatility V --dividend Q",
         "Prices the call on the largest of up to 16 prices that may be exercised at any of --steps times, "
         "default 9.\n",
         "--spot 100,100 --strike 100 --rate 0.05 --dividend 0.1 --volatility 0.2 \\\n"
         "      --maturity 3 --antithetic\n"
         "      13.902 by a lattice\n"
         "  bailey price bermudan-max-call --spot 90 --dims 5 --strike 100 --rate 0.05 --dividend 0.1 \\\n"
         "      --volatility 0.2 --maturity 3 --paths 1000000\n"
         "      five assets that are alike\n")

const struct family family_price = {
    .word = "price",
    .missing = "what to price",
    .kind = "product",
    .about = "Prices options, and payoffs of your own.",
    .more = price_command,
    .members = {&command_price_american, &command_price_bermudan_max_call},
    .otherwise = &command_price_payoff,
};
