/*
 * refused - log of refused operations
 *
 * request.c adds most lines; special.c (.itemfs/errors) and OP_REFUSED (hub.c) read them.
 */
#include "fs/saved/refused.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"

/* A user of a mount. */
struct refused_owner {
	struct refused_owner *next;
	size_t n; /* lines in the log */
	uint32_t uid;
	char mount[];
};

struct refused_line {
	struct refused_owner *owner;
	uint64_t time_ms; /* the last time */
	int errnum;
	unsigned times;
	bool settled;
	size_t path_len;
	size_t path_at; /* in text */
	size_t len;
	char text[]; /* the fields between the time and the number of times */
};

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
		free(log->line[i]);
	}
	for (struct refused_owner *o = log->owners, *next; o != NULL; o = next) {
		next = o->next;
		free(o);
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

	*line = (struct refused_line){.time_ms = r->time_ms,
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

static struct refused_owner *
refused_owner_get(struct refused *log, const char *mount, uint32_t uid)
{
	struct refused_owner *o = log->owners;

	assert(lock_held(&log->lock));
	while (o != NULL && (o->uid != uid || strcmp(o->mount, mount) != 0)) {
		o = o->next;
	}
	if (o == NULL) {
		o = mem_zeroed(1, sizeof(*o) + strlen(mount) + 1);
		o->uid = uid;
		memcpy(o->mount, mount, strlen(mount));
		o->next = log->owners;
		log->owners = o;
	}
	return o;
}

static void
owner_free(struct refused *log, struct refused_owner *gone)
{
	struct refused_owner **at = &log->owners;

	assert(lock_held(&log->lock));
	assert(gone->n == 0);
	while (*at != gone) {
		assert(*at != NULL);
		at = &(*at)->next;
	}
	*at = gone->next;
	free(gone);
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

/* Drop the oldest line of the user with the most lines.  @newcomer is about to add a line, so it is not freed. */
static void
log_make_room(struct refused *log, const struct refused_owner *newcomer)
{
	assert(lock_held(&log->lock));
	assert(log->n > 0);
	struct refused_owner *most = log->line[0]->owner;
	size_t i = 0;

	for (struct refused_owner *o = log->owners; o != NULL; o = o->next) {
		most = o->n > most->n ? o : most;
	}
	while (log->line[i]->owner != most) {
		i++;
	}
	free(log_take(log, i));
	if (--most->n == 0 && most != newcomer) {
		owner_free(log, most);
	}
}

/* Take out the line of @owner that has the same text.  Return: the line, now the caller's; NULL: there is none. */
static struct refused_line *
log_take_same(struct refused *log, const struct refused_owner *owner,
	      const struct refused_line *line)
{
	assert(lock_held(&log->lock));
	for (size_t i = log->n; i-- > 0;) {
		if (log->line[i]->owner == owner &&
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
	struct refused_owner *owner = refused_owner_get(log, r->mount, r->uid);
	struct refused_line *same = log_take_same(log, owner, line);

	line->owner = owner;
	if (same != NULL) {
		line->times += same->times;
		free(same);
	} else {
		if (log->n == log->max) {
			log_make_room(log, owner);
		}
		owner->n++;
	}
	assert(log->n < log->max);
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
	const struct refused_owner *owner = line->owner;

	if (reader->mount != NULL && strcmp(reader->mount, owner->mount) != 0) {
		return false;
	}
	if (reader->only_own && reader->uid != owner->uid) {
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
