/*
 * check_mend - repairs
 *
 * The check_mend functions repair the last problem, and do nothing in a page that only reads (k->t is NULL).
 */
#ifndef STORE_LOCAL_CHECK_CHECK_MEND_H
#define STORE_LOCAL_CHECK_CHECK_MEND_H

#include "store/local/check/check_item.h"

/* ------------------------------------------------------------ changes; k->t is set */

/** check_put - put a copy of @key and @value into the page's batch */
void check_put(struct check *k, struct slice key, struct slice value);

/** check_del - delete @key in the page's batch; copied */
void check_del(struct check *k, struct slice key);

/**
 * check_move - move @key, whose content cannot be derived from other keys, from the store to a file
 *
 * Return:  false: the store has no directory, so nothing was done
 */
bool check_move(struct check *k, struct slice key, struct slice record);

/**
 * check_keep_moved - write the file of moved records and sync it; call it before the batch is committed
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE
 */
int check_keep_moved(struct check *k) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ repairs; errors: -ERR_IO, -ERR_CORRUPT of kv_get() */

/** check_mend - move the invalid item @f to a file, or derive the entry @f again from its item */
int check_mend(struct check *k, const struct found *f) __attribute__((warn_unused_result));

/** check_mend_gone - move a key that cannot be used to a file */
void check_mend_gone(struct check *k, struct slice key, struct slice record);

/** check_mend_length - correct the rendered length of a valid item or entry */
int check_mend_length(struct check *k, const struct found *f) __attribute__((warn_unused_result));

/** check_mend_entry_of - put the entry of the valid item @f in @ix */
int check_mend_entry_of(struct check *k, const struct found *f, const struct index *ix)
	__attribute__((warn_unused_result));

#endif
