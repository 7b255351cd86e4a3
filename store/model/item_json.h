/*
 * item_json - items as text: typed (DynamoDB JSON) and plain (the mount's form)
 *
 * Plain is lossless: strings, numbers, booleans, null, arrays and objects are
 * S, N, BOOL, NULL, L, M; B and sets are written typed ({"B":"aGk="}).  An
 * object whose only member is named S, N, B, BOOL, NULL, L, M, SS, NS or BS is
 * a typed value; so a stored map of that look is written {"M":{...}}.
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
 * item_from_json - an item from a parsed object in the mount's form
 *
 * Accepts plain JSON, typed escapes anywhere, and whole DynamoDB JSON.
 *
 * Errors:  -ERR_VALIDATION  not an object, a bad number, base64, set (DynamoDB's messages where it
 * has one) Memory:  call's arena and what @json borrows
 */
int item_from_json(struct call *c, const struct json *json, struct item *out)
	__attribute__((warn_unused_result));

/** item_from_typed_json - an item as the wire has it: every value typed, nothing else accepted */
int item_from_typed_json(struct call *c, const struct json *json, struct item *out)
	__attribute__((warn_unused_result));

/** value_from_typed_json - one typed value, {"S":"x"} */
int value_from_typed_json(struct call *c, const struct json *json, struct value *out)
	__attribute__((warn_unused_result));

/** value_from_json - one value in the mount's form */
int value_from_json(struct call *c, const struct json *json, struct value *out)
	__attribute__((warn_unused_result));

/** item_put_json - append the item on one line, without a newline */
void item_put_json(struct buf *out, const struct item *it, enum item_form form);

/**
 * item_put_attr - append one attribute, for who has no item to put
 * @before: the character before it: '{' of the first one, ',' of the others; '}' is the caller's
 */
void item_put_attr(struct buf *out, char before, const struct attr *a, enum item_form form);

/** item_put_pretty - append the item indented by two blanks a level, without a newline at the end
 */
void item_put_pretty(struct buf *out, const struct item *it, enum item_form form);

/** value_put_json - append one value */
void value_put_json(struct buf *out, const struct value *v, enum item_form form);

/** item_json_length - bytes that item_put_json() with ITEM_PLAIN would append, without writing them
 */
size_t item_json_length(const struct item *it);

#endif
