/* cells - see cells.h */
#include "store/base/text/cells.h"

/* Returns the first quote in [i, end) that opens a cell, or NULL. Other quotes are text, as in cells_next(). */
static const char *
opening(struct slice text, char delimiter, size_t i, size_t end)
{
	while (i < end) {
		const char *quote = memchr(text.at + i, '"', end - i);

		if (quote == NULL || quote == text.at || quote[-1] == delimiter) {
			return quote;
		}
		i = (size_t)(quote - text.at) + 1;
	}
	return NULL;
}

/* Returns the offset after the quote that closes the cell whose text begins at @i; 0 if there is none. */
static size_t
past_quoted(struct slice text, size_t i)
{
	for (;;) {
		const char *close = i < text.len ? memchr(text.at + i, '"', text.len - i) : NULL;

		if (close == NULL) {
			return 0;
		}
		i = (size_t)(close - text.at) + 1;
		if (i == text.len || text.at[i] != '"') {
			return i;
		}
		i++;
	}
}

size_t
cells_record(struct slice text, char delimiter, bool whole)
{
	size_t i = 0;

	while (i < text.len) {
		const char *newline = memchr(text.at + i, '\n', text.len - i);
		size_t end = newline == NULL ? text.len : (size_t)(newline - text.at);
		const char *quote = opening(text, delimiter, i, end);

		if (quote == NULL) {
			return newline != NULL ? end + 1 : whole ? text.len : 0;
		}
		i = past_quoted(text, (size_t)(quote - text.at) + 1);
		if (i == 0) {
			break;
		}
	}
	return whole ? text.len : 0;
}

/* Parses a cell in quotes; doubled quotes become single ones. */
static int
quoted_cell(struct call *c, struct slice *rest, struct cell *out)
{
	size_t end = past_quoted(*rest, 1);
	struct buf b;

	if (end == 0) {
		return call_fail(c, ERR_VALIDATION, "a quoted cell is not closed");
	}
	buf_init(&b, &c->arena);
	for (struct slice s = slice_of(rest->at + 1, end - 2); s.len > 0;) {
		const char *quote = slice_chr(s, '"');
		size_t n = quote == NULL ? s.len : (size_t)(quote - s.at) + 1;

		buf_put(&b, s.at, n);
		s = slice_skip(s, n + (quote != NULL));
	}
	*out = (struct cell){.text = buf_view(&b), .quoted = true};
	*rest = slice_skip(*rest, end);
	return 0;
}

int
cells_next(struct call *c, char delimiter, struct slice *rest, struct cell *out)
{
	*out = (struct cell){0};
	if (rest->len > 0 && rest->at[0] == '"') {
		int r = quoted_cell(c, rest, out);

		if (r < 0) {
			return r;
		}
		if (rest->len > 0 && rest->at[0] != delimiter) {
			return call_fail(c, ERR_VALIDATION, "unexpected '%c' after a quoted cell",
					 rest->at[0]);
		}
	} else {
		const char *comma = slice_chr(*rest, delimiter);

		out->text =
			slice_of(rest->at, comma == NULL ? rest->len : (size_t)(comma - rest->at));
		*rest = slice_skip(*rest, out->text.len);
	}
	if (rest->len == 0) {
		return CELLS_LAST;
	}
	*rest = slice_skip(*rest, 1);
	return 0;
}

struct slice
cells_line(struct slice record)
{
	if (slice_ends(record, SLICE("\n"))) {
		record.len--;
	}
	if (slice_ends(record, SLICE("\r"))) {
		record.len--;
	}
	return record;
}

void
cells_quote(struct buf *out, struct slice text)
{
	buf_char(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '"') {
			buf_char(out, '"');
		}
		buf_char(out, text.at[i]);
	}
	buf_char(out, '"');
}
