/* key_text - key values as people type them: text for S, a number for N, base64 for B */
#ifndef STORE_MODEL_KEY_TEXT_H
#define STORE_MODEL_KEY_TEXT_H

#include "store/base/core/call.h"
#include "store/model/schema.h"

/**
 * key_text_parse - one key value
 * @text: borrowed as long as the value
 *
 * Errors:  -ERR_USAGE  not a number, not base64, not UTF-8, empty (message names the attribute)
 */
int key_text_parse(struct call *c, const struct key_attr *attr, struct slice text,
		   struct value *out) __attribute__((warn_unused_result));

/** key_text_of - the inverse, of a key's value; base64 is in @a, other texts are @v's */
struct slice key_text_of(struct arena *a, const struct value *v);

#endif
