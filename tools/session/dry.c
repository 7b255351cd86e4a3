/* dry - see dry.h */
#include "tools/session/dry.h"

#include "store/engine/engine.h"
#include "store/engine/guard.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/op/op.h"
#include "store/op/validate.h"

#include "tools/session/attempt.h"
#include "tools/session/dry_changes.h"
#include "tools/session/keyval.h"
#include "tools/system/call_scope.h"

/* Answer reads of a table that would have been created or dropped: a new table is empty. */
static int
dry_read(void *arg, struct engine *below, struct call *c, const struct op_in *in,
	 struct op_out *out)
{
	struct dry *d = arg;
	struct slice name = in->type == OP_DESCRIBE_TABLE          ? in->describe_table.table
			    : in->type == OP_DESCRIBE_TIME_TO_LIVE ? in->describe_time_to_live.table
			    : in->type == OP_GET_ITEM              ? in->get_item.table
			    : in->type == OP_QUERY                 ? in->query.read.table
			    : in->type == OP_SCAN                  ? in->scan.read.table
								   : SLICE("");
	struct table_info info;

	if (name.len == 0 || dry_changes_table(d, below, name) == NULL) {
		return GUARD_PASS;
	}
	int r = dry_changes_describe(d, below, c, name, &info);

	if (r == 0) {
		*out = (struct op_out){.type = in->type};
	}
	if (r == 0 && in->type == OP_DESCRIBE_TABLE) {
		out->describe_table.table = info;
	}
	return r;
}

/* ------------------------------------------------------------ items */

