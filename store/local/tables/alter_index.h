/* alter_index - the part of UpdateTable that changes global indexes immediately; index_job.h does the rest later */
#ifndef STORE_LOCAL_TABLES_ALTER_INDEX_H
#define STORE_LOCAL_TABLES_ALTER_INDEX_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/**
 * alter_warm - set WarmThroughput of the table (@ix NULL) or of its GSI @ix
 * @asked: 0 keeps the present value
 *
 * Return:  0;  -ERR_VALIDATION
 */
int alter_warm(struct call *c, struct schema *s, struct index *ix, const struct warm *asked)
	__attribute__((warn_unused_result));

/**
 * alter_indexes - apply the index changes of @in to @s
 * @s:               already has its new billing mode
 * @was_provisioned: the old billing mode
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION, -ERR_NO_TABLE, -ERR_LIMIT;  -ERR_TABLE_CHANGING  another index is being added or
 *          dropped
 * Source:  BEHAVIOUR 4.3, 4.6
 */
int alter_indexes(struct txn *t, struct call *c, struct schema *s, bool was_provisioned,
		  const struct update_table_in *in) __attribute__((warn_unused_result));

#endif
