/*
 * ldb_snappy - see ldb_snappy.h
 *
 *   length:varint element*
 *   element = literal: tag with its length, bytes | copy: tag with length and how far back
 *
 * The two low bits of a tag: 0 literal, 1..3 a copy whose distance has 11, 16 or 32 bits.
 */
#include "store/kv/ldb_snappy.h"

#include <stdint.h>

enum { TAG_LITERAL, TAG_COPY_11, TAG_COPY_16, TAG_COPY_32 };

/* A literal of up to 60 bytes has its length in the tag; else it follows, in 1 to 4 bytes. */
enum { LITERAL_SHORT = 60 };

static bool
ldb_snappy_take_bytes(struct slice *rest, size_t n, size_t *out)
{
	if (n > rest->len) {
		return false;
	}
	*out = 0;
	for (size_t i = 0; i < n; i++) {
		*out |= (size_t)(unsigned char)rest->at[i] << (8 * i);
	}
	*rest = slice_skip(*rest, n);
	return true;
}

static bool
ldb_snappy_take_length(struct slice *rest, size_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 32 && rest->len > 0; shift += 7) {
		unsigned char byte = (unsigned char)rest->at[0];

		*rest = slice_skip(*rest, 1);
		*out |= (size_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			return true;
		}
	}
	return false;
}

static bool
ldb_snappy_take_literal(struct slice *rest, unsigned tag, struct buf *out, size_t room)
{
	size_t n = tag >> 2;

	if (n >= LITERAL_SHORT && !ldb_snappy_take_bytes(rest, n - LITERAL_SHORT + 1, &n)) {
		return false;
	}
	n++;
	if (n > rest->len || n > room) {
		return false;
	}
	buf_put(out, rest->at, n);
	*rest = slice_skip(*rest, n);
	return true;
}

static bool
ldb_snappy_take_copy(struct slice *rest, unsigned tag, struct buf *out, size_t begin, size_t room)
{
	size_t n = (tag >> 2) + 1;
	size_t back;

	if ((tag & 3) == TAG_COPY_11) {
		if (!ldb_snappy_take_bytes(rest, 1, &back)) {
			return false;
		}
		n = 4 + (tag >> 2 & 7);
		back |= (size_t)(tag >> 5) << 8;
	} else if (!ldb_snappy_take_bytes(rest, (tag & 3) == TAG_COPY_16 ? 2 : 4, &back)) {
		return false;
	}
	if (back == 0 || back > out->len - begin || n > room) {
		return false;
	}
	/* It may reach into what it writes. */
	for (size_t i = 0; i < n; i++) {
		buf_char(out, out->at[out->len - back]);
	}
	return true;
}

bool
ldb_snappy_read(struct slice packed, size_t max, struct buf *out)
{
	size_t begin = out->len;
	size_t whole;

	if (!ldb_snappy_take_length(&packed, &whole) || whole > max) {
		return false;
	}
	while (packed.len > 0) {
		unsigned tag = (unsigned char)packed.at[0];
		size_t room = whole - (out->len - begin);

		packed = slice_skip(packed, 1);
		if (!((tag & 3) == TAG_LITERAL
			      ? ldb_snappy_take_literal(&packed, tag, out, room)
			      : ldb_snappy_take_copy(&packed, tag, out, begin, room))) {
			return false;
		}
	}
	return out->len - begin == whole;
}
