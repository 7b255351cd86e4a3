/*
 * server - the HTTP door: a request's bytes to struct op_in, the answer's back
 *
 * libmicrohttpd calls access_request() once with the headers, then with each
 * piece of the body, then once more: there the operation runs, in the
 * connection's own thread.  Bodies are counted as they arrive, whatever
 * Content-Length says, for one request and for all of them together.
 * What an operation means is unknown here; see decode.c and engine.h.
 */
#include "store/wire/server.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/engine/feed.h"
#include "store/wire/codec.h"
#include "store/wire/crc32.h"
#include "store/wire/endpoint.h"
#include "store/wire/wire.h"

enum {
	REQUEST_BUDGET = 256 * 1024 * 1024, /* bytes that one request may take in all */
	DISCARD_MAX = 4 * WIRE_BODY_MAX,    /* of a body that is refused, to still tell why */
	FRESH_MS = 100,                     /* wait so long for mounts to hear of a change */
	STOP_S = 10,                        /* wait so long for requests in flight */
	ID_CHARS = 52,                      /* of x-amzn-RequestId */
};

struct server {
	struct engine *e;
	struct MHD_Daemon *daemon;
	enum codec_peer peer; /* CODEC_OWN on the Unix socket */
	char *socket;         /* path to remove at the end, or NULL */
	int listener;
	int port;
	server_refused_fn *refused;
	void *refused_arg;
	uint64_t (*now_ms)(void);
	char self[256]; /* this machine's name */
	struct crc32 crc;
	uint64_t seed;            /* of request ids */
	atomic_uint_fast64_t ids; /* given out */
	atomic_size_t bodies;     /* bytes held for all requests */
	pthread_mutex_t lock;     /* of what follows */
	pthread_cond_t idle;      /* signalled when running becomes 0 */
	unsigned running;         /* requests that are executed or whose answer is not out */
};

/* One request from its headers until its answer is out. */
struct request {
	struct buf body;
	size_t dropped; /* bytes of the body that were not kept */
	bool too_large;
	bool overload; /* all bodies together are too large */
	bool running;  /* counted in server.running */
};

/* An answer before it is sent. */
struct answer {
	unsigned status;
	const char *type;
	struct buf body; /* heap; goes over to libmicrohttpd */
};

