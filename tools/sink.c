/* sink - the last stage of every answer: bytes into write(2) */
#include "tools/sink.h"

#include <errno.h>
#include <fcntl.h>

#include "store/base/write_all.h"

void
sink_init(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd};
	buf_init(&s->buf, NULL);
}

void
sink_compress(struct sink *s)
{
	int fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);

	s->gz = fd < 0 ? NULL : gzdopen(fd, "wb1");
	if (s->gz == NULL) {
		s->failed = errno;
	}
}

static void
write_out(struct sink *s, struct slice bytes)
{
	if (s->failed != 0 || bytes.len == 0) {
		return;
	}
	s->bytes += bytes.len;
	if (s->gz == NULL) {
		s->failed = write_all(s->fd, bytes);
		return;
	}
	errno = 0;
	if (gzwrite(s->gz, bytes.at, (unsigned)bytes.len) <= 0) {
		s->failed = errno == 0 ? EIO : errno;
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

bool
sink_finish(struct sink *s)
{
	(void)sink_flush(s);
	if (s->gz != NULL) {
		errno = 0;
		if (gzclose(s->gz) != Z_OK && s->failed == 0) {
			s->failed = errno == 0 ? EIO : errno;
		}
		s->gz = NULL;
	}
	return s->failed == 0;
}

void
sink_release(struct sink *s)
{
	if (s->gz != NULL) {
		(void)gzclose(s->gz);
	}
	buf_release(&s->buf);
}
