#include "fs/core/pending.h"
#include "fs/file/hidden.h"
#include "fs/ops/listing.h"

#include "tests/fs/mount_fixture.h"
#include "tests/support/unit.h"

static void
put_many(int n)
{
	for (int i = 0; i < n; i++) {
		char json[64];

		(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":\"%05d\"}", i);
		(void)fixture_put("tab", json);
	}
}

static void
shows_tables_partitions_items_and_indexes(void)
{
	(void)fixture_put("tab", "{\"pk\":\"p/1\",\"sk\":\"b\",\"G\":\"g\",\"H\":\"h\"}");
	(void)fixture_put("tab", "{\"pk\":\"p/1\",\"sk\":\"a\"}");
	(void)fixture_put("tab", "{\"pk\":\".q\",\"sk\":\"a\"}");
	(void)fixture_put("sim", "{\"pk\":\"one\"}");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, ""), "sim\ntab\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "%2Eq\np%2F1\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p%2F1"),
			       "a.json\nb.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "sim"), "one.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/.index"), "gsi\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/.index/gsi"), "g\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/.index/gsi/g"),
			       "h::p%2F1::b.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, ".itemfs"),
			       "README\nconfig.json\nerrors\nstats.json\nversion\nrejected\n");
}

static void
pages_show_every_entry_once_and_in_order(void)
{
	put_many(2500);
	const char *names = mount_fixture_names(mount_fixture.m, "tab/p");
	int n = 0;

	for (const char *at = names; *at != '\0'; at += 11) {
		char expected[24];

		(void)snprintf(expected, sizeof(expected), "%05d.json\n", n++);
		CU_ASSERT_NSTRING_EQUAL(at, expected, 11);
	}
	CU_ASSERT_EQUAL(n, 2500);
}

static int
name_at(struct listing *l, uint64_t ordinal, char out[16])
{
	struct listed listed;
	struct buf name;
	struct call *c = mount_fixture_clean();

	buf_init(&name, &c->arena);
	int r = listing_get(l, c, ordinal, &name, &listed);

	(void)snprintf(out, 16, "%.*s", (int)name.len, r == 0 ? name.at : "");
	return r;
}

/* The directory's names begin with 00000 to 02499, in ascending or descending order. */
static void
seek_in(const char *path, bool backward)
{
	static const int places[] = {0, 2499, 1023, 1024, 5, 2048, 2047, 100, 2499, 0};
	char name[16], expected[24];
	struct listing *l =
		listing_new(mount_fixture.m, &fixture.c, mount_fixture_node(mount_fixture.m, path));

	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + (uint64_t)places[i], name), 0);
		(void)snprintf(expected, sizeof(expected), "%05d",
			       backward ? 2499 - places[i] : places[i]);
		CU_ASSERT_NSTRING_EQUAL(name, expected, 5);
		/* Reading works after the end, too, when the frozen state is gone. */
		CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 2500, name), LISTING_END);
	}
	listing_free(l);
}

static void
readers_can_seek_at_any_time(void)
{
	put_many(2500);
	seek_in("tab/p", false);
}

static void
readers_can_seek_in_queries(void)
{
	char json[64];

	put_many(2500);
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"x\"}");
	seek_in("tab/p/.lt/x", false);
	seek_in("tab/p/.limit/2500", false);
	seek_in("tab/p/.lt/x/.reverse", true);
	for (int i = 0; i < 2500; i++) {
		(void)snprintf(json, sizeof(json), "{\"pk\":\"q%d\",\"sk\":\"%05d\"}", i % 7, i);
		(void)fixture_put("tab", json);
	}
	seek_in("tab/.shards/q{0..9}", false);
	seek_in("tab/.shards/q{0..9}/.limit/2500/.reverse", true);
}

static void
queries_show_matching_items_and_no_files_of_the_mount(void)
{
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"a\",\"n\":1,\"G\":\"g\",\"H\":\"h\"}");
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"b\",\"n\":2,\"G\":\"g\",\"H\":\"i\"}");
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"c\",\"n\":3}");
	(void)fixture_put("sim", "{\"pk\":\"one\",\"n\":1}");
	(void)fixture_put("sim", "{\"pk\":\"two\",\"n\":2}");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p/.gt/a"),
			       "b.json\nc.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p/.filter/n < 3/.reverse"),
			       "b.json\na.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p/.between/a"), "");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/.index/gsi/g/.eq/i"),
			       "i::p::b.json\n");
	CU_ASSERT_STRING_EQUAL(
		mount_fixture_names(mount_fixture.m, "tab/.index/gsi/.shards/g{0..1}"), "");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "sim/.filter/n = 2"),
			       "two.json\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/.project/n/b.json"),
			       "{\"n\":2}\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/.gt/a/a.json"), "-");
}

