/*
 * kv_leveldb - the kv on LevelDB's C interface
 *
 * Bytewise order, one LevelDB in one directory.  Three things LevelDB leaves to
 * its user are done here: a commit that fails ends all writing, what is durable
 * is a prefix of the commits (see sync_logs()), and so is what is read back
 * (ldb_recover.c, by the help of the mark).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <leveldb/c.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/descriptors.h"
#include "store/base/folder.h"
#include "store/base/mem.h"
#include "store/base/private.h"
#include "store/base/say.h"
#include "store/kv/kv.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_error.h"
#include "store/kv/ldb_holder.h"
#include "store/kv/ldb_names.h"
#include "store/kv/ldb_recover.h"
#include "store/kv/ldb_room.h"
#include "store/kv/ldb_search.h"
#include "store/kv/ldb_shadow.h"

enum {
	WRITE_BUFFER_BYTES = 64 << 20,
	BLOCK_CACHE_BYTES = 64 << 20,
	BLOOM_BITS = 10,
	MAX_OPEN_FILES = 500,
	LOG_BYTES = 16, /* an entry's kind and lengths, and its part of a record's head */
};

struct ldb {
	struct kv kv;
	char *dir;
	int lock;                 /* see ldb_recover_lock() */
	struct ldb_shadow shadow; /* that is open instead, and never written to */
	leveldb_t *db;
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_filterpolicy_t *bloom;
	leveldb_readoptions_t *read;     /* newest state */
	leveldb_writeoptions_t *relaxed; /* without a sync */
	leveldb_writeoptions_t *synced;
	struct ldb_search search; /* for damaged files */

	/* The rest belongs to the one thread that commits. */
	bool unsynced;                /* a batch was committed without a sync since the last one */
	bool relaxed_last;            /* and that by this process */
	leveldb_writebatch_t *marked; /* a batch with the mark before it, see mark() */
	struct ldb_room room;
	struct ldb_names names;
	char *broken; /* why commits are refused; NULL: they are not */
};

struct kv_snapshot {
	const leveldb_snapshot_t *at;
	leveldb_readoptions_t *read;
};

struct ldb_cursor {
	struct kv_cursor cursor;
	struct ldb *of;
	leveldb_iterator_t *it;
};

struct ldb_batch {
	struct kv_batch batch;
	leveldb_writebatch_t *at;
	uint64_t bytes; /* of keys and values, and what each costs in a log */
};

static int
ldb_told(struct ldb *l, struct call *c, const char *why)
{
	return ldb_search_failed(&l->search, c, why);
}

/* ------------------------------------------------------------ reading */

static int
ldb_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	struct ldb *l = (struct ldb *)kv;
	size_t len = 0;
	cleanup(ldb_free_text) char *why = NULL;
	cleanup(ldb_free_text) char *value =
		leveldb_get(l->db, at == NULL ? l->read : at->read, key.at, key.len, &len, &why);

	if (why != NULL) {
		return ldb_told(l, c, why);
	}
	if (value == NULL) {
		return KV_ABSENT;
	}
	buf_put(out, value, len);
	return 0;
}

static leveldb_readoptions_t *
read_options(const leveldb_snapshot_t *at)
{
	leveldb_readoptions_t *read = leveldb_readoptions_create();

	leveldb_readoptions_set_verify_checksums(read, 1);
	leveldb_readoptions_set_snapshot(read, at);
	return read;
}

static struct kv_snapshot *
ldb_snapshot_new(struct kv *kv)
{
	struct ldb *l = (struct ldb *)kv;
	struct kv_snapshot *s = mem_new(struct kv_snapshot);

	s->at = leveldb_create_snapshot(l->db);
	s->read = read_options(s->at);
	return s;
}

static void
ldb_snapshot_free(struct kv *kv, struct kv_snapshot *s)
{
	struct ldb *l = (struct ldb *)kv;

	leveldb_readoptions_destroy(s->read);
	leveldb_release_snapshot(l->db, s->at);
	free(s);
}

