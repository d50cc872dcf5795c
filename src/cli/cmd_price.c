/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey price: the built-in products, and payoffs of one's own. What they have in common is in the files
 * that begin with price_.
 */
#include "commands.h"
#include "dispatch.h"
#include "numbers.h"
#include "price_american.h"
#include "price_describe.h"
#include "price_explain.h"
#include "price_job.h"
#include "price_risk.h"
#include "price_template.h"

#include <bailey/simulation.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a discretised model, from a part of the run's paths; where it cannot be estimated, of one step, it stays
 * of no paths. */
static void find_bias(const struct price_settings *s, const struct price_model *m, struct price_outcome *o)
{
    enum { FEWEST = 1024, MOST = 65536 };
    const uint64_t half = o->estimate[0].paths / 2;
    if (!bailey_simulation_is_discretised(m->simulation)) return;
    if (bailey_simulation_bias(m->simulation,
                               half < FEWEST ? FEWEST
                               : half > MOST ? MOST
                                             : half,
                               s->source.seed, o->bias) != BAILEY_OK)
        memset(o->bias, 0, sizeof o->bias);
}

/* What is asked for, of a model that is ready. */
static int answer(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  struct price_devices *devices, struct price_outcome *outcome, struct price_risk *risk)
{
    if (a->value[EXPLAIN]) return price_explain(a, s, m, outcome);
    int code = price_run_on(a, s, m, devices, outcome);
    if (!code) code = price_risk_run(a, s, m, outcome, risk);
    if (code) return code;
    outcome->risk = risk;
    find_bias(s, m, outcome);
    return price_report(a, s, m, outcome, &devices->about[0]);
}

static int simulate(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    struct price_devices devices;
    struct price_outcome outcome = {0};
    struct price_risk risk;
    int code = price_risk_read(a, &risk);
    if (code) {
        price_risk_free(&risk);
        return code;
    }
    code = price_devices_open(a, &devices);
    if (!code) code = price_model_create(a, s, devices.context[0], m);
    if (!code) code = price_model_set(a, m);
    if (!code) code = price_outputs_read(a, m, &outcome);
    if (!code) code = answer(a, s, m, &devices, &outcome, &risk);
    price_outcome_free(&outcome);
    price_risk_free(&risk);
    bailey_simulation_destroy(m->simulation);
    m->simulation = NULL;
    price_devices_close(&devices);
    return code;
}

/* `product` is NULL for a payoff of one's own. */
static int run_simulation(const struct arguments *a, const struct price_product *product)
{
    struct price_settings settings;
    struct price_model model = {0};
    int code = price_settings_read(a, &settings);
    if (!code) code = price_samples_check(a);
    if (!code) code = price_job_check(a);
    if (!code) code = price_explain_check(a);
    if (!code) code = price_model_read(a, product, &settings, &model);
    if (!code) code = simulate(a, &settings, &model);
    price_model_free(&model);
    return code;
}

static int run_product(const struct arguments *a)
{
    return run_simulation(a, price_product(strchr(a->command->name, ' ') + 1));
}

static int run_payoff(const struct arguments *a)
{
    if (a->value[PAYOFF_TEMPLATE]) {
        fputs(price_template, stdout);
        return CLI_OK;
    }
    if (!a->value[PAYOFF])
        return cli_error(CLI_USAGE, "what to price is missing: the name of a product, or --payoff FILE; "
                                    "'bailey price --help' lists them");
    return run_simulation(a, NULL);
}

