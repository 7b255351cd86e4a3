/*
 * item_json - items as JSON, typed (DynamoDB JSON) and plain (the mount's form)
 *
 * The plain form loses nothing: strings, numbers, booleans, null, arrays and objects are S, N, BOOL, NULL, L, M; B and
 * sets are written typed ({"B":"aGk="}). An object whose only member is named S, N, B, BOOL, NULL, L, M, SS, NS or BS
 * is a typed value, so a stored map that looks like one is written as {"M":{...}}.
 * Source: NAMESPACE 3.
 */
#ifndef STORE_MODEL_ITEM_JSON_H
#define STORE_MODEL_ITEM_JSON_H

#include "store/base/text/json.h"
#include "store/model/item.h"

enum item_form {
	ITEM_PLAIN,
	ITEM_TYPED,
};

/**
 * item_from_json - read an item from a parsed object in plain form
 *
 * It accepts plain JSON, typed values anywhere in it, and complete DynamoDB JSON.
 *
 * Errors:  -ERR_VALIDATION  not an object, or an invalid number, base64 or set; with DynamoDB's messages where it has
 *                           one
 * Memory:  in the call's arena, and borrowed from @json
 */
int item_from_json(struct call *c, const struct json *json, struct item *out) must_check;

/** item_from_typed_json - read an item whose values are all typed; Errors: -ERR_VALIDATION, -ERR_SERIALIZATION */
int item_from_typed_json(struct call *c, const struct json *json, struct item *out) must_check;

/** value_from_typed_json - read one typed value, {"S":"x"} */
int value_from_typed_json(struct call *c, const struct json *json, struct value *out) must_check;

/** value_from_json - read one value in plain form */
int value_from_json(struct call *c, const struct json *json, struct value *out) must_check;

/** item_put_json - append the item on one line, without a newline */
void item_put_json(struct buf *out, const struct item *it, enum item_form form);

/**
 * item_put_attr - append one attribute, for callers that have no complete item
 * @before: '{' before the first attribute, ',' before others; the caller appends '}'
 */
void item_put_attr(struct buf *out, char before, const struct attr *a, enum item_form form);

/** item_put_pretty - append the item indented by two blanks per level, without a newline at the end */
void item_put_pretty(struct buf *out, const struct item *it, enum item_form form);

/** value_put_json - append one value */
void value_put_json(struct buf *out, const struct value *v, enum item_form form);

/** item_json_length - return the bytes that item_put_json() with ITEM_PLAIN would append */
size_t item_json_length(const struct item *it);

#endif
