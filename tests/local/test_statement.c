/* Statements in the embedded engine: pages and their tokens, and kv failures during a batch. */
#include "store/base/text/base64.h"
#include "store/op/op.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { PARTITIONS = 3, ITEMS = 8, MOST = 64 };

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab p:S s:N | +GSI g:S s:N ALL") != 0) {
		abort();
	}
	for (int i = 0; i < PARTITIONS * ITEMS; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text), "{\"p\":\"%c\",\"s\":%d,\"g\":\"g\",\"odd\":%s}",
			       'a' + i % PARTITIONS, i / PARTITIONS,
			       i / PARTITIONS % 2 == 1 ? "true" : "false");
		if (fixture_put("tab", text) != 0) {
			abort();
		}
	}
}

static int
page(const char *text, uint32_t limit, struct slice next, struct execute_statement_out *out)
{
	struct execute_statement_in in = {
		.of.statement = slice_from(text),
		.has_limit = limit > 0,
		.limit = limit,
		.next = next,
	};

	fixture.c.error = (struct error){0};
	return engine_execute_statement(fixture.e, &fixture.c, &in, out);
}

/* Append "a1" for each item of all pages, in the order of their arrival. */
static void
read_all(const char *text, uint32_t limit, struct buf *got)
{
	struct execute_statement_out out = {0};
	struct slice next = {0};

	buf_init(got, &fixture.c.arena);
	for (int pages = 0; pages == 0 || next.len > 0; pages++) {
		int r = page(text, limit, next, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_TRUE_FATAL(pages < MOST);
		CU_ASSERT_TRUE(limit == 0 || out.n_items <= limit);
		for (size_t i = 0; i < out.n_items; i++) {
			buf_slice(got, item_get(&out.items[i], SLICE("p"))->text);
			buf_slice(got, item_get(&out.items[i], SLICE("s"))->text);
		}
		next = out.next;
	}
}

/* The same items come in the same order for every page size. */
static void
pages_continue_where_they_ended(void)
{
	static const struct {
		const char *text;
		const char *all;
	} cases[] = {
		{"SELECT p, s FROM tab WHERE p='b'", "b0b1b2b3b4b5b6b7"},
		{"SELECT p, s FROM tab WHERE p='b' AND s>2 ORDER BY s DESC", "b7b6b5b4b3"},
		{"SELECT * FROM tab WHERE p IN ('c','x','a') AND s<3", "c0c1c2a0a1a2"},
		{"SELECT p, s FROM tab WHERE p IN ('c','a') AND s<3 ORDER BY p, s DESC",
		 "a2a1a0c2c1c0"},
		{"SELECT * FROM tab WHERE p IN ('c','a') AND s IN (7,5,9,2)", "c2c5c7a2a5a7"},
		{"SELECT * FROM tab WHERE p='b' AND odd=true", "b1b3b5b7"},
		{"SELECT p, s FROM tab WHERE s=7", "a7b7c7"},
		{"SELECT p, s FROM tab.GSI WHERE g='g' AND s>=6", "a6b6c6a7b7c7"},
		{"SELECT p, s FROM tab WHERE p='nobody'", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (uint32_t limit = 0; limit < 10; limit++) {
			struct buf got;

			read_all(cases[i].text, limit, &got);
			if (!slice_is(buf_view(&got), cases[i].all)) {
				printf("\n%s, limit %u: %.*s\n", cases[i].text, limit,
				       SLICE_ARG(buf_view(&got)));
				CU_FAIL("other items, or another order");
			}
		}
	}
}

static void
refused(const char *text, struct slice next, const char *message)
{
	struct execute_statement_out out = {0};
	int r = page(text, 1, next, &out);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	if (strcmp(fixture_message(), message) != 0) {
		printf("\n%s\n", fixture_message());
		CU_FAIL("another message");
	}
}

/* Encode the token @json as the store would. */
static struct slice
made_up(const char *json)
{
	struct buf b;

	buf_init(&b, &fixture.c.arena);
	base64_encode(&b, slice_from(json));
	return buf_view(&b);
}

static void
a_token_is_valid_for_its_statement_only(void)
{
	static const char text[] = "SELECT * FROM tab WHERE p='b'";
	struct execute_statement_out out = {0};
	int r = page(text, 2, (struct slice){0}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	struct slice token = out.next;

	refused("SELECT * FROM tab WHERE p='c'", token, "Invalid NextToken");
	refused("SELECT * FROM tab WHERE p='b' ", token, "Invalid NextToken");
	refused(text, slice_of(token.at, token.len - 4), "Invalid NextToken");
	refused(text, SLICE("x"), "Invalid NextToken");
	refused(text, made_up("{}"), "Invalid NextToken");
	refused(text, made_up("[]"), "Invalid NextToken");
	refused(text, made_up("{\"s\":\"0\",\"r\":0,\"k\":{}}"), "Invalid NextToken");
	r = page(text, 2, token, &out);
	CU_ASSERT_EQUAL(r, 0);
}

/* Return @token with @from replaced by @to in its decoded text. */
static struct slice
changed(struct slice token, const char *from, const char *to)
{
	struct buf json;
	struct buf other;

	buf_init(&json, &fixture.c.arena);
	buf_init(&other, &fixture.c.arena);
	bool decoded = base64_decode(&json, token);

	if (!decoded || json.at == NULL) {
		abort();
	}
	char *at = memmem(json.at, json.len, from, strlen(from));

	if (at == NULL) {
		abort();
	}
	buf_put(&other, json.at, (size_t)(at - json.at));
	buf_str(&other, to);
	at += strlen(from);
	buf_put(&other, at, (size_t)(json.at + json.len - at));
	return made_up(slice_cstr(&fixture.c.arena, buf_view(&other)));
}

static void
a_modified_token_is_refused(void)
{
	static const char text[] = "SELECT * FROM tab WHERE p IN ('b','c') AND s<4";
	struct execute_statement_out out = {0};
	int r = page(text, 2, (struct slice){0}, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	struct slice token = out.next;

	refused(text, changed(token, "\"r\":0", "\"r\":2"), "Invalid NextToken");
	refused(text, changed(token, "\"r\":0", "\"r\":-1"), "Invalid NextToken");
	refused(text, changed(token, "\"r\":0", "\"r\":99999999999999999999"), "Invalid NextToken");
	refused(text, changed(token, "\"r\":0", "\"r\":\"0\""), "Invalid NextToken");
	refused(text, changed(token, "{\"N\":\"1\"}", "{\"N\":\"x\"}"), "Invalid NextToken");
	refused(text, changed(token, "{\"N\":\"1\"}", "{\"S\":\"1\"}"),
		"The provided starting key is invalid: The provided key element does not match the "
		"schema");
	refused(text, changed(token, "\"b\"", "\"a\""),
		"The query can return at most one row and cannot be restarted");
	refused(text, changed(token, "{\"N\":\"1\"}", "{\"N\":\"5\"}"),
		"The provided starting key does not match the range key predicate");
}

static int
run_batch(const char *const *texts, size_t n, struct batch_execute_statement_out *out)
{
	struct parameterized statements[4] = {0};
	struct batch_execute_statement_in in = {.statements = statements, .n_statements = n};

	for (size_t i = 0; i < n; i++) {
		statements[i].statement = slice_from(texts[i]);
	}
	fixture.c.error = (struct error){0};
	return engine_batch_execute_statement(fixture.e, &fixture.c, &in, out);
}

/* A batch reports no statement as done that may not be on disk: the sync at its end counts, too. */
static void
a_failing_store_fails_the_batch(void)
{
	static const char *const writes[] = {"INSERT INTO tab VALUE {'p':'n','s':1}",
					     "UPDATE tab SET odd=1 WHERE p='a' AND s=1"};
	static const char *const reads[] = {"SELECT * FROM tab WHERE p='a' AND s=1"};
	static const char *const again[] = {"UPDATE tab SET odd=2 WHERE p='a' AND s=1",
					    "DELETE FROM tab WHERE p='n' AND s=1"};
	struct batch_execute_statement_out out = {0};
	uint64_t before = kv_fault_calls(fixture.fault);
	int r = run_batch(writes, 2, &out);
	uint64_t calls = kv_fault_calls(fixture.fault) - before;

	CU_ASSERT_EQUAL(r, 0);
	if (out.results == NULL) {
		abort();
	}
	CU_ASSERT_EQUAL(out.results[0].code.len + out.results[1].code.len, 0);
	kv_fault_arm(fixture.fault, 1);
	r = run_batch(reads, 1, &out);
	CU_ASSERT_EQUAL(r, -ERR_IO);
	kv_fault_arm(fixture.fault, calls);
	r = run_batch(again, 2, &out);
	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_TRUE(kv_fault_fired(fixture.fault));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(pages_continue_where_they_ended),
	UNIT_TEST(a_token_is_valid_for_its_statement_only),
	UNIT_TEST(a_modified_token_is_refused),
	UNIT_TEST(a_failing_store_fails_the_batch),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(statement, setup, fixture_close, tests);
