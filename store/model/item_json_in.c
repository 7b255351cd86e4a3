/*
 * item_json_in - converts JSON trees to values
 *
 * It has two modes. The typed mode, for the protocol, accepts only typed values and fails as DynamoDB does. The plain
 * mode also accepts plain JSON: an object whose only member has the name of a type is a typed value, so complete
 * DynamoDB JSON can be read, too. Keys are checked later, by code that knows the table.
 */
#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/typed_json.h"
#include "store/model/value.h"

struct reader {
	struct call *c;
	bool typed; /* only typed values */
};

static int item_json_in_read_value(const struct reader *r, const struct json *json, int level,
				   struct value *out);

/* Fails with DynamoDB's message for JSON that has the wrong type for @type. */
static int
fail_wire(const struct reader *r, enum value_type type, const struct json *json)
{
	static const char *const token[] = {
		[JSON_NULL] = "NULL_VALUE",     [JSON_FALSE] = "FALSE_VALUE",
		[JSON_TRUE] = "TRUE_VALUE",     [JSON_NUMBER] = "NUMBER_VALUE",
		[JSON_STRING] = "STRING_VALUE",
	};

	if (json->type == JSON_OBJECT) {
		return call_fail(r->c, ERR_SERIALIZATION,
				 "Start of structure or map found where not expected");
	}
	if (json->type == JSON_ARRAY || type == VALUE_L || type == VALUE_M) {
		return call_fail(r->c, ERR_SERIALIZATION, "Unexpected field type");
	}
	return call_fail(r->c, ERR_SERIALIZATION, "%s cannot be converted to %s", token[json->type],
			 type == VALUE_BOOL || type == VALUE_NULL ? "Boolean" : "String");
}

static int
fail_type(const struct reader *r, enum value_type type, const struct json *json)
{
	static const char *const needs[VALUE_TYPES] = {
		[VALUE_S] = "a string",
		[VALUE_N] = "a number",
		[VALUE_B] = "a string in base64",
		[VALUE_BOOL] = "true or false",
		[VALUE_NULL] = "true",
		[VALUE_L] = "an array",
		[VALUE_M] = "an object",
		[VALUE_SS] = "an array of strings",
		[VALUE_NS] = "an array of numbers",
		[VALUE_BS] = "an array of strings in base64",
	};

	if (r->typed) {
		return fail_wire(r, type, json);
	}
	return call_fail(r->c, ERR_VALIDATION, "{\"%s\": ...} needs %s", value_type_name(type),
			 needs[type]);
}

/* Reads an S, N or B from the JSON after its type's name, or from a member of the set @type. */
static int
item_json_in_read_scalar(const struct reader *r, enum value_type type, enum value_type scalar,
			 const struct json *json, struct value *out)
{
	bool bare = scalar == VALUE_N && json->type == JSON_NUMBER && !r->typed;

	if (json->type != JSON_STRING && !bare) {
		return fail_type(r, type, json);
	}
	out->type = scalar;
	if (scalar == VALUE_N) {
		return number_canonical(r->c, json->text, &out->text);
	}
	if (scalar == VALUE_S) {
		out->text = json->text;
		return 0;
	}
	struct buf bytes;

	buf_init(&bytes, &r->c->arena);
	if (!base64_decode(&bytes, json->text)) {
		return call_fail(r->c, r->typed ? ERR_SERIALIZATION : ERR_VALIDATION,
				 "Invalid base64: %.*s", SLICE_ARG(json->text));
	}
	out->text = buf_view(&bytes);
	return 0;
}

static int
item_json_in_read_set(const struct reader *r, enum value_type type, const struct json *json,
		      struct value *out)
{
	enum value_type scalar =
		type == VALUE_SS ? VALUE_S : (type == VALUE_NS ? VALUE_N : VALUE_B);
	size_t n = 0;

	if (json->type != JSON_ARRAY) {
		return fail_type(r, r->typed ? VALUE_L : type, json);
	}
	out->type = type;
	out->list = (struct values){arena_new(&r->c->arena, struct value, json->n), json->n};
	json_each (member, json) {
		int e = item_json_in_read_scalar(r, type, scalar, member, &out->list.at[n++]);

		if (e < 0) {
			return e;
		}
	}
	int e = value_check_set(r->c, out);

	if (e == 0) {
		values_sort(&out->list);
	}
	return e;
}

static int
item_json_in_read_list(const struct reader *r, const struct json *json, int level,
		       struct value *out)
{
	size_t n = 0;

	if (level >= LIMIT_NESTING) {
		return item_fail_nesting(r->c);
	}
	out->type = VALUE_L;
	out->list = (struct values){arena_new(&r->c->arena, struct value, json->n), json->n};
	json_each (element, json) {
		int e = item_json_in_read_value(r, element, level + 1, &out->list.at[n++]);

		if (e < 0) {
			return e;
		}
	}
	return 0;
}

