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
 *   else, no marked batch behind the first damage           a crash: cut there
 *   else                                                    refused
 *
 * Before it: nothing.  After it: leveldb_open().
 */
#include "store/kv/ldb_recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/regular.h"
#include "store/kv/ldb_files.h"
#include "store/kv/ldb_log.h"

enum { NAME_BYTES = 32 };

/* One log that is to be read back. */
struct log {
	uint64_t number;
	char name[NAME_BYTES];
};

struct recovery {
	struct call *c;
	const char *dir;
	int fd; /* of dir */

	uint64_t first; /* of the manifest: logs from this number on are read back */
	uint64_t next;  /* sequence number of the next batch */
	bool at_most;   /* or a lower one: no batch has been read yet */

	struct log *logs; /* in the order of their numbers */
	size_t n;
	size_t damaged; /* the first of them with damage; n: none */
	off_t from;     /* where in it */

	struct ldb_log reader;
	struct buf record; /* on the heap */
};

static int
fail(const struct recovery *rec, const char *name)
{
	return call_fail(rec->c, ERR_IO, "IO error: %s/%s: %s", rec->dir, name,
			 strerrordesc_np(errno));
}

/* ------------------------------------------------------------ the manifest */

static bool
take_number(struct slice *rest, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 64 && rest->len > 0; shift += 7) {
		unsigned char byte = (unsigned char)rest->at[0];

		*rest = slice_skip(*rest, 1);
		*out |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			return true;
		}
	}
	return false;
}

/* The fields behind each tag of an edit: a number, or text with its length. */
static const char *const edit_fields[] = {
	[1] = "t",     [2] = "n",
	[3] = "n",     [4] = "n", /* comparator, log, next file, sequence */
	[5] = "nt",    [6] = "nn",
	[7] = "nnntt", [9] = "n", /* compaction, files gone and new, old log */
};

enum { EDIT_LOG = 2, EDIT_SEQUENCE = 4, EDIT_TAGS = 10 };

/* The fields of one tag; @number gets the last number. */
static bool
take_fields(struct slice *rest, uint64_t tag, uint64_t *number)
{
	const char *fields = tag < EDIT_TAGS ? edit_fields[tag] : NULL;

	for (; fields != NULL && *fields != '\0'; fields++) {
		uint64_t v;

		if (!take_number(rest, &v) || (*fields == 't' && v > rest->len)) {
			return false;
		}
		if (*fields == 't') {
			*rest = slice_skip(*rest, v);
		} else {
			*number = v;
		}
	}
	return fields != NULL;
}

/*
 * One edit.  The sequence number beside a new log's is not lower than the last
 * of the log before, for the new one may have been written to meanwhile.
 */
static bool
take_edit(struct recovery *rec, struct slice rest)
{
	uint64_t found[EDIT_TAGS] = {[EDIT_LOG] = rec->first};

	while (rest.len > 0) {
		uint64_t tag;
		uint64_t number = 0;

		if (!take_number(&rest, &tag) || !take_fields(&rest, tag, &number)) {
			return false;
		}
		found[tag] = number;
	}
	if (found[EDIT_LOG] != rec->first) {
		rec->first = found[EDIT_LOG];
		rec->next = found[EDIT_SEQUENCE] + 1;
	}
	return true;
}

/* Return: 1; 0: there is none that can be read, as LevelDB will say; < 0. */
static int
read_manifest(struct recovery *rec)
{
	char name[NAME_BYTES] = "";
	cleanup(cleanup_fd) int current = regular_open(rec->fd, "CURRENT");

	if (current < 0 || read(current, name, sizeof(name) - 1) <= 0) {
		return 0;
	}
	name[strcspn(name, "\n")] = '\0';

	cleanup(cleanup_fd) int fd = regular_open(rec->fd, name);
	int r = fd < 0 ? 0 : 1;

	ldb_log_begin(&rec->reader, fd);
	while (r == 1) {
		r = ldb_log_next(&rec->reader, &rec->record);
		if (r == 1 && !take_edit(rec, buf_view(&rec->record))) {
			return 0;
		}
	}
	return r < 0 ? fail(rec, name) : fd >= 0;
}

/* ------------------------------------------------------------ the logs */

static int
compare_logs(const void *a, const void *b)
{
	uint64_t x = ((const struct log *)a)->number;
	uint64_t y = ((const struct log *)b)->number;

	return (x > y) - (x < y);
}

static void
close_dir(DIR **d)
{
	if (*d != NULL) {
		(void)closedir(*d);
	}
}

/* Is this the name of a log that LevelDB will read back? */
static bool
is_log(const struct recovery *rec, const char *name, struct log *out)
{
	char *end;

	errno = 0;
	out->number = strtoull(name, &end, 10);
	if (errno != 0 || end == name || strcmp(end, ".log") != 0 || strlen(name) >= NAME_BYTES) {
		return false;
	}
	memcpy(out->name, name, strlen(name) + 1);
	return out->number >= rec->first;
}

