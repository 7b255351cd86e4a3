/*
 * ldb_int - what the parts of kv_leveldb share
 *
 *   kv_leveldb.c  opening and closing
 *   ldb_read.c    values, snapshots, cursors
 *   ldb_write.c   batches, commits, what makes them last
 */
#ifndef STORE_KV_LDB_INT_H
#define STORE_KV_LDB_INT_H

#include <leveldb/c.h>

#include "store/kv/kv.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_names.h"
#include "store/kv/ldb_room.h"
#include "store/kv/ldb_shadow.h"

struct ldb {
	struct kv kv;
	char *dir;
	int lock;                 /* see ldb_recover_lock() */
	int original;             /* LevelDB's lock of what the shadow is a copy of; or < 0 */
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
	leveldb_writebatch_t *marked; /* a batch with the mark before it, see ldb_mark() */
	uint64_t written;             /* bytes of all batches */
	uint64_t noted;               /* and of those before the last ldb_durable_note() */
	bool renamed; /* names have come or gone since then: there may be a log without a note */
	struct ldb_room room;
	struct ldb_names names;
	char *broken; /* why commits are refused; NULL: they are not */
};

/** ldb_told - LevelDB's message @why as an error; what is damaged is looked for and named */
int ldb_told(struct ldb *l, struct call *c, const char *why);

/* ------------------------------------------------------------ ldb_read.c */

/** ldb_read_options - of @at, NULL: of the newest state; the caller destroys them */
leveldb_readoptions_t *ldb_read_options(const leveldb_snapshot_t *at);

/* As in kv.h. */
int ldb_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key,
	    struct buf *out);
struct kv_snapshot *ldb_snapshot_new(struct kv *kv);
void ldb_snapshot_free(struct kv *kv, struct kv_snapshot *s);
struct kv_cursor *ldb_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once);

/* ------------------------------------------------------------ ldb_write.c */

/* As in kv.h. */
struct kv_batch *ldb_batch_new(struct kv *kv);
int ldb_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable);
int ldb_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b);

/** ldb_sync_last - what was committed last lasts; says so where it does not */
void ldb_sync_last(struct ldb *l);

#endif
