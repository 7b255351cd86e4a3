/*
 * spill - items that wait for one of the same key and have no room in memory: a temporary store
 *
 * It is made when it is first needed, below TMPDIR or in /var/tmp, for its owner alone.
 */
#ifndef TOOLS_WRITE_SPILL_H
#define TOOLS_WRITE_SPILL_H

#include "store/engine/engine.h"

#include "tools/write/pending_items.h"

struct spill {
	const struct key_schema *key; /* of its tables */
	const char *path;             /* NULL: there is none yet; heap */
	struct engine *engine;
	uint64_t n[2]; /* items in each of two tables */
};

/** spill_put - move all that waits in @p to the table @side; Errors: -ERR_IO, those of LoadItems */
int spill_put(struct spill *s, struct call *c, unsigned side, struct pending *p)
	__attribute__((warn_unused_result));

/** spill_find - the item of the table @side that has the key of @it; in the call's arena; Return: 0, or 1: there is none */
int spill_find(struct spill *s, struct call *c, unsigned side, const struct item *it,
	       struct item *out) __attribute__((warn_unused_result));

/** spill_drop - items that were found: by their keys */
int spill_drop(struct spill *s, struct call *c, unsigned side, const struct item *keys, size_t n)
	__attribute__((warn_unused_result));

/** spill_key - the attributes of @it that are its key */
struct item spill_key(struct arena *a, const struct key_schema *k, const struct item *it);

/** spill_table - what the table is called in s->engine */
struct slice spill_table(unsigned side);

/** spill_release - with its directory */
void spill_release(struct spill *s);

#endif
