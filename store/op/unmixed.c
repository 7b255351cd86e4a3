/*
 * unmixed - see unmixed.h
 *
 * The service's message lists the given parameters of both kinds, each kind in a fixed order.
 */
#include "store/op/unmixed.h"

#include "store/op/op.h"

enum { ATTRIBUTES, QUERY_FILTER, SCAN_FILTER, UPDATES, EXPECTED, OPERATOR, KEYS, OLDER };
static const char *const unmixed_older[OLDER] = {
	"AttributesToGet", "QueryFilter",         "ScanFilter",   "AttributeUpdates",
	"Expected",        "ConditionalOperator", "KeyConditions"};

enum { PROJECTION, FILTER, KEY, UPDATE, CONDITION, EXPRESSIONS };
static const char *const unmixed_expressions[EXPRESSIONS] = {
	"ProjectionExpression", "FilterExpression", "KeyConditionExpression", "UpdateExpression",
	"ConditionExpression"};

#define CONDITIONAL(conditions) ((conditions).conditional != CONDITIONAL_NONE)

/* Append the names of the given parameters, "a, b". */
static void
unmixed_list(struct buf *out, const char *const *name, const bool *given, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (given[i]) {
			buf_fmt(out, "%s%s", out->len == 0 ? "" : ", ", name[i]);
		}
	}
}

static int
unmixed_check(struct call *c, const bool older[OLDER], const bool given[EXPRESSIONS],
	      const struct placeholders *ph)
{
	struct buf olds;
	struct buf news;

	buf_init(&olds, &c->arena);
	buf_init(&news, &c->arena);
	unmixed_list(&olds, unmixed_older, older, OLDER);
	unmixed_list(&news, unmixed_expressions, given, EXPRESSIONS);
	if (olds.len > 0 && news.len > 0) {
		return call_fail(c, ERR_VALIDATION,
				 "Can not use both expression and non-expression parameters in the "
				 "same request: Non-expression parameters: {%.*s} Expression "
				 "parameters: {%.*s}",
				 SLICE_ARG(buf_view(&olds)), SLICE_ARG(buf_view(&news)));
	}
	bool values = given[FILTER] || given[KEY] || given[UPDATE] || given[CONDITION];

	if ((ph->names_given && news.len == 0) || (ph->values_given && !values)) {
		return call_fail(c, ERR_VALIDATION,
				 "ExpressionAttribute%s can only be specified when using "
				 "expressions",
				 ph->names_given && news.len == 0 ? "Names" : "Values");
	}
	return 0;
}

/* The API has no values for these operations. Those of a command are refused when its projection is parsed. */
static int
unmixed_read(struct call *c, bool attributes, bool projection, const struct placeholders *ph)
{
	struct placeholders names = *ph;

	names.values_given = false;
	return unmixed_check(c, (bool[OLDER]){[ATTRIBUTES] = attributes},
			     (bool[EXPRESSIONS]){[PROJECTION] = projection}, &names);
}

int
unmixed_transact_get(struct call *c, const struct transact_get *in)
{
	return unmixed_read(c, false, in->projection.at != NULL, &in->ph);
}

int
unmixed_batch_get(struct call *c, const struct batch_get_item_in *in)
{
	static const struct placeholders none;
	bool attributes = false;
	bool projection = false;

	for (size_t i = 0; i < in->n_tables; i++) {
		attributes |= in->tables[i].attributes.n > 0;
		projection |= in->tables[i].projection.at != NULL;
	}
	int r = unmixed_read(c, attributes, projection, &none);

	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		r = unmixed_read(c, false, in->tables[i].projection.at != NULL, &in->tables[i].ph);
	}
	return r;
}

int
unmixed_transact(struct call *c, const struct transact_action *in)
{
	return unmixed_check(
		c, (bool[OLDER]){0},
		(bool[EXPRESSIONS]){[UPDATE] = in->kind == TRANSACT_UPDATE && in->update.at != NULL,
				    [CONDITION] = in->condition.at != NULL},
		&in->ph);
}

/* KeyConditions may be combined with a FilterExpression, so they count only beside a KeyConditionExpression. */
static int
unmixed_page(struct call *c, const struct op_in *in, const struct read_in *read)
{
	bool query = in->type == OP_QUERY;
	bool key = query && in->query.key_condition.at != NULL;

	return unmixed_check(c,
			     (bool[OLDER]){[ATTRIBUTES] = read->attributes.n > 0,
					   [QUERY_FILTER] = query && read->conditions.given,
					   [SCAN_FILTER] = !query && read->conditions.given,
					   [OPERATOR] = CONDITIONAL(read->conditions),
					   [KEYS] = key && in->query.key_conditions.given},
			     (bool[EXPRESSIONS]){[PROJECTION] = read->projection.at != NULL,
						 [FILTER] = read->filter.at != NULL,
						 [KEY] = key},
			     &read->ph);
}

int
unmixed_request(struct call *c, const struct op_in *in)
{
	const struct read_in *read = op_read(in);
	const struct write_in *write = op_write(in);
	bool update = in->type == OP_UPDATE_ITEM;

	if (read != NULL) {
		return unmixed_page(c, in, read);
	}
	if (write == NULL) {
		const struct get_item_in *get = &in->get_item;

		return unmixed_read(c, get->attributes.n > 0, get->projection.at != NULL, &get->ph);
	}
	return unmixed_check(
		c,
		(bool[OLDER]){[UPDATES] = update && in->update_item.updates.given,
			      [EXPECTED] = write->expected.given,
			      [OPERATOR] = CONDITIONAL(write->expected)},
		(bool[EXPRESSIONS]){[UPDATE] = update && in->update_item.update.at != NULL,
				    [CONDITION] = write->condition.at != NULL},
		&write->ph);
}
