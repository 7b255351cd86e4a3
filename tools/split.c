/* split - pure; memory stays with the caller */
#include "tools/split.h"

#include "store/base/ascii.h"
#include "store/base/cells.h"
#include "store/base/json.h"

enum { ANSWER_LOOK = 4096 }; /* bytes in which an answer shows that it is one */

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
next_csv(const struct splitter *s, struct slice text, bool whole, struct slice *record,
	 size_t *used)
{
	size_t n = cells_record(text, s->delimiter == '\0' ? ',' : s->delimiter, whole);

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

/* ------------------------------------------------------------ answers */

/* Past blanks and @ch; false: something else stands there, or nothing. */
static bool
take(struct slice *text, char ch)
{
	while (text->len > 0 && ascii_blank(text->at[0])) {
		*text = slice_skip(*text, 1);
	}
	bool there = text->len > 0 && text->at[0] == ch;

	*text = slice_skip(*text, there);
	return there;
}

/* A name without escapes. */
static bool
take_name(struct slice *text, struct slice *out)
{
	if (!take(text, '"')) {
		return false;
	}
	const char *end = memchr(text->at, '"', text->len);

	*out = slice_of(text->at, end == NULL ? text->len : (size_t)(end - text->at));
	*text = slice_skip(*text, out->len + (end != NULL));
	return end != NULL && memchr(out->at, '\\', out->len) == NULL;
}

static bool
is_type(struct slice name)
{
	static const char *const types[] = {"S",  "N",  "B",  "BOOL", "NULL",
					    "SS", "NS", "BS", "L",    "M"};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (slice_is(name, types[i])) {
			return true;
		}
	}
	return false;
}

/* Do the elements that begin here show that the array is one of an answer's items, or of requests? */
static bool
is_wrapped(struct slice elements, struct slice name)
{
	struct slice inner;
	bool items = slice_is(name, "Items");

	if (take(&elements, ']')) {
		return items;
	}
	if (!take(&elements, '{') || !take_name(&elements, &inner) || !take(&elements, ':') ||
	    !take(&elements, '{')) {
		return false;
	}
	if (slice_is(inner, "PutRequest") || slice_is(inner, "DeleteRequest")) {
		return true;
	}
	return items && take_name(&elements, &inner) && is_type(inner);
}

/*
 * {"Items":[ of an answer, {"TABLE":[ of requests: how many bytes?  0: @text is something else.
 * An item may begin with an attribute of that name, but has no such elements in it.
 */
static size_t
answer_head(struct slice text)
{
	struct slice rest = text;
	struct slice name;

	if (!take(&rest, '{') || !take_name(&rest, &name) || !take(&rest, ':') ||
	    !take(&rest, '[')) {
		return 0;
	}
	return is_wrapped(rest, name) ? text.len - rest.len : 0;
}

/* May @text become one when there is more of it? */
static bool
may_be_answer(struct slice text)
{
	struct slice rest = text;
	struct slice name;

	if (text.len >= ANSWER_LOOK) {
		return false;
	}
	if (!take(&rest, '{')) {
		return rest.len == 0;
	}
	if (!take_name(&rest, &name)) {
		return memchr(rest.at, '"', rest.len) == NULL;
	}
	return take(&rest, ':') ? take(&rest, '[') || rest.len == 0 : rest.len == 0;
}

/* What stands behind the array of an answer. */
static int
next_of_answer(struct splitter *s, struct call *c, struct slice text, bool whole, size_t *used)
{
	static const char *const more[] = {"\"LastEvaluatedKey\"", "\"NextToken\""};

	struct slice rest = ascii_trim(text);

	if (!whole) {
		return SPLIT_MORE;
	}
	if (rest.len == 0 || rest.at[rest.len - 1] != '}' || (rest.at[0] != ',' && rest.len != 1)) {
		return call_fail(c, ERR_SERIALIZATION, "the answer does not end as one");
	}
	if (memmem(text.at, text.len, "\"PutRequest\"", strlen("\"PutRequest\"")) != NULL) {
		return call_fail(c, ERR_SERIALIZATION,
				 "these are requests for more than one table: "
				 "itemctl call BatchWriteItem FILE writes them");
	}
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		s->partial =
			s->partial || memmem(text.at, text.len, more[i], strlen(more[i])) != NULL;
	}
	*used = text.len;
	return SPLIT_END;
}

bool
split_is_json(struct slice text)
{
	struct slice rest = text;

	if (take(&rest, '[') || answer_head(text) > 0) {
		return true;
	}
	rest = text;
	if (!take(&rest, '{')) {
		return false;
	}
	while (rest.len > 0 && (rest.at[0] == ' ' || rest.at[0] == '\t' || rest.at[0] == '\r')) {
		rest = slice_skip(rest, 1);
	}
	return rest.len > 0 && rest.at[0] == '\n';
}

/* ------------------------------------------------------------ records */

/* The first bytes of all: is it an answer?  SPLIT_MORE: not yet known */
static int
begin_json(struct splitter *s, struct slice text, bool whole, size_t *used)
{
	*used = answer_head(text);
	if (*used == 0 && !whole && may_be_answer(text)) {
		return SPLIT_MORE;
	}
	s->began = s->in_array = s->answer = *used > 0;
	return 0;
}

/* On to the next record, or to the end of the answer's array. */
static int
pass_between(struct splitter *s, struct call *c, struct slice text, size_t *used)
{
	int r = 0;

	for (; *used < text.len && text.at[*used] != '{' && !(s->ended && s->answer); ++*used) {
		if (!ascii_blank(text.at[*used])) {
			r = between(s, c, text.at[*used]);
		}
		if (r < 0) {
			return r;
		}
	}
	return 0;
}

static int
next_json(struct splitter *s, struct call *c, struct slice text, bool whole, struct slice *record,
	  size_t *used)
{
	int r = s->began ? 0 : begin_json(s, text, whole, used);

	if (r == 0) {
		r = pass_between(s, c, text, used);
	}
	if (r != 0) {
		return r;
	}
	struct slice rest = slice_skip(text, *used);

	if (s->ended && s->answer) {
		size_t end = 0;

		r = next_of_answer(s, c, rest, whole, &end);
		*used += end;
		return r;
	}
	if (rest.len == 0) {
		if (whole && s->in_array) {
			return call_fail(c, ERR_SERIALIZATION, "the array's ] is missing");
		}
		return whole ? SPLIT_END : SPLIT_MORE;
	}
	if (s->ended || (s->in_array && s->some && !s->comma)) {
		return unexpected(c, '{');
	}
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
		return next_csv(s, text, whole, record, used);
	case SPLIT_JSON:
		break;
	}
	return next_json(s, c, text, whole, record, used);
}
