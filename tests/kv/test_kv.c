/* Tests that every kv behaves alike: each runs on kv_mem, on LevelDB, and on kv_mem wrapped in kv_fault. */
#include "store/kv/kv.h"

#include "tests/support/crash.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

static struct call c;
static char dir[UNIT_FOLDER_BYTES];

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	unit_make_folder(dir, "kv");
}

static void
teardown(void)
{
	crash_remove(dir);
	call_close(&c);
}

static struct kv *
open_leveldb(void)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, dir, true, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return kv;
}

static struct kv *
open_kind(int kind)
{
	switch (kind) {
	case 0:
		return kv_mem_new();
	case 1:
		return open_leveldb();
	default:
		return kv_fault_new(kv_mem_new());
	}
}

enum { KINDS = 3 };

/* Commit "k=v k=v -k", puts and deletes, in one batch. */
static int
commit(struct kv *kv, const char *text, bool durable)
{
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	for (const char *at = text; *at != '\0';) {
		size_t len = strcspn(at, " ");
		size_t key = strcspn(at, "= ");

		if (*at == '-') {
			b->ops->del(b, slice_of(at + 1, len - 1));
		} else {
			b->ops->put(b, slice_of(at, key), slice_of(at + key + 1, len - key - 1));
		}
		at += len + strspn(at + len, " ");
	}
	return kv_commit(kv, &c, b, durable);
}

static void
expect_get(struct kv *kv, struct kv_snapshot *at, const char *key, const char *value)
{
	struct buf out;

	buf_init(&out, &c.arena);
	int r = kv_get(kv, &c, at, slice_from(key), &out);

	CU_ASSERT_EQUAL(r, value == NULL ? KV_ABSENT : 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&out), value == NULL ? "" : value));
}

/* Expect these pairs, "k=v k=v", from @from on, forward or backward. */
static void
walk(struct kv_cursor *cur, const char *from, bool back, const char *want)
{
	struct buf got;

	buf_init(&got, &c.arena);
	if (back) {
		cur->ops->seek_before(cur, slice_from(from));
	} else {
		cur->ops->seek(cur, slice_from(from));
	}
	while (cur->ops->valid(cur)) {
		buf_fmt(&got, "%s%.*s=%.*s", got.len == 0 ? "" : " ", SLICE_ARG(cur->ops->key(cur)),
			SLICE_ARG(cur->ops->value(cur)));
		if (back) {
			cur->ops->prev(cur);
		} else {
			cur->ops->next(cur);
		}
	}
	int r = cur->ops->status(cur, &c);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&got), want));
}

/* Check with both kinds of cursors. */
static void
expect_walk(struct kv *kv, struct kv_snapshot *at, const char *from, bool back, const char *want)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, at);
	cleanup(kv_cursor_freep) struct kv_cursor *once = kv_cursor_once(kv, at);

	walk(cur, from, back, want);
	walk(once, from, back, want);
}

static void
every_kv_keeps_order_and_snapshots(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct kv *kv = open_kind(kind);
		int r = commit(kv, "b=1 a=2 d=3 a\x01=4 c=5", false);

		CU_ASSERT_EQUAL(r, 0);
		struct kv_snapshot *old = kv->ops->snapshot_new(kv);

		r = commit(kv, "-b a=6 -nothing e=7 e=8", true);
		CU_ASSERT_EQUAL(r, 0);
		expect_get(kv, NULL, "a", "6");
		expect_get(kv, NULL, "b", NULL);
		expect_get(kv, NULL, "", NULL);
		expect_get(kv, old, "a", "2");
		expect_get(kv, old, "b", "1");
		expect_get(kv, old, "e", NULL);
		expect_walk(kv, NULL, "", false, "a=6 a\x01=4 c=5 d=3 e=8");
		expect_walk(kv, old, "", false, "a=2 a\x01=4 b=1 c=5 d=3");
		expect_walk(kv, NULL, "b", false, "c=5 d=3 e=8");
		expect_walk(kv, NULL, "f", false, "");
		expect_walk(kv, NULL, "c", true, "a\x01=4 a=6");
		expect_walk(kv, old, "zz", true, "d=3 c=5 b=1 a\x01=4 a=2");
		expect_walk(kv, NULL, "a", true, "");
		kv->ops->snapshot_free(kv, old);
		kv->ops->close(kv);
	}
}

