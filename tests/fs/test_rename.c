/*
 * Tests of renames while another front end writes between the read and the transaction.  Each test checks one rule.
 */
#include "fs/core/pending.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"

#include "tests/fs/mount_fixture.h"
#include "tests/fs/writer.h"
#include "tests/support/unit.h"

enum { EVERY_TIME = 1000 };

#define A "{\"pk\":\"p\",\"sk\":\"a\""
#define B "{\"pk\":\"p\",\"sk\":\"b\""
#define Q "{\"pk\":\"q\",\"sk\":\"a\""

/* An engine around the fixture's; another front end writes just before the transaction of a rename. */
static struct rival {
	struct engine engine;
	void (*writes)(void);  /* just before a transaction */
	int times;             /* number of further transactions with such a write */
	int seen;              /* number of transactions */
	int gets;              /* number of GetItem calls */
	bool throttles;        /* fail deletes */
	void (*deletes)(void); /* just before a delete; once */
	void (*lists)(void);   /* just after partitions were listed; once */
} rival;

static int
rival_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	(void)e;
	rival.gets += in->type == OP_GET_ITEM;
	if (in->type == OP_TRANSACT_WRITE_ITEMS) {
		rival.seen++;
		if (rival.times-- > 0) {
			rival.writes();
		}
	}
	if (in->type == OP_DELETE_ITEM && rival.throttles) {
		return call_fail(c, ERR_THROTTLED, "later");
	}
	if (in->type == OP_DELETE_ITEM && rival.deletes != NULL) {
		rival.deletes();
		rival.deletes = NULL;
	}
	int r = engine_execute(fixture.e, c, in, out);

	if (in->type == OP_LIST_PARTITIONS && rival.lists != NULL) {
		rival.lists();
		rival.lists = NULL;
	}
	return r;
}

static void
setup(void)
{
	static const struct engine_ops ops = {.execute = rival_execute};

	mount_fixture_open();
	rival = (struct rival){.engine.ops = &ops};
	mount_fixture.m->engine = &rival.engine;
	(void)fixture_put("tab", A ",\"v\":1}");
}

static void
let_write(void (*writes)(void), int times)
{
	rival.writes = writes;
	rival.times = times;
}

static uint64_t
time_of(const char *key)
{
	struct get_item_out out = {0};
	struct get_item_in in = {.table = SLICE("tab"), .key = fixture_item(key)};

	fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_get_item(fixture.e, &fixture.c, &in, &out), 0);
	return out.mtime_ns;
}

static void
set_time(const char *key, uint64_t mtime_ns)
{
	struct set_time_out out;
	struct set_time_in in = {
		.table = SLICE("tab"), .key = fixture_item(key), .mtime_ns = mtime_ns};

	CU_ASSERT_EQUAL(engine_set_time(fixture.e, &fixture.c, &in, &out), 0);
}

/* ------------------------------------------------------------ what the other front end does */

static int counter;

static void
count_up(void)
{
	char json[64];

	(void)snprintf(json, sizeof(json), A ",\"v\":%d}", ++counter);
	CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
}

static void
overwrite_a(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", A ",\"v\":2}"), 0);
}

static void
overwrite_b(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", B ",\"v\":2}"), 0);
}

static void
overwrite_both(void)
{
	overwrite_a();
	overwrite_b();
}

static void
delete_a(void)
{
	CU_ASSERT_EQUAL(fixture_delete("tab", A "}"), 0);
}

static void
delete_b(void)
{
	CU_ASSERT_EQUAL(fixture_delete("tab", B "}"), 0);
}

static void
add_to_p(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"new\"}"), 0);
}

static void
add_to_q(void)
{
	CU_ASSERT_EQUAL(fixture_put("tab", Q ",\"v\":9}"), 0);
}

/* ------------------------------------------------------------ items */

static void
an_overwritten_item_is_renamed_with_its_new_content(void)
{
	let_write(overwrite_a, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", B "}", B ",\"v\":2}");
	CU_ASSERT_EQUAL(rival.seen, 2);
}

static void
a_removed_item_is_absent(void)
{
	let_write(delete_a, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0),
			PLACE_ABSENT);
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", B "}", NULL);
}

