/*
 * server - options, start and stop of the HTTP front end, and hints about clients that do not speak HTTP; requests are
 * handled in http_request.c
 */
#include "store/wire/server/server.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/core/timing.h"
#include "store/base/core/workers.h"
#include "store/base/system/descriptors.h"
#include "store/base/system/say.h"
#include "store/page/page_patterns.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/access.h"
#include "store/wire/server/browser.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/request_log.h"
#include "store/wire/server/server_int.h"

enum {
	CALL_BUDGET = 4 * 1024 * 1024,
	SPARE = 64,             /* connections above the limit, since closing one takes a moment */
	SPARE_PART = 5,         /* at most this part (a fifth) of all connections is spare */
	POOL_BYTES = 20 * 1024, /* memory of a connection, for a request's head of 16 KB */
	WORKERS_MAX = 256,
	READERS_MAX =
		16, /* few: an answer takes two or three times its bytes, which may be 16 MB */
};

static unsigned
server_wanted(const struct server_options *o)
{
	return o->limits.most == 0 ? WIRE_CONNECTIONS_MAX : o->limits.most;
}

/* Return how many connections the server keeps: as many as wanted, or as the descriptors allow. */
static unsigned
server_kept(const struct server *s, const struct server_options *o)
{
	unsigned spare = s->lent / SPARE_PART < SPARE ? s->lent / SPARE_PART : SPARE;
	unsigned most = s->lent - spare;

	return most < server_wanted(o) ? most : server_wanted(o);
}

/* Warn on a TCP address if fewer connections are kept than the manual says. */
static void
server_say_few(const struct server *s, const struct server_options *o)
{
	unsigned kept = server_kept(s, o);

	if (o->listen != NULL && kept < server_wanted(o)) {
		say("port %d: at most %u connections instead of %u, because the limit of open "
		    "files is %u; raise it (ulimit -n, LimitNOFILE=)",
		    s->port, kept, server_wanted(o), descriptors_limit());
	}
}

static struct connections *
server_connections(const struct server *s, const struct server_options *o)
{
	const struct connection_limits limits = {
		.most = server_kept(s, o),
		.per_address = WIRE_ADDRESS_MAX,
		.head_ms = o->limits.head_ms == 0 ? timing_ms(TIMING_HEAD) : o->limits.head_ms,
		.body_ms = o->limits.arrival_ms == 0 ? WIRE_ARRIVAL_S * 1000 : o->limits.arrival_ms,
		.idle_ms = timing_ms(TIMING_IDLE),
		.answer_ms = WIRE_READ_S * 1000,
		.answers = WIRE_ANSWERS_MAX,
		.answers_of_address = WIRE_ANSWERS_ADDRESS_MAX,
	};

	return connections_new(&limits);
}

static struct server *
server_new(struct engine *e, const struct server_options *o)
{
	struct server *s = mem_new(struct server);

	s->e = e;
	s->peer = o->socket != NULL ? CODEC_OWN : CODEC_FOREIGN;
	s->trust_network = o->trust_network;
	s->refused = o->refused;
	s->refused_arg = o->refused_arg;
	s->now_ms = o->now_ms == NULL ? clock_now_ms : o->now_ms;
	s->fresh_ms = o->limits.fresh_ms == 0 ? WIRE_FRESH_S * 1000 : o->limits.fresh_ms;
	s->stop_ms = o->limits.stop_ms == 0 ? WIRE_STOP_S * 1000 : o->limits.stop_ms;
	s->listener = -1;
	s->log = -1;
	(void)gethostname(s->self, sizeof(s->self) - 1);
	if (getrandom(&s->seed, sizeof(s->seed), 0) < 0) {
		s->seed = clock_now_ms();
	}
	call_open(&s->call, 0, CALL_BUDGET);
	s->lent = descriptors_lend(server_wanted(o) + SPARE);
	s->workers = workers_new(WORKERS_MAX);
	s->readers = workers_new(READERS_MAX);
	s->connections = server_connections(s, o);
	if (pthread_key_create(&s->spare, free) != 0) {
		mem_out();
	}
	(void)pthread_mutex_init(&s->lock, NULL);
	thread_cond_init(&s->fewer);
	return s;
}

