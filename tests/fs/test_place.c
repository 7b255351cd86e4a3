#include "fs/core/inode.h"
#include "fs/core/schemas.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_find.h"
#include "fs/place/place_stat.h"

#include "tests/fs/mount_fixture.h"
#include "tests/fs/writer.h"
#include "tests/support/rng.h"
#include "tests/support/unit.h"

/* Resolve a name below @dir.  Return: as place_child() */
static int
child_of(const char *dir, const char *name, struct child *out)
{
	struct place place;
	struct node *n = mount_fixture_node(mount_fixture.m, dir);
	int r = place_of(mount_fixture.m, mount_fixture_clean(), n, &place);

	CU_ASSERT_EQUAL(r, 0);
	return place_child(mount_fixture.m, &fixture.c, &place, slice_from(name), out);
}

static const struct {
	const char *dir;
	const char *name;
	int outcome;
	enum role role;
} names[] = {
	{"", "tab", 0, ROLE_TABLE},
	{"", "none", PLACE_ABSENT, ROLE_TABLE},
	{"", "x", PLACE_ABSENT, ROLE_TABLE},
	{"", ".itemfs", 0, ROLE_SPECIAL},
	{"", ".index", PLACE_ODD, ROLE_TABLE},
	{"tab", ".itemfs", PLACE_ODD, ROLE_PARTITION},
	{"tab", ".index", 0, ROLE_INDEXES},
	{"tab", "p", 0, ROLE_PARTITION},
	{"tab", "a%2fb", PLACE_ODD, ROLE_PARTITION},
	{"tab/p", "a.json", 0, ROLE_ITEM},
	{"tab/p", "a", 0, ROLE_SCRATCH},
	{"tab/p", ".a.json", 0, ROLE_SCRATCH},
	{"tab/p", "%41.json", PLACE_ODD, ROLE_ITEM},
	{"tab/.index", "gsi", 0, ROLE_INDEX},
	{"tab/.index", "none", PLACE_ABSENT, ROLE_INDEX},
	{"tab/.index/gsi", "g", 0, ROLE_PARTITION},
	{"tab/.index/gsi/g", "h::p::a.json", 0, ROLE_ITEM},
	{"tab/.index/gsi/g", "h::p.json", PLACE_ODD, ROLE_ITEM},
	{"sim", "a.json", 0, ROLE_ITEM},
	{"sim", ".index", 0, ROLE_INDEXES},
	{".itemfs", "errors", 0, ROLE_SPECIAL},
	{"tab", ".jsonl", 0, ROLE_TERMINAL},
	{"tab", ".eq", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab", ".shards", 0, ROLE_QUERY},
	{"tab/.shards/p{0..3}", ".eq", 0, ROLE_QUERY},
	{"tab/.shards/p{0..3}", ".shards", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab/p", ".shards", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab/p", ".eq", 0, ROLE_QUERY},
	{"tab/p", ".json", 0, ROLE_TERMINAL},
	{"tab/p/.between/-", ".jsonl", 0, ROLE_QUERY},
	{"tab/p/.eq/a", ".jsonl", 0, ROLE_TERMINAL},
	{"tab/p/.eq/a", ".limit", 0, ROLE_QUERY},
	{"tab/p/.eq/a", ".eq", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab/p/.limit", "0", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab/.index", ".jsonl", PLACE_ODD, ROLE_INDEX},
	{"tab/.index/gsi", ".count", 0, ROLE_TERMINAL},
	{"tab/.index/gsi", ".shards", 0, ROLE_QUERY},
	{"tab/.index/gsi", ".limit", 0, ROLE_QUERY},
	{"tab/.index/gsi", ".reverse", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab", ".filter", 0, ROLE_QUERY},
	{"tab", ".eq", PLACE_NO_QUERY, ROLE_QUERY},
	{"tab/.index/gsi/g", ".begins_with", 0, ROLE_QUERY},
	{"sim", ".csv", 0, ROLE_TERMINAL},
	{"sim", ".filter", 0, ROLE_QUERY},
	{"sim", ".eq", PLACE_NO_QUERY, ROLE_QUERY},
	{"sim", ".reverse", PLACE_NO_QUERY, ROLE_QUERY},
	{"sim", ".shards", PLACE_NO_QUERY, ROLE_QUERY},
	{"", ".jsonl", PLACE_ODD, ROLE_TABLE},
};

static void
resolves_every_kind_of_name(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct child child;
		int r = child_of(names[i].dir, names[i].name, &child);

		if (r != names[i].outcome) {
			(void)printf("\n    %s / %s gives %d\n", names[i].dir, names[i].name, r);
		}
		CU_ASSERT_EQUAL(r, names[i].outcome);
		CU_ASSERT_TRUE(r != 0 || child.place.role == names[i].role);
		CU_ASSERT_TRUE(r != 0 ||
			       place_is_fleeting(&child.place) == (names[i].role == ROLE_QUERY ||
								   names[i].role == ROLE_TERMINAL));
		/* Every outcome except mere absence has a reason. */
		CU_ASSERT_TRUE(r == 0 || r == PLACE_ABSENT || fixture_message()[0] != '\0');
	}
}

static void
names_over_255_bytes_are_too_long(void)
{
	char name[300];
	struct child child;

	memset(name, 'k', sizeof(name));
	name[256] = '\0';
	CU_ASSERT_EQUAL(child_of("tab", name, &child), PLACE_TOO_LONG);
	name[255] = '\0';
	CU_ASSERT_EQUAL(child_of("tab", name, &child), 0);
}

static void
reports_exact_sizes_and_absence(void)
{
	static const char json[] = "{\"pk\":\"p\",\"sk\":\"a\",\"G\":\"g\",\"H\":\"h\"}";
	struct child child;
	struct attributes attributes;

	(void)fixture_put("tab", json);
	CU_ASSERT_EQUAL(child_of("tab/p", "a.json", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			0);
	CU_ASSERT_EQUAL(attributes.size, strlen(json) + 1);
	CU_ASSERT_EQUAL(child_of("tab/.index/gsi/g", "h::p::a.json", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			0);
	CU_ASSERT_EQUAL(attributes.size, strlen(json) + 1);
	CU_ASSERT_EQUAL(child_of("tab", "p", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			0);
	CU_ASSERT_TRUE(attributes.is_dir && attributes.size == strlen(json) + 1);
	CU_ASSERT_EQUAL(child_of("tab", "o", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			PLACE_ABSENT);
	CU_ASSERT_EQUAL(child_of("tab/p", "b.json", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			PLACE_ABSENT);
	CU_ASSERT_EQUAL(child_of("tab/.index/gsi/g", "i::p::a.json", &child), 0);
	CU_ASSERT_EQUAL(place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes),
			PLACE_ABSENT);
}

static void
inode_numbers_are_stable_and_distinct(void)
{
	static const char *const paths[] = {"",
					    "tab",
					    "sim",
					    "tab/p",
					    "tab/q",
					    "tab/p/a.json",
					    "tab/q/a.json",
					    "tab/.index",
					    "tab/.index/gsi",
					    "tab/.index/gsi/p",
					    ".itemfs",
					    ".itemfs/errors",
					    "tab/.jsonl",
					    "tab/p/.jsonl",
					    "tab/p/.count",
					    "tab/p/.limit",
					    "tab/p/.limit/1",
					    "tab/p/.limit/1/.jsonl",
					    "tab/p/.limit/1/a.json"};
	uint64_t ino[sizeof(paths) / sizeof(paths[0])];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct place here, there;
		int r = place_of(mount_fixture.m, mount_fixture_clean(),
				 mount_fixture_node(mount_fixture.m, paths[i]), &here);

		ino[i] = r == 0 ? here.ino : 0;
		r = place_of(mount_fixture.other, mount_fixture_clean(),
			     mount_fixture_node(mount_fixture.other, paths[i]), &there);
		CU_ASSERT_TRUE(r == 0 && there.ino == ino[i] && ino[i] != 0);
		for (size_t k = 0; k < i; k++) {
			CU_ASSERT_NOT_EQUAL(ino[k], ino[i]);
		}
	}
}

/* ------------------------------------------------------------ what is known without the store */

static void
the_place_of_a_directory_is_kept_until_a_name_changes(void)
{
	struct mount *m = mount_fixture.m;
	struct node *table = mount_fixture_node(m, "tab");
	struct node *dir = mount_fixture_node(m, "tab/p");
	struct node *file = mount_fixture_node(m, "tab/p/a.json");
	struct place before, again, below, after;
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	CU_ASSERT_EQUAL(place_of(m, &c, dir, &before), 0);
	CU_ASSERT_EQUAL(place_of(m, &c, dir, &again), 0);
	CU_ASSERT_EQUAL(place_of(m, &c, file, &below), 0);
	CU_ASSERT_PTR_EQUAL(again.partition.at, before.partition.at);
	CU_ASSERT_PTR_EQUAL(below.partition.at, before.partition.at);
	CU_ASSERT_TRUE(below.role == ROLE_ITEM && slice_is(below.shown, "a"));

	inode_move(&m->inodes, dir, NODE_PARTITION, table, SLICE("q"), SLICE(""));
	CU_ASSERT_EQUAL(place_of(m, &c, file, &below), 0);
	CU_ASSERT_TRUE(slice_is(below.key.at[0].value.text, "q"));
	CU_ASSERT_EQUAL(place_of(m, &c, dir, &after), 0);
	CU_ASSERT_TRUE(slice_is(after.partition, "q") && after.ino != before.ino);
	CU_ASSERT_TRUE(slice_is(after.pk.at[0].text, "q"));
	CU_ASSERT_EQUAL(place_of(m, &c, file, &below), 0);
	CU_ASSERT_TRUE(slice_is(below.key.at[0].value.text, "q"));
	/* The call still holds the memory of the first place. */
	CU_ASSERT_TRUE(slice_is(before.partition, "p"));
	/* A new directory of the old name has another node. */
	CU_ASSERT_EQUAL(place_of(m, &c, mount_fixture_node(m, "tab/p"), &again), 0);
	CU_ASSERT_TRUE(slice_is(again.partition, "p") && again.ino == before.ino);
	call_close(&c);
}

static void
the_place_of_a_directory_is_kept_until_a_definition_changes(void)
{
	struct mount *m = mount_fixture.m;
	struct node *entries = mount_fixture_node(m, "tab/.index/gsi/g");
	struct node *table = mount_fixture_node(m, "sim");
	struct place p;
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	CU_ASSERT_EQUAL(place_of(m, &c, entries, &p), 0);
	CU_ASSERT_EQUAL(fixture_drop_index("tab", "gsi"), 0);
	schemas_drop(&m->schemas, SLICE("tab"));
	CU_ASSERT_EQUAL(place_of(m, &c, entries, &p), PLACE_ABSENT);

	CU_ASSERT_EQUAL(place_of(m, &c, table, &p), 0);
	CU_ASSERT_TRUE(place_holds_items(&p));
	CU_ASSERT_EQUAL(engine_delete_table(fixture.e, &c,
					    &(struct delete_table_in){.table = SLICE("sim")},
					    &(struct delete_table_out){0}),
			0);
	schemas_drop(&m->schemas, SLICE("sim"));
	CU_ASSERT_EQUAL(place_of(m, &c, table, &p), PLACE_ABSENT);
	CU_ASSERT_EQUAL(fixture_table("sim pk:S sk:S"), 0);
	schemas_drop(&m->schemas, SLICE("sim"));
	CU_ASSERT_EQUAL(place_of(m, &c, table, &p), 0);
	CU_ASSERT_FALSE(place_holds_items(&p));
	call_close(&c);
}

/* Expect that stat shows @size for the directory "tab/p"; -1: that there is none. */
static void
expect_size(int size)
{
	struct attributes attributes;
	struct child child;

	CU_ASSERT_EQUAL(child_of("tab", "p", &child), 0);
	int r = place_stat(mount_fixture.m, &fixture.c, &child.place, NULL, &attributes);

	CU_ASSERT_EQUAL(r, size < 0 ? PLACE_ABSENT : 0);
	CU_ASSERT_TRUE(size < 0 || attributes.size == (uint64_t)size);
}

static void
write_file(const char *path, const char *text)
{
	struct handle *h = writer_create(mount_fixture.m, path, false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, text), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
}

static void
the_size_of_a_directory_is_known_after_an_own_put(void)
{
	enum { A = sizeof("{\"pk\":\"p\",\"sk\":\"a\"}"), V = sizeof(",\"v\":1") - 1 };

	expect_size(-1);
	write_file("tab/p/a.json", "{}");
	expect_size(A);
	write_file("tab/p/b.json", "{\"v\":1}");
	expect_size(2 * A + V);
	write_file("tab/p/b.json", "{}");
	expect_size(2 * A);
	mount_fixture.m->stored_last.bytes += 1000;
	expect_size(2 * A + 1000); /* the store was not asked */

	/* The true size is shown after any other change: in another directory, by another front end, of a delete. */
	write_file("tab/q/a.json", "{}");
	expect_size(2 * A);
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"c\",\"v\":1}"), 0);
	expect_size(3 * A + V);
	CU_ASSERT_EQUAL(fixture_delete("tab", "{\"pk\":\"p\",\"sk\":\"c\"}"), 0);
	expect_size(2 * A);
	write_file("tab/p/a.json", "{\"v\":1}");
	CU_ASSERT_EQUAL(fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"c\"}"), 0);
	expect_size(3 * A + V);
	write_file("tab/p/a.json", "{}");
	expect_size(3 * A);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	expect_size(2 * A);
	CU_ASSERT_EQUAL(fixture_check(), 0);
}

/* Two mounts in turns: neither shows the size that the other one's put has changed. */
static void
the_size_of_a_directory_is_true_beside_another_mount(void)
{
	enum { A = sizeof("{\"pk\":\"p\",\"sk\":\"a\"}") };

	write_file("tab/p/a.json", "{}");
	struct handle *h = writer_create(mount_fixture.other, "tab/p/b.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.other, h, "{}"), 0);
	writer_release(mount_fixture.other, h);
	expect_size(2 * A);
}

/* ------------------------------------------------------------ shortened names */

enum { LONG = 300 };

/* Return a long string; seeds with the same tens share their prefix. */
static const char *
long_text(unsigned seed)
{
	static char text[LONG + 16];

	memset(text, 'a' + (char)(seed / 10 % 3), LONG);
	(void)snprintf(text + LONG, 16, "%u", seed);
	return text;
}

static struct slice
shown(const struct value *values, size_t n, const char *suffix, bool entry)
{
	struct buf component, name;

	buf_init(&component, &fixture.c.arena);
	buf_init(&name, &fixture.c.arena);
	if (entry) {
		path_put_entry(&component, values, n);
	} else {
		path_put_value(&component, values);
	}
	(void)path_put_name(&name, buf_view(&component), slice_from(suffix));
	return buf_view(&name);
}

static bool
finds(const char *dir, struct slice name, struct child *child)
{
	char copy[PATH_NAME_MAX + 1];

	(void)snprintf(copy, sizeof(copy), "%.*s", SLICE_ARG(name));
	return child_of(dir, copy, child) == 0 && child->full.len > 0 && child->place.known;
}

static void
finds_the_item_of_a_shortened_name_among_similar_names(void)
{
	char json[1024];

	for (unsigned i = 0; i < 30; i++) {
		(void)snprintf(json, sizeof(json),
			       "{\"pk\":\"p\",\"sk\":\"%s\",\"G\":\"g\",\"H\":\"%s\"}",
			       long_text(i), i % 2 == 0 ? "h" : long_text(i));
		CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
		(void)snprintf(json, sizeof(json), "{\"pk\":\"%s\",\"sk\":\"s\"}", long_text(i));
		CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
		(void)snprintf(json, sizeof(json), "{\"pk\":\"%s\"}", long_text(i));
		CU_ASSERT_EQUAL(fixture_put("sim", json), 0);
	}
	for (unsigned i = 0; i < 30; i++) {
		struct value v = value_string(slice_from(long_text(i)));
		struct value entry[3] = {i % 2 == 0 ? value_string(SLICE("h")) : v,
					 value_string(SLICE("p")), v};
		struct child child;

		CU_ASSERT_TRUE(finds("tab/p", shown(&v, 1, ".json", false), &child));
		CU_ASSERT_TRUE(slice_is(child.full, long_text(i)));
		CU_ASSERT_TRUE(finds("tab", shown(&v, 1, "", false), &child));
		CU_ASSERT_TRUE(slice_is(child.full, long_text(i)));
		CU_ASSERT_TRUE(finds("sim", shown(&v, 1, ".json", false), &child));
		CU_ASSERT_TRUE(finds("tab/.index/gsi/g", shown(entry, 3, ".json", true), &child));
	}
}

static void
searches_all_pages_for_a_shortened_name(void)
{
	enum { NAMES = 600 }; /* a page has 256 */
	char json[1024];
	struct child child;

	for (unsigned i = 0; i < NAMES; i++) {
		/* Multiples of 30 share their prefix. */
		(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":\"%s\"}",
			       long_text(i * 30));
		CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
		(void)snprintf(json, sizeof(json), "{\"pk\":\"%s\",\"sk\":\"s\"}",
			       long_text(i * 30));
		CU_ASSERT_EQUAL(fixture_put("tab", json), 0);
	}
	for (unsigned i = 0; i < NAMES; i += 37) {
		struct value v = value_string(slice_from(long_text(i * 30)));

		CU_ASSERT_TRUE(finds("tab/p", shown(&v, 1, ".json", false), &child));
		CU_ASSERT_TRUE(slice_is(child.full, long_text(i * 30)));
		CU_ASSERT_TRUE(finds("tab", shown(&v, 1, "", false), &child));
		CU_ASSERT_TRUE(slice_is(child.full, long_text(i * 30)));
	}
	struct value absent = value_string(slice_from(long_text(NAMES * 30)));

	CU_ASSERT_FALSE(finds("tab/p", shown(&absent, 1, ".json", false), &child));
	CU_ASSERT_FALSE(finds("tab", shown(&absent, 1, "", false), &child));
}

static bool
always(const void *asker)
{
	(void)asker;
	return true;
}

static void
finds_a_shortened_name_in_merged_collections_with_little_memory(void)
{
	struct value entry[2] = {value_string(slice_from(long_text(29))),
				 value_string(SLICE("p2"))};
	struct child child;
	struct place dir;
	char json[1024], name[PATH_NAME_MAX + 1];

	for (unsigned i = 0; i < 30; i++) {
		(void)snprintf(json, sizeof(json), "{\"pk\":\"p%u\",\"sk\":\"%s\"}", i % 3,
			       long_text(i));
		(void)fixture_put("tab", json);
	}
	for (unsigned i = 0; i < 3000; i++) {
		(void)snprintf(json, sizeof(json), "{\"pk\":\"p0\",\"sk\":\"%04u\"}", i);
		(void)fixture_put("tab", json);
	}
	for (unsigned i = 0; i < 30; i++) {
		char pk[3] = {'p', (char)('0' + i % 3)};
		struct value both[2] = {value_string(slice_from(long_text(i))),
					value_string(slice_from(pk))};

		CU_ASSERT_TRUE(finds("tab/.shards/p{0..2}", shown(both, 2, ".json", true), &child));
		CU_ASSERT_TRUE(slice_starts(child.full, slice_from(long_text(i))));
		CU_ASSERT_TRUE(
			finds("tab/.shards/p{0..2}/.ge/0", shown(both, 2, ".json", true), &child));
		CU_ASSERT(fixture.c.arena.used < 100000);
	}
	CU_ASSERT_FALSE(finds("tab/.shards/p{0..1}", shown(entry, 2, ".json", true), &child));
	(void)snprintf(name, sizeof(name), "%.*s", SLICE_ARG(shown(entry, 2, ".json", true)));
	CU_ASSERT_EQUAL(place_of(mount_fixture.m, mount_fixture_clean(),
				 mount_fixture_node(mount_fixture.m, "tab/.shards/p{0..2}"), &dir),
			0);
	fixture.c.given_up = always;
	CU_ASSERT_EQUAL(place_child(mount_fixture.m, &fixture.c, &dir, slice_from(name), &child),
			PLACE_INTERRUPTED);
}

static void
a_shortened_name_is_unknown_until_an_item_gives_its_key(void)
{
	struct value v = value_string(slice_from(long_text(5)));
	struct child child;
	char name[PATH_NAME_MAX + 1], json[1024];
	struct slice partition, full;

	(void)snprintf(name, sizeof(name), "%.*s", SLICE_ARG(shown(&v, 1, ".json", false)));
	CU_ASSERT_EQUAL(child_of("tab/p", name, &child), 0);
	CU_ASSERT_FALSE(child.place.known);
	(void)snprintf(json, sizeof(json), "{\"pk\":\"p\",\"sk\":\"%s\"}", long_text(5));
	struct item right = fixture_item(json), wrong = fixture_item("{\"pk\":\"p\",\"sk\":\"b\"}");

	CU_ASSERT_EQUAL(child_of("tab/p", name, &child), 0);
	right = fixture_item(json);
	CU_ASSERT_EQUAL(place_adopt(&fixture.c, &child.place, ".json", &right, &partition, &full),
			0);
	CU_ASSERT_TRUE(slice_is(full, long_text(5)));
	CU_ASSERT_EQUAL(partition.len, 0);
	wrong = fixture_item("{\"pk\":\"p\",\"sk\":\"b\"}");
	CU_ASSERT_EQUAL(place_adopt(&fixture.c, &child.place, ".json", &wrong, &partition, &full),
			-ERR_VALIDATION);
}

static void
the_place_of_a_shortened_directory_is_made_again_with_its_key(void)
{
	struct mount *m = mount_fixture.m;
	struct value v = value_string(slice_from(long_text(5)));
	struct place place;
	char path[PATH_NAME_MAX + 16];
	struct call c;

	(void)snprintf(path, sizeof(path), "tab/%.*s", SLICE_ARG(shown(&v, 1, "", false)));
	struct node *dir = mount_fixture_node(m, path);

	call_open(&c, 0, SIZE_MAX);
	CU_ASSERT_EQUAL(place_of(m, &c, dir, &place), 0);
	CU_ASSERT_FALSE(place.known);
	inode_set_full(&m->inodes, dir, slice_from(long_text(5)));
	CU_ASSERT_EQUAL(place_of(m, &c, dir, &place), 0);
	CU_ASSERT_TRUE(place.known && slice_is(place.pk.at[0].text, long_text(5)));
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(resolves_every_kind_of_name),
	UNIT_TEST(names_over_255_bytes_are_too_long),
	UNIT_TEST(reports_exact_sizes_and_absence),
	UNIT_TEST(inode_numbers_are_stable_and_distinct),
	UNIT_TEST(the_place_of_a_directory_is_kept_until_a_name_changes),
	UNIT_TEST(the_place_of_a_directory_is_kept_until_a_definition_changes),
	UNIT_TEST(the_size_of_a_directory_is_known_after_an_own_put),
	UNIT_TEST(the_size_of_a_directory_is_true_beside_another_mount),
	UNIT_TEST(finds_the_item_of_a_shortened_name_among_similar_names),
	UNIT_TEST(searches_all_pages_for_a_shortened_name),
	UNIT_TEST(finds_a_shortened_name_in_merged_collections_with_little_memory),
	UNIT_TEST(a_shortened_name_is_unknown_until_an_item_gives_its_key),
	UNIT_TEST(the_place_of_a_shortened_directory_is_made_again_with_its_key),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(place, mount_fixture_open, mount_fixture_close, tests);
