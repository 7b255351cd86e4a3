#include "store/engine/feed.h"

#include "tests/support/unit.h"

static struct call c;
static struct feed *f;

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	f = feed_new();
}

static void
teardown(void)
{
	feed_free(f);
	call_close(&c);
}

/* Publish a change of item @seq that has only a new image. */
static void
publish(uint64_t seq, size_t bytes)
{
	char *text = arena_new(&c.arena, char, bytes);

	memset(text, 'x', bytes);
	struct attr attrs[] = {{.name = SLICE("k"), .value = value_string(slice_of(text, bytes))}};
	struct change ch = {
		.seq = seq,
		.origin = &c,
		.table = SLICE("table"),
		.has_new = true,
		.updated = {.at = attrs, .n = 1},
	};

	feed_committed(f, seq);
	feed_publish(f, &ch);
	memset(text, '!', bytes);
}

static void
a_reader_gets_every_change_in_order(void)
{
	struct feed_reader *r = feed_open(f);
	struct change ch;

	for (uint64_t seq = 1; seq <= 100; seq++) {
		publish(seq, 5);
	}
	for (uint64_t seq = 1; seq <= 100; seq++) {
		int got = feed_next(r, &c, 0, &ch);

		CU_ASSERT_EQUAL(got, 0);
		CU_ASSERT_EQUAL(ch.seq, seq);
	}
	CU_ASSERT_PTR_EQUAL(ch.origin, &c);
	CU_ASSERT_TRUE(slice_is(ch.table, "table"));
	CU_ASSERT_TRUE(ch.has_new && !ch.has_old && !ch.dropped && ch.old.n == 0);
	CU_ASSERT_EQUAL(ch.updated.n, 1);
	CU_ASSERT_TRUE(slice_is(ch.updated.at[0].value.text, "xxxxx"));
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	CU_ASSERT_EQUAL(feed_newest(f), 100);
	feed_close(r);
}

static void
images_of_every_type_are_copied_deeply(void)
{
	struct value members[] = {value_string(SLICE("m1")), value_string(SLICE("m2"))};
	struct attr inner[] = {
		{SLICE("yes"), {.type = VALUE_BOOL, .truth = true}},
		{SLICE("none"), {.type = VALUE_NULL}},
		{SLICE("n"), {.type = VALUE_N, .text = SLICE_INIT("12")}},
	};
	struct attr attrs[] = {
		{SLICE("set"), {.type = VALUE_SS, .list = {members, 2}}},
		{SLICE("list"), {.type = VALUE_L, .list = {members, 2}}},
		{SLICE("map"), {.type = VALUE_M, .map = {inner, 3}}},
		{SLICE("empty"), {.type = VALUE_M}},
		{SLICE("b"), {.type = VALUE_B, .text = SLICE_INIT("\0\xff")}},
	};
	struct change ch = {
		.seq = 1,
		.has_old = true,
		.has_new = true,
		.old = {attrs, 2},
		.updated = {attrs, 5},
	};
	struct item old = item_copy(&c.arena, &ch.old);
	struct item updated = item_copy(&c.arena, &ch.updated);
	struct feed_reader *r = feed_open(f);
	struct change out;

	feed_publish(f, &ch);
	memset(members, 0, sizeof(members));
	memset(inner, 0, sizeof(inner));
	int got = feed_next(r, &c, 0, &out);

	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_TRUE(item_eq(&out.old, &old));
	CU_ASSERT_TRUE(item_eq(&out.updated, &updated));
	feed_close(r);
}

static void
a_change_stays_as_long_as_the_call_of_its_reader(void)
{
	struct feed_reader *first = feed_open(f);
	struct feed_reader *second = feed_open(f);
	struct change one, two;

	publish(1, 400 << 10);
	int got = feed_next(first, &c, 0, &one);

	CU_ASSERT_EQUAL(got, 0);
	got = feed_next(second, &c, 0, &two);
	CU_ASSERT_EQUAL(got, 0);
	feed_close(first);
	feed_close(second); /* the ring is empty now */
	CU_ASSERT_TRUE(item_eq(&one.updated, &two.updated));
	CU_ASSERT_EQUAL(one.updated.at[0].value.text.len, 400 << 10);
	CU_ASSERT_EQUAL(one.updated.at[0].value.text.at[0], 'x');
	/* Readers share one copy: nothing is copied while the lock is held, for which the writer would wait. */
	CU_ASSERT_PTR_EQUAL(one.updated.at, two.updated.at);
}

static void
nothing_is_kept_while_nobody_listens(void)
{
	struct change ch;

	CU_ASSERT_FALSE(feed_listening(f));
	publish(1, 5);
	struct feed_reader *r = feed_open(f);

	CU_ASSERT_TRUE(feed_listening(f));
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	CU_ASSERT_EQUAL(feed_newest(f), 1);
	feed_close(r);
	CU_ASSERT_FALSE(feed_listening(f));
}