static void
server_free(struct server *s)
{
	if (s->socket != NULL) {
		(void)unlink(s->socket);
	}
	if (s->listener >= 0) {
		(void)close(s->listener);
	}
	if (s->log >= 0) {
		(void)close(s->log);
	}
	workers_free(s->readers);
	workers_free(s->workers);
	(void)pthread_cond_destroy(&s->fewer);
	(void)pthread_mutex_destroy(&s->lock);
	connections_free(s->connections);
	descriptors_return(s->lent);
	call_close(&s->call);
	free(pthread_getspecific(s->spare)); /* of this thread, if it has closed connections */
	(void)pthread_key_delete(s->spare);
	free(s->socket);
	free(s);
}

static int
server_read_files(struct call *c, struct server *s, const struct server_options *o)
{
	int r = o->credentials == NULL ? 0 : credentials_read(&s->call, o->credentials, &s->known);

	if (r == 0 && o->patterns != NULL) {
		r = page_patterns_read(&s->call, o->patterns, &s->patterns);
	}
	return r < 0 ? call_adopt(c, &s->call) : 0;
}

/* Check the text @given and copy it; NULL stays NULL. */
static int
server_read_text(struct call *c, struct server *s, const char *given,
		 int (*check)(struct call *c, const char *text), const char **out)
{
	int r = given == NULL ? 0 : check(c, given);

	if (r == 0 && given != NULL) {
		*out = slice_cstr(&s->call.arena, slice_from(given));
	}
	return r;
}

static int
listen_at(struct call *c, struct server *s, const struct server_options *o)
{
	if (o->socket == NULL) {
		return endpoint_listen_tcp(c, o->listen, s->known.n > 0 || s->trust_network,
					   &s->listener, &s->port);
	}
	const char *shown = o->socket_shown == NULL ? o->socket : o->socket_shown;
	int r = endpoint_listen_unix(c, o->socket, shown, &s->listener);

	if (r == 0) {
		s->socket = mem_string(o->socket);
	}
	return r;
}

/* ------------------------------------------------------------ clients that do not speak HTTP, but perhaps TLS */

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

/*
 * Print a hint if bytes have arrived on @socket, a TCP connection that is about to be closed, but no request; @said: time
 * of the last hint by clock_steady_ns(), 0: none; there is at most one in TIMING_NOT_HTTP
 */
static void
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

/* ------------------------------------------------------------ start and stop */

/* Callback of libmicrohttpd: a connection was opened, or is about to be closed. */
static void
connection_changed(void *server, struct MHD_Connection *connection, void **state,
		   enum MHD_ConnectionNotificationCode what)
{
	struct server *s = server;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*state = connection_opened(
			s->connections,
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd,
			MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
				->client_addr);
	} else {
		if (s->socket == NULL && connection_is_first(*state)) {
			not_http_say(MHD_get_connection_info(connection,
							     MHD_CONNECTION_INFO_CONNECTION_FD)
					     ->connect_fd,
				     &s->said_not_http);
		}
		connection_closed(s->connections, *state);
	}
}

static struct MHD_Daemon *
start_daemon(struct server *s)
{
	return s->connections == NULL
		       ? NULL
		       : MHD_start_daemon(
				 MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL,
				 NULL, request_access, s, MHD_OPTION_LISTEN_SOCKET, s->listener,
				 MHD_OPTION_CONNECTION_LIMIT, s->lent,
				 MHD_OPTION_CONNECTION_TIMEOUT, timing_ms(TIMING_IDLE) / 1000,
				 MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
				 MHD_OPTION_URI_LOG_CALLBACK, request_line, s,
				 MHD_OPTION_NOTIFY_COMPLETED, request_completed, s,
				 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
				 MHD_OPTION_END);
}

