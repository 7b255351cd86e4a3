/* picture_form - the format of a picture, by its name or by the name of the file */
#ifndef TOOLS_PICTURE_PICTURE_FORM_H
#define TOOLS_PICTURE_PICTURE_FORM_H

#include "store/page/picture.h"

#include "tools/out/sink.h"

enum { PICTURE_SUFFIXES = 3 };

struct picture_form {
	const char *name;
	const char *suffixes[PICTURE_SUFFIXES]; /* of file names; NULL after the last one */
	bool (*draw)(struct sink *out, const struct picture *pictures,
		     size_t n); /* NULL: picture_png(), which reports its own errors */
};

/** picture_form_named - the format with this name, or with this suffix without the dot; NULL: there is none */
const struct picture_form *picture_form_named(const char *name);

/**
 * picture_form_find - choose the format of a picture
 * @asked:  name of the format, or NULL
 * @output: name of a file; "-" or NULL: standard output, which may be redirected to a file with a name
 *
 * Return: 0; -ERR_USAGE  there is no such format or suffix
 */
int picture_form_find(struct call *c, const char *asked, const char *output,
		      const struct picture_form **out) must_check;

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

/**
 * picture_png - write all pictures as one PNG
 *
 * The files of the browser are in a temporary directory, which is removed.  The SVG refers to no other resource.
 *
 * Return: 0, also if @out has failed: the caller checks that
 *         -ERR_USAGE  no browser is installed, or the picture is too large for browsers
 *         -ERR_IO     no installed browser has drawn the picture
 *         -ERR_BUSY   interrupted
 */
int picture_png(struct call *c, struct sink *out, const struct picture *pictures, size_t n)
	must_check;

#endif
