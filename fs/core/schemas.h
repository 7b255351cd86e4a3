/*
 * schemas - cache of DescribeTable: the schemas of a mount's tables
 *
 * A schema stays readable until the call that obtained it is closed, even if the table is dropped meanwhile. After
 * schemas_drop() the next schemas_get() asks the engine.
 */
#ifndef FS_CORE_SCHEMAS_H
#define FS_CORE_SCHEMAS_H

#include <stdatomic.h>

#include "store/engine/engine.h"

struct schemas {
	pthread_mutex_t lock;
	struct engine *engine;
	struct known_schema *known; /* one per table */
	_Atomic uint64_t drops;     /* how often something was dropped */
	uint64_t keep_ms;           /* lifetime of an entry; 0: until it is dropped */
};

void schemas_init(struct schemas *s, struct engine *e, uint64_t keep_ms);
void schemas_release(struct schemas *s);

/** schemas_get - the schema of @table; Errors: those of the engine, above all -ERR_NO_TABLE */
int schemas_get(struct schemas *s, struct call *c, struct slice table, const struct schema **out)
	must_check;

/** schemas_find - the cached schema of @table, or NULL */
const struct schema *schemas_find(struct schemas *s, struct call *c, struct slice table);

/** schemas_drop - drop the schema of a table that was dropped, created or altered; of all tables if @table is empty */
void schemas_drop(struct schemas *s, struct slice table);

/** schemas_known - number of cached schemas */
size_t schemas_known(struct schemas *s);

#endif
