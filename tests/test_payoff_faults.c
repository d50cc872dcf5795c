/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code that fails as it runs: the run ends with ERROR_PAYOFF and names the place in the code, the
 * value and the first path that failed, whatever the device, the widths, the threads and the cutting of the
 * run. Which path that is comes from the samples of code that does not fail.
 */
#include "jobs.h"

#define PATHS 3000u
#define BUDGET 4096u
#define NONE UINT64_MAX

/* The path's greatest value, which none of these changes but where it fails. */
#define PARAMS "typedef struct { real above, shift; int zero; /* [default 0] */ } params;\n"
#define HEAD PARAMS "typedef struct { real most, h[2]; int k, n; } state;\n"
#define START                                                                                                \
    "void start(state *s, const params *p) { s->most = -10; s->k = 0; s->n = 1; s->h[0] = 0; s->h[1] = 0; "  \
    "}\n"
#define STEP_IS(...)                                                                                         \
    "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                               \
    "    const real v = x[0] + p->shift;\n    s->most = fmax(s->most, v);\n    " __VA_ARGS__ "\n}\n"
#define FINISH "void finish(const state *s, const params *p, real out[]) { out[0] = s->most; }\n"
#define PLAIN HEAD START STEP_IS("") FINISH

/* `mark` stands in the code where it fails, once. */
struct failing {
    const char *name, *code, *mark, *words;
};

static const struct failing cases[] = {
    {"index in step", HEAD START STEP_IS("if (v > p->above) s->h[p->zero + 12] = 1;") FINISH,
     "[p->zero + 12]", "index 12 of h[2]"},
    {"read by an index", HEAD START STEP_IS("if (v > p->above) s->most += s->h[p->zero - 3];") FINISH,
     "[p->zero - 3]", "index -3 of h[2]"},
    {"division in step", HEAD START STEP_IS("if (v > p->above) s->k = 7 / p->zero;") FINISH, "/ p->zero",
     "division of an integer by 0"},
    {"remainder in step", HEAD START STEP_IS("if (v > p->above) s->k = 7 % p->zero;") FINISH, "% p->zero",
     "division of an integer by 0"},
    {"while in step", HEAD START STEP_IS("if (v > p->above) while (s->n > 0) s->n = 1 + p->zero;") FINISH,
     "while", "this while takes more than the loop budget of 4096 trips"},
    {"for in step",
     HEAD START STEP_IS("if (v > p->above) for (int j = 0; s->n > 0; j++) s->n = 1 + p->zero;") FINISH,
     "for (", "this for takes more than the loop budget of 4096 trips"},
    {"do in step", HEAD START STEP_IS("if (v > p->above) do s->n = 1 + p->zero; while (s->n > 0);") FINISH,
     "do s->n", "this do takes more than the loop budget of 4096 trips"},
    {"a break that never comes",
     HEAD START STEP_IS("if (v > p->above) while (1) { if (s->n < p->zero) break; s->k ^= 1; }") FINISH,
     "while", "this while takes more than the loop budget of 4096 trips"},
    {"finish",
     HEAD START STEP_IS(
         "") "void finish(const state *s, const params *p, real out[])\n{\n    out[0] = s->most;\n"
             "    if (s->most > p->above) out[p->zero + 5] = 1;\n}\n",
     "[p->zero + 5]", "index 5 of out[1]"},
    {"a function of its own",
     HEAD "int split(int a, int b) { return a / b; }\n" START STEP_IS(
         "if (v > p->above) s->k = split(3, p->zero);") FINISH,
     "/ b", "division of an integer by 0"},
    {"the first of two",
     HEAD START STEP_IS("if (v > p->above) { s->h[p->zero + 2] = 1; s->k = 1 / p->zero; }") FINISH,
     "[p->zero + 2]", "index 2 of h[2]"},
    {"whole",
     PARAMS "void whole(const params *p, path x, real out[])\n{\n    real most = -10, h[3] = {0};\n"
            "    for (int i = 0; i < STEPS; i++) most = fmax(most, at(x, i, 0) + p->shift);\n"
            "    if (most > p->above) h[(int)most + 100] = 1;\n    out[0] = most + h[1];\n}\n",
     "[(int)most + 100]", "index 10? of h[3]"},
    {"whole, a loop",
     PARAMS "void whole(const params *p, path x, real out[])\n{\n    real most = -10;\n    int n = 1;\n"
            "    for (int i = 0; i < STEPS; i++) most = fmax(most, at(x, i, 0) + p->shift);\n"
            "    if (most > p->above) while (n > 0) n = 1 + p->zero;\n    out[0] = most;\n}\n",
     "while", "this while takes more than the loop budget of 4096 trips"},
    {"whole, a step beyond",
     PARAMS "void whole(const params *p, path x, real out[])\n{\n    real most = -10;\n"
            "    for (int i = 0; i < STEPS; i++) most = fmax(most, at(x, i, 0) + p->shift);\n"
            "    if (most > p->above) most += at(x, p->zero + 5, 0);\n    out[0] = most;\n}\n",
     "at(x, p->zero", "5 is not a step or a dimension of the path"},
};
#define CASES (sizeof cases / sizeof *cases)