/* Check the attributes of @it in @key, of the index @ix or, if that is NULL, of the table. */
static int
dry_check_key(struct call *c, const struct index *ix, const struct key_schema *key,
	      const struct item *it)
{
	key_each (a, key) {
		const struct value *v = item_get(it, a->name);
		int r = v == NULL ? 0 : schema_check_value(c, ix, a, v);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* Check that attributes which are keys have the type of the key and are not empty. */
static int
dry_check_keys(struct call *c, const struct schema *s, const struct item *it)
{
	int r = dry_check_key(c, NULL, &s->key, it);

	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = dry_check_key(c, &s->index[i], &s->index[i].key, it);
	}
	return r;
}

/* @whole: @it is an item to put, not only a key */
static int
dry_check(struct call *c, const struct schema *s, const struct item *it, bool whole)
{
	struct item key;
	int r = keyval_pick(c, &s->key, it, &key);

	if (r == 0 && !whole && it->n != key.n) {
		r = call_fail(c, ERR_VALIDATION,
			      "The provided key element does not match the schema");
	}
	return r < 0 || !whole ? r : dry_check_keys(c, s, it);
}

/* Replace the error of a canceled transaction with one action by the error of that action outside a transaction. */
static int
dry_reason(struct call *c, int r)
{
	struct error e = c->error;

	if (r != -ERR_CANCELED || e.n_reasons == 0) {
		return r;
	}
	const struct cancel_reason *why = &e.reasons[0];
	bool condition = slice_is(why->code, "ConditionalCheckFailed");
	struct slice message = why->message.len > 0 ? why->message
			       : condition          ? SLICE("The conditional request failed")
						    : SLICE("");

	if (message.len == 0) {
		return r;
	}
	enum err code = condition                                ? ERR_CONDITION
			: slice_is(why->code, "ValidationError") ? ERR_VALIDATION
								 : ERR_CANCELED;

	c->error = (struct error){0};
	r = call_fail(c, code, "%.*s", SLICE_ARG(message));
	c->error.item = why->item;
	return r;
}

/* Test the actions with attempt(), if the server has transactions. */
static int
dry_try(struct dry *d, struct engine *below, struct call *c, const struct transact_action *a,
	size_t n)
{
	int r = attempt(below, c, a, n);

	if (r == ATTEMPT_UNTRIED) {
		dry_changes_untried(d, "the server does not report why it canceled a transaction");
		r = 0;
	} else if (r == -ERR_UNKNOWN_OPERATION || r == -ERR_NOT_SUPPORTED) {
		dry_changes_untried(d, "the server has no transactions");
		c->error = (struct error){0};
		r = 0;
	}
	return r;
}

static const char *const dry_verbs[] = {[TRANSACT_PUT] = "put",
					[TRANSACT_DELETE] = "delete",
					[TRANSACT_CHECK] = "check",
					[TRANSACT_UPDATE] = "update"};

static void
dry_count_action(struct dry *d, enum transact_kind kind, struct slice table, uint64_t n)
{
	dry_changes_count(d, dry_verbs[kind], kind == TRANSACT_PUT ? "into" : "of", table, n);
}

/* Read the existing item, for --return old. */
static int
dry_old(struct dry *d, struct engine *below, struct call *c, const struct write_in *w,
	const struct schema *s, struct written *out)
{
	struct get_item_in in = {.table = w->table};
	struct get_item_out got = {0};
	int r = keyval_pick(c, &s->key, &w->item, &in.key);

	if (r == 0 && dry_changes_table(d, below, w->table) == NULL) {
		r = engine_get_item(below, c, &in, &got);
	}
	out->had_old = got.found;
	out->attributes = got.item;
	return r;
}

/* PutItem, UpdateItem, DeleteItem.  @legacy: with Expected or AttributeUpdates, which transactions do not support */
static int
dry_item(struct dry *d, struct engine *below, struct call *c, const struct write_in *w,
	 enum transact_kind kind, struct slice update, bool legacy, struct written *out)
{
	bool updates = kind != TRANSACT_UPDATE || update.len > 0; /* else only a condition */
	const struct transact_action action = {.kind = updates ? kind : TRANSACT_CHECK,
					       .table = w->table,
					       .item = w->item,
					       .update = update,
					       .condition = w->condition,
					       .ph = w->ph,
					       .return_on_failure = w->return_on_failure};
	bool judged = !legacy && (w->condition.len > 0 || update.len > 0);
	struct table_info info;

	if (w->return_values > RETURN_ALL_OLD) {
		return call_fail(
			c, ERR_USAGE,
			"--dry-run knows only the present item: use --return old, or no --return");
	}
	int r = dry_changes_describe(d, below, c, w->table, &info);

	r = r < 0 ? r : dry_check(c, info.schema, &w->item, kind == TRANSACT_PUT);
	/* The store does not have a table that would only be created, and so cannot test the action. */
	if (r == 0 && judged && dry_changes_table(d, below, w->table) == NULL) {
		r = dry_reason(c, dry_try(d, below, c, &action, 1));
	}
	if (r == 0 && legacy) {
		dry_changes_untried(d, "transactions do not support Expected and AttributeUpdates");
	}
	if (r == 0 && w->return_values == RETURN_ALL_OLD) {
		r = dry_old(d, below, c, w, info.schema, out);
	}
	if (r == 0) {
		dry_count_action(d, kind, w->table, 1);
	}
	return r;
}

static int
dry_items(struct dry *d, struct engine *below, struct call *c, struct slice table,
	  const struct item *items, size_t n)
{
	struct table_info info;
	int r = dry_changes_describe(d, below, c, table, &info);

	for (size_t i = 0; i < n && r == 0; i++) {
		r = validate_item(c, &items[i]);
		r = r < 0 ? r : dry_check(c, info.schema, &items[i], true);
	}
	if (r == 0) {
		dry_count_action(d, TRANSACT_PUT, table, n);
	}
	return r;
}

static int
dry_batch(struct dry *d, struct engine *below, struct call *c, const struct batch_write_item_in *in)
{
	struct table_info info;
	int r = 0;

	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		const struct batch_write *t = &in->tables[i];

		r = dry_changes_describe(d, below, c, t->table, &info);
		for (size_t k = 0; k < t->n_actions && r == 0; k++) {
			r = dry_check(c, info.schema, &t->actions[k].item,
				      t->actions[k].kind == BATCH_PUT);
		}
	}
	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		const struct batch_write *t = &in->tables[i];

		for (size_t k = 0; k < t->n_actions; k++) {
			dry_count_action(
				d, t->actions[k].kind == BATCH_PUT ? TRANSACT_PUT : TRANSACT_DELETE,
				t->table, 1);
		}
	}
	return r;
}

static int
dry_transact(struct dry *d, struct engine *below, struct call *c,
	     const struct transact_write_items_in *in)
{
	int r = dry_try(d, below, c, in->actions, in->n_actions);

	for (size_t i = 0; i < in->n_actions && r == 0; i++) {
		if (in->actions[i].kind != TRANSACT_CHECK) {
			dry_count_action(d, in->actions[i].kind, in->actions[i].table, 1);
		}
	}
	return r;
}

/* ------------------------------------------------------------ tables */

static int
dry_create(struct dry *d, struct engine *below, struct call *c, const struct create_table_in *in,
	   struct table_info *out)
{
	struct slice name = in->schema->table;
	struct table_info there;
	call_scope(own, c->now_ms);
	int r = dry_changes_describe(d, below, &own, name, &there);

	if (r == 0) {
		return call_fail(c, ERR_TABLE_IN_USE, "Table already exists: %.*s",
				 SLICE_ARG(name));
	}
	r = schema_check(c, in->schema);
	if (r == 0) {
		dry_changes_add_table(d, below, name, in->schema);
		dry_changes_count(d, "create table", "", name, 1);
		r = dry_changes_describe(d, below, c, name, out);
	}
	return r;
}

