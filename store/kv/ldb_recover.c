/*
 * ldb_recover - a LevelDB's logs before LevelDB reads them
 *
 * LevelDB passes over damage in a log and applies what follows; or, with
 * paranoid_checks, it does not open after an ordinary crash, whose last blocks
 * may be zeros, and still passes over zeros between two records.  Our batches
 * are differences: one that is missing makes indexes and counts wrong.  So each
 * log that LevelDB would read back (see the manifest) is read here first:
 *
 *   all checksums right, sequence numbers without a gap     nothing to do
 *   less is sound than was on disk (ldb_durable.h)          refused
 *   else, no marked batch behind the first damage, and
 *   no later log of which some is known to be on disk       a crash: cut there
 *   else                                                    refused
 *
 * The manifest's last edit may be lost in the same way.  LevelDB removes the files before an edit
 * when it is on disk: if they are all there, the manifest without it is right, too.
 *
 * Before it: nothing.  After it: leveldb_open().
 */
#include "store/kv/ldb_recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/folder.h"
#include "store/base/system/regular.h"
#include "store/base/system/say.h"
#include "store/base/text/shell_word.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_durable.h"
#include "store/kv/ldb_files.h"
#include "store/kv/ldb_holder.h"
#include "store/kv/ldb_log.h"
#include "store/kv/ldb_manifest.h"

/* One log that is to be read back. */
struct log {
	uint64_t number;
	char name[LDB_NAME_BYTES];
};

struct recovery {
	struct call *c;
	const char *dir;
	int fd;     /* of dir, or of the copy of its logs and manifest */
	int tables; /* of dir */

	struct ldb_manifest manifest;
	uint64_t next; /* sequence number of the next batch */
	bool at_most;  /* or a lower one: no batch has been read yet */

	struct log *logs; /* in the order of their numbers */
	size_t n;
	size_t damaged; /* the first of them with damage; n: none */
	off_t from;     /* where in it */
	off_t end;      /* its size */
	bool gap;       /* its first batch is sound, and does not continue what was before it */
	bool brief;     /* more of it was on disk than is sound */

	struct ldb_log reader;
	struct buf record; /* on the heap */
};

static int
ldb_recover_fail(const struct recovery *rec, const char *name)
{
	return call_fail(rec->c, ERR_IO, "IO error: %s/%s: %s", rec->dir, name,
			 strerrordesc_np(errno));
}

/* A file of the database as a word of a command that is to be pasted. */
static void
put_path(struct buf *b, const struct recovery *rec, const char *name, const char *more)
{
	struct buf path;

	buf_init(&path, &rec->c->arena);
	buf_fmt(&path, "%s/%s%s", rec->dir, name, more);
	shell_word(b, buf_view(&path));
}

/* ------------------------------------------------------------ the logs */

static int
compare_logs(const void *a, const void *b)
{
	uint64_t x = ((const struct log *)a)->number;
	uint64_t y = ((const struct log *)b)->number;

	return (x > y) - (x < y);
}

