/* Exports have the files of the service; a failed export leaves no files, and is reported as failed after a restart. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/base/text/md5.h"
#include "store/local/archive/transfer.h"
#include "store/local/local.h"

#include "tests/local/transfer_fixture.h"
#include "tests/support/crash.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

#define ARN "arn:aws:dynamodb:us-east-1:000000000000:table/tab"

/* ------------------------------------------------------------ operations */

static void
fill(size_t n, size_t bytes)
{
	struct schema s = {.table = SLICE("tab")};
	struct create_table_out made;
	struct load_items_out loaded;
	struct update_continuous_backups_out recoverable;
	struct item *items = arena_new(&ts.c.arena, struct item, n);
	uint32_t rng = 1;

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_S};
	CU_ASSERT_EQUAL(
		engine_create_table(ts.e, &ts.c, &(struct create_table_in){.schema = &s}, &made),
		0);
	for (size_t i = 0; i < n; i++) {
		struct buf json;

		buf_init(&json, &ts.c.arena);
		buf_fmt(&json, "{\"pk\":\"%zu\",\"v\":\"", i);
		for (size_t k = 0; k < bytes; k++) {
			rng = rng * 1664525 + 1013904223;
			buf_char(&json, (char)('a' + (rng >> 24) % 26));
		}
		buf_str(&json, "\"}");
		items[i] = item_of(&ts.c, slice_cstr(&ts.c.arena, buf_view(&json)));
	}
	CU_ASSERT_EQUAL(engine_load_items(ts.e, &ts.c,
					  &(struct load_items_in){SLICE("tab"), items, n}, &loaded),
			0);
	CU_ASSERT_EQUAL(
		engine_update_continuous_backups(ts.e, &ts.c,
						 &(struct update_continuous_backups_in){
							 .table = SLICE("tab"), .enabled = true},
						 &recoverable),
		0);
}

static struct transfer
begin(const char *prefix, const char *token)
{
	struct export_table_out out = {0};
	int r = engine_export_table(
		ts.e, &ts.c,
		&(struct export_table_in){
			.arn = SLICE(ARN),
			.token = slice_from(token),
			.place = {.bucket = SLICE("acme"), .prefix = slice_from(prefix)},
		},
		&out);

	CU_ASSERT_EQUAL(r, 0);
	return out.exported;
}

static struct slice
arn_of(struct slice id)
{
	struct buf arn;

	buf_init(&arn, &ts.c.arena);
	buf_fmt(&arn, ARN "/export/%.*s", SLICE_ARG(id));
	return buf_view(&arn);
}

static struct transfer
described(struct slice id)
{
	struct describe_export_out out = {0};
	int r = engine_describe_export(ts.e, &ts.c, &(struct describe_export_in){arn_of(id)}, &out);

	CU_ASSERT_EQUAL(r, 0);
	return out.exported;
}

static struct transfer
ended(struct slice id)
{
	return transfer_ended(described, id);
}

/* ------------------------------------------------------------ files */

static struct slice
contents(const char *path, bool packed)
{
	gzFile gz = gzopen(path, "rb");
	struct buf b;
	int n = 1;

	buf_init(&b, &ts.c.arena);
	CU_ASSERT_TRUE(gz != NULL);
	while (gz != NULL && n > 0) {
		n = gzread(gz, buf_room(&b, 4096), 4096);
		b.len += n > 0 ? (size_t)n : 0;
	}
	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_EQUAL(gzdirect(gz), !packed);
	(void)gzclose(gz);
	return buf_view(&b);
}

/* Path of the file @name of the export @id without a prefix. */
static const char *
file_of(struct slice id, const char *name)
{
	struct buf b;

	buf_init(&b, &ts.c.arena);
	buf_fmt(&b, "%s/store/buckets/acme/AWSDynamoDB/%.*s/%s", ts.base, SLICE_ARG(id), name);
	return b.at;
}

static void
expect_text(const struct json *obj, const char *name, const char *text)
{
	const struct json *j = json_get(obj, name);

	CU_ASSERT_TRUE_FATAL(j != NULL);
	CU_ASSERT_TRUE(slice_is(j->text, text));
}

static const struct json *
parsed(struct slice text)
{
	const struct json *json = NULL;
	int r = json_parse(&ts.c, text, JSON_STRICT, &json);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return json;
}

static const char *
md5_of(const char *path)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t digest[MD5_BYTES];
	struct buf sum;

	CU_ASSERT_EQUAL_FATAL(md5_of_file(fd, digest), 0);
	buf_init(&sum, &ts.c.arena);
	base64_encode(&sum, slice_of((const char *)digest, sizeof(digest)));
	return slice_cstr(&ts.c.arena, buf_view(&sum));
}

