/*
 * typed_json - checks whether JSON has the types that an attribute value needs
 *
 * The service checks the JSON types of a complete request before it looks at any value. The readers of item_json.h do
 * both in one pass. If they refuse something, these functions find out whether a wrong JSON type comes first, and
 * report it with the message of the service's deserializer.
 */
#ifndef STORE_MODEL_TYPED_JSON_H
#define STORE_MODEL_TYPED_JSON_H

#include "store/base/text/json.h"

/** typed_json_check_value - check one typed value; Errors: -ERR_SERIALIZATION for the first wrong type in the text */
int typed_json_check_value(struct call *c, const struct json *json) must_check;

/** typed_json_check_item - check a map of typed values in the same way */
int typed_json_check_item(struct call *c, const struct json *map) must_check;

/** typed_json_bool - read a Boolean, or a string (true, yes, 1, false, no, 0, in any case); false: it is none */
bool typed_json_bool(const struct json *json, bool *out);

/**
 * typed_json_not_scalar - fail because @json is not the scalar that is expected
 * @class: the Java class that is expected: "String", "Boolean", "Integer", "Long"
 *
 * Return: -ERR_SERIALIZATION
 */
int typed_json_not_scalar(struct call *c, const struct json *json, const char *java_class)
	must_check;

/**
 * typed_json_not_container - fail because @json is not the structure, map or list that is expected
 * @class:   what is expected, as messages print it: "class java.util.Map"
 * @element: @json is in a list or map, not a member of a structure
 *
 * Return: -ERR_SERIALIZATION
 */
int typed_json_not_container(struct call *c, const struct json *json, const char *java_class,
			     bool element) must_check;

#endif