static void
cursor_seek(struct kv_cursor *cur, struct slice key)
{
	leveldb_iter_seek(((struct ldb_cursor *)cur)->it, key.at, key.len);
}

static void
cursor_seek_before(struct kv_cursor *cur, struct slice key)
{
	leveldb_iterator_t *it = ((struct ldb_cursor *)cur)->it;

	leveldb_iter_seek(it, key.at, key.len);
	if (leveldb_iter_valid(it)) {
		leveldb_iter_prev(it);
	} else {
		leveldb_iter_seek_to_last(it);
	}
}

static bool
cursor_valid(struct kv_cursor *cur)
{
	return leveldb_iter_valid(((struct ldb_cursor *)cur)->it);
}

static void
cursor_next(struct kv_cursor *cur)
{
	leveldb_iter_next(((struct ldb_cursor *)cur)->it);
}

static void
cursor_prev(struct kv_cursor *cur)
{
	leveldb_iter_prev(((struct ldb_cursor *)cur)->it);
}

static struct slice
cursor_key(struct kv_cursor *cur)
{
	struct slice key;

	key.at = leveldb_iter_key(((struct ldb_cursor *)cur)->it, &key.len);
	return key;
}

static struct slice
cursor_value(struct kv_cursor *cur)
{
	struct slice value;

	value.at = leveldb_iter_value(((struct ldb_cursor *)cur)->it, &value.len);
	return value;
}

static int
cursor_status(struct kv_cursor *cur, struct call *c)
{
	cleanup(ldb_free_text) char *why = NULL;

	leveldb_iter_get_error(((struct ldb_cursor *)cur)->it, &why);
	return why == NULL ? 0 : ldb_told(((struct ldb_cursor *)cur)->of, c, why);
}

static void
cursor_free(struct kv_cursor *cur)
{
	leveldb_iter_destroy(((struct ldb_cursor *)cur)->it);
	free(cur);
}

static const struct kv_cursor_ops cursor_ops = {
	.seek = cursor_seek,
	.seek_before = cursor_seek_before,
	.valid = cursor_valid,
	.next = cursor_next,
	.prev = cursor_prev,
	.key = cursor_key,
	.value = cursor_value,
	.status = cursor_status,
	.free = cursor_free,
};

static struct kv_cursor *
ldb_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once)
{
	struct ldb *l = (struct ldb *)kv;
	struct ldb_cursor *cur = mem_new(struct ldb_cursor);
	leveldb_readoptions_t *read = read_options(at == NULL ? NULL : at->at);

	leveldb_readoptions_set_fill_cache(read, !once);
	cur->cursor.ops = &cursor_ops;
	cur->of = l;
	cur->it = leveldb_create_iterator(l->db, read);
	leveldb_readoptions_destroy(read); /* the iterator has a copy */
	return &cur->cursor;
}

/* ------------------------------------------------------------ writing */

static void
batch_put(struct kv_batch *b, struct slice key, struct slice value)
{
	struct ldb_batch *lb = (struct ldb_batch *)b;

	leveldb_writebatch_put(lb->at, key.at, key.len, value.at, value.len);
	lb->bytes += key.len + value.len + LOG_BYTES;
}

static void
batch_del(struct kv_batch *b, struct slice key)
{
	struct ldb_batch *lb = (struct ldb_batch *)b;

	leveldb_writebatch_delete(lb->at, key.at, key.len);
	lb->bytes += key.len + LOG_BYTES;
}

static void
batch_append(struct kv_batch *b, const struct kv_batch *more)
{
	struct ldb_batch *lb = (struct ldb_batch *)b;
	const struct ldb_batch *from = (const struct ldb_batch *)more;

	leveldb_writebatch_append(lb->at, from->at);
	lb->bytes += from->bytes;
}

