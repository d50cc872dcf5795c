/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What only benchmarks and tests ask of a bridge.
 */
#ifndef BLY_TRANSFER_H
#define BLY_TRANSFER_H

#include <bailey/bailey.h>

/* What bailey_bridge_build could reach if arithmetic took no time. Makes the same launch with the same
 * loads and stores, but each row of X becomes a copy of the row of Z that builds it. Returns: as
 * bailey_bridge_build; ERROR_UNSUPPORTED unless the strategy is SPECIALISED, the output paths and the end
 * free. */
bailey_status bly_bridge_transfer(bailey_bridge *bridge, uint64_t paths, bailey_buffer *z, bailey_buffer *x);

#endif
