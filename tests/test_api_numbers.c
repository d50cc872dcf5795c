/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Requests for words, normals, orders, bridges and paths: every bad argument is refused with a text that
 * names it and its limit, and nothing is written then. test_api.c says where the rest of the contract is.
 */
#include "api.h"

#include <float.h>
#include <math.h>

/* ---- Words and normals ----------------------------------------------------------------------- */

TEST(refused_sequences, DEVICE)
{
    enum { BYTES = 1024 };
    const bailey_source source = {.seed = 1};
    bailey_normal_params normal = {.method = BAILEY_NORMAL_METHOD_ICDF};
    bailey_context *elsewhere = another();
    bailey_buffer *out = poisoned(BYTES), *foreign = NULL;
    const uint64_t words = (BYTES + GUARD_BYTES) / 4;
    OK(bailey_buffer_create(elsewhere, BYTES, &foreign));

    REFUSED(bailey_words_generate(NULL, &source, 0, 4, out, 0), "context", "NULL");
    REFUSED_HERE(bailey_words_generate(context, NULL, 0, 4, out, 0), "source", "NULL");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 0, out, 0), "count is 0", "at least 1");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 4, NULL, 0), "out", "NULL");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 4, foreign, 0), "out", "another context");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, words + 1, out, 0), "out", "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 1, out, words), "out", "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 8, out, words - 7), "out", "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, 8, out, UINT64_MAX - 3), "out", "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, UINT64_MAX, out, 0), "out", "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, 0, UINT64_C(1) << 62, out, 4), "out",
                 "320 elements");
    REFUSED_HERE(bailey_words_generate(context, &source, UINT64_MAX, 2, out, 0), "first", "2^64");

    REFUSED(bailey_normals_generate(NULL, &source, &normal, 0, 4, out, 0), "context", "NULL");
    REFUSED_HERE(bailey_normals_generate(context, NULL, &normal, 0, 4, out, 0), "source", "NULL");
    REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 0, out, 0), "count is 0",
                 "at least 1");
    REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 4, NULL, 0), "out", "NULL");
    REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 4, foreign, 0), "out",
                 "another context");
    REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, words, out, 1), "out", "320 elements");
    const int strange[] = {2, -1, INT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        normal.method = (bailey_normal_method)(strange[i] == 2 ? 3 : strange[i]);
        REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 4, out, 0), "method is",
                     "not icdf");
        normal.method = BAILEY_NORMAL_METHOD_ICDF;
        normal.numerics = (bailey_numerics)strange[i];
        REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 4, out, 0), "numerics is",
                     "not exact or fast");
        normal.numerics = BAILEY_NUMERICS_EXACT;
        normal.precision = (bailey_precision)strange[i];
        REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, 4, out, 0), "precision is",
                     "not f32 or f64");
        normal.precision = BAILEY_PRECISION_F32;
    }
    REFUSED_HERE(bailey_normals_generate(context, &source, &normal, UINT64_MAX - 2, 4, out, 0), "first",
                 "2^64");
    normal.precision = BAILEY_PRECISION_F64;
    if (device.has_f64)
        REFUSED_HERE(bailey_normals_generate(context, &source, &normal, 0, words / 2 + 1, out, 0), "out",
                     "160 elements");
    else
        failed_with("f64", bailey_normals_generate(context, &source, &normal, 0, 4, out, 0),
                    BAILEY_ERROR_UNSUPPORTED, "double precision", device.address);

    /* Nothing has been written; the last word of the sequence and of the buffer can be. */
    unsigned char *data = harvest(out, BYTES), poison[BYTES];
    memset(poison, POISON, BYTES);
    same_bits("out", data, poison, BYTES, 1);
    free(data);
    out = poisoned(BYTES);
    OK(bailey_words_generate(context, &source, UINT64_MAX, 1, out, BYTES / 4 - 1));
    data = harvest(out, BYTES);
    same_bits("out", data, poison, BYTES - 4, 1);
    free(data);
    bailey_buffer_destroy(foreign);
    bailey_context_destroy(elsewhere);
}

