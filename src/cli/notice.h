/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The first use of a device may compile for a quarter of a minute before anything happens.
 */
#ifndef CLI_NOTICE_H
#define CLI_NOTICE_H

/* From now on a line on standard error says what the library does, such as what it compiles, when that takes
 * more than a second; it is erased afterwards. Only on a terminal, and not where BAILEY_LOG says it. */
void notice_start(void);

/* Whether BAILEY_LOG asks the library for a log. */
int notice_log_is_on(void);

#endif
