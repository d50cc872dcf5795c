/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code through the front end: what is accepted is printed, and a path of it is interpreted, which
 * finds out where a proof of the checks is wrong. A case is code, and after a zero byte what it is read for,
 * and numbers.
 */
#ifndef FUZZ_UNIT_H
#define FUZZ_UNIT_H

#include "fuzz.h"

#include <base/alloc.h>
#include <base/text.h>
#include <host/payoff/interpret.h>

#include <stdlib.h>
#include <string.h>

enum { FUZZ_DIMS = 3, FUZZ_STEPS = 12, FUZZ_LEVELS = 3, FUZZ_MOST_NOISE = 256, FUZZ_MOST_OUT = 64 };

/* ---- Printed code -------------------------------------------------------------------------------- */

static inline int fuzz_begins(const char *word, size_t length, const char *with)
{
    return length >= strlen(with) && memcmp(word, with, strlen(with)) == 0;
}

/* Words that printing may write. No name of the code is among them, whatever it is: each has a prefix. */
static inline int fuzz_is_printed(const char *word, size_t length)
{
    static const char *const begin[] = {"own_", "bly_", "BLY_", NULL};
    static const char *const words[] = {"void",      "real",
                                        "int",       "uint32",
                                        "int64",     "uint64",
                                        "struct",    "typedef",
                                        "const",     "params",
                                        "if",        "else",
                                        "for",       "while",
                                        "do",        "switch",
                                        "case",      "default",
                                        "break",     "continue",
                                        "return",    "DIMS",
                                        "STEPS",     "LEVELS",
                                        "BAILEY_FN", "BAILEY_CONSTANT",
                                        "define",    "include",
                                        "kernels",   "payoff_checked",
                                        "h",         "w",
                                        "s",         "p",
                                        "level",     "dw",
                                        "k",         "z",
                                        "u",         NULL};
    for (const char *const *b = begin; *b; b++)
        if (fuzz_begins(word, length, *b)) return 1;
    if (fuzz_begins(word, length, "own")) return length > 3 && word[3] >= '0' && word[3] <= '9';
    for (const char *const *w = words; *w; w++)
        if (strlen(*w) == length && fuzz_begins(word, length, *w)) return 1;
    return 0;
}

static inline int fuzz_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline int fuzz_is_digit(char c) { return c >= '0' && c <= '9'; }

/* For a line that begins with #. */
static inline void fuzz_check_line(const char *line, size_t length)
{
    FUZZ_REQUIRE(fuzz_begins(line, length, "#define BLY_FAULTS 1\n") ||
                 fuzz_begins(line, length, "#define BLY_LOOP_BUDGET ") ||
                 fuzz_begins(line, length, "#include \"kernels/payoff_checked.h\"\n"));
}