static int
dry_drop(struct dry *d, struct engine *below, struct call *c, struct slice name,
	 struct table_info *out)
{
	int r = dry_changes_describe(d, below, c, name, out);

	assert(r != 0 || out->schema != NULL);
	if (r == 0 && out->schema->protected) {
		r = call_fail(c, ERR_VALIDATION,
			      "Resource cannot be deleted as it is currently protected against "
			      "deletion. Disable deletion protection first.");
	}
	if (r == 0) {
		dry_changes_count(d, "delete the", "of table", name, out->totals.items);
		dry_changes_count(d, "drop table", "", name, 1);
		dry_changes_add_table(d, below, name, NULL);
	}
	return r;
}

static int
dry_alter(struct dry *d, struct engine *below, struct call *c, struct slice name,
	  struct table_info *out)
{
	int r = dry_changes_describe(d, below, c, name, out);

	if (r == 0) {
		dry_changes_count(d, "change the settings or indexes of table", "", name, 1);
	}
	return r;
}

/* ------------------------------------------------------------ all writes */

/* The reason why a dry run refuses an operation, with an alternative; NULL: it does not refuse it. */
static const char *
dry_refusal(enum op_type type)
{
	switch ((int)type) {
	case OP_EXECUTE_STATEMENT:
	case OP_BATCH_EXECUTE_STATEMENT:
	case OP_EXECUTE_TRANSACTION:
		return "--dry-run does not try statements; to see what one would do: itemctl sql "
		       "--explain";
	case OP_SWEEP:
		return "--dry-run does not go with sweep; to find items by their time: itemctl "
		       "scan --filter";
	case OP_CHECK:
		return "--dry-run has nothing to add to check without --repair, which changes nothing";
	case OP_COMPACT:
		return "compact changes no item: it takes no --dry-run";
	default:
		return NULL;
	}
}

static int
dry_answer(struct dry *d, struct engine *below, struct call *c, const struct op_in *in,
	   struct op_out *out)
{
	const struct update_item_in *u = &in->update_item;
	struct table_info info;

	switch ((int)in->type) {
	case OP_LOAD_ITEMS:
		out->load_items.loaded = in->load_items.n_items;
		return dry_items(d, below, c, in->load_items.table, in->load_items.items,
				 in->load_items.n_items);
	case OP_BATCH_WRITE_ITEM:
		return dry_batch(d, below, c, &in->batch_write_item);
	case OP_TRANSACT_WRITE_ITEMS:
		return dry_transact(d, below, c, &in->transact_write_items);
	case OP_CHANGE_ITEMS: /* the caller falls back to single requests */
		return call_fail(c, ERR_UNKNOWN_OPERATION, "not in a dry run");
	case OP_CREATE_TABLE:
		return dry_create(d, below, c, &in->create_table, &out->create_table.table);
	case OP_DELETE_TABLE:
		return dry_drop(d, below, c, in->delete_table.table, &out->delete_table.table);
	case OP_UPDATE_TABLE:
		return dry_alter(d, below, c, in->update_table.table, &out->update_table.table);
	case OP_UPDATE_TIME_TO_LIVE:
		return dry_alter(d, below, c, in->update_time_to_live.table, &info);
	case OP_PUT_ITEM:
		return dry_item(d, below, c, &in->put_item.write, TRANSACT_PUT, SLICE(""),
				in->put_item.write.expected.n > 0, &out->put_item.written);
	case OP_UPDATE_ITEM:
		return dry_item(d, below, c, &u->write, TRANSACT_UPDATE, u->update,
				u->write.expected.n > 0 || u->updates.n > 0,
				&out->update_item.written);
	case OP_DELETE_ITEM:
		return dry_item(d, below, c, &in->delete_item.write, TRANSACT_DELETE, SLICE(""),
				in->delete_item.write.expected.n > 0, &out->delete_item.written);
	default: /* only the command call sends these */
		dry_changes_count(d, "carry out", "", slice_from(op_name(in->type)), 1);
		return 0;
	}
}

static int
dry_write(void *arg, struct engine *below, struct call *c, const struct op_in *in,
	  struct op_out *out)
{
	const char *why = dry_refusal(in->type);
	struct op_out answer = {.type = in->type};
	int r = why == NULL ? op_validate(c, in) : call_fail(c, ERR_USAGE, "%s", why);

	r = r < 0 ? r : dry_answer(arg, below, c, in, &answer);
	if (r == 0) {
		*out = answer;
	}
	return r;
}

struct engine *
dry_open(struct engine *below, struct dry *d)
{
	return guard_open(below, dry_write, dry_read, d);
}