/* ------------------------------------------------------------ answers */

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* 52 digits and upper-case letters, as the service has them; unique, not secret. */
static void
request_id(struct server *s, char *out)
{
	uint64_t n = atomic_fetch_add(&s->ids, 1) * 4;
	uint64_t bits = 0;

	for (int i = 0; i < ID_CHARS; i++) {
		if (i % 13 == 0) {
			bits = mix(s->seed + (n + (uint64_t)i / 13) * 0x9e3779b97f4a7c15);
		}
		out[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[bits % 36];
		bits /= 36;
	}
	out[ID_CHARS] = '\0';
}

static enum MHD_Result
send_answer(struct server *s, struct MHD_Connection *connection, struct answer *a)
{
	char id[ID_CHARS + 1];
	char crc[16];
	struct slice body = buf_view(&a->body);

	request_id(s, id);
	(void)snprintf(crc, sizeof(crc), "%u", crc32_of(&s->crc, body));
	struct MHD_Response *response = MHD_create_response_from_buffer(
		body.len, a->body.at,
		body.len == 0 ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);

	if (response == NULL) {
		buf_release(&a->body);
		return MHD_NO;
	}
	enum MHD_Result r = MHD_NO;

	if (MHD_add_response_header(response, "Content-Type", a->type) == MHD_YES &&
	    MHD_add_response_header(response, "x-amzn-RequestId", id) == MHD_YES &&
	    MHD_add_response_header(response, "x-amz-crc32", crc) == MHD_YES) {
		r = MHD_queue_response(connection, a->status, response);
	}
	MHD_destroy_response(response);
	return r;
}

static void
answer_error(struct server *s, struct answer *a, const struct error *e)
{
	a->status = (unsigned)error_http(e->code);
	codec_encode_error(&a->body, s->peer, e);
}

static void
refuse(struct server *s, struct answer *a, enum err code, const char *message)
{
	answer_error(s, a, &(struct error){.code = code, .message = message});
}

/* ------------------------------------------------------------ executing */

static const char *
header(struct MHD_Connection *connection, const char *name)
{
	const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

	return value == NULL ? "" : value;
}

/* The operation that X-Amz-Target names, or OP_COUNT. */
static enum op_type
target_operation(const struct server *s, struct slice target)
{
	if (slice_starts(target, SLICE(WIRE_TARGET_DYNAMODB))) {
		return op_from_name(OP_DYNAMODB,
				    slice_skip(target, sizeof(WIRE_TARGET_DYNAMODB) - 1));
	}
	if (s->peer == CODEC_OWN && slice_starts(target, SLICE(WIRE_TARGET_ITEMFS))) {
		return op_from_name(OP_ITEMFS, slice_skip(target, sizeof(WIRE_TARGET_ITEMFS) - 1));
	}
	return OP_COUNT;
}

static int
execute(struct server *s, struct call *c, const struct op_in *in, struct op_out *out)
{
	if (in->type == OP_REFUSED && s->refused != NULL) {
		return s->refused(s->refused_arg, c, &in->refused, &out->refused);
	}
	int r = engine_execute(s->e, c, in, out);
	struct feed *feed = r == 0 && op_kind(in->type) == OP_WRITE ? engine_feed(s->e) : NULL;

	/* Who reads through a mount after this answer must see what it says. */
	if (feed != NULL) {
		(void)feed_wait(feed, feed_newest(feed), NULL, FRESH_MS);
	}
	return r;
}

static void
run(struct server *s, struct slice target, struct slice body, struct answer *a)
{
	struct call c;
	struct op_in in = {.type = target_operation(s, target)};
	struct op_out out = {.type = in.type};

	call_open(&c, s->now_ms(), REQUEST_BUDGET);
	c.origin = s;
	int r = in.type == OP_COUNT
			? call_fail(&c, ERR_UNKNOWN_OPERATION, "%s%.*s",
				    target.len == 0 ? "the header X-Amz-Target is missing"
						    : "there is no operation ",
				    SLICE_ARG(target))
			: codec_decode_in(&c, s->peer, body, &in);

	if (r == 0) {
		r = execute(s, &c, &in, &out);
	}
	if (r < 0) {
		answer_error(s, a, &c.error);
	} else {
		codec_encode_out(&a->body, s->peer, &in, &out);
	}
	call_close(&c);
}

/* ------------------------------------------------------------ one request */

/* As the service: a body of any other type than JSON is no operation. */
static bool
is_json(const char *type)
{
	type += strspn(type, " \t");
	size_t n = strcspn(type, "; \t");

	return (n == strlen("application/json") && strncasecmp(type, "application/json", n) == 0) ||
	       (n == strlen(WIRE_CONTENT_TYPE) && strncasecmp(type, WIRE_CONTENT_TYPE, n) == 0);
}

static bool
host_is_here(const struct server *s, struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return s->peer == CODEC_OWN || host == NULL || endpoint_host_is_here(host, s->self);
}

static void
answer_request(struct server *s, struct MHD_Connection *connection, const char *url,
	       const char *method, const struct request *r, struct answer *a)
{
	if (!host_is_here(s, connection)) {
		refuse(s, a, ERR_ACCESS, "the Host header does not name this machine");
	} else if (r->too_large) {
		refuse(s, a, ERR_VALIDATION, "a request may have 16 MB at most");
		a->status = MHD_HTTP_CONTENT_TOO_LARGE;
	} else if (r->overload) {
		refuse(s, a, ERR_BUSY, "too many large requests at once; try again");
	} else if (strcmp(method, "GET") == 0 && strcmp(url, "/") == 0) {
		a->type = "text/plain";
		buf_str(&a->body, "healthy: itemfs\n");
	} else if (strcmp(method, "POST") != 0 || !is_json(header(connection, "Content-Type"))) {
		a->status = MHD_HTTP_NOT_FOUND;
		a->type = "text/xml";
		buf_str(&a->body, "<UnknownOperationException/>\n");
	} else {
		run(s, slice_from(header(connection, "X-Amz-Target")), buf_view(&r->body), a);
	}
}

static void
count_running(struct server *s, struct request *r, bool running)
{
	lock_scope(&s->lock);
	if (running != r->running) {
		s->running += running ? 1U : -1U;
	}
	r->running = running;
	if (s->running == 0) {
		(void)pthread_cond_broadcast(&s->idle);
	}
}

static void
drop_body(struct server *s, struct request *r)
{
	atomic_fetch_sub(&s->bodies, r->body.len);
	r->dropped += r->body.len;
	buf_release(&r->body);
}

/* Keep one piece of the body; false when not even the reason for a refusal is worth more reading. */
static bool
collect(struct server *s, struct request *r, struct slice piece)
{
	if (!r->too_large && !r->overload) {
		r->too_large = piece.len > WIRE_BODY_MAX - r->body.len;
		r->overload = !r->too_large &&
			      atomic_fetch_add(&s->bodies, piece.len) + piece.len > WIRE_BODIES_MAX;
		if (!r->too_large) {
			buf_slice(&r->body, piece);
		}
		if (r->too_large || r->overload) {
			drop_body(s, r);
		}
		return true;
	}
	r->dropped += piece.len;
	return r->dropped <= DISCARD_MAX;
}

/* A body that says how large it is need not be sent to be refused. */
static bool
announces_too_much(struct MHD_Connection *connection)
{
	const char *length = header(connection, "Content-Length");
	char *end = NULL;

	errno = 0;
	unsigned long long n = strtoull(length, &end, 10);

	return length[0] != '\0' && (errno != 0 || *end != '\0' || n > WIRE_BODY_MAX);
}

static enum MHD_Result
finish(struct server *s, struct MHD_Connection *connection, const char *url, const char *method,
       struct request *r)
{
	struct answer a = {.status = MHD_HTTP_OK, .type = WIRE_CONTENT_TYPE};

	count_running(s, r, true);
	answer_request(s, connection, url, method, r, &a);
	return send_answer(s, connection, &a);
}

static enum MHD_Result
access_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
	       const char *version, const char *upload, size_t *upload_size, void **state)
{
	struct server *s = cls;
	struct request *r = *state;

	(void)version;
	if (r == NULL) {
		r = calloc(1, sizeof(*r));
		if (r == NULL) {
			return MHD_NO;
		}
		*state = r;
		r->too_large = announces_too_much(connection);
		return r->too_large ? finish(s, connection, url, method, r) : MHD_YES;
	}
	if (*upload_size > 0) {
		bool go_on = collect(s, r, slice_of(upload, *upload_size));

		*upload_size = 0;
		return go_on ? MHD_YES : MHD_NO;
	}
	return finish(s, connection, url, method, r);
}

