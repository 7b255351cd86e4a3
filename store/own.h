/* own - a directory to the embedded engine: for who never wants to be a client */
#ifndef STORE_OWN_H
#define STORE_OWN_H

#include <sys/types.h>

#include "store/engine/engine.h"
#include "store/engine/restore.h"

/**
 * store_own - the engine of a store whose owner this process becomes
 * @dir:    the store's directory
 * @create: make the store where the directory is absent or empty
 * @out:    the engine; engine_close() it
 *
 * Errors:  -ERR_VALIDATION  not there, not a store
 *          -ERR_IO          a newer format, no permission (message says which)
 *          -ERR_BUSY        another process owns it
 */
int store_own(struct call *c, const char *dir, bool create, struct engine **out)
	__attribute__((warn_unused_result));

/**
 * store_dead_owner - the process that owns the store, if it was killed and has not ended yet
 *
 * A killed process keeps its files and locks while one of its threads waits in the kernel, and
 * answers on none of its sockets, although they still listen.
 * Return: its number; 0: there is none, it lives, or that cannot be known
 */
pid_t store_dead_owner(const char *dir);

/** store_stopped_owner - likewise, if it is stopped (kill -STOP, Ctrl-Z): it answers when it is continued */
pid_t store_stopped_owner(const char *dir);

/** store_put_owner - append "process N (NAME)" for the one that owns the store; false: there is none, or it is not known */
bool store_put_owner(const char *dir, struct buf *out);

/** store_opened - append what is another text whenever a process has opened the store; nothing if it cannot be read */
void store_opened(const char *dir, struct buf *out);

/**
 * store_restore - make a store of a backup
 *
 * Return:  0;  RESTORE_REFUSED: backups of tables are broken, as @out says, and there is no store;  < 0
 * Errors:  -ERR_VALIDATION  it is not empty;  @in->from is no backup;  -ERR_CORRUPT  the backup is damaged;
 * -ERR_IO, -ERR_NO_SPACE, those of the step
 */
int store_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	__attribute__((warn_unused_result));

#endif
