/*
 * store_backup - BackupStore, and a store made of what it writes
 *
 *   DIR/BACKUP         raw_dump.h
 *   DIR/backups/...    the files of STORE/backups/
 *
 * What the user keeps in buckets/, and what mounts refused (rejected/), is no part of it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/folder.h"
#include "store/base/write_all.h"
#include "store/local/archive.h"
#include "store/local/format.h"
#include "store/local/keyspace.h"
#include "store/local/raw_dump.h"

#define RECORDS "BACKUP"
#define FILES "backups"

static int
failed(struct call *c, const char *what)
{
	int e = errno;

	return call_fail(c, e == ENOSPC || e == EDQUOT ? ERR_NO_SPACE : ERR_IO, "%s: %s", what,
			 strerrordesc_np(e));
}

/* ------------------------------------------------------------ files of backups of tables */

static int
copy_bytes(struct call *c, const char *name, int from, int to)
{
	enum { PIECE = 1 << 16 };
	char piece[PIECE];

	for (;;) {
		ssize_t n = read(from, piece, sizeof(piece));

		if (n == 0) {
			return fsync(to) == 0 ? 0 : failed(c, name);
		}
		if (n < 0 && errno != EINTR) {
			return failed(c, name);
		}
		if (n > 0) {
			errno = write_all(to, slice_of(piece, (size_t)n));
			if (errno != 0) {
				return failed(c, name);
			}
		}
	}
}

/* Return: 0, KV_ABSENT: there is none of that name, < 0 */
static int
copy_file(struct call *c, const char *name, int from_dir, int to_dir)
{
	cleanup(cleanup_fd) int from = openat(from_dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (from < 0) {
		return errno == ENOENT ? KV_ABSENT : failed(c, name);
	}
	cleanup(cleanup_fd) int to =
		openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return to < 0 ? failed(c, name) : copy_bytes(c, name, from, to);
}

/* ------------------------------------------------------------ BackupStore */

struct backing_up {
	struct local *local;
	struct call *c;
	int from; /* STORE/backups; -1: there is none */
	int to;   /* DIR/backups */
};

/* A backup of a table that is deleted meanwhile is no part of it; one that is not whole has no file. */
static int
keep(void *arg, struct slice key, struct slice value)
{
	struct backing_up *b = arg;

	if (key.len == 0 || key.at[0] != KEYSPACE_ARCHIVE || value.len == 0 ||
	    value.at[0] != ARCHIVE_DONE) {
		return 1;
	}
	const char *path = archive_path(b->local, b->c, slice_skip(key, 1));
	int r = b->from < 0 ? KV_ABSENT : copy_file(b->c, strrchr(path, '/') + 1, b->from, b->to);

	return r < 0 ? r : r == 0;
}

static int
write_records(struct backing_up *b, const struct folder *folder, struct raw_dump_counts *n)
{
	struct kv *kv = b->local->kv;
	int fd = folder_file(b->c, folder, RECORDS);

	if (fd < 0) {
		return fd;
	}
	struct kv_snapshot *at = kv->ops->snapshot_new(kv);
	int r = raw_dump_write(b->c, kv, at, fd, keep, b, n);

	kv->ops->snapshot_free(kv, at);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return folder_done(b->c, RECORDS, fd);
}

static int
write_all_of_it(struct local *l, struct call *c, const struct folder *folder,
		struct raw_dump_counts *n)
{
	if (mkdirat(folder->fd, FILES, 0700) != 0) {
		return failed(c, folder->part);
	}
	cleanup(cleanup_fd) int from =
		open(archive_directory(l, c), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup(cleanup_fd) int to = openat(folder->fd, FILES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct backing_up b = {.local = l, .c = c, .from = from, .to = to};

	if (to < 0) {
		return failed(c, FILES);
	}
	int r = write_records(&b, folder, n);

	return r == 0 && fsync(to) != 0 ? failed(c, FILES) : r;
}

/* @name is no link: its parent has been looked up by whoever asks. */
static bool
is_inside(const char *store, const char *name)
{
	char root[PATH_MAX];

	if (realpath(store, root) == NULL) {
		return false;
	}
	size_t len = strlen(root);

	return strncmp(name, root, len) == 0 && name[len] == '/';
}

int
local_exec_backup_store(struct local *l, struct call *c, const struct backup_store_in *in,
			struct backup_store_out *out)
{
	struct raw_dump_counts n = {0};
	struct folder folder;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no backups");
	}
	const char *dir = slice_cstr(&c->arena, in->dir);

	if (is_inside(l->dir, dir)) {
		return call_fail(c, ERR_VALIDATION, "%s: a backup cannot be in the store", dir);
	}
	int r = folder_open(c, dir, 0700, in->mark, &folder);

	if (r < 0) {
		return r;
	}
	r = folder_close(c, &folder, write_all_of_it(l, c, &folder, &n));
	if (r == 0) {
		*out = (struct backup_store_out){.records = n.records, .bytes = n.bytes};
	}
	return r;
}

/* ------------------------------------------------------------ back again */

static const char *
below(struct call *c, const char *dir, const char *name)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s/%s", dir, name);
	return slice_cstr(&c->arena, buf_view(&b));
}

static int
restore_records(struct call *c, int from, const char *dir, local_step_fn *step, void *arg,
		struct raw_dump_counts *n)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(c, below(c, dir, "db"), true, &kv);

	if (r == 0) {
		r = raw_dump_read(c, from, kv, step, arg, n);
		kv->ops->close(kv);
	}
	return r;
}

/* Only what is called as the file of a backup. */
static int
restore_files(struct call *c, const char *from, const char *dir)
{
	const char *target = below(c, dir, FILES);
	cleanup(cleanup_dir) DIR *files = opendir(below(c, from, FILES));
	const struct dirent *e = NULL;
	int r = 0;

	if (files == NULL) {
		return errno == ENOENT ? 0 : failed(c, FILES);
	}
	if (mkdir(target, 0700) != 0) {
		return failed(c, target);
	}
	cleanup(cleanup_fd) int to = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* The stream is this call's own. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	while (r >= 0 && (e = readdir(files)) != NULL) {
		if (archive_file(slice_from(e->d_name)).len > 0) {
			r = copy_file(c, e->d_name, dirfd(files), to);
		}
	}
	if (r >= 0 && (to < 0 || fsync(to) != 0)) {
		r = failed(c, target);
	}
	return r < 0 ? r : 0;
}

int
local_restore(struct call *c, const char *dir, const char *from, local_step_fn *step, void *arg,
	      uint64_t *records)
{
	struct raw_dump_counts n = {0};
	const char *path = below(c, from, RECORDS);
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		return errno == ENOENT || errno == ENOTDIR
			       ? call_fail(c, ERR_VALIDATION, "%s is not a backup: no %s in it",
					   from, RECORDS)
			       : failed(c, path);
	}
	int r = format_vacant(c, dir);

	if (r < 0) {
		return r;
	}
	r = restore_records(c, fd, dir, step, arg, &n);
	r = r < 0 ? r : restore_files(c, from, dir);
	r = r < 0 ? r : format_write(c, dir);
	if (r < 0) {
		folder_remove(below(c, dir, "db"));
		folder_remove(below(c, dir, FILES));
	}
	*records = n.records;
	return r;
}
