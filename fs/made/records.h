/*
 * records - the .stream.jsonl of a table: the records that its stream has kept, as lines
 *
 * It is a row stream (store/engine/row_stream.h), so it is read like a generated file: from the beginning on, or up to
 * 256 KiB back. Records that arrive while it is read belong to it.
 */
#ifndef FS_MADE_RECORDS_H
#define FS_MADE_RECORDS_H

#include "store/engine/row_stream.h"

#include "fs/place/place.h"

/**
 * records_stream - the newest stream of the table @p
 * @schema: of the table as it is now; in the call's arena, as @arn
 *
 * Return: 0, PLACE_NO_QUERY with the reason when there is none, or the engine's error
 */
int records_stream(struct mount *m, struct call *c, const struct place *p,
		   const struct schema **schema, struct slice *arn) must_check;

/** records_none - fail with the message that the table has no stream; Return: PLACE_NO_QUERY */
int records_none(struct call *c, struct slice table) must_check;

/** records_row_stream - open the lines of the stream of the table @p, oldest first; Return: as records_stream() */
int records_row_stream(struct mount *m, struct call *c, const struct place *p,
		       struct row_stream **out) must_check;

#endif
