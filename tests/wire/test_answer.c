/*
 * Answers of a faulty server: each member of every operation's answer is removed, set to null and to each other type
 * in turn.  The client either refuses the answer, or all code that uses it works.
 */
#include "store/engine/meter.h"
#include "store/wire/client/page_cycle.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/describe.h"

#include "tests/support/unit_call.h"
#include "tests/wire/answer_example.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

enum { BUDGET = 16 * 1024 * 1024 };

static struct op_in
request(enum op_type type)
{
	static const struct item keys[14]; /* as many as the example counts */
	struct op_in in = {.type = type};

	if (type == OP_CHANGE_ITEMS) {
		in.change_items = (struct change_items_in){.keys = keys, .n_keys = 14};
	}
	if (op_group(type) != OP_ITEMFS) {
		CU_ASSERT_EQUAL_FATAL(codec_decode_in(&c, CODEC_FOREIGN,
						      wire_vector(&c, op_name(type), "request"),
						      &in),
				      0);
	}
	return in;
}

/* ------------------------------------------------------------ users of an answer */

static struct page_cycles *cycles;

/* An engine that returns a decoded answer. */
struct answering {
	struct engine engine;
	const struct op_out *out;
};

static int
answering_execute(struct engine *e, struct call *own, const struct op_in *in, struct op_out *out)
{
	(void)own;
	(void)in;
	*out = *((struct answering *)e)->out;
	return 0;
}

static void
answering_close(struct engine *e)
{
	(void)e;
}

static const struct engine_ops answering_ops = {.execute = answering_execute,
						.close = answering_close};

static void
measure(struct call *own, const struct op_in *in, const struct op_out *out)
{
	struct answering below = {.engine = {.ops = &answering_ops}, .out = out};
	struct meter *meter = meter_new();
	struct engine *e = meter_open(&below.engine, meter);
	struct op_out again = {.type = in->type};
	struct buf sums;

	buf_init(&sums, &own->arena);
	CU_ASSERT_EQUAL(engine_execute(e, own, in, &again), 0);
	CU_ASSERT_EQUAL(engine_execute(e, own, in, &again), 0);
	meter_print(meter, &sums);
	engine_close(e);
	meter_free(meter);
}

static void
describe(struct call *own, const struct op_out *out)
{
	struct slice text;

	if (out->type == OP_DESCRIBE_TABLE) {
		CU_ASSERT_EQUAL(
			describe_table(own, &out->describe_table.table, SLICE("ttl"), 2, &text), 0);
	}
}

/* Encode and describe the answer in every form; ItemFS's own form must be the same after a round trip. */
static void
use(struct call *own, const struct op_in *in, const struct op_out *out)
{
	const struct op_in bare = {.type = in->type};
	struct op_out again;
	struct buf once, twice, foreign;

	buf_init(&once, &own->arena);
	buf_init(&twice, &own->arena);
	buf_init(&foreign, &own->arena);
	codec_encode_out(&once, CODEC_OWN, SLICE(""), in, out);
	if (codec_decode_out(own, buf_view(&once), in, &again) < 0) {
		printf("%.*s: %s\n", SLICE_ARG(buf_view(&once)), own->error.message);
		CU_FAIL("what is written cannot be read");
		return;
	}
	codec_encode_out(&twice, CODEC_OWN, SLICE(""), in, &again);
	CU_ASSERT_TRUE(slice_eq(buf_view(&once), buf_view(&twice)));
	codec_encode_out(&foreign, CODEC_FOREIGN, SLICE("eu-west-2"), in, out);
	codec_encode_out(&foreign, CODEC_FOREIGN, SLICE(""), &bare, out);
	describe(own, out);
	measure(own, in, out);
	(void)page_cycles_closed(cycles, in, out);
}

/* Decode and use an answer.  Return: 0, or the error, which has a message */
static int
try_answer(const struct op_in *in, struct slice body)
{
	struct call own;
	struct op_out out;

	call_open(&own, 0, BUDGET);
	int r = codec_decode_out(&own, body, in, &out);

	CU_ASSERT_TRUE(r <= 0 && -r == (int)own.error.code);
	if (r == 0) {
		use(&own, in, &out);
	} else {
		CU_ASSERT_TRUE(own.error.message != NULL && own.error.message[0] != '\0');
	}
	call_close(&own);
	return r;
}

/* ------------------------------------------------------------ changing a member */

/* Replacements of a member; NULL: remove it. */
static const char *const others[] = {
	NULL,   "null",       "7",    "-1.5",    "\"\"",          "\"x\"",
	"true", "[]",         "{}",   "[{}]",    "[null]",        "{\"x\":null}",
	"[7]",  "{\"x\":{}}", "[[]]", "[\"x\"]", "{\"S\":\"x\"}", "{\"x\":{\"S\":\"x\"}}",
};

struct change {
	size_t target; /* number of the member in the order of the text, from 1 */
	const char *other;
	size_t seen;
};

static void put_changed(struct buf *b, const struct json *json, struct change *change);

