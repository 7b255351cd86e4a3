/*
 * transact - TransactWriteItems
 *
 * First all conditions are evaluated. If all are true, all actions are applied. They name distinct items, so none sees
 * the effect of another. The transaction is one operation of the queue, so it is committed completely or not at all.
 */
#include "store/expr/expr.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/write/token.h"
#include "store/local/write/write.h"
#include "store/local/write/write_metering.h"
#include "store/op/unmixed.h"
#include "store/op/validate.h"

struct action {
	const struct transact_action *in;
	struct write_words words;
	struct write write;
	struct cancel_reason reason;
	bool refused;
};

struct transaction {
	struct local *local;
	const struct transact_write_items_in *in;
	struct action *actions;
	struct slice token_key;
	struct token token;
	bool replayed; /* the token was known: the transaction was done before */
	uint64_t seq;
};

/* ------------------------------------------------------------ in the caller's thread */

/*
 * The code of a cancellation reason; empty if @r is an error of the whole request. A wrong key or item is the reason of
 * its action. A wrong expression or table name is an error of the request, and so are an empty value of a key attribute
 * and a path into one: call_whole().
 */
static struct slice
reason_code(int r)
{
	switch (r) {
	case -ERR_VALIDATION:
	case -ERR_KEY_TOO_LONG:
	case -ERR_ITEM_TOO_BIG:
		return SLICE("ValidationError");
	case -ERR_COLLECTION_TOO_BIG:
		return SLICE("ItemCollectionSizeLimitExceeded");
	case -ERR_THROTTLED:
	case -ERR_THROTTLED_ON_DEMAND:
		return throttle_reason(r);
	default:
		return slice_of(NULL, 0);
	}
}

/* Make the error @r the reason of @a, if it can be one.  Return: @r, or 0 if it became the reason */
static int
transact_take_reason(struct call *c, struct action *a, int r)
{
	struct slice code = reason_code(r);

	if (code.len == 0 || c->error.whole) {
		return r;
	}
	a->reason = (struct cancel_reason){
		.code = code,
		.message = slice_from(c->error.message),
		.throttled = c->error.throttled,
	};
	a->refused = true;
	c->error = (struct error){0};
	return 0;
}

/* Check only the syntax of the expressions: if a value could not be read, nothing is bound. */
static int
transact_parse_action(struct call *c, const struct transact_action *in)
{
	int r = expr_syntax(c, EXPR_UPDATE, in->update);

	return r < 0 ? r : expr_syntax(c, EXPR_CONDITION, in->condition);
}

static int
bind_action(struct call *c, struct action *a)
{
	const struct transact_action *in = a->in;
	const struct write_said said = {
		.ph = &in->ph,
		.condition = in->condition,
		.update = in->kind == TRANSACT_UPDATE ? &in->update : NULL,
	};

	return write_bind(c, &said, &a->words);
}

/* Check an action without its table: its expressions, then its values. */
static int
judge_action(struct call *c, struct action *a)
{
	const struct transact_action *in = a->in;
	int r = unmixed_transact(c, in);

	if (r == 0) {
		r = in->fault.of_values ? transact_parse_action(c, in) : bind_action(c, a);
	}
	if (r == 0) {
		r = validate_fault(c, &in->fault);
	}
	return r < 0 || in->kind != TRANSACT_PUT ? r : validate_item(c, &in->item);
}

static int
transact_prepare_action(struct transaction *tr, struct call *c, struct action *a)
{
	static const enum write_kind kinds[] = {
		[TRANSACT_PUT] = WRITE_PUT,
		[TRANSACT_UPDATE] = WRITE_UPDATE,
		[TRANSACT_DELETE] = WRITE_DELETE,
		[TRANSACT_CHECK] = WRITE_CHECK,
	};
	const struct transact_action *in = a->in;
	const struct schema *s;
	int r = catalog_find(tr->local->catalog, c, in->table, &s);

	if (r == 0) {
		r = expr_check_key(c, a->words.condition, s);
	}
	if (r == 0) {
		r = key_check_filled(c, &s->key, &in->item);
	}
	if (r < 0) {
		return r;
	}
	a->write = (struct write){
		.local = tr->local,
		.schema = s,
		.kind = kinds[in->kind],
		.item = in->item,
		.mtime_ns = in->mtime_ns,
		.condition = a->words.condition,
		.update = a->words.update,
		.seen = in->seen,
		.transactional = true,
	};
	r = transact_take_reason(c, a, write_prepare(c, &a->write));
	if (r == 0 && !a->refused) {
		write_report_ask(c, &tr->in->asked, in->table, &a->write);
	}
	return r;
}

