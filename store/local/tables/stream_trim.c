/*
 * stream_trim - deletes stream records that are a day old, and streams that ended a day ago
 *
 * This is background work (tasks.c).  Each batch of records is one operation
 * of the commit queue, which also stores in the stream's state how far it has
 * come, so that deleted records are not looked for again.
 */
#include "store/local/tables/stream_trim.h"

#include "store/local/commit/txn.h"
#include "store/local/jobs/ranges.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/stream_state.h"

enum { BATCH_KEYS = 1000, CALL_BUDGET = 16 << 20 };

/* A batch: records of one stream that are deleted together. */
struct trimming {
	struct local *local;
	struct slice key; /* key of the stream's state */
	struct slice records[BATCH_KEYS];
	size_t n;
	uint64_t last; /* sequence number of the last record in the batch */
	bool all;      /* no other records are left: delete the stream, too */
};

static int
run_trimming(struct txn *t, struct call *c, void *arg)
{
	const struct trimming *tr = arg;
	struct stream_state state;
	struct slice bytes;
	struct buf value = {.arena = &c->arena};

	assert(tr->n > 0 || tr->all);

	int r = txn_get(t, c, tr->key, &bytes);

	if (r == 0) {
		r = stream_decode(c, bytes, &state);
	}
	if (r != 0) {
		return r < 0 ? r : 0;
	}
	for (size_t i = 0; i < tr->n; i++) {
		txn_del(t, tr->records[i]);
		tasks_deleted(tr->local->tasks, tr->records[i]);
	}
	if (tr->all) {
		txn_del(t, tr->key);
		return 0;
	}
	state.trimmed = tr->last;
	stream_encode(&value, &state);
	txn_put(t, tr->key, buf_view(&value));
	return 0;
}

/* Collect the oldest records of the stream that may be deleted.  Return: 0, < 0 */
static int
stream_trim_gather(struct call *c, struct trimming *tr, const struct stream_state *s)
{
	bool gone = stream_gone(s, c->now_ms);
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(tr->local->kv, NULL);
	uint64_t from_seq = s->trimmed + 1;
	struct slice prefix = stream_record_key(&c->arena, s->id, NULL);
	int r = 0;

	kv_cursor_seek(cur, stream_record_key(&c->arena, s->id, &from_seq));
	while (r == 0 && tr->n < BATCH_KEYS && kv_cursor_in(cur, prefix)) {
		struct slice key = kv_cursor_key(cur);
		struct stream_entry e;

		r = stream_entry_decode(c, kv_cursor_value(cur), &e);
		if (r < 0 || !(gone || stream_old(e.time_ms, c->now_ms))) {
			break;
		}
		r = stream_record_seq(c, key, &tr->last);
		if (r == 0) {
			tr->records[tr->n++] = slice_copy(&c->arena, key);
			kv_cursor_next(cur);
		}
	}
	tr->all = gone && tr->n < BATCH_KEYS;
	return kv_cursor_end(cur, c, r);
}

/* Delete one batch.  Return: 1: there may be more; 0; < 0 */
static int
trim_batch(struct local *l, struct slice key, uint64_t now_ms)
{
	cleanup(call_close) struct call c;
	struct stream_state state;
	struct buf value = {.arena = &c.arena};

	call_open(&c, now_ms, CALL_BUDGET);
	struct trimming *tr = arena_new(&c.arena, struct trimming, 1);

	tr->local = l;
	tr->key = key;
	int r = kv_get(l->kv, &c, NULL, key, &value);

	if (r == 0) {
		r = stream_decode(&c, buf_view(&value), &state);
	}
	if (r == 0) {
		r = stream_trim_gather(&c, tr, &state);
	}
	if (r != 0 || (tr->n == 0 && !tr->all)) {
		return r < 0 ? r : 0;
	}
	r = txn_run(l->queue, &c,
		    &(struct txn_op){
			    .run = run_trimming, .arg = tr, .bytes = tr->n * sizeof(struct slice)});
	return r < 0 ? r : tr->n == BATCH_KEYS;
}

bool
stream_trim(struct local *l, const struct time_slice *time_slice, uint64_t now_ms)
{
	static const char first[] = {KEYSPACE_STREAM};
	struct slice prefix = slice_of(first, sizeof(first));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);

	for (kv_cursor_seek(cur, prefix); kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		int r = 1;

		while (r > 0) {
			r = trim_batch(l, kv_cursor_key(cur), now_ms);
			if (r > 0 && time_slice_over(time_slice)) {
				kv_cursor_forget(cur);
				return true;
			}
		}
	}
	/* Ignore read errors: the next run trims the streams that were missed. */
	kv_cursor_forget(cur);
	return false;
}
