/* batch - many puts at once, also into a table that nobody else can see yet */
#ifndef STORE_LOCAL_WRITE_BATCH_H
#define STORE_LOCAL_WRITE_BATCH_H

#include "store/local/records/local_int.h"

/**
 * batch_load - put @in's items, relaxed, as one operation
 *
 * Errors:  -ERR_NO_TABLE  it is gone;  those of a put
 */
int batch_load(struct local *l, struct call *c, const struct load_items_in *in)
	__attribute__((warn_unused_result));

#endif
