/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The caller's function for warnings. It may be set in one thread while another warns: both of its words are
 * read and written under one flag, and it is called without that.
 */
#include "status.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_flag busy = ATOMIC_FLAG_INIT; /* while one of the two is read or written */
static bailey_warning called;
static void *called_with;

static void enter(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
}

static void leave(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

void bailey_warning_set(bailey_warning callback, void *user)
{
    enter();
    called = callback;
    called_with = user;
    leave();
}

void bly_warn(const char *format, ...)
{
    char message[BLY_ERROR_TEXT];
    enter();
    const bailey_warning callback = called;
    void *const user = called_with;
    leave();
    if (!callback) return;
    va_list arguments;
    va_start(arguments, format);
    bly_format(message, sizeof message, format, arguments);
    va_end(arguments);
    callback(user, message);
}
