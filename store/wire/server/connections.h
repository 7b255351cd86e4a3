/*
 * connections - the connections of the HTTP front end, with their limits and timeouts
 *
 * A new client is normally accepted: at the limit another connection is cut off.  Idle connections are cut off first,
 * the one that has been idle longest before the others; then half-open ones, whose head or body has not arrived, in the
 * order in which they connected or their request began.  A connection with unread bytes, and a half-open one younger
 * than 50 ms, is skipped, and one that received bytes in the last 50 ms if another can be cut off: its loop may have
 * read a whole request, which is not under way yet.  A connection whose request is under way is never cut off, and one
 * whose answer is being sent only if the client does not read it in time.  If a client is above the limit of its
 * address and no connection of that address may be cut off, its requests are answered 503 (connection_surplus()).
 *
 *   connection_opened() [ connection_began(), connection_head(), connection_arrived(), connection_keep(),
 *   connection_sends(), connection_answered() ]... connection_closed()
 *
 * Threads: the loop of the connection (http_loops.h) calls these functions; connection_keep(), connections_end() and
 * connections_look() may be called by any thread.  A loop that opens a connection, or the watcher, may cut off one of
 * another loop, which moves it on at the same time: the stage is atomic, and the first of them wins.
 */
#ifndef STORE_WIRE_SERVER_CONNECTIONS_H
#define STORE_WIRE_SERVER_CONNECTIONS_H

#include "store/base/core/base.h"

enum { CONNECTION_SMALL = 16 * 1024 }; /* bytes of an answer that is always kept */

struct connections;
struct connection;
struct sockaddr;

struct connection_limits {
	unsigned most;        /* connections that are kept */
	unsigned per_address; /* connections of one remote address; 0: no limit */
	unsigned head_ms;     /* from connecting, or a request's first line, to its whole head */
	unsigned body_ms;     /* likewise to the whole request */
	unsigned answer_ms;   /* for the client to read the answer */
	unsigned idle_ms;     /* between two requests */
	size_t answers;       /* bytes of answers that are kept until they are read */
	size_t answers_of_address;   /* likewise for one remote address */
	uint64_t (*steady_ns)(void); /* the clock of these times; NULL: clock_steady_ns() */
};

/** connections_new - create an empty list and start its watcher; Return: NULL if the thread cannot be started */
struct connections *connections_new(const struct connection_limits *limits);

/** connections_free - free the list, when all connections have been closed; NULL is harmless */
void connections_free(struct connections *cs);

/**
 * connection_opened - add a connection; if there are too many, cut off another one
 * @from: address of the client; NULL: none
 */
struct connection *connection_opened(struct connections *cs, int socket,
				     const struct sockaddr *from);

/**
 * connections_look - cut off late connections, and others while there are too many
 *
 * The watcher of @cs does this about every fifth of head_ms, by the machine's own clock.  The function is for tests.
 */
void connections_look(struct connections *cs);

/**
 * connections_end - prevent clients from sending, also on later connections, and wait until all have been closed
 * @until_ns: time limit of the wait, by clock_steady_ns()
 *
 * For Unix sockets only: what a client has sent is read and answered, and it cannot send the rest.  On TCP the rest
 * would be lost without an error.
 */
void connections_end(struct connections *cs, uint64_t until_ns);

/**
 * connection_surplus - Return: whether its address has too many connections, none of which could be cut off: answer 503
 */
bool connection_surplus(const struct connection *cn);

/** connections_one - Return: whether there is only one connection */
bool connections_one(struct connections *cs);

/** connection_is_first - Return: whether no head of a request has arrived yet */
bool connection_is_first(const struct connection *cn);

/** connection_began - the first line of a request has arrived */
void connection_began(const struct connections *cs, struct connection *cn);

/** connection_head - the whole head of a request has arrived */
void connection_head(struct connection *cn);

/**
 * connection_arrived - the whole request has arrived; Return: false if the connection was cut off: do not carry it out
 */
bool connection_arrived(struct connection *cn);

/**
 * connection_keep - account for the bytes of an answer that are, or will be, in memory until connection_answered()
 * @bytes: replaces the bytes accounted for before; CONNECTION_SMALL or less always fit
 * @must:  account for them in any case
 *
 * Return: false if its address, or all connections together, would have too many; then nothing is accounted for.
 */
bool connection_keep(struct connections *cs, struct connection *cn, size_t bytes, bool must);

/** connection_sends - sending of the answer begins */
void connection_sends(const struct connections *cs, struct connection *cn);

/** connection_answered - the answer was sent, so the next request may begin */
void connection_answered(struct connections *cs, struct connection *cn);

/** connection_closed - remove and free a connection whose socket is about to be closed */
void connection_closed(struct connections *cs, struct connection *cn);

#endif
