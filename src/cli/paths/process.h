/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `bailey paths` and `bailey motion` have in common: a Brownian motion of some dimensions, with a
 * covariance, a start and perhaps an end, which goes to a file .npy, .csv or .svg.
 */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <cli/options/options.h>

struct process {
    uint32_t dims;
    const char *given_by; /* the option that gives the number of dimensions; NULL: none yet */
    double *matrix;       /* the covariance; NULL: the identity */
    int matrix_option;    /* of it: the command's --correlation or --covariance */
    const char *matrix_path;
    double start[BAILEY_BRIDGE_MAX_DIMS], end[BAILEY_BRIDGE_MAX_DIMS];
    int has_start, has_end;
};

/* Numbers of a command's options. */
struct process_options {
    int correlation, covariance, start, end;
};

/* Takes the number of dimensions that the option `name` gives, which must be the one that others gave. */
int process_agree(struct process *process, const char *name, uint64_t dims);

/* Reads the options. Rows and columns of a matrix may have `names`, `count` of them; there are `otherwise`
 * dimensions where no option gives them. The matrix must be freed in any case. */
int process_read(const struct arguments *arguments, const struct process_options *options,
                 const char *const *names, uint64_t count, uint32_t otherwise, struct process *process);

enum array_format { FORMAT_NPY, FORMAT_CSV, FORMAT_SVG };
extern const char *const array_formats[];

/* That of the file of --output, by its name or --format; numbers of the command's options. */
int array_format_read(const struct arguments *arguments, int output, int option, int json, int *format);

#endif
