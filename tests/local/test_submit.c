/* Asynchronous operations: engine_submit() on the embedded engine. */
#include <stdatomic.h>

#include "store/engine/engine.h"

#include "tests/support/fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 1 << 20 };

/* One operation and, once it is done, its result. */
struct pending {
	struct call c;
	struct op_in in;
	struct op_out out;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool done;
	int result;
};

static void
setup(void)
{
	fixture_open();
	if (fixture_table("tab k:S | +GSI g:S ALL") != 0) {
		printf("%s\n", fixture_message());
	}
}

static void
note(void *arg, int r)
{
	struct pending *p = arg;

	lock_scope(&p->lock);
	CU_ASSERT_FALSE(p->done);
	p->done = true;
	p->result = r;
	(void)pthread_cond_signal(&p->ended);
}

static struct pending *
pending_new(enum op_type type)
{
	struct pending *p = calloc(1, sizeof(*p));

	if (p == NULL) {
		abort();
	}
	call_open(&p->c, fixture.c.now_ms, CALL_BUDGET);
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_cond_init(&p->ended, NULL);
	p->in.type = type;
	p->out.type = type;
	return p;
}

static void
pending_free(struct pending *p)
{
	call_close(&p->c);
	(void)pthread_cond_destroy(&p->ended);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

static void
submit(struct pending *p)
{
	bool taken = engine_submit(fixture.e, &p->c, &p->in, &p->out, note, p);

	CU_ASSERT_TRUE(taken);
}

static struct pending *
submit_put(const char *item, const char *condition)
{
	struct pending *p = pending_new(OP_PUT_ITEM);

	p->in.put_item = (struct put_item_in){
		.write = {.table = SLICE("tab"),
			  .item = item_of(&p->c, item),
			  .condition =
				  condition == NULL ? (struct slice){0} : slice_from(condition),
			  .return_values = RETURN_ALL_OLD,
			  .return_on_failure = RETURN_ALL_OLD}};
	submit(p);
	return p;
}

static int
wait_for(struct pending *p)
{
	lock_scope(&p->lock);
	while (!p->done) {
		(void)pthread_cond_wait(&p->ended, &p->lock);
	}
	return p->result;
}

static void
submitted_puts_and_deletes_work(void)
{
	struct pending *first = submit_put("{\"k\":\"a\",\"v\":1}", NULL);

	CU_ASSERT_EQUAL(wait_for(first), 0);
	CU_ASSERT_FALSE(first->out.put_item.written.had_old);
	struct pending *second = submit_put("{\"k\":\"a\",\"v\":2}", NULL);

	CU_ASSERT_EQUAL(wait_for(second), 0);
	CU_ASSERT_TRUE(second->out.put_item.written.had_old);
	CU_ASSERT_EQUAL(second->out.put_item.written.attributes.n, 2);
	CU_ASSERT_TRUE(second->out.put_item.written.seq > first->out.put_item.written.seq);
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\",\"v\":2}");
	struct pending *third = pending_new(OP_DELETE_ITEM);

	third->in.delete_item =
		(struct delete_item_in){.write = {.table = SLICE("tab"),
						  .item = item_of(&third->c, "{\"k\":\"a\"}"),
						  .return_values = RETURN_ALL_OLD}};
	submit(third);
	CU_ASSERT_EQUAL(wait_for(third), 0);
	CU_ASSERT_EQUAL(third->out.delete_item.written.attributes.n, 2);
	fixture_expect("tab", "{\"k\":\"a\"}", NULL);
	CU_ASSERT_EQUAL(fixture_check(), 0);
	pending_free(first);
	pending_free(second);
	pending_free(third);
}

static void
submitted_updates_work(void)
{
	struct pending *p = pending_new(OP_UPDATE_ITEM);

	p->in.update_item = (struct update_item_in){
		.write = {.table = SLICE("tab"),
			  .item = item_of(&p->c, "{\"k\":\"a\"}"),
			  .return_values = RETURN_UPDATED_NEW},
		.update = SLICE("SET v = k"),
	};
	submit(p);
	CU_ASSERT_EQUAL(wait_for(p), 0);
	CU_ASSERT_EQUAL(p->out.update_item.written.attributes.n, 1);
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\",\"v\":\"a\"}");
	pending_free(p);
}

static void
a_failed_condition_returns_the_item(void)
{
	int r = fixture_put("tab", "{\"k\":\"a\",\"v\":1}");
	struct pending *p = submit_put("{\"k\":\"a\",\"v\":2}", "attribute_not_exists(k)");

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(wait_for(p), -ERR_CONDITION);
	CU_ASSERT_PTR_NOT_NULL(p->c.error.item);
	fixture_expect("tab", "{\"k\":\"a\"}", "{\"k\":\"a\",\"v\":1}");
	pending_free(p);
}

