/*
 * write_item - PutItem, UpdateItem, DeleteItem, SetTime, Sync
 *
 * Each operation binds names and expressions here, in the caller's thread. Then write.c runs in the leader's thread.
 * The first three can also be submitted: then the caller does not wait, and the leader's thread calls its callback.
 */
#include "store/expr/expr.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"
#include "store/local/write/write.h"
#include "store/local/write/write_metering.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/op/validate.h"

/* ------------------------------------------------------------ one item's write */

struct single {
	struct local *local;
	struct call *c;
	enum write_kind kind;
	const struct write_in *in;
	const struct update_item_in *update; /* for an update */
	uint64_t mtime_ns;                   /* for a put or time */

	/* set by write_item_bind() */
	struct write write;
	struct txn_op op;
};

static struct single
single_of(struct local *l, struct call *c, enum write_kind kind, const struct write_in *in,
	  uint64_t mtime_ns)
{
	return (struct single){.local = l, .c = c, .kind = kind, .in = in, .mtime_ns = mtime_ns};
}

static int
run_single(struct txn *t, struct call *c, void *arg)
{
	struct single *s = arg;

	return write_item(t, c, &s->write, s->in->return_on_failure == RETURN_ALL_OLD);
}

/* Check the size that an UpdateExpression adds. For legacy parameters and statements only the item's size counts. */
static int
check_charge(const struct single *s, const struct expr_update *u)
{
	bool text = s->update->update.at != NULL && s->in->ph.trees == NULL;

	return text && expr_update_charge(u) > LIMIT_ITEM_BYTES ? item_fail_update_size(s->c) : 0;
}

static int
write_item_bind(struct single *s)
{
	struct write *w = &s->write;
	const struct write_in *in = s->in;
	const struct schema *schema;
	struct write_words words = {0};
	const struct write_said said = {
		.ph = &in->ph,
		.condition = in->condition,
		.expected = &in->expected,
		.update = s->update == NULL ? NULL : &s->update->update,
		.updates = s->update == NULL ? NULL : &s->update->updates,
	};
	int r = validate_envelop(s->c, write_bind(s->c, &said, &words));

	if (r == 0 && s->update != NULL) {
		r = check_charge(s, words.update);
	}
	if (r == 0) {
		r = catalog_find(s->local->catalog, s->c, in->table, &schema);
	}
	if (r == 0) {
		r = expr_check_key(s->c, words.condition, schema);
	}
	if (r < 0) {
		return r;
	}
	*w = (struct write){
		.local = s->local,
		.schema = schema,
		.kind = s->kind,
		.item = in->item,
		.mtime_ns = s->mtime_ns,
		.condition = words.condition,
		.update = words.update,
		.seen = in->seen,
	};
	r = write_prepare(s->c, w);
	if (r < 0) {
		return r;
	}
	write_report_ask(s->c, &in->asked, in->table, w);
	s->op = (struct txn_op){
		.run = run_single,
		.arg = s,
		.bytes = write_bytes(w),
		.grows = s->kind != WRITE_DELETE,
		.durable = !in->unsynced,
	};
	return 0;
}

static int
write_item_run(struct single *s)
{
	int r;

	do {
		r = write_item_bind(s);
		if (r == 0) {
			r = txn_run(s->local->queue, s->c, &s->op);
		}
	} while (r == TXN_REBIND);
	return r;
}

/* ------------------------------------------------------------ each of them */

static const struct item nothing;

static struct item
touched(const struct single *s, const struct item *it)
{
	return expr_project(s->c, expr_update_touched(s->write.update), it);
}

/* Source: BEHAVIOUR 16.3 */
static struct item
returned(const struct single *s)
{
	const struct write *w = &s->write;

	switch (s->in->return_values) {
	case RETURN_ALL_OLD:
		return w->old;
	case RETURN_ALL_NEW:
		return w->item;
	case RETURN_UPDATED_OLD:
		return w->update == NULL ? nothing : touched(s, &w->old);
	case RETURN_UPDATED_NEW:
		return w->update == NULL ? nothing : touched(s, &w->item);
	case RETURN_NONE:
		break;
	}
	return nothing;
}

