/*
 * backup - fuzzes backup records: a decoded and re-encoded record must decode to the same; file names must map back to
 * their ids
 */
#include "store/local/archive/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
rewrite(struct call *c, struct slice bytes, struct buf *out)
{
	struct slice id = SLICE("01790000000000-0123456789abcdef");
	struct archive a = {0};

	buf_init(out, &c->arena);
	if (archive_decode(c, id, bytes, &a) < 0) {
		return false;
	}
	archive_encode(out, &a);
	return true;
}

/* The first encoding of a definition may differ, for instance by a byte without meaning; later ones may not. */
static void
try_record(struct call *c, struct slice bytes)
{
	struct buf once;
	struct buf twice;

	if (rewrite(c, bytes, &once)) {
		bool again = rewrite(c, buf_view(&once), &twice);

		assert(again && slice_eq(buf_view(&once), buf_view(&twice)));
	}
}

/* An id that the key of a record may have gives one file name, without a path in it. */
static void
try_id(struct call *c, struct slice id)
{
	if (!archive_is_id(id)) {
		return;
	}
	const char *name = archive_name(c, id);

	assert(memchr(name, '/', strlen(name)) == NULL);
	assert(slice_eq(archive_file(slice_from(name)), id));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice bytes = slice_of((const char *)data, size);
	struct call c;

	call_open(&c, 0, 64 << 20);
	try_record(&c, bytes);
	try_id(&c, bytes);
	call_close(&c);
	return 0;
}
