/*
 * change_keys - see change_keys.h
 *
 * The keys are read in batches, from standard input or from the file of matching.h.  Those of a batch are changed
 * before the next batch is read.
 */
#include "tools/write/change_keys.h"

#include "store/engine/engine.h"
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
#include "tools/text/words.h"
#include "tools/write/bulk.h"
#include "tools/write/item_options.h"
#include "tools/write/matching.h"
#include "tools/write/parallel.h"

enum { BATCH_KEYS = 4000 };

/* The keys of a command, and the results */
struct keys {
	const struct change *ch;
	const struct matching *m; /* has the keys; NULL: standard input has them */
	struct bulk bulk;
	uint64_t done;    /* keys that were changed */
	uint64_t refused; /* keys whose condition did not hold */
	size_t at_fault;  /* 1 + index of the key in the batch that failed; 0: unknown */
};

int
change_keys_one(const struct change *ch, struct call *c, struct slice table, const struct item *key,
		bool unsynced, struct written *written)
{
	struct op_in in = {.type = ch->update.len > 0 ? OP_UPDATE_ITEM : OP_DELETE_ITEM};
	struct op_out out = {.type = in.type};
	struct write_in write = item_options_write(table, &ch->item_options, key);
	int r;

	write.unsynced = unsynced;
	if (ch->looks) {
		write.return_values = RETURN_ALL_OLD;
	}
	if (in.type == OP_UPDATE_ITEM) {
		in.update_item = (struct update_item_in){.write = write, .update = ch->update};
	} else {
		in.delete_item.write = write;
	}
	r = engine_execute(ch->ctl->engine, c, &in, &out);
	if (r == 0) {
		*written = in.type == OP_UPDATE_ITEM ? out.update_item.written
						     : out.delete_item.written;
	}
	return r;
}

/* Keys that are changed by a request each, and the results */
struct several {
	const struct change *ch;
	struct slice table;
	const struct item *const *keys; /* [n] */
	bool *done;                     /* [n] */
	bool *refused;                  /* [n]: done is also set; the condition did not hold */
	pthread_mutex_t printing;       /* guards the output of the command */
};

/* Change key @i; a thread of parallel_run().  A condition that does not hold is not an error. */
static int
change_keys_nth(void *arg, size_t i, struct call *c)
{
	struct several *s = arg;
	struct written written = {0};
	int r = change_keys_one(s->ch, c, s->table, s->keys[i], true, &written);

	if (r == 0) {
		lock_scope(&s->printing);
		item_options_print(s->ch->ctl, &written, false);
	}
	s->refused[i] = r == -ERR_CONDITION;
	return s->refused[i] ? 0 : r;
}

/* Return true if the update may change an item again when it is executed twice. */
static bool
change_keys_adds_up(struct slice update)
{
	for (size_t i = 0, begin = 0; i <= update.len; i++) {
		if (i < update.len && ascii_word(update.at[i])) {
			continue;
		}
		if (words_in_any_case("list_append add", slice_of(update.at + begin, i - begin)) ||
		    (i < update.len && (update.at[i] == '+' || update.at[i] == '-'))) {
			return true;
		}
		begin = i + 1;
	}
	return false;
}

/*
 * Change the keys of @batch that are not @done, one request each.  A key may occur twice: the change is the same, so
 * the order does not matter.
 */
static int
change_keys_several(struct call *c, struct keys *keys, const struct item *batch, const bool *done,
		    size_t n)
{
	const struct change *ch = keys->ch;
	const struct item **rest = arena_new(&c->arena, const struct item *, n + 1);
	struct several s = {.ch = ch,
			    .table = keys->bulk.table,
			    .keys = rest,
			    .done = arena_new(&c->arena, bool, n + 1),
			    .refused = arena_new(&c->arena, bool, n + 1)};
	struct parallel *p = &keys->bulk.parallel;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!done[i]) {
			rest[count++] = &batch[i];
		}
	}
	p->foreign = p->foreign || keys->bulk.no_change;
	p->once = (ch->update.len > 0 && change_keys_adds_up(ch->update)) ||
		  ch->item_options.returned != RETURN_NONE;
	(void)pthread_mutex_init(&s.printing, NULL);
	int r = parallel_run(p, c, count, change_keys_nth, &s, s.done);

	(void)pthread_mutex_destroy(&s.printing);
	for (size_t i = count; i-- > 0;) {
		keys->done += s.done[i] && !s.refused[i];
		keys->refused += s.done[i] && s.refused[i];
		if (!s.done[i] && r < 0) {
			keys->at_fault = (size_t)(rest[i] - batch) + 1;
		}
	}
	return r;
}

