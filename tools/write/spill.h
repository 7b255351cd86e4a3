/*
 * spill - temporary store for waiting items (pending_items.h) that do not fit into memory
 *
 * It is created when it is first needed, in TMPDIR or /var/tmp, and only its owner can access it.
 */
#ifndef TOOLS_WRITE_SPILL_H
#define TOOLS_WRITE_SPILL_H

#include "store/base/system/temporary.h"
#include "store/engine/engine.h"

#include "tools/write/pending_items.h"

struct spill {
	const struct key_schema *key; /* of both tables */
	struct temporary at;          /* directory of the store */
	struct engine *engine;
	uint64_t n[2]; /* items in each of the two tables */
};

/** spill_put - move all items of @p to the table @side, 0 or 1; Errors: -ERR_IO, those of store_open() and LoadItems */
int spill_put(struct spill *s, struct call *c, unsigned side, struct pending *p) must_check;

/** spill_find - the item of table @side with the key of @it, in the call's arena; Return: 0, 1: not found; -ERR_* */
int spill_find(struct spill *s, struct call *c, unsigned side, const struct item *it,
	       struct item *out) must_check;

/** spill_drop - delete items that spill_find() has found, by their keys */
int spill_drop(struct spill *s, struct call *c, unsigned side, const struct item *keys, size_t n)
	must_check;

/** spill_key - the key attributes of @it; values are borrowed from @it */
struct item spill_key(struct arena *a, const struct key_schema *k, const struct item *it);

/** spill_table - the name of the table @side in s->engine */
struct slice spill_table(unsigned side);

/** spill_release - close the store and remove its directory; harmless if there is none */
void spill_release(struct spill *s);

#endif
