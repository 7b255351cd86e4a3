/*
 * record - encoder and decoder of items, and of the counts of collections, tables and indexes
 *
 * All writes encode and all reads decode here. The file depends neither on keys nor on tables. Shapes: record.h; worked
 * examples: FORMAT.md.
 *
 * Decoding is the hot path of Query: it allocates one array for each item, list or map, and its slices point into the
 * record. The length of the record bounds how much memory a damaged record can make it allocate: each element takes at
 * least some bytes, and these bytes are reserved when a count is read, until the elements are read ("promised").
 */
#include "store/local/records/record.h"

#include "store/local/records/reader.h"
#include "store/model/item_json.h"
#include "store/model/number.h"

/* Deeper than any valid item (LIMIT_NESTING), so that only damaged records are refused. */
enum { RECORD_DEPTH_MAX = 64 };

/* Bytes of the shortest attribute, list element and set member. */
enum { ATTR_BYTES_MIN = 2, ELEMENT_BYTES_MIN = 1, MEMBER_BYTES_MIN = 1 };

/* DynamoDB counts 3 bytes for a list or a map, and 1 for each of its elements. */
enum { CONTAINER_BYTES = 3, ELEMENT_BYTES = 1 };

/* Estimate of the bytes besides the values: head, counts. */
enum { RECORD_ROOM = 64 };

/* ------------------------------------------------------------ encode */

static void
put_content(struct buf *out, const struct value *v)
{
	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		buf_text(out, v->text);
		break;
	case VALUE_BOOL:
		buf_char(out, (char)v->truth);
		break;
	case VALUE_L:
		buf_varint(out, v->list.n);
		for (size_t i = 0; i < v->list.n; i++) {
			buf_char(out, (char)v->list.at[i].type);
			put_content(out, &v->list.at[i]);
		}
		break;
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		buf_varint(out, v->list.n);
		for (size_t i = 0; i < v->list.n; i++) {
			buf_text(out, v->list.at[i].text);
		}
		break;
	case VALUE_M:
		record_body_encode(out, &v->map);
		break;
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
}

void
record_body_encode(struct buf *out, const struct item *it)
{
	buf_varint(out, it->n);
	for (size_t i = 0; i < it->n; i++) {
		buf_text(out, it->at[i].name);
		buf_char(out, (char)it->at[i].value.type);
		put_content(out, &it->at[i].value);
	}
}

void
record_encode(struct buf *out, const struct record_head *head, const struct item *it)
{
	buf_varint(out, head->rendered_bytes);
	buf_u64be(out, head->mtime_ns);
	record_body_encode(out, it);
}

struct slice
record_body(struct slice record)
{
	size_t at = 0;

	while (at < record.len && ((unsigned char)record.at[at] & 0x80) != 0) {
		at++;
	}
	at += 1 + sizeof(uint64_t);
	return at > record.len ? slice_of(NULL, 0) : slice_skip(record, at);
}

struct slice
record_make(struct call *c, const struct record_head *head, const struct item *it,
	    size_t item_bytes)
{
	struct buf record = {.arena = &c->arena};

	(void)buf_room(&record, RECORD_ROOM + item_bytes * 3 / 2);
	record_encode(&record, head, it);
	return buf_view(&record);
}

/* ------------------------------------------------------------ decode */

/* A position in a record. */
struct record_reader {
	struct reader in;
	size_t promised; /* least number of bytes of the elements that are still to be read */
	size_t size;     /* DynamoDB's count of the bytes read so far */
	unsigned depth;
	bool measure;      /* read and count, but allocate nothing */
	struct attr spare; /* with measure: storage of every value, one after the other */
};

static struct record_reader
record_reader_of(struct call *c, struct slice record)
{
	return (struct record_reader){.in = reader_of(&c->arena, record)};
}

/* Read the number of elements, and reserve @min bytes for each. */
static inline size_t
record_get_count(struct record_reader *r, size_t min)
{
	uint64_t n = get_varint(&r->in);
	size_t left = reader_left(&r->in);

	if (r->promised > left || n > (left - r->promised) / min) {
		r->in.bad = true;
		return 0;
	}
	r->promised += n * min;
	return n;
}

