/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Drivers whose faults are tested on their stubs (stub_faults.h): what the scenarios of test_driver_faults.c
 * know of each, and what they share with the tests of one driver, which are in its file with its row.
 */
#ifndef DRIVER_FAULTS_H
#define DRIVER_FAULTS_H

#include <base/alloc.h>
#include <host/internal.h>

#include "stub_faults.h"
#include "test.h"

#include <dlfcn.h>

#define COUNT 1000

/* The outcome of a job when a call of the function fails. Without a rule: it fails with ERROR_DRIVER, and
 * names the function and the error. */
enum fault_kind {
    FAILS,
    EITHER,   /* it fails so, or, where something is freed or found in a cache, the results are the same */
    COSTS,    /* time: the results are the same */
    SOME,     /* of its calls matter, and say otherwise what is missing */
    UNCALLED, /* by the job */
};
struct fault_rule {
    const char *function;
    enum fault_kind kind;
    bailey_status status[2]; /* one or the other */
    int error;               /* 0: the driver's usual one */
    const char *says;        /* instead of the function's name */
    int calls;               /* that are tried; 0: all */
};

struct fault_driver {
    const char *name, *library, *stub, *missing_stub; /* `library` is the variable that names it */
    const char *missing;                              /* what missing_stub lacks */
    const char *compiler;                             /* the stub compiler, where that is another library */
    const struct bly_backend *backend;
    const struct fault_rule *rules; /* the last has no function */
    int error, memory_error;        /* what calls return that fail */
    const char *error_begins;       /* each error's name */

    /* Why there is no device: calls that fail, and where there are none. */
    struct {
        const char *function;
        int error;
        const char *reason;
    } starts[3];
    const char *no_device;
    /* Devices that cannot be used: a setting of the stub's, and the reason. */
    struct {
        const char *variable, *value, *reason;
    } unusable[8];
    /* For two devices the second one, and an address beyond it. */
    struct {
        const char *address, *beyond, *name, *driver;
        uint32_t units;
    } second;

    uint64_t too_large; /* a buffer */
    const char *too_large_says[3], *pinned_says;
    const char *unmapped, *unmapped_says[2]; /* STUB_DEVICE without mapped memory, "" for each */
    /* A work-group and shared memory that are too large for a text. */
    struct {
        uint32_t block, shared;
        const char *block_says, *shared_says;
    } limits;
    struct {
        uint32_t registers, spills, shared;
    } info; /* of a text's kernel with a few bytes of shared memory */

    const char *absent_says; /* of a kernel that code has not */
    const char *compile;     /* the call that compiles, and its usual error */
    int compile_error;
    const char *waits;       /* the call that waits for a queue */
    int waits_to_release[2]; /* how often it is called for device memory, for pinned memory */
    int keeps_events;        /* of freed fences */
    int rows_built;          /* programs that a new context builds */
    const char *loads;       /* the call whose n-th failure rejects a cached program; 0: each call */
    int loads_n, loads_error;
    const char *update[2]; /* a setting that makes other programs of the same texts */

    /* A second context and buffer of the first one's handles. */
    bailey_status (*adopt)(bailey_context *context, bailey_buffer *buffer, bailey_context **second,
                           bailey_buffer **adopted);
};
extern const struct fault_driver fault_opencl, fault_cuda;
static const struct fault_driver *driver; /* the one under test */

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* ---- The stub -------------------------------------------------------------------------------- */

static inline void *symbol_of(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* the instance that the backend opens */
    void *address = handle ? dlsym(handle, name) : NULL;
    if (!address) fail_msg("%s is not in %s", name, library);
    return address;
}
static inline void *stub_symbol(const char *name) { return symbol_of(driver->stub, name); }
static inline void *compiler_symbol(const char *name)
{
    return symbol_of(driver->compiler ? driver->compiler : driver->stub, name);
}

/* The driver's functions, then its compiler's. */
static inline struct stub_function *functions_of(int compiler)
{
    if (compiler && !driver->compiler) return NULL;
    return compiler ? compiler_symbol("stub_functions") : stub_symbol("stub_functions");
}

