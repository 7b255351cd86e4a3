/*
 * state - where the mounts of an endpoint keep what those of a store keep beside its LevelDB: the
 * daemon's log, and rejected/
 */
#ifndef FS_SAVED_STATE_H
#define FS_SAVED_STATE_H

#include "store/base/core/call.h"

/**
 * state_name - the directory: STATE/itemfs/ENDPOINT
 * @name: the endpoint's, without a password; what comes before "://" is left out, '/' becomes '_'
 *
 * STATE is $XDG_STATE_HOME, else $HOME/.local/state, else /var/lib.
 * Return: absolute, in the call's arena
 */
const char *state_name(struct call *c, const char *name);

/** state_judge - is it the caller's own (trust.h), or not to be found yet?  Errors: -ERR_ACCESS, -ERR_IO */
int state_judge(struct call *c, const char *path) __attribute__((warn_unused_result));

/** state_make - make it if need be; Errors: -ERR_IO, -ERR_ACCESS  somebody else's (trust.h) */
int state_make(struct call *c, const char *path) __attribute__((warn_unused_result));

/**
 * state_pin - judge such a directory, and a path of it that stays its own whatever is renamed above it
 * @dir: it, or a store
 * @at:  a descriptor of it, to be kept open as long as the path is used
 * @out: the path, on the heap; @dir where there is no /proc
 *
 * Errors:  -ERR_ACCESS  somebody else's (trust.h);  -ERR_VALIDATION, -ERR_IO  it cannot be opened
 */
int state_pin(struct call *c, const char *dir, int *at, char **out)
	__attribute__((warn_unused_result));

/** state_path - of a file or folder in a directory @dir, which may be a store's; on the heap */
char *state_path(const char *dir, const char *name);

#endif
