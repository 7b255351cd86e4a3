/* unmixed - the service names all that was given of both kinds, each kind in an order of its own */
#include "store/op/unmixed.h"

#include "store/base/buf.h"

struct parameter {
	const char *name;
	bool given;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define check(c, old, new) check_both((c), (old), COUNT(old), (new), COUNT(new))

/* "a, b": those that were given; how many */
static size_t
list(struct buf *out, const struct parameter *p, size_t n)
{
	size_t given = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i].given) {
			buf_fmt(out, "%s%s", given++ == 0 ? "" : ", ", p[i].name);
		}
	}
	return given;
}

static int
check_both(struct call *c, const struct parameter *old, size_t n_old, const struct parameter *new,
	   size_t n_new)
{
	struct buf olds;
	struct buf news;

	buf_init(&olds, &c->arena);
	buf_init(&news, &c->arena);
	if (list(&olds, old, n_old) == 0 || list(&news, new, n_new) == 0) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "Can not use both expression and non-expression parameters in the same "
			 "request: Non-expression parameters: {%.*s} Expression parameters: {%.*s}",
			 SLICE_ARG(buf_view(&olds)), SLICE_ARG(buf_view(&news)));
}

static int
check_projections(struct call *c, bool attributes, bool projection)
{
	const struct parameter old[] = {{"AttributesToGet", attributes}};
	const struct parameter new[] = {{"ProjectionExpression", projection}};

	return check(c, old, new);
}

int
unmixed_get(struct call *c, const struct get_item_in *in)
{
	return check_projections(c, in->attributes.n > 0, in->projection.at != NULL);
}

int
unmixed_batch_get(struct call *c, const struct batch_get_item_in *in)
{
	bool attributes = false;
	bool projection = false;

	for (size_t i = 0; i < in->n_tables; i++) {
		attributes = attributes || in->tables[i].attributes.n > 0;
		projection = projection || in->tables[i].projection.at != NULL;
	}
	return check_projections(c, attributes, projection);
}

int
unmixed_write(struct call *c, const struct write_in *in)
{
	const struct parameter old[] = {{"Expected", in->expected.given},
					{
						"ConditionalOperator",
						in->expected.operator!= CONDITIONAL_NONE },
	};
	const struct parameter new[] = {{"ConditionExpression", in->condition.at != NULL}};

	return check(c, old, new);
}

int
unmixed_update(struct call *c, const struct update_item_in *in)
{
	const struct parameter old[] = {{"AttributeUpdates", in->updates.given},
					{"Expected", in->write.expected.given},
					{
						"ConditionalOperator",
						in->write.expected.operator!= CONDITIONAL_NONE },
	};
	const struct parameter new[] = {
		{"UpdateExpression", in->update.at != NULL},
		{"ConditionExpression", in->write.condition.at != NULL},
	};

	return check(c, old, new);
}

/* KeyConditions may stand beside a FilterExpression. */
int
unmixed_query(struct call *c, const struct query_in *in)
{
	const struct read_in *read = &in->read;
	const struct parameter old[] = {
		{"AttributesToGet", read->attributes.n > 0},
		{"QueryFilter", read->conditions.given},
		{
			"ConditionalOperator",
			read->conditions.operator!= CONDITIONAL_NONE },
			{"KeyConditions", in->key_conditions.given && in->key_condition.at != NULL},
		};
	const struct parameter new[] = {
		{"ProjectionExpression", read->projection.at != NULL},
		{"FilterExpression", read->filter.at != NULL},
		{"KeyConditionExpression", in->key_condition.at != NULL},
	};

	return check(c, old, new);
}

int
unmixed_scan(struct call *c, const struct read_in *in)
{
	const struct parameter old[] = {{"AttributesToGet", in->attributes.n > 0},
					{"ScanFilter", in->conditions.given},
					{
						"ConditionalOperator",
						in->conditions.operator!= CONDITIONAL_NONE },
	};
	const struct parameter new[] = {
		{"ProjectionExpression", in->projection.at != NULL},
		{"FilterExpression", in->filter.at != NULL},
	};

	return check(c, old, new);
}
