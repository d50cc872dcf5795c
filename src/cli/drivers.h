/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Drivers are other people's code, loaded into the process, and some end it (PoCL does where there is no
 * /sys). The program therefore lets a child process of its own open them first, says which ended the child,
 * and goes on without it. The program itself must not have opened a driver before: none survives fork.
 */
#ifndef CLI_DRIVERS_H
#define CLI_DRIVERS_H

#include "cli.h"

/* Before a device is opened: tries the drivers that *device, as for bailey_context_create, may need. Fails if
 * the only one ended its child. Of "auto" the others are left out from then on, and *device becomes "cpu" if
 * there is no GPU, so that no driver is opened twice for nothing. */
int drivers_try(const char **device);

/* Likewise the drivers of a list of devices, before the first of them is opened. */
int drivers_try_list(const char *const *devices, size_t count);

/* bailey_device_list, with the drivers in child processes. The caller frees *devices. */
int drivers_list(bailey_device **devices, size_t *count);

#endif
