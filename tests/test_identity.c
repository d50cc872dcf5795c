/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * test_identity DEVICE: what is saved of a run is of that run alone. By the structs' descriptions, each field
 * of the parameters is changed, in turn: what was saved before is refused then, but for the few fields that
 * change nothing (src/host/describe/digest.c). Checkpoints of other versions are refused, and say which.
 */
#include <host/describe/records.h>
#include <host/run/seal.h>

#include "jobs.h"

#include <bailey/mlmc.h>

#include <unistd.h>

static bailey_simulation_params deal;
static bailey_simulation_run_params run;

/* ---- Fields ---------------------------------------------------------------------------------------- */

/* A struct that says what a run is. */
struct subject {
    const char *what, *record;
    void *values;
    bailey_status (*take)(void); /* takes what was saved before for the run as it is now */
    const struct bly_size *sizes;
};

/* Fields that are not in digest.c's list, and are taken nevertheless. */
static const char *const changes_nothing[] = {
    "simulation_params.payoff.name",      /* for user code: the name of its file */
    "simulation_params.payoff.controls",  /* a whole payoff has none but its outputs */
    "mlmc_params.estimator.loop_budget"}; /* the code has no loops */

/* Other values of these are refused before anything saved is examined. */
static const char *const has_no_other[] = {
    "simulation_params.path.layout",
    "simulation_params.path.strategy",       /* these two are of arrays, which prices do not have */
    "simulation_run_params.sum",             /* goes with sum_limit */
    "simulation_run_params.normal.numerics", /* cpu has no fast ones */
    "simulation_params.payoff.model_code",   /* only products have models, which become part of */
    "simulation_params.payoff.model_name",   /* their code: what is digested is the code of both */
    "simulation_params.payoff.substeps",
    "mlmc_params.estimator.code",            /* that of the built-in, which name changes */
    "mlmc_params.estimator.model_code", /* levels have no model */
    "mlmc_params.estimator.model_name",
    "mlmc_params.estimator.substeps",
    "mlmc_params.estimator.controls",
    "mlmc_run_params.checkpoint",            /* where it is */
    "mlmc_run_params.schedule",              /* persistent kernels have none */
    "mlmc_run_params.normal.numerics",
    "mlmc_run_params.replicates", /* this and what follows is of points, which have none, */
    "mlmc_run_params.source.scramble",
    "mlmc_run_params.source.point_order",
    "mlmc_run_params.source.word_bits",
    "mlmc_run_params.source.assignment",
    "mlmc_run_params.source.warp_set"}; /* or of warp, which makes no levels */

#define IS_IN(list, path) is_in(list, sizeof list / sizeof *list, path)
static int is_in(const char *const *list, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i], path)) return 1;
    return 0;
}

#define MOST_SEEN 256
static char seen[MOST_SEEN][96]; /* fields of which another value was tried */
static int seen_count, refused, taken;

static int is_seen(const char *path)
{
    for (int i = 0; i < seen_count; i++)
        if (!strcmp(seen[i], path)) return 1;
    return 0;
}

static void try_it(const struct subject *s, const char *path, int taken_too)
{
    const bailey_status status = s->take();
    const int of_another = status == BAILEY_ERROR_INVALID && strstr(bailey_error_message(), "another run");
    if (status != BAILEY_OK && !of_another) return; /* the value does not go with others */
    if (of_another == taken_too)
        fail_msg("%s: with another %s it is %s", s->what, path, of_another ? "refused" : "taken");
    refused += of_another;
    taken += !of_another;
    if (is_seen(path)) return;
    assert_true(seen_count < MOST_SEEN);
    snprintf(seen[seen_count++], sizeof *seen, "%s", path);
}

static size_t bytes_of(const bailey_field *f)
{
    return f->type == BAILEY_FIELD_TYPE_REAL || f->type == BAILEY_FIELD_TYPE_UINT64 ||
                   f->type == BAILEY_FIELD_TYPE_TEXT
               ? 8
               : 4;
}

/* The meaning of a field's value: 0 means the default where there is one, and `auto` a bridge for these
 * payoffs. */
