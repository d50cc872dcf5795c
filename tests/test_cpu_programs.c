/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of texts on cpu (src/backend/cpu/cpu_program.c), through the backend's own operations: groups and
 * their barriers, what compilers say and do wrong, the cache, and that nothing is left behind.
 */
#include <backend/backend.h>
#include <backend/cache.h>
#include <backend/cpu/cpu_program.h>

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static const struct bly_backend *const cpu = &bly_backend_cpu;

#define OK(call)                                                                                             \
    do {                                                                                                     \
        if ((call) != BAILEY_OK) fail_msg("%s: %s", #call, bailey_error_message());                          \
    } while (0)
#define SAYS(part)                                                                                           \
    if (!strstr(bailey_error_message(), part)) fail_msg("no \"%s\" in: %s", part, bailey_error_message())

static const char *directory; /* TMPDIR of all that is compiled */

static struct bly_device *open_device(const char *cache, uint32_t threads)
{
    const struct bly_open_params params = {.threads = threads, .cache_dir = cache};
    struct bly_device *device = NULL;
    OK(cpu->open(0, &params, &device));
    return device;
}

static struct bly_memory *memory_of(struct bly_device *device, void *words, uint64_t bytes)
{
    struct bly_memory *memory = NULL;
    OK(cpu->adopt(device, words, bytes, &memory));
    return memory;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

struct sums_params {
    uint64_t count;
    uint32_t rounds, mark;
};

/* Each round an item adds its neighbour's word, twice across a barrier; items after the last have none, and
 * stop early once all have met for the last time. */
static const char *const sums_text =
    "#include \"kernels/group_entry.h\"\n"
    "typedef struct sums_params {\n"
    "    bailey_uint64 count;\n"
    "    bailey_uint32 rounds, mark;\n"
    "} sums_params;\n"
    "BAILEY_FN void sums_group(sums_params p, BAILEY_GLOBAL bailey_uint64 *x,\n"
    "                          BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    const bailey_uint32 me = BLY_LOCAL_ID, next = (me + 1) % BLY_BLOCK;\n"
    "    bailey_uint64 word = item * ADD + p.mark;\n"
    "    for (bailey_uint32 round = 0; round < p.rounds; round++) {\n"
    "        shared[me] = word;\n"
    "        BLY_BARRIER();\n"
    "        word = 3 * word + shared[next] + BLY_LOCAL_ID;\n"
    "        BLY_BARRIER();\n"
    "    }\n"
    "    if (item >= p.count) return;\n"
    "    x[item] = word;\n"
    "}\n"
    "BLY_GROUP_ENTRY_1(sums, sums_params, bailey_uint64)\n"
    "BAILEY_FN void marks_group(sums_params p, BAILEY_GLOBAL bailey_uint64 *x,\n"
    "                           BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    (void)shared;\n"
    "    if (item < p.count) x[item] = p.mark * 2 + (item & 1);\n"
    "}\n"
    "BLY_GROUP_ENTRY_1(marks, sums_params, bailey_uint64)\n";

static void expect_sums(uint64_t *x, const struct sums_params *p, uint32_t block)
{
    uint64_t *word = calloc(block, sizeof *word), *old = calloc(block, sizeof *old);
    assert_true(word && old);
    for (uint64_t first = 0; first < p->count; first += block) {
        for (uint32_t i = 0; i < block; i++) word[i] = (first + i) * 7 + p->mark;
        for (uint32_t round = 0; round < p->rounds; round++) {
            memcpy(old, word, block * sizeof *word);
            for (uint32_t i = 0; i < block; i++) word[i] = 3 * old[i] + old[(i + 1) % block] + i;
        }
        for (uint32_t i = 0; i < block && first + i < p->count; i++) x[first + i] = word[i];
    }
    free(word);
    free(old);
}

static struct bly_program *load_sums(struct bly_device *device, uint32_t block)
{
    static const char *const defines[] = {"ADD=7", "UNUSED", NULL};
    const struct bly_kernel kernels[] = {
        {.name = "sums",
         .params_bytes = sizeof(struct sums_params),
         .buffers = 1,
         .block = block,
         .shared_bytes = block * 8},
        {.name = "marks", .params_bytes = sizeof(struct sums_params), .buffers = 1, .block = block}};
    const struct bly_code code = {"sums", sums_text, defines, kernels, 2, 1, 0};
    struct bly_program *program = NULL;
    OK(cpu->load(device, &code, &program));
    return program;
}

static void check_sums(struct bly_device *device, struct bly_program *program, uint32_t block, uint64_t count)
{
    const struct sums_params params = {count, 5, (uint32_t)count};
    uint64_t *x = calloc(count + 1, 8), *expected = calloc(count + 1, 8);
    assert_true(x && expected);
    struct bly_memory *memory = memory_of(device, x, count * 8);
    x[count] = expected[count] = 99;
    OK(cpu->launch(device, 0, program, 0, count, 1, &params, &memory));
    expect_sums(expected, &params, block);
    assert_memory_equal(x, expected, (count + 1) * 8);
    OK(cpu->launch(device, 0, program, 1, count, 1, &params, &memory));
    for (uint64_t i = 0; i < count; i++) assert_true(x[i] == count * 2 + i % 2);
    cpu->release(device, memory);
    free(x);
    free(expected);
}

TEST(groups, HOST | LONG)
{
    static const uint32_t blocks[] = {1, 2, 64, 96, 256, 1024};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct bly_device *device = open_device("", threads);
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            const uint64_t counts[] = {1, blocks[i], blocks[i] + 1, 10 * blocks[i] - 1, 20003};
            struct bly_program *program = load_sums(device, blocks[i]);
            bailey_kernel_info info;
            OK(cpu->inspect(device, program, 0, &info));
            assert_int_equal(info.block, blocks[i]);
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check_sums(device, program, blocks[i], counts[c]);
            cpu->unload(device, program);
        }
        cpu->close(device);
    }
}

