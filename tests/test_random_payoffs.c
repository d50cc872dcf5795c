/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoff code, interpreted, and printed and compiled: by gcc and clang with and without optimisation,
 * and by the compilers of devices. All give the same bits, and fail at the same place. And code in which C
 * leaves nothing open, compiled as it stands.
 *
 *     test_random_payoffs [compilers | DEVICE]...
 *
 * DEVICE is an address ("cpu", "opencl", "cuda:1"); every usable device that it means is tested.
 *
 * BAILEY_TEST_RANDOM is how many programs there are (default 256, half of it on devices and
 * with BAILEY_TEST_QUICK), BAILEY_TEST_PLAIN how many are compiled as they stand (default half as many), and
 * BAILEY_TEST_SEED where they begin. BAILEY_TEST_PROCESSES run them, for BAILEY_TEST_SECONDS and what they
 * have begun, and say how many were compared. With BAILEY_TEST_LARGE all compilers optimise all of them.
 */
#include <base/alloc.h>
#include <host/internal.h>

#include "random_texts.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* For a batch, and for its code: devices' compilers take more than twice as long for twice the code. */
#define UNITS 128u
#define DEVICE_UNITS 16u
#define ITEMS (UNITS * RANDOM_PATHS)
#define MOST_DEVICES 16

/* ---- Units and outcomes -------------------------------------------------------------------------- */

/* A batch of units, and what has become of it. */
struct batch {
    struct random_unit units[UNITS];
    uint32_t plain;
    double numbers[UNITS * RANDOM_TEXT_NUMBERS], outputs[ITEMS * RANDOM_OUTPUTS]; /* or floats */
    int64_t failures[ITEMS * 2];
};
static struct batch batch;

static bailey_precision precision_of_batch(void) { return batch.units[0].precision; }
static size_t real_bytes(void) { return precision_of_batch() == BAILEY_PRECISION_F64 ? 8 : 4; }

/* Likely to differ from all that is right. */
static void forget_outcome(void)
{
    memset(batch.outputs, 0x5a, sizeof batch.outputs);
    memset(batch.failures, 0x5a, sizeof batch.failures);
}

static void compare_outcome(const char *by)
{
    for (uint32_t k = 0; k < UNITS; k++)
        random_text_compare(&batch.units[k], by,
                            (const char *)batch.outputs + k * RANDOM_PATHS * RANDOM_OUTPUTS * real_bytes(),
                            batch.failures + k * RANDOM_PATHS * 2);
}

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Single precision and double, with and without faults, and the whole path; plain code is in double, as C
 * takes its literals. */
static void make_batch(uint64_t number, int plain)
{
    const uint64_t first = number_of("BAILEY_TEST_SEED", 1) + number * UNITS;
    const bailey_precision precision = plain || number % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    for (uint32_t k = 0; k < UNITS; k++) {
        const struct random_payoff_options options = {.programs = 1,
                                                      .first = k,
                                                      .whole = !plain && k % 4 == 3,
                                                      .faults = !plain && k % 2 == 1,
                                                      .plain = plain};
        random_unit_make(first + k, &options, precision, &batch.units[k]);
        random_text_numbers(&batch.units[k], (char *)batch.numbers + k * RANDOM_TEXT_NUMBERS * real_bytes());
    }
    batch.plain = plain;
}

static void free_batch(void)
{
    for (uint32_t k = 0; k < UNITS; k++) random_unit_free(&batch.units[k]);
}

/* ---- Compilers of the host ----------------------------------------------------------------------- */

static const char *const compilers[] = {"gcc -O0", "gcc -O3 -march=native", "clang -O0",
                                        "clang -O3 -march=native"};
#define COMPILERS (sizeof compilers / sizeof *compilers)

static const char options_of_all[] =
    "-std=gnu11 -w -fPIC -shared -ffp-contract=off -fno-fast-math -fno-trapping-math "
    "-fno-math-errno -fno-strict-aliasing -DBAILEY_LANES=1 -DBLY_BLOCK=1 -DBLY_SHARED_BYTES=16";

static char folder[200];

static int has_compiler(size_t i)
{
    char command[200];
    snprintf(command, sizeof command, "%.*s --version >/dev/null 2>&1", (int)strcspn(compilers[i], " "),
             compilers[i]);
    return system(command) == 0;
}

