/* ldb_files - see ldb_files.h */
#include "store/kv/ldb_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/regular.h"
#include "store/kv/ldb_manifest.h"

struct files {
	struct call *c;
	const char *dir;
	int fd;
	uid_t owner; /* of the directory */
};

static const char *
ldb_files_kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFLNK:
		return "a symbolic link";
	case S_IFIFO:
		return "a pipe";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

/* Whether it is another name of a file that belongs to another user. LevelDB would write to that file. */
static bool
ldb_files_elsewhere(const struct files *f, const struct stat *st)
{
	return st->st_nlink > 1 && st->st_uid != f->owner;
}

static int
ldb_files_check_one(const struct files *f, const char *name)
{
	struct stat st;

	if (fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		return errno == ENOENT ? 0 : ldb_fail_errno(f->c, f->dir, name);
	}
	/* LevelDB's own repair leaves a directory. */
	if (S_ISDIR(st.st_mode)) {
		return 0;
	}
	if (!S_ISREG(st.st_mode)) {
		return call_fail(
			f->c, ERR_CORRUPT,
			"%s/%s is %s, which does not belong in a database: it is not opened. If you "
			"know who created it, remove it; otherwise inspect the whole store",
			f->dir, name, ldb_files_kind(st.st_mode));
	}
	if (ldb_files_elsewhere(f, &st)) {
		return call_fail(
			f->c, ERR_CORRUPT,
			"%s/%s is a hard link to a file with another owner than the directory: it is "
			"not opened. If the store is yours, replace it by a copy",
			f->dir, name);
	}
	if (f->owner == geteuid() && st.st_uid == f->owner && (st.st_mode & 077) != 0) {
		(void)(fchmodat(f->fd, name, 0600, 0) == 0); /* if it can be */
	}
	return 0;
}

/* CURRENT must hold the name of a file in the same directory. */
static int
ldb_files_check_current(const struct files *f)
{
	cleanup(cleanup_fd) int fd = regular_open(f->fd, "CURRENT");
	char name[64] = "";

	if (fd < 0 || read(fd, name, sizeof(name) - 1) <= 0 || strchr(name, '/') == NULL) {
		return 0;
	}
	return call_fail(
		f->c, ERR_CORRUPT,
		"%s/CURRENT names a file outside the database: nothing is opened. Restore a "
		"backup",
		f->dir);
}

int
ldb_files_check(struct call *c, const char *dir, int fd)
{
	struct files f = {.c = c, .dir = dir, .fd = fd};
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;
	struct stat st;
	int r = 0;

	if (d == NULL || fstat(fd, &st) < 0) {
		return ldb_fail_errno(c, dir, NULL);
	}
	f.owner = st.st_uid;
	while (r == 0 && (entry = folder_next(d)) != NULL) {
		r = ldb_files_check_one(&f, entry);
	}
	return r < 0 ? r : ldb_files_check_current(&f);
}

bool
ldb_files_is_log(const char *name, uint64_t *number)
{
	size_t digits = strspn(name, "0123456789");

	if (digits == 0 || strcmp(name + digits, ".log") != 0 || strlen(name) >= LDB_NAME_BYTES) {
		return false;
	}
	errno = 0;
	*number = strtoull(name, NULL, 10);
	return errno == 0;
}
