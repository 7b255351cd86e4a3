/*
 * codec_legacy - the parameters that came before expressions, of whatever operation
 *
 * Maps by attribute name on the wire, arrays in op.h.  Complaints name the place as
 * "scanFilter.NAME.member.comparisonOperator".
 */
#include <ctype.h>

#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

#define CLASS "com.amazonaws.dynamodb.v20120810."

/* In the order of enum comparison, enum conditional_operator and enum update_action. */
static const char *const comparisons[] = {
	"",        "EQ",       "NE",   "IN",       "LE",           "LT",          "GE", "GT",
	"BETWEEN", "NOT_NULL", "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", NULL};
static const char *const operators[] = {"", "AND", "OR", NULL};
static const char *const actions[] = {"PUT", "ADD", "DELETE", NULL};

/* "scanFilter.NAME.member." */
static struct slice
place(struct codec_reader *r, const char *parameter, struct slice name)
{
	struct buf b;

	buf_init(&b, &r->c->arena);
	buf_fmt(&b, "%c%s.%.*s.member.", tolower((unsigned char)parameter[0]), parameter + 1,
		SLICE_ARG(name));
	return buf_view(&b);
}

/* ------------------------------------------------------------ conditions */

static int
read_comparison(struct codec_reader *r, const struct json *json, bool needed, enum comparison *out)
{
	int i = COMPARISON_NONE;
	int status = codec_enum(r, json, "ComparisonOperator",
				"[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, "
				"BEGINS_WITH, GE, CONTAINS]",
				comparisons, &i);

	*out = (enum comparison)i;
	if (needed && codec_is_null(json_get(json, "ComparisonOperator"))) {
		codec_null(r, "ComparisonOperator");
	}
	return status;
}

