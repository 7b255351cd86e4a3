/* Tests of the copies of scratch files: how they are made and recovered, and what is not a copy. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "store/base/system/folder.h"

#include "fs/saved/scratch_area.h"

#include "tests/support/unit.h"

static const uint64_t now = 1795251662345;

static char dir[64];
static struct rejected texts;
static struct buf said;

static bool folders_fail;

/* Replaces fsync() of the whole executable, so that syncing a folder can fail. */
int
fsync(int fd)
{
	struct stat st;

	if (folders_fail && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fsync, fd);
}

static void
area_open(void)
{
	unit_make_folder(dir, "area");
	rejected_init(&texts, dir, dir);
	buf_init(&said, NULL);
}

static void
area_close(void)
{
	rejected_release(&texts);
	buf_release(&said);
	folder_remove(dir);
}

static const char *
path_of(const char *name)
{
	static char path[256];

	(void)snprintf(path, sizeof(path), "%s/scratch/%s", dir, name);
	return path;
}

static struct scratch_text
text_of(const char *text)
{
	return (struct scratch_text){.mount = "/mnt",
				     .path = SLICE("/mnt/p/a b\nc.bak"),
				     .uid = 7,
				     .mode = 0640,
				     .text = slice_from(text)};
}

static void
keep(struct scratch_area *a, const char *text, unsigned *id)
{
	struct scratch_text t = text_of(text);

	CU_ASSERT_EQUAL(scratch_area_keep(a, &t, id), 0);
}

/* Act as if the process were killed: the lock is released, the files stay. */
static void
kill_area(struct scratch_area *a)
{
	(void)close(a->own);
	a->own = -1;
	scratch_area_release(a);
}

static size_t
recover(void)
{
	struct scratch_area a;
	struct arena arena;
	struct slice *names;

	scratch_area_init(&a, dir, dir);
	scratch_area_recover(&a, &texts, now, &said);
	scratch_area_release(&a);
	arena_init(&arena, SIZE_MAX);
	size_t n = rejected_list(&texts, &arena, &(struct refused_reader){0}, &names);

	arena_drop(&arena);
	return n;
}

/* Expect that this is the newest saved text. */
static void
expect_kept(const char *text, uint32_t uid)
{
	struct arena arena;
	struct slice *names;
	struct rejected_owner owner = {.uid = 0};
	char got[64] = {0};

	arena_init(&arena, SIZE_MAX);
	size_t n = rejected_list(&texts, &arena, &(struct refused_reader){0}, &names);
	int fd = n == 0 ? -1
			: rejected_open(&texts, &arena, &(struct refused_reader){0}, names[n - 1],
					&owner);

	CU_ASSERT_TRUE(fd >= 0 && read(fd, got, sizeof(got) - 1) >= 0);
	CU_ASSERT_STRING_EQUAL(got, text);
	CU_ASSERT_EQUAL(owner.uid, uid);
	if (fd >= 0) {
		(void)close(fd);
	}
	arena_drop(&arena);
}

/* Make a file in the directory of a process that has ended. */
static void
put_file(const char *name, const char *bytes, size_t len)
{
	(void)mkdir(path_of(""), 0700);
	(void)mkdir(path_of("1.1"), 0700);
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	CU_ASSERT_TRUE(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	(void)close(fd);
}

/* ------------------------------------------------------------ */

static void
a_copy_of_a_killed_process_is_saved_with_its_owner(void)
{
	struct scratch_area a;
	unsigned id = 0, other = 0;

	scratch_area_init(&a, dir, dir);
	keep(&a, "one", &id);
	keep(&a, "two", &id);
	keep(&a, "dropped", &other);
	scratch_area_drop(&a, other);
	kill_area(&a);
	CU_ASSERT_EQUAL(recover(), 1);
	expect_kept("two", 7);
	CU_ASSERT_PTR_NOT_NULL(strstr(said.at, "/mnt/p/a b\nc.bak: "));
	CU_ASSERT_NOT_EQUAL(access(path_of("1"), F_OK), 0);
	CU_ASSERT_EQUAL(recover(), 1);
}

static void
copies_of_a_running_process_stay(void)
{
	struct scratch_area a;
	unsigned id = 0;

	scratch_area_init(&a, dir, dir);
	keep(&a, "mine", &id);
	CU_ASSERT_EQUAL(recover(), 0);
	CU_ASSERT_EQUAL(said.len, 0);
	scratch_area_drop(&a, id);
	scratch_area_release(&a);
	CU_ASSERT_NOT_EQUAL(access(path_of(""), F_OK), 0);
}

static void
empty_and_unfinished_texts_are_dropped(void)
{
	struct scratch_area a;
	unsigned id = 0;

	scratch_area_init(&a, dir, dir);
	keep(&a, "", &id);
	kill_area(&a);
	put_file("1.1/000001.part", "half", 4);
	CU_ASSERT_EQUAL(recover(), 0);
	CU_ASSERT_EQUAL(said.len, 0);
	CU_ASSERT_NOT_EQUAL(access(path_of("1.1"), F_OK), 0);
}

static void
files_that_are_not_copies_stay_and_are_reported(void)
{
	static const char *const bad[] = {
		"",
		"text",
		"itemfs-scratch 2 7 416 4 4\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 4\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 400 4\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 4 400\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 18446744073709551615 4\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 4 18446744073709551615\n/mnt\n/mnt\ntext",
		"itemfs-scratch 1 7 416 3 4\n/mnt\n/mnt\ntext",
	};
	const size_t n = sizeof(bad) / sizeof(bad[0]);
	char name[32];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "1.1/%06zu", i + 1);
		put_file(name, bad[i], strlen(bad[i]));
	}
	CU_ASSERT_EQUAL(symlink("/etc/passwd", path_of("1.1/000100")), 0);
	CU_ASSERT_EQUAL(mkfifo(path_of("1.1/000101"), 0600), 0);
	CU_ASSERT_EQUAL(recover(), 0);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "1.1/%06zu", i + 1);
		CU_ASSERT_EQUAL(access(path_of(name), F_OK), 0);
	}
	size_t sentences = 0;

	for (size_t at = 0; at < said.len; at += strlen(said.at + at) + 1) {
		CU_ASSERT_PTR_NOT_NULL(strstr(said.at + at, "stays in"));
		sentences++;
	}
	CU_ASSERT_EQUAL(sentences, n + 2);
}

