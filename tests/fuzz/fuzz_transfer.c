/*
 * transfer - fuzzes records of exports and imports: no decoded record may name a path outside of the store; written and
 * decoded again it must be the same
 */
#include "store/local/archive/transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
rewrite(struct call *c, enum transfer_kind kind, struct slice bytes, struct buf *out)
{
	struct slice id = SLICE("01790000000000-0123456789abcdef");
	struct transfer t = {0};

	buf_init(out, &c->arena);
	if (transfer_decode(c, kind, id, bytes, &t) < 0) {
		return false;
	}
	assert(memchr(t.place.bucket.at, '/', t.place.bucket.len) == NULL);
	transfer_encode(out, kind, &t);
	return true;
}

/* The first encoding of a definition may differ, for instance by a byte without meaning; later ones may not. */
static void
try_kind(struct call *c, enum transfer_kind kind, struct slice bytes)
{
	struct buf once;
	struct buf twice;

	if (rewrite(c, kind, bytes, &once)) {
		bool again = rewrite(c, kind, buf_view(&once), &twice);

		assert(again && slice_eq(buf_view(&once), buf_view(&twice)));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice bytes = slice_of((const char *)data, size);
	struct call c;

	call_open(&c, 0, 64 << 20);
	try_kind(&c, TRANSFER_EXPORT, bytes);
	try_kind(&c, TRANSFER_IMPORT, bytes);
	call_close(&c);
	return 0;
}
