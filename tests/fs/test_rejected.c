/* Tests of the texts of refused writes that are saved in the folder "rejected". */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>

#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"

#include "tests/support/unit.h"

static struct call c;
static struct rejected texts;
static const struct refused_reader everyone = {0};
static const struct rejected_owner of = {SLICE_INIT("/m"), 7, 0644};
static char dir[UNIT_FOLDER_BYTES];

static unsigned syncs;
static bool sync_fails;

/* Replaces syncfs() of the whole executable. The lock must be free meanwhile. */
int
syncfs(int fd)
{
	syncs++;
	CU_ASSERT_EQUAL(pthread_mutex_trylock(&texts.lock), 0);
	(void)pthread_mutex_unlock(&texts.lock);
	if (sync_fails) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_syncfs, fd);
}

static void
setup(void)
{
	call_open(&c, 0, SIZE_MAX);
	unit_make_folder(dir, "rejected");
	rejected_init(&texts, dir, dir);
}

static void
teardown(void)
{
	unit_remove_folder(dir);
	rejected_release(&texts);
	call_close(&c);
}

static int
rejected_keep(struct rejected *r, uint64_t now_ms, const struct rejected_owner *owner,
	      struct slice name, struct slice text, bool end)
{
	struct buf where;

	buf_init(&where, NULL);
	int error = rejected_keep_at(r, now_ms, owner, name, text, end, &where);

	buf_release(&where);
	return error;
}

static void
saves_a_refused_text_that_can_be_read_again(void)
{
	struct slice *names;
	char text[8] = {0};

	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 0);
	CU_ASSERT_EQUAL(
		rejected_keep(&texts, 1795251662345, &of, SLICE("a.json"), SLICE("{oops"), false),
		0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 1);
	CU_ASSERT_TRUE(slice_is(names[0], "2026-11-21T09:01:02.345Z-000001-a.json"));
	int fd = rejected_open(&texts, &c.arena, &everyone, names[0], NULL);

	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_EQUAL(read(fd, text, sizeof(text)), 5);
	CU_ASSERT_STRING_EQUAL(text, "{oops");
	(void)close(fd);
}

static void
keeps_the_newest_hundred_texts(void)
{
	struct slice *names;

	for (int i = 0; i < REJECTED_MAX + 3; i++) {
		CU_ASSERT_EQUAL(
			rejected_keep(&texts, 1795251662345, &of, SLICE("x"), SLICE("y"), false),
			0);
	}
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), REJECTED_MAX);
	CU_ASSERT_TRUE(slice_ends(names[0], SLICE("-000004-x")));
}

static void
counts_the_texts_of_another_process(void)
{
	struct rejected other;
	struct slice *names;

	rejected_init(&other, dir, dir);
	for (int i = 0; i < REJECTED_MAX / 2 + 1; i++) {
		CU_ASSERT_EQUAL(
			rejected_keep(&texts, 1795251662345, &of, SLICE("x"), SLICE("y"), false),
			0);
		CU_ASSERT_EQUAL(
			rejected_keep(&other, 1795251662346, &of, SLICE("z"), SLICE("y"), false),
			0);
	}
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), REJECTED_MAX);
	CU_ASSERT_TRUE(slice_ends(names[0], SLICE("-000003-x")));
	rejected_release(&other);
}

/* Make a file in the folder of texts, last written @age seconds ago. */
static void
make_part(const char *name, time_t age)
{
	char path[sizeof(dir) + 64];
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - age}};

	(void)snprintf(path, sizeof(path), "%s/rejected/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	CU_ASSERT_EQUAL(futimens(fd, times), 0);
	(void)close(fd);
}

static bool
is_part_there(const char *name)
{
	char path[sizeof(dir) + 64];

	(void)snprintf(path, sizeof(path), "%s/rejected/%s", dir, name);
	return access(path, F_OK) == 0;
}

static void
drops_partial_files_of_killed_processes(void)
{
	struct slice *names;
	struct rejected other;

	CU_ASSERT_EQUAL(rejected_keep(&texts, 1, &of, SLICE("x"), SLICE("y"), false), 0);
	make_part(".part-1", 2 * 3600);
	make_part(".part-2", 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 1);
	rejected_init(&other, dir, dir);
	rejected_release(&other);
	CU_ASSERT_FALSE(is_part_there(".part-1"));
	CU_ASSERT_TRUE(is_part_there(".part-2"));
}

static size_t
list_for(struct refused_reader reader)
{
	struct slice *names;

	return rejected_list(&texts, &c.arena, &reader, &names);
}

/* Return true if the folder's filesystem can store the owner of a text. */
static bool
keeps_owners(void)
{
	int r = setxattr(dir, "user.itemfs", "x", 1, 0);
	(void)removexattr(dir, "user.itemfs");
	return r == 0;
}