/* No file of the export is left. */
static void
expect_no_files(struct slice id)
{
	CU_ASSERT_TRUE(access(file_of(id, ""), F_OK) < 0);
}

/* ------------------------------------------------------------ tests */

static void
the_files_are_the_services(void)
{
	fill(2, 1);
	struct transfer t = ended(begin("", "").id);

	CU_ASSERT_EQUAL_FATAL(t.status, TRANSFER_DONE);
	CU_ASSERT_EQUAL(t.items, 2);
	struct buf name;

	buf_init(&name, &ts.c.arena);
	buf_fmt(&name, "data/%.*s.json.gz", SLICE_ARG(t.id));
	struct slice lines = contents(file_of(t.id, name.at), true);

	CU_ASSERT_TRUE(slice_is(lines, "{\"Item\":{\"pk\":{\"S\":\"0\"},\"v\":{\"S\":\"i\"}}}\n"
				       "{\"Item\":{\"pk\":{\"S\":\"1\"},\"v\":{\"S\":\"q\"}}}\n"));
	CU_ASSERT_EQUAL(contents(file_of(t.id, "_started"), false).len, 0);

	const struct json *files = parsed(contents(file_of(t.id, "manifest-files.json"), false));
	struct buf key;

	buf_init(&key, &ts.c.arena);
	buf_fmt(&key, "AWSDynamoDB/%.*s/%s", SLICE_ARG(t.id), name.at);
	expect_text(files, "itemCount", "2");
	expect_text(files, "dataFileS3Key", key.at);
	expect_text(files, "md5Checksum", md5_of(file_of(t.id, name.at)));
	CU_ASSERT_TRUE(slice_is(contents(file_of(t.id, "manifest-files.md5"), false),
				md5_of(file_of(t.id, "manifest-files.json"))));
}

static void
the_summary_is_the_services(void)
{
	fill(1, 1);
	struct transfer t = ended(begin("", "").id);
	const struct json *all = parsed(contents(file_of(t.id, "manifest-summary.json"), false));
	struct buf text;

	buf_init(&text, &ts.c.arena);
	buf_fmt(&text, ARN "/export/%.*s", SLICE_ARG(t.id));
	expect_text(all, "version", "2020-06-30");
	expect_text(all, "exportArn", text.at);
	expect_text(all, "tableArn", ARN);
	CU_ASSERT_EQUAL(t.uuid.len, 36);
	expect_text(all, "tableId", slice_cstr(&ts.c.arena, t.uuid));
	expect_text(all, "startTime", "2023-11-14T22:13:20.000Z");
	expect_text(all, "exportTime", "2023-11-14T22:13:20.000Z");
	expect_text(all, "s3Bucket", "acme");
	expect_text(all, "itemCount", "1");
	expect_text(all, "billedSizeBytes", "5");
	expect_text(all, "outputFormat", "DYNAMODB_JSON");
	buf_clear(&text);
	buf_fmt(&text, "AWSDynamoDB/%.*s/manifest-files.json", SLICE_ARG(t.id));
	expect_text(all, "manifestFilesS3Key", text.at);
	CU_ASSERT_TRUE(slice_is(contents(file_of(t.id, "manifest-summary.md5"), false),
				md5_of(file_of(t.id, "manifest-summary.json"))));
}

/* Its files and all directories that lead to them are synced. */
static void
a_completed_export_is_synced(void)
{
	static const char *const names[] = {"_started",
					    "manifest-files.json",
					    "manifest-files.md5",
					    "manifest-summary.json",
					    "manifest-summary.md5",
					    "data"};
	struct buf data;

	fill(2, 1);
	struct transfer t = ended(begin("", "").id);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_TRUE(crash_lasts(file_of(t.id, names[i])));
	}
	buf_init(&data, &ts.c.arena);
	buf_fmt(&data, "data/%.*s.json.gz", SLICE_ARG(t.id));
	CU_ASSERT_TRUE(crash_lasts(file_of(t.id, data.at)));
	buf_clear(&data);
	buf_fmt(&data, "store/buckets/acme/AWSDynamoDB/%.*s", SLICE_ARG(t.id));
	CU_ASSERT_TRUE(crash_lasts(transfer_path(data.at)));
	CU_ASSERT_TRUE(crash_lasts(transfer_path("store/buckets/acme/AWSDynamoDB")));
}

