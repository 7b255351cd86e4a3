/* check_count - compares the counts of collections with their items, and totals with the counts */
#include "store/local/check/check_int.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

/* The partition key as text for a problem. */
static const char *
partition_name(struct check *k, struct slice partition)
{
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};

	if (keyspace_parse_partition(&k->scratch, k->s, k->ix, partition, &values) != 0) {
		return "a partition whose key cannot be read";
	}
	return check_place(k, &values);
}

/*
 * Compare a collection with its counts
 * @stored: their record, or NULL
 * @sum:    all zero if there are no items
 * @valid:  all of the items could be added up; otherwise only check that @stored can be read
 */
static void
check_count_compare(struct check *k, struct slice partition, const struct slice *stored,
		    const struct record_counts *sum, bool valid)
{
	struct record_counts is;
	bool read = stored == NULL || record_counts_decode(&k->scratch, *stored, &is) == 0;

	if (read && !valid) {
		return;
	}
	if (!read) {
		check_problem(k, "%s: its counts cannot be read", partition_name(k, partition));
	} else if (stored == NULL) {
		check_problem(k, "%s: the partition directory does not have it",
			      partition_name(k, partition));
	} else if (sum->items == 0) {
		check_problem(k, "%s: it is in the partition directory but has no items",
			      partition_name(k, partition));
	} else if (is.items != sum->items || is.item_bytes != sum->item_bytes ||
		   is.rendered_bytes != sum->rendered_bytes) {
		check_problem(
			k,
			"%s: %llu items, %llu bytes, %llu rendered are there, but %llu, %llu, "
			"%llu are counted",
			partition_name(k, partition), (unsigned long long)sum->items,
			(unsigned long long)sum->item_bytes,
			(unsigned long long)sum->rendered_bytes, (unsigned long long)is.items,
			(unsigned long long)is.item_bytes, (unsigned long long)is.rendered_bytes);
	} else {
		return;
	}
	if (valid && sum->items == 0) {
		check_del(k, partition);
	} else if (valid && k->t != NULL) {
		k->bytes += partition.len;
		txn_set_counts(k->t, slice_copy(&k->c->arena, partition), sum);
		check_done(k, "it was written");
	}
}

/* Add up the records with the prefix @collection; the cursor ends after them.  Return: false: a record is damaged. */
static bool
add_up(struct check *k, struct slice collection, struct record_counts *sum)
{
	struct kv_cursor *cur = k->cursor;
	bool valid = true;

	for (; kv_cursor_in(cur, collection); kv_cursor_next(cur)) {
		struct slice record = kv_cursor_value(cur);
		struct record_head head;
		size_t bytes;

		k->looked++;
		if (record_head(&k->scratch, record, &head) != 0 ||
		    record_measure(&k->scratch, record, &bytes) != 0) {
			valid = false; /* check_items() has reported it */
			continue;
		}
		sum->items++;
		sum->item_bytes += bytes;
		sum->rendered_bytes += head.rendered_bytes;
	}
	return valid;
}

/* Return: @key, which is a collection's in one keyspace, as it is in @space */
static struct slice
check_count_key(struct arena *a, struct slice key, enum keyspace space)
{
	return keyspace_name(a, space, slice_skip(key, 1));
}

/* Check the next collection, at @items or @dir or both; NULL: at its end.  Return: 0, CHECK_PAUSED */
static int
check_count_next(struct check *k, struct kv_cursor *items, struct kv_cursor *dir,
		 struct slice *from)
{
	assert(items != NULL || dir != NULL);

	struct arena *a = &k->scratch.arena;
	struct slice key = kv_cursor_key(items == NULL ? dir : items);
	size_t shared = items == NULL ? 0 : keyspace_collection_bytes(k->s, k->ix, key);
	struct record_counts sum = {0};
	struct slice stored;
	bool valid = true;
	int order = 1; /* < 0: the directory does not have the collection; > 0: it has no items */

	key.len = shared > 0 ? shared : key.len;
	if (items != NULL) {
		order = dir == NULL
				? -1
				: slice_cmp(slice_skip(key, 1), slice_skip(kv_cursor_key(dir), 1));
	}
	struct slice partition =
		check_count_key(a, order > 0 ? kv_cursor_key(dir) : key, KEYSPACE_PARTITION);

