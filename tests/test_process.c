/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The library in processes that do what plugins, servers and numerical programs do: close it, fork, and
 * change the floating-point environment. Takes the shared library's path.
 */
#define _GNU_SOURCE
#include <bailey/bailey.h>

#include <dlfcn.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#define COUNT 300007
#define STEPS 7

static const char *library_path;

static struct {
    bailey_status (*context_create)(const char *, const bailey_context_params *, bailey_context **);
    void (*context_destroy)(bailey_context *);
    bailey_status (*buffer_adopt_host)(bailey_context *, void *, uint64_t, bailey_buffer **);
    void (*buffer_destroy)(bailey_buffer *);
    bailey_status (*bridge_create)(bailey_context *, const bailey_bridge_params *, bailey_bridge **);
    void (*bridge_destroy)(bailey_bridge *);
    bailey_status (*bridge_paths)(bailey_bridge *, const bailey_source *, const bailey_normal_params *,
                                  uint64_t, uint64_t, bailey_buffer *);
} bly;

static void *open_library(void)
{
    void *library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail_msg("%s", dlerror());
#define FILL(name)                                                                                           \
    do {                                                                                                     \
        void *symbol = dlsym(library, "bailey_" #name);                                                      \
        assert_non_null(symbol);                                                                             \
        memcpy(&bly.name, &symbol, sizeof symbol);                                                           \
    } while (0)
    FILL(context_create);
    FILL(context_destroy);
    FILL(buffer_adopt_host);
    FILL(buffer_destroy);
    FILL(bridge_create);
    FILL(bridge_destroy);
    FILL(bridge_paths);
    return library;
}

/* Paths of COUNT on the cpu with `threads`; 0 if anything failed. */
static int make_paths(uint32_t threads, float *x)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / 3.0;
    const bailey_context_params params = {.threads = threads};
    const bailey_bridge_params bridge_params = {.times = times, .steps = STEPS};
    const bailey_source source = {.seed = 5};
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL;
    bailey_bridge *bridge = NULL;
    const int good = bly.context_create("cpu", &params, &context) == BAILEY_OK &&
                     bly.buffer_adopt_host(context, x, COUNT * STEPS * sizeof *x, &buffer) == BAILEY_OK &&
                     bly.bridge_create(context, &bridge_params, &bridge) == BAILEY_OK &&
                     bly.bridge_paths(bridge, &source, NULL, 0, COUNT, buffer) == BAILEY_OK;
    bly.bridge_destroy(bridge);
    bly.buffer_destroy(buffer);
    bly.context_destroy(context);
    return good;
}

static float *expected; /* by one thread in an untouched process */

static void check_paths(uint32_t threads)
{
    float *x = malloc(COUNT * STEPS * sizeof *x);
    assert_non_null(x);
    memset(x, 0xA5, COUNT * STEPS * sizeof *x);
    assert_true(make_paths(threads, x));
    assert_memory_equal(x, expected, COUNT * STEPS * sizeof *x);
    free(x);
}

static void closed_library(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        void *library = open_library();
        check_paths(4);
        assert_int_equal(dlclose(library), 0);
        usleep(1000); /* a thread left behind would run in unmapped code */
    }
    open_library();
}

static void forked_child(void **state)
{
    (void)state;
    check_paths(4);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        float *x = malloc(COUNT * STEPS * sizeof *x);
        _exit(x && make_paths(4, x) && memcmp(x, expected, COUNT * STEPS * sizeof *x) == 0 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_paths(4);
}

static void floating_point_environment(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        check_paths(1);
        check_paths(4);
        assert_int_equal(fegetround(), modes[i]); /* the caller's, as it was */
        assert_int_equal(fesetround(FE_TONEAREST), 0);
    }
#if defined(__SSE__)
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040); /* flush to zero, denormals are zero */
    check_paths(4);
    assert_int_equal(_mm_getcsr() & 0x8040, 0x8040);
    _mm_setcsr(control);
#endif
}

/* More threads than a machine has. */
static void many_threads(void **state)
{
    (void)state;
    check_paths(97);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    library_path = argv[1];
    open_library();
    expected = malloc(COUNT * STEPS * sizeof *expected);
    if (!expected || !make_paths(1, expected)) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_library), cmocka_unit_test(forked_child),
                                       cmocka_unit_test(floating_point_environment),
                                       cmocka_unit_test(many_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
