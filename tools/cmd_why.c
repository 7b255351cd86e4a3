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
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/buf.h"
#include "store/base/url.h"
#include "store/base/visible.h"
#include "store/open.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/suggest.h"
#include "tools/why_path.h"

/* Is the last component of @path a name, which may be that of a symbolic link? */
static bool
has_name(struct slice path)
{
	return !slice_is(path, "/") && !slice_is(path, ".") && !slice_is(path, "..") &&
	       !slice_ends(path, SLICE("/.")) && !slice_ends(path, SLICE("/.."));
}

/* The directory that @path is in. */
static struct slice
directory_of(struct slice path)
{
	const char *slash = memrchr(path.at, '/', path.len);

	return slash == NULL      ? SLICE(".")
	       : slash == path.at ? SLICE("/")
				  : slice_of(path.at, (size_t)(slash - path.at));
}

/* The path as the mount knows it: absolute, without symbolic links as far as its directories are there. */
static void
absolute(struct call *c, const char *typed, struct slice *out)
{
	struct slice path = slice_from(typed);
	char real[PATH_MAX];
	struct buf b;

	while (path.len > 1 && path.at[path.len - 1] == '/') {
		path.len--;
	}
	struct slice dir = has_name(path) ? directory_of(path) : path;

	while (realpath(slice_cstr(&c->arena, dir), real) == NULL) {
		if (slice_is(dir, ".")) { /* the working directory is gone */
			*out = path;
			return;
		}
		dir = directory_of(dir);
	}
	/* What is not there; "." and "/" may be none of the letters of @path. */
	struct slice rest = slice_starts(path, dir) ? slice_skip(path, dir.len) : path;

	if (slice_is(dir, ".") && !slice_is(path, ".") && !slice_starts(path, SLICE("./"))) {
		rest = path;
	}
	while (rest.len > 0 && rest.at[0] == '/') {
		rest = slice_skip(rest, 1);
	}
	buf_init(&b, &c->arena);
	buf_str(&b, strcmp(real, "/") == 0 && rest.len > 0 ? "" : real);
	if (rest.len > 0) {
		buf_char(&b, '/');
		buf_slice(&b, rest);
	}
	*out = buf_view(&b);
}

/* The end of a line: a later write of its path was accepted. */
static const char settled[] = "\tsettled";

/*
 * A line of .itemfs/errors, see fs/refused.h; "-" stands for no name of DynamoDB's, "x N" is there from the second time
 * on, "settled" is no attribute without it.
 */
static void
put_line(struct ctl *ctl, struct slice line)
{
	static const struct {
		const char *name;
		bool number;
	} fields[] = {{"Time", false},  {"Uid", true},      {"Path", false}, {"Errno", false},
		      {"Error", false}, {"Message", false}, {"Times", true}};
	enum { FIELDS = sizeof(fields) / sizeof(*fields) };
	struct attr attrs[FIELDS + 1];
	size_t n = 0;
	bool is_settled = slice_ends(line, slice_from(settled));

	line.len -= is_settled ? sizeof(settled) - 1 : 0;
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
	if (is_settled) {
		attrs[n++] = (struct attr){SLICE("Settled"), {.type = VALUE_BOOL, .truth = true}};
	}
	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = n});
}

/* The field with the number @n. */
static struct slice
field_of(struct slice line, size_t n)
{
	const char *tab = line.len == 0 ? NULL : memchr(line.at, '\t', line.len);
	size_t len = tab == NULL ? line.len : (size_t)(tab - line.at);

	if (n == 0) {
		return slice_of(line.at, len);
	}
	return tab == NULL ? SLICE("") : field_of(slice_skip(line, len + 1), n - 1);
}

/* A remark on a file that is there no more is of no use: programs write and rename. */
static bool
is_over(struct call *c, struct slice line)
{
	struct stat st;

	return slice_is(field_of(line, 3), "-") &&
	       lstat(slice_cstr(&c->arena, field_of(line, 2)), &st) != 0;
}

/* Oldest first about a path, where one thing has led to another; of all, the newest refusals first. How many are not settled? */
static size_t
put_lines(struct ctl *ctl, struct call *c, const struct refused_out *log, bool all)
{
	size_t found = 0;

	for (size_t i = 0; i < log->n_lines; i++) {
		struct slice line = log->lines[all ? log->n_lines - 1 - i : i];

		if (!is_over(c, line)) {
			put_line(ctl, line);
			found += !slice_ends(line, slice_from(settled));
		}
	}
	return found;
}

