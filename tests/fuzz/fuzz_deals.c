/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Files of `bailey batch`: read from the file to the model of each deal, as far as that takes no device.
 */
#include "fuzz_program.h"

#include <cli/batch/batch_deal.h>
#include <cli/batch/batch.h>

static struct batch_deal deal;

static void read_deal(const json_t *defaults, const struct batch_item *item)
{
    deal.number = item->number;
    deal.line = item->line;
    deal.same = item->same;
    deal.code = item->object ? CLI_OK : CLI_USAGE;
    batch_deal_read(&deal, defaults, item->object);
    FUZZ_REQUIRE(deal.id && (!deal.code || *deal.error));
    batch_deal_use_keys(&deal);
    batch_deal_clear(&deal);
}

static int read_next(struct batch_file *file, json_t **defaults, struct batch_item *item)
{
    cli_error_capture(deal.error, sizeof deal.error);
    const int code = batch_file_next(file, item);
    FUZZ_REQUIRE(!code || *deal.error);
    if (code || item->what == BATCH_END) return code;
    if (item->what == BATCH_DEFAULTS) {
        json_decref(*defaults);
        *defaults = item->object;
        return CLI_OK;
    }
    read_deal(*defaults, item);
    json_decref(item->object);
    return CLI_OK;
}

/* The first byte says which part of the deals is read. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atomic_int stop = 0;
    struct batch_file file;
    struct batch_item item = {.what = BATCH_DEFAULTS};
    json_t *defaults = NULL;
    fuzz_listen();
    if (!size) return 0;
    const struct batch_part part = {data[0] == '1', data[0] == '1' || data[0] == '2' ? 2 : 1};
    int code = batch_file_open(&file, fuzz_file(data + 1, size - 1), part, &stop);
    while (!code && item.what != BATCH_END) code = read_next(&file, &defaults, &item);
    json_decref(defaults);
    batch_file_close(&file);
    batch_deal_free(&deal);
    return 0;
}
