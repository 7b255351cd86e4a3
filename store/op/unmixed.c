/*
 * unmixed - see unmixed.h
 *
 * The service's message lists the given parameters of both kinds, each kind in a fixed order.
 * ProjectionExpression cannot use ExpressionAttributeValues.
 */
#include "store/op/unmixed.h"

#include <assert.h>

#include "store/base/core/buf.h"

struct parameter {
	const char *name;
	bool given;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define check(c, old, updated, ph) \
	check_both((c), (old), COUNT(old), (updated), COUNT(updated), (ph))

/* Appends the names of the given parameters, "a, b". Returns their number. */
static size_t
unmixed_list(struct buf *out, const struct parameter *p, size_t n)
{
	size_t given = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i].given) {
			buf_fmt(out, "%s%s", given++ == 0 ? "" : ", ", p[i].name);
		}
	}
	return given;
}

/* Refuses placeholders if none of the expressions @p that could use them is given. */
static int
check_useful(struct call *c, const struct parameter *p, size_t n, const struct placeholders *ph)
{
	assert(n > 0);
	bool projects = strcmp(p[0].name, "ProjectionExpression") == 0;
	size_t from = projects ? 1 : 0; /* the first that takes values */
	struct buf given;

	buf_init(&given, &c->arena);
	if (ph->names_given && unmixed_list(&given, p, n) == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "ExpressionAttributeNames can only be specified when using "
				 "expressions");
	}
	if (!ph->values_given || from == n || unmixed_list(&given, p + from, n - from) > 0) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "ExpressionAttributeValues can only be specified when using expressions");
}

static int
check_both(struct call *c, const struct parameter *old, size_t n_old,
	   const struct parameter *updated, size_t n_new, const struct placeholders *ph)
{
	struct buf olds;
	struct buf news;

	buf_init(&olds, &c->arena);
	buf_init(&news, &c->arena);
	if (unmixed_list(&olds, old, n_old) == 0 || unmixed_list(&news, updated, n_new) == 0) {
		return check_useful(c, updated, n_new, ph);
	}
	return call_fail(c, ERR_VALIDATION,
			 "Can not use both expression and non-expression parameters in the same "
			 "request: Non-expression parameters: {%.*s} Expression parameters: {%.*s}",
			 SLICE_ARG(buf_view(&olds)), SLICE_ARG(buf_view(&news)));
}

static int
check_projections(struct call *c, bool attributes, bool projection, const struct placeholders *ph)
{
	const struct parameter old[] = {{"AttributesToGet", attributes}};
	const struct parameter updated[] = {{"ProjectionExpression", projection}};

	return check(c, old, updated, ph);
}

int
unmixed_get(struct call *c, const struct get_item_in *in)
{
	return check_projections(c, in->attributes.n > 0, in->projection.at != NULL, &in->ph);
}

int
unmixed_transact_get(struct call *c, const struct transact_get *in)
{
	return check_projections(c, false, in->projection.at != NULL, &in->ph);
}

int
unmixed_batch_get(struct call *c, const struct batch_get_item_in *in)
{
	static const struct placeholders none;
	bool attributes = false;
	bool projection = false;
	int r;

	for (size_t i = 0; i < in->n_tables; i++) {
		attributes = attributes || in->tables[i].attributes.n > 0;
		projection = projection || in->tables[i].projection.at != NULL;
	}
	r = check_projections(c, attributes, projection, &none);
	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		r = check_projections(c, false, in->tables[i].projection.at != NULL,
				      &in->tables[i].ph);
	}
	return r;
}

int
unmixed_write(struct call *c, const struct write_in *in)
{
	const struct parameter old[] = {
		{"Expected", in->expected.given},
		{"ConditionalOperator", in->expected.conditional != CONDITIONAL_NONE},
	};
	const struct parameter updated[] = {{"ConditionExpression", in->condition.at != NULL}};

	return check(c, old, updated, &in->ph);
}

int
unmixed_transact(struct call *c, const struct transact_action *in)
{
	const struct parameter updated[] = {{"UpdateExpression", in->update.at != NULL},
					    {"ConditionExpression", in->condition.at != NULL}};
	size_t from = in->kind == TRANSACT_UPDATE ? 0 : 1;

	return check_useful(c, updated + from, COUNT(updated) - from, &in->ph);
}

int
unmixed_update(struct call *c, const struct update_item_in *in)
{
	const struct parameter old[] = {
		{"AttributeUpdates", in->updates.given},
		{"Expected", in->write.expected.given},
		{"ConditionalOperator", in->write.expected.conditional != CONDITIONAL_NONE},
	};
	const struct parameter updated[] = {
		{"UpdateExpression", in->update.at != NULL},
		{"ConditionExpression", in->write.condition.at != NULL},
	};

	return check(c, old, updated, &in->write.ph);
}

/* KeyConditions may be combined with a FilterExpression, so they count only beside a KeyConditionExpression. */
int
unmixed_query(struct call *c, const struct query_in *in)
{
	const struct read_in *read = &in->read;
	const struct parameter old[] = {
		{"AttributesToGet", read->attributes.n > 0},
		{"QueryFilter", read->conditions.given},
		{"ConditionalOperator", read->conditions.conditional != CONDITIONAL_NONE},
		{"KeyConditions", in->key_conditions.given && in->key_condition.at != NULL},
	};
	const struct parameter updated[] = {
		{"ProjectionExpression", read->projection.at != NULL},
		{"FilterExpression", read->filter.at != NULL},
		{"KeyConditionExpression", in->key_condition.at != NULL},
	};

	return check(c, old, updated, &read->ph);
}

int
unmixed_scan(struct call *c, const struct read_in *in)
{
	const struct parameter old[] = {
		{"AttributesToGet", in->attributes.n > 0},
		{"ScanFilter", in->conditions.given},
		{"ConditionalOperator", in->conditions.conditional != CONDITIONAL_NONE},
	};
	const struct parameter updated[] = {
		{"ProjectionExpression", in->projection.at != NULL},
		{"FilterExpression", in->filter.at != NULL},
	};

	return check(c, old, updated, &in->ph);
}
