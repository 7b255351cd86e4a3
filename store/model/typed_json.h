/*
 * typed_json - is a tree of JSON an attribute value, as far as the types of JSON go?
 *
 * The service judges the JSON types of a whole request before it looks at any
 * value.  item_json.h's readers do both in one pass; when they refuse something,
 * these functions find out whether a wrong JSON type comes first, and report it
 * in the words of the service's deserializer.
 */
#ifndef STORE_MODEL_TYPED_JSON_H
#define STORE_MODEL_TYPED_JSON_H

#include "store/base/text/json.h"

/** typed_json_check_value - of one typed value; Errors: -ERR_SERIALIZATION, for the first in the text */
int typed_json_check_value(struct call *c, const struct json *json)
	__attribute__((warn_unused_result));

/** typed_json_check_item - likewise, of a map of them */
int typed_json_check_item(struct call *c, const struct json *map)
	__attribute__((warn_unused_result));

/** typed_json_bool - a Boolean; the service takes the words true, yes, false and no in any case, too */
bool typed_json_bool(const struct json *json, bool *out);

/**
 * typed_json_not_scalar - @json stands where a scalar of a Java class is expected
 * @class: "String", "Boolean", "Integer", "Long"
 *
 * Return: -ERR_SERIALIZATION
 */
int typed_json_not_scalar(struct call *c, const struct json *json, const char *class)
	__attribute__((warn_unused_result));

/**
 * typed_json_not_container - @json stands where a structure, map or list is expected
 * @class:   what is expected, as complaints print it: "class java.util.Map"
 * @element: within a list or map, not as a member of a structure
 *
 * Return: -ERR_SERIALIZATION
 */
int typed_json_not_container(struct call *c, const struct json *json, const char *class,
			     bool element) __attribute__((warn_unused_result));

#endif
