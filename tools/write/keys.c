/* keys - see keys.h */
#include "tools/write/keys.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
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

/* A batch; a second thread reads it while the calling thread works on the one before. */
struct batch {
	const struct keys *keys;
	struct lines *lines;
	struct call call; /* memory of the keys */
	struct item at[BATCH_KEYS];
	uint64_t lines_of[BATCH_KEYS]; /* line numbers of the keys */
	size_t n;
	uint64_t bytes; /* read in total */
	bool last;      /* the end was read */
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

static int
read_keys(struct batch *b)
{
	while (b->n < BATCH_KEYS) {
		struct item it;
		int r = lines_next(&b->call, b->lines, &it);

		if (r == LINES_END) {
			b->last = true;
			return 0;
		}
		if (r == 0 && keyval_pick(&b->call, b->keys->bulk.key, &it, &b->at[b->n]) < 0) {
			r = lines_place(&b->call, b->lines);
		}
		if (r < 0) {
			return r;
		}
		b->lines_of[b->n++] = b->lines->first;
	}
	return 0;
}

static void *
read_batch(void *arg)
{
	struct batch *b = arg;

	b->n = 0;
	b->last = false;
	b->result = read_keys(b);
	b->bytes = b->lines->bytes;
	return NULL;
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

/* Work on a batch, also on the keys before an invalid line. */
static int
keys_work(struct call *c, struct keys *keys, struct batch *b, keys_batch_fn *fn, void *arg)
{
	int r = 0;

	call_scope(own, c->now_ms);
	if (b->n > 0 && fn(arg, &own, keys, b->at, b->n) < 0) {
		r = ctl_adopt(c, &own);
		r = keys->at_fault > 0 ? place_of_failure(c, keys, b, r) : r;
	} else if (b->result < 0) {
		r = ctl_adopt(c, &b->call);
	}
	return r;
}

/* Join the reading thread.  Block signals here, so that they interrupt the thread that waits for input. */
static void
join_reader(pthread_t reader)
{
	sigset_t signals;
	sigset_t before;

	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGHUP);
	(void)sigaddset(&signals, SIGALRM);
	(void)pthread_sigmask(SIG_BLOCK, &signals, &before);
	(void)pthread_join(reader, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
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

/* Work on all batches: read @next while working on @now. */
static int
work_all(const struct ctl *ctl, struct call *c, struct keys *keys, struct batch *now,
	 struct batch *next, struct progress *progress, keys_batch_fn *fn, void *arg)
{
	(void)read_batch(now);
	int r = keys_ask(ctl, c, keys, now);

	while (r == 0) {
		bool more = now->result == 0 && !now->last;
		pthread_t reader;
		bool ahead = more && pthread_create(&reader, NULL, read_batch, next) == 0;

		r = keys_work(c, keys, now, fn, arg);
		progress_show(progress, keys->done + keys->refused, now->bytes);
		if (ahead) {
			join_reader(reader);
		} else if (more && r == 0) {
			(void)read_batch(next);
		}
		if (r < 0 || !more) {
			return r;
		}
		struct batch *done = now;

		now = next;
		next = done;
		call_close(&done->call);
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
	struct batch *b = arena_new(&c->arena, struct batch, 2);
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
	for (size_t i = 0; i < 2; i++) {
		b[i].keys = keys;
		b[i].lines = &lines;
		call_open(&b[i].call, c->now_ms, CALL_BUDGET);
	}
	r = work_all(ctl, c, keys, &b[0], &b[1], &progress, fn, arg);

	call_close(&b[0].call);
	call_close(&b[1].call);
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
