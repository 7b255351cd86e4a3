/* Tests of several handles of one name: creation, removal, and concurrent texts.  Each test checks one rule. */
#include "fs/file/file.h"
#include "fs/file/handle.h"

#include "tests/fs/writer.h"
#include "tests/support/unit.h"

#define A "{\"pk\":\"p\",\"sk\":\"a\""
#define B "{\"pk\":\"p\",\"sk\":\"b\""

/* ------------------------------------------------------------ O_EXCL */

static void
one_of_two_creators_wins_in_any_mount(void)
{
	int r = 0;
	struct handle *first = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);
	struct handle *second = writer_create(mount_fixture.other, "tab/p/a.json", true, &r);

	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	handle_close(mount_fixture.other, second);
	second = writer_create(mount_fixture.m, "tab/p/a.json", true, &r);
	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	handle_close(mount_fixture.m, second);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, first, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, first), 0);
	writer_release(mount_fixture.m, first);
	CU_ASSERT_PTR_NULL(mount_fixture.hub->reserved);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

static void
a_creator_fails_when_another_front_end_was_faster(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);

	(void)fixture_put("tab", A ",\"v\":\"early\"}");
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":\"late\"}"), -ERR_CONDITION);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":\"early\"}");
	h = writer_create(mount_fixture.m, "tab/p/b.json", true, NULL);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{}"), 0);
	(void)fixture_put("tab", "{\"pk\":\"p\",\"sk\":\"b\",\"v\":\"early\"}");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), -ERR_CONDITION);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_PTR_NULL(mount_fixture.hub->reserved);
}

static void
a_refused_creator_leaves_no_name(void)
{
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/a.json");
	struct handle *reader = handle_open(mount_fixture.m, mount_fixture_clean(), n, false);
	struct usage most = {.account = account_of(&mount_fixture.m->accounts, 0)};
	int r = 0;

	mount_fixture.m->conflict_fail = true;
	/* There is memory for the handle, but none for the text. */
	CU_ASSERT_TRUE(usage_resize(&most, ACCOUNT_BYTES_MAX - most.account->bytes -
						   ACCOUNT_OBJECT_BYTES));
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", true, &r);

	CU_ASSERT_EQUAL(r, -ERR_NO_SPACE);
	usage_end(&most);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "");
	handle_close(mount_fixture.m, h);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "");
	CU_ASSERT_PTR_NULL(mount_fixture.hub->reserved);
	h = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);
	writer_release(mount_fixture.m, h);
	handle_close(mount_fixture.m, reader);
	fixture_expect("tab", A "}", A "}");
}

/* ------------------------------------------------------------ unlinked */

static void
an_unlinked_file_is_only_bytes(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", false);
	struct slice text;

	(void)fixture_delete("tab", A "}");
	file_unlinked(mount_fixture.m, mount_fixture_clean(), h->node, SLICE("old text"));
	inode_detach(&mount_fixture.m->inodes, h->node);
	CU_ASSERT_EQUAL(file_read(mount_fixture.m, mount_fixture_clean(), h, false, 4, 100, &text),
			0);
	CU_ASSERT_TRUE(slice_is(text, "text"));
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 0, "no json"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(writer_rejected(NULL), 0);
}

static void
a_new_file_with_an_unlinked_name_is_another_file(void)
{
	struct handle *old = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);

	file_unlinked(mount_fixture.m, mount_fixture_clean(), old->node, SLICE(""));
	inode_detach(&mount_fixture.m->inodes, old->node);
	struct handle *later = writer_create(mount_fixture.m, "tab/p/a.json", true, NULL);

	CU_ASSERT_PTR_NOT_EQUAL(old->node, later->node);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, old, "{\"v\":\"old\"}"), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, later, "{\"v\":\"new\"}"), 0);
	writer_release(mount_fixture.m, later);
	writer_release(mount_fixture.m, old);
	fixture_expect("tab", A "}", A ",\"v\":\"new\"}");
}

/* ------------------------------------------------------------ several writers that truncate the file */

/* Open the file as OPEN with O_TRUNC does. */
static struct handle *
open_anew(struct mount *m, const char *path)
{
	struct handle *h = handle_open(m, &fixture.c, mount_fixture_node(m, path), true);

	(void)handle_begin_own(m, h);
	CU_ASSERT_EQUAL(file_opened(m, mount_fixture_clean(), h), 0);
	file_truncate_open(m, mount_fixture_clean(), h);
	return h;
}

static void
each_truncating_writer_has_its_own_text(void)
{
	(void)fixture_put("tab", A ",\"v\":0}");
	struct handle *one = open_anew(mount_fixture.m, "tab/p/a.json");
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");

	CU_ASSERT_PTR_NOT_EQUAL(one->file, two->file);
	CU_ASSERT_PTR_EQUAL(one->node->file, two->file);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "{\"v\":1"), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"), "{\"v\":2}");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), 0);
	fixture_expect("tab", A "}", A ",\"v\":2}");
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "}"), 0);
	writer_release(mount_fixture.m, two);
	/* The other writer's text is visible now. */
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"), "{\"v\":1}");
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	writer_release(mount_fixture.m, one);
	CU_ASSERT_EQUAL(writer_rejected(NULL), 0);
}

