/* dump - writes and reads item files with zlib's gzFile */
#include "store/local/archive/dump.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store/base/core/error.h"
#include "store/base/system/private.h"
#include "store/base/system/regular.h"
#include "store/base/text/json.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"

enum {
	/* Size of a batch, which is read and then put in one operation. Other writers wait for it. */
	FEW_ITEMS = 64,
	FEW_BYTES = 128 << 10,
	CALL_BUDGET = 64 << 20,
	LINE_BYTES_MAX =
		8 << 20, /* more than an item of 400 KB in which each byte is written as \u0000 */
};

static int
io_failed(struct call *c, const char *path, int e)
{
	return call_fail(c, error_of_disk(e), "%s: %s", path, strerrordesc_np(e));
}

/* ------------------------------------------------------------ writing */

struct writer {
	struct call *c; /* of dump_write(); has the error */
	const char *path;
	gzFile gz;
	struct call item; /* memory of one item */
	struct buf line;  /* on the heap */
	struct dump_counts *counts;
};

static int
write_record(struct writer *w, struct slice record)
{
	struct item it;
	size_t bytes = 0;

	call_clear(&w->item);
	if (record_decode_sized(&w->item, record, NULL, &it, &bytes) < 0) {
		return call_fail(w->c, ERR_CORRUPT, "%s", w->item.error.message);
	}
	buf_clear(&w->line);
	buf_str(&w->line, "{\"Item\":");
	item_put_json(&w->line, &it, ITEM_TYPED);
	buf_str(&w->line, "}\n");
	w->counts->items++;
	w->counts->item_bytes += bytes;
	errno = 0;
	return gzwrite(w->gz, w->line.at, (unsigned)w->line.len) > 0
		       ? 0
		       : io_failed(w->c, w->path, errno);
}

static int
dump_write_records(struct writer *w, struct local *l, struct kv_snapshot *at,
		   const struct schema *s)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_once(l->kv, at);
	struct buf prefix;

	buf_init(&prefix, &w->c->arena);
	keyspace_table(&prefix, s, NULL);
	struct slice all = buf_view(&prefix);

	int r = 0;

	kv_cursor_seek(cur, all);
	for (; r == 0 && kv_cursor_in(cur, all); kv_cursor_next(cur)) {
		r = write_record(w, kv_cursor_value(cur));
	}
	return kv_cursor_end(cur, w->c, r);
}

/* Flush zlib's buffer and sync the file. */
static int
dump_finish(struct writer *w, int fd)
{
	struct stat st = {0};

	errno = 0;
	int r = gzclose(w->gz) == Z_OK ? 0 : io_failed(w->c, w->path, errno);

	w->gz = NULL;
	if (r == 0 && (fsync(fd) < 0 || fstat(fd, &st) < 0)) {
		r = io_failed(w->c, w->path, errno);
	}
	w->counts->file_bytes = (uint64_t)st.st_size;
	return r;
}

int
dump_write(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s, int dir,
	   const char *path, mode_t mode, struct dump_counts *out)
{
	cleanup(cleanup_fd) int fd =
		openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	struct writer w = {.c = c, .path = path, .counts = out};
	int r;

	*out = (struct dump_counts){0};
	if (fd < 0) {
		return io_failed(c, path, errno);
	}
	private_share(fd, mode);
	int other = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	w.gz = other < 0 ? NULL : gzdopen(other, "wb1");
	if (w.gz == NULL) {
		r = io_failed(c, path, other < 0 ? errno : ENOMEM);
		cleanup_fd(&other);
	} else {
		call_open(&w.item, c->now_ms, CALL_BUDGET);
		buf_init(&w.line, NULL);
		r = dump_write_records(&w, l, at, s);
		buf_release(&w.line);
		call_close(&w.item);
		if (r == 0) {
			r = dump_finish(&w, fd);
		} else {
			(void)gzclose(w.gz);
		}
	}
	if (r < 0) {
		(void)unlinkat(dir, path, 0);
	}
	return r;
}

/* ------------------------------------------------------------ reading */

struct reading {
	struct call *c; /* of dump_read(); has the error */
	const char *path;
	gzFile gz;
	uint64_t line_no;
	struct buf line;    /* on the heap */
	struct call few;    /* memory of the batch */
	struct item *items; /* the batch */
	size_t n;
	size_t bytes;   /* length of their lines */
	uint64_t total; /* number of items read so far */
};

static int
stopped(struct call *c, const atomic_bool *stop)
{
	return atomic_load(stop) ? call_fail(c, ERR_BUSY, "the store is being closed") : 0;
}

static int
dump_damaged(struct reading *rd, const char *why)
{
	return call_fail(rd->c, ERR_CORRUPT, "%s, line %llu: %s", rd->path,
			 (unsigned long long)rd->line_no, why);
}

