/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's program, as small as it gets: prints the first word of seed 42.
 */
#include <bailey/bailey.h>

#include <stdio.h>

int main(void)
{
    const bailey_source source = {.seed = 42};
    uint32_t word = 0;
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL;
    int failed = bailey_context_create("cpu", NULL, &context) ||
                 bailey_buffer_create(context, sizeof word, &buffer) ||
                 bailey_words_generate(context, &source, 0, 1, buffer, 0) ||
                 bailey_buffer_read(buffer, 0, &word, sizeof word);
    if (failed)
        fprintf(stderr, "%s\n", bailey_error_message());
    else
        printf("bailey %s: %08lx\n", bailey_version(), (unsigned long)word);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    return failed;
}
