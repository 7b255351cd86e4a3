/* ldb_read - values, snapshots and cursors of kv_leveldb */
#include <leveldb/c.h>

#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_int.h"

enum { READY_BYTES = 1024 * 1024 }; /* twice the largest value, an item of 400 KB */

struct kv_snapshot {
	const leveldb_snapshot_t *at;
	leveldb_readoptions_t *read;
};

struct ldb_cursor {
	struct kv_cursor cursor;
	const char *dir; /* of the database */
	leveldb_iterator_t *it;
};

int
ldb_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	struct ldb *l = (struct ldb *)kv;
	size_t len = 0;

	/* LevelDB copies the value to memory from malloc() without a check for NULL. */
	mem_ready(READY_BYTES);
	cleanup(ldb_free_text) char *why = NULL;
	cleanup(ldb_free_text) char *value =
		leveldb_get(l->db, at == NULL ? l->read : at->read, key.at, key.len, &len, &why);

	if (why != NULL) {
		return ldb_fail(c, l->dir, why);
	}
	if (value == NULL) {
		return KV_ABSENT;
	}
	buf_put(out, value, len);
	return 0;
}

leveldb_readoptions_t *
ldb_read_options(const leveldb_snapshot_t *at)
{
	leveldb_readoptions_t *read = leveldb_readoptions_create();

	leveldb_readoptions_set_verify_checksums(read, 1);
	leveldb_readoptions_set_snapshot(read, at);
	return read;
}

struct kv_snapshot *
ldb_snapshot_new(struct kv *kv)
{
	struct ldb *l = (struct ldb *)kv;
	struct kv_snapshot *s = mem_new(struct kv_snapshot);

	s->at = leveldb_create_snapshot(l->db);
	s->read = ldb_read_options(s->at);
	return s;
}

void
ldb_snapshot_free(struct kv *kv, struct kv_snapshot *s)
{
	struct ldb *l = (struct ldb *)kv;

	leveldb_readoptions_destroy(s->read);
	leveldb_release_snapshot(l->db, s->at);
	free(s);
}

static void
ldb_cursor_seek(struct kv_cursor *cur, struct slice key)
{
	leveldb_iter_seek(((struct ldb_cursor *)cur)->it, key.at, key.len);
}

static void
ldb_cursor_seek_before(struct kv_cursor *cur, struct slice key)
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
ldb_cursor_valid(struct kv_cursor *cur)
{
	return leveldb_iter_valid(((struct ldb_cursor *)cur)->it);
}

static void
ldb_cursor_next(struct kv_cursor *cur)
{
	leveldb_iter_next(((struct ldb_cursor *)cur)->it);
}

static void
ldb_cursor_prev(struct kv_cursor *cur)
{
	leveldb_iter_prev(((struct ldb_cursor *)cur)->it);
}

static struct slice
ldb_cursor_key(struct kv_cursor *cur)
{
	struct slice key;

	key.at = leveldb_iter_key(((struct ldb_cursor *)cur)->it, &key.len);
	return key;
}

static struct slice
ldb_cursor_value(struct kv_cursor *cur)
{
	struct slice value;

	value.at = leveldb_iter_value(((struct ldb_cursor *)cur)->it, &value.len);
	return value;
}

static int
ldb_cursor_status(struct kv_cursor *cur, struct call *c)
{
	cleanup(ldb_free_text) char *why = NULL;

	leveldb_iter_get_error(((struct ldb_cursor *)cur)->it, &why);
	return why == NULL ? 0 : ldb_fail(c, ((struct ldb_cursor *)cur)->dir, why);
}

static void
ldb_cursor_free(struct kv_cursor *cur)
{
	leveldb_iter_destroy(((struct ldb_cursor *)cur)->it);
	free(cur);
}

static const struct kv_cursor_ops ldb_cursor_ops = {
	.seek = ldb_cursor_seek,
	.seek_before = ldb_cursor_seek_before,
	.valid = ldb_cursor_valid,
	.next = ldb_cursor_next,
	.prev = ldb_cursor_prev,
	.key = ldb_cursor_key,
	.value = ldb_cursor_value,
	.status = ldb_cursor_status,
	.free = ldb_cursor_free,
};

struct kv_cursor *
ldb_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once)
{
	struct ldb *l = (struct ldb *)kv;
	struct ldb_cursor *cur = mem_new(struct ldb_cursor);
	leveldb_readoptions_t *read = ldb_read_options(at == NULL ? NULL : at->at);

	leveldb_readoptions_set_fill_cache(read, !once);
	cur->cursor.ops = &ldb_cursor_ops;
	cur->dir = l->dir;
	cur->it = leveldb_create_iterator(l->db, read);
	leveldb_readoptions_destroy(read); /* the iterator has a copy */
	return &cur->cursor;
}
