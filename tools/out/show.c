/* show - see show.h */
#include "tools/out/show.h"

#include "store/base/core/escape.h"
#include "store/base/core/utf8.h"

#include "tools/text/text_lines.h"

enum { SHOW_LINE_MAX = 2000 }; /* longer lines are shortened, in bytes */

/* Append a line. A long one usually quotes input: its beginning and its end, which may say what to do, are shown. */
static void
show_put_line(struct buf *b, struct slice line)
{
	if (line.len <= SHOW_LINE_MAX) {
		(void)escape_put(b, line, SIZE_MAX);
		return;
	}
	size_t end = line.len - SHOW_LINE_MAX / 4;

	while (end > 0 && !utf8_begins(line.at[end])) {
		end--;
	}
	(void)escape_put(b, utf8_cut(line, SHOW_LINE_MAX / 2), SIZE_MAX);
	buf_str(b, " ... ");
	(void)escape_put(b, slice_skip(line, end), SIZE_MAX);
}

void
show_put(struct buf *b, struct slice rest)
{
	struct text_lines lines = {.rest = rest};

	while (lines.rest.len > 0) {
		show_put_line(b, text_lines_next(&lines));
		buf_char(b, '\n');
	}
}

void
show_lines(struct slice lines)
{
	cleanup(buf_release) struct buf b = {0};

	show_put(&b, lines);
	if (b.len > 0) {
		(void)fwrite(b.at, 1, b.len, stderr);
	}
}

bool
show_has_colors(int fd)
{
	const char *plain = getenv("NO_COLOR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
	const char *terminal = getenv("TERM");  /* NOLINT(concurrency-mt-unsafe): likewise */

	return isatty(fd) && (plain == NULL || *plain == '\0') && terminal != NULL &&
	       strcmp(terminal, "dumb") != 0;
}
