/*
 * Jobs that wait, and what happens to them when the store is closed or they fail.
 *
 * One thread runs all jobs; a job that waits for a byte blocks it.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/local/archive/archive.h"
#include "store/local/jobs/jobs.h"
#include "store/local/local.h"
#include "store/local/tables/tables.h"
#include "store/model/limits.h"

#include "tests/local/backup_fixture.h"
#include "tests/support/items.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

/* ------------------------------------------------------------ a job that does not end */

static int held[2]; /* a byte written here releases it */

static void
wait_for_a_byte(struct work *w)
{
	char byte;

	if (read(held[0], &byte, 1) != 1) {
		abort();
	}
	(void)close(held[0]);
	(void)close(held[1]);
	jobs_leave((struct job *)w);
}

/* Request a restore of "tab" to "again" that stays waiting. */
static const char *
hold(void)
{
	struct job *waiting;
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL_FATAL(pipe(held), 0);
	CU_ASSERT_EQUAL_FATAL(jobs_enter(backup_fixture_local(), sizeof(*waiting),
					 &(struct job_needs){0}, &backup_fixture.c, &waiting),
			      0);
	jobs_run(waiting, wait_for_a_byte);
	CU_ASSERT_EQUAL_FATAL(backup_fixture_restore(arn, "again"), 0);
	return arn;
}

static void
let_go(void)
{
	CU_ASSERT_EQUAL(write(held[1], "x", 1), 1);
}

/* ------------------------------------------------------------ messages */

static int said; /* read end of standard error */
static int real_stderr;

static void
listen_to_stderr(void)
{
	int ends[2];

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	real_stderr = dup(STDERR_FILENO);
	(void)dup2(ends[1], STDERR_FILENO);
	(void)close(ends[1]);
	said = ends[0];
}

/* Wait for the next line and read it. */
static void
read_line(char *line, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(said, &line[n], 1) == 1 && line[n] != '\n') {
		n++;
	}
	line[n] = '\0';
}

static void
listen_no_more(void)
{
	(void)dup2(real_stderr, STDERR_FILENO);
	(void)close(real_stderr);
	(void)close(said);
}

/* ------------------------------------------------------------ while a job waits */

static void
the_inputs_of_a_job_stay_until_it_has_ended(void)
{
	struct create_backup_out waits = {0};
	struct create_backup_out out;

	backup_fixture_fill();
	const char *arn = hold();

	CU_ASSERT_EQUAL(backup_fixture_delete(arn), -ERR_BACKUP_IN_USE);
	CU_ASSERT_EQUAL(backup_fixture_create(&waits), 0);
	CU_ASSERT_EQUAL(backup_fixture_delete(backup_fixture_arn(&waits.backup)),
			-ERR_BACKUP_IN_USE);
	CU_ASSERT_EQUAL(backup_fixture_restore(backup_fixture_arn(&waits.backup), "more"),
			-ERR_BACKUP_IN_USE);
	CU_ASSERT_EQUAL(backup_fixture_delete_table("tab"), -ERR_TABLE_CHANGING);
	CU_ASSERT_EQUAL(backup_fixture_delete_table("again"), -ERR_TABLE_CHANGING);
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), -ERR_TABLE_EXISTS);
	backup_fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_create_backup(
				backup_fixture.e, &backup_fixture.c,
				&(struct create_backup_in){SLICE("again"), SLICE("daily")}, &out),
			-ERR_TABLE_BUSY);
	let_go();
	backup_fixture_wait_backup(backup_fixture_arn(&waits.backup));
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_EQUAL(backup_fixture_delete(arn), 0);
	CU_ASSERT_EQUAL(backup_fixture_delete(backup_fixture_arn(&waits.backup)), 0);
	CU_ASSERT_EQUAL(backup_fixture_delete_table("tab"), 0);
}

static void
at_most_fifty_jobs_wait(void)
{
	struct create_backup_out waits = {0};
	struct create_backup_out out;
	struct schema s = backup_fixture_definition("other");
	struct create_table_out made;

	backup_fixture_fill();
	const char *arn = hold();

	/* Two jobs wait already: the one that does not end, and the restore. */
	for (int i = 2; i < LIMIT_JOBS; i++) {
		CU_ASSERT_EQUAL(backup_fixture_create(&waits), 0);
	}
	CU_ASSERT_EQUAL(backup_fixture_create(&out), -ERR_LIMIT);
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "other"), -ERR_LIMIT);
	backup_fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_create_table(backup_fixture.e, &backup_fixture.c,
					    &(struct create_table_in){.schema = &s}, &made),
			0);
	let_go();
	backup_fixture_wait_backup(backup_fixture_arn(&waits.backup));
	CU_ASSERT_EQUAL(backup_fixture_listed(), LIMIT_JOBS - 1);
	CU_ASSERT_EQUAL(backup_fixture_create(&out), 0);
	backup_fixture_wait_backup(backup_fixture_arn(&out.backup));
}

