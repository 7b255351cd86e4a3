/*
 * Tests of what readers see of a text, and of what remains when the mount ends or the disk is full.  Each test checks
 * one rule.
 */
#include "fs/daemon/inval.h"
#include "fs/daemon/mount.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/ops/listing.h"

#include "tests/fs/writer.h"
#include "tests/support/kv_fault.h"
#include "tests/support/kv_mem.h"
#include "tests/support/unit.h"

#define A "{\"pk\":\"p\",\"sk\":\"a\""

/* ------------------------------------------------------------ readers, other front ends, the end of the mount */

static void
a_clean_text_follows_changes_made_elsewhere(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", false);

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 23, "2"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	(void)fixture_put("tab", A ",\"v\":\"elsewhere\"}");
	file_mark_stale(mount_fixture.m, h->node);
	CU_ASSERT_STRING_EQUAL(mount_fixture_text(mount_fixture.m, "tab/p/a.json"),
			       A ",\"v\":\"elsewhere\"}\n");
	writer_release(mount_fixture.m, h);
}

static void
cached_pages_are_kept_only_if_they_hold_the_rendering(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 0, A ",\"v\":1}\n"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	CU_ASSERT_EQUAL(h->node->flags & NODE_OTHER_TEXT, 0);
	CU_ASSERT_EQUAL(writer_write(mount_fixture.m, h, 0, A ",\"v\":1}  "), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	CU_ASSERT_NOT_EQUAL(h->node->flags & NODE_OTHER_TEXT, 0);
	writer_release(mount_fixture.m, h);
}

static void
a_long_item_is_rendered_once_for_all_reads(void)
{
	struct buf json;

	buf_init(&json, NULL);
	buf_str(&json, A ",\"v\":\"");
	for (int i = 0; i < 3000; i++) {
		buf_str(&json, "0123456789");
	}
	buf_str(&json, "\"}");
	buf_char(&json, '\0');
	(void)fixture_put("tab", json.at);
	struct handle *h = handle_open(mount_fixture.m, &fixture.c,
				       mount_fixture_node(mount_fixture.m, "tab/p/a.json"), false);
	struct slice text;

	for (size_t at = 0; at < json.len; at += 4096) {
		CU_ASSERT_EQUAL(file_read(mount_fixture.m, mount_fixture_clean(), h, false, at,
					  4096, &text),
				0);
		size_t rest = json.len - 1 - at;

		CU_ASSERT_EQUAL(memcmp(text.at, json.at + at, rest < 4096 ? rest : 4096), 0);
	}
	CU_ASSERT_EQUAL(
		file_read(mount_fixture.m, mount_fixture_clean(), h, false, 1 << 20, 4096, &text),
		0);
	CU_ASSERT_EQUAL(text.len, 0);
	/* A READ never returns a snapshot taken at open. */
	(void)fixture_put("tab", A "}");
	CU_ASSERT_EQUAL(file_read(mount_fixture.m, mount_fixture_clean(), h, false, 0, 4096, &text),
			0);
	CU_ASSERT_TRUE(slice_is(text, A "}\n"));
	handle_close(mount_fixture.m, h);
	buf_release(&json);
}

static void
open_texts_are_committed_or_saved_when_the_mount_ends(void)
{
	struct handle *good = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);
	struct handle *bad = writer_create(mount_fixture.m, "tab/p/b.json", false, NULL);

	(void)writer_create(mount_fixture.m, "tab/p/c.json", false, NULL);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, good, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, bad, "{\"v\":"), 0);
	/* The kernel is gone and releases neither these files nor a directory. */
	(void)listing_new(mount_fixture.m, &fixture.c,
			  mount_fixture_node(mount_fixture.m, "tab/p"));
	mount_stop(mount_fixture.m);
	CU_ASSERT_PTR_NULL(mount_fixture.m->opened);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	fixture_expect("tab", "{\"pk\":\"p\",\"sk\":\"b\"}", NULL);
	fixture_expect("tab", "{\"pk\":\"p\",\"sk\":\"c\"}", "{\"pk\":\"p\",\"sk\":\"c\"}");
	CU_ASSERT_EQUAL(writer_rejected("{\"v\":"), 1);
}

static void
requests_may_ask_the_feed_until_the_mount_stops(void)
{
	CU_ASSERT_EQUAL(inval_start(mount_fixture_clean(), mount_fixture.m), 0);
	mount_quiet(mount_fixture.m);
	/* A running request may ask the feed as open does. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(mount_fixture.m->reader);
	CU_ASSERT_TRUE(feed_is_processed(mount_fixture.m->reader));
	(void)fixture_put("tab", A "}");
	CU_ASSERT_FALSE(feed_is_processed(mount_fixture.m->reader));
	mount_stop(mount_fixture.m);
	CU_ASSERT_PTR_NULL(mount_fixture.m->reader);
}

static void
everything_is_synced_when_the_mount_has_ended(void)
{
	struct handle *h = writer_create(mount_fixture.m, "tab/p/a.json", false, NULL);

	CU_ASSERT_EQUAL(writer_append(mount_fixture.m, h, "{\"v\":1}"), 0);
	CU_ASSERT_EQUAL(writer_flush(mount_fixture.m, h), 0);
	writer_release(mount_fixture.m, h);
	CU_ASSERT_TRUE(kv_mem_durable(fixture.mem) < kv_mem_commits(fixture.mem));
	mount_stop(mount_fixture.m);
	CU_ASSERT_EQUAL(kv_mem_durable(fixture.mem), kv_mem_commits(fixture.mem));
}

static void
a_full_disk_is_reported_first_and_a_read_only_store_afterwards(void)
{
	(void)fixture_put("tab", A ",\"v\":1}");
	struct handle *h = writer_open(mount_fixture.m, "tab/p/a.json", true);
	int r = writer_append(mount_fixture.m, h, "{\"v\":2}");

	CU_ASSERT_EQUAL(r, 0);
	kv_fault_fill(fixture.fault);
	r = writer_flush(mount_fixture.m, h);
	CU_ASSERT_EQUAL(r, -ERR_NO_SPACE);
	CU_ASSERT_EQUAL(request_errno(r), ENOSPC);
	/* Free space alone does not help: the state of the end of LevelDB's log is unknown. */
	kv_fault_arm(fixture.fault, 0);
	r = writer_flush(mount_fixture.m, h);
	CU_ASSERT_EQUAL(r, -ERR_READ_ONLY);
	CU_ASSERT_EQUAL(request_errno(r), EROFS);
	writer_release(mount_fixture.m, h);
	fixture_expect("tab", A "}", A ",\"v\":1}");
	CU_ASSERT_EQUAL(writer_rejected("{\"v\":2}"), 1);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_clean_text_follows_changes_made_elsewhere),
	UNIT_TEST(cached_pages_are_kept_only_if_they_hold_the_rendering),
	UNIT_TEST(a_long_item_is_rendered_once_for_all_reads),
	UNIT_TEST(open_texts_are_committed_or_saved_when_the_mount_ends),
	UNIT_TEST(requests_may_ask_the_feed_until_the_mount_stops),
	UNIT_TEST(everything_is_synced_when_the_mount_has_ended),
	UNIT_TEST(a_full_disk_is_reported_first_and_a_read_only_store_afterwards),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(file_end, mount_fixture_open, mount_fixture_close, tests);
