/* catalog_int - what only the engine's opening and the table operations may do to the catalog */
#ifndef STORE_LOCAL_RECORDS_CATALOG_INT_H
#define STORE_LOCAL_RECORDS_CATALOG_INT_H

#include "store/kv/kv.h"
#include "store/local/records/catalog.h"

/** catalog_load - every table of the store; Errors: -ERR_IO, -ERR_CORRUPT */
int catalog_load(struct call *c, struct kv *kv, struct catalog **out)
	__attribute__((warn_unused_result));

void catalog_free(struct catalog *cat);

/** catalog_get - the present schema of the table with that name or ARN, or NULL */
const struct schema *catalog_get(struct catalog *cat, struct call *c, struct slice table);

/** catalog_next - the table after @name in byte order, or NULL */
const struct schema *catalog_next(struct catalog *cat, struct call *c, struct slice name);

/**
 * catalog_current - is @s, found here earlier, still its table's schema?
 *
 * Thread:  the commit leader, who alone changes the catalog, gets an answer that stays true
 */
bool catalog_current(const struct schema *s);

/** catalog_add - a new table; copied.  Thread: the commit leader, after the commit */
void catalog_add(struct catalog *cat, const struct schema *s);

/**
 * catalog_replace - a new schema for the table of its name; copied
 *
 * Return:  the copy, which lives until the next change.  Thread: as catalog_add()
 */
const struct schema *catalog_replace(struct catalog *cat, const struct schema *s);

/** catalog_drop - the table is gone.  Thread: as catalog_add() */
void catalog_drop(struct catalog *cat, struct slice table);

/** catalog_key - key of a table's definition: 't' name */
void catalog_key(struct buf *out, struct slice table);

#endif
