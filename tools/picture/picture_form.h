/* picture_form - the format of a picture, by its name or by the name of the file */
#ifndef TOOLS_PICTURE_PICTURE_FORM_H
#define TOOLS_PICTURE_PICTURE_FORM_H

#include "store/base/core/call.h"

#include "tools/picture/picture_file.h"

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
		      const struct picture_form **out) __attribute__((warn_unused_result));

#endif