static void
an_item_that_changes_every_time_is_not_renamed(void)
{
	counter = 1;
	let_write(count_up, EVERY_TIME);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0),
			-ERR_CONFLICT);
	CU_ASSERT_TRUE(rival.seen > 1 && rival.seen < EVERY_TIME);
	CU_ASSERT_EQUAL(counter, 1 + rival.seen);
	fixture_expect("tab", B "}", NULL);
}

static void
a_target_created_meanwhile_is_replaced(void)
{
	let_write(overwrite_b, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	fixture_expect("tab", B "}", B ",\"v\":1}");
}

static void
a_target_created_meanwhile_is_an_error_if_replacing_is_forbidden(void)
{
	let_write(overwrite_b, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_NOREPLACE),
			PLACE_EXISTS);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	fixture_expect("tab", B "}", B ",\"v\":2}");

	(void)fixture_delete("tab", B "}");
	let_write(overwrite_both, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_NOREPLACE),
			PLACE_EXISTS);
	fixture_expect("tab", A "}", A ",\"v\":2}");
	fixture_expect("tab", B "}", B ",\"v\":2}");
}

static void
an_exchange_uses_the_newest_versions(void)
{
	(void)fixture_put("tab", B ",\"w\":1}");
	let_write(overwrite_a, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_EXCHANGE),
			0);
	fixture_expect("tab", A "}", A ",\"w\":1}");
	fixture_expect("tab", B "}", B ",\"v\":2}");

	(void)fixture_put("tab", A ",\"v\":1}");
	(void)fixture_put("tab", B ",\"w\":1}");
	let_write(overwrite_b, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_EXCHANGE),
			0);
	fixture_expect("tab", A "}", A ",\"v\":2}");
	fixture_expect("tab", B "}", B ",\"v\":1}");
}

static void
an_exchange_fails_if_one_item_disappears(void)
{
	(void)fixture_put("tab", B ",\"w\":1}");
	let_write(delete_b, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_EXCHANGE),
			PLACE_ABSENT);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	fixture_expect("tab", B "}", NULL);
}

static void
times_move_with_the_items(void)
{
	set_time(A "}", 1000);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", 0), 0);
	CU_ASSERT_EQUAL(time_of(B "}"), 1000);

	overwrite_a();
	set_time(A "}", 2000);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b.json", MOVE_EXCHANGE),
			0);
	CU_ASSERT_EQUAL(time_of(A "}"), 1000);
	CU_ASSERT_EQUAL(time_of(B "}"), 2000);
}

static void
times_move_with_a_partition_and_are_read_in_one_request(void)
{
	(void)fixture_put("tab", B ",\"v\":2}");
	set_time(A "}", 1000);
	set_time(B "}", 2000);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", 0), 0);
	CU_ASSERT_EQUAL(time_of(Q "}"), 1000);
	CU_ASSERT_EQUAL(time_of("{\"pk\":\"q\",\"sk\":\"b\"}"), 2000);
	CU_ASSERT_EQUAL(rival.gets, 0);
}

/* ------------------------------------------------------------ backups */

static void
a_backup_stays_while_its_item_cannot_be_deleted(void)
{
	struct node *dir = mount_fixture_node(mount_fixture.m, "tab/p");
	char text[64];

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	(void)snprintf(text, sizeof(text), "%s", mount_fixture_text(mount_fixture.m, "tab/p/a~"));
	rival.throttles = true;
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a~"), -ERR_THROTTLED);
	CU_ASSERT_TRUE(hidden_is(mount_fixture.m, dir, SLICE("a")));
	(void)fixture_put("tab", B ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "a~", 0), -ERR_THROTTLED);
	CU_ASSERT_TRUE(hidden_is(mount_fixture.m, dir, SLICE("a")));
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a~"), text);
	fixture_expect("tab", B "}", B ",\"v\":1}");

	rival.throttles = false;
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a~"), 0);
	CU_ASSERT_FALSE(hidden_is(mount_fixture.m, dir, SLICE("a")));
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "b.json\n");
	fixture_expect("tab", A "}", NULL);
}

static struct file *
file_at(const char *path)
{
	return file_get(mount_fixture.m, mount_fixture_node(mount_fixture.m, path));
}

/* Save the copy of b.json, which is becoming a backup, as the thread of hidden items does. */
static void
save_b(void)
{
	struct file *f = file_at("tab/p/b.json");

	CU_ASSERT_EQUAL(scratch_save(mount_fixture.m, mount_fixture_clean(), f, false), 0);
	CU_ASSERT_FALSE(f->unsaved);
	file_put(mount_fixture.m, f);
}

