/*
 * endpoint - sockets, addresses and the names in Host headers
 */
#include "store/wire/proto/endpoint.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "store/base/system/socket_path.h"

static int
io_failure(struct call *c, const char *what, const char *name)
{
	return call_fail(c, ERR_IO, "%s %s: %m", what, name);
}

/* ------------------------------------------------------------ Unix sockets */

static struct sockaddr_un
unix_address(const char *short_path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", short_path);
	return address;
}

/* Remove a socket, such as that of an owner that was killed.  A file of another kind stays and is an error. */
static int
remove_stale(struct call *c, const char *path, const char *shown)
{
	struct stat st;

	if (lstat(path, &st) < 0) {
		return errno == ENOENT ? 0 : io_failure(c, "cannot access", shown);
	}
	if (!S_ISSOCK(st.st_mode)) {
		return call_fail(c, ERR_IO, "%s is in the way of the store's socket", shown);
	}
	return unlink(path) < 0 ? io_failure(c, "cannot remove the stale socket", shown) : 0;
}

static int
bind_unix(struct call *c, int fd, const char *path, const char *shown)
{
	char short_path[SOCKET_PATH_MAX];
	cleanup(cleanup_fd) int dir = -1;
	int r = socket_path(c, path, short_path, &dir);

	if (r < 0) {
		return r;
	}
	struct sockaddr_un address = unix_address(short_path);

	/*
	 * The file takes the mode of the descriptor (minus the umask), so no other user can open it at
	 * any time.  It accepts connections only after listen().
	 */
	if (fchmod(fd, 0600) < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, SOMAXCONN) < 0) {
		return io_failure(c, "cannot listen at", shown);
	}
	return 0;
}

int
endpoint_listen_unix(struct call *c, const char *path, const char *shown, int *fd)
{
	int r = remove_stale(c, path, shown);

	if (r < 0) {
		return r;
	}
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0) {
		return io_failure(c, "cannot create a socket for", shown);
	}
	r = bind_unix(c, *fd, path, shown);
	if (r < 0) {
		(void)close(*fd);
		*fd = -1;
	}
	return r;
}

int
endpoint_connect(const char *short_path)
{
	struct sockaddr_un address = unix_address(short_path);
	cleanup(cleanup_fd) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0) {
		return errno;
	}
	return connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ? errno : 0;
}

/* ------------------------------------------------------------ TCP */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* The part before the last colon, without brackets. */
static const char *
host_part(struct call *c, const char *address, const char *colon)
{
	struct slice host = slice_of(address, (size_t)(colon - address));

	if (host.len >= 2 && host.at[0] == '[' && host.at[host.len - 1] == ']') {
		host = slice_of(host.at + 1, host.len - 2);
	}
	return slice_cstr(&c->arena, host);
}

/* The ports to try, from first to last. */
struct port_range {
	unsigned long first;
	unsigned long last;
};

/* "8000", or "8000-8099" */
static bool
parse_ports(const char *text, struct port_range *out)
{
	char *end = NULL;

	if (!ascii_digit(text[0])) {
		return false;
	}
	out->first = out->last = strtoul(text, &end, 10);
	if (end[0] == '-' && ascii_digit(end[1])) {
		out->last = strtoul(end + 1, &end, 10);
	}
	return *end == '\0' && out->first <= out->last && out->last <= UINT16_MAX;
}

static bool
is_v6(const char *host)
{
	struct in6_addr address;

	return inet_pton(AF_INET6, host, &address) == 1;
}

const char *
endpoint_address(struct call *c, const char *address)
{
	const char *colon = strrchr(address, ':');
	const char *after = colon == NULL ? address : colon + 1;
	struct port_range ports;

	if (colon == address || (colon == NULL && parse_ports(address, &ports))) {
		return arena_print(&c->arena, "127.0.0.1:%s", after);
	}
	if (is_v6(address) && !is_v6(host_part(c, address, colon))) {
		return arena_print(&c->arena, "[%s]:%d", address, ENDPOINT_PORT);
	}
	return colon == NULL || strchr(after, ']') != NULL
		       ? arena_print(&c->arena, "%s:%d", address, ENDPOINT_PORT)
		       : address;
}

/* Where to listen: @at with each of the ports. */
struct listen_range {
	union address at;
	socklen_t size;
	struct port_range ports;
};

static int
parse_address(struct call *c, const char *given, struct listen_range *out)
{
	const char *address = endpoint_address(c, given);
	const char *colon = strrchr(address, ':');

	if (colon == NULL || !parse_ports(colon + 1, &out->ports)) {
		return call_fail(
			c, ERR_VALIDATION,
			"%s is not an address to listen on: expected ADDR:PORT, such as 127.0.0.1:8000",
			given);
	}
	const char *host = host_part(c, address, colon);

	if (strcmp(host, "localhost") == 0) {
		host = "127.0.0.1";
	}
	if (inet_pton(AF_INET, host, &out->at.v4.sin_addr) == 1) {
		out->at.v4.sin_family = AF_INET;
		out->size = sizeof(out->at.v4);
		return 0;
	}
	if (inet_pton(AF_INET6, host, &out->at.v6.sin6_addr) == 1) {
		out->at.v6.sin6_family = AF_INET6;
		out->size = sizeof(out->at.v6);
		return 0;
	}
	return call_fail(c, ERR_VALIDATION, "%s is not an IP address", host);
}

