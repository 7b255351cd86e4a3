/* endpoint - addresses of the HTTP front end: creates its listening sockets, probes a Unix socket, and decides which
 * names a Host header may contain */
#ifndef STORE_WIRE_PROTO_ENDPOINT_H
#define STORE_WIRE_PROTO_ENDPOINT_H

#include <netinet/in.h>

#include "store/base/core/base.h"

/**
 * endpoint_listen_unix - create a listening Unix socket of mode 0600
 * @shown: the path as messages print it
 * @fd:    the socket, which the caller closes; -1 on failure to listen
 *
 * Unlinks an existing socket at @path: it is stale, since the caller owns the store.
 * Errors:  -ERR_IO
 */
int endpoint_listen_unix(struct call *c, const char *path, const char *shown, int *fd) must_check;

enum { ENDPOINT_PORT = 8000 }; /* the port of DynamoDB Local, too */

/**
 * endpoint_address - complete an address that lacks a part ("8000", ":8000", "localhost", "::1")
 *
 * Return: "ADDR:PORT" in the call's arena, or @address itself if it is complete or no address.
 */
const char *endpoint_address(struct call *c, const char *address);

/**
 * endpoint_listen_tcp - create a listening TCP socket
 * @address:  "ADDR:PORT", "[ADDR]:PORT" or "localhost:PORT", or an incomplete address as for endpoint_address().
 *            Port 0 picks a free port; the ports of a range such as 8000-8099 are tried in turn.
 * @anywhere: allow addresses other than loopback
 * @fd:       the socket, which the caller closes
 * @port:     the port that the socket listens on
 *
 * Errors:  -ERR_VALIDATION  @address is not an address, or not an allowed one
 *          -ERR_IO          listening on the address failed
 */
int endpoint_listen_tcp(struct call *c, const char *address, bool anywhere, int *fd, int *port)
	must_check;

/** endpoint_first_port - Return: the port of "ADDR:PORT", the first one of a range, or 0 if there is none */
int endpoint_first_port(const char *address);

/** endpoint_check_tcp - check @address as endpoint_listen_tcp() does; Errors: -ERR_VALIDATION */
int endpoint_check_tcp(struct call *c, const char *address, bool anywhere) must_check;

/**
 * endpoint_remote - Return: whether this address is neither loopback nor a Unix socket
 * @out: key that identifies the client: an IPv4 address, mapped, or an IPv6 network of 64 bits
 */
bool endpoint_remote(const struct sockaddr *from, struct in6_addr *out);

/**
 * endpoint_connect - check whether a process listens on a Unix socket
 * @short_path: at most as long as sun_path allows, see socket_path()
 *
 * Return: 0, or the errno of connecting.
 */
int endpoint_connect(const char *short_path);

/** endpoint_check_hosts - check that @names is NAME, or several names separated by ':'; Errors: -ERR_VALIDATION */
int endpoint_check_hosts(struct call *c, const char *names) must_check;

/**
 * endpoint_host_is_here - Return: whether a request with this Host header may be answered
 * @host:  "NAME", "NAME:PORT", "[ADDR]:PORT"
 * @self:  this machine's name
 * @hosts: further names as endpoint_check_hosts() accepts them, or NULL
 *
 * True for an IP address, localhost, @self and @hosts.  Any other name may belong to a web page whose domain was made
 * to resolve to this machine (DNS rebinding).
 */
bool endpoint_host_is_here(const char *host, const char *self, const char *hosts);

#endif