static void
a_bucket_may_be_a_link_but_nothing_beneath_it(void)
{
	fill(1, 1);
	CU_ASSERT_EQUAL(mkdir(transfer_path("elsewhere"), 0777), 0);
	CU_ASSERT_EQUAL(
		symlink(transfer_path("elsewhere"), transfer_path("store/buckets/acme/out")), 0);
	struct transfer t = ended(begin("out", "").id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3AccessDenied"));
	CU_ASSERT_TRUE(access(transfer_path("elsewhere/AWSDynamoDB"), F_OK) < 0);

	CU_ASSERT_EQUAL(unlink(transfer_path("store/buckets/acme/out")), 0);
	CU_ASSERT_EQUAL(rmdir(transfer_path("store/buckets/acme")), 0);
	CU_ASSERT_EQUAL(symlink(transfer_path("elsewhere"), transfer_path("store/buckets/acme")),
			0);
	t = ended(begin("in/", "").id);
	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	CU_ASSERT_TRUE(access(transfer_path("elsewhere/in/AWSDynamoDB"), F_OK) == 0);
}

static void
a_file_is_no_bucket(void)
{
	fill(1, 1);
	CU_ASSERT_EQUAL(rmdir(transfer_path("store/buckets/acme")), 0);
	CU_ASSERT_EQUAL(mknod(transfer_path("store/buckets/acme"), S_IFREG | 0600, 0), 0);
	struct transfer t = ended(begin("", "").id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3NoSuchBucket"));
}

static void
make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE(fd >= 0);
	(void)close(fd);
}

/* The author of the store may have forged records with paths outside the store. */
static void
forged_records_of_interrupted_exports_remove_nothing(void)
{
	static const struct bucket_place forged[] = {
		{.bucket = SLICE_INIT("../../victim")},
		{.bucket = SLICE_INIT("acme"), .prefix = SLICE_INIT("../../../victim")},
	};
	static const char *const folders[] = {"victim", "victim/AWSDynamoDB",
					      "victim/AWSDynamoDB/01700000000000-00000009",
					      "victim/AWSDynamoDB/01700000000000-00000009/data"};
	static const char file[] = "victim/AWSDynamoDB/01700000000000-00000009/_started";
	struct transfer half = {.id = SLICE("01700000000000-00000009"),
				.table = SLICE("tab"),
				.token = SLICE("t"),
				.started_ms = ts.c.now_ms};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		CU_ASSERT_EQUAL(mkdir(transfer_path(folders[i]), 0777), 0);
	}
	make_file(transfer_path(file));
	for (size_t i = 0; i < sizeof(forged) / sizeof(forged[0]); i++) {
		half.place = forged[i];
		CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_EXPORT, &half),
				0);
		transfer_restart();
		CU_ASSERT_EQUAL(access(transfer_path(file), F_OK), 0);
	}
}

/* Files of a killed export are removed; a file of another origin stays. */
static void
an_interrupted_export_fails_and_its_files_are_removed_after_a_restart(void)
{
	struct transfer half = {.id = SLICE("01700000000000-00000009"),
				.table = SLICE("tab"),
				.token = SLICE("t"),
				.place.bucket = SLICE("acme"),
				.started_ms = ts.c.now_ms};
	struct transfer nowhere = half;

	nowhere.id = SLICE("01700000000000-00000008");
	nowhere.place.bucket = SLICE("none");
	CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_EXPORT, &half), 0);
	CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_EXPORT, &nowhere), 0);
	CU_ASSERT_EQUAL(mkdir(transfer_path("store/buckets/acme/AWSDynamoDB"), 0777), 0);
	CU_ASSERT_EQUAL(mkdir(file_of(half.id, ""), 0777), 0);
	CU_ASSERT_EQUAL(mkdir(file_of(half.id, "data"), 0777), 0);
	make_file(file_of(half.id, "_started"));
	make_file(file_of(half.id, "data/01700000000000-00000009.json.gz"));
	make_file(transfer_path("store/buckets/acme/AWSDynamoDB/other"));
	transfer_restart();
	struct transfer t = described(half.id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure, "the process ended before the export was complete"));
	CU_ASSERT_EQUAL(described(nowhere.id).status, TRANSFER_FAILED);
	expect_no_files(half.id);
	CU_ASSERT_EQUAL(access(transfer_path("store/buckets/acme/AWSDynamoDB/other"), F_OK), 0);
	CU_ASSERT_TRUE(access(transfer_path("store/buckets/none"), F_OK) < 0);
}

