/* TransactWriteItems and batches: all or nothing, reasons, tokens. */
#include "store/engine/engine.h"
#include "store/local/jobs/tasks.h"
#include "store/local/write/token.h"

#include "tests/support/fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

static void
setup(void)
{
	fixture_open();
	int r = fixture_table("tab k:S | +GSI g:N ALL");

	CU_ASSERT_EQUAL(r, 0);
}

enum { ACTIONS_MAX = 8 };

static struct transact_action actions[ACTIONS_MAX];
static size_t n_actions;

static struct transact_action *
add(enum transact_kind kind, const char *item, const char *condition)
{
	struct transact_action *a = &actions[n_actions++];

	*a = (struct transact_action){
		.kind = kind,
		.table = SLICE("tab"),
		.item = fixture_item(item),
		.condition = slice_from(condition),
	};
	return a;
}

static int
commit(const char *token)
{
	struct transact_write_items_out out;
	struct transact_write_items_in in = {
		.actions = actions, .n_actions = n_actions, .token = slice_from(token)};

	n_actions = 0;
	fixture.c.error = (struct error){0};
	return engine_transact_write_items(fixture.e, &fixture.c, &in, &out);
}

static void
expect_canceled(int r, const char *codes)
{
	struct buf message;
	struct buf got;

	buf_init(&message, &fixture.c.arena);
	buf_init(&got, &fixture.c.arena);
	buf_fmt(&message,
		"Transaction cancelled, please refer cancellation reasons for specific reasons [%s]",
		codes);
	CU_ASSERT_EQUAL(r, -ERR_CANCELED);
	CU_ASSERT_TRUE(slice_is(buf_view(&message), fixture_message()));
	for (size_t i = 0; i < fixture.c.error.n_reasons; i++) {
		buf_fmt(&got, "%s%.*s", i == 0 ? "" : ", ",
			SLICE_ARG(fixture.c.error.reasons[i].code));
	}
	CU_ASSERT_TRUE(slice_is(buf_view(&got), codes));
}

static void
all_actions_are_done_together(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"k\":\"old\"}"), 0);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"k\":\"there\",\"v\":1}"), 0);
	uint64_t before = kv_mem_commits(fixture.mem);

	(void)add(TRANSACT_PUT, "{\"k\":\"new\",\"g\":1}", "attribute_not_exists(k)");
	(void)add(TRANSACT_DELETE, "{\"k\":\"old\"}", NULL);
	(void)add(TRANSACT_CHECK, "{\"k\":\"there\"}", "attribute_exists(v)");
	CU_ASSERT_EQUAL(commit(NULL), 0);
	CU_ASSERT_EQUAL(kv_mem_commits(fixture.mem), before + 1);
	CU_ASSERT_EQUAL(kv_mem_durable(fixture.mem), before + 1);
	fixture_expect("tab", "{\"k\":\"new\"}", "{\"k\":\"new\",\"g\":1}");
	fixture_expect("tab", "{\"k\":\"old\"}", NULL);
	fixture_expect("tab", "{\"k\":\"there\"}", "{\"k\":\"there\",\"v\":1}");
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
one_false_condition_cancels_all_with_every_reason(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"k\":\"there\",\"v\":1}"), 0);
	struct item there = fixture_item("{\"k\":\"there\",\"v\":1}");

	(void)add(TRANSACT_PUT, "{\"k\":\"new\"}", NULL);
	add(TRANSACT_PUT, "{\"k\":\"there\"}", "attribute_not_exists(k)")->return_on_failure =
		RETURN_ALL_OLD;
	(void)add(TRANSACT_CHECK, "{\"k\":\"there\"}", "attribute_exists(k)");
	actions[2].item = fixture_item("{\"k\":\"other\"}");
	int r = commit(NULL);

	expect_canceled(r, "None, ConditionalCheckFailed, ConditionalCheckFailed");
	CU_ASSERT_EQUAL(fixture.c.error.reasons[0].message.len, 0);
	CU_ASSERT_TRUE(
		slice_is(fixture.c.error.reasons[1].message, "The conditional request failed"));
	CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.c.error.reasons[1].item);
	CU_ASSERT_TRUE(item_eq(fixture.c.error.reasons[1].item, &there));
	CU_ASSERT_PTR_NULL(fixture.c.error.reasons[2].item);
	fixture_expect("tab", "{\"k\":\"new\"}", NULL);
	fixture_expect("tab", "{\"k\":\"there\"}", "{\"k\":\"there\",\"v\":1}");
}

