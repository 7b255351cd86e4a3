#include "tests/local/stream_fixture.h"

#include "tests/support/unit.h"

struct slice
stream_arn(void)
{
	struct list_streams_out out = {0};

	fixture.c.error = (struct error){0};
	int r = engine_list_streams(fixture.e, &fixture.c,
				    &(struct list_streams_in){.table = SLICE("tab")}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out.n_streams == 0 ? SLICE("") : out.streams[out.n_streams - 1].arn;
}

static int
describe(struct slice arn, struct describe_stream_out *out)
{
	fixture.c.error = (struct error){0};
	return engine_describe_stream(fixture.e, &fixture.c,
				      &(struct describe_stream_in){.stream = arn}, out);
}

struct describe_stream_out
stream_described(void)
{
	struct describe_stream_out out = {0};
	int r = describe(stream_arn(), &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out;
}

int
stream_iterator(struct slice arn, enum iterator_type type, const char *seq, struct slice *out)
{
	struct describe_stream_out stream = {0};
	struct get_shard_iterator_out got = {0};
	int r = describe(arn, &stream);

	if (r == 0) {
		r = engine_get_shard_iterator(
			fixture.e, &fixture.c,
			&(struct get_shard_iterator_in){
				.stream = arn,
				.shard = stream.n_shards == 0 ? SLICE("") : stream.shards[0].id,
				.type = type,
				.seq = seq == NULL ? SLICE("") : slice_from(seq)},
			&got);
	}
	*out = got.iterator;
	return r;
}

int
stream_read(struct slice iterator, uint32_t limit, struct get_records_out *out)
{
	*out = (struct get_records_out){0};
	fixture.c.error = (struct error){0};
	return engine_get_records(fixture.e, &fixture.c,
				  &(struct get_records_in){.iterator = iterator, .limit = limit},
				  out);
}

struct get_records_out
stream_all(struct slice arn)
{
	struct get_records_out out = {0};
	struct slice iterator;
	int r = stream_iterator(arn, ITERATOR_TRIM_HORIZON, NULL, &iterator);

	if (r == 0) {
		r = stream_read(iterator, 0, &out);
	}
	CU_ASSERT_EQUAL_FATAL(r, 0);
	return out;
}
