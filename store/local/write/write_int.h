/* write_int - between write_make.c and the funnel */
#ifndef STORE_LOCAL_WRITE_WRITE_INT_H
#define STORE_LOCAL_WRITE_WRITE_INT_H

#include "store/local/write/write.h"

/**
 * write_update - what an update makes of w->old, or of the key when there was nothing
 *
 * Sets w->changed, and where that is true all that a put has from the beginning.
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 * Thread:  the commit leader
 */
int write_update(struct call *c, struct write *w) __attribute__((warn_unused_result));

#endif
