/* envelope - see envelope.h; scans the text, which may be incomplete, and allocates nothing */
#include "tools/load/envelope.h"

#include "store/base/text/json.h"

#include "tools/system/call_scope.h"

enum member {
	MEMBER_ANY,
	MEMBER_ELEMENTS,
	MEMBER_RESPONSES,
	MEMBER_TABLES,
	MEMBER_COUNT,
	MEMBER_MORE,
	MEMBER_LACKS
};

static const struct {
	const char *name;
	enum member member;
} members[] = {
	{"Items", MEMBER_ELEMENTS},
	{"Count", MEMBER_COUNT},
	{"ScannedCount", MEMBER_ANY},
	{"LastEvaluatedKey", MEMBER_MORE},
	{"NextToken", MEMBER_MORE},
	{"UnprocessedKeys", MEMBER_LACKS},
	{"ConsumedCapacity", MEMBER_ANY},
	{"ResponseMetadata", MEMBER_ANY}, /* boto3 */
	{"$metadata", MEMBER_ANY},        /* the SDK for JavaScript */
	{"Responses", MEMBER_RESPONSES},
	{"RequestItems", MEMBER_TABLES},
	{"UnprocessedItems", MEMBER_TABLES},
	{"ItemCollectionMetrics", MEMBER_ANY},
	{"ReturnConsumedCapacity", MEMBER_ANY},
	{"ReturnItemCollectionMetrics", MEMBER_ANY},
};

enum { MEMBERS = sizeof(members) / sizeof(members[0]) };

/* ------------------------------------------------------------ tokens */

/*
 * Results of the functions that scan text, other than 0 and errors.  The text may be incomplete, and values are not
 * checked.
 */
enum {
	STEP_MORE = 1, /* the text ends too early */
	STEP_NOT = 2,  /* the text is no envelope */
	STEP_OPEN = 3, /* the text ends within the array */
	STEP_END = 4,  /* the list or object ends here */
};

struct envelope_scan {
	const char *begin; /* of the text */
	struct slice rest; /* the part that has not been scanned */
};

/* The offset of the rest in the text */
static size_t
envelope_scan_place(const struct envelope_scan *s)
{
	return (size_t)(s->rest.at - s->begin);
}

/* Skip blanks, and return the next character without taking it; 0: the text ends. */
static char
envelope_scan_peek(struct envelope_scan *s)
{
	while (s->rest.len > 0 && ascii_blank(s->rest.at[0])) {
		s->rest = slice_skip(s->rest, 1);
	}
	return s->rest.len > 0 ? s->rest.at[0] : '\0';
}

/* Take the character @ch, after blanks. */
static int
envelope_scan_take(struct envelope_scan *s, char ch)
{
	char there = envelope_scan_peek(s);

	if (there != ch) {
		return there == '\0' ? STEP_MORE : STEP_NOT;
	}
	s->rest = slice_skip(s->rest, 1);
	return 0;
}

/* Take a string; @out: without its quotes, with its escapes. */
static int
envelope_scan_string(struct envelope_scan *s, struct slice *out)
{
	int r = envelope_scan_take(s, '"');
	size_t n = 0;

	while (r == 0 && n < s->rest.len && s->rest.at[n] != '"') {
		n += s->rest.at[n] == '\\' ? 2 : 1;
	}
	r = r == 0 && n >= s->rest.len ? STEP_MORE : r;
	if (r == 0) {
		*out = slice_of(s->rest.at, n);
		s->rest = slice_skip(s->rest, n + 1);
	}
	return r;
}

/* Take any value; @out gets its text. */
static int
envelope_scan_value(struct envelope_scan *s, struct slice *out)
{
	char first = envelope_scan_peek(s);
	size_t n = 0;

	*out = s->rest;
	if (first == '"') {
		int r = envelope_scan_string(s, out);

		*out = slice_of(out->at - 1, out->len + 2);
		return r;
	}
	if (first == '{' || first == '[') {
		n = json_length(s->rest);
	} else {
		while (n < s->rest.len && !ascii_blank(s->rest.at[n]) &&
		       strchr(",]}", s->rest.at[n]) == NULL) {
			n++;
		}
		if (n == 0 && s->rest.len > 0) {
			return STEP_NOT;
		}
		n = n == s->rest.len ? 0 : n;
	}
	*out = slice_of(s->rest.at, n);
	s->rest = slice_skip(s->rest, n);
	return n == 0 ? STEP_MORE : 0;
}

/* Take the name of a member (@out: no quotes, with escapes) and its colon. */
static int
envelope_scan_name(struct envelope_scan *s, struct slice *out)
{
	int r = envelope_scan_string(s, out);

	return r == 0 ? envelope_scan_take(s, ':') : r;
}

/*
 * Advance to the next element of a list or object, and take the comma before it.  Return: STEP_END if there was @close
 * instead, the bracket that ends it, which is then taken
 * @first: no element was taken yet, so there is no comma
 */
