#include <stdlib.h>
#include <unistd.h>

#include "store/engine/log.h"

#include "tests/support/unit.h"

static bool closed;

static int
fake_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	(void)e;
	if (in->type == OP_PUT_ITEM) {
		return call_fail(c, ERR_CONDITION, "two\nlines");
	}
	out->get_item.found = true;
	return 0;
}

static bool
fake_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	    engine_done_fn *done, void *arg)
{
	if (in->type == OP_SCAN) {
		return false;
	}
	done(arg, fake_execute(e, c, in, out));
	return true;
}

static void
fake_close(struct engine *e)
{
	(void)e;
	closed = true;
}

static const struct engine_ops fake_ops = {
	.execute = fake_execute, .submit = fake_submit, .close = fake_close};
static struct engine fake = {.ops = &fake_ops};
static struct call c;
static int ends[2];
static struct engine *e;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
	if (pipe(ends) != 0) {
		abort();
	}
	closed = false;
	e = log_open(&fake, ends[1]);
}

static void
teardown(void)
{
	(void)close(ends[0]);
	(void)close(ends[1]);
	call_close(&c);
}

static const char *
read_line(void)
{
	char *line = arena_new(&c.arena, char, 1024);

	if (read(ends[0], line, 1023) < 0) {
		abort();
	}
	return line;
}

static void
one_line_tells_name_time_and_failure(void)
{
	struct get_item_out got = {0};
	struct put_item_out put = {0};
	unsigned us = 0;
	int end = 0;
	int r = engine_get_item(e, &c, &(struct get_item_in){0}, &got);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(got.found);
	CU_ASSERT_EQUAL(sscanf(read_line(), "GetItem %u us%n", &us, &end), 1);
	CU_ASSERT_TRUE(end > 0);
	r = engine_put_item(e, &c, &(struct put_item_in){0}, &put);
	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	const char *line = read_line();

	CU_ASSERT_PTR_NOT_NULL(strstr(line, " us ConditionalCheckFailedException: two lines ("));
	CU_ASSERT_PTR_EQUAL(strchr(line, '\n'), line + strlen(line) - 1);
	engine_close(e);
	CU_ASSERT_TRUE(closed);
}

static void
keep_result(void *arg, int r)
{
	*(int *)arg = r;
}

static void
what_is_submitted_is_told_when_it_is_done(void)
{
	struct op_in put = {.type = OP_PUT_ITEM};
	struct op_in scan = {.type = OP_SCAN};
	struct op_out out;
	int result = 0;

	CU_ASSERT_TRUE(engine_submit(e, &c, &put, &out, keep_result, &result));
	CU_ASSERT_EQUAL(result, -ERR_CONDITION);
	CU_ASSERT_PTR_NOT_NULL(strstr(read_line(), "PutItem"));
	CU_ASSERT_FALSE(engine_submit(e, &c, &scan, &out, keep_result, &result));
	engine_close(e);
}

static void
an_engine_without_feed_and_views_stays_without(void)
{
	CU_ASSERT_PTR_NULL(engine_feed(e));
	CU_ASSERT_PTR_NULL(engine_view_open(e));
	engine_close(e);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(one_line_tells_name_time_and_failure),
	UNIT_TEST(what_is_submitted_is_told_when_it_is_done),
	UNIT_TEST(an_engine_without_feed_and_views_stays_without),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(log, setup, teardown, tests);
