/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes pieces in a thread of its own, while the caller makes the next one.
 */
#ifndef CLI_PUMP_H
#define CLI_PUMP_H

#include "output.h"

struct pump;

/* Writes a piece: output_write, or a function that converts it first. An exit code, as output_write's. */
typedef int (*pump_writer)(struct output *output, const void *data, uint64_t bytes);

/* Starts writing to `output` with `writer`. The output is the pump's until pump_end. At most `depth` pieces
 * wait at a time, the one that is being written included. Prints what is wrong, returns an exit code. */
int pump_start(struct pump **pump, struct output *output, pump_writer writer, unsigned depth);

/* Hands over a piece, which must stay as it is until `depth` more have been handed over: with `depth` + 1
 * places, taken in turn, none is reused too early. Waits while `depth` pieces wait. False once writing has
 * failed. */
int pump_put(struct pump *pump, const void *data, uint64_t bytes);

/* Waits until everything is written; an exit code, of an error that was printed or that
 * output->reader_gone shows. NULL is allowed. */
int pump_end(struct pump *pump);

#endif
