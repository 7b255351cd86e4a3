/*
 * ldb_manifest - see ldb_manifest.h
 *
 * A manifest is a log (ldb_log.h) of edits. An edit is a list of fields, each after its tag.
 */
#include "store/kv/ldb_manifest.h"

#include <sys/stat.h>

#include "store/base/system/regular.h"
#include "store/kv/ldb_log.h"

/* The fields after each tag: n is a number, t a text after its length. */
static const char *const edit_fields[] = {
	[1] = "t",     [2] = "n",
	[3] = "n",     [4] = "n", /* comparator, log, next file, sequence */
	[5] = "nt",    [6] = "nn",
	[7] = "nnntt", [9] = "n", /* compaction, files gone and new, old log */
};

enum {
	EDIT_LOG = 2,
	EDIT_NEXT = 3,
	EDIT_SEQUENCE = 4,
	EDIT_GONE = 6,
	EDIT_NEW = 7,
	EDIT_TAGS = 10
};

/* A file is added or removed. An edit that moves a file to another level does both. */
struct event {
	struct ldb_file file;
	int change; /* 1: added, -1: removed */
};

struct reading {
	struct ldb_manifest *out;
	struct buf events; /* on the heap */
	struct buf record; /* on the heap */
	struct ldb_log log;
	off_t until; /* byte offset at which reading ends */
};

int
ldb_open_file(int dir, const char *name)
{
	int fd = regular_open(dir, name);

	if (fd == REGULAR_OTHER) {
		errno = EINVAL;
		return -1;
	}
	return fd;
}

int
ldb_fail_errno(struct call *c, const char *path, const char *name)
{
	return call_fail(c, error_of_disk(errno), "IO error: %s%s%s: %s", path,
			 name == NULL ? "" : "/", name == NULL ? "" : name, strerrordesc_np(errno));
}

/* ------------------------------------------------------------ edits */

enum { NUMBERS_MAX = 3 };

/* Takes the fields of one tag and keeps the numbers. */
static bool
ldb_manifest_take_fields(struct slice *rest, uint64_t tag, uint64_t numbers[NUMBERS_MAX])
{
	const char *fields = tag < EDIT_TAGS ? edit_fields[tag] : NULL;
	size_t n = 0;

	for (; fields != NULL && *fields != '\0'; fields++) {
		uint64_t v;

		if (!ldb_log_take_varint(rest, &v) || (*fields == 't' && v > rest->len)) {
			return false;
		}
		if (*fields == 't') {
			*rest = slice_skip(*rest, v);
		} else {
			numbers[n++] = v;
		}
	}
	return fields != NULL;
}

static void
ldb_manifest_note_file(struct reading *r, uint64_t tag, const uint64_t numbers[NUMBERS_MAX])
{
	struct event e = {.file = {.number = numbers[1]}, .change = -1};

	if (tag == EDIT_NEW) {
		e.file.bytes = numbers[2];
		e.change = 1;
	}
	buf_put(&r->events, &e, sizeof(e));
}

/*
 * Takes one edit. The sequence number in an edit with a new log is not less than the last one of the log before it,
 * because batches may have been written to the new log meanwhile.
 */
static bool
ldb_manifest_take_edit(struct reading *r, struct slice rest)
{
	uint64_t found[EDIT_TAGS] = {[EDIT_LOG] = r->out->log, [EDIT_NEXT] = r->out->next};

	while (rest.len > 0) {
		uint64_t numbers[NUMBERS_MAX] = {0};
		uint64_t tag;

		if (!ldb_log_take_varint(&rest, &tag) ||
		    !ldb_manifest_take_fields(&rest, tag, numbers)) {
			return false;
		}
		found[tag] = numbers[0];
		if (tag == EDIT_NEW || tag == EDIT_GONE) {
			ldb_manifest_note_file(r, tag, numbers);
		}
	}
	r->out->next = found[EDIT_NEXT];
	if (found[EDIT_LOG] != r->out->log) {
		r->out->log = found[EDIT_LOG];
		r->out->sequence = found[EDIT_SEQUENCE];
	}
	return true;
}

/* ------------------------------------------------------------ all of them */

static int
ldb_manifest_compare(const void *a, const void *b)
{
	uint64_t x = ((const struct event *)a)->file.number;
	uint64_t y = ((const struct event *)b)->file.number;

	return (x > y) - (x < y);
}

