/* reader - the parts of a record, one after the other */
#ifndef STORE_LOCAL_RECORDS_READER_H
#define STORE_LOCAL_RECORDS_READER_H

#include "store/base/core/buf.h"

/* A place in a record; "bad" latches the first thing that is missing or wrong. */
struct reader {
	struct arena *arena;
	const unsigned char *at;
	const unsigned char *end;
	bool bad;
};

static inline struct reader
reader_of(struct arena *a, struct slice bytes)
{
	const unsigned char *at = (const unsigned char *)bytes.at;

	return (struct reader){.arena = a, .at = at, .end = at + bytes.len};
}

static inline size_t
reader_left(const struct reader *r)
{
	return (size_t)(r->end - r->at);
}

/** reader_at_end - everything was there and right, and nothing follows */
static inline bool
reader_at_end(const struct reader *r)
{
	return !r->bad && r->at == r->end;
}

/* Each: 0 or nothing when it is bad. */

/** get_be - a number of @bytes bytes, most significant first */
uint64_t get_be(struct reader *r, size_t bytes);

/** get_choice - a byte below @end */
unsigned get_choice(struct reader *r, unsigned end);

uint64_t get_varint(struct reader *r);

/** get_count - how many bytes or parts follow; each part takes at least a byte */
size_t get_count(struct reader *r);

/** get_text - len:varint bytes; borrowed */
struct slice get_text(struct reader *r);

#endif