static inline void fuzz_check_printed(const char *text)
{
    int depth = 0;
    for (const char *p = text; *p;) {
        const char *begin = p;
        FUZZ_REQUIRE((*p >= ' ' && *p < 127) || *p == '\n');
        if (fuzz_is_letter(*p)) {
            while (fuzz_is_letter(*p) || fuzz_is_digit(*p)) p++;
            if (!fuzz_is_printed(begin, (size_t)(p - begin))) fuzz_fail(begin, 0, "a name without a prefix");
        } else if (fuzz_is_digit(*p)) {
            while (fuzz_is_letter(*p) || fuzz_is_digit(*p) || *p == '.' ||
                   ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
                p++;
        } else if (*p == '#') {
            FUZZ_REQUIRE(p == text || p[-1] == '\n');
            while (*p != '\n') p++;
            fuzz_check_line(begin, (size_t)(p + 1 - begin));
        } else {
            FUZZ_REQUIRE(*p == '\n' || strchr(" ()[]{}<>=!+-*/%&|^~?:;,.", *p));
            depth += strchr("([{", *p) != NULL && *p;
            depth -= strchr(")]}", *p) != NULL && *p;
            FUZZ_REQUIRE(depth >= 0);
            p++;
        }
    }
    FUZZ_REQUIRE(depth == 0);
}

static inline void fuzz_print(const struct bly_unit *unit)
{
    for (int symbolic = 0; symbolic < 2; symbolic++) {
        struct bly_text text = {0};
        const struct bly_printing printing = {.prefix = "bly_own_", .symbolic_sizes = symbolic};
        bly_unit_print(unit, &printing, &text);
        FUZZ_REQUIRE(text.data && !text.failed);
        fuzz_check_printed(text.data);
        bly_free(text.data);
    }
}

/* ---- Interpreted code ---------------------------------------------------------------------------- */

/* Most often a likely number. */
static inline double fuzz_number(struct fuzz_input *input)
{
    static const double likely[] = {0,           1,           -1,           2,      0.5,   -0.25,  3,
                                    100,         1e9,         -1e9,         1e38,   1e308, 1e-310, 2147483647,
                                    2147483648., 4294967295., -2147483648., 9.3e18, 1e20,  -0.};
    double number;
    const uint8_t choice = fuzz_byte(input);
    if (choice < 250) return likely[choice % (sizeof likely / sizeof *likely)] + (choice & 64 ? choice : 0);
    const uint64_t word = fuzz_word(input);
    memcpy(&number, &word, sizeof number);
    return number;
}

static inline double fuzz_path_at(void *user, uint64_t step, uint32_t dimension)
{
    (void)step, (void)dimension;
    return fuzz_number(user);
}
static inline double fuzz_path_time(void *user, uint64_t step)
{
    (void)user;
    return (double)(step + 1) / FUZZ_STEPS;
}

static inline void fuzz_run(struct bly_interpreter *interpreter, const struct bly_unit *unit,
                            struct fuzz_input *input)
{
    double x[FUZZ_DIMS], noise[2][FUZZ_MOST_NOISE], out[FUZZ_MOST_OUT] = {0};
    const struct bly_path_reader path = {input, fuzz_path_at, fuzz_path_time};
    struct bly_given given = {.h = 0.25, .x = x, .noise = {noise[0], noise[1]}, .path = &path, .out = out};
    FUZZ_REQUIRE(unit->outputs >= 1 && unit->outputs <= FUZZ_MOST_OUT);
    FUZZ_REQUIRE(unit->dims + unit->normals + unit->uniforms <= FUZZ_MOST_NOISE);
    for (uint32_t i = 0; i < FUZZ_MOST_NOISE; i++)
        noise[0][i] = fuzz_number(input), noise[1][i] = fuzz_number(input);
    bly_interpreter_begin(interpreter);
    bly_interpreter_call(interpreter, unit->start, &given);
    for (int32_t step = 0; step < (unit->whole ? 0 : FUZZ_STEPS); step++) {
        for (int d = 0; d < FUZZ_DIMS; d++) x[d] = fuzz_number(input);
        given.number = step;
        given.t = (step + 1) / (double)FUZZ_STEPS;
        bly_interpreter_call(interpreter, step % 2 && unit->pair ? unit->pair : unit->step, &given);
    }
    bly_interpreter_call(interpreter, unit->whole ? unit->whole : unit->finish, &given);
    if (bly_interpreter_status(interpreter) != BAILEY_OK) fuzz_fail(bailey_error_message(), 0, "a proof");
    FUZZ_REQUIRE(bly_interpreter_failure(interpreter).site <= unit->site_count);
}

static inline void fuzz_interpret(struct bly_unit *unit, struct fuzz_input *input)
{
    struct bly_interpreter *interpreter;
    FUZZ_REQUIRE(bly_interpreter_create(unit, &interpreter) == BAILEY_OK);
    for (uint32_t i = 0; i < bly_interpreter_parameters(interpreter) && i < 64; i++)
        bly_interpreter_set(interpreter, i, fuzz_number(input));
    fuzz_run(interpreter, unit, input);
    bly_interpreter_destroy(interpreter);
}

/* ---- All of it ----------------------------------------------------------------------------------- */

/* What comes first of a case. */
static inline struct bly_unit fuzz_unit(struct fuzz_input *input, char *code, int levels)
{
    const uint8_t choice = fuzz_byte(input);
    struct bly_unit unit = {.kind = levels       ? BLY_UNIT_LEVELS
                                    : choice & 2 ? BLY_UNIT_MOTION
                                                 : BLY_UNIT_PAYOFF,
                            .precision = choice & 1 ? BAILEY_PRECISION_F32 : BAILEY_PRECISION_F64,
                            .dims = FUZZ_DIMS,
                            .steps = levels || choice & 2 ? 0 : FUZZ_STEPS,
                            .levels = choice & 2 && !levels ? FUZZ_LEVELS : 0,
                            .code = code,
                            .length = strlen(code),
                            .argument = levels ? "estimator" : "payoff",
                            .loop_budget = 200};
    bly_unit_name(&unit, NULL);
    return unit;
}

static inline int fuzz_accepts_unit(const uint8_t *data, size_t size, int levels)
{
    struct fuzz_input input = {data, size};
    char *code = fuzz_text(&input);
    struct bly_unit unit = fuzz_unit(&input, code, levels);
    const bailey_status status = bly_unit_read(&unit);
    bly_unit_free(&unit);
    free(code);
    return status == BAILEY_OK;
}

/* Returns 1 if the code is accepted. */
static inline int fuzz_read_unit(const uint8_t *data, size_t size, int levels)
{
    struct fuzz_input input = {data, size};
    char *code = fuzz_text(&input);
    struct bly_unit unit = fuzz_unit(&input, code, levels);
    const bailey_status status = bly_unit_read(&unit);
    FUZZ_REQUIRE(status == BAILEY_OK || status == BAILEY_ERROR_INVALID);
    FUZZ_REQUIRE(status == BAILEY_OK || !strcmp(bailey_error_argument(), unit.argument));
    FUZZ_REQUIRE(status == BAILEY_OK || !strncmp(bailey_error_message(), unit.name, strlen(unit.name)));
    if (status == BAILEY_OK) fuzz_accepted(data, size);
    if (status == BAILEY_OK) fuzz_print(&unit);
    if (status == BAILEY_OK) fuzz_interpret(&unit, &input);
    bly_unit_free(&unit);
    free(code);
    return status == BAILEY_OK;
}

#endif
