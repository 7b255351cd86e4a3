/* local - the embedded engine: DynamoDB's operations over an ordered kv */
#ifndef STORE_LOCAL_LOCAL_H
#define STORE_LOCAL_LOCAL_H

#include <sys/types.h>

#include "store/engine/engine.h"
#include "store/engine/restore.h"

struct kv;

/**
 * local_open - open a store and start its engine
 * @dir:    of the store
 * @create: create the store if the directory is missing or empty
 *
 * Return:  0
 * Errors:  -ERR_BUSY  another process owns it;  -ERR_IO  not a store, a newer format (STORE/FORMAT), no permission;
 *          -ERR_NO_SPACE;  -ERR_CORRUPT  a damaged definition or sequence number
 */
int local_open(struct call *c, const char *dir, bool create, struct engine **out)
	__attribute__((warn_unused_result));

/** local_dead_owner - Return: the process that owns a store, if it was killed but has not ended yet; 0: none */
pid_t local_dead_owner(const char *dir);

/** local_stopped_owner - Return: the process that owns a store, if it is stopped; 0: none */
pid_t local_stopped_owner(const char *dir);

/** local_put_owner - append "process N (NAME)" for the process that owns a store;  Return: false: none, or unknown */
bool local_put_owner(const char *dir, struct buf *out);

/** local_opened - append a text that changes whenever a process opens the store */
void local_opened(const char *dir, struct buf *out);

/**
 * local_restore - create a store from the output of BackupStore
 *
 * Return:  0;  RESTORE_REFUSED: no store was created, because table backups are broken (@out lists them);  < 0
 * Errors:  -ERR_VALIDATION  @in->dir is not empty, or @in->from is no backup;  -ERR_CORRUPT  the backup is damaged;
 *          -ERR_IO, -ERR_NO_SPACE, those of @in->step
 */
int local_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	__attribute__((warn_unused_result));

/**
 * local_open_kv - start the engine on any kv; tests use one in memory
 * @kv:  owned by the engine from here on, also on failure
 * @dir: for the files of the store; NULL: the store has no files, so no backups
 */
int local_open_kv(struct call *c, struct kv *kv, const char *dir, struct engine **out)
	__attribute__((warn_unused_result));

#endif
