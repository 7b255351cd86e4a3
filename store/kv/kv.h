/*
 * kv - ordered bytes: the port behind which LevelDB lives
 *
 * Keys are ordered by memcmp.  Any thread may read; batches are committed by
 * one thread at a time (the commit leader).  Implementations: kv_leveldb.c,
 * and for tests tests/support/kv_mem.c and kv_fault.c.
 */
#ifndef STORE_KV_KV_H
#define STORE_KV_KV_H

#include <assert.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/core/cleanup.h"

struct kv;
struct kv_snapshot;
struct kv_cursor;
struct kv_batch;

enum kv_outcome { KV_ABSENT = 1 };

/* What there should be room for on the disk. */
enum kv_room {
	KV_ROOM_GROWTH,     /* writes that add */
	KV_ROOM_BATCH,      /* a batch, also one that deletes: less is enough */
	KV_ROOM_COMPACTION, /* of one piece */
};

/* A file of the kv is damaged: @what is a sentence with its name and the place. */
typedef void kv_damaged_fn(void *arg, const char *what);

struct kv_ops {
	int (*get)(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key,
		   struct buf *out);
	struct kv_snapshot *(*snapshot_new)(struct kv *kv);
	void (*snapshot_free)(struct kv *kv, struct kv_snapshot *s);
	struct kv_cursor *(*cursor_new)(struct kv *kv, struct kv_snapshot *at, bool once);
	struct kv_batch *(*batch_new)(struct kv *kv);
	int (*commit)(struct kv *kv, struct call *c, struct kv_batch *b, bool durable);
	int (*room)(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b);
	void (*compact)(struct kv *kv, struct slice from, struct slice to);
	uint64_t (*size)(struct kv *kv, struct slice from, struct slice to); /* of files, about */
	/* NULL: it has no files */
	int (*check)(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes,
		     kv_damaged_fn *tell, void *arg);
	void (*close)(struct kv *kv);
};

struct kv {
	const struct kv_ops *ops;
};

struct kv_cursor_ops {
	void (*seek)(struct kv_cursor *cur, struct slice key);        /* first key >= key */
	void (*seek_before)(struct kv_cursor *cur, struct slice key); /* last key < key */
	bool (*valid)(struct kv_cursor *cur);
	void (*next)(struct kv_cursor *cur);
	void (*prev)(struct kv_cursor *cur);
	struct slice (*key)(struct kv_cursor *cur);           /* borrowed until the cursor moves */
	struct slice (*value)(struct kv_cursor *cur);         /* likewise */
	int (*status)(struct kv_cursor *cur, struct call *c); /* 0, or why it became invalid */
	void (*free)(struct kv_cursor *cur);
};

/*
 * A block that cannot be read hides its keys: the cursor passes over them and stays valid.  Only the
 * status, which keeps the first error, says so.  So ask for it before using what was read, also when
 * the walk stopped early.  A cursor that moved since must not be freed: debug builds assert it.
 */
struct kv_cursor {
	const struct kv_cursor_ops *ops;
	bool moved; /* since the status was last asked */
};

struct kv_batch_ops {
	void (*put)(struct kv_batch *b, struct slice key, struct slice value);
	void (*del)(struct kv_batch *b, struct slice key);
	void (*append)(struct kv_batch *b, const struct kv_batch *more);
	void (*clear)(struct kv_batch *b);
	void (*free)(struct kv_batch *b);
};

struct kv_batch {
	const struct kv_batch_ops *ops;
};

/**
 * kv_get - the value of one key, appended to @out
 * @at: a snapshot, or NULL for the newest state
 *
 * Return: 0, KV_ABSENT, -ERR_IO, -ERR_CORRUPT
 */
static inline int
kv_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	return kv->ops->get(kv, c, at, key, out);
}

/**
 * kv_commit - apply a batch atomically
 * @durable: on disk before it returns, together with every batch committed before it
 *
 * What survives a crash is always a prefix of the commits.
 * Errors:  -ERR_IO, -ERR_NO_SPACE; the kv refuses every later commit with the same reason
 */
static inline int
kv_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable)
{
	return kv->ops->commit(kv, c, b, durable);
}

/**
 * kv_check - read the files and compare their checksums
 * @after: where to go on, 0 at first; moves on
 * @bytes: stop after so many
 * @tell:  is called for each damaged file
 *
 * Return:  1: there are more;  0: that was all
 * Errors:  -ERR_CORRUPT, -ERR_IO  which files there are cannot be read
 */
static inline int
kv_check(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes, kv_damaged_fn *tell,
	 void *arg)
{
	return kv->ops->check == NULL ? 0 : kv->ops->check(kv, c, after, bytes, tell, arg);
}

