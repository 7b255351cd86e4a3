#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"

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

/* A symbolic link in it is removed; its target stays. */
static void
a_folder_is_removed_with_its_contents(void)
{
	CU_ASSERT_EQUAL(mkdir(path("kept"), 0700), 0);
	CU_ASSERT_EQUAL(mkdir(path("gone"), 0700), 0);
	CU_ASSERT_EQUAL(mkdir(path("gone/deep"), 0700), 0);
	CU_ASSERT_EQUAL(mkdir(path("gone/deep/er"), 0700), 0);
	CU_ASSERT_EQUAL(symlink(scratch, path("gone/deep/link")), 0);
	CU_ASSERT_EQUAL(symlink("kept", path("link")), 0);
	CU_ASSERT_EQUAL(close(open(path("kept/file"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
	folder_remove(path("gone"));
	folder_remove(path("link"));
	CU_ASSERT_FALSE(there("gone"));
	CU_ASSERT_TRUE(there("link"));
	CU_ASSERT_TRUE(there("kept/file"));
}

/* Links and subfolders are not counted. */
static void
the_bytes_of_its_files_are_counted(void)
{
	int dir = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = openat(dir, "a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(folder_bytes(AT_FDCWD, path("none")), 0);
	CU_ASSERT_EQUAL(write(fd, "twelve bytes", 12), 12);
	CU_ASSERT_EQUAL(symlinkat("a", dir, "link"), 0);
	CU_ASSERT_EQUAL(mkdirat(dir, "deeper", 0700), 0);
	CU_ASSERT_EQUAL(linkat(dir, "a", dir, "deeper/a", 0), 0);
	CU_ASSERT_EQUAL(folder_bytes(AT_FDCWD, scratch), 12);
	CU_ASSERT_EQUAL(folder_bytes(dir, "."), 12);
	CU_ASSERT_EQUAL(folder_bytes(dir, "a"), 0);
	CU_ASSERT_EQUAL(close(fd), 0);
	CU_ASSERT_EQUAL(close(dir), 0);
}

static void
a_folder_gets_its_name_when_it_is_complete(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, path("new//"), 0777, 7, &f), 0);
	put(&f);
	CU_ASSERT_TRUE(there("new.part-7"));
	CU_ASSERT_FALSE(there("new"));
	CU_ASSERT_EQUAL(folder_close(&c, &f, 0), 0);
	CU_ASSERT_TRUE(there("new/file"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static void
a_failure_leaves_nothing_behind(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, path("new"), 0777, 7, &f), 0);
	put(&f);
	CU_ASSERT_EQUAL(folder_close(&c, &f, -ERR_IO), -ERR_IO);
	CU_ASSERT_FALSE(there("new"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static void
an_existing_folder_stays(void)
{
	struct folder f;

	CU_ASSERT_EQUAL(folder_open(&c, scratch, 0777, 7, &f), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(folder_close(&c, &f, -ERR_VALIDATION), -ERR_VALIDATION);
	call_clear(&c);
	CU_ASSERT_EQUAL(folder_open(&c, path("none/new"), 0777, 7, &f), -ERR_VALIDATION);
	call_clear(&c);
	/* A folder created meanwhile is not replaced, even if it is empty. */
	CU_ASSERT_EQUAL(folder_open(&c, path("new"), 0777, 7, &f), 0);
	put(&f);
	CU_ASSERT_EQUAL(mkdir(path("new"), 0700), 0);
	CU_ASSERT_EQUAL(folder_close(&c, &f, 0), -ERR_VALIDATION);
	CU_ASSERT_TRUE(there("new"));
	CU_ASSERT_FALSE(there("new/file"));
	CU_ASSERT_FALSE(there("new.part-7"));
}

static void
other_users_see_what_the_mode_allows(void)
{
	for (mode_t mode = 0700; mode <= 0777; mode += 077) {
		const char *name = mode == 0700 ? "secret" : "open";
		struct stat st[2];
		struct folder f;
		mode_t mask = umask(022);

		CU_ASSERT_EQUAL(folder_open(&c, path(name), mode, 7, &f), 0);
		put(&f);
		CU_ASSERT_EQUAL(folder_close(&c, &f, 0), 0);
		CU_ASSERT_EQUAL(stat(path(name), &st[0]), 0);
		CU_ASSERT_EQUAL(stat(path(mode == 0700 ? "secret/file" : "open/file"), &st[1]), 0);
		CU_ASSERT_EQUAL(st[0].st_mode & 0777, mode & ~022);
		CU_ASSERT_EQUAL(st[1].st_mode & 0777, mode & 0644);
		(void)umask(mask);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_folder_is_removed_with_its_contents),
	UNIT_TEST(other_users_see_what_the_mode_allows),
	UNIT_TEST(a_folder_gets_its_name_when_it_is_complete),
	UNIT_TEST(a_failure_leaves_nothing_behind),
	UNIT_TEST(an_existing_folder_stays),
	UNIT_TEST(the_bytes_of_its_files_are_counted),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(folder, setup, teardown, tests);
