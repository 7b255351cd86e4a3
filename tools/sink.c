/* sink - the last stage of every answer: bytes into write(2) */
#include "tools/sink.h"

#include "store/base/write_all.h"

void
sink_init(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd};
	buf_init(&s->buf, NULL);
}

static void
write_out(struct sink *s, struct slice bytes)
{
	if (s->failed == 0) {
		s->failed = write_all(s->fd, bytes);
	}
}

bool
sink_flush(struct sink *s)
{
	write_out(s, buf_view(&s->buf));
	buf_clear(&s->buf);
	return s->failed == 0;
}

bool
sink_put(struct sink *s, struct slice bytes)
{
	if (bytes.len >= SINK_PIECE) {
		(void)sink_flush(s);
		write_out(s, bytes);
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
