/* object - see object.h */
#include "store/local/archive/object.h"

#include <errno.h>
#include <unistd.h>

#include "store/base/text/unpack.h"

enum { BLOCK = 1 << 16 };

void
object_open(struct object *o, int fd, bool gzip)
{
	*o = (struct object){.fd = fd};
	if (gzip) {
		o->packed = unpack_open(fd);
	}
	buf_init(&o->text, NULL);
}

void
object_close(struct object *o)
{
	if (o->packed != NULL) {
		unpack_close(o->packed);
	} else {
		(void)close(o->fd);
	}
	buf_release(&o->text);
}

static int
read_packed(struct object *o, struct call *c, char *at, ssize_t *n)
{
	*n = unpack_read(o->packed, at, BLOCK);
	if (*n > 0 && !unpack_packed(o->packed)) {
		return call_fail(c, ERR_VALIDATION, "it is not compressed with gzip");
	}
	if (*n == UNPACK_IO) {
		return call_fail(c, ERR_IO, "%s", strerrordesc_np(errno));
	}
	return *n < 0 ? call_fail(c, ERR_VALIDATION, "the compressed data is damaged or cut short")
		      : 0;
}

int
object_more(struct object *o, struct call *c)
{
	struct slice rest = object_rest(o);
	ssize_t n = 0;
	int r = 0;

	if (o->used > 0) {
		memmove(o->text.at, rest.at, rest.len);
		o->text.len = rest.len;
		o->used = 0;
	}
	char *at = buf_room(&o->text, BLOCK);

	if (o->packed != NULL) {
		r = read_packed(o, c, at, &n);
	} else {
		n = read(o->fd, at, BLOCK);
		r = n < 0 ? call_fail(c, ERR_IO, "%s", strerrordesc_np(errno)) : 0;
	}
	if (r == 0) {
		o->text.len += (size_t)n;
		o->bytes += (size_t)n;
		o->whole = n == 0;
	}
	return r;
}
