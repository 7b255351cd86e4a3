/* bucket - directories and files of buckets, opened one path component at a time without following links */
#include "store/local/archive/bucket.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"
#include "store/base/system/regular.h"
#include "store/model/limits.h"

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

enum err
bucket_code(int e)
{
	if (e == EACCES || e == EPERM || e == EROFS || e == ELOOP || e == ENOTDIR) {
		return ERR_ACCESS;
	}
	return error_of_disk(e);
}

/* Report that @what failed with the errno @e. */
static int
bucket_failed(struct call *c, const char *what, int e)
{
	return call_fail(c, bucket_code(e), "%s: %s", what, strerrordesc_np(e));
}

/*
 * Open the directory of a bucket, which may be a link.  A link that another user has created could lead this process
 * to a directory where that user may not write, so it is refused: errno is EXDEV.
 */
static int
bucket_follow(int buckets, const char *name, mode_t *mode)
{
	cleanup(cleanup_fd) int entry = openat(buckets, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	char target[PATH_MAX];
	struct stat st;

	if (entry < 0 || fstat(entry, &st) < 0) {
		return -1;
	}
	*mode = S_ISLNK(st.st_mode) ? 0777 : 0700;
	if (!S_ISLNK(st.st_mode)) {
		return openat(entry, ".", FOLDER);
	}
	if (st.st_uid != 0 && st.st_uid != geteuid()) {
		errno = EXDEV;
		return -1;
	}
	/* Read the link through @entry, because its name may refer to something else by now. */
	ssize_t n = readlinkat(entry, "", target, sizeof(target) - 1);

	if (n < 0) {
		return -1;
	}
	target[n] = '\0';
	return openat(buckets, target, FOLDER);
}

int
bucket_open(const struct local *l, struct call *c, struct slice name, mode_t *mode)
{
	mode_t of_what_is_made = 0;
	cleanup(cleanup_fd) int buckets = private_folder(l->at, "buckets", false);
	struct buf path = {.arena = &c->arena};

	buf_fmt(&path, "%s/buckets/%.*s", l->dir, SLICE_ARG(name));
	int fd = buckets < 0 ? -1
			     : bucket_follow(buckets, slice_cstr(&c->arena, name),
					     mode == NULL ? &of_what_is_made : mode);

	if (fd < 0 && errno == EXDEV) {
		return call_fail(c, ERR_ACCESS, "%s is a link of another user: it is not followed",
				 path.at);
	}
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		return call_fail(c, ERR_UNREACHABLE,
				 "The specified bucket does not exist: there is no directory %s",
				 path.at);
	}
	return fd < 0 ? bucket_failed(c, path.at, errno) : fd;
}

/* Open or create one component of a path; closes @dir. */
static int
bucket_enter(struct call *c, int dir, const char *name, mode_t mode)
{
	bool made = mode != 0 && mkdirat(dir, name, mode) == 0;
	bool there = made || mode == 0 || errno == EEXIST;
	int fd = there ? openat(dir, name, FOLDER | O_NOFOLLOW) : -1;
	int e = fd < 0 ? errno : 0;

	if (made && fd >= 0) {
		private_share(fd, mode);
		e = fsync(dir) < 0 ? errno : 0;
	}
	(void)close(dir);
	if (e != 0) {
		cleanup_fd(&fd);
		return bucket_failed(c, name, e);
	}
	return fd;
}

int
bucket_folder(struct call *c, int dir, struct slice path, mode_t mode)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	if (at < 0) {
		return bucket_failed(c, "a folder", errno);
	}
	while (path.len > 0 && at >= 0) {
		const char *slash = slice_chr(path, '/');
		size_t n = slash == NULL ? path.len : (size_t)(slash - path.at);

		at = bucket_enter(c, at, slice_cstr(&c->arena, slice_of(path.at, n)), mode);
		path = slice_skip(path, n + (slash != NULL));
	}
	return at;
}

/* ------------------------------------------------------------ lists of files */

enum { BENEATH = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };

struct walk {
	struct call *c;
	struct slice prefix;
	struct slice *at;
	size_t n;
	size_t cap;
	struct buf name; /* path of the current entry in the bucket */
};

static int walk_folder(struct walk *w, int parent, const char *name);

/* Return: whether @name, or the name of a file in it if it is a folder, may begin with the prefix. */
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

/* Look at the entry @name of the folder @dir; w->name already ends with it. */
static int
look_at(struct walk *w, int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		return bucket_failed(w->c, name, errno);
	}
	/* Treat links and other files as folders, so that one that could contain a wanted name is reported. */
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
				   : call_fail(w->c, ERR_ACCESS, "%.*s is not a regular file",
					       (int)w->name.len - 1, w->name.at);
}

/* The depth of the recursion is bounded by the length of a name. */
static int
walk_folder(struct walk *w, int parent, const char *name)
{
	int fd = openat(parent, name, BENEATH | O_DIRECTORY);
	cleanup(cleanup_dir) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	size_t len = w->name.len;
	const char *entry;
	int r = 0;

	if (dir == NULL) {
		r = bucket_failed(w->c, name, errno);
		cleanup_fd(&fd);
		return r;
	}
	if (len > LIMIT_OBJECT_KEY) {
		return call_fail(w->c, ERR_LIMIT, "%s: the name is too long", name);
	}
	while (r == 0 && (entry = folder_next(dir)) != NULL) {
		if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0) {
			buf_str(&w->name, entry);
			r = look_at(w, fd, entry);
			w->name.len = len;
		}
	}
	return r == 0 && errno != 0 ? bucket_failed(w->c, name, errno) : r;
}

int
bucket_list(struct call *c, int dir, struct slice prefix, const struct slice **out, size_t *n)
{
	struct walk w = {.c = c, .prefix = prefix};

	buf_init(&w.name, &c->arena);
	int r = walk_folder(&w, dir, ".");

	if (w.n > 0) {
		qsort(w.at, w.n, sizeof(*w.at), slice_order);
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
	const char *slash = strrchr(whole, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - whole);
	cleanup(cleanup_fd) int folder = bucket_folder(c, dir, slice_of(whole, n), 0);

	if (folder < 0) {
		return folder;
	}
	int fd = regular_open(folder, slash == NULL ? whole : slash + 1);

	if (fd == REGULAR_OTHER) {
		return call_fail(c, ERR_ACCESS, "%s is not a regular file", whole);
	}
	return fd < 0 ? bucket_failed(c, whole, errno) : fd;
}
