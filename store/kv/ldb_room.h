/*
 * ldb_room - is there room on the disk for what LevelDB will have to write?
 *
 * A LevelDB whose write fails refuses every later one until it is opened again, and to
 * open it, its logs must be written once more, as tables.  So writes are refused while
 * there is still room for that.  What must be free, from the most to the least:
 *
 *   writes that add            the logs as tables, one compaction, and the margin
 *   a compaction               the same, and a quarter of the margin
 *   any other batch (deletes)  the logs and the batch as tables, and a quarter of the margin
 *   opening                    the logs as tables, and an eighth of the margin
 *
 * The margin is an eighth of the disk, at most 64 MB.  Where statvfs() knows no size there is
 * always room.
 */
#ifndef STORE_KV_LDB_ROOM_H
#define STORE_KV_LDB_ROOM_H

#include <leveldb/c.h>

#include "store/base/core/call.h"

struct ldb_room {
	const char *name; /* of the directory, for messages; borrowed */
	int dir;          /* likewise, its descriptor */
	leveldb_t *db;    /* NULL: not open yet */

	/* The last looks at the disk and at the files, see ldb_room.c. */
	uint64_t free;
	uint64_t margin;
	uint64_t logs;
	uint64_t compaction;
	uint64_t since_disk; /* bytes that were committed after the look */
	uint64_t since_files;
	uint64_t disk_ms; /* when; 0: not yet */
	uint64_t files_ms;
};

/** ldb_room_to_grow - for writes that add;  Errors:  -ERR_NO_SPACE.  Thread: the one that commits */
int ldb_room_to_grow(struct ldb_room *room, struct call *c) __attribute__((warn_unused_result));

/** ldb_room_to_commit - for a batch of so many bytes, whatever it does; likewise */
int ldb_room_to_commit(struct ldb_room *room, struct call *c, uint64_t bytes)
	__attribute__((warn_unused_result));

/** ldb_room_committed - it was.  Thread: the one that commits */
void ldb_room_committed(struct ldb_room *room, uint64_t bytes);

/** ldb_room_to_compact - for a piece of a compaction;  Errors:  -ERR_NO_SPACE.  Thread: any */
int ldb_room_to_compact(const struct ldb_room *room, struct call *c)
	__attribute__((warn_unused_result));

/** ldb_room_to_open - before it is opened to be written;  Errors:  -ERR_NO_SPACE */
int ldb_room_to_open(struct call *c, const char *name, int dir) __attribute__((warn_unused_result));

#endif
