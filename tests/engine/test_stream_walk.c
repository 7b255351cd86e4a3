/* The records of a stream with many shards: over an engine that answers what the test says. */
#include <stdio.h>
#include <stdlib.h>

#include "store/base/buf.h"
#include "store/engine/stream_walk.h"

#include "tests/support/unit_call.h"

enum { SHARDS_MAX = 8 };

/*
 * A shard: its pages, a digit each, that says how many records there are.  Behind them it has ended, or it is
 * open and pages are empty.  Iterators and the sequence numbers of records are "SHARD.PAGE"; a shard's own
 * begin where the test says, if it does.
 */
struct fake_shard {
	const char *id;
	const char *parent;
	const char *pages;
	bool open;
	const char *first; /* NULL: "0" */
	const char *last;  /* of one that has ended; NULL: "9" */
};

static struct {
	struct engine engine;
	struct fake_shard at[SHARDS_MAX];
	size_t n;
	bool enabled;
	unsigned asked[OP_COUNT];
	unsigned numbered; /* iterators behind the number of try_from() */
	unsigned calls;
	unsigned fail_at; /* the n-th call of all */
	enum err failure;
} fake;

static struct stream_walk *w;
static struct buf
	text; /* the numbers that were read since it was asked last, a space behind each */

static struct slice
named(struct call *call, size_t shard, size_t page)
{
	struct buf b;

	buf_init(&b, &call->arena);
	buf_fmt(&b, "%zu.%zu", shard, page);
	return buf_view(&b);
}

static void
parse(struct slice name, size_t *shard, size_t *page)
{
	*shard = (size_t)(name.at[0] - '0');
	*page = 0;
	for (size_t i = 2; i < name.len; i++) {
		*page = *page * 10 + (size_t)(name.at[i] - '0');
	}
}

static int
describe(struct call *call, struct describe_stream_out *out)
{
	struct stream_shard *shards = arena_new(&call->arena, struct stream_shard, SHARDS_MAX);

	for (size_t i = 0; i < fake.n; i++) {
		const struct fake_shard *sh = &fake.at[i];
		const char *last = sh->last != NULL ? sh->last : "9";

		shards[i] = (struct stream_shard){
			.id = slice_from(sh->id),
			.parent = slice_from(sh->parent),
			.first = slice_from(sh->first != NULL ? sh->first : "0"),
			.last = slice_from(sh->open ? "" : last),
		};
	}
	*out = (struct describe_stream_out){
		.enabled = fake.enabled, .shards = shards, .n_shards = fake.n};
	return 0;
}

/* Two shards a page. */
static int
list_page(struct call *call, const struct describe_stream_in *in, struct describe_stream_out *out)
{
	size_t from = 0;

	CU_ASSERT_TRUE(slice_is(in->stream, "arn:latest"));
	while (in->start_shard.len > 0 && from < fake.n &&
	       !slice_is(in->start_shard, fake.at[from].id)) {
		from++;
	}
	from += in->start_shard.len > 0;
	(void)describe(call, out);
	out->shards += from;
	out->n_shards -= from;
	if (out->n_shards > 2) {
		out->n_shards = 2;
		out->last_shard = out->shards[1].id;
	}
	return 0;
}

static int
begin_shard(struct call *call, const struct get_shard_iterator_in *in,
	    struct get_shard_iterator_out *out)
{
	size_t i = 0, page = 0, ignored;

	while (!slice_is(in->shard, fake.at[i].id)) {
		i++;
	}
	if (in->type == ITERATOR_LATEST) {
		page = strlen(fake.at[i].pages);
	} else if (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER && slice_is(in->seq, "0042")) {
		fake.numbered++; /* in front of all that the shard has */
	} else if (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER) {
		parse(in->seq, &ignored, &page);
		page++;
	}
	out->iterator = named(call, i, page);
	return 0;
}

