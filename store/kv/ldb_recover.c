/*
 * ldb_recover - see ldb_recover.h; runs before leveldb_open()
 *
 * LevelDB skips damage in a log and applies the rest. With paranoid_checks, it does not open after an ordinary crash,
 * which may leave zeros at the end, and it still skips zeros between two records. Batches of this store are
 * differences: a missing one makes indexes and counts wrong. So each log that LevelDB would read back (see the
 * manifest) is read here first:
 *
 *   all checksums valid, sequence numbers without a gap     nothing to do
 *   less is valid than was on disk (ldb_durable.h)          refused
 *   else, no marked batch after the first damage, and
 *   no later log that is known to have been on disk         a crash: cut there
 *   else                                                    refused
 *
 * The last edit of the manifest may be lost in the same way, or the names of its new files: LevelDB writes the edit, then
 * syncs the directory, then the manifest. It removes the files that an edit replaces only after that. So if all files
 * from before an edit are there, the manifest is right without this edit, too.
 */
#include "store/kv/ldb_recover.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/regular.h"
#include "store/base/system/say.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_durable.h"
#include "store/kv/ldb_files.h"
#include "store/kv/ldb_holder.h"
#include "store/kv/ldb_log.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_refusal.h"

/* ------------------------------------------------------------ the logs */

static int
compare_logs(const void *a, const void *b)
{
	uint64_t x = ((const struct log *)a)->number;
	uint64_t y = ((const struct log *)b)->number;

	return (x > y) - (x < y);
}

/* Lists the logs that LevelDB will read back, according to the manifest. */
static int
list_logs(struct recovery *rec)
{
	cleanup(cleanup_dir) DIR *d = folder_list(rec->tables);
	const char *entry;
	struct buf list;
	struct log log;

	if (d == NULL) {
		return ldb_fail_errno(rec->c, rec->dir, ".");
	}
	buf_init(&list, &rec->c->arena);
	while ((entry = folder_next(d)) != NULL) {
		uint64_t number = strtoull(entry, NULL, 10); /* of N.ldb and N.log; else 0 */

		rec->newest = number > rec->newest ? number : rec->newest;
		if (ldb_files_is_log(entry, &log.number) && log.number >= rec->manifest.log) {
			memcpy(log.name, entry, strlen(entry) + 1);
			buf_put(&list, &log, sizeof(log));
		}
	}
	if (errno != 0) {
		return ldb_fail_errno(rec->c, rec->dir, ".");
	}
	rec->n = list.len / sizeof(*rec->logs);
	rec->logs = arena_new(&rec->c->arena, struct log, rec->n);
	if (rec->n > 0) {
		memcpy(rec->logs, list.at, list.len);
		qsort(rec->logs, rec->n, sizeof(*rec->logs), compare_logs);
	}
	return 0;
}

/* Whether the batch that was just read continues those before it. */
static bool
continues(struct recovery *rec)
{
	if (rec->record.len < LDB_BATCH_HEAD) {
		return false;
	}
	uint64_t sequence = ldb_log_u64(rec->record.at);

	if (sequence != rec->next && !(rec->at_most && sequence < rec->next)) {
		rec->gap = true;
		return false;
	}
	rec->next = sequence + ldb_log_u32(rec->record.at + sizeof(sequence));
	rec->at_most = false;
	return true;
}

/* Reads a log. @valid_end: the end of its valid part. Return: 1: all of it is valid; 0: it is not; -1 with errno */
static int
read_log(struct recovery *rec, int fd, off_t *valid_end)
{
	struct stat st;
	int r;

	*valid_end = 0;
	rec->gap = false;
	ldb_log_begin(&rec->reader, fd);
	while ((r = ldb_log_next(&rec->reader, &rec->record)) == 1 && continues(rec)) {
		*valid_end = ldb_log_place(&rec->reader);
	}
	if (r < 0 || fstat(fd, &st) < 0) {
		return -1;
	}
	rec->end = st.st_size;
	rec->gap = rec->gap && *valid_end == 0;
	return *valid_end == rec->end;
}

/* Finds the first damage. A log may also be shorter than it was, without visible damage: then @rec->brief is set. */
static int
read_logs(struct recovery *rec)
{
	for (rec->damaged = 0; rec->damaged < rec->n; rec->damaged++) {
		const char *name = rec->logs[rec->damaged].name;
		cleanup(cleanup_fd) int fd = ldb_open_file(rec->fd, name);
		int r = fd < 0 ? -1 : read_log(rec, fd, &rec->from);

		rec->brief = r >= 0 && rec->from < ldb_durable_bytes(rec->tables, name);
		if (r <= 0 || rec->brief) {
			return r < 0 ? ldb_fail_errno(rec->c, rec->dir, name) : 0;
		}
	}
	return 0;
}

