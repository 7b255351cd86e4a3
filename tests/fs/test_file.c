/* Tests of when a text becomes an item, and of texts that cannot become one: NAMESPACE 4.  One rule per test. */
#include "fs/core/inode.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"

#include "tests/fs/writer.h"
#include "tests/support/unit.h"

#define A "{\"pk\":\"p\",\"sk\":\"a\""
#define B "{\"pk\":\"q\",\"sk\":\"b\""

/* ------------------------------------------------------------ when a file commits */

static void
a_new_item_is_stored_after_flush(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":1}"), 0);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

static void
truncating_and_flushing_changes_nothing(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", true);

	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{}"), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A "}");
}

static void
an_item_truncated_without_a_write_is_its_bare_key_at_release(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", true);

	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A "}");
}

static void
a_writer_that_neither_truncated_nor_wrote_changes_nothing(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

static void
release_of_a_writer_does_not_commit_a_text_that_another_emptied(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *first = writer_open(mount_fixture.m, "tab/p/a.json", false);
	struct handle *second = writer_open(mount_fixture.m, "tab/p/a.json", true);

	writer_release(mount_fixture.m, first);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	writer_release(mount_fixture.m, second);
	fixture_expect("tab", A "}", A "}");
}

static void
release_commits_a_dirty_and_valid_text(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":1}"), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

static void
each_flush_saves_separately(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 0, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 5, "2"), 0);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	fixture_expect("tab", A "}", A ",\"v\":2}");
	writer_release(mount_fixture.m, h);
}

static void
touch_has_committed_when_it_returns(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_TRUE(file_set_time(mount_fixture.m, h->file, 5000000000));
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	fixture_expect("tab", A "}", A "}");
	struct get_item_in in = {.table = SLICE("tab"), .key = fixture_item(A "}")};
	struct get_item_out out = {0};

	CU_ASSERT_EQUAL(engine_get_item(fixture.e, &fixture.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.mtime_ns, 5000000000);
	writer_release(mount_fixture.m, h);
}

static void
times_of_an_unchanged_file_are_set_at_once(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", false);

	CU_ASSERT_FALSE(file_set_time(mount_fixture.m, h->file, 5000000000));
	writer_release(mount_fixture.m, h);
}

static void
truncate_without_a_writer_commits_at_once_or_fails(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/a.json");
	struct file *f = file_make(mount_fixture.m, n);
	uint64_t seq = 0;

	CU_ASSERT_EQUAL(file_resize(mount_fixture.m, mount_fixture_clean(), f, NULL, 5, &seq),
			-ERR_SERIALIZATION);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(file_resize(mount_fixture.m, mount_fixture_clean(), f, NULL, 100, &seq),
			-ERR_SERIALIZATION);
	CU_ASSERT_EQUAL(
		file_resize(mount_fixture.m, mount_fixture_clean(), f, NULL, 1ULL << 40, &seq),
		-ERR_ITEM_TOO_BIG);
	CU_ASSERT_EQUAL(seq, 0);
	CU_ASSERT_EQUAL(file_resize(mount_fixture.m, mount_fixture_clean(), f, NULL, 0, &seq), 0);
	CU_ASSERT_NOT_EQUAL(seq, 0);
	file_put(mount_fixture.m, f);
	fixture_expect("tab", A "}", A "}");
}

/* ------------------------------------------------------------ incomplete texts */

static void
an_incomplete_flush_fails_and_a_later_write_completes_it(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), -ERR_SERIALIZATION);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(writer_rejected(NULL), 0);
}

static void
an_incomplete_new_file_disappears_and_its_text_is_saved(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":"), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(writer_rejected("{\"v\":"), 1);
	CU_ASSERT_EQUAL(writer_refused(), 1);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"), "-");
}

static void
an_incomplete_overwrite_leaves_the_old_item(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", true);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":"), 0);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"), "{\"v\":");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.other, "tab/p/a.json"),
			       A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), -ERR_SERIALIZATION);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"),
			       A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(writer_rejected("{\"v\":"), 1);
	/* FLUSH has returned the reason, so the log does not repeat it. */
	CU_ASSERT_EQUAL(writer_refused(), 0);
}

