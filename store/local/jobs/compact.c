/*
 * compact - the operation Compact: LevelDB merges a table's ranges of keys, or all keys, into as few files as possible
 *
 * A call compacts one piece, because a compaction cannot be interrupted; "next" is the key at which the next call
 * continues. Keys of items and entries sort before keys of counts, so "next" only grows.
 */
#include "store/local/commit/txn.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"

/* Length of the prefix of a table with its indexes: a letter and the table's number. */
enum { TABLE_BYTES = 5 };

struct range {
	struct slice from;
	struct slice to;
};

static struct range
compact_range_of(struct call *c, enum keyspace space, const struct schema *s)
{
	struct slice from = slice_of(keyspace_head(&c->arena, space, s, NULL).at, TABLE_BYTES);

	return (struct range){from, keyspace_after(&c->arena, from)};
}

/* The number of bytes in @ranges from the key @from on, which is in the first range. */
static uint64_t
size_from(struct local *l, const struct range *ranges, size_t n, struct slice from)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		bytes += l->kv->ops->size(l->kv, i == 0 ? from : ranges[i].from, ranges[i].to);
	}
	return bytes;
}

/* Compact one piece of the first range that does not end before @next. */
static int
jobs_compact_piece(struct local *l, struct call *c, const struct range *ranges, size_t n,
		   struct slice next, struct compact_out *out)
{
	cleanup(buf_release) struct buf from = {0};
	size_t i = 0;

	while (i < n && slice_cmp(next, ranges[i].to) >= 0) {
		i++;
	}
	if (i == n) {
		return 0;
	}
	buf_slice(&from, slice_cmp(next, ranges[i].from) > 0 ? next : ranges[i].from);
	uint64_t before = size_from(l, ranges + i, n - i, buf_view(&from));

	int r = ranges_compact(l, c, &from, ranges[i].to);

	if (r < 0) {
		return r;
	}
	if (r == RANGES_MORE) {
		out->next = slice_copy(&c->arena, buf_view(&from));
	} else if (i + 1 < n) {
		out->next = ranges[i + 1].from;
	}
	out->ahead = size_from(l, ranges + i, n - i, buf_view(&from));
	out->bytes = before > out->ahead ? before - out->ahead : 0;
	return 0;
}

int
local_exec_compact(struct local *l, struct call *c, const struct compact_in *in,
		   struct compact_out *out)
{
	struct range ranges[2] = {{.from = SLICE("\0"), .to = SLICE("\xff")}};
	const struct schema *s = NULL;
	int r = in->table.len > 0 ? catalog_find(l->catalog, c, in->table, &s) : 0;

	*out = (struct compact_out){0};
	if (s != NULL) {
		ranges[0] = compact_range_of(c, KEYSPACE_ITEM, s);
		ranges[1] = compact_range_of(c, KEYSPACE_PARTITION, s);
	}
	r = r < 0 ? r : jobs_compact_piece(l, c, ranges, s == NULL ? 1 : 2, in->next, out);
	/* LevelDB does not report that a compaction has failed, but then it refuses every write, even an empty one. */
	return r < 0 ? r : txn_run_empty(l->queue, c, false);
}
