/* object - see object.h */
#include "store/local/object.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

void
object_open(struct object *o, int fd, bool gzip)
{
	*o = (struct object){.fd = fd};
	if (gzip) {
		o->gz = gzdopen(fd, "rb");
		if (o->gz == NULL) {
			abort();
		}
	}
	buf_init(&o->text, NULL);
}

void
object_close(struct object *o)
{
	if (o->gz != NULL) {
		(void)gzclose_r(o->gz);
	} else {
		(void)close(o->fd);
	}
	buf_release(&o->text);
}

static int
read_packed(struct object *o, struct call *c, char *at, ssize_t *n)
{
	int e = Z_OK;

	*n = gzread(o->gz, at, BLOCK);
	(void)gzerror(o->gz, &e);
	if (*n > 0 && gzdirect(o->gz)) {
		return call_fail(c, ERR_VALIDATION, "it is not compressed with gzip");
	}
	/* What is cut short is found out at its end. */
	return *n < 0 || (*n == 0 && e != Z_OK && e != Z_STREAM_END)
		       ? call_fail(c, ERR_VALIDATION, "the compressed data is damaged or cut short")
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

	if (o->gz != NULL) {
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
