/* alter_index - UpdateTable's changes of global indexes, as far as they are made at once */
#ifndef STORE_LOCAL_TABLES_ALTER_INDEX_H
#define STORE_LOCAL_TABLES_ALTER_INDEX_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/** alter_warm - WarmThroughput of the table (@ix NULL) or of its GSI @ix; what is 0 in @asked stays */
int alter_warm(struct call *c, struct schema *s, struct index *ix, const struct warm *asked)
	__attribute__((warn_unused_result));

/**
 * alter_indexes - change @s, whose billing mode is changed already, as @in says
 *
 * Errors:  -ERR_VALIDATION, -ERR_NO_TABLE, -ERR_LIMIT;  -ERR_TABLE_CHANGING  another index comes or goes
 * Source:  BEHAVIOUR 4.3, 4.6
 */
int alter_indexes(struct txn *t, struct call *c, struct schema *s, bool was_provisioned,
		  const struct update_table_in *in) __attribute__((warn_unused_result));

#endif
