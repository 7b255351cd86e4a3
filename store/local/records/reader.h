/* reader - sequential reader of the fields of a stored value */
#ifndef STORE_LOCAL_RECORDS_READER_H
#define STORE_LOCAL_RECORDS_READER_H

#include "store/base/core/buf.h"

/* A position in a value. "bad" is set by the first field that is missing or wrong, and stays set. */
struct reader {
	struct arena *arena;
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

/** reader_of - a reader at the start of @bytes, which it borrows */
static inline struct reader
reader_of(struct arena *a, struct slice bytes)
{
	const unsigned char *at = (const unsigned char *)bytes.at;

	return (struct reader){.arena = a, .at = at, .end = at + bytes.len};
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
uint64_t get_be(struct reader *r, size_t bytes);

/** get_choice - read a byte that must be less than @end */
unsigned get_choice(struct reader *r, unsigned end);

/** get_varint - read a number of variable length */
uint64_t get_varint(struct reader *r);

/** get_count - read the number of bytes or elements that follow; each element takes at least one byte */
size_t get_count(struct reader *r);

/** get_text - read len:varint bytes; the slice borrows the value */
struct slice get_text(struct reader *r);

#endif
