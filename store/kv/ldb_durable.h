/*
 * ldb_durable - syncs the names of a database's files, and records how many bytes of a log were synced
 *
 * When a log is full, LevelDB begins a new one. It syncs the directory only when the full log has become a table, about
 * a second later. POSIX allows a power cut before that to remove the name of the new log, and with it synced batches.
 * So the directory is synced before a durable batch is acknowledged, if its mtime says that names have changed.
 *
 * The attribute user.itemfs.durable is set after the first sync of the newest log, after each further megabyte, and
 * when the store is closed. It is not synced: a crash of the machine may lose it, and then less is known. After a
 * killed process it has its last value. A log that is shorter than its attribute says, or empty, has lost acknowledged
 * data.
 */
#ifndef STORE_KV_LDB_DURABLE_H
#define STORE_KV_LDB_DURABLE_H

#include "store/base/core/base.h"

/**
 * ldb_names_sync - sync the directory @dir if names in it have changed since the last sync
 * @synced: mtime of the directory at that sync in ns, 0 if it is not known; updated
 *
 * Return: 1 if it was synced; 0 if nothing had changed; -1 with errno
 */
int ldb_names_sync(int dir, uint64_t *synced) must_check;

/** ldb_durable_note - record the size of the newest log in the directory @dir, all of which must have been synced */
void ldb_durable_note(int dir);

/** ldb_durable_bytes - return the recorded bytes of the log @name in the directory @dir; 0: not known */
off_t ldb_durable_bytes(int dir, const char *name);

#endif