static void
a_slow_reader_gets_one_report_of_lost_changes(void)
{
	struct feed_reader *slow = feed_open(f);
	struct feed_reader *quick = feed_open(f);
	struct change ch;
	int got;

	/* 200 times 400 KB: more bytes than the ring holds. */
	for (uint64_t seq = 1; seq <= 200; seq++) {
		arena_drop(&c.arena);
		publish(seq, 400 << 10);
		got = feed_next(quick, &c, 0, &ch);
		CU_ASSERT_EQUAL(got, 0);
		CU_ASSERT_EQUAL(ch.seq, seq);
	}
	got = feed_next(slow, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_LOST);
	CU_ASSERT_EQUAL(ch.seq, 200);
	got = feed_next(slow, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	publish(201, 5);
	got = feed_next(slow, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_EQUAL(ch.seq, 201);
	feed_close(slow);
	feed_close(quick);
}

static void
many_small_changes_fill_the_ring_too(void)
{
	struct feed_reader *r = feed_open(f);
	struct change ch;

	for (uint64_t seq = 1; seq <= 16385; seq++) {
		arena_drop(&c.arena);
		publish(seq, 1);
	}
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_LOST);
	feed_close(r);
}

static void
a_change_is_handled_when_the_reader_asks_for_the_next(void)
{
	struct feed_reader *r = feed_open(f);
	struct change ch;

	publish(1, 5);
	publish(2, 5);
	CU_ASSERT_FALSE(feed_wait(f, 1, NULL, 0));
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_FALSE(feed_wait(f, 1, NULL, 0));
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_TRUE(feed_wait(f, 1, NULL, 0));
	CU_ASSERT_FALSE(feed_wait(f, 2, NULL, 0));
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	CU_ASSERT_TRUE(feed_wait(f, 2, NULL, 0));
	feed_close(r);
}

static void
a_loss_is_handled_when_the_reader_asks_for_the_next(void)
{
	struct feed_reader *r = feed_open(f);
	struct change ch;

	for (uint64_t seq = 1; seq <= 100; seq++) {
		arena_drop(&c.arena);
		publish(seq, 400 << 10);
	}
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_LOST);
	CU_ASSERT_FALSE(feed_wait(f, 100, NULL, 0));
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	CU_ASSERT_TRUE(feed_wait(f, 100, NULL, 0));
	feed_close(r);
}

static void
a_wait_ignores_its_own_woken_and_late_readers(void)
{
	struct feed_reader *mine = feed_open(f);
	struct feed_reader *woken = feed_open(f);

	feed_set_origin(mine, &c);
	publish(1, 5);
	struct feed_reader *late = feed_open(f);

	CU_ASSERT_FALSE(feed_wait(f, 1, &c, 0));
	feed_wake(woken);
	CU_ASSERT_TRUE(feed_wait(f, 1, &c, 0));
	CU_ASSERT_FALSE(feed_wait(f, 1, NULL, 0));
	feed_close(mine);
	CU_ASSERT_TRUE(feed_wait(f, 1, NULL, 0));
	feed_close(woken);
	feed_close(late);
}

static void
a_woken_reader_stays_closed(void)
{
	struct feed_reader *r = feed_open(f);
	struct change ch;

	feed_wake(r);
	publish(1, 5);
	for (int i = 0; i < 2; i++) {
		int got = feed_next(r, &c, -1, &ch);

		CU_ASSERT_EQUAL(got, FEED_CLOSED);
	}
	feed_close(r);
}

struct listener {
	struct feed_reader *reader;
	uint64_t sum;
	int count;
	bool in_order;
};

static void *
listen_until_woken(void *arg)
{
	struct listener *l = arg;
	struct call mine;
	struct change ch;
	uint64_t last = 0;

	call_open(&mine, 0, 64 << 20);
	l->in_order = true;
	while (feed_next(l->reader, &mine, -1, &ch) == 0) {
		l->in_order = l->in_order && ch.seq > last;
		last = ch.seq;
		l->sum += ch.seq;
		l->count++;
		arena_drop(&mine.arena);
	}
	call_close(&mine);
	return NULL;
}

