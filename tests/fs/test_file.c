/* The commit rule of filesystem.md section 4, one sentence a test. */
#include <errno.h>
#include <unistd.h>

#include "fs/inval.h"
#include "fs/listing.h"
#include "fs/request.h"

#include "tests/fs/stage.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

/* An open writer, as CREATE and OPEN make it. */
static struct handle *
create(struct mount *m, const char *path, bool exclusive, int *result)
{
	struct handle *h = handle_open(m, &scene.c, stage_node(m, path), true);
	int r = file_create(m, stage_clean(), h, exclusive);

	if (result != NULL) {
		*result = r;
	} else {
		CU_ASSERT_EQUAL(r, 0);
	}
	return h;
}

static struct handle *
open_for_writing(struct mount *m, const char *path, bool truncate)
{
	struct handle *h = handle_open(m, &scene.c, stage_node(m, path), true);

	if (truncate) {
		file_truncate_open(m, stage_clean(), h);
	}
	return h;
}

static int
write_at(struct mount *m, struct handle *h, size_t offset, const char *text)
{
	return file_write(m, stage_clean(), h, offset, slice_from(text));
}

static int
write_end(struct mount *m, struct handle *h, const char *text)
{
	return write_at(m, h, h->file->buffer.text.len, text);
}

static int
flush(struct mount *m, struct handle *h)
{
	uint64_t seq = 0;

	return file_flush(m, stage_clean(), h->file, false, &seq);
}

static void
release(struct mount *m, struct handle *h)
{
	(void)file_finish(m, stage_clean(), h);
	handle_close(m, h);
}

static size_t
rejected(const char *text)
{
	struct slice *names;
	struct call *c = stage_clean();
	size_t n =
		rejected_list(&stage.hub->rejected, &c->arena, &(struct refused_reader){0}, &names);

	if (n > 0 && text != NULL) {
		char kept[64] = {0};
		int fd = rejected_open(&stage.hub->rejected, &scene.c.arena,
				       &(struct refused_reader){0}, names[n - 1], NULL);

		CU_ASSERT_TRUE(fd >= 0 && read(fd, kept, sizeof(kept) - 1) >= 0);
		CU_ASSERT_STRING_EQUAL(kept, text);
		(void)close(fd);
	}
	return n;
}

static size_t
refused(void)
{
	struct refused_out out;

	refused_list(&stage.hub->refused, stage_clean(), &(struct refused_reader){0}, &out);
	return out.n_lines;
}

#define A "{\"pk\":\"p\",\"sk\":\"a\""

/* ------------------------------------------------------------ when it commits */

static void
a_new_item_is_there_after_flush(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	scene_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":1}"), 0);
	scene_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	scene_expect("tab", A "}", A ",\"v\":1}");
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

static void
truncating_and_flushing_is_no_change(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", true);

	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	scene_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{}"), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", A "}");
}

static void
a_truncated_item_without_any_write_is_its_key_at_release(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", true);

	release(stage.m, h);
	scene_expect("tab", A "}", A "}");
}

