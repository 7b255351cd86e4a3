/* make - random requests; tables and whole cases are in case.c, values in value.c */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------ parts of requests */

static void
put_text(struct json_writer *w, const char *name, const char *text)
{
	json_name(w, name);
	json_string(w, slice_from(text));
}

static void
put_raw(struct json_writer *w, const char *name, const struct buf *text)
{
	json_name(w, name);
	json_raw(w, buf_view(text));
}

static void
put_attribute(struct make *m, struct json_writer *w, const struct make_table *t, const char *name)
{
	struct buf text;

	buf_init(&text, &m->c->arena);
	make_key_value(m, &text, make_type(t, name));
	put_raw(w, name, &text);
}

static void
put_key(struct make *m, struct json_writer *w, const struct make_table *t, const char *name)
{
	json_name(w, name);
	json_open(w, '{');
	put_attribute(m, w, t, "pk");
	if (t->types[1] != 0) {
		put_attribute(m, w, t, "sk");
	}
	json_close(w);
}

static void
put_item(struct make *m, struct json_writer *w, const struct make_table *t)
{
	static const char *const names[] = {"a", "b", "c", "m", "l", "name"};

	json_name(w, "Item");
	json_open(w, '{');
	put_attribute(m, w, t, "pk");
	if (t->types[1] != 0) {
		put_attribute(m, w, t, "sk");
	}
	for (const char *name = "g"; name != NULL; name = strcmp(name, "g") == 0 ? "h" : NULL) {
		if (make_chance(m, 70)) {
			put_attribute(m, w, t, name);
		}
	}
	for (size_t i = 0; i < COUNT(names); i++) {
		struct buf text;

		if (make_chance(m, 35)) {
			buf_init(&text, &m->c->arena);
			make_value(m, &text, 3);
			put_raw(w, names[i], &text);
		}
	}
	json_close(w);
}

static void
put_one_of(struct make *m, struct json_writer *w, const char *name, const char *const *from,
	   size_t n)
{
	if (make_chance(m, 30)) {
		put_text(w, name, from[make_pick(m, n)]);
	}
}

/* ------------------------------------------------------------ requests of one item */

static void
put_write_options(struct make *m, struct json_writer *w, bool update)
{
	static const char *const returned[] = {"NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD",
					       "UPDATED_NEW"};
	static const char *const failed[] = {"NONE", "ALL_OLD"};

	/* Put and Delete allow two of the five values; sometimes another one is tried. */
	put_one_of(m, w, "ReturnValues", returned, update || make_chance(m, 5) ? 5 : 2);
	put_one_of(m, w, "ReturnValuesOnConditionCheckFailure", failed, 2);
}

static void
put_read_options(struct make *m, struct json_writer *w)
{
	if (make_chance(m, 20)) {
		json_name(w, "ConsistentRead");
		json_bool(w, make_chance(m, 50));
	}
}

static void
put_capacity(struct make *m, struct json_writer *w)
{
	static const char *const kinds[] = {"TOTAL", "INDEXES", "NONE"};

	if (m->o->capacity) {
		put_one_of(m, w, "ReturnConsumedCapacity", kinds, COUNT(kinds));
	}
}

static void
put_target(struct make *m, struct json_writer *w, const char *op)
{
	const struct make_table *t = &m->table[make_pick(m, 2)];

	put_text(w, "TableName", t->name);
	if (strcmp(op, "Put") == 0) {
		put_item(m, w, t);
	} else {
		put_key(m, w, t, "Key");
	}
}

/* Write the members of an action on one item, alone or in a transaction. */
static void
put_action(struct make *m, struct json_writer *w, const char *op)
{
	bool update = strcmp(op, "Update") == 0;
	struct expressions x;

	expressions_begin(&x, m);
	put_target(m, w, op);
	if (strcmp(op, "Get") == 0) {
		if (make_chance(m, 40)) {
			expression_projection(&x, w);
		}
	} else if (make_chance(m, strcmp(op, "ConditionCheck") == 0 ? 98 : 35)) {
		expression_condition(&x, w, "ConditionExpression");
	}
	if (update) {
		expression_update(&x, w);
	}
	expressions_end(&x, w);
}

/* Should this request use the legacy parameters? */
static bool
is_legacy(struct make *m)
{
	return m->o->legacy && make_chance(m, 60);
}

static void
put_legacy_action(struct make *m, struct json_writer *w, const char *op)
{
	put_target(m, w, op);
	if (strcmp(op, "Get") == 0) {
		legacy_attributes(m, w);
		return;
	}
	if (make_chance(m, 50)) {
		legacy_conditions(m, w, "Expected");
	}
	if (strcmp(op, "Update") == 0) {
		legacy_updates(m, w);
	}
}