static void
a_cursor_does_not_see_later_commits(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct kv *kv = open_kind(kind);
		int r = commit(kv, "a=1 c=2", false);

		CU_ASSERT_EQUAL(r, 0);
		struct kv_cursor *cur = kv_cursor_new(kv, NULL);

		r = commit(kv, "b=9 c=3", false);
		CU_ASSERT_EQUAL(r, 0);
		cur->ops->seek(cur, SLICE("a"));
		cur->ops->next(cur);
		CU_ASSERT_TRUE(cur->ops->valid(cur) && slice_is(cur->ops->key(cur), "c"));
		CU_ASSERT_TRUE(cur->ops->valid(cur) && slice_is(cur->ops->value(cur), "2"));
		kv_cursor_free(cur);
		kv->ops->close(kv);
	}
}

static void
a_cleared_batch_is_empty(void)
{
	for (int kind = 0; kind < KINDS; kind++) {
		struct kv *kv = open_kind(kind);
		struct kv_batch *b = kv->ops->batch_new(kv);

		b->ops->put(b, SLICE("a"), SLICE("1"));
		b->ops->clear(b);
		b->ops->put(b, SLICE("b"), SLICE("2"));
		b->ops->put(b, SLICE("c"), SLICE("3"));
		b->ops->del(b, SLICE("b"));
		int r = kv_commit(kv, &c, b, false);

		CU_ASSERT_EQUAL(r, 0);
		expect_walk(kv, NULL, "", false, "c=3");
		kv_batch_free(b);
		kv->ops->close(kv);
	}
}

static void
random_histories_agree_with_leveldb(void)
{
	struct kv *mem = kv_mem_new();
	struct kv *ldb = open_leveldb();
	unsigned seed = 1;

	for (int i = 0; i < 2000; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), rand_r(&seed) % 3 == 0 ? "-%d" : "%d=%d",
			       rand_r(&seed) % 100, i);
		int r = commit(mem, text, false);

		CU_ASSERT_EQUAL(r, 0);
		r = commit(ldb, text, false);
		CU_ASSERT_EQUAL(r, 0);
	}
	struct kv_cursor *a = kv_cursor_new(mem, NULL);
	struct kv_cursor *b = kv_cursor_new(ldb, NULL);

	a->ops->seek(a, SLICE(""));
	b->ops->seek(b, SLICE(""));
	int n = 0;

	for (; a->ops->valid(a) && b->ops->valid(b); n++) {
		CU_ASSERT_TRUE(slice_eq(a->ops->key(a), b->ops->key(b)));
		CU_ASSERT_TRUE(slice_eq(a->ops->value(a), b->ops->value(b)));
		a->ops->next(a);
		b->ops->next(b);
	}
	CU_ASSERT_TRUE(n > 20 && !a->ops->valid(a) && !b->ops->valid(b));
	kv_cursor_free(a);
	kv_cursor_free(b);
	mem->ops->close(mem);
	ldb->ops->close(ldb);
}

static void
kv_mem_gives_any_earlier_state(void)
{
	struct kv *kv = kv_mem_new();
	int r = commit(kv, "a=1", true);

	CU_ASSERT_EQUAL(r, 0);
	r = commit(kv, "a=2 b=1", false);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(kv_mem_commits(kv), 2);
	CU_ASSERT_EQUAL(kv_mem_durable(kv), 1);
	struct kv *old = kv_mem_copy(kv, 1);

	expect_walk(old, NULL, "", false, "a=1");
	old->ops->close(old);
	kv->ops->close(kv);
}

static void
an_injected_fault_fails_its_call_and_every_later_commit(void)
{
	struct kv *kv = kv_fault_new(kv_mem_new());
	struct buf out;

	buf_init(&out, &c.arena);
	kv_fault_arm(kv, 2);
	expect_get(kv, NULL, "a", NULL);
	CU_ASSERT_FALSE(kv_fault_fired(kv));
	int r = commit(kv, "a=1", true);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_TRUE(kv_fault_fired(kv));
	r = commit(kv, "a=1", true);
	CU_ASSERT_EQUAL(r, -ERR_IO);
	expect_get(kv, NULL, "a", NULL);
	CU_ASSERT_STRING_EQUAL(c.error.message, "injected fault");
	kv->ops->close(kv);
}

