/* cmd_ls - ls, cat: list directories and print files of a mount, without a mount */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/cmd/cmd.h"
#include "tools/out/sink.h"
#include "tools/session/ctl.h"
#include "tools/tree/fuse_client.h"
#include "tools/tree/paths.h"
#include "tools/tree/tree.h"

/* ------------------------------------------------------------ cat */

static void
cat_one(struct paths *f, struct slice path, bool several)
{
	struct tree_at at;
	struct fuse_client_file file;
	struct slice piece;
	int e = tree_find(&f->tree, f->c, path, &at);

	(void)several;
	if (e != 0) {
		paths_complain(f, path, e);
		return;
	}
	e = tree_is_directory(&at) ? EISDIR
				   : fuse_client_open_file(&f->tree.client, at.node, &file);
	if (e == 0) {
		while ((e = fuse_client_read(&f->tree.client, &file, &piece)) == 0 &&
		       piece.len > 0) {
			buf_slice(&f->ctl->out.sink.buf, piece);
			if (!sink_flush(&f->ctl->out.sink)) {
				break;
			}
		}
		fuse_client_close_file(&f->tree.client, &file, false);
	}
	if (e != 0) {
		paths_complain(f, path, e);
	}
	tree_leave(&f->tree, &at);
}

static int
run_cat(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	static const struct paths_command command = {.otherwise = "", .each = cat_one};

	return paths_run(ctl, c, words, opts, &command);
}

const struct command cmd_cat = {
	.name = "cat",
	.no_dry = "cat changes nothing: it takes no --dry-run",
	.usage = "PATH...",
	.summary = "print files of a mount, without a mount",
	.details =
		"PATH is a path below a mount of the store: an item, or a generated file such as\n"
		"TABLE/.jsonl, also below an index or a query. A first word without a '/' is a table: see\n"
		"get and scan.",
	.examples = "itemctl cat music/Acme/Red.json\n"
		    "itemctl cat 'music/Acme/.begins_with/B/.filter/Year > 1990/.jsonl'\n",
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true,
	.run = run_cat,
};

/* ------------------------------------------------------------ ls */

struct ls_opts {
	bool all;
	bool details;
	bool unsorted;
};

static const struct opt ls_opts[] = {
	{"all", 'a', OPT_FLAG, NULL, offsetof(struct ls_opts, all),
	 "also names that begin with a dot, if the mount lists them"},
	{"long", 'l', OPT_FLAG, NULL, offsetof(struct ls_opts, details),
	 "mode, owner, size and time of each file"},
	{"unsorted", 'U', OPT_FLAG, NULL, offsetof(struct ls_opts, unsorted), NULL},
	OPTS_END(struct ls_opts),
};

/* Append mode, links, owner, group, size and time, as ls -l --time-style=long-iso. */
static void
ls_put_details(struct buf *out, const struct fuse_attr *a)
{
	static const char bits[] = "rwxrwxrwx";
	char time[32] = "?";
	time_t seconds = (time_t)a->mtime;
	struct tm tm;
	/* NOLINTBEGIN(concurrency-mt-unsafe): there are no threads */
	const struct passwd *user = getpwuid(a->uid);
	const struct group *group = getgrgid(a->gid);
	/* NOLINTEND(concurrency-mt-unsafe) */

	buf_char(out, S_ISDIR(a->mode) ? 'd' : '-');
	for (size_t i = 0; i < sizeof(bits) - 1; i++) {
		buf_char(out, (a->mode & (0400U >> i)) != 0 ? bits[i] : '-');
	}
	buf_fmt(out, " %u ", a->nlink);
	if (user != NULL) {
		buf_fmt(out, "%s ", user->pw_name);
	} else {
		buf_fmt(out, "%u ", a->uid);
	}
	if (group != NULL) {
		buf_fmt(out, "%s ", group->gr_name);
	} else {
		buf_fmt(out, "%u ", a->gid);
	}
	if (localtime_r(&seconds, &tm) != NULL) {
		(void)strftime(time, sizeof(time), "%Y-%m-%d %H:%M", &tm);
	}
	buf_fmt(out, "%8llu %s ", (unsigned long long)a->size, time);
}