/*
 * Check whether the damaged part was on disk. It was if there is a mark after it. The mark of the damaged batch itself
 * does not count, because it is about earlier batches. A note on a later log counts, too: all logs are synced before
 * one gets a note.
 * Return: 1: it was; 0: not known; < 0
 */
static int
was_synced(struct recovery *rec)
{
	for (size_t i = rec->damaged; i < rec->n; i++) {
		const char *name = rec->logs[i].name;
		off_t from = i == rec->damaged ? rec->from : 0;

		if (i > rec->damaged && ldb_durable_bytes(rec->tables, name) > 0) {
			return 1;
		}
		cleanup(cleanup_fd) int fd = ldb_open_file(rec->fd, name);
		int r = fd < 0 ? -1 : ldb_log_find_mark(&rec->reader, fd, from, rec->next);

		if (r != 0) {
			return r < 0 ? ldb_fail_errno(rec->c, rec->dir, name) : 1;
		}
	}
	return 0;
}

/* Cuts the damaged log at the damage, and empties the later ones. */
static int
cut_logs(const struct recovery *rec)
{
	assert(rec->damaged < rec->n);
	for (size_t i = rec->n; i-- > rec->damaged;) {
		const char *name = rec->logs[i].name;
		cleanup(cleanup_fd) int fd = regular_open_for(rec->fd, name, O_WRONLY);

		if (fd < 0 || ftruncate(fd, i == rec->damaged ? rec->from : 0) < 0) {
			return ldb_fail_errno(rec->c, rec->dir, name);
		}
	}
	return 0;
}

/* The message is printed once, because the next open finds nothing to cut; for a copy, at each open. */
static void
tell_cut(const struct recovery *rec)
{
	size_t later = rec->n - rec->damaged - 1;

	assert(rec->damaged < rec->n);
	say("%s/%s: its last %lld bytes are an incomplete write%s, and %s. A crash during "
	    "a write can cause this; if the file was copied or shortened, writes are missing",
	    rec->dir, rec->logs[rec->damaged].name, (long long)(rec->end - rec->from),
	    later > 0 ? ", like the contents of the later logs" : "",
	    rec->fd == rec->tables ? "were cut off" : "are not read; the file keeps them");
}

/* ------------------------------------------------------------ the manifest */

static bool
has_first(const struct recovery *rec)
{
	uint64_t first = rec->manifest.log;

	return first == 0 || (rec->n > 0 && rec->logs[0].number == first);
}

/*
 * Lists the logs, and checks that all files are there that the manifest names. LevelDB creates a log before it names it.
 * If that log is missing, LevelDB would begin a new one and lose the data without an error.
 */
static int
find_files(struct recovery *rec)
{
	const struct ldb_dir dir = {rec->tables, rec->dir};
	int r = list_logs(rec);

	rec->next = rec->manifest.sequence + 1;
	if (r < 0) {
		return r;
	}
	r = has_first(rec) ? 0 : ldb_refusal_first(rec);
	int feet = ldb_damage_feet(rec->c, dir, &rec->manifest, &rec->intact);

	return r < 0 ? r : feet;
}

/*
 * Leaves out the last edit if a power cut may have taken the names of its new files; see the head of this file. If it
 * does not apply, the error of the call remains. LevelDB writes nothing after the edit before the names are on disk, and
 * it syncs a table before it writes the edit, so a damaged table has another cause. It loses no synced batch:
 *
 *   a new table    All its data is in the files from before.
 *   a new log      A batch in it is acknowledged as durable only when the name of the log is on disk. If a file with a
 *                  greater number is there, the log was created before it, and someone has removed it. An edit without a
 *                  new table has no such file, so it is kept.
 */
static int
undo_last_edit(struct recovery *rec)
{
	const struct ldb_manifest whole = rec->manifest;
	bool log = has_first(rec);

	if (whole.valid_end < whole.size || !rec->intact || (!log && rec->newest > whole.log)) {
		return -ERR_CORRUPT;
	}
	int r = ldb_manifest_read_before(rec->c, (struct ldb_dir){rec->fd, rec->dir}, &whole,
					 &rec->manifest);

	r = r < 0 ? r : find_files(rec);
	/* An edit that names another log drops no table. */
	if (r < 0 || (!log && rec->manifest.n == whole.n)) {
		return -ERR_CORRUPT;
	}
	rec->c->error = (struct error){0};
	rec->manifest.lost = whole.valid_end - rec->manifest.valid_end;
	rec->unnamed = true;
	return 0;
}