static void
shows_one_state_until_it_is_rewound(void)
{
	char name[16];

	put_many(1100);
	struct listing *l = listing_new(mount_fixture.m, &fixture.c,
					mount_fixture_node(mount_fixture.m, "tab/p"));

	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST, name), 0);
	(void)fixture_delete("tab", "{\"pk\":\"p\",\"sk\":\"01050\"}");
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"00000a\"}");
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 1050, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "01050");
	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 1, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "00000a");
	listing_free(l);
}

/* Positions count the entries of that state and stay valid for readers that seek back. */
static void
keeps_its_state_after_the_end(void)
{
	char name[16];

	put_many(1100);
	struct listing *l = listing_new(mount_fixture.m, &fixture.c,
					mount_fixture_node(mount_fixture.m, "tab/p"));

	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 1100, name), LISTING_END);
	(void)fixture_delete("tab", "{\"pk\":\"p\",\"sk\":\"01030\"}");
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 1050, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "01050");
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 1100, name), LISTING_END);
	listing_free(l);
}

/* Return true every third time, so that calls make some progress. */
static bool
every_third_time(const void *asker)
{
	static unsigned asked;

	(void)asker;
	return asked++ % 3 == 2;
}

/* Read the names of all entries while interrupts occur repeatedly. */
static void
read_on(const char *path, const char *expected)
{
	struct listing *l =
		listing_new(mount_fixture.m, &fixture.c, mount_fixture_node(mount_fixture.m, path));
	struct call *c = mount_fixture_clean();
	int r = 0, interrupts = 0;
	struct buf all;

	CU_ASSERT_EQUAL(listing_begin(l, c), 0);
	c->given_up = every_third_time;
	buf_init(&all, &c->arena);
	for (uint64_t i = LISTING_FIRST; r != LISTING_END && interrupts < 100;) {
		struct listed listed;

		r = listing_get(l, c, i, &all, &listed);
		if (r == 0) {
			buf_char(&all, ' ');
			i++;
		} else if (r == PLACE_INTERRUPTED) {
			interrupts++;
		}
	}
	CU_ASSERT_EQUAL(r, LISTING_END);
	CU_ASSERT(interrupts > 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&all), expected));
	listing_free(l);
}

static void
an_interrupt_loses_nothing(void)
{
	char json[64];

	put_many(5000);
	for (int i = 0; i < 5000; i += 2400) {
		(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":\"%05d\",\"n\":1}", i);
		(void)fixture_put("tab", json);
	}
	read_on("tab/p/.filter/n = 1", "00000 02400 04800 ");
	read_on("tab/p/.filter/n = 1/.reverse", "04800 02400 00000 ");
	(void)fixture_put("tab", "{\"pk\":\"p1\",\"sk\":\"03000\",\"n\":1}");
	read_on("tab/.shards/p{0..2}/.filter/n = 1", "03000::p1 ");
}

static void
a_long_seek_can_be_interrupted(void)
{
	char name[16];

	put_many(5000);
	struct listing *l = listing_new(mount_fixture.m, &fixture.c,
					mount_fixture_node(mount_fixture.m, "tab/p"));
	struct call *c = mount_fixture_clean();
	struct listed listed;
	struct buf all;

	CU_ASSERT_EQUAL(listing_begin(l, c), 0);
	c->given_up = every_third_time;
	buf_init(&all, &c->arena);
	CU_ASSERT_EQUAL(listing_get(l, c, (uint64_t)1 << 62, &all, &listed), PLACE_INTERRUPTED);
	c->given_up = NULL;
	CU_ASSERT_EQUAL(listing_get(l, c, (uint64_t)1 << 62, &all, &listed), LISTING_END);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 4999, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "04999");
	listing_free(l);
}

static void
shows_partitions_made_by_mkdir_once(void)
{
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/made");

	(void)fixture_put("tab", "{\"pk\":\"b\",\"sk\":\"b\"}");
	CU_ASSERT_TRUE(pending_add(mount_fixture.m, n, 0));
	CU_ASSERT_TRUE(pending_add(mount_fixture.m, n, 0));
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "b\nmade\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.other, "tab"), "b\n");
	(void)fixture_put("tab", "{\"pk\":\"made\",\"sk\":\"b\"}");
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "b\nmade\n");
	(void)fixture_delete("tab", "{\"pk\":\"made\",\"sk\":\"b\"}");
	CU_ASSERT_TRUE(pending_drop(mount_fixture.m, n));
	CU_ASSERT_FALSE(pending_drop(mount_fixture.m, n));
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab"), "b\n");
}

