/* ldb_snappy - Snappy's format, read: LevelDB's table files have blocks in it */
#ifndef STORE_KV_LDB_SNAPPY_H
#define STORE_KV_LDB_SNAPPY_H

#include "store/base/buf.h"

/**
 * ldb_snappy_read - append what @packed stands for to @out
 * @max: bytes at most
 *
 * Return: false: it is damaged, or more than that
 */
bool ldb_snappy_read(struct slice packed, size_t max, struct buf *out);

#endif
