/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes JSON to standard output, two spaces per level. Inside an object every value has a key; inside an
 * array key is NULL.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdint.h>

struct json {
    unsigned depth;
    int filled; /* the open object or array has a member */
};

void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, double value); /* null if not finite */
void json_integer(struct json *json, const char *key, uint64_t value);
void json_boolean(struct json *json, const char *key, int value);

#endif