static void
put_children_changed(struct buf *b, const struct json *json, struct change *change)
{
	bool some = false;

	json_each (child, json) {
		bool hit = ++change->seen == change->target;

		if (hit && change->other == NULL) {
			continue;
		}
		buf_str(b, some ? "," : "");
		some = true;
		if (json->type == JSON_OBJECT) {
			json_put_string(b, child->name);
			buf_char(b, ':');
		}
		if (hit) {
			buf_str(b, change->other);
		} else {
			put_changed(b, child, change);
		}
	}
}

static void
put_changed(struct buf *b, const struct json *json, struct change *change)
{
	if (json->type != JSON_OBJECT && json->type != JSON_ARRAY) {
		answer_example_json(b, json);
		return;
	}
	buf_char(b, json->type == JSON_OBJECT ? '{' : '[');
	put_children_changed(b, json, change);
	buf_char(b, json->type == JSON_OBJECT ? '}' : ']');
}

static size_t
count_members(const struct json *json)
{
	size_t n = 0;

	json_each (child, json) {
		n += 1 + count_members(child);
	}
	return n;
}

static void
try_changed(const struct op_in *in, const struct json *answer, size_t target, const char *other)
{
	struct change change = {.target = target, .other = other};
	unsigned failures = CU_get_number_of_failures();
	struct buf b;

	buf_init(&b, NULL);
	put_changed(&b, answer, &change);
	CU_ASSERT_TRUE(change.seen >= target);
	(void)try_answer(in, buf_view(&b));
	if (CU_get_number_of_failures() > failures) {
		printf("%s %.*s\n", op_name(in->type), SLICE_ARG(buf_view(&b)));
	}
	buf_release(&b);
}

/* ------------------------------------------------------------ tests */

/* Otherwise the tests of answers with one member less would prove nothing. */
static void
answers_with_every_member_are_understood(void)
{
	cycles = page_cycles_new();
	for (int type = 0; type < OP_COUNT; type++) {
		struct op_in in = request((enum op_type)type);
		struct buf b;

		buf_init(&b, &c.arena);
		answer_example_json(&b, answer_example(&c, in.type));
		int r = try_answer(&in, buf_view(&b));

		if (r != 0) {
			printf("%s: %.*s\n", op_name(in.type), SLICE_ARG(buf_view(&b)));
		}
		CU_ASSERT_EQUAL(r, 0);
	}
	page_cycles_free(cycles);
}

static void
no_missing_or_changed_member_does_harm(void)
{
	cycles = page_cycles_new();
	for (int type = 0; type < OP_COUNT; type++) {
		struct op_in in = request((enum op_type)type);
		const struct json *answer = answer_example(&c, in.type);
		size_t n = count_members(answer);

		for (size_t i = 1; i <= n; i++) {
			for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
				try_changed(&in, answer, i, others[k]);
			}
		}
	}
	page_cycles_free(cycles);
}

/* Errors with all members: those of a transaction, those of a condition, and those of ItemFS's own errors. */
static const char *const failures[] = {
	"{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\",\"message\":"
	"\"it is canceled\",\"CancellationReasons\":[{\"Code\":\"ConditionalCheckFailed\","
	"\"Message\":\"no\",\"Item\":{\"PK\":{\"S\":\"x\"}}},{\"Code\":\"None\"}]}",
	"{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\",\"Message\":"
	"\"no\",\"Item\":{\"PK\":{\"S\":\"x\"}},\"ItemFS\":{\"Code\":\"CONDITION\",\"Place\":7}}",
};

static void
try_failure(const struct json *failure, size_t target, const char *other)
{
	struct change change = {.target = target, .other = other};
	struct call own;
	struct buf b;

	call_open(&own, 0, BUDGET);
	buf_init(&b, &own.arena);
	put_changed(&b, failure, &change);
	int r = codec_decode_error(&own, buf_view(&b), 400);
	const struct error *e = &own.error;

	CU_ASSERT_TRUE(r < 0 && -r == (int)e->code && e->message != NULL && e->message[0] != '\0');
	for (size_t i = 0; i < e->n_reasons; i++) {
		CU_ASSERT_TRUE(e->reasons[i].code.len > 0);
	}
	buf_clear(&b);
	codec_encode_error(&b, CODEC_OWN, e);
	codec_encode_error(&b, CODEC_FOREIGN, e);
	call_close(&own);
}

static void
no_change_of_a_member_of_a_failure_does_harm(void)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		const struct json *failure = answer_example_parse(&c, slice_from(failures[i]));
		size_t n = count_members(failure);

		for (size_t target = 0; target <= n; target++) {
			for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
				try_failure(failure, target, others[k]);
			}
		}
	}
}

