/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts that are given to the CUDA backend, against a stub driver (stub_cuda.c) and a stub
 * compiler (stub_nvrtc.c): no compiler, failing calls, architectures, strategies that give way, and the cache
 * on disk. Needs no GPU.
 *
 * BLY_STUB_NVRTC_OLD is the compiler's file without nvrtcGetCUBIN; cuda_faults.h has the others.
 *
 *     test_cuda_faults_source --job     compiles and runs a kernel, prints what the log said, for the cache
 * test
 */
#include "cuda_faults.h"

#include <base/alloc.h>
#include <host/bridge/bridge_internal.h>
#include <host/internal.h>

#include "stub_nvrtc.h"

#include <dirent.h>

static struct bly_stub_nvrtc *compiler; /* of the library that the backend opened */

#define DOUBLES 1000

/* The text of stub_double, another one for each serial number. */
struct source {
    struct bly_kernel kernel;
    struct bly_code code;
    char text[128];
};

static void make_source(struct source *source, int serial)
{
    snprintf(source->text, sizeof source->text,
             "#include \"kernels/group_entry.h\"\nBLY_GROUP_ENTRY_3(stub_double, p, a, b, c) // %d\n",
             serial);
    source->kernel = (struct bly_kernel){
        .name = "stub_double", .lane_bytes = 8, .params_bytes = 8, .buffers = 3, .block = 64};
    source->code = (struct bly_code){
        .name = "stub_double", .text = source->text, .kernels = &source->kernel, .kernel_count = 1};
}

static bailey_status load(bailey_context *context, const struct source *source, struct bly_program **program)
{
    return context->device->backend->load(context->device, &source->code, program);
}

static void unload(bailey_context *context, struct bly_program *program)
{
    context->device->backend->unload(context->device, program);
}

/* Loads and runs the kernel over `words`, with a lot of shared memory. */
static bailey_status run_double(int serial, uint64_t words[DOUBLES])
{
    const uint64_t count = DOUBLES;
    bailey_context *context = NULL;
    bailey_buffer *buffers[2] = {NULL, NULL};
    struct bly_program *program = NULL;
    struct source source;
    make_source(&source, serial);
    source.kernel.shared_bytes = 65536;
    for (uint64_t i = 0; i < DOUBLES; i++) words[i] = i * i;
    bailey_status status = bailey_context_create("cuda", NULL, &context);
    for (int i = 0; i < 2; i++)
        if (status == BAILEY_OK) status = bailey_buffer_create(context, 8 * DOUBLES, &buffers[i]);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffers[0], 0, words, 8 * DOUBLES);
    if (status == BAILEY_OK) status = load(context, &source, &program);
    memset(&source, 0, sizeof source); /* the program needs none of it */
    if (status == BAILEY_OK) {
        struct bly_device *device = context->device;
        struct bly_memory *const memory[] = {buffers[0]->memory, NULL, buffers[1]->memory};
        status = device->backend->launch(device, 0, program, 0, count, 1, &count, memory);
    }
    if (program) unload(context, program);
    if (status == BAILEY_OK) status = bailey_buffer_read(buffers[1], 0, words, 8 * DOUBLES);
    bailey_buffer_destroy(buffers[0]);
    bailey_buffer_destroy(buffers[1]);
    bailey_context_destroy(context);
    return status;
}

/* Before NVRTC has been opened. */
TEST(compiler_absent, HOST)
{
    static const double times[] = {1, 2, 3};
    const bailey_bridge_params shape = {.times = times, .steps = 3};
    uint64_t words[DOUBLES];
    bailey_context *context = NULL;
    bailey_bridge *bridge = NULL;
    setenv("BAILEY_NVRTC_LIBRARY", "/nonexistent/libnvrtc.so", 1);
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(context->device->backend->compiler(context->device), BAILEY_ERROR_UNSUPPORTED);
    assert_int_equal(bailey_bridge_create(context, &shape, &bridge), BAILEY_OK); /* there are other ways */
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(context);
    assert_int_equal(run_double(0, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "NVRTC");
    assert_contains(bailey_error_message(), "/nonexistent/libnvrtc.so");
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC_OLD, 1);
    assert_int_equal(run_double(0, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "nvrtcGetCUBIN");
    /* Not remembered. */
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC, 1);
    assert_int_equal(run_double(0, words), BAILEY_OK);
}

