/* not_http - see not_http.h */
#include "store/wire/server/not_http.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <sys/socket.h>

#include "store/base/core/base.h"
#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/base/system/say.h"

enum {
	/* from netinet/tcp.h, which conflicts with linux/tcp.h */
	NOT_HTTP_ESTABLISHED = 1,
	NOT_HTTP_FIN_WAIT1 = 4,
	NOT_HTTP_FIN_WAIT2 = 5,
};

/*
 * Return whether bytes have arrived, and libmicrohttpd has answered them or closes the connection itself (version 1.0
 * has closed its side already).  If instead the client leaves within a request's head, it has closed its side before.
 */
static bool
not_http_came(int socket)
{
	struct tcp_info info = {0};
	socklen_t n = sizeof(info);

	if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &n) != 0 ||
	    info.tcpi_bytes_received == 0) {
		return false;
	}
	return info.tcpi_data_segs_out > 0 || info.tcpi_state == NOT_HTTP_ESTABLISHED ||
	       info.tcpi_state == NOT_HTTP_FIN_WAIT1 || info.tcpi_state == NOT_HTTP_FIN_WAIT2;
}

/* Return whether it is time for another hint; if two threads call it concurrently, one gets true. */
static bool
not_http_may(atomic_ullong *said)
{
	unsigned long long before = atomic_load(said);
	unsigned long long now = clock_steady_ns();

	return (before == 0 || before + timing_ms(TIMING_NOT_HTTP) * NS_PER_MS <= now) &&
	       atomic_compare_exchange_strong(said, &before, now);
}

void
not_http_say(int socket, atomic_ullong *said)
{
	struct sockaddr_storage here = {0};
	socklen_t n = sizeof(here);
	char host[NI_MAXHOST];
	char port[NI_MAXSERV];

	if (!not_http_came(socket) || getsockname(socket, (struct sockaddr *)&here, &n) != 0 ||
	    getnameinfo((struct sockaddr *)&here, n, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0 ||
	    !not_http_may(said)) {
		return;
	}
	bool six = here.ss_family == AF_INET6;

	say("a client sent something other than an HTTP request: this server speaks HTTP, "
	    "not HTTPS: use http://%s%s%s:%s",
	    six ? "[" : "", host, six ? "]" : "", port);
}
