/* keys - see keys.h */
#include "tools/write/keys.h"

#include <assert.h>
#include <stdio.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/model/item_json.h"
#include "store/open.h"

#include "tools/out/show.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/session/keyval.h"
#include "tools/system/lines.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/text/patience.h"
#include "tools/write/bulk.h"

enum { BATCH_KEYS = 4000 };

/* A batch of keys. */
struct batch {
	struct item at[BATCH_KEYS];
	uint64_t lines_of[BATCH_KEYS]; /* line numbers of the keys */
	size_t n;
	bool last;  /* the end was read */
	int result; /* of reading; after an error the batch has the keys before the invalid line */
};

struct keys
keys_of(const struct ctl *ctl, const struct schema *schema)
{
	return (struct keys){
		.bulk = {.engine = ctl->engine,
			 .table = schema->table,
			 .key = &schema->key,
			 .parallel.foreign = ctl->store != NULL && store_is_remote(ctl->store)}};
}

/* Read the next batch; its keys are in the arena of @own. */
static void
keys_read(const struct keys *keys, struct call *own, struct lines *lines, struct batch *b)
{
	int r = 0;

	b->n = 0;
	while (r == 0 && b->n < BATCH_KEYS) {
		struct item it;

		r = lines_next(own, lines, &it);
		if (r == 0 && keyval_pick(own, keys->bulk.key, &it, &b->at[b->n]) < 0) {
			r = lines_place(own, lines);
		}
		if (r == 0) {
			b->lines_of[b->n++] = lines->first;
		}
	}
	b->last = r == LINES_END;
	b->result = r < 0 ? r : 0;
}

/* Add the place of the failure to the error: a line of standard input, or the key. */
static int
place_of_failure(struct call *c, const struct keys *keys, const struct batch *b, int r)
{
	assert(keys->at_fault > 0 && keys->at_fault <= b->n);
	size_t i = keys->at_fault - 1;
	unsigned long line = b->lines_of[i];
	bool passes = stop_asked() != 0 || patience_may_pass((enum err) - r, false);

	if (keys->from == NULL) {
		return call_prefix(c, passes ? "continue from line %lu: " : "line %lu: ", line);
	}
	if (passes) {
		return r;
	}
	struct buf key = {.arena = &c->arena};
	item_put_json(&key, &b->at[i], ITEM_PLAIN);
	return call_prefix(c, "%.*s: ", SLICE_ARG(buf_view(&key)));
}

/* Work on a batch, also on the keys before an invalid line; @reader: the call that has read it */
static int
keys_work(struct call *c, struct keys *keys, const struct call *reader, const struct batch *b,
	  keys_batch_fn *fn, void *arg)
{
	int r = 0;

	call_scope(own, c->now_ms);
	if (b->n > 0 && fn(arg, &own, keys, b->at, b->n) < 0) {
		r = ctl_adopt(c, &own);
		r = keys->at_fault > 0 ? place_of_failure(c, keys, b, r) : r;
	} else if (b->result < 0) {
		r = ctl_adopt(c, reader);
	}
	return r;
}

/* Ask before a far store is changed, with the number of keys as far as it is known. */
static int
keys_ask(const struct ctl *ctl, struct call *c, const struct keys *keys, const struct batch *first)
{
	bool known = keys->from != NULL || first->last || first->result < 0;
	uint64_t n = keys->from != NULL ? keys->found : first->n;

	if (keys->asks == NULL || n == 0) {
		return 0;
	}
	struct slice what =
		fmt_slice(&c->arena, "%s %s%lu item%s of table", keys->asks,
			  known ? "" : "more than ", (unsigned long)n, n == 1 ? "" : "s");

	return confirm_far(ctl, c, what.at, keys->bulk.table);
}

/* Read all batches, and work on each. */
static int
work_all(const struct ctl *ctl, struct call *c, struct keys *keys, struct lines *lines,
	 struct progress *progress, keys_batch_fn *fn, void *arg)
{
	struct batch *b = arena_new(&c->arena, struct batch, 1);
	int r = 0;

	for (bool first = true; r == 0 && !b->last; first = false) {
		call_scope(reader, c->now_ms);
		keys_read(keys, &reader, lines, b);
		r = first ? keys_ask(ctl, c, keys, b) : 0;
		r = r == 0 ? keys_work(c, keys, &reader, b, fn, arg) : r;
		progress_show(progress, keys->done + keys->refused, lines->bytes);
	}
	return r;
}

static void
keys_say(const struct ctl *ctl, const struct keys *keys, const char *done)
{
	const char *many = keys->done == 1 ? "" : "s";

	if (keys->refused == 0) {
		ctl_note(ctl, "%lu key%s %s", (unsigned long)keys->done, many, done);
	} else {
		ctl_note(ctl, "%lu key%s %s, %lu refused by the condition",
			 (unsigned long)keys->done, many, done, (unsigned long)keys->refused);
	}
}

/* Note "12 items updated"; after a failure "12 of 34 items updated", also with --quiet, to show how many are done. */
static void
say_found(const struct ctl *ctl, const struct keys *keys, const char *done, bool failed)
{
	cleanup(buf_release) struct buf b = {0};

	buf_fmt(&b, "%lu ", (unsigned long)keys->done);
	if (failed) {
		buf_fmt(&b, "of %lu ", (unsigned long)keys->found);
	}
	buf_fmt(&b, "item%s %s", (failed ? keys->found : keys->done) == 1 ? "" : "s", done);
	if (keys->refused > 0) {
		buf_fmt(&b, ", %lu left unchanged: they %s", (unsigned long)keys->refused,
			keys->gone);
	}
	if (failed) {
		show_lines(buf_view(&b));
	} else {
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}

int
keys_each(struct ctl *ctl, struct call *c, struct keys *keys, const char *done, keys_batch_fn *fn,
	  void *arg)
{
	struct progress progress;
	struct lines lines;
	int r = keys->asks == NULL ? 0 : confirm_far_check(ctl, c);

	if (r < 0) {
		return r;
	}
	stop_listen();
	lines_init(&lines, keys->from == NULL ? stdin : keys->from);
	progress_begin(&progress, ctl->quiet, lines.total);
	keys->bulk.parallel.progress = &progress;
	r = work_all(ctl, c, keys, &lines, &progress, fn, arg);
	progress_end(&progress);
	keys->bulk.parallel.progress = NULL;
	int synced = bulk_sync(&keys->bulk, c); /* also after a failure */

	r = r < 0 ? r : synced;
	if (keys->from != NULL) {
		say_found(ctl, keys, done, r < 0);
		return r;
	}
	keys_say(ctl, keys, done);
	return r == 0 && keys->refused > 0 ? error_exit(ERR_CONDITION) : r;
}