static void
request_completed(void *cls, struct MHD_Connection *connection, void **state,
		  enum MHD_RequestTerminationCode why)
{
	struct server *s = cls;
	struct request *r = *state;

	(void)connection;
	(void)why;
	if (r != NULL) {
		drop_body(s, r);
		count_running(s, r, false);
		free(r);
		*state = NULL;
	}
}

/* ------------------------------------------------------------ start and stop */

static struct server *
server_new(struct engine *e, const struct server_options *o)
{
	struct server *s = calloc(1, sizeof(*s));
	pthread_condattr_t attr;

	if (s == NULL) {
		abort();
	}
	s->e = e;
	s->peer = o->socket != NULL ? CODEC_OWN : CODEC_FOREIGN;
	s->refused = o->refused;
	s->refused_arg = o->refused_arg;
	s->now_ms = o->now_ms == NULL ? clock_now_ms : o->now_ms;
	s->listener = -1;
	(void)gethostname(s->self, sizeof(s->self) - 1);
	if (getrandom(&s->seed, sizeof(s->seed), 0) < 0) {
		s->seed = clock_now_ms();
	}
	crc32_init(&s->crc);
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&s->idle, &attr);
	(void)pthread_condattr_destroy(&attr);
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
	(void)pthread_cond_destroy(&s->idle);
	(void)pthread_mutex_destroy(&s->lock);
	free(s->socket);
	free(s);
}

static int
listen_at(struct call *c, struct server *s, const struct server_options *o)
{
	if (o->socket == NULL) {
		return endpoint_listen_tcp(c, o->listen, &s->listener, &s->port);
	}
	int r = endpoint_listen_unix(c, o->socket, &s->listener);

	if (r == 0) {
		s->socket = strdup(o->socket);
	}
	return r;
}

int
server_start(struct call *c, struct engine *e, const struct server_options *o, struct server **out)
{
	struct server *s = server_new(e, o);
	int r = listen_at(c, s, o);

	if (r < 0) {
		server_free(s);
		return r;
	}
	s->daemon = MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD |
					     MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC,
				     0, NULL, NULL, access_request, s, MHD_OPTION_LISTEN_SOCKET,
				     s->listener, MHD_OPTION_CONNECTION_LIMIT,
				     (unsigned)WIRE_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
				     (unsigned)WIRE_IDLE_S, MHD_OPTION_NOTIFY_COMPLETED,
				     request_completed, s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				     (size_t)(64 * 1024), MHD_OPTION_END);
	if (s->daemon == NULL) {
		server_free(s);
		return call_fail(c, ERR_IO, "the HTTP server cannot be started");
	}
	*out = s;
	return 0;
}

int
server_port(const struct server *s)
{
	return s->port;
}

/* Let what is running end; a client that does not read its answer cannot hold us up for ever. */
static void
wait_until_idle(struct server *s)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += STOP_S;
	lock_scope(&s->lock);
	while (s->running > 0 && pthread_cond_timedwait(&s->idle, &s->lock, &until) == 0) {
	}
}

void
server_stop(struct server *s)
{
	if (s == NULL) {
		return;
	}
	(void)MHD_quiesce_daemon(s->daemon);
	wait_until_idle(s);
	MHD_stop_daemon(s->daemon);
	server_free(s);
}
