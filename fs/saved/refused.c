/*
 * refused - log of refused operations
 *
 * request.c adds most lines; special.c (.itemfs/errors) and OP_REFUSED (hub.c) read them.
 */
#include "fs/saved/refused.h"

#include "store/base/core/clock.h"
#include "store/base/core/escape.h"

struct refused_line {
	char *mount; /* on the heap */
	uint32_t uid;
	uint64_t time_ms; /* the last time */
	int errnum;
	unsigned times;
	bool settled;
	size_t path_len;
	size_t path_at; /* in text */
	size_t len;
	char text[]; /* the fields between the time and the number of times */
};

static void
line_free(struct refused_line *line)
{
	if (line != NULL) {
		free(line->mount);
		free(line);
	}
}

void
refused_init(struct refused *log, size_t max)
{
	*log = (struct refused){.max = max < REFUSED_MAX ? max : REFUSED_MAX};
	(void)pthread_mutex_init(&log->lock, NULL);
}

void
refused_release(struct refused *log)
{
	for (size_t i = 0; i < log->n; i++) {
		line_free(log->line[i]);
	}
	(void)pthread_mutex_destroy(&log->lock);
	*log = (struct refused){0};
}

static const char *
errno_name(int errnum)
{
	const char *name = errnum == 0 ? "-" : strerrorname_np(errnum);

	return name == NULL ? "?" : name;
}

static struct refused_line *
line_new(const struct refusal *r)
{
	struct buf text;

	buf_init(&text, NULL);
	buf_fmt(&text, "\t%u\t", r->uid);
	size_t path_at = text.len;

	/* Users choose names and texts: without escapes these could add lines or control a terminal. */
	(void)escape_put(&text, r->path, SIZE_MAX);
	size_t path_len = text.len - path_at;

	buf_fmt(&text, "\t%s\t%s\t", errno_name(r->errnum), r->name);
	(void)escape_put(&text, slice_from(r->sentence), SIZE_MAX);
	struct refused_line *line = mem_zeroed(1, sizeof(*line) + text.len);

	*line = (struct refused_line){.mount = mem_string(r->mount),
				      .uid = r->uid,
				      .time_ms = r->time_ms,
				      .errnum = r->errnum,
				      .times = 1,
				      .path_len = path_len,
				      .path_at = path_at,
				      .len = text.len};
	memcpy(line->text, text.at, text.len);
	buf_release(&text);
	return line;
}

static struct slice
line_text(const struct refused_line *line)
{
	return slice_of(line->text, line->len);
}

/* ------------------------------------------------------------ lines; the caller holds log->lock */

/* Return: whether both lines are of the same user of a mount */
static bool
line_is_beside(const struct refused_line *one, const struct refused_line *other)
{
	return one->uid == other->uid && strcmp(one->mount, other->mount) == 0;
}

static struct refused_line *
log_take(struct refused *log, size_t i)
{
	assert(lock_held(&log->lock));
	assert(i < log->n);
	struct refused_line *line = log->line[i];

	log->n--;
	log->n_open -= !line->settled;
	memmove(&log->line[i], &log->line[i + 1], (log->n - i) * sizeof(struct refused_line *));
	return line;
}

/* The oldest line of the user with the most lines. */
static size_t
log_most(const struct refused *log)
{
	size_t most = 0, most_lines = 0;

	assert(lock_held(&log->lock));
	for (size_t i = 0; i < log->n; i++) {
		size_t first = 0, lines = 0;

		while (!line_is_beside(log->line[first], log->line[i])) {
			first++;
		}
		for (size_t k = i; first == i && k < log->n; k++) {
			lines += line_is_beside(log->line[k], log->line[i]);
		}
		if (lines > most_lines) {
			most = i;
			most_lines = lines;
		}
	}
	return most;
}

/* Take out the line of the same user that has the same text.  Return: the line, now the caller's; NULL: there is none. */
static struct refused_line *
log_take_same(struct refused *log, const struct refused_line *line)
{
	assert(lock_held(&log->lock));
	for (size_t i = log->n; i-- > 0;) {
		if (line_is_beside(log->line[i], line) &&
		    slice_eq(line_text(log->line[i]), line_text(line))) {
			return log_take(log, i);
		}
	}
	return NULL;
}

void
refused_add(struct refused *log, const struct refusal *r)
{
	struct refused_line *line = line_new(r);

	lock_scope(&log->lock);
	struct refused_line *same = log_take_same(log, line);

	line->times += same == NULL ? 0 : same->times;
	line_free(same);
	if (log->n == log->max) {
		line_free(log_take(log, log_most(log)));
	}
	log->line[log->n++] = line;
	log->n_open++;
}

static struct slice
line_path(const struct refused_line *line)
{
	return slice_of(line->text + line->path_at, line->path_len);
}

void
refused_settle(struct refused *log, struct slice path)
{
	cleanup(buf_release) struct buf flat = {0};
	lock_scope(&log->lock);

	if (log->n_open == 0) {
		return;
	}
	(void)escape_put(&flat, path, SIZE_MAX);
	for (size_t i = 0; i < log->n; i++) {
		struct refused_line *line = log->line[i];

		if (!line->settled && slice_eq(line_path(line), buf_view(&flat))) {
			line->settled = true;
			log->n_open--;
		}
	}
}

/* Return: whether programs such as mkdir -p, rmdir -p, or mv to another filesystem expect the error */
static bool
is_tried(int errnum)
{
	return errnum == EEXIST || errnum == ENOTEMPTY || errnum == EXDEV || errnum == EISDIR;
}

/* @flat: reader->path, escaped as in lines; empty: any */
static bool
is_shown(const struct refused_line *line, const struct refused_reader *reader, struct slice flat)
{
	if (reader->mount != NULL && strcmp(reader->mount, line->mount) != 0) {
		return false;
	}
	if (reader->only_own && reader->uid != line->uid) {
		return false;
	}
	if (reader->meant && (line->settled || is_tried(line->errnum))) {
		return false;
	}
	return flat.len == 0 || slice_eq(flat, line_path(line));
}

static struct slice
line_show(struct arena *a, const struct refused_line *line)
{
	struct buf b;

	buf_init(&b, a);
	clock_put(&b, line->time_ms);
	buf_char(&b, 'Z');
	buf_slice(&b, line_text(line));
	if (line->times > 1) {
		buf_fmt(&b, "\tx %u", line->times);
	}
	buf_str(&b, line->settled ? "\tsettled" : "");
	return buf_view(&b);
}

void
refused_list(struct refused *log, struct call *c, const struct refused_reader *reader,
	     struct refused_out *out)
{
	struct buf path;

	buf_init(&path, &c->arena);
	(void)escape_put(&path, reader->path, SIZE_MAX);
	lock_scope(&log->lock);
	struct slice *lines = arena_new(&c->arena, struct slice, log->n);
	size_t n = 0;

	for (size_t i = 0; i < log->n; i++) {
		if (is_shown(log->line[i], reader, buf_view(&path))) {
			lines[n++] = line_show(&c->arena, log->line[i]);
		}
	}
	*out = (struct refused_out){.lines = lines, .n_lines = n};
}