/* A struct with an .unpack would be all NULLs if it were missing in an answer, so it must be SHAPE_ANSWERED. */
static void
check_unpacked(const struct shape *s, int depth)
{
	for (size_t i = 0; depth > 0 && i < s->n; i++) {
		const struct shape_member *m = &s->members[i];

		if (m->of == NULL) {
			continue;
		}
		if (m->kind == SHAPE_STRUCT && m->of->unpack != NULL &&
		    (m->flags & SHAPE_ANSWERED) == 0) {
			printf("%.*s is not SHAPE_ANSWERED\n", SLICE_ARG(m->name));
			CU_FAIL("a struct with an .unpack may lack");
		}
		check_unpacked(m->of, depth - 1);
	}
}

static void
structs_with_an_unpack_are_required(void)
{
	for (int type = 0; type < OP_COUNT; type++) {
		check_unpacked(shape_of_answer((enum op_type)type), JSON_DEPTH_MAX);
	}
}

static const struct {
	enum op_type type;
	const char *body;
	const char *message; /* NULL: the answer is accepted */
} rows[] = {
	{OP_DESCRIBE_BACKUP, "{}", "an answer without BackupDescription"},
	{OP_DESCRIBE_BACKUP, "{\"BackupDescription\":{\"BackupDetails\":{}}}",
	 "an answer without BackupArn"},
	{OP_DESCRIBE_TABLE, "{}", "an answer without Table"},
	{OP_DESCRIBE_TABLE, "{\"Table\":{\"TableName\":\"\"}}", "an answer without TableName"},
	{OP_DESCRIBE_TABLE, "{\"Table\":{\"TableName\":\"abc\"}}",
	 "an answer with a table's description that has no key"},
	{OP_DELETE_TABLE, "{\"TableDescription\":{\"TableName\":\"abc\"}}", NULL},
	{OP_DESCRIBE_TABLE,
	 "{\"Table\":{\"TableName\":\"abc\",\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":"
	 "\"HASH\"},{\"AttributeName\":\"s\",\"KeyType\":\"SORT\"}]}}",
	 "an answer with a different KeyType: SORT"},
	{OP_DESCRIBE_TABLE,
	 "{\"Table\":{\"TableName\":\"abc\",\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":"
	 "\"RANGE\"}]}}",
	 "an answer with a key without a partition key"},
	{OP_DESCRIBE_TABLE,
	 "{\"Table\":{\"TableName\":\"abc\",\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":"
	 "\"HASH\"},{\"AttributeName\":\"q\",\"KeyType\":\"HASH\"}]}}",
	 "an answer with a table whose key has several attributes of a kind"},
	{OP_DESCRIBE_TABLE,
	 "{\"Table\":{\"TableName\":\"abc\",\"KeySchema\":[{\"AttributeName\":\"p\",\"KeyType\":"
	 "\"HASH\"}],\"GlobalSecondaryIndexes\":[{\"IndexName\":\"g\",\"KeySchema\":[]}]}}",
	 "an answer without KeySchema"},
	{OP_LIST_BACKUPS, "{\"LastEvaluatedBackupArn\":\"x\"}",
	 "an answer without backups that says that there are more"},
	{OP_LIST_BACKUPS, "{}", NULL},
	{OP_LIST_TABLES, "{\"TableNames\":null}", NULL},
	{OP_EXPORT_TABLE, "{}", "an answer without ExportDescription"},
	{OP_IMPORT_TABLE, "{\"ImportTableDescription\":{}}", "an answer without ImportArn"},
	{OP_DESCRIBE_STREAM, "{\"StreamDescription\":null}", "an answer without StreamDescription"},
	{OP_GET_SHARD_ITERATOR, "{}", "an answer without ShardIterator"},
	{OP_GET_RECORDS, "{\"Records\":[{\"eventName\":\"INSERT\"}]}",
	 "an answer without dynamodb"},
	/* an error without a code would count as done */
	{OP_BATCH_EXECUTE_STATEMENT, "{\"Responses\":[{\"Error\":{\"Message\":\"no\"}}]}",
	 "an answer without Code"},
	{OP_LIST_PARTITIONS, "{\"Partitions\":[{\"Items\":1}]}", "an answer without Key"},
	{OP_LIST_PARTITIONS, "{\"More\":true}", "an empty answer that says that there is more"},
	{OP_LIST_ENTRIES, "{\"Entries\":[null],\"More\":true}",
	 "an empty answer that says that there is more"},
};

static void
required_members_are_checked(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op_in in = {.type = rows[i].type};
		struct op_out out;
		int r = codec_decode_out(&c, slice_from(rows[i].body), &in, &out);
		const char *message = r == 0 ? NULL : c.error.message;

		if (rows[i].message == NULL
			    ? r != 0
			    : message == NULL || strcmp(message, rows[i].message) != 0) {
			printf("%s gives %s\n", rows[i].body, r == 0 ? "0" : c.error.message);
			CU_FAIL("another message");
		}
		wire_forget(&c);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(answers_with_every_member_are_understood),
	UNIT_TEST(no_missing_or_changed_member_does_harm),
	UNIT_TEST(no_change_of_a_member_of_a_failure_does_harm),
	UNIT_TEST(structs_with_an_unpack_are_required),
	UNIT_TEST(required_members_are_checked),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(answer, setup, teardown, tests);
