/* reader - sequential reader of the fields of a stored value; all inline, because it is the hot path of Query */
#ifndef STORE_LOCAL_RECORDS_READER_H
#define STORE_LOCAL_RECORDS_READER_H

#include "store/base/core/base.h"

/* A position in a value. "bad" is set by the first field that is missing or wrong, and stays set. */
struct reader {
	struct arena *arena;
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

/** reader_of - a reader at the start of @bytes, which it borrows; no bytes may be at NULL */
static inline struct reader
reader_of(struct arena *a, struct slice bytes)
{
	const unsigned char *at = (const unsigned char *)bytes.at;

	return (struct reader){.arena = a, .at = at, .end = bytes.len == 0 ? at : at + bytes.len};
}

/** reader_left - the number of bytes that have not been read */
static inline size_t
reader_left(const struct reader *r)
{
	return (size_t)(r->end - r->at);
}

/** reader_at_end - whether all fields were valid and nothing follows them */
static inline bool
reader_at_end(const struct reader *r)
{
	return !r->bad && r->at == r->end;
}

/* Each of these functions returns 0 or an empty slice when the reader is bad. */

/** get_be - read a number of @bytes bytes, at most 8, most significant first */
static inline uint64_t
get_be(struct reader *r, size_t bytes)
{
	uint64_t v = 0;

	assert(bytes <= sizeof(v));
	if (r->bad || reader_left(r) < bytes) {
		r->bad = true;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++) {
		v = v << 8 | *r->at++;
	}
	return v;
}

/** get_choice - read a byte that must be less than @end */
static inline unsigned
get_choice(struct reader *r, unsigned end)
{
	unsigned v = (unsigned)get_be(r, 1);

	r->bad = r->bad || v >= end;
	return r->bad ? 0 : v;
}

/** get_varint - read a number of variable length */
static inline uint64_t
get_varint(struct reader *r)
{
	uint64_t v = 0;

	r->bad = r->bad || !varint_read(&r->at, r->end, &v);
	return r->bad ? 0 : v;
}

/** get_count - read the number of bytes or elements that follow; each element takes at least one byte */
static inline size_t
get_count(struct reader *r)
{
	uint64_t n = get_varint(r);

	r->bad = r->bad || n > reader_left(r);
	return r->bad ? 0 : n;
}

/** get_text - read len:varint bytes; the slice borrows the value */
static inline struct slice
get_text(struct reader *r)
{
	struct slice text = {.len = get_count(r)};

	text.at = (const char *)r->at;
	if (text.len > 0) {
		r->at += text.len;
	}
	return text;
}

#endif
