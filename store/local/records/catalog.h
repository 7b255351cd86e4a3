/*
 * catalog - in-memory cache of the table definitions of a store
 *
 * A schema found here is immutable and lives as long as the memory of the call that found it. When its table is
 * altered or dropped, the catalog replaces the schema. So an operation that was bound to a schema checks at commit
 * whether it is still current, and otherwise binds again.
 */
#ifndef STORE_LOCAL_RECORDS_CATALOG_H
#define STORE_LOCAL_RECORDS_CATALOG_H

#include "store/kv/kv.h"
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

/* ------------------------------------------------------------ opening of the engine, operations on tables */

/** catalog_load - load the definitions of all tables; Errors: -ERR_IO, -ERR_CORRUPT; then @out is to be freed, too */
int catalog_load(struct call *c, struct kv *kv, struct catalog **out) must_check;

/** catalog_free - free the catalog; schemas that calls still hold live until these calls end; NULL is allowed */
void catalog_free(struct catalog *cat);

/** catalog_get - the current schema of the table with that name or ARN, or NULL; also of a table being created */
const struct schema *catalog_get(struct catalog *cat, struct call *c, struct slice table);

/** catalog_next - the table after @name in byte order, or NULL */
const struct schema *catalog_next(struct catalog *cat, struct call *c, struct slice name);

/**
 * catalog_current - test whether @s, found here earlier, is still its table's schema
 *
 * Thread:  any; for the commit leader the result stays true, because only the leader changes the catalog
 */
bool catalog_current(const struct schema *s);

/** catalog_add - add a copy of the schema of a new table.  Thread: the commit leader, after the commit */
void catalog_add(struct catalog *cat, const struct schema *s);

/** catalog_replace - replace the schema of an existing table by a copy of @s.  Thread: as catalog_add() */
void catalog_replace(struct catalog *cat, const struct schema *s);

/** catalog_drop - remove the table, if it is there.  Thread: as catalog_add() */
void catalog_drop(struct catalog *cat, struct slice table);

#endif
