/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Files lie in memory: a case takes microseconds.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    abort();
}

const char *fuzz_file(const void *data, size_t size)
{
    static int file = -1;
    static char path[40];
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        FUZZ_REQUIRE(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    FUZZ_REQUIRE(ftruncate(file, 0) == 0);
    FUZZ_REQUIRE(pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

static char folder[64];
static void remove_folder(void) { rmdir(folder); }

const char *fuzz_folder(void)
{
    if (*folder) return folder;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/bailey-fuzz-XXXXXX" : "/tmp/bailey-fuzz-XXXXXX");
    FUZZ_REQUIRE(mkdtemp(folder) != NULL);
    atexit(remove_folder);
    return folder;
}

uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (!input->left) return 0;
    input->left--;
    return *input->at++;
}

uint64_t fuzz_word(struct fuzz_input *input)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word |= (uint64_t)fuzz_byte(input) << 8 * i;
    return word;
}

char *fuzz_text(struct fuzz_input *input)
{
    const uint8_t *end = input->left ? memchr(input->at, 0, input->left) : NULL;
    const size_t length = end ? (size_t)(end - input->at) : input->left;
    char *text = malloc(length + 1);
    FUZZ_REQUIRE(text != NULL);
    if (length) memcpy(text, input->at, length);
    text[length] = 0;
    input->at += length + (end != NULL);
    input->left -= length + (end != NULL);
    return text;
}
