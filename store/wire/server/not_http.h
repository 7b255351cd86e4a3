/* not_http - a connection on which nothing came that is a request: perhaps TLS */
#ifndef STORE_WIRE_SERVER_NOT_HTTP_H
#define STORE_WIRE_SERVER_NOT_HTTP_H

#include <stdatomic.h>

/**
 * not_http_say - @socket is about to be closed and no request has come: say so, if bytes have that are none
 * @said: when this was said last, in clock_steady_ns(), 0: never; once in ten seconds is enough
 *
 * libmicrohttpd has read the bytes; it answers 400 by itself, or ends the connection. The kernel tells that some came.
 */
void not_http_say(int socket, atomic_ullong *said);

#endif
