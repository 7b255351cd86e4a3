/*
 * ldb_durable - how much of a log was on disk, written down beside it
 *
 * The extended attribute user.itemfs.durable of a log: so many bytes of it were synced.  It is set after
 * the first sync of the newest log, after each further megabyte, and when the store is closed.  No sync is made
 * for it: a crash of the machine may lose it, and then less is known.  A killed process leaves what it
 * noted last.  A log that is shorter, be it empty, has lost what was acknowledged.
 */
#ifndef STORE_KV_LDB_DURABLE_H
#define STORE_KV_LDB_DURABLE_H

#include <sys/types.h>

/** ldb_durable_note - the newest log in the directory @dir was synced, and nothing has been written since */
void ldb_durable_note(int dir);

/** ldb_durable_bytes - of the log @name; 0: nobody knows */
off_t ldb_durable_bytes(int dir, const char *name);

#endif
