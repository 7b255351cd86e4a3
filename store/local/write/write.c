/*
 * write - the leader's part of a write: old item, condition, changes of entries and counts, published change
 *
 * The operations (write_item.c, batch.c, change.c, transact.c) use write_make.c to check and encode everything that
 * does not depend on the old item. Then the leader calls the functions of this file, and txn_group.c commits their
 * changes. Repairs (check_repair.c) and the removal of dropped tables (ranges.c) change the keys of items directly. All
 * other operations write items through this file, so none of them can forget counts, indexes, streams and the feed.
 */
#include "store/local/write/write.h"

#include <endian.h>

#include "store/expr/expr.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/meter/capacity.h"
#include "store/local/records/catalog.h"
#include "store/local/records/record.h"
#include "store/local/write/index.h"
#include "store/local/write/stream.h"
#include "store/local/write/write_metering.h"
#include "store/model/item.h"

/* ------------------------------------------------------------ the old item */

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
	w->rendered_bytes = counts.rendered_bytes;
	if (r == KV_ABSENT) {
		return 0;
	}
	r = record_decode(c, w->old_record, &head, &w->old);
	if (r < 0) {
		return r;
	}
	w->had_old = true;
	w->old_size = (struct record_counts){
		.items = 1,
		.item_bytes = item_size(&w->old),
		.rendered_bytes = head.rendered_bytes,
	};
	return 0;
}

static const struct item no_item;

static bool
is_as_seen(const struct write *w)
{
	const struct seen *s = &w->seen;

	return (s->siblings == NULL || *s->siblings == w->siblings) &&
	       (s->item == NULL || item_eq(s->item, w->had_old ? &w->old : &no_item));
}

/* The cost of the write without its indexes. */
static void
measure_table(struct write *w)
{
	if (w->capacity != NULL) {
		w->capacity->of_table = capacity_write(w->old_size.item_bytes, w->size.item_bytes);
	}
}

int
write_test(struct txn *t, struct call *c, struct write *w)
{
	if (!catalog_current(w->schema)) {
		return TXN_REBIND;
	}
	int r = write_metering_admit(c, w);

	if (r == 0) {
		r = write_read(t, c, w);
	}
	if (r < 0) {
		return r;
	}
	if (!is_as_seen(w) || !expr_eval(c, w->condition, w->had_old ? &w->old : &no_item)) {
		measure_table(w);
		write_metering_pay(c, w);
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

/* Update the counts of the item's collection and of the table. */
static int
write_update_counts(struct txn *t, struct call *c, const struct write *w)
{
	struct record_counts more = {
		.items = w->size.items - w->old_size.items,
		.item_bytes = w->size.item_bytes - w->old_size.item_bytes,
		.rendered_bytes = w->size.rendered_bytes - w->old_size.rendered_bytes,
	};
	int partitions;

	if (more.items == 0 && more.item_bytes == 0 && more.rendered_bytes == 0) {
		return 0;
	}
	int r = txn_count(t, c, w->collection, &more, &partitions);

	if (r < 0) {
		return r;
	}
	more.partitions = (uint64_t)(int64_t)partitions;
	return txn_count(t, c, w->totals, &more, NULL);
}

/* The entries of an item that does not exist. */
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

/* Make the entries before and after the write, unless they do not change, and compute the cost of the change. */
static int
compare_entries(struct call *c, struct write *w)
{
	bool has_new = w->kind != WRITE_DELETE;

	if (w->schema->n_index == 0 || (w->had_old && has_new && !w->changed)) {
		return 0;
	}
	int r = old_entries(c, w, &w->before);

	w->after = has_new ? w->entries : no_entries(c, w);
	for (size_t i = 0; r == 0 && w->capacity != NULL && i < w->schema->n_index; i++) {
		w->capacity->of_index[i] = index_cost(&w->before[i], &w->after[i]);
	}
	return r;
}

/* ------------------------------------------------------------ the change */

static void
write_publish(struct txn *t, struct call *c, const struct write *w)
{
	bool has_new = w->kind != WRITE_DELETE;
	struct change ch = {
		.seq = w->seq,
		.origin = c->origin,
		.table = w->schema->table,
		.has_old = w->had_old,
		.has_new = has_new,
		.times_only = !w->changed,
		.partition = w->had_old != has_new && w->siblings == (has_new ? 0 : 1),
		.service = w->service,
		.old = w->old,
		.updated = w->kind == WRITE_TIME ? w->old : w->item,
	};

	txn_publish(t, &ch);
}

/* Put or delete the item, with its entries and counts. */
static int
apply_item(struct txn *t, struct call *c, struct write *w)
{
	bool has_new = w->kind != WRITE_DELETE;

	if (w->kind != WRITE_UPDATE) {
		w->changed = !has_new || !w->had_old || !same_content(w);
	}
	int r = compare_entries(c, w);

	if (r == 0) {
		r = write_metering_admit_indexes(c, w);
	}
	if (r < 0) {
		return r;
	}
	if (has_new) {
		assert(w->record.len > 0);
		txn_put(t, w->key, w->record);
	} else {
		txn_del(t, w->key);
		tasks_deleted(w->local->tasks, w->key);
	}
	r = write_update_counts(t, c, w);
	if (r == 0 && w->before != NULL) {
		r = index_update(t, c, w->schema, w->before, w->after, w->local->tasks);
	}
	return r < 0 ? r : collection_check(t, c, w);
}

/* Put the same record with another time in its head. */
static int
apply_time(struct txn *t, struct call *c, const struct write *w)
{
	assert(w->kind == WRITE_TIME && w->had_old);
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

static int
apply(struct txn *t, struct call *c, struct write *w)
{
	int r = w->kind == WRITE_TIME ? apply_time(t, c, w) : apply_item(t, c, w);

	if (r < 0) {
		return r;
	}
	w->seq = txn_seq(t);
	if (w->schema->stream.view != STREAM_NONE && w->changed) {
		stream_record(t, c, w);
	}
	write_publish(t, c, w);
	return 0;
}

int
write_apply(struct txn *t, struct call *c, struct write *w)
{
	assert(catalog_current(w->schema));
	int r = writes_nothing(w) ? 0 : apply(t, c, w);

	if (r < 0) {
		return r;
	}
	measure_table(w);
	write_metering_pay(c, w);
	return w->measures ? collection_bytes(t, c, w, &w->collection_bytes) : 0;
}

int
write_try(struct txn *t, struct call *c, struct write *w)
{
	int r = write_test(t, c, w);

	return r == 0 ? write_apply(t, c, w) : r;
}

int
write_item(struct txn *t, struct call *c, struct write *w, bool tell_old)
{
	int r = write_try(t, c, w);

	if (r == WRITE_REFUSED) {
		r = call_fail(c, ERR_CONDITION, "The conditional request failed");
		if (tell_old && w->had_old) {
			struct item *old = arena_new(&c->arena, struct item, 1);

			*old = w->old;
			c->error.item = old;
		}
	}
	return r;
}
