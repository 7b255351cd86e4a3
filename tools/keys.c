/* keys - lines into keys into batches; what is done with them is the caller's */
#include "tools/keys.h"

#include <stdio.h>

#include "tools/keyval.h"
#include "tools/lines.h"
#include "tools/progress.h"

enum { BATCH_KEYS = 1000 };

/* What is read at a time. */
struct batch {
	struct item at[BATCH_KEYS];
	size_t n;
	bool last; /* nothing follows */
};

int
keys_open(struct ctl *ctl, struct call *c, struct slice table, struct keys *out)
{
	const struct schema *schema = NULL;
	int r = ctl_schema(ctl, c, table, &schema);

	if (r == 0) {
		*out = (struct keys){
			.bulk = {.engine = ctl->engine, .table = table, .key = &schema->key}};
	}
	return r;
}

static int
read_batch(struct call *c, const struct keys *keys, struct lines *lines, struct batch *out)
{
	out->n = 0;
	while (out->n < BATCH_KEYS) {
		struct item it;
		int r = lines_next(c, lines, &it);

		if (r == LINES_END) {
			out->last = true;
			return 0;
		}
		if (r == 0) {
			r = keyval_pick(c, keys->bulk.key, &it, &out->at[out->n]);
		}
		if (r < 0) {
			return r;
		}
		out->n++;
	}
	return 0;
}

/* A batch, and what comes of it; what was read before a bad line is done all the same. */
static int
next_batch(struct call *c, struct keys *keys, struct lines *lines, struct batch *batch,
	   keys_batch_fn *fn, void *arg)
{
	struct call own;
	int r = read_batch(c, keys, lines, batch);

	call_open(&own, c->now_ms, CTL_BUDGET);
	if (batch->n > 0 && fn(arg, &own, keys, batch->at, batch->n) < 0) {
		c->error = (struct error){0};
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

static void
say(const struct ctl *ctl, const struct keys *keys, const char *done)
{
	const char *many = keys->done == 1 ? "" : "s";

	if (keys->refused == 0) {
		ctl_note(ctl, "%lu key%s %s", (unsigned long)keys->done, many, done);
	} else {
		ctl_note(ctl, "%lu key%s %s, %lu refused by the condition",
			 (unsigned long)keys->done, many, done, (unsigned long)keys->refused);
	}
}

int
keys_each(struct ctl *ctl, struct call *c, struct keys *keys, const char *done, keys_batch_fn *fn,
	  void *arg)
{
	struct batch *batch = arena_new(&c->arena, struct batch, 1);
	struct progress progress;
	struct lines lines;
	int r = 0;

	lines_init(&lines, stdin);
	progress_begin(&progress, ctl->quiet, 0);
	while (r == 0 && !batch->last) {
		struct call own;

		call_open(&own, c->now_ms, CTL_BUDGET);
		r = next_batch(&own, keys, &lines, batch, fn, arg);
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		call_close(&own);
		progress_show(&progress, keys->done + keys->refused, 0);
	}
	progress_end(&progress);
	lines_release(&lines);
	if (r == 0) {
		r = bulk_sync(&keys->bulk, c);
	}
	say(ctl, keys, done);
	return r == 0 && keys->refused > 0 ? error_exit(ERR_CONDITION) : r;
}
