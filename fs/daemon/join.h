/*
 * join - how a further itemfs asks the owner of a store to serve its mount
 *
 * A Unix socket of whole messages (SOCK_SEQPACKET), STORE/mount, mode 0600:
 *
 *   joining process                                   owner
 *     point 00 options 00 number 00 terminal 00
 *                           + descriptor    -->         serves it as one more session
 *                                           <--       status:u8 sentence
 *     ... waits, if it was told to ...      <--       closes when the mount has ended
 *
 * Without a mount (itemctl serve) point is empty, there is no descriptor, and
 * the owner listens where "listen=" says until the other end closes.
 */
#ifndef FS_DAEMON_JOIN_H
#define FS_DAEMON_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/call.h"

#define JOIN_SOCKET "mount" /* name in the store's directory */

enum {
	JOIN_MESSAGE_MAX = 64 * 1024, /* bytes */
};

enum join_outcome {
	JOIN_NOBODY =
		1, /* nobody listens, or he was killed or has gone before he answered: try again */
};

struct join_request {
	const char *point;    /* absolute path; "" without a mount */
	const char *options;  /* options_format() */
	uint64_t number;      /* device_number() of the mount; 0 without one */
	int device;           /* descriptor of the connection, or -1 */
	const char *terminal; /* that it was started on: of tty_put(), or "" */
};

struct join_answer {
	int status;           /* 0, or enum err */
	const char *sentence; /* why not; or the address that it listens on, or "" */
};

/* ------------------------------------------------------------ who asks */

/**
 * join_connect - reach the owner
 * @store: absolute path
 *
 * Return: 0, JOIN_NOBODY;  Errors: -ERR_ACCESS  the socket is somebody else's, -ERR_IO
 */
int join_connect(struct call *c, const char *store, int *out) __attribute__((warn_unused_result));

/** join_is_foreign - is the owner another user than this process? */
bool join_is_foreign(int conn);

/** join_is_deserted - was the owner killed?  It may not end, and then its end stays open for ever. */
bool join_is_deserted(int conn);

/**
 * join_ask - one request, one answer
 *
 * Return: 0 with @out filled, whatever its status;  JOIN_NOBODY
 * Errors: -ERR_VALIDATION  too long a message, -ERR_BUSY  no answer in time, -ERR_IO
 */
int join_ask(struct call *c, int conn, const struct join_request *in, struct join_answer *out)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ who owns */

/**
 * join_listen - make the socket; the caller holds the store's lock, so an older one is stale
 *
 * Errors: -ERR_IO
 */
int join_listen(struct call *c, const char *store, int *out) __attribute__((warn_unused_result));

/** join_unlink - take the socket's name away; @dir: the store's directory */
void join_unlink(int dir);

/**
 * join_accept - take a connection
 *
 * Return: descriptor; -1 when there is none or the peer is neither root nor the owner's user
 */
int join_accept(int listener);

/**
 * join_receive - the request
 * @out: strings in the call's arena; the descriptor is the caller's
 *
 * Return: 0, JOIN_NOBODY (closed);  Errors: -ERR_VALIDATION  not of the shape above
 */
int join_receive(struct call *c, int conn, struct join_request *out)
	__attribute__((warn_unused_result));

/** join_reply - the answer; a peer that has gone is no concern of ours */
void join_reply(int conn, const struct join_answer *a);

#endif