static void
a_refused_writer_does_not_affect_the_others(void)
{
	struct handle *one = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");
	struct handle *three = handle_open(mount_fixture.m, &fixture.c, one->node, true);

	CU_ASSERT_PTR_EQUAL(three->file, two->file);
	CU_ASSERT_NOT_EQUAL(writer_append(mount_fixture.m, two, "{]"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), PLACE_POISONED);
	CU_ASSERT_FALSE(one->file->gone);
	writer_release(mount_fixture.m, two);
	writer_release(mount_fixture.m, three);
	CU_ASSERT_EQUAL(writer_rejected("{]"), 1);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	writer_release(mount_fixture.m, one);
	fixture_expect("tab", A "}", A ",\"v\":1}");
}

static void
a_new_file_disappears_when_all_its_creators_are_refused(void)
{
	struct handle *one = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");

	CU_ASSERT_NOT_EQUAL(writer_append(mount_fixture.m, one, "{]"), 0);
	CU_ASSERT_NOT_EQUAL(writer_append(mount_fixture.m, two, "[]"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), PLACE_POISONED);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), PLACE_POISONED);
	writer_release(mount_fixture.m, one);
	writer_release(mount_fixture.m, two);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "");
	CU_ASSERT_EQUAL(writer_rejected(NULL), 2);
	fixture_expect("tab", A "}", NULL);
}

static void
a_rename_to_a_scratch_name_moves_the_newest_item(void)
{
	struct handle *one = open_anew(mount_fixture.m, "tab/p/a.json");
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");

	mount_fixture.m->hidden.delay_ms = 60 * 60 * 1000;
	mount_fixture.m->hidden.save_ms = 60 * 60 * 1000;
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a~"), A ",\"v\":1}\n");
	writer_release(mount_fixture.m, one);
	writer_release(mount_fixture.m, two);

	/* The same holds for a write by another front end, even if the mount was not notified of it. */
	(void)fixture_put("tab", B ",\"v\":1}");
	struct handle *h = open_anew(mount_fixture.m, "tab/p/b.json");

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, " {\"v\":2}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	(void)fixture_put("tab", B ",\"v\":3}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "b~", 0), 0);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/b~"), B ",\"v\":3}\n");
	writer_release(mount_fixture.m, h);

	/* A text that equals the item stays as it was written. */
	h = open_anew(mount_fixture.m, "tab/p/c.json");
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, " {\"v\":4}"), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "c.json", "tab/p", "c~", 0), 0);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/c~"), " {\"v\":4}");
	writer_release(mount_fixture.m, h);
}

static void
a_text_that_became_an_item_again_follows_other_writers(void)
{
	struct handle *one = open_anew(mount_fixture.m, "tab/p/a.json");
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	size_t end = two->file->buffer.text.len;

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, two, end - 3, "3"), 0);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a~", "tab/p", "b.json", 0), 0);
	fixture_expect("tab", B "}", B ",\"v\":3}");
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, one, end, " "), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	fixture_expect("tab", B "}", B ",\"v\":3}");
	writer_release(mount_fixture.m, one);
	writer_release(mount_fixture.m, two);
}

static void
all_texts_are_removed_with_their_name(void)
{
	(void)fixture_put("tab", A ",\"v\":0}");
	struct handle *one = open_anew(mount_fixture.m, "tab/p/a.json");
	struct handle *two = open_anew(mount_fixture.m, "tab/p/a.json");

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, one), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, two), 0);
	writer_release(mount_fixture.m, two);
	writer_release(mount_fixture.m, one);
	fixture_expect("tab", A "}", NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(one_of_two_creators_wins_in_any_mount),
	UNIT_TEST(a_creator_fails_when_another_front_end_was_faster),
	UNIT_TEST(a_refused_creator_leaves_no_name),
	UNIT_TEST(an_unlinked_file_is_only_bytes),
	UNIT_TEST(a_new_file_with_an_unlinked_name_is_another_file),
	UNIT_TEST(each_truncating_writer_has_its_own_text),
	UNIT_TEST(a_refused_writer_does_not_affect_the_others),
	UNIT_TEST(a_new_file_disappears_when_all_its_creators_are_refused),
	UNIT_TEST(a_rename_to_a_scratch_name_moves_the_newest_item),
	UNIT_TEST(a_text_that_became_an_item_again_follows_other_writers),
	UNIT_TEST(all_texts_are_removed_with_their_name),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(file_shared, mount_fixture_open, mount_fixture_close, tests);
