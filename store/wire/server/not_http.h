/* not_http - hints about clients that do not speak HTTP, but perhaps TLS */
#ifndef STORE_WIRE_SERVER_NOT_HTTP_H
#define STORE_WIRE_SERVER_NOT_HTTP_H

#include <stdatomic.h>

/**
 * not_http_say - print a hint if bytes have arrived on a TCP connection that is about to be closed, but no request
 * @said: time of the last hint by clock_steady_ns(), 0: none; there is at most one in TIMING_NOT_HTTP
 */
void not_http_say(int socket, atomic_ullong *said);

#endif
