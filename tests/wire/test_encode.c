/* Encoding: answers and errors as the service writes them. */
#include "store/model/item_json.h"
#include "store/wire/codec/codec.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

/* Every answer of the service can be decoded, and is the same after encoding. */
static void
answers_are_those_of_the_service(void)
{
	for (int type = 0; op_group((enum op_type)type) != OP_ITEMFS; type++) {
		struct op_in in = {.type = (enum op_type)type};
		struct op_out out;
		struct slice request = wire_vector(&c, op_name(in.type), "request");
		struct slice answer = wire_vector(&c, op_name(in.type), "answer");
		struct buf again;
		int r = codec_decode_in(&c, CODEC_FOREIGN, request, &in);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		r = codec_decode_out(&c, answer, &in, &out);
		CU_ASSERT_EQUAL_FATAL(r, 0);
		buf_init(&again, &c.arena);
		codec_encode_out(&again, CODEC_FOREIGN, SLICE(""), &in, &out);
		bool same = answer.len == 0 ? again.len == 0
					    : wire_same_json(&c, answer, buf_view(&again));

		if (!same) {
			printf("%s: %.*s\n", op_name(in.type), SLICE_ARG(buf_view(&again)));
		}
		CU_ASSERT_TRUE(same);
	}
}

static void
stream_records_have_the_region_of_the_request(void)
{
	struct op_in in = {.type = OP_GET_RECORDS};
	struct op_out out;
	struct buf again;
	int r = codec_decode_out(&c, wire_vector(&c, "GetRecords", "answer"), &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	buf_init(&again, &c.arena);
	codec_encode_out(&again, CODEC_FOREIGN, SLICE("eu-west-2"), &in, &out);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(slice_cstr(&c.arena, buf_view(&again)), "\"awsRegion\":\"eu-west-2\""));
}

static void
errors_are_those_of_the_service(void)
{
	static const struct {
		struct error e;
		const char *body;
	} rows[] = {
		{{.code = ERR_NO_TABLE, .message = "Requested resource not found"},
		 "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\","
		 "\"message\":\"Requested resource not found\"}"},
		{{.code = ERR_VALIDATION, .message = "no"},
		 "{\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"no\"}"},
		{{.code = ERR_SERIALIZATION, .message = "no"},
		 "{\"__type\":\"com.amazon.coral.service#SerializationException\",\"Message\":"
		 "\"no\"}"},
		{{.code = ERR_UNKNOWN_OPERATION, .message = "no"},
		 "{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}"},
		{{.code = ERR_SERIALIZATION, .message = "not JSON: line 1, column 1"},
		 "{\"__type\":\"com.amazon.coral.service#SerializationException\"}"},
		{{.code = ERR_CONDITION, .message = "The conditional request failed"},
		 "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\","
		 "\"message\":\"The conditional request failed\"}"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf body;

		buf_init(&body, &c.arena);
		codec_encode_error(&body, CODEC_FOREIGN, &rows[i].e);
		CU_ASSERT_TRUE(slice_is(buf_view(&body), rows[i].body));
	}
}

/* The engine may write the items of a page itself, or return them. */
static void
a_page_is_encoded_while_it_is_read(void)
{
	struct item it = wire_item(&c, "{\"a\":{\"S\":\"x\"}}");
	struct op_in in = {.type = OP_SCAN};
	struct op_out written = {.type = OP_SCAN, .scan.page = {.count = 1, .in_text = true}};
	struct op_out built = {.type = OP_SCAN, .scan.page = {.items = &it, .count = 1}};
	struct buf body;

	buf_init(&body, &c.arena);
	codec_encode_ahead(&body, &in);
	CU_ASSERT_PTR_EQUAL_FATAL(in.scan.read.text.out, &body);
	item_put_json(&body, &it, in.scan.read.text.form);
	codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &in, &written);
	CU_ASSERT_TRUE(
		slice_is(buf_view(&body),
			 "{\"Items\":[{\"a\":{\"S\":\"x\"}}],\"Count\":1,\"ScannedCount\":0}"));
	buf_clear(&body);
	codec_encode_ahead(&body, &in);
	codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &in, &built);
	CU_ASSERT_TRUE(
		slice_is(buf_view(&body),
			 "{\"Items\":[{\"a\":{\"S\":\"x\"}}],\"Count\":1,\"ScannedCount\":0}"));
}

static void
only_pages_of_items_are_encoded_ahead(void)
{
	struct op_in in[] = {{.type = OP_GET_ITEM},
			     {.type = OP_QUERY, .query.read.select = SELECT_COUNT}};

	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++) {
		struct buf body;

		buf_init(&body, &c.arena);
		codec_encode_ahead(&body, &in[i]);
		CU_ASSERT_EQUAL(body.len, 0);
	}
}

static void
answers_contain_only_what_was_requested(void)
{
	struct item old = wire_item(&c, "{\"a\":{\"S\":\"x\"}}");
	struct op_in in = {.type = OP_PUT_ITEM};
	struct op_out out = {.type = OP_PUT_ITEM,
			     .put_item = {.written = {.had_old = true, .attributes = old}}};
	struct buf body;

	buf_init(&body, &c.arena);
	codec_encode_out(&body, CODEC_FOREIGN, SLICE(""), &in, &out);
	CU_ASSERT_TRUE(slice_is(buf_view(&body), "{}"));
}

static void
times_are_seconds_to_the_millisecond(void)
{
	static const struct {
		const char *text;
		uint64_t ms;
	} rows[] = {{"1.421866952062E9", 1421866952062},
		    {"1421866952.062", 1421866952062},
		    {"1421866952", 1421866952000},
		    {"1421866952.0629", 1421866952062},
		    {"0", 0}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op_in in = {.type = OP_DESCRIBE_TABLE};
		struct op_out out;
		struct buf body;

		buf_init(&body, &c.arena);
		buf_fmt(&body,
			"{\"Table\":{\"TableName\":\"abc\",\"CreationDateTime\":%s,\"KeySchema\":"
			"[{\"AttributeName\":\"a\",\"KeyType\":\"HASH\"}],\"AttributeDefinitions\":"
			"[{\"AttributeName\":\"a\",\"AttributeType\":\"S\"}]}}",
			rows[i].text);
		int r = codec_decode_out(&c, buf_view(&body), &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_EQUAL(out.describe_table.table.schema->created_ms, rows[i].ms);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(answers_are_those_of_the_service),
	UNIT_TEST(stream_records_have_the_region_of_the_request),
	UNIT_TEST(errors_are_those_of_the_service),
	UNIT_TEST(a_page_is_encoded_while_it_is_read),
	UNIT_TEST(only_pages_of_items_are_encoded_ahead),
	UNIT_TEST(answers_contain_only_what_was_requested),
	UNIT_TEST(times_are_seconds_to_the_millisecond),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(encode, setup, teardown, tests);