/* As many buffers as there may be, and as large a struct; every other buffer is NULL. */
static const char *const many_text =
    "#include \"kernels/group_entry.h\"\n"
    "typedef struct many_params { bailey_uint64 word[128]; } many_params;\n"
    "BAILEY_FN void many_group(many_params p, const double *a, const double *b, const double *c,\n"
    "    const double *d, const double *e, const double *f, const double *g, const double *h,\n"
    "    const double *i, const double *j, const double *k, const double *l, const double *m,\n"
    "    const double *n, const double *o, double *x, bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    (void)shared;\n"
    "    x[item] = *a + *c + *e + *g + *i + *k + *m + *o + (double)p.word[127];\n"
    "    if (b || d || f || h || j || l || n) x[item] = -1;\n"
    "}\n"
    "BLY_GROUP_ENTRY_16(many, many_params, const double, const double, const double, const double,\n"
    "    const double, const double, const double, const double, const double, const double, const double,\n"
    "    const double, const double, const double, const double, double)\n";

TEST(many_buffers, HOST)
{
    const struct bly_kernel kernel = {.name = "many", .params_bytes = 1024, .buffers = 16, .block = 1};
    const struct bly_code code = {"many", many_text, NULL, &kernel, 1, 0, 0};
    uint64_t params[128] = {[127] = 1000};
    double words[16] = {0}, x[3] = {0};
    struct bly_device *device = open_device("", 0);
    struct bly_memory *memory[16] = {0};
    struct bly_program *program = NULL;
    OK(cpu->load(device, &code, &program));
    for (int i = 0; i < 15; i += 2) {
        words[i] = 1 << i / 2;
        memory[i] = memory_of(device, &words[i], 8);
    }
    memory[15] = memory_of(device, x, sizeof x);
    OK(cpu->launch(device, 0, program, 0, 2, 1, params, memory));
    assert_true(x[0] == 1255 && x[1] == 1255 && x[2] == 0);
    for (int i = 0; i < 16; i++) cpu->release(device, memory[i]);
    cpu->unload(device, program);
    cpu->close(device);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static bailey_status load_text(struct bly_device *device, const char *text, uint32_t block, uint32_t shared)
{
    const struct bly_kernel kernel = {
        .name = "one", .params_bytes = 8, .buffers = 1, .block = block, .shared_bytes = shared};
    const struct bly_code code = {"a text", text, NULL, &kernel, 1, 0, 0};
    struct bly_program *program = NULL;
    const bailey_status status = cpu->load(device, &code, &program);
    if (status == BAILEY_OK) cpu->unload(device, program);
    return status;
}

/* A kernel that stores `number`: another text for each. */
static const char *text_of(char *text, size_t size, unsigned number)
{
    snprintf(
        text, size,
        "#include \"kernels/group_entry.h\"\n"
        "typedef struct one_params { bailey_uint64 unused; } one_params;\n"
        "BAILEY_FN void one_group(one_params p, bailey_uint64 *x, bailey_uint64 *s, bailey_uint64 item)\n"
        "{\n"
        "    (void)p, (void)s;\n"
        "    x[item] = %uu;\n"
        "}\n"
        "BLY_GROUP_ENTRY_1(one, one_params, bailey_uint64)\n",
        number);
    return text;
}

TEST(mistakes, HOST)
{
    char text[1024];
    struct bly_device *device = open_device("", 0);
    assert_int_equal(load_text(device,
                               "#include \"kernels/group_entry.h\"\n"
                               "\n"
                               "#include \"bailey/device/draw.h\"\n"
                               "#include \"bailey/device/normal.h\"\n"
                               "\n"
                               "typedef int one_params;\n"
                               "int seventh = a_name_that_is_missing;\n",
                               1, 0),
                     BAILEY_ERROR_BUILD);
    SAYS("a text:7");
    SAYS("a_name_that_is_missing");
    assert_int_equal(load_text(device, "int nothing_that_is_wanted;\n", 1, 0), BAILEY_ERROR_UNSUPPORTED);
    SAYS("one");
    text_of(text, sizeof text, 1);
    assert_int_equal(load_text(device, text, 1u << 20, 0), BAILEY_ERROR_UNSUPPORTED);
    SAYS("1048576");
    assert_int_equal(load_text(device, text, 1, 1u << 30), BAILEY_ERROR_UNSUPPORTED);
    SAYS("1073741824");
    OK(load_text(device, text, 1, 0));
    cpu->close(device);
}

/* A script that is taken for a compiler. */
static const char *script(char *path, size_t size, const char *name, const char *lines)
{
    snprintf(path, size, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s", lines);
    fclose(file);
    chmod(path, 0700);
    return path;
}

/* Whether the compiler is asked for AVX-512 FP16, where the processor has it and the text is in half
 * precision. */
static int asks_for_half(const char *version, int in_half)
{
    static const char *const no_options[] = {NULL};
    static const struct bly_cpu_kernel *const no_rows[2];
    const struct bly_cpu_target target = {no_options, no_rows, 1};
    const struct bly_kernel kernel = {.name = "one", .lane_bytes = 4, .block = 1};
    const struct bly_code code = {
        .name = "a text", .text = "", .kernels = &kernel, .kernel_count = 1, .in_half = in_half};
    char path[256], lines[256];
    bly_cpu_text_function function;
    struct bly_cpu_library *library = NULL;
    snprintf(lines, sizeof lines, "test \"$1\" = --version && echo '%s' && exit 0\necho \"$@\" >&2\nexit 1\n",
             version);
    setenv("BAILEY_CC", script(path, sizeof path, version, lines), 1);
    assert_int_equal(bly_cpu_text_load(&target, BLY_CACHE_NONE, &code, &function, &library),
                     BAILEY_ERROR_BUILD);
    unlink(path);
    return strstr(bailey_error_message(), "-mavx512fp16") != NULL;
}

TEST(half, HOST)
{
    assert_true(asks_for_half("Debian clang version 14.0.6", 1));
    assert_false(asks_for_half("Debian clang version 14.0.6", 0));
    assert_false(asks_for_half("clang version 13.0.1", 1));
    assert_false(asks_for_half("gcc 14.2.0, Free Software Foundation", 1));
    unsetenv("BAILEY_CC");
}

TEST(compilers, HOST)
{
    char text[1024], path[256];
    struct bly_device *device = open_device("", 0);
    text_of(text, sizeof text, 2);
    static const char *const absent[] = {"", "/nonexistent", "false"};
    for (size_t i = 0; i < 3; i++) {
        setenv("BAILEY_CC", absent[i], 1);
        assert_int_equal(cpu->compiler(device), BAILEY_ERROR_UNSUPPORTED);
        SAYS("BAILEY_CC");
        SAYS(absent[i]);
        assert_int_equal(load_text(device, text, 1, 0), BAILEY_ERROR_UNSUPPORTED);
    }
    static const char *const bad[][3] = {
        {"fails", "test \"$1\" = --version && exit 0\necho it will not >&2\nexit 3\n", "it will not"},
        {"nothing", "exit 0\n", "produced no object"},
        {"killed", "test \"$1\" = --version && exit 0\nkill -9 $$\n", "did not build"},
        {"talks", "test \"$1\" = --version && exit 0\nyes words | head -c 300000 >&2\nexit 1\n",
         "words\nwords"},
    };
    for (size_t i = 0; i < 4; i++) {
        setenv("BAILEY_CC", script(path, sizeof path, bad[i][0], bad[i][1]), 1);
        OK(cpu->compiler(device));
        assert_int_equal(load_text(device, text, 1, 0), BAILEY_ERROR_BUILD);
        SAYS(bad[i][2]);
        unlink(path);
    }
    /* An object that is none: the fourth word from the end names the output. */
    setenv("BAILEY_CC",
           script(path, sizeof path, "garbage",
                  "test \"$1\" = --version && exit 0\n"
                  "while test \"$1\" != -o; do shift; done\necho garbage >\"$2\"\n"),
           1);
    assert_int_equal(load_text(device, text, 1, 0), BAILEY_ERROR_UNSUPPORTED);
    SAYS("cannot load");
    unlink(path);
    unsetenv("BAILEY_CC");
    OK(cpu->compiler(device));
    OK(load_text(device, text, 1, 0));
    cpu->close(device);
}

/* ---- The cache ------------------------------------------------------------------------------- */

static int built, loaded;

static void count_lines(void *user, int level, const char *line)
{
    (void)user, (void)level;
    built += strstr(line, "built a text ") != NULL;
    loaded += strstr(line, "loaded a text ") != NULL;
}

/* Overwrites the middle of every file of the directory; returns how many there are. */
static int damage(const char *path)
{
    char name[512];
    int count = 0;
    DIR *entries = opendir(path);
    for (struct dirent *e; entries && (e = readdir(entries));) {
        if (*e->d_name == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        FILE *file = fopen(name, "r+b");
        assert_non_null(file);
        fseek(file, 2000, SEEK_SET);
        fputs("garbage garbage", file);
        fclose(file);
        count++;
    }
    if (entries) closedir(entries);
    return count;
}

/* Loads the text in a process that has none in memory. */
static void load_elsewhere(const char *cache, const char *text, int expected_built, int expected_loaded)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        built = loaded = 0;
        bailey_log_set(count_lines, NULL, 1);
        struct bly_device *device = open_device(cache, 1);
        const bailey_status status = load_text(device, text, 1, 0);
        cpu->close(device);
        _exit(status != BAILEY_OK || built != expected_built || loaded != expected_loaded);
    }
    int ended = 1;
    waitpid(child, &ended, 0);
    assert_int_equal(ended, 0);
}

/* With the level. */
static void name_driver(char *name, size_t size)
{
    struct bly_device *device = open_device("", 1);
    snprintf(name, size, "%.63s", device->info.driver);
    cpu->close(device);
}

TEST(cache, HOST)
{
    char text[1024], path[256];
    snprintf(path, sizeof path, "%s/cache", directory);
    text_of(text, sizeof text, 3);
    load_elsewhere(path, text, 1, 0);
    load_elsewhere(path, text, 0, 1);
    assert_true(damage(path) >= 1); /* what the compiler said of its version may be there too */
    load_elsewhere(path, text, 1, 0);
    load_elsewhere(path, text, 0, 1);
    load_elsewhere("/proc/none", text, 1, 0); /* where nothing can be made */
    char best[64], least[64];
    name_driver(best, sizeof best);
    setenv("BAILEY_CPU_LEVEL", "baseline", 1);
    name_driver(least, sizeof least);
    if (strcmp(best, least) != 0) load_elsewhere(path, text, 1, 0); /* other options: another key */
    setenv("BAILEY_CC", "gcc", 1);                                  /* another compiler: another key */
    if (system("gcc --version >/dev/null 2>&1") == 0) load_elsewhere(path, text, 1, 0);
    unsetenv("BAILEY_CC");
    unsetenv("BAILEY_CPU_LEVEL");
}

/* Whether another process finds the compiler under the limits that it has. */
static int finds_compiler(const char *cache)
{
    int ended = 1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct bly_device *device = open_device(cache, 1);
        const bailey_status status = cpu->compiler(device);
        cpu->close(device);
        _exit(status != BAILEY_OK);
    }
    waitpid(child, &ended, 0);
    return ended == 0;
}

