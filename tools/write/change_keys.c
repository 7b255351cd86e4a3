/* change_keys - see change_keys.h */
#include "tools/write/change_keys.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/engine/engine.h"

#include "tools/session/ctl.h"
#include "tools/write/bulk.h"
#include "tools/write/item_options.h"
#include "tools/write/keys.h"
#include "tools/write/parallel.h"

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

/* Return true if @text contains @word without a letter or digit next to it.  Case does not matter. */
static bool
change_keys_has_word(struct slice text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.len; i++) {
		if (strncasecmp(text.at + i, word, n) == 0 &&
		    (i == 0 || !ascii_word(text.at[i - 1])) &&
		    (i + n == text.len || !ascii_word(text.at[i + n]))) {
			return true;
		}
	}
	return false;
}

/* Return true if the update may change an item again when it is executed twice. */
static bool
change_keys_adds_up(struct slice update)
{
	return slice_chr(update, '+') != NULL || slice_chr(update, '-') != NULL ||
	       change_keys_has_word(update, "list_append") || change_keys_has_word(update, "ADD");
}

/*
 * Change the keys of @batch that are not @done, one request each.  A key may occur twice: the change is the same, so
 * the order does not matter.
 */
static int
change_keys_several(const struct change *ch, struct call *c, struct keys *keys,
		    const struct item *batch, const bool *done, size_t n)
{
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
change_keys_many(const struct change *ch, struct call *c, struct keys *keys,
		 const struct item *batch, size_t n, size_t *done)
{
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

static int
change_keys_batch(void *arg, struct call *c, struct keys *keys, const struct item *batch, size_t n)
{
	const struct change *ch = arg;
	bool plain = ch->update.len == 0 && ch->item_options.returned == RETURN_NONE &&
		     (ch->item_options.condition.len == 0 || ch->everything);
	bool *done = arena_new(&c->arena, bool, n + 1);
	size_t first = 0;
	int r = change_keys_many(ch, c, keys, batch, n, &first);

	for (size_t i = 0; i < n; i++) {
		done[i] = i < first;
	}
	if (r == 0 && plain && first < n) {
		r = change_keys_delete_many(c, keys, batch, first, n, done);
	}
	return r == 0 ? change_keys_several(ch, c, keys, batch, done, n) : r;
}

int
change_keys_all(struct change *ch, struct call *c, struct slice table, const struct matching *m)
{
	assert(m == NULL || m->keys != NULL);
	const struct schema *schema = m == NULL ? NULL : m->schema;
	int r = m == NULL ? ctl_schema(ch->ctl, c, table, &schema) : 0;

	if (r < 0) {
		return r;
	}
	struct keys keys = keys_of(ch->ctl, schema);

	keys.asks = ch->update.len > 0 ? "Change" : "Delete";
	if (m != NULL) {
		keys.from = m->keys;
		keys.found = m->n;
		keys.gone = ch->everything ? "are gone" : "no longer match";
	}
	return keys_each(ch->ctl, c, &keys, ch->update.len > 0 ? "updated" : "deleted",
			 change_keys_batch, ch);
}