static void
a_directory_that_is_a_link_is_not_followed(void)
{
	struct scratch_area a;
	struct scratch_text t = text_of("text");
	char elsewhere[80];
	unsigned id = 0;

	(void)snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", dir);
	CU_ASSERT_EQUAL(mkdir(elsewhere, 0700), 0);
	(void)snprintf(elsewhere, sizeof(elsewhere), "%s/scratch", dir);
	CU_ASSERT_EQUAL(symlink("elsewhere", elsewhere), 0);
	scratch_area_init(&a, dir, dir);
	CU_ASSERT_NOT_EQUAL(scratch_area_keep(&a, &t, &id), 0);
	CU_ASSERT_EQUAL(id, 0);
	scratch_area_release(&a);
	CU_ASSERT_EQUAL(recover(), 0);
}

static void
a_copy_that_cannot_be_replaced_is_unchanged(void)
{
	struct scratch_area a;
	struct scratch_text t = text_of("new");
	unsigned id = 0;
	char part[64];

	scratch_area_init(&a, dir, dir);
	keep(&a, "old", &id);
	/* A directory blocks the name under which the new copy would be written. */
	(void)snprintf(part, sizeof(part), "%s/%06u.part", a.name, id);
	CU_ASSERT_EQUAL(mkdir(path_of(part), 0700), 0);
	CU_ASSERT_NOT_EQUAL(scratch_area_keep(&a, &t, &id), 0);
	CU_ASSERT_EQUAL(rmdir(path_of(part)), 0);
	kill_area(&a);
	CU_ASSERT_EQUAL(recover(), 1);
	expect_kept("old", 7);
}

static void
a_new_copy_whose_name_cannot_be_synced_is_removed(void)
{
	struct scratch_area a;
	struct scratch_text t = text_of("new");
	unsigned old = 0, id = 0;

	scratch_area_init(&a, dir, dir);
	keep(&a, "old", &old);
	folders_fail = true;
	CU_ASSERT_EQUAL(scratch_area_keep(&a, &t, &id), EIO);
	/* A copy that has a number stays: it is the only one. */
	CU_ASSERT_EQUAL(scratch_area_keep(&a, &t, &old), EIO);
	folders_fail = false;
	CU_ASSERT_EQUAL(id, 0);
	kill_area(&a);
	CU_ASSERT_EQUAL(recover(), 1);
	expect_kept("new", 7);
}

enum { ROUNDS = 100 };

/* Act as a process with one copy, repeatedly; count the failures in @failed. */
static void *
come_and_go(void *failed)
{
	struct scratch_text t = text_of("text");

	for (int i = 0; i < ROUNDS; i++) {
		struct scratch_area a;
		unsigned id = 0;

		scratch_area_init(&a, dir, dir);
		*(int *)failed += scratch_area_keep(&a, &t, &id) != 0;
		scratch_area_drop(&a, id);
		scratch_area_release(&a);
	}
	return NULL;
}

static void
a_process_that_ends_does_not_remove_the_directory_of_a_new_one(void)
{
	enum { N = 3 };
	pthread_t thread[N];
	int failed[N] = {0};

	for (int i = 0; i < N; i++) {
		CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, come_and_go, &failed[i]), 0);
	}
	for (int i = 0; i < N; i++) {
		CU_ASSERT_EQUAL(pthread_join(thread[i], NULL), 0);
		CU_ASSERT_EQUAL(failed[i], 0);
	}
	CU_ASSERT_NOT_EQUAL(access(path_of(""), F_OK), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_copy_of_a_killed_process_is_saved_with_its_owner),
	UNIT_TEST(copies_of_a_running_process_stay),
	UNIT_TEST(empty_and_unfinished_texts_are_dropped),
	UNIT_TEST(files_that_are_not_copies_stay_and_are_reported),
	UNIT_TEST(a_directory_that_is_a_link_is_not_followed),
	UNIT_TEST(a_copy_that_cannot_be_replaced_is_unchanged),
	UNIT_TEST(a_new_copy_whose_name_cannot_be_synced_is_removed),
	UNIT_TEST(a_process_that_ends_does_not_remove_the_directory_of_a_new_one),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(scratch_area, area_open, area_close, tests);
