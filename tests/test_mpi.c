/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mpi_run on any number of ranks: the bits of a plain run, a checkpoint that is begun with some ranks
 * and ended with others, ranks that leave, and errors that all ranks get. For mpirun; tests/mpi.sh starts it.
 */
#define _GNU_SOURCE /* dladdr */
#include <bailey/gradient.h>
#include <bailey/mpi.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "typedef struct { real scale; } params;\n"
    "typedef struct { real sum; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->sum += exp(x[0]); }\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{ out[0] = fmax(p->scale * s->sum - 3, 0); out[1] = s->sum; }\n";

static int rank, ranks, failed;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "rank %d, line %d: %s: %s | %s\n", rank, __LINE__, #condition,                   \
                    bailey_mpi_error_message(), bailey_error_message());                                     \
            failed = 1;                                                                                      \
        }                                                                                                    \
    } while (0)

static bailey_simulation *make(bailey_context *context, double scale)
{
    static const double times[] = {0.5, 1, 2};
    const bailey_simulation_params params = {.path = {.times = times, .steps = 3}, .payoff = {.code = text}};
    bailey_simulation *s = NULL;
    CHECK(bailey_simulation_create(context, &params, &s) == BAILEY_OK);
    CHECK(bailey_simulation_set(s, "scale", &scale, 1) == BAILEY_OK);
    return s;
}

enum { BINS = 4 };

struct outcome {
    bailey_estimate e[2];
    double covariance[4];
    uint64_t counts[BINS + 2];
};

static bailey_simulation_run_params run_of(struct outcome *out)
{
    return (bailey_simulation_run_params){
        .paths = 300000,
        .replicates = 2,
        .source = {.seed = 5},
        .covariance = out->covariance,
        .histogram = {.high = 10, .bins = BINS, .output = 1, .counts = out->counts}};
}

static void same_as_plain(bailey_simulation *s)
{
    struct outcome plain = {0}, found = {0};
    bailey_simulation_run_params run = run_of(&plain);
    uint64_t *paths = calloc((size_t)ranks, sizeof *paths), all = 0;
    bailey_mpi_report report = {.rank_paths = paths};
    const bailey_job_params job = {.run = run_of(&found)};
    CHECK(bailey_simulation_run(s, &run, plain.e) == BAILEY_OK);
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, found.e, &report) == BAILEY_OK);
    CHECK(memcmp(&plain, &found, sizeof plain) == 0);
    CHECK(report.ranks == ranks && report.job.known == 600000 && report.job.paths == 300000);
    for (int i = 0; i < ranks; i++) all += paths[i];
    CHECK(all == 600000);
    free(paths);
}

/* Derivatives, as outputs of a simulation. */
static void gradient(bailey_simulation *s)
{
    const bailey_gradient_params params = {.time = 1};
    const bailey_job_params job = {.run = {.paths = 200000, .source = {.seed = 4}, .antithetic = 1}};
    bailey_simulation *derivatives = NULL;
    bailey_derivative plain[2], found[2];
    bailey_estimate e[4];
    CHECK(bailey_simulation_gradient(s, &job.run, &params, NULL, plain) == BAILEY_OK);
    CHECK(bailey_simulation_gradient_create(s, &params, &derivatives) == BAILEY_OK);
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &derivatives, 1, &job, e, NULL) == BAILEY_OK);
    CHECK(bailey_simulation_gradient_read(s, &params, e, found) == BAILEY_OK);
    for (int k = 0; k < 2; k++)
        CHECK(memcmp(&plain[k].estimate, &found[k].estimate, sizeof plain[k].estimate) == 0);
    bailey_simulation_destroy(derivatives);
}

/* Code that fails as it runs: every rank is told the first path, as a plain run tells it. */
static void failing(bailey_context *context)
{
    static const double times[] = {0.5, 1, 2}, above = 4.2, zero = 0;
    static const char code[] =
        "typedef struct { real above; int zero; } params;\n"
        "typedef struct { real h[2]; } state;\n"
        "void start(state *s, const params *p) { s->h[0] = 0; s->h[1] = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ if (x[0] > p->above) s->h[p->zero + 2] = 1; }\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = s->h[0]; }\n";
    const bailey_simulation_params params = {.path = {.times = times, .steps = 3}, .payoff = {.code = code}};
    const bailey_job_params job = {.run = {.paths = 300000, .replicates = 2, .source = {.seed = 5}}};
    bailey_estimate e;
    char plain[512];
    bailey_simulation *s = NULL;
    CHECK(bailey_simulation_create(context, &params, &s) == BAILEY_OK);
    CHECK(bailey_simulation_set(s, "above", &above, 1) == BAILEY_OK);
    CHECK(bailey_simulation_set(s, "zero", &zero, 1) == BAILEY_OK);
    CHECK(bailey_simulation_run(s, &job.run, &e) == BAILEY_ERROR_PAYOFF);
    snprintf(plain, sizeof plain, "%s", bailey_error_message());
    CHECK(strstr(plain, "index 2 of h[2], on path ") != NULL);
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, &e, NULL) == BAILEY_ERROR_PAYOFF);
    CHECK(strcmp(bailey_mpi_error_message(), plain) == 0);
    bailey_simulation_destroy(s);
}

static void target(bailey_simulation *s)
{
    bailey_estimate found[2], plain[2];
    bailey_job_params job = {.run = {.paths = 1 << 20, .source = {.seed = 3}}, .target_error = 0.02};
    bailey_mpi_report report = {0};
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, found, &report) == BAILEY_OK);
    CHECK(report.job.reached && report.job.stages > 1);
    job.run.paths = report.job.paths;
    CHECK(bailey_simulation_run(s, &job.run, plain) == BAILEY_OK);
    CHECK(memcmp(found, plain, sizeof plain) == 0);
}