static void
a_writer_that_neither_truncated_nor_wrote_changes_nothing(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

static void
release_of_a_writer_does_not_commit_what_another_emptied(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *first = open_for_writing(stage.m, "tab/p/a.json", false);
	struct handle *second = open_for_writing(stage.m, "tab/p/a.json", true);

	release(stage.m, first);
	scene_expect("tab", A "}", A ",\"v\":1}");
	release(stage.m, second);
	scene_expect("tab", A "}", A "}");
}

static void
release_commits_what_is_dirty_and_valid(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":1}"), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

static void
each_flush_is_a_save_of_its_own(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_at(stage.m, h, 0, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	CU_ASSERT_EQUAL(write_at(stage.m, h, 5, "2"), 0);
	scene_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	scene_expect("tab", A "}", A ",\"v\":2}");
	release(stage.m, h);
}

static void
touch_has_committed_when_it_returns(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_TRUE(file_set_time(stage.m, h->file, 5000000000));
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	scene_expect("tab", A "}", A "}");
	struct get_item_in in = {.table = SLICE("tab"), .key = scene_item(A "}")};
	struct get_item_out out = {0};

	CU_ASSERT_EQUAL(engine_get_item(scene.e, &scene.c, &in, &out), 0);
	CU_ASSERT_EQUAL(out.mtime_ns, 5000000000);
	release(stage.m, h);
}

static void
times_of_an_unchanged_file_are_set_at_once(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", false);

	CU_ASSERT_FALSE(file_set_time(stage.m, h->file, 5000000000));
	release(stage.m, h);
}

static void
truncate_without_a_writer_commits_at_once_or_fails(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct node *n = stage_node(stage.m, "tab/p/a.json");
	struct file *f = file_make(stage.m, n);
	uint64_t seq = 0;

	CU_ASSERT_EQUAL(file_resize(stage.m, stage_clean(), f, NULL, 5, &seq), -ERR_SERIALIZATION);
	scene_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(file_resize(stage.m, stage_clean(), f, NULL, 100, &seq),
			-ERR_SERIALIZATION);
	CU_ASSERT_EQUAL(file_resize(stage.m, stage_clean(), f, NULL, 1ULL << 40, &seq),
			-ERR_ITEM_TOO_BIG);
	CU_ASSERT_EQUAL(seq, 0);
	CU_ASSERT_EQUAL(file_resize(stage.m, stage_clean(), f, NULL, 0, &seq), 0);
	CU_ASSERT_NOT_EQUAL(seq, 0);
	file_put(stage.m, f);
	scene_expect("tab", A "}", A "}");
}

/* ------------------------------------------------------------ incomplete texts */

static void
an_incomplete_flush_fails_and_a_later_write_completes_it(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), -ERR_SERIALIZATION);
	scene_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(write_end(stage.m, h, "1}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(rejected(NULL), 0);
}

static void
an_incomplete_new_file_disappears_and_its_text_is_kept(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":"), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(rejected("{\"v\":"), 1);
	CU_ASSERT_EQUAL(refused(), 1);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), "-");
}

static void
an_incomplete_overwrite_leaves_the_old_item(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", true);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":"), 0);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), "{\"v\":");
	CU_ASSERT_STRING_EQUAL(stage_text(stage.other, "tab/p/a.json"), A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(flush(stage.m, h), -ERR_SERIALIZATION);
	release(stage.m, h);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(rejected("{\"v\":"), 1);
	/* FLUSH has said why; whoever reads the log need not read it twice. */
	CU_ASSERT_EQUAL(refused(), 0);
}

/* ------------------------------------------------------------ refused writes */

static void
a_refused_write_poisons_until_the_file_is_emptied(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", true);
	uint64_t seq = 0;

	CU_ASSERT_EQUAL(write_end(stage.m, h, "oops"), -ERR_SERIALIZATION);
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{}"), PLACE_POISONED);
	CU_ASSERT_EQUAL(flush(stage.m, h), PLACE_POISONED);
	CU_ASSERT_EQUAL(rejected("oops{}"), 1);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), A ",\"v\":1}\n");
	CU_ASSERT_EQUAL(file_resize(stage.m, stage_clean(), h->file, h, 0, &seq), 0);
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":2}");
	CU_ASSERT_EQUAL(rejected(NULL), 1);
}

static void
a_refused_new_file_is_gone_at_its_first_flush(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{]"), -ERR_SERIALIZATION);
	CU_ASSERT_STRING_EQUAL(stage_names(stage.m, "tab/p"), "a.json\n");
	CU_ASSERT_EQUAL(flush(stage.m, h), PLACE_POISONED);
	CU_ASSERT_STRING_EQUAL(stage_names(stage.m, "tab/p"), "");
	CU_ASSERT_EQUAL(rejected("{]"), 1);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	CU_ASSERT_EQUAL(rejected(NULL), 1);
	scene_expect("tab", A "}", NULL);
}

