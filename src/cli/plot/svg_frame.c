/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "plot.h"

#include <stdio.h>
#include <string.h>

enum { LINE_LETTERS = 118 };

void svg_escape(char *xml, size_t size, const char *text)
{
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    size_t used = 0;
    while (*text && used + 8 < size) {
        const unsigned length = cli_utf8(text);
        size_t e = 0;
        while (e < sizeof entities / sizeof *entities && entities[e].letter != *text) e++;
        if (e < sizeof entities / sizeof *entities)
            used += (size_t)snprintf(xml + used, size - used, "%s", entities[e].entity);
        else if (!length || (unsigned char)*text < ' ' || !strncmp(text, "\xef\xbf\xbe", 3) ||
                 !strncmp(text, "\xef\xbf\xbf", 3))
            xml[used++] = ' ';
        else
            used += (size_t)snprintf(xml + used, size - used, "%.*s", (int)length, text);
        text += length ? length : 1;
    }
    snprintf(xml + used, size - used, "%s", *text ? "\u2026" : "");
}

static int subtitle_line(struct output *output, int y, const char *text, size_t length)
{
    char line[600], xml[1200];
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    svg_escape(xml, sizeof xml, line);
    return output_print(output, "<text x=\"%d\" y=\"%d\">%s</text>\n", SVG_LEFT, y, xml);
}

/* A text that is too long for a line is cut at a dot between its parts. */
static int subtitle(struct output *output, const char *text)
{
    const char dot[] = " \u00b7 ", *cut = NULL;
    unsigned letters = 0;
    for (const char *s = text; *s; s++) {
        letters += ((unsigned char)*s & 0xc0) != 0x80;
        if (letters <= LINE_LETTERS && !strncmp(s, dot, sizeof dot - 1)) cut = s;
    }
    if (letters <= LINE_LETTERS || !cut) return subtitle_line(output, 54, text, strlen(text));
    const int code = subtitle_line(output, 54, text, (size_t)(cut - text));
    cut += sizeof dot - 1;
    return code ? code : subtitle_line(output, 70, cut, strlen(cut));
}

int svg_begin(struct output *output, const struct svg_frame *frame)
{
    char title[300];
    svg_escape(title, sizeof title, frame->title);
    const int code =
        output_print(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                     "height=\"%d\" role=\"img\" "
                     "aria-label=\"%s\">\n"
                     "<title>%s</title>\n"
                     "<style>\n"
                     "  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, "
                     "sans-serif; fill: #4a5260 }\n"
                     "  .title { font-size: 20px; font-weight: 600; fill: #1c2230 }\n"
                     "  .name { font-weight: 600; fill: #1c2230 }\n"
                     "  .back { fill: #ffffff }\n"
                     "  .grid { stroke: #e3e6eb; stroke-width: 1 }\n"
                     "  .axis { stroke: #8b93a1; stroke-width: 1 }\n"
                     "%s"
                     "  @media (prefers-color-scheme: dark) {\n"
                     "    text { fill: #b4bcc9 } .title, .name { fill: #f0f3f8 } .back { fill: #12161d }\n"
                     "    .grid { stroke: #262d38 } .axis { stroke: #6b7585 }\n"
                     "%s"
                     "  }\n"
                     "</style>\n"
                     "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n"
                     "<text class=\"title\" x=\"%d\" y=\"32\">%s</text>\n",
                     SVG_WIDTH, frame->height, SVG_WIDTH, frame->height, title, title, frame->style,
                     frame->dark, SVG_WIDTH, frame->height, SVG_LEFT, title);
    return code ? code : subtitle(output, frame->subtitle);
}