static void write_file(const char *path, const char *data)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(data, file) < 0 || fclose(file)) fail_msg("cannot write %s", path);
}

/* Compiles the batch by all that are needed at once; a library each. */
static void compile(const char *more, const int *wanted)
{
    const int f64 = precision_of_batch() == BAILEY_PRECISION_F64;
    char path[256], command[2000];
    pid_t children[COMPILERS] = {0};
    snprintf(path, sizeof path, "%s/all.c", folder);
    char *text =
        batch.plain ? random_text_plain(batch.units, UNITS) : random_text_printed(batch.units, UNITS);
    write_file(path, text);
    bly_free(text);
    for (size_t i = 0; i < COMPILERS; i++) {
        if (!wanted[i]) continue;
        snprintf(command, sizeof command,
                 "exec %s %s %s -DBLY_REAL=%s -DBLY_SCALAR=%s -I%s/include -I%s/src %s -o %s/%zu.so -lm",
                 compilers[i], options_of_all, more, f64 ? "f64" : "f32", f64 ? "double" : "float",
                 BLY_SOURCE_DIR, BLY_SOURCE_DIR, path, folder, i);
        children[i] = fork();
        if (children[i] == 0) {
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
            _exit(127);
        }
    }
    for (size_t i = 0; i < COMPILERS; i++) {
        int status = 0;
        if (children[i] > 0 && (waitpid(children[i], &status, 0) < 0 || status))
            fail_msg("%s does not compile %s", compilers[i], path);
    }
}

static void run_library(const char *path)
{
    const struct random_text_launch params = {ITEMS};
    void *const buffers[] = {batch.numbers, batch.outputs, batch.failures};
    uint64_t shared[2];
    void (*run)(const void *, void *const *, uint64_t *, uint64_t, uint64_t) = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library || !(*(void **)&run = dlsym(library, RANDOM_TEXT_KERNEL))) fail_msg("%s", dlerror());
    run(&params, buffers, shared, 0, ITEMS);
    dlclose(library);
    unlink(path);
}

static void compare_compilers(const char *more, const int *wanted)
{
    char path[256];
    compile(more, wanted);
    for (size_t i = 0; i < COMPILERS; i++) {
        if (!wanted[i]) continue;
        snprintf(path, sizeof path, "%s/%zu.so", folder, i);
        forget_outcome();
        run_library(path);
        compare_outcome(compilers[i]);
    }
}

/* Optimisation takes most of the time: gcc and clang optimise alternate batches, except in a long test. */
static int is_turn(size_t compiler, uint64_t number)
{
    return compiler % 2 == 0 || compiler / 2 == number / 2 % 2 || getenv("BAILEY_TEST_LARGE") != NULL;
}

