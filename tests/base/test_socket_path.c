#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/socket_path.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
a_path_of_107_bytes_is_used_as_it_is(void)
{
	char path[SOCKET_PATH_MAX + 1];
	char name[SOCKET_PATH_MAX];
	int dir = -1;

	(void)snprintf(path, sizeof(path), "/tmp/%0102d", 0);
	CU_ASSERT_EQUAL(strlen(path), 107);
	int r = socket_path(&c, path, name, &dir);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(dir, -1);
	CU_ASSERT_STRING_EQUAL(name, path);
	(void)strcat(path, "0");
	r = socket_path(&c, path, name, &dir);
	CU_ASSERT_EQUAL(r, -ERR_IO); /* one byte too long, all of them in the name */
	CU_ASSERT_EQUAL(dir, -1);
}

static void
a_longer_one_leads_through_its_folder(void)
{
	char folder[] = "/tmp/itemfs-socket-XXXXXX";
	char deep[256];
	char path[300];
	char name[SOCKET_PATH_MAX];
	int dir = -1;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	(void)snprintf(deep, sizeof(deep), "%s/%0150d", folder, 0);
	(void)snprintf(path, sizeof(path), "%s/socket", deep);
	CU_ASSERT_EQUAL(socket_path(&c, path, name, &dir), -ERR_IO); /* no folder yet */
	CU_ASSERT_EQUAL(dir, -1);
	CU_ASSERT_EQUAL(mkdir(deep, 0700), 0);
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(socket_path(&c, path, name, &dir), 0);
	CU_ASSERT_TRUE(dir >= 0);
	(void)close(open(path, O_WRONLY | O_CREAT, 0600));
	CU_ASSERT_EQUAL(access(name, F_OK), 0);
	CU_ASSERT_EQUAL(unlink(name), 0);
	(void)close(dir);
	(void)rmdir(deep);
	(void)rmdir(folder);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_path_of_107_bytes_is_used_as_it_is),
	UNIT_TEST(a_longer_one_leads_through_its_folder),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(socket_path, setup, teardown, tests);
