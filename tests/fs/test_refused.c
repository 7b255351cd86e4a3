#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/refused.h"
#include "fs/rejected.h"

#include "tests/support/unit.h"

static struct call c;
static struct refused log_;
static struct rejected texts;
static char dir[] = "/tmp/itemfs-refused-XXXXXX";

static void
setup(void)
{
	call_open(&c, 0, SIZE_MAX);
	refused_init(&log_);
	(void)strcpy(dir, "/tmp/itemfs-refused-XXXXXX");
	if (mkdtemp(dir) == NULL) {
		abort();
	}
	rejected_init(&texts, dir);
}

static void
teardown(void)
{
	struct slice *names;
	size_t n = rejected_list(&texts, &c.arena, &names);
	char path[512];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%s/rejected/%s", dir, names[i].at);
		(void)unlink(path);
	}
	(void)snprintf(path, sizeof(path), "%s/rejected", dir);
	(void)rmdir(path);
	(void)rmdir(dir);
	rejected_release(&texts);
	refused_release(&log_);
	call_close(&c);
}

static void
add(const char *path, const char *sentence)
{
	refused_add(&log_, &(struct refusal){.time_ms = 1795251662345,
					     .uid = 7,
					     .path = slice_from(path),
					     .errnum = EBADMSG,
					     .name = "ValidationException",
					     .sentence = sentence});
}

static void
writes_one_line_of_six_fields(void)
{
	struct refused_out out;

	add("/m/a\nb", "two\nlines\tand a tab");
	refused_list(&log_, &c, (struct slice){0}, &out);
	CU_ASSERT_EQUAL(out.n_lines, 1);
	CU_ASSERT_TRUE(slice_is(
		out.lines[0], "2026-11-21T09:01:02.345Z\t7\t/m/a b\tEBADMSG\tValidationException\t"
			      "two lines and a tab"));
}

static void
keeps_the_newest_thousand_in_order(void)
{
	struct refused_out out;

	for (int i = 0; i < REFUSED_MAX + 5; i++) {
		char path[16];

		(void)snprintf(path, sizeof(path), "/%d", i);
		add(path, "no");
	}
	refused_list(&log_, &c, (struct slice){0}, &out);
	CU_ASSERT_EQUAL(out.n_lines, REFUSED_MAX);
	CU_ASSERT_PTR_NOT_NULL(strstr(slice_cstr(&c.arena, out.lines[0]), "\t/5\t"));
	CU_ASSERT_PTR_NOT_NULL(strstr(slice_cstr(&c.arena, out.lines[999]), "\t/1004\t"));
}

static void
finds_the_lines_of_one_path(void)
{
	struct refused_out out;

	add("/m/a", "first");
	add("/m/ab", "another");
	add("/m/a", "second");
	refused_list(&log_, &c, SLICE("/m/a"), &out);
	CU_ASSERT_EQUAL(out.n_lines, 2);
	refused_list(&log_, &c, SLICE("/m"), &out);
	CU_ASSERT_EQUAL(out.n_lines, 0);
}

static void
keeps_a_refused_text_and_gives_it_back(void)
{
	struct slice *names;
	char text[8] = {0};

	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), 0);
	CU_ASSERT_EQUAL(
		rejected_keep(&texts, 1795251662345, SLICE("a.json"), SLICE("{oops"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), 1);
	CU_ASSERT_TRUE(slice_is(names[0], "2026-11-21T09:01:02.345Z-000001-a.json"));
	int fd = rejected_open(&texts, names[0]);

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
		CU_ASSERT_EQUAL(rejected_keep(&texts, 1795251662345, SLICE("x"), SLICE("y"), false),
				0);
	}
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), REJECTED_MAX);
	CU_ASSERT_TRUE(slice_ends(names[0], SLICE("-000004-x")));
}

static size_t
kept(void)
{
	struct slice *names;

	return rejected_list(&texts, &c.arena, &names);
}

static void
the_end_of_mounts_drops_only_what_was_there_before(void)
{
	const uint64_t now = 1795251662345;
	const uint64_t day = 24 * 60 * 60 * 1000;
	struct slice *names;

	CU_ASSERT_EQUAL(rejected_settle(&texts, now), 0); /* nothing was kept ever */
	for (int i = 0; i < REJECTED_MAX; i++) {
		CU_ASSERT_EQUAL(rejected_keep(&texts, now - day, SLICE("old"), SLICE("y"), false),
				0);
	}
	/* Two mounts end, one soon after the other. */
	for (int end = 0; end < 2; end++) {
		for (int i = 0; i < 2 * REJECTED_MAX; i++) {
			CU_ASSERT_EQUAL(rejected_keep(&texts, now + (uint64_t)end * 1000,
						      SLICE("x"), SLICE("y"), true),
					0);
		}
		CU_ASSERT_EQUAL(rejected_settle(&texts, now + (uint64_t)end * 1000), 0);
	}
	CU_ASSERT_EQUAL(kept(), 5 * REJECTED_MAX);
	/* A refusal drops one, not all of them. */
	CU_ASSERT_EQUAL(rejected_keep(&texts, now + day, SLICE("z"), SLICE("y"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), 5 * REJECTED_MAX);
	CU_ASSERT_TRUE(slice_ends(names[0], SLICE("-000002-old")));
	/* Another end, much later, leaves itself and the newest of those. */
	CU_ASSERT_EQUAL(rejected_keep(&texts, now + 2 * day, SLICE("end"), SLICE("y"), true), 0);
	CU_ASSERT_EQUAL(rejected_settle(&texts, now + 2 * day), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), REJECTED_MAX + 1);
	CU_ASSERT_TRUE(slice_ends(names[REJECTED_MAX], SLICE("-end")));
	CU_ASSERT_TRUE(slice_ends(names[REJECTED_MAX - 1], SLICE("-z")));
}

static void
long_names_are_cut_and_others_do_not_lead_out_of_the_folder(void)
{
	struct slice *names;
	char name[256];

	memset(name, 'k', 255);
	name[255] = '\0';
	CU_ASSERT_EQUAL(rejected_keep(&texts, 0, slice_from(name), SLICE("y"), false), 0);
	CU_ASSERT_EQUAL(rejected_list(&texts, &c.arena, &names), 1);
	CU_ASSERT_EQUAL(names[0].len, 255);
	CU_ASSERT_TRUE(rejected_open(&texts, SLICE("../x")) < 0);
	CU_ASSERT_TRUE(rejected_open(&texts, SLICE("..")) < 0);
	CU_ASSERT_TRUE(rejected_open(&texts, SLICE("")) < 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_one_line_of_six_fields),
	UNIT_TEST(keeps_the_newest_thousand_in_order),
	UNIT_TEST(finds_the_lines_of_one_path),
	UNIT_TEST(keeps_a_refused_text_and_gives_it_back),
	UNIT_TEST(keeps_the_newest_hundred_texts),
	UNIT_TEST(the_end_of_mounts_drops_only_what_was_there_before),
	UNIT_TEST(long_names_are_cut_and_others_do_not_lead_out_of_the_folder),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(refused, setup, teardown, tests);
