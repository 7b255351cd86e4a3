/*
 * format - check and creation of the file FORMAT, without which a directory is no store
 *
 * An empty directory may become a store. So may a directory that holds only an empty FORMAT: a crash between creating
 * and writing that file leaves it.
 */
#include "store/local/records/format.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"
#include "store/base/system/regular.h"
#include "store/base/system/trust.h"

enum { FORMAT_VERSION = 1, FORMAT_BYTES_MAX = 64 };

static const char format_name[] = "FORMAT";
static const char format_text[] = "itemfs 1\n";

static int
io_error(struct call *c, const char *name)
{
	return call_fail(c, error_of_path(errno), "%s: %s", name, strerrordesc_np(errno));
}

typedef bool name_fn(const char *name);

static bool
format_is_other(const char *name)
{
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, format_name) != 0;
}

static bool
is_other_than_db(const char *name)
{
	return format_is_other(name) && strcmp(name, "db") != 0;
}

/* LevelDB creates such files only after CURRENT. */
static bool
is_of_database(const char *name)
{
	const char *ending = strrchr(name, '.');

	return ending != NULL && (strcmp(ending, ".ldb") == 0 || strcmp(ending, ".sst") == 0 ||
				  strcmp(ending, ".log") == 0);
}

/* Set @found if the directory @fd has a name for which @counts returns true. */
static int
has_any(struct call *c, const char *dir, int fd, name_fn *counts, bool *found)
{
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;

	if (d == NULL) {
		return io_error(c, dir);
	}
	*found = false;
	while (!*found && (entry = folder_next(d)) != NULL) {
		*found = counts(entry);
	}
	return *found || errno == 0 ? 0 : io_error(c, dir);
}

static int
foreign_format(struct call *c, const char *dir)
{
	return call_fail(c, ERR_VALIDATION, "%s: not a store: its file FORMAT is not one of itemfs",
			 dir);
}

