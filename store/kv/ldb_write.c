/* ldb_write - batches, commits and syncs of kv_leveldb, and the mark */
#include <fcntl.h>
#include <leveldb/c.h>

#include "store/base/system/folder.h"
#include "store/base/system/say.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_durable.h"
#include "store/kv/ldb_files.h"
#include "store/kv/ldb_int.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_room.h"

enum {
	LOG_BYTES = 16, /* in a log per entry: kind, lengths, and a share of the record's head */
	NOTE_BYTES = 1 << 20, /* of batches between two calls of ldb_durable_note() */
};

struct ldb_batch {
	struct kv_batch batch;
	leveldb_writebatch_t *at;
	uint64_t bytes; /* of keys and values, and LOG_BYTES for each entry */
};

static void
ldb_batch_put(struct kv_batch *b, struct slice key, struct slice value)
{
	struct ldb_batch *lb = (struct ldb_batch *)b;

	leveldb_writebatch_put(lb->at, key.at, key.len, value.at, value.len);
	lb->bytes += key.len + value.len + LOG_BYTES;
}

static void
ldb_batch_del(struct kv_batch *b, struct slice key)
{
	struct ldb_batch *lb = (struct ldb_batch *)b;

	leveldb_writebatch_delete(lb->at, key.at, key.len);
	lb->bytes += key.len + LOG_BYTES;
}

static void
ldb_batch_clear(struct kv_batch *b)
{
	leveldb_writebatch_clear(((struct ldb_batch *)b)->at);
	((struct ldb_batch *)b)->bytes = 0;
}

static void
ldb_batch_free(struct kv_batch *b)
{
	leveldb_writebatch_destroy(((struct ldb_batch *)b)->at);
	free(b);
}

static const struct kv_batch_ops ldb_batch_ops = {
	.put = ldb_batch_put,
	.del = ldb_batch_del,
	.clear = ldb_batch_clear,
	.free = ldb_batch_free,
};

struct kv_batch *
ldb_batch_new(struct kv *kv)
{
	struct ldb_batch *b = mem_new(struct ldb_batch);

	(void)kv;
	b->batch.ops = &ldb_batch_ops;
	b->at = leveldb_writebatch_create();
	return &b->batch;
}

/* ------------------------------------------------------------ syncs */

static int
ldb_sync_file(struct call *c, int dir, const char *name)
{
	cleanup(cleanup_fd) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	/* A log that is gone has become a table meanwhile, and its contents are safe. */
	if (fd < 0 && errno == ENOENT) {
		return 0;
	}
	if (fd < 0 || fdatasync(fd) != 0) {
		return ldb_fail_errno(c, name, NULL);
	}
	return 0;
}

/*
 * LevelDB closes a full log without a sync, and a synced batch syncs only the newest log. So after a crash that batch
 * could be there without one before it. Batches are differences, so indexes and counts would be wrong.
 */
static int
ldb_sync_logs(struct ldb *l, struct call *c)
{
	cleanup(cleanup_dir) DIR *d = folder_list(l->lock);
	const char *entry;
	uint64_t number;
	int r = 0;

	if (d == NULL) {
		return ldb_fail_errno(c, l->dir, NULL);
	}
	while (r == 0 && (entry = folder_next(d)) != NULL) {
		if (ldb_files_is_log(entry, &number)) {
			r = ldb_sync_file(c, dirfd(d), entry);
		}
	}
	return r;
}

static int
ldb_sync_names(struct ldb *l, struct call *c)
{
	int r = ldb_names_sync(l->lock, &l->names);

	l->renamed = l->renamed || r == 1;
	return r < 0 ? ldb_fail_errno(c, l->dir, NULL) : 0;
}

/* Records the size of the newest log, all of which was synced. */
static void
ldb_note(struct ldb *l)
{
	ldb_durable_note(l->lock);
	l->noted = l->written;
	l->renamed = false;
}

/* After a synced batch, syncs the name of its log, and records the synced size of the log now and then. */
static int
ldb_settle(struct ldb *l, struct call *c)
{
	assert(!l->unsynced);
	int r = ldb_sync_names(l, c);

	if (r == 0 && (l->renamed || l->written - l->noted >= NOTE_BYTES)) {
		ldb_note(l);
	}
	return r;
}

