/* ldb_holder - who has a LevelDB open? */
#ifndef STORE_KV_LDB_HOLDER_H
#define STORE_KV_LDB_HOLDER_H

#include <sys/types.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/**
 * ldb_holder_dying - the process that has @dir open, if it was killed and has not ended yet
 *
 * Return: its number; 0: there is none, it lives, or that cannot be known
 */
pid_t ldb_holder_dying(const char *dir);

/** ldb_holder_stopped - likewise, if it is stopped (process_is_stopped()) */
pid_t ldb_holder_stopped(const char *dir);

/** ldb_holder_put - append "process N (NAME)" for the one that has @dir open; false: there is none, or it is not known */
bool ldb_holder_put(const char *dir, struct buf *out);

/** ldb_opened - append what is another text whenever a process has opened @dir: LevelDB begins a manifest then; nothing if it cannot be read */
void ldb_opened(const char *dir, struct buf *out);

/** ldb_busy - record that somebody has @dir open, and who; Return: -ERR_BUSY */
int ldb_busy(struct call *c, const char *dir);

#endif
