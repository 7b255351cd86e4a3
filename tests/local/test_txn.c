/* Group commit: serial effects, one answer each, whatever the number of threads. */
#include <sched.h>
#include <stdatomic.h>

#include "store/local/commit/txn.h"

#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

static struct call c;
static struct kv *mem;
static struct kv *kv;
static struct feed *feed;
static struct txn_queue *q;

static void
setup(void)
{
	call_open(&c, 0, 64 << 20);
	mem = kv_mem_new();
	kv = kv_fault_new(mem);
	feed = feed_new();
	int r = txn_queue_new(&c, kv, feed, &q);

	CU_ASSERT_EQUAL(r, 0);
}

static void
teardown(void)
{
	txn_queue_free(q);
	feed_free(feed);
	kv->ops->close(kv);
	call_close(&c);
}

static uint64_t
stored_number(const char *key)
{
	struct buf out;
	uint64_t n = 0;

	buf_init(&out, &c.arena);
	if (kv_get(kv, &c, NULL, slice_from(key), &out) == 0) {
		memcpy(&n, out.at, sizeof(n));
	}
	return n;
}

/* Increment "counter", and keep the value that was read. */
struct step {
	enum { STEP_ADD, STEP_FAIL, STEP_AGAIN } what;
	uint64_t was;
	uint64_t seq;
};

static int
run_step(struct txn *t, struct call *call, void *arg)
{
	struct step *s = arg;
	struct slice value;
	uint64_t *n = arena_new(&call->arena, uint64_t, 1);
	int r = txn_get(t, call, SLICE("counter"), &value);

	if (r < 0) {
		return r;
	}
	if (r == 0) {
		memcpy(n, value.at, sizeof(*n));
	}
	s->was = (*n)++;
	s->seq = txn_seq(t);
	txn_put(t, SLICE("counter"), slice_of((const char *)n, sizeof(*n)));
	txn_publish(t, &(struct change){.seq = s->seq, .table = SLICE("t")});
	if (s->what == STEP_FAIL) {
		txn_del(t, SLICE("counter"));
		return call_fail(call, ERR_CONDITION, "no");
	}
	return s->what == STEP_AGAIN ? TXN_REBIND : 0;
}

static int
step(struct call *call, struct step *s, bool durable)
{
	return txn_run(
		q, call,
		&(struct txn_op){.run = run_step, .arg = s, .bytes = 100, .durable = durable});
}

static void
operations_see_those_before_them(void)
{
	struct step s = {0};

	for (uint64_t i = 0; i < 10; i++) {
		int r = step(&c, &s, i % 2 == 0);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(s.was, i);
		CU_ASSERT_EQUAL(s.seq, i + 1);
		CU_ASSERT_EQUAL(feed_newest(feed), i + 1);
		CU_ASSERT_EQUAL(kv_mem_durable(mem), i / 2 * 2 + 1);
	}
	CU_ASSERT_EQUAL(stored_number("counter"), 10);
	CU_ASSERT_EQUAL(kv_mem_commits(mem), 10);
}

static void
a_failed_operation_leaves_nothing(void)
{
	struct feed_reader *reader = feed_open(feed);
	struct step s = {.what = STEP_FAIL};
	struct change ch;
	int r = step(&c, &s, true);

	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	s.what = STEP_AGAIN;
	r = step(&c, &s, true);
	CU_ASSERT_EQUAL(r, TXN_REBIND);
	CU_ASSERT_EQUAL(kv_mem_commits(mem), 0);
	CU_ASSERT_EQUAL(feed_newest(feed), 0);
	s.what = STEP_ADD;
	r = step(&c, &s, true);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(s.was, 0);
	CU_ASSERT_EQUAL(s.seq, 1);
	CU_ASSERT_EQUAL(feed_next(reader, &c, 0, &ch), 0);
	CU_ASSERT_EQUAL(ch.seq, 1);
	CU_ASSERT_EQUAL(feed_next(reader, &c, 0, &ch), FEED_TIMEOUT);
	feed_close(reader);
}

static void
a_request_over_its_memory_is_not_committed(void)
{
	struct call small;
	struct step s = {0};

	call_open(&small, 0, 4);
	int r = step(&small, &s, true);

	CU_ASSERT_EQUAL(r, -ERR_VALIDATION);
	CU_ASSERT_EQUAL(kv_mem_commits(mem), 0);
	call_close(&small);
}

static int
run_nothing(struct txn *t, struct call *call, void *arg)
{
	(void)t;
	(void)call;
	(void)arg;
	return 0;
}

