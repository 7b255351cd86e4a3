/*
 * start - what an itemfs becomes that knows what it is to do: the owner of its store, or a guest of
 * the process that is
 */
#ifndef FS_DAEMON_START_H
#define FS_DAEMON_START_H

#include <stdbool.h>

#include "store/base/core/call.h"

#include "fs/daemon/options.h"

/* What the start has found out. */
struct start {
	int argc;
	char **argv; /* as typed, for messages */
	struct call call;
	struct options options;
	const char *store;    /* absolute, or an endpoint */
	const char *state;    /* of an endpoint: its directory; else NULL */
	const char *point;    /* absolute; NULL with --no-mount */
	const char *log;      /* absolute */
	bool made;            /* the store's directory was made for it */
	bool fresh;           /* there was no store in it */
	int device;           /* of device_mount(), while nobody has taken it; or -1 */
	bool mounted;         /* device_mount() has been called */
	int parent;           /* of daemon_fork(); -1 in the foreground */
	const char *terminal; /* of tty_put(), or "" */
};

/**
 * start_own_or_join - own the store and serve the mount, or hand the mount to the owner
 *
 * Return: 0 when there is nothing left to do.  After a failure the mount may be there (s->mounted).
 * Errors:  -ERR_BUSY  somebody has the store and does not share it;  those of owner_open(), join_ask()
 */
int start_own_or_join(struct start *s) __attribute__((warn_unused_result));

/** start_own_endpoint - likewise of an endpoint: each mount has a process of its own */
int start_own_endpoint(struct start *s) __attribute__((warn_unused_result));

#endif
