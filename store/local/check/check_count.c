/* check_count - compares the counts of collections with their items, and totals with the counts */
#include "store/local/check/check_count.h"

#include "store/local/check/check_int.h"
#include "store/local/check/check_mend.h"
#include "store/local/check/check_page.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

/* Return: position after the 00 01 that ends the escaped value at @from; 0: there is no 00 01. */
static size_t
end_of_value(struct slice key, size_t from)
{
	for (size_t i = from; i + 1 < key.len; i++) {
		if (key.at[i] == 0) {
			if (key.at[i + 1] == 1) {
				return i + 2;
			}
			i++;
		}
	}
	return 0;
}

size_t
check_collection(const struct schema *s, const struct index *ix, struct slice key)
{
	size_t end = KEYSPACE_HEAD_BYTES;

	for (size_t n = key_part_n(schema_key(s, ix)->pk); n > 0 && end > 0; n--) {
		end = end_of_value(key, end);
	}
	return end;
}

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

/* Return: 0, KV_ABSENT, COUNTS_DAMAGED after a problem, < 0. */
enum { COUNTS_DAMAGED = KV_ABSENT + 1 };

static int
get_counts(struct check *k, struct slice partition, struct record_counts *out)
{
	struct buf record;

	buf_init(&record, &k->scratch.arena);

	int r = kv_get(k->local->kv, k->c, k->at, partition, &record);

	if (r != 0) {
		return r;
	}
	if (record_counts_decode(&k->scratch, buf_view(&record), out) != 0) {
		check_problem(k, "%s: its counts cannot be read", partition_name(k, partition));
		return COUNTS_DAMAGED;
	}
	return 0;
}

static bool
same_counts(const struct record_counts *a, const struct record_counts *b)
{
	return a->items == b->items && a->item_bytes == b->item_bytes &&
	       a->rendered_bytes == b->rendered_bytes;
}

static void
tell_counts(struct check *k, struct slice partition, const struct record_counts *stored,
	    const struct record_counts *sum)
{
	check_problem(k,
		      "%s: %llu items, %llu bytes, %llu rendered are there, but %llu, "
		      "%llu, %llu are counted",
		      partition_name(k, partition), (unsigned long long)sum->items,
		      (unsigned long long)sum->item_bytes, (unsigned long long)sum->rendered_bytes,
		      (unsigned long long)stored->items, (unsigned long long)stored->item_bytes,
		      (unsigned long long)stored->rendered_bytes);
}

static int
check_count_compare_counts(struct check *k, struct slice partition, const struct record_counts *sum)
{
	struct record_counts stored = {0};
	int r = get_counts(k, partition, &stored);

	if (r < 0) {
		return r;
	}
	if (r == KV_ABSENT) {
		check_problem(k, "%s: the partition directory does not have it",
			      partition_name(k, partition));
	} else if (r == 0 && same_counts(&stored, sum)) {
		return 0;
	} else if (r == 0) {
		tell_counts(k, partition, &stored, sum);
	}
	if (k->t != NULL) {
		k->bytes += partition.len;
		txn_set_counts(k->t, slice_copy(&k->c->arena, partition), sum);
		check_mended(k, "it was written");
	}
	return 0;
}

/* Add up the records with the prefix @collection; the cursor ends after them.  Return: false: a record is damaged. */
static bool
add_up(struct check *k, struct slice collection, struct record_counts *sum)
{
	struct kv_cursor *cur = k->cursor;
	bool sound = true;

	*sum = (struct record_counts){0};
	for (; kv_cursor_in(cur, collection); kv_cursor_next(cur)) {
		struct slice record = kv_cursor_value(cur);
		struct record_head head;
		size_t bytes;

		k->looked++;
		if (record_head(&k->scratch, record, &head) != 0 ||
		    record_measure(&k->scratch, record, &bytes) != 0) {
			sound = false; /* check_items() has reported it */
			continue;
		}
		sum->items++;
		sum->item_bytes += bytes;
		sum->rendered_bytes += head.rendered_bytes;
	}
	return sound;
}

