/* sink - the last stage of every answer: bytes into write(2) */
#include "tools/sink.h"

#include <errno.h>
#include <unistd.h>

void
sink_init(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd};
	buf_init(&s->buf, NULL);
}

static void
write_all(struct sink *s, struct slice rest)
{
	while (rest.len > 0 && s->failed == 0) {
		ssize_t n = write(s->fd, rest.at, rest.len);

		if (n >= 0) {
			rest = slice_skip(rest, (size_t)n);
		} else if (errno != EINTR) {
			s->failed = errno;
		}
	}
}

bool
sink_flush(struct sink *s)
{
	write_all(s, buf_view(&s->buf));
	buf_clear(&s->buf);
	return s->failed == 0;
}

bool
sink_put(struct sink *s, struct slice bytes)
{
	if (bytes.len >= SINK_PIECE) {
		(void)sink_flush(s);
		write_all(s, bytes);
		return s->failed == 0;
	}
	buf_slice(&s->buf, bytes);
	return sink_drain(s);
}

void
sink_release(struct sink *s)
{
	buf_release(&s->buf);
}