static double meaning(const bailey_field *f, const void *at)
{
    double value = 0;
    uint32_t narrow;
    uint64_t wide;
    if (f->type == BAILEY_FIELD_TYPE_REAL)
        memcpy(&value, at, sizeof value);
    else if (f->type == BAILEY_FIELD_TYPE_UINT64)
        memcpy(&wide, at, sizeof wide), value = (double)wide;
    else
        memcpy(&narrow, at, sizeof narrow), value = narrow;
    if (!strcmp(f->name, "construction") && value == BAILEY_CONSTRUCTION_AUTO)
        return BAILEY_CONSTRUCTION_BRIDGE;
    return value == 0 && !f->pointer ? f->default_value : value;
}

static void with(const struct subject *s, const char *path, const bailey_field *f, void *at,
                 const void *value, int taken_too)
{
    unsigned char kept[8];
    memcpy(kept, at, bytes_of(f));
    if (!memcmp(at, value, bytes_of(f))) return;
    if (f->type < BAILEY_FIELD_TYPE_TEXT && meaning(f, at) == meaning(f, value)) taken_too = 1;
    memcpy(at, value, bytes_of(f));
    try_it(s, path, taken_too);
    memcpy(at, kept, bytes_of(f));
}

/* A few other numbers. */
static void numbers(const struct subject *s, const char *path, const bailey_field *f, void *at, int taken_too)
{
    if (f->type == BAILEY_FIELD_TYPE_REAL) {
        double x;
        memcpy(&x, at, sizeof x);
        const double others[] = {x * 1.001, x * 0.75, x + 0.125, x - 0.0625, x + 1000};
        for (int i = 0; i < 5; i++) with(s, path, f, at, &others[i], taken_too);
    } else if (f->type == BAILEY_FIELD_TYPE_UINT64) {
        uint64_t n;
        memcpy(&n, at, sizeof n);
        const uint64_t others[] = {n + 1, n - 1, 2 * n, n ^ UINT64_C(1) << 60};
        for (int i = 0; i < 4; i++) with(s, path, f, at, &others[i], taken_too);
    } else {
        uint32_t n;
        memcpy(&n, at, sizeof n);
        const uint32_t others[][2] = {{n + 1}, {n - 1}, {2 * n}};
        for (int i = 0; i < 3; i++) with(s, path, f, at, others[i], taken_too);
    }
}

static void choices(const struct subject *s, const char *path, const bailey_field *f, void *at, int taken_too)
{
    for (uint32_t i = 0; i < f->choice_count; i++) {
        const uint32_t value[2] = {(uint32_t)f->choices[i].value};
        with(s, path, f, at, value, taken_too);
    }
}

static const char other_code[] =
    "typedef struct { real scale; real shift; } params;\n"
    "typedef struct { real sum; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->sum += x[0]; }\n"
    "void finish(const state *s, const params *p, real out[1]) { out[0] = p->scale * s->sum; }\n";

static void texts(const struct subject *s, const char *path, const bailey_field *f, void *at, int taken_too)
{
    static const char *const others[] = {"shift", "digital", other_code};
    for (int i = 0; i < 3; i++) with(s, path, f, at, &others[i], taken_too);
}

static void element(const struct subject *s, const char *path, const bailey_field *f, void *at, int taken_too)
{
    if (f->choice_count)
        choices(s, path, f, at, taken_too);
    else if (f->type == BAILEY_FIELD_TYPE_TEXT)
        texts(s, path, f, at, taken_too);
    else
        numbers(s, path, f, at, taken_too);
}

/* Each element, then the first two in the other order, then without the array. */
static void array(const struct subject *s, const char *path, const bailey_record *r, const void *values,
                  const bailey_field *f, unsigned char *at, int taken_too)
{
    unsigned char *first, other[16];
    uint64_t row;
    int known;
    const uint64_t count = bly_record_elements(r, values, f, s->sizes, &row, &known);
    const size_t bytes = bytes_of(f);
    if (!taken_too && !known) fail_msg("%s: no one knows its shape", path);
    memcpy(&first, at, sizeof first);
    if (!first) return;
    for (uint64_t i = 0; i < count; i++) element(s, path, f, first + i * bytes, taken_too);
    if (count > 1) {
        unsigned char kept[16];
        memcpy(kept, first, 2 * bytes);
        memcpy(other, first + bytes, bytes);
        memcpy(other + bytes, first, bytes);
        memcpy(first, other, 2 * bytes);
        if (memcmp(first, kept, bytes) != 0) try_it(s, path, taken_too);
        memcpy(first, kept, 2 * bytes);
    }
    memset(at, 0, sizeof(void *));
    /* Whether there are control variates says what is kept. */
    if (count) try_it(s, path, taken_too && strcmp(f->name, "expected") != 0);
    memcpy(at, &first, sizeof first);
}

