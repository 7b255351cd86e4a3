/* ldb_table - a table file of LevelDB: is it whole? */
#ifndef STORE_KV_LDB_TABLE_H
#define STORE_KV_LDB_TABLE_H

#include <sys/types.h>

#include "store/base/core/buf.h"

enum ldb_table_state {
	LDB_TABLE_WHOLE,
	LDB_TABLE_DAMAGED,
	LDB_TABLE_FAILED, /* errno says why it cannot be read */
};

struct ldb_table_damage {
	off_t place;     /* of the first */
	uint64_t others; /* more blocks that are damaged */
};

/**
 * ldb_table_foot - is the end of the file sound, by which LevelDB finds all else?
 * @bytes: of the file, by the manifest
 *
 * No checksum covers it: LevelDB takes what it says for places and sizes, and
 * ends the process if it cannot have so much memory.
 */
enum ldb_table_state ldb_table_foot(int fd, uint64_t bytes, struct ldb_table_damage *out);

/** ldb_table_check - the end of the file, and the checksum of each block that can be found */
enum ldb_table_state ldb_table_check(int fd, uint64_t bytes, struct ldb_table_damage *out);

#endif
