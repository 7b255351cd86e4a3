/*
 * Tests of saves while names change: a FLUSH arrives just after the store was changed.  Each test checks one rule.
 */
#include "fs/file/file.h"
#include "fs/file/handle.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"

#include "tests/fs/mount_fixture.h"
#include "tests/fs/waiters.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { BUDGET = 1 << 20, ROUNDS = 100 };

#define A "{\"pk\":\"p\",\"sk\":\"a\""
#define B "{\"pk\":\"p\",\"sk\":\"b\""
#define Q "{\"pk\":\"q\",\"sk\":\"a\""

/* An engine around the fixture's: another thread saves as soon as the expected operation is done. */
static struct saver {
	struct engine engine;
	struct handle *h;
	enum op_type after; /* the operation; once */
	bool waits;
	bool opens; /* it opens the file only then */
	struct node *node;
	pthread_t thread;
	bool saves; /* the thread was started */
	int result;
} saver;

/* Counters of the threads that a test started. */
static struct {
	atomic_uint waiting; /* number of threads that wait for a lock */
	atomic_uint ended;
} others;

/* Wait until one more thread has ended or waits for a lock; @before threads had. */
static void
wait_for_one_more(unsigned before)
{
	unsigned tries = 0;

	while (atomic_load(&others.waiting) + atomic_load(&others.ended) <= before &&
	       wait_again(&tries)) {
	}
	CU_ASSERT_EQUAL(atomic_load(&others.waiting) + atomic_load(&others.ended), before + 1);
}

static void
save_text(void)
{
	struct call c;
	uint64_t seq = 0;

	call_open(&c, 1795251662345, BUDGET);
	int r = file_write(mount_fixture.m, &c, saver.h, 0, SLICE("{\"v\":\"saved\"}"));

	saver.result = r != 0 ? r : file_flush(mount_fixture.m, &c, saver.h->file, false, &seq);
	call_close(&c);
}

static void *
save(void *arg)
{
	(void)arg;
	waiters_watch(&others.waiting);
	if (saver.opens) {
		saver.h = handle_open(mount_fixture.m, &fixture.c, saver.node, true);
	}
	if (saver.h != NULL) {
		save_text();
	}
	waiters_watch(NULL);
	atomic_fetch_add(&others.ended, 1);
	return NULL;
}

/* Start the saving thread; continue when it has ended or waits for the operation in progress. */
static void
begin_to_save(void)
{
	CU_ASSERT_EQUAL(pthread_create(&saver.thread, NULL, save, NULL), 0);
	saver.saves = true;
	wait_for_one_more(0);
}

static int
saver_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	int r = engine_execute(fixture.e, c, in, out);

	(void)e;
	if (saver.waits && in->type == saver.after && r == 0) {
		saver.waits = false;
		begin_to_save();
	}
	return r;
}

/* Set up items a and b; @path is open with an unsaved text. */
static void
begin(const char *path, enum op_type after)
{
	static const struct engine_ops ops = {.execute = saver_execute};

	saver = (struct saver){.engine.ops = &ops, .result = -1};
	atomic_store(&others.waiting, 0);
	atomic_store(&others.ended, 0);
	mount_fixture.m->engine = &saver.engine;
	(void)fixture_put("tab", A ",\"v\":\"a\"}");
	(void)fixture_put("tab", B ",\"v\":\"b\"}");
	struct handle *h = handle_open(mount_fixture.m, &fixture.c,
				       mount_fixture_node(mount_fixture.m, path), true);

	file_truncate_open(mount_fixture.m, mount_fixture_clean(), h);
	CU_ASSERT_EQUAL(file_write(mount_fixture.m, mount_fixture_clean(), h, 0,
				   SLICE("{\"v\":\"begun\"}")),
			0);
	saver.h = h;
	saver.after = after;
	saver.waits = true;
}

static void
end(void)
{
	if (saver.saves) {
		CU_ASSERT_EQUAL(pthread_join(saver.thread, NULL), 0);
	}
	CU_ASSERT_EQUAL(saver.result, 0);
	(void)file_finish(mount_fixture.m, mount_fixture_clean(), saver.h);
	handle_close(mount_fixture.m, saver.h);
}

