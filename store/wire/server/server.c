/* server - options, start and stop of the HTTP front end; requests are handled in http_request.c */
#include "store/wire/server/server.h"

#include <sys/random.h>

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
#include "store/wire/server/http_loops.h"
#include "store/wire/server/request_log.h"
#include "store/wire/server/server_int.h"

enum {
	CALL_BUDGET = 4 * 1024 * 1024,
	SPARE = 64,     /* connections above the limit, since closing one takes a moment */
	SPARE_PART = 5, /* at most this part (a fifth) of all connections is spare */
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
	s->loops = s->connections == NULL ? NULL : http_loops_start(s);
	if (s->loops == NULL) {
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

	http_loops_end_accepting(s->loops);
	{
		lock_scope(&s->lock);
		s->stopping = true;
	}
	/*
	 * On the Unix socket each request is answered, or its client knows that it was not sent completely and can send
	 * it to the next owner of the store.  So clients that have connected already are accepted, and then no client
	 * can send any more.
	 */
	if (s->socket != NULL) {
		http_loops_drain(s->loops);
		connections_end(s->connections, until);
	}
	wait_until_quiet(s, until);
	http_loops_free(s->loops);
	server_free(s);
}