static void
a_complete_object_is_judged_as_a_put_would_be(void)
{
	static const char *const texts[] = {"{\"G\":1}", "{\"pk\":1}",
					    "{\"v\":{\"SS\":[\"a\",\"a\"]}}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

		CU_ASSERT_EQUAL(write_end(stage.m, h, texts[i]), -ERR_VALIDATION);
		release(stage.m, h);
		scene_expect("tab", A "}", NULL);
		CU_ASSERT_EQUAL(rejected(texts[i]), i + 1);
	}
}

static void
an_append_to_a_whole_item_is_refused_unless_it_is_blank(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(write_at(stage.m, h, 26, " \n"), 0);
	CU_ASSERT_EQUAL(write_at(stage.m, h, 28, "{}"), -ERR_SERIALIZATION);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

/* ------------------------------------------------------------ O_EXCL */

static void
one_of_two_creators_wins_in_whatever_mount(void)
{
	int r = 0;
	struct handle *first = create(stage.m, "tab/p/a.json", true, NULL);
	struct handle *second = create(stage.other, "tab/p/a.json", true, &r);

	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	handle_close(stage.other, second);
	second = create(stage.m, "tab/p/a.json", true, &r);
	CU_ASSERT_EQUAL(r, -ERR_CONDITION);
	handle_close(stage.m, second);
	CU_ASSERT_EQUAL(write_end(stage.m, first, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, first), 0);
	release(stage.m, first);
	CU_ASSERT_PTR_NULL(stage.hub->reserved);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

static void
a_creator_fails_when_another_door_was_faster(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", true, NULL);

	(void)scene_put("tab", A ",\"v\":\"early\"}");
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":\"late\"}"), -ERR_CONDITION);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":\"early\"}");
	h = create(stage.m, "tab/p/b.json", true, NULL);
	CU_ASSERT_EQUAL(write_end(stage.m, h, "{}"), 0);
	(void)scene_put("tab", "{\"pk\":\"p\",\"sk\":\"b\",\"v\":\"early\"}");
	CU_ASSERT_EQUAL(flush(stage.m, h), -ERR_CONDITION);
	release(stage.m, h);
	CU_ASSERT_PTR_NULL(stage.hub->reserved);
}

/* ------------------------------------------------------------ unlinked */