TEST(source_runs, HOST)
{
    uint64_t words[DOUBLES];
    compiler->compiled = 0;
    for (int run = 0; run < 2; run++) {
        stub->program_items = 0;
        assert_int_equal(run_double(1, words), BAILEY_OK);
        for (uint64_t i = 0; i < DOUBLES; i++) assert_int_equal(words[i], 2 * i * i + 1);
        assert_int_equal(stub->program_items, (DOUBLES + 63) / 64 * 64); /* whole blocks, once each */
    }
    assert_int_equal(compiler->compiled, 1); /* the second time from the process */
    assert_string_equal(compiler->architecture, "sm_90");
    assert_int_equal(compiler->programs, 0);
    assert_int_equal(compiler->misuses, 0);
}

/* Checks what is reported of kernel 0. */
static void assert_info(bailey_context *context, struct bly_program *program, uint32_t shared, uint32_t block)
{
    bailey_kernel_info info;
    memset(&info, 0xA5, sizeof info);
    assert_int_equal(context->device->backend->inspect(context->device, program, 0, &info), BAILEY_OK);
    assert_int_equal(info.registers, 40);
    assert_int_equal(info.spill_bytes, 8);
    assert_int_equal(info.shared_bytes, shared);
    assert_int_equal(info.block, block);
    assert_true(info.occupancy == 0.75);
}

TEST(source_info, HOST)
{
    bailey_context *context = NULL;
    struct bly_program *programs[2], *row;
    struct source source;
    make_source(&source, 2);
    source.kernel.shared_bytes = 100;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(context->device->backend->compiler(context->device), BAILEY_OK);
    assert_int_equal(context->device->shared_bytes, 100000);
    const int modules = stub->modules; /* with the check of a new context */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(load(context, &source, &programs[i]), BAILEY_OK);
        assert_int_equal(stub->modules, modules + i + 1);
        assert_info(context, programs[i], 32 + 112, 64);
    }
    stub->calls[BLY_STUB_SYNC] = 0;
    unload(context, programs[0]);
    assert_int_equal(stub->calls[BLY_STUB_SYNC], 1); /* of what is queued, first */
    assert_int_equal(stub->modules, modules + 1);
    assert_info(context, programs[1], 32 + 112, 64);
    unload(context, programs[1]);
    unload(context, NULL);

    /* A row's module stays with the device. */
    const struct bly_code code = {
        .name = "row", .kernels = &bly_kernels[BLY_KERNEL_bly_prebuilt_asian_option_f32], .kernel_count = 1};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(context->device->backend->load(context->device, &code, &row), BAILEY_OK);
        assert_info(context, row, 32, 256);
        unload(context, row);
        assert_int_equal(stub->modules, modules + 1);
    }
    bailey_context_destroy(context);
    assert_int_equal(stub->modules, 0);
}

