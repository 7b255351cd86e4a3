/* not_http - a hint about a connection whose client does not speak HTTP, but perhaps TLS */
#ifndef STORE_WIRE_SERVER_NOT_HTTP_H
#define STORE_WIRE_SERVER_NOT_HTTP_H

#include <stdatomic.h>

/**
 * not_http_say - print a hint if bytes have arrived on @socket, but no request
 * @socket: a TCP connection that is about to be closed
 * @said:   time of the last hint by clock_steady_ns(), 0: none; there is at most one in TIMING_NOT_HTTP
 *
 * libmicrohttpd has read the bytes and either answers 400 or closes the connection.  The kernel tells that bytes came.
 */
void not_http_say(int socket, atomic_ullong *said);

#endif
