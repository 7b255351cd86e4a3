/* index - construction of index entries, and the changes of entries and counts when an item changes */
#include "store/local/write/index.h"

#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/meter/capacity.h"
#include "store/local/records/itemkey.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

static const struct index_entry none;

/* An entry with all attributes projected has the record and the sizes of the item. */
static void
make_content(struct call *c, const struct index_source *from, const struct index *ix,
	     struct index_entry *e)
{
	if (ix->projection == PROJECTION_ALL) {
		e->projected = *from->item;
		e->record = from->record;
		e->size = (struct record_counts){
			.items = 1,
			.item_bytes = from->item_bytes,
			.rendered_bytes = from->rendered_bytes,
		};
		return;
	}
	e->projected = item_project(&c->arena, from->schema, ix, from->item);
	e->size = (struct record_counts){
		.items = 1,
		.item_bytes = item_size(&e->projected),
		.rendered_bytes = item_json_length(&e->projected) + 1,
	};
	if (!from->stored) {
		e->record = record_make(
			c, &(struct record_head){e->size.rendered_bytes, from->mtime_ns},
			&e->projected, e->size.item_bytes);
	}
}

static int
stored_key(const struct index *ix, const struct index_source *from, struct key_values *out)
{
	out->n = 0;
	int r = index_key(ix, from->item, out);

	key_append(out, from->base);
	return r;
}

int
index_entry(struct call *c, const struct index_source *from, const struct index *ix,
	    struct index_entry *out)
{
	struct key_values k;
	int r;

	*out = none;
	if (ix->state == INDEX_DELETING) {
		return 0;
	}
	r = from->stored || from->checked ? stored_key(ix, from, &k)
					  : itemkey_of_index(c, ix, from->item, from->base, &k);
	if (r != 0) {
		return r < 0 ? r : 0;
	}
	out->there = true;
	out->key = keyspace_item(&c->arena, from->schema, ix, &k);
	out->collection = keyspace_collection(&c->arena, KEYSPACE_PARTITION, from->schema, ix, &k);
	make_content(c, from, ix, out);
	return 0;
}

int
index_entries(struct call *c, const struct index_source *from, struct index_entry **out)
{
	const struct schema *s = from->schema;
	int r = 0;

	*out = arena_new(&c->arena, struct index_entry, s->n_index);
	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = index_entry(c, from, &s->index[i], &(*out)[i]);
	}
	return r;
}

uint64_t
index_local_bytes(const struct schema *s, const struct index_entry *entries)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n_index; i++) {
		if (!s->index[i].global && entries[i].there) {
			sum += entries[i].size.item_bytes;
		}
	}
	return sum;
}

/* ------------------------------------------------------------ the difference */

static int
index_count(struct txn *t, struct call *c, const struct index_entry *e, bool added,
	    struct record_counts *sum)
{
	struct record_counts more = e->size;
	int partitions;

	if (!e->there) {
		return 0;
	}
	if (!added) {
		more.items = -more.items;
		more.item_bytes = -more.item_bytes;
		more.rendered_bytes = -more.rendered_bytes;
	}
	int r = txn_count(t, c, e->collection, &more, &partitions);

	sum->items += more.items;
	sum->item_bytes += more.item_bytes;
	sum->partitions += (uint64_t)(int64_t)partitions;
	return r;
}

static int
index_update_counts(struct txn *t, struct call *c, const struct schema *s, const struct index *ix,
		    const struct index_entry *old, const struct index_entry *updated)
{
	struct record_counts sum = {0};
	/* Count the new entry first, so that a collection with a single entry does not become empty in between. */
	int r = index_count(t, c, updated, true, &sum);

	if (r == 0) {
		r = index_count(t, c, old, false, &sum);
	}
	if (r < 0 || (sum.items == 0 && sum.item_bytes == 0 && sum.partitions == 0)) {
		return r;
	}
	return txn_count(t, c, keyspace_head(&c->arena, KEYSPACE_TOTALS, s, ix), &sum, NULL);
}

/* Whether the entry exists; it may be missing if the index is being filled. */
static int
find_entry(struct txn *t, struct call *c, const struct index *ix, const struct index_entry *e,
	   bool *there)
{
	struct record_counts counts;
	struct slice record;

	*there = e->there;
	if (!e->there || ix->state == INDEX_ACTIVE) {
		return 0;
	}
	int r = txn_get_of(t, c, e->collection, e->key, &counts, &record);

	*there = r == 0;
	return r < 0 ? r : 0;
}

static int
update_one(struct txn *t, struct call *c, const struct schema *s, const struct index *ix,
	   const struct index_entry *was, const struct index_entry *updated, struct tasks *tasks)
{
	bool same_key = was->there && updated->there && slice_eq(was->key, updated->key);
	const struct index_entry *old = was;
	bool there;

	if (same_key && item_eq(&was->projected, &updated->projected)) {
		return 0;
	}
	int r = find_entry(t, c, ix, was, &there);

	if (r < 0) {
		return r;
	}
	if (!there) {
		old = &none;
		same_key = false;
	}
	if (old->there && !same_key) {
		txn_del(t, old->key);
		tasks_deleted(tasks, old->key);
	}
	if (updated->there) {
		txn_put(t, updated->key, updated->record);
	}
	return old->there || updated->there ? index_update_counts(t, c, s, ix, old, updated) : 0;
}

int
index_update(struct txn *t, struct call *c, const struct schema *s, const struct index_entry *old,
	     const struct index_entry *updated, struct tasks *tasks)
{
	for (size_t i = 0; i < s->n_index; i++) {
		int r = update_one(t, c, s, &s->index[i], &old[i], &updated[i], tasks);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

int
index_fill(struct txn *t, struct call *c, const struct schema *s, const struct index *ix,
	   const struct index_entry *e)
{
	bool there;
	int r = find_entry(t, c, ix, e, &there);

	if (r < 0 || there || !e->there) {
		return r;
	}
	txn_put(t, e->key, e->record);
	return index_update_counts(t, c, s, ix, &none, e);
}

/* A changed key costs two writes: a deletion and a put. */
uint64_t
index_cost(const struct index_entry *old, const struct index_entry *updated)
{
	uint64_t before = old->there ? old->size.item_bytes : 0;
	uint64_t after = updated->there ? updated->size.item_bytes : 0;

	if (!old->there && !updated->there) {
		return 0;
	}
	if (!old->there || !updated->there) {
		return capacity_write(before, after);
	}
	if (!slice_eq(old->key, updated->key)) {
		return capacity_write(before, 0) + capacity_write(0, after);
	}
	return item_eq(&old->projected, &updated->projected) ? 0 : capacity_write(before, after);
}