static void record(const struct subject *s, const char *path, const bailey_record *r, unsigned char *values)
{
    for (uint32_t i = 0; i < r->field_count; i++) {
        const bailey_field *f = &r->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s.%s", path, f->name);
        if (f->type == BAILEY_FIELD_TYPE_RECORD) {
            record(s, name, bailey_describe(f->record), values + f->offset);
            continue;
        }
        if (f->output || f->type > BAILEY_FIELD_TYPE_RECORD) continue;
        if (f->type == BAILEY_FIELD_TYPE_TEXT && IS_IN(has_no_other, name)) continue;
        /* Without scenarios nothing is said of them. */
        const int without =
            strstr(name, ".scenarios.") && strcmp(f->name, "count") != 0 && !run.scenarios.count;
        const int same = without || bly_record_leaves_out(r, f) || IS_IN(changes_nothing, name);
        if (f->pointer)
            array(s, name, r, values, f, values + f->offset, same);
        else
            element(s, name, f, values + f->offset, same);
    }
}

static void none_is_missing(const char *path, const bailey_record *r)
{
    for (uint32_t i = 0; i < r->field_count; i++) {
        const bailey_field *f = &r->fields[i];
        char name[96];
        snprintf(name, sizeof name, "%s.%s", path, f->name);
        if (f->type == BAILEY_FIELD_TYPE_RECORD)
            none_is_missing(name, bailey_describe(f->record));
        else if (!f->output && f->type < BAILEY_FIELD_TYPE_RECORD && !is_seen(name) &&
                 !IS_IN(has_no_other, name))
            fail_msg("no other value of %s was tried", name);
    }
}

/* ---- Simulations ----------------------------------------------------------------------------------- */

static const char looping[] =
    "typedef struct { real scale; real shift; } params;\n"
    "typedef struct { int n; real sum; } state;\n"
    "void start(state *s, const params *p) { s->n = 1; s->sum = p->shift; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{ while (s->n > 0 && p->scale > 2) s->n = s->n + 1; s->sum += x[0]; }\n"
    "void finish(const state *s, const params *p, real out[1]) { out[0] = p->scale * s->sum; }\n";
static const char of_motion[] =
    "typedef struct { real scale; real shift; } params;\n"
    "void whole(const params *p, path x, real out[1])\n"
    "{ int n = 1; while (n > 0 && p->scale > 2) n = n + 1; out[0] = at(x, n, 0) + p->shift; }\n";

/* Longer than they have to be, for the sizes that are tried. */
static double times[16] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4}, factor[16] = {1, 0, 0.5, 1},
              covariance[16] = {1, 0.5, 0.5, 1}, begin[4] = {0.25, 0.5}, end[4] = {1, 2};
static uint32_t order[16] = {2, 1, 3, 4};
static const char *names[4] = {"scale", "shift", "third", "fourth"};
static double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, shifts[4] = {0, 0.1},
              matrices[64] = {1, 0, 0, 1, 1, 0, 0, 1}, weights[16] = {1, -1},
              scores[64] = {1, 1, 1, 1, 1, 1, 1}, expected[4] = {NAN};

static unsigned char *bytes;
static uint64_t size;

static bailey_status make_tally(bailey_tally **tally)
{
    static const double one = 1;
    bailey_simulation *s = NULL;
    *tally = NULL;
    bailey_status status = bailey_simulation_create(context, &deal, &s);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "scale", &one, 1);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "shift", &one, 1);
    if (status == BAILEY_OK) status = bailey_tally_create(s, &run, tally);
    bailey_simulation_destroy(s);
    return status;
}

static bailey_status take_tally(void)
{
    bailey_tally *tally;
    bailey_status status = make_tally(&tally);
    if (status == BAILEY_OK) status = bailey_tally_load(tally, bytes, size);
    bailey_tally_destroy(tally);
    return status;
}

