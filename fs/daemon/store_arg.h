/* store_arg - the argument STORE of a command line, if it names a directory */
#ifndef FS_DAEMON_STORE_ARG_H
#define FS_DAEMON_STORE_ARG_H

#include "store/base/core/base.h"

struct start;

/** store_arg_is_store - Return: whether @directory has a store */
bool store_arg_is_store(struct call *c, const char *directory);

/**
 * store_arg_find - find the directory of the store, or make it with --create
 *
 * Sets s->store, made and fresh.  If there is no store, the message has the command line that was probably meant.
 * Errors: -ERR_VALIDATION, and those of error_of_path()
 */
int store_arg_find(struct start *s) must_check;

#endif
