/* Imports from files of a bucket: links, pipes, damage, sizes, and the end of the store. */
#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include "store/local/archive/transfer.h"
#include "store/local/jobs/ranges.h"
#include "store/local/local.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"
#include "store/local/write/write.h"
#include "store/model/item.h"

#include "tests/local/transfer_fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ files */

/* Write @bytes as a file of the bucket. */
static void
object(const char *name, struct slice content, bool packed)
{
	struct buf path;

	buf_init(&path, &ts.c.arena);
	buf_fmt(&path, "%s/store/buckets/acme/%s", ts.base, name);
	gzFile gz = gzopen(path.at, packed ? "wb" : "wbT");

	CU_ASSERT_TRUE_FATAL(gz != NULL);
	CU_ASSERT_EQUAL(gzwrite(gz, content.at, (unsigned)content.len), (int)content.len);
	CU_ASSERT_EQUAL(gzclose(gz), Z_OK);
}

static struct slice
items(size_t n)
{
	struct buf b;

	buf_init(&b, &ts.c.arena);
	for (size_t i = 0; i < n; i++) {
		buf_fmt(&b, "{\"Item\":{\"pk\":{\"S\":\"%zu\"},\"v\":{\"N\":\"%zu\"}}}\n", i,
			i * i);
	}
	return buf_view(&b);
}

/* An item with an attribute of @n bytes. */
static struct slice
large_item(size_t bytes)
{
	struct buf b;

	buf_init(&b, &ts.c.arena);
	buf_str(&b, "{\"Item\":{\"pk\":{\"S\":\"large\"},\"v\":{\"S\":\"");
	memset(buf_room(&b, bytes), 'x', bytes);
	b.len += bytes;
	buf_str(&b, "\"}}}\n");
	return buf_view(&b);
}

/* ------------------------------------------------------------ operations */

static struct transfer
begin_source(const char *prefix, const struct import_source *source)
{
	struct schema s = {.table = SLICE("tab"), .key.pk[0] = {SLICE("pk"), VALUE_S}};
	static unsigned tokens;
	struct import_table_out out = {0};
	struct buf token;

	buf_init(&token, &ts.c.arena);
	buf_fmt(&token, "%u", ++tokens);
	int r = engine_import_table(
		ts.e, &ts.c,
		&(struct import_table_in){
			.token = buf_view(&token),
			.place = {.bucket = SLICE("acme"), .prefix = slice_from(prefix)},
			.source = *source,
			.table.schema = &s,
		},
		&out);

	CU_ASSERT_EQUAL(r, 0);
	return out.import;
}

static struct transfer
begin(const char *prefix, bool gzip)
{
	return begin_source(prefix, &(struct import_source){.gzip = gzip});
}

static struct transfer
described(struct slice id)
{
	struct describe_import_out out = {0};
	struct buf arn;

	buf_init(&arn, &ts.c.arena);
	buf_fmt(&arn, "arn:aws:dynamodb:us-east-1:000000000000:table/tab/import/%.*s",
		SLICE_ARG(id));
	int r = engine_describe_import(ts.e, &ts.c, &(struct describe_import_in){buf_view(&arn)},
				       &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.import;
}

static struct transfer
ended(struct slice id)
{
	return transfer_ended(described, id);
}

/* Number of items of the table; -1 if there is no table. */
static long
table_items(void)
{
	struct describe_table_out out = {0};

	ts.c.error = (struct error){0};
	int r = engine_describe_table(ts.e, &ts.c, &(struct describe_table_in){SLICE("tab")}, &out);

	ts.c.error = (struct error){0};
	return r == 0 ? (long)out.table.totals.items : -1;
}

static void
expect_refused(const char *prefix)
{
	struct transfer t = ended(begin(prefix, false).id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3AccessDenied"));
	CU_ASSERT_EQUAL(table_items(), -1);
}

/* Expect one error, and @items items all the same. */
static void
expect_one_error(struct transfer t, long n)
{
	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "ItemValidationError"));
	CU_ASSERT_EQUAL(t.errors, 1);
	CU_ASSERT_EQUAL((long)t.items, n);
	CU_ASSERT_EQUAL(table_items(), n);
}

/* ------------------------------------------------------------ tests */