static int make_folder(void **unused)
{
    const char *parent = getenv("TMPDIR");
    (void)unused;
    snprintf(folder, sizeof folder, "%s/bailey-random-XXXXXX",
             parent && strlen(parent) < 150 ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    char path[256];
    (void)unused;
    snprintf(path, sizeof path, "%s/all.c", folder);
    unlink(path);
    for (size_t i = 0; i < COMPILERS; i++) { /* where a test has failed */
        snprintf(path, sizeof path, "%s/%zu.so", folder, i);
        unlink(path);
    }
    return rmdir(folder);
}

/* ---- Devices ------------------------------------------------------------------------------------- */

#define OK(call)                                                                                             \
    do {                                                                                                     \
        if ((call) != BAILEY_OK) fail_msg("%s: %s", #call, bailey_error_message());                          \
    } while (0)

static struct bly_program *load(bailey_context *on, const char *text, struct bly_kernel *kernel)
{
    const int f64 = precision_of_batch() == BAILEY_PRECISION_F64;
    const char *const defines[] = {f64 ? "BLY_REAL=f64" : "BLY_REAL=f32",
                                   f64 ? "BLY_SCALAR=double" : "BLY_SCALAR=float", NULL};
    *kernel = (struct bly_kernel){
        .name = RANDOM_TEXT_KERNEL,
        .lane_bytes = (uint32_t)real_bytes(),
        .params_bytes = sizeof(struct random_text_launch),
        .buffers = 3,
        .block = on->device->info.kind == BAILEY_DEVICE_KIND_GPU ? bly_group_items(on->device, 32) : 1};
    const struct bly_code code = {
        .name = "random payoffs", .text = text, .defines = defines, .kernels = kernel, .kernel_count = 1};
    struct bly_program *program = NULL;
    OK(on->device->backend->load(on->device, &code, &program));
    return program;
}

/* Runs `items` items on what stands for them in the batch. */
static void launch(bailey_context *on, const struct bly_entry *entry, uint64_t items, char *const host[3],
                   const size_t bytes[3])
{
    const struct random_text_launch params = {items};
    const uint64_t block = entry->kernel->block;
    bailey_buffer *buffers[3];
    for (int i = 0; i < 3; i++) {
        OK(bailey_buffer_create(on, bytes[i], &buffers[i]));
        OK(bailey_buffer_write(buffers[i], 0, host[i], bytes[i]));
    }
    OK(bly_launch_entry(on, entry, (items + block - 1) / block * block, 1, &params, buffers, buffers[1], 0,
                        bytes[1]));
    for (int i = 1; i < 3; i++) OK(bailey_buffer_read(buffers[i], 0, host[i], bytes[i]));
    for (int i = 0; i < 3; i++) bailey_buffer_destroy(buffers[i]);
}

/* Units first ... first + count - 1 of the batch. */
static void run_units(bailey_context *on, uint32_t first, uint32_t count)
{
    const size_t numbers = RANDOM_TEXT_NUMBERS * real_bytes(), failures = RANDOM_PATHS * 2 * sizeof(int64_t),
                 outputs = RANDOM_PATHS * RANDOM_OUTPUTS * real_bytes();
    char *const host[3] = {(char *)batch.numbers + first * numbers, (char *)batch.outputs + first * outputs,
                           (char *)batch.failures + first * failures};
    const size_t bytes[3] = {count * numbers, count * outputs, count * failures};
    char *text = random_text_printed(batch.units + first, count);
    struct bly_kernel kernel;
    struct bly_entry entry = {.program = load(on, text, &kernel), .kernel = &kernel};
    launch(on, &entry, count * RANDOM_PATHS, host, bytes);
    on->device->backend->unload(on->device, entry.program);
    bly_free(text);
}

static void compare_device(bailey_context *on)
{
    forget_outcome();
    for (uint32_t first = 0; first < UNITS; first += DEVICE_UNITS) run_units(on, first, DEVICE_UNITS);
    compare_outcome(on->device->info.address);
}

static bailey_context *contexts[MOST_DEVICES];
static size_t device_count;

/* Opens what the address means. */
static void open_devices(const char *address)
{
    bailey_device devices[64];
    size_t found = 0;
    OK(bailey_device_list(devices, 64, &found));
    for (size_t i = 0; i < found && i < 64 && device_count < MOST_DEVICES; i++) {
        if (strncmp(devices[i].address, address, strlen(address)) != 0) continue;
        if (!devices[i].usable) {
            fprintf(stderr, "%s: %s\n", devices[i].address, devices[i].reason);
            continue;
        }
        OK(bailey_context_create(devices[i].address, NULL, &contexts[device_count]));
        device_count++;
    }
}

static void close_devices(void)
{
    while (device_count) bailey_context_destroy(contexts[--device_count]);
}

/* ---- How many, and by whom ----------------------------------------------------------------------- */

/* What all processes add to: batches that are taken, of both kinds; programs by what they were compared with,
 * and what that is called. */
struct counts {
    _Atomic uint64_t taken[2], programs[COMPILERS + MOST_DEVICES], plain;
    char names[COMPILERS + MOST_DEVICES][100];
};
static struct counts *counts;

static char *const *arguments; /* of the program, or "compilers" */
static uint64_t processes = 1, process;

static void count(size_t number, const char *name)
{
    counts->programs[number] += UNITS;
    snprintf(counts->names[number], sizeof counts->names[number], "%s", name);
}

static int has_argument(const char *word)
{
    for (char *const *a = arguments; *a; a++)
        if (strcmp(*a, word) == 0) return 1;
    return 0;
}

/* Programs of a usual test: half a minute of a processor. */
static uint64_t usual(void)
{
    return has_argument("compilers") && !getenv("BAILEY_TEST_QUICK") ? 2 * UNITS : UNITS;
}

/* Whether there is another batch for this process, and which. All that are taken are compared. */
static int take_batch(int plain, uint64_t programs, uint64_t *number)
{
    static double end;
    const char *seconds = getenv("BAILEY_TEST_SECONDS");
    if (seconds && end == 0) end = bly_seconds() + strtod(seconds, NULL);
    if (seconds && bly_seconds() >= end) return 0;
    *number = counts->taken[plain]++;
    return *number * UNITS < programs;
}

static void printed_programs(void **unused)
{
    const uint64_t programs = number_of("BAILEY_TEST_RANDOM", usual());
    const int compiles = has_argument("compilers");
    int has[COMPILERS] = {0}, any = device_count > 0;
    uint64_t number;
    (void)unused;
    for (size_t i = 0; i < COMPILERS && compiles; i++) any |= has[i] = has_compiler(i);
    if (!any) skip();
    while (take_batch(0, programs, &number)) {
        int wanted[COMPILERS];
        for (size_t i = 0; i < COMPILERS; i++) wanted[i] = has[i] && is_turn(i, number);
        make_batch(number, 0);
        compare_compilers("", wanted);
        for (size_t i = 0; i < device_count; i++) compare_device(contexts[i]);
        for (size_t i = 0; i < COMPILERS; i++)
            if (wanted[i]) count(i, compilers[i]);
        for (size_t i = 0; i < device_count; i++) count(COMPILERS + i, contexts[i]->device->info.address);
        free_batch();
    }
}

/* The tree means what C means: its code as it stands, in C whose integers wrap around. */
static void code_as_c(void **unused)
{
    const uint64_t half = number_of("BAILEY_TEST_RANDOM", usual()) / 2,
                   programs = number_of("BAILEY_TEST_PLAIN", half);
    int wanted[COMPILERS], any = 0;
    uint64_t number;
    (void)unused;
    for (size_t i = 0; i < COMPILERS; i++)
        any |= wanted[i] = i % 2 == 0 && has_argument("compilers") && has_compiler(i);
    if (!any) skip();
    while (take_batch(1, programs, &number)) {
        make_batch(number, 1);
        compare_compilers("-fwrapv", wanted);
        counts->plain += UNITS;
        free_batch();
    }
}

/* PoCL's processes wait for each other where they share a cache. */
static void take_own_cache(void)
{
    const char *shared = getenv("POCL_CACHE_DIR");
    char own[300];
    if (!shared || processes < 2) return;
    snprintf(own, sizeof own, "%.250s/%llu", shared, (unsigned long long)process);
    setenv("POCL_CACHE_DIR", own, 1);
}

/* Devices are opened by the process that uses them. */
static int open_all(void **unused)
{
    for (char *const *a = arguments; *a; a++)
        if (strcmp(*a, "compilers") != 0) open_devices(*a);
    return make_folder(unused);
}

static int close_all(void **unused)
{
    close_devices();
    return remove_folder(unused);
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_as_c), cmocka_unit_test(printed_programs)};
    take_own_cache();
    return cmocka_run_group_tests(tests, open_all, close_all);
}

