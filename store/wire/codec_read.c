/*
 * codec_read - members of a JSON body, with the complaints of DynamoDB
 *
 * Wrong JSON types are answered in the words of the service's own deserializer
 * ("NUMBER_VALUE cannot be converted to String"); what is missing or outside of
 * its set is gathered and reported together at the end.
 */
#include <ctype.h>
#include <stdio.h>

#include "store/base/ascii.h"
#include "store/model/item_json.h"
#include "store/model/number.h"
#include "store/wire/codec_int.h"

static int
serialization(struct codec_reader *r, const char *message)
{
	return call_fail(r->c, ERR_SERIALIZATION, "%s", message);
}

int
codec_reader_open(struct codec_reader *r, struct call *c, enum codec_peer peer, struct slice body,
		  const struct json **root)
{
	const struct json *json = NULL;

	*r = (struct codec_reader){.c = c};
	buf_init(&r->faults, &c->arena);
	int status = json_parse(c, body, JSON_LAST_WINS, &json);

	if (status < 0) {
		return status;
	}
	if (json->type == JSON_OBJECT) {
		const struct json *own = json_get(json, "ItemFS");

		if (peer == CODEC_OWN && own != NULL && own->type == JSON_OBJECT) {
			r->own = own;
		}
		*root = json;
		return 0;
	}
	return serialization(r, json->type == JSON_ARRAY
					? "Unrecognized collection type class java.util.Map"
					: "Unexpected value type in payload");
}

int
codec_reader_end(struct codec_reader *r)
{
	if (r->missing != NULL) {
		return call_fail(
			r->c, ERR_VALIDATION,
			"The parameter '%s' is required but was not present in the request",
			r->missing);
	}
	if (r->n_faults > 0) {
		return call_fail(r->c, ERR_VALIDATION, "%u validation error%s detected: %.*s",
				 r->n_faults, r->n_faults == 1 ? "" : "s",
				 SLICE_ARG(buf_view(&r->faults)));
	}
	return 0;
}

void
codec_blame(struct codec_reader *r, const char *value, const char *member)
{
	buf_fmt(&r->faults, "%sValue %s%s%s at '%.*s%c%s' failed to satisfy constraint: ",
		r->n_faults == 0 ? "" : "; ", value == NULL ? "" : "'",
		value == NULL ? "null" : value, value == NULL ? "" : "'", SLICE_ARG(r->prefix),
		tolower((unsigned char)member[0]), member + 1);
	r->n_faults++;
}

bool
codec_at_least(struct codec_reader *r, const char *member, int64_t v, int64_t min)
{
	char value[24];

	if (v >= min) {
		return true;
	}
	(void)snprintf(value, sizeof(value), "%lld", (long long)v);
	codec_fault(r, value, member, "Member must have value greater than or equal to %lld",
		    (long long)min);
	return false;
}

void
codec_null(struct codec_reader *r, const char *member)
{
	codec_fault(r, NULL, member, "Member must not be null");
}