static void
one_item(struct make *m, struct json_writer *w, const char *op)
{
	if (is_legacy(m)) {
		put_legacy_action(m, w, op);
	} else {
		put_action(m, w, op);
	}
	if (strcmp(op, "Get") == 0) {
		put_read_options(m, w);
	} else {
		put_write_options(m, w, strcmp(op, "Update") == 0);
	}
}

/* ------------------------------------------------------------ requests of many items */

/* @legacy: the name of the legacy parameter of the filter; NULL: write it as an expression */
static void
put_reading(struct make *m, struct json_writer *w, struct expressions *x, const char *legacy)
{
	static const char *const select[] = {"COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES",
					     "SPECIFIC_ATTRIBUTES"};

	if (make_chance(m, 40)) {
		if (legacy != NULL) {
			legacy_conditions(m, w, legacy);
		} else {
			expression_condition(x, w, "FilterExpression");
		}
	}
	if (make_chance(m, 25)) {
		if (legacy != NULL) {
			legacy_attributes(m, w);
		} else {
			expression_projection(x, w);
		}
	} else if (make_chance(m, 25)) {
		put_text(w, "Select", select[make_chance(m, 80) ? 0 : make_pick(m, COUNT(select))]);
	}
	expressions_end(x, w);
	put_read_options(m, w);
	if (make_chance(m, 40)) {
		json_name(w, "Limit");
		json_uint(w, 1 + make_pick(m, 4));
	}
}

static void
query(struct make *m, struct json_writer *w, struct request *r)
{
	const struct make_table *t = &m->table[make_pick(m, 2)];
	const char *hash = "pk";
	const char *range = t->types[1] != 0 ? "sk" : NULL;
	struct expressions x;

	expressions_begin(&x, m);
	put_text(w, "TableName", t->name);
	if (t->n_indexes > 0 && make_chance(m, 50)) {
		const struct make_index *index = &t->index[make_pick(m, t->n_indexes)];

		put_text(w, "IndexName", index->name);
		hash = index->hash;
		range = index->range;
		r->pages = true;
		r->order = range == NULL ? "" : range;
	}
	if (is_legacy(m)) {
		legacy_key(m, w, t, hash, range);
		put_reading(m, w, &x, make_chance(m, 80) ? "QueryFilter" : NULL);
	} else {
		expression_key(&x, w, t, hash, range);
		put_reading(m, w, &x, NULL);
	}
	if (make_chance(m, 30)) {
		json_name(w, "ScanIndexForward");
		json_bool(w, make_chance(m, 30));
	}
	if (!r->pages && make_chance(m, 15)) {
		put_key(m, w, t, "ExclusiveStartKey");
	}
}

static void
scan(struct make *m, struct json_writer *w, struct request *r)
{
	const struct make_table *t = &m->table[make_pick(m, 2)];
	struct expressions x;

	expressions_begin(&x, m);
	put_text(w, "TableName", t->name);
	if (t->n_indexes > 0 && make_chance(m, 30)) {
		put_text(w, "IndexName", t->index[make_pick(m, t->n_indexes)].name);
	}
	put_reading(m, w, &x, is_legacy(m) ? "ScanFilter" : NULL);
	r->pages = true;
	r->order = "";
}

static void
batch_get(struct make *m, struct json_writer *w)
{
	json_name(w, "RequestItems");
	json_open(w, '{');
	for (size_t i = 0; i < 2; i++) {
		struct expressions x;

		if (i == 1 && make_chance(m, 50)) {
			continue;
		}
		json_name(w, m->table[i].name);
		json_open(w, '{');
		json_name(w, "Keys");
		json_open(w, '[');
		for (size_t n = 1 + make_pick(m, 3); n > 0; n--) {
			json_open(w, '{');
			put_attribute(m, w, &m->table[i], "pk");
			if (m->table[i].types[1] != 0) {
				put_attribute(m, w, &m->table[i], "sk");
			}
			json_close(w);
		}
		json_close(w);
		expressions_begin(&x, m);
		if (is_legacy(m)) {
			legacy_attributes(m, w);
		} else if (make_chance(m, 40)) {
			expression_projection(&x, w);
		}
		expressions_end(&x, w);
		json_close(w);
	}
	json_close(w);
}

