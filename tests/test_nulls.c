/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every function that the library exports, called with nothing but NULL and 0, and with a good handle before
 * them: none crashes, and what returns a status refuses. The list is src/bailey.map, so that a new function
 * is called too. Each call runs in a separate process: a crash then has a name.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <bailey/advanced.h>
#include <bailey/greeks.h>
#include <bailey/job.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* More words than any function takes: on the ABIs of x86-64 and AArch64 those beyond are ignored. */
typedef uint64_t any_function(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);

static char headers[1 << 20]; /* the text of all public headers */

static const char *const header_names[] = {
    "advanced.h", "american.h", "bailey.h", "cuda.h",   "describe.h", "description.h", "greeks.h",
    "job.h",      "mlmc.h",     "motion.h", "opencl.h", "points.h",   "simulation.h"};

static void read_headers(void)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof header_names / sizeof *header_names; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/include/bailey/%s", BLY_SOURCE_DIR, header_names[i]);
        FILE *file = fopen(path, "r");
        if (!file) fail_msg("cannot read %s", path);
        used += fread(headers + used, 1, sizeof headers - 1 - used, file);
        fclose(file);
    }
    assert_true(used < sizeof headers - 1);
}

static int returns_status(const char *name)
{
    char words[128];
    snprintf(words, sizeof words, "bailey_status %s(", name);
    return strstr(headers, words) != NULL;
}

/* Where nothing is asked for, or nothing must be written. */
static int may_succeed(const char *name)
{
    static const char *const names[] = {"bailey_order_make", "bailey_context_sync", "bailey_context_watch",
                                        "bailey_buffer_fill"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

static void call(const char *name, void *handle, const char *kind)
{
    const union {
        void *object;
        any_function *function;
    } found = {dlsym(RTLD_DEFAULT, name)};
    if (!found.object) return; /* of a backend that this build lacks */
    const pid_t child = fork();
    int ended = 0;
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* not cmocka's handler */
        signal(SIGBUS, SIG_DFL);
        const bailey_status status = (bailey_status)found.function(handle, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        const int good = !returns_status(name) || may_succeed(name) ||
                         (status == BAILEY_ERROR_INVALID && *bailey_error_argument());
        if (!good) fprintf(stderr, "%s: %s\n", name, bailey_status_name(status));
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (WIFSIGNALED(ended)) fail_msg("%s(%s, 0 ...) ends on signal %d", name, kind, WTERMSIG(ended));
    if (WEXITSTATUS(ended)) fail_msg("%s(%s, 0 ...) is not refused, or crashes", name, kind);
}

/* Functions that make and end objects, and functions that take none. */
static int is_of_no_handle(const char *name, const char *prefix)
{
    static const char *const parts[] = {"_create", "_destroy", "_adopt",
                                        "_name",   "_builtin", "_report_write"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]) && !strstr(prefix, parts[i])) return 1;
    return 0;
}

/* Calls all that begin with `prefix`. */
static void call_all(const char *prefix, void *handle)
{
    char line[80], name[80];
    int calls = 0;
    FILE *map = fopen(BLY_SOURCE_DIR "/src/bailey.map", "r");
    if (!map) fail_msg("cannot read src/bailey.map");
    while (fgets(line, sizeof line, map)) {
        if (sscanf(line, " %79[a-z0-9_];", name) != 1 || strncmp(name, prefix, strlen(prefix)) != 0) continue;
        if (handle && is_of_no_handle(name, prefix)) continue;
        call(name, handle, handle ? prefix : "NULL");
        calls++;
    }
    fclose(map);
    assert_true(calls > 0);
}

#define OK(call) assert_int_equal(call, BAILEY_OK)

static void test_nothing(void **state)
{
    (void)state;
    call_all("bailey_", NULL);
}

static void test_context(void **state)
{
    static const char *const takes[] = {
        "bailey_context_",          "bailey_american_price",    "bailey_approximate_table",
        "bailey_bridge_create",     "bailey_buffer_adopt",      "bailey_buffer_create",
        "bailey_mlmc_create",       "bailey_motion_create",     "bailey_normal_table",
        "bailey_normals_",          "bailey_points_generate",   "bailey_points_variates",
        "bailey_simulation_create",
        "bailey_uniforms_generate", "bailey_variates_generate", "bailey_variate_table_create",
        "bailey_words_generate",    "bailey_integers_generate", "bailey_permutation_generate",
        "bailey_halves_round",      "bailey_copula_generate",   "bailey_variates_of_words",
    };
    bailey_context *context;
    (void)state;
    OK(bailey_context_create("cpu", NULL, &context));
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) call_all(takes[i], context);
    bailey_context_destroy(context);
}

static void test_objects(void **state)
{
    static const double one = 1;
    const bailey_simulation_params path = {.path = {.times = &one, .steps = 1},
                                           .payoff = {.name = "european"}};
    bailey_context *context;
    bailey_buffer *buffer;
    bailey_bridge *bridge;
    bailey_simulation *simulation;
    bailey_tally *tally;
    bailey_motion *motion;
    (void)state;
    OK(bailey_context_create("cpu", NULL, &context));
    OK(bailey_buffer_create(context, 8, &buffer));
    OK(bailey_bridge_create(context, &(bailey_bridge_params){.times = &one, .steps = 1}, &bridge));
    OK(bailey_simulation_create(context, &path, &simulation));
    static const char *const names[] = {"spot", "strike", "rate", "volatility"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        OK(bailey_simulation_set(simulation, names[i], &one, 1));
    OK(bailey_tally_create(simulation, &(bailey_simulation_run_params){.paths = 64}, &tally));
    OK(bailey_motion_create(context, &(bailey_motion_params){0}, &motion));
    call_all("bailey_buffer_", buffer);
    call_all("bailey_bridge_", bridge);
    call_all("bailey_simulation_", simulation);
    call_all("bailey_tally_", tally);
    call_all("bailey_job_run_part", tally);
    call_all("bailey_motion_", motion);
    bailey_motion_destroy(motion);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(simulation);
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing), cmocka_unit_test(test_context),
                                       cmocka_unit_test(test_objects)};
    read_headers();
    return cmocka_run_group_tests_name("NULL", tests, NULL, NULL);
}
