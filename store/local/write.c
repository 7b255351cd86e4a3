/*
 * write - the funnel
 *
 * Before it: the operations (item.c, batch.c, transact.c), which had write_make.c
 * check and encode what does not depend on the item before.  After it:
 * txn_queue.c, which commits what was put.  No operation writes items or index
 * entries in any other way, so counts, indexes, streams and the feed cannot be forgotten.
 */
#include <endian.h>

#include "store/local/capacity.h"
#include "store/local/catalog_int.h"
#include "store/local/stream.h"
#include "store/local/write_int.h"

/* ------------------------------------------------------------ the item before */

int
write_read(struct txn *t, struct call *c, struct write *w)
{
	struct record_counts counts;
	struct record_head head;
	int r = txn_get_of(t, c, w->collection, w->key, &counts, &w->old_record);

	if (r < 0) {
		return r;
	}
	w->siblings = counts.items;
	if (r == KV_ABSENT) {
		return 0;
	}
	r = record_decode(c, w->old_record, &head, &w->old);
	if (r < 0) {
		return r;
	}
	w->had_old = true;
	w->old_size = (struct record_counts){1, item_size(&w->old), head.rendered_bytes};
	return 0;
}

static bool
is_as_seen(const struct write *w)
{
	const struct seen *s = &w->seen;

	return (s->siblings == NULL || *s->siblings == w->siblings) &&
	       (s->item == NULL || (w->had_old && item_eq(s->item, &w->old)));
}

int
write_test(struct txn *t, struct call *c, struct write *w)
{
	static const struct item nothing;

	if (!catalog_current(w->schema)) {
		return TXN_REBIND;
	}
	int r = write_read(t, c, w);

	if (r < 0) {
		return r;
	}
	if (!is_as_seen(w) || !expr_eval(c, w->condition, w->had_old ? &w->old : &nothing)) {
		return WRITE_REFUSED;
	}
	return w->kind == WRITE_UPDATE ? write_update(c, w) : 0;
}

/* ------------------------------------------------------------ the difference */

static bool
same_content(const struct write *w)
{
	return slice_eq(record_body(w->old_record), record_body(w->record)) ||
	       item_eq(&w->old, &w->item);
}

/* Counts of the item's collection and of the table. */
static int
update_counts(struct txn *t, struct call *c, const struct write *w, bool has_new)
{
	struct record_counts more = {0};
	int partitions;

	if (has_new) {
		more = w->size;
	}
	if (w->had_old) {
		more.items -= w->old_size.items;
		more.item_bytes -= w->old_size.item_bytes;
		more.rendered_bytes -= w->old_size.rendered_bytes;
	}
	if (more.items == 0 && more.item_bytes == 0 && more.rendered_bytes == 0) {
		return 0;
	}
	int r = txn_count(t, c, w->collection, &more, &partitions);

	if (r < 0) {
		return r;
	}
	return txn_total(
		t, c, w->totals,
		&(struct totals){more.items, more.item_bytes, (uint64_t)(int64_t)partitions});
}

/* The entries of an item that is not there. */
static struct index_entry *
no_entries(struct call *c, const struct write *w)
{
	return arena_new(&c->arena, struct index_entry, w->schema->n_index);
}

static int
old_entries(struct call *c, const struct write *w, struct index_entry **out)
{
	if (!w->had_old) {
		*out = no_entries(c, w);
		return 0;
	}
	return index_entries(c,
			     &(struct index_source){
				     .schema = w->schema,
				     .item = &w->old,
				     .base = &w->values,
				     .rendered_bytes = w->old_size.rendered_bytes,
				     .item_bytes = w->old_size.item_bytes,
				     .stored = true,
			     },
			     out);
}

static int
update_indexes(struct txn *t, struct call *c, struct write *w, bool has_new)
{
	struct index_entry *old;

	if (w->schema->n_index == 0 || (w->had_old && has_new && !w->changed)) {
		return 0;
	}
	int r = old_entries(c, w, &old);

	if (r < 0) {
		return r;
	}
	const struct index_entry *new = has_new ? w->entries : no_entries(c, w);

	for (size_t i = 0; w->capacity != NULL && i < w->schema->n_index; i++) {
		w->capacity->of_index[i] = capacity_entry(&old[i], &new[i]);
	}
	return index_update(t, c, w->schema, old, new, w->local->chores);
}

/* Bytes of the collection in the table and in its local indexes together. */
static int
collection_bytes(struct txn *t, struct call *c, const struct write *w, uint64_t *sum)
{
	struct record_counts counts;
	bool fresh;
	int r = txn_counts(t, c, w->collection, &counts, &fresh);

	*sum = counts.item_bytes;
	for (size_t i = 0; i < w->schema->n_index && r == 0; i++) {
		struct buf key;

		if (w->schema->index[i].global) {
			continue;
		}
		buf_init(&key, &c->arena);
		keyspace_partition(&key, w->schema, &w->schema->index[i], &w->values);
		r = txn_counts(t, c, buf_view(&key), &counts, &fresh);
		*sum += counts.item_bytes;
	}
	return r;
}

