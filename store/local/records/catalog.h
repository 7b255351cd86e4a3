/*
 * catalog - in-memory cache of the table definitions of a store
 *
 * A schema found here is immutable and lives as long as the memory of the call that found it. When its table is
 * altered or dropped, the catalog replaces the schema. So an operation that was bound to a schema checks at commit
 * whether it is still current, and otherwise binds again.
 */
#ifndef STORE_LOCAL_RECORDS_CATALOG_H
#define STORE_LOCAL_RECORDS_CATALOG_H

#include "store/model/schema.h"

struct catalog;

/**
 * catalog_find - the schema of a table that is not being created from a backup or an import
 * @table: its name or ARN
 * @out:   lives as long as the memory of @c; NULL after an error
 *
 * Errors:  -ERR_NO_TABLE  "Requested resource not found"
 * Thread:  any
 */
int catalog_find(struct catalog *cat, struct call *c, struct slice table, const struct schema **out)
	must_check;

/**
 * catalog_find_index - the schema of a table and one of its indexes, which must be active
 * @index: its name; empty: @ix becomes NULL
 *
 * Errors:  as catalog_find(); -ERR_NO_INDEX
 * Thread:  any
 */
int catalog_find_index(struct catalog *cat, struct call *c, struct slice table, struct slice index,
		       const struct schema **schema, const struct index **ix) must_check;

#endif
