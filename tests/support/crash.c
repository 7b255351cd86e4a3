/* crash - fsync() and fdatasync() that record what was synced, and copies made from these records */
#include "tests/support/crash.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { FILES_MAX = 4096, NAMES_MAX = 4096 };

/* Inode numbers of deleted files are reused, so the birth time is part of the identity. */
struct file_id {
	ino_t ino;
	struct statx_timestamp born;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t go;
	bool hold;
	bool fail_names;
	size_t n;
	struct {
		struct file_id id;
		off_t synced;
	} files[FILES_MAX];
	size_t n_names;
	struct {
		ino_t dir;
		ino_t ino; /* a file that the directory had when it was last synced */
	} names[NAMES_MAX];
} books = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};

static bool
is_table(int fd)
{
	char link[64];
	char path[4096];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path));

	return n > 4 && memcmp(path + n - 4, ".ldb", 4) == 0;
}

static struct file_id
id_of(int dir, const char *path)
{
	struct statx st = {0};

	(void)statx(dir, path, AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st);
	return (struct file_id){st.stx_ino, st.stx_btime};
}

static bool
same(const struct file_id *a, const struct file_id *b)
{
	return a->ino == b->ino && a->born.tv_sec == b->born.tv_sec &&
	       a->born.tv_nsec == b->born.tv_nsec;
}

static void
book(int fd, off_t synced)
{
	struct file_id id = id_of(fd, "");
	size_t i = 0;

	while (i < books.n && books.files[i].id.ino != id.ino) {
		i++;
	}
	if (i == FILES_MAX) {
		abort();
	}
	if (i == books.n) {
		books.n++;
	}
	books.files[i].id = id;
	books.files[i].synced = synced;
}

static void
book_names(int fd, ino_t dir)
{
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	size_t kept = 0;

	for (size_t i = 0; i < books.n_names; i++) {
		if (books.names[i].dir != dir) {
			books.names[kept++] = books.names[i];
		}
	}
	books.n_names = kept;
	for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
		if (books.n_names == NAMES_MAX) {
			abort();
		}
		books.names[books.n_names].dir = dir;
		books.names[books.n_names++].ino = e->d_ino;
	}
	if (d != NULL) {
		(void)closedir(d);
	}
}

/* The state at the beginning of the sync counts as synced. */
int
fsync(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return -1;
	}
	(void)pthread_mutex_lock(&books.lock);
	bool fails = books.fail_names && S_ISDIR(st.st_mode);

	if (!fails && S_ISDIR(st.st_mode)) {
		book_names(fd, st.st_ino);
	} else if (!fails) {
		book(fd, st.st_size);
	}
	(void)pthread_mutex_unlock(&books.lock);
	if (fails) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

/* The size is read before the sync: bytes written during the sync may be lost. */
int
fdatasync(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return -1;
	}
	(void)pthread_mutex_lock(&books.lock);
	if (is_table(fd)) {
		while (books.hold) {
			(void)pthread_cond_wait(&books.go, &books.lock);
		}
	}
	(void)pthread_mutex_unlock(&books.lock);
	if (syscall(SYS_fdatasync, fd) != 0) {
		return -1;
	}
	(void)pthread_mutex_lock(&books.lock);
	book(fd, st.st_size);
	(void)pthread_mutex_unlock(&books.lock);
	return 0;
}

void
crash_hold_tables(bool hold)
{
	(void)pthread_mutex_lock(&books.lock);
	books.hold = hold;
	(void)pthread_cond_broadcast(&books.go);
	(void)pthread_mutex_unlock(&books.lock);
}

void
crash_fail_names(bool fail)
{
	(void)pthread_mutex_lock(&books.lock);
	books.fail_names = fail;
	(void)pthread_mutex_unlock(&books.lock);
}

static off_t
synced_size(const struct file_id *id, const struct stat *st)
{
	off_t size = 0;

	(void)pthread_mutex_lock(&books.lock);
	for (size_t i = 0; i < books.n; i++) {
		if (same(&books.files[i].id, id)) {
			size = books.files[i].synced;
		}
	}
	(void)pthread_mutex_unlock(&books.lock);
	return size < st->st_size ? size : st->st_size;
}

