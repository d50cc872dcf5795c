/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes JSON to standard output, two spaces per level, or to memory in one line. Inside an object every
 * value has a key of its own, which a debug build verifies; inside an array key is NULL.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "document.h"

#include <stddef.h>
#include <stdint.h>

struct json {
#ifndef NDEBUG
    struct json_key *keys; /* of the objects that are open, the latest first: none may come twice */
#endif
    unsigned depth;
    int filled;             /* the open object or array has a member */
    struct json_line *line; /* NULL: standard output */
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, double value); /* null if not finite */
void json_count(struct json *json, const char *key, uint64_t value);
void json_flag(struct json *json, const char *key, int value);
void json_ready(struct json *json, const char *key, const char *value); /* which is JSON already */

#endif
