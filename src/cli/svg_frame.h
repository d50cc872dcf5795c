/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the pictures share: their width, head, title and style.
 */
#ifndef CLI_SVG_FRAME_H
#define CLI_SVG_FRAME_H

#include "output.h"

enum { SVG_WIDTH = 960, SVG_LEFT = 78, SVG_RIGHT = 24, SVG_TOP = 82 };

struct svg_frame {
    const char *title, *subtitle; /* text of any kind; a long subtitle takes two lines */
    const char *style, *dark;     /* rules of the picture's own classes, and those of dark backgrounds */
    int height;
};

/* Everything before what is drawn; "</svg>" ends it. */
int svg_begin(struct output *output, const struct svg_frame *frame);

/* `text` as XML, in at most `size` bytes: a long one is cut, what no XML can have is a space. */
void svg_escape(char *xml, size_t size, const char *text);

#endif
