/* Tests of the log of refused writes, .itemfs/errors. */
#include "fs/saved/refused.h"

#include "tests/support/unit.h"

static struct call c;
static struct refused log_;

static void
setup(void)
{
	call_open(&c, 0, SIZE_MAX);
	refused_init(&log_, REFUSED_MAX);
}

static void
teardown(void)
{
	refused_release(&log_);
	call_close(&c);
}

static void
add_of(const char *mount, uint32_t uid, const char *path, const char *sentence)
{
	const uint64_t now = 1795251662345;

	refused_add(&log_, &(struct refusal){.time_ms = now,
					     .mount = mount,
					     .uid = uid,
					     .path = slice_from(path),
					     .errnum = EBADMSG,
					     .name = "ValidationException",
					     .sentence = sentence});
}

static void
add(const char *path, const char *sentence)
{
	add_of("/m", 7, path, sentence);
}

static struct refused_out
list_of(struct refused_reader reader)
{
	struct refused_out out;

	refused_list(&log_, &c, &reader, &out);
	return out;
}

static void
writes_one_line_of_six_fields(void)
{
	add("/m/a\nb", "two\nlines\tand a tab");
	struct refused_out out = list_of((struct refused_reader){0});

	CU_ASSERT_EQUAL(out.n_lines, 1);
	CU_ASSERT_TRUE(
		slice_is(out.lines[0],
			 "2026-11-21T09:01:02.345Z\t7\t/m/a\\nb\tEBADMSG\tValidationException\t"
			 "two\\nlines\\tand a tab"));
}

/* The path has ESC, the one-byte CSI (C1) as UTF-8 and bare, DEL, and a character that reverses the direction. */
static void
shows_control_characters_as_escapes(void)
{
	static const char path[] = "/m/\033[31m\302\233\177\342\200\256\xc3\xa9\233";

	add(path, "a\033]0;b\007c\342\200\256");
	struct refused_out out = list_of((struct refused_reader){.path = slice_from(path)});

	CU_ASSERT_EQUAL(out.n_lines, 1);
	CU_ASSERT_TRUE(slice_is(out.lines[0],
				"2026-11-21T09:01:02.345Z\t7\t"
				"/m/\\u001b[31m\\u009b\\u007f\\u202e\xc3\xa9\\u009b\tEBADMSG\t"
				"ValidationException\ta\\u001b]0;b\\u0007c\\u202e"));
}

static void
a_path_is_settled_until_it_is_refused_again(void)
{
	add("/m/a", "first");
	add("/m/a", "first");
	add("/m/ab", "another");
	refused_settle(&log_, SLICE("/m/a"));
	struct refused_out out = list_of((struct refused_reader){0});

	CU_ASSERT_EQUAL(out.n_lines, 2);
	CU_ASSERT_TRUE(slice_ends(out.lines[0], SLICE("\tfirst\tx 2\tsettled")));
	CU_ASSERT_TRUE(slice_ends(out.lines[1], SLICE("\tanother")));
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.meant = true}).n_lines, 1);
	CU_ASSERT_EQUAL(log_.n_open, 1);
	add("/m/a", "first");
	out = list_of((struct refused_reader){.path = SLICE("/m/a")});
	CU_ASSERT_EQUAL(out.n_lines, 1);
	CU_ASSERT_TRUE(slice_ends(out.lines[0], SLICE("\tfirst\tx 3")));
	CU_ASSERT_EQUAL(log_.n_open, 2);
}

static void
keeps_the_newest_thousand_in_order(void)
{
	for (int i = 0; i < REFUSED_MAX + 5; i++) {
		char path[16];

		(void)snprintf(path, sizeof(path), "/%d", i);
		add(path, "no");
	}
	struct refused_out out = list_of((struct refused_reader){0});

	CU_ASSERT_EQUAL(out.n_lines, REFUSED_MAX);
	CU_ASSERT_PTR_NOT_NULL(strstr(slice_cstr(&c.arena, out.lines[0]), "\t/5\t"));
	CU_ASSERT_PTR_NOT_NULL(strstr(slice_cstr(&c.arena, out.lines[999]), "\t/1004\t"));
}

