/* Records of a stream with many shards, as lines: over an engine that answers what the test says. */
#include <stdio.h>
#include <stdlib.h>

#include "store/model/item_json.h"

#include "fs/shards.h"

#include "tests/fs/stage.h"
#include "tests/support/unit.h"

enum { SHARDS_MAX = 8 };

/*
 * A shard: its pages, a digit each, that says how many records there are.  Behind them it has ended, or it is
 * open and pages are empty.  Iterators and sequence numbers are "SHARD.PAGE".
 */
struct fake_shard {
	const char *id;
	const char *parent;
	const char *pages;
	bool open;
};

static struct {
	struct engine engine;
	struct fake_shard at[SHARDS_MAX];
	size_t n;
	bool enabled;
	bool none; /* the table has no stream */
	unsigned asked[OP_COUNT];
	unsigned calls;
	unsigned fail_at; /* the n-th call of all */
	enum err failure;
} fake;

static struct place place;
static struct shards *s;
static struct buf text;

static struct slice
named(struct call *c, size_t shard, size_t page)
{
	struct buf b;

	buf_init(&b, &c->arena);
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
describe(struct call *c, struct describe_stream_out *out)
{
	struct stream_shard *shards = arena_new(&c->arena, struct stream_shard, SHARDS_MAX);

	for (size_t i = 0; i < fake.n; i++) {
		shards[i] = (struct stream_shard){.id = slice_from(fake.at[i].id),
						  .parent = slice_from(fake.at[i].parent),
						  .last = slice_from(fake.at[i].open ? "" : "9")};
	}
	*out = (struct describe_stream_out){
		.enabled = fake.enabled, .shards = shards, .n_shards = fake.n};
	return 0;
}

/* Two shards a page. */
static int
list_page(struct call *c, const struct describe_stream_in *in, struct describe_stream_out *out)
{
	size_t from = 0;

	CU_ASSERT_TRUE(slice_is(in->stream, "arn:latest"));
	while (in->start_shard.len > 0 && from < fake.n &&
	       !slice_is(in->start_shard, fake.at[from].id)) {
		from++;
	}
	from += in->start_shard.len > 0;
	(void)describe(c, out);
	out->shards += from;
	out->n_shards -= from;
	if (out->n_shards > 2) {
		out->n_shards = 2;
		out->last_shard = out->shards[1].id;
	}
	return 0;
}

static int
begin_shard(struct call *c, const struct get_shard_iterator_in *in,
	    struct get_shard_iterator_out *out)
{
	size_t i = 0, page = 0, ignored;

	while (!slice_is(in->shard, fake.at[i].id)) {
		i++;
	}
	if (in->type == ITERATOR_LATEST) {
		page = strlen(fake.at[i].pages);
	} else if (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER) {
		parse(in->seq, &ignored, &page);
		page++;
	}
	out->iterator = named(c, i, page);
	return 0;
}

static int
records(struct call *c, const struct get_records_in *in, struct get_records_out *out)
{
	size_t i, page;

	parse(in->iterator, &i, &page);
	const struct fake_shard *sh = &fake.at[i];
	size_t pages = strlen(sh->pages);
	size_t n = page < pages ? (size_t)(sh->pages[page] - '0') : 0;
	struct stream_record *all = arena_new(&c->arena, struct stream_record, n + 1);

	for (size_t k = 0; k < n; k++) {
		all[k] = (struct stream_record){.event = STREAM_INSERT, .seq = named(c, i, page)};
	}
	*out = (struct get_records_out){.records = all, .n_records = n};
	if (sh->open || page + 1 < pages) {
		out->next = named(c, i, page + (page < pages));
	}
	return 0;
}

static int
execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	(void)e;
	fake.asked[in->type]++;
	if (++fake.calls == fake.fail_at) {
		return call_fail(c, fake.failure, "it fails");
	}
	switch ((int)in->type) {
	case OP_DESCRIBE_TABLE:
		if (engine_execute(scene.e, c, in, out) < 0) {
			abort();
		}
		struct schema *schema = arena_new(&c->arena, struct schema, 1);

		*schema = *out->describe_table.table.schema;
		schema->stream.view = fake.none ? STREAM_NONE : STREAM_KEYS_ONLY;
		out->describe_table.table.schema = schema;
		out->describe_table.table.latest_stream = SLICE("arn:latest");
		return 0;
	case OP_DESCRIBE_STREAM:
		return list_page(c, &in->describe_stream, &out->describe_stream);
	case OP_GET_SHARD_ITERATOR:
		return begin_shard(c, &in->get_shard_iterator, &out->get_shard_iterator);
	case OP_GET_RECORDS:
		return records(c, &in->get_records, &out->get_records);
	default:
		abort();
	}
}

