/* Tests that no file in the directory of a LevelDB leads out of it. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/kv/kv.h"
#include "store/kv/ldb_files.h"

#include "tests/support/kv_open.h"
#include "tests/support/unit.h"

static struct call call;
static char top[UNIT_FOLDER_BYTES];
static char db[64];
static char victim[64];

static void
setup(void)
{
	call_open(&call, 0, 1 << 30);
	unit_make_folder(top, "files");
	(void)snprintf(db, sizeof(db), "%s/db", top);
	(void)snprintf(victim, sizeof(victim), "%s/victim", top);
	cleanup(cleanup_fd) int fd = open(victim, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(write(fd, "precious", 8), 8);
}

static void
teardown(void)
{
	call_close(&call);
	folder_remove(top);
}

static void
open_and_close(int expected)
{
	struct kv *kv = NULL;

	call.error = (struct error){0};
	CU_ASSERT_EQUAL(kv_leveldb_open(&call, db, true, &kv), expected);
	if (kv != NULL) {
		kv->ops->close(kv);
	}
}

static off_t
victim_size(void)
{
	struct stat st;

	return stat(victim, &st) == 0 ? st.st_size : -1;
}

/* The same holds for the name of the next file, which LevelDB would truncate. */
static void
a_link_is_not_written_through(void)
{
	static const char *const names[] = {"999999.log", "000007.ldb", "LOG", "CURRENT"};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", db, names[i]);
		open_and_close(0);
		(void)unlink(path);
		CU_ASSERT_EQUAL(symlink(victim, path), 0);
		open_and_close(-ERR_CORRUPT);
		CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, names[i]));
		CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "a symbolic link"));
		CU_ASSERT_EQUAL(victim_size(), 8);
		folder_remove(db);
	}
}

static void
a_pipe_does_not_block(void)
{
	static const char *const names[] = {"CURRENT", "000003.log", "MANIFEST-000002", "LOCK"};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", db, names[i]);
		open_and_close(0);
		(void)unlink(path);
		CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
		open_and_close(-ERR_CORRUPT);
		CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "a pipe"));
		folder_remove(db);
	}
}

/* Without root, all files have one owner; then check that such a link is accepted. */
static void
a_hard_link_to_a_file_of_another_user_is_refused(void)
{
	bool root = geteuid() == 0;
	char path[128];

	open_and_close(0);
	(void)snprintf(path, sizeof(path), "%s/999999.log", db);
	CU_ASSERT_EQUAL(link(victim, path), 0);
	if (root) {
		CU_ASSERT_EQUAL(chown(db, 65534, 65534), 0);
	}
	open_and_close(root ? -ERR_CORRUPT : 0);
	if (root) {
		CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "a hard link to a file"));
		CU_ASSERT_EQUAL(victim_size(), 8);
	}
}

static void
a_database_is_private_to_its_owner(void)
{
	mode_t mask = umask(0);
	char path[128];
	struct stat st;

	open_and_close(0);
	CU_ASSERT_EQUAL(stat(db, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0700);
	open_and_close(0);
	(void)umask(mask);
	(void)snprintf(path, sizeof(path), "%s/CURRENT", db);
	CU_ASSERT_EQUAL(chmod(path, 0644), 0);
	open_and_close(0);
	(void)snprintf(path, sizeof(path), "%s/LOCK", db);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
}

static void
current_must_name_a_file_in_the_directory(void)
{
	char path[128];

	open_and_close(0);
	(void)snprintf(path, sizeof(path), "%s/CURRENT", db);
	FILE *f = fopen(path, "we");

	(void)fputs("../victim\n", f);
	(void)fclose(f);
	open_and_close(-ERR_CORRUPT);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "outside the database"));
}

/* LevelDB uses a descriptor of its directory, but messages contain the name. */
static void
messages_contain_the_name_of_the_directory(void)
{
	struct kv *kv = NULL;
	char path[128];

	open_and_close(0);
	(void)snprintf(path, sizeof(path), "%s/CURRENT", db);
	CU_ASSERT_EQUAL(unlink(path), 0);
	call.error = (struct error){0};
	CU_ASSERT_EQUAL(kv_leveldb_open(&call, db, false, &kv), -ERR_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, db));
	CU_ASSERT_PTR_NULL(strstr(call.error.message, "/proc/"));
}

/* Another user may own a parent directory: renaming there does not lead LevelDB elsewhere. */
static void
a_database_stays_where_it_was_opened(void)
{
	char away[128];
	char path[160];
	struct kv *kv = NULL;
	struct stat st;

	(void)snprintf(away, sizeof(away), "%s/away", top);
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open(&call, db, true, &kv), 0);
	CU_ASSERT_EQUAL(rename(db, away), 0);
	struct kv_batch *b = kv->ops->batch_new(kv);

	b->ops->put(b, SLICE("key"), SLICE("value"));
	/* The commit finds the older logs, which it syncs first, without the name. */
	CU_ASSERT_EQUAL(kv->ops->commit(kv, &call, b, true), 0);
	CU_ASSERT_EQUAL(mkdir(db, 0700), 0);
	CU_ASSERT_EQUAL(kv->ops->commit(kv, &call, b, true), 0);
	kv_batch_free(b);
	/* Compaction writes the memory table to a file. */
	kv->ops->compact(kv, SLICE("a"), SLICE("z"));
	kv->ops->close(kv);
	(void)snprintf(path, sizeof(path), "%s/000005.ldb", away);
	CU_ASSERT_EQUAL(stat(path, &st), 0);
	CU_ASSERT_EQUAL(rmdir(db), 0);
}

/* The path given beside the descriptor is only used in messages. */
static void
a_database_is_opened_below_a_descriptor(void)
{
	cleanup(cleanup_fd) int at = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct kv *kv = NULL;
	char path[128];

	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open_at(&call, at, "below", "/nowhere/below", true, &kv),
			      0);
	struct kv_batch *b = kv->ops->batch_new(kv);

	b->ops->put(b, SLICE("key"), SLICE("value"));
	CU_ASSERT_EQUAL(kv->ops->commit(kv, &call, b, true), 0);
	kv_batch_free(b);
	kv->ops->close(kv);
	/* Opening it again replays its log. */
	CU_ASSERT_EQUAL_FATAL(kv_leveldb_open_at(&call, at, "below", "/nowhere/below", false, &kv),
			      0);
	kv->ops->close(kv);
	(void)snprintf(path, sizeof(path), "%s/below/CURRENT", top);
	CU_ASSERT_EQUAL(access(path, F_OK), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_link_is_not_written_through),
	UNIT_TEST(a_pipe_does_not_block),
	UNIT_TEST(a_hard_link_to_a_file_of_another_user_is_refused),
	UNIT_TEST(a_database_is_private_to_its_owner),
	UNIT_TEST(current_must_name_a_file_in_the_directory),
	UNIT_TEST(messages_contain_the_name_of_the_directory),
	UNIT_TEST(a_database_stays_where_it_was_opened),
	UNIT_TEST(a_database_is_opened_below_a_descriptor),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(files, setup, teardown, tests);
