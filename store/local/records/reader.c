/* reader - sequential reader of the fields of a stored value */
#include "store/local/records/reader.h"

#include <assert.h>

uint64_t
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

unsigned
get_choice(struct reader *r, unsigned end)
{
	unsigned v = (unsigned)get_be(r, 1);

	r->bad = r->bad || v >= end;
	return r->bad ? 0 : v;
}

uint64_t
get_varint(struct reader *r)
{
	uint64_t v = 0;

	r->bad = r->bad || !varint_read(&r->at, r->end, &v);
	return r->bad ? 0 : v;
}

size_t
get_count(struct reader *r)
{
	uint64_t n = get_varint(r);

	r->bad = r->bad || n > reader_left(r);
	return r->bad ? 0 : n;
}

struct slice
get_text(struct reader *r)
{
	struct slice text = {.len = get_count(r)};

	text.at = (const char *)r->at;
	r->at += text.len;
	return text;
}