static void
batch_clear(struct kv_batch *b)
{
	leveldb_writebatch_clear(((struct ldb_batch *)b)->at);
	((struct ldb_batch *)b)->bytes = 0;
}

static void
batch_free(struct kv_batch *b)
{
	leveldb_writebatch_destroy(((struct ldb_batch *)b)->at);
	free(b);
}

static const struct kv_batch_ops batch_ops = {
	.put = batch_put,
	.del = batch_del,
	.append = batch_append,
	.clear = batch_clear,
	.free = batch_free,
};

static struct kv_batch *
ldb_batch_new(struct kv *kv)
{
	struct ldb_batch *b = mem_new(struct ldb_batch);

	(void)kv;
	b->batch.ops = &batch_ops;
	b->at = leveldb_writebatch_create();
	return &b->batch;
}

static int
sync_file(struct call *c, int dir, const char *name)
{
	cleanup(cleanup_fd) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	/* A log that was compacted into a table meanwhile is gone, and its contents are safe. */
	if (fd < 0 && errno == ENOENT) {
		return 0;
	}
	if (fd < 0 || fdatasync(fd) != 0) {
		return ldb_fail_errno(c, name);
	}
	return 0;
}

/*
 * LevelDB closes a full log without a sync, and a synced batch syncs only the
 * newest log: after a crash that batch could be there and one before it not.
 * Batches are differences, so indexes and counts would be wrong.
 */
static int
sync_logs(struct ldb *l, struct call *c)
{
	cleanup(cleanup_dir) DIR *d = folder_list(l->lock);

	if (d == NULL) {
		return ldb_fail_errno(c, l->dir);
	}
	for (;;) {
		/* Each caller has a stream of its own. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		struct dirent *e = readdir(d);

		if (e == NULL) {
			return 0;
		}
		if (slice_ends(slice_from(e->d_name), SLICE(".log"))) {
			int r = sync_file(c, dirfd(d), e->d_name);

			if (r < 0) {
				return r;
			}
		}
	}
}

static int
sync_names(struct ldb *l, struct call *c)
{
	return ldb_names_sync(&l->names, l->lock) < 0 ? ldb_fail_errno(c, l->dir) : 0;
}

/*
 * The batch with the mark: all that was committed before it is on disk.  So if
 * anything before it cannot be read one day, no crash has done that.  The mark
 * is an entry that changes nothing, the deletion of the empty key.
 */
static leveldb_writebatch_t *
mark(struct ldb *l, const leveldb_writebatch_t *batch)
{
	leveldb_writebatch_clear(l->marked);
	leveldb_writebatch_delete(l->marked, "", 0);
	leveldb_writebatch_append(l->marked, batch);
	return l->marked;
}

static int
write_batch(struct ldb *l, struct call *c, struct kv_batch *b, bool durable)
{
	cleanup(ldb_free_text) char *why = NULL;
	leveldb_writebatch_t *at = ((struct ldb_batch *)b)->at;

	if (durable && l->unsynced) {
		int r = sync_logs(l, c);

		if (r < 0) {
			return r;
		}
		l->unsynced = false;
	}
	leveldb_write(l->db, durable ? l->synced : l->relaxed, l->unsynced ? at : mark(l, at),
		      &why);
	if (why != NULL) {
		return ldb_told(l, c, why);
	}
	l->unsynced = l->relaxed_last = !durable;
	return durable ? sync_names(l, c) : 0;
}

static int
ldb_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable)
{
	struct ldb *l = (struct ldb *)kv;

	if (l->shadow.why != NULL) {
		return 0; /* an empty batch, as ldb_room() refuses others */
	}
	if (l->broken != NULL) {
		return call_fail(c, ERR_IO, "%s", l->broken);
	}
	int r = write_batch(l, c, b, durable);

	if (r < 0) {
		l->broken = mem_string(c->error.message);
	} else {
		ldb_room_committed(&l->room, ((struct ldb_batch *)b)->bytes);
	}
	return r;
}

static int
ldb_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	struct ldb *l = (struct ldb *)kv;

	if (l->shadow.why != NULL) {
		return b != NULL && ((const struct ldb_batch *)b)->bytes == 0
			       ? 0
			       : call_fail(c, ERR_READ_ONLY,
					   "The store is read-only: %s; once that is mended, end "
					   "its mounts and servers and start them again",
					   l->shadow.why);
	}
	switch (what) {
	case KV_ROOM_GROWTH:
		return ldb_room_to_grow(&l->room, c);
	case KV_ROOM_BATCH:
		return ldb_room_to_commit(&l->room, c, ((const struct ldb_batch *)b)->bytes);
	case KV_ROOM_COMPACTION:
		return ldb_room_to_compact(&l->room, c);
	}
	return 0;
}

