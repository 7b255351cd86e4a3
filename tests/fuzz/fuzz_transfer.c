/* transfer - records of exports and imports: what decodes names no path out of the store, and is written the same again */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "store/local/archive.h"
#include "store/local/transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
try_kind(struct call *c, enum transfer_kind kind, struct slice bytes)
{
	struct slice id = SLICE("01790000000000-0123456789abcdef");
	struct transfer t = {0};
	struct buf again;

	if (transfer_decode(c, kind, id, bytes, &t) < 0) {
		return;
	}
	assert(archive_is_id(t.id));
	assert(memchr(t.place.bucket.at, '/', t.place.bucket.len) == NULL);
	buf_init(&again, &c->arena);
	transfer_encode(&again, kind, &t);
	assert(slice_eq(buf_view(&again), bytes));
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
