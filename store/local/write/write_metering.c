/*
 * write_metering - admission and payment of a write, the size limit of an item collection, and the write report
 *
 * Source: BEHAVIOUR 5.6, D.10
 */
#include "store/local/write/write_metering.h"

#include "store/local/commit/txn.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/key_usage.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/keyspace.h"
#include "store/local/write/index.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

static struct throttle_place
write_metering_place(const struct write *w, const struct index *ix)
{
	struct throttle_place place = {
		.schema = w->schema,
		.ix = ix,
		.collection = w->collection,
		.kind = THROTTLE_WRITE,
	};

	if (ix != NULL) {
		size_t i = (size_t)(ix - w->schema->index);

		place.collection =
			w->after[i].there ? w->after[i].collection : w->before[i].collection;
	}
	return place;
}

int
write_metering_admit(struct call *c, const struct write *w)
{
	struct throttle_place place = write_metering_place(w, NULL);

	assert(!w->throttled || w->capacity != NULL);
	return w->throttled ? throttle_admit(w->local->throttle, c, &place) : 0;
}

int
write_metering_admit_indexes(struct call *c, const struct write *w)
{
	int r = 0;

	for (size_t i = 0; w->throttled && i < w->schema->n_index && r == 0; i++) {
		const struct index *ix = &w->schema->index[i];

		if (ix->global && w->capacity->of_index[i] > 0) {
			struct throttle_place place = write_metering_place(w, ix);

			r = throttle_admit(w->local->throttle, c, &place);
		}
	}
	return r;
}

/* ------------------------------------------------------------ paying */

/* Charge the change of an entry of a GSI. If the entry moves, both of its partition keys are noted. */
static void
write_metering_index(struct call *c, const struct write *w, size_t i, uint64_t factor)
{
	assert(w->schema->index[i].global);
	const struct index_entry *before = &w->before[i];
	const struct index_entry *after = &w->after[i];
	struct throttle_place place = write_metering_place(w, &w->schema->index[i]);
	uint64_t halves = factor * (w->capacity != NULL ? w->capacity->of_index[i]
							: index_cost(before, after));

	if (w->throttled) {
		throttle_pay(w->local->throttle, c, &place, halves);
	}
	if (before->there && after->there && !slice_eq(before->collection, after->collection)) {
		uint64_t left = factor * capacity_write(before->size.item_bytes, 0);
		struct throttle_place old = place;

		old.collection = before->collection;
		key_usage_add(w->local->key_usage, c, &old, left);
		halves -= left;
	}
	key_usage_add(w->local->key_usage, c, &place, halves);
}

void
write_metering_pay(struct call *c, const struct write *w)
{
	uint64_t factor = w->transactional ? CAPACITY_TRANSACTION_FACTOR : 1;
	uint64_t of_table = capacity_write(w->old_size.item_bytes, w->size.item_bytes);
	struct throttle_place place = write_metering_place(w, NULL);

	if (w->kind == WRITE_TIME || w->service || w->schema->creating) {
		return;
	}
	for (size_t i = 0; w->before != NULL && i < w->schema->n_index; i++) {
		if (w->schema->index[i].global) {
			write_metering_index(c, w, i, factor);
		} else {
			of_table += index_cost(&w->before[i], &w->after[i]);
		}
	}
	if (w->throttled) {
		throttle_pay(w->local->throttle, c, &place, factor * of_table);
	}
	key_usage_add(w->local->key_usage, c, &place, factor * of_table);
}

/* ------------------------------------------------------------ the size of an item collection */

int
collection_bytes(struct txn *t, struct call *c, const struct write *w, uint64_t *sum)
{
	struct record_counts counts;
	int r = txn_counts(t, c, w->collection, &counts);

	*sum = counts.item_bytes;
	for (size_t i = 0; i < w->schema->n_index && r == 0; i++) {
		const struct index *ix = &w->schema->index[i];

		if (!ix->global) {
			r = txn_counts(t, c,
				       keyspace_collection(&c->arena, KEYSPACE_PARTITION, w->schema,
							   ix, &w->values),
				       &counts);
			*sum += counts.item_bytes;
		}
	}
	return r;
}