/* A compiler that is machine code is asked for its version again where its file is another one; a script always
 * is. Where no program may have memory, asking fails. */
TEST(compiler_asked_once, HOST)
{
    char path[256], cache[256], line[640];
    snprintf(cache, sizeof cache, "%s/asked", directory);
    snprintf(path, sizeof path, "%s/code", directory);
    snprintf(line, sizeof line, "cp \"$(command -v env)\" '%s' && '%s' --version >/dev/null 2>&1", path, path);
    if (system(line)) skip();
    setenv("BAILEY_CC", path, 1);
    assert_true(finds_compiler(cache));
    setenv("BAILEY_CC_MEMORY", "1", 1);
    assert_true(finds_compiler(cache));
    assert_false(finds_compiler(""));
    snprintf(line, sizeof line, "echo >>'%s'", path);
    assert_int_equal(system(line), 0);
    assert_false(finds_compiler(cache));
    unsetenv("BAILEY_CC_MEMORY");
    unlink(path);
    setenv("BAILEY_CC", script(path, sizeof path, "told", "echo a compiler\n"), 1);
    assert_true(finds_compiler(cache));
    setenv("BAILEY_CC_MEMORY", "1", 1);
    assert_false(finds_compiler(cache));
    unsetenv("BAILEY_CC_MEMORY");
    unlink(path);
    unsetenv("BAILEY_CC");
}