/* Whether @s has the characters of a number. Only the check of a store tests that numbers are canonical. */
static bool
number_like(struct slice s)
{
	size_t i = s.len > 1 && s.at[0] == '-';
	bool point = false;

	if (s.len == 0 || s.at[i] == '.' || s.at[s.len - 1] == '.') {
		return false;
	}
	for (; i < s.len; i++) {
		if (s.at[i] == '.' && !point) {
			point = true;
		} else if ((unsigned char)(s.at[i] - '0') > 9) {
			return false;
		}
	}
	return true;
}

static inline struct slice
get_scalar(struct record_reader *r, enum value_type type)
{
	struct slice text = get_text(&r->in);

	if (type != VALUE_N) {
		r->size += text.len;
	} else if (number_like(text)) {
		r->size += number_size(text);
	} else {
		r->in.bad = true;
	}
	return text;
}

static void get_other(struct record_reader *r, struct value *out);

static inline void
get_value(struct record_reader *r, struct value *out)
{
	out->type = (enum value_type)get_choice(&r->in, VALUE_TYPES);
	if (value_is_ordered(out->type)) {
		out->text = get_scalar(r, out->type);
	} else {
		get_other(r, out);
	}
}

/* An array of @n values, or the one spare value while measuring. */
static struct value *
values_new(struct record_reader *r, size_t n)
{
	return r->measure ? &r->spare.value : arena_new(r->in.arena, struct value, n);
}

static void
get_set(struct record_reader *r, enum value_type member, struct values *out)
{
	size_t n = record_get_count(r, MEMBER_BYTES_MIN);
	struct value *at = values_new(r, n);

	*out = (struct values){.at = at, .n = n};
	for (; n > 0 && !r->in.bad; n--) {
		r->promised -= MEMBER_BYTES_MIN;
		at->type = member;
		at->text = get_scalar(r, member);
		at += !r->measure;
	}
}

static void
get_list(struct record_reader *r, struct values *out)
{
	size_t n = record_get_count(r, ELEMENT_BYTES_MIN);
	struct value *at = values_new(r, n);

	*out = (struct values){.at = at, .n = n};
	r->size += n * ELEMENT_BYTES;
	for (; n > 0 && !r->in.bad; n--) {
		r->promised -= ELEMENT_BYTES_MIN;
		get_value(r, at);
		at += !r->measure;
	}
}

static inline void
record_get_attr(struct record_reader *r, struct attr *out)
{
	r->promised -= ATTR_BYTES_MIN;
	out->name = get_text(&r->in);
	r->size += out->name.len;
	get_value(r, &out->value);
}

/* @each: bytes that DynamoDB counts for an attribute besides its name and value */
static void
get_attrs(struct record_reader *r, size_t each, struct item *out)
{
	size_t n = record_get_count(r, ATTR_BYTES_MIN);
	struct attr *at = r->measure ? &r->spare : arena_new(r->in.arena, struct attr, n);

	*out = (struct item){.at = at, .n = n};
	r->size += n * each;
	for (; n > 0 && !r->in.bad; n--) {
		record_get_attr(r, at);
		at += !r->measure;
	}
}

static void
get_container(struct record_reader *r, struct value *out)
{
	if (++r->depth > RECORD_DEPTH_MAX) {
		r->in.bad = true;
		return;
	}
	r->size += CONTAINER_BYTES;
	if (out->type == VALUE_L) {
		get_list(r, &out->list);
	} else {
		get_attrs(r, ELEMENT_BYTES, &out->map);
	}
	r->depth--;
}

/* Read a value of a type that is not a single text. */
static void
get_other(struct record_reader *r, struct value *out)
{
	switch (out->type) {
	case VALUE_BOOL:
		out->truth = get_choice(&r->in, 2) == 1;
		r->size++;
		break;
	case VALUE_NULL:
		r->size++;
		break;
	case VALUE_SS:
		get_set(r, VALUE_S, &out->list);
		break;
	case VALUE_NS:
		get_set(r, VALUE_N, &out->list);
		break;
	case VALUE_BS:
		get_set(r, VALUE_B, &out->list);
		break;
	case VALUE_L:
	case VALUE_M:
		get_container(r, out);
		break;
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
	case VALUE_TYPES:
		break;
	}
}