static int
read_values(struct codec_reader *r, const struct json *json, struct condition *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, json, "AttributeValueList", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct value *values = arena_new(&r->c->arena, struct value, list->n + 1);

	json_each (child, list) {
		status = codec_element(r, child, "AttributeValue");
		if (status == 0) {
			status = value_from_typed_json(r->c, child, &values[out->n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->values = values;
	return 0;
}

static int
read_expected(struct codec_reader *r, const struct json *json, struct condition *out)
{
	bool exists = false;
	int status = codec_value(r, json, "Value", &out->value);

	if (status == 0) {
		status = codec_bool(r, json, "Exists", &exists);
	}
	if (!codec_is_null(json_get(json, "Exists"))) {
		out->exists = exists ? EXISTS_TRUE : EXISTS_FALSE;
	}
	return status;
}

/* @class: of the map's values; Expected has more members than the others */
static int
read_condition(struct codec_reader *r, const struct json *json, const char *class,
	       struct condition *out)
{
	bool expected = strcmp(class, "ExpectedAttributeValue") == 0;
	int status = codec_element(r, json, class);

	out->name = json->name;
	if (status == 0 && expected) {
		status = read_expected(r, json, out);
	}
	if (status == 0) {
		status = read_comparison(r, json, !expected, &out->comparison);
	}
	return status < 0 ? status : read_values(r, json, out);
}

static int
read_conditions(struct codec_reader *r, const struct json *obj, const char *name, const char *class,
		struct conditions *out)
{
	const struct json *map = NULL;
	struct buf full;

	buf_init(&full, &r->c->arena);
	buf_fmt(&full, CLASS "%s%c", class, '\0');
	int status = codec_map(r, obj, name, full.at, &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	struct condition *at = arena_new(&r->c->arena, struct condition, map->n);
	struct slice before = r->prefix;

	json_each (child, map) {
		r->prefix = place(r, name, child->name);
		status = read_condition(r, child, class, &at[out->n++]);
		if (status < 0) {
			return status;
		}
	}
	r->prefix = before;
	out->at = at;
	out->given = true;
	return 0;
}

static int
read_operator(struct codec_reader *r, const struct json *obj, enum conditional_operator *out)
{
	int i = CONDITIONAL_NONE;
	int status = codec_enum(r, obj, "ConditionalOperator", "[OR, AND]", operators, &i);

	*out = (enum conditional_operator)i;
	return status;
}

int
codec_filter(struct codec_reader *r, const struct json *obj, const char *name,
	     struct conditions *out)
{
	int status = read_conditions(r, obj, name, "Condition", out);

	return status < 0 ? status : read_operator(r, obj, &out->operator);
}

int
codec_expected(struct codec_reader *r, const struct json *obj, struct conditions *out)
{
	int status = read_conditions(r, obj, "Expected", "ExpectedAttributeValue", out);

	return status < 0 ? status : read_operator(r, obj, &out->operator);
}

int
codec_key_conditions(struct codec_reader *r, const struct json *obj, struct conditions *out)
{
	return read_conditions(r, obj, "KeyConditions", "Condition", out);
}

static void
put_condition(struct codec_writer *w, const struct condition *in)
{
	json_name_slice(&w->json, in->name);
	json_open(&w->json, '{');
	codec_put_string(w, "ComparisonOperator", slice_from(comparisons[in->comparison]));
	if (in->values != NULL) {
		codec_open(w, "AttributeValueList", '[');
		for (size_t i = 0; i < in->n; i++) {
			codec_put_member(w, &in->values[i]);
		}
		json_close(&w->json);
	}
	if (in->value != NULL) {
		codec_put_value(w, "Value", in->value);
	}
	if (in->exists != EXISTS_NONE) {
		json_name(&w->json, "Exists");
		json_bool(&w->json, in->exists == EXISTS_TRUE);
	}
	json_close(&w->json);
}

void
codec_put_conditions(struct codec_writer *w, const char *name, const struct conditions *in)
{
	if (in->given) {
		codec_open(w, name, '{');
		for (size_t i = 0; i < in->n; i++) {
			put_condition(w, &in->at[i]);
		}
		json_close(&w->json);
	}
	codec_put_string(w, "ConditionalOperator", slice_from(operators[in->operator]));
}

/* ------------------------------------------------------------ AttributeUpdates */

static int
read_update(struct codec_reader *r, const struct json *json, struct attribute_update *out)
{
	int i = ACTION_PUT;
	int status = codec_element(r, json, "AttributeValueUpdate");

	out->name = json->name;
	if (status == 0) {
		status = codec_value(r, json, "Value", &out->value);
	}
	if (status == 0) {
		status = codec_enum(r, json, "Action", "[ADD, PUT, DELETE]", actions, &i);
	}
	out->action = (enum update_action)i;
	return status;
}

int
codec_updates(struct codec_reader *r, const struct json *obj, struct attribute_updates *out)
{
	const struct json *map = NULL;
	int status = codec_map(r, obj, "AttributeUpdates", CLASS "AttributeValueUpdate", &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	struct attribute_update *at = arena_new(&r->c->arena, struct attribute_update, map->n);
	struct slice before = r->prefix;

	json_each (child, map) {
		r->prefix = place(r, "AttributeUpdates", child->name);
		status = read_update(r, child, &at[out->n++]);
		if (status < 0) {
			return status;
		}
	}
	r->prefix = before;
	out->at = at;
	out->given = true;
	return 0;
}

void
codec_put_updates(struct codec_writer *w, const struct attribute_updates *in)
{
	if (!in->given) {
		return;
	}
	codec_open(w, "AttributeUpdates", '{');
	for (size_t i = 0; i < in->n; i++) {
		json_name_slice(&w->json, in->at[i].name);
		json_open(&w->json, '{');
		codec_put_string(w, "Action", slice_from(actions[in->at[i].action]));
		if (in->at[i].value != NULL) {
			codec_put_value(w, "Value", in->at[i].value);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ AttributesToGet */

int
codec_attributes(struct codec_reader *r, const struct json *obj, struct attributes_to_get *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, "AttributesToGet", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	if (list->n == 0) {
		codec_fault(r, "[]", "AttributesToGet",
			    "Member must have length greater than or equal to 1");
	}
	struct slice *names = arena_new(&r->c->arena, struct slice, list->n);

	json_each (child, list) {
		status = codec_text(r, child, &names[out->n++]);
		if (status < 0) {
			return status;
		}
	}
	out->at = names;
	return 0;
}

void
codec_put_attributes(struct codec_writer *w, const struct attributes_to_get *in)
{
	if (in->n == 0) {
		return;
	}
	codec_open(w, "AttributesToGet", '[');
	for (size_t i = 0; i < in->n; i++) {
		json_string(&w->json, in->at[i]);
	}
	json_close(&w->json);
}