TEST(refused_uniforms, DEVICE)
{
    enum { BYTES = 1024, WORDS = (BYTES + GUARD_BYTES) / 4 };
    const bailey_precision f32 = BAILEY_PRECISION_F32, f64 = BAILEY_PRECISION_F64;
    const bailey_source source = {.seed = 1, .generator = BAILEY_GENERATOR_WARP};
    const uint64_t beyond = UINT64_MAX / 2 - 2; /* for four doubles: each takes two words */
    bailey_context *elsewhere = another();
    bailey_buffer *out = poisoned(BYTES), *foreign = NULL;
    OK(bailey_buffer_create(elsewhere, BYTES, &foreign));
    REFUSED(bailey_uniforms_generate(NULL, &source, f32, 0, 0, 4, out, 0), "context", "NULL");
    REFUSED_HERE(bailey_uniforms_generate(context, NULL, f32, 0, 0, 4, out, 0), "source", "NULL");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, 0, out, 0), "count is 0",
                 "at least 1");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, 4, NULL, 0), "out", "NULL");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, 4, foreign, 0), "out",
                 "another context");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, WORDS + 1, out, 0), "out",
                 "320 elements");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, 8, out, WORDS - 7), "out",
                 "320 elements");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, 0, 8, out, UINT64_MAX - 3), "out",
                 "320 elements");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, (bailey_precision)2, 0, 0, 4, out, 0),
                 "precision is 2", "bailey_precision");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, (bailey_precision)-1, 0, 0, 4, out, 0),
                 "precision is -1", "bailey_precision");
    const bailey_source unknown = {.generator = (bailey_generator)GENERATORS};
    char generator[32];
    snprintf(generator, sizeof generator, "generator is %d", GENERATORS);
    REFUSED_HERE(bailey_uniforms_generate(context, &unknown, f32, 0, 0, 4, out, 0), generator, "not philox");
    const bailey_source unpublished = {.sequence = BAILEY_SEQUENCE_PUBLISHED,
                                       .generator = BAILEY_GENERATOR_HYBRID_TAUS};
    REFUSED_HERE(bailey_uniforms_generate(context, &unpublished, f32, 0, 0, 4, out, 0), "sequence",
                 "hybrid-taus");
    REFUSED_HERE(bailey_uniforms_generate(context, &source, f32, 0, UINT64_MAX - 2, 4, out, 0), "first",
                 "2^64");
    if (device.has_f64) {
        for (int g = 0; g < GENERATORS; g++) {
            const bailey_source each = {.generator = (bailey_generator)g};
            REFUSED_HERE(bailey_uniforms_generate(context, &each, f64, 0, beyond, 4, out, 0), "first",
                         "2^63");
        }
        const bailey_normal_params doubles = {.precision = f64};
        REFUSED_HERE(bailey_normals_generate(context, &source, &doubles, beyond, 4, out, 0), "first", "2^63");
        REFUSED_HERE(bailey_uniforms_generate(context, &source, f64, 0, 0, WORDS / 2 + 1, out, 0), "out",
                     "160 elements");
        REFUSED_HERE(bailey_uniforms_generate(context, &source, f64, 0, 0, 8, out, WORDS / 2 - 7), "out",
                     "160 elements");
    } else {
        failed_with("f64", bailey_uniforms_generate(context, &source, f64, 0, 0, 4, out, 0),
                    BAILEY_ERROR_UNSUPPORTED, "double precision", device.address);
        const bailey_source published = {.sequence = BAILEY_SEQUENCE_PUBLISHED,
                                         .generator = BAILEY_GENERATOR_MRG32K3A};
        failed_with("mrg32k3a", bailey_words_generate(context, &published, 0, 4, out, 0),
                    BAILEY_ERROR_UNSUPPORTED, "mrg32k3a", device.address);
    }
    unsigned char *data = harvest(out, BYTES);
    for (int i = 0; i < BYTES; i++) assert_int_equal(data[i], POISON);
    free(data);
    bailey_buffer_destroy(foreign);
    bailey_context_destroy(elsewhere);
}

