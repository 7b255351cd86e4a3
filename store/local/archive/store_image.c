/* store_image - writes and reads store images; keys are stored without the prefix that they share with the key before */
#include <sys/stat.h>
#include <zlib.h>

#include "store/base/system/write_all.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/store_backup.h"
#include "store/local/records/reader.h"

#define HEAD SLICE("itemfs backup 1\n")

enum {
	BLOCK = 1 << 20,       /* a block ends when it has this length */
	BLOCK_MAX = 128 << 20, /* a longer block is damaged: no record is that long */
	BLOCK_HEAD = 8,        /* length and checksum */
	TAIL = 8,              /* body of the last block: the number of records */
};

/* ------------------------------------------------------------ writing */

struct writer {
	struct call *c;
	int fd;
	struct buf head;  /* of the block; on the heap */
	struct buf block; /* on the heap */
	struct buf last;  /* on the heap; key of the last record */
	struct store_image_counts *counts;
};

static int
store_image_write_bytes(struct writer *w, struct slice bytes)
{
	int e = write_all(w->fd, bytes);

	w->counts->bytes += bytes.len;
	return e == 0 ? 0
		      : call_fail(w->c, error_of_disk(e), "writing the backup: %s",
				  strerrordesc_np(e));
}

int
store_image_wanted(struct call *c, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 0
		       ? call_fail(c, ERR_BUSY, "the backup was removed while it was written")
		       : 0;
}

/* Write the records of the block, or, if @len is 0, the body of the last block, and begin the next one. */
static int
end_block(struct writer *w, size_t len)
{
	assert(len == 0 || len == w->block.len);

	struct slice body = buf_view(&w->block);
	int r = store_image_wanted(w->c, w->fd);

	buf_clear(&w->head);
	buf_u32be(&w->head, (uint32_t)len);
	buf_u32be(&w->head, (uint32_t)crc32(0, (const Bytef *)body.at, (uInt)body.len));
	r = r < 0 ? r : store_image_write_bytes(w, buf_view(&w->head));
	r = r < 0 ? r : store_image_write_bytes(w, body);
	buf_clear(&w->block);
	buf_clear(&w->last);
	return r;
}

static size_t
shared(struct slice a, struct slice b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.at[n] == b.at[n]) {
		n++;
	}
	return n;
}

static int
store_image_put_record(struct writer *w, struct slice key, struct slice value)
{
	size_t n = shared(buf_view(&w->last), key);

	buf_varint(&w->block, n);
	buf_text(&w->block, slice_skip(key, n));
	buf_text(&w->block, value);
	w->last.len = n;
	buf_slice(&w->last, slice_skip(key, n));
	w->counts->records++;
	return w->block.len < BLOCK ? 0 : end_block(w, w->block.len);
}

static int
put_records(struct writer *w, struct kv_cursor *cur, struct archive_copying *files)
{
	int r = 0;

	kv_cursor_seek(cur, slice_of("", 0));
	for (; r >= 0 && kv_cursor_valid(cur); kv_cursor_next(cur)) {
		struct slice key = kv_cursor_key(cur);
		struct slice value = kv_cursor_value(cur);

		r = archive_copy(files, w->c, key, value);
		if (r > 0) {
			r = store_image_put_record(w, key, value);
		}
	}
	return kv_cursor_end(cur, w->c, r < 0 ? r : 0);
}

int
store_image_write(struct call *c, const struct kv_view *view, int fd, struct archive_copying *files,
		  struct store_image_counts *out)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_once(view->kv, view->at);
	struct writer w = {.c = c, .fd = fd, .counts = out};

	*out = (struct store_image_counts){0};
	int r = store_image_write_bytes(&w, HEAD);

	r = r < 0 ? r : put_records(&w, cur, files);
	if (r == 0 && w.block.len > 0) {
		r = end_block(&w, w.block.len);
	}
	if (r == 0) {
		buf_u64be(&w.block, out->records);
		r = end_block(&w, 0);
	}
	buf_release(&w.head);
	buf_release(&w.block);
	buf_release(&w.last);
	return r;
}

/* ------------------------------------------------------------ reading */

struct raw_reader {
	struct call *c;
	int fd;
	struct buf block; /* on the heap */
	struct buf key;   /* on the heap; key of the last record */
	struct kv *kv;
	struct kv_batch *batch;
	struct archive_copying *files;
	struct store_image_counts *counts;
};

static int
store_image_damaged(struct raw_reader *rd, const char *why)
{
	return call_fail(rd->c, ERR_CORRUPT, "the backup is damaged at byte %llu: %s",
			 (unsigned long long)rd->counts->bytes, why);
}

