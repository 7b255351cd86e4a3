/* wrap - see wrap.h */
#include "tools/text/wrap.h"

#include <wchar.h>

#define GAP SLICE("  ")

/* Bytes of the first character of @text; its columns in @width. An invalid byte counts as a character. */
static size_t
wrap_next_char(struct slice text, size_t *width)
{
	mbstate_t state = {0};
	wchar_t wide = 0;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): it has its own state */
	size_t n = mbrtowc(&wide, text.at, text.len, &state);
	int columns = n == 0 || n > text.len ? -1 : wcwidth(wide);

	*width = columns < 0 ? 1 : (size_t)columns;
	return n == 0 || n > text.len ? 1 : n;
}

size_t
wrap_width(struct slice text)
{
	size_t sum = 0;

	while (text.len > 0) {
		size_t width;

		text = slice_skip(text, wrap_next_char(text, &width));
		sum += width;
	}
	return sum;
}

static void
wrap_new_line(struct wrap *f)
{
	buf_char(f->out, '\n');
	f->column = 0;
}

/* Append characters and break lines anywhere. */
static void
wrap_put(struct wrap *f, struct slice text)
{
	while (text.len > 0) {
		size_t width;
		size_t n = wrap_next_char(text, &width);

		if (f->column > 0 && f->column + width > f->width) {
			wrap_new_line(f);
		}
		buf_put(f->out, text.at, n);
		f->column += width;
		text = slice_skip(text, n);
	}
}

/* Length of the run of blanks, or of other bytes, at the start of @text */
static size_t
wrap_run(struct slice text, bool blank)
{
	size_t n = 0;

	while (n < text.len && (text.at[n] == ' ') == blank) {
		n++;
	}
	return n;
}

/* Append @blanks and a word; omit the blanks if the word begins a line. */
static void
put_word(struct wrap *f, struct slice blanks, struct slice word)
{
	size_t width = wrap_width(word);

	if (f->column > 0 && width <= f->width && f->column + blanks.len + width > f->width) {
		wrap_new_line(f);
	} else {
		wrap_put(f, blanks);
	}
	wrap_put(f, word);
}

void
wrap_text(struct wrap *f, struct slice text)
{
	assert(f->width > 0);
	while (text.len > 0) {
		struct slice blanks = slice_of(text.at, wrap_run(text, true));
		struct slice rest = slice_skip(text, blanks.len);
		struct slice word = slice_of(rest.at, wrap_run(rest, false));

		put_word(f, blanks, word);
		text = slice_skip(rest, word.len);
	}
}

void
wrap_add(struct wrap *f, struct slice name, struct slice value)
{
	assert(f->width > 0);
	size_t width = wrap_width(name) + 2 + wrap_width(value);

	if (f->column > 0 && f->column + GAP.len + width > f->width) {
		wrap_new_line(f);
	} else if (f->column > 0) {
		wrap_put(f, GAP);
	}
	wrap_put(f, name);
	wrap_put(f, SLICE(":"));

	struct slice word = slice_of(value.at, wrap_run(value, false));

	put_word(f, SLICE(" "), word);
	wrap_text(f, slice_skip(value, word.len));
}