/* The name of a scalar in the service's complaints. */
static const char *
token(const struct json *j)
{
	switch (j->type) {
	case JSON_TRUE:
		return "TRUE_VALUE";
	case JSON_FALSE:
		return "FALSE_VALUE";
	case JSON_STRING:
		return "STRING_VALUE";
	case JSON_NUMBER:
		return memchr(j->text.at, '.', j->text.len) != NULL ? "DECIMAL_VALUE"
								    : "NUMBER_VALUE";
	case JSON_NULL:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return "NULL_VALUE";
}

/* @j stands where a scalar of the Java class java.lang.@class is expected. */
static int
not_scalar(struct codec_reader *r, const struct json *j, const char *class)
{
	if (j->type == JSON_OBJECT) {
		return serialization(r, "Start of structure or map found where not expected");
	}
	if (j->type == JSON_ARRAY) {
		return call_fail(r->c, ERR_SERIALIZATION,
				 "Unrecognized collection type class java.lang.%s", class);
	}
	if (j->type == JSON_STRING && strcmp(class, "Boolean") == 0) {
		return serialization(r, "Unexpected token received from parser");
	}
	return call_fail(r->c, ERR_SERIALIZATION, "%s cannot be converted to %s", token(j), class);
}

int
codec_text(struct codec_reader *r, const struct json *j, struct slice *out)
{
	if (j->type != JSON_STRING) {
		return not_scalar(r, j, "String");
	}
	*out = j->text;
	return 0;
}

int
codec_string(struct codec_reader *r, const struct json *obj, const char *name, struct slice *out)
{
	const struct json *j = json_get(obj, name);

	return codec_is_null(j) ? 0 : codec_text(r, j, out);
}

int
codec_filled(struct codec_reader *r, const struct json *obj, const char *name, unsigned min,
	     struct slice *out)
{
	const struct json *j = json_get(obj, name);
	int status = codec_string(r, obj, name, out);

	if (status == 0 && out->len == 0 && !codec_is_null(j)) {
		codec_fault(r, "", name, "Member must have length greater than or equal to %u",
			    min);
	}
	return status;
}

int
codec_bool(struct codec_reader *r, const struct json *obj, const char *name, bool *out)
{
	const struct json *j = json_get(obj, name);

	if (codec_is_null(j)) {
		return 0;
	}
	if (j->type != JSON_TRUE && j->type != JSON_FALSE) {
		return not_scalar(r, j, "Boolean");
	}
	*out = j->type == JSON_TRUE;
	return 0;
}

/* Only digits: the usual case, and exact over all of uint64. */
static bool
digits(struct slice text, uint64_t *out)
{
	uint64_t v = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_digit(text.at[i]) || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text.at[i] - '0'), &v)) {
			return false;
		}
	}
	*out = v;
	return text.len > 0;
}

/* A number times ten to the @power: cut to a whole number and to int64. */
static int
scaled(const struct codec_reader *r, struct slice text, int power, int64_t *out)
{
	struct number n;
	int status = number_parse(r->c, text, &n);

	if (status < 0) {
		return status;
	}
	n.exponent += power;
	for (; n.exponent < 0; n.exponent++) {
		n.coefficient /= 10;
	}
	for (; n.exponent > 0 && n.coefficient < INT64_MAX; n.exponent--) {
		n.coefficient *= 10;
	}
	int64_t v = n.coefficient > INT64_MAX ? INT64_MAX : (int64_t)n.coefficient;

	*out = n.negative ? -v : v;
	return 0;
}

int
codec_amount(struct codec_reader *r, struct slice text, int power, uint64_t *out)
{
	int64_t v = 0;
	int status = scaled(r, text, power, &v);

	*out = v < 0 ? 0 : (uint64_t)v;
	return status;
}

int
codec_integer(struct codec_reader *r, const struct json *obj, const char *name, const char *type,
	      int64_t *out)
{
	const struct json *j = json_get(obj, name);
	uint64_t v = 0;

	if (codec_is_null(j)) {
		return 0;
	}
	if ((j->type == JSON_NUMBER || j->type == JSON_STRING) && digits(j->text, &v)) {
		*out = v > INT64_MAX ? INT64_MAX : (int64_t)v;
		return 0; /* in quotes, too: consoles send what stands in their forms */
	}
	if (j->type != JSON_NUMBER) {
		return not_scalar(r, j, type);
	}
	return scaled(r, j->text, 0, out);
}

int
codec_uint(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *out)
{
	const struct json *j = json_get(obj, name);

	if (codec_is_null(j) || (j->type == JSON_NUMBER && digits(j->text, out))) {
		return 0;
	}
	if (j->type != JSON_NUMBER) {
		return not_scalar(r, j, "Long");
	}
	return call_fail(r->c, ERR_SERIALIZATION, "%s is not a whole number: %.*s", name,
			 SLICE_ARG(j->text));
}

