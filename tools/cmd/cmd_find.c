/* cmd_find - find, tree: list what is below directories of a mount, without a mount */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "store/base/core/cleanup.h"
#include "store/base/text/shell_word.h"

#include "tools/cli/pasted.h"
#include "tools/cmd/cmd.h"
#include "tools/session/ctl.h"
#include "tools/text/words.h"
#include "tools/tree/fuse_client.h"
#include "tools/tree/paths.h"
#include "tools/tree/tree.h"

/* ------------------------------------------------------------ find */

struct find_opts {
	const char *name;
	const char *type;
	struct opt_count depth;
	bool zero;
	bool lines; /* the default */
};

static const struct opt find_opts[] = {
	{"name", 0, OPT_TEXT, "GLOB", offsetof(struct find_opts, name),
	 "only names that match, such as 'B*.json'"},
	{"type", 0, OPT_TEXT, "f|d", offsetof(struct find_opts, type),
	 "only files, or directories"},
	{"maxdepth", 0, OPT_COUNT, "N", offsetof(struct find_opts, depth),
	 "at most N levels below PATH"},
	{"print0", 0, OPT_FLAG, NULL, offsetof(struct find_opts, zero), NULL},
	{"print", 0, OPT_FLAG, NULL, offsetof(struct find_opts, lines), NULL},
	OPTS_END(struct find_opts),
};

static void
find_print(struct paths *f, struct slice path, bool directory)
{
	const struct find_opts *o = f->opts;
	struct buf *out = &f->ctl->out.sink.buf;
	struct slice top = path;

	if (o->type != NULL && directory != (o->type[0] == 'd')) {
		return;
	}
	while (top.len > 1 && top.at[top.len - 1] == '/') {
		top.len--;
	}
	const char *slash = top.len > 1 ? slice_rchr(top, '/') : NULL;
	struct slice name = slash == NULL ? top : slice_skip(top, (size_t)(slash + 1 - top.at));

	if (o->name != NULL) {
		cleanup(buf_release) struct buf text = {0};

		buf_slice(&text, name);
		buf_char(&text, '\0');
		if (fnmatch(o->name, text.at, 0) != 0) {
			return;
		}
	}
	if (o->zero) {
		buf_slice(out, path);
	} else {
		paths_put_name(f, path);
	}
	buf_char(out, o->zero ? '\0' : '\n');
}

static void find_below(struct paths *f, struct buf *path, uint64_t node, uint64_t depth);

/* Print the entry that was read, and what is below it. */
static void
find_take(struct paths *f, struct buf *path, uint64_t node, uint64_t depth,
	  const struct fuse_client_entry *entry)
{
	const struct find_opts *o = f->opts;
	bool directory = entry->type == DT_DIR;
	struct fuse_entry_out found;
	size_t before = path->len;

	if (paths_is_dots(entry->name)) {
		return;
	}
	paths_join(path, entry->name);
	find_print(f, buf_view(path), directory);
	if (directory && (!o->depth.given || depth < o->depth.n)) {
		int e = fuse_client_lookup(&f->tree.client, node, entry->name, &found);

		if (e == 0) {
			find_below(f, path, found.nodeid, depth);
			fuse_client_forget(&f->tree.client, found.nodeid, 1);
		} else if (e != ENOENT) {
			paths_complain(f, buf_view(path), e);
		}
	}
	path->len = before;
}

/* NOLINTNEXTLINE(misc-no-recursion): directories are nested five levels at most */
static void
find_below(struct paths *f, struct buf *path, uint64_t node, uint64_t depth)
{
	struct tree_reader r;
	int e = tree_reader_open(&f->tree, node, false, &r);

	if (e == 0) {
		while (paths_goes_on(f) && (e = tree_reader_next(&f->tree, &r)) == 0) {
			find_take(f, path, node, depth + 1, &r.entry);
		}
		tree_reader_close(&f->tree, &r);
	}
	if (e > 0) {
		paths_complain(f, buf_view(path), e);
	}
}