/* Result of a bulk request: 0 after a refusal, because its keys are then changed one by one; otherwise its error. */
static int
change_keys_end_many(struct call *c, const struct call *own, int r)
{
	return r < 0 && error_http(own->error.code) >= 500 ? ctl_adopt(c, own) : 0;
}

/*
 * Change keys in bulk, without a request for each.  After a refusal the remaining keys are changed one by one, so that
 * those before the faulty item are done.  Any other failure ends the command: it is not known whether the changes were
 * made, and an ADD must not be executed twice.
 * @done: number of keys at the beginning of @batch that are done
 */
static int
change_keys_many(struct call *c, struct keys *keys, const struct item *batch, size_t n,
		 size_t *done)
{
	const struct change *ch = keys->ch;
	struct change_items_in in = {
		.update = ch->update,
		.condition = ch->item_options.condition,
		.ph = ch->item_options.exprs->request.ph,
	};
	struct change_items_out out;

	*done = 0;
	if (ch->ctl->meter != NULL || ch->item_options.returned != RETURN_NONE) {
		return 0; /* ChangeItems returns neither capacity nor items */
	}
	call_scope(own, c->now_ms);
	int r = bulk_change(&keys->bulk, &own, &in, batch, n, &out);

	r = change_keys_end_many(c, &own, r);
	keys->done += out.changed;
	keys->refused += out.refused;
	*done = out.changed + out.refused;
	return r;
}

/* Delete the keys from @first on in bulk, if the store has no ChangeItems; a refusal is handled as in change_keys_many() */
static int
change_keys_delete_many(struct call *c, struct keys *keys, const struct item *batch, size_t first,
			size_t n, bool *done)
{
	call_scope(own, c->now_ms);
	int r = bulk_delete(&keys->bulk, &own, batch + first, n - first, done + first);

	r = change_keys_end_many(c, &own, r);
	for (size_t i = n; i-- > first;) {
		keys->done += done[i];
		keys->at_fault = !done[i] && r < 0 ? i + 1 : keys->at_fault;
	}
	return r;
}

/* Change the keys of a batch, and count them.  A failure ends the command. */
static int
change_keys_batch(struct call *c, struct keys *keys, const struct item *batch, size_t n)
{
	const struct change *ch = keys->ch;
	bool plain = ch->update.len == 0 && ch->item_options.returned == RETURN_NONE &&
		     (ch->item_options.condition.len == 0 || ch->everything);
	bool *done = arena_new(&c->arena, bool, n + 1);
	size_t first = 0;
	int r = change_keys_many(c, keys, batch, n, &first);

	for (size_t i = 0; i < n; i++) {
		done[i] = i < first;
	}
	if (r == 0 && plain && first < n) {
		r = change_keys_delete_many(c, keys, batch, first, n, done);
	}
	return r == 0 ? change_keys_several(c, keys, batch, done, n) : r;
}

/* ------------------------------------------------------------ batches */