static void
an_entry_has_the_attributes_of_stat(void)
{
	struct listed listed;
	struct buf name;

	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"a\",\"v\":\"äß\"}");
	struct listing *l = listing_new(mount_fixture.m, &fixture.c,
					mount_fixture_node(mount_fixture.m, "tab/p"));
	struct call *c = mount_fixture_clean();

	buf_init(&name, &c->arena);
	CU_ASSERT_EQUAL(listing_begin(l, c), 0);
	CU_ASSERT_EQUAL(listing_get(l, c, LISTING_FIRST, &name, &listed), 0);
	CU_ASSERT_TRUE(listed.has_attributes && !listed.attributes.is_dir &&
		       listed.kind == NODE_ITEM);
	CU_ASSERT_EQUAL(listed.attributes.size,
			strlen("{\"pk\":\"p\",\"sk\":\"a\",\"v\":\"äß\"}\n"));
	CU_ASSERT_NOT_EQUAL(listed.attributes.mtime_ns, 0);
	listing_free(l);
}

/* An engine around the fixture's that counts the frozen states. */
static struct counter {
	struct engine engine;
	int views;
} counter;

static int
counter_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	(void)e;
	return engine_execute(fixture.e, c, in, out);
}

static struct view *
counter_open(struct engine *e)
{
	(void)e;
	counter.views++;
	return engine_view_open(fixture.e);
}

static void
counter_close(struct engine *e, struct view *view)
{
	(void)e;
	counter.views--;
	engine_view_close(fixture.e, view);
}

static struct listing *
listing_in_counter(const char *path)
{
	static const struct engine_ops ops = {
		.execute = counter_execute, .view_open = counter_open, .view_close = counter_close};

	counter = (struct counter){.engine.ops = &ops};
	mount_fixture.m->engine = &counter.engine;
	struct listing *l =
		listing_new(mount_fixture.m, &fixture.c, mount_fixture_node(mount_fixture.m, path));

	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	return l;
}

/* Check that the rest from @ordinal on has each of @first to 02999, and all other names, once and in order. */
static void
check_rest(struct listing *l, uint64_t ordinal, int first)
{
	char name[16], last[16] = "", expected[16];
	int old = first;

	while (name_at(l, ordinal++, name) == 0) {
		CU_ASSERT_TRUE(strcmp(last, name) < 0);
		(void)snprintf(expected, sizeof(expected), "%05d", old);
		old += strcmp(name, expected) == 0;
		memcpy(last, name, sizeof(last));
	}
	CU_ASSERT_EQUAL(old, 3000);
}

/* Change names before, within and after the part that has been read; 00000 to 02999 stay. */
static void
change_all_over(void)
{
	for (int i = 0; i < 3000; i += 10) {
		char json[64];

		(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":\"%05dx\"}", i);
		(void)fixture_put("tab", json);
	}
}

static void
read_after_a_while(const char *path)
{
	char name[16];
	struct listing *l = listing_in_counter(path);
	uint64_t late_ns;

	for (uint64_t i = 0; i < 1500; i++) {
		CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + i, name), 0);
	}
	CU_ASSERT_STRING_EQUAL(name, "01499");
	late_ns = l->used_ns + LISTING_PATIENCE_S * 1000000000ULL;
	listings_tidy(mount_fixture.m, late_ns - 1);
	CU_ASSERT_EQUAL(counter.views, 1);
	(void)pthread_mutex_lock(&l->lock);
	listings_tidy(mount_fixture.m, late_ns);
	(void)pthread_mutex_unlock(&l->lock);
	CU_ASSERT_EQUAL(counter.views, 1);
	listings_tidy(mount_fixture.m, late_ns);
	CU_ASSERT_EQUAL(counter.views, 0);
	change_all_over();
	check_rest(l, LISTING_FIRST + 1500, 1500);
	listings_tidy(mount_fixture.m, late_ns);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 10000, name), LISTING_END);

	/* An older position whose entry was not moved by new entries before it. */
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "00000");
	check_rest(l, LISTING_FIRST, 0);
	listing_free(l);
	CU_ASSERT_EQUAL(counter.views, 0);
}

static void
releases_its_state_when_nobody_reads(void)
{
	put_many(3000);
	read_after_a_while("tab/p");
}

static void
queries_release_their_state_when_nobody_reads(void)
{
	put_many(3000);
	read_after_a_while("tab/p/.ge/0");
}

