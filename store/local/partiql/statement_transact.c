/*
 * statement_transact - ExecuteTransaction: translation of statements to a TransactGetItems or TransactWriteItems
 *
 * An invalid statement fails the request, and the message has its number. A wrong value of its key is a cancellation
 * reason, as in those operations; but an empty value fails the request.
 */
#include "store/engine/engine.h"
#include "store/local/partiql/statement_execute.h"
#include "store/local/write/write.h"
#include "store/partiql/translate.h"

struct transaction {
	struct local *local;
	const struct execute_transaction_in *in;
	struct bound_statement *bound;
	struct cancel_reason *reasons;
	bool refused; /* a statement has a reason to cancel the transaction */
};

static int
statement_transact_refuse(struct call *c, size_t i, const char *why)
{
	return call_fail(c, ERR_VALIDATION, "Validation failed in TransactStatements[%zu]: %s", i,
			 why);
}

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
	int r = statement_transact_refuse(c, i, e.message);

	c->error.place = e.place;
	return r;
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

/* Make @code and @message the reason of statement @i to cancel the transaction.  Return: 0 */
static int
statement_transact_cancels(struct transaction *t, size_t i, const char *code, struct slice message)
{
	t->refused = true;
	t->reasons[i] = (struct cancel_reason){.code = slice_from(code), .message = message};
	return 0;
}

/*
 * Make the error @r of a translation the reason of statement @i, if it can be one. An empty value of its key is an
 * error of the request, as in transact.c.
 * Return: @r, or 0 if it became the reason
 */
static int
statement_transact_take_reason(struct transaction *t, struct call *c, size_t i, int r)
{
	if (r != -ERR_VALIDATION || c->error.whole) {
		return r;
	}
	struct slice message = key_reason(c, c->error.message);

	c->error = (struct error){0};
	return statement_transact_cancels(t, i, "ValidationError", message);
}

/*
 * Translate statement @i.  Everything in it but its key must be valid: then the transaction runs, or has reasons to be
 * cancelled.
 * @get, @action: set one of them; the other is NULL
 */
static int
statement_transact_member(struct transaction *t, struct call *c, size_t i, struct transact_get *get,
			  struct transact_action *action)
{
	const struct bound_statement *b = &t->bound[i];

	t->reasons[i].code = SLICE("None");
	if (b->schema == NULL) {
		return statement_transact_cancels(t, i, "ResourceNotFound",
						  SLICE("Requested resource not found"));
	}
	if (translate_check(c, &b->st) < 0) {
		return fail_in(c, i);
	}
	if (action != NULL && b->st.returns) {
		return statement_transact_refuse(
			c, i, "RETURNING clause is not supported in ExecuteTransaction.");
	}
	if (b->ix != NULL) {
		return fail_index(c, i, b->st.kind);
	}
	int r = get != NULL ? translate_get(c, b->schema, &b->st, get)
			    : translate_action(c, b->schema, &b->st,
					       t->in->statements[i].return_on_failure, action);

	if (r == TRANSLATE_NOT_ONE && get != NULL &&
	    translate_check_overlap(c, b->schema, &b->st) < 0) {
		return fail_in(c, i);
	}
	if (r == TRANSLATE_NOT_ONE) {
		return statement_transact_refuse(
			c, i,
			get != NULL ? "Select statements within ExecuteTransaction must specify "
				      "the primary key in the where clause."
				    : "EXISTS() must contain a single item read with additional "
				      "condition");
	}
	if (r == 0 && action != NULL && check_write(c, action) < 0) {
		return fail_in(c, i);
	}
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

/* Run the statements, which are all reads or all writes. */
static int
statement_transact_run(struct transaction *t, struct call *c, bool reads,
		       struct execute_transaction_out *out)
{
	size_t n = t->in->n_statements;
	struct transact_get *gets = arena_new(&c->arena, struct transact_get, n);
	struct transact_action *actions = arena_new(&c->arena, struct transact_action, n);
	struct op_in in = {.type = reads ? OP_TRANSACT_GET_ITEMS : OP_TRANSACT_WRITE_ITEMS};
	struct op_out answer = {.type = in.type};
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		r = statement_transact_member(t, c, i, reads ? &gets[i] : NULL,
					      reads ? NULL : &actions[i]);
		/* The digest of the ClientRequestToken covers this text. */
		actions[i].condition = statement_spelled(c, &t->in->statements[i]);
	}
	if (r < 0) {
		return r;
	}
	if (reads) {
		in.transact_get_items = (struct transact_get_items_in){
			.gets = gets, .n_gets = n, .capacity = t->in->capacity};
	} else {
		in.transact_write_items =
			(struct transact_write_items_in){.actions = actions,
							 .n_actions = n,
							 .token = t->in->token,
							 .asked.capacity = t->in->capacity};
	}
	r = t->refused ? transact_cancel(c, t->reasons, n)
		       : engine_execute(&t->local->engine, c, &in, &answer);
	if (r == 0 && reads) {
		out->responses = answer.transact_get_items.responses;
		out->n_responses = n;
		out->consumed = answer.transact_get_items.consumed;
	} else if (r == 0) {
		out->consumed = answer.transact_write_items.report.consumed;
	}
	return r == -ERR_CANCELED && !reads ? say_reasons(t, c) : r;
}

/* ------------------------------------------------------------ the operation */

static int
statement_transact_bind(struct transaction *t, struct call *c)
{
	size_t reads = 0;

	for (size_t i = 0; i < t->in->n_statements; i++) {
		int r = statement_bind(t->local, c, &t->in->statements[i], &t->bound[i]);

		if (t->bound[i].absent) {
			/* Its reason: see statement_transact_member(). */
			c->error = (struct error){0};
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
	return statement_transact_run(&t, c, t.bound[0].st.kind == STATEMENT_SELECT, out);
}