static int
list_logs(struct recovery *rec)
{
	cleanup(cleanup_dir) DIR *d = folder_list(rec->fd);
	struct buf list;

	if (d == NULL) {
		return ldb_recover_fail(rec, ".");
	}
	buf_init(&list, &rec->c->arena);
	errno = 0;
	for (;;) {
		/* The stream is ours alone. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const struct dirent *e = readdir(d);
		struct log log;

		if (e == NULL) {
			break;
		}
		if (ldb_files_is_log(e->d_name, &log.number)) {
			memcpy(log.name, e->d_name, strlen(e->d_name) + 1);
			buf_put(&list, &log, sizeof(log));
		}
		errno = 0;
	}
	if (errno != 0) {
		return ldb_recover_fail(rec, ".");
	}
	rec->n = list.len / sizeof(*rec->logs);
	rec->logs = arena_new(&rec->c->arena, struct log, rec->n);
	if (rec->n > 0) {
		memcpy(rec->logs, list.at, list.len);
		qsort(rec->logs, rec->n, sizeof(*rec->logs), compare_logs);
	}
	return 0;
}

/* Of the logs, those stay that LevelDB will read back.  Return: 1; 0: there is no database; < 0 */
static int
ldb_recover_read_manifest(struct recovery *rec)
{
	int r = ldb_manifest_read(rec->c, (struct ldb_dir){rec->fd, rec->dir}, &rec->manifest);

	while (rec->n > 0 && rec->logs->number < rec->manifest.log) {
		rec->logs++;
		rec->n--;
	}
	rec->next = rec->manifest.sequence + 1;
	return r;
}

/* Does the batch that was just read continue those before it? */
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

/* @sound: up to where the log is a sound continuation.  Return: 1; 0: not to its end; -1. */
static int
read_log(struct recovery *rec, int fd, off_t *sound)
{
	struct stat st;
	int r;

	*sound = 0;
	rec->gap = false;
	ldb_log_begin(&rec->reader, fd);
	while ((r = ldb_log_next(&rec->reader, &rec->record)) == 1 && continues(rec)) {
		*sound = ldb_log_place(&rec->reader);
	}
	if (r < 0 || fstat(fd, &st) < 0) {
		return -1;
	}
	rec->end = st.st_size;
	rec->gap = rec->gap && *sound == 0;
	return *sound == rec->end;
}

/* Find the first damage.  More may have been on disk than is sound, also when nothing follows that would say so. */
static int
read_logs(struct recovery *rec)
{
	for (rec->damaged = 0; rec->damaged < rec->n; rec->damaged++) {
		const char *name = rec->logs[rec->damaged].name;
		cleanup(cleanup_fd) int fd = ldb_open_file(rec->fd, name);
		int r = fd < 0 ? -1 : read_log(rec, fd, &rec->from);

		rec->brief = r >= 0 && rec->from < ldb_durable_bytes(rec->tables, name);
		if (r <= 0 || rec->brief) {
			return r < 0 ? ldb_recover_fail(rec, name) : 0;
		}
	}
	return 0;
}

/*
 * Was it on disk?  A mark behind it says so, but not that of the damaged batch, which tells of what was
 * before; and so does a note on a later log, for all logs are synced before one is noted.
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
			return r < 0 ? ldb_recover_fail(rec, name) : 1;
		}
	}
	return 0;
}

/* The log with the damage ends there; those after it are empty. */
static int
cut_logs(const struct recovery *rec)
{
	for (size_t i = rec->n; i-- > rec->damaged;) {
		const char *name = rec->logs[i].name;
		cleanup(cleanup_fd) int fd = regular_open_for(rec->fd, name, O_WRONLY);

		if (fd < 0 || ftruncate(fd, i == rec->damaged ? rec->from : 0) < 0) {
			return ldb_recover_fail(rec, name);
		}
	}
	return 0;
}

/* Once: what is cut off is not there the next time; of a copy each time. */
static void
tell_cut(const struct recovery *rec)
{
	size_t later = rec->n - rec->damaged - 1;

	say("%s/%s: its last %lld bytes are no whole write%s, and %s. A crash while "
	    "they were written does that; if the file was copied or shortened, writes are missing",
	    rec->dir, rec->logs[rec->damaged].name, (long long)(rec->end - rec->from),
	    later > 0 ? ", nor is what the logs after it hold" : "",
	    rec->fd == rec->tables ? "were cut off" : "are not read; the file keeps them");
}

/*
 * The manifest names the log that goes on, which LevelDB makes before.  Without this it would
 * begin a new one, and what was in the other would be gone without a word.
 */
static int
check_first(const struct recovery *rec)
{
	uint64_t first = rec->manifest.log;

	if (first == 0 || (rec->n > 0 && rec->logs[0].number == first)) {
		return 0;
	}
	if (rec->n > 0) {
		return call_fail(rec->c, ERR_CORRUPT,
				 "%s/%06llu.log is missing, but %s is there: either that log was "
				 "removed, or %s lost its end. Put back what was there, or restore "
				 "a backup",
				 rec->dir, (unsigned long long)first, rec->logs[0].name,
				 rec->manifest.name);
	}
	char name[LDB_NAME_BYTES];
	struct buf path;

	(void)snprintf(name, sizeof(name), "%06llu.log", (unsigned long long)first);
	buf_init(&path, &rec->c->arena);
	put_path(&path, rec, name, "");
	return call_fail(rec->c, ERR_CORRUPT,
			 "%s/%s is missing: the newest writes were in it. Put it back, or "
			 "restore a backup; or give these writes up with \"touch %.*s\", "
			 "and look at what is left with itemctl check",
			 rec->dir, name, SLICE_ARG(buf_view(&path)));
}

static int
check_tables(const struct recovery *rec)
{
	return ldb_damage_feet(rec->c, (struct ldb_dir){rec->tables, rec->dir}, &rec->manifest);
}

/* Without its last edit it names files that were removed once that edit was on disk: they must be there. */
static int
check_manifest(const struct recovery *rec)
{
	int r = check_first(rec);

	if (rec->manifest.lost == 0) {
		return r;
	}
	r = r < 0 ? r : check_tables(rec);
	if (r == -ERR_CORRUPT) {
		rec->c->error = (struct error){0};
		r = ldb_manifest_refuse(rec->c, (struct ldb_dir){rec->fd, rec->dir},
					&rec->manifest);
	}
	return r;
}

static int
cut_manifest(const struct recovery *rec)
{
	const struct ldb_manifest *m = &rec->manifest;
	cleanup(cleanup_fd) int fd = regular_open_for(rec->fd, m->name, O_WRONLY);

	if (fd < 0 || ftruncate(fd, m->sound) < 0) {
		return ldb_recover_fail(rec, m->name);
	}
	say("%s/%s: its last %lld bytes are no whole edit, and all files from before it are there: "
	    "they %s. A crash while they were written does that",
	    rec->dir, m->name, (long long)m->lost,
	    rec->fd == rec->tables ? "were cut off" : "are not read; the file keeps them");
	return 0;
}

/* To be pasted.  What is copied has its owner and mode, and not its note, and so the later logs go. */
static const char *
give_up(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;
	struct buf b;

	buf_init(&b, &rec->c->arena);
	buf_str(&b, "cp -p ");
	put_path(&b, rec, name, "");
	buf_char(&b, ' ');
	put_path(&b, rec, name, ".new");
	buf_fmt(&b, " && truncate -s %lld ", (long long)rec->from);
	put_path(&b, rec, name, ".new");
	buf_str(&b, " && mv ");
	put_path(&b, rec, name, ".new");
	buf_char(&b, ' ');
	put_path(&b, rec, name, "");
	for (size_t i = rec->damaged + 1; i < rec->n; i++) {
		buf_str(&b, i == rec->damaged + 1 ? " && rm " : " ");
		put_path(&b, rec, rec->logs[i].name, "");
	}
	return slice_cstr(&rec->c->arena, buf_view(&b));
}

#define REFUSED_COPY \
	"If this is a copy of a store that was in use, make another with itemctl backup"

static int
ldb_recover_refuse(const struct recovery *rec)
{
	return call_fail(rec->c, ERR_CORRUPT,
			 "%s/%s is damaged: what stood at byte %lld was on disk, and later writes "
			 "build on it. Restore a backup; or give up all writes from there on with "
			 "\"%s\", and look at what is left with itemctl check. " REFUSED_COPY,
			 rec->dir, rec->logs[rec->damaged].name, (long long)rec->from,
			 give_up(rec));
}

static int
refuse_short(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;
	bool whole = rec->from == rec->end; /* as an older copy is that was put over it */
	bool keeps = whole && rec->damaged + 1 == rec->n;

	return call_fail(
		rec->c, ERR_CORRUPT,
		"%s/%s is %s: %lld bytes of it were on disk, and %lld are sound. No crash "
		"does that: writes are missing. Put it back, or restore a backup; or give "
		"up %s with \"%s\"%s, and look at what is left with itemctl check. " REFUSED_COPY,
		rec->dir, name, whole ? "cut short, or an older copy" : "damaged",
		(long long)ldb_durable_bytes(rec->tables, name), (long long)rec->from,
		keeps ? "the missing writes" : "all writes from there on", give_up(rec),
		keeps ? ", which keeps all that the file has" : "");
}

/*
 * A log begins where the manifest ends.  No crash opens a gap there, and to cut off the log would lose
 * all of it: a manifest that lost its last edits, at the end of one, looks sound.
 */
static int
refuse_gap(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;

	if (rec->damaged == 0) {
		return call_fail(rec->c, ERR_CORRUPT,
				 "%s/%s does not continue what %s says: writes between them are "
				 "missing, or %s lost its end. Nothing is changed here. Put back "
				 "what was there, or restore a backup. " REFUSED_COPY,
				 rec->dir, name, rec->manifest.name, rec->manifest.name);
	}
	return call_fail(rec->c, ERR_CORRUPT,
			 "%s/%s does not continue %s: writes between them were on disk and are "
			 "missing, or one of the two is another's. Put back what was there, or "
			 "restore a backup; or give up all writes from there on with \"%s\", and "
			 "look at what is left with itemctl check. " REFUSED_COPY,
			 rec->dir, name, rec->logs[rec->damaged - 1].name, give_up(rec));
}

static int
check_logs(struct recovery *rec)
{
	int r = read_logs(rec);

	if (r < 0 || rec->damaged == rec->n) {
		return r;
	}
	if (rec->gap && rec->damaged == 0) {
		return refuse_gap(rec);
	}
	if (rec->brief) {
		return rec->gap ? refuse_gap(rec) : refuse_short(rec);
	}
	r = was_synced(rec);
	if (r == 0) {
		r = cut_logs(rec);
		if (r == 0) {
			tell_cut(rec);
		}
		return r;
	}
	return r < 0 ? r : rec->gap ? refuse_gap(rec) : ldb_recover_refuse(rec);
}

/* ------------------------------------------------------------ locks */

/*
 * LevelDB's own lock is held for as long as the logs are looked at, for they
 * are not sound while somebody writes them.  Nobody does when there is no lock.
 * Return: 1, < 0.
 */
static int
lock_out_others(struct recovery *rec, int *fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	*fd = regular_open_for(rec->fd, "LOCK", O_RDWR);
	if (*fd < 0) {
		return errno == ENOENT ? 1 : ldb_recover_fail(rec, "LOCK");
	}
	if (fcntl(*fd, F_OFD_SETLK, &whole) == 0) {
		return 1;
	}
	return errno == EAGAIN || errno == EACCES ? ldb_busy(rec->c, rec->dir)
						  : ldb_recover_fail(rec, "LOCK");
}

static int
ldb_recover_recover(struct recovery *rec)
{
	cleanup(cleanup_fd) int fd = -1;
	int r = lock_out_others(rec, &fd);

	if (r == 1) {
		r = list_logs(rec);
		r = r < 0 ? r : ldb_recover_read_manifest(rec);
	}
	if (r == 1) {
		r = check_manifest(rec);
		r = r < 0 ? r : check_logs(rec);
		r = r < 0 ? r : check_tables(rec);
		r = r < 0 || rec->manifest.lost == 0 ? r : cut_manifest(rec);
	}
	return r;
}

int
ldb_recover_lock(struct call *c, int at, const char *name, const char *dir, int *lock)
{
	*lock = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*lock < 0) {
		return errno == ENOENT
			       ? 0
			       : ldb_recover_fail(&(struct recovery){.c = c, .dir = dir}, ".");
	}
	/* A file system without such locks has LevelDB's own. */
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
		/* A shared lock keeps writers out as well. */
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
