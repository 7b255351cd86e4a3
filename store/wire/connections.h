/*
 * connections - who is connected to the HTTP door, and until when his request must be there
 *
 * libmicrohttpd closes a connection on which nothing happens; one that sends a
 * byte now and then is closed here.
 *
 *   connection_opened() [ connection_began(), connection_arrived(), connection_answered() ]...
 *   connection_closed()
 */
#ifndef STORE_WIRE_CONNECTIONS_H
#define STORE_WIRE_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct connections;
struct connection;

/**
 * connections_new - none yet
 * @most:       more are surplus
 * @arrival_ms: a request must have arrived so long after it began, the first one so long after
 *              connecting; between two requests twice that may pass
 *
 * Return: NULL when no thread can be had
 */
struct connections *connections_new(unsigned most, unsigned arrival_ms);

/** connections_free - they have all been closed */
void connections_free(struct connections *cs);

/** connection_opened - @socket is connected.  Thread: any, as for all of these */
struct connection *connection_opened(struct connections *cs, int socket);

/**
 * connections_end - nobody can send any more, on those that come later neither
 * @until_ns: of clock_steady_ns(): wait so long until they have all been closed
 *
 * On Unix sockets only: there, what the other end has sent is read and answered, and what it has not yet
 * sent it cannot send; on TCP that would be lost without a word.
 */
void connections_end(struct connections *cs, uint64_t until_ns);

/** connection_surplus - there were too many when it was opened: answer 503 */
bool connection_surplus(const struct connection *cn);

/** connections_one - is nobody else connected? */
bool connections_one(struct connections *cs);

/** connection_began - the first line of a request is there */
void connection_began(struct connections *cs, struct connection *cn);

/** connection_arrived - all of it: no hurry any more */
void connection_arrived(struct connection *cn);

/** connection_answered - the answer is out, the next request may come */
void connection_answered(struct connections *cs, struct connection *cn);

/** connection_closed - its socket is about to be closed */
void connection_closed(struct connections *cs, struct connection *cn);

#endif
