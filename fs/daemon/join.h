/*
 * join - protocol by which a process asks the owner of a store to serve its mount
 *
 * The socket is STORE/mount (SOCK_SEQPACKET, mode 0600):
 *
 *   joining process                                   owner
 *     point 00 options 00 number 00 terminal 00
 *                           + descriptor    -->         serves it as a further session
 *                                           <--       status:u8 sentence
 *     ... waits, if it has to ...           <--       closes when the mount has ended
 *
 * Without a mount (itemctl serve), point is empty and there is no descriptor.  The owner then serves the address of
 * "listen=" until the joining process closes the connection.
 */
#ifndef FS_DAEMON_JOIN_H
#define FS_DAEMON_JOIN_H

#include "store/base/core/base.h"

#define JOIN_SOCKET "mount" /* name in the store's directory */

enum {
	JOIN_MESSAGE_MAX = 64 * 1024, /* bytes */
};

enum join_outcome {
	JOIN_NOBODY = 1, /* no owner listens, or it ended before it answered: try again */
};

struct join_request {
	const char *point;    /* absolute path; "" without a mount */
	const char *options;  /* options_format() */
	uint64_t number;      /* device_number() of the mount; 0 without one */
	int device;           /* descriptor of the FUSE connection; -1 without a mount */
	const char *terminal; /* terminal of the joining process, from tty_put(), or "" */
};

struct join_answer {
	int status;           /* 0, or enum err */
	const char *sentence; /* the error; or the address of listen=, or "" */
};

/* ------------------------------------------------------------ the joining process */

/**
 * join_connect - connect to the owner
 * @store: absolute path
 * @out:   set to the connection
 *
 * Return: 0, JOIN_NOBODY
 * Errors: -ERR_ACCESS  the owner is another user, -ERR_IO, those of trust_open()
 */
int join_connect(struct call *c, const char *store, int *out) must_check;

/** join_is_foreign - Return: whether the owner runs as another user */
bool join_is_foreign(int conn);

/** join_is_deserted - Return: whether the owner was killed.  It may hang then, and the connection stays open. */
bool join_is_deserted(int conn);

/**
 * join_ask - send a request and wait for the answer
 * @out: set to the answer; its sentence is in the call's arena
 *
 * Return: 0: there is an answer, which may be an error (status);  JOIN_NOBODY
 * Errors: -ERR_VALIDATION  the message is too long, -ERR_BUSY  no answer in time or interrupted, -ERR_IO
 */
int join_ask(struct call *c, int conn, const struct join_request *in, struct join_answer *out)
	must_check;

/* ------------------------------------------------------------ the owner */

/**
 * join_listen - make the socket
 * @store: absolute path; the caller holds the store's lock, so an existing socket is stale
 * @out:   set to the listening descriptor, which does not block
 *
 * Errors: -ERR_IO, those of trust_open()
 */
int join_listen(struct call *c, const char *store, int *out) must_check;

/** join_unlink - remove the socket; @dir: descriptor of the store's directory */
void join_unlink(int dir);

/**
 * join_accept - accept a connection
 *
 * Return: descriptor; -1: there is none, or the peer is neither root nor the owner's user
 */
int join_accept(int listener);

/**
 * join_receive - receive a request
 * @out: set to the request; strings are in the call's arena, and the caller closes the descriptor
 *
 * Return: 0; JOIN_NOBODY: the connection is closed
 * Errors: -ERR_VALIDATION  not in the format above
 */
int join_receive(struct call *c, int conn, struct join_request *out) must_check;

/** join_reply - send the answer; failures are ignored */
void join_reply(int conn, const struct join_answer *a);

#endif