static void
shows_a_reader_only_permitted_texts(void)
{
	const struct rejected_owner owners[] = {{SLICE_INIT("/m"), 7, 0600},
						{SLICE_INIT("/m"), 8, 0640},
						{SLICE_INIT("/n"), 7, 0644},
						{SLICE_INIT("/a mount"), 7, 0644}};
	const struct refused_reader own = {.mount = "/m", .only_own = true, .uid = 8};
	struct rejected_owner found;
	struct slice *names;

	for (size_t i = 0; i < 4; i++) {
		CU_ASSERT_EQUAL(rejected_keep(&texts, i, &owners[i], SLICE("x"), SLICE("y"), false),
				0);
	}
	if (!keeps_owners()) {
		CU_ASSERT_EQUAL(list_for(own), 0);
		return;
	}
	CU_ASSERT_EQUAL(list_for((struct refused_reader){0}), 4);
	CU_ASSERT_EQUAL(list_for((struct refused_reader){.mount = "/m"}), 2);
	CU_ASSERT_EQUAL(list_for((struct refused_reader){.mount = "/a mount"}), 1);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &own, &names), 1);
	int fd = rejected_open(&texts, &c.arena, &own, names[0], &found);

	CU_ASSERT_TRUE(fd >= 0);
	CU_ASSERT_TRUE(slice_is(found.mount, "/m") && found.uid == 8 && found.mode == 0640);
	(void)close(fd);
	/* The text of another user cannot be opened. */
	(void)rejected_list(&texts, &c.arena, &everyone, &names);
	CU_ASSERT_EQUAL(rejected_open(&texts, &c.arena, &own, names[0], NULL), -ENOENT);
	CU_ASSERT_EQUAL(rejected_open(&texts, &c.arena, &own, names[2], NULL), -ENOENT);
}

static void
a_text_without_an_owner_is_shown_to_readers_of_all(void)
{
	char path[512];

	CU_ASSERT_EQUAL(rejected_keep(&texts, 0, &of, SLICE("x"), SLICE("y"), false), 0);
	(void)snprintf(path, sizeof(path), "%s/rejected/2020-01-01T00:00:00.000Z-000001-old", dir);
	FILE *old = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(old);
	(void)fclose(old);
	CU_ASSERT_EQUAL(list_for((struct refused_reader){.mount = "/n"}), keeps_owners() ? 1 : 2);
	CU_ASSERT_EQUAL(
		list_for((struct refused_reader){.mount = "/n", .only_own = true, .uid = 7}), 0);
}

static void
one_user_does_not_displace_the_texts_of_another(void)
{
	const struct rejected_owner other = {SLICE_INIT("/m"), 8, 0644};

	CU_ASSERT_EQUAL(rejected_keep(&texts, 1, &of, SLICE("mine"), SLICE("y"), false), 0);
	for (int i = 0; i < 2 * REJECTED_MAX; i++) {
		CU_ASSERT_EQUAL(rejected_keep(&texts, 2, &other, SLICE("x"), SLICE("y"), false), 0);
	}
	CU_ASSERT_EQUAL(list_for(everyone), REJECTED_MAX + (keeps_owners() ? 1 : 0));
	/* There is also a total limit. */
	for (uint32_t uid = 100; uid < 100 + REJECTED_TOTAL_MAX; uid++) {
		const struct rejected_owner one = {SLICE_INIT("/m"), uid, 0644};

		CU_ASSERT_EQUAL(rejected_keep(&texts, 3, &one, SLICE("z"), SLICE("y"), false), 0);
	}
	CU_ASSERT_TRUE(list_for(everyone) <= REJECTED_TOTAL_MAX);
}

static void
symbolic_links_and_special_files_are_left_alone(void)
{
	char path[512], target[512];
	struct stat st;

	CU_ASSERT_EQUAL(rejected_keep(&texts, 0, &of, SLICE("x"), SLICE("y"), false), 0);
	(void)snprintf(path, sizeof(path), "%s/rejected/2020-fifo", dir);
	CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
	CU_ASSERT_EQUAL(list_for(everyone), 2);
	(void)unlink(path);

	(void)snprintf(path, sizeof(path), "%s/rejected", dir);
	(void)snprintf(target, sizeof(target), "%s/elsewhere", dir);
	CU_ASSERT_EQUAL(rename(path, target), 0);
	CU_ASSERT_EQUAL(symlink("elsewhere", path), 0);
	CU_ASSERT_TRUE(rejected_keep(&texts, 0, &of, SLICE("z"), SLICE("y"), false) != 0);
	CU_ASSERT_EQUAL(list_for(everyone), 0);
	CU_ASSERT_EQUAL(unlink(path), 0);
	CU_ASSERT_EQUAL(rename(target, path), 0);
	CU_ASSERT_TRUE(stat(path, &st) == 0 && list_for(everyone) == 1);
}

static size_t
kept(void)
{
	struct slice *names;

	return rejected_list(&texts, &c.arena, &everyone, &names);
}

