/* split - pure; memory stays with the caller */
#include "tools/split.h"

#include "store/base/ascii.h"
#include "store/base/cells.h"
#include "store/base/json.h"

static int
next_line(struct slice text, bool whole, struct slice *record, size_t *used)
{
	const char *end = memchr(text.at, '\n', text.len);

	if (end == NULL && !whole) {
		return SPLIT_MORE;
	}
	record->len = end == NULL ? text.len : (size_t)(end - text.at);
	*used = end == NULL ? text.len : record->len + 1;
	return 0;
}

static int
next_csv(struct slice text, bool whole, struct slice *record, size_t *used)
{
	size_t n = cells_record(text, ',', whole);

	if (n == 0) {
		return SPLIT_MORE;
	}
	*used = n;
	record->len = n - (text.at[n - 1] == '\n');
	return 0;
}

static int
unexpected(struct call *c, char ch)
{
	return call_fail(c, ERR_SERIALIZATION, "unexpected '%c' between items", ch);
}

/* One character between two records. */
static int
between(struct splitter *s, struct call *c, char ch)
{
	bool first = !s->began;

	s->began = true;
	if (ch == '[' && first) {
		s->in_array = true;
		return 0;
	}
	if (ch == ',' && s->in_array && s->some && !s->comma) {
		s->comma = true;
		return 0;
	}
	if (ch == ']' && s->in_array && !s->comma) {
		s->in_array = false;
		s->ended = true;
		return 0;
	}
	return unexpected(c, ch);
}

static int
next_json(struct splitter *s, struct call *c, struct slice text, bool whole, struct slice *record,
	  size_t *used)
{
	for (; *used < text.len && text.at[*used] != '{'; ++*used) {
		if (!ascii_blank(text.at[*used])) {
			int r = between(s, c, text.at[*used]);

			if (r < 0) {
				return r;
			}
		}
	}
	if (*used == text.len) {
		if (whole && s->in_array) {
			return call_fail(c, ERR_SERIALIZATION, "the array's ] is missing");
		}
		return whole ? SPLIT_END : SPLIT_MORE;
	}
	if (s->ended || (s->in_array && s->some && !s->comma)) {
		return unexpected(c, '{');
	}
	struct slice rest = slice_skip(text, *used);
	size_t n = json_length(rest);

	if (n == 0 && !whole) {
		return SPLIT_MORE;
	}
	*record = slice_of(rest.at, n == 0 ? rest.len : n); /* cut short: the parser says so */
	*used += record->len;
	s->began = true;
	s->comma = false;
	s->some = true;
	return 0;
}

int
split_next(struct splitter *s, struct call *c, struct slice text, bool whole, struct slice *record,
	   size_t *used)
{
	*record = slice_of(text.at, 0);
	*used = 0;
	if (text.len == 0 && (!whole || s->kind != SPLIT_JSON)) {
		return whole ? SPLIT_END : SPLIT_MORE;
	}
	switch (s->kind) {
	case SPLIT_LINES:
		return next_line(text, whole, record, used);
	case SPLIT_CSV:
		return next_csv(text, whole, record, used);
	case SPLIT_JSON:
		break;
	}
	return next_json(s, c, text, whole, record, used);
}