int
codec_limit(struct codec_reader *r, const struct json *obj, const char *name, int64_t min,
	    bool *given, uint32_t *out)
{
	int64_t v = INT64_MIN;
	int status = codec_integer(r, obj, name, "Integer", &v);

	if (status < 0 || v == INT64_MIN) {
		return status;
	}
	if (codec_at_least(r, name, v, min)) {
		*given = true;
		*out = (uint32_t)(v > INT32_MAX ? INT32_MAX : v);
	}
	return 0;
}

int
codec_list(struct codec_reader *r, const struct json *obj, const char *name,
	   const struct json **out)
{
	const struct json *j = json_get(obj, name);

	*out = NULL;
	if (codec_is_null(j)) {
		return 0;
	}
	if (j->type != JSON_ARRAY) {
		return serialization(r,
				     j->type == JSON_OBJECT
					     ? "Start of structure or map found where not expected"
					     : "Unexpected field type");
	}
	*out = j;
	return 0;
}

int
codec_map(struct codec_reader *r, const struct json *obj, const char *name, const char *element,
	  const struct json **out)
{
	const struct json *j = json_get(obj, name);

	*out = NULL;
	if (codec_is_null(j)) {
		return 0;
	}
	if (j->type == JSON_ARRAY) {
		return call_fail(r->c, ERR_SERIALIZATION,
				 "Unrecognized collection type java.util.Map<java.lang.String, %s>",
				 element);
	}
	if (j->type != JSON_OBJECT) {
		return serialization(r, "Unexpected field type");
	}
	*out = j;
	return 0;
}

/* A structure: a member ("field") or an element of a container ("value"). */
static int
structure(struct codec_reader *r, const struct json *j, const char *class, const char *scalar)
{
	if (j->type == JSON_OBJECT) {
		return 0;
	}
	if (j->type == JSON_ARRAY) {
		return call_fail(
			r->c, ERR_SERIALIZATION,
			"Unrecognized collection type class com.amazonaws.dynamodb.v20120810.%s",
			class);
	}
	return serialization(r, scalar);
}

int
codec_struct(struct codec_reader *r, const struct json *obj, const char *name, const char *class,
	     const struct json **out)
{
	const struct json *j = json_get(obj, name);

	*out = codec_is_null(j) ? NULL : j;
	return *out == NULL ? 0 : structure(r, j, class, "Unexpected field type");
}

int
codec_element(struct codec_reader *r, const struct json *j, const char *class)
{
	return structure(r, j, class, "Unexpected value type in payload");
}

int
codec_item(struct codec_reader *r, const struct json *obj, const char *name, struct item *out)
{
	const struct json *map = NULL;
	int status =
		codec_map(r, obj, name, "com.amazonaws.dynamodb.v20120810.AttributeValue", &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	json_each (value, map) {
		status = codec_element(r, value, "AttributeValue");
		if (status < 0) {
			return status;
		}
	}
	return item_from_typed_json(r->c, map, out);
}

int
codec_need_item(struct codec_reader *r, const struct json *obj, const char *name, struct item *out)
{
	if (codec_is_null(json_get(obj, name))) {
		codec_null(r, name);
		return 0;
	}
	return codec_item(r, obj, name, out);
}

int
codec_items(struct codec_reader *r, const struct json *obj, const char *name, struct item **out,
	    size_t *n)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, name, &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	*out = arena_new(&r->c->arena, struct item, list->n);
	*n = 0;
	json_each (child, list) {
		if (child->type != JSON_OBJECT) {
			return codec_element(r, child, "AttributeValue");
		}
		status = item_from_typed_json(r->c, child, &(*out)[(*n)++]);
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

int
codec_value(struct codec_reader *r, const struct json *obj, const char *name,
	    const struct value **out)
{
	const struct json *j = NULL;
	int status = codec_struct(r, obj, name, "AttributeValue", &j);

	if (status < 0 || j == NULL) {
		return status;
	}
	struct value *v = arena_new(&r->c->arena, struct value, 1);

	*out = v;
	return value_from_typed_json(r->c, j, v);
}
