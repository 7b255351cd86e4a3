/*
 * path_query - see path_query.h
 *
 * clauses.c knows the words, the engine their meaning. This file gives the values the types of the key.
 */
#include "fs/place/path_query.h"

#include "store/base/core/utf8.h"
#include "store/engine/engine.h"
#include "store/expr/expr.h"
#include "store/expr/inline.h"
#include "store/model/item.h"
#include "store/model/number.h"
#include "store/model/schema.h"
#include "store/op/op.h"

#include "fs/format/clauses.h"
#include "fs/format/path.h"
#include "fs/place/place.h"
#include "fs/place/place_remote.h"

/* Names of our placeholders, which users are not expected to type. A number follows: "#itemfs_p0". */
#define PART "itemfs_p"  /* attributes and values of the partition key */
#define SORT "itemfs_s"  /* attributes of the sort key */
#define FROM "itemfs_a"  /* values of the conditions on it */
#define TO "itemfs_b"    /* second values of .between */
#define SHOWN "itemfs_k" /* attributes of a projection to keys */

/* The state of building one query. */
struct making {
	struct call *c;
	const struct place *p;
	const struct key_schema *key; /* of @p: the index's or the table's */
	struct inline_request r;      /* placeholders so far */
};

/* ------------------------------------------------------------ values */

static int
path_query_read_binary(struct call *c, const struct key_attr *attr, struct slice text,
		       struct value *out)
{
	struct buf lower, bytes;

	buf_init(&lower, &c->arena);
	buf_init(&bytes, &c->arena);
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		buf_char(&lower, ch >= 'A' && ch <= 'F' ? (char)(ch - 'A' + 'a') : ch);
	}
	if (!path_unhex(&bytes, buf_view(&lower))) {
		return call_fail(c, ERR_VALIDATION,
				 "%.*s is binary: expected hex digits, found \"%.*s\"",
				 SLICE_ARG(attr->name), SLICE_ARG(text));
	}
	out->text = buf_view(&bytes);
	return 0;
}

static int
path_query_read_value(struct call *c, const struct key_attr *attr, struct slice text,
		      struct value *out)
{
	*out = (struct value){.type = attr->type, .text = text};
	if (attr->type == VALUE_N) {
		return number_canonical(c, text, &out->text);
	}
	if (attr->type == VALUE_B) {
		return path_query_read_binary(c, attr, text, out);
	}
	return utf8_valid(text)
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "%.*s is a string: these bytes are not UTF-8",
				   SLICE_ARG(attr->name));
}

/* ------------------------------------------------------------ the key condition */

/* The placeholder "<mark><name><i>". */
static struct slice
path_query_alias(struct call *c, char mark, const char *name, size_t i)
{
	return slice_from(arena_print(&c->arena, "%c%s%zu", mark, name, i));
}

static struct slice
name_attr(struct making *mk, const char *name, size_t i, struct slice attr)
{
	struct slice a = path_query_alias(mk->c, '#', name, i);

	inline_name(mk->c, &mk->r, a, attr);
	return a;
}

static void
path_query_put_and(struct buf *text)
{
	if (text->len > 0) {
		buf_str(text, " AND ");
	}
}

static void
path_query_put_equal(struct making *mk, struct buf *text, const struct key_attr *attr, size_t i)
{
	path_query_put_and(text);
	buf_slice(text, name_attr(mk, PART, i, attr->name));
	buf_fmt(text, " = :" PART "%zu", i);
}

/* The condition on the @i-th attribute of the sort key. */
static int
path_query_put_sort(struct making *mk, struct buf *text, size_t i)
{
	assert(i < KEY_PART_MAX);
	static const char *const comparators[] = {
		[CLAUSE_EQ] = "=", [CLAUSE_LT] = "<",  [CLAUSE_LE] = "<=",
		[CLAUSE_GT] = ">", [CLAUSE_GE] = ">=",
	};
	const struct sort_clause *s = &mk->p->clauses.sort[i];
	const struct key_attr *attr = &mk->key->sk[i];
	struct slice name = name_attr(mk, SORT, i, attr->name);
	struct slice a = path_query_alias(mk->c, ':', FROM, i),
		     b = path_query_alias(mk->c, ':', TO, i);
	struct value v;
	int r = path_query_read_value(mk->c, attr, s->a, &v);

	if (r < 0) {
		return r;
	}
	inline_value(mk->c, &mk->r, a, &v);
	path_query_put_and(text);
	if (s->kind == CLAUSE_BEGINS_WITH) {
		buf_fmt(text, "begins_with(%.*s, %.*s)", SLICE_ARG(name), SLICE_ARG(a));
		return 0;
	}
	if (s->kind != CLAUSE_BETWEEN) {
		buf_fmt(text, "%.*s %s %.*s", SLICE_ARG(name), comparators[s->kind], SLICE_ARG(a));
		return 0;
	}
	r = path_query_read_value(mk->c, attr, s->b, &v);
	inline_value(mk->c, &mk->r, b, &v);
	buf_fmt(text, "%.*s BETWEEN %.*s AND %.*s", SLICE_ARG(name), SLICE_ARG(a), SLICE_ARG(b));
	return r;
}

