/*
 * select - preparation of a Query or Scan: index, expressions, attributes; admission and payment
 *
 * op_validate() has checked the request before; plan.c and read_page.c use the result. The file uses the catalog
 * and the budgets, but reads no keys of the kv.
 */
#include "store/local/read/select.h"

#include "store/expr/expr.h"
#include "store/expr/legacy.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/metering.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/model/legacy_check.h"
#include "store/model/schema.h"

static int
check_select(struct call *c, const struct read_in *in)
{
	static const char *const getting[] = {
		[SELECT_ALL] = "ALL_ATTRIBUTES",
		[SELECT_ALL_PROJECTED] = "ALL_PROJECTED_ATTRIBUTES",
		[SELECT_COUNT] = "only the Count",
		[SELECT_SPECIFIC] = NULL,
	};

	bool projects = in->projection.len > 0 || in->attributes.n > 0;

	if (in->select == SELECT_SPECIFIC && !projects) {
		return call_fail(c, ERR_VALIDATION,
				 "Must specify the AttributesToGet or ProjectionExpression when "
				 "choosing to get SPECIFIC_ATTRIBUTES");
	}
	if (projects && getting[in->select] != NULL) {
		return call_fail(c, ERR_VALIDATION, "Cannot specify the %s when choosing to get %s",
				 in->attributes.n > 0 ? "AttributesToGet" : "ProjectionExpression",
				 getting[in->select]);
	}
	if (in->select == SELECT_ALL_PROJECTED && in->index.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
				 "IndexName");
	}
	return 0;
}

/* A Query's filter must not contain key attributes: the key condition tests these. */
static int
check_filter_keys(struct call *c, const struct read_in *in, const struct select_bound *b)
{
	const struct key_schema *k = schema_key(b->schema, b->ix);
	const struct slice *names;
	size_t n = expr_attributes(b->spec.filter, &names);

	for (size_t i = 0; i < n; i++) {
		if (key_schema_has(k, names[i])) {
			return call_fail(c, ERR_VALIDATION,
					 "%s can only contain non-primary key attributes: Primary "
					 "key attribute: %.*s",
					 in->conditions.given ? "QueryFilter" : "Filter Expression",
					 SLICE_ARG(names[i]));
		}
	}
	return 0;
}

/* Append the names of attributes that entries of the index do not hold, separated by commas. */
static void
add_missing(struct buf *missing, const struct select_bound *b, const struct slice *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!schema_projects(b->schema, b->ix, names[i])) {
			buf_str(missing, missing->len == 0 ? "" : ", ");
			buf_slice(missing, names[i]);
		}
	}
}

/* Check that the filter of a Query uses only attributes that the index holds, even if it is an LSI. */
static int
check_filter_projected(struct call *c, const struct select_bound *b)
{
	const struct slice *names;
	size_t n = expr_attributes(b->spec.filter, &names);
	struct buf missing = {.arena = &c->arena};

	add_missing(&missing, b, names, n);
	return missing.len == 0 ? 0
				: call_fail(c, ERR_VALIDATION,
					    "One or more parameter values were invalid: Secondary "
					    "index %.*s does not project one or more filter "
					    "attributes: [%.*s]",
					    SLICE_ARG(b->ix->name), SLICE_ARG(buf_view(&missing)));
}

int
select_check_all(struct call *c, const struct read_in *in, const struct select_bound *b)
{
	const struct index *ix = b->ix;

	return ix == NULL || !ix->global || in->select != SELECT_ALL ||
			       ix->projection == PROJECTION_ALL
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "One or more parameter values were invalid: Select type "
				   "ALL_ATTRIBUTES is not supported for global secondary index "
				   "%.*s because its projection type is not ALL",
				   SLICE_ARG(ix->name));
}

/* Check that a GSI holds the requested attributes. For an LSI, missing attributes are read from the table. */
static int
bind_attributes(struct call *c, const struct read_in *in, bool filter, struct select_bound *b)
{
	const struct index *ix = b->ix;
	bool all = in->select == SELECT_ALL && ix->projection != PROJECTION_ALL;
	const struct slice *names;
	struct buf missing = {.arena = &c->arena};
	size_t n;

	n = expr_projection_attributes(b->spec.projection, &names);
	add_missing(&missing, b, names, n);
	n = filter ? expr_attributes(b->spec.filter, &names) : 0;
	add_missing(&missing, b, names, n);
	if (!ix->global) {
		b->spec.fetch = all || missing.len > 0;
		b->spec.whole = in->select == SELECT_ALL;
		return 0;
	}
	if (missing.len > 0) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Global secondary "
				 "index %.*s does not project [%.*s]",
				 SLICE_ARG(ix->name), SLICE_ARG(buf_view(&missing)));
	}
	return 0;
}

/* KeyConditions of a table may have two attributes; those of an index are counted when the index is known. */
static int
bind_key_conditions(struct call *c, const struct query_in *query, struct key_terms **out)
{
	size_t most = query->read.index.len > 0 ? KEY_ATTRS_MAX : 2;
	int r = legacy_check_key_conditions(c, &query->key_conditions, most);

	return r < 0 ? r : legacy_key_condition(c, &query->key_conditions, out);
}

/* Bind everything that needs no table, in the order of the service. */
static int
bind_request(struct call *c, const struct read_in *in, const struct query_in *query,
	     struct page_spec *spec, struct key_terms **terms)
{
	struct expr_scope *scope = expr_scope_open(c, &in->ph);
	bool text = query != NULL && !query->key_conditions.given;
	int r = text ? expr_key_condition(c, scope, query->key_condition, terms) : 0;

