/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the reports of several commands have.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "document.h"

/* "generator", "seed", "stream" and what else there is to say of a source of paths. */
void report_source(struct document *d, const bailey_source *source);
/* "device", "device_name" and "seconds", which text has in two lines. */
void report_device(struct document *d, const bailey_device *device);

#endif