/* The calls that need no context: nothing is written where one is refused. */
TEST(refused_places, DEVICE)
{
    const bailey_source source = {.seed = 1}, strange = {.generator = (bailey_generator)99};
    bailey_source restored = {.seed = 99};
    bailey_source_kind kind = (bailey_source_kind)33;
    uint64_t first = 66, count = 77, place = 88;
    uint8_t bytes[BAILEY_SOURCE_BYTES], poison[BAILEY_SOURCE_BYTES];
    bailey_generator generator = (bailey_generator)55;
    memset(bytes, POISON, sizeof bytes);
    memset(poison, POISON, sizeof poison);
    REFUSED(bailey_generator_from_name(NULL, &generator), "name", "NULL");
    REFUSED(bailey_generator_from_name("warp", NULL), "generator", "NULL");
    REFUSED(bailey_generator_from_name("", &generator), "hybrid-taus-gems", "adder");
    REFUSED(bailey_generator_from_name("Warp", &generator), "Warp", "warp-add");
    assert_int_equal(generator, 55);

    REFUSED(bailey_source_check(NULL, &kind), "source", "NULL");
    REFUSED(bailey_source_check(&strange, &kind), "generator is 99", "not philox");
    assert_int_equal(kind, 33);

    REFUSED(bailey_source_split(NULL, 7, 10, 2, 0, &first, &count), "source", "NULL");
    REFUSED(bailey_source_split(&source, 7, 10, 2, 0, NULL, &count), "part_first", "NULL");
    REFUSED(bailey_source_split(&source, 7, 10, 2, 0, &first, NULL), "part_count", "NULL");
    REFUSED(bailey_source_split(&source, 7, 0, 2, 0, &first, &count), "count is 0", "at least 1");
    REFUSED(bailey_source_split(&source, 7, 10, 0, 0, &first, &count), "part is 0", "parts");
    REFUSED(bailey_source_split(&source, 7, 10, 2, 2, &first, &count), "part is 2", "parts");
    REFUSED(bailey_source_split(&source, 7, UINT64_MAX, 2, 0, &first, &count), "first 7", "2^64");
    REFUSED(bailey_source_split(&strange, 7, 10, 2, 0, &first, &count), "generator is 99", "not philox");
    assert_int_equal(first, 66);
    assert_int_equal(count, 77);

    REFUSED(bailey_source_save(NULL, 7, bytes), "source", "NULL");
    REFUSED(bailey_source_save(&source, 7, NULL), "bytes", "NULL");
    REFUSED(bailey_source_save(&strange, 7, bytes), "generator is 99", "not philox");
    same_bits("state", bytes, poison, sizeof bytes, 1);
    REFUSED(bailey_source_restore(NULL, sizeof bytes, &restored, &place), "bytes", "NULL");
    REFUSED(bailey_source_restore(bytes, sizeof bytes, &restored, &place), "64 bytes", "bailey_source_save");
    OK(bailey_source_save(&source, 7, bytes));
    REFUSED(bailey_source_restore(bytes, sizeof bytes, NULL, &place), "source", "NULL");
    REFUSED(bailey_source_restore(bytes, sizeof bytes, &restored, NULL), "place", "NULL");
    REFUSED(bailey_source_restore(bytes, 63, &restored, &place), "63 bytes", "64");
    bytes[8] = 2; /* a later version: its sum may be another, so that comes first */
    REFUSED(bailey_source_restore(bytes, sizeof bytes, &restored, &place), "version 2", "version 1");
    assert_int_equal(restored.seed, 99);
    assert_int_equal(place, 88);

    uint32_t zero[32] = {0}, words[32] = {1}, kept[32];
    const uint64_t distance[16] = {1};
    memcpy(kept, words, sizeof kept);
    REFUSED(bailey_warp_jump(0, distance, 1, NULL), "state", "NULL");
    REFUSED(bailey_warp_jump(0, NULL, 1, words), "distance", "NULL");
    REFUSED(bailey_warp_jump(0, distance, 17, words), "words is 17", "16");
    REFUSED(bailey_warp_jump(BAILEY_WARP_SETS + 1, distance, 1, words), "warp_set is 17", "16");
    REFUSED(bailey_warp_jump(0, distance, 1, zero), "state", "zero");
    REFUSED(bailey_warp_stream(BAILEY_WARP_SETS + 1, 1, words), "warp_set is 17", "16");
    REFUSED(bailey_warp_stream(0, 1, NULL), "state", "NULL");
    REFUSED(bailey_warp_stream(0, 1, zero), "state", "zero");
    same_bits("a state", words, kept, 32, 4);
    OK(bailey_warp_jump(0, NULL, 0, words)); /* no steps */
    same_bits("a state", words, kept, 32, 4);
}

