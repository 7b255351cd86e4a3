/*
 * http_request - receives one HTTP request and sends its answer
 *
 * The loop of the connection (http_loops.h) calls request_access() with the headers, then with each piece of the body,
 * and then once more.  After that the operation begins (operation.c).
 */
#include "store/wire/server/http_request.h"

#include "store/base/core/sanitized.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/access.h"
#include "store/wire/server/advice.h"
#include "store/wire/server/body.h"
#include "store/wire/server/browser.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/http_answer.h"
#include "store/wire/server/request_log.h"

enum { HEAD_MAX = 16 * 1024 }; /* bytes of the first line and the headers, as in the service */

/* ------------------------------------------------------------ kinds of requests */

/*
 * Return the Content-Type of the request, which is also that of the answer; NULL: not JSON.  As in the service, a
 * request of another type is no operation, and one without a type is an operation if it has no body.
 */
static const char *
json_type(const struct request *r)
{
	const char *type = access_header(r->connection, "Content-Type");

	type += strspn(type, " \t");
	struct slice name = slice_of(type, strcspn(type, "; \t"));

	if (ascii_same(name, SLICE("application/json")) ||
	    (name.len == 0 && r->body.bytes.len == 0)) {
		return "application/json";
	}
	return ascii_same(name, SLICE(WIRE_CONTENT_TYPE)) ? WIRE_CONTENT_TYPE : NULL;
}

static bool
http_request_is_allowed(const struct request *r, const char *method)
{
	return access_host_is_here(r->s, r->connection, method) && !r->head_too_large &&
	       !r->body.too_large && !r->body.overload && !connection_surplus(r->place);
}

