/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the fuzz targets. Each target is a file with one function, which clang's libFuzzer calls
 * (scripts/fuzz) or, in the ordinary suite, replay.c.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs one case and returns 0. The name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For a target whose cases have a grammar, else NULL: changes a case in its place, which has room for `room`
 * bytes, and returns its new size. The names are libFuzzer's. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                                                       size_t b_size, uint8_t *out, size_t room,
                                                       unsigned seed);
/* For a target with mutate_code.c: whether the code of a case is accepted; and it tells of those that were.
 */
int fuzz_accepts(const uint8_t *data, size_t size);
void fuzz_accepted(const uint8_t *data, size_t size);

/* Changes bytes: libFuzzer's, or replay.c's. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* Ends the program, with a line to standard error, if something does not hold. */
#define FUZZ_REQUIRE(holds) ((holds) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #holds))
_Noreturn void fuzz_fail(const char *file, int line, const char *what);

/* A file in memory with these bytes and no others; the path is the same every time. */
const char *fuzz_file(const void *data, size_t size);

/* A folder for files, in memory where the system has such, which goes when the program ends. */
const char *fuzz_folder(void);

/* The rest of a case, which is read from its beginning. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

/* The next byte, the next eight; 0 of what is not there. */
uint8_t fuzz_byte(struct fuzz_input *input);
uint64_t fuzz_word(struct fuzz_input *input);

/* The text as far as the next zero byte, which is skipped; to be freed. It has no room behind its end. */
char *fuzz_text(struct fuzz_input *input);

#endif