/* How often a function was called; may be set to zero. */
static inline int *calls_of(const char *function)
{
    for (int compiler = 0; compiler < 2; compiler++)
        for (struct stub_function *f = functions_of(compiler); f && f->name; f++)
            if (strcmp(f->name, function) == 0) return &f->calls;
    fail_msg("the library does not load %s", function);
    return NULL;
}

/* Makes the n-th call of `function` from now fail; n = 0: each. */
static inline void fail_call(const char *function, int n, int error)
{
    char value[128];
    *calls_of(function) = 0;
    snprintf(value, sizeof value, "%s:%d:%d", function, n, error);
    setenv("STUB_FAIL", value, 1);
}

static inline long live_of(void *address)
{
    long (*live)(void);
    memcpy(&live, &address, sizeof live);
    return live();
}
static inline long live_objects(void) { return live_of(stub_symbol("stub_live")); }

/* Everything has been given back, and the driver was called as it wants. */
static inline int balanced(void **state)
{
    (void)state;
    if (!driver) return 0;
    assert_int_equal(live_objects(), 0);
    assert_int_equal(*(int *)stub_symbol("stub_misuses"), 0);
    if (!driver->compiler) return 0;
    assert_int_equal(live_of(compiler_symbol("stub_live")), 0);
    assert_int_equal(*(int *)compiler_symbol("stub_misuses"), 0);
    return 0;
}

/* Before each test: the stub works, no other driver is found, and nothing is of the caller's environment. */
static inline void use(const struct fault_driver *used)
{
    static const char *const unset[] = {
        "BAILEY_DEVICE", "BAILEY_LOG",  "STUB_PLATFORMS", "STUB_PLATFORM_NAME", "STUB_DEVICES",
        "STUB_DEVICE",   "STUB_DRIVER", "STUB_FAIL",      "STUB_VERSION",       "STUB_EXTENSION",
        "STUB_LOG",      "STUB_POLLS",  "STUB_EVENT",     "STUB_SUBGROUPS",     "STUB_CAPABILITY",
        "STUB_ARCHS",    "STUB_SECONDS"};
    driver = used;
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++) unsetenv(unset[i]);
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so.1", 1);
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    setenv("BAILEY_NVRTC_LIBRARY", used->compiler ? used->compiler : "none", 1);
    setenv(used->library, used->stub, 1);
    setenv("BAILEY_CACHE_DIR", "", 1);
}