static void
operations_without_a_commit_are_done_before_the_return(void)
{
	struct pending *bad = submit_put("{\"v\":1}", NULL);
	struct pending *none = pending_new(OP_GET_ITEM);
	struct pending *invalid = pending_new(OP_PUT_ITEM);

	none->in.get_item = (struct get_item_in){
		.table = SLICE("tab"),
		.key = item_of(&none->c, "{\"k\":\"a\"}"),
	};
	submit(none);
	invalid->in.put_item = (struct put_item_in){
		.write = {.table = SLICE("x"), .item = item_of(&invalid->c, "{\"k\":\"a\"}")}};
	submit(invalid);
	CU_ASSERT_TRUE(bad->done);
	CU_ASSERT_EQUAL(bad->result, -ERR_VALIDATION);
	CU_ASSERT_TRUE(none->done);
	CU_ASSERT_EQUAL(none->result, 0);
	CU_ASSERT_FALSE(none->out.get_item.found);
	CU_ASSERT_TRUE(invalid->done);
	CU_ASSERT_EQUAL(invalid->result, -ERR_VALIDATION);
	pending_free(bad);
	pending_free(none);
	pending_free(invalid);
}

static void
long_operations_are_not_taken(void)
{
	struct pending *p = pending_new(OP_SCAN);

	CU_ASSERT_FALSE(engine_submit(fixture.e, &p->c, &p->in, &p->out, note, p));
	CU_ASSERT_FALSE(p->done);
	pending_free(p);
}

static void
a_failed_commit_is_reported(void)
{
	kv_fault_arm(fixture.fault, 2); /* the table's totals, the commit */
	struct pending *p = submit_put("{\"k\":\"a\"}", NULL);

	CU_ASSERT_EQUAL(wait_for(p), -ERR_IO);
	kv_fault_arm(fixture.fault, 0);
	struct pending *next = submit_put("{\"k\":\"a\"}", NULL);

	CU_ASSERT_EQUAL(wait_for(next), -ERR_READ_ONLY);
	pending_free(p);
	pending_free(next);
}

static void *
drop_table(void *arg)
{
	struct call c;
	struct delete_table_out out;

	call_open(&c, fixture.c.now_ms, CALL_BUDGET);
	*(int *)arg = engine_delete_table(fixture.e, &c,
					  &(struct delete_table_in){.table = SLICE("tab")}, &out);
	call_close(&c);
	return NULL;
}

static void
an_operation_bound_to_a_dropped_table_is_bound_again(void)
{
	pthread_t dropping;
	int dropped = 1;

	kv_fault_hold(fixture.fault);
	(void)pthread_create(&dropping, NULL, drop_table, &dropped);
	kv_fault_wait_held(fixture.fault);
	/* The deletion of the table is being committed, and not visible yet. */
	struct pending *p = submit_put("{\"k\":\"a\"}", NULL);

	CU_ASSERT_FALSE(p->done);
	kv_fault_go_on(fixture.fault);
	(void)pthread_join(dropping, NULL);
	CU_ASSERT_EQUAL(dropped, 0);
	CU_ASSERT_EQUAL(wait_for(p), -ERR_NO_TABLE);
	pending_free(p);
}

/* ------------------------------------------------------------ many */

enum { WRITERS = 4, ITEMS = 200 };

static void *
put_many(void *arg)
{
	unsigned writer = *(unsigned *)arg;

	for (unsigned i = 0; i < ITEMS; i++) {
		struct call c;
		struct put_item_out out;

		call_open(&c, fixture.c.now_ms, CALL_BUDGET);
		struct buf json;

		buf_init(&json, &c.arena);
		buf_fmt(&json, "{\"k\":\"w%u-%u\",\"g\":\"x\"}", writer, i);
		buf_char(&json, '\0');
		struct put_item_in in = {
			.write = {.table = SLICE("tab"), .item = item_of(&c, json.at)}};
		int r = engine_put_item(fixture.e, &c, &in, &out);

		CU_ASSERT_EQUAL(r, 0);
		call_close(&c);
	}
	return NULL;
}

static void
they_share_groups_with_synchronous_operations(void)
{
	pthread_t thread[WRITERS];
	unsigned writer[WRITERS];
	struct pending *p[ITEMS];

	for (unsigned i = 0; i < WRITERS; i++) {
		writer[i] = i;
		(void)pthread_create(&thread[i], NULL, put_many, &writer[i]);
	}
	for (unsigned i = 0; i < ITEMS; i++) {
		char json[64];

		(void)snprintf(json, sizeof(json), "{\"k\":\"s%u\",\"g\":\"x\"}", i);
		p[i] = submit_put(json, NULL);
	}
	for (unsigned i = 0; i < ITEMS; i++) {
		CU_ASSERT_EQUAL(wait_for(p[i]), 0);
		pending_free(p[i]);
	}
	for (unsigned i = 0; i < WRITERS; i++) {
		(void)pthread_join(thread[i], NULL);
	}
	CU_ASSERT_EQUAL(fixture_totals("tab", NULL).items, (size_t)(WRITERS + 1) * ITEMS);
	CU_ASSERT_EQUAL(fixture_totals("tab", "GSI").items, (size_t)(WRITERS + 1) * ITEMS);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(submitted_puts_and_deletes_work),
	UNIT_TEST(submitted_updates_work),
	UNIT_TEST(a_failed_condition_returns_the_item),
	UNIT_TEST(operations_without_a_commit_are_done_before_the_return),
	UNIT_TEST(long_operations_are_not_taken),
	UNIT_TEST(a_failed_commit_is_reported),
	UNIT_TEST(an_operation_bound_to_a_dropped_table_is_bound_again),
	UNIT_TEST(they_share_groups_with_synchronous_operations),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(submit, setup, fixture_close, tests);
