/* Stores in directories: opening and creating them, durability, crashes. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/local/local.h"

#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/rng.h"
#include "tests/support/unit.h"

static struct call c;
static char base[UNIT_FOLDER_BYTES];
static char dir[128];

static void
setup(void)
{
	call_open(&c, 1700000000000, 1 << 30);
	unit_make_folder(base, "local");
	(void)snprintf(dir, sizeof(dir), "%s/store", base);
}

static void
teardown(void)
{
	crash_remove(base);
	call_close(&c);
}

static struct engine *
open_store(bool create)
{
	struct engine *e = NULL;

	c.error = (struct error){0};
	int r = local_open(&c, dir, create, &e);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return e;
}

static void
expect_refused(const char *path, bool create, enum err code, const char *part)
{
	struct engine *e = NULL;

	c.error = (struct error){0};
	int r = local_open(&c, path, create, &e);

	CU_ASSERT_EQUAL(r, -(int)code);
	CU_ASSERT_PTR_NULL(e);
	CU_ASSERT_TRUE(r < 0 && strstr(c.error.message, part) != NULL);
}

static void
write_file(const char *name, const char *text)
{
	char path[160];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	(void)close(fd);
	CU_ASSERT_TRUE(done);
}

static int
create_table(struct engine *e)
{
	struct index ix[2] = {
		{.name = SLICE("GSI"), .global = true, .projection = PROJECTION_ALL},
		{.name = SLICE("KEYS"), .global = true, .projection = PROJECTION_KEYS_ONLY},
	};
	struct schema s = {.table = SLICE("tab"), .index = ix, .n_index = 2};
	struct create_table_out out;

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	s.key.sk[0] = (struct key_attr){SLICE("sk"), VALUE_N};
	ix[0].key.pk[0] = (struct key_attr){SLICE("g"), VALUE_S};
	ix[1].key.pk[0] = (struct key_attr){SLICE("h"), VALUE_S};
	return engine_create_table(e, &c, &(struct create_table_in){.schema = &s}, &out);
}

static struct item
item_number(unsigned pk, unsigned sk, unsigned v)
{
	struct buf json; /* the item borrows it */

	buf_init(&json, &c.arena);
	buf_fmt(&json, "{\"pk\":\"p%u\",\"sk\":%u,\"g\":\"g%u\",\"h\":\"h%u\",\"v\":%u}", pk, sk,
		v % 3, v % 5, v);
	buf_char(&json, '\0');
	return item_of(&c, json.at);
}

static int
put(struct engine *e, unsigned pk, unsigned sk, unsigned v, bool unsynced)
{
	struct put_item_out out;

	c.error = (struct error){0};
	return engine_put_item(e, &c,
			       &(struct put_item_in){.write = {.table = SLICE("tab"),
							       .item = item_number(pk, sk, v),
							       .unsynced = unsynced}},
			       &out);
}

static bool
has(struct engine *e, unsigned pk, unsigned sk)
{
	struct item whole = item_number(pk, sk, 0);
	struct get_item_out out = {0};

	whole.n = 2;
	c.error = (struct error){0};
	int r = engine_get_item(e, &c, &(struct get_item_in){.table = SLICE("tab"), .key = whole},
				&out);

	CU_ASSERT_EQUAL(r, 0);
	return out.found;
}

