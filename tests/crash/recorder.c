/*
 * recorder - records the changes of files by a program, one line each, for record.py
 *
 * It is preloaded (LD_PRELOAD) into the programs of a campaign.  Environment variables:
 *
 *   CRASH_RECORD      the file to which the lines are appended
 *   CRASH_GRAVES      a directory on the store's disk that keeps removed or replaced files under their inode numbers
 *   CRASH_FAIL_SYNC   number of fdatasync calls that work; later ones fail with EIO; with a leading '+' fsync, too
 *
 * The lines have inode numbers of files and directories, and names in hexadecimal:
 *
 *   + DIR NAME INODE                  a file was created
 *   d DIR NAME INODE                  a directory was created
 *   - DIR NAME                        the name was removed
 *   > DIR NAME DIR NAME INODE         renamed
 *   w INODE BYTES                     bytes were appended
 *   t INODE BYTES                     the size was set
 *   s THREAD INODE BYTES, S THREAD    a sync of a file of this size begins; it has succeeded.  Inode 0: the whole disk
 *   n INODE BYTES                     the store recorded that this many bytes of a log are synced (ldb_durable.h)
 *
 * Changes of names happen and are recorded under one lock, so the lines have the right order.  A change happens before
 * its line is written, except for "s".
 */
#undef _FILE_OFFSET_BITS /* otherwise open() is an alias of open64(), and both are defined here */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static struct {
	int lines; /* -1: nothing is recorded */
	int graves;
	dev_t disk;
	long syncs_left; /* syncs that still work; LONG_MAX: all */
	bool fsync_fails;
} recorder = {.lines = -1, .graves = -1, .syncs_left = LONG_MAX};

static pthread_mutex_t recorder_names = PTHREAD_MUTEX_INITIALIZER;
static atomic_long recorder_syncs;

enum { RECORDER_LINE = 2 * NAME_MAX * 2 + 128 };

/* The function of the C library, or of a sanitizer. */
#define NEXT(type, name) ((type)recorder_next(name))

static void *
recorder_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

typedef int open_fn(const char *, int, ...);
typedef int openat_fn(int, const char *, int, ...);
typedef ssize_t write_fn(int, const void *, size_t);
typedef int fd_fn(int);
typedef int truncate_fn(int, off_t);
typedef int mkdirat_fn(int, const char *, mode_t);
typedef int unlinkat_fn(int, const char *, int);
typedef int renameat2_fn(int, const char *, int, const char *, unsigned);
typedef int fsetxattr_fn(int, const char *, const void *, size_t, int);

__attribute__((constructor)) static void
recorder_begin(void)
{
	/* There is no other thread yet. NOLINTBEGIN(concurrency-mt-unsafe) */
	const char *lines = getenv("CRASH_RECORD");
	const char *graves = getenv("CRASH_GRAVES");
	const char *fail = getenv("CRASH_FAIL_SYNC");
	/* NOLINTEND(concurrency-mt-unsafe) */
	struct stat st;

	if (lines == NULL || graves == NULL) {
		return;
	}
	recorder.graves = NEXT(open_fn *, "open")(graves, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (recorder.graves < 0 || fstat(recorder.graves, &st) < 0) {
		abort();
	}
	recorder.disk = st.st_dev;
	recorder.lines = NEXT(open_fn *, "open")(lines, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (recorder.lines < 0) {
		abort();
	}
	if (fail != NULL) {
		recorder.fsync_fails = fail[0] == '+';
		recorder.syncs_left = strtol(fail, NULL, 10); /* strtol() accepts the sign */
	}
}

__attribute__((format(printf, 1, 2))) static void
recorder_note(const char *format, ...)
{
	char line[RECORDER_LINE];
	int e = errno;
	va_list args;

	va_start(args, format);
	int n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (n >= (int)sizeof(line) ||
	    NEXT(write_fn *, "write")(recorder.lines, line, (size_t)n) != n) {
		abort();
	}
	errno = e;
}

/* ------------------------------------------------------------ names */

/* The directory of a path, and the name in it. */
struct place {
	unsigned long long dir;  /* 0: on another disk, or absent */
	unsigned long long file; /* the file with this name; 0: none */
	bool folder;
	char name[2 * NAME_MAX + 1];
};

static void
recorder_hex(char *out, const char *name)
{
	for (; *name != '\0'; name++, out += 2) {
		(void)snprintf(out, 3, "%02x", (unsigned char)*name);
	}
	*out = '\0';
}

static struct place
recorder_find(int dir, const char *path)
{
	char parent[PATH_MAX];
	struct place p = {0};
	struct stat st;
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/') {
		len--;
	}
	if (len >= sizeof(parent) - 2) {
		return p;
	}
	(void)snprintf(parent, sizeof(parent), "%.*s", (int)len, path);
	char *slash = strrchr(parent, '/');
	const char *name = slash == NULL ? parent : slash + 1;

	if (strlen(name) > NAME_MAX) {
		return p;
	}
	recorder_hex(p.name, name);
	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		p.file = st.st_ino;
		p.folder = S_ISDIR(st.st_mode);
	}
	if (slash == NULL) {
		(void)strcpy(parent, ".");
	} else {
		slash[slash == parent] = '\0';
	}
	if (fstatat(dir, parent, &st, 0) == 0 && st.st_dev == recorder.disk) {
		p.dir = st.st_ino;
	}
	return p;
}

