/*
 * owner - the process that has a store open, with its sockets and all its mounts
 *
 * The main thread starts and ends everything.  It waits for signals, for joining processes (join.h), and for sessions
 * that the kernel has unmounted.  It alone calls these functions.
 *
 *   owner_open()  -->  owner_start()  -->  owner_run()  -->  owner_close()
 */
#ifndef FS_DAEMON_OWNER_H
#define FS_DAEMON_OWNER_H

#include "fs/daemon/options.h"

struct owner;

enum owner_outcome {
	OWNER_TAKEN = 1, /* another process owns the store */
};

/**
 * owner_open - become the owner: open LevelDB, the HTTP server on STORE/socket, and STORE/mount
 * @store:  absolute path, borrowed until owner_close()
 * @create: make the store if the directory is absent or empty
 * @out:    set on success
 *
 * On a read-only disk there are no sockets, and no process can join.
 * Return: 0; OWNER_TAKEN: another process owns the store, and the call's message names it
 * Errors: those of store_own(), state_pin(), server_start(), join_listen(), sweeper_start(); -ERR_IO  no descriptors
 */
int owner_open(struct call *c, const char *store, bool create, struct owner **out) must_check;

/**
 * owner_open_endpoint - open an endpoint for one mount; no process can join it, and there is no TTL sweep
 * @name:  a URL or dynamodb:REGION, borrowed until owner_close()
 * @state: directory from state_name(), which is made after the first request has succeeded; NULL: none, for itemctl,
 *         which writes nothing and must work on a read-only disk or without a home directory
 * @o:     its rate=, max_read= and table= are used
 * @out:   set on success
 *
 * Errors: those of trust_check(), store_open(), state_make(), state_pin(), and of the first request; -ERR_IO  no
 *         descriptors
 */
int owner_open_endpoint(struct call *c, const char *name, const char *state,
			const struct options *o, struct owner **out) must_check;

/**
 * owner_start - start the owner's own mount and its own server (listen=)
 * @point:    absolute path of the mount point; NULL without a mount
 * @device:   descriptor from device_mount(), -1 without a mount; taken over, also on failure
 * @terminal: name from tty_put(); "": there is none, or the log is standard error
 *
 * Returns after the mount has answered its first lookup.
 * Errors: -ERR_LIMIT, -ERR_IO, those of server_start() and session_start()
 */
int owner_start(struct call *c, struct owner *w, const struct options *o, const char *point,
		int device, const char *terminal) must_check;

/** owner_address - "ADDR:PORT" with the port that listen= got; "" without listen= */
const char *owner_address(const struct owner *w);

/** owner_log - path of the file for a daemon's standard error; NULL: none */
const char *owner_log(const struct owner *w);

/**
 * owner_run - serve until the last mount and server have ended, or until SIGTERM or SIGINT
 * @daemon: reopen owner_log() on SIGHUP
 */
void owner_run(struct owner *w, bool daemon);

/**
 * owner_close - unmount all mounts, commit, and close the store; does nothing for NULL
 *
 * After the mounts are gone, SIGTERM or SIGINT ends the process while it closes the store.
 * Return: the socket of the itemctl that waits for the end of this process, or -1.  Leave it open: the end of the process
 * closes it, after the log.
 */
int owner_close(struct owner *w);

#endif
