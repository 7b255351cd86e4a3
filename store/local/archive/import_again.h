/* import_again - an import that an earlier process did not finish */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_AGAIN_H
#define STORE_LOCAL_ARCHIVE_IMPORT_AGAIN_H

#include "store/local/records/local_int.h"

/** import_begin_again - fill the table @s, which was being made, from the beginning; without an import, drop it */
int import_begin_again(struct local *l, struct call *c, const struct schema *s)
	__attribute__((warn_unused_result));

#endif
