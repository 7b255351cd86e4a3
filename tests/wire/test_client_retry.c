/* Requests that a client may and may not send twice, with a server that follows a script. */
#include "store/wire/client/client.h"

#include "tests/support/unit_call.h"
#include "tests/wire/script.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

#define ANSWER(status, length, headers, body) \
	"HTTP/1.1 " status "\r\nContent-Length: " #length "\r\n" headers "\r\n" body
#define OK ANSWER("200 OK", 2, "", "{}")
#define FAILURE ANSWER("500 Oops", 2, "", "{}")
#define THROTTLED ANSWER("400 Bad Request", 34, "", "{\"__type\":\"x#ThrottlingException\"}")
#define TOO_FAST ANSWER("400 Bad Request", 37, "", "{\"__type\":\"x#LimitExceededException\"}")
#define IN_PROGRESS \
	ANSWER("400 Bad Request", 45, "", "{\"__type\":\"x#TransactionInProgressException\"}")
#define OVERLOAD ANSWER("503 Service Unavailable", 2, "", "{}")
#define BAD_GATEWAY ANSWER("502 Bad Gateway", 2, "", "{}")
#define SUMMED(sum) ANSWER("200 OK", 2, "x-amz-crc32: " sum "\r\n", "{}")
#define SUM "2745614147" /* of {} */
#define CUT SCRIPT_LAST ANSWER("200 OK", 3, "", "{}")

/* Put an item larger than the socket buffers of both ends. */
static int
put_large(struct engine *e)
{
	enum { BYTES = 14 << 20 };
	char *text = malloc(BYTES);
	struct attr a = {SLICE("text"), value_string(slice_of(text, BYTES))};
	struct put_item_out out;

	memset(text, 'x', BYTES);
	int r = engine_put_item(
		e, &c, &(struct put_item_in){.write = {.table = SLICE("abc"), .item = {&a, 1}}},
		&out);

	free(text);
	return r;
}

/* One put in a transaction. */
static int
transact(struct engine *e, struct slice token)
{
	struct transact_action action = {.kind = TRANSACT_DELETE,
					 .table = SLICE("abc"),
					 .item = wire_item(&c, "{\"PK\":{\"S\":\"x\"}}")};
	struct transact_write_items_out out;

	return engine_transact_write_items(e, &c,
					   &(struct transact_write_items_in){.actions = &action,
									     .n_actions = 1,
									     .token = token},
					   &out);
}

static int
execute_transaction(struct engine *e, struct slice token)
{
	struct parameterized of = {.statement = SLICE("DELETE FROM abc WHERE PK = 'x'")};
	struct execute_transaction_out out;

	return engine_execute_transaction(e, &c,
					  &(struct execute_transaction_in){.statements = &of,
									   .n_statements = 1,
									   .token = token},
					  &out);
}

/* ------------------------------------------------------------ no answer */

static void
a_write_whose_answer_is_lost_is_not_sent_again(void)
{
	static const char *const answers[] = {OK, SCRIPT_SILENT, OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	/* The second request uses the kept connection, which then breaks. */
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_UNREACHABLE);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "not known"));
	CU_ASSERT_EQUAL(s.requests, 2);
	wire_forget(&c);
	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	CU_ASSERT_EQUAL(s.requests, 3);
	script_stop(&s, e);
}

static void
a_read_whose_answer_is_lost_is_sent_again(void)
{
	static const char *const answers[] = {OK, SCRIPT_SILENT, OK, SCRIPT_RESET, CUT,
					      OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	CU_ASSERT_EQUAL(s.requests, 3);
	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	CU_ASSERT_EQUAL(s.requests, 6);
	script_stop(&s, e);
}

static void
a_write_that_has_not_arrived_is_sent_again(void)
{
	static const char *const answers[] = {SCRIPT_RESET, SCRIPT_RESET, OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(put_large(e), 0);
	CU_ASSERT_EQUAL(s.requests, 3);
	script_stop(&s, e);
}

static void
a_missing_answer_is_waited_for_three_times(void)
{
	static const char *const answers[] = {SCRIPT_RESET,  SCRIPT_RESET,  SCRIPT_RESET,
					      SCRIPT_SILENT, SCRIPT_SILENT, SCRIPT_SILENT,
					      SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(put_large(e), -ERR_UNREACHABLE);
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "not known"));
	CU_ASSERT_EQUAL(s.requests, 3);
	wire_forget(&c);
	CU_ASSERT_EQUAL(wire_get(&c, e), -ERR_UNREACHABLE);
	CU_ASSERT_PTR_NULL(strstr(c.error.message, "not known"));
	CU_ASSERT_EQUAL(s.requests, 6);
	script_stop(&s, e);
}

static void
a_short_or_damaged_answer_is_requested_again(void)
{
	static const char *const bad[] = {CUT, SUMMED("2745614146"), SUMMED("12345678901234567890"),
					  SUMMED("no number")};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const answers[] = {bad[i], SUMMED(SUM), bad[i], SCRIPT_END};
		struct script s;
		struct engine *e = script_start(&s, &c, answers);

		wire_forget(&c);
		CU_ASSERT_EQUAL(wire_get(&c, e), 0);
		CU_ASSERT_EQUAL(s.requests, 2);
		CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_UNREACHABLE);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "not known"));
		CU_ASSERT_EQUAL(s.requests, 3);
		script_stop(&s, e);
	}
}

