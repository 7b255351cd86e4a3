/*
 * ldb_durable - records how many bytes of a log were synced, in an extended attribute of the log
 *
 * The attribute user.itemfs.durable is set after the first sync of the newest log, after each further megabyte, and
 * when the store is closed. It is not synced: a crash of the machine may lose it, and then less is known. After a
 * killed process it has its last value. A log that is shorter than its attribute says, or empty, has lost acknowledged
 * data.
 */
#ifndef STORE_KV_LDB_DURABLE_H
#define STORE_KV_LDB_DURABLE_H

#include <sys/types.h>

/** ldb_durable_note - record the size of the newest log in the directory @dir, all of which must have been synced */
void ldb_durable_note(int dir);

/** ldb_durable_bytes - return the recorded bytes of the log @name in the directory @dir; 0: not known */
off_t ldb_durable_bytes(int dir, const char *name);

#endif
