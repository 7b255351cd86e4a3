#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/folder.h"
#include "store/base/slice.h"

#include "tests/support/unit.h"

static struct call c;
static char scratch[64];

static void
setup(void)
{
	(void)strcpy(scratch, "/tmp/folder-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL(mkdtemp(scratch));
	call_open(&c, 0, 1 << 20);
}

static void
teardown(void)
{
	call_close(&c);
	folder_remove(scratch);
	CU_ASSERT_NOT_EQUAL(access(scratch, F_OK), 0);
}

static const char *
path(const char *name)
{
	static char text[128];

	(void)snprintf(text, sizeof(text), "%s/%s", scratch, name);
	return text;
}

static bool
there(const char *name)
{
	return access(path(name), F_OK) == 0;
}

static void
put(struct folder *f)
{
	int fd = folder_file(&c, f, "file");

	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(folder_done(&c, "file", fd), 0);
}

static void
it_has_its_name_when_it_is_complete(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, path("new//"), 7, &f), 0);
	put(&f);
	CU_ASSERT_TRUE(there("new.part-7"));
	CU_ASSERT_FALSE(there("new"));
	CU_ASSERT_EQUAL(folder_close(&c, &f, 0), 0);
	CU_ASSERT_TRUE(there("new/file"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static void
what_fails_leaves_nothing(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, path("new"), 7, &f), 0);
	put(&f);
	CU_ASSERT_EQUAL(folder_close(&c, &f, -ERR_IO), -ERR_IO);
	CU_ASSERT_FALSE(there("new"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static void
what_is_there_stays(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, scratch, 7, &f), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(folder_close(&c, &f, -ERR_VALIDATION), -ERR_VALIDATION);
	call_clear(&c);
	CU_ASSERT_EQUAL(folder_open(&c, path("none/new"), 7, &f), -ERR_VALIDATION);
	call_clear(&c);
	/* One that is made meanwhile is not replaced, though it is empty. */
	CU_ASSERT_EQUAL(folder_open(&c, path("new"), 7, &f), 0);
	put(&f);
	CU_ASSERT_EQUAL(mkdir(path("new"), 0700), 0);
	CU_ASSERT_EQUAL(folder_close(&c, &f, 0), -ERR_VALIDATION);
	CU_ASSERT_TRUE(there("new"));
	CU_ASSERT_FALSE(there("new/file"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(it_has_its_name_when_it_is_complete),
	UNIT_TEST(what_fails_leaves_nothing),
	UNIT_TEST(what_is_there_stays),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(folder, setup, teardown, tests);
