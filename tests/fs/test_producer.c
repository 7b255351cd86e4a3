/* Tests of text that is produced ahead of its readers, with a stream of rows that the test controls. */
#include <semaphore.h>
#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/workers.h"

#include "fs/made/producer.h"

#include "tests/fs/mount_fixture.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

/* A stream of numbered lines of 8 bytes. */
static struct {
	struct row_stream row_stream;
	uint64_t lines;   /* number of lines */
	uint64_t fail_at; /* fail once, before this line; 0: do not fail */
	enum err failure;
	atomic_bool barren; /* never produces an item or the end */
	uint64_t at;
	atomic_uint calls;
	atomic_uint open;
} fake;

static struct engine engine;
static struct producer *o;

static int
fake_next(struct row_stream *f, struct call *c, struct buf *out, size_t bytes)
{
	size_t until = out->len + bytes;

	(void)f;
	fake.calls++;
	if (fake.barren) {
		return 0;
	}
	while (out->len < until && fake.at < fake.lines) {
		if (fake.at == fake.fail_at && fake.failure != ERR_NONE) {
			enum err code = fake.failure;

			fake.failure = ERR_NONE;
			return call_fail(c, code, "the flow fails");
		}
		buf_fmt(out, "%07llu\n", (unsigned long long)fake.at++);
	}
	return fake.at < fake.lines ? 0 : ROW_STREAM_END;
}

static void
fake_close(struct row_stream *f)
{
	(void)f;
	fake.open--;
}

static int
fake_flow_open(struct engine *e, struct call *c, const struct row_stream_in *in,
	       struct row_stream **out)
{
	static const struct row_stream_ops ops = {.next = fake_next, .close = fake_close};

	(void)e;
	(void)c;
	(void)in;
	fake.row_stream.ops = &ops;
	fake.at = 0;
	fake.open++;
	*out = &fake.row_stream;
	return 0;
}

static const struct engine_ops engine_ops = {.row_stream_open = fake_flow_open};

static void
setup(void)
{
	mount_fixture_open();
	engine.ops = &engine_ops;
	mount_fixture.m->engine = &engine;
	fake.fail_at = 0;
	fake.calls = 0;
	fake.open = 0;
	fake.failure = ERR_NONE;
	fake.barren = false;
	fake.lines = 1;
}

static void
teardown(void)
{
	mount_fixture.m->engine = fixture.e;
	mount_fixture_close();
}

static void
begin(void)
{
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/.jsonl");

	CU_ASSERT_PTR_NOT_NULL_FATAL(n);
	CU_ASSERT_EQUAL_FATAL(producer_new(mount_fixture.m, mount_fixture_clean(), n, 7, &o), 0);
}

static void
end(void)
{
	producer_drop(o);
	producers_wait(mount_fixture.m);
	CU_ASSERT_EQUAL(fake.open, 0);
}

/* ------------------------------------------------------------ READs */

struct reader {
	struct producer_waiter waiter; /* first */
	struct buf text;               /* on the heap */
	int errnum;
	atomic_bool answered;
	bool taken;
};

static void
take(struct producer_waiter *w)
{
	((struct reader *)w)->taken = true;
}

static void
give(struct producer_waiter *w, const struct producer_answer *a)
{
	struct reader *r = (struct reader *)w;

	r->errnum = a->errnum;
	for (int i = 0; i < a->n; i++) {
		buf_put(&r->text, a->parts[i].iov_base, a->parts[i].iov_len);
	}
	r->answered = true;
}

static void
park(struct reader *r, uint64_t offset, size_t size)
{
	*r = (struct reader){
		.waiter = {.offset = offset, .size = size, .take = take, .answer = give}};
	CU_ASSERT_TRUE_FATAL(producer_park(o, &r->waiter));
}

