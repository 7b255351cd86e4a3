/* tree - see tree.h */
#include "tools/tree/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/core/escape.h"
#include "store/base/system/private.h"
#include "store/open.h"

#include "tools/session/ctl.h"
#include "tools/session/spending.h"
#include "tools/system/child.h"
#include "tools/system/itemfs_program.h"
#include "tools/text/text_lines.h"
#include "tools/tree/fuse_client.h"
#include "tools/why/why_look.h"
#include "tools/why/why_path.h"

/* The mount point in the log of a mount without one: DEVICE_SOCKET of fs/daemon/device.h */
static const char tree_point[] = "itemctl:";

/* ------------------------------------------------------------ begin and end */

/*
 * The mount options, in the call's arena.  The default of max_read= is for programs that walk through a mount; it would
 * make a command wait silently.
 */
static const char *
tree_options(const struct ctl *ctl, struct call *c)
{
	const struct spending *s = ctl->spending;

	if (!store_is_remote(ctl->store)) {
		return "ro";
	}
	if (s == NULL || !s->has_rate) {
		return "ro,max_read=0";
	}
	return s->rate.percent != 0
		       ? arena_print(&c->arena, "ro,max_read=0,rate=%u%%", s->rate.percent)
		       : arena_print(&c->arena, "ro,max_read=0,rate=%.15g", s->rate.read_units);
}

/* Start itemfs with the socket @theirs in place of a mount point. */
static int
tree_start(struct ctl *ctl, struct call *c, int theirs, pid_t *pid)
{
	const char *argv[] = {itemfs_program(c),
			      ctl->store,
			      arena_print(&c->arena, "/dev/fd/%d", theirs),
			      "-o",
			      tree_options(ctl, c),
			      NULL};
	cleanup(cleanup_fd) int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int fds[3] = {null, null, STDERR_FILENO};

	private_umask_end(); /* the mode of files is that of a mount */
	int e = null < 0 ? errno : child_start(argv, fds, CHILD_PLAIN, pid);

	return e == 0 ? 0
		      : call_fail(c, ERR_IO, "%s cannot be started: %s", argv[0],
				  strerrordesc_np(e));
}

int
tree_open(struct ctl *ctl, struct call *c, struct tree *t)
{
	cleanup(cleanup_fd) int theirs = -1;
	int ends[2] = {-1, -1};
	int r = ctl_named_store(ctl, c);

	if (r == 0 && ctl_store_is_new(ctl, c)) {
		r = ctl_open_store(ctl, c, false); /* for its message */
	}
	if (r == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
		r = call_fail(c, ERR_IO, "cannot create a socket: %m");
	}
	if (r < 0) {
		return r;
	}
	theirs = ends[1];
	(void)fcntl(theirs, F_SETFD, 0);
	r = tree_start(ctl, c, theirs, &t->pid);
	if (r < 0) {
		(void)close(ends[0]);
		return r;
	}
	cleanup_fd(&theirs);
	theirs = -1;
	int e = fuse_client_open(&t->client, ends[0]);

	if (e == 0) {
		return 0;
	}
	fuse_client_close(&t->client);
	int status = child_wait(t->pid);

	return WIFEXITED(status) && WEXITSTATUS(status) != 0
		       ? WEXITSTATUS(status)
		       : call_fail(c, ERR_IO, "itemfs has ended: %s", strerrordesc_np(e));
}

void
tree_close(struct tree *t)
{
	fuse_client_close(&t->client);
	(void)child_wait(t->pid);
}

/* ------------------------------------------------------------ paths */

bool
tree_is_directory(const struct tree_at *at)
{
	return S_ISDIR(at->attr.mode);
}

