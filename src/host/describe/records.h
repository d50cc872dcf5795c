/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How a module describes its structs: a table of fields next to the code that reads them, and a row in the
 * list below.
 *
 *     #define STRUCT bailey_american_params
 *     static const bailey_field params[] = {
 *         CHOICE(type, "what exercise pays", OPTION_TYPES),
 *         REALS(spot, "[assets]", "prices today", .needed = 1, .range = POSITIVE, .role = BAILEY_ROLE_SPOT),
 *         REAL(strike, "of the option", .needed = 1, .range = POSITIVE),
 *         UINT64(inner_paths, "of each outer path", .range = FROM(2, MOST_PATHS), .default_value = 1000),
 *     };
 *     RECORD(american_params, "an option that may be exercised early", params);
 *     #undef STRUCT
 *
 * A field of a result has nothing but its name, unit and summary.
 */
#ifndef BLY_DESCRIBE_RECORDS_H
#define BLY_DESCRIBE_RECORDS_H

#include <bailey/describe.h>
#include <base/hash.h>

#include <math.h>
#include <stddef.h>

/* All structs that are described; one is described by the module that it belongs to. */
#define BLY_RECORD_LIST(X)                                                                                   \
    X(device)                                                                                                \
    X(context_params)                                                                                        \
    X(selftest_params)                                                                                       \
    X(source)                                                                                                \
    X(normal_params)                                                                                         \
    X(variate_params)                                                                                        \
    X(points_params)                                                                                         \
    X(bridge_params)                                                                                         \
    X(bridge_info)                                                                                           \
    X(motion_params)                                                                                         \
    X(payoff)                                                                                                \
    X(describe_params)                                                                                       \
    X(simulation_params)                                                                                     \
    X(histogram)                                                                                             \
    X(scenarios)                                                                                             \
    X(simulation_run_params)                                                                                 \
    X(estimate)                                                                                              \
    X(moment)                                                                                                \
    X(gradient_params)                                                                                       \
    X(exercise_params)                                                                                       \
    X(exercise_result)                                                                                       \
    X(exercise_bounds_params)                                                                                \
    X(exercise_bounds)                                                                                       \
    X(derivative)                                                                                            \
    X(gradient_jump)                                                                                         \
    X(greeks_params)                                                                                         \
    X(greek_estimate)                                                                                        \
    X(job_params)                                                                                            \
    X(job_device)                                                                                            \
    X(job_report)                                                                                            \
    X(mlmc_params)                                                                                           \
    X(mlmc_run_params)                                                                                       \
    X(mlmc_level)                                                                                            \
    X(mlmc_choice)                                                                                           \
    X(mlmc_result)                                                                                           \
    X(mlmc_test_params)                                                                                      \
    X(mlmc_test_level)                                                                                       \
    X(mlmc_test_run)                                                                                         \
    X(mlmc_report)                                                                                           \
    X(american_params)                                                                                       \
    X(american_result)                                                                                       \
    X(volatility_quotes)                                                                                     \
    X(local_volatility)

#define BLY_RECORD_DECLARE(name) extern const bailey_record bly_record_##name;
BLY_RECORD_LIST(BLY_RECORD_DECLARE)

/* A number that shapes name and that is not in their struct; a list of these ends with the name NULL. */
struct bly_size {
    const char *name;
    uint64_t value;
};

/* How many elements the array of a pointer has, and how many a row of it, by its shape; *known is 0 if
 * neither the struct nor `sizes`, which may be NULL, say it. */
uint64_t bly_record_elements(const bailey_record *record, const void *values, const bailey_field *field,
                             const struct bly_size *sizes, uint64_t *row, int *known);

/* ---- Fields. STRUCT is the struct that they are of -------------------------------------------------- */

/* clang-format off */

/* A field without more; its summary comes first in what follows. */
#define BLY_PLACED(member_, type_)                                                                           \
    .name = #member_, .type = BAILEY_FIELD_TYPE_##type_, .offset = offsetof(STRUCT, member_),                \
    .size = sizeof(((STRUCT *)0)->member_)