static const struct engine_ops ops = {.execute = execute};

static void
setup(void)
{
	stage_open();
	memset(&fake, 0, sizeof(fake));
	fake.engine.ops = &ops;
	fake.enabled = true;
	stage.m->engine = &fake.engine;
	place = (struct place){.table = SLICE("tab")};
	buf_init(&text, NULL);
	s = NULL;
}

static void
teardown(void)
{
	shards_close(s);
	buf_release(&text);
	stage.m->engine = scene.e;
	stage_close();
}

static void
add(const char *id, const char *parent, const char *pages, bool open)
{
	fake.at[fake.n++] = (struct fake_shard){id, parent, pages, open};
}

static void
begin(enum shards_from from)
{
	CU_ASSERT_EQUAL_FATAL(shards_open(stage.m, stage_clean(), &place, from, &s), 0);
}

/* Until it is the end, of now or for ever, or fails. */
static int
read_on(void)
{
	int r = 0;

	while (r == 0) {
		r = shards_read(s, stage_clean(), &text);
	}
	return r;
}

/* The sequence numbers that were read since it was asked last, with spaces between them. */
static bool
was_read(const char *expected)
{
	char got[1024] = "";
	size_t len = 0;

	for (struct slice rest = buf_view(&text); rest.len > 0;) {
		const char *end = (const char *)memchr(rest.at, '\n', rest.len) + 1;
		const char *at = (const char *)memmem(rest.at, rest.len, "\"seq\":\"", 7) + 7;
		const char *quote = (const char *)memchr(at, '"', (size_t)(end - at));

		len += (size_t)snprintf(got + len, sizeof(got) - len, len > 0 ? " %.*s" : "%.*s",
					(int)(quote - at), at);
		rest = slice_skip(rest, (size_t)(end - rest.at));
	}
	buf_clear(&text);
	if (strcmp(got, expected) != 0) {
		(void)printf("read \"%s\"\n", got);
	}
	return strcmp(got, expected) == 0;
}

/* ------------------------------------------------------------ from the oldest on */

static void
parents_are_read_before_their_children(void)
{
	add("c", "b", "1", true);
	add("b", "a", "11", false);
	add("x", "", "1", true);
	add("a", "gone", "2", false);
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("2.0 3.0 3.0 1.0 1.1 0.0"));
	CU_ASSERT_FALSE(shards_lost(s));
}

static void
an_empty_page_ends_nothing(void)
{
	add("a", "", "0100000000000000000000010", false);
	add("b", "a", "00000000010000000001", true);
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.1 0.23 1.9 1.19"));
}

static void
ten_of_an_open_shard_are_its_end_for_now(void)
{
	add("a", "", "100000000001", true);
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.0"));
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.11"));
}

static void
children_that_come_meanwhile_are_read_too(void)
{
	add("a", "", "1", true);
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(shards_read(s, stage_clean(), &text), 0);
	CU_ASSERT_EQUAL(shards_read(s, stage_clean(), &text), 0);
	fake.at[0].open = false;
	add("b", "a", "1", false);
	add("c", "b", "1", true);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.0 1.0 2.0"));
}

static void
a_stream_that_is_off_ends(void)
{
	add("a", "", "11", false);
	fake.enabled = false;
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(read_on(), SHARDS_END);
	CU_ASSERT_TRUE(was_read("0.0 0.1"));
	fake.n = 0;
	shards_close(s);
	begin(SHARDS_OLDEST);
	CU_ASSERT_EQUAL(read_on(), SHARDS_END);
}

/* ------------------------------------------------------------ from now on */

static void
what_was_there_before_is_not_read(void)
{
	add("old", "", "1", false);
	add("a", "old", "12", true);
	add("b", "old", "3", true);
	begin(SHARDS_NEWEST);
	fake.at[1].pages = "1210";
	fake.at[2].pages = "3001";
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("1.2"));
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("2.3"));
	CU_ASSERT_EQUAL(fake.asked[OP_DESCRIBE_STREAM], 2);
}

static void
no_shard_waits_for_a_busy_one(void)
{
	add("a", "", "", true);
	add("b", "", "", true);
	begin(SHARDS_NEWEST);
	fake.at[0].pages = "111";
	fake.at[1].pages = "11";
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.0 1.0 0.1 1.1 0.2"));
}

