/* own - a directory to the embedded engine: for who never wants to be a client */
#ifndef STORE_OWN_H
#define STORE_OWN_H

#include "store/engine/engine.h"

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

/** Told now and then: so many bytes of the backup have been read; Return: 0, or < 0: stop */
typedef int store_step_fn(void *arg, struct call *c, uint64_t bytes);

/**
 * store_restore - make a store of a backup
 * @dir:     the store's, absent or empty; after a failure nothing is in it
 * @records: how many there are
 *
 * Errors:  -ERR_VALIDATION  it is not empty;  @from is no backup;  -ERR_CORRUPT  the backup is damaged;
 * -ERR_IO, -ERR_NO_SPACE, those of @step
 */
int store_restore(struct call *c, const char *dir, const char *from, store_step_fn *step, void *arg,
		  uint64_t *records) __attribute__((warn_unused_result));

#endif