TEST(source_too_large, HOST)
{
    bailey_context *context = NULL;
    struct bly_program *program;
    struct source large;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    make_source(&large, 3);
    large.kernel.block = 1025;
    memset(&program, 0xA5, sizeof program);
    assert_int_equal(load(context, &large, &program), BAILEY_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_contains(bailey_error_message(), "1025 threads a block, cuda:0 takes 1024");
    large.kernel.block = 64;
    large.kernel.shared_bytes = 100001;
    assert_int_equal(load(context, &large, &program), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "100016 bytes of shared memory a block, cuda:0 takes 100000");
    bailey_context_destroy(context);
}

/* ---- Several kernels, definitions, many buffers ---------------------------------------------- */

static const char gather_text[] = "#include \"kernels/group_entry.h\"\n"
                                  "BLY_GROUP_ENTRY_3(stub_double, p, a, b, c)\n"
                                  "BLY_GROUP_ENTRY_16(stub_gather, p, ...)\n";

static bailey_status load_gather(struct bly_device *device, const char *const *defines,
                                 struct bly_program **program)
{
    const struct bly_kernel kernels[] = {{.name = "stub_double",
                                          .lane_bytes = 8,
                                          .params_bytes = 8,
                                          .buffers = 3,
                                          .block = 64,
                                          .shared_bytes = 50000},
                                         {.name = "stub_gather",
                                          .lane_bytes = 8,
                                          .params_bytes = BLY_STUB_GATHER_PARAMS,
                                          .buffers = BLY_MAX_BUFFERS,
                                          .block = 64,
                                          .shared_bytes = 100}};
    const struct bly_code code = {
        .name = "gather", .text = gather_text, .defines = defines, .kernels = kernels, .kernel_count = 2};
    return device->backend->load(device, &code, program);
}

TEST(several_kernels, HOST)
{
    bailey_context *context = NULL;
    struct bly_program *program = NULL;
    bailey_buffer *buffers[BLY_MAX_BUFFERS];
    struct bly_memory *memory[BLY_MAX_BUFFERS];
    uint64_t words[DOUBLES], params[BLY_STUB_GATHER_PARAMS / 8] = {[0] = DOUBLES};
    params[BLY_STUB_GATHER_PARAMS / 8 - 1] = 1000000;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    struct bly_device *device = context->device;
    for (uint64_t i = 0; i < BLY_MAX_BUFFERS; i++) {
        for (uint64_t k = 0; k < DOUBLES; k++) words[k] = k << i;
        assert_int_equal(bailey_buffer_create(context, sizeof words, &buffers[i]), BAILEY_OK);
        assert_int_equal(bailey_buffer_write(buffers[i], 0, words, sizeof words), BAILEY_OK);
        memory[i] = i == 3 ? NULL : buffers[i]->memory;
    }
    stub->calls[BLY_STUB_SHARED] = 0;
    assert_int_equal(load_gather(device, NULL, &program), BAILEY_OK);
    assert_int_equal(compiler->shared, 50000);         /* the largest */
    assert_int_equal(stub->calls[BLY_STUB_SHARED], 1); /* but each is given its own */
    assert_int_equal(device->backend->launch(device, 0, program, 1, DOUBLES, 1, params, memory), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffers[15], 0, words, sizeof words), BAILEY_OK);
    for (uint64_t k = 0; k < DOUBLES; k++) assert_int_equal(words[k], (0x7fff - 8) * k + 1000000);
    struct bly_memory *const three[] = {memory[1], NULL, memory[0]};
    assert_int_equal(device->backend->launch(device, 0, program, 0, DOUBLES, 1, params, three), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffers[0], 0, words, sizeof words), BAILEY_OK);
    for (uint64_t k = 0; k < DOUBLES; k++) assert_int_equal(words[k], 4 * k + 1);
    device->backend->unload(device, program);
    for (int i = 0; i < BLY_MAX_BUFFERS; i++) bailey_buffer_destroy(buffers[i]);
    bailey_context_destroy(context);
    assert_int_equal(compiler->misuses, 0);
}

TEST(definitions, HOST)
{
    static const char *const first[] = {"FLAG", "VALUE=2 + x", NULL}, *const second[] = {"FLAG", NULL};
    bailey_context *context = NULL;
    struct bly_program *programs[3];
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    compiler->compiled = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(load_gather(context->device, i == 0 ? second : first, &programs[i]), BAILEY_OK);
    assert_int_equal(compiler->compiled, 2); /* other definitions are another program */
    assert_contains(compiler->begin, "#define FLAG 1\n#define VALUE 2 + x\n#line 1\n#include");
    for (int i = 0; i < 3; i++) unload(context, programs[i]);
    bailey_context_destroy(context);
}

/* The second of several kernels is not there, and nothing is left. */
TEST(kernel_missing, HOST)
{
    bailey_context *context = NULL;
    struct bly_program *program = NULL;
    struct source source;
    make_source(&source, 4);
    struct bly_kernel kernels[2] = {source.kernel, source.kernel};
    kernels[1].name = "stub_absent";
    source.code.kernels = kernels;
    source.code.kernel_count = 2;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    const int modules = stub->modules;
    assert_int_equal(load(context, &source, &program), BAILEY_ERROR_DRIVER);
    assert_null(program);
    assert_string_equal(bailey_error_message(),
                        "kernel stub_absent: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND "
                        "(named symbol not found)");
    assert_int_equal(stub->modules, modules);
    bailey_context_destroy(context);
}

