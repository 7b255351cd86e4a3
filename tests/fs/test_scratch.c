/* Tests of scratch files that may be the last copy of an item: when their texts are saved, and what follows if not. */
#include <fcntl.h>
#include <sys/stat.h>

#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/scratch.h"
#include "fs/ops/ops.h"

#include "tests/fs/writer.h"
#include "tests/support/kv_fault.h"
#include "tests/support/unit.h"
#include "tests/support/wait_again.h"

enum { LATER_MS = 60 * 60 * 1000, OWNER = 9, RENAMER = 8, MOUNTER = 7 };

#define A "{\"pk\":\"p\",\"sk\":\"a\""
#define B "{\"pk\":\"p\",\"sk\":\"b\""

static char blocked[512]; /* path of the obstacle that makes saving fail */

static const char *
area_path(const char *name)
{
	static char path[256];

	(void)snprintf(path, sizeof(path), "%s/scratch%s", mount_fixture.dir, name);
	return path;
}

/* Make every save of a text fail. */
static void
block_all(void)
{
	(void)snprintf(blocked, sizeof(blocked), "%s", area_path(""));
	int fd = open(blocked, O_WRONLY | O_CREAT | O_EXCL, 0600);

	CU_ASSERT_TRUE(fd >= 0);
	(void)close(fd);
}

/* Make it impossible to write copy number @copy. */
static void
block_one(unsigned copy)
{
	(void)snprintf(blocked, sizeof(blocked), "%s/%s/%06u.part", area_path(""),
		       mount_fixture.hub->area.name, copy);
	CU_ASSERT_EQUAL(mkdir(blocked, 0700), 0);
}

static void
unblock(void)
{
	CU_ASSERT_TRUE(unlink(blocked) == 0 || rmdir(blocked) == 0);
	blocked[0] = '\0';
}

static void
setup(void)
{
	mount_fixture_open();
	mount_fixture.m->hidden.delay_ms = LATER_MS;
	mount_fixture.m->hidden.save_ms = LATER_MS;
	(void)fixture_put("tab", A ",\"v\":1}");
}

static void
teardown(void)
{
	if (blocked[0] != '\0') {
		unblock();
	}
	mount_fixture_close();
}

static struct file *
make(const char *path, const char *text)
{
	const struct scratch like = {.mode = 0640, .uid = OWNER};
	struct node *n = mount_fixture_node(mount_fixture.m, path);

	CU_ASSERT_EQUAL(scratch_create(mount_fixture.m, mount_fixture_clean(), n, &like), 0);
	struct handle *h = handle_open(mount_fixture.m, &fixture.c, n, true);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, text), 0);
	writer_release(mount_fixture.m, h);
	return n->file;
}

static struct file *
file_at(const char *path)
{
	return mount_fixture_node(mount_fixture.m, path)->file;
}

static bool
is_saved(const struct file *f)
{
	const struct scratch *s = f->scratch;

	return s->saved;
}

/* Wait until the mount itself has saved the text. */
static bool
becomes_saved(const struct file *f)
{
	unsigned tries = 0;

	while (f->unsaved && wait_again(&tries)) {
	}
	return !f->unsaved && is_saved(f);
}

/* Make all delays expire, so that pending saves happen now. */
static void
let_time_pass(void)
{
	mount_fixture.m->hidden.delay_ms = 0;
	mount_fixture.m->hidden.save_ms = 0;
	hidden_look(mount_fixture.m);
}

/* Return the head of the only copy. */
static const char *
head_of_copy(void)
{
	static char head[512];
	char path[512];
	FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "%s/%s/000001", area_path(""),
		       mount_fixture.hub->area.name);
	file = fopen(path, "re");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	size_t n = fread(head, 1, sizeof(head) - 1, file);

	head[n] = '\0';
	(void)fclose(file);
	return head;
}

/* Return the number of lines of .itemfs/errors that belong to the user. */
static size_t
lines_of(uint32_t uid)
{
	struct refused_out out;

	refused_list(&mount_fixture.hub->refused, mount_fixture_clean(),
		     &(struct refused_reader){.only_own = true, .uid = uid}, &out);
	return out.n_lines;
}

/* ------------------------------------------------------------ before something is removed */

static void
an_item_is_removed_after_the_texts_beside_it_are_saved(void)
{
	struct file *f = make("tab/p/a.json.gz", "packed");

	CU_ASSERT_FALSE(is_saved(f));
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	CU_ASSERT_TRUE(is_saved(f));
	fixture_expect("tab", A "}", NULL);
}

static void
an_item_stays_when_a_text_beside_it_cannot_be_saved(void)
{
	(void)make("tab/p/a.json.gz", "packed");
	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(lines_of(OWNER), 1);
	/* A user who has seen the failure can make room. */
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	fixture_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(lines_of(OWNER), 1);
}