static void
batch_write(struct make *m, struct json_writer *w)
{
	json_name(w, "RequestItems");
	json_open(w, '{');
	for (size_t i = 0; i < 2; i++) {
		if (i == 1 && make_chance(m, 50)) {
			continue;
		}
		json_name(w, m->table[i].name);
		json_open(w, '[');
		for (size_t n = 1 + make_pick(m, 3); n > 0; n--) {
			bool put = make_chance(m, 70);

			json_open(w, '{');
			json_name(w, put ? "PutRequest" : "DeleteRequest");
			json_open(w, '{');
			if (put) {
				put_item(m, w, &m->table[i]);
			} else {
				put_key(m, w, &m->table[i], "Key");
			}
			json_close(w);
			json_close(w);
		}
		json_close(w);
	}
	json_close(w);
}

static void
transact(struct make *m, struct json_writer *w, const char *const *actions, size_t n_actions)
{
	static const char *const failed[] = {"NONE", "ALL_OLD"};

	json_name(w, "TransactItems");
	json_open(w, '[');
	for (size_t n = 1 + make_pick(m, 3); n > 0; n--) {
		const char *action = actions[make_pick(m, n_actions)];

		json_open(w, '{');
		json_name(w, action);
		json_open(w, '{');
		put_action(m, w, action);
		if (strcmp(action, "Get") != 0) {
			put_one_of(m, w, "ReturnValuesOnConditionCheckFailure", failed, 2);
		}
		json_close(w);
		json_close(w);
	}
	json_close(w);
}

/* ------------------------------------------------------------ any of them */

static void
write_request(struct make *m, struct json_writer *w, struct request *r)
{
	static const char *const gets[] = {"Get"};
	static const char *const writes[] = {"Put", "Delete", "ConditionCheck", "Update"};

	if (strcmp(r->op, "PutItem") == 0) {
		one_item(m, w, "Put");
	} else if (strcmp(r->op, "GetItem") == 0) {
		one_item(m, w, "Get");
	} else if (strcmp(r->op, "DeleteItem") == 0) {
		one_item(m, w, "Delete");
	} else if (strcmp(r->op, "UpdateItem") == 0) {
		one_item(m, w, "Update");
	} else if (strcmp(r->op, "Query") == 0) {
		query(m, w, r);
	} else if (strcmp(r->op, "Scan") == 0) {
		scan(m, w, r);
	} else if (strcmp(r->op, "BatchGetItem") == 0) {
		batch_get(m, w);
	} else if (strcmp(r->op, "BatchWriteItem") == 0) {
		batch_write(m, w);
	} else if (strcmp(r->op, "UpdateTable") == 0) {
		make_update_table(m, w);
	} else if (strcmp(r->op, "TransactGetItems") == 0) {
		transact(m, w, gets, COUNT(gets));
	} else if (strcmp(r->op, "ExecuteStatement") == 0) {
		statement_alone(m, w, r);
	} else if (strcmp(r->op, "BatchExecuteStatement") == 0) {
		statement_several(m, w, "Statements", false);
	} else if (strcmp(r->op, "ExecuteTransaction") == 0) {
		statement_several(m, w, "TransactStatements", true);
	} else {
		transact(m, w, writes, m->o->updates ? COUNT(writes) : COUNT(writes) - 1);
	}
}

static const char *
any_statement(struct make *m)
{
	static const char *const ops[] = {"ExecuteStatement", "ExecuteStatement",
					  "BatchExecuteStatement", "ExecuteTransaction"};

	return ops[make_pick(m, COUNT(ops))];
}

struct request
make_request(struct make *m)
{
	/* Writes are frequent, so that reads find items. */
	static const char *const ops[] = {"PutItem",
					  "PutItem",
					  "PutItem",
					  "BatchWriteItem",
					  "DeleteItem",
					  "GetItem",
					  "Query",
					  "Query",
					  "Query",
					  "Scan",
					  "BatchGetItem",
					  "TransactGetItems",
					  "TransactWriteItems",
					  "TransactWriteItems",
					  "UpdateItem",
					  "UpdateItem",
					  "UpdateItem"};
	struct request r = {.op = ops[make_pick(m, COUNT(ops) - (m->o->updates ? 0 : 3))]};
	struct json_writer w;
	struct buf b;

	if (m->o->statements && make_chance(m, 60)) {
		r.op = any_statement(m);
	}
	if (m->o->tables && make_chance(m, 25)) {
		r.op = "UpdateTable";
	}
	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	write_request(m, &w, &r);
	if (strcmp(r.op, "UpdateTable") != 0) {
		put_capacity(m, &w);
	}
	json_close(&w);
	r.body = buf_view(&b);
	return r;
}