static void
a_transaction_with_a_token_may_come_twice(void)
{
	static const char *const answers[] = {SCRIPT_SILENT, IN_PROGRESS, FAILURE,   OK,
					      SCRIPT_SILENT, OK,          SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(transact(e, SLICE("once")), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.request, "\"ClientRequestToken\":\"once\""));
	CU_ASSERT_EQUAL(s.requests, 4);
	CU_ASSERT_EQUAL(execute_transaction(e, SLICE("once")), 0);
	CU_ASSERT_EQUAL(s.requests, 6);
	script_stop(&s, e);
}

static void
a_conflict_of_a_write_is_not_tried_again(void)
{
	static const char *const answers[] = {IN_PROGRESS, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_IN_PROGRESS);
	CU_ASSERT_EQUAL(s.requests, 1);
	script_stop(&s, e);
}

/* The token of the script's last request, or "". */
static struct slice
token_sent(const struct script *s)
{
	static const char name[] = "\"ClientRequestToken\":\"";
	const char *at = strstr(s->request, name);

	at = at == NULL ? "" : at + strlen(name);
	return slice_copy(&c.arena, slice_of(at, strcspn(at, "\"")));
}

static void
a_transaction_gets_a_token_of_its_own(void)
{
	static const char *const answers[] = {OK, OVERLOAD, OK, SCRIPT_SILENT, OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(transact(e, SLICE("")), 0);
	struct slice first = token_sent(&s);

	CU_ASSERT_EQUAL(first.len, 32);
	CU_ASSERT_EQUAL(transact(e, SLICE("")), 0);
	CU_ASSERT_EQUAL(token_sent(&s).len, 32);
	CU_ASSERT_FALSE(slice_eq(token_sent(&s), first));
	CU_ASSERT_EQUAL(s.requests, 3);
	CU_ASSERT_EQUAL(execute_transaction(e, SLICE("")), 0);
	CU_ASSERT_EQUAL(token_sent(&s).len, 32);
	CU_ASSERT_EQUAL(s.requests, 5);
	script_stop(&s, e);
}

/* ------------------------------------------------------------ answers that are failures */

static void
requests_that_were_not_executed_are_retried(void)
{
	static const char *const answers[] = {THROTTLED, OVERLOAD, THROTTLED, OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(wire_put(&c, e), 0);
	CU_ASSERT_EQUAL(s.requests, 4);
	script_stop(&s, e);
}

/* A mount holds locks meanwhile, so it must not wait. */
static void
a_caller_that_retries_itself_gets_the_error_at_once(void)
{
	static const char *const answers[] = {THROTTLED, OVERLOAD, FAILURE, OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	c.comes_again = true;
	CU_ASSERT_EQUAL(wire_get(&c, e), -ERR_THROTTLED_ON_DEMAND);
	wire_forget(&c);
	CU_ASSERT_EQUAL(wire_get(&c, e), -ERR_BUSY);
	CU_ASSERT_EQUAL(s.requests, 2);
	wire_forget(&c);
	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	c.comes_again = false;
	script_stop(&s, e);
}

static void
a_limit_error_is_retried_for_streams_only(void)
{
	static const char *const answers[] = {TOO_FAST, TOO_FAST, OK, TOO_FAST, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);
	struct get_records_in in = {.iterator = SLICE("it")};
	struct get_records_out out;

	CU_ASSERT_EQUAL(engine_get_records(e, &c, &in, &out), 0);
	CU_ASSERT_EQUAL(s.requests, 3);
	CU_ASSERT_EQUAL(wire_get(&c, e), -ERR_LIMIT);
	CU_ASSERT_EQUAL(s.requests, 4);
	script_stop(&s, e);
}

static void
an_internal_error_is_tried_again_for_reads_only(void)
{
	static const char *const answers[] = {FAILURE,     BAD_GATEWAY, OK,        FAILURE,
					      BAD_GATEWAY, OK,          SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);

	CU_ASSERT_EQUAL(wire_get(&c, e), 0);
	CU_ASSERT_EQUAL(s.requests, 3);
	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_IO);
	CU_ASSERT_EQUAL(s.requests, 4);
	wire_forget(&c);
	CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_UNREACHABLE);
	CU_ASSERT_EQUAL(s.requests, 5);
	script_stop(&s, e);
}

static void
unusable_answers_are_errors(void)
{
	static const char *const rows[] = {
		ANSWER("404 Not Found", 3, "", "no!"),
		ANSWER("301 Moved", 0, "Location: http://127.0.0.1:1/\r\n", ""),
		SCRIPT_LAST "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
		SCRIPT_LAST "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
		SCRIPT_LAST "rubbish\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const answers[] = {rows[i], SCRIPT_END};
		struct script s;
		struct engine *e = script_start(&s, &c, answers);

		wire_forget(&c);
		int r = wire_get(&c, e);

		if (r >= 0) {
			printf("%s\n", rows[i]);
		}
		CU_ASSERT_TRUE(r < 0);
		CU_ASSERT_EQUAL(-r, (int)c.error.code);
		CU_ASSERT_EQUAL(s.requests, 1);
		script_stop(&s, e);
	}
}

static void
an_unreadable_answer_is_not_the_fault_of_the_caller(void)
{
	static const char *const rows[] = {
		ANSWER("200 OK", 6, "", "<html>"),
		ANSWER("200 OK", 0, "", ""),
		ANSWER("200 OK", 2, "", "[]"),
		ANSWER("200 OK", 12, "", "{\"Item\":[1]}"),
		ANSWER("200 OK", 28, "", "{\"Item\":{\"n\":{\"N\":\"1e999\"}}}"),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const answers[] = {rows[i], ANSWER("200 OK", 6, "", "<html>"),
					       SCRIPT_END};
		struct script s;
		struct engine *e = script_start(&s, &c, answers);

		CU_ASSERT_EQUAL(wire_get(&c, e), -ERR_CORRUPT);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "its answer cannot be read: "));
		CU_ASSERT_PTR_NULL(strstr(c.error.message, "not known"));
		wire_forget(&c);
		CU_ASSERT_EQUAL(wire_put(&c, e), -ERR_UNREACHABLE);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "not known"));
		CU_ASSERT_EQUAL(s.requests, 2);
		wire_forget(&c);
		script_stop(&s, e);
	}
}