/* Read and wait for the answer, which may come from a worker.  Return: an errno, or 0 with the bytes in r->text */
static int
read_at(struct reader *r, uint64_t offset, size_t size)
{
	struct producer_answer a;

	*r = (struct reader){.errnum = 0};
	if (producer_read(o, offset, size, &a)) {
		give(&r->waiter, &a);
		producer_done(o);
		return r->errnum;
	}
	park(r, offset, size);
	for (unsigned w = 0; !r->answered && wait_again(&w);) {
	}
	CU_ASSERT_TRUE_FATAL(r->answered);
	CU_ASSERT_TRUE(r->taken);
	return r->errnum;
}

/* Return the expected byte at @offset. */
static char
byte_at(uint64_t offset)
{
	static const uint64_t powers[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	uint64_t i = offset % 8;

	return i == 7 ? '\n' : (char)('0' + offset / 8 / powers[i] % 10);
}

static bool
is_right(const struct reader *r, uint64_t offset)
{
	for (size_t i = 0; i < r->text.len; i++) {
		if (r->text.at[i] != byte_at(offset + i)) {
			return false;
		}
	}
	return true;
}

/* Read from @from to the end in pieces of @size.  Return: the offset of the end */
static uint64_t
read_all(uint64_t from, size_t size)
{
	uint64_t at = from;
	struct reader r;

	for (;;) {
		CU_ASSERT_EQUAL_FATAL(read_at(&r, at, size), 0);
		CU_ASSERT_TRUE(r.text.len <= size && is_right(&r, at));
		at += r.text.len;
		bool over = r.text.len == 0;

		buf_release(&r.text);
		if (over) {
			return at;
		}
	}
}

/* Read a few bytes.  Return: the errno */
static int
try_at(uint64_t offset)
{
	struct reader r;
	int e = read_at(&r, offset, 100);

	CU_ASSERT_TRUE(is_right(&r, offset));
	CU_ASSERT_TRUE(e != 0 || r.text.len > 0);
	buf_release(&r.text);
	return e;
}

/* ------------------------------------------------------------ */

static void
gives_the_whole_text_in_pieces_of_any_size(void)
{
	static const size_t sizes[] = {1000, 4096, 131072, 1048576, 777777};

	fake.lines = 400000;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin();
		CU_ASSERT_EQUAL(read_all(0, sizes[i]), 3200000);
		CU_ASSERT_EQUAL(fake.open, 0);
		CU_ASSERT_EQUAL(read_all(3200000 - PRODUCER_BACK, sizes[i]), 3200000);
		end();
	}
	fake.lines = 0;
	begin();
	CU_ASSERT_EQUAL(read_all(0, 100), 0);
	end();
}

static void
goes_back_256_kib_and_nowhere_else(void)
{
	fake.lines = 1000000;
	begin();
	CU_ASSERT_EQUAL(try_at(1), EINVAL);
	uint64_t at = 0;

	while (at < 1000000) {
		struct reader r;

		CU_ASSERT_EQUAL_FATAL(read_at(&r, at, 1000), 0);
		at += r.text.len;
		buf_release(&r.text);
	}
	CU_ASSERT_EQUAL(try_at(at + 1), EINVAL);
	CU_ASSERT_EQUAL(try_at(at - PRODUCER_BACK - 1), EINVAL);
	CU_ASSERT_EQUAL(try_at(at - PRODUCER_BACK), 0);
	CU_ASSERT_EQUAL(try_at(at), 0);
	CU_ASSERT_EQUAL(try_at(UINT64_MAX), EINVAL);
	end();
}

static void
produces_no_more_than_is_read(void)
{
	fake.lines = 9000000;
	begin();
	CU_ASSERT_EQUAL(try_at(0), 0);
	CU_ASSERT_EQUAL(fake.calls, 1);
	CU_ASSERT_EQUAL(try_at(100), 0);
	for (unsigned w = 0; fake.calls < 5 && wait_again(&w);) {
	}
	end();
	CU_ASSERT_TRUE(fake.calls >= 5 && fake.at < 200000);
}

/* Work of the test in the queue of the hub's workers: it posts @done, or waits for it. */
struct turn {
	struct work work; /* first */
	sem_t done;
};

enum { HELD = 3 }; /* all workers but one */

static void
end_turn(struct work *w)
{
	(void)sem_post(&((struct turn *)w)->done);
}