static void
write_item_answer(const struct single *s, struct written *out)
{
	struct write_report_sheet sheet = write_report_begin(s->c, &s->in->asked);

	write_report_add(&sheet, &s->write, 1);
	*out = (struct written){
		.had_old = s->write.had_old,
		.seq = s->write.seq,
		.rendered_bytes = s->write.rendered_bytes + s->write.size.rendered_bytes -
				  s->write.old_size.rendered_bytes,
		.attributes = returned(s),
		.report = write_report_end(&sheet, CAPACITY_ANY),
	};
}

static int
write_item_exec(struct single s, struct written *out)
{
	int r = write_item_run(&s);

	if (r == 0) {
		write_item_answer(&s, out);
	}
	return r;
}

int
local_exec_put_item(struct local *l, struct call *c, const struct put_item_in *in,
		    struct put_item_out *out)
{
	return write_item_exec(single_of(l, c, WRITE_PUT, &in->write, in->mtime_ns), &out->written);
}

static struct single
single_update(struct local *l, struct call *c, const struct update_item_in *in)
{
	struct single s = single_of(l, c, WRITE_UPDATE, &in->write, 0);

	s.update = in;
	return s;
}

int
local_exec_update_item(struct local *l, struct call *c, const struct update_item_in *in,
		       struct update_item_out *out)
{
	return write_item_exec(single_update(l, c, in), &out->written);
}

int
local_exec_delete_item(struct local *l, struct call *c, const struct delete_item_in *in,
		       struct delete_item_out *out)
{
	return write_item_exec(single_of(l, c, WRITE_DELETE, &in->write, 0), &out->written);
}

int
local_exec_set_time(struct local *l, struct call *c, const struct set_time_in *in,
		    struct set_time_out *out)
{
	struct write_in write = {.table = in->table, .item = in->key, .unsynced = true};
	struct single s = single_of(l, c, WRITE_TIME, &write, in->mtime_ns);
	int r = write_item_run(&s);

	if (r == 0) {
		out->seq = s.write.seq;
	}
	return r;
}

/* ------------------------------------------------------------ submitted */

struct submitted {
	struct txn_wait wait; /* must be first: ended() gets a pointer to it */
	struct single single;
	struct written *out;
	engine_done_fn *done;
	void *arg;
};

static void ended(struct txn_wait *w, int r);

static void
write_item_start(struct submitted *s)
{
	int r = write_item_bind(&s->single);

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
		write_item_start(s);
		return;
	}
	if (r == 0) {
		write_item_answer(&s->single, s->out);
	}
	s->done(s->arg, r);
}

void
local_submit_item(struct local *l, struct call *c, const struct op_in *in, struct op_out *out,
		  engine_done_fn *done, void *arg)
{
	struct submitted *s = arena_new(&c->arena, struct submitted, 1);

	*s = (struct submitted){.done = done, .arg = arg};
	if (in->type == OP_PUT_ITEM) {
		s->single = single_of(l, c, WRITE_PUT, &in->put_item.write, in->put_item.mtime_ns);
		s->out = &out->put_item.written;
	} else if (in->type == OP_UPDATE_ITEM) {
		s->single = single_update(l, c, &in->update_item);
		s->out = &out->update_item.written;
	} else {
		assert(in->type == OP_DELETE_ITEM);
		s->single = single_of(l, c, WRITE_DELETE, &in->delete_item.write, 0);
		s->out = &out->delete_item.written;
	}
	write_item_start(s);
}

/* ------------------------------------------------------------ Sync */

int
local_exec_sync(struct local *l, struct call *c, const struct sync_in *in, struct sync_out *out)
{
	(void)in;
	*out = (struct sync_out){0};
	return txn_run_empty(l->queue, c, true);
}