static int
put_sorts(struct making *mk, struct buf *text)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < mk->p->clauses.n_sort; i++) {
		r = path_query_put_sort(mk, text, i);
	}
	return r;
}

/* ------------------------------------------------------------ expressions */

static int
path_query_rewrite(struct making *mk, const char *field, struct slice typed, struct slice *out)
{
	struct inline_text text;

	if (typed.len == 0) {
		return 0;
	}
	if (ascii_trim(typed).len == 0) {
		return call_fail(mk->c, ERR_VALIDATION,
				 "Invalid %s: The expression can not be empty;", field);
	}
	int r = inline_expression(mk->c, &mk->r, typed, &text);

	*out = text.text;
	return r;
}

/* The projection that names an entry: the key attributes of index and table, each once. */
static struct slice
project_keys(struct making *mk)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(mk->p->schema, mk->p->index, attrs);
	struct buf list;

	buf_init(&list, &mk->c->arena);
	for (size_t i = 0; i < n; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++) {
			again = again || slice_eq(attrs[k]->name, attrs[i]->name);
		}
		if (!again) {
			buf_str(&list, i == 0 ? "" : ", ");
			buf_slice(&list, name_attr(mk, SHOWN, i, attrs[i]->name));
		}
	}
	return buf_view(&list);
}

/* ------------------------------------------------------------ collections */

/* The values of the partition key of collection @i. */
static int
partition_values(struct making *mk, size_t i, struct values *out)
{
	assert(!mk->p->clauses.sharded || i <= mk->p->clauses.shard_hi - mk->p->clauses.shard_lo);
	const struct clauses *q = &mk->p->clauses;

	if (!q->sharded) {
		*out = mk->p->pk;
		return 0;
	}
	const char *text = arena_print(&mk->c->arena, "%.*s%u", SLICE_ARG(q->shard_prefix),
				       q->shard_lo + (uint32_t)i);

	*out = (struct values){arena_new(&mk->c->arena, struct value, 1), 1};
	return path_query_read_value(mk->c, mk->key->pk, slice_from(text), out->at);
}

static int
make_queries(struct making *mk, const struct read_in *read, struct query *out)
{
	const struct clauses *q = &mk->p->clauses;
	size_t n_pk = key_part_n(mk->key->pk);
	struct buf text;

	buf_init(&text, &mk->c->arena);
	for (size_t i = 0; i < n_pk; i++) {
		path_query_put_equal(mk, &text, &mk->key->pk[i], i);
	}
	int r = put_sorts(mk, &text);

	out->n = q->sharded ? q->shard_hi - q->shard_lo + 1 : 1;
	out->requests = arena_new(&mk->c->arena, struct op_in, out->n);
	for (size_t i = 0; r == 0 && i < out->n; i++) {
		struct op_in *in = &out->requests[i];
		struct inline_request own = mk->r;
		struct values pk;

		r = partition_values(mk, i, &pk);
		for (size_t k = 0; r == 0 && k < pk.n; k++) {
			inline_value(mk->c, &own, path_query_alias(mk->c, ':', PART, k), &pk.at[k]);
		}
		in->type = OP_QUERY;
		in->query = (struct query_in){
			.read = *read, .key_condition = buf_view(&text), .backward = q->reverse};
		in->query.read.ph = own.ph;
	}
	return r;
}

static void
make_scan(struct making *mk, const struct read_in *read, struct query *out)
{
	out->n = 1;
	out->requests = arena_new(&mk->c->arena, struct op_in, 1);
	out->requests->type = OP_SCAN;
	out->requests->scan = (struct scan_in){.read = *read};
	out->requests->scan.read.ph = mk->r.ph;
}

