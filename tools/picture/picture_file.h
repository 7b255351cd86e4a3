/* picture_file - writers of all pictures of a table as one file */
#ifndef TOOLS_PICTURE_PICTURE_FILE_H
#define TOOLS_PICTURE_PICTURE_FILE_H

#include "store/page/picture.h"

#include "tools/out/sink.h"

/**
 * picture_html, picture_svg, picture_mermaid, picture_markdown, picture_lines - write @n pictures, at least one
 *
 * Return: false if the sink has failed
 */
bool picture_html(struct sink *out, const struct picture *pictures, size_t n);
bool picture_svg(struct sink *out, const struct picture *pictures, size_t n);
bool picture_mermaid(struct sink *out, const struct picture *pictures, size_t n);
bool picture_markdown(struct sink *out, const struct picture *pictures, size_t n);
bool picture_lines(struct sink *out, const struct picture *pictures, size_t n);

/** picture_svg_size - width and height in pixels of all pictures as SVG */
void picture_svg_size(const struct picture *pictures, size_t n, size_t *width, size_t *height);

#endif