static int
envelope_scan_next(struct envelope_scan *s, char close, bool first)
{
	char there = envelope_scan_peek(s);

	if (there == close) {
		s->rest = slice_skip(s->rest, 1);
		return STEP_END;
	}
	return first ? (there == '\0' ? STEP_MORE : 0) : envelope_scan_take(s, ',');
}

/* As envelope_scan_next() for an object; also take the name of the member and its colon. */
static int
envelope_scan_next_name(struct envelope_scan *s, bool first, struct slice *name)
{
	int r = envelope_scan_next(s, '}', first);

	return r != 0 ? r : envelope_scan_name(s, name);
}

/* ------------------------------------------------------------ members */

/* Return true if @name is the partition key of the table, also with escapes, which Python writes for non-ASCII text. */
static bool
is_key(struct slice name, const struct schema *of)
{
	struct slice quoted = slice_of(name.at - 1, name.len + 2);
	const struct json *json = NULL;

	if (slice_chr(name, '\\') == NULL) {
		return slice_eq(name, of->key.pk->name);
	}
	call_scope(own, 0);
	return json_parse(&own, quoted, JSON_STRICT, &json) == 0 &&
	       slice_eq(json->text, of->key.pk->name);
}

/* Return the row of members[] with that name; MEMBERS: there is none. */
static size_t
find_member(struct slice name)
{
	size_t i = 0;

	while (i < MEMBERS && !slice_is(name, members[i].name)) {
		i++;
	}
	return i;
}

/* Return true if a PutRequest or DeleteRequest begins here. */
static bool
is_request(struct envelope_scan s)
{
	struct slice name;

	return envelope_scan_take(&s, '{') == 0 && envelope_scan_name(&s, &name) == 0 &&
	       envelope_scan_peek(&s) == '{' &&
	       (slice_is(name, "PutRequest") || slice_is(name, "DeleteRequest"));
}

/* Take the array of the elements. */
static int
take_elements(struct envelope_scan *s, enum envelope_kind kind, struct envelope *e)
{
	struct slice element;
	int r = envelope_scan_take(s, '[');

	if (r != 0 || e->kind != ENVELOPE_NONE) {
		return r != 0 ? r : STEP_NOT;
	}
	e->kind = kind;
	e->from = envelope_scan_place(s);
	for (e->n = 0; (r = envelope_scan_next(s, ']', e->n == 0)) == 0; e->n++) {
		r = envelope_scan_value(s, &element);
		if (r != 0) {
			break;
		}
	}
	if (r == STEP_END) {
		e->to = envelope_scan_place(s) - 1;
		return 0;
	}
	if (r == STEP_MORE) {
		e->open = true;
		return STEP_OPEN;
	}
	return r;
}

int
envelope_other_table(struct call *c, struct slice name, const struct schema *of)
{
	return call_fail(c, ERR_USAGE,
			 "this is for the table %.*s, not for %.*s; to send requests as they are: "
			 "itemctl call BatchWriteItem FILE",
			 SLICE_ARG(name), SLICE_ARG(of->table));
}

/* Take {"T":[...]} with only the table of the import; the { was taken.  @first: as for envelope_scan_next() */
static int
take_tables(struct call *c, struct envelope_scan *s, const struct schema *of, bool first,
	    enum envelope_kind kind, struct envelope *e)
{
	struct slice name;
	int r = 0;

	e->among_tables = true;
	for (; r == 0 && (r = envelope_scan_next_name(s, first, &name)) == 0; first = false) {
		if (envelope_scan_peek(s) == '[' && !slice_eq(name, of->table)) {
			return envelope_other_table(c, name, of);
		}
		r = take_elements(s, kind, e);
	}
	e->among_tables = r != STEP_END;
	return r == STEP_END ? 0 : r;
}

/* Return true for null, {}, [] and "". */
static bool
envelope_is_empty(struct slice value)
{
	struct slice inner = value.len < 2 ? value : slice_of(value.at + 1, value.len - 2);

	return slice_is(value, "null") || ascii_trim(inner).len == 0;
}

static int
take_count(struct envelope_scan *s, struct envelope *e)
{
	struct slice value;
	int r = envelope_scan_value(s, &value);

	if (r != 0 || !ascii_count(value, &e->count)) {
		return r != 0 ? r : STEP_NOT;
	}
	e->counted = true;
	return 0;
}

/* Take the value of the member in @row of members[]. */
static int
take_member(struct call *c, struct envelope_scan *s, size_t row, const struct schema *of,
	    struct envelope *e)
{
	struct slice value;
	size_t at = 0;
	int r = 0;

