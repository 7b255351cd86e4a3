/* ldb_holder - finds the process that has a database open; sees writes of other processes */
#ifndef STORE_KV_LDB_HOLDER_H
#define STORE_KV_LDB_HOLDER_H

#include "store/base/core/base.h"

/**
 * ldb_holder_dying - find the process that has @dir open, if it was killed and has not ended yet
 *
 * Return: its process ID; 0 if there is none, it was not killed, or that is not known
 */
pid_t ldb_holder_dying(const char *dir);

/** ldb_holder_stopped - the same for a process that is stopped (process_is_stopped()) */
pid_t ldb_holder_stopped(const char *dir);

/** ldb_holder_put - append "process N (NAME)" for the process that has @dir open; return false if none is known */
bool ldb_holder_put(const char *dir, struct buf *out);

/**
 * ldb_watch - watch the database @dir for writes, also of other processes; does not open it
 *
 * Return: a descriptor that poll() finds readable, to be closed; -1 if that is not possible
 */
int ldb_watch(const char *dir);

/** ldb_watch_seen - return true if the database was written, or removed, since ldb_watch() or the last call */
bool ldb_watch_seen(int fd);

/** ldb_busy - fail the call because a process, which is named if known, has @dir open; Return: -ERR_BUSY */
int ldb_busy(struct call *c, const char *dir);

#endif
