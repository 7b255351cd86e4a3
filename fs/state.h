/*
 * state - where the mounts of an endpoint keep what those of a store keep beside its LevelDB: the
 * daemon's log, and rejected/
 */
#ifndef FS_STATE_H
#define FS_STATE_H

#include "store/base/call.h"

/**
 * state_make - the directory, made if need be: STATE/itemfs/ENDPOINT
 * @name: the endpoint's, without a password; what comes before "://" is left out, '/' becomes '_'
 * @out:  absolute, in the call's arena
 *
 * STATE is $XDG_STATE_HOME, else $HOME/.local/state, else /var/lib.
 * Errors: -ERR_IO  it cannot be made
 */
int state_make(struct call *c, const char *name, const char **out)
	__attribute__((warn_unused_result));

#endif
