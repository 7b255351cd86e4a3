/*
 * batch - BatchWriteItem and LoadItems: many writes without conditions
 *
 * A batch is one operation of the queue, so its writes are committed together or not at all. DynamoDB neither promises
 * nor forbids that.
 */
#include "store/base/core/throttled.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/write/write.h"
#include "store/local/write/write_metering.h"
#include "store/model/schema.h"

struct writes {
	struct write *at;
	size_t n;
	size_t n_put_off;           /* number of throttled writes: those with put_off */
	struct throttled throttled; /* the reasons for that */
};

/*
 * Postpone the write @i, which was throttled and has changed nothing. If all writes were throttled, fail with all
 * their reasons.
 */
static int
put_off(struct call *c, struct writes *w, size_t i, int r)
{
	throttled_add_all(&c->arena, &w->throttled, &c->error.throttled);
	if (w->n_put_off + 1 == w->n) {
		c->error.throttled = w->throttled;
		return r;
	}
	w->at[i].put_off = true;
	w->n_put_off++;
	c->error = (struct error){0};
	return 0;
}

static int
batch_run_writes(struct txn *t, struct call *c, void *arg)
{
	struct writes *w = arg;

	for (size_t i = 0; i < w->n; i++) {
		int r = write_item(t, c, &w->at[i], false);

		if (r < 0 && error_throttled(-r)) {
			r = put_off(c, w, i, r);
		}
		if (r != 0) {
			return r;
		}
	}
	return 0;
}

static int
submit(struct local *l, struct call *c, struct writes *w, bool unsynced)
{
	struct txn_op op = {.run = batch_run_writes, .arg = w, .durable = !unsynced};

	for (size_t i = 0; i < w->n; i++) {
		op.bytes += write_bytes(&w->at[i]);
		op.grows = op.grows || w->at[i].kind != WRITE_DELETE;
	}
	return txn_run(l->queue, c, &op);
}

/* ------------------------------------------------------------ BatchWriteItem */

static int
batch_prepare_action(struct local *l, struct call *c, const struct schema *s,
		     const struct batch_action *a, struct write *w)
{
	struct key_values ignored = {.n = 0};

	if (a->kind != BATCH_DELETE && key_from_item(&s->key, &a->item, &ignored) != 0) {
		return key_mismatch(c);
	}
	*w = (struct write){
		.local = l,
		.schema = s,
		.kind = a->kind == BATCH_DELETE ? WRITE_DELETE : WRITE_PUT,
		.item = a->item,
	};
	return write_prepare(c, w);
}

static int
batch_check_distinct(struct call *c, const struct writes *w)
{
	struct slice *keys = arena_new(&c->arena, struct slice, w->n);

	for (size_t i = 0; i < w->n; i++) {
		keys[i] = w->at[i].key;
	}
	return key_check_distinct(c, keys, w->n);
}

static int
prepare_batch(struct local *l, struct call *c, const struct batch_write_item_in *in,
	      struct writes *w)
{
	const struct schema **s = arena_new(&c->arena, const struct schema *, in->n_tables);
	int r = 0;

	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		r = catalog_find(l->catalog, c, in->tables[i].table, &s[i]);
	}
	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		const struct batch_write *b = &in->tables[i];

		for (size_t k = 0; k < b->n_actions && r == 0; k++) {
			r = batch_prepare_action(l, c, s[i], &b->actions[k], &w->at[w->n]);
			if (r == 0) {
				write_report_ask(c, &in->asked, b->table, &w->at[w->n++]);
			}
		}
	}
	return r < 0 ? r : batch_check_distinct(c, w);
}

static struct write_report
batch_report(struct call *c, const struct write_asked *asked, const struct writes *w)
{
	struct write_report_sheet sheet = write_report_begin(c, asked);

	for (size_t i = 0; i < w->n; i++) {
		if (!w->at[i].put_off) {
			write_report_add(&sheet, &w->at[i], 1);
		}
	}
	return write_report_end(&sheet, CAPACITY_ANY);
}

/* Return the postponed writes in the form of a request. */
static void
tell_unprocessed(struct call *c, const struct batch_write_item_in *in, const struct write *w,
		 struct batch_write_item_out *out)
{
	struct batch_write *left = arena_new(&c->arena, struct batch_write, in->n_tables);

	for (size_t i = 0; i < in->n_tables; i++) {
		const struct batch_write *b = &in->tables[i];
		struct batch_action *actions =
			arena_new(&c->arena, struct batch_action, b->n_actions);
		size_t n = 0;

		for (size_t k = 0; k < b->n_actions; k++) {
			if ((w++)->put_off) {
				actions[n++] = b->actions[k];
			}
		}
		if (n > 0) {
			left[out->n_unprocessed++] = (struct batch_write){b->table, actions, n};
		}
	}
	out->unprocessed = left;
}

static int
try_batch(struct local *l, struct call *c, const struct batch_write_item_in *in,
	  struct batch_write_item_out *out)
{
	size_t n = 0;

	for (size_t i = 0; i < in->n_tables; i++) {
		n += in->tables[i].n_actions;
	}
	struct writes w = {.at = arena_new(&c->arena, struct write, n)};
	int r = prepare_batch(l, c, in, &w);

	if (r == 0) {
		r = submit(l, c, &w, false);
	}
	if (r == 0) {
		*out = (struct batch_write_item_out){.report = batch_report(c, &in->asked, &w)};
		if (w.n_put_off > 0) {
			tell_unprocessed(c, in, w.at, out);
		}
	}
	return r;
}

int
local_exec_batch_write_item(struct local *l, struct call *c, const struct batch_write_item_in *in,
			    struct batch_write_item_out *out)
{
	int r;

	do {
		r = try_batch(l, c, in, out);
	} while (r == TXN_REBIND);
	return r;
}

/* ------------------------------------------------------------ LoadItems */

static int
try_load(struct local *l, struct call *c, const struct schema *s, const struct load_items_in *in)
{
	struct writes w = {.at = arena_new(&c->arena, struct write, in->n_items)};
	int r = 0;

	for (; w.n < in->n_items && r == 0; w.n++) {
		w.at[w.n] = (struct write){
			.local = l, .schema = s, .kind = WRITE_PUT, .item = in->items[w.n]};
		r = write_prepare(c, &w.at[w.n]);
	}
	return r < 0 ? r : submit(l, c, &w, true);
}

int
batch_load(struct local *l, struct call *c, const struct load_items_in *in)
{
	const struct schema *s;
	int r;

	do {
		s = catalog_get(l->catalog, c, in->table);
		r = s == NULL ? call_fail(c, ERR_NO_TABLE, "the table does not exist any more")
			      : try_load(l, c, s, in);
	} while (r == TXN_REBIND);
	return r;
}

int
local_exec_load_items(struct local *l, struct call *c, const struct load_items_in *in,
		      struct load_items_out *out)
{
	const struct schema *s;
	int r = catalog_find(l->catalog, c, in->table, &s);

	if (r == 0) {
		r = batch_load(l, c, in);
	}
	if (r == 0) {
		out->loaded = in->n_items;
	}
	return r;
}