int
query_make(const struct mount *m, struct call *c, const struct place *p, enum query_wants wants,
	   struct query *out)
{
	struct making mk = {.c = c, .p = p, .key = place_key(p)};
	struct read_in read = {
		.table = p->table,
		.index = place_index(p),
		/* Reads of a global index are eventually consistent. */
		.consistent = place_is_consistent(m, p) && (p->index == NULL || !p->index->global),
	};
	int r = path_query_rewrite(&mk, "FilterExpression", p->clauses.filter, &read.filter);

	*out = (struct query){.n = 0};
	if (p->partition.len > 0 && p->pk.n == 0 && !p->clauses.sharded) {
		return PLACE_ABSENT;
	}
	if (r == 0 && wants == QUERY_ITEMS) {
		r = path_query_rewrite(&mk, "ProjectionExpression", p->clauses.project,
				       &read.projection);
	} else if (r == 0) {
		read.projection = project_keys(&mk);
	}
	if (r == 0 && (p->pk.n > 0 || p->clauses.sharded)) {
		r = make_queries(&mk, &read, out);
	} else if (r == 0) {
		make_scan(&mk, &read, out);
	}
	out->expressions = mk.r;
	return r;
}

/* ------------------------------------------------------------ execution */

void
query_say(struct call *c, const struct place *p, const struct query *q)
{
	const struct slice typed[] = {p->clauses.filter, p->clauses.project};
	struct buf text;

	buf_init(&text, &c->arena);
	inline_say(&q->expressions, typed, 2, c->error.message, &text);
	buf_char(&text, '\0');
	c->error.message = text.at;
}

int
query_page(struct mount *m, struct call *c, const struct place *p, const struct query *q,
	   const struct op_in *in, struct page *out)
{
	struct op_out any = {.type = in->type};
	int r = engine_execute(m->engine, c, in, &any);

	if (r < 0) {
		query_say(c, p, q);
		return r;
	}
	*out = in->type == OP_QUERY ? any.query.page : any.scan.page;
	return 0;
}

int
query_check(struct mount *m, struct call *c, const struct place *p)
{
	struct place one = *p;
	struct query q;
	struct page page;

	/* A query that is valid for one shard is valid for all. */
	one.clauses.shard_hi = one.clauses.shard_lo;
	int r = query_make(m, c, &one, QUERY_ITEMS, &q);

	if (r != 0) {
		return r;
	}
	struct read_in *read = op_read(&q.requests[0]);

	read->has_limit = true;
	read->limit = 1;
	return query_page(m, c, p, &q, &q.requests[0], &page);
}

/* ------------------------------------------------------------ one item */

/* Return: whether the partition key is one of the shards of .shards, if there is that clause. */
static bool
query_has_shard(const struct clauses *q, const struct value *pk)
{
	uint64_t number;

	if (!q->sharded) {
		return true;
	}
	if (pk == NULL || !slice_starts(pk->text, q->shard_prefix)) {
		return false;
	}
	struct slice digits = slice_skip(pk->text, q->shard_prefix.len);

	/* A shard's number has no leading zeros. */
	return clauses_shard(digits, &number) && (digits.at[0] != '0' || digits.len == 1) &&
	       number >= q->shard_lo && number <= q->shard_hi;
}

int
query_holds(struct call *c, const struct place *p, struct item *it)
{
	struct making mk = {.c = c, .p = p, .key = place_key(p)};
	struct slice filter = {0}, projection = {0};
	struct expr *sorts = NULL, *filters = NULL;
	struct expr_projection *shown = NULL;
	struct buf text;

	buf_init(&text, &c->arena);
	int r = put_sorts(&mk, &text);

	r = r == 0 ? path_query_rewrite(&mk, "FilterExpression", p->clauses.filter, &filter) : r;
	r = r == 0 ? path_query_rewrite(&mk, "ProjectionExpression", p->clauses.project,
					&projection)
		   : r;
	if (r < 0) {
		return r;
	}
	struct expr_scope *scope = expr_scope_open(c, &mk.r.ph);

	if (text.len > 0) {
		r = expr_condition(c, scope, EXPR_CONDITION, buf_view(&text), &sorts);
	}
	r = r == 0 ? expr_condition(c, scope, EXPR_FILTER, filter, &filters) : r;
	r = r == 0 ? expr_projection(c, scope, projection, &shown) : r;
	if (r < 0) {
		return r;
	}
	if (!query_has_shard(&p->clauses, item_get(it, mk.key->pk->name)) ||
	    !expr_eval(c, sorts, it) || !expr_eval(c, filters, it)) {
		return 0;
	}
	if (shown != NULL) {
		*it = expr_project(c, shown, it);
	}
	return 1;
}