/* A refused request takes no place in the queue. */
static void
a_refused_request_starts_no_job(void)
{
	struct create_backup_out out;

	for (int i = 0; i < 2 * LIMIT_JOBS; i++) {
		CU_ASSERT_EQUAL(backup_fixture_create(&out), -ERR_NO_SUCH_TABLE);
	}
	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	for (int i = 0; i < 2 * LIMIT_JOBS; i++) {
		CU_ASSERT_EQUAL(backup_fixture_restore(arn, "tab"), -ERR_TABLE_EXISTS);
	}
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	backup_fixture_wait("again", TABLE_ACTIVE);
}

/* ------------------------------------------------------------ closing */

static void *
let_go_when_told(void *arg)
{
	char *line = arg;

	read_line(line, 256);
	let_go();
	return NULL;
}

static void
closing_ends_backups_and_restores_start_over(void)
{
	struct create_backup_out waits = {0};
	struct describe_backup_out out = {0};
	pthread_t thread;
	char line[256] = "";

	backup_fixture_fill();
	(void)hold();
	CU_ASSERT_EQUAL(backup_fixture_create(&waits), 0);
	listen_to_stderr();
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, let_go_when_told, line), 0);
	engine_close(backup_fixture.e);
	(void)pthread_join(thread, NULL);
	listen_no_more();
	CU_ASSERT_TRUE(
		strstr(line, "1 backup or export to be written before the store is closed") !=
		NULL);
	backup_fixture_start();
	CU_ASSERT_EQUAL(backup_fixture_describe(backup_fixture_arn(&waits.backup), &out), 0);
	CU_ASSERT_EQUAL(out.backup.status, ARCHIVE_DONE);
	CU_ASSERT_EQUAL(out.backup.items, 2);
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_TRUE(backup_fixture_has("again"));
}

/* ------------------------------------------------------------ after a crash */

/* Make an incomplete backup and return its ARN; the table also has a complete backup. */
static const char *
half_a_backup(void)
{
	struct archive half = {.id = SLICE("01700000000000-00000009"), .name = SLICE("half")};
	struct schema s = backup_fixture_definition("tab");

	backup_fixture_fill();
	(void)backup_fixture_backup();
	half.schema = &s;
	half.started_ms = backup_fixture.c.now_ms;
	CU_ASSERT_EQUAL(archive_write(backup_fixture_local(), &backup_fixture.c, &half), 0);
	const char *arn = backup_fixture_arn(&half);
	int fd = open(backup_fixture_file(arn), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_TRUE(fd >= 0);
	(void)close(fd);
	return arn;
}

static void
an_interrupted_backup_has_failed(void)
{
	struct describe_backup_out out;
	struct stat st;

	const char *arn = half_a_backup();
	const char *path = backup_fixture_file(arn);

	for (int i = 0; i < 2; i++) {
		backup_fixture_restart();
		CU_ASSERT_EQUAL(backup_fixture_describe(arn, &out), -ERR_BACKUP_NOT_FOUND);
		CU_ASSERT_TRUE(strstr(backup_fixture.c.error.message,
				      "(it failed: the process ended before the backup was "
				      "complete)") != NULL);
	}
	CU_ASSERT_EQUAL(backup_fixture_listed(), 1);
	CU_ASSERT_TRUE(stat(path, &st) < 0);
	backup_fixture.c.now_ms += 24ULL * 60 * 60 * 1000 + 1;
	backup_fixture_restart();
	CU_ASSERT_EQUAL(backup_fixture_describe(arn, &out), -ERR_BACKUP_NOT_FOUND);
	CU_ASSERT_TRUE(strstr(backup_fixture.c.error.message, "failed") == NULL);
	CU_ASSERT_EQUAL(backup_fixture_listed(), 1);
}

/* As when LevelDB is read through a copy. */
static void
start_read_only(void)
{
	char db[sizeof(backup_fixture.dir) + 8];
	struct kv *kv = NULL;

	(void)snprintf(db, sizeof(db), "%s/db", backup_fixture.dir);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&backup_fixture.c, db, false, &kv), 0);
	kv = kv_fault_new(kv);
	kv_fault_room(kv, KV_FAULT_ROOM_READ_ONLY);
	CU_ASSERT_EQUAL_FATAL(
		local_open_kv(&backup_fixture.c, kv, backup_fixture.dir, &backup_fixture.e), 0);
}

