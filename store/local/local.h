/* local - the embedded engine: DynamoDB's operations over an ordered kv */
#ifndef STORE_LOCAL_LOCAL_H
#define STORE_LOCAL_LOCAL_H

#include "store/engine/engine.h"

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

/** Told now and then: so many bytes of the backup have been read; Return: 0, or < 0: stop */
typedef int local_step_fn(void *arg, struct call *c, uint64_t bytes);

/**
 * local_restore - make a store of what BackupStore wrote
 * @dir:     the store's, absent or empty; after a failure nothing is in it
 * @records: how many there are
 *
 * Errors:  -ERR_VALIDATION  it is not empty;  @from is no backup;  -ERR_CORRUPT  the backup is damaged;
 * -ERR_IO, -ERR_NO_SPACE, those of @step
 */
int local_restore(struct call *c, const char *dir, const char *from, local_step_fn *step, void *arg,
		  uint64_t *records) __attribute__((warn_unused_result));

/**
 * local_open_kv - the engine over any kv (tests: memory)
 * @kv:  owned by the engine from here on, also on failure
 * @dir: where files of the store go; NULL: nowhere, there are no backups
 */
int local_open_kv(struct call *c, struct kv *kv, const char *dir, struct engine **out)
	__attribute__((warn_unused_result));

#endif
