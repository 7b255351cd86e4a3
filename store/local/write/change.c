/*
 * change - ChangeItems: the same update or deletion of many items
 *
 * Expressions are bound once. Then write.c changes the item of each key, all in one operation of the queue.
 */
#include "store/expr/expr.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"
#include "store/local/write/write.h"

enum {
	CHANGE_BYTES = 4 << 20, /* of items before and after the change: an operation ends then */
};

struct changing {
	const struct change_items_in *in;
	struct write *writes;
	size_t done;
	size_t refused;
};

/*
 * Read the items and the counts of their collections in the order of their keys, not of the list: seeks are most of
 * the cost of reading them.
 */
static int
learn(struct txn *t, struct call *c, const struct changing *ch)
{
	size_t n = 2 * ch->in->n_keys;
	struct slice *keys = arena_new(&c->arena, struct slice, n);

	for (size_t i = 0; i < ch->in->n_keys; i++) {
		keys[2 * i] = ch->writes[i].key;
		keys[2 * i + 1] = ch->writes[i].collection;
	}
	qsort(keys, n, sizeof(*keys), slice_order);
	return txn_learn(t, c, keys, n, CHANGE_BYTES / 2);
}

static int
change_run_change(struct txn *t, struct call *c, void *arg)
{
	struct changing *ch = arg;
	size_t bytes = 0;
	int r = learn(t, c, ch);

	for (; r == 0 && ch->done < ch->in->n_keys && bytes < CHANGE_BYTES; ch->done++) {
		struct write *w = &ch->writes[ch->done];

		r = write_try(t, c, w);
		if (r == WRITE_REFUSED) {
			ch->refused++;
			r = 0;
		}
		bytes += w->old_record.len + w->record.len;
	}
	return r;
}

static int
change_prepare(struct local *l, struct call *c, const struct schema *s,
	       const struct change_items_in *in, const struct write_words *words,
	       struct write *writes)
{
	int r = expr_check_key(c, words->condition, s);

	for (size_t i = 0; r == 0 && i < in->n_keys; i++) {
		writes[i] = (struct write){
			.local = l,
			.schema = s,
			.kind = words->update == NULL ? WRITE_DELETE : WRITE_UPDATE,
			.item = in->keys[i],
			.condition = words->condition,
			.update = words->update,
		};
		r = write_prepare(c, &writes[i]);
	}
	return r;
}

static int
try_change(struct local *l, struct call *c, const struct change_items_in *in,
	   const struct write_words *words, struct change_items_out *out)
{
	struct changing ch = {.in = in, .writes = arena_new(&c->arena, struct write, in->n_keys)};
	struct txn_op op = {.run = change_run_change,
			    .arg = &ch,
			    .bytes = CHANGE_BYTES,
			    .grows = words->update != NULL};
	const struct schema *s;
	int r = catalog_find(l->catalog, c, in->table, &s);

	if (r == 0) {
		r = change_prepare(l, c, s, in, words, ch.writes);
	}
	if (r == 0) {
		r = txn_run(l->queue, c, &op);
	}
	*out = (struct change_items_out){ch.done - ch.refused, ch.refused};
	return r;
}

int
local_exec_change_items(struct local *l, struct call *c, const struct change_items_in *in,
			struct change_items_out *out)
{
	struct write_words words = {0};
	const struct write_said said = {
		.ph = &in->ph,
		.condition = in->condition,
		.update = in->update.at == NULL ? NULL : &in->update,
	};
	int r = write_bind(c, &said, &words);

	if (r < 0) {
		return r;
	}
	do {
		r = try_change(l, c, in, &words, out);
	} while (r == TXN_REBIND);
	return r;
}
