/* picture_page - all pictures of a table as one HTML page */
#include <assert.h>

#include "store/base/core/escape.h"
#include "store/page/picture.h"

#include "tools/out/sink.h"
#include "tools/picture/picture_file.h"

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
