/*
 * item - PutItem, DeleteItem, SetTime, Sync
 *
 * Each: bind names and expressions here, in the caller's thread, then the
 * funnel (write.c) in the leader's.
 */
#include "store/local/write.h"

/* ------------------------------------------------------------ one bound write */

struct single {
	struct write *write;
	bool tell_old; /* ReturnValuesOnConditionCheckFailure */
};

static int
run_single(struct txn *t, struct call *c, void *arg)
{
	const struct single *s = arg;

	return write_item(t, c, s->write, s->tell_old);
}

static int
submit(struct local *l, struct call *c, struct single *s, bool relaxed)
{
	return txn_run(l->queue, c,
		       &(struct txn_op){
			       .run = run_single,
			       .arg = s,
			       .bytes = write_bytes(s->write),
			       .durable = !relaxed,
		       });
}

/* ------------------------------------------------------------ PutItem */

static int
try_put(struct local *l, struct call *c, const struct put_item_in *in, struct write *w)
{
	const struct schema *schema;
	const struct expr *condition = NULL;
	int r = catalog_find(l->catalog, c, in->table, &schema);

	if (r == 0) {
		r = write_condition(c, schema, &in->ph, in->condition, &condition);
	}
	if (r == 0) {
		r = write_prepare_put(l, c, schema, &in->item, in->mtime_ns, w);
	}
	if (r < 0) {
		return r;
	}
	w->condition = condition;
	return submit(l, c,
		      &(struct single){
			      .write = w,
			      .tell_old = in->return_on_failure == RETURN_ALL_OLD,
		      },
		      in->relaxed);
}

int
local_exec_put_item(struct local *l, struct call *c, const struct put_item_in *in,
		    struct put_item_out *out)
{
	struct write w;
	int r;

	do {
		r = try_put(l, c, in, &w);
	} while (r == TXN_REBIND);
	if (r < 0) {
		return r;
	}
	*out = (struct put_item_out){.had_old = w.had_old, .seq = w.seq};
	if (in->return_values == RETURN_ALL_OLD) {
		out->old = w.old;
	}
	return 0;
}

/* ------------------------------------------------------------ DeleteItem */

static int
try_delete(struct local *l, struct call *c, const struct delete_item_in *in, struct write *w)
{
	const struct schema *schema;
	const struct expr *condition = NULL;
	int r = catalog_find(l->catalog, c, in->table, &schema);

	if (r == 0) {
		r = write_condition(c, schema, &in->ph, in->condition, &condition);
	}
	if (r == 0) {
		r = write_prepare_key(l, c, schema, WRITE_DELETE, &in->key, w);
	}
	if (r < 0) {
		return r;
	}
	w->condition = condition;
	return submit(l, c,
		      &(struct single){
			      .write = w,
			      .tell_old = in->return_on_failure == RETURN_ALL_OLD,
		      },
		      in->relaxed);
}

int
local_exec_delete_item(struct local *l, struct call *c, const struct delete_item_in *in,
		       struct delete_item_out *out)
{
	struct write w;
	int r;

	do {
		r = try_delete(l, c, in, &w);
	} while (r == TXN_REBIND);
	if (r < 0) {
		return r;
	}
	*out = (struct delete_item_out){.had_old = w.had_old, .existed = w.had_old, .seq = w.seq};
	if (in->return_values == RETURN_ALL_OLD) {
		out->old = w.old;
	}
	return 0;
}

/* ------------------------------------------------------------ SetTime */

static int
try_set_time(struct local *l, struct call *c, const struct set_time_in *in, struct write *w)
{
	const struct schema *schema;
	int r = catalog_find(l->catalog, c, in->table, &schema);

	if (r == 0) {
		r = write_prepare_key(l, c, schema, WRITE_TIME, &in->key, w);
	}
	if (r < 0) {
		return r;
	}
	w->mtime_ns = in->mtime_ns;
	return submit(l, c, &(struct single){.write = w}, true);
}

int
local_exec_set_time(struct local *l, struct call *c, const struct set_time_in *in,
		    struct set_time_out *out)
{
	struct write w;
	int r;

	do {
		r = try_set_time(l, c, in, &w);
	} while (r == TXN_REBIND);
	if (r == 0) {
		out->seq = w.seq;
	}
	return r;
}

/* ------------------------------------------------------------ Sync */

static int
run_nothing(struct txn *t, struct call *c, void *arg)
{
	(void)t;
	(void)c;
	(void)arg;
	return 0;
}

int
local_exec_sync(struct local *l, struct call *c, const struct sync_in *in, struct sync_out *out)
{
	(void)in;
	*out = (struct sync_out){0};
	return txn_run(l->queue, c,
		       &(struct txn_op){
			       .run = run_nothing,
			       .durable = true,
			       .even_empty = true,
		       });
}
