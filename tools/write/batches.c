/*
 * batches - see batches.h
 *
 * The items are divided into rounds: the first action on each key, the second action on keys that occur twice, and so
 * on.  The batches of a round are sent in any order, the rounds one after the other.
 */
#include "tools/write/batches.h"

#include <assert.h>
#include <stdlib.h>

#include "store/base/core/max.h"
#include "store/base/core/mem.h"
#include "store/engine/engine.h"
#include "store/model/limits.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/write/parallel.h"

/* One request: a part of the arrays. */
struct batch {
	size_t from;
	size_t n; /* actions that are left; they are the first ones of the part */
};

struct writing {
	const struct batches *b;
	struct batch_action *actions; /* [n], in the order of rounds */
	size_t *of;                   /* [n]: index of the item of each action */
	bool *written;                /* [n]: the item is written */
	struct batch *batches;        /* of the current round */
	size_t n_batches;
};

/* ------------------------------------------------------------ rounds */

static bool
batches_key(const struct batches *b, const struct item *it, struct key_values *out)
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
batches_same_key(const struct batches *b, const struct item *x, const struct item *y)
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
batches_deal(const struct batches *b, const struct item *items, size_t n, unsigned *round)
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

/* ------------------------------------------------------------ a request */

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

/* ------------------------------------------------------------ all of them */

static int
batches_rounds(struct writing *w, struct parallel *p, struct call *c, const struct item *items,
	       size_t n)
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
				w->actions[at++] = (struct batch_action){w->b->kind, items[i]};
			}
		}
		batches_cut(w, from, at);
		r = parallel_run(p, c, w->n_batches, batches_send, w, sent);
	}
	free(round);
	free(sent);
	return r;
}

int
batches_write(const struct batches *b, struct parallel *p, struct call *c, const struct item *items,
	      size_t n, bool *done)
{
	struct writing w = {.b = b, .written = done};

	if (n == 0) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		done[i] = false;
	}
	w.actions = mem_array(struct batch_action, n);
	w.of = mem_array(size_t, n);
	w.batches = mem_array(struct batch, n / LIMIT_BATCH_WRITE + 1);
	int r = batches_rounds(&w, p, c, items, n);

	free(w.actions);
	free(w.of);
	free(w.batches);
	return r;
}