static void
all_texts_that_cannot_be_saved_are_reported_at_once(void)
{
	(void)make("tab/p/one", "1");
	(void)make("tab/p/two", "2");
	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	CU_ASSERT_EQUAL(lines_of(OWNER), 2);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
}

static void
a_text_changed_since_is_reported_again(void)
{
	struct file *f = make("tab/p/a.json.gz", "packed");

	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	struct handle *h = handle_open(mount_fixture.m, mount_fixture_clean(), f->node, true);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, " again"), 0);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
}

static void
a_failed_fsync_counts_as_a_report(void)
{
	struct file *f = make("tab/p/a.json.gz", "packed");

	block_all();
	CU_ASSERT_EQUAL(scratch_save(mount_fixture.m, mount_fixture_clean(), f, true), -ERR_IO);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
}

static void
texts_elsewhere_and_empty_texts_do_not_block_a_removal(void)
{
	struct file *f = make("tab/q/x", "elsewhere");

	(void)make("tab/p/empty", "");
	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	CU_ASSERT_FALSE(is_saved(f));
}

static void
a_text_moved_beside_the_item_counts(void)
{
	(void)make("tab/q/x", "elsewhere");
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	(void)fixture_put("tab", A ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/q", "x", "tab/p", "y", 0), 0);
	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
}

static void
an_item_that_is_shown_again_is_not_removed_silently(void)
{
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a.old", 0), 0);
	block_all();
	hidden_settle(mount_fixture.m, mount_fixture_clean(),
		      mount_fixture_node(mount_fixture.m, "tab/p"));
	CU_ASSERT_FALSE(hidden_is(mount_fixture.m, mount_fixture_node(mount_fixture.m, "tab/p"),
				  SLICE("a")));
	/* The failure was not returned to anybody so far. */
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), -ERR_IO);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json"), 0);
	fixture_expect("tab", A "}", NULL);
}

static void
the_scratch_file_of_an_item_is_protected_in_the_same_way(void)
{
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a", 0), 0);
	struct file *packed = make("tab/p/a.gz", "packed");

	block_all();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a"), -ERR_IO);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	unblock();
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a"), 0);
	fixture_expect("tab", A "}", NULL);

	/* Now a text that is already synced. */
	CU_ASSERT_EQUAL(scratch_save(mount_fixture.m, mount_fixture_clean(), packed, true), 0);
	struct file *text = make("tab/p/b", "unpacked");

	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.gz"), 0);
	CU_ASSERT_TRUE(is_saved(text));
}

static void
the_backup_of_an_editor_is_removed_without_a_save(void)
{
	struct file *f = make("tab/p/.a.json.swp", "swap");
	struct handle *h;

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a.json~", 0), 0);
	h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "a.json~"), 0);
	CU_ASSERT_FALSE(is_saved(f));
	fixture_expect("tab", A "}", A ",\"v\":2}");
}

/* ------------------------------------------------------------ by the mount itself */

/* Make item a the scratch file a~, and write another item under its name. */
static struct file *
back_up(void)
{
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":\"new\"}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_FALSE(hidden_is(mount_fixture.m, mount_fixture_node(mount_fixture.m, "tab/p"),
				  SLICE("a")));
	fixture_expect("tab", A "}", A ",\"v\":\"new\"}");
	return file_at("tab/p/a~");
}

static void
a_backup_whose_item_was_rewritten_is_saved(void)
{
	struct file *f = back_up();

	CU_ASSERT_TRUE(f->unsaved);
	let_time_pass();
	CU_ASSERT_TRUE(becomes_saved(f));
	CU_ASSERT_PTR_NOT_NULL(strstr(head_of_copy(), A ",\"v\":1}"));
}

static void
a_text_that_is_open_for_writing_is_saved_too(void)
{
	struct handle *h = NULL;
	struct file *f = NULL;

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	h = handle_open(mount_fixture.m, mount_fixture_clean(),
			mount_fixture_node(mount_fixture.m, "tab/p/a~"), true);
	(void)fixture_delete("tab", A "}");
	hidden_show(mount_fixture.m, h->file);
	f = h->file;
	let_time_pass();
	CU_ASSERT_TRUE(becomes_saved(f));
	writer_release(mount_fixture.m, h);
	CU_ASSERT_TRUE(becomes_saved(f));
}

static void
a_text_that_cannot_be_saved_does_not_delay_others(void)
{
	struct file *older = back_up();

	(void)fixture_put("tab", B ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "b~", 0), 0);
	struct file *newer = file_at("tab/p/b~");

	(void)fixture_delete("tab", B "}");
	hidden_show(mount_fixture.m, newer);
	/* This save creates the directory of the area. */
	CU_ASSERT_EQUAL(
		scratch_save(mount_fixture.m, mount_fixture_clean(), make("tab/p/c", "c"), true),
		0);
	block_one(2);
	let_time_pass();
	CU_ASSERT_TRUE(becomes_saved(older));
	CU_ASSERT_TRUE(newer->unsaved);
	CU_ASSERT_TRUE(newer->save_ns > 0);
}

