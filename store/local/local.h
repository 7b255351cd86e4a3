/* local - the embedded engine: DynamoDB's operations over an ordered kv */
#ifndef STORE_LOCAL_LOCAL_H
#define STORE_LOCAL_LOCAL_H

#include <sys/types.h>

#include "store/engine/engine.h"
#include "store/engine/restore.h"

struct kv;

/**
 * local_open - the engine of a store directory
 * @create: make the store where the directory is absent or empty
 *
 * Errors:  -ERR_BUSY  another process owns it;  -ERR_IO  not a store, a newer format
 * (STORE/FORMAT), no permission
 */
int local_open(struct call *c, const char *dir, bool create, struct engine **out)
	__attribute__((warn_unused_result));

/** local_dead_owner - the process that owns a store, if it was killed and has not ended yet; 0 */
pid_t local_dead_owner(const char *dir);

/** local_stopped_owner - likewise, if it is stopped */
pid_t local_stopped_owner(const char *dir);

/** local_put_owner - append "process N (NAME)" for the process that owns a store; false: there is none, or it is not known */
bool local_put_owner(const char *dir, struct buf *out);

/** local_opened - append what is another text whenever a process has opened the store */
void local_opened(const char *dir, struct buf *out);

/**
 * local_restore - make a store of what BackupStore wrote
 *
 * Return:  0;  RESTORE_REFUSED: backups of tables are broken, as @out says, and there is no store;  < 0
 * Errors:  -ERR_VALIDATION  it is not empty;  @in->from is no backup;  -ERR_CORRUPT  the backup is damaged;
 * -ERR_IO, -ERR_NO_SPACE, those of the step
 */
int local_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	__attribute__((warn_unused_result));

/**
 * local_open_kv - the engine over any kv (tests: memory)
 * @kv:  owned by the engine from here on, also on failure
 * @dir: where files of the store go; NULL: nowhere, there are no backups
 */
int local_open_kv(struct call *c, struct kv *kv, const char *dir, struct engine **out)
	__attribute__((warn_unused_result));

#endif
