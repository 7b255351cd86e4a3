/*
 * statement_transact - ExecuteTransaction: translation of statements to a TransactGetItems or TransactWriteItems
 *
 * An invalid statement fails the request, and the message has its number. A wrong value of its key is a cancellation
 * reason, as in those operations; but an empty value fails the request.
 */
#include <assert.h>

#include "store/engine/engine.h"
#include "store/local/partiql/statement_execute.h"
#include "store/local/write/transact.h"
#include "store/local/write/write.h"
#include "store/partiql/translate.h"

struct transaction {
	struct local *local;
	const struct execute_transaction_in *in;
	struct bound_statement *bound;
	struct cancel_reason *reasons;
	bool refused; /* a statement has a reason to cancel the transaction */
};

/* Add the number of the statement to the message of the call's error. */
static int
fail_in(struct call *c, size_t i)
{
	struct error e = c->error;

	assert(e.code != ERR_NONE);
	if (e.code != ERR_VALIDATION) {
		return -(int)e.code;
	}
	c->error = (struct error){0};
	int r = call_fail(c, e.code, "Validation failed in TransactStatements[%zu]: %s", i,
			  e.message);

	c->error.place = e.place;
	return r;
}

static int
statement_transact_refuse(struct call *c, size_t i, const char *why)
{
	return call_fail(c, ERR_VALIDATION, "Validation failed in TransactStatements[%zu]: %s", i,
			 why);
}

static int
fail_index(struct call *c, size_t i, enum statement_kind kind)
{
	return statement_transact_refuse(
		c, i,
		kind == STATEMENT_SELECT
			? "Reads on indices are not supported within transactions."
			: "Operations on indices are not supported in transactions");
}

/* Replace ExecuteStatement's messages about keys by those of TransactWriteItems. */
static struct slice
key_reason(struct call *c, const char *message)
{
	static const char schema[] = "The provided key element does not match the schema";
	static const char absent[] = "Key attribute should be present in the item: Key ";
	static const char *const of_statements[] = {
		"Where clause does not contain a mandatory equality",
		"Key attribute's data type should match",
		"Multiple conditions on same key",
	};
	struct slice said = slice_from(message);

	for (size_t i = 0; i < sizeof(of_statements) / sizeof(of_statements[0]); i++) {
		if (slice_starts(said, slice_from(of_statements[i]))) {
			return SLICE(schema);
		}
	}
	if (!slice_starts(said, SLICE(absent))) {
		return said;
	}
	said = slice_skip(said, sizeof(absent) - 1);
	return slice_from(arena_print(
		&c->arena,
		"One or more parameter values were invalid: Missing the key %.*s in the item",
		SLICE_ARG(said)));
}

/*
 * Make the error @r the reason of statement @i, if it can be one. An empty value of its key is an error of the request,
 * as in transact.c.
 * Return: @r, or 0 if it became the reason
 */
static int
statement_transact_take_reason(struct transaction *t, struct call *c, size_t i, int r)
{
	t->reasons[i] = (struct cancel_reason){.code = SLICE("None")};
	if (r != -ERR_VALIDATION || c->error.whole) {
		return r;
	}
	t->refused = true;
	t->reasons[i] = (struct cancel_reason){.code = SLICE("ValidationError"),
					       .message = key_reason(c, c->error.message)};
	c->error = (struct error){0};
	return 0;
}

/* Make the missing table of statement @i its reason. */
static int
take_missing(struct transaction *t, size_t i)
{
	t->reasons[i] = (struct cancel_reason){.code = SLICE("ResourceNotFound"),
					       .message = SLICE("Requested resource not found")};
	t->refused = true;
	return 0;
}

/* ------------------------------------------------------------ reads */

static int
statement_transact_read_member(struct transaction *t, struct call *c, size_t i,
			       struct transact_get *out)
{
	const struct bound_statement *b = &t->bound[i];

	if (b->schema == NULL) {
		return take_missing(t, i);
	}
	int r = translate_check(c, &b->st);

	if (r < 0) {
		return fail_in(c, i);
	}
	if (b->ix != NULL) {
		return fail_index(c, i, b->st.kind);
	}
	r = translate_get(c, b->schema, &b->st, out);
	if (r == TRANSLATE_NOT_ONE) {
		if (translate_check_overlap(c, b->schema, &b->st) < 0) {
			return fail_in(c, i);
		}
		return statement_transact_refuse(
			c, i,
			"Select statements within ExecuteTransaction must specify the "
			"primary key in the where clause.");
	}
	return statement_transact_take_reason(t, c, i, r);
}

static int
statement_transact_run_reads(struct transaction *t, struct call *c,
			     struct execute_transaction_out *out)
{
	size_t n = t->in->n_statements;
	struct transact_get *gets = arena_new(&c->arena, struct transact_get, n);
	struct op_in in = {
		.type = OP_TRANSACT_GET_ITEMS,
		.transact_get_items = {.gets = gets, .n_gets = n, .capacity = t->in->capacity}};
	struct op_out answer = {.type = in.type};
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		r = statement_transact_read_member(t, c, i, &gets[i]);
	}
	if (r == 0) {
		r = t->refused ? transact_cancel(c, t->reasons, n)
			       : engine_execute(&t->local->engine, c, &in, &answer);
	}
	if (r == 0) {
		out->responses = answer.transact_get_items.responses;
		out->n_responses = n;
		out->consumed = answer.transact_get_items.consumed;
	}
	return r;
}

