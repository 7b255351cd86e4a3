/* picture_form - see picture_form.h */
#include "tools/picture/picture_form.h"

#include <string.h>
#include <strings.h>

#include "tools/picture/picture_file.h"
#include "tools/system/target.h"

/* The first format is the default. */
static const struct picture_form forms[] = {
	{"html", {".html", ".htm"}, picture_html},
	{"svg", {".svg"}, picture_svg},
	{"mermaid", {".mmd", ".mermaid"}, picture_mermaid},
	{"markdown", {".md"}, picture_markdown},
	{"text", {".txt"}, picture_lines},
	{"png", {".png"}, NULL},
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

const struct picture_form *
picture_form_named(const char *name)
{
	for (size_t i = 0; i < FORMS; i++) {
		if (strcasecmp(forms[i].name, name) == 0 ||
		    strcasecmp(forms[i].suffixes[0] + 1, name) == 0) {
			return &forms[i];
		}
	}
	return NULL;
}

/* The format by the suffix after the last dot; NULL: none */
static const struct picture_form *
form_of_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < FORMS; i++) {
		for (size_t k = 0; k < PICTURE_SUFFIXES && forms[i].suffixes[k] != NULL; k++) {
			if (strcasecmp(dot, forms[i].suffixes[k]) == 0) {
				return &forms[i];
			}
		}
	}
	return NULL;
}

int
picture_form_find(struct call *c, const char *asked, const char *output,
		  const struct picture_form **out)
{
	bool named = output != NULL && strcmp(output, "-") != 0;

	*out = &forms[0];
	if (asked != NULL) {
		*out = picture_form_named(asked);
		return *out != NULL ? 0
				    : call_fail(c, ERR_USAGE,
						"--format of a picture must be html, svg, png, "
						"mermaid, markdown or text, not \"%s\"",
						asked);
	}
	/* "draw t >t.svg": the file of a redirection also has a name. */
	const char *file = named ? output : target_redirected(c);
	const struct picture_form *of = file == NULL ? NULL : form_of_file(file);

	if (named && of == NULL && picture_form_named(output) != NULL) {
		return call_fail(c, ERR_USAGE, "-o needs a file; to select a form: --format %s",
				 output);
	}
	if (named && of == NULL) {
		return call_fail(
			c, ERR_USAGE,
			"-o needs FILE.html, .svg, .png, .mmd, .md or .txt, not \"%s\"; for "
			"another name, add --format",
			output);
	}
	*out = of == NULL ? *out : of;
	return 0;
}
