/* collection - see collection.h; the counts are those of the partition directory, point reads */
#include "store/local/write/collection.h"

#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/write/index.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

int
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

/* An entry is no larger than its item, so small collections need no sum. */
int
collection_check(struct txn *t, struct call *c, const struct write *w)
{
	size_t n = schema_local_indexes(w->schema);
	uint64_t limit = w->schema->collection_limit != 0 ? w->schema->collection_limit
							  : LIMIT_COLLECTION_BYTES;
	struct record_counts counts;
	uint64_t sum = 0;
	bool fresh;

	if (n == 0 || !grows(w)) {
		return 0;
	}
	int r = txn_counts(t, c, w->collection, &counts, &fresh);

	if (r < 0 || counts.item_bytes <= limit / (n + 1)) {
		return r;
	}
	r = collection_bytes(t, c, w, &sum);
	if (r < 0) {
		return r;
	}
	return sum <= limit ? 0 : call_fail(c, ERR_COLLECTION_TOO_BIG, "Collection size exceeded.");
}