static void
merged_collections_keep_their_state(void)
{
	char name[16];

	(void)fixture_put("tab", "{\"pk\":\"p0\",\"sk\":\"a\"}");
	struct listing *l = listing_in_counter("tab/.shards/p{0..1}");

	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST, name), 0);
	listings_tidy(mount_fixture.m, UINT64_MAX);
	CU_ASSERT_EQUAL(counter.views, 1);
	listing_free(l);
	CU_ASSERT_EQUAL(counter.views, 0);
}

static void
a_listing_that_begins_after_the_end_shows_later_entries(void)
{
	char name[16];

	put_many(3000);
	struct listing *l = listing_in_counter("tab/p");

	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 3000, name), LISTING_END);
	listings_tidy(mount_fixture.m, UINT64_MAX);
	change_all_over();
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 3000, name), LISTING_END);
	CU_ASSERT_EQUAL(name_at(l, LISTING_FIRST + 2048, name), 0);
	CU_ASSERT_STRING_EQUAL(name, "02048");
	check_rest(l, LISTING_FIRST + 2048, 2048);
	listing_free(l);
}

/* Return the names as READDIR gives them, from the beginning. */
static const char *
listed_names(struct listing *l)
{
	struct call *c = mount_fixture_clean();
	struct buf out, component;
	struct listed listed;

	buf_init(&out, &c->arena);
	for (uint64_t i = LISTING_FIRST;; i++) {
		buf_init(&component, &c->arena);
		if (listing_get(l, c, i, &component, &listed) != 0) {
			break;
		}
		if (listed.own || listed.kind == NODE_SCRATCH ||
		    !listing_hides(l, buf_view(&component))) {
			buf_fmt(&out, "%.*s%s\n", SLICE_ARG(buf_view(&component)),
				listed.kind == NODE_ITEM ? ".json" : "");
		}
	}
	buf_char(&out, '\0');
	return out.at;
}

/* Names and the hidden ones among them are those of the moment when the listing began. */
static void
omits_names_that_were_hidden_when_it_began(void)
{
	put_many(3);
	struct node *dir = mount_fixture_node(mount_fixture.m, "tab/p");
	struct listing *l = listing_new(mount_fixture.m, &fixture.c, dir);
	struct listing *older = listing_new(mount_fixture.m, &fixture.c, dir);

	CU_ASSERT_EQUAL(listing_begin(older, mount_fixture_clean()), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "00000.json", "tab/p", "a~", 0), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "00001.json", "tab/p", "b~", 0), 0);
	CU_ASSERT_EQUAL(listing_begin(l, mount_fixture_clean()), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b~", "tab/p", "00001.json", 0), 0);
	hidden_settle(mount_fixture.m, mount_fixture_clean(), dir);
	CU_ASSERT_FALSE(hidden_is(mount_fixture.m, dir, SLICE("00000")));
	CU_ASSERT_TRUE(listing_hides(l, SLICE("00000")));
	CU_ASSERT_TRUE(listing_hides(l, SLICE("00001")));
	CU_ASSERT_FALSE(listing_hides(l, SLICE("00002")));
	/* A name that exists again is shown at the end. */
	CU_ASSERT_STRING_EQUAL(listed_names(l), "00002.json\na~\n00001.json\n");
	CU_ASSERT_STRING_EQUAL(listed_names(older), "00000.json\n00001.json\n00002.json\na~\n");
	listing_free(l);
	listing_free(older);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(shows_tables_partitions_items_and_indexes),
	UNIT_TEST(pages_show_every_entry_once_and_in_order),
	UNIT_TEST(readers_can_seek_at_any_time),
	UNIT_TEST(readers_can_seek_in_queries),
	UNIT_TEST(queries_show_matching_items_and_no_files_of_the_mount),
	UNIT_TEST(shows_one_state_until_it_is_rewound),
	UNIT_TEST(keeps_its_state_after_the_end),
	UNIT_TEST(releases_its_state_when_nobody_reads),
	UNIT_TEST(queries_release_their_state_when_nobody_reads),
	UNIT_TEST(merged_collections_keep_their_state),
	UNIT_TEST(a_listing_that_begins_after_the_end_shows_later_entries),
	UNIT_TEST(an_interrupt_loses_nothing),
	UNIT_TEST(a_long_seek_can_be_interrupted),
	UNIT_TEST(shows_partitions_made_by_mkdir_once),
	UNIT_TEST(an_entry_has_the_attributes_of_stat),
	UNIT_TEST(omits_names_that_were_hidden_when_it_began),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(listing, mount_fixture_open, mount_fixture_close, tests);
