/*
 * txn_group - the leader's work: run a group's operations and commit them as one batch
 *
 * txn_queue.c makes the groups; txn.c has the functions that an operation may call. There is only one leader at a time,
 * so nothing here needs a lock.
 */
#include <endian.h>

#include "store/engine/feed.h"
#include "store/local/commit/fresh.h"
#include "store/local/commit/pending_writes.h"
#include "store/local/commit/txn_int.h"
#include "store/local/records/keyspace.h"

enum { CALL_BUDGET = 1 << 20 };

static const char seq_key[] = {KEYSPACE_META, 's', 'e', 'q'};

/* ------------------------------------------------------------ one operation */

static void
forbid_writing(struct txn *t, const char *why)
{
	if (t->broken == NULL) {
		t->broken = mem_string(why);
	}
}

/* Run the operation, unless writes are refused or the disk has too little space for it. */
static int
run_operation(struct txn *t, const struct txn_wait *w)
{
	if (t->broken != NULL) {
		return call_fail(w->c, ERR_READ_ONLY, "The store is read-only: %s", t->broken);
	}
	int r = w->op->grows ? kv_room(t->kv, w->c, KV_ROOM_GROWTH, NULL) : 0;

	return r < 0 || w->op->run == NULL ? r : w->op->run(t, w->c, w->op->arg);
}

static void
txn_group_run_one(struct txn *t, struct txn_wait *w)
{
	uint64_t seq = t->seq;
	size_t n_changes = t->n_changes;

	pending_writes_begin(&t->pending);
	w->result = run_operation(t, w);
	if (w->result == 0 && arena_over(&w->c->arena)) {
		w->result = call_fail_over(w->c, "the request");
	}
	if (w->result != 0) {
		pending_writes_undo(&t->pending);
		t->seq = seq;
		t->n_changes = n_changes;
	}
	if (w->result == -ERR_CORRUPT) {
		forbid_writing(t, w->c->error.message);
	}
}

/* ------------------------------------------------------------ the batch */

/*
 * Commit the group as one batch.
 * @seq:   the newest sequence number before the group
 * @tried: set if the kv was asked to write; otherwise a failure has changed nothing
 * Return: 0, or < 0 with the error in @c
 */
static int
txn_group_commit(struct txn *t, struct call *c, const struct txn_wait *group, uint64_t seq,
		 bool *synced, bool *tried)
{
	bool durable = false;
	bool even_empty = false;

	for (const struct txn_wait *w = group; w != NULL; w = w->next) {
		durable = durable || (w->result == 0 && w->op->durable);
		even_empty = even_empty || (w->result == 0 && w->op->run == NULL);
	}
	*synced = *tried = false;
	if (pending_writes_to_batch(&t->pending, t->batch) == 0 && !even_empty) {
		return 0;
	}
	if (t->seq != seq) {
		uint64_t number = htobe64(t->seq);

		t->batch->ops->put(t->batch, slice_of(seq_key, sizeof(seq_key)),
				   slice_of((const char *)&number, sizeof(number)));
	}
	int r = kv_room(t->kv, c, KV_ROOM_BATCH, t->batch);

	if (r == 0) {
		r = kv_commit(t->kv, c, t->batch, durable);
		*tried = true;
	}
	t->batch->ops->clear(t->batch);
	*synced = durable && r == 0;
	return r;
}

static void
group_failed(struct txn_wait *group, const struct call *why)
{
	for (struct txn_wait *w = group; w != NULL; w = w->next) {
		if (w->result == 0) {
			w->result = call_fail(w->c, why->error.code, "%s", why->error.message);
		}
	}
}

static void
group_committed(struct txn *t, struct txn_wait *group, uint64_t seq)
{
	feed_committed(t->feed, t->seq);
	for (struct txn_wait *w = group; w != NULL; w = w->next) {
		if (w->result == 0 && w->op->committed != NULL) {
			w->op->committed(w->op->arg);
		}
	}
	/* Publish last: a reader that learns of a changed definition must find the new one in the catalog. */
	for (size_t i = 0; i < t->n_changes; i++) {
		feed_publish(t->feed, &t->changes[i]);
	}
	/* A reader that came while the group ran has missed its changes, which were not collected. */
	if (!t->listening && t->seq != seq) {
		feed_lose(t->feed);
	}
}

bool
txn_run_group(struct txn *t, struct txn_wait *group)
{
	uint64_t seq = t->seq;
	bool synced;
	bool tried;
	cleanup(call_close) struct call c;

	assert(group != NULL);
	assert(t->n_changes == 0);
	call_open(&c, group->c->now_ms, CALL_BUDGET);
	t->listening = feed_listening(t->feed);
	for (struct txn_wait *w = group; w != NULL; w = w->next) {
		txn_group_run_one(t, w);
	}
	if (txn_group_commit(t, &c, group, seq, &synced, &tried) < 0) {
		t->seq = seq;
		if (tried) {
			forbid_writing(t, c.error.message);
		}
		group_failed(group, &c);
		pending_writes_clear(&t->pending);
	} else {
		group_committed(t, group, seq);
		pending_writes_settle(&t->pending);
	}
	t->n_changes = 0;
	return synced;
}

/* ------------------------------------------------------------ begin and end */

int
txn_stored_seq(struct call *c, struct kv *kv, struct kv_snapshot *at, uint64_t *out)
{
	struct buf record = {.arena = &c->arena};

	int r = kv_get(kv, c, at, slice_of(seq_key, sizeof(seq_key)), &record);

	*out = 0;
	if (r < 0 || r == KV_ABSENT) {
		return r < 0 ? r : 0;
	}
	if (record.len != sizeof(*out)) {
		return call_fail(c, ERR_CORRUPT, "the record of the sequence number is damaged");
	}
	*out = slice_be(buf_view(&record));
	return 0;
}

int
txn_init(struct call *c, struct txn *t, struct kv *kv, struct feed *feed)
{
	int r = txn_stored_seq(c, kv, NULL, &t->seq);

	if (r < 0) {
		return r;
	}
	t->kv = kv;
	t->feed = feed;
	t->batch = kv->ops->batch_new(kv);
	pending_writes_init(&t->pending);
	feed_committed(feed, t->seq);
	return 0;
}

void
txn_release(struct txn *t)
{
	pending_writes_release(&t->pending);
	fresh_release(&t->fresh);
	kv_batch_free(t->batch);
	free(t->changes);
	free(t->broken);
}
