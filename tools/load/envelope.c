/* envelope - a scan of the members, which allocates nothing; values are looked at only for their ends */
#include "tools/load/envelope.h"

#include <string.h>

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"

#include "tools/text/words.h"

/* What a step of the scan may give beside 0 and errors. */
enum {
	STEP_MORE = 1, /* the text ends before the step does */
	STEP_NOT = 2,  /* this is no envelope */
	STEP_OPEN = 3, /* the text ends within the array */
};

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

/* What is not yet scanned of the text. */
struct scan {
	const char *begin;
	struct slice rest;
};

static size_t
envelope_place(const struct scan *s)
{
	return (size_t)(s->rest.at - s->begin);
}

/* The next character that is no blank, which stays; 0: there is none. */
static char
envelope_peek(struct scan *s)
{
	while (s->rest.len > 0 && ascii_blank(s->rest.at[0])) {
		s->rest = slice_skip(s->rest, 1);
	}
	return s->rest.len > 0 ? s->rest.at[0] : '\0';
}

static int
envelope_take(struct scan *s, char ch)
{
	char there = envelope_peek(s);

	if (there != ch) {
		return there == '\0' ? STEP_MORE : STEP_NOT;
	}
	s->rest = slice_skip(s->rest, 1);
	return 0;
}

/* A string without its quotes, escapes as they are. */
static int
envelope_take_string(struct scan *s, struct slice *out)
{
	int r = envelope_take(s, '"');
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

/* Any value, to its end. */
static int
take_value(struct scan *s, struct slice *out)
{
	char first = envelope_peek(s);
	size_t n = 0;

	*out = s->rest;
	if (first == '"') {
		int r = envelope_take_string(s, out);

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

/* The name of a member and its colon. */
static int
envelope_take_name(struct scan *s, struct slice *out)
{
	int r = envelope_take_string(s, out);

	return r == 0 ? envelope_take(s, ':') : r;
}

/* On to the next member or element; STEP_NOT: neither a comma, if one is due, nor @close. @ended: behind @close */
static int
take_next(struct scan *s, char close, bool first, bool *ended)
{
	char there = envelope_peek(s);

	*ended = there == close;
	if (*ended) {
		return envelope_take(s, close);
	}
	return first ? (there == '\0' ? STEP_MORE : 0) : envelope_take(s, ',');
}

/* On to the next member of an object, behind its colon; as take_next() */
static int
take_next_name(struct scan *s, bool first, struct slice *name, bool *ended)
{
	int r = take_next(s, '}', first, ended);

	return r != 0 || *ended ? r : envelope_take_name(s, name);
}

/* ------------------------------------------------------------ members */

/* Is it the table's partition key, perhaps with escapes, as Python writes what is not ASCII? */
static bool
is_key(struct slice name, const struct envelope_of *of)
{
	struct slice quoted = slice_of(name.at - 1, name.len + 2);
	const struct json *json = NULL;
	struct call own;

	if (slice_chr(name, '\\') == NULL) {
		return slice_eq(name, of->key->pk->name);
	}
	call_open(&own, 0, name.len * 8 + 4096);
	bool found = json_parse(&own, quoted, JSON_STRICT, &json) == 0 &&
		     slice_eq(json->text, of->key->pk->name);

	call_close(&own);
	return found;
}

/* The row of the table; MEMBERS: it has none of that name. */
static size_t
find_member(struct slice name)
{
	size_t i = 0;

	while (i < MEMBERS && !slice_is(name, members[i].name)) {
		i++;
	}
	return i;
}

/* Does an element begin here that is a request to write? */
static bool
is_request(struct scan s)
{
	struct slice name;

	return envelope_take(&s, '{') == 0 && envelope_take_name(&s, &name) == 0 &&
	       envelope_peek(&s) == '{' &&
	       (slice_is(name, "PutRequest") || slice_is(name, "DeleteRequest"));
}

/* The array of the elements. */
static int
take_elements(struct scan *s, enum envelope_kind kind, struct envelope *e)
{
	struct slice element;
	bool ended = false;
	int r = envelope_take(s, '[');

	if (r != 0 || e->kind != ENVELOPE_NONE) {
		return r != 0 ? r : STEP_NOT;
	}
	e->kind = kind;
	e->from = envelope_place(s);
	for (e->n = 0; r == 0; e->n++) {
		r = take_next(s, ']', e->n == 0, &ended);
		if (r == 0 && ended) {
			e->to = envelope_place(s) - 1;
			return 0;
		}
		r = r == 0 ? take_value(s, &element) : r;
	}
	if (r == STEP_MORE) {
		e->open = true;
		return STEP_OPEN;
	}
	return r;
}

static int
other_table(struct call *c, struct slice name, const struct envelope_of *of)
{
	return call_fail(c, ERR_USAGE,
			 "this is of the table %.*s, not of %.*s: itemctl call BatchWriteItem FILE "
			 "does what requests say",
			 SLICE_ARG(name), SLICE_ARG(of->table));
}

/* {"T":[...]}: of one table, the one that is imported. @first: behind the { */
static int
take_tables(struct call *c, struct scan *s, const struct envelope_of *of, bool first,
	    enum envelope_kind kind, struct envelope *e)
{
	bool ended = false;
	int r = 0;

	e->among_tables = true;
	for (; r == 0; first = false) {
		struct slice name;

		r = take_next_name(s, first, &name, &ended);
		if (r == 0 && ended) {
			e->among_tables = false;
			return 0;
		}
		if (r == 0 && envelope_peek(s) == '[' && !slice_eq(name, of->table)) {
			return other_table(c, name, of);
		}
		r = r == 0 ? take_elements(s, kind, e) : r;
	}
	return r;
}

/* Is there nothing in it: null, {}, ""? */
static bool
envelope_is_empty(struct slice value)
{
	struct slice inner = value.len < 2 ? value : slice_of(value.at + 1, value.len - 2);

	return slice_is(value, "null") || ascii_trim(inner).len == 0;
}

static int
take_count(struct scan *s, struct envelope *e)
{
	struct slice value;
	int r = take_value(s, &value);

	if (r != 0 || !ascii_count(value, &e->count)) {
		return r != 0 ? r : STEP_NOT;
	}
	e->counted = true;
	return 0;
}

/* The value of the member in that row of the table. */
static int
take_member(struct call *c, struct scan *s, size_t row, const struct envelope_of *of,
	    struct envelope *e)
{
	struct slice value;
	size_t at = 0;
	int r = 0;

	if ((e->seen & 1U << row) != 0) {
		return call_fail(c, ERR_USAGE, "\"%s\" is there twice", members[row].name);
	}
	e->seen |= 1U << row;
	switch (members[row].member) {
	case MEMBER_ELEMENTS:
		return take_elements(s, ENVELOPE_ITEMS, e);
	case MEMBER_RESPONSES:
		if (envelope_peek(s) == '[') {
			return take_elements(s, ENVELOPE_RESPONSES, e);
		}
		r = envelope_take(s, '{');
		return r == 0 ? take_tables(c, s, of, true, ENVELOPE_ITEMS, e) : r;
	case MEMBER_TABLES:
		r = envelope_take(s, '{');
		return r == 0 ? take_tables(c, s, of, true, ENVELOPE_REQUESTS, e) : r;
	case MEMBER_COUNT:
		return take_count(s, e);
	case MEMBER_MORE:
	case MEMBER_LACKS:
	case MEMBER_ANY:
		break;
	}
	r = take_value(s, &value);
	e->partial |= r == 0 && members[row].member == MEMBER_MORE && !envelope_is_empty(value);
	e->lacks |= r == 0 && members[row].member == MEMBER_LACKS && !envelope_is_empty(value);
	return r == 0 && json_fault(value, &at) != NULL ? STEP_NOT : r;
}

/* A member of any name: of the table, or a table with requests. */
static int
take_any(struct call *c, struct scan *s, struct slice name, const struct envelope_of *of,
	 struct envelope *e)
{
	size_t row = find_member(name);
	bool array = envelope_peek(s) == '[';
	struct scan inner = *s;

	if (!array && is_key(name, of)) {
		return STEP_NOT; /* an item, whatever else it has */
	}
	if (row < MEMBERS) {
		return take_member(c, s, row, of, e);
	}
	if (!array || envelope_take(&inner, '[') != 0 || !is_request(inner)) {
		return STEP_NOT;
	}
	if (!slice_eq(name, of->table)) {
		return other_table(c, name, of);
	}
	return take_elements(s, ENVELOPE_REQUESTS, e);
}

/* Members up to the end of the object. */
static int
take_members(struct call *c, struct scan *s, const struct envelope_of *of, bool first,
	     struct envelope *e)
{
	bool ended = false;
	int r = 0;

	for (; r == 0; first = false) {
		struct slice name;

		r = take_next_name(s, first, &name, &ended);
		if (r == 0 && ended) {
			return 0;
		}
		r = r == 0 ? take_any(c, s, name, of, e) : r;
	}
	return r;
}

static int
envelope_check_count(struct call *c, const struct envelope *e)
{
	if (!e->counted || e->count == e->n) {
		return 0;
	}
	return call_fail(c, ERR_USAGE, "Count is %lu, and there are %lu items",
			 (unsigned long)e->count, (unsigned long)e->n);
}

/* ------------------------------------------------------------ envelopes */

bool
envelope_may_begin(struct slice text)
{
	struct scan s = {.begin = text.at, .rest = text};
	struct slice name;

	if (envelope_take(&s, '{') != 0 || envelope_take_name(&s, &name) != 0) {
		return false;
	}
	return find_member(name) < MEMBERS || (envelope_take(&s, '[') == 0 && is_request(s));
}

/* Does the object have the table's partition key, which makes it an item? */
static bool
has_key(struct slice text, const struct envelope_of *of)
{
	struct scan s = {.begin = text.at, .rest = text};
	struct slice name;
	struct slice value;
	bool ended = false;
	int r = envelope_take(&s, '{');

	for (bool first = true; r == 0 && !ended; first = false) {
		r = take_next_name(&s, first, &name, &ended);
		if (r == 0 && !ended && envelope_peek(&s) != '[' && is_key(name, of)) {
			return true;
		}
		r = r == 0 && !ended ? take_value(&s, &value) : r;
	}
	return false;
}

int
envelope_find(struct call *c, struct slice text, const struct envelope_of *of, struct envelope *out)
{
	struct scan s = {.begin = text.at, .rest = text};
	int r = envelope_take(&s, '{');

	*out = (struct envelope){0};
	r = r != 0 ? r : take_members(c, &s, of, true, out);
	if (r == 0 && out->kind != ENVELOPE_NONE) {
		return envelope_check_count(c, out);
	}
	if (r < 0 && !has_key(text, of)) {
		return r;
	}
	c->error = (struct error){0}; /* what it was blamed for is an attribute */
	out->kind = r == STEP_OPEN ? out->kind : ENVELOPE_NONE;
	return 0;
}

int
envelope_end(struct call *c, struct slice rest, const struct envelope_of *of, struct envelope *e,
	     size_t *end)
{
	struct scan s = {.begin = rest.at, .rest = rest};
	struct envelope after = *e;
	int r = 0;

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
			"the answer does not end as one: what stands above it of this file may be in the table");
	}
	*e = after;
	*end = envelope_place(&s);
	return r == 0 ? envelope_check_count(c, e) : r;
}

/* ------------------------------------------------------------ one item */

/* The member @name, if it is an object. */
static const struct json *
object_in(const struct json *json, const char *name)
{
	const struct json *found = json_get(json, name);

	return found != NULL && found->type == JSON_OBJECT ? found : NULL;
}

/* Nothing that stands beside the item is lost: conditions, for one. */
static int
check_beside(struct call *c, const struct json *json, const struct envelope_of *of)
{
	static const char harmless[] =
		"Item ConsumedCapacity ItemCollectionMetrics ResponseMetadata $metadata "
		"ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValues "
		"ReturnValuesOnConditionCheckFailure";

	json_each (member, json) {
		if (words_in(harmless, member->name)) {
			continue;
		}
		if (!slice_is(member->name, "TableName")) {
			return call_fail(c, ERR_USAGE,
					 "\"%.*s\" beside \"Item\" is nothing that an import does",
					 SLICE_ARG(member->name));
		}
		if (!slice_eq(member->text, of->table)) {
			return other_table(c, member->text, of);
		}
	}
	return 0;
}

int
envelope_item(struct call *c, const struct json *json, const struct envelope_of *of,
	      const struct json **out)
{
	*out = NULL;
	if (json->type != JSON_OBJECT || json_get_slice(json, of->key->pk->name) != NULL) {
		return 0;
	}
	if (object_in(json, "DeleteRequest") != NULL) {
		return call_fail(c, ERR_USAGE,
				 "a DeleteRequest is no item: itemctl call BatchWriteItem FILE "
				 "does what requests say");
	}
	if (object_in(json, "Keys") != NULL && object_in(json, "Metadata") != NULL) {
		return call_fail(c, ERR_USAGE,
				 "this is a line of an incremental export: import "
				 "--apply puts and deletes what it says");
	}
	const struct json *put = object_in(json, "PutRequest");
	const struct json *around = put != NULL && json->n == 1 ? put : json;

	*out = object_in(around, "Item");
	return *out == NULL ? 0 : check_beside(c, around, of);
}
