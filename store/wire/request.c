/*
 * request - one HTTP request: its bytes to struct op_in, the answer's back
 *
 * libmicrohttpd's one thread, the loop, calls request_access() with the
 * headers, then with each piece of the body, then once more.  Then the
 * operation begins: the engine takes it at once (engine_submit) or a worker
 * carries it out.  If it has not ended when the loop comes back to it, the
 * connection is suspended, and resumed by the one who ends it.  So the loop
 * waits for no commit and no scan (a look-up it makes itself, and a query while nobody
 * else is connected), and the answers of one commit leave together.
 *
 * What an operation means is unknown here; see decode.c and engine.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "store/base/cleanup.h"
#include "store/engine/feed.h"
#include "store/wire/access.h"
#include "store/wire/answer.h"
#include "store/wire/body.h"
#include "store/wire/cors.h"
#include "store/wire/gzip.h"
#include "store/wire/server_int.h"
#include "store/wire/wire.h"

enum {
	REQUEST_BUDGET = 256 * 1024 * 1024, /* bytes that one request may take in all */
	FRESH_MS = 10000,                   /* wait so long for mounts to hear of a change */
};

static const char too_large[] = "a request may have 16 MB at most";
static const char overload[] = "too many large requests at once; try again";

enum stage {
	ARRIVING,
	UNDER_WAY, /* the engine or a worker has it */
	SUSPENDED, /* likewise, and the connection must be resumed at the end */
	ANSWERED,  /* the answer can be sent */
};

/* One request from its headers until its answer is out. */
struct request {
	struct work work; /* first: a worker hands it back */
	struct server *s;
	struct MHD_Connection *connection;
	struct connection *place; /* what is known of the connection */
	struct body body;
	bool counted; /* in server.open */
	_Atomic enum stage stage;
	struct answer answer;

	/* the operation */
	struct sigv4_request headers;
	bool packed; /* the body is gzip */
	struct call c;
	struct op_in in;
	struct op_out out;
};

/* ------------------------------------------------------------ the operation */

static void
no_longer_under_way(struct server *s)
{
	lock_scope(&s->lock);
	s->under_way--;
	(void)pthread_cond_broadcast(&s->fewer);
}

/* The answer has its body; in any thread. */
static void
hand_back(struct request *r)
{
	struct server *s = r->s;

	answer_seal(&r->answer);
	call_close(&r->c);
	/* As soon as it is answered, an unsuspended request may be gone. */
	struct MHD_Connection *connection = r->connection;

	if (atomic_exchange(&r->stage, ANSWERED) == SUSPENDED) {
		MHD_resume_connection(connection);
	}
	no_longer_under_way(s);
}

static void
hand_over(struct request *r, void (*run)(struct work *w))
{
	r->work.run = run;
	workers_add(r->s->workers, &r->work);
}

static void
work_pack(struct work *w)
{
	struct request *r = (struct request *)w;

	answer_pack(&r->answer);
	hand_back(r);
}

/* The operation has ended with @result; in any thread. */
static void
end_operation(struct request *r, int result)
{
	struct answer *a = &r->answer;

	if (result < 0) {
		buf_clear(&a->body);
		answer_error(r->s, a, &r->c.error);
		a->status = r->body.too_large ? MHD_HTTP_CONTENT_TOO_LARGE : a->status;
	} else {
		codec_encode_out(&a->body, r->s->peer, &r->in, &r->out);
	}
	if (answer_worth_packing(a)) {
		hand_over(r, work_pack);
	} else {
		hand_back(r);
	}
}

/*
 * Who reads through a mount after the answer to a write must see what it says.  The wait is one of a
 * worker, and no mount waits for one: it ends when a mount has told its kernel of all that it knows.
 */
static bool
mounts_must_hear(const struct request *r)
{
	struct feed *feed = op_writes(&r->in) ? engine_feed(r->s->e) : NULL;

	return feed != NULL && feed_listening(feed);
}

static void
wait_for_mounts(const struct request *r)
{
	struct feed *feed = engine_feed(r->s->e);

	(void)feed_wait(feed, feed_newest(feed), NULL, FRESH_MS);
}

static void
work_heard(struct work *w)
{
	struct request *r = (struct request *)w;

	wait_for_mounts(r);
	end_operation(r, 0);
}

/* The engine's answer to engine_submit(). */
static void
submitted(void *arg, int result)
{
	struct request *r = arg;

	if (result == 0 && mounts_must_hear(r)) {
		hand_over(r, work_heard);
	} else {
		end_operation(r, result);
	}
}

/* A packed body becomes what it holds; not in the loop. */
static int
unpack(struct request *r)
{
	struct call *c = &r->c;

	if (!r->packed) {
		return 0;
	}
	if (!body_unpack(&r->body, &r->s->bodies)) {
		return call_fail(c, ERR_SERIALIZATION, "the body is not gzip");
	}
	if (r->body.too_large) {
		return call_fail(c, ERR_VALIDATION, "%s", too_large);
	}
	return r->body.overload ? call_fail(c, ERR_BUSY, "%s", overload) : 0;
}