/**
 * kv_room - is there room on the disk for this?  Asked before, as a commit that fails ends all writing
 * @b: of KV_ROOM_BATCH
 *
 * Errors:  -ERR_NO_SPACE  no; what must be free, and what helps.  Nothing is broken;
 *          -ERR_READ_ONLY  it was opened to be read only, as its disk is full or read-only
 * Thread:  the one that commits; of KV_ROOM_COMPACTION any
 */
static inline int
kv_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	return kv->ops->room(kv, c, what, b);
}

static inline struct kv_cursor *
kv_cursor_new(struct kv *kv, struct kv_snapshot *at)
{
	return kv->ops->cursor_new(kv, at, false);
}

/** kv_cursor_once - likewise, for one pass over much: what it reads does not push others out of the cache */
static inline struct kv_cursor *
kv_cursor_once(struct kv *kv, struct kv_snapshot *at)
{
	return kv->ops->cursor_new(kv, at, true);
}

static inline void
kv_cursor_free(struct kv_cursor *cur)
{
	assert(!cur->moved);
	cur->ops->free(cur);
}
CLEANUP_DEFINE(struct kv_cursor *, kv_cursor_free)

/** kv_cursor_seek - go to the first key that is not less than @key */
static inline void
kv_cursor_seek(struct kv_cursor *cur, struct slice key)
{
	cur->moved = true;
	cur->ops->seek(cur, key);
}

/** kv_cursor_seek_before - go to the last key that is less than @key */
static inline void
kv_cursor_seek_before(struct kv_cursor *cur, struct slice key)
{
	cur->moved = true;
	cur->ops->seek_before(cur, key);
}

static inline bool
kv_cursor_valid(struct kv_cursor *cur)
{
	return cur->ops->valid(cur);
}

static inline void
kv_cursor_next(struct kv_cursor *cur)
{
	cur->moved = true;
	cur->ops->next(cur);
}

static inline void
kv_cursor_prev(struct kv_cursor *cur)
{
	cur->moved = true;
	cur->ops->prev(cur);
}

/** kv_cursor_key, kv_cursor_value - borrowed until the cursor moves */
static inline struct slice
kv_cursor_key(struct kv_cursor *cur)
{
	return cur->ops->key(cur);
}

static inline struct slice
kv_cursor_value(struct kv_cursor *cur)
{
	return cur->ops->value(cur);
}

/** kv_cursor_status - 0 if the cursor has shown all keys it passed; Errors: -ERR_IO, -ERR_CORRUPT */
static inline int __attribute__((warn_unused_result))
kv_cursor_status(struct kv_cursor *cur, struct call *c)
{
	cur->moved = false;
	return cur->ops->status(cur, c);
}

/** kv_cursor_end - the result of a walk: @r if the walk failed, else a bad status, else @r */
static inline int __attribute__((warn_unused_result))
kv_cursor_end(struct kv_cursor *cur, struct call *c, int r)
{
	int status = 0;

	cur->moved = false;
	if (r >= 0) {
		status = cur->ops->status(cur, c);
	}
	return status < 0 ? status : r;
}

/** kv_cursor_forget - nothing that the cursor showed is used: keys it missed do no harm */
static inline void
kv_cursor_forget(struct kv_cursor *cur)
{
	cur->moved = false;
}

/** kv_cursor_in - does the cursor stand at a key that begins with @prefix? */
static inline bool
kv_cursor_in(struct kv_cursor *cur, struct slice prefix)
{
	return kv_cursor_valid(cur) && slice_starts(kv_cursor_key(cur), prefix);
}

static inline void
kv_batch_free(struct kv_batch *b)
{
	b->ops->free(b);
}
CLEANUP_DEFINE(struct kv_batch *, kv_batch_free)

/**
 * kv_leveldb_open_at - open or create a LevelDB
 * @at:   the directory that @name is in, or AT_FDCWD; may be closed afterwards
 * @name: of the database's directory, which may be no link
 * @dir:  the same for messages
 *
 * What a crash left is made a prefix of the commits first (ldb_recover.h).
 * Errors:  -ERR_BUSY  another process holds its lock;  -ERR_CORRUPT  also: what was durable is
 * damaged;  -ERR_IO
 */
int kv_leveldb_open_at(struct call *c, int at, const char *name, const char *dir, bool create,
		       struct kv **out) __attribute__((warn_unused_result));

/** kv_leveldb_open - likewise of a path */
int kv_leveldb_open(struct call *c, const char *dir, bool create, struct kv **out)
	__attribute__((warn_unused_result));

#endif
