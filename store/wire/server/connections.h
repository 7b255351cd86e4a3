/*
 * connections - who is connected to the HTTP door, which of them makes room, and who is late
 *
 * A new client always gets in: at the limit another connection is closed.  Idle ones go first, the one
 * that has been idle longest before the others; then half-open ones, whose head or body has not arrived,
 * in the order in which they connected or their request began.  Passed over is one that has sent what is
 * not read yet, and a half-open one of less than 50 ms.  Never closed here is one whose request is under
 * way.  A client that does not read its answer in time is cut off.
 *
 *   connection_opened() [ connection_began(), connection_head(), connection_arrived(), connection_keep(),
 *   connection_sends(), connection_answered() ]... connection_closed()
 *
 * Threads: these are called by libmicrohttpd's one thread; connection_keep(), connections_end() and
 * connections_look() by any.
 */
#ifndef STORE_WIRE_SERVER_CONNECTIONS_H
#define STORE_WIRE_SERVER_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONNECTION_SMALL = 16 * 1024 }; /* bytes of an answer that nobody is refused */

struct connections;
struct connection;
struct sockaddr;

struct connection_limits {
	unsigned most;        /* connections that are kept */
	unsigned per_address; /* of one address that is not loopback; 0: no limit */
	unsigned head_ms;     /* for a request's head, from connecting or from its first line */
	unsigned body_ms;     /* for the rest of it */
	unsigned answer_ms;   /* for its answer to be read */
	size_t answers;       /* bytes of answers that are kept until they are read */
	size_t answers_of_address;   /* likewise of one address that is not loopback */
	unsigned idle_ms;            /* between two requests */
	uint64_t (*steady_ns)(void); /* the clock of all that; NULL: clock_steady_ns() */
};

/** connections_new - none yet; Return: NULL when no thread can be had */
struct connections *connections_new(const struct connection_limits *limits);

/** connections_free - they have all been closed */
void connections_free(struct connections *cs);

/**
 * connection_opened - @socket is connected; when there are too many, another one is made to end
 * @from: the other end; NULL for none
 */
struct connection *connection_opened(struct connections *cs, int socket,
				     const struct sockaddr *from);

/**
 * connections_look - cut off who is late, and make room while there are too many
 *
 * The thread of @cs does it now and then: a fifth of head_ms passes at most, by the machine's own clock.
 */
void connections_look(struct connections *cs);

/**
 * connections_end - nobody can send any more, on those that come later neither
 * @until_ns: of clock_steady_ns(): wait so long until they have all been closed
 *
 * On Unix sockets only: there, what the other end has sent is read and answered, and what it has not yet
 * sent it cannot send; on TCP that would be lost without a word.
 */
void connections_end(struct connections *cs, uint64_t until_ns);

/** connection_surplus - its address has too many, and none that may go: answer 503 */
bool connection_surplus(const struct connection *cn);

/** connections_one - is nobody else connected? */
bool connections_one(struct connections *cs);

/** connection_is_first - is the first request still to come? */
bool connection_is_first(const struct connection *cn);

/** connection_began - the first line of a request is there */
void connection_began(const struct connections *cs, struct connection *cn);

/** connection_head - all of its head */
void connection_head(struct connection *cn);

/** connection_arrived - all of the request.  Return: false when the connection was closed meanwhile: it must not be carried out */
bool connection_arrived(struct connection *cn);

/**
 * connection_keep - so many bytes of its answer are, or will be, in memory until connection_answered()
 * @bytes: instead of what it had before; CONNECTION_SMALL or less always fit
 * @must:  they are kept whatever the others have
 *
 * Return: false when its address, or all together, would have too many: then it keeps nothing
 */
bool connection_keep(struct connections *cs, struct connection *cn, size_t bytes, bool must);

/** connection_sends - its answer goes out */
void connection_sends(const struct connections *cs, struct connection *cn);

/** connection_answered - the answer is out, the next request may come */
void connection_answered(struct connections *cs, struct connection *cn);

/** connection_closed - its socket is about to be closed */
void connection_closed(struct connections *cs, struct connection *cn);

#endif
