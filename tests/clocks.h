/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The clocks of bailey_tests: the system's, until a test sets them.
 */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdatomic.h>

extern atomic_int date_ahead;   /* by how many seconds, until it is set right */
extern atomic_int time_stopped; /* whether the monotonic clock stands still */

#endif