static void
threads_listen_while_changes_are_published(void)
{
	enum { READERS = 3, CHANGES = 2000 };
	struct listener listeners[READERS] = {0};
	pthread_t threads[READERS];

	for (int i = 0; i < READERS; i++) {
		listeners[i].reader = feed_open(f);
		(void)pthread_create(&threads[i], NULL, listen_until_woken, &listeners[i]);
	}
	for (uint64_t seq = 1; seq <= CHANGES; seq++) {
		publish(seq, 10);
	}
	CU_ASSERT_TRUE(feed_wait(f, CHANGES, NULL, 60000));
	for (int i = 0; i < READERS; i++) {
		feed_wake(listeners[i].reader);
		(void)pthread_join(threads[i], NULL);
		CU_ASSERT_TRUE(listeners[i].in_order);
		CU_ASSERT_EQUAL(listeners[i].count, CHANGES);
		CU_ASSERT_EQUAL(listeners[i].sum, CHANGES * (CHANGES + 1) / 2);
		feed_close(listeners[i].reader);
	}
}

static void
unpublished_changes_are_lost_to_every_reader(void)
{
	struct change ch;

	feed_lose(f); /* without readers, nothing is lost */
	struct feed_reader *r = feed_open(f);
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	publish(1, 5);
	feed_committed(f, 3);
	feed_lose(f);
	feed_committed(f, 4); /* of the next group, which is not published yet */
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_LOST);
	CU_ASSERT_EQUAL(ch.seq, 3);
	feed_lose(f);
	publish(5, 5);
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_LOST);
	CU_ASSERT_EQUAL(ch.seq, 5);
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
	CU_ASSERT_TRUE(feed_wait(f, 5, NULL, 0));
	publish(6, 5);
	got = feed_next(r, &c, 0, &ch);
	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_EQUAL(ch.seq, 6);
	feed_close(r);
}

static void
publish_change(struct change ch)
{
	ch.table = SLICE("table");
	feed_committed(f, ch.seq);
	feed_publish(f, &ch);
}

static void
expect_seq(struct feed_reader *r, uint64_t seq)
{
	struct change ch;
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, 0);
	CU_ASSERT_EQUAL(ch.seq, seq);
}

static void
expect_none(struct feed_reader *r)
{
	struct change ch;
	int got = feed_next(r, &c, 0, &ch);

	CU_ASSERT_EQUAL(got, FEED_TIMEOUT);
}

static void
a_reader_may_miss_changes_of_its_own_items(void)
{
	struct feed_reader *mine = feed_open(f);

	feed_set_origin(mine, &c);
	feed_skip_own(mine, true);
	publish_change((struct change){.seq = 1, .origin = &c});
	expect_none(mine);
	publish_change((struct change){.seq = 2, .origin = &f});
	expect_seq(mine, 2);
	publish_change((struct change){.seq = 3, .origin = &c, .altered = true});
	expect_seq(mine, 3);
	publish_change((struct change){.seq = 4, .origin = &c, .dropped = true});
	expect_seq(mine, 4);

	/* Another reader needs the change, so it is published for all. */
	struct feed_reader *other = feed_open(f);

	publish_change((struct change){.seq = 5, .origin = &c});
	expect_seq(other, 5);
	expect_seq(mine, 5);
	feed_close(other);

	feed_skip_own(mine, false);
	publish_change((struct change){.seq = 6, .origin = &c});
	expect_seq(mine, 6);
	CU_ASSERT_EQUAL(feed_newest(f), 6);
	feed_close(mine);
}

static void
one_of_many_own_changes_is_published(void)
{
	struct feed_reader *mine = feed_open(f);

	feed_set_origin(mine, &c);
	feed_skip_own(mine, true);
	for (uint64_t seq = 1; seq <= 3 * FEED_OWN_EACH; seq++) {
		publish_change((struct change){.seq = seq, .origin = &c});
	}
	for (uint64_t i = 1; i <= 3; i++) {
		expect_seq(mine, i * FEED_OWN_EACH);
	}
	expect_none(mine);
	feed_close(mine);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_reader_gets_every_change_in_order),
	UNIT_TEST(images_of_every_type_are_copied_deeply),
	UNIT_TEST(a_change_stays_as_long_as_the_call_of_its_reader),
	UNIT_TEST(nothing_is_kept_while_nobody_listens),
	UNIT_TEST(a_slow_reader_gets_one_report_of_lost_changes),
	UNIT_TEST(many_small_changes_fill_the_ring_too),
	UNIT_TEST(a_change_is_handled_when_the_reader_asks_for_the_next),
	UNIT_TEST(a_loss_is_handled_when_the_reader_asks_for_the_next),
	UNIT_TEST(a_wait_ignores_its_own_woken_and_late_readers),
	UNIT_TEST(a_woken_reader_stays_closed),
	UNIT_TEST(unpublished_changes_are_lost_to_every_reader),
	UNIT_TEST(a_reader_may_miss_changes_of_its_own_items),
	UNIT_TEST(one_of_many_own_changes_is_published),
	UNIT_TEST(threads_listen_while_changes_are_published),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(feed, setup, teardown, tests);