/* ------------------------------------------------------------ writes */

static int
check_write(struct call *c, const struct transact_action *a)
{
	struct write_said said = {
		.ph = &a->ph,
		.condition = a->condition,
		.update = a->kind == TRANSACT_UPDATE ? &a->update : NULL,
	};
	struct write_words words;

	return write_bind(c, &said, &words);
}

static int
write_member(struct transaction *t, struct call *c, size_t i, struct transact_action *out)
{
	const struct bound_statement *b = &t->bound[i];

	if (b->schema == NULL) {
		return take_missing(t, i);
	}
	int r = translate_check(c, &b->st);

	if (r < 0) {
		return fail_in(c, i);
	}
	if (b->st.returns) {
		return statement_transact_refuse(
			c, i, "RETURNING clause is not supported in ExecuteTransaction.");
	}
	if (b->ix != NULL) {
		return fail_index(c, i, b->st.kind);
	}
	r = translate_action(c, b->schema, &b->st, t->in->statements[i].return_on_failure, out);
	if (r == TRANSLATE_NOT_ONE) {
		return statement_transact_refuse(
			c, i, "EXISTS() must contain a single item read with additional condition");
	}
	if (r == 0 && check_write(c, out) < 0) {
		return fail_in(c, i);
	}
	/* The digest of the ClientRequestToken covers this text. */
	out->condition = statement_spelled(c, &t->in->statements[i]);
	return statement_transact_take_reason(t, c, i, r);
}

/* Convert the reasons to the messages for statements. The user did not write the condition of an INSERT. */
static int
say_reasons(const struct transaction *t, struct call *c)
{
	size_t n = c->error.n_reasons;

	assert(n == t->in->n_statements);
	struct cancel_reason *reasons = arena_new(&c->arena, struct cancel_reason, n);

	for (size_t i = 0; i < n; i++) {
		reasons[i] = c->error.reasons[i];
		reasons[i].message = statement_reason(reasons[i].message);
		if (t->bound[i].st.kind == STATEMENT_INSERT &&
		    slice_is(reasons[i].code, "ConditionalCheckFailed")) {
			reasons[i].code = SLICE("DuplicateItem");
			reasons[i].message = SLICE("Duplicate primary key exists in table");
		}
	}
	c->error = (struct error){0};
	return transact_cancel(c, reasons, n);
}

static int
statement_transact_run_writes(struct transaction *t, struct call *c,
			      struct execute_transaction_out *out)
{
	size_t n = t->in->n_statements;
	struct transact_action *actions = arena_new(&c->arena, struct transact_action, n);
	struct op_in in = {
		.type = OP_TRANSACT_WRITE_ITEMS,
		.transact_write_items = {.actions = actions,
					 .n_actions = n,
					 .token = t->in->token,
					 .asked.capacity = t->in->capacity},
	};
	struct op_out answer = {.type = in.type};
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		r = write_member(t, c, i, &actions[i]);
	}
	if (r == 0) {
		r = t->refused ? transact_cancel(c, t->reasons, n)
			       : engine_execute(&t->local->engine, c, &in, &answer);
	}
	if (r == 0) {
		out->consumed = answer.transact_write_items.report.consumed;
	}
	return r == -ERR_CANCELED ? say_reasons(t, c) : r;
}

/* ------------------------------------------------------------ the operation */

static int
statement_transact_bind(struct transaction *t, struct call *c)
{
	size_t reads = 0;

	for (size_t i = 0; i < t->in->n_statements; i++) {
		int r = statement_bind(t->local, c, &t->in->statements[i], &t->bound[i]);

		if (t->bound[i].absent) {
			c->error = (struct error){0}; /* its reason: see take_missing() */
		} else if (r == -ERR_NO_INDEX) {
			c->error = (struct error){0};
			return fail_index(c, i, t->bound[i].st.kind);
		} else if (r < 0) {
			return fail_in(c, i);
		}
		reads += t->bound[i].st.kind == STATEMENT_SELECT;
	}
	if (reads > 0 && reads < t->in->n_statements) {
		return call_fail(c, ERR_VALIDATION,
				 "ExecuteTransaction API does not support both read and write "
				 "operations in the same request.");
	}
	return 0;
}

int
local_exec_execute_transaction(struct local *l, struct call *c,
			       const struct execute_transaction_in *in,
			       struct execute_transaction_out *out)
{
	struct transaction t = {
		.local = l,
		.in = in,
		.bound = arena_new(&c->arena, struct bound_statement, in->n_statements),
		.reasons = arena_new(&c->arena, struct cancel_reason, in->n_statements),
	};
	int r = statement_transact_bind(&t, c);

	*out = (struct execute_transaction_out){0};
	if (r < 0) {
		return r;
	}
	return t.bound[0].st.kind == STATEMENT_SELECT ? statement_transact_run_reads(&t, c, out)
						      : statement_transact_run_writes(&t, c, out);
}