static void
a_list_of_tables_that_repeats_itself_ends(void)
{
	static const char page[] = ANSWER(
		"200 OK", 53, "", "{\"TableNames\":[\"abc\"],\"LastEvaluatedTableName\":\"abc\"}");
	static const char *const answers[] = {page, page, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};

	CU_ASSERT_EQUAL_FATAL(engine_list_tables(e, &c, &in, &out), 0);
	in.start = out.last;
	CU_ASSERT_EQUAL(engine_list_tables(e, &c, &in, &out), -ERR_CORRUPT);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "was already read"));
	script_stop(&s, e);
}

static void
own_operations_are_not_sent_to_a_foreign_server(void)
{
	static const char *const answers[] = {OK, SCRIPT_END};
	struct script s;
	struct engine *e = script_start(&s, &c, answers);
	struct sync_out out;
	int r = engine_sync(e, &c, &(struct sync_in){0}, &out);

	CU_ASSERT_EQUAL(r, -ERR_NOT_SUPPORTED);
	CU_ASSERT_EQUAL(error_exit(ERR_NOT_SUPPORTED), 2);
	CU_ASSERT_EQUAL(s.requests, 0);
	script_stop(&s, e);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_write_whose_answer_is_lost_is_not_sent_again),
	UNIT_TEST(a_read_whose_answer_is_lost_is_sent_again),
	UNIT_TEST(a_write_that_has_not_arrived_is_sent_again),
	UNIT_TEST(a_missing_answer_is_waited_for_three_times),
	UNIT_TEST(a_short_or_damaged_answer_is_requested_again),
	UNIT_TEST(a_transaction_with_a_token_may_come_twice),
	UNIT_TEST(a_conflict_of_a_write_is_not_tried_again),
	UNIT_TEST(a_transaction_gets_a_token_of_its_own),
	UNIT_TEST(requests_that_were_not_executed_are_retried),
	UNIT_TEST(a_limit_error_is_retried_for_streams_only),
	UNIT_TEST(a_caller_that_retries_itself_gets_the_error_at_once),
	UNIT_TEST(an_internal_error_is_tried_again_for_reads_only),
	UNIT_TEST(unusable_answers_are_errors),
	UNIT_TEST(an_unreadable_answer_is_not_the_fault_of_the_caller),
	UNIT_TEST(a_list_of_tables_that_repeats_itself_ends),
	UNIT_TEST(own_operations_are_not_sent_to_a_foreign_server),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(client_retry, setup, teardown, tests);