static int
records(struct call *call, const struct get_records_in *in, struct get_records_out *out)
{
	size_t i, page;

	parse(in->iterator, &i, &page);
	const struct fake_shard *sh = &fake.at[i];
	size_t pages = strlen(sh->pages);
	size_t n = page < pages ? (size_t)(sh->pages[page] - '0') : 0;
	struct stream_record *all = arena_new(&call->arena, struct stream_record, n + 1);

	for (size_t k = 0; k < n; k++) {
		all[k] =
			(struct stream_record){.event = STREAM_INSERT, .seq = named(call, i, page)};
	}
	*out = (struct get_records_out){.records = all, .n_records = n};
	if (sh->open || page + 1 < pages) {
		out->next = named(call, i, page + (page < pages));
	}
	return 0;
}

static int
execute(struct engine *e, struct call *call, const struct op_in *in, struct op_out *out)
{
	(void)e;
	fake.asked[in->type]++;
	if (++fake.calls == fake.fail_at) {
		return call_fail(call, fake.failure, "it fails");
	}
	switch ((int)in->type) {
	case OP_DESCRIBE_STREAM:
		return list_page(call, &in->describe_stream, &out->describe_stream);
	case OP_GET_SHARD_ITERATOR:
		return begin_shard(call, &in->get_shard_iterator, &out->get_shard_iterator);
	case OP_GET_RECORDS:
		return records(call, &in->get_records, &out->get_records);
	default:
		abort();
	}
}

static const struct engine_ops ops = {.execute = execute};

UNIT_CALL(c);

static void
open_all(void)
{
	setup();
	memset(&fake, 0, sizeof(fake));
	fake.engine.ops = &ops;
	fake.enabled = true;
	buf_init(&text, NULL);
	w = NULL;
}

static void
close_all(void)
{
	stream_walk_close(w);
	buf_release(&text);
	teardown();
}

static struct call *
clean(void)
{
	call_close(&c);
	call_open(&c, 0, 1 << 30);
	return &c;
}

static void
add(const char *id, const char *parent, const char *pages, bool open)
{
	fake.at[fake.n++] = (struct fake_shard){id, parent, pages, open, NULL, NULL};
}

/* The oldest for who reads once, the newest for who goes on: as most readers do. */
static int
try_from(enum stream_walk_from from)
{
	struct stream_walk_in in = {.stream = SLICE("arn:latest"),
				    .from = from,
				    .after = SLICE("0042"),
				    .goes_on = from == STREAM_WALK_NEWEST};

	return stream_walk_open(&fake.engine, clean(), &in, &w);
}

static void
begin(enum stream_walk_from from)
{
	CU_ASSERT_EQUAL_FATAL(try_from(from), 0);
}

/* One step. */
static int
read_some(void)
{
	struct stream_walk_page page;
	int r = stream_walk_next(w, clean(), &page);

	for (size_t i = 0; i < page.n; i++) {
		buf_slice(&text, page.records[i].seq);
		buf_char(&text, ' ');
	}
	return r;
}

/* Until it is the end, of now or for ever, or fails. */
static int
read_on(void)
{
	int r = 0;

	while (r == 0) {
		r = read_some();
	}
	return r;
}

static bool
was_read(const char *expected)
{
	struct slice got = buf_view(&text);

	got.len -= got.len > 0;
	bool same = slice_is(got, expected);

	if (!same) {
		(void)printf("read \"%.*s\"\n", SLICE_ARG(got));
	}
	buf_clear(&text);
	return same;
}

/* ------------------------------------------------------------ from the oldest on */

static void
parents_are_read_before_their_children(void)
{
	add("c", "b", "1", true);
	add("b", "a", "11", false);
	add("x", "", "1", true);
	add("a", "gone", "2", false);
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("2.0 3.0 3.0 1.0 1.1 0.0"));
	CU_ASSERT_FALSE(stream_walk_lost(w));
}

static void
an_empty_page_ends_nothing(void)
{
	add("a", "", "0100000000000000000000010", false);
	add("b", "a", "00000000010000000001", true);
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.1 0.23 1.9 1.19"));
}

static void
ten_of_an_open_shard_are_its_end_for_now(void)
{
	add("a", "", "100000000001", true);
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0"));
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.11"));
}

static void
one_that_has_ended_meanwhile_is_read_to_its_end(void)
{
	add("a", "", "100000000000000000001", true);
	begin(STREAM_WALK_OLDEST);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(read_some(), 0);
	}
	fake.at[0].open = false;
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0 0.20"));
}

