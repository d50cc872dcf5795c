/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checkpoints of runs of levels (src/host/mlmc/mlmc_checkpoint.c): however often a run is interrupted, its
 * result has the same bits, and files that are not its own are refused.
 */
#include "mlmc_fakes.h"

#include <base/alloc.h>
#include <base/hash.h>
#include <host/mlmc/driver.h>

#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 256
static char path[PATH_BYTES + 16];
static bailey_mlmc_approximation approximate; /* of all runs */

static int name_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/run", test_folder());
    return 0;
}

static struct fake laws(void)
{
    struct fake f = fake_laws(1, 1.5);
    f.rare = 3;
    f.mean[0] = 0.1;
    return f;
}

/* Saved after each list. */
static bailey_mlmc_run_params params(void)
{
    return (bailey_mlmc_run_params){.eps = 0.01,
                                    .source = {.seed = 5},
                                    .checkpoint = path,
                                    .checkpoint_seconds = 1e-9,
                                    .approximate = approximate};
}

static bailey_mlmc_result uninterrupted(void)
{
    struct fake f = laws();
    bailey_mlmc_run_params p = params();
    bailey_mlmc_result r;
    p.checkpoint = NULL;
    OK(fake_run(&f, &p, &r));
    return r;
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return --*(int *)user == 0;
}

/* ---- Interrupted --------------------------------------------------------------------------------- */

/* After round n, or after each n rounds, and with nodes of other heights each time. */
static void interrupt(const bailey_mlmc_result *whole, int every, int n)
{
    int left = n, runs = 0;
    struct fake f = laws();
    bailey_mlmc_run_params p = params();
    bailey_mlmc_result r;
    p.progress = stop;
    p.progress_user = &left;
    for (bailey_status status = BAILEY_ERROR_CANCELLED; status != BAILEY_OK; runs++) {
        status = fake_run(&f, &p, &r);
        assert_true(status == BAILEY_OK || status == BAILEY_ERROR_CANCELLED);
        left = every ? n : -1;
    }
    same_results(whole, &r);
    assert_true(runs > 1);
    /* It is done: nothing is sampled again. */
    OK(fake_run(&f, &p, &r));
    same_results(whole, &r);
    assert_true(f.taken == 0);
    assert_int_equal(unlink(path), 0);
}

TEST(cancelled, HOST)
{
    const bailey_mlmc_result whole = uninterrupted();
    assert_true(whole.rounds > 4);
    for (int n = 1; n <= (int)whole.rounds; n++) interrupt(&whole, 0, n);
    for (int n = 1; n <= 2; n++) interrupt(&whole, 1, n);
}

TEST(devices_that_fail, HOST)
{
    const bailey_mlmc_result whole = uninterrupted();
    bailey_mlmc_run_params p = params();
    for (double every = 1e-9; every < 1e4; every *= 1e12) /* in the run, and where it ends alone */
        for (int n = 1; n < (int)whole.rounds; n++) {
            struct fake f = laws();
            bailey_mlmc_result r;
            p.checkpoint_seconds = every;
            f.fails_after = n;
            assert_int_equal(fake_run(&f, &p, &r), BAILEY_ERROR_DRIVER);
            assert_string_equal(bailey_error_message(), "the device is gone");
            f.fails_after = 0;
            OK(fake_run(&f, &p, &r));
            assert_true(f.taken == whole.rounds - (uint32_t)n);
            same_results(&whole, &r);
            assert_int_equal(unlink(path), 0);
        }
}

/* Adds a node of the round before it fails: a partial round is not saved. */
static bailey_status take_in_part(void *user)
{
    struct fake *f = user;
    struct bly_sample_range range = f->under_way[0].range[0];
    range.count = 32;
    if (f->taken < 2) return fake_take(user);
    fake_range(f, &range);
    return bly_fail(BAILEY_ERROR_DRIVER, "the device is gone");
}

static bailey_status make_in_part(void *user, const bailey_mlmc_run_params *p, struct bly_term_sums *sums,
                                  struct bly_sampler *sampler)
{
    const bailey_status status = fake_make(user, p, sums, sampler);
    sampler->take = take_in_part;
    return status;
}

TEST(rounds_taken_in_part, HOST)
{
    const bailey_mlmc_result whole = uninterrupted();
    struct fake f = laws();
    const struct bly_sampler_maker maker = {&f, make_in_part, fake_drop};
    const bailey_mlmc_run_params p = params();
    struct bly_identity identity = {0};
    bailey_mlmc_result r;
    bly_mlmc_identify(&p, &identity);
    assert_int_equal(bly_mlmc_run_with(&p, 1, &maker, &identity, &r), BAILEY_ERROR_DRIVER);
    OK(fake_run(&f, &p, &r));
    assert_true(f.taken == whole.rounds - 2);
    same_results(&whole, &r);
    unlink(path);
}

