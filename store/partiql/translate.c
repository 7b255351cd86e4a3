/* translate - checks conditions, finds keys and key ranges, and fills the struct of an operation */
#include "store/partiql/translate.h"

#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/expr/expr.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/partiql/partiql_reader.h"
#include "store/partiql/where.h"
#include "store/partiql/where_int.h"

/* ------------------------------------------------------------ parts */

static struct placeholders
placeholders_of(struct call *c, const struct trees *t)
{
	struct trees *copy = arena_new(&c->arena, struct trees, 1);

	*copy = *t;
	return (struct placeholders){.trees = copy};
}

int
translate_check(struct call *c, const struct statement *st)
{
	struct placeholders ph = {.trees = &st->trees};
	struct expr *e;

	return expr_condition(c, expr_scope_open(c, &ph), EXPR_CONDITION, st->text, &e);
}

/* Return: a condition on the existence of the item: @function of the partition key, joined with @rest if not NULL. */
static struct node *
present(struct call *c, const struct schema *s, enum node_type join, const char *function,
	struct node *rest)
{
	struct node *name = node_name(c, s->key.pk[0].name, 0);
	struct node *two[2] = {truth_call(c, function, 0, &name, 1), rest};

	return rest == NULL ? two[0] : node_make(c, join, 0, two, 2);
}

/* ------------------------------------------------------------ writes */

static int
check_key_attribute(struct call *c, const struct key_attr *attr, const struct item *it)
{
	const struct value *v = item_get(it, attr->name);

	if (v == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "Key attribute should be present in the item: Key %.*s",
				 SLICE_ARG(attr->name));
	}
	return where_check_value(c, attr, v);
}

static int
translate_insert(struct call *c, const struct schema *s, const struct statement *st,
		 struct transact_action *out)
{
	int r = check_key_attribute(c, &s->key.pk[0], &st->item);

	if (r == 0 && key_schema_has_sort(&s->key)) {
		r = check_key_attribute(c, &s->key.sk[0], &st->item);
	}
	struct trees t = {.condition = present(c, s, NODE_AND, "attribute_not_exists", NULL)};

	out->kind = TRANSACT_PUT;
	out->item = st->item;
	out->ph = placeholders_of(c, &t);
	return r;
}

static int
translate_where(struct call *c, const struct schema *s, const struct statement *st,
		struct transact_action *out)
{
	struct trees t = st->trees;
	int r = translate_check(c, st);

	if (r == 0) {
		r = where_key(c, &s->key, st->kind, t.condition, &out->item, &t.condition);
	}
	if (r == 0 && st->kind == STATEMENT_EXISTS && (out->item.n == 0 || t.condition == NULL)) {
		return TRANSLATE_NOT_ONE;
	}
	if (r == 0 && out->item.n == 0) {
		return call_fail(
			c, ERR_VALIDATION,
			"Where clause does not contain a mandatory equality on all key attributes");
	}
	/* UPDATE and EXISTS need an existing item; DELETE of a missing item succeeds. */
	if (st->kind != STATEMENT_DELETE) {
		t.condition = present(c, s, NODE_AND, "attribute_exists", t.condition);
	} else if (t.condition != NULL) {
		t.condition = present(c, s, NODE_OR, "attribute_not_exists", t.condition);
	}
	out->ph = placeholders_of(c, &t);
	return r;
}

int
translate_action(struct call *c, const struct schema *s, const struct statement *st,
		 enum return_values on_failure, struct transact_action *out)
{
	/* The texts only mark that an expression is present; they are not parsed. */
	*out = (struct transact_action){
		.table = st->table,
		.condition = st->text,
		.return_on_failure = on_failure,
	};
	if (st->kind == STATEMENT_INSERT) {
		return translate_insert(c, s, st, out);
	}
	if (st->kind == STATEMENT_UPDATE) {
		out->kind = TRANSACT_UPDATE;
		out->update = st->text;
	} else {
		out->kind = st->kind == STATEMENT_DELETE ? TRANSACT_DELETE : TRANSACT_CHECK;
	}
	return translate_where(c, s, st, out);
}

int
translate_write(struct call *c, const struct schema *s, const struct statement *st,
		enum return_values on_failure, struct op_in *out)
{
	struct transact_action a;
	int r = translate_action(c, s, st, on_failure, &a);
	struct write_in w = {
		.table = a.table,
		.item = a.item,
		.condition = a.condition,
		.ph = a.ph,
		.return_values = st->returning,
		.return_on_failure = on_failure,
	};

