/*
 * refused - the log behind .itemfs/errors.  reply.c adds to it; special.c and
 * OP_REFUSED (hub.c) read it.
 */
#include "fs/refused.h"

#include <stdlib.h>
#include <time.h>

#include "store/base/cleanup.h"
#include "store/base/mem.h"

struct refused_line {
	size_t path_len;
	size_t path_at; /* in text */
	size_t len;
	char text[];
};

void
refused_init(struct refused *log)
{
	*log = (struct refused){0};
	(void)pthread_mutex_init(&log->lock, NULL);
}

void
refused_release(struct refused *log)
{
	for (size_t i = 0; i < REFUSED_MAX; i++) {
		free(log->line[i]);
	}
	(void)pthread_mutex_destroy(&log->lock);
	*log = (struct refused){0};
}

void
refused_time(struct buf *out, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL) {
		tm = (struct tm){0};
	}
	buf_fmt(out, "%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", tm.tm_year + 1900, tm.tm_mon + 1,
		tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, (unsigned)(ms % 1000));
}

/* One line stays one line. */
static void
put_flat(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char ch = (unsigned char)s.at[i];

		buf_char(out, (char)(ch < 0x20 || ch == 0x7F ? ' ' : ch));
	}
}

static const char *
errno_name(int errnum)
{
	const char *name = strerrorname_np(errnum);

	return name == NULL ? "?" : name;
}

static struct refused_line *
line_new(const struct refusal *r)
{
	struct buf text;

	buf_init(&text, NULL);
	refused_time(&text, r->time_ms);
	buf_fmt(&text, "\t%u\t", r->uid);
	size_t path_at = text.len;

	put_flat(&text, r->path);
	buf_fmt(&text, "\t%s\t%s\t", errno_name(r->errnum), r->name);
	put_flat(&text, slice_from(r->sentence));
	struct refused_line *line = mem_zeroed(1, sizeof(*line) + text.len);

	*line = (struct refused_line){.path_len = r->path.len, .path_at = path_at, .len = text.len};
	memcpy(line->text, text.at, text.len);
	buf_release(&text);
	return line;
}

void
refused_add(struct refused *log, const struct refusal *r)
{
	struct refused_line *line = line_new(r);
	lock_scope(&log->lock);

	free(log->line[log->next]);
	log->line[log->next] = line;
	log->next = (log->next + 1) % REFUSED_MAX;
	log->n += log->n < REFUSED_MAX;
}

void
refused_list(struct refused *log, struct call *c, struct slice path, struct refused_out *out)
{
	lock_scope(&log->lock);
	struct slice *lines = arena_new(&c->arena, struct slice, log->n);
	size_t n = 0;

	for (size_t i = 0; i < log->n; i++) {
		size_t at = (log->next + REFUSED_MAX - log->n + i) % REFUSED_MAX;
		const struct refused_line *line = log->line[at];
		struct slice of = slice_of(line->text + line->path_at, line->path_len);

		if (path.len == 0 || slice_eq(path, of)) {
			lines[n++] = slice_copy(&c->arena, slice_of(line->text, line->len));
		}
	}
	*out = (struct refused_out){.lines = lines, .n_lines = n};
}