/* Keeps the files that were added more often than removed. */
static void
ldb_manifest_keep_files(struct call *c, struct reading *r)
{
	size_t n = r->events.len / sizeof(struct event);
	struct event *events = arena_new(&c->arena, struct event, n);
	struct ldb_file *files = arena_new(&c->arena, struct ldb_file, n);

	r->out->files = files;
	if (n == 0) {
		return;
	}
	memcpy(events, r->events.at, r->events.len);
	qsort(events, n, sizeof(*events), ldb_manifest_compare);
	for (size_t i = 0; i < n;) {
		struct ldb_file file = events[i].file;
		int times = 0;

		for (; i < n && events[i].file.number == file.number; i++) {
			times += events[i].change;
			file.bytes = events[i].change > 0 ? events[i].file.bytes : file.bytes;
		}
		if (times > 0) {
			files[r->out->n++] = file;
		}
	}
}

int
ldb_manifest_refuse(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
{
	return call_fail(
		c, ERR_CORRUPT,
		"%s/%s is damaged at byte %lld: it lists the files of the database, so nothing "
		"is opened or changed. Restore a backup",
		dir.path, m->name, (long long)m->valid_end);
}

/* An edit has a few numbers and two keys for each table file that it adds. */
enum { EDIT_BYTES_MAX = 1 << 20 };

/* The bytes after the last complete edit are wrong. Return: 1: no other edit follows; 0; -1 with errno */
static int
ldb_manifest_find_lost(struct reading *r)
{
	r->out->lost = r->out->size - r->out->valid_end;
	return r->out->lost > EDIT_BYTES_MAX ? 0 : ldb_log_last(&r->log);
}

/* CURRENT names a manifest only after its first edits are on disk, so one without edits is damaged, too. */
static int
ldb_manifest_read_edits(struct call *c, struct ldb_dir dir, struct reading *r, int fd)
{
	struct ldb_manifest *m = r->out;
	struct stat st = {0};
	int status = 1;

	ldb_log_begin(&r->log, fd);
	while (ldb_log_place(&r->log) < r->until &&
	       (status = ldb_log_next(&r->log, &r->record)) == 1) {
		if (!ldb_manifest_take_edit(r, buf_view(&r->record))) {
			return ldb_manifest_refuse(c, dir, m);
		}
		m->last = m->valid_end;
		m->valid_end = ldb_log_place(&r->log);
	}
	off_t place = ldb_log_place(&r->log);

	if (fstat(fd, &st) < 0) {
		status = -1;
	}
	m->size = st.st_size;
	if (status == 0) {
		status = ldb_log_torn(&r->log);
	}
	if (status == 0) {
		status = ldb_manifest_find_lost(r);
	}
	if (status < 0) {
		return ldb_fail_errno(c, dir.path, m->name);
	}
	if (status == 1 && m->next > 0) {
		return 1;
	}
	m->valid_end = place;
	return ldb_manifest_refuse(c, dir, m);
}

/* Return: 1; 0: there is no CURRENT; < 0 */
static int
ldb_manifest_find(struct call *c, struct ldb_dir dir, char name[LDB_NAME_BYTES])
{
	cleanup(cleanup_fd) int fd = ldb_open_file(dir.fd, "CURRENT");
	ssize_t n = fd < 0 ? -1 : read(fd, name, LDB_NAME_BYTES - 1);

	if (n < 0) {
		return fd < 0 && errno == ENOENT ? 0 : ldb_fail_errno(c, dir.path, "CURRENT");
	}
	name[n] = '\0';
	if (n < 2 || name[n - 1] != '\n') {
		return call_fail(c, ERR_CORRUPT,
				 "%s/CURRENT is damaged: it names no manifest. Restore a backup",
				 dir.path);
	}
	name[n - 1] = '\0';
	return 1;
}

static int
ldb_manifest_read_until(struct call *c, struct ldb_dir dir, off_t until, struct ldb_manifest *out)
{
	struct reading *r = arena_new(&c->arena, struct reading, 1);

	*out = (struct ldb_manifest){0};
	int status = ldb_manifest_find(c, dir, out->name);

	if (status != 1) {
		return status;
	}
	cleanup(cleanup_fd) int fd = ldb_open_file(dir.fd, out->name);

	if (fd < 0) {
		return errno == ENOENT
			       ? call_fail(
					 c, ERR_CORRUPT,
					 "%s/%s is missing, although CURRENT names it: restore a backup",
					 dir.path, out->name)
			       : ldb_fail_errno(c, dir.path, out->name);
	}
	*r = (struct reading){.out = out, .until = until};
	status = ldb_manifest_read_edits(c, dir, r, fd);
	if (status == 1) {
		ldb_manifest_keep_files(c, r);
	}
	buf_release(&r->events);
	buf_release(&r->record);
	return status;
}

int
ldb_manifest_read(struct call *c, struct ldb_dir dir, struct ldb_manifest *out)
{
	return ldb_manifest_read_until(c, dir, INT64_MAX, out);
}

int
ldb_manifest_read_before(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m,
			 struct ldb_manifest *out)
{
	return ldb_manifest_read_until(c, dir, m->last, out);
}