static void
ls_put(struct paths *f, struct slice name, const struct fuse_attr *a)
{
	const struct ls_opts *o = f->opts;
	struct buf *out = &f->ctl->out.sink.buf;

	if (o->details) {
		ls_put_details(out, a);
	}
	paths_put_name(f, name);
	buf_char(out, '\n');
}

/* Print the entry that was read.  Return: 0 or an errno */
static int
ls_entry(struct paths *f, const struct tree_at *dir, const struct fuse_client_entry *entry)
{
	const struct ls_opts *o = f->opts;
	struct fuse_entry_out found = entry->found;
	int e = 0;

	if (entry->name.at[0] == '.' && !o->all) {
		fuse_client_forget(&f->tree.client, found.nodeid, found.nodeid != 0);
		return 0;
	}
	if (o->details && paths_is_dots(entry->name)) {
		found.attr = dir->attr;
	} else if (o->details && found.nodeid == 0) {
		e = fuse_client_lookup(&f->tree.client, dir->node, entry->name, &found);
	}
	if (e == 0) {
		ls_put(f, entry->name, &found.attr);
	}
	if (found.nodeid != 0 && e == 0) {
		fuse_client_forget(&f->tree.client, found.nodeid, 1);
	}
	return e == ENOENT ? 0 : e; /* it was deleted meanwhile */
}

static int
ls_directory(struct paths *f, const struct tree_at *dir)
{
	const struct ls_opts *o = f->opts;
	struct tree_reader r;
	int e = tree_reader_open(&f->tree, dir->node, o->details, &r);

	if (e != 0) {
		return e;
	}
	while (e == 0 && paths_goes_on(f)) {
		e = tree_reader_next(&f->tree, &r);
		e = e == 0 ? ls_entry(f, dir, &r.entry) : e;
	}
	tree_reader_close(&f->tree, &r);
	return e < 0 ? 0 : e;
}

/* Print a file, or the only directory.  Several directories follow after all files, as those of ls(1). */
static void
ls_one(struct paths *f, struct slice path, bool several)
{
	struct tree_at at;
	int e = tree_find(&f->tree, f->c, path, &at);

	if (e == 0 && tree_is_directory(&at) && several) {
		struct paths_later *later = arena_new(&f->c->arena, struct paths_later, 1);

		*later = (struct paths_later){path, at, NULL};
		*(f->last == NULL ? &f->first : &f->last->next) = later;
		f->last = later;
		return;
	}
	if (e == 0 && tree_is_directory(&at)) {
		e = ls_directory(f, &at);
		tree_leave(&f->tree, &at);
	} else if (e == 0) {
		ls_put(f, path, &at.attr);
		f->begun = true;
		tree_leave(&f->tree, &at);
	}
	if (e != 0) {
		paths_complain(f, path, e);
	}
}

/* Print several directories, each after its path. */
static void
ls_end(struct paths *f)
{
	struct buf *out = &f->ctl->out.sink.buf;

	for (const struct paths_later *d = f->first; d != NULL && paths_goes_on(f); d = d->next) {
		buf_str(out, f->begun ? "\n" : "");
		paths_put_name(f, d->path.len == 0 ? SLICE("/") : d->path);
		buf_str(out, ":\n");
		f->begun = true;
		int e = ls_directory(f, &d->at);

		if (e != 0) {
			paths_complain(f, d->path, e);
		}
		tree_leave(&f->tree, &d->at);
	}
}

static int
run_ls(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	static const struct paths_command command = {
		.otherwise = "", .each = ls_one, .end = ls_end};

	return paths_run(ctl, c, words, opts, &command);
}

const struct command cmd_ls = {
	.name = "ls",
	.no_dry = "ls changes nothing: it takes no --dry-run",
	.usage = "[-l] [-a] [PATH...]",
	.summary = "list directories of a mount, without a mount",
	.details =
		"Prints one name per line, in the order of the mount: by keys. A word without a '/' is a\n"
		"table, which scan prints: write ls TABLE/. Without a word, ls, ls . and ls -l are the\n"
		"same as tables: write ls /.",
	.examples = "itemctl ls music/\n"
		    "itemctl ls -l music/Acme\n"
		    "itemctl ls music/.index\n",
	.opts = ls_opts,
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.run = run_ls,
};
