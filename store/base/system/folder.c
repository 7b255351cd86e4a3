/* folder - see folder.h */
#include "store/base/system/folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/private.h"

static int
folder_failed(struct call *c, const char *what, int e)
{
	return call_fail(c, error_of_path(e), "%s: %s", what, strerrordesc_np(e));
}

int
folder_open(struct call *c, const char *name, mode_t mode, uint64_t mark, struct folder *f)
{
	struct stat st;
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/') {
		len--;
	}
	*f = (struct folder){
		.name = slice_cstr(&c->arena, slice_of(name, len)), .fd = -1, .mode = mode & 0666};
	if (lstat(f->name, &st) == 0) {
		return folder_failed(c, f->name, EEXIST);
	}
	f->part = arena_print(&c->arena, "%s.part-%llu", f->name, (unsigned long long)mark);
	if (mkdir(f->part, mode) != 0) {
		return folder_failed(c, errno == EEXIST ? f->part : f->name, errno);
	}
	f->fd = open(f->part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0) {
		int e = errno;

		(void)rmdir(f->part);
		return folder_failed(c, f->part, e);
	}
	private_share(f->fd, mode);
	return 0;
}

int
folder_file(struct call *c, const struct folder *f, const char *name)
{
	int fd = openat(f->fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, f->mode);

	if (fd < 0) {
		return folder_failed(c, name, errno);
	}
	private_share(fd, f->mode);
	return fd;
}

int
folder_done(struct call *c, const char *name, int fd)
{
	int e = fsync(fd) == 0 ? 0 : errno;

	if (close(fd) != 0 && e == 0) {
		e = errno;
	}
	return e == 0 ? 0 : folder_failed(c, name, e);
}

/* As folder_list(), for the folder @name below the directory @dir; follows no link. */
static DIR *
folder_list_at(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (d == NULL && fd >= 0) {
		int e = errno;

		(void)close(fd);
		errno = e;
	}
	return d;
}

DIR *
folder_list(int fd)
{
	return folder_list_at(fd, ".");
}

const char *
folder_next(DIR *d)
{
	errno = 0;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread uses the stream */
	const struct dirent *e = d == NULL ? NULL : readdir(d);

	return e == NULL ? NULL : e->d_name;
}

/* Removes the contents first.  NOLINTNEXTLINE(misc-no-recursion): as deep as the folders */
void
folder_remove_at(int dir, const char *name)
{
	cleanup(cleanup_dir) DIR *files = folder_list_at(dir, name);
	const char *entry;

	while ((entry = folder_next(files)) != NULL) {
		if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0 &&
		    unlinkat(dirfd(files), entry, 0) != 0) {
			folder_remove_at(dirfd(files), entry);
		}
	}
	(void)unlinkat(dir, name, AT_REMOVEDIR);
}

void
folder_remove(const char *path)
{
	folder_remove_at(AT_FDCWD, path);
}

uint64_t
folder_bytes(int dir, const char *name)
{
	cleanup(cleanup_dir) DIR *files = folder_list_at(dir, name);
	const char *entry;
	uint64_t sum = 0;
	struct stat st;

	while ((entry = folder_next(files)) != NULL) {
		if (fstatat(dirfd(files), entry, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode)) {
			sum += (uint64_t)st.st_size;
		}
	}
	return sum;
}

void
folder_parents(char *path, mode_t mode)
{
	for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		(void)mkdir(path, mode);
		*at = '/';
	}
}

int
folder_sync_parent(struct call *c, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *parent =
		slash == NULL   ? "."
		: slash == name ? "/"
				: slice_cstr(&c->arena, slice_of(name, (size_t)(slash - name)));
	int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* The caller may have no right to read the directory, and some file systems cannot sync directories. */
	int e = fd >= 0 && fsync(fd) == 0 ? 0 : errno;

	if (fd >= 0) {
		(void)close(fd);
	}
	return e == 0 || e == EACCES || e == EINVAL ? 0 : folder_failed(c, parent, e);
}

int
folder_close(struct call *c, struct folder *f, int r)
{
	if (f->fd < 0) {
		return r;
	}
	if (r == 0 && fsync(f->fd) != 0) {
		r = folder_failed(c, f->part, errno);
	}
	(void)close(f->fd);
	f->fd = -1;
	if (r == 0 && renameat2(AT_FDCWD, f->part, AT_FDCWD, f->name, RENAME_NOREPLACE) != 0) {
		r = folder_failed(c, f->name, errno);
	}
	if (r < 0) {
		folder_remove(f->part);
	}
	return r < 0 ? r : folder_sync_parent(c, f->name);
}