static void
ldb_compact(struct kv *kv, struct slice from, struct slice to)
{
	struct ldb *l = (struct ldb *)kv;

	leveldb_compact_range(l->db, from.at, from.len, to.at, to.len);
}

/* What is in memory only is not in it. */
static uint64_t
ldb_size(struct kv *kv, struct slice from, struct slice to)
{
	struct ldb *l = (struct ldb *)kv;
	uint64_t bytes = 0;

	leveldb_approximate_sizes(l->db, 1, &from.at, &from.len, &to.at, &to.len, &bytes);
	return bytes;
}

/* ------------------------------------------------------------ opening and closing */

/* Whoever ends in good order expects what was acknowledged to last, also without a barrier of his own. */
static void
sync_last(struct ldb *l)
{
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	if (l->relaxed_last && l->broken == NULL &&
	    (sync_logs(l, &c) < 0 || sync_names(l, &c) < 0)) {
		say("%s: the last changes may not survive a crash of the machine: %s", l->dir,
		    c.error.message);
	}
	call_close(&c);
}

static void
ldb_close(struct kv *kv)
{
	struct ldb *l = (struct ldb *)kv;

	sync_last(l);
	ldb_search_free(&l->search);
	if (l->db != NULL) {
		leveldb_close(l->db);
	}
	leveldb_readoptions_destroy(l->read);
	leveldb_writeoptions_destroy(l->relaxed);
	leveldb_writeoptions_destroy(l->synced);
	leveldb_writebatch_destroy(l->marked);
	leveldb_options_destroy(l->options);
	leveldb_cache_destroy(l->cache);
	leveldb_filterpolicy_destroy(l->bloom);
	ldb_shadow_remove(&l->shadow);
	cleanup_fd(&l->lock);
	free(l->broken);
	free(l->dir);
	free(l);
}

static int
ldb_check(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes, kv_damaged_fn *tell,
	  void *arg)
{
	struct ldb *l = (struct ldb *)kv;

	return ldb_damage_check(c, (struct ldb_dir){l->lock, l->dir}, after, bytes, tell, arg);
}

static const struct kv_ops ldb_ops = {
	.get = ldb_get,
	.snapshot_new = ldb_snapshot_new,
	.snapshot_free = ldb_snapshot_free,
	.cursor_new = ldb_cursor_new,
	.batch_new = ldb_batch_new,
	.commit = ldb_commit,
	.room = ldb_room,
	.compact = ldb_compact,
	.size = ldb_size,
	.check = ldb_check,
	.close = ldb_close,
};