/* Append exactly @n bytes to the block. */
static int
read_bytes(struct raw_reader *rd, size_t n)
{
	while (n > 0) {
		ssize_t got = read(rd->fd, buf_room(&rd->block, n), n);

		if (got < 0 && errno != EINTR) {
			return call_fail(rd->c, ERR_IO, "reading the backup: %s",
					 strerrordesc_np(errno));
		}
		if (got == 0) {
			return store_image_damaged(rd, "it is cut short");
		}
		if (got > 0) {
			rd->block.len += (size_t)got;
			rd->counts->bytes += (size_t)got;
			rd->files->bytes += (size_t)got;
			n -= (size_t)got;
		}
	}
	return 0;
}

/* Read the body of one block.  Return: 0; 1: it was the last one; < 0 */
static int
store_image_read_block(struct raw_reader *rd)
{
	buf_clear(&rd->block);
	int r = read_bytes(rd, BLOCK_HEAD);

	if (r < 0) {
		return r;
	}
	uint64_t len = slice_be(slice_of(rd->block.at, 4));
	uint64_t sum = slice_be(slice_of(rd->block.at + 4, 4));

	if (len > BLOCK_MAX) {
		return store_image_damaged(rd, "a block is too long");
	}
	buf_clear(&rd->block);
	r = read_bytes(rd, len == 0 ? TAIL : (size_t)len);
	if (r == 0 && crc32(0, (const Bytef *)rd->block.at, (uInt)rd->block.len) != sum) {
		r = store_image_damaged(rd, "a checksum is wrong");
	}
	return r < 0 ? r : len == 0;
}

static bool
store_image_refused(const struct archive_copying *files)
{
	return files->n_broken > 0 && !files->without_broken;
}

/*
 * The records of table backups are adjacent.  If one is broken, check all of them, so that all broken ones are
 * reported, and then stop without reading the rest.
 */
static int
put_wanted(struct raw_reader *rd, struct slice value)
{
	struct slice key = buf_view(&rd->key);
	int r = store_image_refused(rd->files) && !archive_is_key(key)
			? STORE_IMAGE_ENOUGH
			: archive_copy(rd->files, rd->c, key, value);

	rd->counts->records++;
	if (r == 1) {
		rd->batch->ops->put(rd->batch, key, value);
		r = 0;
	}
	return r;
}

/* Put the records of a block in one commit. */
static int
put_block(struct raw_reader *rd, bool durable)
{
	struct reader at = reader_of(NULL, buf_view(&rd->block));

	rd->batch->ops->clear(rd->batch);
	buf_clear(&rd->key);
	while (reader_left(&at) > 0) {
		uint64_t n = get_varint(&at);
		struct slice rest = get_text(&at);
		struct slice value = get_text(&at);

		if (at.bad || n > rd->key.len) {
			return store_image_damaged(rd, "a record is cut short");
		}
		rd->key.len = (size_t)n;
		buf_slice(&rd->key, rest);
		int r = put_wanted(rd, value);

		if (r != 0) {
			return r;
		}
	}
	return kv_commit(rd->kv, rd->c, rd->batch, durable);
}

/* Check that no record is missing and nothing follows the last block; then sync with an empty commit. */
static int
check_end(struct raw_reader *rd)
{
	char more;

	if (slice_be(buf_view(&rd->block)) != rd->counts->records) {
		return store_image_damaged(rd, "records are missing");
	}
	if (read(rd->fd, &more, 1) != 0) {
		return store_image_damaged(rd, "something follows its end");
	}
	buf_clear(&rd->block);
	return put_block(rd, true);
}

static int
store_image_read_head(struct raw_reader *rd)
{
	int r = read_bytes(rd, HEAD.len);

	if (r == 0 && slice_eq(buf_view(&rd->block), HEAD)) {
		return 0;
	}
	if (r < 0 && rd->c->error.code != ERR_CORRUPT) {
		return r;
	}
	rd->c->error = (struct error){0};
	return call_fail(rd->c, ERR_VALIDATION, "not a backup of this version of itemfs");
}

int
store_image_read(struct call *c, int fd, struct kv *kv, struct archive_copying *files,
		 struct store_image_counts *out)
{
	cleanup(kv_batch_freep) struct kv_batch *batch = kv->ops->batch_new(kv);
	struct raw_reader rd = {
		.c = c, .fd = fd, .kv = kv, .batch = batch, .files = files, .counts = out};

	*out = (struct store_image_counts){0};
	int r = store_image_read_head(&rd);

	while (r == 0) {
		r = store_image_read_block(&rd);
		if (r == 0) {
			r = put_block(&rd, false);
		}
		if (r == 0) {
			r = files->step(files->arg, c, files->bytes);
		}
	}
	if (r == 1) {
		r = check_end(&rd);
	}
	buf_release(&rd.block);
	buf_release(&rd.key);
	return r == 0 && store_image_refused(files) ? STORE_IMAGE_ENOUGH : r;
}
