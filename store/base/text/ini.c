/* ini - see ini.h */
#include "store/base/text/ini.h"

#include <fcntl.h>

enum { FILE_MAX = 1024 * 1024 };

static int
ini_read_all(struct call *c, const char *path, ini_judge_fn *judge, struct slice *out)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct buf text;
	struct stat st;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st) < 0) {
		return call_fail(c, ERR_IO, "cannot read %s: %s", path, strerrordesc_np(errno));
	}
	int r = judge == NULL ? 0 : judge(c, path, &st);

	buf_init(&text, &c->arena);
	while (r == 0 && n > 0 && text.len < FILE_MAX) {
		n = read(fd, buf_room(&text, FILE_MAX - text.len), FILE_MAX - text.len);
		text.len += n > 0 ? (size_t)n : 0;
	}
	*out = buf_view(&text);
	return r < 0 || n == 0 ? r
			       : call_fail(c, ERR_IO, "cannot read %s: %s", path,
					   n > 0 ? "it is too large" : "a read error");
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
	struct ini_line *all = NULL;
	struct ini_line one = {0};
	size_t number = 0;
	size_t n = 0;
	size_t cap = 0;
	int r = ini_read_all(c, path, judge, &text);

	while (r == 0 && text.len > 0) {
		number++;
		if (ini_read_line(slice_take(&text, '\n'), &one)) {
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
