/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * That CUDA's driver has opened, from run to run: a child that tries it first takes about as long as the
 * program itself needs to open it. It counts as another driver after a restart of the machine, with other
 * variables of the environment, and where one of the libraries that it brought is another file. Of other
 * drivers nothing is known: OpenCL's loader asks all that are installed.
 */
#ifndef CLI_DRIVERS_KNOWN_H
#define CLI_DRIVERS_KNOWN_H

/* Whether CUDA's driver is known to open, with a device that can be used. It is not known any more until
 * driver_opened. */
int driver_take(void);

/* The program has opened the device. */
void driver_opened(const char *address);

#endif
