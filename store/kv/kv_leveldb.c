/*
 * kv_leveldb - a kv over LevelDB's C interface: opening, closing, compaction, sizes
 *
 * Keys are in bytewise order. The kv does three things that LevelDB leaves to its user: a failed commit ends all
 * writing; the batches on disk are a prefix of the commits (ldb_sync_logs()); and so are the batches that are read back
 * after a crash (ldb_recover.c, with the mark of ldb_mark()).
 */
#include <fcntl.h>
#include <leveldb/c.h>
#include <sys/stat.h>

#include "store/base/system/descriptors.h"
#include "store/base/system/private.h"
#include "store/kv/kv.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_holder.h"
#include "store/kv/ldb_int.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_recover.h"
#include "store/kv/ldb_room.h"
#include "store/kv/ldb_shadow.h"

enum {
	WRITE_BUFFER_BYTES = 64 << 20,
	FLUSH_BYTES = 1 << 20, /* of log: reading it back takes some ten milliseconds */
	BLOCK_CACHE_BYTES = 64 << 20,
	BLOOM_BITS = 10,
	MAX_OPEN_FILES = 500,
};

static void
ldb_compact(struct kv *kv, struct slice from, struct slice to)
{
	struct ldb *l = (struct ldb *)kv;

	leveldb_compact_range(l->db, from.at, from.len, to.at, to.len);
}

/* Data that is only in memory is not counted. */
static uint64_t
ldb_size(struct kv *kv, struct slice from, struct slice to)
{
	struct ldb *l = (struct ldb *)kv;
	uint64_t bytes = 0;

	leveldb_approximate_sizes(l->db, 1, &from.at, &from.len, &to.at, &to.len, &bytes);
	return bytes;
}

/* ------------------------------------------------------------ opening and closing */

/*
 * Writes the data in memory to a table, if it is much, so that the next open need not read it back from the log. A
 * compaction starts with that. Its range holds no keys, so it does nothing else.
 */
static void
ldb_flush(struct ldb *l)
{
	static const char beyond[] = {'\xff', '\xff'};
	cleanup(call_close) struct call c;

	call_open(&c, 0, SIZE_MAX);
	if (l->written >= FLUSH_BYTES && l->broken == NULL &&
	    ldb_room_to_compact(&l->room, &c) == 0) {
		leveldb_compact_range(l->db, beyond, sizeof(beyond), beyond, sizeof(beyond));
	}
}

static void
ldb_close(struct kv *kv)
{
	struct ldb *l = (struct ldb *)kv;

	ldb_sync_last(l);
	ldb_flush(l);
	if (l->db != NULL) {
		leveldb_close(l->db);
	}
	leveldb_readoptions_destroy(l->read);
	leveldb_writeoptions_destroy(l->no_sync);
	leveldb_writeoptions_destroy(l->synced);
	leveldb_writebatch_destroy(l->marked);
	leveldb_options_destroy(l->options);
	leveldb_cache_destroy(l->cache);
	leveldb_filterpolicy_destroy(l->bloom);
	ldb_shadow_remove(&l->shadow);
	cleanup_fd(&l->original);
	cleanup_fd(&l->lock);
	free(l->broken);
	free(l->dir);
	free(l);
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
	l->dir = mem_string(dir);
	l->lock = -1;
	l->original = -1;
	l->shadow.at.fd = -1;
	l->cache = leveldb_cache_create_lru(BLOCK_CACHE_BYTES);
	l->bloom = leveldb_filterpolicy_create_bloom(BLOOM_BITS);
	l->options = leveldb_options_create();
	leveldb_options_set_create_if_missing(l->options, create);
	/* Without this, a compaction would give damaged data a valid checksum. */
	leveldb_options_set_paranoid_checks(l->options, 1);
	leveldb_options_set_write_buffer_size(l->options, WRITE_BUFFER_BYTES);
	leveldb_options_set_cache(l->options, l->cache);
	leveldb_options_set_filter_policy(l->options, l->bloom);
	leveldb_options_set_max_open_files(l->options, (int)descriptors_for_tables(MAX_OPEN_FILES));
	leveldb_options_set_compression(l->options, leveldb_snappy_compression);
	l->read = ldb_read_options(NULL);
	l->no_sync = leveldb_writeoptions_create();
	l->synced = leveldb_writeoptions_create();
	leveldb_writeoptions_set_sync(l->synced, 1);
	l->marked = leveldb_writebatch_create();
	/* Batches that an earlier process left unsynced may be in a log that was read back. */
	l->unsynced = true;
	return l;
}

/*
 * LevelDB opens files by name while it runs. With a name below /proc/self/fd it stays in the directory that was
 * checked, even if directories above it are renamed.
 */
static leveldb_t *
ldb_open_pinned(const struct ldb *l, char **why)
{
	char name[LDB_PINNED_BYTES];

	struct stat st;

	(void)snprintf(name, sizeof(name), LDB_PINNED "%d",
		       l->shadow.at.fd >= 0 ? l->shadow.at.fd : l->lock);
	if (fstat(l->lock, &st) == 0) {
		private_umask_for(st.st_uid);
	}
	leveldb_t *db = leveldb_open(l->options, access(name, F_OK) == 0 ? name : l->dir, why);

	if (db != NULL && l->shadow.at.fd >= 0) {
		ldb_shadow_freeze(&l->shadow);
	}
	return db;
}

/* Locks the database and recovers it, or a copy if its disk cannot be written to. */
static int
ldb_prepare(struct ldb *l, struct call *c, int at, const char *name)
{
	const char *dir = l->dir;
	int r = ldb_recover_lock(c, at, name, dir, &l->lock);

	const char *why = r < 0 || l->lock < 0 ? NULL : ldb_shadow_needed(c, dir, l->lock);

	if (why != NULL) {
		r = ldb_recover_exclude(c, dir, l->lock, &l->original);
	}
	if (why != NULL && r == 0) {
		r = ldb_shadow_make(c, l->lock, why, &l->shadow);
	}
	r = r < 0 ? r : ldb_recover(c, dir, l->lock, l->shadow.at.fd);
	return r < 0 || why == NULL ? r : ldb_shadow_link(c, dir, l->lock, &l->shadow);
}

/* Syncs the directory @at, in which @dir was created. */
static int
ldb_sync_entry(struct call *c, int at, const char *dir)
{
	cleanup(cleanup_fd) int parent = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return parent >= 0 && fsync(parent) == 0 ? 0 : ldb_fail_errno(c, dir, NULL);
}

int
kv_leveldb_open_at(struct call *c, int at, const char *name, const char *dir, bool create,
		   struct kv **out)
{
	struct ldb *l = ldb_new(dir, create);
	cleanup(ldb_free_text) char *why = NULL;

	int r = 0;

	/* LevelDB would create it, too, but it must be locked first. */
	if (create && mkdirat(at, name, 0700) == 0) {
		r = ldb_sync_entry(c, at, dir);
	}
	r = r < 0 ? r : ldb_prepare(l, c, at, name);

	if (r == 0) {
		l->db = ldb_open_pinned(l, &why);
	}
	if (l->db != NULL) {
		l->room = (struct ldb_room){.name = l->dir, .dir = l->lock, .db = l->db};
		*out = &l->kv;
		return 0;
	}
	if (r == 0) {
		r = slice_starts(slice_from(why), SLICE("IO error: lock "))
			    ? ldb_busy(c, dir)
			    : ldb_fail(c, NULL, why);
	}
	ldb_close(&l->kv);
	return r;
}
