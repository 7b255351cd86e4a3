/*
 * transfer_tidy - what becomes of records of transfers: of those that an earlier process left, and of old ones
 *
 * A record that is damaged is told of in a line (say.h), and the others are tidied.
 */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_TIDY_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_TIDY_H

#include "store/local/archive/transfer.h"

/**
 * transfer_tidy - when a store is opened: exports that were on their way have failed, and imports whose
 * table is gone; old records are forgotten
 */
int transfer_tidy(struct local *l, struct call *c) __attribute__((warn_unused_result));

/** transfer_forget_old - at any time: those that are 90 days old */
int transfer_forget_old(struct local *l, struct call *c, enum transfer_kind kind)
	__attribute__((warn_unused_result));

/** transfer_of_table - the import on its way to @table;  Return: 0, KV_ABSENT, < 0 */
int transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
	__attribute__((warn_unused_result));

#endif
