/* split - see split.h; allocates nothing */
#include "tools/load/split.h"

#include "store/base/text/cells.h"
#include "store/base/text/json.h"

#include "tools/load/envelope.h"

static int
next_csv(const struct splitter *s, struct slice text, bool whole, struct slice *record,
	 size_t *used)
{
	if (text.len == 0) {
		return whole ? SPLIT_END : SPLIT_MORE;
	}
	size_t n = cells_record(text, s->delimiter == '\0' ? ',' : s->delimiter, whole);

	if (n == 0) {
		return SPLIT_MORE;
	}
	*used = n;
	record->len = n - (text.at[n - 1] == '\n');
	return 0;
}

/* ------------------------------------------------------------ JSON */

bool
split_is_json(struct slice text)
{
	struct slice rest = text;

	while (rest.len > 0 && ascii_blank(rest.at[0])) {
		rest = slice_skip(rest, 1);
	}
	if (rest.len > 0 && rest.at[0] == '[') {
		return true;
	}
	if (rest.len == 0 || rest.at[0] != '{') {
		return false;
	}
	for (rest = slice_skip(rest, 1); rest.len > 0 && ascii_blank(rest.at[0]);) {
		if (rest.at[0] == '\n') {
			return true;
		}
		rest = slice_skip(rest, 1);
	}
	return envelope_may_begin(text);
}

static int
split_unexpected(struct call *c, char ch)
{
	return call_fail(c, ERR_SERIALIZATION, "unexpected '%c' between items", ch);
}

/* Process one character between two records of a list. */
static int
split_between(struct split_list *l, struct call *c, char ch)
{
	if (ch == '[' && !l->in_array && !l->some && !l->ended) {
		l->in_array = true;
		return 0;
	}
	if (ch == ',' && l->in_array && l->some && !l->comma) {
		l->comma = true;
		return 0;
	}
	if (ch == ']' && l->in_array && !l->comma) {
		l->in_array = false;
		l->ended = true;
		return 0;
	}
	return split_unexpected(c, ch);
}

/* Advance *@used to the next record of the list, or past the end of its array. */
static int
pass_between(struct split_list *l, struct call *c, struct slice text, size_t *used)
{
	int r = 0;

	while (r == 0 && *used < text.len && text.at[*used] != '{') {
		bool ended = l->ended;

		if (!ascii_blank(text.at[*used])) {
			r = split_between(l, c, text.at[*used]);
		}
		*used += r == 0;
		if (l->ended && !ended) {
			break;
		}
	}
	return r;
}

/* Count an object that was found as the next record of the list. */
static int
take_place(struct split_list *l, struct call *c)
{
	if (l->ended || (l->in_array && l->some && !l->comma)) {
		return split_unexpected(c, '{');
	}
	l->comma = false;
	l->some = true;
	return 0;
}

/*
 * Return the length of the object that @text begins with; 0: it is incomplete.  Searches again only if @text has
 * doubled, so that the search is linear in total.
 */
static size_t
object_length(struct splitter *s, struct slice text, bool whole)
{
	size_t n = 0;

	if (whole || text.len >= 2 * s->looked || text.len > SPLIT_RECORD_MAX) {
		n = json_length(text);
		s->looked = text.len;
	}
	s->looked = n > 0 ? 0 : s->looked;
	return n;
}

/* ------------------------------------------------------------ envelopes */

/* If @object, which may be incomplete, is an envelope, enter it: its elements are the next records. */
static int
split_enter(struct splitter *s, struct call *c, struct slice object, size_t length, size_t *used)
{
	assert(!s->within);
	int r = envelope_find(c, object, s->of, &s->envelope);

	if (r < 0 || s->envelope.kind == ENVELOPE_NONE) {
		return r;
	}
	s->within = true;
	s->looked = 0;
	s->elements = (struct split_list){.in_array = true};
	s->behind = length - s->envelope.to - 1;
	s->envelope.n = s->envelope.open ? 0 : s->envelope.n;
	*used += s->envelope.from;
	return 0;
}

/* Advance from the ] of the elements to the end of the envelope. */
static int
split_leave(struct splitter *s, struct call *c, struct slice rest, bool whole, size_t *used)
{
	size_t n = s->behind;

	assert(s->within && s->elements.ended);
	if (s->envelope.open) {
		int r = envelope_end(c, rest, s->of, &s->envelope, &n);

		if (r < 0 || (n == 0 && !whole)) {
			return r < 0 ? r : SPLIT_MORE;
		}
		if (n == 0) {
			return call_fail(c, ERR_SERIALIZATION, "the answer is cut short");
		}
	}
	s->partial = s->envelope.partial;
	s->lacks |= s->envelope.lacks;
	s->within = false;
	*used += n;
	return 0;
}

