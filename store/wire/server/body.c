/* body - limits of the bytes that are kept and read of a request */
#include "store/wire/server/body.h"

#include "store/wire/proto/gzip.h"
#include "store/wire/proto/wire.h"

enum {
	DISCARD_MAX = 4 * WIRE_BODY_MAX
}; /* bytes that are read of a refused body, to answer with the reason */

void
body_announced(struct body *b, const char *length)
{
	char *end = NULL;

	errno = 0;
	unsigned long long n = strtoull(length, &end, 10);

	b->too_large = length[0] != '\0' && (errno != 0 || *end != '\0' || n > WIRE_BODY_MAX);
}

bool
body_collect(struct body *b, atomic_size_t *all, struct slice piece)
{
	if (b->too_large || b->overload) {
		b->dropped += piece.len;
		return b->dropped <= DISCARD_MAX;
	}
	b->too_large = piece.len > WIRE_BODY_MAX - b->bytes.len;
	if (!b->too_large) {
		/* Small requests are accepted even if large ones use all of the memory. */
		b->overload = atomic_fetch_add(all, piece.len) + piece.len > WIRE_BODIES_MAX &&
			      b->bytes.len + piece.len > BODY_SMALL;
		b->overload |= b->bytes.len + piece.len > BODY_SMALL && mem_low();
		buf_slice(&b->bytes, piece);
	}
	if (b->too_large || b->overload) {
		body_drop(b, all);
	}
	return true;
}

void
body_drop(struct body *b, atomic_size_t *all)
{
	atomic_fetch_sub(all, b->bytes.len);
	b->dropped += b->bytes.len;
	buf_release(&b->bytes);
}

/* The body that unpacking fills. */
struct unpacking {
	struct body plain;
	atomic_size_t *all;
};

static bool
body_take_piece(void *arg, struct slice piece)
{
	struct unpacking *u = arg;

	(void)body_collect(&u->plain, u->all, piece);
	return !u->plain.too_large && !u->plain.overload;
}

bool
body_unpack(struct body *b, enum gzip_coding coding, atomic_size_t *all)
{
	struct unpacking u = {.all = all};
	bool good = gzip_unpack(buf_view(&b->bytes), coding, body_take_piece, &u);

	body_drop(b, all);
	*b = u.plain;
	return good;
}