static void
failures_in_the_background_are_reported_to_the_right_user(void)
{
	struct stat to = {.st_uid = OWNER};
	struct file *f = NULL;

	mount_fixture.m->uid = MOUNTER;
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	f = file_at("tab/p/a~");
	CU_ASSERT_FALSE(scratch_set_owner(f, &to, FUSE_SET_ATTR_UID));
	block_all();
	hidden_settle(mount_fixture.m, mount_fixture_clean(),
		      mount_fixture_node(mount_fixture.m, "tab/p"));
	CU_ASSERT_EQUAL(lines_of(OWNER), 1);
	CU_ASSERT_EQUAL(lines_of(MOUNTER), 0);
	unblock();

	/* A failed delete is reported to the user that renamed the item: here root. */
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "b~", 0), 0);
	kv_fault_fill(fixture.fault);
	hidden_settle(mount_fixture.m, mount_fixture_clean(),
		      mount_fixture_node(mount_fixture.m, "tab/p"));
	CU_ASSERT_EQUAL(lines_of(0), 1);
	CU_ASSERT_EQUAL(lines_of(MOUNTER), 0);
}

/* ------------------------------------------------------------ a user who has too much open */

/* Fill the account of the user until @bytes are left. */
static struct usage
leave_room(size_t bytes)
{
	struct usage most = {.account = account_of(&mount_fixture.m->accounts, 0)};

	CU_ASSERT_TRUE(usage_resize(&most, ACCOUNT_BYTES_MAX - most.account->bytes - bytes));
	return most;
}

static void
a_file_that_cannot_be_opened_is_not_created(void)
{
	const struct scratch like = {.mode = 0640};
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/x");
	struct usage most = leave_room(SCRATCH_FILE_BYTES + ACCOUNT_OBJECT_BYTES - 1);
	struct handle *h = NULL;
	bool is_new;

	CU_ASSERT_EQUAL(scratch_open(mount_fixture.m, mount_fixture_clean(), n, &like, &h, &is_new),
			-ERR_NO_SPACE);
	usage_end(&most);
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"), "a.json\n");
	CU_ASSERT_EQUAL(mount_fixture.m->scratch_bytes, 0);
	n = mount_fixture_node(mount_fixture.m, "tab/p/x");
	CU_ASSERT_EQUAL(scratch_open(mount_fixture.m, mount_fixture_clean(), n, &like, &h, &is_new),
			0);
	CU_ASSERT_TRUE(is_new);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_EQUAL(scratch_open(mount_fixture.m, mount_fixture_clean(), n, &like, &h, &is_new),
			0);
	CU_ASSERT_FALSE(is_new);
	writer_release(mount_fixture.m, h);
}

static void
a_name_that_two_requests_create_has_one_file(void)
{
	const struct scratch like = {.mode = 0640};
	struct node *n = mount_fixture_node(mount_fixture.m, "tab/p/x");

	CU_ASSERT_EQUAL(scratch_create(mount_fixture.m, mount_fixture_clean(), n, &like), 0);
	CU_ASSERT_EQUAL(scratch_create(mount_fixture.m, mount_fixture_clean(), n, &like), 0);
	CU_ASSERT_EQUAL(mount_fixture.m->scratch_bytes, SCRATCH_FILE_BYTES);
	CU_ASSERT_EQUAL(mount_fixture_unlink("tab/p", "x"), 0);
	CU_ASSERT_EQUAL(mount_fixture.m->scratch_bytes, 0);
	CU_ASSERT_FALSE(file_any(mount_fixture.m));
}

static void
a_backup_stays_when_the_rename_that_replaces_it_is_refused(void)
{
	(void)fixture_put("tab", B ",\"v\":1}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "a.json", "tab/p", "a~", 0), 0);
	struct node *dir = mount_fixture_node(mount_fixture.m, "tab/p");
	struct usage most = leave_room(0);

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "a~", 0), -ERR_NO_SPACE);
	CU_ASSERT_TRUE(hidden_is(mount_fixture.m, dir, SLICE("a")));
	fixture_expect("tab", A "}", A ",\"v\":1}");
	usage_end(&most);

	/*
	 * If the older item cannot be deleted, the item does not become a scratch file either, not even for a reader
	 * that has it open.
	 */
	struct handle *reader =
		handle_open(mount_fixture.m, mount_fixture_clean(),
			    mount_fixture_node(mount_fixture.m, "tab/p/b.json"), false);

	kv_fault_fill(fixture.fault);
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "b.json", "tab/p", "a~", 0), -ERR_NO_SPACE);
	kv_fault_arm(fixture.fault, 0);
	CU_ASSERT_TRUE(hidden_is(mount_fixture.m, dir, SLICE("a")));
	CU_ASSERT_STRING_EQUAL(mount_fixture_names(mount_fixture.m, "tab/p"),
			       "a.json\nb.json\na~\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a~"), A ",\"v\":1}\n");
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/b.json"),
			       B ",\"v\":1}\n");
	CU_ASSERT_PTR_NULL(reader->node->file->scratch);
	handle_close(mount_fixture.m, reader);
	CU_ASSERT_PTR_NULL(file_at("tab/p/b.json"));
}

