/*
 * sort_key - values of keys as bytes that sort, one behind the other
 *
 * Notation: esc(x) = x with each 00 byte as 00 FF, where x is an S's UTF-8, a B's
 * bytes, or number_to_key() of an N.  A value that is complete ends with 00 01,
 * so that a shorter one sorts first whatever follows it.
 */
#ifndef STORE_MODEL_SORT_KEY_H
#define STORE_MODEL_SORT_KEY_H

#include "store/base/core/buf.h"
#include "store/model/value.h"

/** sort_key_put - append esc(@v) of an S, N or B; without sort_key_end() it is the prefix of longer values */
void sort_key_put(struct buf *out, const struct value *v);

/** sort_key_room - what a value and its end take, unless there are bytes 00 in it */
size_t sort_key_room(const struct value *v);

/** sort_key_end - append 00 01 */
void sort_key_end(struct buf *out);

/**
 * sort_key_cut - the inverse of both: cut one value off @rest
 *
 * Return:  false when no value of @type stands there
 * Memory:  the value is in @a's memory, or borrows @rest when nothing was escaped
 */
bool sort_key_cut(struct arena *a, struct slice *rest, enum value_type type, struct value *out)
	__attribute__((warn_unused_result));

#endif
