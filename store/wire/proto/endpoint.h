/* endpoint - addresses of the HTTP door: making its listening socket, reaching a Unix socket, whom a
 * Host header may name */
#ifndef STORE_WIRE_PROTO_ENDPOINT_H
#define STORE_WIRE_PROTO_ENDPOINT_H

#include <netinet/in.h>

#include "store/base/core/call.h"

/**
 * endpoint_listen_unix - a listening Unix socket of mode 0600
 * @shown: what messages call it
 * @fd:    close() it
 *
 * A socket that is there already is stale, since the caller owns the store: it is unlinked.
 * Errors:  -ERR_IO
 */
int endpoint_listen_unix(struct call *c, const char *path, const char *shown, int *fd)
	__attribute__((warn_unused_result));

enum { ENDPOINT_PORT = 8000 }; /* where DynamoDB Local listens, too */

/**
 * endpoint_address - "ADDR:PORT" of an address that may lack a part: "8000", ":8000", "localhost", "::1"
 *
 * In the call's arena; what is no address is returned as it is.
 */
const char *endpoint_address(struct call *c, const char *address);

/**
 * endpoint_listen_tcp - a listening TCP socket
 * @address: "ADDR:PORT", "[ADDR]:PORT", "localhost:PORT"; port 0 picks one, ports 8000-8099 are tried in turn;
 *           see endpoint_address()
 * @anywhere: other addresses than loopback will do too
 * @port:    the one it has
 *
 * Errors:  -ERR_VALIDATION  not an address, not one that will do;  -ERR_IO  it cannot be had
 */
int endpoint_listen_tcp(struct call *c, const char *address, bool anywhere, int *fd, int *port)
	__attribute__((warn_unused_result));

/** endpoint_first_port - the port of an address, or the first of its ports; 0: none */
int endpoint_first_port(const char *address);

/** endpoint_check_tcp - would endpoint_listen_tcp() take this address? Errors: -ERR_VALIDATION */
int endpoint_check_tcp(struct call *c, const char *address, bool anywhere)
	__attribute__((warn_unused_result));

/**
 * endpoint_remote - is this address neither loopback nor a Unix socket?
 * @out: what counts as the same client: an IPv4 address, mapped, or an IPv6 network of 64 bits
 */
bool endpoint_remote(const struct sockaddr *from, struct in6_addr *out);

/** endpoint_connect - is anybody listening at the Unix socket? 0 or an errno */
int endpoint_connect(const char *short_path);

/** endpoint_check_hosts - is it NAME, or several separated by ':'?  Errors: -ERR_VALIDATION */
int endpoint_check_hosts(struct call *c, const char *names) __attribute__((warn_unused_result));

/**
 * endpoint_host_is_here - may a request with this Host header be answered?
 * @host: "NAME", "NAME:PORT", "[ADDR]:PORT"
 * @self:  this machine's name
 * @hosts: further ones, of endpoint_check_hosts(), or NULL
 *
 * True for an IP address, localhost, @self and @hosts.  Any other name may be a web page's that has been
 * pointed at this machine (DNS rebinding).
 */
bool endpoint_host_is_here(const char *host, const char *self, const char *hosts);

#endif
