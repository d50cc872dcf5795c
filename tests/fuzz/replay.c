/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs a target without libFuzzer: over the files of a folder, and over changes of them that are the same
 * every time.
 *
 *     fuzz_csv FOLDER CASES       the files, and that many changes of them
 *     fuzz_csv FOLDER CASES N     writes case N to standard output
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FILES 256
#define MOST_BYTES ((size_t)8192)

static struct contents {
    uint8_t bytes[MOST_BYTES];
    size_t size;
} files[MOST_FILES], made;
static unsigned count;
static volatile unsigned long current;

static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void read_files(const char *folder)
{
    struct dirent **entries;
    const int found = scandir(folder, &entries, is_file, alphasort);
    FUZZ_REQUIRE(found > 0 && found <= MOST_FILES);
    for (int i = 0; i < found; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        FILE *file = fopen(path, "rb");
        FUZZ_REQUIRE(file != NULL);
        files[count].size = fread(files[count].bytes, 1, MOST_BYTES, file);
        FUZZ_REQUIRE(!ferror(file));
        count++;
        fclose(file);
        free(entries[i]);
    }
    free(entries);
}

/* splitmix64: Steele, Lea and Flood (2014). */
static uint64_t state;
static uint64_t draw(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static size_t below(size_t limit) { return limit ? (size_t)(draw() % limit) : 0; }

/* Replaces `out` bytes at a place by `size` others, as far as there is room. */
static void replace(size_t at, size_t out, const uint8_t *in, size_t size)
{
    if (made.size - out + size > MOST_BYTES) return;
    memmove(made.bytes + at + size, made.bytes + at + out, made.size - at - out);
    if (size) memmove(made.bytes + at, in, size);
    made.size += size - out;
}

static void change_number(void)
{
    static const uint64_t edges[] = {0,          1,          0x7f,      0x80,       0x7fffffff,
                                     0x80000000, 0xffffffff, INT64_MAX, 1ull << 63, UINT64_MAX};
    uint8_t bytes[8];
    const uint64_t number = edges[below(sizeof edges / sizeof *edges)];
    const size_t size = (size_t)1 << below(4), at = below(made.size + 1);
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> 8 * i);
    replace(at, size < made.size - at ? size : made.size - at, bytes, size);
}

/* A piece of this file or another, put in or instead of what is there. */
static void change_piece(void)
{
    static struct contents piece;
    piece = below(2) ? made : files[below(count)];
    const size_t from = below(piece.size + 1), size = below(piece.size - from + 1), at = below(made.size + 1);
    const size_t out = below(2) ? 0 : size < made.size - at ? size : made.size - at;
    replace(at, out, piece.bytes + from, size);
}

static void change_bytes(void)
{
    static const char signs[] = "\"',;:.-+0123456789eE{}[]()<>#/\\ \t\r\n_xX&*=\xff";
    const size_t at = below(made.size + 1), rest = made.size - at;
    const uint8_t byte = below(2) ? (uint8_t)draw() : (uint8_t)signs[below(sizeof signs)];
    switch (below(6)) {
    case 0: replace(at, rest > 0, &byte, 1); break;
    case 1: replace(at, 0, &byte, 1); break;
    case 2: replace(at, below(rest < 16 ? rest + 1 : 16), NULL, 0); break;
    case 3: change_number(); break;
    case 4: change_piece(); break;
    default:
        if (rest) made.bytes[at] ^= (uint8_t)(1u << below(8));
    }
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    FUZZ_REQUIRE(data == made.bytes && size == made.size && room == MOST_BYTES);
    change_bytes();
    return made.size;
}

static void change(void)
{
    if (LLVMFuzzerCustomMutator && below(2))
        made.size = LLVMFuzzerCustomMutator(made.bytes, made.size, MOST_BYTES, (unsigned)draw());
    else
        change_bytes();
}

static void make(unsigned long n)
{
    state = n;
    made = files[below(count)];
    for (size_t changes = 1 + below(6); changes; changes--) change();
    if (below(8) == 0) made.size = below(made.size + 1);
}

/* As libFuzzer does it, each case has a separate allocation, so that reading beyond its end is found.
 */
static void run(const struct contents *contents)
{
    uint8_t *bytes = malloc(contents->size ? contents->size : 1);
    FUZZ_REQUIRE(bytes != NULL);
    memcpy(bytes, contents->bytes, contents->size);
    LLVMFuzzerTestOneInput(bytes, contents->size);
    free(bytes);
}

/* Says which case it was; then the signal is somebody else's, such as a sanitizer's. */
static struct sigaction before[2];
static void write_case(int number)
{
    char text[40];
    const int length = snprintf(text, sizeof text, "case %lu\n", current);
    if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(1);
    sigaction(number, &before[number == SIGSEGV], NULL);
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = write_case;
    sigaction(SIGABRT, &action, &before[0]);
    sigaction(SIGSEGV, &action, &before[1]);
}

int main(int argc, char **argv)
{
    FUZZ_REQUIRE(argc == 3 || argc == 4);
    read_files(argv[1]);
    if (argc == 4) {
        make(strtoul(argv[3], NULL, 10));
        return fwrite(made.bytes, 1, made.size, stdout) != made.size;
    }
    catch_signals();
    for (unsigned i = 0; i < count; i++) run(&files[i]);
    for (current = 1; current <= strtoul(argv[2], NULL, 10); current++) {
        make(current);
        run(&made);
    }
    return 0;
}
