/*
 * statement_batch - BatchExecuteStatement: each statement succeeds or fails by itself
 *
 * All statements are parsed and translated first, because a batch that mixes reads and writes, or names an item twice,
 * is refused as a whole. The writes are unsynced, and one Sync follows the last of them.
 */
#include "store/local/partiql/statement_execute.h"
#include "store/local/read/get.h"
#include "store/local/records/key.h"
#include "store/model/item.h"
#include "store/op/op.h"
#include "store/partiql/translate.h"

struct member {
	struct bound_statement bound;
	struct op_in op;
	bool reads;
	bool refused; /* it has failed, and its result has the error */
};

struct batch {
	struct local *local;
	const struct batch_execute_statement_in *in;
	struct member *members;
	bool reads;  /* a statement reads */
	bool writes; /* a statement writes */
	struct statement_result *results;
	struct consumed *consumed;
	size_t n_consumed;
	size_t cap_consumed;
};

/* ------------------------------------------------------------ errors of one statement */

/* The code of an error in a result; NULL if the error fails the whole batch. */
static const char *
result_code(enum err code)
{
	switch ((int)code) {
	case ERR_VALIDATION:
	case ERR_ITEM_TOO_BIG:
	case ERR_KEY_TOO_LONG:
	case ERR_NO_INDEX:
		return "ValidationError";
	case ERR_NO_TABLE:
		return "ResourceNotFound";
	case ERR_CONDITION:
		return "ConditionalCheckFailed";
	case ERR_DUPLICATE:
		return "DuplicateItem";
	case ERR_COLLECTION_TOO_BIG:
		return "ItemCollectionSizeLimitExceeded";
	case ERR_THROTTLED:
		return "ProvisionedThroughputExceeded";
	case ERR_THROTTLED_ON_DEMAND:
		return "ThrottlingError";
	default:
		return NULL;
	}
}

/* Make the error @r the result of member @i, if it can be one.  Return: @r, or 0 if it became the result */
static int
take_error(struct batch *b, struct call *c, size_t i, int r)
{
	const char *code = r < 0 ? result_code(c->error.code) : NULL;

	if (r == 0 || code == NULL) {
		return r;
	}
	b->members[i].refused = true;
	b->results[i].code = slice_from(code);
	b->results[i].message = slice_from(c->error.message);
	b->results[i].old = c->error.item;
	c->error = (struct error){0};
	return 0;
}

/* ------------------------------------------------------------ before anything runs */

static int
translate_read(struct call *c, const struct parameterized *p, struct member *m)
{
	struct transact_get get;
	int r = translate_get(c, m->bound.schema, &m->bound.st, &get);

	if (r == TRANSLATE_NOT_ONE) {
		return call_fail(c, ERR_VALIDATION,
				 "Select statements within BatchExecuteStatement must specify the "
				 "primary key in the where clause.");
	}
	m->op = (struct op_in){
		.type = OP_GET_ITEM,
		.get_item = {.table = get.table,
			     .key = get.key,
			     .projection = get.projection,
			     .ph = get.ph,
			     .consistent = p->consistent},
	};
	return r;
}

static int
statement_batch_prepare(struct batch *b, struct call *c, size_t i)
{
	const struct parameterized *p = &b->in->statements[i];
	struct member *m = &b->members[i];
	int r = statement_bind(b->local, c, p, &m->bound);

	if (r < 0) {
		return r;
	}
	if (m->bound.st.kind == STATEMENT_EXISTS) {
		return statement_fail_exists(c);
	}
	m->reads = m->bound.st.kind == STATEMENT_SELECT;
	b->reads = b->reads || m->reads;
	b->writes = b->writes || !m->reads;
	r = m->reads ? translate_read(c, p, m)
		     : translate_write(c, m->bound.schema, &m->bound.st, p->return_on_failure,
				       &m->op);
	if (r == 0) {
		b->results[i].table = m->bound.st.table;
	}
	return r;
}

/* The attributes of the key that @m reads or writes. */
static struct item
statement_batch_key_of(struct call *c, const struct member *m)
{
	const struct key_schema *k = &m->bound.schema->key;
	struct item key = {arena_new(&c->arena, struct attr, 2), 1};

	if (m->reads) {
		return m->op.get_item.key;
	}
	if (m->op.type != OP_PUT_ITEM) {
		return m->op.type == OP_UPDATE_ITEM ? m->op.update_item.write.item
						    : m->op.delete_item.write.item;
	}
	const struct item *it = &m->op.put_item.write.item;

	key.at[0] = (struct attr){k->pk[0].name, *item_get(it, k->pk[0].name)};
	if (key_schema_has_sort(k)) {
		key.at[key.n++] = (struct attr){k->sk[0].name, *item_get(it, k->sk[0].name)};
	}
	return key;
}

static int
statement_batch_check_distinct(struct batch *b, struct call *c)
{
	struct slice *keys = arena_new(&c->arena, struct slice, b->in->n_statements);
	size_t n = 0;

	for (size_t i = 0; i < b->in->n_statements; i++) {
		struct member *m = &b->members[i];

		if (m->refused) {
			continue;
		}
		struct item key = statement_batch_key_of(c, m);
		int r = take_error(b, c, i, get_key(c, m->bound.schema, &key, &keys[n]));

		if (r < 0) {
			return r;
		}
		n += !m->refused;
	}
	return key_check_distinct(c, keys, n);
}

/* ------------------------------------------------------------ all of them */

static int
run_member(struct batch *b, struct call *c, size_t i)
{
	struct member *m = &b->members[i];
	struct write_in *w = op_write(&m->op);
	struct statement_done done;

	if (w != NULL) {
		w->unsynced = true;
	}
	int r = statement_run(b->local, c, &m->bound, &m->op, b->in->capacity, &done);

	b->results[i].item = done.item;
	for (size_t j = 0; j < done.consumed.n; j++) {
		b->consumed = arena_room(&c->arena, b->consumed, b->n_consumed, &b->cap_consumed);
		b->consumed[b->n_consumed++] = done.consumed.at[j];
	}
	return take_error(b, c, i, r);
}

static int
statement_batch_run(struct batch *b, struct call *c)
{
	struct sync_out synced;
	bool wrote = false;

	for (size_t i = 0; i < b->in->n_statements; i++) {
		int r = b->members[i].refused ? 0 : run_member(b, c, i);

		if (r < 0) {
			return r;
		}
		wrote = wrote || (!b->members[i].refused && !b->members[i].reads);
	}
	return wrote ? local_exec_sync(b->local, c, &(struct sync_in){0}, &synced) : 0;
}

int
local_exec_batch_execute_statement(struct local *l, struct call *c,
				   const struct batch_execute_statement_in *in,
				   struct batch_execute_statement_out *out)
{
	struct batch b = {
		.local = l,
		.in = in,
		.members = arena_new(&c->arena, struct member, in->n_statements),
		.results = arena_new(&c->arena, struct statement_result, in->n_statements),
	};
	int r = 0;

	for (size_t i = 0; i < in->n_statements && r == 0; i++) {
		r = take_error(&b, c, i, statement_batch_prepare(&b, c, i));
	}
	if (r == 0 && b.reads && b.writes) {
		r = call_fail(c, ERR_VALIDATION,
			      "Read and write requests together in the same batch is not "
			      "supported.");
	}
	if (r == 0) {
		r = statement_batch_check_distinct(&b, c);
	}
	if (r == 0) {
		r = statement_batch_run(&b, c);
	}
	*out = (struct batch_execute_statement_out){
		.results = b.results,
		.n_results = in->n_statements,
		.consumed = {b.consumed, b.n_consumed},
	};
	return r;
}
