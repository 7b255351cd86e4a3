/*
 * statement_execute - ExecuteStatement; binding of a statement to its table, and execution of a translated operation
 *
 * store/partiql parses the statement and translates it to an operation. A write runs as that operation. A SELECT reads
 * its runs of keys in statement_select.c.
 */
#include "store/local/partiql/statement_execute.h"

#include "store/engine/engine.h"
#include "store/local/records/catalog.h"
#include "store/model/item_json.h"
#include "store/op/op.h"
#include "store/op/validate.h"
#include "store/partiql/statement.h"
#include "store/partiql/translate.h"

/* Remove the name of the missing index from the message: statements do not report it. */
static int
statement_execute_fail_no_index(struct call *c, int r)
{
	static const char none[] = "The table does not have the specified index";

	if (slice_starts(slice_from(c->error.message), SLICE(none))) {
		c->error.message = none;
	}
	return r;
}

/* Fail with the missing table, unless the condition is invalid for any table: that error comes first. */
static int
statement_execute_fail_no_table(struct call *c, struct bound_statement *b)
{
	struct error absent = c->error;

	c->error = (struct error){0};
	int r = translate_check(c, &b->st);

	if (r < 0) {
		b->absent = false;
		return r;
	}
	c->error = absent;
	return -ERR_NO_TABLE;
}

static int
bind_table(struct local *l, struct call *c, struct bound_statement *b)
{
	int r = catalog_find_index(l->catalog, c, b->st.table, b->st.index, &b->schema, &b->ix);

	b->absent = r == -ERR_NO_TABLE;
	b->multiple = r == 0 && b->ix != NULL &&
		      (key_part_n(b->ix->key.pk) > 1 || key_part_n(b->ix->key.sk) > 1);
	return b->multiple ? call_fail(c, ERR_VALIDATION,
				       "PartiQL statements cannot be executed on tables with "
				       "multi-attribute HASH keys or multi-attribute RANGE keys.")
			   : r;
}

int
statement_bind(struct local *l, struct call *c, const struct parameterized *p,
	       struct bound_statement *out)
{
	int r = p->fault.len > 0 ? call_fail(c, ERR_VALIDATION, "%.*s", SLICE_ARG(p->fault)) : 0;

	if (r < 0) {
		return r;
	}
	r = statement_parse(c, p->statement, p->parameters, p->n_parameters, &out->st);
	if (r < 0 && !out->st.late) {
		return r;
	}
	struct error late = c->error;

	c->error = (struct error){0};
	r = bind_table(l, c, out);
	if (late.code != 0 && !out->multiple) {
		c->error = late;
		return -(int)late.code;
	}
	if (out->absent) {
		return statement_execute_fail_no_table(c, out);
	}
	return r == -ERR_NO_INDEX ? statement_execute_fail_no_index(c, r) : r;
}

struct slice
statement_spelled(struct call *c, const struct parameterized *p)
{
	struct buf b = {.arena = &c->arena};

	buf_text(&b, p->statement);
	for (size_t i = 0; i < p->n_parameters; i++) {
		value_put_json(&b, &p->parameters[i], ITEM_TYPED);
	}
	return buf_view(&b);
}

int
statement_fail_exists(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "EXISTS can only be used in ExecuteTransaction write requests.");
}

/* Replace the error of an INSERT's condition: the item exists. */
static int
statement_duplicate(struct call *c)
{
	const struct item *item = c->error.item;

	c->error = (struct error){0};
	int r = call_fail(c, ERR_DUPLICATE, "Duplicate primary key exists in table");

	c->error.item = item;
	return r;
}

struct slice
statement_reason(struct slice message)
{
	struct slice too_deep = SLICE("Nesting Levels have exceeded supported limits");

	return slice_starts(message, too_deep) ? too_deep : message;
}

static const struct written *
written_of(const struct op_out *out)
{
	if (out->type == OP_PUT_ITEM) {
		return &out->put_item.written;
	}
	return out->type == OP_UPDATE_ITEM ? &out->update_item.written : &out->delete_item.written;
}

static void
statement_execute_answer(struct call *c, const struct bound_statement *b, const struct op_out *op,
			 struct statement_done *out)
{
	struct item *item = arena_new(&c->arena, struct item, 1);

	if (op->type == OP_GET_ITEM) {
		*item = op->get_item.item;
		out->item = op->get_item.found ? item : NULL;
		out->consumed = op->get_item.consumed;
		return;
	}
	const struct written *w = written_of(op);

	*item = w->attributes;
	out->item = b->st.returns && item->n > 0 ? item : NULL;
	out->consumed = w->report.consumed;
}

int
statement_run(struct local *l, struct call *c, const struct bound_statement *b, struct op_in *op,
	      enum capacity_level capacity, struct statement_done *out)
{
	struct write_in *w = op_write(op);
	struct op_out answered = {.type = op->type};

	assert(w != NULL || op->type == OP_GET_ITEM);
	if (w != NULL) {
		w->asked.capacity = capacity;
	} else {
		op->get_item.capacity = capacity;
	}
	int r = validate_unwrap(c, engine_execute(&l->engine, c, op, &answered));

	*out = (struct statement_done){0};
	if (r == -ERR_CONDITION && b->st.kind == STATEMENT_INSERT) {
		return statement_duplicate(c);
	}
	if (r == -ERR_VALIDATION) {
		c->error.message = statement_reason(slice_from(c->error.message)).at;
	}
	if (r == 0) {
		statement_execute_answer(c, b, &answered, out);
	}
	return r;
}

int
local_exec_execute_statement(struct local *l, struct call *c, const struct execute_statement_in *in,
			     struct execute_statement_out *out)
{
	struct bound_statement b;
	struct statement_done done;
	struct op_in op;
	int r = statement_bind(l, c, &in->of, &b);

	*out = (struct execute_statement_out){0};
	if (r < 0) {
		return r;
	}
	if (b.st.kind == STATEMENT_EXISTS) {
		return statement_fail_exists(c);
	}
	if (b.st.kind == STATEMENT_SELECT) {
		return statement_select(l, c, &b, in, out);
	}
	r = translate_write(c, b.schema, &b.st, in->of.return_on_failure, &op);
	if (r == 0) {
		r = statement_run(l, c, &b, &op, in->capacity, &done);
	}
	if (r == 0) {
		out->items = done.item;
		out->n_items = done.item == NULL ? 0 : 1;
		out->consumed = done.consumed;
	}
	return r;
}