/* Source: BEHAVIOUR 11.3 */
static int
transact_check_distinct(struct call *c, const struct transaction *tr)
{
	struct slice *keys = arena_new(&c->arena, struct slice, tr->in->n_actions);
	size_t n = 0;

	for (size_t i = 0; i < tr->in->n_actions; i++) {
		if (!tr->actions[i].refused) {
			keys[n++] = tr->actions[i].write.key;
		}
	}
	return key_check_actions(c, keys, n);
}

/* ------------------------------------------------------------ cancellation */

int
transact_cancel(struct call *c, const struct cancel_reason *reasons, size_t n)
{
	struct buf codes = {.arena = &c->arena};

	for (size_t i = 0; i < n; i++) {
		buf_str(&codes, i == 0 ? "" : ", ");
		buf_slice(&codes, reasons[i].code);
	}
	int r = call_fail(c, ERR_CANCELED,
			  "Transaction cancelled, please refer cancellation reasons for specific "
			  "reasons [%.*s]",
			  SLICE_ARG(buf_view(&codes)));

	c->error.reasons = reasons;
	c->error.n_reasons = n;
	return r;
}

/* Fail with the reasons of all actions, if one of them was refused. */
static int
transact_check_refused(struct call *c, const struct transaction *tr)
{
	size_t n = tr->in->n_actions;
	struct cancel_reason *reasons = arena_new(&c->arena, struct cancel_reason, n);
	bool refused = false;

	for (size_t i = 0; i < n; i++) {
		const struct action *a = &tr->actions[i];

		reasons[i] = a->refused ? a->reason : (struct cancel_reason){.code = SLICE("None")};
		refused = refused || a->refused;
	}
	return refused ? transact_cancel(c, reasons, n) : 0;
}

/* ------------------------------------------------------------ in the leader's thread */

enum { TOKEN_DONE = 30 };

/* Return: 0; TOKEN_DONE: this request was done before; < 0.  Source: BEHAVIOUR 11.6 */
static int
transact_check_token(struct txn *t, struct call *c, const struct transaction *tr)
{
	struct slice record;
	struct token before;
	int r = txn_get(t, c, tr->token_key, &record);

	if (r != 0) {
		return r < 0 ? r : 0;
	}
	r = token_decode(c, record, &before);
	if (r < 0 || token_expired(&before, c->now_ms)) {
		return r;
	}
	if (memcmp(before.digest, tr->token.digest, sizeof(before.digest)) != 0) {
		return call_fail(c, ERR_TOKEN_MISMATCH,
				 "The provided client token was already used with different "
				 "parameters");
	}
	return TOKEN_DONE;
}

static int
test_actions(struct txn *t, struct call *c, struct transaction *tr)
{
	for (size_t i = 0; i < tr->in->n_actions; i++) {
		struct action *a = &tr->actions[i];
		int r = a->refused ? 0 : write_test(t, c, &a->write);

		if (r == WRITE_REFUSED) {
			bool tell_old =
				a->write.had_old && a->in->return_on_failure == RETURN_ALL_OLD;

			a->reason = (struct cancel_reason){
				.code = SLICE("ConditionalCheckFailed"),
				.message = SLICE("The conditional request failed"),
				.item = tell_old ? &a->write.old : NULL,
			};
			a->refused = true;
		} else {
			r = transact_take_reason(c, a, r);
			if (r != 0) {
				return r;
			}
		}
	}
	return transact_check_refused(c, tr);
}

static void
put_token(struct txn *t, struct call *c, const struct transaction *tr)
{
	struct buf record = {.arena = &c->arena};

	token_encode(&record, &tr->token);
	txn_put(t, tr->token_key, buf_view(&record));
}

/* Answer a repeated request: nothing is written, but reads of the items are counted. */
static int
replay(struct txn *t, struct call *c, struct transaction *tr)
{
	int r = 0;

	tr->replayed = true;
	for (size_t i = 0; i < tr->in->n_actions && r == 0; i++) {
		struct write *w = &tr->actions[i].write;

		w->measures = false;
		if (w->capacity != NULL) {
			r = write_read(t, c, w);
			w->capacity->of_table =
				capacity_read(w->old_size.item_bytes, CAPACITY_TRANSACTION);
		}
	}
	return r;
}