/* A folder that another export of this name has completed stays, and so does one that is none of an export. */
static void
a_restart_removes_no_other_folder_of_the_name(void)
{
	static const char *const names[] = {"manifest-summary.json", "else"};
	struct transfer half = {.table = SLICE("tab"),
				.token = SLICE("t"),
				.place.bucket = SLICE("acme"),
				.started_ms = ts.c.now_ms};

	CU_ASSERT_EQUAL(mkdir(transfer_path("store/buckets/acme/AWSDynamoDB"), 0777), 0);
	for (size_t i = 0; i < 2; i++) {
		half.id = i == 0 ? SLICE("01700000000000-00000008")
				 : SLICE("01700000000000-00000009");
		CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_EXPORT, &half),
				0);
		CU_ASSERT_EQUAL(mkdir(file_of(half.id, ""), 0777), 0);
		make_file(file_of(half.id, names[i]));
		if (i == 0) {
			make_file(file_of(half.id, "_started"));
		}
		transfer_restart();
		CU_ASSERT_EQUAL(described(half.id).status, TRANSFER_FAILED);
		CU_ASSERT_EQUAL(access(file_of(half.id, names[i]), F_OK), 0);
	}
}

/* The folder of the export exists, and this process may not write to it. */
static void
a_folder_without_permission_is_access_denied(void)
{
	uid_t nobody = 65534;
	struct engine *durable = ts.e;
	uid_t own = geteuid();

	/* The database is in memory: the rights apply to the files of the export only. */
	CU_ASSERT_EQUAL(local_open_kv(&ts.c, kv_mem_new(), ts.dir, &ts.e), 0);
	fill(1, 1);
	struct transfer t = ended(begin("", "").id);
	unsigned long long seq = strtoull(slice_cstr(&ts.c.arena, t.id) + 15, NULL, 16);
	struct buf id = {.arena = &ts.c.arena};

	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	buf_fmt(&id, "%.15s%08llx", t.id.at, seq + 1);
	CU_ASSERT_EQUAL(mkdir(file_of(buf_view(&id), ""), 0555), 0);
	CU_ASSERT_EQUAL(chmod(ts.dir, 0755), 0);
	CU_ASSERT_EQUAL(chmod(transfer_path("store/buckets/acme/AWSDynamoDB"), 0755), 0);
	if (own == 0) {
		CU_ASSERT_EQUAL(seteuid(nobody), 0);
	}
	t = ended(begin("", "").id);
	CU_ASSERT_EQUAL(seteuid(own), 0);
	CU_ASSERT_TRUE(slice_eq(t.id, buf_view(&id)));
	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3AccessDenied"));
	CU_ASSERT_TRUE(slice_is(t.failure, "_started: Permission denied"));
	engine_close(ts.e);
	ts.e = durable;
}

/* The first export may have ended, be in progress or not have begun. */
static void
an_export_is_complete_when_its_store_is_closed(void)
{
	fill(200, 20000);
	struct transfer first = begin("", "");
	struct transfer second = begin("", "");

	transfer_restart();
	struct slice ids[] = {first.id, second.id};

	for (int i = 0; i < 2; i++) {
		struct transfer t = described(ids[i]);

		CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
		CU_ASSERT_EQUAL(t.items, 200);
		CU_ASSERT_EQUAL(access(file_of(t.id, "manifest-summary.json"), F_OK), 0);
	}
}

static void
a_disk_that_is_full_leaves_no_files(void)
{
	struct rlimit before;
	struct rlimit small = {.rlim_cur = 100000};
	struct engine *durable = ts.e;

	/* The database is in memory: the limit applies to the files of the export only. */
	CU_ASSERT_EQUAL(local_open_kv(&ts.c, kv_mem_new(), ts.dir, &ts.e), 0);
	fill(20, 20000);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	(void)signal(SIGXFSZ, SIG_IGN);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct transfer t = ended(begin("", "").id);

	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_DFL);
	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "InternalServerError"));
	expect_no_files(t.id);
	engine_close(ts.e);
	ts.e = durable;
}

static void
an_export_that_cannot_be_recorded_is_not_begun(void)
{
	struct kv *fault = kv_fault_new(kv_mem_new());
	struct engine *durable = ts.e;

	CU_ASSERT_EQUAL(local_open_kv(&ts.c, fault, ts.dir, &ts.e), 0);
	fill(1, 1);
	kv_fault_fill(fault);
	struct export_table_out out;

	ts.c.error = (struct error){0};
	CU_ASSERT_EQUAL(
		engine_export_table(
			ts.e, &ts.c,
			&(struct export_table_in){.arn = SLICE(ARN), .place.bucket = SLICE("acme")},
			&out),
		-ERR_NO_SPACE);
	CU_ASSERT_TRUE(access(transfer_path("store/buckets/acme/AWSDynamoDB"), F_OK) < 0);
	engine_close(ts.e);
	ts.e = durable;
}