static bool
grows(const struct write *w)
{
	uint64_t before = w->old_size.item_bytes;
	uint64_t after = w->size.item_bytes;

	if (w->before != NULL) {
		before += index_local_bytes(w->schema, w->before);
		after += index_local_bytes(w->schema, w->after);
	}
	return after > before;
}

/* An entry is not larger than its item, so the sum is needed only for large collections. */
int
collection_check(struct txn *t, struct call *c, const struct write *w)
{
	size_t n = schema_local_indexes(w->schema);
	uint64_t limit = w->schema->collection_limit != 0 ? w->schema->collection_limit
							  : LIMIT_COLLECTION_BYTES;
	struct record_counts counts;
	uint64_t sum = 0;

	if (n == 0 || !grows(w)) {
		return 0;
	}
	int r = txn_counts(t, c, w->collection, &counts);

	if (r < 0 || counts.item_bytes <= limit / (n + 1)) {
		return r;
	}
	r = collection_bytes(t, c, w, &sum);
	if (r < 0) {
		return r;
	}
	return sum <= limit ? 0 : call_fail(c, ERR_COLLECTION_TOO_BIG, "Collection size exceeded.");
}

/* ------------------------------------------------------------ the write report */

enum { GB_BITS = 30 };

void
write_report_ask(struct call *c, const struct write_asked *asked, struct slice table,
		 struct write *w)
{
	w->throttled = w->schema->throttle && w->kind != WRITE_TIME;
	if (asked->capacity != CAPACITY_NONE || w->throttled) {
		w->capacity = capacity_new(c, w->schema, table);
	}
	w->measures = asked->collections && schema_local_indexes(w->schema) > 0;
	w->table = table;
}

struct write_report_sheet
write_report_begin(struct call *c, const struct write_asked *asked)
{
	return (struct write_report_sheet){.c = c, .sheet = capacity_sheet(c, asked->capacity)};
}

static void
add_collection(struct write_report_sheet *t, const struct write *w)
{
	for (size_t i = 0; i < t->n; i++) {
		if (slice_eq(t->collections[i]->collection, w->collection)) {
			t->collections[i] = w;
			return;
		}
	}
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
	t->collections = arena_room(&t->c->arena, t->collections, t->n, &t->cap);
	t->collections[t->n++] = w;
}

void
write_report_add(struct write_report_sheet *t, const struct write *w, uint64_t times)
{
	if (t->sheet.level != CAPACITY_NONE) {
		assert(w->capacity != NULL);
		capacity_add(capacity_on(&t->sheet, w->schema, w->table), w->capacity, times);
	}
	if (w->measures) {
		add_collection(t, w);
	}
}

static struct item
write_report_partition_key(struct call *c, const struct write *w)
{
	struct attr *at = arena_new(&c->arena, struct attr, 1);

	*at = (struct attr){.name = w->schema->key.pk->name, .value = *w->values.at[0]};
	return (struct item){.at = at, .n = 1};
}

struct write_report
write_report_end(const struct write_report_sheet *t, enum capacity_kind kind)
{
	struct collection *list = arena_new(&t->c->arena, struct collection, t->n);

	for (size_t i = 0; i < t->n; i++) {
		const struct write *w = t->collections[i];
		uint64_t gb = w->collection_bytes >> GB_BITS;

		list[i] = (struct collection){
			.table = w->table,
			.key = write_report_partition_key(t->c, w),
			.low_gb = gb,
			.high_gb = gb + 1,
		};
	}
	return (struct write_report){
		.consumed = capacity_tell(&t->sheet, kind),
		.collections = {list, t->n},
	};
}
