/*
 * owner - the process that has a store open: its sockets and all its mounts
 *
 * One thread, this one, starts and ends everything: it waits for signals, for
 * joining processes (join.h) and for sessions that the kernel has unmounted.
 *
 *   owner_open()  -->  owner_mount(), owner_listen()  -->  owner_run()  -->  owner_close()
 */
#ifndef FS_DAEMON_OWNER_H
#define FS_DAEMON_OWNER_H

#include "store/base/core/call.h"

#include "fs/daemon/options.h"

struct owner;

enum owner_outcome {
	OWNER_TAKEN = 1, /* another process owns the store */
};

/**
 * owner_open - become the owner: LevelDB, the HTTP door on STORE/socket, STORE/mount
 * @store: absolute path, borrowed until owner_close()
 * @create: make it where the directory is absent or empty
 *
 * Return: 0, OWNER_TAKEN;  Errors: those of store_own(), server_start()
 */
int owner_open(struct call *c, const char *store, bool create, struct owner **out)
	__attribute__((warn_unused_result));

/**
 * owner_open_endpoint - likewise of the mount of an endpoint: nobody can join it, nothing is swept
 * @name:  a URL or dynamodb:REGION, borrowed until owner_close()
 * @state: of state_name(); made before owner_start()
 * @table: this is the one that is to be shown; NULL: all
 *
 * Errors: those of store_open(), and of the first request
 */
int owner_open_endpoint(struct call *c, const char *name, const char *state,
			const struct options *o, struct owner **out)
	__attribute__((warn_unused_result));

/**
 * owner_start - the owner's own mount, or its own server when there is no mount
 * @point:  absolute path of the mount point, or NULL with --no-mount
 * @device: of device_mount(), or -1 with --no-mount; taken, also on failure
 * @terminal: of tty_put(), or "": the log is standard error
 *
 * After it the mount has answered its first look-up.
 */
int owner_start(struct call *c, struct owner *w, const struct options *o, const char *point,
		int device, const char *terminal) __attribute__((warn_unused_result));

/** owner_address - "ADDR:PORT" with the port that owner_start()'s listen= got; "" without */
const char *owner_address(const struct owner *w);

/** owner_log - the file where a daemon's standard error goes */
const char *owner_log(const struct owner *w);

/**
 * owner_run - serve until the last mount and server are gone, or until SIGTERM or SIGINT
 * @daemon: SIGHUP opens owner_log() again
 */
void owner_run(struct owner *w, bool daemon);

/**
 * owner_close - unmount what is mounted, commit, close the store; NULL is harmless
 *
 * When the mounts are gone, SIGTERM or SIGINT ends the process while it closes the store.
 */
void owner_close(struct owner *w);

#endif