static void
a_copy_that_was_saved_with_the_old_name_is_saved_again(void)
{
	(void)fixture_put("tab", B ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	rival.deletes = save_b;
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "a~", 0), 0);
	CU_ASSERT_PTR_NULL(rival.deletes);
	struct file *f = file_at("tab/p/a~");

	CU_ASSERT_TRUE(f->unsaved);
	file_put(mount_fixture.m, f);
}

/* Save a new item in a partition that was just found empty. */
static void
save_new(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/new.json", false, NULL);

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 0, "{}"), 0);
	writer_release(mount_fixture.m, h);
}

static void
a_partition_that_gets_an_item_while_it_is_emptied_is_not_kept_without_items(void)
{
	rival.lists = save_new;
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/q", "a.json", 0), 0);
	CU_ASSERT_PTR_NULL(rival.lists);
	fixture_expect("tab", "{\"pk\":\"p\",\"sk\":\"new\"}", "{\"pk\":\"p\",\"sk\":\"new\"}");
	CU_ASSERT_FALSE(pending_is(mount_fixture_node(mount_fixture.m, "tab/p")));
}

/* ------------------------------------------------------------ partitions */

static void
a_partition_moves_with_concurrent_changes(void)
{
	static void (*const writes[])(void) = {overwrite_a, add_to_p, delete_b};

	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		(void)fixture_put("tab", A ",\"v\":1}");
		(void)fixture_put("tab", B "}");
		let_write(writes[i], 1);
		CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", 0), 0);
		CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "q\n");
		CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/q"),
				       writes[i] == overwrite_a ? "a.json\nb.json\n"
				       : writes[i] == add_to_p  ? "a.json\nb.json\nnew.json\n"
								: "a.json\nnew.json\n");
		fixture_expect("tab", Q "}", i == 0 ? Q ",\"v\":2}" : Q ",\"v\":1}");
		CU_ASSERT_EQUAL(mount_fixture_rename("tab", "q", "tab", "p", 0), 0);
	}
}

static void
a_partition_does_not_replace_one_created_meanwhile(void)
{
	let_write(add_to_q, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", 0), PLACE_NOT_EMPTY);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	fixture_expect("tab", Q "}", Q ",\"v\":9}");

	(void)fixture_delete("tab", Q "}");
	let_write(add_to_q, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", MOVE_NOREPLACE), PLACE_EXISTS);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	fixture_expect("tab", Q "}", Q ",\"v\":9}");
}

static void
partitions_are_exchanged_with_concurrent_changes(void)
{
	static void (*const writes[])(void) = {overwrite_a, overwrite_b, add_to_p, add_to_q};

	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		(void)fixture_put("tab", A ",\"v\":1}");
		(void)fixture_put("tab", Q ",\"w\":1}");
		let_write(writes[i], 1);
		CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", MOVE_EXCHANGE), 0);
		CU_ASSERT_EQUAL(rival.seen, 2);
		fixture_expect("tab", A "}", i == 3 ? A ",\"v\":9}" : A ",\"w\":1}");
		fixture_expect("tab", Q "}", i == 0 ? Q ",\"v\":2}" : Q ",\"v\":1}");
		CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "a.json\n");
		CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/q"),
				       i == 1   ? "a.json\nb.json\n"
				       : i == 2 ? "a.json\nnew.json\n"
						: "a.json\n");
		(void)fixture_delete("tab", "{\"pk\":\"q\",\"sk\":\"b\"}");
		(void)fixture_delete("tab", "{\"pk\":\"q\",\"sk\":\"new\"}");
		rival.seen = 0;
	}
}

static void
a_partition_removed_meanwhile_is_not_exchanged(void)
{
	(void)fixture_put("tab", "{\"pk\":\"q\",\"sk\":\"z\"}");
	let_write(delete_a, 1);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "p", "tab", "q", MOVE_EXCHANGE), PLACE_ABSENT);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/q"), "z.json\n");
}

/* ------------------------------------------------------------ refused texts that are shown */

static struct file *refused_item;

/* As the FLUSH of a shell's text that is refused, or of one that is stored. */
static void
show_refused(bool refused)
{
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	scratch_show_refused(mount_fixture.m, &c, refused_item, refused);
	call_close(&c);
}

