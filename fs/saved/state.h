/*
 * state - directory of the mounts of an endpoint
 *
 * It has the files that mounts of a store keep in the store's directory: the daemon's log, rejected/ and scratch/.
 */
#ifndef FS_SAVED_STATE_H
#define FS_SAVED_STATE_H

#include "store/base/core/base.h"

/**
 * state_name - path of the directory, STATE/itemfs/ENDPOINT
 * @name: the endpoint's, without a password; its scheme and trailing slashes are removed, other slashes become '_'
 *
 * STATE is $XDG_STATE_HOME, else $HOME/.local/state, else /var/lib.
 * Return: an absolute path in the call's arena
 */
const char *state_name(struct call *c, const char *name);

/**
 * state_make - make the directory unless it exists
 *
 * Errors:  -ERR_IO;  -ERR_ACCESS  it belongs to another user (trust.h)
 */
int state_make(struct call *c, const char *path) must_check;

/**
 * state_pin - check who owns a directory, and return a path that stays valid when its parents are renamed
 * @dir: such a directory, or a store
 * @at:  set to its descriptor, which the caller keeps open while it uses the path
 * @out: set to the path, on the heap; a copy of @dir if there is no /proc
 *
 * Errors:  -ERR_ACCESS  it belongs to another user (trust.h);  -ERR_VALIDATION, -ERR_IO  it cannot be opened
 */
int state_pin(struct call *c, const char *dir, int *at, char **out) must_check;

/** state_path - path of @name in @dir, such a directory or a store; on the heap */
char *state_path(const char *dir, const char *name);

#endif
