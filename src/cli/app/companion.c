/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs that are installed with this one, such as bailey-bench for `bailey bench`. They are looked for in
 * the folder of the program that runs, so that a package may be moved: CLI_LIBEXEC is the libexec folder as
 * seen from the folder of the installed program.
 */
#include "app.h"

#include <cli/io/io.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOLDER_MAX = 4096, PATH_ROOM = FOLDER_MAX + 256 };

/* The folder of the file that runs, whatever links led to it. */
static int find_own_folder(char *folder)
{
    const ssize_t length = readlink("/proc/self/exe", folder, FOLDER_MAX);
    if (length < 0)
        return cli_error(CLI_FAILED, "cannot read /proc/self/exe, where this program is: %s",
                         strerror(errno));
    if (length == FOLDER_MAX)
        return cli_error(CLI_FAILED, "the path of this program is longer than %d bytes", FOLDER_MAX - 1);
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return CLI_OK;
}

/* CLI_OK: it is not there. */
static int run_in(const char *folder, const char *name, char **argv)
{
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    argv[0] = path;
    execv(path, argv);
    if (errno == ENOENT || errno == ENOTDIR) return CLI_OK;
    const char *reason = strerror(errno);
    return cli_error(CLI_FAILED, "cannot run %s: %s", cli_printable(path), reason);
}

int companion_run(const char *name, char **argv)
{
    char own[FOLDER_MAX], libexec[PATH_ROOM], both[2 * PATH_ROOM];
    int code = find_own_folder(own);
    if (code) return code;
    snprintf(libexec, sizeof libexec, "%s/%s", own, CLI_LIBEXEC);
    if ((code = run_in(own, name, argv)) || (code = run_in(libexec, name, argv))) return code;
    snprintf(both, sizeof both, "%s nor in %s", own, libexec);
    return cli_error(CLI_FAILED, "%s is neither in %s", name, cli_printable(both));
}