static bool
name_lasts(ino_t dir, ino_t ino)
{
	bool lasts = false;

	(void)pthread_mutex_lock(&books.lock);
	for (size_t i = 0; i < books.n_names; i++) {
		lasts = lasts || (books.names[i].dir == dir && books.names[i].ino == ino);
	}
	(void)pthread_mutex_unlock(&books.lock);
	return lasts;
}

bool
crash_lasts(const char *path)
{
	char up[4096];
	struct stat dir;
	struct stat st;
	struct file_id id = id_of(AT_FDCWD, path);
	const char *slash = strrchr(path, '/');

	if (slash == NULL || (size_t)(slash - path) >= sizeof(up)) {
		return false;
	}
	memcpy(up, path, (size_t)(slash - path));
	up[slash - path] = '\0';
	return stat(up, &dir) == 0 && stat(path, &st) == 0 && name_lasts(dir.st_ino, st.st_ino) &&
	       (S_ISDIR(st.st_mode) || synced_size(&id, &st) == st.st_size);
}

static int
copy_bytes(int from, int to, off_t bytes)
{
	while (bytes > 0) {
		ssize_t n = copy_file_range(from, NULL, to, NULL, (size_t)bytes, 0);

		if (n <= 0) {
			return -1;
		}
		bytes -= n;
	}
	return 0;
}

enum which { LOGS_CUT, WHOLE, LASTING };

static int
copy_file(int from_dir, int to_dir, const char *name, enum which which)
{
	struct stat st;
	size_t len = strlen(name);
	bool log = len > 4 && strcmp(name + len - 4, ".log") == 0;
	bool cut = which == LASTING || (which == LOGS_CUT && log);
	int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC);
	int to = openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r = -1;

	if (from >= 0 && to >= 0 && fstat(from, &st) == 0) {
		struct file_id id = id_of(from, "");

		r = copy_bytes(from, to, cut ? synced_size(&id, &st) : st.st_size);
	}
	(void)close(from);
	(void)close(to);
	return r;
}

static int
copy_all(const char *from, const char *to, enum which which)
{
	struct stat st = {0};
	DIR *d = opendir(from);
	int r = d == NULL || stat(from, &st) < 0 ? -1 : mkdir(to, 0700);
	int to_dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (struct dirent *e = NULL; r == 0 && (e = readdir(d)) != NULL;) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    (which != LASTING || name_lasts(st.st_ino, e->d_ino))) {
			r = copy_file(dirfd(d), to_dir, e->d_name, which);
		}
	}
	(void)close(to_dir);
	if (d != NULL) {
		(void)closedir(d);
	}
	return r;
}

int
crash_copy(const char *from, const char *to)
{
	return copy_all(from, to, LOGS_CUT);
}

int
crash_copy_whole(const char *from, const char *to)
{
	return copy_all(from, to, WHOLE);
}

int
crash_copy_lasting(const char *from, const char *to)
{
	return copy_all(from, to, LASTING);
}

/* Drop the record of a removed file; otherwise a file system that never reuses inode numbers would fill the table. */
static void
forget(const struct stat *st)
{
	size_t kept = 0;

	(void)pthread_mutex_lock(&books.lock);
	for (size_t i = 0; S_ISDIR(st->st_mode) && i < books.n_names; i++) {
		if (books.names[i].dir != st->st_ino) {
			books.names[kept++] = books.names[i];
		}
	}
	books.n_names = S_ISDIR(st->st_mode) ? kept : books.n_names;
	for (size_t i = 0; st->st_nlink == 1 && i < books.n; i++) {
		if (books.files[i].id.ino == st->st_ino) {
			books.files[i] = books.files[--books.n];
			break;
		}
	}
	(void)pthread_mutex_unlock(&books.lock);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)type;
	(void)at;
	forget(st);
	return remove(path);
}

void
crash_remove(const char *dir)
{
	(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