static int
list_logs(struct recovery *rec)
{
	cleanup(close_dir) DIR *d = opendir(rec->dir);
	struct buf list;

	buf_init(&list, &rec->c->arena);
	errno = 0;
	while (d != NULL) {
		/* The stream is ours alone. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const struct dirent *e = readdir(d);
		struct log log;

		if (e == NULL) {
			break;
		}
		if (is_log(rec, e->d_name, &log)) {
			buf_put(&list, &log, sizeof(log));
		}
		errno = 0;
	}
	if (errno != 0) {
		return fail(rec, ".");
	}
	rec->n = list.len / sizeof(*rec->logs);
	rec->logs = arena_new(&rec->c->arena, struct log, rec->n);
	if (rec->n > 0) {
		memcpy(rec->logs, list.at, list.len);
		qsort(rec->logs, rec->n, sizeof(*rec->logs), compare_logs);
	}
	return 0;
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
	ldb_log_begin(&rec->reader, fd);
	while ((r = ldb_log_next(&rec->reader, &rec->record)) == 1 && continues(rec)) {
		*sound = ldb_log_place(&rec->reader);
	}
	if (r < 0 || fstat(fd, &st) < 0) {
		return -1;
	}
	return *sound == st.st_size;
}

/* Find the first damage. */
static int
read_logs(struct recovery *rec)
{
	for (rec->damaged = 0; rec->damaged < rec->n; rec->damaged++) {
		const char *name = rec->logs[rec->damaged].name;
		cleanup(cleanup_fd) int fd = regular_open(rec->fd, name);
		int r = fd < 0 ? -1 : read_log(rec, fd, &rec->from);

		if (r <= 0) {
			return r < 0 ? fail(rec, name) : 0;
		}
	}
	return 0;
}

/* Is there a mark behind it?  Not that of the damaged batch, which tells of what was before. */
static int
find_mark(struct recovery *rec)
{
	for (size_t i = rec->damaged; i < rec->n; i++) {
		const char *name = rec->logs[i].name;
		off_t from = i == rec->damaged ? rec->from : 0;
		cleanup(cleanup_fd) int fd = regular_open(rec->fd, name);
		int r = fd < 0 ? -1 : ldb_log_find_mark(&rec->reader, fd, from, rec->next);

		if (r != 0) {
			return r < 0 ? fail(rec, name) : 1;
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
			return fail(rec, name);
		}
	}
	return 0;
}

static int
refuse(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;
	long long from = rec->from;

	return call_fail(rec->c, ERR_CORRUPT,
			 "%s/%s is damaged: what stood at byte %lld was on disk, and later writes "
			 "build on it. Restore a backup; or give up all writes from there on with "
			 "\"truncate -s %lld %s/%s\", and look at what is left with itemctl check",
			 rec->dir, name, from, from, rec->dir, name);
}

static int
check_logs(struct recovery *rec)
{
	int r = read_logs(rec);

	if (r < 0 || rec->damaged == rec->n) {
		return r;
	}
	r = find_mark(rec);
	if (r == 0) {
		r = cut_logs(rec);
	}
	return r == 1 ? refuse(rec) : r;
}

/* ------------------------------------------------------------ locks */

/*
 * LevelDB's own lock is held for as long as the logs are looked at, for they
 * are not sound while somebody writes them.  Return: 1; 0: no LevelDB was here
 * yet; < 0.
 */
static int
lock_out_others(struct recovery *rec, int *fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	*fd = regular_open_for(rec->fd, "LOCK", O_RDWR);
	if (*fd < 0) {
		return errno == ENOENT ? 0 : fail(rec, "LOCK");
	}
	if (fcntl(*fd, F_OFD_SETLK, &whole) == 0) {
		return 1;
	}
	return errno == EAGAIN || errno == EACCES ? ldb_busy(rec->c, rec->dir) : fail(rec, "LOCK");
}

static int
recover(struct recovery *rec)
{
	cleanup(cleanup_fd) int fd = -1;
	int r = lock_out_others(rec, &fd);

	if (r == 1) {
		r = read_manifest(rec);
	}
	if (r == 1) {
		r = list_logs(rec);
		r = r < 0 ? r : check_logs(rec);
	}
	return r;
}

int
ldb_recover(struct call *c, const char *dir, int *lock)
{
	struct recovery *rec = arena_new(&c->arena, struct recovery, 1);

	*lock = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*lock < 0) {
		return errno == ENOENT ? 0 : fail(&(struct recovery){.c = c, .dir = dir}, ".");
	}
	/* A file system without such locks has LevelDB's own. */
	if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		return ldb_busy(c, dir);
	}
	*rec = (struct recovery){.c = c, .dir = dir, .fd = *lock, .next = 1, .at_most = true};

	int r = ldb_files_check(c, dir, *lock);

	r = r < 0 ? r : recover(rec);
	buf_release(&rec->record);
	return r;
}

/* Who has LevelDB's lock?  0: that cannot be known. */
static pid_t
holder(const char *dir)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	cleanup(cleanup_fd) int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup(cleanup_fd) int fd = regular_open_for(at, "LOCK", O_RDWR);

	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK
		       ? whole.l_pid
		       : 0;
}

int
ldb_busy(struct call *c, const char *dir)
{
	pid_t pid = holder(dir);
	char path[NAME_BYTES];
	char name[NAME_BYTES] = "";

	if (pid <= 0) {
		return call_fail(c, ERR_BUSY, "%s: in use by another process", dir);
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", pid);

	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, name, sizeof(name) - 1) <= 0) {
		return call_fail(c, ERR_BUSY, "%s: in use by process %d", dir, pid);
	}
	name[strcspn(name, "\n")] = '\0';
	return call_fail(c, ERR_BUSY, "%s: in use by process %d (%s)", dir, pid, name);
}