/* Reads the attributes of an item (@level 0) or of a map. */
static int
item_json_in_read_item(const struct reader *r, const struct json *json, int level, struct item *out)
{
	size_t n = 0;

	if (level >= LIMIT_NESTING) {
		return item_fail_nesting(r->c);
	}
	if (level == 0 && r->typed && json_get_slice(json, SLICE("")) != NULL) {
		return item_fail_no_name(r->c);
	}
	*out = (struct item){arena_new(&r->c->arena, struct attr, json->n), json->n};
	json_each (member, json) {
		struct attr *a = &out->at[n++];
		int e = item_json_in_read_value(r, member, level + 1, &a->value);

		if (e < 0) {
			return e;
		}
		a->name = member->name;
	}
	return 0;
}

/* In the protocol, a Boolean may be a string: see typed_json_bool(). */
static bool
item_json_in_read_truth(const struct reader *r, const struct json *json, bool *out)
{
	*out = json->type == JSON_TRUE;
	return r->typed ? typed_json_bool(json, out)
			: json->type == JSON_TRUE || json->type == JSON_FALSE;
}

static int
read_null(const struct reader *r, const struct json *json, struct value *out)
{
	bool truth;

	out->type = VALUE_NULL;
	if (!item_json_in_read_truth(r, json, &truth)) {
		return fail_type(r, VALUE_NULL, json);
	}
	return truth ? 0
		     : call_fail(r->c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Null attribute value "
				 "types must have the value of true");
}

/* Reads a value of @type from @json, the JSON after the type's name. */
static int
read_of_type(const struct reader *r, enum value_type type, const struct json *json, int level,
	     struct value *out)
{
	switch (type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return item_json_in_read_scalar(r, type, type, json, out);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		return item_json_in_read_set(r, type, json, out);
	case VALUE_L:
		return json->type == JSON_ARRAY ? item_json_in_read_list(r, json, level, out)
						: fail_type(r, type, json);
	case VALUE_M:
		out->type = VALUE_M;
		return json->type == JSON_OBJECT ? item_json_in_read_item(r, json, level, &out->map)
						 : fail_type(r, type, json);
	case VALUE_NULL:
		return read_null(r, json, out);
	case VALUE_BOOL:
	case VALUE_TYPES:
		break;
	}
	out->type = VALUE_BOOL;
	return item_json_in_read_truth(r, json, &out->truth) ? 0 : fail_type(r, type, json);
}

/* In the protocol, members that DynamoDB does not know, and nulls, count as absent. */
static int
read_typed(const struct reader *r, const struct json *json, int level, struct value *out)
{
	const struct json *found = NULL;
	enum value_type type = VALUE_TYPES;

	if (json->type != JSON_OBJECT) {
		return call_fail(r->c, ERR_SERIALIZATION, "Unexpected value type in payload");
	}
	json_each (member, json) {
		enum value_type t = value_type_from_name(member->name);

		if (t == VALUE_TYPES || member->type == JSON_NULL) {
			continue;
		}
		if (found != NULL) {
			return call_fail(r->c, ERR_VALIDATION,
					 "Supplied AttributeValue has more than one datatypes set, "
					 "must contain exactly one of the supported datatypes");
		}
		found = member;
		type = t;
	}
	if (found == NULL) {
		return call_fail(r->c, ERR_VALIDATION,
				 "Supplied AttributeValue is empty, must contain exactly one of "
				 "the supported datatypes");
	}
	return read_of_type(r, type, found, level, out);
}

/* @level: 1 for an attribute of an item */
static int
item_json_in_read_value(const struct reader *r, const struct json *json, int level,
			struct value *out)
{
	if (r->typed) {
		return read_typed(r, json, level, out);
	}
	switch (json->type) {
	case JSON_NULL:
		*out = (struct value){.type = VALUE_NULL};
		return 0;
	case JSON_FALSE:
	case JSON_TRUE:
		*out = (struct value){.type = VALUE_BOOL, .truth = json->type == JSON_TRUE};
		return 0;
	case JSON_NUMBER:
		return item_json_in_read_scalar(r, VALUE_N, VALUE_N, json, out);
	case JSON_STRING:
		*out = value_string(json->text);
		return 0;
	case JSON_ARRAY:
		return item_json_in_read_list(r, json, level, out);
	case JSON_OBJECT:
		break;
	}
	enum value_type type = json->n == 1 ? value_type_from_name(json->child->name) : VALUE_TYPES;

	if (type != VALUE_TYPES) {
		return read_of_type(r, type, json->child, level, out);
	}
	return read_of_type(r, VALUE_M, json, level, out);
}

int
item_from_json(struct call *c, const struct json *json, struct item *out)
{
	if (json->type != JSON_OBJECT) {
		return call_fail(c, ERR_VALIDATION, "an item is a JSON object");
	}
	return item_json_in_read_item(&(struct reader){.c = c}, json, 0, out);
}

int
item_from_typed_json(struct call *c, const struct json *json, struct item *out)
{
	if (json->type != JSON_OBJECT) {
		return call_fail(c, ERR_SERIALIZATION, "Unexpected field type");
	}
	return item_json_in_read_item(&(struct reader){.c = c, .typed = true}, json, 0, out);
}

int
value_from_typed_json(struct call *c, const struct json *json, struct value *out)
{
	return item_json_in_read_value(&(struct reader){.c = c, .typed = true}, json, 1, out);
}

int
value_from_json(struct call *c, const struct json *json, struct value *out)
{
	return item_json_in_read_value(&(struct reader){.c = c}, json, 1, out);
}