static void
expect_listed(size_t n, struct slice newest)
{
	struct list_exports_out out = {0};

	CU_ASSERT_EQUAL(engine_list_exports(ts.e, &ts.c, &(struct list_exports_in){0}, &out), 0);
	CU_ASSERT_EQUAL(out.page.n, n);
	CU_ASSERT_TRUE(out.page.at != NULL && slice_eq(out.page.at->id, newest));
}

/* Write an invalid record of an export @id. */
static void
damage(struct kv *kv, const char *id)
{
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	b->ops->put(b, transfer_key(&ts.c, TRANSFER_EXPORT, slice_from(id)), SLICE("?"));
	CU_ASSERT_EQUAL(kv_commit(kv, &ts.c, b, false), 0);
}

static void
old_exports_are_forgotten_and_tokens_expire(void)
{
	fill(1, 1);
	struct transfer first = begin("", "again");

	(void)ended(first.id);
	ts.c.now_ms += 8ULL * 60 * 60 * 1000;
	struct transfer second = begin("", "again");

	CU_ASSERT_FALSE(slice_eq(first.id, second.id));
	(void)ended(second.id);
	ts.c.now_ms += 90ULL * 24 * 60 * 60 * 1000 - 1;
	transfer_restart();
	expect_listed(1, second.id);
}

/* Each export that ends deletes the old ones, even with a damaged record between them. */
static void
old_exports_are_forgotten_while_the_store_is_open(void)
{
	struct kv *mem = kv_mem_new();
	struct engine *durable = ts.e;
	struct describe_export_out none;

	CU_ASSERT_EQUAL(local_open_kv(&ts.c, mem, ts.dir, &ts.e), 0);
	fill(1, 1);
	struct transfer first = begin("", "");

	(void)ended(first.id);
	damage(mem, "01700000000000-99999999");
	ts.c.now_ms += 90ULL * 24 * 60 * 60 * 1000;
	struct transfer second = begin("", "");

	(void)ended(second.id);
	/* The job of that export has ended when the next one begins. */
	(void)ended(begin("", "").id);
	ts.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_describe_export(
				ts.e, &ts.c, &(struct describe_export_in){arn_of(first.id)}, &none),
			-ERR_EXPORT_NOT_FOUND);
	engine_close(ts.e);
	ts.e = durable;
}

/* The second of three records is damaged. */
static void
a_damaged_record_hides_no_other_at_open(void)
{
	struct kv *mem = kv_mem_new();
	struct engine *durable = ts.e;
	struct transfer half = {.table = SLICE("tab"), .place.bucket = SLICE("acme")};
	struct slice ids[] = {SLICE("01699999999999-00000001"), SLICE("01700000000001-00000001")};

	CU_ASSERT_EQUAL(local_open_kv(&ts.c, mem, ts.dir, &ts.e), 0);
	for (int i = 0; i < 2; i++) {
		half.id = ids[i];
		half.token = ids[i];
		half.started_ms = ts.c.now_ms;
		CU_ASSERT_EQUAL(transfer_write((struct local *)ts.e, &ts.c, TRANSFER_EXPORT, &half),
				0);
	}
	damage(mem, "01700000000000-00000001");
	struct kv *copy = kv_mem_copy(mem, kv_mem_commits(mem));

	engine_close(ts.e);
	CU_ASSERT_EQUAL(local_open_kv(&ts.c, copy, ts.dir, &ts.e), 0);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(described(ids[i]).status, TRANSFER_FAILED);
	}
	engine_close(ts.e);
	ts.e = durable;
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_files_are_the_services),
	UNIT_TEST(the_summary_is_the_services),
	UNIT_TEST(a_completed_export_is_synced),
	UNIT_TEST(a_bucket_may_be_a_link_but_nothing_beneath_it),
	UNIT_TEST(a_file_is_no_bucket),
	UNIT_TEST(forged_records_of_interrupted_exports_remove_nothing),
	UNIT_TEST(an_interrupted_export_fails_and_its_files_are_removed_after_a_restart),
	UNIT_TEST(a_restart_removes_no_other_folder_of_the_name),
	UNIT_TEST(a_folder_without_permission_is_access_denied),
	UNIT_TEST(an_export_is_complete_when_its_store_is_closed),
	UNIT_TEST(a_disk_that_is_full_leaves_no_files),
	UNIT_TEST(an_export_that_cannot_be_recorded_is_not_begun),
	UNIT_TEST(old_exports_are_forgotten_and_tokens_expire),
	UNIT_TEST(old_exports_are_forgotten_while_the_store_is_open),
	UNIT_TEST(a_damaged_record_hides_no_other_at_open),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(export, transfer_fixture_open, transfer_fixture_close, tests);