/* ------------------------------------------------------------ what a copy says of its file */

static void
a_copy_has_the_newest_name_owner_and_mode(void)
{
	struct stat to = {.st_uid = RENAMER, .st_mode = 0600};
	struct file *f = make("tab/p/x", "text");

	CU_ASSERT_EQUAL(scratch_save(mount_fixture.m, mount_fixture_clean(), f, true), 0);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(head_of_copy(), "itemfs-scratch 1 9 416 2 10\n/m\n/m/tab/p/x\ntext"));

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "x", "tab/q", "y", 0), 0);
	let_time_pass();
	CU_ASSERT_TRUE(becomes_saved(f));
	CU_ASSERT_PTR_NOT_NULL(strstr(head_of_copy(), "\n/m/tab/q/y\ntext"));

	CU_ASSERT_TRUE(scratch_set_owner(f, &to, FUSE_SET_ATTR_UID | FUSE_SET_ATTR_MODE));
	let_time_pass();
	CU_ASSERT_TRUE(becomes_saved(f));
	CU_ASSERT_PTR_NOT_NULL(strstr(head_of_copy(), "itemfs-scratch 1 8 384 2 10\n"));

	(void)fixture_put("tab", "{\"pk\":\"q\",\"sk\":\"a\"}");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab", "q", "tab", "r", 0), 0);
	CU_ASSERT_TRUE(becomes_saved(f));
	CU_ASSERT_PTR_NOT_NULL(strstr(head_of_copy(), "\n/m/tab/r/y\ntext"));

	(void)make("tab/p/z", "other");
	CU_ASSERT_EQUAL(mount_fixture_rename("tab/r", "y", "tab/p", "z", MOVE_EXCHANGE), 0);
	CU_ASSERT_TRUE(becomes_saved(f));
	CU_ASSERT_PTR_NOT_NULL(strstr(head_of_copy(), "\n/m/tab/p/z\ntext"));
}

static void
a_rename_does_not_create_a_copy(void)
{
	struct stat to = {.st_mode = 0600};
	struct file *f = make("tab/p/x", "text");

	CU_ASSERT_EQUAL(mount_fixture_rename("tab/p", "x", "tab/p", "y", 0), 0);
	CU_ASSERT_FALSE(scratch_set_owner(f, &to, FUSE_SET_ATTR_MODE));
	CU_ASSERT_FALSE(f->unsaved);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_item_is_removed_after_the_texts_beside_it_are_saved),
	UNIT_TEST(an_item_stays_when_a_text_beside_it_cannot_be_saved),
	UNIT_TEST(all_texts_that_cannot_be_saved_are_reported_at_once),
	UNIT_TEST(a_text_changed_since_is_reported_again),
	UNIT_TEST(a_failed_fsync_counts_as_a_report),
	UNIT_TEST(texts_elsewhere_and_empty_texts_do_not_block_a_removal),
	UNIT_TEST(a_text_moved_beside_the_item_counts),
	UNIT_TEST(an_item_that_is_shown_again_is_not_removed_silently),
	UNIT_TEST(the_scratch_file_of_an_item_is_protected_in_the_same_way),
	UNIT_TEST(the_backup_of_an_editor_is_removed_without_a_save),
	UNIT_TEST(a_backup_whose_item_was_rewritten_is_saved),
	UNIT_TEST(a_text_that_is_open_for_writing_is_saved_too),
	UNIT_TEST(a_text_that_cannot_be_saved_does_not_delay_others),
	UNIT_TEST(failures_in_the_background_are_reported_to_the_right_user),
	UNIT_TEST(a_file_that_cannot_be_opened_is_not_created),
	UNIT_TEST(a_name_that_two_requests_create_has_one_file),
	UNIT_TEST(a_backup_stays_when_the_rename_that_replaces_it_is_refused),
	UNIT_TEST(a_copy_has_the_newest_name_owner_and_mode),
	UNIT_TEST(a_rename_does_not_create_a_copy),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(scratch, setup, teardown, tests);