static void
many_items_are_imported_compressed_or_not(void)
{
	struct slice text = items(1000);
	struct delete_table_out dropped;

	object("plain", text, false);
	object("packed", text, true);
	for (int gzip = 0; gzip < 2; gzip++) {
		struct transfer t = ended(begin(gzip ? "packed" : "plain", gzip).id);

		CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
		CU_ASSERT_EQUAL(t.items, 1000);
		CU_ASSERT_EQUAL(t.bytes, text.len);
		CU_ASSERT_EQUAL(table_items(), 1000);
		CU_ASSERT_EQUAL(engine_delete_table(ts.e, &ts.c,
						    &(struct delete_table_in){SLICE("tab")},
						    &dropped),
				0);
	}
}

static void
invalid_compressed_data_is_an_error(void)
{
	struct delete_table_out dropped;

	object("plain", items(3), false);
	object("packed", items(3), true);
	expect_one_error(ended(begin("plain", true).id), 0);
	CU_ASSERT_EQUAL(
		engine_delete_table(ts.e, &ts.c, &(struct delete_table_in){SLICE("tab")}, &dropped),
		0);
	expect_one_error(ended(begin("packed", false).id), 0);
}

static void
a_truncated_file_gives_its_readable_items(void)
{
	struct stat st;
	const char *path = transfer_path("store/buckets/acme/cut");

	object("cut", items(30000), true);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(truncate(path, st.st_size / 2), 0);
	struct transfer t = ended(begin("cut", true).id);

	CU_ASSERT_TRUE(t.items > 1000 && t.items < 30000);
	expect_one_error(t, (long)t.items);
}

