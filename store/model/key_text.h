/* key_text - key values as users type them: text for S, a number for N, base64 for B */
#ifndef STORE_MODEL_KEY_TEXT_H
#define STORE_MODEL_KEY_TEXT_H

#include "store/model/schema.h"

/**
 * key_text_parse - read one key value
 * @text: borrowed as long as the value
 *
 * Errors:  -ERR_USAGE       empty, not base64, not UTF-8; the message names the attribute
 *          -ERR_VALIDATION  from number_canonical()
 */
int key_text_parse(struct call *c, const struct key_attr *attr, struct slice text,
		   struct value *out) must_check;

/** key_text_of - return the text of the key value @v; base64 is in @a, other text is borrowed from @v */
struct slice key_text_of(struct arena *a, const struct value *v);

#endif
