/* write_int - a function of write_make.c for write.c only */
#ifndef STORE_LOCAL_WRITE_WRITE_INT_H
#define STORE_LOCAL_WRITE_WRITE_INT_H

#include "store/local/write/write.h"

/**
 * write_update - apply the update to w->old, or to the key if the item did not exist
 *
 * Sets w->item and w->changed; if that is true, also record, size and entries, as for a put.
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 * Thread:  the commit leader
 */
int write_update(struct call *c, struct write *w) __attribute__((warn_unused_result));

#endif
