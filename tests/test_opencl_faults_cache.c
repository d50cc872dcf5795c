/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The cache of OpenCL's programs on disk, on the stub driver, from processes of their own: entries that are
 * damaged, another's, or refused by the driver; folders that are not safe or cannot be used; many processes.
 *     test_opencl_faults_cache --job     runs one job and prints what the log said
 */
#include "opencl_faults.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64]; /* of one test */

struct outcome {
    int built, loaded, damaged, rejected, none, sum_found;
    unsigned sum;
};

static void print_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == 1) printf("log: %s\n", line);
}

/* The other side of start_job and end_job. */
TEST(job, PART)
{
    uint32_t words[COUNT];
    unsigned sum = 0;
    bailey_log_set(print_line, NULL, 1);
    if (run_job("opencl", words) != BAILEY_OK) {
        printf("failed: %s\n", bailey_error_message());
        exit(1);
    }
    for (int i = 0; i < COUNT; i++) sum = sum * 31 + words[i];
    printf("sum: %u\n", sum);
}

static FILE *start_job(void)
{
    char command[4200];
    snprintf(command, sizeof command, "'%s' opencl_faults_cache.job", test_program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    return pipe;
}

static struct outcome end_job(FILE *pipe)
{
    struct outcome o = {0};
    char line[1024];
    while (fgets(line, sizeof line, pipe)) {
        o.built += strstr(line, "opencl: built ") != NULL;
        o.loaded += strstr(line, "opencl: loaded ") != NULL;
        o.damaged += strstr(line, "is damaged") != NULL;
        o.rejected += strstr(line, "driver rejects") != NULL;
        o.none += strstr(line, "no program cache") != NULL;
        if (sscanf(line, "sum: %u", &o.sum) == 1) o.sum_found = 1;
        if (strncmp(line, "failed", 6) == 0) fail_msg("%s", line);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(o.sum_found, 1);
    return o;
}

/* Runs the job in a process of its own and checks how its programs came about. */
static void assert_job(int built, int loaded, int damaged)
{
    static unsigned sum;
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.built, built);
    assert_int_equal(o.loaded, loaded);
    assert_int_equal(o.damaged, damaged);
    if (!sum) sum = o.sum;
    assert_int_equal(o.sum, sum);
}

/* Lists the entries, sorted by nothing. */
static int list_entries(char names[16][400])
{
    int count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && count < 16) snprintf(names[count++], 400, "%s/%s", directory, e->d_name);
    closedir(d);
    return count;
}

static int make_directory(void **state)
{
    reset(state);
    snprintf(directory, sizeof directory, "bailey-cache-XXXXXX");
    if (!mkdtemp(directory)) return -1;
    setenv("BAILEY_CACHE_DIR", directory, 1);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    char names[16][400];
    if (chmod(directory, 0700) != 0) return -1;
    for (int i = 0, n = list_entries(names); i < n; i++) unlink(names[i]);
    return rmdir(directory);
}

TEST(cached, HOST)
{
    char names[16][400];
    struct stat s;
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    for (int i = 0; i < JOB_KERNELS; i++) {
        assert_int_equal(stat(names[i], &s), 0);
        assert_int_equal(s.st_mode & 07777, 0600);
    }
    assert_job(0, JOB_KERNELS, 0);
    setenv("STUB_DRIVER", "9", 1); /* an update of the driver */
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), 2 * JOB_KERNELS);
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