static void
an_item_that_does_not_fit_is_its_action_s_reason(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"g\":\"x\"}", NULL);
	(void)add(TRANSACT_DELETE, "{\"k\":\"b\"}", "attribute_exists(k)");
	(void)add(TRANSACT_DELETE, "{\"k\":1}", NULL);
	(void)add(TRANSACT_PUT, "{\"v\":1}", NULL);
	int r = commit(NULL);

	/* Only the validation error is reported, and the condition is not evaluated. */
	expect_canceled(r, "ValidationError, None, None, None");
	CU_ASSERT_TRUE(
		slice_is(fixture.c.error.reasons[0].message,
			 "One or more parameter values were invalid: Type mismatch for Index "
			 "Key g Expected: N Actual: S IndexName: GSI"));
	CU_ASSERT_EQUAL(fixture.c.error.reasons[2].message.len, 0);
	(void)add(TRANSACT_DELETE, "{\"k\":\"b\"}", NULL);
	(void)add(TRANSACT_PUT, "{\"v\":1}", NULL);
	expect_canceled(commit(NULL), "None, ValidationError");
	CU_ASSERT_TRUE(slice_is(fixture.c.error.reasons[1].message,
				"One or more parameter values were invalid: Missing the key k in "
				"the item"));
}

static void
items_must_still_be_as_they_were_seen(void)
{
	static const struct {
		const char *item; /* the item as it was seen; NULL: it was not looked at */
		uint64_t siblings;
		bool stands;
	} rows[] = {
		{"{\"v\":1,\"k\":\"a\"}", 1, true},  {NULL, 1, true},
		{"{\"k\":\"a\",\"v\":2}", 1, false}, {"{\"k\":\"a\"}", 1, false},
		{"{\"k\":\"a\",\"v\":1}", 2, false}, {NULL, 0, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(fixture_put("tab", "{\"k\":\"a\",\"v\":1}"), 0);
		struct transact_action *a = add(TRANSACT_DELETE, "{\"k\":\"a\"}", NULL);
		struct item item = fixture_item(rows[i].item == NULL ? "{}" : rows[i].item);

		a->seen.item = rows[i].item == NULL ? NULL : &item;
		a->seen.siblings = &rows[i].siblings;
		int r = commit(NULL);

		if (rows[i].stands) {
			CU_ASSERT_EQUAL(r, 0);
		} else {
			expect_canceled(r, "ConditionalCheckFailed");
		}
	}
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"k\":\"a\"}"), 0);
	struct item item = fixture_item("{\"k\":\"a\"}");

	add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL)->seen.item = &item;
	expect_canceled(commit(NULL), "ConditionalCheckFailed");

	/* An empty item: there was none. */
	item = (struct item){0};
	add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL)->seen.item = &item;
	CU_ASSERT_EQUAL(commit(NULL), 0);
	add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":1}", NULL)->seen.item = &item;
	expect_canceled(commit(NULL), "ConditionalCheckFailed");
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\"}");
}

static void
errors_of_the_whole_request_are_no_reasons(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	(void)add(TRANSACT_DELETE, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit(NULL), -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(fixture_message(), "Transaction request cannot include multiple "
						  "operations on one item");
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", "k k");
	CU_ASSERT_EQUAL(commit(NULL), -ERR_VALIDATION);
	add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL)->table = SLICE("nope");
	CU_ASSERT_EQUAL(commit(NULL), -ERR_NO_TABLE);
	CU_ASSERT_STRING_EQUAL(fixture_message(), "Requested resource not found");
	fixture_expect("tab", "{\"k\":\"a\"}", NULL);
}

static void
a_token_makes_a_retry_safe(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":{\"SS\":[\"x\",\"y\"]},\"w\":1}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"k\":\"a\"}"), 0);

	/* The same request does nothing again, even with its members in another order. */
	(void)add(TRANSACT_PUT, "{\"w\":1,\"v\":{\"SS\":[\"y\",\"x\"]},\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
	fixture_expect("tab", "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":{\"SS\":[\"x\",\"y\"]},\"w\":1}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
	fixture_expect("tab", "{\"k\":\"a\"}", NULL);

	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":{\"SS\":[\"x\",\"y\"]},\"w\":2}", NULL);
	CU_ASSERT_EQUAL(commit("t"), -ERR_TOKEN_MISMATCH);
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("other"), 0);
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\"}");
}