static void change_simulation(const char *what)
{
    static const struct bly_size sizes[] = {{"dims", 2}, {"outputs", 1}, {"results", 1}, {NULL, 0}};
    const struct subject subjects[] = {{what, "simulation_params", &deal, take_tally, sizes},
                                       {what, "simulation_run_params", &run, take_tally, sizes}};
    bailey_tally *tally;
    OK(make_tally(&tally));
    size = bailey_tally_bytes(tally);
    bytes = allocate(size);
    OK(bailey_tally_save(tally, bytes, size));
    bailey_tally_destroy(tally);
    OK(take_tally());
    for (int i = 0; i < 2; i++)
        record(&subjects[i], subjects[i].record, bailey_describe(subjects[i].record), subjects[i].values);
    free(bytes);
}

TEST(simulations, ON_CPU)
{
    if (!device.has_f64) skip();
    deal = (bailey_simulation_params){.path = {.times = times,
                                               .steps = 4,
                                               .start_time = 0.25,
                                               .order = order,
                                               .dims = 2,
                                               .start = begin,
                                               .end = end},
                                      .payoff = {.code = looping}};
    run = (bailey_simulation_run_params){.paths = 5000, .source = {.seed = 1}, .expected = expected};
    deal.path.covariance = covariance;
    change_simulation("a bridge");
    deal.path.covariance = NULL, deal.path.factor = factor;
    run.source.generator = BAILEY_GENERATOR_SOBOL;
    change_simulation("points");
    run.source.generator = BAILEY_GENERATOR_WARP;
    run.sum = BAILEY_SUM_FIXED, run.sum_limit = 5000;
    run.histogram = (bailey_histogram){.low = 1, .high = 5, .bins = 3};
    change_simulation("warp");
    deal = (bailey_simulation_params){
        .path = {.times = times, .steps = 1, .dims = 2}, .payoff = {.code = of_motion}, .motion_depth = 20};
    run = (bailey_simulation_run_params){.paths = 5000};
    change_simulation("a motion");
    deal = (bailey_simulation_params){.path = {.times = times, .steps = 2, .dims = 2, .start = begin},
                                      .payoff = {.code = looping}};
    run.scenarios = (bailey_scenarios){.count = 2,
                                       .columns = 2,
                                       .names = names,
                                       .values = values,
                                       .time_shift = shifts,
                                       .covariance = matrices,
                                       .rows = 1,
                                       .weights = weights,
                                       .scores = scores};
    change_simulation("scenarios");
    none_is_missing("simulation_params", bailey_describe("simulation_params"));
    none_is_missing("simulation_run_params", bailey_describe("simulation_run_params"));
    print_message("# %d changes are refused, %d change nothing\n", refused, taken);
}

/* ---- Levels ---------------------------------------------------------------------------------------- */

static char path[300];

static int name_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/run", test_folder());
    return 0;
}

static void write_file(const void *from, uint64_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fwrite(from, 1, count, file) == count);
    assert_int_equal(fclose(file), 0);
}

static unsigned char *read_file(const char *from, uint64_t *count)
{
    FILE *file = fopen(from, "rb");
    unsigned char *read = allocate(1 << 16);
    if (!file) fail_msg("%s is not there", from);
    *count = fread(read, 1, 1 << 16, file);
    fclose(file);
    return read;
}

static double costs[BAILEY_MLMC_MAX_LEVELS];
static bailey_mlmc_params levels;
static bailey_mlmc_run_params level_run;

static bailey_status run_levels(void)
{
    bailey_mlmc *mlmc;
    bailey_mlmc_result r;
    bailey_status status = bailey_mlmc_create(context, &levels, &mlmc);
    if (status == BAILEY_OK) status = bailey_mlmc_run(mlmc, &level_run, &r);
    bailey_mlmc_destroy(mlmc);
    return status;
}

static bailey_status take_levels(void)
{
    write_file(bytes, size);
    return run_levels();
}

static void change_levels(const char *what)
{
    const struct subject subjects[] = {{what, "mlmc_params", &levels, take_levels, NULL},
                                       {what, "mlmc_run_params", &level_run, take_levels, NULL}};
    unlink(path);
    OK(run_levels());
    bytes = read_file(path, &size);
    OK(take_levels());
    for (int i = 0; i < 2; i++)
        record(&subjects[i], subjects[i].record, bailey_describe(subjects[i].record), subjects[i].values);
    free(bytes);
}

