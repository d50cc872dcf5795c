/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The cache of compiled programs on disk, on stub drivers (driver_faults.h), from separate processes: entries
 * that are damaged, another's, or refused by the driver; folders that are not safe or cannot be used; many
 * processes.
 */
#include "driver_faults.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64]; /* of one test */

/* The other side of start_job: two texts. */
static void print_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == 1) printf("%s\n", line);
}
static void cache_job(const struct fault_driver *used)
{
    bailey_context *context = NULL;
    uint64_t words[COUNT];
    driver = used;
    bailey_log_set(print_line, NULL, 1);
    bailey_status status = bailey_context_create(driver->name, NULL, &context);
    for (int text = 7; text < 9 && status == BAILEY_OK; text++) {
        status = double_squares(context, text, 1, words);
        for (uint64_t i = 0; i < COUNT && status == BAILEY_OK; i++)
            if (words[i] != 2 * i * i + 1) status = BAILEY_ERROR_DRIVER;
    }
    if (status != BAILEY_OK) printf("failed: %s\n", bailey_error_message());
    bailey_context_destroy(context);
}
#define JOBS (driver->rows_built + 2) /* its programs */
WITH_OPENCL(TEST(job_opencl, PART) { cache_job(&fault_opencl); })
WITH_CUDA(TEST(job_cuda, PART) { cache_job(&fault_cuda); })

static FILE *start_job(void)
{
    char command[4200];
    snprintf(command, sizeof command, "'%s' driver_faults_cache.job_%s", test_program, driver->name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    return pipe;
}

static struct lines finish_job(FILE *pipe)
{
    struct lines lines = {0};
    char line[1024];
    while (fgets(line, sizeof line, pipe)) {
        count_line(&lines, 1, line);
        if (strncmp(line, "failed", 6) == 0) fail_msg("%s", line);
    }
    assert_int_equal(pclose(pipe), 0);
    return lines;
}

/* Runs the job in a separate process and checks how its programs came about. */
static void assert_job(int built, int loaded, int damaged, int rejected, int no_cache)
{
    const struct lines lines = finish_job(start_job());
    assert_int_equal(lines.built, built);
    assert_int_equal(lines.loaded, loaded);
    assert_int_equal(lines.damaged, damaged);
    assert_int_equal(lines.rejected, rejected);
    assert_int_equal(lines.no_cache, no_cache);
}
static void assert_built(void) { assert_job(JOBS, 0, 0, 0, 0); }
static void assert_loaded(void) { assert_job(0, JOBS, 0, 0, 0); }
static void assert_one_built(int damaged) { assert_job(1, JOBS - 1, damaged, 0, 0); }

/* Lists the programs, sorted by nothing. The record of NVRTC is larger than the stubs' images. */
static int list_entries(char names[16][400])
{
    int count = 0;
    struct stat s;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.' || count == 16) continue;
        snprintf(names[count], 400, "%s/%s", directory, e->d_name);
        if (stat(names[count], &s) || s.st_size < 1024) count++;
    }
    closedir(d);
    return count;
}

/* An empty one, which goes with the test's folder. */
static void make_directory(void)
{
    if (!driver->compile) skip();
    snprintf(directory, sizeof directory, "%s/cache", test_folder());
    assert_int_equal(mkdir(directory, 0700), 0);
    setenv("BAILEY_CACHE_DIR", directory, 1);
}

/* One that holds the job's programs. */
static void fill_directory(char names[16][400])
{
    make_directory();
    assert_built();
    assert_int_equal(list_entries(names), JOBS);
}

SCENARIO(cached)
{
    char names[16][400];
    struct stat s;
    fill_directory(names);
    for (int i = 0; i < JOBS; i++) {
        assert_int_equal(stat(names[i], &s), 0);
        assert_int_equal(s.st_mode & 07777, 0600);
    }
    assert_loaded();
    setenv(driver->update[0], driver->update[1], 1); /* other programs */
    assert_built();
    assert_loaded();
    assert_int_equal(list_entries(names), 2 * JOBS);
    unsetenv(driver->update[0]);
    assert_loaded();
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static size_t read_file(const char *name, unsigned char data[4096])
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    const size_t size = fread(data, 1, 4096, f);
    fclose(f);
    assert_in_range(size, 1, 4095);
    return size;
}