const struct command command_price_asian = {
    .name = "price asian",
    .summary = "an Asian call or put on the arithmetic mean of a basket of assets",
    .usage = "--spot S --strike K --rate R --volatility V --steps N  [options]\n"
             "       bailey price asian --fixings FILE --assets FILE --strike K --rate R  [options]",
    .about =
        "Prices the call that pays max(A - K, 0), or the put that pays max(K - A, 0), at the last "
        "fixing, where A\n"
        "is the mean over the fixings, past and to come, of the weighted sum of the assets. With one "
        "fixing it is\n"
        "a European option. The assets are correlated geometric Brownian motions. Prints the price with its "
        "standard\n"
        "error, the price with the geometric Asian option as control variate, and as a check that option's "
        "closed form\n"
        "(Kemna and Vorst 1990) beside its estimate from the same paths. A spread, which has a negative "
        "weight, has no\n"
        "such option. --control takes another expectation.",
    .examples = "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv \\\n"
                "      --correlation correlation.csv --strike 100 --rate 0.03 --paths 4000000 --seed 1\n"
                "      the deal of examples/asian-basket\n"
                "  bailey price asian ... --type put --past-count 3 --past-average 101.5\n"
                "      a put, three fixings later: --fixings holds those to come\n"
                "  bailey price asian ... --device cpu --json\n"
                "      for machines; \"hex\" holds the numbers as hexadecimal floats, to compare devices\n"
                "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv \\\n"
                "      --strike 100 --rate 0.03 --generator sobol --paths 4096 --replicates 32\n"
                "      quasi-Monte Carlo: 32 scrambles of 4096 points, whose spread is the error bar\n"
                "  bailey price asian --spot 100 --strike 100 --rate 0.03 --volatility 0.2 --steps 12 \\\n"
                "      --target-error 0.01\n"
                "      one asset, without files, to a standard error of 0.01\n"
                "\nFiles:\n"
                "  Fixings: a date (YYYY-MM-DD) or a number of years per line, increasing, all after the\n"
                "  valuation; one line makes a European option. A heading may stand before them: those that\n"
                "  'bailey paths --help' lists.\n"
                "  Assets: a heading, then a row for each asset, the columns in any order:\n"
                "      name,spot,volatility,dividend,weight\n"
                "      Acme,100,0.25,0.02,0.6\n"
                "  spot and volatility are needed. dividend: continuous yields, default 0. weight: default 1 "
                "/ assets;\n"
                "  negative for the asset that a spread subtracts.\n"
                "  Correlation: ones on the diagonal, in the order of the assets; in any order where a\n"
                "  heading, a first column or both have the assets' names.\n"
                "  Commas separate, numbers have a decimal point. Empty lines, lines that begin with #,\n"
                "  and commas at the end of a line are skipped.\n",
    .options = price_options,
    .run = run_product,
    .refuses = price_refuses,
    .more_help = generators_help,
    .describe = price_describe,
    .has_parameter = price_has_parameter,
    .repeatable = "--set",
};

const struct command command_price_payoff = {
    .name = "price",
    .summary = "'bailey price --payoff --help' explains payoffs of your own, which are texts in C.",
    .usage = "--payoff FILE  [--set NAME=VALUE ...] [options]\n"
             "       bailey price --payoff-template",
    .about =
        "Simulates paths and averages what a payoff of your own makes of each: a text in C, compiled into "
        "the\n"
        "simulation for the device, with the same bits on all of them. Its parameters are set by their "
        "names: with\n"
        "--set, with the option of the same name (--type sets sign, to 1 or -1), or from the columns of "
        "--assets.\n"
        "The first output is the price. x[] is Brownian motion, of --dims dimensions with --correlation, "
        "at the\n"
        "times of --steps and --maturity or of --fixings. 'bailey price --help' lists the built-in "
        "products.",
    .examples = "  bailey price --payoff-template > payoff.c\n"
                "      a text to start from, with comments\n"
                "  bailey price --payoff payoff.c --steps 12 --spot 100 --strike 100 --rate 0.03 "
                "--volatility 0.2 \\\n"
                "      --set barrier=80 --outputs price,knocked_out\n"
                "      its mean, with its standard error, and that of its second output\n"
                "  bailey price ... --target-error 0.01 --antithetic\n"
                "      as many paths as it takes\n"
                "  bailey price ... --paths 1000 --samples outputs.csv\n"
                "      what each path pays\n",
    .options = price_payoff_options,
    .run = run_payoff,
    .more_help = generators_help,
    .describe = price_describe,
    .has_parameter = price_has_parameter,
    .repeatable = "--set",
};

#define PRODUCT(id, word, what, needs, text, example)                                                        \
    const struct command command_price_##id = {                                                              \
        .name = "price " word,                                                                               \
        .summary = what,                                                                                     \
        .usage = needs " [options]",                                                                         \
        .about = text,                                                                                       \
        .examples = "  bailey price " word " " example,                                                      \
        .options = price_options,                                                                            \
        .run = run_product,                                                                                  \
        .refuses = price_refuses,                                                                            \
        .more_help = generators_help,                                                                        \
        .describe = price_describe,                                                                          \
        .has_parameter = price_has_parameter,                                                                \
        .repeatable = "--set",                                                                               \
    };

