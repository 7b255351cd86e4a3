#include "store/local/commit/pending_writes.h"

#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

static struct call c;
static struct pending_writes o;

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	pending_writes_init(&o);
	pending_writes_begin(&o);
}

static void
teardown(void)
{
	pending_writes_release(&o);
	call_close(&c);
}

static void
put(const char *key, const char *value)
{
	pending_writes_set(&o, slice_from(key),
			   &(struct pending_writes_state){.kind = PENDING_VALUE,
							  .dirty = true,
							  .value = slice_from(value)});
}

static void
del(const char *key)
{
	pending_writes_set(&o, slice_from(key),
			   &(struct pending_writes_state){.kind = PENDING_ABSENT, .dirty = true});
}

/* Expect @value for @key.  NULL: known to be absent; "?": not known */
static void
expect(const char *key, const char *value)
{
	const struct pending_writes_state *s = pending_writes_find(&o, slice_from(key));

	if (value == NULL) {
		CU_ASSERT_TRUE(s != NULL && s->kind == PENDING_ABSENT);
	} else if (strcmp(value, "?") == 0) {
		CU_ASSERT_PTR_NULL(s);
	} else {
		CU_ASSERT_TRUE(s != NULL && s->kind == PENDING_VALUE && slice_is(s->value, value));
	}
}

static void
the_latest_value_of_a_key_is_found(void)
{
	expect("a", "?");
	put("a", "1");
	expect("a", "1");
	put("a", "2");
	expect("a", "2");
	del("a");
	expect("a", NULL);
	expect("", "?");
	put("", "empty");
	expect("", "empty");
}

static void
an_operation_is_undone_to_where_it_began(void)
{
	put("a", "1");
	put("b", "1");
	pending_writes_begin(&o);
	put("a", "2");
	put("a", "3");
	del("b");
	put("c", "1");
	pending_writes_undo(&o);
	expect("a", "1");
	expect("b", "1");
	expect("c", "?");
	pending_writes_begin(&o);
	put("a", "4");
	pending_writes_begin(&o);
	put("a", "5");
	pending_writes_undo(&o);
	expect("a", "4");
}

static void
undo_keeps_what_was_learnt(void)
{
	const struct pending_writes_state learnt = {.kind = PENDING_COUNTS,
						    .counts = {3, 30, {33}}};
	struct pending_writes_state more = learnt;

	pending_writes_set(&o, SLICE("p"), &learnt);
	more.dirty = true;
	more.counts.items = 4;
	pending_writes_set(&o, SLICE("p"), &more);
	pending_writes_undo(&o);
	const struct pending_writes_state *s = pending_writes_find(&o, SLICE("p"));

	CU_ASSERT_TRUE(s != NULL && s->kind == PENDING_COUNTS && !s->dirty);
	CU_ASSERT_TRUE(s != NULL && s->counts.items == 3);
}

static void
the_batch_contains_each_dirty_key_once(void)
{
	struct kv *kv = kv_mem_new();
	struct kv_batch *b = kv->ops->batch_new(kv);
	struct buf out;

	buf_init(&out, &c.arena);
	put("a", "1");
	put("a", "2");
	put("gone", "1");
	del("gone");
	pending_writes_set(&o, SLICE("clean"),
			   &(struct pending_writes_state){.kind = PENDING_COUNTS});
	pending_writes_set(&o, SLICE("p"),
			   &(struct pending_writes_state){.kind = PENDING_COUNTS,
							  .dirty = true,
							  .counts = {1, 20, {300}}});
	pending_writes_set(&o, SLICE("none"),
			   &(struct pending_writes_state){.kind = PENDING_COUNTS, .dirty = true});
	pending_writes_set(&o, SLICE("t"),
			   &(struct pending_writes_state){
				   .kind = PENDING_COUNTS, .dirty = true, .counts = {1, 2, {3}}});
	CU_ASSERT_EQUAL(pending_writes_to_batch(&o, b), 5);
	int r = kv_commit(kv, &c, b, false);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("a"), &out), 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&out), "2"));
	buf_clear(&out);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("p"), &out), 0);
	struct record_counts counts = {0};

	CU_ASSERT_EQUAL(record_counts_decode(&c, buf_view(&out), &counts), 0);
	CU_ASSERT_EQUAL(counts.rendered_bytes, 300);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("t"), &out), 0);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("gone"), &out), KV_ABSENT);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("none"), &out), KV_ABSENT);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("clean"), &out), KV_ABSENT);
	kv_batch_free(b);
	kv->ops->close(kv);
}

