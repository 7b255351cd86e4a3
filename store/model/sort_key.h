/*
 * sort_key - values of keys as bytes that sort, one after the other
 *
 * Notation: esc(x) is x with each byte 00 as 00 FF, where x is the UTF-8 of an S, the bytes of a B, or number_to_key()
 * of an N. A complete value ends with 00 01, so that a shorter one sorts first, whatever follows it.
 */
#ifndef STORE_MODEL_SORT_KEY_H
#define STORE_MODEL_SORT_KEY_H

#include "store/model/value.h"

/** sort_key_put - append esc() of an S, N or B; without sort_key_end() it is the prefix of longer values */
void sort_key_put(struct buf *out, const struct value *v);

/** sort_key_room - return the bytes that a value and its end need at most, if the value has no bytes 00 */
size_t sort_key_room(const struct value *v);

/** sort_key_end - append 00 01 */
void sort_key_end(struct buf *out);

/**
 * sort_key_cut - read one value, up to its end, and cut it off @rest
 *
 * Return:  false if no value of @type is there
 * Memory:  in @a, or borrowed from @rest if nothing was escaped
 */
bool sort_key_cut(struct arena *a, struct slice *rest, enum value_type type, struct value *out)
	must_check;

#endif
