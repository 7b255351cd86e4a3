/* picture_form - which form a picture has: as it is asked for, or as the file is called */
#ifndef TOOLS_PICTURE_PICTURE_FORM_H
#define TOOLS_PICTURE_PICTURE_FORM_H

#include "store/base/core/call.h"

#include "tools/picture/picture_file.h"

enum { PICTURE_SUFFIXES = 3 };

struct picture_form {
	const char *name;
	const char *suffixes[PICTURE_SUFFIXES]; /* of files; NULL behind the last one */
	bool (*draw)(struct sink *out, const struct picture *pictures,
		     size_t n); /* NULL: picture_png(), whose failures have reasons of their own */
};

/** picture_form_named - by its name or its suffix without the dot; NULL: there is none */
const struct picture_form *picture_form_named(const char *name);

/**
 * picture_form_find - the form of a picture
 * @asked:  its name, or NULL
 * @output: the name of a file; "-" or NULL: standard output, whose file may have a name too
 *
 * Errors:  -ERR_USAGE  no such form, no such suffix
 */
int picture_form_find(struct call *c, const char *asked, const char *output,
		      const struct picture_form **out) __attribute__((warn_unused_result));

#endif