/* ---- Orders and bridges ---------------------------------------------------------------------- */

TEST(refused_orders, DEVICE)
{
    uint32_t room[12], *order = room + 1;
    const uint32_t zero[] = {3, 0}, beyond[] = {3, 11}, twice[] = {3, 5, 3},
                   many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1};
    memset(room, POISON, sizeof room);
    REFUSED(bailey_order_make((bailey_order)5, 10, NULL, 0, order), "kind is 5", "bailey_order");
    REFUSED(bailey_order_make((bailey_order)-1, 10, NULL, 0, order), "kind is -1", "bailey_order");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 1000001, NULL, 0, order), "interior is 1000001",
            "1000000");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, UINT64_MAX, NULL, 0, order), "interior is", "1000000");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, NULL, 0, NULL), "order", "NULL");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, NULL, 1, order), "important", "NULL");
    for (size_t i = 0; i < sizeof room; i++) assert_int_equal(((unsigned char *)room)[i], POISON);
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, zero, 2, order), "important[1] = 0", "1 .. 10");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, beyond, 2, order), "important[1] = 11", "1 .. 10");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, twice, 3, order), "important[2] = 3",
            "important[0]");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 10, many, 11, order), "important[10] = 1",
            "important[0]");
    REFUSED(bailey_order_make(BAILEY_ORDER_BISECTION, 0, zero, 1, NULL), "important[0] = 3", "0");
    OK(bailey_order_make(BAILEY_ORDER_BISECTION, 0, NULL, 0, NULL));
    OK(bailey_order_make(BAILEY_ORDER_INCREMENTAL, 10, twice, 2, order));
    const uint32_t expected[] = {3, 5, 1, 2, 4, 6, 7, 8, 9, 10};
    same_bits("order", order, expected, 10, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(((unsigned char *)room)[i], POISON);
        assert_int_equal(((unsigned char *)(room + 11))[i], POISON);
    }
    static const char *const names[] = {"", "Bisection", "bisection ", "lr", "lr_down", "random", "%s"};
    bailey_order kind = (bailey_order)77;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        REFUSED(bailey_order_from_name(names[i], &kind), names[i], "incremental");
    REFUSED(bailey_order_from_name(NULL, &kind), "name", "NULL");
    REFUSED(bailey_order_from_name("bisection", NULL), "kind", "NULL");
    assert_int_equal(kind, 77);
    OK(bailey_order_from_name("rl-up", &kind));
    assert_int_equal(kind, BAILEY_ORDER_BISECTION_RL_UP);
}

/* A bridge that is refused for what `...` changes in good parameters. */
#define BRIDGE(a, b, ...)                                                                                    \
    do {                                                                                                     \
        bailey_bridge_params p = {.times = good_times, .steps = 4, .start_time = 0.25};                      \
        bailey_bridge *made = NOWHERE;                                                                       \
        __VA_ARGS__;                                                                                         \
        REFUSED_HERE(bailey_bridge_create(context, &p, &made), a, b);                                        \
        assert_null(made);                                                                                   \
    } while (0)

