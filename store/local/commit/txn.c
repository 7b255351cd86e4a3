/*
 * txn - reads and writes of an operation while the leader runs it
 *
 * txn_group.c runs the operations of a group and commits their writes as one batch. All reads look into the pending writes
 * first, so an operation sees the changes of those before it in its group.
 */
#include "store/local/commit/txn.h"

#include "store/kv/kv_sorted.h"
#include "store/local/commit/fresh.h"
#include "store/local/commit/pending_writes.h"
#include "store/local/commit/txn_int.h"
#include "store/local/records/record.h"

/* The value of a key that exists only if this group has put it. */
static int
txn_get_new(struct txn *t, struct slice key, struct slice *value)
{
	const struct pending_writes_state *known = pending_writes_find(&t->pending, key);

	if (known == NULL || known->kind != PENDING_VALUE) {
		return KV_ABSENT;
	}
	*value = known->value;
	return 0;
}

int
txn_get(struct txn *t, struct call *c, struct slice key, struct slice *value)
{
	struct buf out = {.arena = &c->arena};

	if (pending_writes_find(&t->pending, key) != NULL) {
		return txn_get_new(t, key, value);
	}
	int r = kv_get(t->kv, c, NULL, key, &out);

	*value = buf_view(&out);
	return r;
}

/* Read the state of a key from the kv, unless the pending writes have it. */
static int
ask_near(const struct txn *t, struct call *c, struct kv_sorted *kv_sorted, struct slice key,
	 struct pending_writes_state *out)
{
	struct buf value = {.arena = &c->arena};

	*out = (struct pending_writes_state){.kind = PENDING_UNKNOWN};
	if (pending_writes_find(&t->pending, key) != NULL) {
		return 0;
	}
	int r = kv_sorted_get(kv_sorted, c, key, &value);

	if (r < 0) {
		return r;
	}
	out->kind = r == KV_ABSENT ? PENDING_ABSENT : PENDING_VALUE;
	out->value = buf_view(&value);
	return 0;
}

int
txn_learn(struct txn *t, struct call *c, const struct slice *keys, size_t n, size_t bytes)
{
	struct kv_sorted kv_sorted = {.kv = t->kv};
	struct pending_writes_state *states = arena_new(&c->arena, struct pending_writes_state, n);
	size_t read = 0;
	size_t learnt = 0;
	int r = 0;

	while (read < n && r == 0 && learnt < bytes) {
		r = ask_near(t, c, &kv_sorted, keys[read], &states[read]);
		learnt += states[read++].value.len;
	}
	int end = kv_sorted_end(&kv_sorted, c);

	/* An absence is certain only after kv_sorted_end() has succeeded: the block may have been unreadable. */
	for (size_t i = 0; i < read && r == 0 && end == 0; i++) {
		if (states[i].kind != PENDING_UNKNOWN) {
			pending_writes_set(&t->pending, keys[i], &states[i]);
		}
	}
	return r < 0 ? r : end;
}

void
txn_put(struct txn *t, struct slice key, struct slice value)
{
	pending_writes_set(&t->pending, key,
			   &(struct pending_writes_state){
				   .kind = PENDING_VALUE, .dirty = true, .value = value});
}

void
txn_del(struct txn *t, struct slice key)
{
	pending_writes_set(&t->pending, key,
			   &(struct pending_writes_state){.kind = PENDING_ABSENT, .dirty = true});
}

/* The state of counts in the pending writes; read from the kv at first use. */
static int
counts_state(struct txn *t, struct call *c, struct slice key, struct pending_writes_state *out)
{
	const struct pending_writes_state *known = pending_writes_find(&t->pending, key);
	struct slice record;

	if (known != NULL && known->kind == PENDING_COUNTS) {
		*out = *known;
		return 0;
	}
	*out = (struct pending_writes_state){.kind = PENDING_COUNTS,
					     .dirty = known != NULL && known->dirty};
	int r = fresh_absent(&t->fresh, key) ? KV_ABSENT : txn_get(t, c, key, &record);

	if (r == 0) {
		r = record_counts_decode(c, record, &out->counts);
	} else if (r == KV_ABSENT) {
		out->fresh = true;
		r = 0;
	}
	if (r == 0) {
		pending_writes_set(&t->pending, key, out);
	}
	return r;
}

int
txn_counts(struct txn *t, struct call *c, struct slice key, struct record_counts *out)
{
	struct pending_writes_state state;
	int r = counts_state(t, c, key, &state);

	if (r == 0) {
		*out = state.counts;
	}
	return r;
}

int
txn_get_of(struct txn *t, struct call *c, struct slice collection, struct slice key,
	   struct record_counts *counts, struct slice *value)
{
	struct pending_writes_state state;
	int r = counts_state(t, c, collection, &state);

	*counts = state.counts;
	if (r < 0 || counts->items == 0) {
		return r < 0 ? r : KV_ABSENT;
	}
	return state.fresh ? txn_get_new(t, key, value) : txn_get(t, c, key, value);
}

/* Whether the difference @more is negative and subtracts more than @have. */
static bool
too_few(uint64_t have, uint64_t more)
{
	return more > UINT64_MAX / 2 && have < -more;
}

/* Add a difference of bytes, with 0 as the minimum: old versions counted the bytes of numbers in another way. */
static uint64_t
sum_bytes(uint64_t have, uint64_t more)
{
	return too_few(have, more) ? 0 : have + more;
}

int
txn_count(struct txn *t, struct call *c, struct slice key, const struct record_counts *more,
	  int *partitions)
{
	struct pending_writes_state state;
	int r = counts_state(t, c, key, &state);

	if (r < 0) {
		return r;
	}
	struct record_counts *now = &state.counts;
	bool was_there = now->items > 0;

	if (too_few(now->items, more->items) ||
	    too_few(now->rendered_bytes, more->rendered_bytes)) {
		return call_fail(
			c, ERR_CORRUPT,
			"a collection has fewer items than its counts say: run itemctl check");
	}
	now->items += more->items;
	now->item_bytes = sum_bytes(now->item_bytes, more->item_bytes);
	now->rendered_bytes += more->rendered_bytes;
	state.dirty = true;
	pending_writes_set(&t->pending, key, &state);
	if (partitions != NULL) {
		*partitions = (now->items > 0) - was_there;
	}
	if (now->items > 0 && !was_there) {
		fresh_add(&t->fresh, key);
	}
	return 0;
}

void
txn_set_counts(struct txn *t, struct slice key, const struct record_counts *counts)
{
	pending_writes_set(&t->pending, key,
			   &(struct pending_writes_state){
				   .kind = PENDING_COUNTS, .dirty = true, .counts = *counts});
	if (counts->items > 0) {
		fresh_add(&t->fresh, key);
	}
}

uint64_t
txn_seq(struct txn *t)
{
	return ++t->seq;
}

uint64_t
txn_newest(const struct txn *t)
{
	return t->seq;
}

void
txn_publish(struct txn *t, const struct change *ch)
{
	if (!t->listening) {
		return;
	}
	if (t->n_changes == t->cap_changes) {
		t->cap_changes = t->cap_changes == 0 ? 64 : 2 * t->cap_changes;
		t->changes = mem_resized(t->changes, t->cap_changes, sizeof(*t->changes));
	}
	t->changes[t->n_changes++] = *ch;
}
