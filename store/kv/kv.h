/*
 * kv - the interface of an ordered key-value store
 *
 * Keys are ordered by memcmp. Any thread may read. Batches are committed by one thread at a time (the commit leader).
 * Implementations: kv_leveldb.c, and for tests tests/support/kv_mem.c and kv_fault.c.
 */
#ifndef STORE_KV_KV_H
#define STORE_KV_KV_H

#include "store/base/core/base.h"

struct kv;
struct kv_snapshot;
struct kv_cursor;
struct kv_batch;

enum kv_outcome { KV_ABSENT = 1 };

/* What kv_room() checks the disk for. */
enum kv_room {
	KV_ROOM_GROWTH,     /* writes that add */
	KV_ROOM_BATCH,      /* any batch, also one that deletes; needs less than GROWTH */
	KV_ROOM_COMPACTION, /* a compaction of one range */
};

/* Called for a damaged file. @what: a sentence with the name of the file and the place; borrowed */
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
	/* approximate bytes in files */
	uint64_t (*size)(struct kv *kv, struct slice from, struct slice to);
	/* NULL: there are no files */
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
	struct slice (*value)(struct kv_cursor *cur);         /* borrowed until the cursor moves */
	int (*status)(struct kv_cursor *cur, struct call *c); /* 0, or why it became invalid */
	void (*free)(struct kv_cursor *cur);
};

/*
 * A cursor skips a block that it cannot read, and stays valid. Only the status, which keeps the first error, reports
 * this. So read the status before you use the result of a walk, even if the walk stopped early. kv_cursor_free()
 * asserts that the cursor has not moved since the status was read.
 */
struct kv_cursor {
	const struct kv_cursor_ops *ops;
	bool moved; /* since the status was last read */
};

struct kv_batch_ops {
	void (*put)(struct kv_batch *b, struct slice key, struct slice value);
	void (*del)(struct kv_batch *b, struct slice key);
	void (*clear)(struct kv_batch *b);
	void (*free)(struct kv_batch *b);
};

struct kv_batch {
	const struct kv_batch_ops *ops;
};

/**
 * kv_get - append the value of one key to @out
 * @at: a snapshot, or NULL for the newest state
 *
 * Return: 0; KV_ABSENT
 * Errors: -ERR_IO, -ERR_CORRUPT
 */
static inline int
kv_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	return kv->ops->get(kv, c, at, key, out);
}

/**
 * kv_commit - apply a batch atomically
 * @durable: it and every batch committed before it are on disk when the function returns
 *
 * After a crash, the kv holds a prefix of the commits. If kv_room() fails with -ERR_READ_ONLY, a commit does nothing.
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT; every later commit fails with -ERR_IO and the same message
 * Thread:  one at a time
 */
static inline int
kv_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable)
{
	return kv->ops->commit(kv, c, b, durable);
}

/**
 * kv_check - read the files and verify their checksums
 * @after: the position, 0 at first; updated
 * @bytes: stop after the file with which this number of bytes was read
 * @tell:  called with @arg for each file that is damaged, missing or cannot be read
 *
 * Return:  1 if there are more files; 0 at the end
 * Errors:  -ERR_CORRUPT, -ERR_IO  the list of files cannot be read
 * Thread:  any
 */
static inline int
kv_check(struct kv *kv, struct call *c, uint64_t *after, uint64_t bytes, kv_damaged_fn *tell,
	 void *arg)
{
	return kv->ops->check == NULL ? 0 : kv->ops->check(kv, c, after, bytes, tell, arg);
}

/**
 * kv_room - check that the disk has room, because a failed commit ends all writing
 * @b: the batch for KV_ROOM_BATCH; NULL otherwise
 *
 * An empty batch always has room.
 * Errors:  -ERR_NO_SPACE   there is no room; the message says how much must be free. Nothing is broken.
 *          -ERR_READ_ONLY  the kv was opened only for reading, because its disk is full or read-only
 * Thread:  the one that commits; for KV_ROOM_COMPACTION any
 */
static inline int
kv_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	return kv->ops->room(kv, c, what, b);
}

/* A snapshot that is released at the end of the block: cleanup(kv_view_close). */
struct kv_view {
	struct kv *kv;
	struct kv_snapshot *at;
};

/** kv_view_open - take a snapshot of the newest state */
static inline struct kv_view
kv_view_open(struct kv *kv)
{
	return (struct kv_view){kv, kv->ops->snapshot_new(kv)};
}

/** kv_view_close - release the snapshot */
static inline void
kv_view_close(struct kv_view *v)
{
	v->kv->ops->snapshot_free(v->kv, v->at);
}

/** kv_cursor_new - create a cursor on @at, or on the newest state if NULL; pair with kv_cursor_free() */
static inline struct kv_cursor *
kv_cursor_new(struct kv *kv, struct kv_snapshot *at)
{
	return kv->ops->cursor_new(kv, at, false);
}

/** kv_cursor_once - like kv_cursor_new(), for one pass over many keys: the blocks that it reads are not cached */
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

/** kv_cursor_key, kv_cursor_value - return key and value at a valid cursor, borrowed until it moves */
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

/** kv_cursor_status - return 0 if the cursor has skipped no key; Errors: -ERR_IO, -ERR_CORRUPT */
static inline int must_check
kv_cursor_status(struct kv_cursor *cur, struct call *c)
{
	cur->moved = false;
	return cur->ops->status(cur, c);
}

/** kv_cursor_end - return the result of a walk: @r if < 0, else the status if < 0, else @r */
static inline int must_check
kv_cursor_end(struct kv_cursor *cur, struct call *c, int r)
{
	int status = 0;

	cur->moved = false;
	if (r >= 0) {
		status = cur->ops->status(cur, c);
	}
	return status < 0 ? status : r;
}

/** kv_cursor_forget - allow the cursor to be freed without its status: no result of the walk is used */
static inline void
kv_cursor_forget(struct kv_cursor *cur)
{
	cur->moved = false;
}

/** kv_cursor_in - return true if the cursor is at a key that begins with @prefix */
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
 * kv_leveldb_open_at - open or create a LevelDB database
 * @at:     the directory that @name is in; may be closed afterwards
 * @name:   of the database's directory, which must not be a link
 * @dir:    its path, for messages
 * @create: create the directory and the database if they do not exist
 *
 * After a crash, the logs are first cut to a prefix of the commits (ldb_recover.h).
 * Errors:  -ERR_BUSY      another process has it open
 *          -ERR_CORRUPT   files are damaged, also if synced data is missing
 *          -ERR_NO_SPACE  the disk is full or read-only, and there is no space for a copy (ldb_shadow.h)
 *          -ERR_IO
 */
int kv_leveldb_open_at(struct call *c, int at, const char *name, const char *dir, bool create,
		       struct kv **out) must_check;

#endif
