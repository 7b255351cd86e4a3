/*
 * ldb_room - checks whether the disk has space for the data that LevelDB will have to write
 *
 * After a failed write, LevelDB refuses every later one until the database is opened again. To open it, the logs must
 * be written again, as tables. So writes are refused while there is still space for that. The space that must be free:
 *
 *   writes that add            the logs as tables, one compaction, and the margin
 *   a compaction               the logs as tables, one compaction, and a quarter of the margin
 *   any other batch (deletes)  the logs and the batch as tables, the batch as log, too, and a quarter of the margin
 *   opening                    the logs as tables, and an eighth of the margin
 *
 * The margin is an eighth of the disk, but at most 64 MB. If statvfs() reports no size, there is always space.
 */
#ifndef STORE_KV_LDB_ROOM_H
#define STORE_KV_LDB_ROOM_H

#include <leveldb/c.h>

#include "store/base/core/base.h"

struct ldb_room {
	const char *name; /* path of the directory, for messages; borrowed */
	int dir;          /* its descriptor; borrowed */
	leveldb_t *db;    /* NULL: not open yet */

	/* The last measurements of the disk and of the files, in bytes; see ldb_room.c. */
	uint64_t free;
	uint64_t margin;
	uint64_t logs;
	uint64_t compaction;
	uint64_t since_disk; /* committed since the disk was measured */
	uint64_t since_files;
	uint64_t disk_ms; /* steady clock: when it was measured; 0: not yet */
	uint64_t files_ms;
};

/**
 * ldb_room_to_commit - check the space for writes that add, if @grows, or for any batch of @bytes
 *
 * Errors: -ERR_NO_SPACE; Thread: the one that commits
 */
int ldb_room_to_commit(struct ldb_room *room, struct call *c, bool grows, uint64_t bytes)
	must_check;

/** ldb_room_committed - count a batch of @bytes that was committed; Thread: the one that commits */
void ldb_room_committed(struct ldb_room *room, uint64_t bytes);

/** ldb_room_to_compact - check the space for a compaction of one range; Errors: -ERR_NO_SPACE; Thread: any */
int ldb_room_to_compact(const struct ldb_room *room, struct call *c) must_check;

/** ldb_room_to_open - check the space for opening the database in @dir for writing; Errors: -ERR_NO_SPACE */
int ldb_room_to_open(struct call *c, const char *name, int dir) must_check;

#endif