/* Set up items a and b; @path is opened only during the operation, and then saved. */
static void
begin_closed(const char *path, enum op_type after)
{
	begin(path, after);
	(void)file_finish(mount_fixture.m, mount_fixture_clean(), saver.h);
	handle_close(mount_fixture.m, saver.h);
	saver.h = NULL;
	saver.opens = true;
	saver.node = mount_fixture_node(mount_fixture.m, path);
}

/* Check that the opening thread was told to look the name up again. */
static void
end_closed(void)
{
	if (saver.saves) {
		CU_ASSERT_EQUAL(pthread_join(saver.thread, NULL), 0);
	}
	CU_ASSERT_PTR_NULL(saver.h);
	if (saver.h != NULL) {
		(void)file_finish(mount_fixture.m, mount_fixture_clean(), saver.h);
		handle_close(mount_fixture.m, saver.h);
	}
}

/* ------------------------------------------------------------ */

static void
an_item_that_replaces_an_open_file_stays(void)
{
	begin("tab/p/b.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	end();
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", B "}", B ",\"v\":\"a\"}");
}

static void
a_scratch_file_that_replaces_an_open_file_stays(void)
{
	const struct scratch like = {.mode = 0644};
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/.tmp");

	CU_ASSERT_EQUAL(scratch_create(mount_fixture.m, mount_fixture_clean(), n, &like), 0);
	struct handle *h = handle_open(mount_fixture.m, &fixture.c, n, true);

	CU_ASSERT_EQUAL(
		file_write(mount_fixture.m, mount_fixture_clean(), h, 0, SLICE("{\"v\":\"tmp\"}")),
		0);
	handle_close(mount_fixture.m, h);
	begin("tab/p/b.json", OP_PUT_ITEM);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", ".tmp", "tab/p", "b.json", 0), 0);
	end();
	fixture_expect("tab", B "}", B ",\"v\":\"tmp\"}");
}

static void
a_removed_item_is_not_saved_again(void)
{
	begin("tab/p/b.json", OP_DELETE_ITEM);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "b.json"), 0);
	end();
	fixture_expect("tab", B "}", NULL);
}

static void
an_item_opened_while_it_is_removed_is_looked_up_again(void)
{
	begin_closed("tab/p/b.json", OP_DELETE_ITEM);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "b.json"), 0);
	end_closed();
	fixture_expect("tab", B "}", NULL);
}

static void
an_item_opened_while_it_is_replaced_is_looked_up_again(void)
{
	begin_closed("tab/p/b.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	end_closed();
	fixture_expect("tab", B "}", B ",\"v\":\"a\"}");
}

static void
a_removed_file_that_is_still_open_is_opened_for_reading_only(void)
{
	begin("tab/p/b.json", OP_GET_ITEM);
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/b.json");

	saver.waits = false;
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "b.json"), 0);
	CU_ASSERT_PTR_NULL(handle_open(mount_fixture.m, &fixture.c, n, true));
	struct handle *h = handle_open(mount_fixture.m, &fixture.c, n, false);

	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	struct slice text;

	CU_ASSERT_EQUAL(file_read(mount_fixture.m, mount_fixture_clean(), h, false, 0, 100, &text),
			0);
	CU_ASSERT_TRUE(slice_is(text, "{\"v\":\"begun\"}"));
	handle_close(mount_fixture.m, h);
	(void)file_finish(mount_fixture.m, mount_fixture_clean(), saver.h);
	handle_close(mount_fixture.m, saver.h);
	fixture_expect("tab", B "}", NULL);
	inode_ref(&mount_fixture.m->inodes, n);
	CU_ASSERT_PTR_NULL(handle_open(mount_fixture.m, &fixture.c, n, false));
	inode_unref(&mount_fixture.m->inodes, n);
}

static void
a_save_of_an_exchanged_item_goes_to_the_new_name(void)
{
	begin("tab/p/a.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_EXCHANGE),
			0);
	end();
	fixture_expect("tab", A "}", A ",\"v\":\"b\"}");
	fixture_expect("tab", B "}", B ",\"v\":\"saved\"}");
}