static struct ldb *
ldb_new(const char *dir, bool create)
{
	struct ldb *l = mem_new(struct ldb);

	l->kv.ops = &ldb_ops;
	ldb_search_init(&l->search);
	l->dir = mem_string(dir);
	l->lock = -1;
	l->shadow.fd = -1;
	l->cache = leveldb_cache_create_lru(BLOCK_CACHE_BYTES);
	l->bloom = leveldb_filterpolicy_create_bloom(BLOOM_BITS);
	l->options = leveldb_options_create();
	leveldb_options_set_create_if_missing(l->options, create);
	/* Else a compaction would give what is damaged a checksum that is right. */
	leveldb_options_set_paranoid_checks(l->options, 1);
	leveldb_options_set_write_buffer_size(l->options, WRITE_BUFFER_BYTES);
	leveldb_options_set_cache(l->options, l->cache);
	leveldb_options_set_filter_policy(l->options, l->bloom);
	leveldb_options_set_max_open_files(l->options, (int)descriptors_for_tables(MAX_OPEN_FILES));
	leveldb_options_set_compression(l->options, leveldb_snappy_compression);
	l->read = read_options(NULL);
	l->relaxed = leveldb_writeoptions_create();
	l->synced = leveldb_writeoptions_create();
	leveldb_writeoptions_set_sync(l->synced, 1);
	l->marked = leveldb_writebatch_create();
	/* Batches that an earlier process left unsynced may be in a log that was read back. */
	l->unsynced = true;
	return l;
}

/*
 * LevelDB opens its files by name as long as it runs.  With this one it stays in the directory that was
 * looked at, whatever is done to the directories above.
 */
static leveldb_t *
open_pinned(const struct ldb *l, char **why)
{
	char name[LDB_PINNED_BYTES];

	struct stat st;

	(void)snprintf(name, sizeof(name), LDB_PINNED "%d",
		       l->shadow.fd >= 0 ? l->shadow.fd : l->lock);
	if (fstat(l->lock, &st) == 0) {
		private_umask_for(st.st_uid);
	}
	return leveldb_open(l->options, access(name, F_OK) == 0 ? name : l->dir, why);
}

/* Locked, and its logs a prefix of the commits; or a copy of it is. */
static int
prepare(struct ldb *l, struct call *c, int at, const char *name)
{
	const char *dir = l->dir;
	int r = ldb_recover_lock(c, at, name, dir, &l->lock);

	l->search.dir = (struct ldb_dir){l->lock, l->dir};
	const char *why = r < 0 || l->lock < 0 ? NULL : ldb_shadow_needed(c, dir, l->lock);

	if (why != NULL) {
		r = ldb_shadow_make(c, dir, l->lock, why, &l->shadow);
	}
	return r < 0 ? r : ldb_recover(c, dir, l->lock, l->shadow.fd);
}

/* The entry of @name in its directory lasts. */
static int
sync_entry(struct call *c, int at, const char *name, const char *dir)
{
	cleanup(cleanup_fd) int parent =
		at == AT_FDCWD ? -1 : openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (at == AT_FDCWD) {
		return folder_sync_parent(c, name);
	}
	return parent >= 0 && fsync(parent) == 0 ? 0 : ldb_fail_errno(c, dir);
}

int
kv_leveldb_open(struct call *c, const char *dir, bool create, struct kv **out)
{
	return kv_leveldb_open_at(c, AT_FDCWD, dir, dir, create, out);
}

int
kv_leveldb_open_at(struct call *c, int at, const char *name, const char *dir, bool create,
		   struct kv **out)
{
	struct ldb *l = ldb_new(dir, create);
	cleanup(ldb_free_text) char *why = NULL;

	int r = 0;

	/* As LevelDB would, to be locked. */
	if (create && mkdirat(at, name, 0700) == 0) {
		r = sync_entry(c, at, name, dir);
	}
	r = r < 0 ? r : prepare(l, c, at, name);

	if (r == 0) {
		l->db = open_pinned(l, &why);
	}
	if (l->db != NULL) {
		l->room = (struct ldb_room){.name = l->dir, .dir = l->lock, .db = l->db};
		*out = &l->kv;
		return 0;
	}
	if (r == 0) {
		r = slice_starts(slice_from(why), SLICE("IO error: lock ")) ? ldb_busy(c, dir)
									    : ldb_told(l, c, why);
	}
	ldb_close(&l->kv);
	return r;
}