static void
finds_the_lines_of_one_path(void)
{
	add("/m/a", "first");
	add("/m/ab", "another");
	add("/m/a", "second");
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.path = SLICE("/m/a")}).n_lines, 2);
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.path = SLICE("/m")}).n_lines, 0);
}

/* Lines contain escapes instead of control characters. */
static void
finds_the_lines_of_a_path_with_control_characters(void)
{
	add("/m/a\nb", "first");
	add("/m/a\n", "another");
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.path = SLICE("/m/a\nb")}).n_lines, 1);
}

static void
counts_repeated_lines_and_shows_the_last_time(void)
{
	add("/m/a", "no");
	for (int i = 0; i < 16; i++) {
		add("/m/b", "no");
		add_of("/m", 8, "/m/a", "no");
	}
	add("/m/a", "no");
	struct refused_out out = list_of((struct refused_reader){0});

	CU_ASSERT_EQUAL(out.n_lines, 3);
	CU_ASSERT_TRUE(slice_ends(out.lines[0],
				  SLICE("\t7\t/m/b\tEBADMSG\tValidationException\tno\tx 16")));
	CU_ASSERT_TRUE(slice_ends(out.lines[1],
				  SLICE("\t8\t/m/a\tEBADMSG\tValidationException\tno\tx 16")));
	CU_ASSERT_TRUE(slice_ends(out.lines[2],
				  SLICE("\t7\t/m/a\tEBADMSG\tValidationException\tno\tx 2")));
}

static void
shows_a_reader_only_permitted_lines(void)
{
	add_of("/m", 7, "/m/a", "no");
	add_of("/m", 8, "/m/b", "no");
	add_of("/n", 7, "/n/a", "no");
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.mount = "/m"}).n_lines, 2);
	CU_ASSERT_EQUAL(list_of((struct refused_reader){.mount = "/o"}).n_lines, 0);
	struct refused_out out =
		list_of((struct refused_reader){.mount = "/m", .only_own = true, .uid = 8});

	CU_ASSERT_EQUAL(out.n_lines, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(slice_cstr(&c.arena, out.lines[0]), "\t/m/b\t"));
}

static void
one_user_does_not_displace_the_lines_of_another(void)
{
	const struct refused_reader own = {.mount = "/m", .only_own = true, .uid = 7};
	char path[16];

	for (int i = 0; i < 10; i++) {
		(void)snprintf(path, sizeof(path), "/m/%d", i);
		add(path, "no");
	}
	for (int i = 0; i < 2 * REFUSED_MAX; i++) {
		(void)snprintf(path, sizeof(path), "/m/x%d", i);
		add_of("/m", 8, path, "no");
	}
	CU_ASSERT_EQUAL(list_of(own).n_lines, 10);
	CU_ASSERT_EQUAL(list_of((struct refused_reader){0}).n_lines, REFUSED_MAX);
	/* If each user has one line, the oldest line is dropped and the new one stays. */
	for (uint32_t uid = 100; uid < 100 + 2 * REFUSED_MAX; uid++) {
		add_of("/n", uid, "/n/a", "no");
	}
	struct refused_out out = list_of((struct refused_reader){0});

	CU_ASSERT_EQUAL(out.n_lines, REFUSED_MAX);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(slice_cstr(&c.arena, out.lines[REFUSED_MAX - 1]), "\t2099\t/n/a\t"));
	CU_ASSERT_EQUAL(list_of(own).n_lines, 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_one_line_of_six_fields),
	UNIT_TEST(shows_control_characters_as_escapes),
	UNIT_TEST(a_path_is_settled_until_it_is_refused_again),
	UNIT_TEST(keeps_the_newest_thousand_in_order),
	UNIT_TEST(finds_the_lines_of_one_path),
	UNIT_TEST(finds_the_lines_of_a_path_with_control_characters),
	UNIT_TEST(counts_repeated_lines_and_shows_the_last_time),
	UNIT_TEST(shows_a_reader_only_permitted_lines),
	UNIT_TEST(one_user_does_not_displace_the_lines_of_another),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(refused, setup, teardown, tests);
