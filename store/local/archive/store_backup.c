/*
 * store_backup - BackupStore, and a new store from its result
 *
 *   DIR/BACKUP         store image (store_image.c)
 *   DIR/backups/...    the valid files of STORE/backups/ (archive_copy.c)
 *
 * The user's files in buckets/ and the rejected items of mounts (rejected/) are not included.
 */
#include "store/local/archive/store_backup.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"
#include "store/base/system/regular.h"
#include "store/kv/kv.h"
#include "store/local/archive/archive.h"
#include "store/local/records/format.h"

#define RECORDS "BACKUP"
#define FILES "backups"

/* ------------------------------------------------------------ BackupStore */

/* Removing the file of the store image, @arg, cancels the backup. */
static int
wanted(void *arg, struct call *c, uint64_t bytes)
{
	(void)bytes;
	return store_image_wanted(c, *(const int *)arg);
}

static int
store_backup_write_records(struct call *c, const struct folder *folder,
			   struct archive_copying *files, struct store_image_counts *n)
{
	struct kv *kv = files->local->kv;
	int fd = folder_file(c, folder, RECORDS);

	if (fd < 0) {
		return fd;
	}
	cleanup(kv_view_close) struct kv_view view = kv_view_open(kv);

	files->arg = &fd;
	int r = store_image_write(c, &view, fd, files, n);

	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return folder_done(c, RECORDS, fd);
}

static int
write_all_of_it(struct local *l, struct call *c, const struct folder *folder,
		struct backup_store_out *out)
{
	struct store_image_counts n = {0};
	cleanup(cleanup_fd) int from = -1;
	int r = archive_folder(l, c, false, &from);

	if (r == 0 && mkdirat(folder->fd, FILES, 0700) != 0) {
		r = archive_failed(c, folder->part);
	}
	if (r < 0) {
		return r;
	}
	cleanup(cleanup_fd) int to = openat(folder->fd, FILES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct archive_copying files = {.local = l, .from = from, .to = to, .step = wanted};

	if (to < 0) {
		return archive_failed(c, FILES);
	}
	r = store_backup_write_records(c, folder, &files, &n);
	*out = (struct backup_store_out){n.records, n.bytes, files.broken, files.n_broken};
	if (r == 0 && unlinkat(folder->fd, FILES, AT_REMOVEDIR) == 0) {
		return 0; /* the folder was empty: there are no table backups */
	}
	return r == 0 && fsync(to) != 0 ? archive_failed(c, FILES) : r;
}

/* Return: whether @name is below @store.  @name is absolute and free of links: the client has resolved its parent. */
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
	struct folder folder;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no backups");
	}
	const char *dir = slice_cstr(&c->arena, in->dir);

	if (is_inside(l->dir, dir)) {
		return call_fail(c, ERR_VALIDATION, "%s: a backup cannot be in the store", dir);
	}
	int r = folder_open(c, dir, 0700, in->mark, &folder);

	return r < 0 ? r : folder_close(c, &folder, write_all_of_it(l, c, &folder, out));
}

/* ------------------------------------------------------------ restore */

struct restoring {
	struct call *c;
	const struct restore_in *in;
	struct store_image_counts n;
	struct archive_copying files;
	int dir;         /* descriptor of the new store */
	bool made_db;    /* this restore has created the folder db */
	bool made_files; /* likewise backups */
};

static const char *
below(struct call *c, const char *dir, const char *name)
{
	return arena_print(&c->arena, "%s/%s", dir, name);
}

static int
restore_records(struct restoring *rs, int from)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open_at(rs->c, rs->dir, "db", below(rs->c, rs->in->dir, "db"), true,
				   &kv);

	if (r == 0) {
		r = store_image_read(rs->c, from, kv, &rs->files, &rs->n);
		kv->ops->close(kv);
	}
	return r;
}

/* Open the folder of table backups in the backup, whose content is not trusted; *@fd: -1: it is missing. */
static int
open_backed_up(struct restoring *rs, int *fd)
{
	const char *path = below(rs->c, rs->in->from, FILES);

	*fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*fd >= 0 || errno == ENOENT) {
		return 0;
	}
	return errno == ELOOP || errno == ENOTDIR
		       ? call_fail(rs->c, ERR_VALIDATION, "%s is not a directory", path)
		       : archive_failed(rs->c, path);
}

/* Create a directory; fail if it exists. */
static int
make_own(const struct restoring *rs, const char *name, bool *made)
{
	*made = mkdirat(rs->dir, name, 0700) == 0;
	return *made ? 0 : archive_failed(rs->c, below(rs->c, rs->in->dir, name));
}

/* Return: 0, STORE_IMAGE_ENOUGH, < 0 */
static int
restore_all(struct restoring *rs, int records)
{
	const char *target = below(rs->c, rs->in->dir, FILES);
	cleanup(cleanup_fd) int from = -1;
	int r = open_backed_up(rs, &from);

	r = r < 0 ? r : make_own(rs, "db", &rs->made_db);
	r = r < 0 ? r : make_own(rs, FILES, &rs->made_files);
	if (r < 0) {
		return r;
	}
	cleanup(cleanup_fd) int to = private_folder(rs->dir, FILES, false);

	if (to < 0) {
		return archive_failed(rs->c, target);
	}
	rs->files.from = from;
	rs->files.to = to;
	r = restore_records(rs, records);
	return r == 0 && fsync(to) != 0 ? archive_failed(rs->c, target) : r;
}

/* Remove everything that this restore has created.  FORMAT is removed first, because it marks a store. */
static void
store_backup_take_away(const struct restoring *rs, bool made)
{
	if (rs->made_db) {
		(void)unlinkat(rs->dir, "FORMAT", 0);
		folder_remove_at(rs->dir, "db");
	}
	if (rs->made_files) {
		folder_remove_at(rs->dir, FILES);
	}
	if (made) {
		(void)rmdir(rs->in->dir);
	}
}

static int
open_records(struct call *c, const char *from)
{
	const char *path = below(c, from, RECORDS);
	int fd = regular_open(AT_FDCWD, path);

	if (fd == REGULAR_OTHER) {
		return call_fail(c, ERR_VALIDATION,
				 "%s is not a backup: its %s is not a regular file", from, RECORDS);
	}
	if (fd == REGULAR_FAILED && (errno == ENOENT || errno == ENOTDIR)) {
		return call_fail(c, ERR_VALIDATION, "%s is not a backup: no %s in it", from,
				 RECORDS);
	}
	return fd < 0 ? archive_failed(c, path) : fd;
}

int
store_backup_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
{
	cleanup(cleanup_fd) int fd = open_records(c, in->from);
	struct restoring rs = {
		.c = c,
		.in = in,
		.files = {.step = in->step, .arg = in->arg, .without_broken = in->without_broken}};
	bool made = false;
	cleanup(cleanup_fd) int dir = -1;
	int r = fd < 0 ? fd : format_vacant(c, in->dir, &made, &dir);

	if (r < 0) {
		return r;
	}
	rs.dir = dir;
	r = restore_all(&rs, fd);
	r = r == 0 ? format_write(c, in->dir, dir) : r;
	if (r != 0) {
		store_backup_take_away(&rs, made);
	}
	*out = (struct restore_out){rs.n.records - rs.files.n_broken, rs.files.broken,
				    rs.files.n_broken};
	return r == STORE_IMAGE_ENOUGH ? RESTORE_REFUSED : r;
}