	if ((e->seen & 1U << row) != 0) {
		return call_fail(c, ERR_USAGE, "\"%s\" is given twice", members[row].name);
	}
	e->seen |= 1U << row;
	switch (members[row].member) {
	case MEMBER_ELEMENTS:
		return take_elements(s, ENVELOPE_ITEMS, e);
	case MEMBER_RESPONSES:
		if (envelope_scan_peek(s) == '[') {
			return take_elements(s, ENVELOPE_RESPONSES, e);
		}
		r = envelope_scan_take(s, '{');
		return r == 0 ? take_tables(c, s, of, true, ENVELOPE_ITEMS, e) : r;
	case MEMBER_TABLES:
		r = envelope_scan_take(s, '{');
		return r == 0 ? take_tables(c, s, of, true, ENVELOPE_REQUESTS, e) : r;
	case MEMBER_COUNT:
		return take_count(s, e);
	case MEMBER_MORE:
	case MEMBER_LACKS:
	case MEMBER_ANY:
		break;
	}
	r = envelope_scan_value(s, &value);
	e->partial |= r == 0 && members[row].member == MEMBER_MORE && !envelope_is_empty(value);
	e->lacks |= r == 0 && members[row].member == MEMBER_LACKS && !envelope_is_empty(value);
	return r == 0 && json_fault(value, &at) != NULL ? STEP_NOT : r;
}

/* Take a member with any name: one of members[], or a table with requests. */
static int
take_any(struct call *c, struct envelope_scan *s, struct slice name, const struct schema *of,
	 struct envelope *e)
{
	size_t row = find_member(name);
	bool array = envelope_scan_peek(s) == '[';
	struct envelope_scan inner = *s;

	if (!array && is_key(name, of)) {
		return STEP_NOT; /* an item */
	}
	if (row < MEMBERS) {
		return take_member(c, s, row, of, e);
	}
	if (!array || envelope_scan_take(&inner, '[') != 0 || !is_request(inner)) {
		return STEP_NOT;
	}
	if (!slice_eq(name, of->table)) {
		return envelope_other_table(c, name, of);
	}
	return take_elements(s, ENVELOPE_REQUESTS, e);
}

/* Take all members up to the end of the object. */
static int
take_members(struct call *c, struct envelope_scan *s, const struct schema *of, bool first,
	     struct envelope *e)
{
	struct slice name;
	int r = 0;

	for (; r == 0 && (r = envelope_scan_next_name(s, first, &name)) == 0; first = false) {
		r = take_any(c, s, name, of, e);
	}
	return r == STEP_END ? 0 : r;
}

static int
envelope_check_count(struct call *c, const struct envelope *e)
{
	if (!e->counted || e->count == e->n) {
		return 0;
	}
	return call_fail(c, ERR_USAGE, "Count is %lu, but there are %lu items",
			 (unsigned long)e->count, (unsigned long)e->n);
}

/* ------------------------------------------------------------ envelopes */

bool
envelope_may_begin(struct slice text)
{
	struct envelope_scan s = {.begin = text.at, .rest = text};
	struct slice name;

	if (envelope_scan_take(&s, '{') != 0 || envelope_scan_name(&s, &name) != 0) {
		return false;
	}
	return find_member(name) < MEMBERS || (envelope_scan_take(&s, '[') == 0 && is_request(s));
}

/* Return true if the object has the partition key of the table: then it is an item. */
static bool
has_key(struct slice text, const struct schema *of)
{
	struct envelope_scan s = {.begin = text.at, .rest = text};
	struct slice name;
	struct slice value;
	int r = envelope_scan_take(&s, '{');

	for (bool first = true; r == 0 && envelope_scan_next_name(&s, first, &name) == 0;
	     first = false) {
		if (envelope_scan_peek(&s) != '[' && is_key(name, of)) {
			return true;
		}
		r = envelope_scan_value(&s, &value);
	}
	return false;
}

int
envelope_find(struct call *c, struct slice text, const struct schema *of, struct envelope *out)
{
	struct envelope_scan s = {.begin = text.at, .rest = text};
	int r = envelope_scan_take(&s, '{');

	*out = (struct envelope){0};
	r = r != 0 ? r : take_members(c, &s, of, true, out);
	if (r == 0 && out->kind != ENVELOPE_NONE) {
		return envelope_check_count(c, out);
	}
	if (r < 0 && !has_key(text, of)) {
		return r;
	}
	c->error = (struct error){0}; /* the text is an item */
	out->kind = r == STEP_OPEN ? out->kind : ENVELOPE_NONE;
	return 0;
}

int
envelope_end(struct call *c, struct slice rest, const struct schema *of, struct envelope *e,
	     size_t *end)
{
	struct envelope_scan s = {.begin = rest.at, .rest = rest};
	struct envelope after = *e;
	int r = 0;

	assert(e->open && e->kind != ENVELOPE_NONE);
	if (after.among_tables) {
		r = take_tables(c, &s, of, false, e->kind, &after);
	}
	r = r != 0 ? r : take_members(c, &s, of, false, &after);
	*end = 0;
	if (r == STEP_MORE) {
		return 0;
	}
	if (r > 0) {
		return call_fail(
			c, ERR_SERIALIZATION,
			"the end of the answer is wrong; items before this line of the file may "
			"be in the table");
	}
	*e = after;
	*end = envelope_scan_place(&s);
	return r == 0 ? envelope_check_count(c, e) : r;
}