static const double times[3] = {0.5, 1, 1.75};

static bailey_simulation *make_at(const double *at, uint64_t steps, const char *code,
                                  bailey_precision precision, double above)
{
    const bailey_simulation_params params = {.path = {.times = at, .steps = steps, .precision = precision},
                                             .payoff = {.code = code, .loop_budget = BUDGET}};
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    set(made, "above", above);
    set(made, "shift", 0);
    set(made, "zero", 0);
    return made;
}

static bailey_simulation *make(const char *code, bailey_precision precision, double above)
{
    return make_at(times, 3, code, precision, above);
}

/* "payoff.c:LINE:COLUMN: " of the mark. */
static void find_place(const struct failing *c, char *text, size_t size)
{
    const char *at = strstr(c->code, c->mark), *line = c->code;
    unsigned lines = 1;
    if (!at) fail_msg("%s: no mark", c->name);
    for (const char *q = c->code; q < at; q++)
        if (*q == '\n') lines++, line = q + 1;
    snprintf(text, size, "payoff.c:%u:%u: ", lines, (unsigned)(at - line) + 1);
}

/* Whether `text` is `wanted`, in which ? stands for a digit. */
static int matches(const char *text, const char *wanted)
{
    for (; *wanted; text++, wanted++)
        if (*text != *wanted && !(*wanted == '?' && *text >= '0' && *text <= '9')) return 0;
    return *text == 0;
}

static void check_fault(const char *what, bailey_status status, const struct failing *c, const char *where)
{
    char place[64], wanted[512];
    find_place(c, place, sizeof place);
    snprintf(wanted, sizeof wanted, "%s%s, on %s", place, c->words, where);
    if (status != BAILEY_ERROR_PAYOFF)
        fail_msg("%s, %s: %s (%s), not a fault on %s", what, c->name, bailey_status_name(status),
                 bailey_error_message(), where);
    if (!matches(bailey_error_message(), wanted))
        fail_msg("%s, %s: \"%s\", not \"%s\"", what, c->name, bailey_error_message(), wanted);
    assert_string_equal(bailey_error_argument(), "payoff");
}

/* The first of `count` samples above a limit, from number `from` on; NONE: there is none. */
static uint64_t first_above(const void *samples, bailey_precision precision, uint64_t from, uint64_t count,
                            double above)
{
    for (uint64_t i = from; i < count; i++)
        if (number_at(samples, precision, i) > above) return i;
    return NONE;
}

static void *plain_samples(bailey_precision precision, bailey_simulation_run_params run)
{
    bailey_estimate estimate;
    bailey_simulation *s = make(PLAIN, precision, 0);
    void *samples = run_for_samples(s, run, precision, &estimate);
    bailey_simulation_destroy(s);
    return samples;
}

static const char *path_words(uint64_t path)
{
    static char words[64];
    snprintf(words, sizeof words, "path %llu", (unsigned long long)path);
    return words;
}

/* Each kind of fault, everywhere that it may be: and nothing of the kind below the limit. */
TEST(kinds, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    const bailey_simulation_run_params run = {.paths = PATHS, .source = {.seed = 3}};
    float *samples = plain_samples(BAILEY_PRECISION_F32, run);
    const uint64_t first = first_above(samples, BAILEY_PRECISION_F32, 0, PATHS, 2.5);
    assert_true(first != NONE && first > 0);
    for (size_t i = 0; i < CASES; i++) {
        bailey_estimate estimate = {.mean = 77};
        bailey_simulation *s = make(cases[i].code, BAILEY_PRECISION_F32, 2.5);
        check_fault("a run", bailey_simulation_run(s, &run, &estimate), &cases[i], path_words(first));
        assert_true(estimate.mean == 77); /* nothing of the result */
        set(s, "above", 1000);
        OK(bailey_simulation_run(s, &run, &estimate));
        bailey_simulation_destroy(s);
    }
    free(samples);
}

