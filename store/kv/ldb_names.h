/*
 * ldb_names - syncs the directory of a database when the names in it have changed
 *
 * When a log is full, LevelDB begins a new one. It syncs the directory only when the full log has become a table, about
 * a second later. POSIX allows a power cut before that to remove the name of the new log, and with it synced batches.
 * So the directory is synced before a durable batch is acknowledged, if its mtime says that names have changed.
 */
#ifndef STORE_KV_LDB_NAMES_H
#define STORE_KV_LDB_NAMES_H

#include <time.h>

#include "store/base/core/error.h"

struct ldb_names {
	struct timespec synced; /* mtime of the directory at its last sync; 0: not known */
};

/**
 * ldb_names_sync - sync the directory @dir if names in it have changed since the last sync
 *
 * Return: 1 if it was synced; 0 if nothing had changed; -1 with errno
 */
int ldb_names_sync(struct ldb_names *n, int dir) must_check;

#endif
