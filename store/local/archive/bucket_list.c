/*
 * bucket_list - what lies in a bucket, and its files
 *
 * Folder by folder, each opened from the one above it, so that no link is followed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/local/archive/bucket.h"
#include "store/model/limits.h"

enum { BENEATH = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

struct walk {
	struct call *c;
	struct slice prefix;
	struct slice *at;
	size_t n;
	size_t cap;
	struct buf name; /* of where it is */
};

static int walk_folder(struct walk *w, int parent, const char *name);

/* Is what is called @name, or something in it if it is a folder, asked for? */
static bool
is_asked_for(const struct walk *w, struct slice name, bool folder)
{
	return slice_starts(name, w->prefix) || (folder && slice_starts(w->prefix, name));
}

static int
bucket_list_add_file(struct walk *w)
{
	struct slice name = buf_view(&w->name);

	if (w->n == LIMIT_IMPORT_OBJECTS || name.len > LIMIT_OBJECT_KEY) {
		return call_fail(w->c, ERR_LIMIT, "%.*s: %s", SLICE_ARG(name),
				 w->n == LIMIT_IMPORT_OBJECTS ? "too many files"
							      : "the name is too long");
	}
	w->at = arena_room(&w->c->arena, w->at, w->n, &w->cap);
	w->at[w->n++] = slice_copy(&w->c->arena, name);
	return 0;
}

/* One entry of the folder @dir, whose name ends in w->name. */
static int
look_at(struct walk *w, int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		return bucket_failed(w->c, name, errno);
	}
	/* A link may lead to a folder. */
	bool folder = !S_ISREG(st.st_mode);

	if (folder) {
		buf_char(&w->name, '/');
	}
	if (!is_asked_for(w, buf_view(&w->name), folder)) {
		return 0;
	}
	if (!folder) {
		return bucket_list_add_file(w);
	}
	return S_ISDIR(st.st_mode) ? walk_folder(w, dir, name)
				   : call_fail(w->c, ERR_ACCESS, "%.*s is not an ordinary file",
					       (int)w->name.len - 1, w->name.at);
}

/* As deep as a name is long. */
static int
walk_folder(struct walk *w, int parent, const char *name)
{
	int fd = openat(parent, name, BENEATH | O_DIRECTORY);
	cleanup(cleanup_dir) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	size_t len = w->name.len;
	int r = 0;

	if (dir == NULL) {
		r = bucket_failed(w->c, name, errno);
		cleanup_fd(&fd);
		return r;
	}
	if (len > LIMIT_OBJECT_KEY) {
		return call_fail(w->c, ERR_LIMIT, "%s: the name is too long", name);
	}
	errno = 0;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is this thread's */
	for (struct dirent *d = readdir(dir); d != NULL && r == 0; d = readdir(dir)) {
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0) {
			buf_str(&w->name, d->d_name);
			r = look_at(w, fd, d->d_name);
			w->name.len = len;
		}
		errno = 0;
	}
	return r == 0 && errno != 0 ? bucket_failed(w->c, name, errno) : r;
}

static int
by_bytes(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

int
bucket_list(struct call *c, int dir, struct slice prefix, const struct slice **out, size_t *n)
{
	struct walk w = {.c = c, .prefix = prefix};

	buf_init(&w.name, &c->arena);
	int r = walk_folder(&w, dir, ".");

	if (w.n > 0) {
		qsort(w.at, w.n, sizeof(*w.at), by_bytes);
	}
	*out = w.at;
	*n = w.n;
	return r;
}

/* ------------------------------------------------------------ a file */

int
bucket_file(struct call *c, int dir, struct slice name)
{
	const char *whole = slice_cstr(&c->arena, name);
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	struct stat st;

	while (name.len > 0 && at >= 0) {
		const char *slash = memchr(name.at, '/', name.len);
		size_t n = slash == NULL ? name.len : (size_t)(slash - name.at);
		const char *part = slice_cstr(&c->arena, slice_of(name.at, n));
		int next = openat(at, part, BENEATH | (slash != NULL ? O_DIRECTORY : 0));
		int e = errno;

		(void)close(at);
		errno = e;
		at = next;
		name = slice_skip(name, n + (slash != NULL));
	}
	if (at < 0 || fstat(at, &st) < 0) {
		int e = errno;

		cleanup_fd(&at);
		return bucket_failed(c, whole, e);
	}
	if (!S_ISREG(st.st_mode)) {
		(void)close(at);
		return call_fail(c, ERR_ACCESS, "%s is not an ordinary file", whole);
	}
	return at;
}
