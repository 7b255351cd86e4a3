/* check_keys - how many keys a check has before it, as the totals say: for whoever waits */
#include "store/local/check/check_int.h"
#include "store/local/records/catalog_int.h"
#include "store/local/tables/tables.h"
#include "store/model/schema.h"

bool
check_settled(const struct schema *s)
{
	const struct index *busy = schema_busy(s);

	return busy == NULL || busy->state == INDEX_DELETING;
}

/* That they are damaged is told by those who compare them. */
static int
read_totals(struct check *k, const struct schema *s, const struct index *ix, struct totals *out)
{
	check_begin(k);
	int r = table_totals(k->local, &k->scratch, k->at, s, ix, out);

	if (r == -ERR_CORRUPT) {
		*out = (struct totals){0};
		return 0;
	}
	return r < 0 ? call_fail(k->c, k->scratch.error.code, "%s", k->scratch.error.message) : r;
}

/* Parts pass items and entries twice, for themselves and for the counts. */
int
check_expect(struct check *k, const struct schema *s, bool parts)
{
	int r = 0;

	for (size_t i = 0; i <= s->n_index && r == 0; i++) {
		const struct index *ix = i == 0 ? NULL : &s->index[i - 1];
		struct totals totals;

		if (ix == NULL || ix->state != INDEX_DELETING) {
			r = read_totals(k, s, ix, &totals);
			k->ahead += (parts ? 2 : 1) * totals.items + totals.partitions;
		}
	}
	return r;
}

int
check_expect_all(struct check *k)
{
	struct catalog *cat = k->local->catalog;
	const struct schema *s = catalog_next(cat, k->c, slice_of(NULL, 0));
	int r = 0;

	for (; r == 0 && s != NULL; s = catalog_next(cat, k->c, s->table)) {
		r = check_settled(s) && !s->creating ? check_expect(k, s, false) : 0;
	}
	return r;
}