static void
no_link_is_followed(void)
{
	int fd = open(transfer_path("secret"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(write(fd, items(1).at, items(1).len), (ssize_t)items(1).len);
	(void)close(fd);
	CU_ASSERT_EQUAL(symlink(transfer_path("secret"), transfer_path("store/buckets/acme/file")),
			0);
	expect_refused("file");
	expect_refused("");
	CU_ASSERT_EQUAL(symlink(ts.base, transfer_path("store/buckets/acme/out")), 0);
	expect_refused("out/secret");
	/* Files that are not imported may be anything. */
	object("good", items(2), false);
	struct transfer t = ended(begin("good", false).id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	CU_ASSERT_EQUAL(table_items(), 2);
}

static void
nobody_waits_for_a_pipe(void)
{
	CU_ASSERT_EQUAL(mkfifo(transfer_path("store/buckets/acme/pipe"), 0600), 0);
	expect_refused("pipe");
}

static void
the_size_limit_of_items_applies(void)
{
	object("1", large_item(409600 - 2 - 5 - 1), false);
	object("2", large_item(409600 - 2 - 5), false);
	object("3", items(1), false);
	expect_one_error(ended(begin("", false).id), 2);
}

static void
a_line_that_is_too_long_is_an_error(void)
{
	object("1", large_item(9 << 20), false);
	object("2", items(1), false);
	expect_one_error(ended(begin("", false).id), 1);
}

/* A cell of three megabytes, which is searched for its end in few steps, is one bad row among good ones. */
static void
a_long_cell_of_csv_is_one_bad_row(void)
{
	struct import_source csv = {.format = IMPORT_CSV, .delimiter = ','};
	struct buf b = {.arena = &ts.c.arena};
	size_t bytes = 3 << 20;

	buf_str(&b, "pk,v\r\n1,one\r\r\n2,\"");
	memset(buf_room(&b, bytes), '\n', bytes);
	b.len += bytes;
	buf_str(&b, "\"\r\n\r\n3,three\r\r\n");
	object("1", buf_view(&b), false);
	expect_one_error(ended(begin_source("", &csv).id), 2);
	struct scan_out out = {0};

	/* Only the last CR belongs to the end of the line. */
	CU_ASSERT_EQUAL_FATAL(
		engine_scan(ts.e, &ts.c, &(struct scan_in){.read.table = SLICE("tab")}, &out), 0);
	for (size_t i = 0; i < out.page.count; i++) {
		CU_ASSERT_TRUE(
			slice_ends(item_get(&out.page.items[i], SLICE("v"))->text, SLICE("e\r")));
	}
}

static void
a_file_without_permission_is_not_read(void)
{
	uid_t nobody = 65534;
	struct engine *durable = ts.e;
	uid_t own = geteuid();

	/* The database is in memory: the rights apply to the files of the import only. */
	CU_ASSERT_EQUAL(local_open_kv(&ts.c, kv_mem_new(), ts.dir, &ts.e), 0);
	object("1", items(1), false);
	CU_ASSERT_EQUAL(chmod(transfer_path("store/buckets/acme/1"), 0), 0);
	CU_ASSERT_EQUAL(chmod(ts.base, 0755), 0);
	CU_ASSERT_EQUAL(chmod(ts.dir, 0755), 0);
	if (own == 0) {
		CU_ASSERT_EQUAL(seteuid(nobody), 0);
	}
	struct transfer t = ended(begin("", false).id);

	CU_ASSERT_EQUAL(seteuid(own), 0);
	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3AccessDenied"));
	CU_ASSERT_TRUE(slice_is(t.failure, "1: Permission denied"));
	CU_ASSERT_EQUAL(table_items(), -1);
	engine_close(ts.e);
	ts.e = durable;
}

/* The import may have ended, be in progress or not have begun. */
static void
an_import_resumes_when_its_store_is_opened_again(void)
{
	object("1", items(20000), false);
	struct transfer t = begin("", false);

	transfer_restart();
	t = ended(t.id);
	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	CU_ASSERT_EQUAL(t.items, 20000);
	CU_ASSERT_EQUAL(table_items(), 20000);
}

static const struct schema of_tab = {.table = SLICE_INIT("tab"),
				     .key.pk[0] = {SLICE_INIT("pk"), VALUE_S}};

/* The record of an import as a killed process leaves it. */
static struct slice
half_an_import_of(struct bucket_place place)
{
	struct transfer half = {.id = SLICE("01700000000000-00000009"),
				.table = of_tab.table,
				.token = SLICE("t"),
				.place = place,
				.schema = &of_tab,
				.started_ms = ts.c.now_ms};

	CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_IMPORT, &half), 0);
	return half.id;
}

static struct slice
half_an_import(void)
{
	return half_an_import_of((struct bucket_place){.bucket = SLICE("acme")});
}

/* The table of that import, with items that the files no longer contain. */
static void
half_a_table(void)
{
	struct schema s = of_tab;
	struct item items[2] = {item_of(&ts.c, "{\"pk\":\"gone\",\"v\":1}"),
				item_of(&ts.c, "{\"pk\":\"1\",\"w\":1}")};
	struct table_info info;

	s.creating = true;
	CU_ASSERT_EQUAL(table_create((struct local *)ts.e, &ts.c, &s, NULL, NULL, &info), 0);
	CU_ASSERT_EQUAL(
		batch_load((struct local *)ts.e, &ts.c, &(struct load_items_in){s.table, items, 2}),
		0);
}

static void
an_interrupted_import_starts_over_with_an_empty_table(void)
{
	struct slice id = half_an_import();

	half_a_table();
	object("1", items(3), false);
	transfer_restart();
	struct transfer t = ended(id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	CU_ASSERT_EQUAL(t.items, 3);
	CU_ASSERT_EQUAL(table_items(), 3);
}

/* The author of the store may have forged records with paths outside the store. */
static void
forged_records_of_interrupted_imports_read_nothing(void)
{
	static const struct bucket_place forged[] = {
		{.bucket = SLICE_INIT("../../victim")},
		{.bucket = SLICE_INIT("acme"), .prefix = SLICE_INIT("../../../victim")},
	};

	object("1", items(3), false);
	CU_ASSERT_EQUAL(mkdir(transfer_path("victim"), 0777), 0);
	CU_ASSERT_EQUAL(rename(transfer_path("store/buckets/acme/1"), transfer_path("victim/1")),
			0);
	for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
		(void)half_an_import_of(forged[i]);
		half_a_table();
		transfer_restart();
		CU_ASSERT_EQUAL(table_items(), -1);
	}
}

/* The items are deleted first, then their counts. */
static void
check_accepts_a_table_that_is_being_emptied(void)
{
	static const char spaces[] = {KEYSPACE_ITEM, '\0'};
	atomic_bool stop = false;
	const struct time_slice time_slice = {&stop, UINT64_MAX};
	struct local *l = (struct local *)ts.e;
	struct ranges_walk walk = {0};
	struct check_in in = {0};
	struct check_out out = {0};
	struct buf head;

	half_a_table();
	buf_init(&head, &ts.c.arena);
	buf_u32be(&head, catalog_get(l->catalog, &ts.c, of_tab.table)->id);
	CU_ASSERT_EQUAL(ranges_delete(l, &time_slice, spaces, buf_view(&head), &walk), 0);
	ranges_walk_release(&walk);
	do {
		CU_ASSERT_EQUAL_FATAL(engine_check(ts.e, &ts.c, &in, &out), 0);
		CU_ASSERT_EQUAL(out.n_problems, 0);
		in.next = out.next;
	} while (in.next.len > 0);
}

static void
an_incomplete_table_without_an_import_is_dropped(void)
{
	half_a_table();
	transfer_restart();
	CU_ASSERT_EQUAL(table_items(), -1);
}

static void
an_import_whose_table_is_gone_has_failed(void)
{
	struct slice id = half_an_import();

	transfer_restart();
	CU_ASSERT_EQUAL(described(id).status, TRANSFER_FAILED);
	CU_ASSERT_EQUAL(table_items(), -1);
}

/* The end state has been committed, and the catalog does not have the complete table yet. */
static void
an_import_runs_until_its_table_can_be_found(void)
{
	struct transfer t = {.id = SLICE("01700000000000-00000009"),
			     .status = TRANSFER_DONE,
			     .table = of_tab.table,
			     .token = SLICE("t"),
			     .place.bucket = SLICE("acme"),
			     .schema = &of_tab,
			     .started_ms = ts.c.now_ms,
			     .ended_ms = ts.c.now_ms};
	struct local *l = (struct local *)ts.e;
	struct list_imports_out out = {0};

	half_a_table();
	t.uuid = catalog_get(l->catalog, &ts.c, of_tab.table)->uuid;
	CU_ASSERT_EQUAL(transfer_write(l, &ts.c, TRANSFER_IMPORT, &t), 0);
	CU_ASSERT_EQUAL(described(t.id).status, TRANSFER_RUNNING);
	CU_ASSERT_EQUAL(engine_list_imports(ts.e, &ts.c, &(struct list_imports_in){0}, &out), 0);
	CU_ASSERT_EQUAL(out.page.n, 1);
	const struct transfer *listed = out.page.at;

	CU_ASSERT_TRUE(listed != NULL && listed->status == TRANSFER_RUNNING &&
		       listed->ended_ms == 0);
}

/* The state after each commit is one that a crash or a full disk may leave. */
static void
an_import_resumes_after_a_crash_at_any_commit(void)
{
	struct kv *mem = kv_mem_new();
	struct engine *durable = ts.e;
	struct engine *first = NULL;

	object("1", items(200), false);
	CU_ASSERT_EQUAL(local_open_kv(&ts.c, mem, ts.dir, &first), 0);
	ts.e = first;
	struct slice id = ended(begin("", false).id).id;

	/* The first commit is that of the request. */
	for (uint64_t n = 1; n <= kv_mem_commits(mem); n++) {
		CU_ASSERT_EQUAL(local_open_kv(&ts.c, kv_mem_copy(mem, n), ts.dir, &ts.e), 0);
		struct transfer t = ended(id);

		CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
		CU_ASSERT_EQUAL(t.items, 200);
		CU_ASSERT_EQUAL(table_items(), 200);
		engine_close(ts.e);
	}
	engine_close(first);
	ts.e = durable;
}

static CU_TestInfo tests[] = {
	UNIT_TEST(many_items_are_imported_compressed_or_not),
	UNIT_TEST(invalid_compressed_data_is_an_error),
	UNIT_TEST(a_truncated_file_gives_its_readable_items),
	UNIT_TEST(no_link_is_followed),
	UNIT_TEST(nobody_waits_for_a_pipe),
	UNIT_TEST(the_size_limit_of_items_applies),
	UNIT_TEST(a_line_that_is_too_long_is_an_error),
	UNIT_TEST(a_long_cell_of_csv_is_one_bad_row),
	UNIT_TEST(a_file_without_permission_is_not_read),
	UNIT_TEST(an_import_resumes_when_its_store_is_opened_again),
	UNIT_TEST(an_interrupted_import_starts_over_with_an_empty_table),
	UNIT_TEST(forged_records_of_interrupted_imports_read_nothing),
	UNIT_TEST(check_accepts_a_table_that_is_being_emptied),
	UNIT_TEST(an_incomplete_table_without_an_import_is_dropped),
	UNIT_TEST(an_import_whose_table_is_gone_has_failed),
	UNIT_TEST(an_import_runs_until_its_table_can_be_found),
	UNIT_TEST(an_import_resumes_after_a_crash_at_any_commit),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(import, transfer_fixture_open, transfer_fixture_close, tests);
