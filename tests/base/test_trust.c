/* Tests of trust: stores of the caller, of root, and those that the user allows by name are opened. */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/system/mountinfo.h"
#include "store/base/system/trust.h"
#include "store/base/system/write_all.h"
#include "store/base/text/ini.h"

#include "tests/support/fake_disk.h"
#include "tests/support/unit.h"

enum { SOMEBODY = 65533 }; /* a user without a name, who does not run this test */

static struct call call;
static char top[] = "/tmp/itemfs-trust-XXXXXX";
static char store[64];
static char db[64];
static char config[64];

static void
path_of(char out[64], const char *below)
{
	(void)snprintf(out, 64, "%s/%s", top, below);
}

static void
setup(void)
{
	char folder[64];

	call_open(&call, 0, 1 << 30);
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
	path_of(store, "store");
	path_of(db, "store/db");
	path_of(folder, "itemfs");
	path_of(config, "itemfs/config");
	CU_ASSERT_EQUAL(mkdir(store, 0700), 0);
	CU_ASSERT_EQUAL(mkdir(db, 0700), 0);
	CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
	(void)setenv("XDG_CONFIG_HOME", top, 1);
	(void)unsetenv("ITEMFS_TRUST_STORE");
}

static void
teardown(void)
{
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)unsetenv("ITEMFS_TRUST_STORE");
	folder_remove(top);
	call_close(&call);
	memset(top + sizeof(top) - 7, 'X', 6);
}

static int
check(void)
{
	call.error = (struct error){0};
	return trust_check(&call, store);
}

static bool
said(const char *text)
{
	return strstr(call.error.message, text) != NULL;
}

static void
write_config(const char *text)
{
	cleanup(cleanup_fd) int fd = open(config, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(write_all(fd, slice_from(text)), 0);
}

static void
own_stores_are_opened(void)
{
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(chmod(store, 0755), 0);
	CU_ASSERT_EQUAL(chmod(db, 0755), 0);
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(rmdir(db), 0);
	CU_ASSERT_EQUAL(check(), 0); /* a store that is being created */
}

static void
the_target_of_a_link_is_checked(void)
{
	char link[64];

	path_of(link, "link");
	CU_ASSERT_EQUAL(symlink("store", link), 0);
	CU_ASSERT_EQUAL(trust_check(&call, link), 0);
	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	CU_ASSERT_EQUAL(trust_check(&call, link), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("other users can write to"));
	CU_ASSERT_TRUE(said(store));
}

static void
the_database_must_not_be_a_link(void)
{
	CU_ASSERT_EQUAL(rmdir(db), 0);
	CU_ASSERT_EQUAL(symlink("/tmp", db), 0);
	CU_ASSERT_EQUAL(check(), -ERR_VALIDATION);
	CU_ASSERT_TRUE(said("not behind a symbolic link"));
}

static void
a_store_writable_by_others_is_refused(void)
{
	const char *const names[] = {store, db};
	static const mode_t modes[] = {0777, 0707, 01777};

	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 3; j++) {
			CU_ASSERT_EQUAL(chmod(names[i], modes[j]), 0);
			CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
			CU_ASSERT_TRUE(said("other users can write to"));
			CU_ASSERT_TRUE(said(names[i]));
			CU_ASSERT_TRUE(said("chmod go-w"));
		}
		CU_ASSERT_EQUAL(chmod(names[i], 0755), 0);
	}
	CU_ASSERT_EQUAL(check(), 0);
}

/* Only root can change the owner of a directory; other users skip this part. */
static void
stores_of_other_users_are_refused(void)
{
	const char *const names[] = {store, db};

	for (size_t i = 0; i < 2 && geteuid() == 0; i++) {
		CU_ASSERT_EQUAL(chown(names[i], SOMEBODY, SOMEBODY), 0);
		CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
		CU_ASSERT_TRUE(said("belongs to the user with the ID 65533"));
		CU_ASSERT_TRUE(said("ITEMFS_TRUST_STORE="));
		CU_ASSERT_TRUE(said(config));
		CU_ASSERT_EQUAL(chown(names[i], 0, 0), 0);
	}
	CU_ASSERT_EQUAL(chmod(db, 0770), 0);
	CU_ASSERT_EQUAL(chown(db, (uid_t)-1, SOMEBODY) == 0 ? check() : -ERR_ACCESS, -ERR_ACCESS);
}

static void
the_environment_allows_by_name(void)
{
	char list[256];

	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	(void)snprintf(list, sizeof(list), "/nowhere:%s/:/tmp", store);
	(void)setenv("ITEMFS_TRUST_STORE", list, 1);
	CU_ASSERT_EQUAL(check(), 0);
	(void)setenv("ITEMFS_TRUST_STORE", "*", 1);
	CU_ASSERT_EQUAL(check(), 0);
	(void)setenv("ITEMFS_TRUST_STORE", "/nowhere", 1);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	(void)setenv("ITEMFS_TRUST_STORE", top, 1);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
}

/* The current directory of a program must not allow anything. */
static void
a_relative_name_allows_nothing(void)
{
	char here[256];

	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof(here)));
	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	CU_ASSERT_EQUAL(chdir(top), 0);
	(void)setenv("ITEMFS_TRUST_STORE", "store", 1);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_EQUAL(chdir(here), 0);
}

static void
the_users_file_allows_by_name(void)
{
	char text[256];

	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	write_config("# trust = *\n[store shop]\ntrust = *\n");
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	(void)snprintf(text, sizeof(text), "other = 1\ntrust = /nowhere\ntrust = %s\n[store x]\n",
		       store);
	write_config(text);
	CU_ASSERT_EQUAL(check(), 0);
	(void)setenv("ITEMFS_TRUST_STORE", "", 1);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS); /* as completion does: only my own stores */
}