/* If the last edit is lost, all files from before it must be there. */
static int
check_manifest(struct recovery *rec)
{
	int r = find_files(rec);

	if (r != -ERR_CORRUPT) {
		return r;
	}
	if (rec->manifest.lost == 0) {
		return undo_last_edit(rec);
	}
	rec->c->error = (struct error){0};
	return ldb_manifest_refuse(rec->c, (struct ldb_dir){rec->fd, rec->dir}, &rec->manifest);
}

/*
 * LevelDB will use the numbers of the files that the edit has named for other files. The sync prevents that the edit
 * comes back after another power cut and names these.
 */
static int
cut_manifest(const struct recovery *rec)
{
	const struct ldb_manifest *m = &rec->manifest;
	cleanup(cleanup_fd) int fd = regular_open_for(rec->fd, m->name, O_WRONLY);

	if (fd < 0 || ftruncate(fd, m->valid_end) < 0 || fsync(fd) < 0) {
		return ldb_fail_errno(rec->c, rec->dir, m->name);
	}
	say("%s/%s: its last %lld bytes are an %s, and all files from before "
	    "it exist: the bytes %s. A crash during a write can cause this; if this is a copy of "
	    "a store that was in use, writes may be missing: make copies with itemctl backup",
	    rec->dir, m->name, (long long)m->lost,
	    rec->unnamed ? "edit whose new files are missing" : "incomplete edit",
	    rec->fd == rec->tables ? "were cut off" : "are not read; the file keeps them");
	return 0;
}

static int
check_logs(struct recovery *rec)
{
	int r = read_logs(rec);

	if (r < 0 || rec->damaged == rec->n) {
		return r;
	}
	if (rec->gap && rec->damaged == 0) {
		return ldb_refusal_gap(rec);
	}
	if (rec->brief) {
		return rec->gap ? ldb_refusal_gap(rec) : ldb_refusal_short(rec);
	}
	r = was_synced(rec);
	if (r == 0) {
		r = cut_logs(rec);
		if (r == 0) {
			tell_cut(rec);
		}
		return r;
	}
	return r < 0 ? r : rec->gap ? ldb_refusal_gap(rec) : ldb_refusal_synced(rec);
}

/* ------------------------------------------------------------ locks */

/*
 * Takes LevelDB's own lock while the logs are read, because they are not valid while they are written. Without a LOCK
 * file nobody writes them. Return: 1, < 0
 */
static int
lock_out_others(struct recovery *rec, int *fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	*fd = regular_open_for(rec->fd, "LOCK", O_RDWR);
	if (*fd < 0) {
		return errno == ENOENT ? 1 : ldb_fail_errno(rec->c, rec->dir, "LOCK");
	}
	if (fcntl(*fd, F_OFD_SETLK, &whole) == 0) {
		return 1;
	}
	return errno == EAGAIN || errno == EACCES ? ldb_busy(rec->c, rec->dir)
						  : ldb_fail_errno(rec->c, rec->dir, "LOCK");
}

static int
ldb_recover_recover(struct recovery *rec)
{
	cleanup(cleanup_fd) int fd = -1;
	int r = lock_out_others(rec, &fd);

	if (r == 1) {
		r = ldb_manifest_read(rec->c, (struct ldb_dir){rec->fd, rec->dir}, &rec->manifest);
	}
	if (r == 1) {
		r = check_manifest(rec);
		r = r < 0 ? r : check_logs(rec);
		r = r < 0 || rec->manifest.lost == 0 ? r : cut_manifest(rec);
	}
	return r;
}

int
ldb_recover_lock(struct call *c, int at, const char *name, const char *dir, int *lock)
{
	*lock = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*lock < 0) {
		return errno == ENOENT ? 0 : ldb_fail_errno(c, dir, ".");
	}
	/* If the file system has no such locks, LevelDB's own lock remains. */
	if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		return ldb_busy(c, dir);
	}
	return ldb_files_check(c, dir, *lock);
}

int
ldb_recover_exclude(struct call *c, const char *dir, int fd, int *lock)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	*lock = regular_open_for(fd, "LOCK", O_RDWR);
	if (*lock < 0) {
		/* A shared lock excludes writers, too. */
		whole.l_type = F_RDLCK;
		*lock = regular_open(fd, "LOCK");
	}
	return *lock >= 0 && fcntl(*lock, F_OFD_SETLK, &whole) != 0 &&
			       (errno == EAGAIN || errno == EACCES)
		       ? ldb_busy(c, dir)
		       : 0;
}

int
ldb_recover(struct call *c, const char *dir, int fd, int copy)
{
	struct recovery *rec = arena_new(&c->arena, struct recovery, 1);

	if (fd < 0) {
		return 0;
	}
	*rec = (struct recovery){
		.c = c, .dir = dir, .fd = copy < 0 ? fd : copy, .tables = fd, .at_most = true};

	int r = ldb_recover_recover(rec);

	buf_release(&rec->record);
	return r;
}