/* An entry is no larger than its item, so small collections need no sum.  Source: 5.4 */
static int
check_collection(struct txn *t, struct call *c, const struct write *w)
{
	size_t n = schema_local_indexes(w->schema);
	struct record_counts counts;
	uint64_t sum = 0;
	bool fresh;

	if (n == 0 || (w->had_old && w->size.item_bytes <= w->old_size.item_bytes)) {
		return 0;
	}
	int r = txn_counts(t, c, w->collection, &counts, &fresh);

	if (r < 0 || counts.item_bytes <= w->local->collection_limit / (n + 1)) {
		return r;
	}
	r = collection_bytes(t, c, w, &sum);
	if (r < 0) {
		return r;
	}
	return sum <= w->local->collection_limit
		       ? 0
		       : call_fail(c, ERR_COLLECTION_TOO_BIG,
				   "Item collection size limit exceeded: more than %llu bytes with "
				   "one partition key",
				   (unsigned long long)w->local->collection_limit);
}

/* ------------------------------------------------------------ the change */

static void
publish(struct txn *t, struct call *c, const struct write *w, bool has_new)
{
	struct change ch = {
		.seq = w->seq,
		.origin = c->origin,
		.table = w->schema->table,
		.has_old = w->had_old,
		.has_new = has_new,
		.times_only = !w->changed,
		.old = w->old,
		.new = w->kind == WRITE_TIME ? w->old : w->item,
	};

	if (txn_listening(t)) {
		txn_publish(t, &ch);
	}
}

static int
apply_put(struct txn *t, struct call *c, struct write *w)
{
	if (w->kind == WRITE_PUT) {
		w->changed = !w->had_old || !same_content(w);
	}
	txn_put(t, w->key, w->record);
	int r = update_counts(t, c, w, true);

	if (r == 0) {
		r = update_indexes(t, c, w, true);
	}
	return r < 0 ? r : check_collection(t, c, w);
}

static int
apply_delete(struct txn *t, struct call *c, struct write *w)
{
	w->changed = true;
	txn_del(t, w->key);
	chores_deleted(w->local->chores, w->key);
	int r = update_counts(t, c, w, false);

	return r < 0 ? r : update_indexes(t, c, w, false);
}

/* The same record with another time in its head. */
static int
apply_time(struct txn *t, struct call *c, const struct write *w)
{
	size_t head = w->old_record.len - record_body(w->old_record).len;
	char *copy = (char *)slice_copy(&c->arena, w->old_record).at;
	uint64_t mtime = htobe64(w->mtime_ns);

	memcpy(copy + head - sizeof(mtime), &mtime, sizeof(mtime));
	txn_put(t, w->key, slice_of(copy, w->old_record.len));
	return 0;
}

static bool
writes_nothing(const struct write *w)
{
	if (w->kind == WRITE_UPDATE) {
		return !w->changed;
	}
	return w->kind == WRITE_CHECK || (w->kind != WRITE_PUT && !w->had_old);
}

/* What it costs, the indexes aside, and how large it left its collection. */
static int
measure(struct txn *t, struct call *c, struct write *w)
{
	if (w->capacity != NULL) {
		w->capacity->of_table = capacity_write(w->old_size.item_bytes, w->size.item_bytes);
	}
	return w->measures ? collection_bytes(t, c, w, &w->collection_bytes) : 0;
}

static int
apply(struct txn *t, struct call *c, struct write *w)
{
	int r;

	if (w->kind == WRITE_PUT || w->kind == WRITE_UPDATE) {
		r = apply_put(t, c, w);
	} else if (w->kind == WRITE_DELETE) {
		r = apply_delete(t, c, w);
	} else {
		r = apply_time(t, c, w);
	}
	if (r < 0) {
		return r;
	}
	w->seq = txn_seq(t);
	if (w->schema->stream.view != STREAM_NONE && w->changed) {
		stream_record(t, c, w, w->kind != WRITE_DELETE);
	}
	publish(t, c, w, w->kind != WRITE_DELETE);
	return 0;
}

int
write_apply(struct txn *t, struct call *c, struct write *w)
{
	int r = writes_nothing(w) ? 0 : apply(t, c, w);

	return r < 0 ? r : measure(t, c, w);
}

int
write_item(struct txn *t, struct call *c, struct write *w, bool tell_old)
{
	int r = write_test(t, c, w);

	if (r == WRITE_REFUSED) {
		r = call_fail(c, ERR_CONDITION, "The conditional request failed");
		if (tell_old && w->had_old) {
			struct item *old = arena_new(&c->arena, struct item, 1);

			*old = w->old;
			c->error.item = old;
		}
		return r;
	}
	return r == 0 ? write_apply(t, c, w) : r;
}
