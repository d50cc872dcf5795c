/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Room for later versions (docs/reproducibility.md): every public struct ends with `reserved`, no function takes one
 * that is not 0, and results have 0 there, whatever was in their memory.
 */
#include "harness.h"

#include <bailey/american.h>
#include <bailey/exercise.h>
#include <bailey/greeks.h>
#include <bailey/job.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>
#include <bailey/simulation.h>

#include <dirent.h>

static const double one_time = 1, volatility = 0.2, spot = 100;

/* ---- Headers --------------------------------------------------------------------------------------- */

/* A header's structs, each from "typedef struct bailey_" to "} bailey_". Ends of ranges and words for numbers
 * are complete as they are. */
static int check_header(const char *name)
{
    static char text[1 << 17];
    char path[1024];
    int count = 0;
    snprintf(path, sizeof path, "%s/include/bailey/%s", BLY_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("cannot read %s", path);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    assert_true(size < sizeof text - 1);
    for (char *at = text; (at = strstr(at, "typedef struct bailey_")) != NULL; at++) {
        char *body = strpbrk(at, "{;"), *end = strstr(at, "\n} bailey_");
        if (*body == ';') continue;
        count++;
        if (strncmp(end, "\n} bailey_interval", 18) == 0 || strncmp(end, "\n} bailey_choice", 16) == 0)
            continue;
        static const char line[] = "\n    uint64_t reserved[4];";
        if (strncmp(end - strlen(line), line, strlen(line)) != 0)
            fail_msg("%s: struct%.40s does not end with reserved", name, end + 2);
    }
    return count;
}

TEST(structs_have_room, HOST)
{
    struct dirent *entry;
    int count = 0;
    DIR *folder = opendir(BLY_SOURCE_DIR "/include/bailey");
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".h") == 0) count += check_header(entry->d_name);
    }
    closedir(folder);
    assert_true(count > 40);
}

/* ---- Parameters ------------------------------------------------------------------------------------ */

static const bailey_simulation_params deal = {.path = {.times = &one_time, .steps = 1},
                                              .payoff = {.name = "european"}};

static bailey_simulation *make(void)
{
    static const double strike = 100, rate = 0.05;
    bailey_simulation *s;
    OK(bailey_simulation_create(context, &deal, &s));
    OK(bailey_simulation_set(s, "spot", &spot, 1));
    OK(bailey_simulation_set(s, "strike", &strike, 1));
    OK(bailey_simulation_set(s, "rate", &rate, 1));
    OK(bailey_simulation_set(s, "volatility", &volatility, 1));
    return s;
}

/* Reserved fields that the library wrote are 0, whatever was there. */
#define IS_ZERO(result)                                                                                      \
    for (int word = 0; word < 4; word++) assert_int_equal((result).reserved[word], 0)

/* A call with struct `of`, in which member `path_to` reserved is set, is refused for it alone. */
#define REFUSES_RESERVED(type, of, path_to, call)                                                            \
    do {                                                                                                     \
        for (int word = 0; word < 4; word++) {                                                               \
            type p = of;                                                                                     \
            p.path_to[word] = 1;                                                                             \
            assert_int_equal(call, BAILEY_ERROR_INVALID);                                                    \
            assert_string_equal(bailey_error_argument(), "reserved");                                        \
            assert_non_null(strstr(bailey_error_message(), bailey_version()));                               \
        }                                                                                                    \
        type p = of;                                                                                         \
        assert_int_equal(call, BAILEY_OK);                                                                   \
    } while (0)