static void
the_end_of_a_mount_drops_only_older_texts(void)
{
	const uint64_t now = 1795251662345;
	const uint64_t day = 24 * 60 * 60 * 1000;
	struct slice *names;

	CU_ASSERT_EQUAL(rejected_settle(&texts, now), 0); /* nothing was saved yet */
	for (int i = 0; i < REJECTED_MAX; i++) {
		CU_ASSERT_EQUAL(
			rejected_keep(&texts, now - day, &of, SLICE("old"), SLICE("y"), false), 0);
	}
	/* Two mounts end shortly after each other. */
	for (int end = 0; end < 2; end++) {
		for (int i = 0; i < 2 * REJECTED_MAX; i++) {
			CU_ASSERT_EQUAL(rejected_keep(&texts, now + (uint64_t)end * 1000, &of,
						      SLICE("x"), SLICE("y"), true),
					0);
		}
		CU_ASSERT_EQUAL(rejected_settle(&texts, now + (uint64_t)end * 1000), 0);
	}
	CU_ASSERT_EQUAL(kept(), 5 * REJECTED_MAX);
	/* A refusal drops one text, not all. */
	CU_ASSERT_EQUAL(rejected_keep(&texts, now + day, &of, SLICE("z"), SLICE("y"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 5 * REJECTED_MAX);
	CU_ASSERT_TRUE(slice_ends(names[0], SLICE("-000002-old")));
	/* A much later end keeps its own text and the newest of the others. */
	CU_ASSERT_EQUAL(rejected_keep(&texts, now + 2 * day, &of, SLICE("end"), SLICE("y"), true),
			0);
	CU_ASSERT_EQUAL(rejected_settle(&texts, now + 2 * day), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), REJECTED_MAX + 1);
	CU_ASSERT_TRUE(slice_ends(names[REJECTED_MAX], SLICE("-end")));
	CU_ASSERT_TRUE(slice_ends(names[REJECTED_MAX - 1], SLICE("-z")));
}

static void
texts_are_synced_at_the_end_of_a_mount_until_that_succeeds(void)
{
	syncs = 0;
	CU_ASSERT_EQUAL(rejected_keep(&texts, 1, &of, SLICE("a"), SLICE("y"), true), 0);
	sync_fails = true;
	CU_ASSERT_EQUAL(rejected_settle(&texts, 1), EIO);
	sync_fails = false;
	CU_ASSERT_EQUAL(rejected_settle(&texts, 1), 0);
	CU_ASSERT_EQUAL(rejected_settle(&texts, 1), 0);
	CU_ASSERT_EQUAL(syncs, 2);
	CU_ASSERT_EQUAL(rejected_keep(&texts, 1, &of, SLICE("b"), SLICE("y"), true), 0);
	CU_ASSERT_EQUAL(rejected_settle(&texts, 1), 0);
	CU_ASSERT_EQUAL(syncs, 3);
}

static void
long_names_are_cut_and_no_name_leads_out_of_the_folder(void)
{
	struct slice *names;
	char name[256];

	memset(name, 'k', 255);
	name[255] = '\0';
	CU_ASSERT_EQUAL(rejected_keep(&texts, 0, &of, slice_from(name), SLICE("y"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 1);
	CU_ASSERT_EQUAL(names[0].len, 255);
	CU_ASSERT_TRUE(rejected_open(&texts, &c.arena, &everyone, SLICE("../x"), NULL) < 0);
	CU_ASSERT_TRUE(rejected_open(&texts, &c.arena, &everyone, SLICE(".."), NULL) < 0);
	CU_ASSERT_TRUE(rejected_open(&texts, &c.arena, &everyone, SLICE(""), NULL) < 0);
}

/* Two processes that serve one endpoint save texts in the same millisecond. */
static void
a_name_in_use_is_skipped(void)
{
	struct rejected other;
	struct slice *names;

	rejected_init(&other, dir, dir);
	CU_ASSERT_EQUAL(rejected_keep(&texts, 1, &of, SLICE("a.json"), SLICE("one"), false), 0);
	CU_ASSERT_EQUAL(rejected_keep(&other, 1, &of, SLICE("a.json"), SLICE("two"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &everyone, &names), 2);
	rejected_release(&other);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(saves_a_refused_text_that_can_be_read_again),
	UNIT_TEST(keeps_the_newest_hundred_texts),
	UNIT_TEST(drops_partial_files_of_killed_processes),
	UNIT_TEST(counts_the_texts_of_another_process),
	UNIT_TEST(shows_a_reader_only_permitted_texts),
	UNIT_TEST(a_text_without_an_owner_is_shown_to_readers_of_all),
	UNIT_TEST(one_user_does_not_displace_the_texts_of_another),
	UNIT_TEST(a_name_in_use_is_skipped),
	UNIT_TEST(symbolic_links_and_special_files_are_left_alone),
	UNIT_TEST(the_end_of_a_mount_drops_only_older_texts),
	UNIT_TEST(texts_are_synced_at_the_end_of_a_mount_until_that_succeeds),
	UNIT_TEST(long_names_are_cut_and_no_name_leads_out_of_the_folder),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(rejected, setup, teardown, tests);