static void
find_one(struct paths *f, struct slice path, bool several)
{
	const struct find_opts *o = f->opts;
	cleanup(buf_release) struct buf at_path = {0};
	struct tree_at at;
	int e = tree_find(&f->tree, f->c, path, &at);

	(void)several;
	if (e != 0) {
		paths_complain(f, path, e);
		return;
	}
	buf_slice(&at_path, path);
	find_print(f, path, tree_is_directory(&at));
	if (tree_is_directory(&at) && (!o->depth.given || o->depth.n > 0)) {
		find_below(f, &at_path, at.node, 0);
	}
	tree_leave(&f->tree, &at);
}

static int
run_find(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct find_opts *o = opts;

	if (o->type != NULL && strcmp(o->type, "f") != 0 && strcmp(o->type, "d") != 0) {
		return call_fail(c, ERR_USAGE, "-type is f (files) or d (directories), not %s",
				 o->type);
	}
	if (o->zero && o->lines) {
		return call_fail(c, ERR_USAGE, "-print and -print0 cannot both be given");
	}
	for (size_t i = 0; i < words->n; i++) {
		if (words_in("! ( )", slice_from(words->at[i]))) {
			return call_fail(c, ERR_USAGE,
					 "find has no %s: to select paths by other conditions: "
					 "itemctl find PATH | grep REGEX",
					 words->at[i]);
		}
	}
	static const struct paths_command command = {.otherwise = ".", .each = find_one};

	return paths_run(ctl, c, words, opts, &command);
}

const struct command cmd_find = {
	.name = "find",
	.no_dry = "find changes nothing: it takes no --dry-run",
	.usage = "[PATH...] [-name GLOB] [-type f|d] [-maxdepth N] [-print0]",
	.summary = "list paths of a mount with all that is below them, without a mount",
	.details =
		"With a table and a key, find TABLE PK, it is the same as query. With -print0 a zero byte\n"
		"ends each path, for xargs -0; -print is the default. For other conditions of find(1) pipe\n"
		"the paths to grep.",
	.examples = "itemctl find music/ -name 'R*.json'\n"
		    "itemctl find -maxdepth 2 -type d\n",
	.opts = find_opts,
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.run = run_find,
};

/* ------------------------------------------------------------ tree */

enum { TREE_ENTRIES = 20 };

struct tree_opts {
	struct opt_count level;
	struct opt_count limit;
	bool near;
};

static const struct opt tree_opts[] = {
	{"level", 'L', OPT_COUNT, "N", offsetof(struct tree_opts, level), "at most N levels"},
	{"limit", 'n', OPT_COUNT, "N", offsetof(struct tree_opts, limit),
	 "at most N entries of each directory (20); 0: all"},
	/* for completion: nothing is sent to a far endpoint */
	{"near", 0, OPT_FLAG, NULL, offsetof(struct tree_opts, near), NULL},
	OPTS_END(struct tree_opts),
};

/* The position in the tree: the lines on the left, and the path */
struct tree_position {
	struct buf left;
	struct buf path;
	uint64_t depth;
};

static void tree_below(struct paths *f, struct tree_position *p, uint64_t node);

/* Print an entry and what is below it. */
static void
tree_entry(struct paths *f, struct tree_position *p, uint64_t node, struct slice name,
	   bool directory, bool last)
{
	const struct tree_opts *o = f->opts;
	struct buf *out = &f->ctl->out.sink.buf;
	struct fuse_entry_out found;
	size_t left = p->left.len;
	size_t path = p->path.len;

	buf_slice(out, buf_view(&p->left));
	buf_str(out, last ? "└── " : "├── ");
	paths_put_name(f, name);
	buf_str(out, directory ? "/\n" : "\n");
	if (!directory || (o->level.given && p->depth >= o->level.n)) {
		return;
	}
	buf_str(&p->left, last ? "    " : "│   ");
	paths_join(&p->path, name);
	int e = fuse_client_lookup(&f->tree.client, node, name, &found);

	if (e == 0) {
		tree_below(f, p, found.nodeid);
		fuse_client_forget(&f->tree.client, found.nodeid, 1);
	} else if (e != ENOENT) {
		paths_complain(f, buf_view(&p->path), e);
	}
	p->left.len = left;
	p->path.len = path;
}

