/* ini - see ini.h */
#include "store/base/text/ini.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "store/base/core/ascii.h"
#include "store/base/core/buf.h"
#include "store/base/core/cleanup.h"

enum { FILE_MAX = 1024 * 1024 };

/* Reads the file and closes @fd. */
static int
ini_read_all(struct call *c, const char *path, int fd, struct slice *out)
{
	struct buf text;
	FILE *f = fdopen(fd, "r");

	if (f == NULL) {
		(void)close(fd);
		return call_fail(c, ERR_IO, "cannot read %s: %s", path, strerrordesc_np(errno));
	}
	buf_init(&text, &c->arena);
	text.len = fread(buf_room(&text, FILE_MAX), 1, FILE_MAX, f);
	bool whole = feof(f) != 0 && ferror(f) == 0;

	(void)fclose(f);
	*out = buf_view(&text);
	return whole ? 0
		     : call_fail(c, ERR_IO, "cannot read %s: %s", path,
				 text.len == FILE_MAX ? "it is too large" : "a read error");
}

static int
open_and_read(struct call *c, const char *path, ini_judge_fn *judge, struct slice *out)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		int r = call_fail(c, ERR_IO, "cannot read %s: %s", path, strerrordesc_np(errno));

		cleanup_fd(&fd);
		return r;
	}
	int r = judge == NULL ? 0 : judge(c, path, &st);

	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return ini_read_all(c, path, fd, out);
}

/* Removes the next line from *text, without its newline. Returns false at the end. */
static bool
ini_next_line(struct slice *text, struct slice *line)
{
	if (text->len == 0) {
		return false;
	}
	const char *newline = slice_chr(*text, '\n');
	size_t n = newline == NULL ? text->len : (size_t)(newline - text->at);

	*line = slice_of(text->at, n);
	*text = slice_skip(*text, newline == NULL ? n : n + 1);
	return true;
}

/* Parses "KEY = VALUE" or the beginning of a group. Returns false if the line is neither. */
static bool
read_setting(struct slice line, struct ini_line *out)
{
	struct slice text = ascii_trim(line);
	const char *equals = slice_chr(text, '=');

	if (equals == NULL || text.at[0] == '#' || text.at[0] == ';') {
		return false;
	}
	size_t n = (size_t)(equals - text.at);

	if (!ascii_blank(line.at[0])) {
		out->group = SLICE("");
	}
	out->key = ascii_trim(slice_of(text.at, n));
	out->value = ascii_trim(slice_skip(text, n + 1));
	return out->key.len > 0;
}

/* Parses a line; *line holds the previous one and gets the new one. Returns false if the line has no meaning. */
static bool
ini_read_line(struct slice text, struct ini_line *line)
{
	struct slice heading = ascii_trim(text);

	if (heading.len >= 2 && heading.at[0] == '[' && heading.at[heading.len - 1] == ']') {
		*line = (struct ini_line){
			.section = ascii_trim(slice_of(heading.at + 1, heading.len - 2))};
		return true;
	}
	if (line->key.len > 0 && line->value.len == 0 && line->group.len == 0) {
		line->group = line->key; /* of the indented lines that follow */
	}
	return read_setting(text, line);
}

int
ini_read(struct call *c, const char *path, ini_judge_fn *judge, struct ini *out)
{
	struct slice text = {0};
	struct slice line = {0};
	struct ini_line *all = NULL;
	struct ini_line one = {0};
	size_t number = 0;
	size_t n = 0;
	size_t cap = 0;
	int r = open_and_read(c, path, judge, &text);

	while (r == 0 && ini_next_line(&text, &line)) {
		number++;
		if (ini_read_line(line, &one)) {
			one.number = number;
			all = arena_room(&c->arena, all, n, &cap);
			all[n++] = one;
		}
	}
	*out = (struct ini){all, n};
	return r;
}

bool
ini_has(const struct ini *p, struct slice section)
{
	for (size_t i = 0; i < p->n; i++) {
		if (slice_eq(p->line[i].section, section)) {
			return true;
		}
	}
	return false;
}

struct slice
ini_value(const struct ini *p, struct slice section, const char *group, const char *key)
{
	struct slice value = {0};

	for (size_t i = 0; i < p->n; i++) {
		const struct ini_line *l = &p->line[i];

		if (slice_eq(l->section, section) && slice_is(l->group, group) &&
		    slice_is(l->key, key)) {
			value = l->value;
		}
	}
	return value;
}