static void
a_save_of_a_renamed_item_goes_to_the_new_name(void)
{
	begin("tab/p/a.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	end();
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", B "}", B ",\"v\":\"saved\"}");
}

/* The text stays with the file. The table keeps the item that is hidden. */
static void
a_save_of_an_item_that_becomes_a_backup_goes_to_the_backup(void)
{
	begin("tab/p/a.json", OP_GET_ITEM);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	end();
	fixture_expect("tab", A "}", A ",\"v\":\"begun\"}");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a~"),
			       "{\"v\":\"saved\"}");
}

static void
a_save_follows_its_renamed_partition(void)
{
	begin("tab/p/a.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", 0), 0);
	end();
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", Q "}", Q ",\"v\":\"saved\"}");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "q\n");
}

static void
a_save_follows_its_exchanged_partition(void)
{
	(void)fixture_put("tab", Q ",\"v\":\"q\"}");
	begin("tab/p/a.json", OP_TRANSACT_WRITE_ITEMS);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", MOVE_EXCHANGE), 0);
	end();
	fixture_expect("tab", A "}", A ",\"v\":\"q\"}");
	fixture_expect("tab", Q "}", Q ",\"v\":\"saved\"}");
}

/* ------------------------------------------------------------ */

static void *
release(void *arg)
{
	struct handle *h = arg;
	struct call c;

	call_open(&c, 1795251662345, BUDGET);
	waiters_watch(&others.waiting);
	(void)file_finish(mount_fixture.m, &c, h);
	waiters_watch(NULL);
	handle_close(mount_fixture.m, h);
	call_close(&c);
	atomic_fetch_add(&others.ended, 1);
	return NULL;
}

/* Let both wait for a rename, and then run in any order.  Return: true if the item is empty */
static bool
end_both(struct handle *emptier, struct handle *other)
{
	pthread_t thread[2];

	atomic_store(&others.ended, 0);
	(void)pthread_rwlock_wrlock(&mount_fixture.m->names_lock);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[0], NULL, release, emptier), 0);
	wait_for_one_more(0);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[1], NULL, release, other), 0);
	wait_for_one_more(1);
	CU_ASSERT_EQUAL(atomic_load(&others.waiting), 2);
	(void)pthread_rwlock_unlock(&mount_fixture.m->names_lock);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(pthread_join(thread[i], NULL), 0);
	}
	return strstr(mount_fixture_text(mount_fixture.m, "tab/p/a.json"), "\"v\"") == NULL;
}

static void
an_emptied_file_is_saved_whichever_writer_ends_last(void)
{
	bool all = true;

	for (int i = 0; i < ROUNDS && all; i++) {
		(void)fixture_put("tab", A ",\"v\":1}");
		struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/a.json");
		struct handle *emptier = handle_open(mount_fixture.m, &fixture.c, n, true);
		struct handle *other = handle_open(mount_fixture.m, &fixture.c, n, true);

		file_truncate_open(mount_fixture.m, mount_fixture_clean(), emptier);
		all = end_both(emptier, other);
	}
	CU_ASSERT_TRUE(all);
	fixture_expect("tab", A "}", A "}");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_item_that_replaces_an_open_file_stays),
	UNIT_TEST(a_scratch_file_that_replaces_an_open_file_stays),
	UNIT_TEST(a_removed_item_is_not_saved_again),
	UNIT_TEST(an_item_opened_while_it_is_removed_is_looked_up_again),
	UNIT_TEST(an_item_opened_while_it_is_replaced_is_looked_up_again),
	UNIT_TEST(a_removed_file_that_is_still_open_is_opened_for_reading_only),
	UNIT_TEST(a_save_of_a_renamed_item_goes_to_the_new_name),
	UNIT_TEST(a_save_of_an_item_that_becomes_a_backup_goes_to_the_backup),
	UNIT_TEST(a_save_follows_its_renamed_partition),
	UNIT_TEST(a_save_follows_its_exchanged_partition),
	UNIT_TEST(a_save_of_an_exchanged_item_goes_to_the_new_name),
	UNIT_TEST(an_emptied_file_is_saved_whichever_writer_ends_last),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(saves, mount_fixture_open, mount_fixture_close, tests);
