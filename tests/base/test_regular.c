/* Tests that only regular files are opened, without blocking. */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "store/base/system/folder.h"
#include "store/base/system/regular.h"

#include "tests/support/unit.h"

static char dir[] = "/tmp/itemfs-regular-XXXXXX";
static int at = -1;

static void
setup(void)
{
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	at = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
teardown(void)
{
	(void)close(at);
	folder_remove(dir);
	memset(dir + sizeof(dir) - 7, 'X', 6);
}

static void
make_file(void)
{
	int fd = openat(at, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
	(void)close(fd);
}

static void
a_regular_file_is_opened(void)
{
	char byte = 0;

	make_file();
	int fd = regular_open(at, "file");

	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(read(fd, &byte, 1), 1);
	CU_ASSERT_EQUAL(byte, 'x');
	(void)close(fd);
}

static void
make_socket(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(name.sun_path, sizeof(name.sun_path), "%s/socket", dir);
	CU_ASSERT_EQUAL(bind(fd, (const struct sockaddr *)&name, sizeof(name)), 0);
	(void)close(fd);
}

static void
other_file_types_are_refused(void)
{
	static const char *const names[] = {"pipe", "link", "dangling", "zero", "socket", "folder"};

	make_file();
	make_socket();
	CU_ASSERT_EQUAL(mkfifoat(at, "pipe", 0600), 0);
	CU_ASSERT_EQUAL(mkdirat(at, "folder", 0700), 0);
	CU_ASSERT_EQUAL(symlinkat("file", at, "link"), 0);
	CU_ASSERT_EQUAL(symlinkat("nowhere", at, "dangling"), 0);
	CU_ASSERT_EQUAL(symlinkat("/dev/zero", at, "zero"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_EQUAL(regular_open(at, names[i]), REGULAR_OTHER);
		CU_ASSERT_EQUAL(regular_open_for(at, names[i], O_WRONLY), REGULAR_OTHER);
		CU_ASSERT_EQUAL(regular_open_for(at, names[i], O_RDWR | O_CREAT), REGULAR_OTHER);
	}
	CU_ASSERT_EQUAL(regular_open(AT_FDCWD, "/dev/null"), REGULAR_OTHER);
}

static void
a_new_file_is_private_to_its_owner(void)
{
	mode_t mask = umask(0);
	int fd = regular_open_for(at, "made", O_WRONLY | O_CREAT);
	struct stat st;

	(void)umask(mask);
	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
	CU_ASSERT_EQUAL(fstat(fd, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
	(void)close(fd);
}

static void
a_failure_reports_its_reason(void)
{
	CU_ASSERT_EQUAL(regular_open(at, "nowhere"), REGULAR_FAILED);
	CU_ASSERT_EQUAL(errno, ENOENT);
	make_file();
	CU_ASSERT_EQUAL(regular_open(at, "file/below"), REGULAR_FAILED);
	CU_ASSERT_EQUAL(errno, ENOTDIR);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_regular_file_is_opened),
	UNIT_TEST(other_file_types_are_refused),
	UNIT_TEST(a_new_file_is_private_to_its_owner),
	UNIT_TEST(a_failure_reports_its_reason),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(regular, setup, teardown, tests);
