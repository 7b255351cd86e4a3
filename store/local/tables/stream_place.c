/*
 * stream_place - shard iterators as text
 *
 *   ARN|1|base64(stream:u64be made_ms:u64be seq:u64be horizon:u8 check:8 bytes)
 *
 * Iterators are not stored, so any number may be in use, and they survive a
 * restart.  "check" is the start of the SHA-256 of the ARN and the preceding
 * bytes: it detects iterators that a client has changed.
 */
#include "store/local/tables/stream_place.h"

#include <endian.h>

#include "store/base/text/base64.h"
#include "store/base/text/sha256.h"
#include "store/model/limits.h"

#define MIDDLE "|1|"

enum { PLACE_BYTES = 3 * 8 + 1, CHECK_BYTES = 8 };

static void
check_of(struct call *c, struct slice arn, struct slice place, uint8_t digest[SHA256_BYTES])
{
	struct buf whole = {.arena = &c->arena};

	buf_slice(&whole, arn);
	buf_slice(&whole, place);
	sha256(buf_view(&whole), digest);
}

struct slice
stream_place_write(struct call *c, struct slice arn, const struct stream_place *p)
{
	uint8_t digest[SHA256_BYTES];
	struct buf place = {.arena = &c->arena};
	struct buf out = {.arena = &c->arena};

	buf_u64be(&place, p->stream);
	buf_u64be(&place, p->made_ms);
	buf_u64be(&place, p->seq);
	buf_char(&place, p->horizon);
	check_of(c, arn, buf_view(&place), digest);
	buf_put(&place, digest, CHECK_BYTES);
	buf_slice(&out, arn);
	buf_str(&out, MIDDLE);
	base64_encode(&out, buf_view(&place));
	return buf_view(&out);
}

static bool
stream_place_read_place(struct call *c, struct slice iterator, struct slice *arn,
			struct stream_place *out)
{
	const char *bar = slice_chr(iterator, '|');
	uint8_t digest[SHA256_BYTES];
	struct buf bytes = {.arena = &c->arena};

	if (bar == NULL) {
		return false;
	}
	*arn = slice_of(iterator.at, (size_t)(bar - iterator.at));
	struct slice rest = slice_skip(iterator, arn->len);

	if (!slice_starts(rest, SLICE(MIDDLE)) ||
	    !base64_decode(&bytes, slice_skip(rest, sizeof(MIDDLE) - 1)) ||
	    bytes.len != PLACE_BYTES + CHECK_BYTES) {
		return false;
	}
	struct slice place = slice_of(bytes.at, PLACE_BYTES);

	check_of(c, *arn, place, digest);
	*out = (struct stream_place){
		.stream = slice_be(slice_of(place.at + 0, 8)),
		.made_ms = slice_be(slice_of(place.at + 8, 8)),
		.seq = slice_be(slice_of(place.at + 16, 8)),
		.horizon = place.at[24] != 0,
	};
	return memcmp(digest, bytes.at + PLACE_BYTES, CHECK_BYTES) == 0;
}

int
stream_place_read(struct call *c, struct slice iterator, struct slice *arn,
		  struct stream_place *out)
{
	if (!stream_place_read_place(c, iterator, arn, out)) {
		return call_fail(c, ERR_VALIDATION, "Invalid ShardIterator");
	}
	if (c->now_ms >= out->made_ms && c->now_ms - out->made_ms >= LIMIT_ITERATOR_MS) {
		return call_fail(c, ERR_EXPIRED_ITERATOR,
				 "The shard iterator has expired and can no longer be used to "
				 "retrieve stream records");
	}
	return 0;
}