static int stops(void *user, uint64_t done, uint64_t total)
{
    (void)total;
    return done >= *(const uint64_t *)user;
}

/* Rank 0 is stopped again and again; the others finish their current range. */
static void checkpoint(bailey_simulation *s, const char *file)
{
    struct outcome plain = {0}, found = {0};
    bailey_simulation_run_params run = run_of(&plain);
    uint64_t at = 0;
    bailey_job_params job = {.run = run_of(&found), .checkpoint = file};
    bailey_mpi_report report = {0};
    bailey_status status;
    int times = 0;
    CHECK(bailey_simulation_run(s, &run, plain.e) == BAILEY_OK);
    if (rank == 0) {
        job.run.progress = stops;
        job.run.progress_user = &at;
    }
    while ((status = bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, found.e, &report)) ==
               BAILEY_ERROR_CANCELLED &&
           times++ < 50) {
        CHECK(strstr(bailey_mpi_error_message(), "cancelled after"));
        at = report.job.known + 100000;
    }
    CHECK(status == BAILEY_OK);
    CHECK(memcmp(&plain, &found, sizeof plain) == 0);
    if (rank == 0) remove(file);
}

static int leaves_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    return rank != 0;
}

/* All but rank 0 are stopped, and rank 0 does their work. */
static void leaving(bailey_simulation *s)
{
    struct outcome plain = {0}, found = {0};
    bailey_simulation_run_params run = run_of(&plain);
    bailey_job_params job = {.run = run_of(&found)};
    job.run.progress = leaves_at_once;
    CHECK(bailey_simulation_run(s, &run, plain.e) == BAILEY_OK);
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, found.e, NULL) == BAILEY_OK);
    CHECK(memcmp(&plain, &found, sizeof plain) == 0);
}

#if defined(__GLIBC__)
/* Of libbailey-mpi, that there is memory for; -1: as much as there is. */
static volatile int allocations = -1;

void *__libc_malloc(size_t size);
void *malloc(size_t size);
void *malloc(size_t size)
{
    Dl_info caller;
    if (allocations >= 0 && dladdr(__builtin_return_address(0), &caller) &&
        strstr(caller.dli_fname, "libbailey-mpi") && allocations-- <= 0)
        return NULL;
    return __libc_malloc(size);
}

/* Rank 0 has no memory for what the others send, which is more than MPI takes without somebody who waits for
 * it: all ranks are told so. */
static void starving(bailey_simulation *s)
{
    enum { MANY = 20000 };
    uint64_t *counts = calloc(MANY + 2, sizeof *counts);
    bailey_estimate e[2];
    bailey_job_params job = {.run = {.paths = 3000000, .source = {.seed = 6}}};
    job.run.histogram = (bailey_histogram){.high = 10, .bins = MANY, .output = 1, .counts = counts};
    if (rank == 0) allocations = 0;
    const bailey_status status = bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, e, NULL);
    allocations = -1;
    CHECK(status == (ranks > 1 ? BAILEY_ERROR_MEMORY : BAILEY_OK));
    if (ranks > 1) CHECK(strstr(bailey_mpi_error_message(), "out of memory for a tally"));
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, e, NULL) == BAILEY_OK);
    free(counts);
}
#else
static void starving(bailey_simulation *s) { (void)s; }
#endif

static void refused(bailey_context *context, bailey_simulation *s)
{
    bailey_simulation *other = make(context, rank ? 2 : 1);
    bailey_estimate e[2];
    bailey_job_params job = {.run = {.paths = UINT64_C(1) << 40}};
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, &s, 1, &job, e, NULL) == BAILEY_ERROR_INVALID);
    CHECK(strstr(bailey_mpi_error_message(), "2^38"));
    CHECK(bailey_mpi_run(MPI_COMM_WORLD, rank == ranks - 1 ? NULL : &s, 1, &job, e, NULL) ==
          BAILEY_ERROR_INVALID);
    job.run.paths = 3000000;
    const bailey_status status = bailey_mpi_run(MPI_COMM_WORLD, &other, 1, &job, e, NULL);
    CHECK(status == (ranks > 1 ? BAILEY_ERROR_INVALID : BAILEY_OK));
    if (ranks > 1) CHECK(strstr(bailey_mpi_error_message(), "not the same payoff's parameters"));
    bailey_simulation_destroy(other);
}

static void shares(void)
{
    for (uint64_t items = 0; items < 20; items++) {
        uint64_t first = 0, count = bailey_mpi_share(MPI_COMM_WORLD, items, &first), next = first + count,
                 all = 0;
        MPI_Allreduce(&count, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all == items);
        MPI_Bcast(&next, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        CHECK(rank != 1 || first == next);
    }
}

int main(int argc, char **argv)
{
    int level, any = 0;
    bailey_context *context = NULL;
    const bailey_context_params params = {.threads = 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK(bailey_context_create("cpu", &params, &context) == BAILEY_OK);
    bailey_simulation *s = make(context, 1);
    same_as_plain(s);
    gradient(s);
    target(s);
    checkpoint(s, argv[1]);
    failing(context);
    leaving(s);
    starving(s);
    refused(context, s);
    shares();
    bailey_simulation_destroy(s);
    bailey_context_destroy(context);
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && !any) printf("%d ranks: all right\n", ranks);
    MPI_Finalize();
    return any;
}