static void
a_token_ends_after_ten_minutes(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":1}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
	fixture.c.now_ms += 599999;
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":2}", NULL);
	CU_ASSERT_EQUAL(commit("t"), -ERR_TOKEN_MISMATCH);
	fixture.c.now_ms += 1;
	(void)add(TRANSACT_PUT, "{\"k\":\"a\",\"v\":2}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\",\"v\":2}");
}

static void
a_cancelled_transaction_leaves_no_token(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", "attribute_exists(k)");
	CU_ASSERT_EQUAL(commit("t"), -ERR_CANCELED);
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("t"), 0);
}

static size_t
tokens_stored(void)
{
	struct kv_cursor *cur = kv_cursor_new(fixture.mem, NULL);
	size_t n = 0;

	for (cur->ops->seek(cur, SLICE("k")); cur->ops->valid(cur); cur->ops->next(cur)) {
		n += cur->ops->key(cur).at[0] == 'k';
	}
	kv_cursor_free(cur);
	return n;
}

static void
expired_tokens_are_removed(void)
{
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("one"), 0);
	fixture.c.now_ms += 300000;
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("two"), 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(tokens_stored(), 2);
	fixture.c.now_ms += 300000;
	(void)add(TRANSACT_PUT, "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(commit("three"), 0);
	tasks_wait(((struct local *)fixture.e)->tasks);
	CU_ASSERT_EQUAL(tokens_stored(), 2);
	fixture.c.now_ms += 600000;
	CU_ASSERT_EQUAL(fixture_restart(), 0);
	CU_ASSERT_EQUAL(tokens_stored(), 0);
}

/* Requests that differ have different digests. */
static void
digests_differ_when_requests_differ(void)
{
	const struct item item = fixture_item("{\"k\":\"a\",\"l\":[\"x\",\"y\"]}");
	const struct item other = fixture_item("{\"k\":\"a\",\"l\":[\"y\",\"x\"]}");
	const struct item typed = fixture_item("{\"k\":\"a\",\"l\":{\"SS\":[\"x\",\"y\"]}}");
	const struct name_alias names[] = {{SLICE("#a"), SLICE("x")}, {SLICE("#b"), SLICE("y")}};
	const struct name_alias swapped[] = {names[1], names[0]};
	const struct name_alias renamed[] = {{SLICE("#a"), SLICE("y")}, {SLICE("#b"), SLICE("x")}};
	const struct placeholders ph = {.names = names, .n_names = 2};
	const struct transact_action variants[] = {
		{.kind = TRANSACT_PUT, .table = SLICE("tab"), .item = item, .ph = ph},
		{.kind = TRANSACT_DELETE, .table = SLICE("tab"), .item = item, .ph = ph},
		{.kind = TRANSACT_PUT, .table = SLICE("tab2"), .item = item, .ph = ph},
		{.kind = TRANSACT_PUT, .table = SLICE("tab"), .item = other, .ph = ph},
		{.kind = TRANSACT_PUT, .table = SLICE("tab"), .item = typed, .ph = ph},
		{.kind = TRANSACT_PUT, .table = SLICE("tab"), .item = item},
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = item,
		 .ph = {.names = renamed, .n_names = 2}},
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = item,
		 .ph = ph,
		 .condition = SLICE("c")},
		{.kind = TRANSACT_PUT,
		 .table = SLICE("tab"),
		 .item = item,
		 .ph = ph,
		 .return_on_failure = RETURN_ALL_OLD},
	};
	enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };
	uint8_t digests[VARIANTS][SHA256_BYTES];
	struct transact_action same = variants[0];
	uint8_t again[SHA256_BYTES];

	for (size_t i = 0; i < VARIANTS; i++) {
		token_digest(
			&fixture.c,
			&(struct transact_write_items_in){.actions = &variants[i], .n_actions = 1},
			digests[i]);
		for (size_t k = 0; k < i; k++) {
			CU_ASSERT_TRUE(memcmp(digests[i], digests[k], SHA256_BYTES) != 0);
		}
	}
	same.ph.names = swapped;
	token_digest(&fixture.c,
		     &(struct transact_write_items_in){.actions = &same, .n_actions = 1}, again);
	CU_ASSERT_EQUAL(memcmp(again, digests[0], SHA256_BYTES), 0);
}

/* ------------------------------------------------------------ batches */