static struct record_head
get_head(struct reader *r)
{
	struct record_head head = {.rendered_bytes = get_varint(r)};

	head.mtime_ns = get_be(r, sizeof(head.mtime_ns));
	return head;
}

/* Report a damaged record, unless the reader is @good. */
static int
record_end(struct call *c, bool good)
{
	return good ? 0
		    : call_fail(c, ERR_CORRUPT, "The store is damaged: a record cannot be read");
}

int
record_head(struct call *c, struct slice record, struct record_head *out)
{
	struct reader r = reader_of(&c->arena, record);

	*out = get_head(&r);
	return record_end(c, !r.bad);
}

int
record_decode(struct call *c, struct slice record, struct record_head *head, struct item *out)
{
	size_t unused;

	return record_decode_sized(c, record, head, out, &unused);
}

int
record_decode_sized(struct call *c, struct slice record, struct record_head *head, struct item *out,
		    size_t *item_bytes)
{
	struct record_reader r = record_reader_of(c, record);
	struct record_head there = get_head(&r.in);

	if (head != NULL) {
		*head = there;
	}
	get_attrs(&r, 0, out);
	*item_bytes = r.size;
	return record_end(c, reader_at_end(&r.in));
}

int
record_body_decode(struct call *c, struct slice body, struct item *out, size_t *item_bytes)
{
	struct record_reader r = record_reader_of(c, body);

	get_attrs(&r, 0, out);
	*item_bytes = r.size;
	return record_end(c, reader_at_end(&r.in));
}

int
record_put_json(struct call *c, struct slice record, enum item_form form, struct buf *out,
		size_t *item_bytes)
{
	struct record_reader r = record_reader_of(c, record);
	char before = '{';

	(void)get_head(&r.in);
	for (size_t n = record_get_count(&r, ATTR_BYTES_MIN); n > 0; n--) {
		struct attr a;

		record_get_attr(&r, &a);
		if (r.in.bad) {
			break;
		}
		item_put_attr(out, before, &a, form);
		before = ',';
	}
	buf_slice(out, before == '{' ? SLICE("{}") : SLICE("}"));
	*item_bytes = r.size;
	return record_end(c, reader_at_end(&r.in));
}

int
record_measure(struct call *c, struct slice record, size_t *item_bytes)
{
	struct record_reader r = record_reader_of(c, record);
	struct item unused;

	r.measure = true;
	(void)get_head(&r.in);
	get_attrs(&r, 0, &unused);
	*item_bytes = r.size;
	return record_end(c, reader_at_end(&r.in));
}

int
record_find(struct call *c, struct slice record, struct slice name, struct value *out)
{
	struct record_reader r = record_reader_of(c, record);

	r.measure = true;
	(void)get_head(&r.in);
	for (size_t n = record_get_count(&r, ATTR_BYTES_MIN); n > 0 && !r.in.bad; n--) {
		struct attr found;

		record_get_attr(&r, &found);
		if (!r.in.bad && slice_eq(found.name, name)) {
			*out = found.value;
			return 0;
		}
	}
	return r.in.bad ? record_end(c, false) : RECORD_NONE;
}

/* ------------------------------------------------------------ counts */

void
record_counts_encode(struct buf *out, const struct record_counts *n)
{
	buf_varint(out, n->items);
	buf_varint(out, n->item_bytes);
	buf_varint(out, n->rendered_bytes);
}

int
record_counts_decode(struct call *c, struct slice record, struct record_counts *out)
{
	struct reader r = reader_of(&c->arena, record);

	out->items = get_varint(&r);
	out->item_bytes = get_varint(&r);
	out->rendered_bytes = get_varint(&r);
	return record_end(c, reader_at_end(&r));
}
