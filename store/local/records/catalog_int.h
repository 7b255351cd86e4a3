/* catalog_int - functions of the catalog for opening the engine and for table operations only */
#ifndef STORE_LOCAL_RECORDS_CATALOG_INT_H
#define STORE_LOCAL_RECORDS_CATALOG_INT_H

#include "store/kv/kv.h"
#include "store/local/records/catalog.h"

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