/* HEAD is answered like GET; libmicrohttpd omits the body. */
static bool
http_request_reads(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

/* Return whether a URL is "/" or a health check of another test server. */
static bool
request_asks_health(const char *url)
{
	static const char *const urls[] = {"/",      "/health", "/healthz",
					   "/ready", "/ping",   "/_localstack/health"};

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		if (strcmp(url, urls[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void
answer_other(struct request *r, const char *url, const char *method)
{
	struct server *s = r->s;
	struct answer *a = &r->answer;
	const char *type = access_header(r->connection, "Content-Type");
	const char *target = access_header(r->connection, "X-Amz-Target");
	bool health = http_request_reads(method) && request_asks_health(url);

	if (!access_host_is_here(s, r->connection, method)) {
		answer_refuse(
			s, a, ERR_ACCESS,
			"the Host header does not name this machine; the server's option --host NAME "
			"(itemfs: -o host=NAME) allows another name");
	} else if (connection_surplus(r->place)) {
		answer_refuse(s, a, ERR_BUSY,
			      "too many connections from your address at once; try again");
		a->last = true;
	} else if (r->head_too_large) {
		answer_refuse(s, a, ERR_VALIDATION, "the request's head has more than 16 KB");
		a->last = true;
	} else if (r->body.too_large) {
		answer_refuse(s, a, ERR_VALIDATION, BODY_TOO_LARGE);
		a->status = MHD_HTTP_CONTENT_TOO_LARGE;
	} else if (r->body.overload) {
		answer_refuse(s, a, ERR_BUSY, BODY_OVERLOAD);
	} else if (cors_is_preflight(s, r->connection, method)) {
		a->preflight = true;
	} else if (health) {
		a->type = "text/plain";
		buf_fmt(&a->body, "healthy: %s\n", access_header(r->connection, "Host"));
	} else {
		a->status = MHD_HTTP_NOT_FOUND;
		a->type = "text/xml";
		buf_str(&a->body, "<UnknownOperationException/>\n");
	}
	if (health ? *target != '\0' : a->status == MHD_HTTP_NOT_FOUND) {
		advice_other(s, method, url, type, target);
	}
}

/* Finish the answer to a request that is no operation. */
static void
end_other(struct request *r, const char *url, const char *method)
{
	request_log_other(r, method, url);
	answer_seal(&r->answer);
	atomic_store(&r->stage, ANSWERED);
}

/* ------------------------------------------------------------ input and output */

/*
 * Count a request that begins; @work: the engine or a worker will have it.  Return false if the server is stopping, so
 * that no request may begin.
 */
static bool
http_request_count(struct request *r, bool work)
{
	struct server *s = r->s;

	lock_scope(&s->lock);
	if (s->stopping) {
		return false;
	}
	r->counted = true;
	s->open++;
	s->under_way += work;
	return true;
}

static void
uncount(struct request *r)
{
	struct server *s = r->s;

	if (r->counted) {
		lock_scope(&s->lock);
		assert(s->open > 0);
		s->open--;
		(void)pthread_cond_broadcast(&s->fewer);
	}
}

static void
http_request_begin(struct request *r, const char *url, const char *method)
{
	bool allowed = http_request_is_allowed(r, method);
	const char *json = allowed && strcmp(method, "POST") == 0 ? json_type(r) : NULL;
	bool page = allowed && http_request_reads(method) && browser_asks(r, url);

	if (!http_request_count(r, json != NULL || page)) {
		r->answer.last = true;
		answer_refuse(r->s, &r->answer, ERR_BUSY, "the server is stopping");
		end_other(r, url, method);
	} else if (json != NULL) {
		r->answer.type = json;
		operation_begin(r, url);
	} else if (page) {
		browser_begin(r, url);
	} else {
		answer_other(r, url, method);
		end_other(r, url, method);
	}
}

/* Handle a request that has arrived; called again after a suspended connection is resumed. */
static enum MHD_Result
arrived(struct request *r, const char *url, const char *method)
{
	enum stage under_way = UNDER_WAY;

	if (atomic_load(&r->stage) == ARRIVING) {
		if (!connection_arrived(r->place)) {
			return MHD_NO;
		}
		http_request_begin(r, url, method);
	}
	if (atomic_load(&r->stage) == ANSWERED) {
		body_drop(&r->body, &r->s->bodies);
		connection_sends(r->s->connections, r->place);
		return answer_send(r->s, r->connection, &r->answer);
	}
	MHD_suspend_connection(r->connection);
	if (!atomic_compare_exchange_strong(&r->stage, &under_way, SUSPENDED)) {
		MHD_resume_connection(r->connection);
	}
	return MHD_YES;
}

static struct connection *
http_request_place_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

void *
request_line(void *server, const char *uri, struct MHD_Connection *connection)
{
	const struct server *s = server;

	(void)uri;
	connection_began(s->connections, http_request_place_of(connection));
	return NULL;
}

static struct request *
request_new(struct server *s, struct MHD_Connection *connection)
{
	struct request *spare = pthread_getspecific(s->spare);
	struct request *r = spare;

	if (r == NULL && (!mem_spare(sizeof(*r)) || (r = malloc(sizeof(*r))) == NULL)) {
		return NULL;
	}
	(void)pthread_setspecific(s->spare, NULL);
	memset(r, 0, offsetof(struct request, memory));
	r->s = s;
	r->connection = connection;
	r->place = http_request_place_of(connection);
	r->head_too_large =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)
			->header_size > HEAD_MAX;
	body_announced(&r->body, access_header(connection, "Content-Length"));
	r->answer = (struct answer){.status = MHD_HTTP_OK, .type = WIRE_CONTENT_TYPE};
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
		connection_head(r->place);
		return r->body.too_large || r->head_too_large ? arrived(r, url, method) : MHD_YES;
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
	struct server *s = server;
	struct request *r = *state;

	(void)connection;
	(void)why;
	if (r != NULL) {
		body_drop(&r->body, &r->s->bodies);
		connection_answered(r->s->connections, r->place);
		buf_release(&r->answer.body); /* not empty if the answer was not sent */
		uncount(r);
		*state = NULL;
		if (SANITIZED) { /* so that a use after this is found */
			free(r);
			return;
		}
		free(pthread_getspecific(s->spare));
		(void)pthread_setspecific(s->spare, r);
	}
}