/* Go to the entry @name of the directory *at. */
static int
tree_step(struct tree *t, struct slice name, struct tree_at *at)
{
	struct fuse_entry_out found;

	if (!tree_is_directory(at)) {
		return ENOTDIR;
	}
	if (slice_is(name, ".")) {
		return 0;
	}
	if (slice_is(name, "..")) {
		if (at->n > 0) {
			fuse_client_forget(&t->client, at->node, 1);
			at->node = --at->n == 0 ? FUSE_ROOT_ID : at->way[at->n - 1];
		}
		return fuse_client_attributes(&t->client, at->node, &at->attr);
	}
	int e = fuse_client_lookup(&t->client, at->node, name, &found);

	if (e == 0) {
		at->way[at->n++] = found.nodeid;
		at->node = found.nodeid;
		at->attr = found.attr;
	}
	return e;
}

int
tree_find(struct tree *t, struct call *c, struct slice path, struct tree_at *out)
{
	bool directory = slice_ends(path, SLICE("/"));

	*out = (struct tree_at){.node = FUSE_ROOT_ID,
				.way = arena_new(&c->arena, uint64_t, path.len / 2 + 1)};
	int e = fuse_client_attributes(&t->client, out->node, &out->attr);

	while (e == 0 && path.len > 0) {
		struct slice name = slice_take(&path, '/');

		e = name.len == 0 ? 0 : tree_step(t, name, out);
	}
	if (e == 0 && directory && !tree_is_directory(out)) {
		e = ENOTDIR;
	}
	if (e != 0) {
		tree_leave(t, out);
	}
	return e;
}

void
tree_leave(struct tree *t, const struct tree_at *at)
{
	for (size_t i = at->n; i > 0; i--) {
		fuse_client_forget(&t->client, at->way[i - 1], 1);
	}
}

/* ------------------------------------------------------------ files and directories */

void
tree_read(struct tree *t, const struct tree_at *at, size_t most, struct buf *out)
{
	struct fuse_client_file file;
	struct slice piece;

	if (fuse_client_open_file(&t->client, at->node, &file) == 0) {
		while (out->len < most && fuse_client_read(&t->client, &file, &piece) == 0 &&
		       piece.len > 0) {
			buf_slice(out, piece);
		}
		fuse_client_close_file(&t->client, &file, false);
	}
}

int
tree_reader_open(struct tree *t, uint64_t node, bool plus, struct tree_reader *r)
{
	*r = (struct tree_reader){.plus = plus};
	return fuse_client_open_directory(&t->client, node, &r->directory);
}

void
tree_reader_close(struct tree *t, struct tree_reader *r)
{
	fuse_client_close_file(&t->client, &r->directory, true);
	buf_release(&r->page);
}

int
tree_reader_next(struct tree *t, struct tree_reader *r)
{
	struct slice page;

	while (!fuse_client_entry(&r->directory, &r->rest, r->plus, &r->entry)) {
		int e = fuse_client_entries(&t->client, &r->directory, r->plus, &page);

		if (e != 0 || page.len == 0) {
			return e != 0 ? e : -1;
		}
		buf_clear(&r->page);
		buf_slice(&r->page, page);
		r->rest = buf_view(&r->page);
	}
	return 0;
}

/* ------------------------------------------------------------ reasons */

/* Append a sentence without the mount point in paths. */
static void
tree_put_reason(struct slice sentence, struct slice point, struct buf *out)
{
	while (sentence.len > 0) {
		const char *at = memmem(sentence.at, sentence.len, point.at, point.len);
		size_t n = at == NULL ? sentence.len : (size_t)(at - sentence.at);

		buf_slice(out, slice_of(sentence.at, n));
		sentence = slice_skip(sentence, at == NULL ? n : n + point.len);
	}
}

/* Find the last line about @path: TIME UID PATH ERRNO NAME SENTENCE, with tabs.  Its sentence, or nothing */
static struct slice
tree_last_line(struct slice lines, struct slice path)
{
	struct text_lines rest = {.rest = lines};
	struct slice found = SLICE("");

	while (rest.rest.len > 0) {
		struct slice line = text_lines_next(&rest);

		(void)slice_take(&line, '\t');
		(void)slice_take(&line, '\t');
		if (slice_eq(slice_take(&line, '\t'), path)) {
			(void)slice_take(&line, '\t');
			(void)slice_take(&line, '\t');
			found = line;
		}
	}
	return found;
}

