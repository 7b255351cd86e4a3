/* local - the embedded engine: DynamoDB's operations over an ordered kv */
#ifndef STORE_LOCAL_LOCAL_H
#define STORE_LOCAL_LOCAL_H

#include "store/engine/engine.h"

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
int local_open(struct call *c, const char *dir, bool create, struct engine **out) must_check;

/**
 * local_open_kv - start the engine on any kv; tests use one in memory
 * @kv:  owned by the engine from here on, also on failure
 * @dir: for the files of the store; NULL: the store has no files, so no backups
 */
int local_open_kv(struct call *c, struct kv *kv, const char *dir, struct engine **out) must_check;

#endif
