/*
 * change - ChangeItems: one update or deletion of many items
 *
 * Expressions are bound once; then each key goes through the funnel (write.c),
 * all in one operation of the queue.
 */
#include "store/local/catalog_int.h"
#include "store/local/write.h"

enum {
	CHANGE_BYTES = 4 << 20, /* of items before and after: then the operation is large enough */
};

struct changing {
	const struct change_items_in *in;
	struct write *writes;
	size_t done;
	size_t refused;
};

static int
run_change(struct txn *t, struct call *c, void *arg)
{
	struct changing *ch = arg;
	size_t bytes = 0;

	for (; ch->done < ch->in->n_keys && bytes < CHANGE_BYTES; ch->done++) {
		struct write *w = &ch->writes[ch->done];
		int r = write_test(t, c, w);

		if (r == 0) {
			r = write_apply(t, c, w);
		} else if (r == WRITE_REFUSED) {
			ch->refused++;
			r = 0;
		}
		if (r != 0) {
			return r;
		}
		bytes += w->old_record.len + w->record.len;
	}
	return 0;
}

static int
prepare(struct local *l, struct call *c, const struct schema *s, const struct change_items_in *in,
	const struct write_words *words, struct write *writes)
{
	int r = expr_check_key(c, words->condition, s);

	for (size_t i = 0; r == 0 && i < in->n_keys; i++) {
		r = words->update == NULL
			    ? write_prepare_key(l, c, s, WRITE_DELETE, &in->keys[i], &writes[i])
			    : write_prepare_update(l, c, s, &in->keys[i], words->update,
						   &writes[i]);
		writes[i].condition = words->condition;
	}
	return r;
}

static int
try_change(struct local *l, struct call *c, const struct change_items_in *in,
	   const struct write_words *words, struct change_items_out *out)
{
	struct changing ch = {.in = in, .writes = arena_new(&c->arena, struct write, in->n_keys)};
	struct txn_op op = {.run = run_change, .arg = &ch, .bytes = CHANGE_BYTES};
	const struct schema *s;
	int r = catalog_find(l->catalog, c, in->table, &s);

	if (r == 0) {
		r = prepare(l, c, s, in, words, ch.writes);
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

	while (r == 0) {
		r = try_change(l, c, in, &words, out);
		if (r != TXN_REBIND) {
			break;
		}
		r = 0;
	}
	return r;
}
