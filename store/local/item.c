/*
 * item - PutItem, DeleteItem, SetTime, Sync
 *
 * Each: bind names and expressions here, in the caller's thread, then the
 * funnel (write.c) in the leader's.  The first two can be submitted too: then
 * nobody waits, and the leader's thread tells the caller.
 */
#include "store/local/write.h"

/* ------------------------------------------------------------ one item's write */

struct single {
	struct local *local;
	struct call *c;
	enum write_kind kind;
	struct slice table;
	const struct item *item;       /* a put's item, otherwise its key */
	const struct placeholders *ph; /* NULL: there can be no condition */
	struct slice condition;
	uint64_t mtime_ns;
	bool tell_old; /* ReturnValuesOnConditionCheckFailure */
	bool relaxed;

	/* made by bind() */
	struct write write;
	struct txn_op op;
};

static struct single
single_put(struct local *l, struct call *c, const struct put_item_in *in)
{
	return (struct single){
		.local = l,
		.c = c,
		.kind = WRITE_PUT,
		.table = in->table,
		.item = &in->item,
		.ph = &in->ph,
		.condition = in->condition,
		.mtime_ns = in->mtime_ns,
		.tell_old = in->return_on_failure == RETURN_ALL_OLD,
		.relaxed = in->relaxed,
	};
}

static struct single
single_delete(struct local *l, struct call *c, const struct delete_item_in *in)
{
	return (struct single){
		.local = l,
		.c = c,
		.kind = WRITE_DELETE,
		.table = in->table,
		.item = &in->key,
		.ph = &in->ph,
		.condition = in->condition,
		.tell_old = in->return_on_failure == RETURN_ALL_OLD,
		.relaxed = in->relaxed,
	};
}

static struct single
single_time(struct local *l, struct call *c, const struct set_time_in *in)
{
	return (struct single){
		.local = l,
		.c = c,
		.kind = WRITE_TIME,
		.table = in->table,
		.item = &in->key,
		.mtime_ns = in->mtime_ns,
		.relaxed = true,
	};
}

static int
run_single(struct txn *t, struct call *c, void *arg)
{
	struct single *s = arg;

	return write_item(t, c, &s->write, s->tell_old);
}

static int
bind(struct single *s)
{
	struct write *w = &s->write;
	const struct schema *schema;
	const struct expr *condition = NULL;
	int r = catalog_find(s->local->catalog, s->c, s->table, &schema);

	if (r == 0 && s->ph != NULL) {
		r = write_condition(s->c, schema, s->ph, s->condition, &condition);
	}
	if (r == 0) {
		r = s->kind == WRITE_PUT
			    ? write_prepare_put(s->local, s->c, schema, s->item, s->mtime_ns, w)
			    : write_prepare_key(s->local, s->c, schema, s->kind, s->item, w);
	}
	if (r < 0) {
		return r;
	}
	w->condition = condition;
	if (s->kind == WRITE_TIME) {
		w->mtime_ns = s->mtime_ns;
	}
	s->op = (struct txn_op){
		.run = run_single,
		.arg = s,
		.bytes = write_bytes(w),
		.durable = !s->relaxed,
	};
	return 0;
}

static int
run(struct single *s)
{
	int r;

	do {
		r = bind(s);
		if (r == 0) {
			r = txn_run(s->local->queue, s->c, &s->op);
		}
	} while (r == TXN_REBIND);
	return r;
}

/* ------------------------------------------------------------ PutItem, DeleteItem, SetTime */

static void
answer_put(const struct write *w, const struct put_item_in *in, struct put_item_out *out)
{
	*out = (struct put_item_out){.had_old = w->had_old, .seq = w->seq};
	if (in->return_values == RETURN_ALL_OLD) {
		out->old = w->old;
	}
}

static void
answer_delete(const struct write *w, const struct delete_item_in *in, struct delete_item_out *out)
{
	*out = (struct delete_item_out){
		.had_old = w->had_old, .existed = w->had_old, .seq = w->seq};
	if (in->return_values == RETURN_ALL_OLD) {
		out->old = w->old;
	}
}

int
local_exec_put_item(struct local *l, struct call *c, const struct put_item_in *in,
		    struct put_item_out *out)
{
	struct single s = single_put(l, c, in);
	int r = run(&s);

	if (r == 0) {
		answer_put(&s.write, in, out);
	}
	return r;
}

int
local_exec_delete_item(struct local *l, struct call *c, const struct delete_item_in *in,
		       struct delete_item_out *out)
{
	struct single s = single_delete(l, c, in);
	int r = run(&s);

	if (r == 0) {
		answer_delete(&s.write, in, out);
	}
	return r;
}

int
local_exec_set_time(struct local *l, struct call *c, const struct set_time_in *in,
		    struct set_time_out *out)
{
	struct single s = single_time(l, c, in);
	int r = run(&s);

	if (r == 0) {
		out->seq = s.write.seq;
	}
	return r;
}

/* ------------------------------------------------------------ submitted */

struct submitted {
	struct txn_wait wait; /* first: the queue hands it back */
	struct single single;
	const struct op_in *in;
	struct op_out *out;
	engine_done_fn *done;
	void *arg;
};

static void ended(struct txn_wait *w, int r);

static void
start(struct submitted *s)
{
	int r = bind(&s->single);

	if (r < 0) {
		s->done(s->arg, r);
		return;
	}
	s->wait = (struct txn_wait){.c = s->single.c, .op = &s->single.op, .ended = ended};
	txn_submit(s->single.local->queue, &s->wait);
}

static void
ended(struct txn_wait *w, int r)
{
	struct submitted *s = (struct submitted *)w;

	if (r == TXN_REBIND) {
		start(s);
		return;
	}
	if (r == 0 && s->in->type == OP_PUT_ITEM) {
		answer_put(&s->single.write, &s->in->put_item, &s->out->put_item);
	} else if (r == 0) {
		answer_delete(&s->single.write, &s->in->delete_item, &s->out->delete_item);
	}
	s->done(s->arg, r);
}

void
local_submit_item(struct local *l, struct call *c, const struct op_in *in, struct op_out *out,
		  engine_done_fn *done, void *arg)
{
	struct submitted *s = arena_new(&c->arena, struct submitted, 1);

	*s = (struct submitted){
		.single = in->type == OP_PUT_ITEM ? single_put(l, c, &in->put_item)
						  : single_delete(l, c, &in->delete_item),
		.in = in,
		.out = out,
		.done = done,
		.arg = arg,
	};
	start(s);
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