static bool
is_loopback(const union address *a)
{
	return a->any.sa_family == AF_INET ? ntohl(a->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
					   : IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr) != 0;
}

static int
check_address(struct call *c, const char *address, bool anywhere, struct listen_range *out)
{
	int r = parse_address(c, address, out);

	if (r == 0 && !anywhere && !is_loopback(&out->at)) {
		return call_fail(
			c, ERR_VALIDATION,
			"%s can be reached from other machines, so it needs credentials: otherwise "
			"everybody there could change the store; or listen on 127.0.0.1 or [::1]",
			address);
	}
	return r;
}

int
endpoint_check_tcp(struct call *c, const char *address, bool anywhere)
{
	struct listen_range range = {0};

	return check_address(c, address, anywhere, &range);
}

/* Return 0 or an errno.  Only listen() claims the port: two sockets can be bound to it while neither listens. */
static int
endpoint_listen_port(const struct listen_range *range, unsigned long port, int *fd)
{
	union address at = range->at;
	int one = 1;

	if (at.any.sa_family == AF_INET) {
		at.v4.sin_port = htons((uint16_t)port);
	} else {
		at.v6.sin6_port = htons((uint16_t)port);
	}
	*fd = socket(at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Accepted connections inherit TCP_NODELAY. */
	if (*fd >= 0 && setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
	    setsockopt(*fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) == 0 &&
	    bind(*fd, &at.any, range->size) == 0 && listen(*fd, SOMAXCONN) == 0) {
		return 0;
	}
	int e = errno;

	cleanup_fd(fd);
	*fd = -1;
	return e;
}

int
endpoint_listen_tcp(struct call *c, const char *address, bool anywhere, int *fd, int *port)
{
	struct listen_range range = {0};
	int r = check_address(c, address, anywhere, &range);

	if (r < 0) {
		return r;
	}
	unsigned long next = range.ports.first;

	do {
		errno = endpoint_listen_port(&range, next, fd);
	} while (errno == EADDRINUSE && next++ < range.ports.last);
	if (errno == EADDRINUSE) {
		return call_fail(c, ERR_IO,
				 "cannot listen on %s: Address already in use; port 0 picks a "
				 "free one",
				 address);
	}
	if (*fd < 0 || getsockname(*fd, &range.at.any, &range.size) < 0) {
		r = io_failure(c, "cannot listen on", address);
		cleanup_fd(fd);
		*fd = -1;
		return r;
	}
	*port = ntohs(range.at.any.sa_family == AF_INET ? range.at.v4.sin_port
							: range.at.v6.sin6_port);
	return 0;
}

int
endpoint_first_port(const char *address)
{
	const char *colon = strrchr(address, ':');
	struct port_range ports = {0};

	return colon != NULL && parse_ports(colon + 1, &ports) ? (int)ports.first : 0;
}

bool
endpoint_remote(const struct sockaddr *from, struct in6_addr *out)
{
	const union address *at = (const void *)from;

	*out = (struct in6_addr){0};
	if (from->sa_family == AF_INET) {
		out->s6_addr[10] = out->s6_addr[11] = 0xff;
		memcpy(out->s6_addr + 12, &at->v4.sin_addr, 4);
		return !is_loopback(at);
	}
	if (from->sa_family != AF_INET6 || is_loopback(at)) {
		return false;
	}
	const struct in6_addr *v6 = &at->v6.sin6_addr;
	bool mapped = IN6_IS_ADDR_V4MAPPED(v6);

	memcpy(out->s6_addr, v6->s6_addr, mapped ? 16 : 8);
	return !mapped || v6->s6_addr[12] != IN_LOOPBACKNET;
}

/* ------------------------------------------------------------ Host */

int
endpoint_check_hosts(struct call *c, const char *names)
{
	size_t letters = strspn(names, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789-_.:");

	bool empty = names[0] == '\0' || names[0] == ':' || strstr(names, "::") != NULL ||
		     names[strlen(names) - 1] == ':';

	return !empty && names[letters] == '\0'
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "%s is not the name of a host", names);
}

/* Return whether @name is one of @names, a list separated by ':' or NULL. */
static bool
endpoint_is_listed(const char *name, const char *names)
{
	while (names != NULL && *names != '\0') {
		size_t n = strcspn(names, ":");

		if (strlen(name) == n && strncasecmp(name, names, n) == 0) {
			return true;
		}
		names += n + (names[n] == ':');
	}
	return false;
}

bool
endpoint_host_is_here(const char *host, const char *self, const char *hosts)
{
	char name[256];
	struct in6_addr address;
	bool bracket = host[0] == '[';
	size_t n = bracket ? strcspn(++host, "]") : strcspn(host, ":");

	if (n == 0 || n >= sizeof(name)) {
		return false;
	}
	memcpy(name, host, n);
	name[n] = '\0';
	if (bracket) {
		return inet_pton(AF_INET6, name, &address) == 1;
	}
	return inet_pton(AF_INET, name, &address) == 1 || strcasecmp(name, "localhost") == 0 ||
	       strcasecmp(name, self) == 0 || endpoint_is_listed(name, hosts);
}
