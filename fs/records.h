/*
 * records - .stream.jsonl of a table: what its stream has kept, as lines
 *
 * A flow (store/engine/flow.h), so that it is read as the terminals are: from the beginning on, or back by
 * 256 KiB.  Records that come while it is read belong to it.
 */
#ifndef FS_RECORDS_H
#define FS_RECORDS_H

#include "store/engine/flow.h"

#include "fs/place.h"

/** records_flow - the lines of the table @p's stream, oldest first; Return: as of shards_open() */
int records_flow(struct mount *m, struct call *c, const struct place *p, struct flow **out)
	__attribute__((warn_unused_result));

#endif