/* Say that entries are left out, and how to list them.  After a '/' the path is none of STORE/TABLE. */
static void
tree_put_rest(struct paths *f, const struct tree_position *p)
{
	struct buf *out = &f->ctl->out.sink.buf;
	cleanup(buf_release) struct buf path = {0};
	cleanup(buf_release) struct buf line = {0};

	buf_slice(&path, p->path.len == 0 ? SLICE("/") : buf_view(&p->path));
	paths_join(&path, SLICE(""));
	buf_str(&line, "itemctl ls ");
	shell_word(&line, buf_view(&path));
	buf_slice(out, buf_view(&p->left));
	buf_str(out, "└── ... and more: ");
	pasted_put(out, buf_view(&line), f->ctl->store_typed);
	buf_char(out, '\n');
}

/* Print the entries of a directory.  Each one waits for the next, because the last one has another sign. */
/* NOLINTNEXTLINE(misc-no-recursion): directories are nested five levels at most */
static void
tree_below(struct paths *f, struct tree_position *p, uint64_t node)
{
	const struct tree_opts *o = f->opts;
	const uint64_t most = o->limit.given ? o->limit.n : TREE_ENTRIES;
	cleanup(buf_release) struct buf name = {0};
	struct tree_reader r;
	bool directory = false;
	uint64_t n = 0;
	int e = tree_reader_open(&f->tree, node, false, &r);

	if (e != 0) {
		paths_complain(f, buf_view(&p->path), e);
		return;
	}
	p->depth++;
	while (paths_goes_on(f) && (e = tree_reader_next(&f->tree, &r)) == 0) {
		if (paths_is_dots(r.entry.name)) {
			continue;
		}
		if (n > 0) {
			tree_entry(f, p, node, buf_view(&name), directory, false);
		}
		if (n++ == most && most > 0) {
			tree_put_rest(f, p);
			n = 0;
			break;
		}
		buf_clear(&name);
		buf_slice(&name, r.entry.name);
		directory = r.entry.type == DT_DIR;
	}
	if (n > 0 && e < 0) {
		tree_entry(f, p, node, buf_view(&name), directory, true);
	}
	tree_reader_close(&f->tree, &r);
	p->depth--;
	if (e > 0) {
		paths_complain(f, buf_view(&p->path), e);
	}
}

static void
tree_one(struct paths *f, struct slice path, bool several)
{
	struct tree_position p = {0};
	struct tree_at at;
	int e = tree_find(&f->tree, f->c, path, &at);

	(void)several;
	if (e != 0) {
		paths_complain(f, path, e);
		return;
	}
	paths_put_name(f, path.len == 0 ? SLICE("/") : path);
	buf_char(&f->ctl->out.sink.buf, '\n');
	if (tree_is_directory(&at)) {
		buf_slice(&p.path, path);
		tree_below(f, &p, at.node);
	}
	buf_release(&p.left);
	buf_release(&p.path);
	tree_leave(&f->tree, &at);
}

static int
run_tree(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct tree_opts *o = opts;
	const struct paths_command command = {.otherwise = "", .each = tree_one, .near = o->near};

	if (o->level.given && o->level.n == 0) {
		return call_fail(c, ERR_USAGE, "-L must be at least 1");
	}
	return paths_run(ctl, c, words, opts, &command);
}

const struct command cmd_tree = {
	.name = "tree",
	.no_dry = "tree changes nothing: it takes no --dry-run",
	.usage = "[-L N] [--limit N] [PATH...]",
	.summary = "draw the directories of a mount, without a mount",
	.details = "Of each directory it shows the first 20 entries.",
	.examples = "itemctl tree\n"
		    "itemctl tree -L 1 music\n",
	.opts = tree_opts,
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.run = run_tree,
};
