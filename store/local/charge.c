/* charge - see charge.h; Source: behaviour list 5.6, 15.D.10 */
#include "store/local/charge.h"

#include "store/local/capacity.h"
#include "store/local/throttle.h"

static struct throttle_place
place_of(const struct write *w, const struct index *ix)
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
	struct throttle_place place = place_of(w, NULL);

	return w->throttled ? throttle_admit(w->local->throttle, c, &place) : 0;
}

int
charge_admit_indexes(struct call *c, const struct write *w)
{
	int r = 0;

	for (size_t i = 0; w->throttled && i < w->schema->n_index && r == 0; i++) {
		const struct index *ix = &w->schema->index[i];

		if (ix->global && w->capacity->of_index[i] > 0) {
			struct throttle_place place = place_of(w, ix);

			r = throttle_admit(w->local->throttle, c, &place);
		}
	}
	return r;
}

void
charge(struct call *c, const struct write *w)
{
	uint64_t factor = w->transactional ? CAPACITY_TRANSACTION_FACTOR : 1;
	struct throttle_place place = place_of(w, NULL);

	if (!w->throttled) {
		return;
	}
	uint64_t of_table = w->capacity->of_table;

	for (size_t i = 0; i < w->schema->n_index; i++) {
		const struct index *ix = &w->schema->index[i];
		uint64_t halves = w->capacity->of_index[i];

		if (!ix->global) {
			of_table += halves;
		} else if (halves > 0) {
			struct throttle_place gsi = place_of(w, ix);

			throttle_pay(w->local->throttle, c, &gsi, factor * halves);
		}
	}
	throttle_pay(w->local->throttle, c, &place, factor * of_table);
}
