/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Error texts.
 */
#ifndef BLY_STATUS_H
#define BLY_STATUS_H

#include <bailey/bailey.h>

#include <stdarg.h>

#define BLY_ERROR_TEXT 2048 /* bytes of the longest, with its end */

/* Sets the calling thread's error text, with no argument at fault, and returns `status`. */
bailey_status bly_fail(bailey_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The same for an argument, or a field of a parameter struct, that is refused. Its name must be a literal:
 * bailey_error_argument returns it later. Returns ERROR_INVALID. */
bailey_status bly_fail_argument(const char *argument, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Refuses the `reserved` of a struct of the caller's that is not 0: it asks for what a later version has, or
 * was not zeroed. */
bailey_status bly_check_reserved(const uint64_t reserved[4]);

/* Is a struct that a caller must give NULL, or refused as above? The error is set then. */
#define BLY_REFUSES(given)                                                                                   \
    ((given ? bly_check_reserved((given)->reserved) : bly_fail_argument(#given, #given " is NULL")) !=       \
     BAILEY_OK)

/* Names the argument of a failure that is set already: of another status than ERROR_INVALID, or where the
 * public function's argument has another name. Does nothing if `status` is OK; returns it. */
bailey_status bly_name_argument(bailey_status status, const char *argument);

/* Passes a warning to the function that bailey_warning_set was given. */
void bly_warn(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* vsnprintf with a decimal point, whatever the program has set by setlocale: for every text that has a real
 * number in it. Threads: any. */
void bly_format(char *text, size_t size, const char *format, va_list arguments)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 0)))
#endif
    ;

#endif