SCENARIO(damaged)
{
    char names[16][400];
    unsigned char first[4096], second[4096];
    fill_directory(names);
    const size_t first_size = read_file(names[0], first), second_size = read_file(names[1], second);
    /* Every byte counts: magic, key, length, digest, payload. */
    const size_t places[] = {0, 8, 40, 48, 79, 80, first_size - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        first[places[i]] ^= 0x10;
        write_file(names[0], first, first_size);
        first[places[i]] ^= 0x10;
        assert_one_built(1);
        assert_loaded();
    }
    const size_t sizes[] = {0, 1, 79, 80, first_size - 1, first_size + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        first[first_size] = 0;
        write_file(names[0], first, sizes[i]);
        assert_one_built(1);
    }
    write_file(names[0], second, second_size); /* a good entry under another's name */
    assert_one_built(1);
    assert_loaded();
    assert_int_equal(list_entries(names), JOBS);
}

SCENARIO(foreign_entries)
{
    char names[16][400], elsewhere[100];
    struct stat s;
    fill_directory(names);
    assert_int_equal(chmod(names[0], 0666), 0); /* anybody may have written it */
    assert_one_built(0);
    assert_int_equal(stat(names[0], &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    snprintf(elsewhere, sizeof elsewhere, "%s/moved", directory);
    assert_int_equal(rename(names[0], elsewhere), 0);
    assert_int_equal(symlink("moved", names[0]), 0);
    assert_one_built(0);
    assert_int_equal(lstat(names[0], &s), 0);
    assert_true(S_ISREG(s.st_mode));
    assert_int_equal(unlink(names[0]), 0);
    assert_int_equal(mkfifo(names[0], 0600), 0);
    assert_one_built(0);
    if (geteuid() == 0) { /* only root can give files away */
        assert_int_equal(chown(names[1], 1, (gid_t)-1), 0);
        assert_one_built(0);
    }
    assert_loaded();
}

SCENARIO(rejected)
{
    char names[16][400], fail[128];
    fill_directory(names);
    snprintf(fail, sizeof fail, "%s:%d:%d", driver->loads, driver->loads_n, driver->loads_error);
    setenv("STUB_FAIL", fail, 1);
    const int rejected = driver->loads_n ? 1 : JOBS;
    assert_job(rejected, JOBS - rejected, 0, rejected, 0);
    unsetenv("STUB_FAIL");
    assert_loaded();
}

SCENARIO(unsafe_directory)
{
    char names[16][400];
    const mode_t modes[] = {0777, 0770, 0702};
    make_directory();
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(directory, modes[i]), 0);
        assert_job(JOBS, 0, 0, 0, 1);
        assert_int_equal(list_entries(names), 0);
    }
    assert_int_equal(chmod(directory, 0755), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(directory, 1, (gid_t)-1), 0);
        assert_job(JOBS, 0, 0, 0, 1);
        assert_int_equal(list_entries(names), 0);
        assert_int_equal(chown(directory, 0, (gid_t)-1), 0);
    }
    assert_built();
    assert_loaded();
}

SCENARIO(unusable_directory)
{
    char path[200];
    make_directory();
    snprintf(path, sizeof path, "%s/file", directory);
    write_file(path, "x", 1);
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_job(JOBS, 0, 0, 0, 1);
    strcat(path, "/below");
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_job(JOBS, 0, 0, 0, 1);
    setenv("BAILEY_CACHE_DIR", "", 1); /* switched off, which is no news */
    assert_built();
}

/* XDG_CACHE_HOME/bailey, then HOME/.cache/bailey, made with mode 0700. */
SCENARIO(default_directory)
{
    char path[100];
    struct stat s;
    make_directory();
    unsetenv("BAILEY_CACHE_DIR");
    setenv("XDG_CACHE_HOME", directory, 1);
    assert_built();
    assert_loaded();
    snprintf(path, sizeof path, "%s/bailey", directory);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0700);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", directory, 1);
    assert_built();
    assert_loaded();
    snprintf(path, sizeof path, "%s/.cache/bailey", directory);
    assert_int_equal(stat(path, &s), 0);
}

SCENARIO(many_processes)
{
    enum { PROCESSES = 8 };
    char names[16][400];
    FILE *pipes[PROCESSES];
    make_directory();
    for (int i = 0; i < PROCESSES; i++) pipes[i] = start_job();
    for (int i = 0; i < PROCESSES; i++) {
        const struct lines lines = finish_job(pipes[i]);
        assert_int_equal(lines.built + lines.loaded, JOBS);
        assert_int_equal(lines.damaged, 0);
    }
    assert_int_equal(list_entries(names), JOBS); /* and no temporary files */
    assert_loaded();
}

FIXTURE(NULL, balanced)