TEST(damaged, HOST)
{
    char names[16][400];
    unsigned char first[4096], second[4096];
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    const size_t first_size = read_file(names[0], first), second_size = read_file(names[1], second);
    /* Every byte counts: magic, key, length, digest, payload. */
    const size_t places[] = {0, 8, 40, 48, 79, 80, first_size - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        first[places[i]] ^= 0x10;
        write_file(names[0], first, first_size);
        first[places[i]] ^= 0x10;
        assert_job(1, JOB_KERNELS - 1, 1);
        assert_job(0, JOB_KERNELS, 0);
    }
    const size_t sizes[] = {0, 1, 79, 80, first_size - 1, first_size + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        first[first_size] = 0;
        write_file(names[0], first, sizes[i]);
        assert_job(1, JOB_KERNELS - 1, 1);
    }
    write_file(names[0], second, second_size); /* a good entry under another's name */
    assert_job(1, JOB_KERNELS - 1, 1);
    assert_job(0, JOB_KERNELS, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
}

TEST(foreign_entries, HOST)
{
    char names[16][400];
    struct stat s;
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    assert_int_equal(chmod(names[0], 0666), 0); /* anybody may have written it */
    assert_job(1, JOB_KERNELS - 1, 0);
    assert_int_equal(stat(names[0], &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    char elsewhere[100];
    snprintf(elsewhere, sizeof elsewhere, "%s/moved", directory);
    assert_int_equal(rename(names[0], elsewhere), 0);
    assert_int_equal(symlink("moved", names[0]), 0);
    assert_job(1, JOB_KERNELS - 1, 0);
    assert_int_equal(lstat(names[0], &s), 0);
    assert_true(S_ISREG(s.st_mode));
    assert_int_equal(unlink(names[0]), 0);
    assert_int_equal(mkfifo(names[0], 0600), 0);
    assert_job(1, JOB_KERNELS - 1, 0);
    if (geteuid() == 0) { /* only root can give files away */
        assert_int_equal(chown(names[1], 1, (gid_t)-1), 0);
        assert_job(1, JOB_KERNELS - 1, 0);
    }
    assert_job(0, JOB_KERNELS, 0);
}

TEST(rejected, HOST)
{
    assert_job(JOB_KERNELS, 0, 0);
    setenv("STUB_DEVICE", "rejects", 1);
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.rejected, JOB_KERNELS);
    assert_int_equal(o.built, JOB_KERNELS);
}

TEST(unsafe_directory, HOST)
{
    char names[16][400];
    const mode_t modes[] = {0777, 0770, 0702};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(directory, modes[i]), 0);
        const struct outcome o = end_job(start_job());
        assert_int_equal(o.built, JOB_KERNELS);
        assert_int_equal(o.none, 1);
        assert_int_equal(list_entries(names), 0);
    }
    assert_int_equal(chmod(directory, 0755), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(directory, 1, (gid_t)-1), 0);
        assert_int_equal(end_job(start_job()).none, 1);
        assert_int_equal(list_entries(names), 0);
        assert_int_equal(chown(directory, 0, (gid_t)-1), 0);
    }
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
}

TEST(unusable_directory, HOST)
{
    char path[200];
    snprintf(path, sizeof path, "%s/file", directory);
    write_file(path, "x", 1);
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_int_equal(end_job(start_job()).none, 1);
    strcat(path, "/below");
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_int_equal(end_job(start_job()).none, 1);
    setenv("BAILEY_CACHE_DIR", "", 1); /* switched off, which is no news */
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.none, 0);
    assert_int_equal(o.built, JOB_KERNELS);
}

/* XDG_CACHE_HOME/bailey, then HOME/.cache/bailey, made with mode 0700. */
TEST(default_directory, HOST)
{
    char *old_xdg = getenv("XDG_CACHE_HOME"), *old_home = getenv("HOME");
    char path[700], base[200];
    struct stat s;
    assert_non_null(getcwd(base, sizeof base - sizeof directory - 1));
    strcat(strcat(base, "/"), directory);
    old_xdg = old_xdg ? strdup(old_xdg) : NULL;
    old_home = old_home ? strdup(old_home) : NULL;
    unsetenv("BAILEY_CACHE_DIR");
    setenv("XDG_CACHE_HOME", base, 1);
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
    snprintf(path, sizeof path, "%s/bailey", base);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0700);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", base, 1);
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
    snprintf(path, sizeof path, "rm -r '%s/bailey' '%s/.cache/bailey' && rmdir '%s/.cache'", base, base,
             base);
    assert_int_equal(system(path), 0);
    old_xdg ? setenv("XDG_CACHE_HOME", old_xdg, 1) : unsetenv("XDG_CACHE_HOME");
    old_home ? setenv("HOME", old_home, 1) : unsetenv("HOME");
    free(old_xdg);
    free(old_home);
}

TEST(many_processes, HOST)
{
    enum { PROCESSES = 8 };
    char names[16][400];
    FILE *pipes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) pipes[i] = start_job();
    for (int i = 0; i < PROCESSES; i++) {
        const struct outcome o = end_job(pipes[i]);
        assert_int_equal(o.built + o.loaded, JOB_KERNELS);
        assert_int_equal(o.damaged, 0);
    }
    assert_int_equal(list_entries(names), JOB_KERNELS); /* and no temporary files */
    assert_job(0, JOB_KERNELS, 0);
}

FIXTURE(make_directory, remove_directory)