static int
run_transaction(struct txn *t, struct call *c, void *arg)
{
	struct transaction *tr = arg;
	bool has_token = tr->in->token.len > 0;
	int r = has_token ? transact_check_token(t, c, tr) : 0;

	if (r != 0) {
		return r == TOKEN_DONE ? replay(t, c, tr) : r;
	}
	r = test_actions(t, c, tr);
	for (size_t i = 0; i < tr->in->n_actions && r == 0; i++) {
		struct action *a = &tr->actions[i];

		/* A collection that would become too large, or a throttled GSI, is the action's reason. */
		r = transact_take_reason(c, a, write_apply(t, c, &a->write));
		if (a->refused) {
			r = transact_check_refused(c, tr);
		}
		if (a->write.seq != 0) {
			tr->seq = a->write.seq;
		}
	}
	if (r == 0 && has_token) {
		put_token(t, c, tr);
	}
	return r;
}

/* ------------------------------------------------------------ the operation */

/* If tables refuse keys or items, cancel with the first of these reasons; conditions are not evaluated. */
static int
cancel_first(struct call *c, struct transaction *tr)
{
	bool refused = false;

	for (size_t i = 0; i < tr->in->n_actions; i++) {
		struct action *a = &tr->actions[i];

		a->refused = a->refused && !refused;
		refused = refused || a->refused;
	}
	return transact_check_refused(c, tr);
}

/* Check all actions in order before the first table is looked up. */
static int
transact_prepare(struct transaction *tr, struct call *c)
{
	size_t n = tr->in->n_actions;
	int r = 0;

	tr->actions = arena_new(&c->arena, struct action, n);
	for (size_t i = 0; i < n && r == 0; i++) {
		tr->actions[i].in = &tr->in->actions[i];
		r = judge_action(c, &tr->actions[i]);
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		r = transact_prepare_action(tr, c, &tr->actions[i]);
	}
	if (r == 0) {
		r = transact_check_distinct(c, tr);
	}
	return r < 0 ? r : cancel_first(c, tr);
}

static void
prepare_token(struct transaction *tr, struct call *c)
{
	tr->token_key = keyspace_name(&c->arena, KEYSPACE_TOKEN, tr->in->token);
	tr->token.done_ms = c->now_ms;
	token_digest(c, tr->in, tr->token.digest);
}

static struct write_report
transact_report(struct call *c, const struct transaction *tr)
{
	struct write_report_sheet sheet = write_report_begin(c, &tr->in->asked);

	for (size_t i = 0; i < tr->in->n_actions; i++) {
		write_report_add(&sheet, &tr->actions[i].write,
				 tr->replayed ? 1 : CAPACITY_TRANSACTION_FACTOR);
	}
	return write_report_end(&sheet, tr->replayed ? CAPACITY_READ : CAPACITY_WRITE);
}

static int
try_transaction(struct local *l, struct call *c, const struct transact_write_items_in *in,
		struct transact_write_items_out *out)
{
	struct transaction tr = {.local = l, .in = in};
	struct txn_op op = {.run = run_transaction, .arg = &tr, .durable = !in->unsynced};
	int r = transact_prepare(&tr, c);

	if (r < 0) {
		return r;
	}
	if (in->token.len > 0) {
		prepare_token(&tr, c);
	}
	for (size_t i = 0; i < in->n_actions; i++) {
		const struct write *w = &tr.actions[i].write;

		op.bytes += write_bytes(w);
		op.grows = op.grows || w->kind == WRITE_PUT || w->kind == WRITE_UPDATE;
	}
	r = txn_run(l->queue, c, &op);
	if (r == 0) {
		out->seq = tr.seq;
		out->report = transact_report(c, &tr);
	}
	return r;
}

int
local_exec_transact_write_items(struct local *l, struct call *c,
				const struct transact_write_items_in *in,
				struct transact_write_items_out *out)
{
	int r;

	do {
		r = try_transaction(l, c, in, out);
	} while (r == TXN_REBIND);
	if (r == 0 && in->token.len > 0) {
		tasks_sweep(l->tasks, c->now_ms);
	}
	return r;
}
