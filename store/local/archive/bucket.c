/* bucket - see bucket.h */
#include "store/local/archive/bucket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/private.h"
#include "store/base/system/write_all.h"

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

int
bucket_failed(struct call *c, const char *what, int e)
{
	enum err code = ERR_IO;

	if (e == ENOSPC || e == EDQUOT) {
		code = ERR_NO_SPACE;
	} else if (e == EACCES || e == EPERM || e == EROFS || e == ELOOP || e == ENOTDIR) {
		code = ERR_ACCESS;
	}
	return call_fail(c, code, "%s: %s", what, strerrordesc_np(e));
}

/*
 * Whoever may write to the store may let a bucket be a link.  One that somebody else has made could lead
 * this process to where only it may write.
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
	/* The link that was judged, whatever has its name by now. */
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
	struct buf path;

	buf_init(&path, &c->arena);
	buf_fmt(&path, "%s/buckets/%.*s", l->dir, SLICE_ARG(name));
	int fd = buckets < 0 ? -1
			     : bucket_follow(buckets, slice_cstr(&c->arena, name),
					     mode == NULL ? &of_what_is_made : mode);

	if (fd < 0 && errno == EXDEV) {
		return call_fail(c, ERR_ACCESS,
				 "%s is a link that another user has made: it is not followed",
				 path.at);
	}
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		return call_fail(c, ERR_UNREACHABLE,
				 "The specified bucket does not exist: there is no directory %s",
				 path.at);
	}
	return fd < 0 ? bucket_failed(c, path.at, errno) : fd;
}

/* One part of a path: @dir is closed. */
static int
bucket_enter(struct call *c, int dir, const char *name, mode_t mode)
{
	int made = mode != 0 ? mkdirat(dir, name, mode) : -1;
	int e = mode != 0 && made < 0 && errno != EEXIST ? errno : 0;
	int fd = e == 0 ? openat(dir, name, FOLDER | O_NOFOLLOW) : -1;

	e = e == 0 && fd < 0 ? errno : e;
	if (made == 0 && e == 0) {
		private_share(fd, mode);
		e = fsync(dir) < 0 ? errno : 0;
	}
	(void)close(dir);
	if (e != 0 && fd >= 0) {
		(void)close(fd);
	}
	return e == 0 ? fd : bucket_failed(c, name, e);
}

int
bucket_folder(struct call *c, int dir, struct slice path, mode_t mode)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	if (at < 0) {
		return bucket_failed(c, "a folder", errno);
	}
	while (path.len > 0 && at >= 0) {
		const char *slash = memchr(path.at, '/', path.len);
		size_t n = slash == NULL ? path.len : (size_t)(slash - path.at);

		at = bucket_enter(c, at, slice_cstr(&c->arena, slice_of(path.at, n)), mode);
		path = slice_skip(path, n + (slash != NULL));
	}
	return at;
}

int
bucket_put(struct call *c, int dir, const char *name, mode_t mode, struct slice bytes)
{
	mode &= BUCKET_FILE;
	cleanup(cleanup_fd) int fd =
		openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int e = fd < 0 ? errno : write_all(fd, bytes);

	if (fd >= 0) {
		private_share(fd, mode);
	}
	if (e == 0 && fsync(fd) < 0) {
		e = errno;
	}
	return e == 0 ? 0 : bucket_failed(c, name, e);
}
