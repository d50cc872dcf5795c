/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The library describes itself: every struct of its public headers, as data. The library checks its arguments
 * with these records, the command line derives options, help and reports from them, and Python its keywords
 * and results. A binding for another language needs no extra table.
 *
 *     const bailey_record *r = bailey_describe("american_params");
 *     for (uint32_t i = 0; i < r->field_count; i++)
 *         printf("%-16s %s\n", r->fields[i].name, r->fields[i].summary);
 *
 * The parameters of a payoff are known only after its code has been read: bailey/description.h.
 */
#ifndef BAILEY_DESCRIBE_H
#define BAILEY_DESCRIBE_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Real numbers from `low` to `high`. Each end is included unless it is open or infinite. */
typedef struct bailey_interval {
    double low, high;
    uint32_t low_open, high_open; /* 0 or 1 */
} bailey_interval;

/* One of the values that a parameter or a field may have. */
typedef struct bailey_choice {
    double value;
    const char *name;    /* its name, such as "put"; "" if it has none */
    const char *summary; /* its meaning; NULL: the name says it */
} bailey_choice;

/* The meaning of a number to a model, used by derivatives and by warnings about unusual values. */
typedef enum bailey_role {
    BAILEY_ROLE_NONE = 0, /* not specified */
    BAILEY_ROLE_SPOT = 1,
    BAILEY_ROLE_STRIKE = 2,
    BAILEY_ROLE_VOLATILITY = 3,
    BAILEY_ROLE_VARIANCE = 4,
    BAILEY_ROLE_RATE = 5,
    BAILEY_ROLE_DIVIDEND = 6,
    BAILEY_ROLE_CORRELATION = 7,
    BAILEY_ROLE_MATURITY = 8,
    BAILEY_ROLE_BARRIER = 9,
    BAILEY_ROLE_WEIGHT = 10,
    BAILEY_ROLE_SIGN = 11 /* -1 of a put, 1 of a call */
} bailey_role;

/* The name of a role, such as "volatility"; "" for NONE and for other numbers. Threads: any. */
BAILEY_API const char *bailey_role_name(bailey_role role);

/* The type of a field, or of what its pointer points to. */
typedef enum bailey_field_type {
    BAILEY_FIELD_TYPE_FLAG = 0,     /* uint32_t, 0 or 1 */
    BAILEY_FIELD_TYPE_UINT32 = 1,   /* uint32_t */
    BAILEY_FIELD_TYPE_UINT64 = 2,   /* uint64_t */
    BAILEY_FIELD_TYPE_REAL = 3,     /* double */
    BAILEY_FIELD_TYPE_CHOICE = 4,   /* an enumeration, with its constants in `choices` */
    BAILEY_FIELD_TYPE_TEXT = 5,     /* const char *, zero-terminated */
    BAILEY_FIELD_TYPE_CHARS = 6,    /* char[count], zero-terminated */
    BAILEY_FIELD_TYPE_RECORD = 7,   /* the struct that `record` names */
    BAILEY_FIELD_TYPE_BUFFER = 8,   /* bailey_buffer * */
    BAILEY_FIELD_TYPE_FUNCTION = 9, /* a pointer to a function */
    BAILEY_FIELD_TYPE_USER = 10     /* void *, passed to the function before it */
} bailey_field_type;

/* A field of a struct. */
typedef struct bailey_field {
    const char *name;    /* as in C and in all other interfaces: "exercise_times" */
    const char *summary; /* a description of one line */
    const char *unit;    /* "years", "per year"; NULL: a pure number, or none */
    bailey_field_type type;
    uint32_t offset, size; /* in the struct, in bytes */
    uint32_t count;        /* elements of an array in the struct; 0: not an array */
    uint32_t pointer;      /* 1: the struct has a pointer to the elements, which may be NULL unless needed */
    /* For an array, its dimensions in terms of fields of the same struct: "[assets][assets]". Words after the
     * brackets state further conditions, if more than the range is checked. For an array in the struct, the
     * number of elements used. NULL: not an array, or a pointer whose size the caller knows. */
    const char *shape;
    const char *record;           /* RECORD: "source" is a bailey_source */
    const bailey_choice *choices; /* CHOICE: [choice_count], in the order of their values */
    uint32_t choice_count;
    const char *prefix; /* CHOICE: the prefix of the constants' names, "BAILEY_GENERATOR_" */
    /* Each element must be in this range. low = high = 0: all finite numbers, or all values of the type. */
    bailey_interval range;
    uint32_t nan;    /* 1: NaN is also allowed, for a value that is not given or not known */
    uint32_t needed; /* 1: there is no default; NULL is rejected, and so is 0 unless it is in the range */
    double default_value;    /* the value that 0 stands for */
    const char *default_how; /* what 0 or NULL stands for if it is not a single number: "as many as paths" */
    uint32_t output;         /* 1: the library writes it */
    bailey_role role;
    uint64_t reserved[4];
} bailey_field;

/* A struct. */
typedef struct bailey_record {
    const char *name; /* "american_params" for bailey_american_params */
    const char *summary;
    uint32_t size;   /* in bytes, including `reserved`, which is not among the fields */
    uint32_t result; /* 1: the library writes it */
    const bailey_field *fields;
    uint32_t field_count;
    uint64_t reserved[4];
} bailey_record;

/* The description of a struct, named with or without bailey_; NULL if there is none. Threads: any. */
BAILEY_API const bailey_record *bailey_describe(const char *name);

/* The description with index `index`; NULL beyond the last. Threads: any. */
BAILEY_API const bailey_record *bailey_describe_at(size_t index);

/* The field called `name`; NULL if there is none. Threads: any. */
BAILEY_API const bailey_field *bailey_record_field(const bailey_record *record, const char *name);

/* Checks a number against the type, choices and range of a field. 0 is accepted if it stands for a default.
 * The message begins with `name`; NULL: the field's own name.
 *
 * Returns: OK, ERROR_INVALID (bailey_error_argument is the field's name). Threads: any. */
BAILEY_API bailey_status bailey_field_check(const bailey_field *field, const char *name, double value);

/* Checks each field of a struct separately, including its arrays and nested structs. The function that takes
 * the struct checks conditions between fields. Pointers of arrays must be valid: elements are read.
 *
 * Returns: OK, ERROR_INVALID (a number out of range or not finite, an unknown choice, NULL for a required
 * field; bailey_error_argument is the field's name). Threads: any. */
BAILEY_API bailey_status bailey_record_check(const bailey_record *record, const void *values);

/* Writes the values that a field accepts, and its default, such as "above 0", "from 1 to 16; default 1" or
 * "call or put; default call": at most size - 1 characters and a terminating zero to `text`, which may be
 * NULL if size is 0. Returns the length of the whole string. Threads: any. */
BAILEY_API uint64_t bailey_field_limits(const bailey_field *field, char *text, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
