/* Tests with lines of /proc/self/mountinfo: mounts of itemfs, other mounts, and lines that only look like them. */
#include "store/base/system/mountinfo.h"

#include "tests/support/unit.h"

#define TAIL "fuse.itemfs /s rw,user_id=0,group_id=0"

static const struct {
	const char *line;
	struct mountinfo want;
} mounts[] = {
	{"63 27 0:39 / /mnt rw,relatime - fuse.itemfs /srv/shop rw,user_id=0,group_id=0",
	 {39, 0, true, "/mnt", "/srv/shop"}},
	{"63 27 0:39 / /mnt rw shared:1 master:2 - fuse.itemfs /s ro,user_id=1000,group_id=1",
	 {39, 1000, true, "/mnt", "/s"}},
	{"63 27 0:1048575 / /a\\040b\\011c\\012d\\134e\\043f rw - fuse.itemfs /x\\134040 "
	 "rw,user_id=7",
	 {1048575, 7, true, "/a b\tc\nd\\e#f", "/x\\040"}},
	/* Not escapes. */
	{"1 2 0:1 / /a\\ rw - fuse.itemfs /b\\04 rw,user_id=7", {1, 7, true, "/a\\", "/b\\04"}},
	{"1 2 0:1 / /a\\0 rw - fuse.itemfs /b\\089 rw,user_id=7", {1, 7, true, "/a\\0", "/b\\089"}},
	/* A name with a blank is one field, so this is not a mount of another type. */
	{"1 2 0:1 / /\\040-\\040fuse.itemfs rw - fuse.itemfs /s rw,user_id=7",
	 {1, 7, true, "/ - fuse.itemfs", "/s"}},
	{"1 2 0:1 /sub /- - - fuse.itemfs /s rw,user_id=7", {1, 7, true, "/-", "/s"}},
	{"1 2 0:1 / / rw - fuse.itemfs /s rw,user_id=7,allow_other extra", {1, 7, true, "/", "/s"}},
};

static void
reads_a_mount_of_itemfs(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		char line[256];
		struct mountinfo got = {0};

		(void)snprintf(line, sizeof(line), "%s", mounts[i].line);
		CU_ASSERT_TRUE_FATAL(mountinfo_parse(line, &got));
		CU_ASSERT_EQUAL(got.connection, mounts[i].want.connection);
		CU_ASSERT_EQUAL(got.uid, mounts[i].want.uid);
		CU_ASSERT_EQUAL(got.itemfs, mounts[i].want.itemfs);
		CU_ASSERT_STRING_EQUAL(got.point, mounts[i].want.point);
		CU_ASSERT_STRING_EQUAL(got.source, mounts[i].want.source);
	}
}

static const char *const others[] = {
	"",
	" ",
	"-",
	"- " TAIL,
	"1 2 0:1 / /m rw",
	"1 2 0:1 / /m rw -",
	"1 2 0:1 / /m rw - fuse.itemfs",
	"1 2 0:1 / /m rw - fuse.itemfs /s",
	"1 2 0:1 / /m - " TAIL,
	"1 2 0:1 / /m rw shared:1 " TAIL,
	"1 2 0:1 /  /m rw - " TAIL,
	"1 2 0:1 / /m rw - fuse /s rw,user_id=0",
	"1 2 0:1 / /m rw - fuse.sshfs fuse.itemfs rw,user_id=0",
	"1 2 0:1 / /m rw - fuse.itemfs2 /s rw,user_id=0",
	"1 2 0:1 / /m rw - ext4 /s rw,user_id=0",
	/* no owner, or an invalid one */
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,group_id=0",
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,user_id=",
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,user_id=x",
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,user_id=-1",
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,user_id=4294967296",
	"1 2 0:1 / /m rw - fuse.itemfs /s rw,xuser_id=0",
	/* no connection number */
	"1 2 8:1 / /m rw - " TAIL,
	"1 2 0 / /m rw - " TAIL,
	"1 2 0: / /m rw - " TAIL,
	"1 2 :1 / /m rw - " TAIL,
	"1 2 0:1x / /m rw - " TAIL,
	"1 2 0:+1 / /m rw - " TAIL,
	"1 2 0:-1 / /m rw - " TAIL,
	"1 2 0:99999999999999999999 / /m rw - " TAIL,
	"1 2 0:1/../2 / /m rw - " TAIL,
};

static void
ignores_all_other_lines(void)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		char line[256];
		struct mountinfo got = {0};

		(void)snprintf(line, sizeof(line), "%s", others[i]);
		if (mountinfo_parse(line, &got) && got.itemfs) {
			(void)fprintf(stderr, "\"%s\"\n", others[i]);
			CU_FAIL();
		}
	}
	CU_PASS();
}

static void
another_fuse_file_system_has_its_user(void)
{
	static const char *const lines[] = {
		"1 2 0:9 / /m rw - fuse /dev/fuse rw,user_id=7,group_id=0",
		"1 2 0:9 / /m rw - fuse.sshfs host: rw,user_id=7,group_id=0"};
	char none[] = "1 2 0:9 / /m rw - fusectl fusectl rw,user_id=7";
	struct mountinfo got = {0};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char line[256];

		(void)snprintf(line, sizeof(line), "%s", lines[i]);
		CU_ASSERT_TRUE(mountinfo_parse(line, &got));
		CU_ASSERT_FALSE(got.itemfs);
		CU_ASSERT_EQUAL(got.connection, 9);
		CU_ASSERT_EQUAL(got.uid, 7);
	}
	CU_ASSERT_FALSE(mountinfo_parse(none, &got));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_a_mount_of_itemfs),
	UNIT_TEST(ignores_all_other_lines),
	UNIT_TEST(another_fuse_file_system_has_its_user),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(mountinfo, NULL, NULL, tests);
