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
        return cli_error(CLI_USAGE,
                         "name a product or --payoff FILE; 'bailey price --help' lists the products");
    return price_simulate(a, NULL);
}

const struct command command_price_payoff = {
    .name = "price",
    .summary = "'bailey price --payoff --help' explains how to price your own payoff, written in C.",
    .usage = "--payoff FILE  [--set NAME=VALUE ...] [options]\n"
             "       bailey price --payoff-template",
    .about = "Simulates paths and averages your own payoff over them. Its code, in C, is compiled into the "
             "simulation\n"
             "kernel, and gives the same bits on every device. Set its parameters by name: with --set, with "
             "the option of\n"
             "the same name (--type sets sign, to 1 or -1), or in the columns of --assets. The first output "
             "is the price.\n"
             "x[] is Brownian motion, with --dims dimensions and --correlation, at the times of --steps and "
             "--maturity or\n"
             "of --times. 'bailey price --help' lists the built-in products.",
    .examples = "  bailey price --payoff-template > payoff.c\n"
                "      commented code to start from\n"
                "  bailey price --payoff payoff.c --steps 12 --spot 100 --strike 100 --rate 0.03 "
                "--volatility 0.2 \\\n"
                "      --set barrier=80 --outputs price,knocked_out\n"
                "      the mean of both outputs, with standard errors\n"
                "  bailey price ... --target-error 0.01 --antithetic\n"
                "      as many paths as needed\n"
                "  bailey price ... --paths 1000 --save-outputs outputs.csv\n"
                "      the payoff of each path\n",
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
        .about = text "Prints a 95 % interval for the price and the two bounds behind it: a lower bound, "   \
                      "the value of the\n"                                                                   \
                      "exercise policy found by the regressions of Longstaff and Schwartz (2001), and the "  \
                      "upper bound of Andersen\n"                                                            \
                      "and Broadie (2004). The price is the midpoint; its standard error covers the gap "    \
                      "between the bounds.\n"                                                                \
                      "--paths applies to the lower bound. --times are the exercise times; exercise today "  \
                      "is always allowed.",                                                                  \
        .examples = "  bailey price " word " " example,                                                      \
        .options = price_american_options,                                                                   \
        .run = price_american,                                                                               \
        .refuses = price_american_refuses,                                                                   \
        .more_help = generators_help,                                                                        \
    };

AMERICAN(
    american, "american", "an American put or call on one asset",
    "--spot S --strike K --rate R --volatility V",
    "Prices a put (with --type call, a call) on one asset that may be exercised at any of --steps times, "
    "default 50.\n",
    "--spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 12 --antithetic\n"
    "      one year, exercise each month\n"
    "  bailey price american --spot 36 --strike 40 --rate 0.06 --volatility 0.2 --steps 12 "
    "--lower-only \\\n"
    "      --paths 1000000\n"
    "      only the lower bound\n")

AMERICAN(bermudan_max_call, "bermudan-max-call", "a Bermudan call on the largest of several assets",
         "--spot S,S --strike K --rate R --volatility V --dividend Q",
         "Prices a call on the largest of up to 16 prices that may be exercised at any of --steps times, "
         "default 9.\n",
         "--spot 100,100 --strike 100 --rate 0.05 --dividend 0.1 --volatility 0.2 \\\n"
         "      --maturity 3 --antithetic\n"
         "      a lattice gives 13.902\n"
         "  bailey price bermudan-max-call --spot 90 --dims 5 --strike 100 --rate 0.05 --dividend 0.1 \\\n"
         "      --volatility 0.2 --maturity 3 --paths 1000000\n"
         "      five identical assets\n")

const struct family family_price = {
    .word = "price",
    .missing = "a product",
    .kind = "product",
    .about = "Prices options, and payoffs of your own.",
    .more = price_command,
    .named = price_command_named,
    .members = {&command_price_american, &command_price_bermudan_max_call},
    .otherwise = &command_price_payoff,
};
