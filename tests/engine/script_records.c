#include "tests/engine/script_records.h"

#include "tests/support/unit.h"

enum { PAGES_MAX = 1000 };

/* The records read so far. */
struct gathered {
	struct stream_record *at;
	size_t n;
	size_t cap;
};

/* Read one stream until no more records come. */
static int
follow(struct engine *e, struct call *c, struct slice iterator, uint32_t limit,
       struct gathered *all)
{
	for (size_t page = 0; page < PAGES_MAX; page++) {
		struct get_records_out got = {0};
		int r = engine_get_records(
			e, c, &(struct get_records_in){.iterator = iterator, .limit = limit}, &got);

		CU_ASSERT_TRUE(limit == 0 || got.n_records <= limit);
		for (size_t i = 0; i < got.n_records && r == 0; i++) {
			all->at = arena_room(&c->arena, all->at, all->n, &all->cap);
			all->at[all->n++] = got.records[i];
		}
		if (r < 0 || got.next.len == 0 || got.n_records == 0) {
			return r;
		}
		iterator = got.next;
	}
	CU_FAIL("the stream does not end");
	return 0;
}

static int
stream_records(struct engine *e, struct call *c, struct slice arn, uint32_t limit,
	       struct gathered *all)
{
	struct describe_stream_out stream = {0};
	struct get_shard_iterator_out begin = {0};
	int r = engine_describe_stream(e, c, &(struct describe_stream_in){.stream = arn}, &stream);

	for (size_t i = 0; i < stream.n_shards && r == 0; i++) {
		r = engine_get_shard_iterator(
			e, c,
			&(struct get_shard_iterator_in){.stream = arn,
							.shard = stream.shards[i].id,
							.type = ITERATOR_TRIM_HORIZON},
			&begin);
		if (r == 0) {
			r = follow(e, c, begin.iterator, limit, all);
		}
	}
	return r;
}

int
script_records(struct engine *e, struct call *c, struct slice table, struct get_records_out *out)
{
	struct list_streams_out list = {0};
	struct gathered all = {0};
	struct gathered again = {0};
	int r = engine_list_streams(e, c, &(struct list_streams_in){.table = table}, &list);

	for (size_t i = 0; i < list.n_streams && r == 0; i++) {
		r = stream_records(e, c, list.streams[i].arn, 0, &all);
		if (r == 0) {
			r = stream_records(e, c, list.streams[i].arn, 1, &again);
		}
	}
	CU_ASSERT_EQUAL(all.n, again.n);
	for (size_t i = 0; i < all.n && i < again.n; i++) {
		CU_ASSERT_TRUE(slice_eq(all.at[i].seq, again.at[i].seq));
	}
	*out = (struct get_records_out){.records = all.at, .n_records = all.n};
	return r;
}
