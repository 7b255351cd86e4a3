/*
 * ldb_names - the names of LevelDB's files last
 *
 * LevelDB begins a log when the one before is full, and syncs the directory only when that
 * has become a table, a second later.  POSIX lets a power cut until then take the new log's
 * name, and with it synced batches.  So the directory is synced before a durable batch is
 * acknowledged, if names have come or gone since it last was: its mtime says so.
 */
#ifndef STORE_KV_LDB_NAMES_H
#define STORE_KV_LDB_NAMES_H

#include <time.h>

struct ldb_names {
	struct timespec synced; /* mtime of the directory whose names are on disk; 0: not known */
};

/**
 * ldb_names_sync - what has a name in the directory @dir keeps it
 *
 * Return: 1: it was synced; 0: nothing had changed since it was; -1: errno says why not
 */
int ldb_names_sync(struct ldb_names *n, int dir) __attribute__((warn_unused_result));

#endif