/* Code that does not fail as it runs has the bits of code that cannot. */
TEST(same_numbers, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.paths = PATHS, .source = {.seed = 4}, .moments = 1};
    bailey_estimate e, f;
    bailey_simulation *a = make(PLAIN, BAILEY_PRECISION_F64, 0),
                      *b = make(cases[0].code, BAILEY_PRECISION_F64, 1000);
    OK(bailey_simulation_run(a, &run, &e));
    OK(bailey_simulation_run(b, &run, &f));
    same_bits("sums", &f, &e, sizeof e / 8, 8);
    bailey_simulation_destroy(a);
    bailey_simulation_destroy(b);
}

/* For all paths, in double. */
static void check_means(bailey_simulation *s, double first, double second)
{
    const bailey_simulation_run_params run = {.paths = 100, .source = {.seed = 4}};
    bailey_estimate e[2];
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].mean == first && e[1].mean == second);
    bailey_simulation_destroy(s);
}

/* Values that are put into temporaries, where a condition's operands have their own temporaries. */
TEST(conditions, DEVICE | LONG_ON_OPENCL)
{
    static const char code[] = HEAD
        "void start(state *s, const params *p) { s->most = 1; s->k = 0; s->n = 1; s->h[0] = 3; s->h[1] = 5; "
        "}\n"
        "void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
        "void finish(const state *s, const params *p, real out[2])\n{\n"
        "    const int z = p->zero;\n"
        "    out[0] = s->h[z] + (s->n > z ? 10 * s->h[z + 1] + s->h[z] : 0) * s->h[z + 1];\n"
        "    out[1] = s->h[z] - (s->n < z ? 1 : s->n > z ? 10 * s->h[z + 1] + s->h[z] : s->h[1 - z]);\n}\n";
    if (!simulates()) skip();
    check_means(make(code, BAILEY_PRECISION_F64, 0), 3 + 53 * 5, 3 - 53);
}

/* Sums of an int and a loop's counter that wrap around and are then widened (bailey_widen of lang/ptx.h). The
 * loop has too many trips to be unrolled, and reads memory by its counter. */
TEST(wrapped_sums, DEVICE | LONG_ON_OPENCL)
{
    enum { STEPS = 200 };
    static const char code[] = PARAMS "void whole(const params *p, path x, real out[2])\n{\n"
                                      "    int64 last = 0;\n"
                                      "    uint64 next = 0;\n"
                                      "    for (int i = 0; i < STEPS; i++)\n"
                                      "        if (at(x, i, 0) > -100) {\n"
                                      "            last = 2147483645 + i;\n"
                                      "            next = (uint64)(-2 - 81 * (2147483647 + i));\n"
                                      "        }\n"
                                      "    out[0] = last;\n"
                                      "    out[1] = (int64)next;\n}\n";
    double each[STEPS];
    if (!simulates()) skip();
    for (int i = 0; i < STEPS; i++) each[i] = 0.25 * (i + 1);
    check_means(make_at(each, STEPS, code, BAILEY_PRECISION_F64, 0), (int32_t)(2147483645u + STEPS - 1),
                (int32_t)(-2 - 81 * (2147483647u + STEPS - 1)));
}

/* In each way of adding up, of cutting, and of precision. */
TEST(cuts, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    for (int f64 = 0; f64 < (only_drawn() ? 1 : 2); f64++) {
        const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        bailey_simulation_run_params run = {.paths = PATHS, .source = {.seed = 5}};
        bailey_estimate e;
        void *samples = plain_samples(precision, run);
        bailey_simulation *s = make(cases[0].code, precision, 2.5);
        const uint64_t first = first_above(samples, precision, 0, PATHS, 2.5),
                       next = first_above(samples, precision, first + 1, PATHS, 2.5);
        run.paths = first;
        OK(bailey_simulation_run(s, &run, &e)); /* all before it */
        run.paths = first + 1;
        check_fault("the last path", bailey_simulation_run(s, &run, &e), &cases[0], path_words(first));
        run.first_path = first + 1;
        run.paths = PATHS - run.first_path;
        check_fault("all behind", bailey_simulation_run(s, &run, &e), &cases[0], path_words(next));
        run = (bailey_simulation_run_params){.paths = PATHS, .source = {.seed = 5}, .moments = 1};
        check_fault("shape", bailey_simulation_run(s, &run, &e), &cases[0], path_words(first));
        run.sum = BAILEY_SUM_FIXED;
        run.sum_limit = 64;
        check_fault("fixed sums", bailey_simulation_run(s, &run, &e), &cases[0], path_words(first));
        run.sum_limit = 0x1p-20; /* which other paths are beyond */
        check_fault("beyond", bailey_simulation_run(s, &run, &e), &cases[0], path_words(first));
        bailey_simulation_destroy(s);
        free(samples);
    }
}