static int
batch(const char *const *puts, size_t n_puts, const char *const *deletes, size_t n_deletes)
{
	struct batch_action list[30];
	struct batch_write write = {.table = SLICE("tab"), .actions = list};
	struct batch_write_item_out out;

	for (size_t i = 0; i < n_puts; i++) {
		list[write.n_actions++] = (struct batch_action){false, fixture_item(puts[i])};
	}
	for (size_t i = 0; i < n_deletes; i++) {
		list[write.n_actions++] = (struct batch_action){true, fixture_item(deletes[i])};
	}
	fixture.c.error = (struct error){0};
	return engine_batch_write_item(
		fixture.e, &fixture.c,
		&(struct batch_write_item_in){.tables = &write, .n_tables = 1}, &out);
}

static void
a_batch_puts_and_deletes(void)
{
	static const char *const puts[] = {"{\"k\":\"a\",\"v\":1}", "{\"k\":\"b\",\"g\":1}"};
	static const char *const deletes[] = {"{\"k\":\"old\"}", "{\"k\":\"none\"}"};

	CU_ASSERT_EQUAL(fixture_put("tab", "{\"k\":\"old\",\"g\":2}"), 0);
	CU_ASSERT_EQUAL(batch(puts, 2, deletes, 2), 0);
	fixture_expect("tab", "{\"k\":\"a\"}", puts[0]);
	fixture_expect("tab", "{\"k\":\"b\"}", puts[1]);
	fixture_expect("tab", "{\"k\":\"old\"}", NULL);
	CU_ASSERT_EQUAL(kv_mem_durable(fixture.mem), kv_mem_commits(fixture.mem));
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static void
a_batch_with_one_bad_item_does_nothing(void)
{
	static const char *const twice[] = {"{\"k\":\"a\"}"};
	static const char *const wrong[] = {"{\"k\":\"a\"}", "{\"k\":1}"};

	CU_ASSERT_EQUAL(batch(twice, 1, twice, 1), -ERR_VALIDATION);
	CU_ASSERT_STRING_EQUAL(fixture_message(), "Provided list of item keys contains duplicates");
	CU_ASSERT_EQUAL(batch(wrong, 2, NULL, 0), -ERR_VALIDATION);
	fixture_expect("tab", "{\"k\":\"a\"}", NULL);
}

static void
loading_is_unsynced_until_a_sync(void)
{
	struct item items[] = {fixture_item("{\"k\":\"a\",\"g\":1}"), fixture_item("{\"k\":\"b\"}"),
			       fixture_item("{\"k\":\"a\",\"g\":2}")};
	struct load_items_in in = {.table = SLICE("tab"), .items = items, .n_items = 3};
	struct load_items_out out = {0};
	struct sync_out synced;
	uint64_t before = kv_mem_commits(fixture.mem);

	CU_ASSERT_EQUAL(engine_load_items(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.loaded, 3);
	CU_ASSERT_EQUAL(kv_mem_commits(fixture.mem), before + 1);
	CU_ASSERT_EQUAL(kv_mem_durable(fixture.mem), before);
	CU_ASSERT_EQUAL(engine_sync(fixture.e, &fixture.c, &(struct sync_in){0}, &synced), 0);
	CU_ASSERT_EQUAL(kv_mem_durable(fixture.mem), kv_mem_commits(fixture.mem));
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\",\"g\":2}");
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, 2);
	CU_ASSERT_EQUAL(fixture_check(), 0);

	items[1] = fixture_item("{\"k\":1}");
	items[0] = fixture_item("{\"k\":\"new\"}");
	CU_ASSERT_EQUAL(engine_load_items(fixture.e, &fixture.c, &in, &out), -ERR_VALIDATION);
	fixture_expect("tab", "{\"k\":\"new\"}", NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(all_actions_are_done_together),
	UNIT_TEST(one_false_condition_cancels_all_with_every_reason),
	UNIT_TEST(an_item_that_does_not_fit_is_its_action_s_reason),
	UNIT_TEST(items_must_still_be_as_they_were_seen),
	UNIT_TEST(errors_of_the_whole_request_are_no_reasons),
	UNIT_TEST(a_token_makes_a_retry_safe),
	UNIT_TEST(a_token_ends_after_ten_minutes),
	UNIT_TEST(a_cancelled_transaction_leaves_no_token),
	UNIT_TEST(expired_tokens_are_removed),
	UNIT_TEST(digests_differ_when_requests_differ),
	UNIT_TEST(a_batch_puts_and_deletes),
	UNIT_TEST(a_batch_with_one_bad_item_does_nothing),
	UNIT_TEST(loading_is_unsynced_until_a_sync),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(transact, setup, fixture_close, tests);