/* The reason that the mount has logged, in the call's arena; or nothing.  @path is that of the log */
static struct slice
tree_logged(struct tree *t, struct call *c, struct slice path)
{
	struct tree_at log;
	struct buf text = {.arena = &c->arena};

	if (tree_find(t, c, SLICE(".itemfs/errors"), &log) == 0) {
		tree_read(t, &log, SIZE_MAX, &text);
		tree_leave(t, &log);
	}
	return tree_last_line(buf_view(&text), path);
}

/* ------------------------------------------------------------ explanations of why_path.h */

/* A tree, as why_look.h sees it: its root is the directory "/itemctl:" */
struct tree_look {
	struct tree *tree;
	struct call *c;
};

/* Find what is at a path of why_look.h.  Return: 0 or an errno */
static int
tree_look_find(const struct tree_look *look, const char *path, struct tree_at *at)
{
	struct slice rest = slice_from(path);
	const bool inside =
		slice_take(&rest, '/').len == 0 && slice_is(slice_take(&rest, '/'), tree_point);

	return inside ? tree_find(look->tree, look->c, rest, at) : ENOENT;
}

static mode_t
tree_look_mode(void *arg, const char *path)
{
	const struct tree_look *look = arg;
	struct tree_at at;

	if (tree_look_find(look, path, &at) != 0) {
		return 0;
	}
	tree_leave(look->tree, &at);
	return at.attr.mode;
}

static bool
tree_look_list(void *arg, const char *path, why_look_each each, void *to)
{
	const struct tree_look *look = arg;
	struct tree_reader r;
	struct tree_at at;

	if (tree_look_find(look, path, &at) != 0) {
		return false;
	}
	bool opened = tree_reader_open(look->tree, at.node, false, &r) == 0;

	if (opened) {
		while (tree_reader_next(look->tree, &r) == 0 && each(to, r.entry.name)) {
		}
		tree_reader_close(look->tree, &r);
	}
	tree_leave(look->tree, &at);
	return opened;
}

static void
tree_look_read(void *arg, const char *path, size_t most, struct buf *out)
{
	const struct tree_look *look = arg;
	struct tree_at at;

	if (tree_look_find(look, path, &at) == 0) {
		tree_read(look->tree, &at, most, out);
		tree_leave(look->tree, &at);
	}
}

/* Append what why_path() says about @path, which begins with the point of the log. */
static void
tree_explain(struct tree *t, struct call *c, struct slice path, struct buf *out)
{
	struct tree_look own = {t, c};
	const struct why_look look = {&own, tree_look_mode, tree_look_list, tree_look_read};
	struct why_answer why = {0};

	why_look_by(&look);
	why_path(arena_print(&c->arena, "/%.*s", SLICE_ARG(path)), &why);
	why_look_by(NULL);
	tree_put_reason(buf_view(&why.message), SLICE("/itemctl:/"), out);
	if (why.instead.len > 0) {
		buf_str(out, slice_ends(buf_view(out), SLICE("?")) ? " Instead: " : "; instead: ");
		tree_put_reason(buf_view(&why.instead), SLICE("/itemctl:/"), out);
	}
	buf_release(&why.message);
	buf_release(&why.instead);
}

void
tree_why(struct tree *t, struct call *c, struct slice path, int e, struct buf *out)
{
	struct buf wanted = {.arena = &c->arena};
	struct buf escaped = {.arena = &c->arena};

	buf_str(&wanted, tree_point);
	while (path.len > 0) {
		struct slice name = slice_take(&path, '/');

		if (name.len > 0 && !slice_is(name, ".")) {
			buf_char(&wanted, '/');
			buf_slice(&wanted, name);
		}
	}
	(void)escape_put(&escaped, buf_view(&wanted), SIZE_MAX);
	struct slice line = tree_logged(t, c, buf_view(&escaped));

	if (line.len > 0) {
		tree_put_reason(line, SLICE("itemctl:/"), out);
	} else if (e == ENOENT || e == ENOTDIR) {
		tree_explain(t, c, buf_view(&wanted), out);
	}
}