/* Wherever normals and paths come from: in registers, or through memory. */
TEST(sources, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const double many[12] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 1.75};
    static const bailey_source from[] = {
        {.seed = 1, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
        {.seed = 1, .generator = BAILEY_GENERATOR_MT19937},
        {.seed = 1},
        {.seed = 1},
        {.seed = 1},
    };
    static const bailey_bridge_params paths[] = {
        {.times = many, .steps = 12},
        {.times = many, .steps = 12},
        {.times = many, .steps = 12, .construction = BAILEY_CONSTRUCTION_WALK},
        {.times = many, .steps = 12, .construction = BAILEY_CONSTRUCTION_PCA},
        {.times = many,
         .steps = 12,
         .dims = 2,
         .construction = BAILEY_CONSTRUCTION_WALK,
         .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS},
    };
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        const bailey_simulation_run_params run = {.paths = PATHS, .source = from[i]};
        bailey_estimate e;
        bailey_simulation *plain = simulation_of(PLAIN, paths[i]),
                          *s = simulation_of(cases[0].code, paths[i]);
        const char *const names[] = {"above", "shift", "zero"};
        for (int k = 0; k < 3; k++) set(plain, names[k], 0), set(s, names[k], 0);
        float *samples = run_for_samples(plain, run, BAILEY_PRECISION_F32, &e);
        float high = -10;
        for (unsigned n = 0; n < PATHS / 2; n++) high = samples[n] > high ? samples[n] : high;
        const double above = (float)(0.9 * high);
        const uint64_t first = first_above(samples, BAILEY_PRECISION_F32, 0, PATHS, above);
        set(s, "above", above);
        check_fault("a source", bailey_simulation_run(s, &run, &e), &cases[0], path_words(first));
        bailey_simulation_destroy(plain);
        bailey_simulation_destroy(s);
        free(samples);
    }
}

/* Lower replicates first. */
TEST(replicates, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation_run_params run = {.paths = 40, .source = {.seed = 6}, .replicates = 5};
    bailey_estimate e;
    char where[128];
    float *samples = plain_samples(BAILEY_PRECISION_F32, run);
    float greatest = -10;
    for (int i = 0; i < 40; i++) greatest = samples[i] > greatest ? samples[i] : greatest;
    uint64_t first = first_above(samples, BAILEY_PRECISION_F32, 0, 200, greatest);
    if (first == NONE) fail_msg("the first replicate has the greatest of all");
    bailey_simulation *s = make(cases[0].code, BAILEY_PRECISION_F32, greatest);
    snprintf(where, sizeof where, "path %u of replicate %u", (unsigned)first % 40, (unsigned)first / 40);
    check_fault("replicates", bailey_simulation_run(s, &run, &e), &cases[0], where);
    bailey_job_params job = {.run = run};
    check_fault("replicates of a job", bailey_job_run(&s, 1, &job, &e, NULL), &cases[0], where);
    free(samples);
    bailey_simulation_destroy(s);
}