static int run_processes(void)
{
    int failed = 0, status;
    if (processes < 2) return test_all();
    for (process = 0; process < processes; process++) {
        const pid_t child = fork();
        if (child == 0) exit(test_all());
        failed |= child < 0;
    }
    while (wait(&status) > 0) failed |= status != 0;
    return failed;
}

static void print_counts(void)
{
    for (size_t i = 0; i < COMPILERS + MOST_DEVICES; i++)
        if (counts->programs[i])
            fprintf(stderr, "# %llu programs: interpreter = %s\n", (unsigned long long)counts->programs[i],
                    counts->names[i]);
    if (counts->plain)
        fprintf(stderr, "# %llu programs: interpreter = their code as C\n",
                (unsigned long long)counts->plain);
}

/* A required device or compiler that is missing: skipping is then a failure. */
static int skipped(void)
{
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    for (char *const *a = arguments; require && *a; a++) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*a, ":"), *a);
        if (strstr(require, name)) return 1;
    }
    return 77;
}

int main(int argc, char **argv)
{
    static char compilers_word[] = "compilers";
    static char *const usually[] = {compilers_word, NULL};
    arguments = argc > 1 ? argv + 1 : usually;
    processes = number_of("BAILEY_TEST_PROCESSES", 1);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) return 1;
    const int failed = run_processes();
    uint64_t compared = 0;
    for (size_t i = 0; i < COMPILERS + MOST_DEVICES; i++) compared += counts->programs[i];
    print_counts();
    return failed ? 1 : compared ? 0 : skipped();
}
