/*
 * record - encoder and decoder of items; counts are in record_counts.c
 *
 * All writes encode and all reads decode here. The file depends neither on keys nor on tables. Shapes: record.h; worked
 * examples: FORMAT.md.
 *
 * Decoding is the hot path of Query: it allocates one array for each item, list or map, and its slices point into the
 * record. The length of the record bounds how much memory a damaged record can make it allocate: each element takes at
 * least some bytes, and these bytes are reserved when a count is read, until the elements are read ("promised").
 */
#include "store/local/records/record.h"

#include <endian.h>

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

static void put_attrs(struct buf *out, const struct item *it);

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
		put_attrs(out, &v->map);
		break;
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
}

static void
put_attrs(struct buf *out, const struct item *it)
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
	put_attrs(out, it);
}

void
record_body_encode(struct buf *out, const struct item *it)
{
	put_attrs(out, it);
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
struct reader {
	struct arena *arena;
	const unsigned char *at;
	const unsigned char *end;
	size_t promised; /* least number of bytes of the elements that are still to be read */
	size_t size;     /* DynamoDB's count of the bytes read so far */
	unsigned depth;
	bool measure;      /* read and count, but allocate nothing */
	struct attr spare; /* with measure: storage of every value, one after the other */
};

static int
bad_record(struct call *c)
{
	return call_fail(c, ERR_CORRUPT, "The store is damaged: a record cannot be read");
}

static inline size_t
left(const struct reader *r)
{
	return (size_t)(r->end - r->at);
}

static inline bool
read_varint(struct reader *r, uint64_t *out)
{
	return varint_read(&r->at, r->end, out);
}

static inline bool
record_read_text(struct reader *r, struct slice *out)
{
	uint64_t len;

	if (!read_varint(r, &len) || len > left(r)) {
		return false;
	}
	*out = slice_of((const char *)r->at, len);
	r->at += len;
	return true;
}

/* Read the number of elements, and reserve @min bytes for each. */
static inline bool
record_read_count(struct reader *r, size_t min, size_t *out)
{
	uint64_t n;

	if (!read_varint(r, &n) || r->promised > left(r) || n > (left(r) - r->promised) / min) {
		return false;
	}
	r->promised += n * min;
	*out = n;
	return true;
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

static inline bool
record_read_scalar(struct reader *r, enum value_type type, struct slice *out)
{
	if (!record_read_text(r, out)) {
		return false;
	}
	if (type != VALUE_N) {
		r->size += out->len;
		return true;
	}
	if (!number_like(*out)) {
		return false;
	}
	r->size += number_size(*out);
	return true;
}

static bool read_other(struct reader *r, struct value *out);

static inline bool
record_read_value(struct reader *r, struct value *out)
{
	if (r->at == r->end || *r->at >= VALUE_TYPES) {
		return false;
	}
	out->type = (enum value_type) * r->at++;
	return value_is_ordered(out->type) ? record_read_scalar(r, out->type, &out->text)
					   : read_other(r, out);
}

/* An array of @n values, or the one spare value while measuring. */
static struct value *
values_new(struct reader *r, size_t n)
{
	return r->measure ? &r->spare.value : arena_new(r->arena, struct value, n);
}

static bool
record_read_set(struct reader *r, enum value_type member, struct values *out)
{
	size_t n;

	if (!record_read_count(r, MEMBER_BYTES_MIN, &n)) {
		return false;
	}
	struct value *at = values_new(r, n);

	*out = (struct values){.at = at, .n = n};
	for (; n > 0; n--) {
		r->promised -= MEMBER_BYTES_MIN;
		at->type = member;
		if (!record_read_scalar(r, member, &at->text)) {
			return false;
		}
		at += !r->measure;
	}
	return true;
}

static bool
record_read_list(struct reader *r, struct values *out)
{
	size_t n;

	if (!record_read_count(r, ELEMENT_BYTES_MIN, &n)) {
		return false;
	}
	struct value *at = values_new(r, n);

	*out = (struct values){.at = at, .n = n};
	r->size += n * ELEMENT_BYTES;
	for (; n > 0; n--) {
		r->promised -= ELEMENT_BYTES_MIN;
		if (!record_read_value(r, at)) {
			return false;
		}
		at += !r->measure;
	}
	return true;
}

static inline bool
read_attr(struct reader *r, struct attr *out)
{
	r->promised -= ATTR_BYTES_MIN;
	if (!record_read_text(r, &out->name)) {
		return false;
	}
	r->size += out->name.len;
	return record_read_value(r, &out->value);
}

/* @each: bytes that DynamoDB counts for an attribute besides its name and value */
static bool
read_attrs(struct reader *r, size_t each, struct item *out)
{
	size_t n;

	if (!record_read_count(r, ATTR_BYTES_MIN, &n)) {
		return false;
	}
	struct attr *at = r->measure ? &r->spare : arena_new(r->arena, struct attr, n);

	*out = (struct item){.at = at, .n = n};
	r->size += n * each;
	for (; n > 0; n--) {
		if (!read_attr(r, at)) {
			return false;
		}
		at += !r->measure;
	}
	return true;
}

static bool
record_read_truth(struct reader *r, bool *out)
{
	if (r->at == r->end || *r->at > 1) {
		return false;
	}
	r->size++;
	*out = *r->at++ == 1;
	return true;
}

static bool
read_container(struct reader *r, struct value *out)
{
	if (++r->depth > RECORD_DEPTH_MAX) {
		return false;
	}
	r->size += CONTAINER_BYTES;

	bool ok = out->type == VALUE_L ? record_read_list(r, &out->list)
				       : read_attrs(r, ELEMENT_BYTES, &out->map);

	r->depth--;
	return ok;
}

/* Read a value of a type that is not a single text. */
static bool
read_other(struct reader *r, struct value *out)
{
	switch (out->type) {
	case VALUE_BOOL:
		return record_read_truth(r, &out->truth);
	case VALUE_NULL:
		r->size++;
		return true;
	case VALUE_SS:
		return record_read_set(r, VALUE_S, &out->list);
	case VALUE_NS:
		return record_read_set(r, VALUE_N, &out->list);
	case VALUE_BS:
		return record_read_set(r, VALUE_B, &out->list);
	case VALUE_L:
	case VALUE_M:
		return read_container(r, out);
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
	case VALUE_TYPES:
		break;
	}
	return false;
}

static struct reader
reader_of(struct call *c, struct slice record)
{
	const unsigned char *at = (const unsigned char *)record.at;

	return (struct reader){.arena = &c->arena, .at = at, .end = at + record.len};
}

static bool
record_read_head(struct reader *r, struct record_head *out)
{
	if (!read_varint(r, &out->rendered_bytes) || left(r) < sizeof(uint64_t)) {
		return false;
	}
	uint64_t be;

	memcpy(&be, r->at, sizeof(be));
	out->mtime_ns = be64toh(be);
	r->at += sizeof(be);
	return true;
}

int
record_head(struct call *c, struct slice record, struct record_head *out)
{
	struct reader r = reader_of(c, record);

	return record_read_head(&r, out) ? 0 : bad_record(c);
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
	struct reader r = reader_of(c, record);
	struct record_head unused;

	if (!record_read_head(&r, head == NULL ? &unused : head) || !read_attrs(&r, 0, out) ||
	    r.at != r.end) {
		return bad_record(c);
	}
	*item_bytes = r.size;
	return 0;
}

int
record_body_decode(struct call *c, struct slice body, struct item *out, size_t *item_bytes)
{
	struct reader r = reader_of(c, body);

	if (!read_attrs(&r, 0, out) || r.at != r.end) {
		return bad_record(c);
	}
	*item_bytes = r.size;
	return 0;
}

int
record_put_json(struct call *c, struct slice record, enum item_form form, struct buf *out,
		size_t *item_bytes)
{
	struct reader r = reader_of(c, record);
	struct record_head head;
	char before = '{';
	size_t n;

	if (!record_read_head(&r, &head) || !record_read_count(&r, ATTR_BYTES_MIN, &n)) {
		return bad_record(c);
	}
	for (; n > 0; n--) {
		struct attr a;

		if (!read_attr(&r, &a)) {
			return bad_record(c);
		}
		item_put_attr(out, before, &a, form);
		before = ',';
	}
	if (r.at != r.end) {
		return bad_record(c);
	}
	buf_slice(out, before == '{' ? SLICE("{}") : SLICE("}"));
	*item_bytes = r.size;
	return 0;
}

int
record_measure(struct call *c, struct slice record, size_t *item_bytes)
{
	struct reader r = reader_of(c, record);
	struct record_head head;
	struct item unused;

	r.measure = true;
	if (!record_read_head(&r, &head) || !read_attrs(&r, 0, &unused) || r.at != r.end) {
		return bad_record(c);
	}
	*item_bytes = r.size;
	return 0;
}

int
record_find(struct call *c, struct slice record, struct slice name, struct value *out)
{
	struct reader r = reader_of(c, record);
	struct record_head head;
	size_t n;

	r.measure = true;
	if (!record_read_head(&r, &head) || !record_read_count(&r, ATTR_BYTES_MIN, &n)) {
		return bad_record(c);
	}
	for (; n > 0; n--) {
		struct attr found;

		if (!read_attr(&r, &found)) {
			return bad_record(c);
		}
		if (slice_eq(found.name, name)) {
			*out = found.value;
			return 0;
		}
	}
	return RECORD_NONE;
}