/* ---- Failures -------------------------------------------------------------------------------- */

TEST(source_does_not_compile, HOST)
{
    uint64_t words[DOUBLES];
    setenv("BLY_STUB_NVRTC_FAIL", "compile", 1);
    assert_int_equal(run_double(4, words), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_message(), "kernel stub_double");
    assert_contains(bailey_error_message(), "NVRTC_ERROR_COMPILATION");
    assert_contains(bailey_error_message(), "stub(1): error: the compiler was told to fail");
    static const char *const calls[] = {"version", "count", "architectures", "size", "image"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        setenv("BLY_STUB_NVRTC_FAIL", calls[i], 1);
        assert_int_equal(run_double(4, words), BAILEY_ERROR_DRIVER);
        assert_contains(bailey_error_message(), "NVRTC_ERROR_INTERNAL_ERROR");
    }
    setenv("BLY_STUB_NVRTC_FAIL", "create", 1);
    assert_int_equal(run_double(4, words), BAILEY_ERROR_MEMORY);
    unsetenv("BLY_STUB_NVRTC_FAIL");
    assert_int_equal(run_double(4, words), BAILEY_OK); /* nothing was kept of the failures */
    assert_int_equal(compiler->programs, 0);
    assert_int_equal(compiler->misuses, 0);
}

TEST(source_calls_fail, HOST)
{
    static const struct {
        const char *name;
        bailey_status status;
    } calls[] = {{"load", BAILEY_ERROR_NO_DEVICE}, {"function", BAILEY_ERROR_DRIVER},
                 {"shared", BAILEY_ERROR_DRIVER},  {"launch", BAILEY_ERROR_DRIVER},
                 {"retain", BAILEY_ERROR_DRIVER},  {"alloc", BAILEY_ERROR_MEMORY}};
    static int serial = 100;
    uint64_t words[DOUBLES];
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        int n = 1, failed = 1;
        for (; failed; n++) {
            assert_true(n < 100);
            char fail[32];
            snprintf(fail, sizeof fail, "%s:%d", calls[c].name, n);
            memset(stub->calls, 0, sizeof stub->calls);
            setenv("BLY_STUB_CUDA_FAIL", fail, 1);
            const bailey_status status = run_double(serial++, words);
            /* What the driver refuses straight from the compiler did not build. */
            const int fresh = strcmp(calls[c].name, "load") == 0 && n > 1;
            failed = status != BAILEY_OK;
            if (failed && status != (fresh ? BAILEY_ERROR_BUILD : calls[c].status))
                fail_msg("%s: %s, %s", fail, bailey_status_name(status), bailey_error_message());
            if (failed) assert_contains(bailey_error_message(), "CUDA_ERROR_");
            tear_down(NULL);
        }
        assert_true(n > 2);
    }
}

/* Every allocation of a load fails once, and nothing is left of it. */
TEST(source_allocations_fail, HOST)
{
    static const char *const defines[] = {"ALLOCATIONS", NULL};
    bailey_context *context = NULL;
    struct bly_program *program = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    const int modules = stub->modules;
    bailey_status status = BAILEY_ERROR_MEMORY;
    int n = 1;
    for (; status != BAILEY_OK; n++) {
        assert_true(n < 100);
        bly_alloc_countdown = n;
        status = load_gather(context->device, defines, &program);
        if (status == BAILEY_OK) break;
        assert_null(program);
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_int_equal(stub->modules, modules);
    }
    bly_alloc_countdown = 0;
    assert_true(n > 4);
    unload(context, program);
    bailey_context_destroy(context);
    assert_int_equal(compiler->programs, 0);
}