/* ---- Files --------------------------------------------------------------------------------------- */

static unsigned char *read_file(size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = allocate(1 << 20);
    assert_non_null(file);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_file(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

/* A file of a run that was stopped with a list in flight. */
static unsigned char *interrupted(size_t *size)
{
    int left = 3;
    struct fake f = laws();
    bailey_mlmc_run_params p = params();
    bailey_mlmc_result r;
    p.eps = 0.0005;
    p.progress = stop;
    p.progress_user = &left;
    unlink(path);
    assert_int_equal(fake_run(&f, &p, &r), BAILEY_ERROR_CANCELLED);
    assert_true(f.rounds == 1);
    return read_file(size);
}

static void refuses(const bailey_mlmc_run_params *p, const char *words)
{
    struct fake f = laws();
    bailey_mlmc_result r = {.rounds = 77};
    assert_int_equal(fake_run(&f, p, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    if (!strstr(bailey_error_message(), words) || !strstr(bailey_error_message(), path))
        fail_msg("says %s", bailey_error_message());
    assert_true(r.rounds == 77 && f.taken == 0 && f.made == f.dropped);
}

TEST(damaged_files, HOST)
{
    size_t size;
    unsigned char *bytes = interrupted(&size);
    bailey_mlmc_run_params p = params();
    p.eps = 0.0005;
    for (size_t i = 0; i < size; i += 1 + size / 301) {
        bytes[i] ^= 0x10;
        write_file(bytes, size);
        refuses(&p, "damaged");
        bytes[i] ^= 0x10;
    }
    for (size_t i = 0; i < size; i += 1 + size / 101) {
        write_file(bytes, i);
        refuses(&p, "damaged");
    }
    free(bytes);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    refuses(&p, "not a file");
    rmdir(path);
}

static uint64_t word_at(const unsigned char *bytes, size_t word)
{
    uint64_t value = 0;
    for (int i = 8; i-- > 0;) value = value << 8 | bytes[BLY_SEAL_HEAD + 8 * word + (size_t)i];
    return value;
}

/* Which words of a file may have any value: the finest level and the number of rounds, as far as they agree
 * with others, and the sums of nodes. */
static char *find_free(const unsigned char *bytes, size_t size, uint32_t kinds)
{
    const size_t words = (size - BLY_SEAL_HEAD - BLY_DIGEST_BYTES) / 8;
    char *is_free = calloc(words, 1);
    size_t at = 3; /* after the finest level, rounds, and how many are queued */
    assert_non_null(is_free);
    is_free[0] = is_free[1] = 1;
    for (uint64_t queued = word_at(bytes, 2); queued > 0; queued--) at += 1 + 3 * word_at(bytes, at);
    at += kinds * BAILEY_MLMC_MAX_LEVELS;
    const uint64_t rows = word_at(bytes, at++);
    for (uint32_t t = 0; t < kinds * BAILEY_MLMC_MAX_LEVELS; t++)
        for (uint64_t nodes = word_at(bytes, at++); nodes > 0; nodes--, at += 2 + rows)
            memset(is_free + at + 2, 1, rows);
    assert_int_equal(at, words);
    return is_free;
}

/* Files with a correct checksum and impossible contents: one word in `every`, each in rotation, is replaced.
 * Those that are not refused have to end, with other sums. */
static void make_files(size_t every)
{
    static const uint64_t words[] = {0,         1, 2, 3, 31, 33, 1024, UINT64_C(1) << 37, UINT64_C(1) << 63,
                                     UINT64_MAX};
    const size_t before = BLY_SEAL_HEAD;
    size_t size;
    unsigned char *bytes = interrupted(&size), *other = allocate(size);
    const bailey_mlmc_run_params p = params();
    char *is_free = find_free(bytes, size, bly_approximate_kinds(&p));
    uint32_t refusals = 0, others = 0;
    for (size_t at = before; at + 8 <= size - BLY_DIGEST_BYTES; at += 8 * every)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            struct bly_term_sums sums;
            struct bly_mlmc_state run = {0};
            struct bly_identity identity;
            memcpy(other, bytes, size);
            for (int i = 0; i < 8; i++) other[at + (size_t)i] = (unsigned char)(words[w] >> 8 * i);
            if (memcmp(other, bytes, size) == 0) continue;
            bly_hash_of(other, size - BLY_DIGEST_BYTES, other + size - BLY_DIGEST_BYTES);
            write_file(other, size);
            memcpy(&identity, bytes + BLY_SEAL_IDENTITY, sizeof identity);
            OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, bly_approximate_kinds(&p), &sums));
            const bailey_status status = bly_mlmc_file_read(path, &identity, &sums, &run);
            bly_term_sums_free(&sums);
            others++;
            refusals += status == BAILEY_ERROR_INVALID;
            assert_true(status == BAILEY_OK || strstr(bailey_error_message(), "not what it says"));
            if (status == BAILEY_OK && !is_free[(at - before) / 8])
                fail_msg("word %zu may be %llu", (at - before) / 8, (unsigned long long)words[w]);
        }
    assert_true(refusals > others / 2 && refusals < others);
    free(is_free);
    free(other);
    free(bytes);
    unlink(path);
}

TEST(made_files, HOST)
{
    make_files(1);
}

/* With two kinds of samples. */
TEST(with_corrections, HOST)
{
    approximate = BAILEY_MLMC_APPROXIMATION_DYADIC;
    const bailey_mlmc_result whole = uninterrupted();
    interrupt(&whole, 1, 1);
    make_files(7);
    approximate = BAILEY_MLMC_APPROXIMATION_EXACT;
}

TEST(files_of_other_runs, HOST)
{
    static const double cost[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
    struct fake f = laws();
    bailey_mlmc_result r;
    bailey_mlmc_run_params p = params(), q;
    OK(fake_run(&f, &p, &r));
#define OTHER(words, change)                                                                                 \
    q = p;                                                                                                   \
    change;                                                                                                  \
    refuses(&q, "another run: not the same " words)
    OTHER("source", q.source.seed = 6);
    OTHER("source", q.source.stream = 1);
    OTHER("source", q.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER);
    OTHER("eps", q.eps = 0.02);
    OTHER("eps", q.bias_share = 0.3);
    OTHER("eps", q.initial_samples = 2000);
    OTHER("eps", q.min_level = 3);
    OTHER("eps", q.max_level = 12);
    OTHER("eps", q.alpha = 1);
    OTHER("eps", q.cost = cost);
    OTHER("eps", q.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC);
    /* Others that mean the same. */
    q = p;
    q.bias_share = 0.25, q.min_level = 2, q.max_level = 10, q.checkpoint_seconds = 7;
    OK(fake_run(&f, &q, &r));
    assert_true(f.taken == 0);
    for (int part = 0; part < BLY_IDENTITY_PARTS; part++) {
        const struct bly_sampler_maker maker = fake_maker(&f);
        struct bly_identity identity = {0};
        bly_mlmc_identify(&p, &identity);
        identity.digest[part][31] ^= 1;
        assert_int_equal(bly_mlmc_run_with(&p, 1, &maker, &identity, &r), BAILEY_ERROR_INVALID);
        static const char *const words[] = {"paths", "code of levels", "parameters", "source", "eps"};
        if (!strstr(bailey_error_message(), words[part])) fail_msg("says %s", bailey_error_message());
    }
    unlink(path);
}

/* A place where no file can be is known before anything is run; one that goes missing costs the file alone.
 */
static int lose_folder(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    unlink(path);
    rmdir(test_folder());
    return *(int *)user;
}

TEST(places_without_files, HOST)
{
    const bailey_mlmc_result whole = uninterrupted();
    struct fake f = laws();
    bailey_mlmc_run_params p = params();
    bailey_mlmc_result r = {.rounds = 77};
    int cancels = 0;
    p.checkpoint = "/nonexistent/run";
    assert_int_equal(fake_run(&f, &p, &r), BAILEY_ERROR_IO);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    assert_true(f.taken == 0 && f.made == f.dropped && r.rounds == 77);
    p.checkpoint = path;
    p.progress = lose_folder;
    p.progress_user = &cancels;
    OK(fake_run(&f, &p, &r));
    same_results(&whole, &r);
    assert_int_equal(mkdir(test_folder(), 0700), 0);
    cancels = 1;
    assert_int_equal(fake_run(&f, &p, &r), BAILEY_ERROR_CANCELLED);
    assert_non_null(strstr(bailey_error_message(), "cancelled after"));
    assert_non_null(strstr(bailey_error_message(), "the run was not saved"));
    assert_int_equal(mkdir(test_folder(), 0700), 0);
}

TEST(without_memory, HOST)
{
    const bailey_mlmc_result whole = uninterrupted();
    const bailey_mlmc_run_params p = params();
    bailey_status status = BAILEY_ERROR_MEMORY;
    bailey_mlmc_result r;
    struct fake f = laws();
    int n = 0;
    for (; status == BAILEY_ERROR_MEMORY; n++) {
        unlink(path);
        bly_alloc_countdown = n + 1;
        status = fake_run(&f, &p, &r);
        bly_alloc_countdown = 0;
    }
    assert_int_equal(status, BAILEY_OK); /* a file that cannot be written in the run is passed over */
    assert_true(n > (int)BAILEY_MLMC_MAX_LEVELS && f.made == f.dropped);
    same_results(&whole, &r);
    unlink(path);
}

FIXTURE(name_path, NULL)