/* Take the next element of the envelope; *@record is empty if the envelope ends, or for an item that was not there. */
static int
next_element(struct splitter *s, struct call *c, struct slice text, bool whole,
	     struct slice *record, size_t *used)
{
	int r = s->elements.ended ? 0 : pass_between(&s->elements, c, text, used);
	struct slice rest = slice_skip(text, *used);

	if (r == 0 && s->elements.ended) {
		return split_leave(s, c, rest, whole, used);
	}
	if (r == 0 && rest.len == 0) {
		return whole ? call_fail(c, ERR_SERIALIZATION, "the array's ] is missing")
			     : SPLIT_MORE;
	}
	size_t n = r == 0 ? object_length(s, rest, whole) : 0;

	if (r == 0 && n == 0 && !whole) {
		return SPLIT_MORE;
	}
	r = r == 0 ? take_place(&s->elements, c) : r;
	if (r < 0) {
		return r;
	}
	n = n == 0 ? rest.len : n;
	*used += n;
	s->envelope.n += s->envelope.open;
	bool found = s->envelope.kind != ENVELOPE_RESPONSES ||
		     ascii_trim(slice_of(rest.at + 1, n - 1)).len != 1;

	*record = slice_of(rest.at, found ? n : 0);
	return 0;
}

/* ------------------------------------------------------------ records */

/* Enter the envelope if the line contains one; @length: of the line with its newline */
static int
enter_line(struct splitter *s, struct call *c, struct slice line, size_t length, size_t *used)
{
	struct slice object = ascii_trim(line);
	size_t before = (size_t)(object.at - line.at);
	size_t from = *used + before;

	if (s->of == NULL || !envelope_may_begin(object) || json_length(object) != object.len) {
		return 0;
	}
	int r = split_enter(s, c, object, length - before, &from);

	*used = s->within ? from : *used;
	return r;
}

/* Take the next line; *@record is empty if the line is blank or an envelope, whose elements are the next records. */
static int
split_take_line(struct splitter *s, struct call *c, struct slice text, bool whole,
		struct slice *record, size_t *used)
{
	struct slice rest = slice_skip(text, *used);
	struct slice line = slice_take(&rest, '\n');
	size_t length = text.len - *used - rest.len;

	if (length == 0 || (length == line.len && !whole)) {
		return length == 0 && whole ? SPLIT_END : SPLIT_MORE;
	}
	int r = enter_line(s, c, line, length, used);

	if (r == 0 && !s->within) {
		*record = line;
		*used += length;
	}
	return r;
}

/* Take the next object; *@record is empty if it is an envelope, whose elements are the next records. */
static int
next_object(struct splitter *s, struct call *c, struct slice rest, bool whole, struct slice *record,
	    size_t *used)
{
	size_t n = object_length(s, rest, whole);
	int r = 0;

	if (n == 0 && !whole && rest.len <= SPLIT_RECORD_MAX) {
		return SPLIT_MORE;
	}
	if (n > 0 || !whole) {
		r = split_enter(s, c, slice_of(rest.at, n == 0 ? rest.len : n), n, used);
	}
	if (r == 0 && !s->within && n == 0 && !whole) {
		return SPLIT_MORE; /* too long for an item */
	}
	r = r == 0 ? take_place(&s->documents, c) : r;
	if (r == 0 && !s->within) {
		*record = slice_of(rest.at, n == 0 ? rest.len : n); /* the parser refuses a part */
		*used += record->len;
	}
	return r;
}

/* Take what is outside of envelopes: blanks, brackets and commas of an array, or an object. */
static int
take_document(struct splitter *s, struct call *c, struct slice text, bool whole,
	      struct slice *record, size_t *used)
{
	int r = pass_between(&s->documents, c, text, used);
	struct slice rest = slice_skip(text, *used);

	if (r == 0 && rest.len == 0) {
		if (whole && s->documents.in_array) {
			return call_fail(c, ERR_SERIALIZATION, "the array's ] is missing");
		}
		return whole ? SPLIT_END : SPLIT_MORE;
	}
	return r == 0 && rest.at[0] == '{' ? next_object(s, c, rest, whole, record, used) : r;
}

int
split_next(struct splitter *s, struct call *c, struct slice text, bool whole, struct slice *record,
	   size_t *used)
{
	int r = 0;

	*record = slice_of(text.at, 0);
	*used = 0;
	if (s->kind == SPLIT_CSV) {
		return next_csv(s, text, whole, record, used);
	}
	while (r == 0 && record->len == 0) {
		r = s->within                ? next_element(s, c, text, whole, record, used)
		    : s->kind == SPLIT_LINES ? split_take_line(s, c, text, whole, record, used)
					     : take_document(s, c, text, whole, record, used);
	}
	return r;
}