/* gzgets() has returned NULL.  Return: 0: at the end; < 0 */
static int
no_more(struct reading *rd)
{
	int e = errno;
	int why = 0;

	(void)gzerror(rd->gz, &why);
	switch (why) {
	case Z_OK:
	case Z_STREAM_END:
		return 0;
	case Z_ERRNO:
		return io_failed(rd->c, rd->path, e);
	case Z_MEM_ERROR:
		return io_failed(rd->c, rd->path, ENOMEM);
	default:
		return dump_damaged(rd, "the compressed data is damaged");
	}
}

/* Read the next line, without its newline.  Return: 0; 1: at the end; < 0 */
static int
dump_next_line(struct reading *rd)
{
	struct buf *line = &rd->line;

	buf_clear(line);
	rd->line_no++;
	for (;;) {
		char *at = buf_room(line, 1 << 16);

		if (gzgets(rd->gz, at, 1 << 16) == NULL) {
			int r = no_more(rd);

			return r == 0 && line->len == 0 ? 1 : r;
		}
		line->len += strlen(at);
		if (line->len > 0 && line->at[line->len - 1] == '\n') {
			line->len--;
			return 0;
		}
		if (line->len > LINE_BYTES_MAX) {
			return dump_damaged(rd, "too long for an item");
		}
	}
}

/* Add the next item to the batch.  Return: 0; 1: at the end; < 0 */
static int
dump_read_item(struct reading *rd)
{
	assert(rd->n < FEW_ITEMS);

	const struct json *json;
	int r = dump_next_line(rd);

	if (r != 0) {
		return r;
	}
	struct slice text = slice_copy(&rd->few.arena, buf_view(&rd->line));

	if (json_parse(&rd->few, text, JSON_STRICT, &json) < 0 || json_get(json, "Item") == NULL) {
		return dump_damaged(rd, "not {\"Item\":...}");
	}
	if (item_from_typed_json(&rd->few, json_get(json, "Item"), &rd->items[rd->n]) < 0) {
		return dump_damaged(rd, rd->few.error.message);
	}
	rd->n++;
	rd->total++;
	rd->bytes += text.len;
	return 0;
}

/* Read a batch and hand it to @take.  Return: as dump_read_item() */
static int
read_few(struct reading *rd, dump_take_fn *take, void *arg)
{
	int end = 0;

	call_clear(&rd->few);
	rd->items = arena_new(&rd->few.arena, struct item, FEW_ITEMS);
	rd->n = 0;
	rd->bytes = 0;
	while (end == 0 && rd->n < FEW_ITEMS && rd->bytes < FEW_BYTES) {
		end = dump_read_item(rd);
	}
	int r = end < 0 || rd->n == 0 ? 0 : take(arg, &rd->few, rd->items, rd->n);

	return r < 0 ? call_fail(rd->c, rd->few.error.code, "%s", rd->few.error.message) : end;
}

static int
dump_open_file(struct reading *rd, int dir, uint64_t bytes)
{
	int fd = regular_open(dir, rd->path);
	struct stat st;

	if (fd == REGULAR_OTHER) {
		return call_fail(rd->c, ERR_CORRUPT, "%s: not a regular file", rd->path);
	}
	if (fd == REGULAR_FAILED) {
		return io_failed(rd->c, rd->path, errno);
	}
	/* zlib ignores bytes after the compressed data. */
	if (bytes != 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_size != bytes) {
		(void)close(fd);
		return call_fail(rd->c, ERR_CORRUPT, "%s: %llu bytes, but %llu were written",
				 rd->path, (unsigned long long)st.st_size,
				 (unsigned long long)bytes);
	}
	rd->gz = gzdopen(fd, "rb");
	if (rd->gz == NULL) {
		(void)close(fd);
		return io_failed(rd->c, rd->path, ENOMEM);
	}
	return 0;
}

int
dump_read(struct call *c, int dir, const char *path, uint64_t items, uint64_t bytes,
	  const atomic_bool *stop, dump_take_fn *take, void *arg)
{
	struct reading rd = {.c = c, .path = path};
	int r = dump_open_file(&rd, dir, bytes);

	if (r < 0) {
		return r;
	}
	call_open(&rd.few, c->now_ms, CALL_BUDGET);
	buf_init(&rd.line, NULL);
	while (r == 0) {
		r = stopped(c, stop);
		r = r < 0 ? r : read_few(&rd, take, arg);
	}
	if (r == 1 && (rd.total != items || gzdirect(rd.gz))) {
		r = dump_damaged(&rd, "these are not the items that were written");
	}
	buf_release(&rd.line);
	call_close(&rd.few);
	(void)gzclose_r(rd.gz);
	return r < 0 ? r : 0;
}
