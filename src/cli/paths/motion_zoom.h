/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The picture of `bailey motion`: one path, and six times the half of it around a time, each as large as the
 * one before. A Brownian path looks the same at every scale.
 */
#ifndef CLI_MOTION_ZOOM_H
#define CLI_MOTION_ZOOM_H

#include "motion_request.h"
#include <cli/io/io.h>

int motion_zoom(struct output *output, const struct motion_request *request, bailey_context *context,
                bailey_motion *motion);

#endif