int
check_counts(struct check *k, struct slice *from)
{
	struct kv_cursor *cur = k->cursor;
	struct buf prefix;

	buf_init(&prefix, &k->c->arena);
	keyspace_table(&prefix, k->s, k->ix);
	check_seek(k, buf_view(&prefix), *from);
	while (kv_cursor_in(cur, buf_view(&prefix))) {
		if (check_full(k)) {
			*from = slice_copy(&k->c->arena, kv_cursor_key(cur));
			if (check_collection(k->s, k->ix, *from) > 0) {
				/* By the next page, the collection may begin with another key. */
				from->len = check_collection(k->s, k->ix, *from);
			}
			return CHECK_PAUSED;
		}
		check_begin(k);

		struct slice key = slice_copy(&k->scratch.arena, kv_cursor_key(cur));
		size_t end = check_collection(k->s, k->ix, key);
		struct record_counts sum;

		if (end == 0) {
			k->looked++;
			kv_cursor_next(cur); /* check_items() has reported it */
			continue;
		}
		struct slice collection = slice_of(key.at, end);
		bool sound = add_up(k, collection, &sum);

		((char *)key.at)[0] = (char)KEYSPACE_PARTITION;

		int r = sound ? check_count_compare_counts(k, collection, &sum) : 0;

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ totals */

/*
 * Return: whether the collection of the directory's key @partition has an item or entry.  Keys must ascend
 * from call to call.  A seek into deleted keys passes all of their tombstones, so seek only if @cur is not far
 * enough already.
 */
static bool
check_count_has_items(struct check *k, struct kv_cursor *cur, bool *begun, struct slice partition)
{
	struct slice collection = slice_copy(&k->scratch.arena, partition);

	((char *)collection.at)[0] = (char)KEYSPACE_ITEM;
	if (!*begun || (kv_cursor_valid(cur) && slice_cmp(kv_cursor_key(cur), collection) < 0)) {
		kv_cursor_seek(cur, collection);
		*begun = true;
	}
	return kv_cursor_in(cur, collection);
}

static void
tell_totals(struct check *k, const struct totals *stored, const struct totals *sum)
{
	check_problem(k,
		      "%llu items, %llu bytes, %llu partitions are there, but %llu, %llu, "
		      "%llu are counted",
		      (unsigned long long)sum->items, (unsigned long long)sum->bytes,
		      (unsigned long long)sum->partitions, (unsigned long long)stored->items,
		      (unsigned long long)stored->bytes, (unsigned long long)stored->partitions);
}

static int
compare_totals(struct check *k, const struct totals *sum)
{
	struct totals stored = {0};
	struct buf key;
	struct buf record;

	buf_init(&key, &k->scratch.arena);
	buf_init(&record, &k->scratch.arena);
	keyspace_totals(&key, k->s, k->ix);

	int r = kv_get(k->local->kv, k->c, k->at, buf_view(&key), &record);

	if (r < 0) {
		return r;
	}
	if (r == 0 && record_totals_decode(&k->scratch, buf_view(&record), &stored) != 0) {
		check_problem(k, "its totals cannot be read");
	} else if (stored.items != sum->items || stored.bytes != sum->bytes ||
		   stored.partitions != sum->partitions) {
		tell_totals(k, &stored, sum);
	} else {
		return 0;
	}
	if (k->t != NULL) {
		txn_set_total(k->t, slice_copy(&k->c->arena, buf_view(&key)), sum);
		check_mended(k, "they were written");
	}
	return 0;
}

/* The collection has no items.  @read: its counts could be read; otherwise that has been reported already. */
static void
mend_empty(struct check *k, struct slice partition, bool read)
{
	if (read) {
		check_problem(k, "%s: it is in the partition directory but has no items",
			      partition_name(k, partition));
	}
	if (k->t != NULL) {
		check_del(k, partition);
		check_mended(k, "it was deleted");
	}
}

int
check_totals(struct check *k)
{
	cleanup(kv_cursor_freep) struct kv_cursor *items = kv_cursor_new(k->local->kv, k->at);
	struct kv_cursor *cur = k->cursor;
	struct totals sum = {0};
	struct buf prefix;
	bool begun = false;
	bool known = true;

	buf_init(&prefix, &k->c->arena);
	keyspace_partitions(&prefix, k->s, k->ix);
	kv_cursor_seek(cur, buf_view(&prefix));
	for (; kv_cursor_in(cur, buf_view(&prefix)); kv_cursor_next(cur)) {
		struct slice partition = kv_cursor_key(cur);
		struct record_counts n;

		check_begin(k);
		k->looked++;
		bool read = record_counts_decode(&k->scratch, kv_cursor_value(cur), &n) == 0;
		bool there = check_count_has_items(k, items, &begun, partition);

		if (!read) {
			check_problem(k, "%s: its counts cannot be read",
				      partition_name(k, partition));
		}
		if (!there) {
			mend_empty(k, partition, read);
		}
		known = known && (read || !there);
		if (read && (there || k->t == NULL)) {
			sum.items += n.items;
			sum.bytes += n.item_bytes;
			sum.partitions++;
		}
	}
	check_begin(k);

	int r = kv_cursor_status(items, k->c);

	if (r == 0 && known) {
		r = compare_totals(k, &sum);
	}
	return r < 0 ? r : 0;
}