TEST(numbers, ON_CPU)
{
    bailey_context *opened;
    bailey_buffer *out;
    bailey_description *description;
    static const bailey_describe_params sizes = {.steps = 1};
    OK(bailey_buffer_create(context, 4096, &out));
    REFUSES_RESERVED(bailey_context_params, (bailey_context_params){0}, reserved,
                     bailey_context_create("cpu", &p, &opened));
    bailey_context_destroy(opened);
    REFUSES_RESERVED(bailey_source, (bailey_source){0}, reserved, bailey_source_check(&p, NULL));
    REFUSES_RESERVED(bailey_source, (bailey_source){0}, reserved,
                     bailey_words_generate(context, &p, 0, 4, out, 0));
    REFUSES_RESERVED(bailey_normal_params, (bailey_normal_params){0}, reserved,
                     bailey_normals_generate(context, &(bailey_source){0}, &p, 0, 4, out, 0));
    REFUSES_RESERVED(bailey_variate_params, (bailey_variate_params){0}, reserved,
                     bailey_variates_generate(context, &(bailey_source){0}, &p, 0, 4, out, 0));
    REFUSES_RESERVED(bailey_points_params, (bailey_points_params){0}, reserved,
                     bailey_points_generate(context, &(bailey_source){.generator = BAILEY_GENERATOR_SOBOL},
                                            &p, 0, 4, out, 0));
    REFUSES_RESERVED(bailey_describe_params, sizes, reserved,
                     bailey_payoff_describe(&deal.payoff, &p, &description));
    bailey_description_destroy(description);
    bailey_buffer_destroy(out);
}

TEST(paths, ON_CPU)
{
    bailey_bridge *bridge;
    bailey_simulation *s;
    bailey_motion *motion;
    REFUSES_RESERVED(bailey_bridge_params, deal.path, reserved, bailey_bridge_create(context, &p, &bridge));
    bailey_bridge_destroy(bridge);
    REFUSES_RESERVED(bailey_motion_params, ((bailey_motion_params){.dims = 1}), reserved,
                     bailey_motion_create(context, &p, &motion));
    bailey_motion_destroy(motion);
    static const bailey_simulation_params *const all = &deal;
    for (int word = 0; word < 4; word++) {
        bailey_simulation_params outer = *all, path = *all, payoff = *all;
        outer.reserved[word] = path.path.reserved[word] = payoff.payoff.reserved[word] = 1;
        assert_int_equal(bailey_simulation_create(context, &outer, &s), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "reserved");
        assert_int_equal(bailey_simulation_create(context, &path, &s), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "reserved");
        assert_int_equal(bailey_simulation_create(context, &payoff, &s), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "reserved");
    }
}

