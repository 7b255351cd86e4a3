/*
 * check_repair - changes to the store by a repair
 *
 * check_put(), check_del() and check_move() repair the last problem, and do nothing in a page that only reads
 * (k->t is NULL).
 */
#ifndef STORE_LOCAL_CHECK_CHECK_REPAIR_H
#define STORE_LOCAL_CHECK_CHECK_REPAIR_H

#include "store/local/check/check_int.h"

/** check_put - put a copy of @key and @value into the page's batch; @done: as for check_done() */
void check_put(struct check *k, struct slice key, struct slice value, const char *done);

/** check_del - delete @key in the page's batch; copied */
void check_del(struct check *k, struct slice key);

/**
 * check_move - move @key, whose content cannot be derived from other keys, from the store to a file
 *
 * Does nothing if the store has no directory.
 */
void check_move(struct check *k, struct slice key, struct slice record);

/** check_done - the last problem has been repaired, as @done says: a literal, or text in the memory of k->c */
void check_done(struct check *k, const char *done);

/**
 * check_keep_moved - write the file of moved records and sync it; call it before the batch is committed
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE
 */
int check_keep_moved(struct check *k) __attribute__((warn_unused_result));

#endif