	if (r == 0) {
		r = expr_condition(c, scope, EXPR_FILTER, in->filter, &spec->filter);
	}
	if (r == 0) {
		r = expr_projection(c, scope, in->projection, &spec->projection);
	}
	if (r == 0) {
		r = expr_scope_close(c, scope);
	}
	if (r < 0 || query == NULL) {
		return r;
	}
	return text ? expr_key_condition_judge(c, *terms) : bind_key_conditions(c, query, terms);
}

/*
 * Check that ExclusiveStartKey has the attributes of the key that is queried: those of the partition key, then those of
 * the sort key. For the Scan of a table plan_start() makes a single check later.
 */
static int
select_check_start(struct call *c, const struct read_in *in, const struct key_terms *terms,
		   const struct select_bound *out)
{
	const struct key_schema *key = schema_key(out->schema, out->ix);

	if (!select_starts(in) || (terms == NULL && out->ix == NULL)) {
		return 0;
	}
	int r = key_check_place(c, out->schema, out->ix, &in->start);

	return r == 0 && (terms == NULL ||
			  expr_key_condition_names(terms, key->pk, key_part_n(key->pk)))
		       ? key_check_place_sort(c, key, &in->start)
		       : r;
}

/* Bind the table, check the form of ExclusiveStartKey, then bind the key condition. */
static int
bind_schema(struct local *l, struct call *c, const struct read_in *in,
	    const struct key_terms *terms, struct select_bound *out)
{
	int r = catalog_find_index(l->catalog, c, in->table, in->index, &out->schema, &out->ix);

	if (r == 0 && in->consistent && out->ix != NULL && out->ix->global) {
		r = call_fail(c, ERR_VALIDATION,
			      "Consistent reads are not supported on global secondary indexes");
	}
	r = r < 0 ? r : select_check_start(c, in, terms, out);
	return r < 0 || terms == NULL
		       ? r
		       : expr_key_condition_match(c, terms, out->schema, out->ix, &out->condition);
}

int
select_bind(struct local *l, struct call *c, const struct read_in *in, const struct query_in *query,
	    struct select_bound *out)
{
	struct key_terms *terms = NULL;

	*out = (struct select_bound){
		.spec = {.count = in->select == SELECT_COUNT,
			 .limit = in->limit,
			 .text = in->text,
			 .once = in->once,
			 .view = in->view},
	};
	int r = check_select(c, in);

	if (r == 0) {
		r = bind_request(c, in, query, &out->spec, &terms);
	}
	if (r == 0) {
		r = bind_schema(l, c, in, terms, out);
	}
	/* Without expressions there may be legacy parameters. */
	if (out->spec.filter == NULL) {
		out->spec.filter = legacy_condition(c, EXPR_FILTER, &in->conditions);
	}
	if (out->spec.projection == NULL) {
		out->spec.projection = legacy_projection(c, &in->attributes);
	}
	return r;
}

/* A filter that gets entries sees only the attributes in them: others are missing. */
int
select_check(struct call *c, const struct read_in *in, enum select_of of, struct select_bound *b)
{
	bool query = of == SELECT_OF_QUERY;
	int r = query ? check_filter_keys(c, in, b) : 0;

	if (r == 0) {
		r = select_check_all(c, in, b);
	}
	/* No path may lead into a key attribute. */
	if (r == 0) {
		r = expr_check_key(c, b->spec.filter, b->schema);
	}
	if (r == 0) {
		r = expr_projection_check_key(c, b->spec.projection, b->schema);
	}
	if (r == 0 && query && b->ix != NULL) {
		r = check_filter_projected(c, b);
	}
	b->spec.filters_entries = b->ix != NULL && (of == SELECT_OF_STATEMENT ||
						    (of == SELECT_OF_SCAN && b->ix->global));
	return r < 0 || b->ix == NULL ? r : bind_attributes(c, in, !b->spec.filters_entries, b);
}

int
select_admit(struct local *l, struct call *c, struct select_bound *b, const struct schema *now,
	     const struct key_values *k)
{
	b->place = (struct throttle_place){
		.schema = now == NULL ? b->schema : now, .ix = b->ix, .kind = THROTTLE_READ};
	if (k != NULL) {
		b->place.collection =
			keyspace_collection(&c->arena, KEYSPACE_ITEM, b->schema, b->ix, k);
	}
	return throttle_admit(l->throttle, c, &b->place);
}

struct consumed_list
select_pay(struct local *l, struct call *c, const struct read_in *in, const struct select_bound *b,
	   const struct page_sum *read)
{
	assert(b->place.schema != NULL && read->bytes >= read->fetched);
	enum capacity_read_cost cost = capacity_read_cost(in->consistent);
	uint64_t walked = capacity_read(read->bytes - read->fetched, cost);
	uint64_t fetched = read->fetch_blocks * cost;
	struct capacity_sheet sheet = capacity_sheet(c, in->capacity);
	struct capacity *cap = capacity_on(&sheet, b->schema, in->table);

	if (cap != NULL) {
		*capacity_part(cap, b->ix) = walked;
		cap->of_table += fetched;
	}
	metering_pay(l, c, &b->place, walked + fetched);
	return capacity_tell(&sheet, CAPACITY_ANY);
}