/* What is about @path, or all that is not settled if it is empty. */
static void
read_lines(struct call *c, FILE *errors, struct slice path, struct refused_out *out)
{
	struct slice *lines = NULL;
	size_t cap = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	/* time, uid, path, ... between tabs */
	while ((len = getline(&line, &room, errors)) > 0) {
		struct slice text = slice_of(line, (size_t)len - (line[len - 1] == '\n'));

		if (path.len == 0 ? !slice_ends(text, slice_from(settled))
				  : slice_eq(field_of(text, 2), path)) {
			lines = arena_room(&c->arena, lines, out->n_lines, &cap);
			lines[out->n_lines++] = slice_copy(&c->arena, text);
		}
	}
	free(line);
	out->lines = lines;
}

static size_t
ask_mount(struct ctl *ctl, struct call *c, const char *point, struct slice path)
{
	char name[PATH_MAX];
	size_t found = 0;

	if (snprintf(name, sizeof(name), "%s/.itemfs/errors", point) >= (int)sizeof(name)) {
		return 0;
	}
	FILE *errors = fopen(name, "re");

	/* Another user's mount is none of ours. */
	if (errors != NULL) {
		struct refused_out log = {0};

		read_lines(c, errors, path, &log);
		found = put_lines(ctl, c, &log, path.len == 0);
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
			found += ask_mount(ctl, c, entry.mnt_dir, buf_view(&shown));
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
	*found = r == 0 ? put_lines(ctl, c, &answer, path.len == 0) : 0;
	r = r < 0 ? ctl_adopt(c, &own) : 0;
	call_close(&own);
	return r;
}

static void
tell(struct ctl *ctl, struct slice path, struct slice sentence)
{
	struct attr attrs[] = {{SLICE("Path"), value_string(path)},
			       {SLICE("Message"), value_string(sentence)}};

	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 2});
}

/* Nobody was refused: the path itself says what is wrong, or what is there. */
static void
explain(struct ctl *ctl, struct call *c, struct slice path)
{
	struct buf b;

	buf_init(&b, &c->arena);
	why_path(slice_cstr(&c->arena, path), &b);
	tell(ctl, path, buf_view(&b));
}

/* A filter that was refused may have an operator of another language. */
static void
explain_operator(struct ctl *ctl, struct call *c, struct slice path)
{
	const char *filter = strstr(slice_cstr(&c->arena, path), "/.filter/");

	if (filter != NULL) {
		filter += strlen("/.filter/");

		const char *hint = suggest_operator(
			slice_of(filter, (size_t)(strchrnul(filter, '/') - filter)));

		if (hint != NULL) {
			tell(ctl, path, slice_from(hint));
		}
	}
}

/* Lines of the mounts; a path that is in no mount needs no store. */
static int
ask(struct ctl *ctl, struct call *c, struct slice path, size_t *found)
{
	int r = ctl_named_store(ctl, c);

	if (r == -ERR_USAGE && path.len > 0) {
		c->error = (struct error){0};
		ctl->unopened = false;
		return 0;
	}
	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	if (r < 0) {
		return r;
	}
	if (store_is_remote(ctl->store)) {
		*found = ask_mounts(ctl, c, path);
		return 0;
	}
	return ask_owner(ctl, c, path, found);
}

static int
run_why(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice path = {0};
	size_t found = 0;

	(void)opts;
	if (words->n > 0) {
		absolute(c, words->at[0], &path);
	}
	int r = ask(ctl, c, path, &found);

	/* A name that a mount refuses has its line once it was looked for. */
	if (r == 0 && found == 0 && path.len > 0 &&
	    access(slice_cstr(&c->arena, path), F_OK) != 0) {
		r = ask(ctl, c, path, &found);
	}
	if (r < 0) {
		return r;
	}
	if (words->n == 0) {
		if (found == 0) {
			ctl_note(ctl, "nothing was refused");
		}
	} else if (found == 0) {
		explain(ctl, c, path);
	} else {
		explain_operator(ctl, c, path);
	}
	return 0;
}

const struct command cmd_why = {
	.name = "why",
	.usage = "[PATH]",
	.summary = "the last refused operations in the store's mounts, or what is at a path",
	.examples = "itemctl why\n"
		    "itemctl why /mnt/Acme/Red.json\n",
	.max_words = 1,
	.no_store = true,
	.in_mount = true,
	.pages = true,
	.lists = true,
	.run = run_why,
};
