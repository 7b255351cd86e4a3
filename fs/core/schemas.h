/*
 * schemas - what is declared of the tables a mount shows, asked of the engine once
 *
 * A schema stays readable as long as the memory of the call that asked for it,
 * also after its table was dropped; schemas_drop() makes the next one ask the engine.
 */
#ifndef FS_CORE_SCHEMAS_H
#define FS_CORE_SCHEMAS_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/engine/engine.h"

struct schemas {
	pthread_mutex_t lock;
	struct engine *engine;
	struct known_schema *known; /* one a table */
	_Atomic uint64_t drops;     /* how often something was forgotten */
	uint64_t keep_ms;           /* so long what was asked is believed; 0: until it is dropped */
};

void schemas_init(struct schemas *s, struct engine *e, uint64_t keep_ms);
void schemas_release(struct schemas *s);

/** schemas_get - the schema of @table; Errors: the engine's, -ERR_NO_TABLE before all */
int schemas_get(struct schemas *s, struct call *c, struct slice table, const struct schema **out)
	__attribute__((warn_unused_result));

/** schemas_find - likewise, if it is known already, else NULL */
const struct schema *schemas_find(struct schemas *s, struct call *c, struct slice table);

/** schemas_drop - the table is gone or new: forget what is known of it */
void schemas_drop(struct schemas *s, struct slice table);

/** schemas_known - of how many tables it is known */
size_t schemas_known(struct schemas *s);

/** schemas_clear - forget all of them */
void schemas_clear(struct schemas *s);

#endif
