/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs that are installed with this one and run by it.
 */
#ifndef CLI_COMPANION_H
#define CLI_COMPANION_H

/* Continues as the program `name`, with the words after argv[0] (NULL ends) as its own. It is looked for
 * beside this program, then in the package's libexec folder. Returns only when that fails, with the exit
 * code. */
int companion_run(const char *name, char **argv);

#endif