static void
an_empty_operation_commits_only_if_it_must(void)
{
	struct txn_op op = {.run = run_nothing, .durable = true};
	int r = txn_run(q, &c, &op);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(kv_mem_commits(mem), 0);
	r = txn_run_empty(q, &c, true);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(kv_mem_durable(mem), 1);
}

static void
after_a_failed_commit_nothing_is_written(void)
{
	struct step s = {0};

	kv_fault_arm(kv, 2);
	int r = step(&c, &s, true);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	CU_ASSERT_EQUAL(feed_newest(feed), 0);
	kv_fault_arm(kv, 0);
	c.error = (struct error){0};
	r = step(&c, &s, true);
	CU_ASSERT_EQUAL(r, -ERR_READ_ONLY);
	CU_ASSERT_STRING_EQUAL(c.error.message, "The store is read-only: injected fault");
	CU_ASSERT_EQUAL(kv_mem_commits(mem), 0);
}

static int
run_corrupt(struct txn *t, struct call *call, void *arg)
{
	(void)t;
	(void)arg;
	return call_fail(call, ERR_CORRUPT, "bad bytes");
}

static void
corruption_ends_all_writing(void)
{
	struct step s = {0};
	int r = txn_run(q, &c, &(struct txn_op){.run = run_corrupt});

	CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	c.error = (struct error){0};
	r = step(&c, &s, true);
	CU_ASSERT_EQUAL(r, -ERR_READ_ONLY);
	CU_ASSERT_STRING_EQUAL(c.error.message, "The store is read-only: bad bytes");
}

static int
run_counts(struct txn *t, struct call *call, void *arg)
{
	const struct record_counts *more = arg;
	int partitions = 0;
	int r = txn_count(t, call, SLICE("p"), more, &partitions);

	return r < 0 ? r
		     : txn_count(
			       t, call, SLICE("c"),
			       &(struct record_counts){.items = more->items,
						       .partitions = (uint64_t)(int64_t)partitions},
			       NULL);
}

static void
counts_never_fall_below_zero(void)
{
	struct record_counts add = {2, 20, {22}};
	struct record_counts take = {.items = -(uint64_t)3};
	int r = txn_run(q, &c, &(struct txn_op){.run = run_counts, .arg = &add});

	CU_ASSERT_EQUAL(r, 0);
	r = txn_run(q, &c, &(struct txn_op){.run = run_counts, .arg = &take});
	CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
}

static void
an_invalid_sequence_number_is_found_at_open(void)
{
	struct kv *other = kv_mem_new();
	struct kv_batch *b = other->ops->batch_new(other);
	struct txn_queue *none = NULL;

	b->ops->put(b, SLICE("mseq"), SLICE("123"));
	CU_ASSERT_EQUAL(kv_commit(other, &c, b, true), 0);
	CU_ASSERT_EQUAL(txn_queue_new(&c, other, feed, &none), -ERR_CORRUPT);
	CU_ASSERT_PTR_NULL(none);
	kv_batch_free(b);
	other->ops->close(other);
}

/* ------------------------------------------------------------ many threads */

enum { THREADS = 8, STEPS = 400 };

struct worker {
	pthread_t thread;
	unsigned seed;
	uint64_t added;
	uint64_t wrong;
	atomic_bool *go;
};

static void *
work(void *arg)
{
	struct worker *w = arg;

	while (!atomic_load(w->go)) {
		(void)sched_yield();
	}
	for (int i = 0; i < STEPS; i++) {
		struct call mine;
		struct step s = {.what = rand_r(&w->seed) % 4 == 0 ? STEP_FAIL : STEP_ADD};

		call_open(&mine, 0, 1 << 20);
		int r = step(&mine, &s, i % 2 == 0);

		w->added += r == 0;
		w->wrong += r != (s.what == STEP_ADD ? 0 : -ERR_CONDITION);
		call_close(&mine);
	}
	return NULL;
}

static void
threads_add_up_exactly(void)
{
	struct worker workers[THREADS] = {0};
	struct feed_reader *reader = feed_open(feed);
	struct change ch;
	atomic_bool go = false;
	uint64_t added = 0;

	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].seed = i;
		workers[i].go = &go;
		(void)pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	atomic_store(&go, true);
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(workers[i].thread, NULL);
		CU_ASSERT_EQUAL(workers[i].wrong, 0);
		added += workers[i].added;
	}
	CU_ASSERT_EQUAL(stored_number("counter"), added);
	CU_ASSERT_EQUAL(feed_newest(feed), added);
	CU_ASSERT_TRUE(kv_mem_commits(mem) <= added);
	for (uint64_t seq = 1; seq <= added; seq++) {
		int r = feed_next(reader, &c, 0, &ch);

		CU_ASSERT_TRUE(r == 0 && ch.seq == seq);
	}
	feed_close(reader);
}