TEST(refused_bridges, DEVICE)
{
    static const uint32_t permutation[3] = {2, 3, 1}, zero[3] = {2, 0, 1}, beyond[3] = {2, 4, 1},
                          twice[3] = {2, 3, 2};
    static const double numbers[4] = {1, NAN, 0.5, 2}, eye[4] = {1, 0, 0, 1};
    const bailey_bridge_params good = {.times = good_times, .steps = 4, .start_time = 0.25};
    bailey_bridge *bridge = NOWHERE;
    REFUSED(bailey_bridge_create(NULL, &good, &bridge), "context", "NULL");
    REFUSED_HERE(bailey_bridge_create(context, &good, NULL), "bridge", "NULL");
    REFUSED_HERE(bailey_bridge_create(context, NULL, &bridge), "params", "NULL");
    assert_null(bridge);

    BRIDGE("steps is 18446744073709551615", "1000001", p.steps = UINT64_MAX);
    BRIDGE("steps is 4294967300", "1000001", p.steps = (UINT64_C(1) << 32) + 4);
    BRIDGE("dims is 4294967295", "64", p.dims = UINT32_MAX);

    const double unsorted[4] = {0.5, 1.75, 1, 3}, repeated[4] = {0.5, 1, 1, 3}, late[4] = {0.5, 1, 3, 3};
    const double odd[4] = {0.5, NAN, 1.75, 3}, endless[4] = {0.5, 1, 1.75, INFINITY},
                 before[4] = {-INFINITY, 1, 2, 3};
    const double tiny[4] = {0x1p-1040, 1, 2, 3}, huge[4] = {-1, 0, 1, DBL_MAX};
    const double narrow[4] = {1e-60, 1, 2, 3}, wide[4] = {1, 2, 3, 1e90};
    BRIDGE("times[2] = 1 ", "times[1] = 1.75", p.times = unsorted);
    BRIDGE("times[2] = 1 ", "times[1] = 1", p.times = repeated);
    BRIDGE("times[3] = 3 ", "times[2] = 3", p.times = late);
    BRIDGE("times[1] = nan", "finite", p.times = odd);
    BRIDGE("times[3] = inf", "finite", p.times = endless);
    BRIDGE("times[0] = -inf", "finite", p.times = before);
    BRIDGE("times[0] = 0.5", "start_time = 0.5", p.start_time = 0.5);
    BRIDGE("times[0] = 0.5", "start_time = 7", p.start_time = 7);
    BRIDGE("times[0]", "normal floating-point number", (p.times = tiny, p.start_time = 0));
    BRIDGE("times", "normal floating-point number", (p.times = huge, p.start_time = -DBL_MAX));
    BRIDGE("times", "single precision", (p.times = narrow, p.start_time = 0));
    BRIDGE("times", "single precision", (p.times = wide, p.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS));

    BRIDGE("order[1] = 0", "1 .. 3", p.order = zero);
    BRIDGE("order[1] = 4", "1 .. 3", p.order = beyond);
    BRIDGE("order[2] = 2", "order[0]", p.order = twice);
    BRIDGE("factor and covariance", "at most one", (p.dims = 2, p.factor = eye, p.covariance = eye));

    const double negative[4] = {1, 0, 0, -0.25}, lopsided[4] = {1, 0.5, 0.25, 1}, much[4] = {1, 1.5, 1.5, 1};
    const double indefinite[9] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}, infinite[4] = {INFINITY, 0, 0, 1};
    const double hollow[4] = {0, 0.5, 0.5, 1}, lower[4] = {1, 0, NAN, 1};
    BRIDGE("covariance[1][1] = -0.25", "negative", (p.dims = 2, p.covariance = negative));
    BRIDGE("covariance[0][0] = -0.25", "negative", p.covariance = negative + 3);
    BRIDGE("covariance[1][0] = 0.25", "covariance[0][1] = 0.5", (p.dims = 2, p.covariance = lopsided));
    BRIDGE("covariance[1][0] = 1.5", "exceeds", (p.dims = 2, p.covariance = much));
    BRIDGE("covariance[1][0] = 0.5", "exceeds", (p.dims = 2, p.covariance = hollow));
    BRIDGE("covariance", "not positive semi-definite", (p.dims = 3, p.covariance = indefinite));
    BRIDGE("covariance[0][1] is nan", "finite", (p.dims = 2, p.covariance = numbers));
    BRIDGE("covariance[0][0] is inf", "finite", (p.dims = 2, p.covariance = infinite));
    BRIDGE("factor[1][0] = nan", "finite", (p.dims = 2, p.factor = lower));
    BRIDGE("factor[0][0] = inf", "finite", (p.dims = 2, p.factor = infinite));
    const double large[4] = {1e300, 0, 0, 1}, endpoint[2] = {0, INFINITY};
    BRIDGE("factor", "single precision", (p.dims = 2, p.factor = large));
    BRIDGE("start", "single precision", p.start = large);
    BRIDGE("start[1] is nan", "finite", (p.dims = 2, p.start = numbers));
    BRIDGE("end[1] is inf", "finite", (p.dims = 2, p.end = endpoint));

    BRIDGE("precision is 2", "bailey_precision", p.precision = (bailey_precision)2);
    if (!device.has_f64) {
        const bailey_bridge_params f64 = {.times = good_times, .steps = 4, .precision = BAILEY_PRECISION_F64};
        failed_with("f64", bailey_bridge_create(context, &f64, &bridge), BAILEY_ERROR_UNSUPPORTED,
                    "double precision", device.address);
    }

    /* Near misses: above the diagonal of a factor nothing is read; zero variance is one; 0 dims is 1. */
    const bailey_bridge_params fine[] = {
        {.times = good_times, .steps = 4, .dims = 2, .factor = numbers, .order = permutation},
        {.times = good_times, .steps = 4, .dims = 2, .covariance = (const double[4]){0, 0, 0, 1}},
        {.times = good_times + 3, .steps = 1, .start_time = -5}};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        bailey_bridge_info info = {0};
        OK(bailey_bridge_create(context, &fine[i], &bridge));
        OK(bailey_bridge_describe(bridge, &info));
        assert_int_equal(info.x_steps, fine[i].steps);
        assert_int_equal(info.z_steps, fine[i].steps);
        assert_int_equal(info.dims, fine[i].dims ? fine[i].dims : 1);
        REFUSED(bailey_bridge_describe(bridge, NULL), "info", "NULL");
        const void *records = NOWHERE;
        size_t bytes = 77;
        REFUSED(bailey_bridge_records(bridge, NULL, &bytes), "records", "NULL");
        REFUSED(bailey_bridge_records(bridge, &records, NULL), "bytes", "NULL");
        assert_ptr_equal(records, NOWHERE);
        assert_int_equal(bytes, 77);
        OK(bailey_bridge_records(bridge, &records, &bytes));
        assert_int_equal(bytes, fine[i].steps * 32);
        bailey_bridge_destroy(bridge);
    }
    bailey_bridge_info info;
    const void *records;
    size_t bytes;
    REFUSED(bailey_bridge_describe(NULL, &info), "bridge", "NULL");
    REFUSED(bailey_bridge_records(NULL, &records, &bytes), "bridge", "NULL");
}

