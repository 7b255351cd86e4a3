/* batch - many puts in one operation, also into a table that is still being created */
#ifndef STORE_LOCAL_WRITE_BATCH_H
#define STORE_LOCAL_WRITE_BATCH_H

#include "store/local/records/local_int.h"

/**
 * batch_load - put the items of @in in one operation, without a sync
 *
 * Errors:  -ERR_NO_TABLE  the table does not exist any more;  those of a put
 */
int batch_load(struct local *l, struct call *c, const struct load_items_in *in) must_check;

#endif