static size_t
problems(struct engine *e)
{
	struct slice next = {0};
	size_t n = 0;

	do {
		struct check_out out = {0};
		int r = engine_check(e, &c, &(struct check_in){.next = next}, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		for (size_t i = 0; i < out.n_problems; i++) {
			printf("%.*s\n", SLICE_ARG(out.problems[i]));
		}
		n += out.n_problems;
		next = out.next;
	} while (next.len > 0);
	return n;
}

/* ------------------------------------------------------------ directories */

static void
a_store_is_created_in_a_new_directory(void)
{
	struct stat st;
	char path[160];

	expect_refused(dir, false, ERR_VALIDATION, "No such file or directory");
	engine_close(open_store(true));
	engine_close(open_store(false));
	CU_ASSERT_EQUAL(stat(dir, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 0777, 0700);
	(void)snprintf(path, sizeof(path), "%s/FORMAT", dir);
	FILE *f = fopen(path, "r");
	char line[32] = "";

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_TRUE(fgets(line, sizeof(line), f) != NULL && strcmp(line, "itemfs 1\n") == 0);
	(void)fclose(f);
}

static void
an_empty_directory_becomes_a_store(void)
{
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	expect_refused(dir, false, ERR_VALIDATION, "not a store");
	engine_close(open_store(true));
}

static void
a_directory_with_other_files_is_left_alone(void)
{
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	write_file("notes.txt", "mine");
	expect_refused(dir, true, ERR_VALIDATION, "not a store");
	write_file("FORMAT", "");
	expect_refused(dir, true, ERR_VALIDATION, "not a store");
	write_file("FORMAT", "something else\n");
	expect_refused(dir, true, ERR_VALIDATION, "not a store");
	write_file("FORMAT", "itemfs one\n");
	expect_refused(dir, true, ERR_VALIDATION, "not a store");
}

static void
an_interrupted_creation_is_finished(void)
{
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	write_file("FORMAT", "");
	engine_close(open_store(true));
	crash_remove(dir);
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	write_file("FORMAT", "itemfs 1\n");
	expect_refused(dir, false, ERR_IO, "db/CURRENT is missing");
	engine_close(open_store(true));
}

static void
a_store_that_has_lost_its_database_gets_no_new_one(void)
{
	CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
	write_file("FORMAT", "itemfs 1\n");
	write_file("log", "");
	expect_refused(dir, true, ERR_IO, "db/CURRENT is missing");
}

static void
a_newer_format_is_refused(void)
{
	engine_close(open_store(true));
	write_file("FORMAT", "itemfs 2\n");
	expect_refused(dir, false, ERR_IO, "format 2, which is newer than this program");
}

static void
only_directories_are_opened(void)
{
	expect_refused("/dev/null", false, ERR_VALIDATION, "Not a directory");
	expect_refused("/dev/null", true, ERR_VALIDATION, "Not a directory");
	expect_refused("/nonexistent/store", true, ERR_VALIDATION, "No such file or directory");
}

static void
a_store_has_one_owner(void)
{
	struct engine *e = open_store(true);

	expect_refused(dir, false, ERR_BUSY, "in use");
	engine_close(e);
	engine_close(open_store(false));
}

static void
written_items_survive_a_restart(void)
{
	struct engine *e = open_store(true);

	CU_ASSERT_EQUAL(create_table(e), 0);
	for (unsigned i = 0; i < 100; i++) {
		int r = put(e, i % 7, i, i, i % 2 == 0);

		CU_ASSERT_EQUAL(r, 0);
	}
	engine_close(e);
	e = open_store(false);
	for (unsigned i = 0; i < 100; i++) {
		CU_ASSERT_TRUE(has(e, i % 7, i));
	}
	CU_ASSERT_EQUAL(problems(e), 0);
	engine_close(e);
}

/* ------------------------------------------------------------ crashes */

/* Overwrite the page at @at of the only log in @db with zeros; return false if the log ends before it. */
static bool
make_hole(const char *db, off_t at)
{
	static const char page[4096];
	char path[200];
	struct stat st;
	bool made = false;
	DIR *d = opendir(db);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		if (!slice_ends(slice_from(e->d_name), SLICE(".log"))) {
			continue;
		}
		(void)snprintf(path, sizeof(path), "%s/%.31s", db, e->d_name);
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		made = fstat(fd, &st) == 0 && at + (off_t)sizeof(page) < st.st_size &&
		       pwrite(fd, page, sizeof(page), at) == (ssize_t)sizeof(page);
		(void)close(fd);
	}
	(void)closedir(d);
	return made;
}

/*
 * Make a copy of the store as a crash would leave it now, and return how many of @n consecutive puts it has.
 * @hole: 0: everything that was not synced is lost; otherwise only this page of it is lost
 */
static unsigned
puts_after_crash(unsigned n, off_t hole)
{
	char live[160];
	char copy[80];
	char db[160];
	unsigned there = 0;
	char kept[sizeof(dir)];

	(void)snprintf(live, sizeof(live), "%s/db", dir);
	(void)snprintf(copy, sizeof(copy), "%s/crashed", base);
	(void)snprintf(db, sizeof(db), "%s/db", copy);
	memcpy(kept, dir, sizeof(dir));
	(void)snprintf(dir, sizeof(dir), "%s", copy);
	engine_close(open_store(true));
	crash_remove(db);
	CU_ASSERT_EQUAL(hole > 0 ? crash_copy_whole(live, db) : crash_copy(live, db), 0);
	CU_ASSERT_TRUE_FATAL(hole == 0 || make_hole(db, hole));
	struct engine *e = open_store(false);

	while (there < n && has(e, there % 5, there)) {
		there++;
	}
	for (unsigned i = there; i < n; i++) {
		CU_ASSERT_FALSE(has(e, i % 5, i));
	}
	CU_ASSERT_EQUAL(problems(e), 0);
	engine_close(e);
	crash_remove(copy);
	memcpy(dir, kept, sizeof(dir));
	return there;
}

static void
a_crash_leaves_a_clean_prefix_with_all_synced_writes(void)
{
	struct engine *e = open_store(true);
	struct rng d = {.state = 1};
	unsigned durable = 0;

	CU_ASSERT_EQUAL(create_table(e), 0);
	for (unsigned i = 0; i < 120; i++) {
		bool unsynced = rng_roll(&d, 3) > 0;
		int r = put(e, i % 5, i, i, unsynced);

		CU_ASSERT_EQUAL(r, 0);
		if (!unsynced) {
			durable = i + 1;
		}
		if (i % 8 == 0) {
			unsigned there = puts_after_crash(i + 1, 0);

			CU_ASSERT_TRUE(there >= durable && there <= i + 1);
		}
	}
	struct sync_out out;

	CU_ASSERT_EQUAL(put(e, 120 % 5, 120, 120, true), 0);
	CU_ASSERT_EQUAL(puts_after_crash(121, 0), durable);
	CU_ASSERT_EQUAL(engine_sync(e, &c, &(struct sync_in){0}, &out), 0);
	CU_ASSERT_EQUAL(puts_after_crash(121, 0), 121);
	engine_close(e);
}

static void
a_hole_in_the_log_leaves_a_clean_prefix(void)
{
	enum { PUTS = 400, PAGE = 4096 };
	struct engine *e = open_store(true);
	unsigned before = 0;

	CU_ASSERT_EQUAL(create_table(e), 0);
	for (unsigned i = 0; i < PUTS; i++) {
		CU_ASSERT_EQUAL(put(e, i % 5, i, i, true), 0);
	}
	/* The first page has the table, which is synced. */
	for (off_t hole = PAGE; hole < (off_t)12 * PAGE; hole += PAGE) {
		unsigned there = puts_after_crash(PUTS, hole);

		CU_ASSERT_TRUE(there > before && there < PUTS);
		before = there;
	}
	engine_close(e);
}

static void
damage_of_synced_data_is_refused(void)
{
	enum { PUTS = 100 };
	struct engine *e = open_store(true);
	char db[160];

	CU_ASSERT_EQUAL(create_table(e), 0);
	for (unsigned i = 0; i < PUTS; i++) {
		CU_ASSERT_EQUAL(put(e, i % 5, i, i, false), 0);
	}
	engine_close(e);
	(void)snprintf(db, sizeof(db), "%s/db", dir);
	CU_ASSERT_TRUE(make_hole(db, 4096));
	expect_refused(dir, false, ERR_CORRUPT, "itemctl check");
}

/* ------------------------------------------------------------ threads */

struct creator {
	pthread_t thread;
	struct engine *engine;
	unsigned number;
	unsigned created; /* bit mask of keys */
	int wrong;
};

enum { CREATORS = 8, KEYS = 20 };

static void *
create_each(void *arg)
{
	struct creator *w = arg;

	for (unsigned k = 0; k < KEYS; k++) {
		struct call mine;
		struct attr attrs[] = {
			{SLICE("pk"), value_string(SLICE("race"))},
			{SLICE("sk"), {.type = VALUE_N}},
		};
		struct put_item_in in = {.write = {.table = SLICE("tab"),
						   .item = {attrs, 2},
						   .condition = SLICE("attribute_not_exists(pk)")}};
		struct put_item_out out;
		struct buf number;

		call_open(&mine, 0, 1 << 20);
		buf_init(&number, &mine.arena);
		buf_fmt(&number, "%u", k);
		attrs[1].value.text = buf_view(&number);
		int r = engine_put_item(w->engine, &mine, &in, &out);

		if (r == 0) {
			w->created |= 1U << k;
		}
		w->wrong += r != 0 && r != -ERR_CONDITION;
		call_close(&mine);
	}
	return NULL;
}

static void
exactly_one_of_many_racing_creators_wins(void)
{
	struct engine *e = open_store(true);
	struct creator creators[CREATORS] = {0};
	unsigned all = 0;

	CU_ASSERT_EQUAL(create_table(e), 0);
	for (unsigned i = 0; i < CREATORS; i++) {
		creators[i].engine = e;
		creators[i].number = i;
		(void)pthread_create(&creators[i].thread, NULL, create_each, &creators[i]);
	}
	for (int i = 0; i < CREATORS; i++) {
		(void)pthread_join(creators[i].thread, NULL);
		CU_ASSERT_EQUAL(creators[i].wrong, 0);
		CU_ASSERT_EQUAL(all & creators[i].created, 0);
		all |= creators[i].created;
	}
	CU_ASSERT_EQUAL(all, (1U << KEYS) - 1);
	CU_ASSERT_EQUAL(problems(e), 0);
	engine_close(e);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_store_is_created_in_a_new_directory),
	UNIT_TEST(an_empty_directory_becomes_a_store),
	UNIT_TEST(a_directory_with_other_files_is_left_alone),
	UNIT_TEST(an_interrupted_creation_is_finished),
	UNIT_TEST(a_store_that_has_lost_its_database_gets_no_new_one),
	UNIT_TEST(a_newer_format_is_refused),
	UNIT_TEST(only_directories_are_opened),
	UNIT_TEST(a_store_has_one_owner),
	UNIT_TEST(written_items_survive_a_restart),
	UNIT_TEST(a_crash_leaves_a_clean_prefix_with_all_synced_writes),
	UNIT_TEST(a_hole_in_the_log_leaves_a_clean_prefix),
	UNIT_TEST(damage_of_synced_data_is_refused),
	UNIT_TEST(exactly_one_of_many_racing_creators_wins),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(local, setup, teardown, tests);