static void
who_goes_on_asks_each_once(void)
{
	struct stream_walk_in in = {.stream = SLICE("arn:latest"), .goes_on = true};

	add("a", "", "1101", true);
	add("b", "", "1", true);
	CU_ASSERT_EQUAL_FATAL(stream_walk_open(&fake.engine, clean(), &in, &w), 0);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0 1.0 0.1"));
	CU_ASSERT_EQUAL(fake.asked[OP_GET_RECORDS], 5);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.3"));
	CU_ASSERT_EQUAL(fake.asked[OP_DESCRIBE_STREAM], 1);
}

static void
children_that_come_meanwhile_are_read_too(void)
{
	add("a", "", "1", true);
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_some(), 0);
	CU_ASSERT_EQUAL(read_some(), 0);
	fake.at[0].open = false;
	add("b", "a", "1", false);
	add("c", "b", "1", true);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0 1.0 2.0"));
}

static void
a_stream_that_is_off_ends(void)
{
	add("a", "", "11", false);
	fake.enabled = false;
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_END);
	CU_ASSERT_TRUE(was_read("0.0 0.1"));
	fake.n = 0;
	stream_walk_close(w);
	begin(STREAM_WALK_OLDEST);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_END);
}

/* ------------------------------------------------------------ from now on */

static void
what_was_there_before_is_not_read(void)
{
	add("old", "", "1", false);
	add("a", "old", "12", true);
	add("b", "old", "3", true);
	begin(STREAM_WALK_NEWEST);
	fake.at[1].pages = "1210";
	fake.at[2].pages = "3001";
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("1.2"));
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("2.3"));
	CU_ASSERT_EQUAL(fake.asked[OP_DESCRIBE_STREAM], 2);
}

static void
no_shard_waits_for_a_busy_one(void)
{
	add("a", "", "", true);
	add("b", "", "", true);
	begin(STREAM_WALK_NEWEST);
	fake.at[0].pages = "111";
	fake.at[1].pages = "11";
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0 1.0 0.1 1.1 0.2"));
}

static void
a_shard_is_followed_by_its_children(void)
{
	add("a", "", "1", true);
	begin(STREAM_WALK_NEWEST);
	fake.at[0].pages = "12";
	fake.at[0].open = false;
	/* Its child is not to be seen at once. */
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.1 0.1"));
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	add("b", "a", "1", true);
	add("c", "a", "1", true);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("1.0 2.0"));
	unsigned lists = fake.asked[OP_DESCRIBE_STREAM];

	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_EQUAL(fake.asked[OP_DESCRIBE_STREAM], lists);
	fake.at[1].open = fake.at[2].open = fake.enabled = false;
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_END);
	CU_ASSERT_TRUE(was_read(""));
	CU_ASSERT_FALSE(stream_walk_lost(w));
}

/* ------------------------------------------------------------ readers that were away; failures */

static void
who_was_away_goes_on_where_he_was(void)
{
	add("a", "", "", true);
	begin(STREAM_WALK_NEWEST);
	fake.at[0].pages = "1";
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	fake.at[0].pages = "121";
	fake.failure = ERR_EXPIRED_ITERATOR;
	fake.fail_at = fake.calls + 1;
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("0.0 0.1 0.1 0.2"));
	CU_ASSERT_FALSE(stream_walk_lost(w));
}

static void
what_has_gone_meanwhile_is_told(void)
{
	static const enum err failures[] = {ERR_EXPIRED_ITERATOR, ERR_TRIMMED};

	for (size_t i = 0; i < 2; i++) {
		fake.n = 0;
		add("a", "", "1", true);
		stream_walk_close(w);
		begin(STREAM_WALK_NEWEST);
		fake.at[0].pages = "11";
		fake.failure = failures[i];
		fake.fail_at = fake.calls + 1;
		CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
		/* Expired: from the newest on again.  Trimmed: from what there is. */
		CU_ASSERT_TRUE(was_read(i == 0 ? "" : "0.0 0.1"));
		CU_ASSERT_TRUE(stream_walk_lost(w));
		CU_ASSERT_FALSE(stream_walk_lost(w));
	}
}