/* A thread whose operations fill the queue's bytes: each waits, and all get their turn. */
static void *
work_large(void *arg)
{
	struct worker *w = arg;

	for (int i = 0; i < 20; i++) {
		struct call mine;
		struct step s = {0};

		call_open(&mine, 0, 1 << 20);
		w->added +=
			txn_run(q, &mine,
				&(struct txn_op){.run = run_step, .arg = &s, .bytes = 40 << 20}) ==
			0;
		call_close(&mine);
	}
	return NULL;
}

static void
the_queue_is_bounded_and_nobody_starves(void)
{
	struct worker workers[THREADS] = {0};

	for (int i = 0; i < THREADS; i++) {
		(void)pthread_create(&workers[i].thread, NULL, work_large, &workers[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(workers[i].thread, NULL);
	}
	CU_ASSERT_EQUAL(stored_number("counter"), THREADS * 20);
	/* Operations of 40 MiB never share a group of 4 MiB. */
	CU_ASSERT_EQUAL(kv_mem_commits(mem), THREADS * 20);
}

/* An operation that finds no listener; a reader comes after it and before the commit. */
static int
run_before_a_reader(struct txn *t, struct call *call, void *arg)
{
	struct feed_reader **reader = arg;

	(void)call;
	txn_put(t, SLICE("k"), SLICE("v"));
	*reader = feed_open(feed);
	txn_publish(t, &(struct change){.seq = txn_seq(t)});
	return 0;
}

static void
a_reader_that_starts_during_a_group_learns_that_it_missed_changes(void)
{
	struct feed_reader *reader = NULL;
	struct txn_op op = {.run = run_before_a_reader, .arg = &reader};
	struct change ch;
	int r = txn_run(q, &c, &op);

	CU_ASSERT_EQUAL(r, 0);
	r = feed_next(reader, &c, 0, &ch);
	CU_ASSERT_EQUAL(r, FEED_LOST);
	CU_ASSERT_EQUAL(ch.seq, feed_newest(feed));
	r = feed_next(reader, &c, 0, &ch);
	CU_ASSERT_EQUAL(r, FEED_TIMEOUT);
	feed_close(reader);
}

/* Writes of the group override the values of the kv. */
static int
run_learn(struct txn *t, struct call *call, void *arg)
{
	const struct slice keys[] = {SLICE("a"), SLICE("b"), SLICE("c"), SLICE("counts")};
	struct record_counts counts;
	struct slice value;

	(void)arg;
	txn_put(t, SLICE("b"), SLICE("new"));
	int r = txn_learn(t, call, keys, 4, SIZE_MAX);

	CU_ASSERT_EQUAL(r, 0);
	uint64_t calls = kv_fault_calls(kv);

	r = txn_get(t, call, SLICE("a"), &value);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(slice_is(value, "1"));
	r = txn_get(t, call, SLICE("b"), &value);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(slice_is(value, "new"));
	r = txn_get(t, call, SLICE("c"), &value);
	CU_ASSERT_EQUAL(r, KV_ABSENT);
	r = txn_counts(t, call, SLICE("counts"), &counts);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(counts.items, 3);
	r = txn_counts(t, call, SLICE("c"), &counts);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(counts.items, 0);
	CU_ASSERT_EQUAL(kv_fault_calls(kv), calls);
	return 0;
}

static int
run_prepare(struct txn *t, struct call *call, void *arg)
{
	int partitions;

	(void)arg;
	txn_put(t, SLICE("a"), SLICE("1"));
	txn_put(t, SLICE("b"), SLICE("2"));
	return txn_count(t, call, SLICE("counts"), &(struct record_counts){3, 3, {3}}, &partitions);
}

static void
learnt_keys_are_not_read_again(void)
{
	int r = txn_run(q, &c, &(struct txn_op){.run = run_prepare});

	CU_ASSERT_EQUAL(r, 0);
	r = txn_run(q, &c, &(struct txn_op){.run = run_learn});
	CU_ASSERT_EQUAL(r, 0);
}

/* Only as many keys are learnt as the bytes allow; the others are looked up as usual.  Then learning fails. */
static int
run_learn_little(struct txn *t, struct call *call, void *arg)
{
	const struct slice keys[] = {SLICE("a"), SLICE("b")};
	struct slice value;

	(void)arg;
	int r = txn_learn(t, call, keys, 2, 1);

	CU_ASSERT_EQUAL(r, 0);
	uint64_t calls = kv_fault_calls(kv);

	r = txn_get(t, call, SLICE("b"), &value);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_TRUE(slice_is(value, "2"));
	CU_ASSERT_EQUAL(kv_fault_calls(kv), calls + 1);
	kv_fault_arm(kv, 1);
	int failed =
		txn_learn(t, call, (const struct slice[]){SLICE("c"), SLICE("d")}, 2, SIZE_MAX);

	/* A key that could not be read is not taken for absent. */
	calls = kv_fault_calls(kv);
	r = txn_get(t, call, SLICE("c"), &value);
	CU_ASSERT_EQUAL(r, KV_ABSENT);
	CU_ASSERT_EQUAL(kv_fault_calls(kv), calls + 1);
	return failed;
}

static void
learning_ends_at_its_byte_limit_or_a_failure(void)
{
	int r = txn_run(q, &c, &(struct txn_op){.run = run_prepare});

	CU_ASSERT_EQUAL(r, 0);
	r = txn_run(q, &c, &(struct txn_op){.run = run_learn_little});
	CU_ASSERT_EQUAL(r, -ERR_IO);
}

static int
run_put_room(struct txn *t, struct call *call, void *arg)
{
	(void)call;
	(void)arg;
	txn_put(t, SLICE("room"), SLICE("1"));
	return 0;
}

/* Operations that add data are refused first, then all; the store stays valid. */
static void
a_disk_with_little_room_takes_deletes(void)
{
	const struct txn_op grow = {.run = run_put_room, .grows = true, .durable = true};
	const struct txn_op other = {.run = run_put_room, .durable = true};

	kv_fault_room(kv, KV_FAULT_ROOM_LITTLE);
	int r = txn_run(q, &c, &grow);

	CU_ASSERT_EQUAL(r, -ERR_NO_SPACE);
	CU_ASSERT_STRING_EQUAL(c.error.message, "there is little room");
	r = txn_run(q, &c, &other);
	CU_ASSERT_EQUAL(r, 0);
	kv_fault_room(kv, KV_FAULT_ROOM_NONE);
	r = txn_run(q, &c, &other);
	CU_ASSERT_EQUAL(r, -ERR_NO_SPACE);
	kv_fault_room(kv, KV_FAULT_ROOM_ENOUGH);
	r = txn_run(q, &c, &grow);
	CU_ASSERT_EQUAL(r, 0);
}

static int
run_add_totals(struct txn *t, struct call *call, void *arg)
{
	(void)arg;
	return txn_count(t, call, SLICE("totals"),
			 &(struct record_counts){.items = 5, .item_bytes = 50}, NULL);
}

/* Delete totals, as the end of an index does, then read them, as the description of its table does. */
static int
run_delete_and_read_totals(struct txn *t, struct call *call, void *arg)
{
	txn_del(t, SLICE("totals"));
	return txn_counts(t, call, SLICE("totals"), arg);
}

static void
a_deletion_stays_when_its_key_is_read_as_totals(void)
{
	struct txn_op add = {.run = run_add_totals};
	struct record_counts read = {.items = 9};
	struct txn_op del = {.run = run_delete_and_read_totals, .arg = &read};
	struct buf out = {.arena = &c.arena};
	int r = txn_run(q, &c, &add);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("totals"), &out), 0);
	r = txn_run(q, &c, &del);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(read.items, 0);
	CU_ASSERT_EQUAL(kv_get(kv, &c, NULL, SLICE("totals"), &out), KV_ABSENT);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(operations_see_those_before_them),
	UNIT_TEST(a_failed_operation_leaves_nothing),
	UNIT_TEST(a_request_over_its_memory_is_not_committed),
	UNIT_TEST(an_empty_operation_commits_only_if_it_must),
	UNIT_TEST(after_a_failed_commit_nothing_is_written),
	UNIT_TEST(corruption_ends_all_writing),
	UNIT_TEST(counts_never_fall_below_zero),
	UNIT_TEST(a_deletion_stays_when_its_key_is_read_as_totals),
	UNIT_TEST(an_invalid_sequence_number_is_found_at_open),
	UNIT_TEST(threads_add_up_exactly),
	UNIT_TEST(the_queue_is_bounded_and_nobody_starves),
	UNIT_TEST(learnt_keys_are_not_read_again),
	UNIT_TEST(learning_ends_at_its_byte_limit_or_a_failure),
	UNIT_TEST(a_reader_that_starts_during_a_group_learns_that_it_missed_changes),
	UNIT_TEST(a_disk_with_little_room_takes_deletes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(txn, setup, teardown, tests);