int
server_check(struct call *c, const struct server_options *o)
{
	struct credentials known;
	const struct page_patterns *patterns;
	int r = o->cors == NULL ? 0 : cors_check_origin(c, o->cors);

	if (r == 0 && o->host != NULL) {
		r = endpoint_check_hosts(c, o->host);
	}
	if (r == 0 && o->credentials != NULL) {
		r = credentials_read(c, o->credentials, &known);
	}
	if (r == 0 && o->patterns != NULL) {
		r = page_patterns_read(c, o->patterns, &patterns);
	}
	return r < 0 || o->listen == NULL
		       ? r
		       : endpoint_check_tcp(c, o->listen,
					    o->credentials != NULL || o->trust_network);
}

int
server_start(struct call *c, struct engine *e, const struct server_options *o, struct server **out)
{
	assert((o->socket != NULL) != (o->listen != NULL));
	struct server *s = server_new(e, o);
	int r = server_read_files(c, s, o);

	r = r < 0 ? r : server_read_text(c, s, o->cors, cors_check_origin, &s->cors);
	r = r < 0 ? r : server_read_text(c, s, o->host, endpoint_check_hosts, &s->hosts);
	r = r < 0 ? r : server_read_text(c, s, o->token, browser_check_token, &s->token);
	r = r < 0 ? r : request_log_open(c, o->log, &s->log);
	r = r < 0 ? r : listen_at(c, s, o);

	if (r < 0) {
		server_free(s);
		return r;
	}
	s->daemon = start_daemon(s);
	if (s->daemon == NULL) {
		s->listener = -1; /* libmicrohttpd has closed it */
		server_free(s);
		return call_fail(c, ERR_IO, "the HTTP server cannot be started");
	}
	server_say_few(s, o);
	*out = s;
	return 0;
}

int
server_port(const struct server *s)
{
	return s->port;
}

const char *
server_address(struct call *c, const struct server *s, const char *listen)
{
	const char *colon = strrchr(listen, ':');
	size_t host = colon == NULL ? strlen(listen) : (size_t)(colon - listen);

	return arena_print(&c->arena, "%.*s:%d", (int)host, listen, s->port);
}

static bool
server_let_in(struct server *s, int fd)
{
	const struct sockaddr_un unnamed = {.sun_family = AF_UNIX};

	return MHD_add_connection(s->daemon, fd, (const struct sockaddr *)&unnamed,
				  sizeof(unnamed.sun_family)) == MHD_YES;
}

/* Wait until libmicrohttpd's thread has added all connections that were accepted before. */
static void
server_settle(struct server *s)
{
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		return;
	}
	(void)shutdown(ends[0], SHUT_WR);
	if (server_let_in(s, ends[1])) {
		(void)!read(ends[0], &byte, 1);
	}
	(void)close(ends[0]);
}

/*
 * End the connections of the Unix socket.  Each request is answered, or its client knows that it was not sent
 * completely and can send it to the next owner of the store.  So new clients are refused, clients that have connected
 * already are accepted, and then no client can send any more.
 */
static void
end_connections(struct server *s, uint64_t until)
{
	int fd;

	(void)shutdown(s->listener, SHUT_RD);
	while ((fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		(void)server_let_in(s, fd);
	}
	server_settle(s);
	connections_end(s->connections, until);
}

/* Wait for all operations to end, without limit, and for the answers to be sent, until @until at most. */
static void
wait_until_quiet(struct server *s, uint64_t until)
{
	bool patient = true;

	lock_scope(&s->lock);
	while (s->under_way > 0 || (s->open > 0 && patient)) {
		if (patient) {
			patient = thread_cond_until(&s->fewer, &s->lock, until);
		} else {
			(void)pthread_cond_wait(&s->fewer, &s->lock);
		}
	}
}

void
server_stop(struct server *s)
{
	if (s == NULL) {
		return;
	}
	uint64_t until = clock_steady_ns() + s->stop_ms * NS_PER_MS;

	(void)MHD_quiesce_daemon(s->daemon);
	{
		lock_scope(&s->lock);
		s->stopping = true;
	}
	if (s->socket != NULL) {
		end_connections(s, until);
	}
	wait_until_quiet(s, until);
	MHD_stop_daemon(s->daemon);
	server_free(s);
}
