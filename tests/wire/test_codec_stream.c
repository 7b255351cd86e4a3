/* Streams: requests, descriptions and records keep every field in a round trip between two ends of ItemFS. */
#include "tests/support/unit.h"
#include "tests/wire/codec_test.h"

#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/Forum/stream/2015-05-20T20:51:10.252"

static const struct stream_name name = {SLICE_INIT(ARN), SLICE_INIT("Forum"),
					SLICE_INIT("2015-05-20T20:51:10.252")};

static void
same_name(const struct stream_name *got)
{
	SAME_SLICE(got->arn, name.arn);
	SAME_SLICE(got->table, name.table);
	SAME_SLICE(got->label, name.label);
}

static void
a_table_keeps_its_stream(void)
{
	struct schema schema = {
		.table = SLICE("Forum"),
		.key.pk[0] = {SLICE("PK"), VALUE_S},
		.stream = {.label_ms = 1432155070252},
	};

	for (int view = STREAM_NONE; view <= STREAM_NEW_AND_OLD_IMAGES; view++) {
		struct op_in in = {.type = OP_DESCRIBE_TABLE};
		struct op_out out = {.type = in.type, .describe_table.table.schema = &schema};

		schema.stream.view = (enum stream_view)view;
		out = codec_through_out(&in, &out);
		const struct schema *got = out.describe_table.table.schema;

		CU_ASSERT_EQUAL((int)got->stream.view, view);
		CU_ASSERT_EQUAL(got->stream.label_ms, schema.stream.label_ms);
		in = (struct op_in){.type = OP_CREATE_TABLE, .create_table.schema = &schema};
		in = codec_through_in(&in);
		CU_ASSERT_EQUAL((int)in.create_table.schema->stream.view, view);
		CU_ASSERT_EQUAL(in.create_table.schema->stream.label_ms, 0);
	}
}

static void
a_change_of_the_stream_is_given_or_not(void)
{
	static const enum stream_view none = STREAM_NONE;
	static const enum stream_view keys = STREAM_KEYS_ONLY;
	const enum stream_view *const changes[] = {NULL, &none, &keys};

	for (size_t i = 0; i < 3; i++) {
		struct op_in in = {.type = OP_UPDATE_TABLE,
				   .update_table = {.table = SLICE("abc"), .stream = changes[i]}};

		in = codec_through_in(&in);
		CU_ASSERT_EQUAL_FATAL(in.update_table.stream == NULL, changes[i] == NULL);
		if (in.update_table.stream != NULL && changes[i] != NULL) {
			CU_ASSERT_EQUAL(*in.update_table.stream, *changes[i]);
		}
	}
}

static void
requests_keep_their_words(void)
{
	struct op_in list = {.type = OP_LIST_STREAMS,
			     .list_streams = {SLICE("abc"), SLICE("start"), 7}};
	struct op_in describe = {.type = OP_DESCRIBE_STREAM,
				 .describe_stream = {.stream = SLICE(ARN),
						     .start_shard = SLICE("shard"),
						     .limit = 3}};
	struct op_in get = {.type = OP_GET_RECORDS, .get_records = {SLICE("iterator"), 1000}};

	list = codec_through_in(&list);
	SAME_SLICE(list.list_streams.table, SLICE("abc"));
	SAME_SLICE(list.list_streams.start, SLICE("start"));
	CU_ASSERT_EQUAL(list.list_streams.limit, 7);
	describe = codec_through_in(&describe);
	SAME_SLICE(describe.describe_stream.stream, SLICE(ARN));
	SAME_SLICE(describe.describe_stream.start_shard, SLICE("shard"));
	CU_ASSERT_EQUAL(describe.describe_stream.limit, 3);
	get = codec_through_in(&get);
	SAME_SLICE(get.get_records.iterator, SLICE("iterator"));
	CU_ASSERT_EQUAL(get.get_records.limit, 1000);
	for (int type = ITERATOR_TRIM_HORIZON; type <= ITERATOR_AFTER_SEQUENCE_NUMBER; type++) {
		struct op_in in = {.type = OP_GET_SHARD_ITERATOR,
				   .get_shard_iterator = {SLICE(ARN), SLICE("shard"),
							  (enum iterator_type)type, SLICE("12")}};

		in = codec_through_in(&in);
		SAME_SLICE(in.get_shard_iterator.stream, SLICE(ARN));
		SAME_SLICE(in.get_shard_iterator.shard, SLICE("shard"));
		SAME_SLICE(in.get_shard_iterator.seq, SLICE("12"));
		CU_ASSERT_EQUAL((int)in.get_shard_iterator.type, type);
	}
}

