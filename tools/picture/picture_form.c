/* picture_form - see picture_form.h; also writes plain text, and the page around the sections of HTML */
#include "tools/picture/picture_form.h"

#include <strings.h>

#include "store/base/core/escape.h"
#include "store/page/picture.h"

#include "tools/out/sink.h"
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

/* ------------------------------------------------------------ plain text */

static void
lines_row(struct buf *b, const struct picture *p, const struct picture_row *row)
{
	if (row->span > 0) {
		buf_fmt(b, "  %.*s\n", SLICE_ARG(row->pk));
	}
	if (p->sk.len == 0 && row->n == 0) {
		return; /* the item has only its key */
	}
	buf_fmt(b, "    %.*s", SLICE_ARG(p->sk.len > 0 ? row->sk : SLICE("")));
	for (size_t i = 0; i < row->n; i++) {
		const struct picture_cell *cell = &row->cells[i];

		buf_fmt(b, "%s%.*s=%.*s", i == 0 && p->sk.len == 0 ? "" : "  ",
			SLICE_ARG(cell->name), SLICE_ARG(cell->value));
	}
	if (row->left_out > 0) {
		buf_fmt(b, "  and %zu more attributes", row->left_out);
	}
	buf_char(b, '\n');
}

bool
picture_lines(struct sink *out, const struct picture *pictures, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct picture *p = &pictures[i];

		buf_fmt(&out->buf, "%s%.*s: %.*s", i == 0 ? "" : "\n", SLICE_ARG(p->title),
			SLICE_ARG(p->pk));
		buf_fmt(&out->buf, "%s%.*s\n", p->sk.len > 0 ? ", " : "", SLICE_ARG(p->sk));
		for (size_t k = 0; k < p->n; k++) {
			lines_row(&out->buf, p, &p->rows[k]);
			if (!sink_drain(out)) {
				return false;
			}
		}
	}
	return sink_flush(out);
}

/* ------------------------------------------------------------ the HTML page */

static bool
drain(struct buf *out, void *sink)
{
	(void)out;
	return sink_drain(sink);
}

bool
picture_html(struct sink *out, const struct picture *pictures, size_t n)
{
	struct buf *b = &out->buf;

	assert(n > 0);
	buf_str(b,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
		"'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	escape_markup(b, pictures->schema->table);
	buf_str(b, "</title>\n");
	picture_style(b);
	buf_str(b, "</head>\n<body>\n<h1>");
	escape_markup(b, pictures->schema->table);
	buf_str(b, "</h1>\n<nav>");
	for (size_t i = 0; i < n && n > 1; i++) {
		buf_fmt(b, "<a href=\"#p%zu\">", i);
		escape_markup(b, pictures[i].title);
		buf_str(b, "</a>\n");
	}
	buf_str(b, "</nav>\n");
	for (size_t i = 0; i < n; i++) {
		if (!picture_section(b, &pictures[i], i, drain, out)) {
			return false;
		}
	}
	buf_str(b, "</body>\n</html>\n");
	return sink_flush(out);
}