	if (st->kind == STATEMENT_INSERT) {
		*out = (struct op_in){.type = OP_PUT_ITEM, .put_item = {.write = w}};
	} else if (st->kind == STATEMENT_UPDATE) {
		*out = (struct op_in){.type = OP_UPDATE_ITEM,
				      .update_item = {.write = w, .update = a.update}};
	} else {
		*out = (struct op_in){.type = OP_DELETE_ITEM, .delete_item = {.write = w}};
	}
	return r;
}

/* ------------------------------------------------------------ SELECT */

int
translate_get(struct call *c, const struct schema *s, const struct statement *st,
	      struct transact_get *out)
{
	struct trees t = st->trees;
	int r = translate_check(c, st);

	*out = (struct transact_get){.table = st->table, .projection = st->text};
	if (r == 0) {
		r = where_check_reads(c, &s->key, t.condition);
	}
	if (r == 0) {
		r = where_key(c, &s->key, st->kind, t.condition, &out->key, &t.condition);
	}
	if (r == 0 && (st->index.len > 0 || out->key.n == 0 || t.condition != NULL)) {
		return TRANSLATE_NOT_ONE;
	}
	out->ph = placeholders_of(c, &t);
	return r;
}

int
translate_check_overlap(struct call *c, const struct schema *s, const struct statement *st)
{
	return where_branches(c, s, NULL, st->trees.condition);
}

static int
translate_check_order(struct call *c, const struct key_schema *k, const struct statement *st)
{
	for (size_t i = 0; i < st->n_order; i++) {
		if (!key_schema_has(k, st->order[i].name)) {
			return expr_blame(c, st->order[i].place,
					  call_fail(c, ERR_VALIDATION,
						    "Variable reference %.*s in ORDER BY clause "
						    "must be part of the primary key",
						    SLICE_ARG(st->order[i].name)));
		}
	}
	return 0;
}

/* Return: how ORDER BY sorts by the attribute @name: 1: ascending, -1: descending, 0: not at all */
static int
direction(const struct statement *st, struct slice name)
{
	for (size_t i = 0; i < st->n_order; i++) {
		if (slice_eq(st->order[i].name, name)) {
			return st->order[i].descending ? -1 : 1;
		}
	}
	return 0;
}

static int
rising(const void *a, const void *b)
{
	const struct keycond *x = a;
	const struct keycond *y = b;
	int r = 0;

	for (size_t i = 0; i < x->equal.n && r == 0; i++) {
		r = value_cmp(x->equal.at[i], y->equal.at[i]);
	}
	return r;
}

static int
falling(const void *a, const void *b)
{
	return rising(b, a);
}

int
translate_select(struct call *c, const struct schema *s, const struct index *ix,
		 const struct statement *st, struct selection *out)
{
	const struct key_schema *k = schema_key(s, ix);
	struct trees t = st->trees;
	int r = translate_check(c, st);

	*out = (struct selection){0};
	if (r == 0) {
		r = translate_check_order(c, k, st);
	}
	if (r == 0) {
		out->backward = key_schema_has_sort(k) && direction(st, k->sk[0].name) < 0;
		r = where_runs(c, s, ix, t.condition, out->backward, &out->runs);
	}
	if (r < 0) {
		return r;
	}
	if (st->n_order > 0 && out->runs.n == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "Must have at least one non-optional hash key condition in WHERE "
				 "clause when using ORDER BY clause.");
	}
	int order = direction(st, k->pk[0].name);

	if (st->n_order > 0 && order == 0 && out->runs.n > out->runs.each) {
		return call_fail(c, ERR_VALIDATION,
				 "Must have hash key in ORDER BY clause when more than one hash "
				 "key condition specified in WHERE clause.");
	}

	/* Sort whole partitions; the ranges of each keep their order. */
	if (order != 0) {
		assert(out->runs.each > 0 && out->runs.n % out->runs.each == 0);
		qsort(out->runs.at, out->runs.n / out->runs.each,
		      out->runs.each * sizeof(*out->runs.at), order < 0 ? falling : rising);
	}
	t.condition = out->runs.rest;
	out->read = (struct read_in){
		.table = st->table,
		.index = st->index,
		.filter = st->text,
		.projection = st->trees.projection == NULL ? (struct slice){0} : st->text,
		.ph = placeholders_of(c, &t),
	};
	return 0;
}

struct item
translate_answer(struct call *c, const struct statement *st, const struct item *it)
{
	size_t n = st->trees.n_projection;
	struct item out = {arena_new(&c->arena, struct attr, n), 0};

	if (st->trees.projection == NULL) {
		return *it;
	}
	for (size_t i = 0; i < n; i++) {
		const struct value *v = path_find(&st->trees.projection[i], it);

		if (v != NULL) {
			out.at[out.n++] = (struct attr){st->labels[i], *v};
		}
	}
	return out;
}
