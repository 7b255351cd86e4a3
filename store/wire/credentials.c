/* credentials - profiles, one line after the other */
#include "store/wire/credentials.h"

#include <errno.h>
#include <stdio.h>

#include "store/base/ascii.h"
#include "store/base/buf.h"

enum { FILE_MAX = 1024 * 1024 };

static int
read_all(struct call *c, const char *path, struct slice *out)
{
	struct buf text;
	FILE *f = fopen(path, "re");
	char reason[128];

	if (f == NULL) {
		return call_fail(c, ERR_IO, "cannot read %s: %s", path,
				 strerror_r(errno, reason, sizeof(reason)));
	}
	buf_init(&text, &c->arena);
	text.len = fread(buf_room(&text, FILE_MAX), 1, FILE_MAX, f);
	bool whole = feof(f) != 0 && ferror(f) == 0;

	(void)fclose(f);
	*out = buf_view(&text);
	return whole ? 0
		     : call_fail(c, ERR_IO, "cannot read %s as a file of credentials: %s", path,
				 text.len == FILE_MAX ? "it is too large" : "an error");
}

/* The next line, without blanks around it; false at the end. */
static bool
next_line(struct slice *text, struct slice *line)
{
	if (text->len == 0) {
		return false;
	}
	const char *newline = memchr(text->at, '\n', text->len);
	size_t n = newline == NULL ? text->len : (size_t)(newline - text->at);

	*line = ascii_trim(slice_of(text->at, n));
	*text = slice_skip(*text, newline == NULL ? n : n + 1);
	return true;
}

/* [NAME] */
static bool
is_heading(struct slice line, struct slice *name)
{
	bool heading = line.len >= 2 && line.at[0] == '[' && line.at[line.len - 1] == ']';

	if (heading) {
		*name = ascii_trim(slice_of(line.at + 1, line.len - 2));
	}
	return heading;
}

/* KEY = VALUE into the member that KEY names. */
static void
take_line(struct credential *one, struct slice line)
{
	const char *equals = line.len == 0 ? NULL : memchr(line.at, '=', line.len);

	if (equals == NULL || line.at[0] == '#' || line.at[0] == ';') {
		return;
	}
	size_t n = (size_t)(equals - line.at);
	struct slice key = ascii_trim(slice_of(line.at, n));
	struct slice value = ascii_trim(slice_skip(line, n + 1));

	if (slice_is(key, "aws_access_key_id")) {
		one->id = value;
	} else if (slice_is(key, "aws_secret_access_key")) {
		one->secret = value;
	} else if (slice_is(key, "aws_session_token")) {
		one->token = value;
	}
}

int
credentials_read(struct call *c, const char *path, struct credentials *out)
{
	struct slice text = {0};
	struct slice line = {0};
	struct credential *all = NULL;
	size_t n = 0;
	size_t cap = 0;
	struct credential one = {.profile = SLICE("")};
	int r = read_all(c, path, &text);

	if (r < 0) {
		return r;
	}
	for (bool more = true; more;) {
		struct slice name = {0};

		more = next_line(&text, &line);
		if (more && !is_heading(line, &name)) {
			take_line(&one, line);
			continue;
		}
		if (one.id.len > 0 && one.secret.len > 0) {
			all = arena_room(&c->arena, all, n, &cap);
			all[n++] = one;
		}
		one = (struct credential){.profile = name};
	}
	*out = (struct credentials){all, n};
	return n > 0 ? 0
		     : call_fail(c, ERR_VALIDATION,
				 "no profile of %s has aws_access_key_id and aws_secret_access_key",
				 path);
}

const struct credential *
credentials_of_id(const struct credentials *known, struct slice id)
{
	for (size_t i = 0; i < known->n; i++) {
		if (slice_eq(known->all[i].id, id)) {
			return &known->all[i];
		}
	}
	return NULL;
}

const struct credential *
credentials_of_profile(const struct credentials *known, struct slice profile)
{
	for (size_t i = 0; i < known->n; i++) {
		if (slice_eq(known->all[i].profile, profile)) {
			return &known->all[i];
		}
	}
	return NULL;
}