void
ldb_sync_last(struct ldb *l)
{
	cleanup(call_close) struct call c;

	call_open(&c, 0, SIZE_MAX);
	if (l->no_sync_last && l->broken == NULL &&
	    (ldb_sync_logs(l, &c) < 0 || ldb_sync_names(l, &c) < 0)) {
		say("%s: the last changes may not survive a crash of the machine: %s", l->dir,
		    c.error.message);
	} else if (l->written > l->noted && l->broken == NULL) {
		ldb_note(l);
	}
}

/* ------------------------------------------------------------ commits */

/*
 * Returns the batch with the mark, which says that all earlier batches are on disk. So if an earlier batch cannot be
 * read later, a crash is not the cause. The mark is an entry that changes nothing: the deletion of the empty key.
 */
static leveldb_writebatch_t *
ldb_mark(struct ldb *l, const leveldb_writebatch_t *batch)
{
	assert(!l->unsynced);
	leveldb_writebatch_clear(l->marked);
	leveldb_writebatch_delete(l->marked, "", 0);
	leveldb_writebatch_append(l->marked, batch);
	return l->marked;
}

static bool
ldb_has_room_for_mark(struct ldb *l)
{
	cleanup(call_close) struct call c;

	call_open(&c, 0, SIZE_MAX);
	return ldb_room_to_commit(&l->room, &c, false, 0) == 0;
}

static int
ldb_write_batch(struct ldb *l, struct call *c, struct kv_batch *b, bool durable)
{
	cleanup(ldb_free_text) char *why = NULL;
	leveldb_writebatch_t *at = ((struct ldb_batch *)b)->at;

	if (durable && l->unsynced) {
		int r = ldb_sync_logs(l, c);

		/*
		 * When LevelDB opened, it turned the old logs into tables without a sync of the logs, and began
		 * a new manifest. Until the name of the new manifest is on disk, a power cut brings back the
		 * old manifest and the unsynced logs.
		 */
		r = r < 0 ? r : ldb_sync_names(l, c);
		if (r < 0) {
			return r;
		}
		l->unsynced = l->no_sync_last = false;
	}
	if (((struct ldb_batch *)b)->bytes == 0 && !ldb_has_room_for_mark(l)) {
		return durable ? ldb_sync_names(l, c) : 0;
	}
	leveldb_write(l->db, durable ? l->synced : l->no_sync, l->unsynced ? at : ldb_mark(l, at),
		      &why);
	if (why != NULL) {
		return ldb_fail(c, l->dir, why);
	}
	l->unsynced = l->no_sync_last = !durable;
	return durable ? ldb_settle(l, c) : 0;
}

int
ldb_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable)
{
	struct ldb *l = (struct ldb *)kv;

	if (l->shadow.why != NULL) {
		return 0; /* an empty batch, as ldb_room() refuses others */
	}
	if (l->broken != NULL) {
		return call_fail(c, ERR_IO, "%s", l->broken);
	}
	int r = ldb_write_batch(l, c, b, durable);

	if (r < 0) {
		l->broken = mem_string(c->error.message);
	} else {
		ldb_room_committed(&l->room, ((struct ldb_batch *)b)->bytes);
		l->written += ((struct ldb_batch *)b)->bytes;
	}
	return r;
}

int
ldb_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	struct ldb *l = (struct ldb *)kv;
	uint64_t bytes = b == NULL ? 0 : ((const struct ldb_batch *)b)->bytes;

	assert((b != NULL) == (what == KV_ROOM_BATCH));
	if (b != NULL && bytes == 0) {
		return 0;
	}
	if (l->shadow.why != NULL) {
		return call_fail(
			c, ERR_READ_ONLY,
			"The store is read-only: %s; once that is repaired, end its mounts and servers "
			"and start them again",
			l->shadow.why);
	}
	return what == KV_ROOM_COMPACTION
		       ? ldb_room_to_compact(&l->room, c)
		       : ldb_room_to_commit(&l->room, c, what == KV_ROOM_GROWTH, bytes);
}
