/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy's array files, after numpy.lib.format's documentation. Versions 1 to 3 are read, 1.0 is written.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arrays are written as they are in memory, so a little-endian machine is required"
#endif

#define PREAMBLE 10 /* magic, version, length of the dictionary */

size_t npy_header(char header[NPY_HEADER_MAX], const char *type, const uint64_t *shape, unsigned axes)
{
    char list[100] = "";
    for (unsigned axis = 0, used = 0; axis < axes; axis++)
        used += (unsigned)snprintf(list + used, sizeof list - used, axis ? " %llu," : "%llu,",
                                   (unsigned long long)shape[axis]);
    if (axes > 1) list[strlen(list) - 1] = 0; /* as Python writes tuples: (1, 2) but (1,) */
    int length = snprintf(header + PREAMBLE, NPY_HEADER_MAX - PREAMBLE,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, list);
    size_t used = PREAMBLE + (size_t)length, total = (used + 1 + 63) / 64 * 64;
    memset(header + used, ' ', total - used - 1);
    header[total - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01", 8); /* the terminator is the minor version, 0 */
    header[8] = (char)((total - PREAMBLE) & 0xff);
    header[9] = (char)((total - PREAMBLE) >> 8);
    return total;
}

static void skip(const char **s) { *s += strspn(*s, " \t\n"); }

/* Takes `word` if it comes next. */
static int take(const char **s, const char *word)
{
    size_t length = strlen(word);
    skip(s);
    if (strncmp(*s, word, length)) return 0;
    *s += length;
    return 1;
}

/* Takes a quoted string of at most 31 letters. */
static int take_string(const char **s, char string[32])
{
    skip(s);
    char quote = **s;
    if (quote != '\'' && quote != '"') return 0;
    const char *end = strchr(*s + 1, quote);
    if (!end || end - *s > 32) return 0;
    memcpy(string, *s + 1, (size_t)(end - *s - 1));
    string[end - *s - 1] = 0;
    *s = end + 1;
    return 1;
}

/* Takes a tuple of numbers; *axes is how many, of which the first three are kept. */
static int take_shape(const char **s, uint64_t shape[3], unsigned *axes)
{
    if (!take(s, "(")) return 0;
    for (*axes = 0; !take(s, ")"); ++*axes) {
        uint64_t value = 0;
        if (**s < '0' || **s > '9') return 0;
        for (; **s >= '0' && **s <= '9'; ++*s) {
            unsigned digit = (unsigned)(**s - '0');
            if (value > (UINT64_MAX - digit) / 10) return 0;
            value = value * 10 + digit;
        }
        if (*axes < 3) shape[*axes] = value;
        if (!take(s, ",")) {
            ++*axes;
            return take(s, ")");
        }
    }
    return 1;
}

static int read_dictionary(struct npy *npy, const char *text)
{
    const char *path = npy->path, *s = text;
    char key[32], type[32] = "";
    unsigned axes = 0, seen = 0;
    if (!take(&s, "{")) return cli_error(CLI_USAGE, "--normals: %s: the .npy header is damaged", path);
    while (!take(&s, "}")) {
        if (!take_string(&s, key) || !take(&s, ":"))
            return cli_error(CLI_USAGE, "--normals: %s: the .npy header is damaged", path);
        if (!strcmp(key, "descr")) {
            if (!take_string(&s, type))
                return cli_error(CLI_USAGE,
                                 "--normals: %s: its elements are records; '<f4' or '<f8' is required", path);
            seen |= 1;
        } else if (!strcmp(key, "fortran_order")) {
            if (take(&s, "True"))
                return cli_error(
                    CLI_USAGE,
                    "--normals: %s: the array is in Fortran order; save numpy.ascontiguousarray(z)", path);
            if (take(&s, "False")) seen |= 2;
        } else if (!strcmp(key, "shape") && take_shape(&s, npy->shape, &axes)) {
            seen |= 4;
        } else {
            return cli_error(CLI_USAGE, "--normals: %s: the .npy header is damaged at '%s'", path,
                             cli_printable(key));
        }
        take(&s, ",");
    }
    if (seen != 7)
        return cli_error(
            CLI_USAGE, "--normals: %s: the .npy header is damaged: descr, fortran_order or shape is missing",
            path);
    if (!strcmp(type, "<f4"))
        npy->element = 4;
    else if (!strcmp(type, "<f8"))
        npy->element = 8;
    else
        return cli_error(CLI_USAGE, "--normals: %s: its elements are '%s'; '<f4' or '<f8' is required", path,
                         cli_printable(type));
    if (axes != 3)
        return cli_error(CLI_USAGE, "--normals: %s: the array has %u axes; three are required", path, axes);
    return CLI_OK;
}

/* Reads exactly `bytes`, or fails. */
static int read_at(const struct npy *npy, uint64_t offset, void *memory, uint64_t bytes)
{
    char *to = memory;
    while (bytes) {
        size_t part = bytes < (1u << 30) ? (size_t)bytes : (size_t)1 << 30;
        ssize_t got = pread(npy->file, to, part, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return cli_error(CLI_FAILED, "--normals: cannot read %s: %s", npy->path, strerror(errno));
        if (!got) return cli_error(CLI_USAGE, "--normals: %s ends too early", npy->path);
        to += got;
        offset += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return CLI_OK;
}

static int read_header(struct npy *npy)
{
    struct stat status;
    unsigned char preamble[PREAMBLE];
    char text[65536];
    if (fstat(npy->file, &status))
        return cli_error(CLI_FAILED, "--normals: cannot read %s: %s", npy->path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return cli_error(CLI_USAGE, "--normals: %s is not a regular file", npy->path);
    uint64_t length = (uint64_t)status.st_size;
    if (length < PREAMBLE)
        return cli_error(CLI_USAGE, "--normals: %s is not an .npy file: it has only %llu bytes", npy->path,
                         (unsigned long long)length);
    int code = read_at(npy, 0, preamble, PREAMBLE);
    if (code) return code;
    if (memcmp(preamble, "\x93NUMPY", 6))
        return cli_error(CLI_USAGE, "--normals: %s is not an .npy file: it does not begin with \\x93NUMPY",
                         npy->path);
    const unsigned version = preamble[6], size = version == 1 ? 2 : 4; /* bytes of the length */
    if (version < 1 || version > 3 || preamble[7] != 0)
        return cli_error(CLI_USAGE, "--normals: %s: .npy version %u.%u; 1.0, 2.0 or 3.0 is required",
                         npy->path, version, preamble[7]);
    uint64_t dictionary = preamble[8] | (unsigned)preamble[9] << 8;
    if (size == 4) {
        unsigned char rest[2];
        if ((code = read_at(npy, PREAMBLE, rest, 2))) return code;
        dictionary |= (uint64_t)rest[0] << 16 | (uint64_t)rest[1] << 24;
    }
    const uint64_t begin = PREAMBLE - 2 + size;
    npy->data = begin + dictionary;
    if (npy->data > length) return cli_error(CLI_USAGE, "--normals: %s ends inside its header", npy->path);
    if (dictionary >= sizeof text)
        return cli_error(CLI_USAGE, "--normals: %s: its header has %llu bytes; at most %zu are read",
                         npy->path, (unsigned long long)dictionary, sizeof text - 1);
    if ((code = read_at(npy, begin, text, dictionary))) return code;
    text[dictionary] = 0;
    if ((code = read_dictionary(npy, text))) return code;
    uint64_t bytes = npy->element;
    for (int axis = 0; axis < 3; axis++) {
        if (!cli_multiply(bytes, npy->shape[axis], &bytes))
            return cli_error(CLI_USAGE, "--normals: %s: its shape is beyond 2^64 bytes", npy->path);
    }
    if (length - npy->data != bytes)
        return cli_error(CLI_USAGE, "--normals: %s holds %llu bytes of data where its shape needs %llu",
                         npy->path, (unsigned long long)(length - npy->data), (unsigned long long)bytes);
    return CLI_OK;
}

int npy_open(struct npy *npy, const char *path)
{
    memset(npy, 0, sizeof *npy);
    npy->path = path;
    npy->file = open(path, O_RDONLY);
    if (npy->file < 0) return cli_error(CLI_FAILED, "--normals: cannot open %s: %s", path, strerror(errno));
    int code = read_header(npy);
    if (code) npy_close(npy);
    return code;
}

int npy_read(const struct npy *npy, uint64_t offset, void *elements, uint64_t count)
{
    return read_at(npy, npy->data + offset * npy->element, elements, count * npy->element);
}

void npy_close(struct npy *npy)
{
    if (npy->path && npy->file >= 0) close(npy->file);
    memset(npy, 0, sizeof *npy);
}