static void
await_turn(struct work *w)
{
	while (sem_wait(&((struct turn *)w)->done) != 0) {
	}
}

static void
add_turn(struct turn *t, void (*run)(struct work *w))
{
	*t = (struct turn){.work.run = run};
	(void)sem_init(&t->done, 0, 0);
	workers_add(mount_fixture.m->hub->workers, &t->work);
}

/* Makes the workers run all work that is queued, one piece after the other, and then again what that has queued. */
static void
let_workers_turn(unsigned times)
{
	static struct turn held[HELD];

	for (unsigned i = 0; i < HELD; i++) {
		add_turn(&held[i], await_turn);
	}
	while (times-- > 0) {
		struct turn t;

		add_turn(&t, end_turn);
		await_turn(&t.work);
		(void)sem_destroy(&t.done);
	}
	for (unsigned i = 0; i < HELD; i++) {
		end_turn(&held[i].work);
	}
}

static void
stops_when_nobody_waits_and_continues_for_a_reader(void)
{
	struct reader r;

	fake.barren = true;
	begin();
	park(&r, 0, 100);
	for (unsigned w = 0; fake.calls < 1000 && wait_again(&w);) {
	}
	CU_ASSERT_TRUE(fake.calls >= 1000);
	CU_ASSERT_TRUE(producer_leave(o, &r.waiter));
	CU_ASSERT_FALSE(r.answered);
	/* At most the turn that was running then continues. */
	unsigned calls = fake.calls;

	let_workers_turn(10);
	CU_ASSERT_TRUE(fake.calls <= calls + 1);
	park(&r, 0, 100);
	for (unsigned w = 0; fake.calls < calls + 1000 && wait_again(&w);) {
	}
	CU_ASSERT_TRUE(fake.calls >= calls + 1000);
	producer_drop(o);
	producers_wait(mount_fixture.m);
	CU_ASSERT_TRUE(r.answered && r.taken);
	CU_ASSERT_EQUAL(r.errnum, EINTR);
	CU_ASSERT_EQUAL(fake.open, 0);
}

static void
a_reader_that_gave_up_does_not_wait(void)
{
	struct reader r = {.waiter = {.size = 1, .take = take, .answer = give}};

	begin();
	CU_ASSERT_FALSE(producer_leave(o, &r.waiter));
	CU_ASSERT_FALSE(producer_park(o, &r.waiter));
	end();
	CU_ASSERT_FALSE(r.answered);
}

static void
is_unread_until_a_read_got_something(void)
{
	struct reader r;

	fake.barren = true;
	begin();
	CU_ASSERT_TRUE(producer_is_untold(o));
	CU_ASSERT_EQUAL(try_at(1), EINVAL);
	park(&r, 0, 100);
	CU_ASSERT_TRUE(producer_leave(o, &r.waiter));
	CU_ASSERT_TRUE(producer_is_untold(o));
	fake.barren = false;
	CU_ASSERT_EQUAL(try_at(0), 0);
	CU_ASSERT_FALSE(producer_is_untold(o));
	end();
	fake.lines = 0;
	begin();
	CU_ASSERT_TRUE(producer_is_untold(o));
	CU_ASSERT_EQUAL(read_all(0, 100), 0);
	CU_ASSERT_FALSE(producer_is_untold(o));
	end();
	fake.lines = 1000000;
	begin();
	producer_tidy(o, clock_steady_ns() + 1);
	CU_ASSERT_FALSE(producer_is_untold(o));
	end();
}

static void
many_readers_may_wait(void)
{
	struct reader r[5];

	fake.barren = true;
	fake.lines = 1000;
	begin();
	for (size_t i = 0; i < 5; i++) {
		park(&r[i], 0, 80);
	}
	CU_ASSERT_TRUE(producer_leave(o, &r[2].waiter));
	fake.barren = false;
	for (size_t i = 0; i < 5; i++) {
		for (unsigned w = 0; i != 2 && !r[i].answered && wait_again(&w);) {
		}
		CU_ASSERT_EQUAL(r[i].answered, i != 2);
		CU_ASSERT_TRUE(i == 2 || (r[i].text.len == 80 && is_right(&r[i], 0)));
		buf_release(&r[i].text);
	}
	end();
}