PRODUCT(european, "european", "a European call or put", "--spot S --strike K --rate R --volatility V",
        "Prices the call or put on one asset, a geometric Brownian motion, at its maturity.",
        "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --maturity 1\n"
        "      10.45 by the formula of Black and Scholes\n"
        "  bailey price european ... --generator sobol --paths 4096 --replicates 32 --json\n"
        "      quasi-Monte Carlo, for machines\n")

PRODUCT(asian_geometric, "asian-geometric", "an Asian option on the geometric mean of a basket",
        "--spot S --strike K --rate R --volatility V --steps N",
        "Prices the call or put on the geometric mean over the fixings of one asset, or of a basket in which "
        "each asset\n"
        "has its weight in money. Its closed form is known (Kemna and Vorst 1990).",
        "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --steps 12\n"
        "      twelve fixings in a year\n"
        "  bailey price asian-geometric --spot 100,50 --volatility 0.2,0.3 --correlation 0.5 --strike 75 \\\n"
        "      --rate 0.05 --steps 12 --antithetic\n"
        "      two assets\n")

PRODUCT(
    asian_max, "asian-max", "an Asian option with floating strike on the larger of two assets",
    "--set NAME=VALUE ...",
    "Prices the option of Howes and Thomas, GPU Gems 3, chapter 37, listing 37-8: the mean over the steps "
    "of the\n"
    "larger of two prices, less the larger at the end, if positive; not discounted. Parameters, per step: "
    "spot_a,\n"
    "spot_b, drift_a, drift_b, sigma_aa, sigma_ab, sigma_bb. Default: 256 steps of a year, both at 100, "
    "with\n"
    "volatilities of 20 % and a correlation of 0.5; the publication gives no numbers.",
    "--paths 100000\n"
    "      the default\n"
    "  bailey price asian-max --set spot_a=110 --set sigma_ab=0 --generator mt19937\n"
    "      other numbers, from another generator\n")

PRODUCT(
    lookback_garch, "lookback-garch", "a lookback option with GARCH volatility", "--set NAME=VALUE ...",
    "Prices the option of Howes and Thomas, GPU Gems 3, chapter 37, listing 37-9, whose volatility follows "
    "the\n"
    "steps; not discounted. Parameters, per step: spot, drift, volatility, shock, a0, a1, a2. Default: 8 "
    "steps with\n"
    "a mean volatility of 1 %; the publication gives no numbers.",
    "--paths 100000\n"
    "      the default\n"
    "  bailey price lookback-garch --spot 50 --steps 30 --set a1=0.8 --set a2=0.15\n"
    "      other numbers\n")

PRODUCT(
    barrier, "barrier", "a barrier option, with bridge correction",
    "--spot S --strike K --rate R --volatility V --side down|up --set barrier=B",
    "Prices the call or put that dies (--set knock_in=1: comes to life) when the price touches a barrier, "
    "at any\n"
    "time: what happens between the times of the path is taken into account by the law of the Brownian "
    "bridge, so\n"
    "that one step will do. --side down: a price at or below the barrier has touched it; up: at or above it. "
    "Where\n"
    "the spot has, the option is dead, or alive for good. --set rebate=R is paid at maturity, by an option "
    "that was\n"
    "knocked out or never came to life.",
    "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --side down --set barrier=80\n"
    "      a down-and-out call\n"
    "  bailey price barrier --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --side up \\\n"
    "      --set barrier=120 --set knock_in=1 --type put\n"
    "      an up-and-in put\n")

PRODUCT(digital, "digital", "a digital call or put", "--spot S --strike K --rate R --volatility V",
        "Prices the option that pays an amount of cash, --set cash=C, default 1, if the price is above the "
        "strike at\n"
        "maturity (--type put: below).",
        "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --set cash=10\n"
        "      10 if the price is above 100 in a year\n")