TEST(runs_of_levels, ON_CPU | LONG)
{
    if (!simulates()) skip();
    refused = taken = 0;
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) costs[l] = 1 << l;
    levels = (bailey_mlmc_params){.estimator = {.name = "european"}, .covariance = covariance, .dims = 2};
    level_run = (bailey_mlmc_run_params){.eps = 10,
                                         .min_level = 2,
                                         .max_level = 3,
                                         .cost = costs,
                                         .checkpoint = path,
                                         .checkpoint_seconds = 3600,
                                         .alpha = 1,
                                         .beta = 1,
                                         .gamma = 1};
    change_levels("levels");
    level_run.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC;
    change_levels("approximate levels");
    none_is_missing("mlmc_params", bailey_describe("mlmc_params"));
    none_is_missing("mlmc_run_params", bailey_describe("mlmc_run_params"));
    print_message("# %d changes are refused, %d change nothing\n", refused, taken);
}

/* ---- Versions -------------------------------------------------------------------------------------- */

/* Checkpoints that 0.1.0 wrote before its release: of these very runs. */
static void run_european(void)
{
    static const double one = 1, hundred = 100, rate = 0.05, volatility = 0.2;
    const bailey_simulation_params params = {.path = {.times = &one, .steps = 1},
                                             .payoff = {.name = "european"}};
    const bailey_job_params job = {.run = {.paths = 4096, .source = {.seed = 1}}, .checkpoint = path};
    bailey_simulation *s = NULL;
    bailey_estimate e;
    OK(bailey_simulation_create(context, &params, &s));
    OK(bailey_simulation_set(s, "spot", &hundred, 1));
    OK(bailey_simulation_set(s, "strike", &hundred, 1));
    OK(bailey_simulation_set(s, "rate", &rate, 1));
    OK(bailey_simulation_set(s, "volatility", &volatility, 1));
    const bailey_status status = bailey_job_run(&s, 1, &job, &e, NULL);
    bailey_simulation_destroy(s);
    if (status == BAILEY_OK) return;
    assert_int_equal(status, BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "checkpoint");
}

static void run_european_levels(void)
{
    levels = (bailey_mlmc_params){.estimator = {.name = "european"}};
    level_run = (bailey_mlmc_run_params){.eps = 0.5, .source = {.seed = 1}, .checkpoint = path};
    if (run_levels() == BAILEY_OK) return;
    assert_string_equal(bailey_error_argument(), "checkpoint");
}

static void says(const char *words)
{
    if (!strstr(bailey_error_message(), words) || !strstr(bailey_error_message(), path))
        fail_msg("says %s, not %s", bailey_error_message(), words);
}

static void other_version(void (*run_it)(void), unsigned format)
{
    char words[200];
    unlink(path);
    run_it();
    unsigned char *own = read_file(path, &size);
    memset(own + 16, 0, 16);
    memcpy(own + 16, "0.0.9", 5);
    bly_hash_of(own, (size_t)size - 32, own + size - 32);
    write_file(own, size);
    run_it();
    snprintf(words, sizeof words,
             "it was written by bailey 0.0.9, in format %u; this is bailey %s, with format %u", format,
             bailey_version(), format);
    says(words);
    memset(own + BLY_SEAL_IDENTITY, 'x', 64); /* of a format that is not known, but for its head */
    own[strlen((char *)own) - 2] = '9';
    bly_hash_of(own, 64, own + 64);
    write_file(own, 96);
    run_it();
    says("it was written by bailey 0.0.9, in format 9");
    free(own);
}

TEST(other_versions, ON_CPU)
{
    if (!simulates()) skip();
    unsigned char *old = read_file(BLY_SOURCE_DIR "/tests/checkpoints/tally_1", &size);
    write_file(old, size);
    run_european();
    says("it was written by bailey 0.1.0, before its release, in format 1; this is bailey");
    free(old);
    other_version(run_european, 2);
    old = read_file(BLY_SOURCE_DIR "/tests/checkpoints/mlmc_2", &size);
    write_file(old, size);
    run_european_levels();
    says("it was written by bailey 0.1.0, before its release, in format 2; this is bailey");
    free(old);
    other_version(run_european_levels, 3);
}

FIXTURE(name_path, NULL)
