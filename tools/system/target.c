/* target - see target.h */
#include "tools/system/target.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"

#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

/* Return true if @fd is open on the same file, as for /dev/stdout. */
static bool
is_open_as(const struct stat *st, int fd)
{
	struct stat other;

	return fstat(fd, &other) == 0 && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/*
 * Copy owner, group and mode of the replaced file. If the group cannot be copied, the new group gets only the rights of
 * others.
 */
static void
keep_mode(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0) {
		mode = (mode & 0707) | (mode & 07) << 3;
	}
	(void)fchmod(fd, mode);
}

/* Open the temporary file. @old: the existing file, with links followed, or NULL. The target of a link is replaced. */
static int
open_part(struct call *c, const char *name, const struct stat *old, struct target *t)
{
	char path[PATH_MAX];
	struct stat st;

	if (old == NULL && lstat(name, &st) != 0) {
		t->name = name;
	} else if (realpath(name, path) != NULL) {
		t->name = slice_cstr(&c->arena, slice_from(path));
	} else {
		return no_file_made(c, name);
	}
	t->part = arena_print(&c->arena, "%s.part-%d", t->name, (int)getpid());
	t->fd = open(t->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == NULL ? 0666 : 0600);
	if (t->fd < 0) {
		return no_file_made(c, name);
	}
	if (old != NULL) {
		keep_mode(t->fd, old);
	} else {
		private_share(t->fd, 0666);
	}
	return 0;
}

/* Fail if @name is in a mount, where files are items; suggest the same name in the home directory. */
static int
target_outside(struct call *c, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *store = NULL;

	if (find_store_at(c, name, &store) != 0 || store == NULL) {
		c->error = (struct error){0};
		return 0;
	}
	struct buf by = {.arena = &c->arena};
	struct buf line = {.arena = &c->arena};
	fmt_shell(&by, "~/%", slice_from(slash == NULL ? name : slash + 1));
	if (typed_line_words(&line, slice_from(name), buf_view(&by))) {
		return call_fail(c, ERR_USAGE, "%s is in a mount, where files are items\n%.*s",
				 name, SLICE_ARG(buf_view(&line)));
	}
	return call_fail(c, ERR_USAGE, "%s is in a mount, where files are items: write to %.*s",
			 name, SLICE_ARG(buf_view(&by)));
}

int
target_open(struct call *c, const char *name, struct target *t)
{
	struct stat st;

	*t = (struct target){.fd = STDOUT_FILENO};
	if (name == NULL || strcmp(name, "-") == 0) {
		return 0;
	}
	int r = target_outside(c, name);

	if (r < 0) {
		return r;
	}
	bool there = stat(name, &st) == 0;

	if (there && S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_USAGE, "%s: %s", name, strerrordesc_np(EISDIR));
	}
	if (there && is_open_as(&st, STDOUT_FILENO)) {
		return 0;
	}
	if (there && is_open_as(&st, STDERR_FILENO)) {
		t->fd = STDERR_FILENO;
		return 0;
	}
	if (!there || S_ISREG(st.st_mode)) {
		return open_part(c, name, there ? &st : NULL, t);
	}
	t->name = name;
	t->fd = open(name, O_WRONLY | O_CLOEXEC);
	return t->fd < 0 ? no_file_made(c, name) : 0;
}

int
target_close(struct call *c, struct target *t, int r)
{
	assert(t->part == NULL || t->name != NULL);
	if (t->name == NULL || t->fd < 0) {
		return r;
	}
	if (t->part != NULL && r == 0 && fsync(t->fd) != 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->part, strerrordesc_np(errno));
	}
	if (close(t->fd) != 0 && r == 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->name, strerrordesc_np(errno));
	}
	if (t->part != NULL && r == 0 && rename(t->part, t->name) != 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->name, strerrordesc_np(errno));
	}
	if (t->part != NULL && r < 0) {
		(void)unlink(t->part);
	}
	return t->part == NULL || r < 0 ? r : folder_sync_parent(c, t->name);
}

const char *
target_redirected(struct call *c)
{
	char name[PATH_MAX];
	ssize_t n = readlink("/proc/self/fd/1", name, sizeof(name));

	return n <= 0 ? NULL : slice_cstr(&c->arena, slice_of(name, (size_t)n));
}
