/*
 * table_file - files at a table's root that are no items, and are never listed; read-only
 *
 *   .table.json   the table's definition and size, as "itemctl describe" prints it
 *   .stream       its changes from now on, one JSON line each: follow.h
 *   .stream.jsonl the records of its stream, which are kept for a day: records.h
 */
#ifndef FS_MADE_TABLE_FILE_H
#define FS_MADE_TABLE_FILE_H

#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/place/place_stat.h"

/** table_file_stat - the attributes of the place @p, a TABLE_FILE; 0, PLACE_NO_QUERY, or the engine's error */
int table_file_stat(struct mount *m, struct call *c, const struct place *p, struct attributes *out)
	must_check;

/**
 * table_file_open - open it for reading: set the handle's text, follower or generated file; a .stream cannot be seeked
 */
int table_file_open(struct request *rq, struct handle *h, const struct place *p,
		    struct fuse_file_info *fi) must_check;

#endif