TEST(runs, ON_CPU)
{
    bailey_simulation *s = make();
    bailey_estimate e;
    bailey_greek_estimate greeks[64];
    bailey_tally *tally;
    static const char *const name = "spot";
    const bailey_simulation_run_params run = {.paths = 64};
    const bailey_greeks_params wanted = {.spots = &name, .spot_count = 1};
    const bailey_job_params job = {.run = {.paths = 64}};
    REFUSES_RESERVED(bailey_simulation_run_params, run, reserved, bailey_simulation_run(s, &p, &e));
    REFUSES_RESERVED(bailey_simulation_run_params, run, source.reserved, bailey_simulation_run(s, &p, &e));
    REFUSES_RESERVED(bailey_simulation_run_params, run, normal.reserved, bailey_simulation_run(s, &p, &e));
    REFUSES_RESERVED(bailey_simulation_run_params, run, scenarios.reserved, bailey_simulation_run(s, &p, &e));
    REFUSES_RESERVED(bailey_simulation_run_params, run, histogram.reserved, bailey_simulation_run(s, &p, &e));
    memset(greeks, 0xa5, sizeof greeks);
    REFUSES_RESERVED(bailey_greeks_params, wanted, reserved, bailey_simulation_greeks(s, &run, &p, greeks));
    IS_ZERO(greeks[0]);
    IS_ZERO(greeks[1]);
    REFUSES_RESERVED(bailey_job_params, job, reserved, bailey_job_run(&s, 1, &p, &e, NULL));
    REFUSES_RESERVED(bailey_job_params, job, run.reserved, bailey_job_run(&s, 1, &p, &e, NULL));
    REFUSES_RESERVED(bailey_simulation_run_params, run, reserved, bailey_tally_create(s, &p, &tally));
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* ---- Results --------------------------------------------------------------------------------------- */

TEST(results, ON_CPU)
{
    bailey_simulation *s = make();
    bailey_estimate e;
    bailey_device about, listed[16];
    bailey_bridge *bridge;
    bailey_bridge_info info;
    bailey_job_report report;
    size_t count;
    const bailey_job_params job = {.run = {.paths = 64}};
    memset(&e, 0xa5, sizeof e);
    memset(&about, 0xa5, sizeof about);
    memset(&report, 0xa5, sizeof report);
    OK(bailey_context_device(context, &about));
    IS_ZERO(about);
    memset(listed, 0xa5, sizeof listed);
    OK(bailey_device_list(listed, sizeof listed / sizeof *listed, &count));
    for (size_t i = 0; i < count && i < sizeof listed / sizeof *listed; i++) IS_ZERO(listed[i]);
    memset(&info, 0xa5, sizeof info);
    OK(bailey_bridge_create(context, &deal.path, &bridge));
    OK(bailey_bridge_describe(bridge, &info));
    IS_ZERO(info);
    bailey_bridge_destroy(bridge);
    OK(bailey_job_run(&s, 1, &job, &e, &report));
    IS_ZERO(e);
    IS_ZERO(report);
    memset(&e, 0xa5, sizeof e);
    OK(bailey_simulation_run(s, &job.run, &e));
    IS_ZERO(e);
    bailey_simulation_destroy(s);
}

TEST(prices, ON_CPU)
{
    bailey_american_result american;
    const bailey_american_params put = {.type = BAILEY_OPTION_TYPE_PUT,
                                        .spot = &spot,
                                        .volatility = &volatility,
                                        .strike = 100,
                                        .exercise_times = &one_time,
                                        .exercise_count = 1,
                                        .paths = 64};
    memset(&american, 0xa5, sizeof american);
    REFUSES_RESERVED(bailey_american_params, put, reserved, bailey_american_price(context, &p, &american));
    IS_ZERO(american);
    bailey_exercise_bounds bounds;
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(context, &deal, &s));
    const bailey_exercise_bounds_params later = {.reserved = {1}};
    assert_int_equal(bailey_exercise_bound(s, &later, &bounds), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "reserved");
    bailey_simulation_destroy(s);
}

TEST(levels, ON_CPU)
{
    static bailey_mlmc_result result;
    static bailey_mlmc_report report;
    bailey_mlmc *m;
    const bailey_mlmc_params european = {.estimator = {.name = "european"}};
    const bailey_mlmc_run_params run = {.eps = 1};
    const bailey_mlmc_test_params test = {.samples = 64, .finest = 3};
    memset(&result, 0xa5, sizeof result);
    memset(&report, 0xa5, sizeof report);
    REFUSES_RESERVED(bailey_mlmc_params, european, estimator.reserved, bailey_mlmc_create(context, &p, &m));
    bailey_mlmc_destroy(m);
    REFUSES_RESERVED(bailey_mlmc_params, european, reserved, bailey_mlmc_create(context, &p, &m));
    static const char *const names[] = {"spot", "strike", "rate", "volatility"};
    static const double values[] = {100, 100, 0.05, 0.2};
    for (int i = 0; i < 4; i++) OK(bailey_mlmc_set(m, names[i], &values[i], 1));
    REFUSES_RESERVED(bailey_mlmc_run_params, run, reserved, bailey_mlmc_run(m, &p, &result));
    REFUSES_RESERVED(bailey_mlmc_run_params, run, source.reserved, bailey_mlmc_run(m, &p, &result));
    IS_ZERO(result);
    IS_ZERO(result.level[0]);
    REFUSES_RESERVED(bailey_mlmc_test_params, test, reserved, bailey_mlmc_test(m, &p, &report));
    REFUSES_RESERVED(bailey_mlmc_test_params, test, run.reserved, bailey_mlmc_test(m, &p, &report));
    IS_ZERO(report);
    IS_ZERO(report.level[0]);
    bailey_mlmc_destroy(m);
}