/* ---- Threads, and what is left behind -------------------------------------------------------- */

static void *load_in_thread(void *argument)
{
    char text[1024];
    struct bly_device *device = open_device("", 1);
    const bailey_status status =
        load_text(device, text_of(text, sizeof text, (unsigned)(uintptr_t)argument), 1, 0);
    cpu->close(device);
    return status == BAILEY_OK ? argument : NULL;
}

TEST(threads, HOST)
{
    static const uintptr_t numbers[] = {10, 10, 11, 12};
    pthread_t thread[4];
    built = 0;
    bailey_log_set(count_lines, NULL, 1);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, load_in_thread, (void *)numbers[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *outcome = NULL;
        pthread_join(thread[i], &outcome);
        assert_ptr_equal(outcome, (void *)numbers[i]);
    }
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(built, 3);
}

static int count_entries(const char *path)
{
    int count = 0;
    DIR *entries = opendir(path);
    while (entries && readdir(entries)) count++;
    if (entries) closedir(entries);
    return count;
}

TEST(nothing_is_left, HOST)
{
    char text[1024];
    struct sigaction before, after;
    struct bly_device *device = open_device("", 0);
    const int files = count_entries("/proc/self/fd"), temporary = count_entries(directory);
    sigaction(SIGPIPE, NULL, &before);
    OK(load_text(device, text_of(text, sizeof text, 20), 64, 0));
    assert_int_equal(load_text(device, "not C\n", 1, 0), BAILEY_ERROR_BUILD);
    sigaction(SIGPIPE, NULL, &after);
    assert_ptr_equal(before.sa_handler, after.sa_handler);
    assert_int_equal(count_entries("/proc/self/fd"), files);
    assert_int_equal(count_entries(directory), temporary);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child */
    /* A process that ignores SIGCHLD is not told how its children ended. */
    signal(SIGCHLD, SIG_IGN);
    OK(load_text(device, text_of(text, sizeof text, 21), 1, 0));
    assert_int_equal(load_text(device, "not C\n", 1, 0), BAILEY_ERROR_BUILD);
    signal(SIGCHLD, SIG_DFL);
    cpu->close(device);
}

static int set_up(void **state)
{
    (void)state;
    directory = test_folder();
    setenv("TMPDIR", directory, 1);
    unsetenv("BAILEY_CC");
    struct bly_device *device = open_device("", 1);
    const int compiles = cpu->compiler(device) == BAILEY_OK;
    cpu->close(device);
    if (!compiles) skip(); /* no compiler here */
    return 0;
}
FIXTURE(set_up, NULL)