/* In antithetic pairs the antithetic path can fail where the path itself does not. */
TEST(mirror, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const struct failing below = {
        "a mirror image",
        PARAMS "typedef struct { real last, h[2]; int k; } state;\n"
               "void start(state *s, const params *p) { s->last = 0; s->k = 0; s->h[0] = 0; s->h[1] = 0; }\n"
               "void step(state *s, const params *p, int i, real t, const real x[])\n"
               "{\n    s->last = x[0];\n    if (i == 2 && x[0] > p->above) s->h[p->zero + 9] = 1;\n}\n"
               "void finish(const state *s, const params *p, real out[]) { out[0] = s->last; }\n",
        "[p->zero + 9]", "index 9 of h[2]"};
    bailey_simulation_run_params run = {.paths = PATHS, .source = {.seed = 7}};
    bailey_estimate e;
    char where[64];
    bailey_simulation *s = make(below.code, BAILEY_PRECISION_F32, 1000);
    float *samples = run_for_samples(s, run, BAILEY_PRECISION_F32, &e);
    uint64_t up = first_above(samples, BAILEY_PRECISION_F32, 0, PATHS, 2), down = 0;
    while (!(samples[down] < -2)) down++;
    const int mirrored = down < up;
    set(s, "above", 2);
    run.antithetic = 1;
    snprintf(where, sizeof where, "%spath %u", mirrored ? "the antithetic path of " : "",
             (unsigned)(mirrored ? down : up));
    check_fault("antithetic", bailey_simulation_run(s, &run, &e), &below, where);
    run.first_path = mirrored ? down + 1 : up + 1; /* and what comes then is of the other kind, or the same */
    run.paths = PATHS - run.first_path;
    up = first_above(samples, BAILEY_PRECISION_F32, run.first_path, PATHS, 2);
    for (down = run.first_path; !(samples[down] < -2);) down++;
    snprintf(where, sizeof where, "%spath %u", down < up ? "the antithetic path of " : "",
             (unsigned)(down < up ? down : up));
    check_fault("antithetic, behind", bailey_simulation_run(s, &run, &e), &below, where);
    bailey_simulation_destroy(s);
    free(samples);
}

/* The smallest path, then the first scenario, however scenarios are cut into passes. */
TEST(scenarios, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    enum { COUNT = 40, LOW = 23, HIGH = 31 };
    const char *name[] = {"shift"};
    double shift[COUNT];
    bailey_simulation_run_params run = {.paths = PATHS, .source = {.seed = 8}};
    bailey_estimate e[COUNT];
    char where[128];
    float *samples = plain_samples(BAILEY_PRECISION_F32, run);
    for (int i = 0; i < COUNT; i++) shift[i] = -1 - 0.01 * i;
    shift[LOW] = shift[HIGH] = 0.5;
    const uint64_t first = first_above(samples, BAILEY_PRECISION_F32, 0, PATHS, 2.5 - 0.5);
    bailey_simulation *s = make(cases[0].code, BAILEY_PRECISION_F32, 2.5);
    run.scenarios = (bailey_scenarios){.count = COUNT, .columns = 1, .names = name, .values = shift};
    snprintf(where, sizeof where, "path %u, in scenario %u", (unsigned)first, LOW);
    check_fault("scenarios", bailey_simulation_run(s, &run, e), &cases[0], where);
    bailey_job_params job = {.run = run};
    check_fault("scenarios of a job", bailey_job_run(&s, 1, &job, e, NULL), &cases[0], where);
    run.sum = BAILEY_SUM_FIXED;
    run.sum_limit = 64;
    check_fault("scenarios in integers", bailey_simulation_run(s, &run, e), &cases[0], where);
    bailey_simulation_destroy(s);
    free(samples);
}

/* Somebody who borrows parts, as other ranks do, and leaves with the first that fails. */
struct borrower {
    bailey_simulation *s;
    const bailey_simulation_run_params *run;
    int left;
};

static bailey_status borrow(void *user, bailey_job *job, uint64_t *others)
{
    struct borrower *b = user;
    uint64_t first = 0;
    const uint64_t count = b->left ? 0 : bailey_job_lease(job, 1e6, 0.01, &first);
    *others = !b->left;
    if (count == 0) return BAILEY_OK;
    bailey_tally *tally;
    OK(bailey_tally_create(b->s, b->run, &tally));
    const bailey_status status = bailey_tally_run(tally, b->s, first, count);
    if (status == BAILEY_OK) {
        const uint64_t size = bailey_tally_bytes(tally);
        void *bytes = allocate(size);
        OK(bailey_tally_save(tally, bytes, size));
        OK(bailey_job_merge(job, bytes, size));
        free(bytes);
    } else {
        assert_int_equal(status, BAILEY_ERROR_PAYOFF);
        OK(bailey_job_return(job, first, count));
        b->left = 1;
    }
    bailey_tally_destroy(tally);
    return BAILEY_OK;
}