/* The device is of compute capability 9.0. */
TEST(architectures, HOST)
{
    static const struct {
        const char *known, *chosen;
    } cases[] = {{"75 89 90 100", "sm_90"}, {"100 89 75", "compute_89"}, {"75 80", "compute_80"}};
    static int serial = 200;
    uint64_t words[DOUBLES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("BLY_STUB_NVRTC_ARCHS", cases[i].known, 1);
        assert_int_equal(run_double(serial++, words), BAILEY_OK);
        assert_string_equal(compiler->architecture, cases[i].chosen);
        assert_int_equal(words[3], 19);
    }
    setenv("BLY_STUB_CUDA_CAPABILITY", "99", 1); /* machine code of the same major version runs there */
    setenv("BLY_STUB_NVRTC_ARCHS", "75 90 100", 1);
    assert_int_equal(run_double(serial++, words), BAILEY_OK);
    assert_string_equal(compiler->architecture, "sm_90");
    setenv("BLY_STUB_NVRTC_ARCHS", "100 120", 1);
    assert_int_equal(run_double(serial++, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "NVRTC 13.0 compiles for compute capability 10.0 and up");
    assert_contains(bailey_error_message(), "has 9.9");
    assert_int_equal(compiler->misuses, 0);
}

static int refusals;

static void count_refusals(void *user, int level, const char *line)
{
    (void)level;
    refusals += strstr(line, user) != NULL && strstr(line, "compute capability 10.0 and up") != NULL;
}

/* A strategy that auto chose, and that turns out to have no program for a launch, gives way to the library's
 * own kernel, with the same bits; one that was asked for by name does not. */
TEST(strategy_refused, HOST)
{
    enum { STEPS = 7, PATHS = 13 };
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6, 7};
    static char *const lines[] = {"reuse instead of specialised", "readback instead of specialised"};
    static const bailey_bridge_strategy strategies[] = {
        BAILEY_BRIDGE_STRATEGY_READBACK, BAILEY_BRIDGE_STRATEGY_AUTO, BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    const bailey_source source = {.seed = 5};
    for (uint32_t dims = 1; dims <= 2; dims++) {
        float expected[STEPS * 2 * PATHS], found[STEPS * 2 * PATHS];
        const uint64_t bytes = STEPS * dims * PATHS * sizeof(float);
        bailey_context *context = NULL;
        bailey_bridge *bridges[3];
        bailey_buffer *z = NULL, *x = NULL;
        bailey_bridge_info info;
        bailey_kernel_info kernel;
        assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
        assert_int_equal(bailey_buffer_create(context, bytes, &z), BAILEY_OK);
        assert_int_equal(bailey_buffer_create(context, bytes, &x), BAILEY_OK);
        for (int i = 0; i < 3; i++) {
            const bailey_bridge_params shape = {
                .times = times, .steps = STEPS, .dims = dims, .strategy = strategies[i]};
            assert_int_equal(bailey_bridge_create(context, &shape, &bridges[i]), BAILEY_OK);
            assert_int_equal(bailey_bridge_describe(bridges[i], &info), BAILEY_OK);
            assert_int_equal(info.strategy, strategies[i == 1 ? 2 : i]);
        }
        assert_int_equal(bailey_bridge_normals(bridges[0], &source, NULL, 0, PATHS, z), BAILEY_OK);
        assert_int_equal(bailey_bridge_paths(bridges[0], &source, NULL, 0, PATHS, x), BAILEY_OK);
        assert_int_equal(bailey_buffer_read(x, 0, expected, bytes), BAILEY_OK);

        setenv("BLY_STUB_NVRTC_ARCHS", "100 120", 1);
        refusals = 0;
        bailey_log_set(count_refusals, lines[dims - 1], 1);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(bailey_buffer_fill(x, 0, 0xA5, bytes), BAILEY_OK);
            assert_int_equal(i % 2 ? bailey_bridge_build(bridges[1], PATHS, z, x)
                                   : bailey_bridge_paths(bridges[1], &source, NULL, 0, PATHS, x),
                             BAILEY_OK);
            assert_int_equal(bailey_buffer_read(x, 0, found, bytes), BAILEY_OK);
            assert_memory_equal(found, expected, bytes);
        }
        bailey_log_set(NULL, NULL, 0);
        assert_int_equal(refusals, 2); /* fused and from memory, each once */
        assert_int_equal(bailey_bridge_inspect(bridges[1], &source, NULL, &kernel), BAILEY_OK);
        assert_int_equal(kernel.block, 256);
        assert_int_equal(bly_bridge_transfer(bridges[1], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        assert_int_equal(bailey_bridge_paths(bridges[2], &source, NULL, 0, PATHS, x),
                         BAILEY_ERROR_UNSUPPORTED);
        assert_contains(bailey_error_message(), "compute capability 10.0 and up");
        assert_int_equal(bailey_bridge_build(bridges[2], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        unsetenv("BLY_STUB_NVRTC_ARCHS");

        for (int i = 0; i < 3; i++) bailey_bridge_destroy(bridges[i]);
        bailey_buffer_destroy(z);
        bailey_buffer_destroy(x);
        bailey_context_destroy(context);
    }
}

/* ---- The cache on disk ----------------------------------------------------------------------- */

static void print_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == 1) printf("%s\n", line);
}

/* The other side of run_job. */
TEST(job, PART)
{
    uint64_t words[DOUBLES];
    bailey_log_set(print_line, NULL, 1);
    if (run_double(7, words) != BAILEY_OK) {
        printf("failed: %s\n", bailey_error_message());
        exit(1);
    }
    for (uint64_t i = 0; i < DOUBLES; i++)
        if (words[i] != 2 * i * i + 1) exit(1);
}

/* Runs the job in a process of its own; its log must have these lines, so many. */
static void assert_job(int built, int loaded, int damaged, int rejected)
{
    char command[4200], line[1024];
    int found[4] = {0};
    snprintf(command, sizeof command, "'%s' cuda_faults_source.job", test_program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        found[0] += strstr(line, "cuda: built stub_double") != NULL;
        found[1] += strstr(line, "cuda: loaded stub_double from cache") != NULL;
        found[2] += strstr(line, "is damaged") != NULL;
        found[3] += strstr(line, "driver rejects the cached") != NULL;
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(found[0], built);
    assert_int_equal(found[1], loaded);
    assert_int_equal(found[2], damaged);
    assert_int_equal(found[3], rejected);
}

TEST(cached, HOST)
{
    char directory[64] = "bailey-cuda-cache-XXXXXX", name[400] = "";
    assert_non_null(mkdtemp(directory));
    setenv("BAILEY_CACHE_DIR", directory, 1);
    assert_job(1, 0, 0, 0);
    assert_job(0, 1, 0, 0);
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        assert_string_equal(name, ""); /* one entry: embedded kernels need none */
        snprintf(name, sizeof name, "%s/%s", directory, e->d_name);
    }
    closedir(d);
    /* A byte of the cubin is another one: the file is not given to the driver, but replaced. */
    FILE *file = fopen(name, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -3, SEEK_END), 0);
    assert_int_equal(fputc('?', file), '?');
    assert_int_equal(fclose(file), 0);
    assert_job(1, 0, 1, 0);
    assert_job(0, 1, 0, 0);
    /* The second load, after that of the check of a new context, is the cubin's. */
    setenv("BLY_STUB_CUDA_FAIL", "load:2:300", 1);
    assert_job(1, 0, 0, 1);
    unsetenv("BLY_STUB_CUDA_FAIL");
    assert_job(0, 1, 0, 0);
    /* Another architecture, another program. */
    setenv("BLY_STUB_NVRTC_ARCHS", "75", 1);
    assert_job(1, 0, 0, 0);
    assert_job(0, 1, 0, 0);
    unsetenv("BLY_STUB_NVRTC_ARCHS");
    assert_job(0, 1, 0, 0);
    snprintf(name, sizeof name, "rm -r '%s'", directory);
    assert_int_equal(system(name), 0);
}

static int open_stubs(void **state)
{
    void *library = dlopen(BLY_STUB_NVRTC, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    look_up(library, "bly_stub_nvrtc", &compiler);
    return set_up(state);
}
FIXTURE(open_stubs, tear_down)