#define FLAG(member, ...) {BLY_PLACED(member, FLAG), .summary = __VA_ARGS__}
#define UINT32(member, ...) {BLY_PLACED(member, UINT32), .summary = __VA_ARGS__}
#define UINT64(member, ...) {BLY_PLACED(member, UINT64), .summary = __VA_ARGS__}
#define REAL(member, ...) {BLY_PLACED(member, REAL), .summary = __VA_ARGS__}
#define TEXT(member, ...) {BLY_PLACED(member, TEXT), .summary = __VA_ARGS__}
#define BUFFER(member, ...) {BLY_PLACED(member, BUFFER), .summary = __VA_ARGS__}
#define FUNCTION(member, ...) {BLY_PLACED(member, FUNCTION), .summary = __VA_ARGS__}
#define USER(member, ...) {BLY_PLACED(member, USER), .summary = __VA_ARGS__}
#define CHARS(member, ...)                                                                                   \
    {BLY_PLACED(member, CHARS), .count = sizeof(((STRUCT *)0)->member), .summary = __VA_ARGS__}

/* For an enumeration, one of those in choices.h. */
#define CHOICE(member, ...) {BLY_PLACED(member, CHOICE), .summary = __VA_ARGS__}

/* For a struct in the struct: bailey_<record>. */
#define NESTED(member, record_, ...) {BLY_PLACED(member, RECORD), .record = #record_, .summary = __VA_ARGS__}

/* Pointers to arrays. Elements are checked where `shape` is brackets alone and names fields of the struct. */
#define BLY_POINTER(member_, type_, shape_) BLY_PLACED(member_, type_), .pointer = 1, .shape = shape_
#define UINT32S(member, shape, ...) {BLY_POINTER(member, UINT32, shape), .summary = __VA_ARGS__}
#define UINT64S(member, shape, ...) {BLY_POINTER(member, UINT64, shape), .summary = __VA_ARGS__}
#define REALS(member, shape, ...) {BLY_POINTER(member, REAL, shape), .summary = __VA_ARGS__}
#define TEXTS(member, shape, ...) {BLY_POINTER(member, TEXT, shape), .summary = __VA_ARGS__}

/* An array in the struct, of which as many elements are used as `shape` says: IN_PLACE(UINT64, stage_paths,
 * "[stages]", "..."). */
#define IN_PLACE(type, member, shape_, ...)                                                                  \
    {BLY_PLACED(member, type), .count = sizeof(((STRUCT *)0)->member) / sizeof(((STRUCT *)0)->member[0]),    \
     .shape = shape_, .summary = __VA_ARGS__}

/* ---- Ranges ---------------------------------------------------------------------------------------- */

#define FROM(low_, high_) {.low = low_, .high = high_}
#define FROM_BELOW(low_, high_) {.low = low_, .high = high_, .high_open = 1}
#define POSITIVE {.low = 0, .high = INFINITY, .low_open = 1}
#define NOT_NEGATIVE {.low = 0, .high = INFINITY}
#define ABOVE_0_TO(high_) {.low = 0, .high = high_, .low_open = 1}
#define ABOVE_0_BELOW(high_) {.low = 0, .high = high_, .low_open = 1, .high_open = 1}

/* clang-format on */

/* ---- Records --------------------------------------------------------------------------------------- */

#define BLY_RECORD(name_, summary_, fields_, result_)                                                        \
    const bailey_record bly_record_##name_ = {.name = #name_,                                                \
                                              .summary = summary_,                                           \
                                              .size = sizeof(bailey_##name_),                                \
                                              .result = result_,                                             \
                                              .fields = fields_,                                             \
                                              .field_count = sizeof fields_ / sizeof *fields_}

/* A struct that the caller fills in, and one that the library writes. */
#define RECORD(name, summary, fields) BLY_RECORD(name, summary, fields, 0)
#define RESULT(name, summary, fields) BLY_RECORD(name, summary, fields, 1)

/* ---- Digests (digest.c) ---------------------------------------------------------------------- */

/* The identity of a run, from the records of its structs: two structs have the same digest if they ask for
 * the same bits. All fields count, nested structs and arrays too, but for the short list in digest.c: one
 * that is added to a struct is in the digest by itself. Numbers are added one by one, with their names, since
 * structs have padding; 0 is what it stands for, and a choice its word. */

/* Adds a struct that has been checked. `sizes` may be NULL. */
void bly_record_digest(struct bly_hash *hash, const bailey_record *record, const void *values,
                       const struct bly_size *sizes);
/* All at once. */
void bly_record_digest_of(const bailey_record *record, const void *values, uint8_t digest[BLY_DIGEST_BYTES]);

/* Of what makes the normals. */
void bly_source_digest(const bailey_source *source, const bailey_normal_params *normal,
                       uint8_t digest[BLY_DIGEST_BYTES]);

/* Whether a field is not one of that. */
int bly_record_leaves_out(const bailey_record *record, const bailey_field *field);

#endif
