/* charge - see charge.h; Source: BEHAVIOUR 5.6, D.10 */
#include "store/local/write/charge.h"

#include "store/local/meter/capacity.h"
#include "store/local/meter/heat.h"
#include "store/local/meter/throttle.h"
#include "store/local/write/index.h"

static struct throttle_place
charge_place_of(const struct write *w, const struct index *ix)
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
charge_admit(struct call *c, const struct write *w)
{
	struct throttle_place place = charge_place_of(w, NULL);

	return w->throttled ? throttle_admit(w->local->throttle, c, &place) : 0;
}

int
charge_admit_indexes(struct call *c, const struct write *w)
{
	int r = 0;

	for (size_t i = 0; w->throttled && i < w->schema->n_index && r == 0; i++) {
		const struct index *ix = &w->schema->index[i];

		if (ix->global && w->capacity->of_index[i] > 0) {
			struct throttle_place place = charge_place_of(w, ix);

			r = throttle_admit(w->local->throttle, c, &place);
		}
	}
	return r;
}

/* ------------------------------------------------------------ paying */

static void
charge_note(struct call *c, const struct write *w, struct throttle_place place,
	    struct slice collection, uint64_t halves)
{
	place.collection = collection;
	heat_note(w->local->heat, c, &place, halves);
}

/* Of a GSI; a move is noted where the entry was, and where it is. */
static void
charge_index(struct call *c, const struct write *w, size_t i, uint64_t factor)
{
	const struct index_entry *before = &w->before[i];
	const struct index_entry *after = &w->after[i];
	struct throttle_place place = charge_place_of(w, &w->schema->index[i]);
	uint64_t halves = factor * (w->capacity != NULL ? w->capacity->of_index[i]
							: index_cost(before, after));

	if (w->throttled && halves > 0) {
		throttle_pay(w->local->throttle, c, &place, halves);
	}
	if (before->there && after->there && !slice_eq(before->collection, after->collection)) {
		uint64_t left = factor * capacity_write(before->size.item_bytes, 0);

		charge_note(c, w, place, before->collection, left);
		halves -= left;
	}
	charge_note(c, w, place, place.collection, halves);
}

void
charge(struct call *c, const struct write *w)
{
	uint64_t factor = w->transactional ? CAPACITY_TRANSACTION_FACTOR : 1;
	uint64_t of_table = capacity_write(w->old_size.item_bytes, w->size.item_bytes);
	struct throttle_place place = charge_place_of(w, NULL);

	if (w->kind == WRITE_TIME || w->service || w->schema->creating) {
		return;
	}
	for (size_t i = 0; w->before != NULL && i < w->schema->n_index; i++) {
		if (w->schema->index[i].global) {
			charge_index(c, w, i, factor);
		} else {
			of_table += index_cost(&w->before[i], &w->after[i]);
		}
	}
	if (w->throttled) {
		throttle_pay(w->local->throttle, c, &place, factor * of_table);
	}
	charge_note(c, w, place, place.collection, factor * of_table);
}