static void
leveldb_keeps_written_data(void)
{
	struct kv *kv = open_leveldb();
	int r = commit(kv, "a=1", false);

	CU_ASSERT_EQUAL(r, 0);
	kv->ops->close(kv);
	kv = open_leveldb();
	expect_get(kv, NULL, "a", "1");
	kv->ops->compact(kv, SLICE("a"), SLICE("b"));
	expect_get(kv, NULL, "a", "1");
	CU_ASSERT_TRUE(kv->ops->size(kv, SLICE("\0"), SLICE("b")) > 0);
	CU_ASSERT_EQUAL(kv->ops->size(kv, SLICE("b"), SLICE("c")), 0);
	kv->ops->close(kv);
}

static void
a_second_owner_gets_busy(void)
{
	struct kv *kv = open_leveldb();
	struct kv *second = NULL;
	int r = kv_leveldb_open(&c, dir, false, &second);

	CU_ASSERT_EQUAL(r, -ERR_BUSY);
	kv->ops->close(kv);
}

static void
a_missing_leveldb_is_not_created_by_default(void)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&c, dir, false, &kv);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_PTR_NULL(kv);
}

/* Commit a value of a megabyte; 70 of them fill a log and begin the next. */
static int
commit_large(struct kv *kv, int i, bool durable)
{
	static char text[1 << 20];
	char key[16];
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	(void)snprintf(key, sizeof(key), "large%d", i);
	memset(text, i, sizeof(text));
	b->ops->put(b, slice_from(key), slice_of(text, sizeof(text)));
	return kv_commit(kv, &c, b, durable);
}

static size_t
count_keys(const char *path)
{
	struct kv *kv = NULL;
	size_t n = 0;
	int r = kv_leveldb_open(&c, path, false, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	struct kv_cursor *cur = kv_cursor_new(kv, NULL);

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		n++;
	}
	kv_cursor_free(cur);
	kv->ops->close(kv);
	return n;
}

static void
a_prefix_survives_a_crash(void)
{
	enum { LARGE = 70 };
	char before[64];
	char after[64];
	struct kv *kv = open_leveldb();
	int r = 0;

	(void)snprintf(before, sizeof(before), "%s-before", dir);
	(void)snprintf(after, sizeof(after), "%s-after", dir);
	crash_hold_tables(true);
	for (int i = 0; i < LARGE && r == 0; i++) {
		r = commit_large(kv, i, false);
	}
	CU_ASSERT_EQUAL(r, 0);
	r = crash_copy(dir, before);
	CU_ASSERT_EQUAL(r, 0);
	r = commit(kv, "last=1", true);
	CU_ASSERT_EQUAL(r, 0);
	r = commit(kv, "lost=1", false);
	CU_ASSERT_EQUAL(r, 0);
	r = crash_copy(dir, after);
	CU_ASSERT_EQUAL(r, 0);
	crash_hold_tables(false);

	/* At first nothing was synced; the synced batch then synced all earlier ones, also those in the full log. */
	CU_ASSERT_EQUAL(count_keys(before), 0);
	CU_ASSERT_EQUAL(count_keys(after), LARGE + 1);
	crash_remove(before);
	crash_remove(after);
	kv->ops->close(kv);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_kv_keeps_order_and_snapshots),
	UNIT_TEST(a_cursor_does_not_see_later_commits),
	UNIT_TEST(a_cleared_batch_is_empty),
	UNIT_TEST(random_histories_agree_with_leveldb),
	UNIT_TEST(kv_mem_gives_any_earlier_state),
	UNIT_TEST(an_injected_fault_fails_its_call_and_every_later_commit),
	UNIT_TEST(leveldb_keeps_written_data),
	UNIT_TEST(a_second_owner_gets_busy),
	UNIT_TEST(a_prefix_survives_a_crash),
	UNIT_TEST(a_missing_leveldb_is_not_created_by_default),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(kv, setup, teardown, tests);