static void
store_the_item(void)
{
	show_refused(false);
}

static void
a_shown_text_is_the_users_when_it_is_renamed(void)
{
	struct mount *m = mount_fixture.m;
	struct handle *h = writer_create(m, "tab/p/x.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(m, h, "{\"v\":"), 0);
	refused_item = file_at("tab/p/x.json");
	show_refused(true);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(m, "tab/p/x.json.rejected"), "{\"v\":");

	/* The item is stored while the rename deletes the item of the backup that it replaces. */
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	rival.deletes = store_the_item;
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "x.json.rejected", "tab/p", "a~", 0), 0);
	CU_ASSERT_PTR_NULL(rival.deletes);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(m, "tab/p/a~"), "{\"v\":");

	/* Back at its name, or exchanged with another shown text, it stays the user's. */
	show_refused(true);
	CU_ASSERT_EQUAL(
		mount_fixture_rename("tab/p", "a~", "tab/p", "x.json.rejected", MOVE_EXCHANGE), 0);
	show_refused(false);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(m, "tab/p/a~"), "{\"v\":");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(m, "tab/p/x.json.rejected"), "{\"v\":");
	file_put(m, refused_item);
	writer_release(m, h);
}

/* A stored item may remove the file between the look-up of its name and the rename. */
static void
a_scratch_file_that_is_gone_is_not_renamed(void)
{
	struct mount *m = mount_fixture.m;
	struct node *n = mount_fixture_node(m, "tab/p/x~"), *to = mount_fixture_node(m, "tab/p/y~");
	const struct scratch like = {.mode = 0600};
	struct request rq = {.m = m};
	struct move mv = {.from.kind = NODE_SCRATCH, .from_node = n, .to_node = to};

	CU_ASSERT_EQUAL(scratch_create(m, mount_fixture_clean(), n, &like), 0);
	CU_ASSERT_EQUAL(scratch_create(m, mount_fixture_clean(), to, &like), 0);
	struct file *f = file_at("tab/p/x~");

	scratch_unlink(m, f);
	call_open(&rq.c, 0, SIZE_MAX);
	mv.to.kind = NODE_ITEM;
	CU_ASSERT_EQUAL(ops_move_scratch(&rq, &mv), PLACE_ABSENT);
	mv.to.kind = NODE_SCRATCH;
	CU_ASSERT_EQUAL(ops_move_scratch(&rq, &mv), PLACE_ABSENT);
	mv.flags = MOVE_EXCHANGE;
	CU_ASSERT_EQUAL(ops_move_scratch(&rq, &mv), PLACE_ABSENT);
	call_close(&rq.c);
	file_put(m, f);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(m, "tab/p"), "a.json\ny~\n");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_overwritten_item_is_renamed_with_its_new_content),
	UNIT_TEST(a_removed_item_is_absent),
	UNIT_TEST(an_item_that_changes_every_time_is_not_renamed),
	UNIT_TEST(a_target_created_meanwhile_is_replaced),
	UNIT_TEST(a_target_created_meanwhile_is_an_error_if_replacing_is_forbidden),
	UNIT_TEST(an_exchange_uses_the_newest_versions),
	UNIT_TEST(an_exchange_fails_if_one_item_disappears),
	UNIT_TEST(times_move_with_the_items),
	UNIT_TEST(times_move_with_a_partition_and_are_read_in_one_request),
	UNIT_TEST(a_backup_stays_while_its_item_cannot_be_deleted),
	UNIT_TEST(a_copy_that_was_saved_with_the_old_name_is_saved_again),
	UNIT_TEST(a_partition_that_gets_an_item_while_it_is_emptied_is_not_kept_without_items),
	UNIT_TEST(a_partition_moves_with_concurrent_changes),
	UNIT_TEST(a_partition_does_not_replace_one_created_meanwhile),
	UNIT_TEST(partitions_are_exchanged_with_concurrent_changes),
	UNIT_TEST(a_partition_removed_meanwhile_is_not_exchanged),
	UNIT_TEST(a_shown_text_is_the_users_when_it_is_renamed),
	UNIT_TEST(a_scratch_file_that_is_gone_is_not_renamed),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(rename, setup, mount_fixture_close, tests);