/* A test for each driver of the build. */
#ifdef BLY_STUB_OPENCL
#define WITH_OPENCL(text) text
#else
#define WITH_OPENCL(text)
#endif
#ifdef BLY_STUB_CUDA
#define WITH_CUDA(text) text
#else
#define WITH_CUDA(text)
#endif
#define FOR_DRIVER(function, which)                                                                          \
    TEST(function##_##which, HOST)                                                                           \
    {                                                                                                        \
        use(&fault_##which);                                                                                 \
        function();                                                                                          \
    }
#define SCENARIO(function)                                                                                   \
    static void function(void);                                                                              \
    WITH_OPENCL(FOR_DRIVER(function, opencl))                                                                \
    WITH_CUDA(FOR_DRIVER(function, cuda))                                                                    \
    static void function(void)

static inline bailey_context *open_context(void)
{
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create(driver->name, NULL, &context), BAILEY_OK);
    return context;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

#define NEEDS_COMPILER                                                                                       \
    if (!driver->compile) skip()

/* The text of stub_double and stub_gather, another one for each serial number, with stub_double alone. */
struct text {
    struct bly_kernel kernels[2];
    struct bly_code code;
    char text[256];
};
#define DOUBLE_TEXT "#include \"kernels/group_entry.h\"\nBLY_GROUP_ENTRY_3(stub_double, p, a, b, c)\n"
#define GATHER_TEXT "BLY_GROUP_ENTRY_16(stub_gather, p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, x)\n"

static inline void make_text(struct text *text, int serial)
{
    snprintf(text->text, sizeof text->text, DOUBLE_TEXT GATHER_TEXT "// %d\n", serial);
    text->kernels[0] = (struct bly_kernel){
        .name = "stub_double", .lane_bytes = 8, .params_bytes = 8, .buffers = 3, .block = 64};
    text->kernels[1] = (struct bly_kernel){.name = "stub_gather",
                                           .lane_bytes = 8,
                                           .params_bytes = BLY_MAX_PARAMS,
                                           .buffers = BLY_MAX_BUFFERS,
                                           .block = 64};
    text->code = (struct bly_code){
        .name = "stub_double", .text = text->text, .kernels = text->kernels, .kernel_count = 1};
}

static inline bailey_status load(bailey_context *context, const struct text *text,
                                 struct bly_program **program)
{
    return context->device->backend->load(context->device, &text->code, program);
}

static inline void unload(bailey_context *context, struct bly_program *program)
{
    context->device->backend->unload(context->device, program);
}

/* A program that is not made, and why. */
static inline void assert_not_made(bailey_context *context, const struct text *text, bailey_status status,
                                   const char *part)
{
    struct bly_program *program = (struct bly_program *)context;
    const long live = live_objects();
    assert_int_equal(load(context, text, &program), status);
    assert_null(program);
    assert_contains(bailey_error_message(), part);
    assert_int_equal(live_objects(), live);
}

/* Loads the text and doubles the squares of COUNT numbers, `times` times over. */
static inline bailey_status double_squares(bailey_context *context, int serial, int times,
                                           uint64_t words[COUNT])
{
    const uint64_t count = COUNT;
    bailey_buffer *buffers[2] = {NULL, NULL};
    struct bly_program *program = NULL;
    struct text text;
    bailey_status status = BAILEY_OK;
    make_text(&text, serial);
    for (uint64_t i = 0; i < COUNT; i++) words[i] = i * i;
    for (int i = 0; i < 2; i++)
        if (status == BAILEY_OK) status = bailey_buffer_create(context, 8 * COUNT, &buffers[i]);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffers[0], 0, words, 8 * COUNT);
    if (status == BAILEY_OK) status = load(context, &text, &program);
    memset(&text, 0xff, sizeof text); /* the program needs none of it */
    for (int i = 0; i < times && status == BAILEY_OK; i++) {
        struct bly_memory *const memory[] = {buffers[0]->memory, NULL, buffers[1]->memory};
        status = driver->backend->launch(context->device, 0, program, 0, count, 1, &count, memory);
    }
    unload(context, program);
    if (status == BAILEY_OK) status = bailey_buffer_read(buffers[1], 0, words, 8 * COUNT);
    bailey_buffer_destroy(buffers[0]);
    bailey_buffer_destroy(buffers[1]);
    return status;
}

static inline bailey_status run_double(int serial, int times, uint64_t words[COUNT])
{
    bailey_context *context = NULL;
    bailey_status status = bailey_context_create(driver->name, NULL, &context);
    if (status == BAILEY_OK) status = double_squares(context, serial, times, words);
    bailey_context_destroy(context);
    return status;
}

static inline void assert_doubled(const uint64_t words[COUNT])
{
    for (uint64_t i = 0; i < COUNT; i++) assert_int_equal(words[i], 2 * i * i + 1);
}

static int serial; /* of texts, and of the driver's version: programs are built again after a change */
static inline void renew(void)
{
    char version[32];
    snprintf(version, sizeof version, "2.%d", ++serial);
    if (strcmp(driver->name, "opencl") == 0) setenv("STUB_DRIVER", version, 1);
}

/* Lines of the log: programs that are built, loaded from disk, ... */
struct lines {
    int built, loaded, damaged, rejected, no_cache, again;
};
static inline void count_line(void *user, int level, const char *line)
{
    struct lines *lines = user;
    char built[32], loaded[32];
    (void)level;
    snprintf(built, sizeof built, "%s: built ", driver->name);
    snprintf(loaded, sizeof loaded, "%s: loaded ", driver->name);
    lines->built += strstr(line, built) != NULL;
    lines->loaded += strstr(line, loaded) && strstr(line, "from cache");
    lines->damaged += strstr(line, "is damaged") != NULL;
    lines->rejected += strstr(line, "driver rejects the cached") != NULL;
    lines->no_cache += strstr(line, "no program cache") != NULL;
    lines->again += strstr(line, "trying again") != NULL;
}

#endif