PRODUCT(
    heston, "heston", "a European call or put under Heston's stochastic volatility",
    "--spot S --strike K --rate R --correlation RHO --set NAME=VALUE ...",
    "Prices the call or put in the model of Heston (1993), with Euler's scheme and full truncation, whose "
    "bias falls\n"
    "with --steps, default 64. Parameters: variance (today's, the square of a volatility), reversion, "
    "mean_variance\n"
    "and sigma (of the variance). --correlation is that of price and variance.",
    "--spot 100 --strike 100 --rate 0.03 --correlation -0.7 --set variance=0.04 \\\n"
    "      --set reversion=1.5 --set mean_variance=0.04 --set sigma=0.3 --paths 1000000\n"
    "      a year\n")

PRODUCT(
    adaptive_milstein, "adaptive-milstein", "a European call or put, by a solver with steps of its own",
    "--spot S --strike K --rate R --volatility V",
    "Prices the call or put on a price whose equation is solved by Milstein's scheme, with steps that each "
    "path\n"
    "chooses: --set tolerance=T, default 0.1, is what the end may be wrong by, as a root mean square, over "
    "the\n"
    "square root of the maturity. The path is a Brownian motion at any of 2^levels times, default 2^20, and "
    "the\n"
    "same whatever the tolerance. Also printed are the mean of the squared error, since the solution is "
    "known,\n"
    "and the steps tried.",
    "--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --paths 100000\n"
    "      a year\n"
    "  bailey price adaptive-milstein ... --set tolerance=0.01 --precision f64\n"
    "      a tenth of the error, ten times the steps\n")

#define AMERICAN(id, word, what, needs, text, example)                                                       \
    const struct command command_price_##id = {                                                              \
        .name = "price " word,                                                                               \
        .summary = what,                                                                                     \
        .usage = needs " [options]",                                                                         \
        .about = text                                                                                        \
        "Prints an interval of 95 % for the price, and what it is made of: a lower bound, the value of a\n"  \
        "policy found by the regressions of Longstaff and Schwartz (2001), and the upper bound of "          \
        "Andersen\n"                                                                                         \
        "and Broadie (2004). The price is the middle of both; its standard error covers their distance.\n"   \
        "--paths are those of the lower bound. --fixings are the times of exercise; today is one, too.",     \
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

/* ---- Built-ins without a row above --------------------------------------------------------------- */

enum { MOST_OTHERS = 64 };
static struct command others[MOST_OTHERS];
static size_t other_count;

static void add_other(const char *product)
{
    const bailey_payoff payoff = {.name = product};
    bailey_description *d = NULL; /* which lives as long as the program, as its words are the command's */
    const size_t size = strlen(product) + sizeof "price ";
    char *name = malloc(size);
    if (!name || bailey_payoff_describe(&payoff, NULL, &d) != BAILEY_OK) {
        free(name);
        return;
    }
    snprintf(name, size, "price %s", product);
    others[other_count++] = (struct command){.name = name,
                                             .summary = d->summary,
                                             .usage = "[--NAME VALUE ...] [options]",
                                             .about = d->summary,
                                             .examples = "",
                                             .options = price_options,
                                             .run = run_product,
                                             .refuses = price_refuses,
                                             .more_help = generators_help,
                                             .describe = price_describe,
                                             .has_parameter = price_has_parameter,
                                             .repeatable = "--set"};
}

/* What the code of a built-in says of itself makes its command. */
static const struct command *other(size_t index)
{
    static int done;
    const char *product;
    for (size_t i = 0; !done && (product = price_product_name(i)) && other_count < MOST_OTHERS; i++) {
        int has_row = 0;
        for (const struct command *const *m = family_price.members; *m; m++)
            has_row |= !strcmp((*m)->name + sizeof "price", product);
        if (!has_row) add_other(product);
    }
    done = 1;
    return index < other_count ? &others[index] : NULL;
}

const struct family family_price = {
    .word = "price",
    .missing = "what to price",
    .kind = "product",
    .about = "Prices options, and payoffs of your own.",
    .members = {&command_price_european, &command_price_asian, &command_price_asian_geometric,
                &command_price_asian_max, &command_price_lookback_garch, &command_price_barrier,
                &command_price_digital, &command_price_heston, &command_price_adaptive_milstein,
                &command_price_american, &command_price_bermudan_max_call},
    .more = other,
    .otherwise = &command_price_payoff,
};