/* Sync the parent directory, so that the store's own directory entry is durable, too. */
static int
sync_parent(struct call *c, const char *dir, int dir_fd)
{
	cleanup(cleanup_fd) int fd = openat(dir_fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && fsync(fd) == 0 ? 0 : io_error(c, dir);
}

int
format_write(struct call *c, const char *dir, int dir_fd)
{
	cleanup(cleanup_fd) int fd = regular_open_for(dir_fd, format_name, O_WRONLY | O_CREAT);

	if (fd < 0 || write(fd, format_text, strlen(format_text)) != (ssize_t)strlen(format_text) ||
	    fsync(fd) != 0 || fsync(dir_fd) != 0) {
		return io_error(c, dir);
	}
	return sync_parent(c, dir, dir_fd);
}

static int
format_vacant_in(struct call *c, const char *dir, int fd)
{
	bool others = false;
	int r = has_any(c, dir, fd, format_is_other, &others);

	if (r < 0) {
		return r;
	}
	bool format = faccessat(fd, format_name, F_OK, 0) == 0;
	bool half = !format && faccessat(fd, "db", F_OK, 0) == 0;

	if (others || format) {
		return call_fail(
			c, ERR_VALIDATION, "%s: %s%s", dir, strerrordesc_np(ENOTEMPTY),
			half ? ": it has db but no FORMAT, as an interrupted restore leaves it; if it is "
			       "nothing else, it may be removed"
			     : "");
	}
	return 0;
}

int
format_vacant(struct call *c, const char *dir, bool *made, int *out)
{
	*made = mkdir(dir, 0700) == 0;
	if (!*made && errno != EEXIST) {
		return io_error(c, dir);
	}
	int r = trust_open(c, dir, out);

	return r < 0 ? r : format_vacant_in(c, dir, *out);
}

static int
check_text(struct call *c, const char *dir, struct slice text)
{
	const struct slice word = SLICE("itemfs ");

	if (!slice_starts(text, word)) {
		return foreign_format(c, dir);
	}
	unsigned long version = strtoul(text.at + word.len, NULL, 10);

	if (version > FORMAT_VERSION) {
		return call_fail(
			c, ERR_IO,
			"%s: the store has format %lu, which is newer than this program; it reads "
			"format %d",
			dir, version, FORMAT_VERSION);
	}
	return version == FORMAT_VERSION ? 0 : foreign_format(c, dir);
}

/* FORMAT_NONE: outcome of read_format() if there is no such file, or an empty one */
enum { FORMAT_NONE = 1 };

static int
read_format(struct call *c, const char *dir, int dir_fd)
{
	cleanup(cleanup_fd) int fd = regular_open(dir_fd, format_name);
	char text[FORMAT_BYTES_MAX + 1] = "";

	if (fd == REGULAR_OTHER) {
		return foreign_format(c, dir);
	}
	if (fd < 0) {
		return errno == ENOENT ? FORMAT_NONE : io_error(c, dir);
	}
	ssize_t n = read(fd, text, FORMAT_BYTES_MAX);

	if (n < 0) {
		return io_error(c, dir);
	}
	return n == 0 ? FORMAT_NONE : check_text(c, dir, slice_of(text, (size_t)n));
}

/* Whether another process is creating the database under its lock (ldb_recover.h), or has just created it. */
static bool
format_is_being_made(int dir_fd)
{
	cleanup(cleanup_fd) int db = openat(dir_fd, "db", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (db < 0) {
		return false;
	}
	return (flock(db, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
	       faccessat(db, "CURRENT", F_OK, 0) == 0;
}

/*
 * Set @found if there are files that an interrupted creation of a store cannot have left: a process that ends between
 * writing FORMAT and CURRENT leaves no LevelDB files and no others.
 */
static int
find_remains(struct call *c, const char *dir, int dir_fd, bool *found)
{
	int r = has_any(c, dir, dir_fd, is_other_than_db, found);

	if (r < 0 || *found || faccessat(dir_fd, "db", F_OK, 0) != 0) {
		return r;
	}
	cleanup(cleanup_fd) int db = private_folder(dir_fd, "db", false);

	return db < 0 ? io_error(c, dir) : has_any(c, dir, db, is_of_database, found);
}

/* Refuse a store without CURRENT: LevelDB would create a new database and remove the files of the old one. */
static int
check_database(struct call *c, const char *dir, int dir_fd, bool create)
{
	bool remains = true; /* without @create an unfinished store is not completed */

	if (faccessat(dir_fd, "db/CURRENT", F_OK, 0) == 0) {
		return 0;
	}
	if (errno != ENOENT) {
		return io_error(c, dir);
	}
	int r = create ? find_remains(c, dir, dir_fd, &remains) : 0;

	if (r < 0 || !remains) {
		return r;
	}
	if (format_is_being_made(dir_fd)) {
		return 0;
	}
	return call_fail(c, ERR_IO,
			 "%s: a store without its database: db/CURRENT is missing, as after an "
			 "interrupted copy; nothing was changed",
			 dir);
}

static int
format_check_in(struct call *c, const char *dir, int fd, bool create)
{
	bool others = false;
	int r = read_format(c, dir, fd);

	if (r != FORMAT_NONE) {
		return r < 0 ? r : check_database(c, dir, fd, create);
	}
	r = has_any(c, dir, fd, format_is_other, &others);
	if (r < 0) {
		return r;
	}
	if (others || !create) {
		return call_fail(c, ERR_VALIDATION,
				 "%s: not a store: it has no file FORMAT of itemfs", dir);
	}
	return format_write(c, dir, fd);
}

int
format_check(struct call *c, const char *dir, bool create, int *out)
{
	if (create && mkdir(dir, 0700) != 0 && errno != EEXIST) {
		return io_error(c, dir);
	}
	int r = trust_open(c, dir, out);

	return r < 0 ? r : format_check_in(c, dir, *out, create);
}
