/* Records of exports: interrupted ones are reported as failed after a restart, old ones are forgotten, damaged ones hide no others. */
#include <sys/stat.h>

#include "store/local/archive/transfer.h"
#include "store/local/local.h"

#include "tests/local/export_fixture.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

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
	export_fixture_make_file(transfer_path(file));
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
	CU_ASSERT_EQUAL(mkdir(export_fixture_file(half.id, ""), 0777), 0);
	CU_ASSERT_EQUAL(mkdir(export_fixture_file(half.id, "data"), 0777), 0);
	export_fixture_make_file(export_fixture_file(half.id, "_started"));
	export_fixture_make_file(
		export_fixture_file(half.id, "data/01700000000000-00000009.json.gz"));
	export_fixture_make_file(transfer_path("store/buckets/acme/AWSDynamoDB/other"));
	transfer_restart();
	struct transfer t = export_fixture_described(half.id);

	CU_ASSERT_EQUAL(t.status, TRANSFER_FAILED);
	CU_ASSERT_TRUE(slice_is(t.failure, "the process ended before the export was complete"));
	CU_ASSERT_EQUAL(export_fixture_described(nowhere.id).status, TRANSFER_FAILED);
	export_fixture_no_files(half.id);
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
		CU_ASSERT_EQUAL(mkdir(export_fixture_file(half.id, ""), 0777), 0);
		export_fixture_make_file(export_fixture_file(half.id, names[i]));
		if (i == 0) {
			export_fixture_make_file(export_fixture_file(half.id, "_started"));
		}
		transfer_restart();
		CU_ASSERT_EQUAL(export_fixture_described(half.id).status, TRANSFER_FAILED);
		CU_ASSERT_EQUAL(access(export_fixture_file(half.id, names[i]), F_OK), 0);
	}
}

static void
an_export_that_cannot_be_recorded_is_not_begun(void)
{
	struct kv *fault = kv_fault_new(kv_mem_new());
	struct engine *durable = ts.e;

	CU_ASSERT_EQUAL(local_open_kv(&ts.c, fault, ts.dir, &ts.e), 0);
	export_fixture_fill(1, 1);
	kv_fault_fill(fault);
	struct export_table_out out;

	ts.c.error = (struct error){0};
	CU_ASSERT_EQUAL(
		engine_export_table(ts.e, &ts.c,
				    &(struct export_table_in){.arn = SLICE(EXPORT_FIXTURE_TABLE),
							      .place.bucket = SLICE("acme")},
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
	export_fixture_fill(1, 1);
	struct transfer first = export_fixture_begin("", "again");

	(void)export_fixture_ended(first.id);
	ts.c.now_ms += 8ULL * 60 * 60 * 1000;
	struct transfer second = export_fixture_begin("", "again");

	CU_ASSERT_FALSE(slice_eq(first.id, second.id));
	(void)export_fixture_ended(second.id);
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
	export_fixture_fill(1, 1);
	struct transfer first = export_fixture_begin("", "");

	(void)export_fixture_ended(first.id);
	damage(mem, "01700000000000-99999999");
	ts.c.now_ms += 90ULL * 24 * 60 * 60 * 1000;
	struct transfer second = export_fixture_begin("", "");

	(void)export_fixture_ended(second.id);
	/* The job of that export has ended when the next one begins. */
	(void)export_fixture_ended(export_fixture_begin("", "").id);
	ts.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_describe_export(
				ts.e, &ts.c,
				&(struct describe_export_in){export_fixture_arn(first.id)}, &none),
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
		CU_ASSERT_EQUAL(export_fixture_described(ids[i]).status, TRANSFER_FAILED);
	}
	engine_close(ts.e);
	ts.e = durable;
}

static CU_TestInfo tests[] = {
	UNIT_TEST(forged_records_of_interrupted_exports_remove_nothing),
	UNIT_TEST(an_interrupted_export_fails_and_its_files_are_removed_after_a_restart),
	UNIT_TEST(a_restart_removes_no_other_folder_of_the_name),
	UNIT_TEST(an_export_that_cannot_be_recorded_is_not_begun),
	UNIT_TEST(old_exports_are_forgotten_and_tokens_expire),
	UNIT_TEST(old_exports_are_forgotten_while_the_store_is_open),
	UNIT_TEST(a_damaged_record_hides_no_other_at_open),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(export_record, transfer_fixture_open, transfer_fixture_close, tests);
