/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program bailey-mpi: `bailey price` and `bailey batch` over the ranks of MPI. Every rank reads the
 * options and makes the simulations; rank 0 prints.
 */
#ifdef CLI_HAVE_JANSSON
#include <cli/batch/batch.h>
#endif
#include "app.h"
#include <cli/options/options.h>
#include <cli/price/price.h>

#include <bailey/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static int agreed; /* all_start has been called */

#define SUMMARY                                                                                              \
    "'bailey price' and 'bailey batch' over the ranks of MPI, with the same bits for any number of them"

static void help(void)
{
    printf("bailey-mpi %s: " SUMMARY ".\n"
           "\n"
           "usage: mpirun [-n RANKS] bailey-mpi price WHAT [options]\n"
           "       mpirun [-n RANKS] bailey-mpi batch FILE [options]\n"
           "       bailey-mpi --version\n"
           "\n"
           "WHAT and the options are those of 'bailey price --help', except --save-outputs, and of 'bailey "
           "batch\n"
           "--help'. Each rank opens the devices of --device, in which %% stands for its number on its "
           "machine,\n"
           "and has as many --threads and --workers. Rank 0 shares out the work, prints, and has the\n"
           "--checkpoint and the --output. All ranks read the FILE of deals; for one rank it may be -.\n"
           "\n"
           "Examples:\n"
           "  mpirun -n 3 bailey-mpi price european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 "
           "--threads 1\n"
           "      three ranks of a thread each\n"
           "  mpirun -n 8 bailey-mpi price heston ... --device cuda:%%\n"
           "      eight GPUs of one machine, or more of several\n"
           "  mpirun -n 8 bailey-mpi batch deals.json --device cuda:%% --output prices.jsonl\n"
           "      a file of deals, each priced by one of them\n",
           bailey_version());
}

static const struct command *const commands[] = {NULL};
static const struct family *const families[] = {NULL};
static const struct catalogue catalogue = {
    .program = "bailey-mpi", .summary = SUMMARY, .help = help, .commands = commands, .families = families};

/* Whether every rank is ready to run the job: each calls it once. */
static int all_start(int ready)
{
    int all = 0;
    agreed = 1;
    MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static bailey_status run(bailey_simulation *const *simulations, size_t count, const bailey_job_params *params,
                         bailey_estimate *estimates, bailey_job_report *report)
{
    bailey_mpi_report all = {.rank_paths = price_jobs.rank_paths};
    if (!all_start(1)) {
        if (rank == 0) cli_error(CLI_FAILED, "another rank could not start");
        cli_hearing = CLI_HEAR_NOTHING;
        return BAILEY_ERROR_CANCELLED;
    }
    const bailey_status status = bailey_mpi_run(MPI_COMM_WORLD, simulations, count, params, estimates, &all);
    if (rank) cli_hearing = CLI_HEAR_NOTHING;
    *report = all.job;
    return status;
}

/* This rank's number on its machine. */
static int local_rank(void)
{
    MPI_Comm machine;
    int local = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_free(&machine);
    return local;
}

/* `text` with a number instead of each %, to be freed; NULL without memory. */
static char *fill_in(const char *text, int number)
{
    const size_t size = strlen(text) * 12 + 1;
    char *filled = malloc(size), *to = filled;
    for (; filled && *text; text++)
        to += *text == '%' ? snprintf(to, 12, "%d", number) : snprintf(to, 2, "%c", *text);
    if (filled) *to = 0;
    return filled;
}

/* Fills in what stands after --device. */
static char *find_device(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const int joined = !strncmp(argv[i], "--device=", 9),
                  next = !strcmp(argv[i], "--device") && i + 1 < argc;
        char **value = next ? &argv[i + 1] : &argv[i];
        if (!(joined || next) || !strchr(*value, '%')) continue;
        return *value = fill_in(*value, local_rank());
    }
    return NULL;
}

static int is_word(int argc, char **argv, const char *word) { return argc > 1 && !strcmp(argv[1], word); }

/* Ranks share the paths. */
static int run_price(int argc, char **argv)
{
    price_jobs = (struct price_jobs){.run = run, .ranks = ranks};
    price_jobs.rank_paths = calloc((size_t)ranks, sizeof *price_jobs.rank_paths);
    if (!price_jobs.rank_paths) MPI_Abort(MPI_COMM_WORLD, CLI_FAILED);
    const int code = family_run(&family_price, argc - 2, argv + 2);
    free(price_jobs.rank_paths);
    return code;
}

/* Ranks share the deals, each of which is priced as in `bailey batch`. */
static int run_batch(int argc, char **argv)
{
#ifdef CLI_HAVE_JANSSON
    batch_team = batch_mpi_team(rank, ranks, all_start);
#else
    if (rank) cli_hearing = CLI_HEAR_NOTHING; /* what is missing is missing for all */
#endif
    return command_run(&command_batch, argc - 2, argv + 2);
}

static int run_program(int argc, char **argv)
{
    if (is_word(argc, argv, "price")) return run_price(argc, argv);
    if (is_word(argc, argv, "batch")) return run_batch(argc, argv);
    if (is_word(argc, argv, "--version") || is_word(argc, argv, "-V")) {
        printf("bailey-mpi %s\n", bailey_version());
        return cli_finish_stdout();
    }
    if (argc > 1 && !is_help(argv[1])) {
        cli_command = "bailey-mpi";
        return cli_error(CLI_USAGE, "'%s' does not run over MPI; only 'price' and 'batch' do",
                         cli_printable(argv[1]));
    }
    help();
    const int finished = cli_finish_stdout();
    return finished ? finished : argc > 1 ? CLI_OK : CLI_USAGE;
}

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    cli_catalogue = &catalogue;
    if (is_word(argc, argv, command_manual.name)) return command_run(&command_manual, argc - 2, argv + 2);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank) cli_hearing = CLI_HEAR_FAILURES;
    if (rank && !freopen("/dev/null", "w", stdout)) MPI_Abort(MPI_COMM_WORLD, CLI_FAILED);
    char *device = find_device(argc, argv);
    const int code = run_program(argc, argv);
    if (!agreed) all_start(0);
    free(device);
    MPI_Finalize();
    return code;
}
