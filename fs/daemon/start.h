/*
 * start - second half of a start, after the options are read: own the store, or join the process that owns it
 */
#ifndef FS_DAEMON_START_H
#define FS_DAEMON_START_H

#include "fs/daemon/options.h"

/* State of a start. */
struct start {
	int argc;
	char **argv; /* as typed, for messages */
	struct call call;
	struct options options;
	const char *store;    /* absolute, or an endpoint */
	const char *state;    /* of an endpoint: its directory; else NULL */
	const char *point;    /* absolute; NULL with --no-mount */
	const char *log;      /* absolute */
	bool made;            /* this start made the store's directory */
	bool fresh;           /* there was no store in the directory */
	int device;           /* descriptor from device_mount(), until it is handed over; or -1 */
	bool mounted;         /* device_mount() has been called */
	int parent;           /* descriptor from daemon_fork(); -1 in the foreground */
	const char *terminal; /* name from tty_put(), or "" */
};

/**
 * start_own_or_join - own the store and serve the mount, or hand the mount to the owner
 *
 * Return: 0 when the mount has ended, or when another process serves it.  After a failure the mount may exist
 *         (s->mounted).
 * Errors: -ERR_BUSY  another process has the store and does not share it, or a signal came;  those of owner_open(),
 *         device_mount(), join_ask(), start_await_dead()
 */
int start_own_or_join(struct start *s) must_check;

/**
 * start_await_dead - if the owner of the store was killed, wait some seconds until it has ended
 *
 * Until then each access to one of its mounts waits, too.
 * Return: 0: the owner is not dead, or there is none
 * Errors: -ERR_BUSY  it has not ended, and the message has the command to type
 */
int start_await_dead(struct start *s) must_check;

/** start_own_endpoint - serve a mount of an endpoint until it ends; each such mount has its own process */
int start_own_endpoint(struct start *s) must_check;

/* ------------------------------------------------------------ start_say.c: standard output */

/**
 * start_say_address - print the address of the server and hints, and write port_file=
 * @address: "ADDR:PORT" that listen= got, or ""
 */
void start_say_address(struct start *s, const char *address);

#endif