static void
a_file_that_others_can_write_allows_nothing(void)
{
	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	write_config("trust = *\n");
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(chmod(config, 0666), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("not used: other users can write to"));
	CU_ASSERT_EQUAL(unlink(config), 0);
	CU_ASSERT_EQUAL(mkfifo(config, 0600), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("not a regular file"));
}

/* In such a directory, others can replace the file. */
static void
a_file_in_a_directory_that_others_can_write_allows_nothing(void)
{
	char folder[64];
	char other[64];
	char target[64];
	struct ini settings;

	path_of(folder, "itemfs");
	path_of(other, "other");
	path_of(target, "other/config");
	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	write_config("trust = *\n");
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(chmod(folder, 0707), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("not used: other users can write to"));
	CU_ASSERT_TRUE(said("itemfs (mode 0707): chmod go-w "));
	call.error = (struct error){0};
	CU_ASSERT_EQUAL(trust_settings(&call, &settings), -ERR_ACCESS);
	CU_ASSERT_EQUAL(chmod(folder, 0755), 0);
	CU_ASSERT_EQUAL(check(), 0);
	/* A symbolic link leads into another directory. */
	CU_ASSERT_EQUAL(mkdir(other, 0700), 0);
	CU_ASSERT_EQUAL(rename(config, target), 0);
	CU_ASSERT_EQUAL(symlink("../other/config", config), 0);
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(chmod(other, 0777), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("other (mode 0777)"));
	CU_ASSERT_EQUAL(chmod(other, 0700), 0);
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(chown(folder, SOMEBODY, SOMEBODY), 0);
		CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
		CU_ASSERT_TRUE(said("itemfs belongs to the user with the ID 65533"));
	}
}

/* Nobody else can replace the checked file there. */
static void
a_sticky_or_read_only_directory_may_be_writable(void)
{
	char folder[64];
	char other[64];

	path_of(folder, "itemfs");
	path_of(other, "itemfs/other");
	CU_ASSERT_EQUAL(chmod(store, 0777), 0);
	write_config("trust = *\n");
	CU_ASSERT_EQUAL(chmod(folder, 01777), 0);
	CU_ASSERT_EQUAL(check(), 0);
	CU_ASSERT_EQUAL(link(config, other), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	CU_ASSERT_EQUAL(unlink(config), 0);
	CU_ASSERT_EQUAL(symlink("other", config), 0);
	CU_ASSERT_EQUAL(check(), 0);
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(lchown(config, SOMEBODY, SOMEBODY), 0);
		CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
		CU_ASSERT_TRUE(said("itemfs (mode 1777)"));
		CU_ASSERT_EQUAL(lchown(config, 0, 0), 0);
		CU_ASSERT_EQUAL(chown(folder, SOMEBODY, SOMEBODY), 0);
		CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
		CU_ASSERT_TRUE(said("itemfs belongs to the user with the ID 65533"));
		CU_ASSERT_EQUAL(chown(folder, 0, 0), 0);
	}
	CU_ASSERT_EQUAL(chmod(folder, 0777), 0);
	CU_ASSERT_EQUAL(check(), -ERR_ACCESS);
	fake_disk_read_only();
	CU_ASSERT_EQUAL(check(), 0);
	fake_disk_end();
}

static int
names(unsigned uid, const char *source)
{
	struct mountinfo m = {.uid = uid, .point = "/mnt", .source = source};

	call.error = (struct error){0};
	return trust_mount(&call, &m);
}

static void
a_mount_of_another_user_may_name_only_stores_of_that_user(void)
{
	CU_ASSERT_EQUAL(names(geteuid(), store), 0);
	CU_ASSERT_EQUAL(names(0, "http://127.0.0.1:8000"), 0);
	CU_ASSERT_EQUAL(names(SOMEBODY, store), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("/mnt is a mount of the user with the ID 65533"));
	CU_ASSERT_TRUE(said(store));
	CU_ASSERT_EQUAL(names(SOMEBODY, "http://me:word@127.0.0.1:8000"), -ERR_ACCESS);
	CU_ASSERT_TRUE(said("names http://127.0.0.1:8000"));
	CU_ASSERT_EQUAL(names(SOMEBODY, "dynamodb:eu-west-1"), -ERR_ACCESS);
	CU_ASSERT_EQUAL(names(SOMEBODY, "/nowhere"), -ERR_ACCESS);
	if (geteuid() == 0) {
		CU_ASSERT_EQUAL(chown(store, SOMEBODY, SOMEBODY), 0);
		CU_ASSERT_EQUAL(names(SOMEBODY, store), 0);
		CU_ASSERT_EQUAL(check(), -ERR_ACCESS); /* the store itself is checked */
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(own_stores_are_opened),
	UNIT_TEST(the_target_of_a_link_is_checked),
	UNIT_TEST(the_database_must_not_be_a_link),
	UNIT_TEST(a_store_writable_by_others_is_refused),
	UNIT_TEST(stores_of_other_users_are_refused),
	UNIT_TEST(the_environment_allows_by_name),
	UNIT_TEST(a_relative_name_allows_nothing),
	UNIT_TEST(the_users_file_allows_by_name),
	UNIT_TEST(a_file_that_others_can_write_allows_nothing),
	UNIT_TEST(a_file_in_a_directory_that_others_can_write_allows_nothing),
	UNIT_TEST(a_sticky_or_read_only_directory_may_be_writable),
	UNIT_TEST(a_mount_of_another_user_may_name_only_stores_of_that_user),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(trust, setup, teardown, tests);