TEST(refused_paths, DEVICE)
{
    enum { PATHS = 100, BYTES = 4 * 2 * PATHS * 4 }; /* steps, dims, paths, bytes of a float */
    const uint64_t most = BAILEY_BRIDGE_MAX_PATHS;
    const bailey_bridge_params params = {.times = good_times, .steps = 4, .dims = 2};
    const bailey_source source = {.seed = 1};
    bailey_normal_params normal = {.method = BAILEY_NORMAL_METHOD_ICDF};
    bailey_bridge *bridge = NULL;
    bailey_context *elsewhere = another();
    bailey_buffer *z = poisoned(BYTES), *x = poisoned(BYTES), *small = NULL, *foreign = NULL;
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_buffer_create(context, BYTES - 1, &small));
    OK(bailey_buffer_create(elsewhere, BYTES, &foreign));

    REFUSED(bailey_bridge_build(NULL, PATHS, z, x), "bridge", "NULL");
    REFUSED_HERE(bailey_bridge_build(bridge, 0, z, x), "paths is 0", "at least 1");
    REFUSED_HERE(bailey_bridge_build(bridge, most + 1, z, x), "paths 274877906945", "2^38");
    REFUSED_HERE(bailey_bridge_build(bridge, UINT64_MAX, z, x), "paths", "2^38");
    REFUSED_HERE(bailey_bridge_build(bridge, most, z, x), "z holds", "2199023255552");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, NULL, x), "z", "NULL");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, z, NULL), "x", "NULL");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, small, x), "z holds 799 elements", "800");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, z, small), "x holds 799 elements", "800");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, foreign, x), "z", "another context");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, z, foreign), "x", "another context");
    REFUSED_HERE(bailey_bridge_build(bridge, PATHS, x, x), "z and x", "same");

    for (int stored = 0; stored < 2; stored++) {
        bailey_status (*draw)(bailey_bridge *, const bailey_source *, const bailey_normal_params *, uint64_t,
                              uint64_t, bailey_buffer *) =
            stored ? bailey_bridge_normals : bailey_bridge_paths;
        const char *out = stored ? "z" : "x";
        REFUSED(draw(NULL, &source, &normal, 0, PATHS, x), "bridge", "NULL");
        REFUSED_HERE(draw(bridge, NULL, &normal, 0, PATHS, x), "source", "NULL");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, 0, x), "paths is 0", "at least 1");
        REFUSED_HERE(draw(bridge, &source, &normal, most, 1, x), "first_path 274877906944", "2^38");
        REFUSED_HERE(draw(bridge, &source, &normal, UINT64_MAX, 2, x), "first_path", "2^38");
        REFUSED_HERE(draw(bridge, &source, &normal, most - PATHS + 1, PATHS, x), "first_path", "2^38");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, most + 1, x), "paths", "2^38");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, most, x), out, "elements");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, NULL), out, "NULL");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, small), out, "799 elements");
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, foreign), out, "another context");
        normal.method = (bailey_normal_method)3;
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, x), "method is 3", "not icdf");
        normal.method = BAILEY_NORMAL_METHOD_WALLACE;
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, x), "method is wallace",
                     "bailey_normals_generate");
        normal.method = BAILEY_NORMAL_METHOD_ICDF;
        normal.numerics = (bailey_numerics)2;
        REFUSED_HERE(draw(bridge, &source, &normal, 0, PATHS, x), "numerics is 2", "not exact or fast");
        normal.numerics = BAILEY_NUMERICS_EXACT;
        static const struct {
            const char *argument, *limit;
            bailey_source source;
        } bad[] = {{"generator is -1", "not philox", {.generator = (bailey_generator)-1}},
                   {"sequence is 2", "not runs or published", {.sequence = (bailey_sequence)2}},
                   {"warp_set is 1", "philox", {.warp_set = 1}},
                   {"sequence",
                    "warp",
                    {.generator = BAILEY_GENERATOR_WARP, .sequence = BAILEY_SEQUENCE_PUBLISHED}}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            REFUSED_HERE(draw(bridge, &bad[i].source, &normal, 0, PATHS, x), bad[i].argument, bad[i].limit);
    }
    unsigned char *data[2] = {harvest(z, BYTES), harvest(x, BYTES)}, poison[BYTES];
    memset(poison, POISON, BYTES);
    same_bits("z", data[0], poison, BYTES, 1);
    same_bits("x", data[1], poison, BYTES, 1);
    free(data[0]);
    free(data[1]);

    /* The last paths there are. */
    x = poisoned(BYTES);
    normal.precision = (bailey_precision)77; /* is ignored */
    OK(bailey_bridge_paths(bridge, &source, &normal, most - PATHS, PATHS, x));
    free(harvest(x, BYTES));
    bailey_bridge_destroy(bridge);

    /* A fixed end and no interior times: there is no Z, and none is needed. */
    const double end[1] = {2.5};
    const bailey_bridge_params short_one = {.times = good_times, .steps = 1, .end = end};
    OK(bailey_bridge_create(context, &short_one, &bridge));
    x = poisoned(3 * sizeof(float));
    OK(bailey_bridge_build(bridge, 3, NULL, x));
    OK(bailey_bridge_normals(bridge, &source, NULL, 0, 3, NULL));
    float *paths = harvest(x, 3 * sizeof(float));
    for (int i = 0; i < 3; i++) assert_true(paths[i] == 2.5f);
    free(paths);
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(small);
    bailey_buffer_destroy(foreign);
    bailey_context_destroy(elsewhere);
}