/* Link a file that is about to lose its name into the graves directory. */
static void
recorder_bury(int dir, const char *path, const struct place *p)
{
	char name[24];

	if (p->dir == 0 || p->file == 0 || p->folder) {
		return;
	}
	(void)snprintf(name, sizeof(name), "%llu", p->file);
	(void)linkat(dir, path, recorder.graves, name, 0);
}

static bool
recorder_is_on(void)
{
	return recorder.lines >= 0;
}

static int
recorder_open(int dir, const char *path, int flags, mode_t mode)
{
	openat_fn *next = NEXT(openat_fn *, "openat");

	if (!recorder_is_on() || (flags & (O_CREAT | O_TRUNC)) == 0) {
		return next(dir, path, flags, mode);
	}
	pthread_mutex_lock(&recorder_names);
	struct place before = recorder_find(dir, path);
	int fd = next(dir, path, flags, mode);

	if (fd >= 0 && before.dir != 0 && before.file == 0) {
		recorder_note("+ %llu %s %llu\n", before.dir, before.name,
			      recorder_find(dir, path).file);
	} else if (fd >= 0 && before.dir != 0 && (flags & O_TRUNC) != 0) {
		recorder_note("t %llu 0\n", before.file);
	}
	pthread_mutex_unlock(&recorder_names);
	return fd;
}

static mode_t
recorder_mode(int flags, va_list args)
{
	return (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
}

#define RECORDER_OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = recorder_mode(flags, args); \
		va_end(args); \
		return recorder_open(AT_FDCWD, path, flags, mode); \
	}

#define RECORDER_OPENAT(name) \
	int name(int dir, const char *path, int flags, ...) \
	{ \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = recorder_mode(flags, args); \
		va_end(args); \
		return recorder_open(dir, path, flags, mode); \
	}

RECORDER_OPEN(open)
RECORDER_OPEN(open64)
RECORDER_OPENAT(openat)
RECORDER_OPENAT(openat64)

int
mkdirat(int dir, const char *path, mode_t mode)
{
	pthread_mutex_lock(&recorder_names);
	int r = NEXT(mkdirat_fn *, "mkdirat")(dir, path, mode);

	if (r == 0 && recorder_is_on()) {
		struct place p = recorder_find(dir, path);

		if (p.dir != 0) {
			recorder_note("d %llu %s %llu\n", p.dir, p.name, p.file);
		}
	}
	pthread_mutex_unlock(&recorder_names);
	return r;
}

int
mkdir(const char *path, mode_t mode)
{
	return mkdirat(AT_FDCWD, path, mode);
}

int
unlinkat(int dir, const char *path, int flags)
{
	struct place p = {0};

	pthread_mutex_lock(&recorder_names);
	if (recorder_is_on()) {
		p = recorder_find(dir, path);
		recorder_bury(dir, path, &p);
	}
	int r = NEXT(unlinkat_fn *, "unlinkat")(dir, path, flags);

	if (r == 0 && p.dir != 0) {
		recorder_note("- %llu %s\n", p.dir, p.name);
	}
	pthread_mutex_unlock(&recorder_names);
	return r;
}

