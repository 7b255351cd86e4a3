/*
 * cmd_why - why
 *
 * The process that owns a store answers for all of its mounts.  Those of an endpoint have nothing in
 * common: each tells in .itemfs/errors what it has refused.
 */
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/buf.h"
#include "store/base/url.h"
#include "store/base/visible.h"
#include "store/open.h"

#include "tools/command.h"
#include "tools/ctl.h"

/* The path as the mount knows it: absolute, its directory without symbolic links. */
static void
absolute(struct call *c, const char *path, struct slice *out)
{
	const char *slash = strrchr(path, '/');
	const char *dir = slash == NULL ? "." : slash == path ? "/" : NULL;
	const char *name = slash == NULL ? path : slash + 1;
	char real[PATH_MAX];
	struct buf b;

	if (dir == NULL) {
		dir = slice_cstr(&c->arena, slice_of(path, (size_t)(slash - path)));
	}
	if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		dir = path;
		name = "";
	}
	if (realpath(dir, real) == NULL) {
		*out = slice_from(path); /* a directory that is gone: as it was typed */
		return;
	}
	buf_init(&b, &c->arena);
	buf_str(&b, strcmp(real, "/") == 0 ? "" : real);
	if (*name != '\0') {
		buf_char(&b, '/');
		buf_str(&b, name);
	}
	*out = buf_view(&b);
}

/* A line of .itemfs/errors, see fs/refused.h; "-" stands for no name of DynamoDB's, "x N" is there from the second time on. */
static void
put_line(struct ctl *ctl, struct slice line)
{
	static const struct {
		const char *name;
		bool number;
	} fields[] = {{"Time", false},  {"Uid", true},      {"Path", false}, {"Errno", false},
		      {"Error", false}, {"Message", false}, {"Times", true}};
	enum { FIELDS = sizeof(fields) / sizeof(*fields) };
	struct attr attrs[FIELDS];
	size_t n = 0;

	for (size_t i = 0; i < FIELDS && line.len > 0; i++) {
		const char *tab = memchr(line.at, '\t', line.len);
		size_t len = tab == NULL ? line.len : (size_t)(tab - line.at);
		struct slice field = slice_of(line.at, len);

		line = slice_skip(line, tab == NULL ? len : len + 1);
		if (slice_is(field, "-")) {
			continue;
		}
		if (i == FIELDS - 1 && slice_starts(field, SLICE("x "))) {
			field = slice_skip(field, 2);
		}
		attrs[n++] = (struct attr){
			.name = slice_from(fields[i].name),
			.value = {.type = fields[i].number ? VALUE_N : VALUE_S, .text = field},
		};
	}
	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = n});
}

/* Print what is about @path, or all if it is empty. */
static size_t
print_lines(struct ctl *ctl, FILE *errors, struct slice path)
{
	char *line = NULL;
	size_t room = 0;
	size_t found = 0;
	ssize_t len;

	/* time, uid, path, ... between tabs */
	while ((len = getline(&line, &room, errors)) > 0) {
		const char *at = strchr(line, '\t');

		at = at == NULL ? NULL : strchr(at + 1, '\t');
		struct slice rest = slice_from(at == NULL ? "" : at + 1);

		if (path.len == 0 || (slice_starts(rest, path) &&
				      slice_starts(slice_skip(rest, path.len), SLICE("\t")))) {
			put_line(ctl, slice_of(line, (size_t)len - (line[len - 1] == '\n')));
			found++;
		}
	}
	free(line);
	return found;
}

static size_t
ask_mount(struct ctl *ctl, const char *point, struct slice path)
{
	char name[PATH_MAX];
	size_t found = 0;

	if (snprintf(name, sizeof(name), "%s/.itemfs/errors", point) >= (int)sizeof(name)) {
		return 0;
	}
	FILE *errors = fopen(name, "re");

	/* Another user's mount is none of ours. */
	if (errors != NULL) {
		found = print_lines(ctl, errors, path);
		(void)fclose(errors);
	}
	return found;
}

/* Without the '/' that may end a URL. */
static struct slice
plain(const char *name)
{
	struct slice s = slice_from(name);

	while (s.len > 0 && s.at[s.len - 1] == '/') {
		s.len--;
	}
	return s;
}

/* Everything that the mounts of this endpoint have refused. */
static size_t
ask_mounts(struct ctl *ctl, struct call *c, struct slice path)
{
	struct slice store = plain(url_shown(&c->arena, ctl->store));
	struct buf shown; /* the path as the lines have it */
	struct mntent entry;
	char words[2 * PATH_MAX + 1024];
	size_t found = 0;
	FILE *f = setmntent("/proc/self/mounts", "re");

	buf_init(&shown, &c->arena);
	(void)visible_put(&shown, path, SIZE_MAX);

	while (f != NULL && getmntent_r(f, &entry, words, sizeof(words)) != NULL) {
		if (strcmp(entry.mnt_type, "fuse.itemfs") == 0 &&
		    slice_eq(plain(entry.mnt_fsname), store)) {
			found += ask_mount(ctl, entry.mnt_dir, buf_view(&shown));
		}
	}
	if (f != NULL) {
		(void)endmntent(f);
	}
	return found;
}

/* Everything that the mounts of this store have refused. */
static int
ask_owner(struct ctl *ctl, struct call *c, struct slice path, size_t *found)
{
	struct refused_in in = {.path = path};
	struct refused_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_refused(ctl->engine, &own, &in, &answer);

	if (r == -ERR_NOT_SUPPORTED || r == -ERR_UNKNOWN_OPERATION) {
		r = 0; /* nobody has it mounted, so nothing was refused */
	}
	for (size_t i = 0; r == 0 && i < answer.n_lines; i++) {
		put_line(ctl, answer.lines[i]);
	}
	*found = answer.n_lines;
	r = r < 0 ? ctl_adopt(c, &own) : 0;
	call_close(&own);
	return r;
}

static int
run_why(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice path = {0};
	size_t found = 0;
	int r = 0;

	(void)opts;
	if (words->n > 0) {
		absolute(c, words->at[0], &path);
	}
	if (store_is_remote(ctl->store)) {
		found = ask_mounts(ctl, c, path);
	} else {
		r = ask_owner(ctl, c, path, &found);
	}
	if (r == 0 && found == 0) {
		ctl_note(ctl, "nothing was refused");
		r = words->n == 0 ? 0 : 1;
	}
	return r;
}

const struct command cmd_why = {
	.name = "why",
	.usage = "[PATH]",
	.summary = "the last refused operations of the store's mounts, or of one path",
	.max_words = 1,
	.lists = true,
	.run = run_why,
};