static void
thousands_of_keys_are_found_and_cleared(void)
{
	enum { KEYS = 5000 };
	char keys[KEYS][8];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < KEYS; i++) {
			(void)snprintf(keys[i], sizeof(keys[i]), "%d", i);
			expect(keys[i], "?");
			put(keys[i], keys[i]);
		}
		for (int i = 0; i < KEYS; i++) {
			expect(keys[i], keys[i]);
		}
		pending_writes_clear(&o);
		for (int i = 0; i < KEYS; i++) {
			expect(keys[i], "?");
		}
		pending_writes_begin(&o);
	}
}

/* The number of items of @key.  0: not known, or known with another state than clean counts */
static uint64_t
counted(const char *key)
{
	const struct pending_writes_state *s = pending_writes_find(&o, slice_from(key));

	return s != NULL && s->kind == PENDING_COUNTS && !s->dirty ? s->counts.items : 0;
}

static void
count(const char *key, uint64_t items)
{
	pending_writes_set(&o, slice_from(key),
			   &(struct pending_writes_state){
				   .kind = PENDING_COUNTS, .dirty = true, .counts.items = items});
}

static void
the_next_group_knows_the_changed_counts(void)
{
	char key[] = "p";
	char long_key[PENDING_KEPT_BYTES + 2];

	memset(long_key, 'k', sizeof(long_key) - 1);
	long_key[sizeof(long_key) - 1] = '\0';
	put("value", "1");
	count(key, 1);
	count("none", 0);
	count(long_key, 1);
	count("q", 2);
	pending_writes_settle(&o);
	key[0] = '?'; /* keys are borrowed only until then */
	expect("value", "?");
	expect("none", "?");
	expect(long_key, "?");
	CU_ASSERT_EQUAL(counted("p"), 1);
	CU_ASSERT_EQUAL(counted("q"), 2);
	pending_writes_begin(&o);
	count("q", 3);
	pending_writes_settle(&o);
	expect("p", "?");
	CU_ASSERT_EQUAL(counted("q"), 3);
	pending_writes_begin(&o);
	count("q", 4);
	pending_writes_undo(&o);
	CU_ASSERT_EQUAL(counted("q"), 3);
	pending_writes_clear(&o);
	expect("q", "?");
}

static void
only_a_few_counts_are_known_in_the_next_group(void)
{
	char keys[PENDING_KEPT + 1][8];
	int known = 0;

	for (int i = 0; i <= PENDING_KEPT; i++) {
		(void)snprintf(keys[i], sizeof(keys[i]), "%d", i);
		count(keys[i], 1);
	}
	pending_writes_settle(&o);
	for (int i = 0; i <= PENDING_KEPT; i++) {
		known += counted(keys[i]) == 1;
	}
	CU_ASSERT_EQUAL(known, PENDING_KEPT);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_latest_value_of_a_key_is_found),
	UNIT_TEST(an_operation_is_undone_to_where_it_began),
	UNIT_TEST(undo_keeps_what_was_learnt),
	UNIT_TEST(the_batch_contains_each_dirty_key_once),
	UNIT_TEST(thousands_of_keys_are_found_and_cleared),
	UNIT_TEST(the_next_group_knows_the_changed_counts),
	UNIT_TEST(only_a_few_counts_are_known_in_the_next_group),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(pending_writes, setup, teardown, tests);