int
unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

int
rmdir(const char *path)
{
	return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int
remove(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) ? rmdir(path) : unlink(path);
}

int
renameat2(int from, const char *old, int to, const char *new_name, unsigned flags)
{
	struct place before = {0};
	struct place after = {0};

	pthread_mutex_lock(&recorder_names);
	if (recorder_is_on()) {
		before = recorder_find(from, old);
		after = recorder_find(to, new_name);
		recorder_bury(to, new_name, &after);
	}
	int r = NEXT(renameat2_fn *, "renameat2")(from, old, to, new_name, flags);

	if (r == 0 && before.dir != 0 && after.dir != 0) {
		recorder_note("> %llu %s %llu %s %llu\n", before.dir, before.name, after.dir,
			      after.name, before.file);
	}
	pthread_mutex_unlock(&recorder_names);
	return r;
}

int
renameat(int from, const char *old, int to, const char *new_name)
{
	return renameat2(from, old, to, new_name, 0);
}

int
rename(const char *old, const char *new_name)
{
	return renameat2(AT_FDCWD, old, AT_FDCWD, new_name, 0);
}

/* ------------------------------------------------------------ bytes */

/* Return true for a file or a directory on the disk of the store. */
static bool
recorder_knows(int fd, struct stat *st)
{
	return recorder_is_on() && fstat(fd, st) == 0 && st->st_dev == recorder.disk &&
	       (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode));
}

ssize_t
write(int fd, const void *bytes, size_t len)
{
	struct stat st;
	bool known = recorder_knows(fd, &st);
	ssize_t n = NEXT(write_fn *, "write")(fd, bytes, len);

	if (n > 0 && known) {
		recorder_note("w %llu %zd\n", (unsigned long long)st.st_ino, n);
	}
	return n;
}

static int
recorder_truncate(int fd, off_t size)
{
	struct stat st;
	bool known = recorder_knows(fd, &st);
	int r = NEXT(truncate_fn *, "ftruncate")(fd, size);

	if (r == 0 && known) {
		recorder_note("t %llu %lld\n", (unsigned long long)st.st_ino, (long long)size);
	}
	return r;
}

int
ftruncate(int fd, off_t size)
{
	return recorder_truncate(fd, size);
}

int
ftruncate64(int fd, off64_t size)
{
	return recorder_truncate(fd, size);
}

int
fsetxattr(int fd, const char *name, const void *value, size_t len, int flags)
{
	struct stat st;
	bool known = recorder_knows(fd, &st) && strcmp(name, "user.itemfs.durable") == 0;
	int r = NEXT(fsetxattr_fn *, "fsetxattr")(fd, name, value, len, flags);

	if (r == 0 && known) {
		recorder_note("n %llu %.*s\n", (unsigned long long)st.st_ino, (int)len,
			      (const char *)value);
	}
	return r;
}

static int
recorder_sync(int fd, const char *how, bool is_whole_disk, bool fails)
{
	struct stat st;

	if (!recorder_knows(fd, &st)) {
		return NEXT(fd_fn *, how)(fd);
	}
	if (fails && atomic_load(&recorder_syncs) > recorder.syncs_left) {
		errno = EIO;
		return -1;
	}
	recorder_note("s %d %llu %lld\n", (int)gettid(),
		      is_whole_disk ? 0 : (unsigned long long)st.st_ino, (long long)st.st_size);
	int r = NEXT(fd_fn *, how)(fd);

	if (r == 0) {
		recorder_note("S %d\n", (int)gettid());
	}
	return r;
}

int
fdatasync(int fd)
{
	atomic_fetch_add(&recorder_syncs, 1);
	return recorder_sync(fd, "fdatasync", false, true);
}

int
fsync(int fd)
{
	return recorder_sync(fd, "fsync", false, recorder.fsync_fails);
}

int
syncfs(int fd)
{
	return recorder_sync(fd, "syncfs", true, recorder.fsync_fails);
}
