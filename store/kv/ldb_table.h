/* ldb_table - checks one table file of LevelDB */
#ifndef STORE_KV_LDB_TABLE_H
#define STORE_KV_LDB_TABLE_H

#include "store/base/core/base.h"

enum ldb_table_state {
	LDB_TABLE_WHOLE,
	LDB_TABLE_DAMAGED,
	LDB_TABLE_FAILED, /* it cannot be read: see errno */
};

struct ldb_table_damage {
	off_t place;     /* byte offset of the first damage */
	uint64_t others; /* number of other damaged blocks */
};

/**
 * ldb_table_foot - check the end of the file, where LevelDB begins to read
 * @bytes: size of the file in the manifest
 * @out:   set to the place if it is damaged
 *
 * No checksum covers the end of the file. LevelDB uses its numbers as places and sizes, and ends the process if it
 * cannot allocate that much memory.
 */
enum ldb_table_state ldb_table_foot(int fd, uint64_t bytes, struct ldb_table_damage *out);

/** ldb_table_check - check the end of the file, and the checksum of each block that can be found */
enum ldb_table_state ldb_table_check(int fd, uint64_t bytes, struct ldb_table_damage *out);

#endif
