/* sink - see sink.h */
#include "tools/out/sink.h"

#include <fcntl.h>

#include "store/base/core/escape.h"
#include "store/base/system/write_all.h"

#include "tools/out/pager.h"

void
sink_init(struct sink *s, int fd)
{
	*s = (struct sink){.fd = fd, .terminal = fd >= 0 && isatty(fd)};
	buf_init(&s->buf, NULL);
}

void
sink_compress(struct sink *s)
{
	assert(s->gz == NULL && s->bytes == 0 && s->buf.len == 0);
	int fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);

	s->gz = fd < 0 ? NULL : gzdopen(fd, "wb1");
	if (s->gz == NULL) {
		s->failed = errno;
		cleanup_fd(&fd);
	}
}

static void
keep_first_line(struct buf *first, struct slice bytes)
{
	const char *end = slice_chr(bytes, '\n');

	if (first->len == 0 || first->at[first->len - 1] != '\n') {
		buf_put(first, bytes.at, end == NULL ? bytes.len : (size_t)(end - bytes.at) + 1);
	}
}

static void
write_out(struct sink *s, struct slice bytes)
{
	if (s->failed != 0 || bytes.len == 0) {
		return;
	}
	s->bytes += bytes.len;
	if (s->first != NULL) {
		keep_first_line(s->first, bytes);
		return;
	}
	if (s->gz == NULL) {
		s->failed = write_all(s->pager.pid > 0 ? s->pager.fd : s->fd, bytes);
		return;
	}
	errno = 0;
	if (gzwrite(s->gz, bytes.at, (unsigned)bytes.len) <= 0) {
		s->failed = errno == 0 ? EIO : errno;
	}
}

static void
show(struct sink *s, struct slice bytes)
{
	cleanup(buf_release) struct buf shown = {0};

	escape_lines(&shown, bytes, s->colors);
	if (s->paged && s->pager.pid == 0 && pager_is_needed(buf_view(&shown), s->fd)) {
		s->paged = pager_start(&s->pager);
	}
	write_out(s, buf_view(&shown));
}

bool
sink_flush(struct sink *s)
{
	if (!s->terminal || s->gz != NULL) {
		write_out(s, buf_view(&s->buf));
		buf_clear(&s->buf);
	} else if (s->buf.len > 0) {
		size_t whole = escape_whole(buf_view(&s->buf));

		show(s, slice_of(s->buf.at, whole));
		memmove(s->buf.at, s->buf.at + whole, s->buf.len - whole);
		s->buf.len -= whole;
	}
	return s->failed == 0;
}

bool
sink_drain(struct sink *s)
{
	if (s->pager.pid > 0 && s->failed == 0 && pager_is_left(&s->pager)) {
		s->failed = EPIPE;
	}
	return s->buf.len < SINK_PIECE ? s->failed == 0 : sink_flush(s);
}

bool
sink_put(struct sink *s, struct slice bytes)
{
	if (bytes.len >= SINK_PIECE && !s->terminal) {
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
	if (s->buf.len > 0) {
		show(s, buf_view(&s->buf));
		buf_clear(&s->buf);
	}
	if (s->gz != NULL) {
		errno = 0;
		if (gzclose(s->gz) != Z_OK && s->failed == 0) {
			s->failed = errno == 0 ? EIO : errno;
		}
		s->gz = NULL;
	}
	pager_end(&s->pager);
	return s->failed == 0;
}

void
sink_release(struct sink *s)
{
	if (s->gz != NULL) {
		(void)gzclose(s->gz);
	}
	pager_end(&s->pager);
	buf_release(&s->buf);
}