static void
descriptions_keep_shards_and_state(void)
{
	static const struct stream_shard shards[] = {
		{SLICE_INIT("one"), SLICE_INIT("zero"), SLICE_INIT("1"), SLICE_INIT("2")},
		{.id = SLICE_INIT("two"), .first = SLICE_INIT("3")},
	};
	struct op_in in = {.type = OP_DESCRIBE_STREAM};

	for (int enabled = 0; enabled < 2; enabled++) {
		struct op_out out = {
			.type = in.type,
			.describe_stream = {name, enabled == 1, STREAM_OLD_IMAGE, 1432155070252,
					    SLICE("P"), SLICE("S"), shards, 2, SLICE("two")},
		};

		out = codec_through_out(&in, &out);
		const struct describe_stream_out *got = &out.describe_stream;

		same_name(&got->name);
		CU_ASSERT_EQUAL(got->enabled, enabled);
		CU_ASSERT_EQUAL(got->view, STREAM_OLD_IMAGE);
		CU_ASSERT_EQUAL(got->created_ms, 1432155070252);
		SAME_SLICE(got->pk, SLICE("P"));
		SAME_SLICE(got->sk, SLICE("S"));
		SAME_SLICE(got->last_shard, SLICE("two"));
		CU_ASSERT_EQUAL_FATAL(got->n_shards, 2);
		for (size_t i = 0; i < 2; i++) {
			SAME_SLICE(got->shards[i].id, shards[i].id);
			SAME_SLICE(got->shards[i].parent, shards[i].parent);
			SAME_SLICE(got->shards[i].first, shards[i].first);
			SAME_SLICE(got->shards[i].last, shards[i].last);
		}
	}
}

static void
lists_keep_names_and_the_end(void)
{
	const struct stream_name two[] = {name, name};
	struct op_in in = {.type = OP_LIST_STREAMS};
	struct op_out out = {.type = in.type, .list_streams = {two, 2, SLICE(ARN)}};

	out = codec_through_out(&in, &out);
	CU_ASSERT_EQUAL_FATAL(out.list_streams.n_streams, 2);
	same_name(&out.list_streams.streams[0]);
	same_name(&out.list_streams.streams[1]);
	SAME_SLICE(out.list_streams.last, SLICE(ARN));
}

static void
records_keep_images_and_author(void)
{
	struct op_in in = {.type = OP_GET_RECORDS};

	for (int event = STREAM_INSERT; event <= STREAM_REMOVE; event++) {
		struct stream_record record = {
			.id = SLICE("id"),
			.event = (enum stream_event)event,
			.view = STREAM_NEW_AND_OLD_IMAGES,
			.service = event == STREAM_REMOVE,
			.time_ms = 1432155070000,
			.bytes = 1ULL << 40,
			.seq = SLICE("000000000000000000042"),
			.keys = codec_key(),
		};
		struct op_out out = {.type = in.type, .get_records = {&record, 1, SLICE("next")}};

		record.new_image = event == STREAM_REMOVE ? record.new_image : codec_thing();
		record.old_image = event == STREAM_INSERT ? record.old_image : codec_thing();
		out = codec_through_out(&in, &out);
		SAME_SLICE(out.get_records.next, SLICE("next"));
		CU_ASSERT_EQUAL_FATAL(out.get_records.n_records, 1);
		const struct stream_record *got = out.get_records.records;

		SAME_SLICE(got->id, record.id);
		SAME_SLICE(got->seq, record.seq);
		CU_ASSERT_EQUAL(got->event, record.event);
		CU_ASSERT_EQUAL(got->view, record.view);
		CU_ASSERT_EQUAL(got->service, record.service);
		CU_ASSERT_EQUAL(got->time_ms, record.time_ms);
		CU_ASSERT_EQUAL(got->bytes, record.bytes);
		SAME_ITEM(got->keys, record.keys);
		SAME_ITEM(got->new_image, record.new_image);
		SAME_ITEM(got->old_image, record.old_image);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_table_keeps_its_stream),
	UNIT_TEST(a_change_of_the_stream_is_given_or_not),
	UNIT_TEST(requests_keep_their_words),
	UNIT_TEST(descriptions_keep_shards_and_state),
	UNIT_TEST(lists_keep_names_and_the_end),
	UNIT_TEST(records_keep_images_and_author),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(codec_stream, codec_setup, codec_teardown, tests);
