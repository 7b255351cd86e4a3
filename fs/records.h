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

/** records_stat - has the table @p a stream? 0, PLACE_NO_QUERY with the reason */
int records_stat(struct call *c, const struct place *p) __attribute__((warn_unused_result));

/** records_flow - the lines of the table @p's stream, oldest first */
struct flow *records_flow(struct mount *m, const struct place *p);

#endif