static int
decode(struct request *r)
{
	/* What is signed is what was sent. */
	int result = access_check(r->s, &r->c, &r->headers);

	result = result < 0 ? result : unpack(r);
	if (result == 0) {
		result = codec_decode_in(&r->c, r->s->peer, buf_view(&r->body.bytes), &r->in);
	}
	if (result == 0 && r->in.type == OP_DESCRIBE_ENDPOINTS) {
		r->in.describe_endpoints.host = slice_from(access_header(r->connection, "Host"));
	}
	codec_encode_ahead(&r->answer.body, &r->in);
	return result;
}

static int
execute(struct request *r)
{
	struct server *s = r->s;

	if (r->in.type == OP_REFUSED && s->refused != NULL) {
		return s->refused(s->refused_arg, &r->c, &r->in.refused, &r->out.refused);
	}
	int result = engine_execute(s->e, &r->c, &r->in, &r->out);

	if (result == 0 && mounts_must_hear(r)) {
		wait_for_mounts(r);
	}
	return result;
}

static void
work_execute(struct work *w)
{
	struct request *r = (struct request *)w;

	end_operation(r, execute(r));
}

static void
work_decode_and_execute(struct work *w)
{
	struct request *r = (struct request *)w;
	int result = decode(r);

	end_operation(r, result < 0 ? result : execute(r));
}

/* The operation that X-Amz-Target names, or OP_COUNT. */
static enum op_type
target_operation(const struct server *s, struct slice target)
{
	if (slice_starts(target, SLICE(WIRE_TARGET_DYNAMODB))) {
		return op_from_name(OP_DYNAMODB,
				    slice_skip(target, sizeof(WIRE_TARGET_DYNAMODB) - 1));
	}
	if (slice_starts(target, SLICE(WIRE_TARGET_STREAMS))) {
		return op_from_name(OP_STREAMS,
				    slice_skip(target, sizeof(WIRE_TARGET_STREAMS) - 1));
	}
	if (s->peer == CODEC_OWN && slice_starts(target, SLICE(WIRE_TARGET_ITEMFS))) {
		return op_from_name(OP_ITEMFS, slice_skip(target, sizeof(WIRE_TARGET_ITEMFS) - 1));
	}
	return OP_COUNT;
}

static int
no_such_operation(struct call *c, struct slice target)
{
	return call_fail(c, ERR_UNKNOWN_OPERATION, "%s%.*s",
			 target.len == 0 ? "the header X-Amz-Target is missing"
					 : "there is no operation ",
			 SLICE_ARG(target));
}

/*
 * A page is soon there, so is a sync, and nobody else waits: waking another thread and this one again
 * would take as long as a query of some items, or a quarter of a durable put.
 */
static bool
is_for_the_loop(const struct request *r)
{
	switch ((int)r->in.type) {
	case OP_QUERY:
		return connections_one(r->s->connections);
	case OP_PUT_ITEM:
	case OP_UPDATE_ITEM:
	case OP_DELETE_ITEM:
	case OP_TRANSACT_WRITE_ITEMS:
		return connections_one(r->s->connections) && !mounts_must_hear(r);
	default:
		return false;
	}
}

/* From here on somebody calls end_operation(), perhaps before the return. */
static void
begin_operation(struct request *r, const char *path)
{
	struct server *s = r->s;
	struct slice target = slice_from(access_header(r->connection, "X-Amz-Target"));

	r->in.type = target_operation(s, target);
	r->out.type = r->in.type;
	call_open(&r->c, s->now_ms(), REQUEST_BUDGET);
	r->c.origin = s;
	r->headers = (struct sigv4_request){
		.method = "POST", .path = path, .body = buf_view(&r->body.bytes)};
	access_gather(s, &r->c, r->connection, &r->headers);
	r->packed = strcasecmp(access_header(r->connection, "Content-Encoding"), "gzip") == 0;
	r->answer.accepted = gzip_accepted(access_header(r->connection, "Accept-Encoding"));
	atomic_store(&r->stage, UNDER_WAY);
	if (r->in.type == OP_COUNT) {
		end_operation(r, no_such_operation(&r->c, target));
	} else if (r->packed || r->body.bytes.len > BODY_SMALL) {
		hand_over(r, work_decode_and_execute);
	} else if (decode(r) < 0) {
		end_operation(r, -1);
	} else if (is_for_the_loop(r)) {
		work_execute(&r->work);
	} else if (!engine_submit(s->e, &r->c, &r->in, &r->out, submitted, r)) {
		hand_over(r, work_execute);
	}
}

/* ------------------------------------------------------------ what the request is */

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
is_refused(const struct request *r)
{
	return r->body.too_large || r->body.overload || connection_surplus(r->place);
}

