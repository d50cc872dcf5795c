/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program that holds all tests in C (test.h). CTest runs it once for each test; cmake/BaileyTests.cmake
 * asks it for their names.
 *
 *     bailey_tests --list                names and what they need
 *     bailey_tests --backends            those with a usable device
 *     bailey_tests --require BACKEND     ends as a test does that finds none
 *     bailey_tests FILE.TEST             a test of the host
 *     bailey_tests FILE.TEST ADDRESS     a test on every usable device of this address: "opencl", "cuda:1"
 *     bailey_tests FILE [ADDRESS]        those of a file, one after the other
 *
 * The exit status is 77 where a test was skipped or has no device, and 1 for the latter if
 * BAILEY_TEST_REQUIRE names the backend.
 */
#include "harness.h"

#include <sys/wait.h>
#include <unistd.h>

bailey_context *context;
bailey_device device;
int test_skipped;
const char *test_program;

static struct test *tests, **last = &tests;
static struct test_file *files;

void test_add(struct test *test)
{
    *last = test;
    last = &test->next;
}

void test_add_file(struct test_file *file)
{
    file->next = files;
    files = file;
}

/* FILE.TEST; "test_" in front of either says nothing here. */
static void name_of(const struct test *test, char name[128])
{
    const char *file = strrchr(test->file, '/'), *own = test->name;
    file = file ? file + 1 : test->file;
    if (strncmp(file, "test_", 5) == 0) file += 5;
    if (strncmp(own, "test_", 5) == 0) own += 5;
    snprintf(name, 128, "%.*s.%s", (int)strcspn(file, "."), file, own);
}

static const struct {
    unsigned need;
    const char *word;
} words[] = {{ON_CPU, "cpu"},
             {ON_OPENCL, "opencl"},
             {ON_CUDA, "cuda"},
             {LONG, "long"},
             {LONG_ON_OPENCL, "long_on_opencl"},
             {REPEATED_ON_OPENCL, "repeated_on_opencl"},
             {IN_SETTINGS, "in_settings"}};

/* For an address, or HOST without one. */
static unsigned need_of(const char *address)
{
    for (size_t i = 0; address && i < 3; i++)
        if (strncmp(address, words[i].word, strlen(words[i].word)) == 0) return words[i].need;
    return HOST;
}

static int list(void)
{
    for (const struct test *t = tests; t; t = t->next) {
        char name[128];
        if (t->needs & PART) continue;
        name_of(t, name);
        printf("%s", name);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (t->needs & words[i].need) printf(" %s", words[i].word);
        printf("\n");
    }
    return 0;
}

static char folder[256];
static pid_t folder_owner; /* children that end leave it */

static void remove_folder(void)
{
    char command[300];
    if (getpid() != folder_owner) return;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command)) fprintf(stderr, "%s: not removed\n", folder);
}

const char *test_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    if (*folder) return folder;
    snprintf(folder, sizeof folder, "%s/bailey-test-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) fail_msg("%s cannot be created", folder);
    folder_owner = getpid();
    atexit(remove_folder);
    return folder;
}

static size_t find_devices(bailey_device devices[64])
{
    size_t count = 0;
    if (bailey_device_list(devices, 64, &count) != BAILEY_OK) return 0;
    return count < 64 ? count : 64;
}

static int list_backends(void)
{
    static const char *const backends[] = {"cpu", "opencl", "cuda"};
    bailey_device devices[64];
    const size_t count = find_devices(devices);
    for (size_t b = 0; b < sizeof backends / sizeof *backends; b++)
        for (size_t i = 0; i < count; i++)
            if (devices[i].usable && strncmp(devices[i].address, backends[b], strlen(backends[b])) == 0) {
                printf("%s\n", backends[b]);
                break;
            }
    return 0;
}

static const struct test *asked;
static void run_asked(void **state)
{
    (void)state;
    asked->run();
}

static int run_one(const struct test *test, const char *name)
{
    const struct test_file *file = files;
    while (file && strcmp(file->file, test->file) != 0) file = file->next;
    const struct CMUnitTest unit = {name, run_asked, file ? file->before : NULL, file ? file->after : NULL,
                                    NULL};
    asked = test;
    return _cmocka_run_group_tests(name, &unit, 1, NULL, NULL);
}

/* Where nothing is tested for want of `what`. */
static int missing(const char *what)
{
    char name[32];
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(what, ":"), what);
    fprintf(stderr, "%s: no device\n", name);
    return require && strstr(require, name) ? 1 : 77;
}

/* Opens no driver of another backend: each of these processes would wait for every GPU of the machine. */
static void leave_other_drivers(const char *address)
{
    char backends[32];
    snprintf(backends, sizeof backends, "cpu,%.*s", (int)strcspn(address, ":"), address);
    setenv("BAILEY_BACKENDS", backends, 0);
}

static int run_on_devices(const struct test *test, const char *name, const char *address)
{
    bailey_device devices[64];
    int failed = 0, tested = 0;
    leave_other_drivers(address);
    const size_t count = find_devices(devices);
    for (size_t i = 0; i < count; i++) {
        device = devices[i];
        if (strncmp(device.address, address, strlen(address)) != 0) continue;
        if (!device.usable) {
            fprintf(stderr, "%s: %s\n", device.address, device.reason);
            continue;
        }
        fprintf(stderr, "# %s: %s\n", device.address, device.name);
        if (bailey_context_create(device.address, NULL, &context) != BAILEY_OK) {
            fprintf(stderr, "%s: %s\n", device.address, bailey_error_message());
            return 1;
        }
        failed += run_one(test, name);
        bailey_context_destroy(context);
        tested++;
    }
    return tested ? failed : missing(address);
}

static int usage(void)
{
    fprintf(stderr, "usage: %s --list | --backends | --require BACKEND | FILE[.TEST] [ADDRESS]\n",
            test_program);
    return 2;
}

static int run(const struct test *test, const char *name, const char *address)
{
    if (test->needs & PART) return test->run(), 0;
    const int failed = address ? run_on_devices(test, name, address) : run_one(test, name);
    return failed ? failed : test_skipped ? 77 : 0;
}

/* Runs the tests of a file, or one test; each of several runs in a separate process. */
static int run_all(const char *wanted, const char *address)
{
    const int whole_file = !strchr(wanted, '.');
    const size_t length = strlen(wanted);
    int found = 0, failed = 0, skipped = 0;
    for (const struct test *t = tests; t; t = t->next) {
        char name[128];
        int status;
        name_of(t, name);
        if (strncmp(name, wanted, length) != 0 || name[length] != (whole_file ? '.' : '\0')) continue;
        if (address ? !(t->needs & need_of(address)) : (t->needs & DEVICE) || (whole_file && t->needs & PART))
            continue;
        if (!whole_file) return run(t, name, address);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) exit(run(t, name, address));
        if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        found++;
        failed += code != 0 && code != 77;
        skipped += code == 77;
    }
    if (!found) return usage();
    fprintf(stderr, "%s: %d tests, %d failed, %d skipped\n", wanted, found, failed, skipped);
    return failed ? 1 : skipped == found ? 77 : 0;
}

int main(int argc, char **argv)
{
    test_program = argv[0];
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
    if (argc == 2 && strcmp(argv[1], "--backends") == 0) return list_backends();
    if (argc == 3 && strcmp(argv[1], "--require") == 0) return missing(argv[2]);
    return argc == 2 || argc == 3 ? run_all(argv[1], argv[2]) : usage();
}