static void
a_read_only_store_is_not_cleaned_up(void)
{
	const char *path = backup_fixture_file(half_a_backup());
	struct stat st;

	engine_close(backup_fixture.e);
	start_read_only();
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	backup_fixture_restart();
	CU_ASSERT_TRUE(stat(path, &st) < 0);
}

/* The database may have been restored from an older copy. */
static void
an_unknown_file_stays(void)
{
	struct stat st;
	char path[256];

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	(void)snprintf(path, sizeof(path), "%s/backups/01700000000000-0000aaaa.json.gz",
		       backup_fixture.dir);
	CU_ASSERT_EQUAL(link(backup_fixture_file(arn), path), 0);
	backup_fixture_restart();
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(stat(backup_fixture_file(arn), &st), 0);
}

/* Make a table as an interrupted restore leaves it. */
static void
make_half_a_table(const char *table, struct slice backup)
{
	struct schema s = backup_fixture_definition(table);
	struct table_info info;

	s.creating = true;
	s.restored = (struct restored){backup, SLICE("tab"), 1};
	backup_fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(
		table_create(backup_fixture_local(), &backup_fixture.c, &s, NULL, NULL, &info), 0);
	CU_ASSERT_EQUAL(backup_fixture_state(table), TABLE_CREATING);
}

static void
an_interrupted_restore_starts_again(void)
{
	struct describe_backup_out out = {0};

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL(backup_fixture_describe(arn, &out), 0);
	make_half_a_table("again", out.backup.id);
	make_half_a_table("lost", SLICE("1-1"));
	backup_fixture_restart();
	backup_fixture_wait("again", TABLE_ACTIVE);
	CU_ASSERT_TRUE(backup_fixture_has("again"));
	CU_ASSERT_EQUAL(backup_fixture_state("lost"), -1);
	CU_ASSERT_EQUAL(backup_fixture_state("tab"), TABLE_ACTIVE);
}

static void
a_table_that_is_being_created_cannot_be_used(void)
{
	struct put_item_in put = {.write = {.table = SLICE("growing"),
					    .item = item_of(&backup_fixture.c, "{\"pk\":\"a\"}")}};
	struct put_item_out out;

	make_half_a_table("growing", SLICE("1-1"));
	CU_ASSERT_EQUAL(backup_fixture_delete_table("growing"), -ERR_TABLE_CHANGING);
	backup_fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(engine_put_item(backup_fixture.e, &backup_fixture.c, &put, &out),
			-ERR_NO_TABLE);

	/* In a transaction, the missing table is a reason of cancellation, not the error. */
	struct parameterized statement = {.statement =
						  SLICE("SELECT * FROM growing WHERE pk = 'a'")};
	struct execute_transaction_in in = {.statements = &statement, .n_statements = 1};
	struct execute_transaction_out answer;

	backup_fixture.c.error = (struct error){0};
	CU_ASSERT_EQUAL(
		engine_execute_transaction(backup_fixture.e, &backup_fixture.c, &in, &answer),
		-ERR_CANCELED);
	CU_ASSERT_EQUAL_FATAL(backup_fixture.c.error.n_reasons, 1);
	CU_ASSERT_TRUE(slice_is(backup_fixture.c.error.reasons[0].code, "ResourceNotFound"));
}

/* ------------------------------------------------------------ failures */

static void
failures_are_reported_on_standard_error(void)
{
	char line[512] = "";

	backup_fixture_fill();
	const char *arn = backup_fixture_backup();

	CU_ASSERT_EQUAL(unlink(backup_fixture_file(arn)), 0);
	listen_to_stderr();
	CU_ASSERT_EQUAL(backup_fixture_restore(arn, "again"), 0);
	read_line(line, sizeof(line));
	listen_no_more();
	CU_ASSERT_TRUE(strstr(line, "the restore of the table again from the backup ") != NULL);
	CU_ASSERT_TRUE(strstr(line, "/backups/") != NULL);
	CU_ASSERT_TRUE(strstr(line, ".json.gz: No such file or directory") != NULL);
	backup_fixture_wait("again", -1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(the_inputs_of_a_job_stay_until_it_has_ended),
	UNIT_TEST(at_most_fifty_jobs_wait),
	UNIT_TEST(a_refused_request_starts_no_job),
	UNIT_TEST(closing_ends_backups_and_restores_start_over),
	UNIT_TEST(an_interrupted_backup_has_failed),
	UNIT_TEST(a_read_only_store_is_not_cleaned_up),
	UNIT_TEST(an_unknown_file_stays),
	UNIT_TEST(an_interrupted_restore_starts_again),
	UNIT_TEST(a_table_that_is_being_created_cannot_be_used),
	UNIT_TEST(failures_are_reported_on_standard_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(jobs, backup_fixture_open, backup_fixture_close, tests);