static bool
is_operation(const struct request *r, const char *method)
{
	return access_host_is_here(r->s, r->connection) && !is_refused(r) &&
	       strcmp(method, "POST") == 0 && is_json(access_header(r->connection, "Content-Type"));
}

static void
answer_other(struct request *r, const char *url, const char *method)
{
	struct server *s = r->s;
	struct answer *a = &r->answer;

	if (!access_host_is_here(s, r->connection)) {
		answer_refuse(s, a, ERR_ACCESS, "the Host header does not name this machine");
	} else if (connection_surplus(r->place)) {
		answer_refuse(s, a, ERR_BUSY, "too many connections at once; try again");
		a->last = true;
	} else if (r->body.too_large) {
		answer_refuse(s, a, ERR_VALIDATION, too_large);
		a->status = MHD_HTTP_CONTENT_TOO_LARGE;
	} else if (r->body.overload) {
		answer_refuse(s, a, ERR_BUSY, overload);
	} else if (cors_is_preflight(s, r->connection, method)) {
		a->preflight = true;
	} else if (strcmp(method, "GET") == 0 && strcmp(url, "/") == 0) {
		a->type = "text/plain";
		buf_str(&a->body, "healthy: itemfs\n");
	} else {
		a->status = MHD_HTTP_NOT_FOUND;
		a->type = "text/xml";
		buf_str(&a->body, "<UnknownOperationException/>\n");
	}
}

/* The answer to what is no operation is complete. */
static void
end_other(struct request *r)
{
	answer_seal(&r->answer);
	atomic_store(&r->stage, ANSWERED);
}

/* ------------------------------------------------------------ its bytes */

/* Return: false when the server is stopping: then nothing may begin. */
static bool
count(struct request *r, bool operation)
{
	struct server *s = r->s;

	lock_scope(&s->lock);
	if (s->stopping) {
		return false;
	}
	r->counted = true;
	s->open++;
	s->under_way += operation;
	return true;
}

static void
uncount(struct request *r)
{
	struct server *s = r->s;

	if (r->counted) {
		lock_scope(&s->lock);
		s->open--;
		(void)pthread_cond_broadcast(&s->fewer);
	}
}

static void
begin(struct request *r, const char *url, const char *method)
{
	bool operation = is_operation(r, method);

	if (!count(r, operation)) {
		r->answer.last = true;
		answer_refuse(r->s, &r->answer, ERR_BUSY, "the server is stopping");
		end_other(r);
	} else if (operation) {
		begin_operation(r, url);
	} else {
		answer_other(r, url, method);
		end_other(r);
	}
}

/* It is all there; called again when a suspended connection is resumed. */
static enum MHD_Result
arrived(struct request *r, const char *url, const char *method)
{
	enum stage under_way = UNDER_WAY;

	if (atomic_load(&r->stage) == ARRIVING) {
		connection_arrived(r->place);
		begin(r, url, method);
	}
	if (atomic_load(&r->stage) == ANSWERED) {
		body_drop(&r->body, &r->s->bodies);
		return answer_send(r->s, r->connection, &r->answer);
	}
	MHD_suspend_connection(r->connection);
	if (!atomic_compare_exchange_strong(&r->stage, &under_way, SUSPENDED)) {
		MHD_resume_connection(r->connection);
	}
	return MHD_YES;
}

static struct connection *
place_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

void *
request_line(void *server, const char *uri, struct MHD_Connection *connection)
{
	struct server *s = server;

	(void)uri;
	connection_began(s->connections, place_of(connection));
	return NULL;
}

static struct request *
request_new(struct server *s, struct MHD_Connection *connection)
{
	struct request *r = calloc(1, sizeof(*r));

	if (r != NULL) {
		r->s = s;
		r->connection = connection;
		r->place = place_of(connection);
		body_announced(&r->body, access_header(connection, "Content-Length"));
		answer_init(&r->answer);
	}
	return r;
}

enum MHD_Result
request_access(void *server, struct MHD_Connection *connection, const char *url, const char *method,
	       const char *version, const char *upload, size_t *upload_size, void **state)
{
	struct request *r = *state;

	(void)version;
	if (r == NULL) {
		r = request_new(server, connection);
		*state = r;
		if (r == NULL) {
			return MHD_NO;
		}
		return r->body.too_large ? arrived(r, url, method) : MHD_YES;
	}
	if (*upload_size > 0) {
		bool go_on = body_collect(&r->body, &r->s->bodies, slice_of(upload, *upload_size));

		*upload_size = 0;
		return go_on ? MHD_YES : MHD_NO;
	}
	return arrived(r, url, method);
}

void
request_completed(void *server, struct MHD_Connection *connection, void **state,
		  enum MHD_RequestTerminationCode why)
{
	struct request *r = *state;

	(void)server;
	(void)connection;
	(void)why;
	if (r != NULL) {
		body_drop(&r->body, &r->s->bodies);
		connection_answered(r->s->connections, r->place);
		answer_release(&r->answer);
		uncount(r);
		free(r);
		*state = NULL;
	}
}