static void
an_unlinked_file_is_bytes_and_nothing_else(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", false);
	struct slice text;

	(void)scene_delete("tab", A "}");
	file_unlinked(stage.m, stage_clean(), h->node, SLICE("old text"));
	inode_detach(&stage.m->inodes, h->node);
	CU_ASSERT_EQUAL(file_read(stage.m, stage_clean(), h, 4, 100, &text), 0);
	CU_ASSERT_TRUE(slice_is(text, "text"));
	CU_ASSERT_EQUAL(write_at(stage.m, h, 0, "no json"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	scene_expect("tab", A "}", NULL);
	CU_ASSERT_EQUAL(rejected(NULL), 0);
}

static void
a_new_file_of_an_unlinked_name_is_another_one(void)
{
	struct handle *old = create(stage.m, "tab/p/a.json", true, NULL);

	file_unlinked(stage.m, stage_clean(), old->node, SLICE(""));
	inode_detach(&stage.m->inodes, old->node);
	struct handle *new = create(stage.m, "tab/p/a.json", true, NULL);

	CU_ASSERT_PTR_NOT_EQUAL(old->node, new->node);
	CU_ASSERT_EQUAL(write_end(stage.m, old, "{\"v\":\"old\"}"), 0);
	CU_ASSERT_EQUAL(write_end(stage.m, new, "{\"v\":\"new\"}"), 0);
	release(stage.m, new);
	release(stage.m, old);
	scene_expect("tab", A "}", A ",\"v\":\"new\"}");
}

/* ------------------------------------------------------------ readers, other doors, the end */

static void
a_clean_text_follows_changes_made_elsewhere(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(write_at(stage.m, h, 23, "2"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	(void)scene_put("tab", A ",\"v\":\"elsewhere\"}");
	file_mark_stale(stage.m, h->node);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), A ",\"v\":\"elsewhere\"}\n");
	release(stage.m, h);
}

static void
pages_are_kept_only_if_they_hold_the_rendering(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_at(stage.m, h, 0, A ",\"v\":1}\n"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	CU_ASSERT_EQUAL(h->node->flags & NODE_OTHER_TEXT, 0);
	CU_ASSERT_EQUAL(write_at(stage.m, h, 0, A ",\"v\":1}  "), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	CU_ASSERT_NOT_EQUAL(h->node->flags & NODE_OTHER_TEXT, 0);
	release(stage.m, h);
}

static void
a_long_item_is_rendered_once_for_all_its_reads(void)
{
	struct buf json;

	buf_init(&json, NULL);
	buf_str(&json, A ",\"v\":\"");
	for (int i = 0; i < 3000; i++) {
		buf_str(&json, "0123456789");
	}
	buf_str(&json, "\"}");
	buf_char(&json, '\0');
	(void)scene_put("tab", json.at);
	struct handle *h =
		handle_open(stage.m, &scene.c, stage_node(stage.m, "tab/p/a.json"), false);
	struct slice text;

	for (size_t at = 0; at < json.len; at += 4096) {
		CU_ASSERT_EQUAL(file_read(stage.m, stage_clean(), h, at, 4096, &text), 0);
		size_t rest = json.len - 1 - at;

		CU_ASSERT_EQUAL(memcmp(text.at, json.at + at, rest < 4096 ? rest : 4096), 0);
	}
	CU_ASSERT_EQUAL(file_read(stage.m, stage_clean(), h, 1 << 20, 4096, &text), 0);
	CU_ASSERT_EQUAL(text.len, 0);
	/* Never an open-time snapshot. */
	(void)scene_put("tab", A "}");
	CU_ASSERT_EQUAL(file_read(stage.m, stage_clean(), h, 0, 4096, &text), 0);
	CU_ASSERT_TRUE(slice_is(text, A "}\n"));
	handle_close(stage.m, h);
	buf_release(&json);
}

static void
what_is_open_at_the_end_is_committed_or_kept(void)
{
	struct handle *good = create(stage.m, "tab/p/a.json", false, NULL);
	struct handle *bad = create(stage.m, "tab/p/b.json", false, NULL);

	(void)create(stage.m, "tab/p/c.json", false, NULL);
	CU_ASSERT_EQUAL(write_end(stage.m, good, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(write_end(stage.m, bad, "{\"v\":"), 0);
	/* The kernel is gone and releases nothing: neither these nor a directory. */
	(void)listing_new(stage.m, &scene.c, stage_node(stage.m, "tab/p"));
	mount_stop(stage.m);
	CU_ASSERT_PTR_NULL(stage.m->opened);
	scene_expect("tab", A "}", A ",\"v\":1}");
	scene_expect("tab", "{\"pk\":\"p\",\"sk\":\"b\"}", NULL);
	scene_expect("tab", "{\"pk\":\"p\",\"sk\":\"c\"}", "{\"pk\":\"p\",\"sk\":\"c\"}");
	CU_ASSERT_EQUAL(rejected("{\"v\":"), 1);
}

static void
requests_may_ask_the_feed_until_the_mount_stops(void)
{
	CU_ASSERT_EQUAL(inval_start(stage_clean(), stage.m), 0);
	mount_quiet(stage.m);
	/* A request that is under way asks what open asks. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(stage.m->reader);
	CU_ASSERT_TRUE(feed_is_dealt(stage.m->reader));
	(void)scene_put("tab", A "}");
	CU_ASSERT_FALSE(feed_is_dealt(stage.m->reader));
	mount_stop(stage.m);
	CU_ASSERT_PTR_NULL(stage.m->reader);
}

static void
everything_is_durable_when_the_mount_has_ended(void)
{
	struct handle *h = create(stage.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(write_end(stage.m, h, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, h), 0);
	release(stage.m, h);
	CU_ASSERT_TRUE(kv_mem_durable(scene.mem) < kv_mem_commits(scene.mem));
	mount_stop(stage.m);
	CU_ASSERT_EQUAL(kv_mem_durable(scene.mem), kv_mem_commits(scene.mem));
}

static void
a_full_disk_is_told_to_its_writer_and_a_read_only_store_to_the_next(void)
{
	(void)scene_put("tab", A ",\"v\":1}");
	struct handle *h = open_for_writing(stage.m, "tab/p/a.json", true);
	int r = write_end(stage.m, h, "{\"v\":2}");

	CU_ASSERT_EQUAL(r, 0);
	kv_fault_fill(scene.fault);
	r = flush(stage.m, h);
	CU_ASSERT_EQUAL(r, -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(request_errno(r), ENOSPC);
	/* Room alone does not help: what LevelDB's log ends in is not known. */
	kv_fault_arm(scene.fault, 0);
	r = flush(stage.m, h);
	CU_ASSERT_EQUAL(r, -ERR_READ_ONLY);
	CU_ASSERT_EQUAL(request_errno(r), EROFS);
	release(stage.m, h);
	scene_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(rejected("{\"v\":2}"), 1);
}

/* ------------------------------------------------------------ several who begin anew */

/* As OPEN with O_TRUNC does. */
static struct handle *
open_anew(struct mount *m, const char *path)
{
	struct handle *h = handle_open(m, &scene.c, stage_node(m, path), true);

	(void)handle_begin_own(m, h);
	CU_ASSERT_EQUAL(file_opened(m, stage_clean(), h), 0);
	file_truncate_open(m, stage_clean(), h);
	return h;
}

static void
each_who_begins_anew_has_a_text_of_his_own(void)
{
	(void)scene_put("tab", A ",\"v\":0}");
	struct handle *one = open_anew(stage.m, "tab/p/a.json");
	struct handle *two = open_anew(stage.m, "tab/p/a.json");

	CU_ASSERT_PTR_NOT_EQUAL(one->file, two->file);
	CU_ASSERT_PTR_EQUAL(one->node->file, two->file);
	CU_ASSERT_EQUAL(write_end(stage.m, one, "{\"v\":1"), 0);
	CU_ASSERT_EQUAL(write_end(stage.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), "{\"v\":2}");
	CU_ASSERT_EQUAL(flush(stage.m, two), 0);
	scene_expect("tab", A "}", A ",\"v\":2}");
	CU_ASSERT_EQUAL(write_end(stage.m, one, "}"), 0);
	release(stage.m, two);
	/* The other one takes its place. */
	CU_ASSERT_STRING_EQUAL(stage_text(stage.m, "tab/p/a.json"), "{\"v\":1}");
	CU_ASSERT_EQUAL(flush(stage.m, one), 0);
	scene_expect("tab", A "}", A ",\"v\":1}");
	release(stage.m, one);
	CU_ASSERT_EQUAL(rejected(NULL), 0);
}

static void
who_is_refused_does_no_harm_to_the_others(void)
{
	struct handle *one = create(stage.m, "tab/p/a.json", false, NULL);
	struct handle *two = open_anew(stage.m, "tab/p/a.json");
	struct handle *three = handle_open(stage.m, &scene.c, one->node, true);

	CU_ASSERT_PTR_EQUAL(three->file, two->file);
	CU_ASSERT_NOT_EQUAL(write_end(stage.m, two, "{]"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, two), PLACE_POISONED);
	CU_ASSERT_FALSE(one->file->gone);
	release(stage.m, two);
	release(stage.m, three);
	CU_ASSERT_EQUAL(rejected("{]"), 1);
	CU_ASSERT_EQUAL(write_end(stage.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, one), 0);
	release(stage.m, one);
	scene_expect("tab", A "}", A ",\"v\":1}");
}

static void
a_new_file_goes_when_all_its_makers_are_refused(void)
{
	struct handle *one = create(stage.m, "tab/p/a.json", false, NULL);
	struct handle *two = open_anew(stage.m, "tab/p/a.json");

	CU_ASSERT_NOT_EQUAL(write_end(stage.m, one, "{]"), 0);
	CU_ASSERT_NOT_EQUAL(write_end(stage.m, two, "[]"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, one), PLACE_POISONED);
	CU_ASSERT_EQUAL(flush(stage.m, two), PLACE_POISONED);
	release(stage.m, one);
	release(stage.m, two);
	CU_ASSERT_STRING_EQUAL(stage_names(stage.m, "tab/p"), "");
	CU_ASSERT_EQUAL(rejected(NULL), 2);
	scene_expect("tab", A "}", NULL);
}

static void
all_texts_are_removed_with_their_name(void)
{
	(void)scene_put("tab", A ",\"v\":0}");
	struct handle *one = open_anew(stage.m, "tab/p/a.json");
	struct handle *two = open_anew(stage.m, "tab/p/a.json");

	CU_ASSERT_EQUAL(write_end(stage.m, one, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(write_end(stage.m, two, "{\"v\":2}"), 0);
	CU_ASSERT_EQUAL(stage_unlink("tab/p", "a.json"), 0);
	CU_ASSERT_EQUAL(flush(stage.m, one), 0);
	CU_ASSERT_EQUAL(flush(stage.m, two), 0);
	release(stage.m, two);
	release(stage.m, one);
	scene_expect("tab", A "}", NULL);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_new_item_is_there_after_flush),
	UNIT_TEST(truncating_and_flushing_is_no_change),
	UNIT_TEST(a_truncated_item_without_any_write_is_its_key_at_release),
	UNIT_TEST(a_writer_that_neither_truncated_nor_wrote_changes_nothing),
	UNIT_TEST(release_of_a_writer_does_not_commit_what_another_emptied),
	UNIT_TEST(release_commits_what_is_dirty_and_valid),
	UNIT_TEST(each_flush_is_a_save_of_its_own),
	UNIT_TEST(touch_has_committed_when_it_returns),
	UNIT_TEST(times_of_an_unchanged_file_are_set_at_once),
	UNIT_TEST(truncate_without_a_writer_commits_at_once_or_fails),
	UNIT_TEST(an_incomplete_flush_fails_and_a_later_write_completes_it),
	UNIT_TEST(an_incomplete_new_file_disappears_and_its_text_is_kept),
	UNIT_TEST(an_incomplete_overwrite_leaves_the_old_item),
	UNIT_TEST(a_refused_write_poisons_until_the_file_is_emptied),
	UNIT_TEST(a_refused_new_file_is_gone_at_its_first_flush),
	UNIT_TEST(a_complete_object_is_judged_as_a_put_would_be),
	UNIT_TEST(an_append_to_a_whole_item_is_refused_unless_it_is_blank),
	UNIT_TEST(one_of_two_creators_wins_in_whatever_mount),
	UNIT_TEST(a_creator_fails_when_another_door_was_faster),
	UNIT_TEST(an_unlinked_file_is_bytes_and_nothing_else),
	UNIT_TEST(a_new_file_of_an_unlinked_name_is_another_one),
	UNIT_TEST(a_clean_text_follows_changes_made_elsewhere),
	UNIT_TEST(pages_are_kept_only_if_they_hold_the_rendering),
	UNIT_TEST(a_long_item_is_rendered_once_for_all_its_reads),
	UNIT_TEST(what_is_open_at_the_end_is_committed_or_kept),
	UNIT_TEST(requests_may_ask_the_feed_until_the_mount_stops),
	UNIT_TEST(everything_is_durable_when_the_mount_has_ended),
	UNIT_TEST(a_full_disk_is_told_to_its_writer_and_a_read_only_store_to_the_next),
	UNIT_TEST(each_who_begins_anew_has_a_text_of_his_own),
	UNIT_TEST(who_is_refused_does_no_harm_to_the_others),
	UNIT_TEST(a_new_file_goes_when_all_its_makers_are_refused),
	UNIT_TEST(all_texts_are_removed_with_their_name),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(file, stage_open, stage_close, tests);
