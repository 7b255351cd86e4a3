/* check_item - checks of items and index entries */
#ifndef STORE_LOCAL_CHECK_CHECK_ITEM_H
#define STORE_LOCAL_CHECK_CHECK_ITEM_H

#include "store/local/check/check_int.h"
#include "store/local/records/key.h"
#include "store/local/records/record.h"

/* An item or entry, decoded. */
struct found {
	struct slice key; /* as it is in the store */
	struct slice record;
	struct value at[KEY_VALUES_MAX];
	struct values place; /* values of @key, in @at */
	struct record_head head;
	struct item item;
	struct key_values base; /* the table's key in @item */
	size_t item_bytes;
};

/**
 * check_fault - decode f->record and compare it with f->key, the key of an item (@ix NULL) or entry
 *
 * Return:  why the record is not valid, in the memory of @c;  NULL: it is valid
 */
const char *check_fault(struct call *c, const struct schema *s, const struct index *ix,
			struct found *f);

/** check_legible - Return: whether each text is valid UTF-8 and each number is canonical */
bool check_legible(struct call *c, const struct item *it);

#endif