/* A batch of keys. */
struct batch {
	struct item at[BATCH_KEYS];
	uint64_t lines_of[BATCH_KEYS]; /* line numbers of the keys */
	size_t n;
	bool last;  /* the end was read */
	int result; /* of reading; after an error the batch has the keys before the invalid line */
};

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

	if (keys->m == NULL) {
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
keys_work(struct call *c, struct keys *keys, const struct call *reader, const struct batch *b)
{
	int r = 0;

	call_scope(own, c->now_ms);
	if (b->n > 0 && change_keys_batch(&own, keys, b->at, b->n) < 0) {
		r = ctl_adopt(c, &own);
		r = keys->at_fault > 0 ? place_of_failure(c, keys, b, r) : r;
	} else if (b->result < 0) {
		r = ctl_adopt(c, reader);
	}
	return r;
}

/* Ask before a far store is changed, with the number of keys as far as it is known. */
static int
keys_ask(struct call *c, const struct keys *keys, const struct batch *first)
{
	bool known = keys->m != NULL || first->last || first->result < 0;
	uint64_t n = keys->m != NULL ? keys->m->n : first->n;
	struct slice what =
		fmt_slice(&c->arena, "%s %s%lu item%s of table",
			  keys->ch->update.len > 0 ? "Change" : "Delete", known ? "" : "more than ",
			  (unsigned long)n, n == 1 ? "" : "s");

	return n == 0 ? 0 : confirm_far(keys->ch->ctl, c, what.at, keys->bulk.table);
}

/* Read all batches, and work on each. */
static int
keys_work_all(struct call *c, struct keys *keys, struct lines *lines, struct progress *progress)
{
	struct batch *b = arena_new(&c->arena, struct batch, 1);
	int r = 0;

	for (bool first = true; r == 0 && !b->last; first = false) {
		call_scope(reader, c->now_ms);
		keys_read(keys, &reader, lines, b);
		r = first ? keys_ask(c, keys, b) : 0;
		r = r == 0 ? keys_work(c, keys, &reader, b) : r;
		progress_show(progress, keys->done + keys->refused, lines->bytes);
	}
	return r;
}

/* ------------------------------------------------------------ all keys */

static void
keys_say(const struct keys *keys, const char *done)
{
	const struct ctl *ctl = keys->ch->ctl;
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
keys_say_found(const struct keys *keys, const char *done, bool failed)
{
	cleanup(buf_release) struct buf b = {0};

	buf_fmt(&b, "%lu ", (unsigned long)keys->done);
	if (failed) {
		buf_fmt(&b, "of %lu ", (unsigned long)keys->m->n);
	}
	buf_fmt(&b, "item%s %s", (failed ? keys->m->n : keys->done) == 1 ? "" : "s", done);
	if (keys->refused > 0) {
		buf_fmt(&b, ", %lu left unchanged: they %s", (unsigned long)keys->refused,
			keys->ch->everything ? "are gone" : "no longer match");
	}
	if (failed) {
		show_lines(buf_view(&b));
	} else {
		ctl_note(keys->ch->ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}

int
change_keys_all(struct change *ch, struct call *c, struct slice table, const struct matching *m)
{
	assert(m == NULL || m->keys != NULL);
	const char *done = ch->update.len > 0 ? "updated" : "deleted";
	const struct ctl *ctl = ch->ctl;
	const struct schema *schema = m == NULL ? NULL : m->schema;
	struct progress progress;
	struct lines lines;
	int r = m == NULL ? ctl_schema(ch->ctl, c, table, &schema) : 0;

	r = r < 0 ? r : confirm_far_check(ctl, c);
	if (r < 0) {
		return r;
	}
	struct keys keys = {
		.ch = ch,
		.m = m,
		.bulk = {.engine = ctl->engine,
			 .table = schema->table,
			 .key = &schema->key,
			 .parallel = {.foreign = ctl->store != NULL && store_is_remote(ctl->store),
				      .progress = &progress}}};

	stop_listen();
	lines_init(&lines, m == NULL ? stdin : m->keys);
	progress_begin(&progress, ctl->quiet, lines.total);
	r = keys_work_all(c, &keys, &lines, &progress);
	progress_end(&progress);
	int synced = bulk_sync(&keys.bulk, c); /* also after a failure */

	r = r < 0 ? r : synced;
	if (m != NULL) {
		keys_say_found(&keys, done, r < 0);
		return r;
	}
	keys_say(&keys, done);
	return r == 0 && keys.refused > 0 ? error_exit(ERR_CONDITION) : r;
}
