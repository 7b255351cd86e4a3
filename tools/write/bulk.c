/*
 * bulk - see bulk.h
 *
 * For BatchWriteItem the items are divided into rounds: the first action on each key, the second action on keys that
 * occur twice, and so on.  The batches of a round are sent in any order, the rounds one after the other.
 */
#include "tools/write/bulk.h"

#include "store/base/core/max.h"
#include "store/engine/engine.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/write/parallel.h"

enum { LOAD_ITEMS = 1000 }; /* items in one LoadItems */

/* ------------------------------------------------------------ LoadItems */

static bool
is_unknown(int r)
{
	return r == -ERR_UNKNOWN_OPERATION || r == -ERR_NOT_SUPPORTED;
}

/* Load up to LOAD_ITEMS items.  If the store has no LoadItems, set no_load and return 0. */
static int
bulk_load(struct bulk *b, struct call *c, const struct item *items, size_t n)
{
	struct load_items_in in = {.table = b->table, .items = items, .n_items = n};
	struct load_items_out answer = {0};
	call_scope(own, c->now_ms);
	int r = engine_load_items(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		b->no_load = true;
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	return b->no_load ? 0 : r;
}

/* ------------------------------------------------------------ BatchWriteItem: rounds */

/* One request: a part of the arrays. */
struct batch {
	size_t from;
	size_t n; /* actions that are left; they are the first ones of the part */
};

struct writing {
	struct bulk *b;
	enum batch_kind kind;
	struct batch_action *actions; /* [n], in the order of rounds */
	size_t *of;                   /* [n]: index of the item of each action */
	bool *written;                /* [n]: the item is written */
	struct batch *batches;        /* of the current round */
	size_t n_batches;
};

static bool
batches_key(const struct bulk *b, const struct item *it, struct key_values *out)
{
	out->n = 0;
	return key_from_item(b->key, it, out) == 0;
}

static int
batches_compare_keys(const struct key_values *x, const struct key_values *y)
{
	int r = 0;

	assert(x->n == y->n);
	for (size_t i = 0; r == 0 && i < x->n; i++) {
		r = value_cmp(x->at[i], y->at[i]);
	}
	return r;
}

static bool
batches_same_key(const struct bulk *b, const struct item *x, const struct item *y)
{
	struct key_values k[2];

	/* The engine reports an invalid key. */
	return batches_key(b, x, &k[0]) && batches_key(b, y, &k[1]) &&
	       batches_compare_keys(&k[0], &k[1]) == 0;
}

struct keyed {
	struct key_values key;
	size_t at; /* index of the item */
};

static int
batches_compare(const void *a, const void *b)
{
	const struct keyed *x = a;
	const struct keyed *y = b;
	int r = batches_compare_keys(&x->key, &y->key);

	return r != 0 ? r : x->at < y->at ? -1 : 1;
}

/* Assign a round to each item.  Return: number of rounds */
static unsigned
batches_deal(const struct bulk *b, const struct item *items, size_t n, unsigned *round)
{
	struct keyed *keyed = mem_array(struct keyed, n);
	size_t n_keyed = 0;
	size_t last = 0;

	for (size_t i = 0; i < n; i++) {
		round[i] = 0;
		keyed[n_keyed].at = i;
		n_keyed += batches_key(b, &items[i], &keyed[n_keyed].key);
	}
	qsort(keyed, n_keyed, sizeof(*keyed), batches_compare);
	for (size_t i = 1; i < n_keyed; i++) {
		if (batches_compare_keys(&keyed[i - 1].key, &keyed[i].key) == 0) {
			round[keyed[i].at] = round[keyed[i - 1].at] + 1;
			last = max_of(last, round[keyed[i].at]);
		}
	}
	free(keyed);
	return (unsigned)last + 1;
}

/* Divide a round, whose actions are those from @from to @to, into batches. */
static void
batches_cut(struct writing *w, size_t from, size_t to)
{
	w->n_batches = 0;
	while (from < to) {
		size_t n = to - from < LIMIT_BATCH_WRITE ? to - from : LIMIT_BATCH_WRITE;

		w->batches[w->n_batches++] = (struct batch){from, n};
		from += n;
	}
}

/* ------------------------------------------------------------ BatchWriteItem: a request */

static bool
batches_left_over(const struct writing *w, const struct batch_write_item_out *answer, size_t at)
{
	for (size_t t = 0; t < answer->n_unprocessed; t++) {
		const struct batch_write *table = &answer->unprocessed[t];

		for (size_t i = 0; i < table->n_actions; i++) {
			if (batches_same_key(w->b, &w->actions[at].item, &table->actions[i].item)) {
				return true;
			}
		}
	}
	return false;
}

/* Move the unprocessed actions to the front of the batch, and mark the others as written. */
static void
batches_keep(struct writing *w, struct batch *batch, const struct batch_write_item_out *answer)
{
	size_t kept = batch->from;

	for (size_t at = batch->from; at < batch->from + batch->n; at++) {
		if (batches_left_over(w, answer, at)) {
			w->actions[kept] = w->actions[at];
			w->of[kept++] = w->of[at];
		} else {
			w->written[w->of[at]] = true;
		}
	}
	batch->n = kept - batch->from;
}

static int
batches_send(void *arg, size_t i, struct call *c)
{
	struct writing *w = arg;
	struct batch *batch = &w->batches[i];
	struct batch_write table = {
		.table = w->b->table, .actions = w->actions + batch->from, .n_actions = batch->n};
	struct batch_write_item_in in = {.tables = &table, .n_tables = 1};
	struct batch_write_item_out answer = {0};
	size_t before = batch->n;

	assert(i < w->n_batches && before > 0 && before <= LIMIT_BATCH_WRITE);
	int r = engine_batch_write_item(w->b->engine, c, &in, &answer);

	if (r < 0) {
		return r;
	}
	batches_keep(w, batch, &answer);
	if (batch->n == before) {
		return call_fail(c, ERR_THROTTLED, "BatchWriteItem leaves items unprocessed");
	}
	return batch->n == 0 ? 0 : PARALLEL_PART;
}

static int
batches_rounds(struct writing *w, struct call *c, const struct item *items, size_t n)
{
	unsigned *round = mem_array(unsigned, n);
	unsigned rounds = batches_deal(w->b, items, n, round);
	bool *sent = mem_array(bool, n);
	size_t at = 0;
	int r = 0;

	for (unsigned k = 0; r == 0 && k < rounds; k++) {
		size_t from = at;

		for (size_t i = 0; i < n; i++) {
			if (round[i] == k) {
				w->of[at] = i;
				w->actions[at++] = (struct batch_action){w->kind, items[i]};
			}
		}
		batches_cut(w, from, at);
		r = parallel_run(&w->b->parallel, c, w->n_batches, batches_send, w, sent);
	}
	free(round);
	free(sent);
	return r;
}

/*
 * Put @items, or delete the keys, by BatchWriteItem.  Unprocessed items are sent again.
 * @done: [n]: the item is written; also filled on failure
 */
static int
batches_write(struct bulk *b, struct call *c, const struct item *items, size_t n,
	      enum batch_kind kind, bool *done)
{
	struct writing w = {.b = b, .kind = kind, .written = done};

	if (n == 0) {
		return 0;
	}
	/* A store without these operations is a remote server. */
	b->parallel.foreign = b->parallel.foreign || b->no_load || b->no_change;
	for (size_t i = 0; i < n; i++) {
		done[i] = false;
	}
	w.actions = mem_array(struct batch_action, n);
	w.of = mem_array(size_t, n);
	w.batches = mem_array(struct batch, n / LIMIT_BATCH_WRITE + 1);
	int r = batches_rounds(&w, c, items, n);

	free(w.actions);
	free(w.of);
	free(w.batches);
	return r;
}

/* ------------------------------------------------------------ both */

/* Put the items from *done on by BatchWriteItem. */
static int
put_all(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
{
	bool *put = mem_array(bool, n);
	size_t begun = *done;
	int r = batches_write(b, c, items + begun, n - begun, BATCH_PUT, put + begun);

	while (*done < n && put[*done]) {
		(*done)++;
	}
	free(put);
	return r;
}

int
bulk_put(struct bulk *b, struct call *c, const struct item *items, size_t n, size_t *done)
{
	*done = 0;
	while (*done < n) {
		size_t count = n - *done < LOAD_ITEMS ? n - *done : LOAD_ITEMS;
		int r = b->no_load ? 0 : bulk_load(b, c, items + *done, count);

		if (r == 0 && b->no_load) {
			return put_all(b, c, items, n, done);
		}
		if (r < 0) {
			return r;
		}
		*done += count;
	}
	return 0;
}

int
bulk_delete(struct bulk *b, struct call *c, const struct item *keys, size_t n, bool *done)
{
	return batches_write(b, c, keys, n, BATCH_DELETE, done);
}

int
bulk_change(struct bulk *b, struct call *c, struct change_items_in *in, const struct item *keys,
	    size_t n, struct change_items_out *out)
{
	size_t done = 0;
	int r = b->no_change ? -ERR_UNKNOWN_OPERATION : 0;

	*out = (struct change_items_out){0};
	in->table = b->table;
	while (r == 0 && done < n) {
		struct change_items_out part = {0};

		in->keys = keys + done;
		in->n_keys = n - done;
		call_scope(own, c->now_ms);
		r = engine_change_items(b->engine, &own, in, &part);
		if (r == 0) {
			out->changed += part.changed;
			out->refused += part.refused;
			done = out->changed + out->refused;
		} else if (!is_unknown(r)) {
			r = ctl_adopt(c, &own);
		}
	}
	b->no_change = is_unknown(r);
	return b->no_change ? BULK_UNKNOWN : r;
}

int
bulk_remove(struct bulk *b, struct call *c, const struct item *keys, size_t n, size_t *done)
{
	struct change_items_in in = {0}; /* no update: deletions */
	struct change_items_out out;
	bool *gone = arena_new(&c->arena, bool, n + 1);
	int r = bulk_change(b, c, &in, keys, n, &out);

	*done = out.changed;
	if (r != BULK_UNKNOWN) {
		return r;
	}
	r = bulk_delete(b, c, keys, n, gone);
	while (*done < n && gone[*done]) {
		(*done)++;
	}
	return r;
}

int
bulk_sync(struct bulk *b, struct call *c)
{
	struct sync_in in = {0};
	struct sync_out answer = {0};
	call_scope(own, c->now_ms);
	int r = b->no_load ? 0 : engine_sync(b->engine, &own, &in, &answer);

	if (is_unknown(r)) {
		r = 0; /* a remote server: what it has acknowledged is durable */
	} else if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	return r;
}