static void
after_a_failure_nothing_is_missing(void)
{
	add("b", "a", "101", true);
	add("a", "", "11", false);
	add("x", "", "1", true);
	fake.failure = ERR_THROTTLED;
	for (unsigned nth = 2; nth < 30; nth++) {
		fake.calls = 0;
		fake.fail_at = nth;
		stream_walk_close(w);
		begin(STREAM_WALK_OLDEST);
		int r = read_on();

		CU_ASSERT_EQUAL(r, fake.calls < nth ? STREAM_WALK_TIP : -ERR_THROTTLED);
		if (r < 0) {
			CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
		}
		CU_ASSERT_TRUE(was_read("1.0 1.1 2.0 0.0 0.2"));
	}
}

static void
what_fails_at_first_is_not_open(void)
{
	fake.failure = ERR_UNREACHABLE;
	add("a", "", "1", true);
	/* Its shards, and each iterator. */
	for (unsigned nth = 1; nth <= 2; nth++) {
		fake.calls = 0;
		fake.fail_at = nth;
		CU_ASSERT_EQUAL(try_from(STREAM_WALK_NEWEST), -ERR_UNREACHABLE);
	}
	CU_ASSERT_PTR_NULL(w);
}

/* ------------------------------------------------------------ behind a number */

static void
what_is_behind_a_number_is_read_of_each_shard(void)
{
	add("old", "", "1", false);
	add("a", "old", "11", false);
	add("b", "a", "1", true);
	add("c", "old", "11", true);
	fake.at[0].last = "0000000042"; /* the number itself is the last one of it */
	fake.at[1].last = "100";
	fake.at[2].first = "101";
	fake.at[3].first = "00041";
	begin(STREAM_WALK_AFTER);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("1.0 1.1 2.0 3.0 3.1"));
	CU_ASSERT_EQUAL(fake.asked[OP_GET_SHARD_ITERATOR], 3);
	CU_ASSERT_EQUAL(fake.numbered, 2);
	CU_ASSERT_FALSE(stream_walk_lost(w));
	/* A shard that comes now is behind it, whatever its numbers are. */
	fake.at[2].open = false;
	add("d", "b", "1", true);
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(was_read("4.0"));
	CU_ASSERT_EQUAL(fake.numbered, 2);
}

static void
a_number_whose_shard_is_gone_is_told(void)
{
	add("a", "", "1", true);
	add("b", "", "1", true);
	add("c", "", "1", true);
	for (size_t i = 0; i < 3; i++) {
		fake.at[i].first = "43";
	}
	begin(STREAM_WALK_AFTER);
	CU_ASSERT_EQUAL(read_some(), 0);
	CU_ASSERT_FALSE(stream_walk_lost(w));
	CU_ASSERT_EQUAL(read_on(), STREAM_WALK_TIP);
	CU_ASSERT_TRUE(stream_walk_lost(w));
	CU_ASSERT_FALSE(stream_walk_lost(w));
	CU_ASSERT_TRUE(was_read("0.0 1.0 2.0"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(parents_are_read_before_their_children),
	UNIT_TEST(an_empty_page_ends_nothing),
	UNIT_TEST(ten_of_an_open_shard_are_its_end_for_now),
	UNIT_TEST(one_that_has_ended_meanwhile_is_read_to_its_end),
	UNIT_TEST(who_goes_on_asks_each_once),
	UNIT_TEST(children_that_come_meanwhile_are_read_too),
	UNIT_TEST(a_stream_that_is_off_ends),
	UNIT_TEST(what_was_there_before_is_not_read),
	UNIT_TEST(no_shard_waits_for_a_busy_one),
	UNIT_TEST(a_shard_is_followed_by_its_children),
	UNIT_TEST(who_was_away_goes_on_where_he_was),
	UNIT_TEST(what_has_gone_meanwhile_is_told),
	UNIT_TEST(after_a_failure_nothing_is_missing),
	UNIT_TEST(what_fails_at_first_is_not_open),
	UNIT_TEST(what_is_behind_a_number_is_read_of_each_shard),
	UNIT_TEST(a_number_whose_shard_is_gone_is_told),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_walk, open_all, close_all, tests);
