/*
 * ldb_int - the state that the parts of kv_leveldb share
 *
 *   kv_leveldb.c  opening and closing
 *   ldb_read.c    values, snapshots, cursors
 *   ldb_write.c   batches, commits, syncs
 *   ldb_damage.c  the check of the files
 */
#ifndef STORE_KV_LDB_INT_H
#define STORE_KV_LDB_INT_H

#include <leveldb/c.h>

#include "store/kv/kv.h"
#include "store/kv/ldb_room.h"
#include "store/kv/ldb_shadow.h"

struct ldb {
	struct kv kv;
	char *dir;
	int lock;                 /* the directory, locked by ldb_recover_lock() */
	int original;             /* with a shadow: LevelDB's lock of the original; or < 0 */
	struct ldb_shadow shadow; /* the copy that is open instead; takes no batches */
	leveldb_t *db;
	leveldb_options_t *options;
	leveldb_cache_t *cache;
	leveldb_filterpolicy_t *bloom;
	leveldb_readoptions_t *read;     /* for the newest state */
	leveldb_writeoptions_t *no_sync; /* writes that are not synced */
	leveldb_writeoptions_t *synced;

	/* The rest belongs to the one thread that commits. */
	bool unsynced;                /* a batch was committed without a sync since the last sync */
	bool no_sync_last;            /* and this process committed it */
	leveldb_writebatch_t *marked; /* a batch with the mark before it, see ldb_mark() */
	uint64_t written;             /* bytes of all batches */
	uint64_t noted;               /* the value of written at the last ldb_durable_note() */
	bool renamed; /* file names have changed since then: there may be a log without a note */
	struct ldb_room room;
	uint64_t names; /* see ldb_names_sync() */
	char *broken;   /* the message with which commits fail; NULL: they do not */
};

/* ------------------------------------------------------------ ldb_read.c */

/** ldb_read_options - create options to read @at, or the newest state if NULL; the caller destroys them */
leveldb_readoptions_t *ldb_read_options(const leveldb_snapshot_t *at);

/* As in kv.h. */
int ldb_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key,
	    struct buf *out);
struct kv_snapshot *ldb_snapshot_new(struct kv *kv);
void ldb_snapshot_free(struct kv *kv, struct kv_snapshot *s);
struct kv_cursor *ldb_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once);

/* ------------------------------------------------------------ ldb_damage.c */

/* As in kv.h. */
int ldb_check(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes, kv_damaged_fn *tell,
	      void *arg);

/* ------------------------------------------------------------ ldb_write.c */

/* As in kv.h. */
struct kv_batch *ldb_batch_new(struct kv *kv);
int ldb_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable);
int ldb_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b);

/** ldb_sync_last - sync the last commits, before the database is closed; prints a message if that fails */
void ldb_sync_last(struct ldb *l);

#endif