/* Two devices take parts as they come, and may find other faults first. */
static void run_on_two(bailey_simulation *s, const bailey_job_params *job, uint64_t path, double above)
{
    bailey_context *own = context, *second = NULL;
    bailey_estimate e;
    OK(bailey_context_create("cpu", NULL, &second));
    context = second;
    bailey_simulation *both[2] = {s, make(cases[0].code, BAILEY_PRECISION_F32, above)};
    context = own;
    for (int i = 0; i < 10; i++) {
        struct borrower borrower = {.s = both[1], .run = &job->run};
        bailey_job_params lending = *job;
        check_fault("a job on two", bailey_job_run(both, 2, job, &e, NULL), &cases[0], path_words(path));
        lending.serve = borrow;
        lending.serve_user = &borrower;
        check_fault("a job that lends", bailey_job_run(both, 1, &lending, &e, NULL), &cases[0],
                    path_words(path));
    }
    bailey_simulation_destroy(both[1]);
    bailey_context_destroy(second);
}

/* A job's answer is the run's, even if it is resumed from a file; a tally's that of its parts. */
TEST(jobs, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    const char *file = "payoff_faults.checkpoint";
    bailey_simulation_run_params run = {.paths = 300000, .source = {.seed = 9}};
    bailey_estimate e;
    float *samples = plain_samples(BAILEY_PRECISION_F32, run);
    float greatest = 0, before = 0;
    for (unsigned i = 0; i < 300000; i++) greatest = samples[i] > greatest ? samples[i] : greatest;
    for (unsigned i = 0; i < 200000; i++) before = samples[i] > before ? samples[i] : before;
    const uint64_t last = first_above(samples, BAILEY_PRECISION_F32, 0, run.paths, 0.999 * greatest),
                   middle = first_above(samples, BAILEY_PRECISION_F32, 0, run.paths, (float)(0.98 * before));
    bailey_simulation *s = make(cases[0].code, BAILEY_PRECISION_F32, 0.999 * greatest);
    bailey_job_params job = {.run = run, .checkpoint = file};
    remove(file);
    for (int again = 0; again < 2; again++) {
        check_fault("a job", bailey_job_run(&s, 1, &job, &e, NULL), &cases[0], path_words(last));
        check_fault("a run", bailey_simulation_run(s, &run, &e), &cases[0], path_words(last));
    }
    remove(file);
    set(s, "above", (float)(0.98 * before));
    job.checkpoint = NULL;
    check_fault("a job", bailey_job_run(&s, 1, &job, &e, NULL), &cases[0], path_words(middle));
    run_on_two(s, &job, middle, (double)(float)(0.98 * before));
    bailey_tally *tally = NULL;
    OK(bailey_tally_create(s, &run, &tally));
    const uint64_t parts = bailey_tally_parts(tally);
    check_fault("a tally", bailey_tally_run(tally, s, 0, parts), &cases[0], path_words(middle));
    assert_int_equal(bailey_tally_paths(tally), 0);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
    free(samples);
}

/* Code whose loops never end ends: by its budget, and by the failures of earlier paths. */
TEST(endless, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    static const struct failing all[] = {
        {"start",
         HEAD "void start(state *s, const params *p)\n{\n    s->most = 0; s->k = 0; s->h[0] = 0; s->h[1] = "
              "0; s->n = 1;\n"
              "    while (1) { if (s->n == p->zero) break; s->n = 3 - s->n; }\n}\n" STEP_IS("") FINISH,
         "while", "this while takes more than the loop budget of 1048576 trips"},
        {"step", HEAD START STEP_IS("while (1) { if (s->n == p->zero) break; s->n = 3 - s->n; }") FINISH,
         "while", "this while takes more than the loop budget of 1048576 trips"},
        {"finish",
         HEAD START STEP_IS(
             "") "void finish(const state *s, const params *p, real out[])\n{\n    int n = s->n;\n"
                 "    while (1) { if (n == p->zero) break; n = 3 - n; }\n    out[0] = n;\n}\n",
         "while", "this while takes more than the loop budget of 1048576 trips"},
        {"whole",
         PARAMS "void whole(const params *p, path x, real out[])\n{\n    int n = 1 + p->zero;\n"
                "    while (1) { if (n == p->zero) break; n = 3 - n; }\n    out[0] = n;\n}\n",
         "while", "this while takes more than the loop budget of 1048576 trips"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const bailey_simulation_params params = {.path = {.times = times, .steps = 3},
                                                 .payoff = {.code = all[i].code}};
        const bailey_simulation_run_params run = {.paths = 1 << 20};
        bailey_estimate e;
        bailey_simulation *s;
        OK(bailey_simulation_create(context, &params, &s));
        check_fault("endless", bailey_simulation_run(s, &run, &e), &all[i], "path 0");
        bailey_simulation_destroy(s);
    }
}