static void
a_shard_is_followed_by_its_children(void)
{
	add("a", "", "1", true);
	begin(SHARDS_NEWEST);
	fake.at[0] = (struct fake_shard){"a", "", "12", false};
	/* Its child is not to be seen at once. */
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.1 0.1"));
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	add("b", "a", "1", true);
	add("c", "a", "1", true);
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("1.0 2.0"));
	unsigned lists = fake.asked[OP_DESCRIBE_STREAM];

	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_EQUAL(fake.asked[OP_DESCRIBE_STREAM], lists);
	fake.at[1].open = fake.at[2].open = fake.enabled = false;
	CU_ASSERT_EQUAL(read_on(), SHARDS_END);
	CU_ASSERT_TRUE(was_read(""));
	CU_ASSERT_FALSE(shards_lost(s));
}

/* ------------------------------------------------------------ readers that were away; failures */

static void
who_was_away_goes_on_where_he_was(void)
{
	add("a", "", "", true);
	begin(SHARDS_NEWEST);
	fake.at[0].pages = "1";
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	fake.at[0].pages = "121";
	fake.failure = ERR_EXPIRED_ITERATOR;
	fake.fail_at = fake.calls + 1;
	CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
	CU_ASSERT_TRUE(was_read("0.0 0.1 0.1 0.2"));
	CU_ASSERT_FALSE(shards_lost(s));
}

static void
what_has_gone_meanwhile_is_told(void)
{
	static const enum err failures[] = {ERR_EXPIRED_ITERATOR, ERR_TRIMMED};

	for (size_t i = 0; i < 2; i++) {
		fake.n = 0;
		add("a", "", "1", true);
		shards_close(s);
		begin(SHARDS_NEWEST);
		fake.at[0].pages = "11";
		fake.failure = failures[i];
		fake.fail_at = fake.calls + 1;
		CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
		/* Expired: from the newest on again.  Trimmed: from what there is. */
		CU_ASSERT_TRUE(was_read(i == 0 ? "" : "0.0 0.1"));
		CU_ASSERT_TRUE(shards_lost(s));
		CU_ASSERT_FALSE(shards_lost(s));
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
		shards_close(s);
		begin(SHARDS_OLDEST);
		int r = read_on();

		CU_ASSERT_EQUAL(r, fake.calls < nth ? SHARDS_TIP : -ERR_THROTTLED);
		if (r < 0) {
			CU_ASSERT_EQUAL(read_on(), SHARDS_TIP);
		}
		CU_ASSERT_TRUE(was_read("1.0 1.1 2.0 0.0 0.2"));
	}
}

static void
a_table_without_a_stream_says_so(void)
{
	fake.none = true;
	CU_ASSERT_EQUAL(shards_open(stage.m, stage_clean(), &place, SHARDS_OLDEST, &s),
			PLACE_NO_QUERY);
	CU_ASSERT_PTR_NOT_NULL(strstr(scene.c.error.message, "table tab has no stream"));
	fake.none = false;
	fake.failure = ERR_UNREACHABLE;
	add("a", "", "1", true);
	/* The table, its shards, and each iterator. */
	for (unsigned nth = 1; nth <= 3; nth++) {
		fake.calls = 0;
		fake.fail_at = nth;
		CU_ASSERT_EQUAL(shards_open(stage.m, stage_clean(), &place, SHARDS_NEWEST, &s),
				-ERR_UNREACHABLE);
	}
	CU_ASSERT_PTR_NULL(s);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(parents_are_read_before_their_children),
	UNIT_TEST(an_empty_page_ends_nothing),
	UNIT_TEST(ten_of_an_open_shard_are_its_end_for_now),
	UNIT_TEST(children_that_come_meanwhile_are_read_too),
	UNIT_TEST(a_stream_that_is_off_ends),
	UNIT_TEST(what_was_there_before_is_not_read),
	UNIT_TEST(no_shard_waits_for_a_busy_one),
	UNIT_TEST(a_shard_is_followed_by_its_children),
	UNIT_TEST(who_was_away_goes_on_where_he_was),
	UNIT_TEST(what_has_gone_meanwhile_is_told),
	UNIT_TEST(after_a_failure_nothing_is_missing),
	UNIT_TEST(a_table_without_a_stream_says_so),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(shards, setup, teardown, tests);