/* ------------------------------------------------------------ refused writes */

static void
a_refused_write_poisons_until_the_file_is_emptied(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", true);
	uint64_t seq = 0;

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "oops"), -ERR_SERIALIZATION);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{}"), PLACE_POISONED);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), PLACE_POISONED);
	CU_ASSERT_EQUAL(writer_rejected("oops{}"), 1);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"),
			       A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(file_resize(mount_fixture.m, mount_fixture_clean(), h->file, h, 0, &seq),
			0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":2}");
	CU_ASSERT_EQUAL(writer_rejected(NULL), 1);
}

static void
a_refused_new_file_is_gone_at_its_first_flush(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{]"), -ERR_SERIALIZATION);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "a.json\n");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), PLACE_POISONED);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "");
	CU_ASSERT_EQUAL(writer_rejected("{]"), 1);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_EQUAL(writer_rejected(NULL), 1);
	fixture_expect("tab", A "}", NULL);
}

static void
a_complete_object_is_judged_as_a_put_would_be(void)
{
	static const char *const texts[] = {"{\"G\":1}", "{\"pk\":1}",
					    "{\"v\":{\"SS\":[\"a\",\"a\"]}}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

		CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, texts[i]), -ERR_VALIDATION);
		writer_release(mount_fixture.m, h);
		fixture_expect("tab", A "}", NULL);
		CU_ASSERT_EQUAL(writer_rejected(texts[i]), i + 1);
	}
}

static void
an_append_to_a_complete_item_is_refused_unless_it_is_blank(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 26, " \n"), 0);
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 28, "{}"), -ERR_SERIALIZATION);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

/* ------------------------------------------------------------ what WRITE has parsed */

static void
a_text_is_saved_where_its_file_is_at_flush(void)
{
	struct mount *m = mount_fixture.m;
	struct handle *h = writer_create(m, "tab/p/a.json", true, NULL);

	CU_ASSERT_EQUAL(writer_append(m, h, "{\"v\":1}"), 0);
	CU_ASSERT_PTR_NOT_NULL(h->file->judged);
	inode_move(&m->inodes, h->node, NODE_ITEM, mount_fixture_node(m, "tab/q"), SLICE("b"),
		   SLICE(""));
	CU_ASSERT_EQUAL(writer_flush(m, h), 0);
	CU_ASSERT_PTR_NULL(h->file->judged);
	writer_release(m, h);
	fixture_expect("tab", A "}", NULL);
	fixture_expect("tab", B "}", B ",\"v\":1}");
}

static void
a_text_is_saved_as_the_last_write_left_it(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 5, "2"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":2}");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_new_item_is_stored_after_flush),
	UNIT_TEST(truncating_and_flushing_changes_nothing),
	UNIT_TEST(an_item_truncated_without_a_write_is_its_bare_key_at_release),
	UNIT_TEST(a_writer_that_neither_truncated_nor_wrote_changes_nothing),
	UNIT_TEST(release_of_a_writer_does_not_commit_a_text_that_another_emptied),
	UNIT_TEST(release_commits_a_dirty_and_valid_text),
	UNIT_TEST(each_flush_saves_separately),
	UNIT_TEST(touch_has_committed_when_it_returns),
	UNIT_TEST(times_of_an_unchanged_file_are_set_at_once),
	UNIT_TEST(truncate_without_a_writer_commits_at_once_or_fails),
	UNIT_TEST(an_incomplete_flush_fails_and_a_later_write_completes_it),
	UNIT_TEST(an_incomplete_new_file_disappears_and_its_text_is_saved),
	UNIT_TEST(an_incomplete_overwrite_leaves_the_old_item),
	UNIT_TEST(a_refused_write_poisons_until_the_file_is_emptied),
	UNIT_TEST(a_refused_new_file_is_gone_at_its_first_flush),
	UNIT_TEST(a_complete_object_is_judged_as_a_put_would_be),
	UNIT_TEST(an_append_to_a_complete_item_is_refused_unless_it_is_blank),
	UNIT_TEST(a_text_is_saved_where_its_file_is_at_flush),
	UNIT_TEST(a_text_is_saved_as_the_last_write_left_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(file, mount_fixture_open, mount_fixture_close, tests);
