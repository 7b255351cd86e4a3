/*
 * ranges - deletion and compaction of ranges of keys
 *
 * Deletes go through the queue of writers, one batch at a time. LevelDB's compaction cannot be interrupted, so a range
 * is compacted in pieces.
 */
#include "store/local/jobs/ranges.h"

#include "store/local/commit/damage.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"

enum {
	BATCH_KEYS = 1000,
	PIECE_BYTES = 32 << 20, /* keys and values of a piece, which is compacted as one range */
	CALL_BUDGET = 64 << 20,
};

/* ------------------------------------------------------------ deletion */

struct deletion {
	struct slice keys[BATCH_KEYS];
	size_t n;
	const struct ranges_walk *walk;
};

/* Set @dead if the key still exists and may be deleted. */
static int
still_dead(struct txn *t, struct call *c, const struct deletion *d, struct slice key, bool *dead)
{
	struct slice record;
	int r = txn_get(t, c, key, &record);

	*dead = false;
	return r == 0 ? d->walk->is_dead(c, record, d->walk->now_ms, dead) : r < 0 ? r : 0;
}

static int
delete_keys(struct txn *t, struct call *c, void *arg)
{
	const struct deletion *d = arg;

	for (size_t i = 0; i < d->n; i++) {
		bool dead = true;

		if (d->walk->is_dead != NULL) {
			int r = still_dead(t, c, d, d->keys[i], &dead);

			if (r < 0) {
				return r;
			}
		}
		if (dead) {
			txn_del(t, d->keys[i]);
		}
	}
	return 0;
}

static int
ranges_run_deletion(struct local *l, struct call *c, struct deletion *d)
{
	struct txn_op op = {.run = delete_keys, .arg = d};

	for (size_t i = 0; i < d->n; i++) {
		op.bytes += d->keys[i].len;
	}
	return d->n == 0 ? 0 : txn_run(l->queue, c, &op);
}

void
ranges_walk_release(struct ranges_walk *w)
{
	buf_release(&w->place);
	buf_release(&w->from);
}

/*
 * Delete one batch of the keys that begin with @prefix, from p->place on, and move p->place past them: a seek to the
 * start of the range would pass over all tombstones.
 * Return: 0, 1 at the end of the range, < 0
 */
static int
delete_batch(struct local *l, struct slice prefix, struct ranges_walk *p)
{
	cleanup(call_close) struct call c;

	call_open(&c, p->now_ms, CALL_BUDGET);
	struct deletion *d = arena_new(&c.arena, struct deletion, 1);
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);

	d->walk = p;
	for (kv_cursor_seek(cur, buf_view(&p->place));
	     d->n < BATCH_KEYS && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		d->keys[d->n++] = slice_copy(&c.arena, kv_cursor_key(cur));
		p->bytes += kv_cursor_key(cur).len + kv_cursor_value(cur).len;
	}
	int r = damage_seen(l, &c, kv_cursor_status(cur, &c));

	if (r == 0) {
		r = ranges_run_deletion(l, &c, d);
	}
	if (r < 0) {
		return r;
	}
	p->keys += d->n;
	buf_clear(&p->place);
	if (d->n < BATCH_KEYS) {
		buf_slice(&p->place, keyspace_after(&c.arena, prefix));
		return 1;
	}
	buf_slice(&p->place, d->keys[d->n - 1]);
	buf_char(&p->place, '\0');
	return 0;
}

/* Compact the deleted range, which ends at p->place. Without disk space it is left to LevelDB's own compactions. */
static void
compact_deleted(struct local *l, struct ranges_walk *p)
{
	cleanup(call_close) struct call c;

	assert(slice_cmp(buf_view(&p->from), buf_view(&p->place)) <= 0);
	call_open(&c, 0, CALL_BUDGET);
	if (kv_room(l->kv, &c, KV_ROOM_COMPACTION, NULL) == 0) {
		l->kv->ops->compact(l->kv, buf_view(&p->from), buf_view(&p->place));
	}
	buf_set(&p->from, buf_view(&p->place));
	p->keys = p->bytes = 0;
}

/* Delete the keys that begin with @prefix.  Return: 0, RANGES_MORE, < 0 */
static int
delete_range(struct local *l, const struct time_slice *time_slice, struct slice prefix,
	     struct ranges_walk *w)
{
	if (w->place.len == 0) {
		buf_slice(&w->place, prefix);
		buf_slice(&w->from, prefix);
	}
	while (!atomic_load(time_slice->stop)) {
		int r = delete_batch(l, prefix, w);
		bool compact = r >= 0 && (w->bytes >= PIECE_BYTES ||
					  (r == 1 && w->keys > RANGES_COMPACT_AFTER));

		if (compact) {
			compact_deleted(l, w);
		}
		if (r != 0) {
			return r < 0 ? r : 0;
		}
		if (compact || time_slice_over(time_slice)) {
			break;
		}
	}
	return RANGES_MORE;
}

int
ranges_delete(struct local *l, const struct time_slice *time_slice, const char *spaces,
	      struct slice head, struct ranges_walk *w)
{
	cleanup(buf_release) struct buf prefix = {0};
	int r = 0;

	while (r == 0 && spaces[w->space] != '\0') {
		buf_clear(&prefix);
		buf_char(&prefix, spaces[w->space]);
		buf_slice(&prefix, head);
		r = delete_range(l, time_slice, buf_view(&prefix), w);
		if (r == 0) {
			buf_clear(&w->place);
			buf_clear(&w->from);
			w->keys = w->bytes = 0;
			w->space++;
		}
	}
	return r;
}

/* ------------------------------------------------------------ compaction */

/* Set @end to the end of a piece that begins at @from; at most @to. */
static void
end_of_piece(struct local *l, struct slice from, struct slice to, struct buf *end)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);
	size_t bytes = 0;

	buf_clear(end);
	for (kv_cursor_seek(cur, from); kv_cursor_valid(cur); kv_cursor_next(cur)) {
		struct slice key = kv_cursor_key(cur);

		if (slice_cmp(key, to) >= 0) {
			break;
		}
		if (bytes >= PIECE_BYTES) {
			to = key;
			break;
		}
		bytes += key.len + kv_cursor_value(cur).len;
	}
	buf_slice(end, to);
	kv_cursor_forget(cur); /* ignore errors: if keys were missed, the piece is only larger */
}

int
ranges_compact(struct local *l, struct call *c, struct buf *from, struct slice to)
{
	cleanup(buf_release) struct buf end = {0};
	int r = kv_room(l->kv, c, KV_ROOM_COMPACTION, NULL);

	if (r < 0) {
		return r;
	}
	end_of_piece(l, buf_view(from), to, &end);
	l->kv->ops->compact(l->kv, buf_view(from), buf_view(&end));
	buf_set(from, buf_view(&end));
	return slice_cmp(buf_view(from), to) < 0 ? RANGES_MORE : 0;
}
