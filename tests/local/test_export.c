/* Exports have the files of the service; a failed export leaves no files. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/base/text/md5.h"
#include "store/local/local.h"

#include "tests/local/export_fixture.h"
#include "tests/support/crash.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

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

/* ------------------------------------------------------------ tests */

static void
the_files_are_the_services(void)
{
	export_fixture_fill(2, 1);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);

	CU_ASSERT_EQUAL_FATAL(t.status, TRANSFER_DONE);
	CU_ASSERT_EQUAL(t.items, 2);
	struct buf name;

	buf_init(&name, &ts.c.arena);
	buf_fmt(&name, "data/%.*s.json.gz", SLICE_ARG(t.id));
	struct slice lines = contents(export_fixture_file(t.id, name.at), true);

	CU_ASSERT_TRUE(slice_is(lines, "{\"Item\":{\"pk\":{\"S\":\"0\"},\"v\":{\"S\":\"i\"}}}\n"
				       "{\"Item\":{\"pk\":{\"S\":\"1\"},\"v\":{\"S\":\"q\"}}}\n"));
	CU_ASSERT_EQUAL(contents(export_fixture_file(t.id, "_started"), false).len, 0);

	const struct json *files =
		parsed(contents(export_fixture_file(t.id, "manifest-files.json"), false));
	struct buf key;

	buf_init(&key, &ts.c.arena);
	buf_fmt(&key, "AWSDynamoDB/%.*s/%s", SLICE_ARG(t.id), name.at);
	expect_text(files, "itemCount", "2");
	expect_text(files, "dataFileS3Key", key.at);
	expect_text(files, "md5Checksum", md5_of(export_fixture_file(t.id, name.at)));
	CU_ASSERT_TRUE(slice_is(contents(export_fixture_file(t.id, "manifest-files.md5"), false),
				md5_of(export_fixture_file(t.id, "manifest-files.json"))));
}

static void
the_summary_is_the_services(void)
{
	export_fixture_fill(1, 1);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);
	const struct json *all =
		parsed(contents(export_fixture_file(t.id, "manifest-summary.json"), false));
	struct buf text;

	buf_init(&text, &ts.c.arena);
	buf_fmt(&text, EXPORT_FIXTURE_TABLE "/export/%.*s", SLICE_ARG(t.id));
	expect_text(all, "version", "2020-06-30");
	expect_text(all, "exportArn", text.at);
	expect_text(all, "tableArn", EXPORT_FIXTURE_TABLE);
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
	CU_ASSERT_TRUE(slice_is(contents(export_fixture_file(t.id, "manifest-summary.md5"), false),
				md5_of(export_fixture_file(t.id, "manifest-summary.json"))));
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

	export_fixture_fill(2, 1);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_TRUE(crash_lasts(export_fixture_file(t.id, names[i])));
	}
	buf_init(&data, &ts.c.arena);
	buf_fmt(&data, "data/%.*s.json.gz", SLICE_ARG(t.id));
	CU_ASSERT_TRUE(crash_lasts(export_fixture_file(t.id, data.at)));
	buf_clear(&data);
	buf_fmt(&data, "store/buckets/acme/AWSDynamoDB/%.*s", SLICE_ARG(t.id));
	CU_ASSERT_TRUE(crash_lasts(transfer_path(data.at)));
	CU_ASSERT_TRUE(crash_lasts(transfer_path("store/buckets/acme/AWSDynamoDB")));
}

static void
a_bucket_may_be_a_link_but_nothing_beneath_it(void)
{
	export_fixture_fill(1, 1);
	CU_ASSERT_EQUAL(mkdir(transfer_path("elsewhere"), 0777), 0);
	CU_ASSERT_EQUAL(
		symlink(transfer_path("elsewhere"), transfer_path("store/buckets/acme/out")), 0);
	struct transfer t = export_fixture_ended(export_fixture_begin("out", "").id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3AccessDenied"));
	CU_ASSERT_TRUE(access(transfer_path("elsewhere/AWSDynamoDB"), F_OK) < 0);

	CU_ASSERT_EQUAL(unlink(transfer_path("store/buckets/acme/out")), 0);
	CU_ASSERT_EQUAL(rmdir(transfer_path("store/buckets/acme")), 0);
	CU_ASSERT_EQUAL(symlink(transfer_path("elsewhere"), transfer_path("store/buckets/acme")),
			0);
	t = export_fixture_ended(export_fixture_begin("in/", "").id);
	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	CU_ASSERT_TRUE(access(transfer_path("elsewhere/in/AWSDynamoDB"), F_OK) == 0);
}

static void
a_file_is_no_bucket(void)
{
	export_fixture_fill(1, 1);
	CU_ASSERT_EQUAL(rmdir(transfer_path("store/buckets/acme")), 0);
	CU_ASSERT_EQUAL(mknod(transfer_path("store/buckets/acme"), S_IFREG | 0600, 0), 0);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "S3NoSuchBucket"));
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
	export_fixture_fill(1, 1);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);
	unsigned long long seq = strtoull(slice_cstr(&ts.c.arena, t.id) + 15, NULL, 16);
	struct buf id = {.arena = &ts.c.arena};

	CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
	buf_fmt(&id, "%.15s%08llx", t.id.at, seq + 1);
	CU_ASSERT_EQUAL(mkdir(export_fixture_file(buf_view(&id), ""), 0555), 0);
	CU_ASSERT_EQUAL(chmod(ts.dir, 0755), 0);
	CU_ASSERT_EQUAL(chmod(transfer_path("store/buckets/acme/AWSDynamoDB"), 0755), 0);
	if (own == 0) {
		CU_ASSERT_EQUAL(seteuid(nobody), 0);
	}
	t = export_fixture_ended(export_fixture_begin("", "").id);
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
	export_fixture_fill(200, 20000);
	struct transfer first = export_fixture_begin("", "");
	struct transfer second = export_fixture_begin("", "");

	transfer_restart();
	struct slice ids[] = {first.id, second.id};

	for (int i = 0; i < 2; i++) {
		struct transfer t = export_fixture_described(ids[i]);

		CU_ASSERT_EQUAL(t.status, TRANSFER_DONE);
		CU_ASSERT_EQUAL(t.items, 200);
		CU_ASSERT_EQUAL(access(export_fixture_file(t.id, "manifest-summary.json"), F_OK),
				0);
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
	export_fixture_fill(20, 20000);
	CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	(void)signal(SIGXFSZ, SIG_IGN);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct transfer t = export_fixture_ended(export_fixture_begin("", "").id);

	CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_DFL);
	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure_code, "InternalServerError"));
	export_fixture_no_files(t.id);
	engine_close(ts.e);
	ts.e = durable;
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_files_are_the_services),
	UNIT_TEST(the_summary_is_the_services),
	UNIT_TEST(a_completed_export_is_synced),
	UNIT_TEST(a_bucket_may_be_a_link_but_nothing_beneath_it),
	UNIT_TEST(a_file_is_no_bucket),
	UNIT_TEST(a_folder_without_permission_is_access_denied),
	UNIT_TEST(an_export_is_complete_when_its_store_is_closed),
	UNIT_TEST(a_disk_that_is_full_leaves_no_files),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(export, transfer_fixture_open, transfer_fixture_close, tests);
