/*
 * typed_json - see typed_json.h
 *
 * The functions walk the tree in the order of the text. They do not check the values (whether text is a number, a set
 * has duplicates).
 */
#include "store/model/typed_json.h"

#include <strings.h>

#include "store/base/text/base64.h"
#include "store/model/value.h"

#define TYPED_JSON_VALUE "com.amazonaws.dynamodb.v20120810.AttributeValue"

bool
typed_json_bool(const struct json *json, bool *out)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = {{"true", true},   {"yes", true}, {"1", true},
		     {"false", false}, {"no", false}, {"0", false}};

	*out = json->type == JSON_TRUE;
	if (json->type == JSON_TRUE || json->type == JSON_FALSE) {
		return true;
	}
	for (size_t i = 0; json->type == JSON_STRING && i < sizeof(words) / sizeof(words[0]); i++) {
		if (json->text.len == strlen(words[i].word) &&
		    strncasecmp(json->text.at, words[i].word, json->text.len) == 0) {
			*out = words[i].value;
			return true;
		}
	}
	return false;
}

int
typed_json_not_scalar(struct call *c, const struct json *json, const char *java_class)
{
	static const char *const tokens[] = {
		[JSON_NULL] = "NULL_VALUE",     [JSON_FALSE] = "FALSE_VALUE",
		[JSON_TRUE] = "TRUE_VALUE",     [JSON_NUMBER] = "NUMBER_VALUE",
		[JSON_STRING] = "STRING_VALUE",
	};
	bool decimal = json->type == JSON_NUMBER && slice_chr(json->text, '.') != NULL;

	if (json->type == JSON_OBJECT) {
		return call_fail(c, ERR_SERIALIZATION,
				 "Start of structure or map found where not expected");
	}
	if (json->type == JSON_ARRAY) {
		return call_fail(c, ERR_SERIALIZATION,
				 "Unrecognized collection type class java.lang.%s", java_class);
	}
	if (json->type == JSON_STRING && strcmp(java_class, "Boolean") == 0) {
		return call_fail(c, ERR_SERIALIZATION, "Unexpected token received from parser");
	}
	return call_fail(c, ERR_SERIALIZATION, "%s cannot be converted to %s",
			 decimal ? "DECIMAL_VALUE" : tokens[json->type], java_class);
}

int
typed_json_not_container(struct call *c, const struct json *json, const char *java_class,
			 bool element)
{
	if (json->type == JSON_OBJECT) {
		return call_fail(c, ERR_SERIALIZATION,
				 "Start of structure or map found where not expected");
	}
	if (json->type == JSON_ARRAY) {
		return call_fail(c, ERR_SERIALIZATION, "Unrecognized collection type %s",
				 java_class);
	}
	return call_fail(c, ERR_SERIALIZATION,
			 element ? "Unexpected value type in payload" : "Unexpected field type");
}

static int
typed_json_check_binary(struct call *c, const struct json *json)
{
	struct buf bytes;

	if (json->type == JSON_ARRAY) {
		return call_fail(c, ERR_SERIALIZATION,
				 "Unrecognized collection type class java.nio.ByteBuffer");
	}
	if (json->type == JSON_OBJECT) {
		return typed_json_not_scalar(c, json, "String");
	}
	if (json->type != JSON_STRING) {
		return call_fail(c, ERR_SERIALIZATION,
				 "only base-64-encoded strings are convertible to bytes");
	}
	if (json->text.len % 4 != 0) {
		return call_fail(
			c, ERR_SERIALIZATION,
			"Base64 encoded length is expected a multiple of 4 bytes but found: %zu",
			json->text.len);
	}
	buf_init(&bytes, &c->arena);
	return base64_decode(&bytes, json->text)
		       ? 0
		       : call_fail(c, ERR_SERIALIZATION,
				   "Invalid last non-pad Base64 character dectected");
}

static int
typed_json_check_string(struct call *c, const struct json *json)
{
	return json->type == JSON_STRING ? 0 : typed_json_not_scalar(c, json, "String");
}

/* Checks each element of an array. */
static int
typed_json_check_each(struct call *c, const struct json *json,
		      int (*check)(struct call *c, const struct json *json))
{
	if (json->type != JSON_ARRAY) {
		return typed_json_not_container(c, json, "", false);
	}
	json_each (child, json) {
		int status = check(c, child);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

/* Checks @json, the JSON after the type's name. */
static int
typed_json_check_type(struct call *c, enum value_type type, const struct json *json)
{
	bool ignored;

	switch (type) {
	case VALUE_S:
	case VALUE_N:
		return typed_json_check_string(c, json);
	case VALUE_B:
		return typed_json_check_binary(c, json);
	case VALUE_SS:
	case VALUE_NS:
		return typed_json_check_each(c, json, typed_json_check_string);
	case VALUE_BS:
		return typed_json_check_each(c, json, typed_json_check_binary);
	case VALUE_L:
		return typed_json_check_each(c, json, typed_json_check_value);
	case VALUE_M:
		return typed_json_check_item(c, json);
	case VALUE_BOOL:
	case VALUE_NULL:
		return typed_json_bool(json, &ignored) ? 0
						       : typed_json_not_scalar(c, json, "Boolean");
	case VALUE_TYPES:
		break;
	}
	return 0;
}

int
typed_json_check_value(struct call *c, const struct json *json)
{
	if (json->type != JSON_OBJECT) {
		return typed_json_not_container(c, json, "class " TYPED_JSON_VALUE, true);
	}
	json_each (member, json) {
		int status = member->type == JSON_NULL
				     ? 0
				     : typed_json_check_type(c, value_type_from_name(member->name),
							     member);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

int
typed_json_check_item(struct call *c, const struct json *map)
{
	if (map->type != JSON_OBJECT) {
		return typed_json_not_container(
			c, map, "java.util.Map<java.lang.String, " TYPED_JSON_VALUE ">", false);
	}
	json_each (child, map) {
		int status = typed_json_check_value(c, child);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}