	if (check_full(k)) {
		*from = check_count_key(&k->c->arena, partition, KEYSPACE_ITEM);
		return CHECK_PAUSED;
	}
	if (order <= 0 && shared == 0) {
		k->looked++;
		kv_cursor_next(items); /* it is in no collection: check_items() has reported it */
		return 0;
	}
	if (order <= 0) {
		valid = add_up(k, slice_copy(a, key), &sum);
	}
	if (order >= 0) {
		stored = kv_cursor_value(dir);
	}
	check_count_compare(k, partition, order < 0 ? NULL : &stored, &sum, valid);
	if (order >= 0) {
		k->looked++;
		kv_cursor_next(dir);
	}
	return 0;
}

/* Walk over the items and over the partition directory, which has the same order, together. */
int
check_counts(struct check *k, struct slice *from)
{
	cleanup(kv_cursor_freep) struct kv_cursor *dir = kv_cursor_new(k->local->kv, k->at);
	struct kv_cursor *cur = k->cursor;
	struct arena *a = &k->c->arena;
	struct slice items = keyspace_head(a, KEYSPACE_ITEM, k->s, k->ix);
	struct slice partitions = keyspace_head(a, KEYSPACE_PARTITION, k->s, k->ix);
	int r = 0;

	check_seek(k, items, *from);
	kv_cursor_seek(dir, slice_starts(*from, items)
				    ? check_count_key(a, *from, KEYSPACE_PARTITION)
				    : partitions);
	while (r == 0 && (kv_cursor_in(cur, items) || kv_cursor_in(dir, partitions))) {
		call_clear(&k->scratch);
		r = check_count_next(k, kv_cursor_in(cur, items) ? cur : NULL,
				     kv_cursor_in(dir, partitions) ? dir : NULL, from);
	}
	return kv_cursor_end(dir, k->c, r);
}

/* ------------------------------------------------------------ totals */

static int
check_compare_totals(struct check *k, const struct record_counts *sum)
{
	struct record_counts is = {0};
	struct slice key = keyspace_head(&k->scratch.arena, KEYSPACE_TOTALS, k->s, k->ix);
	struct buf record = {.arena = &k->scratch.arena};
	int r = kv_get(k->local->kv, k->c, k->at, key, &record);

	if (r < 0) {
		return r;
	}
	if (r == 0 && record_counts_decode(&k->scratch, buf_view(&record), &is) != 0) {
		check_problem(k, "its totals cannot be read");
	} else if (is.items != sum->items || is.item_bytes != sum->item_bytes ||
		   is.partitions != sum->partitions) {
		check_problem(k,
			      "%llu items, %llu bytes, %llu partitions are there, but %llu, %llu, "
			      "%llu are counted",
			      (unsigned long long)sum->items, (unsigned long long)sum->item_bytes,
			      (unsigned long long)sum->partitions, (unsigned long long)is.items,
			      (unsigned long long)is.item_bytes, (unsigned long long)is.partitions);
	} else {
		return 0;
	}
	if (sum->items == 0 && sum->item_bytes == 0 && sum->partitions == 0) {
		check_del(k, key); /* no record means that all are 0 */
		return 0;
	}
	buf_clear(&record);
	record_counts_encode(&record, sum);
	check_put(k, key, buf_view(&record), "they were written");
	return 0;
}

int
check_totals(struct check *k)
{
	struct kv_cursor *cur = k->cursor;
	struct record_counts sum = {0};
	struct slice prefix = keyspace_head(&k->c->arena, KEYSPACE_PARTITION, k->s, k->ix);
	bool known = true;

	for (kv_cursor_seek(cur, prefix); kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		struct record_counts n;

		call_clear(&k->scratch);
		k->looked++;
		if (record_counts_decode(&k->scratch, kv_cursor_value(cur), &n) != 0) {
			known = false; /* check_counts() has reported it */
			continue;
		}
		sum.items += n.items;
		sum.item_bytes += n.item_bytes;
		sum.partitions++;
	}
	call_clear(&k->scratch);
	return known ? check_compare_totals(k, &sum) : 0;
}
