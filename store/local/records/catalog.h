/*
 * catalog - the tables of a store, their definitions cached
 *
 * A schema found here is immutable and lives as long as the memory of the call
 * that found it.  When its table is altered or dropped a new one takes its
 * place, so whoever bound to the old one looks at commit whether it is still the
 * present one, and else binds again.
 */
#ifndef STORE_LOCAL_RECORDS_CATALOG_H
#define STORE_LOCAL_RECORDS_CATALOG_H

#include "store/model/schema.h"

struct catalog;

/**
 * catalog_find - the schema of a table
 * @table: its name or ARN
 *
 * Errors:  -ERR_NO_TABLE  "Requested resource not found"
 * Thread:  any
 */
int catalog_find(struct catalog *cat, struct call *c, struct slice table, const struct schema **out)
	__attribute__((warn_unused_result));

/** catalog_find_index - likewise, and the index called @index (NULL for an empty name); Errors:
 * also -ERR_NO_INDEX */
int catalog_find_index(struct catalog *cat, struct call *c, struct slice table, struct slice index,
		       const struct schema **schema, const struct index **ix)
	__attribute__((warn_unused_result));

#endif