static void
a_failure_follows_the_text_before_it_and_is_logged(void)
{
	static const struct {
		enum err code;
		int errnum;
	} failures[] = {{ERR_IO, EIO}, {ERR_CORRUPT, EIO}, {ERR_THROTTLED, EBUSY}};

	fake.lines = 100000;
	for (size_t i = 0; i < 3; i++) {
		struct refused_out log;
		struct reader r;
		uint64_t at = 0;

		fake.fail_at = 50000;
		fake.failure = failures[i].code;
		begin();
		while (read_at(&r, at, 65536) == 0) {
			CU_ASSERT_TRUE_FATAL(r.text.len > 0 && is_right(&r, at));
			at += r.text.len;
			buf_release(&r.text);
		}
		CU_ASSERT_EQUAL(r.errnum, failures[i].errnum);
		CU_ASSERT_EQUAL(at, 400000);
		/* The failure was reported; the next READ continues. */
		CU_ASSERT_EQUAL(read_all(at, 65536), 800000);
		end();
		refused_list(&mount_fixture.hub->refused, mount_fixture_clean(),
			     &(struct refused_reader){0}, &log);
		/* The second message repeats the first. */
		CU_ASSERT_EQUAL_FATAL(log.n_lines, i < 2 ? 1 : 2);
		struct slice last = log.lines[log.n_lines - 1];

		CU_ASSERT_PTR_NOT_NULL(
			memmem(last.at, last.len, "/m/tab/.jsonl\t", strlen("/m/tab/.jsonl\t")));
		CU_ASSERT_TRUE(slice_ends(last, i == 1 ? SLICE("the flow fails\tx 2")
						       : SLICE("the flow fails")));
	}
}

static void
releases_the_snapshot_after_a_long_time_without_reads(void)
{
	fake.lines = 1000000;
	begin();
	CU_ASSERT_EQUAL(try_at(0), 0);
	producer_tidy(o, 1); /* read since then */
	CU_ASSERT_EQUAL(fake.open, 1);
	producer_tidy(o, clock_steady_ns() + 1);
	CU_ASSERT_EQUAL(fake.open, 0);
	CU_ASSERT_EQUAL(try_at(100), 0); /* the produced text is still there */
	struct reader r;
	uint64_t at = 200;

	while (read_at(&r, at, 10000) == 0) {
		at += r.text.len;
		buf_release(&r.text);
	}
	CU_ASSERT_EQUAL(r.errnum, ESTALE);
	CU_ASSERT_EQUAL(try_at(at), ESTALE);
	end();
}

static void
reports_why_it_cannot_begin(void)
{
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/.jsonl");

	mount_fixture.m->engine = fixture.e;
	schemas_drop(&mount_fixture.m->schemas, SLICE(""));
	CU_ASSERT_EQUAL(engine_delete_table(fixture.e, mount_fixture_clean(),
					    &(struct delete_table_in){.table = SLICE("tab")},
					    &(struct delete_table_out){.table = {0}}),
			0);
	CU_ASSERT_EQUAL(producer_new(mount_fixture.m, mount_fixture_clean(), n, 7, &o),
			PLACE_ABSENT);
	producers_wait(mount_fixture.m);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(gives_the_whole_text_in_pieces_of_any_size),
	UNIT_TEST(goes_back_256_kib_and_nowhere_else),
	UNIT_TEST(produces_no_more_than_is_read),
	UNIT_TEST(stops_when_nobody_waits_and_continues_for_a_reader),
	UNIT_TEST(a_reader_that_gave_up_does_not_wait),
	UNIT_TEST(is_unread_until_a_read_got_something),
	UNIT_TEST(many_readers_may_wait),
	UNIT_TEST(a_failure_follows_the_text_before_it_and_is_logged),
	UNIT_TEST(releases_the_snapshot_after_a_long_time_without_reads),
	UNIT_TEST(reports_why_it_cannot_begin),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(producer, setup, teardown, tests);
