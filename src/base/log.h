/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The log (bailey_log_set), and the clock that its times are read from.
 */
#ifndef BLY_LOG_H
#define BLY_LOG_H

/* Writes a line to the log if `level` is on. */
void bly_log(int level, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

double bly_seconds(void); /* a monotonic clock */

#endif
