/* access - checks of a request's headers and query, and the headers of cross-origin resource sharing */
#include "store/wire/server/access.h"

#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/sigv4.h"

const char *
access_header(struct MHD_Connection *connection, const char *name)
{
	const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

	return value == NULL ? "" : value;
}

static bool
access_origin_is_allowed(const struct server *s, struct MHD_Connection *connection)
{
	const char *origin = access_header(connection, "Origin");

	return s->cors != NULL && origin[0] != '\0' &&
	       (strcmp(s->cors, "*") == 0 || strcmp(s->cors, origin) == 0);
}

/*
 * Return whether a web page may have caused the request.  Browsers send Origin with every POST.  They send none with a
 * GET of the page's own origin, and GET returns data only as pages, to clients that accept HTML.
 */
static bool
access_may_be_web_page(const struct server *s, struct MHD_Connection *connection,
		       const char *method)
{
	return (access_header(connection, "Origin")[0] != '\0' &&
		!access_origin_is_allowed(s, connection)) ||
	       (strcmp(method, "POST") != 0 &&
		strstr(access_header(connection, "Accept"), "text/html") != NULL);
}

bool
access_host_is_here(const struct server *s, struct MHD_Connection *connection, const char *method)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return s->peer == CODEC_OWN || s->known.n > 0 || host == NULL ||
	       endpoint_host_is_here(host, s->self, s->hosts) ||
	       (s->trust_network && !access_may_be_web_page(s, connection, method));
}

/* An array of headers or parameters while it is filled. */
struct gathering {
	struct sigv4_header *at;
	size_t n;
};

static enum MHD_Result
access_take(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct gathering *g = arg;

	(void)kind;
	g->at[g->n++] =
		(struct sigv4_header){slice_from(name), slice_from(value == NULL ? "" : value)};
	return MHD_YES;
}

static struct gathering
server_access_gather(struct call *c, struct MHD_Connection *connection, enum MHD_ValueKind kind)
{
	int n = MHD_get_connection_values(connection, kind, NULL, NULL);
	struct gathering g = {
		.at = arena_new(&c->arena, struct sigv4_header, n > 0 ? (size_t)n : 1)};

	(void)MHD_get_connection_values(connection, kind, access_take, &g);
	return g;
}

void
access_gather(const struct server *s, struct call *c, struct MHD_Connection *connection,
	      struct sigv4_request *rq)
{
	if (s->peer == CODEC_OWN) {
		return;
	}
	struct gathering headers = server_access_gather(c, connection, MHD_HEADER_KIND);
	struct gathering query = server_access_gather(c, connection, MHD_GET_ARGUMENT_KIND);

	rq->headers = headers.at;
	rq->n_headers = headers.n;
	rq->query = query.at;
	rq->n_query = query.n;
}

static bool
names_authorization(const struct sigv4_request *rq)
{
	for (size_t i = 0; i < rq->n_headers; i++) {
		if (ascii_same(rq->headers[i].name, SLICE("Authorization"))) {
			return true;
		}
	}
	return false;
}

/* Return the parameter @name of the query, or NULL. */
static const struct sigv4_header *
parameter(const struct sigv4_request *rq, const char *name)
{
	for (size_t i = 0; i < rq->n_query; i++) {
		if (slice_eq(rq->query[i].name, slice_from(name))) {
			return &rq->query[i];
		}
	}
	return NULL;
}

/* Check a signature in the query as the service does.  If it is complete, it is ignored, since no SDK sends one. */
static int
access_check_query(struct call *c, const struct sigv4_request *rq)
{
	static const char *const names[] = {"X-Amz-Algorithm", "X-Amz-Credential",
					    "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"};
	struct buf b;

	if (parameter(rq, names[0]) == NULL) {
		return 0;
	}
	if (names_authorization(rq)) {
		return call_fail(c, ERR_BAD_SIGNATURE,
				 "Found both 'X-Amz-Algorithm' as a query-string param and "
				 "'Authorization' as HTTP header.");
	}
	buf_init(&b, &c->arena);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct sigv4_header *p = parameter(rq, names[i]);

		if (p == NULL || p->value.len == 0) {
			buf_fmt(&b, "AWS query-string parameters must include '%s'. ", names[i]);
		}
	}
	return b.len == 0 ? 0
			  : call_fail(c, ERR_SIGNATURE_PARTS,
				      "%.*sRe-examine the query-string parameters.",
				      SLICE_ARG(buf_view(&b)));
}

int
access_check(const struct server *s, struct call *c, const struct sigv4_request *rq)
{
	if (s->peer == CODEC_OWN) {
		return 0;
	}
	int r = access_check_query(c, rq);

	if (r < 0) {
		return r;
	}
	return s->known.n == 0 ? sigv4_well_formed(c, rq) : sigv4_check(c, &s->known, rq);
}

/* ------------------------------------------------------------ cross-origin resource sharing */

#define ASKED "Access-Control-Request-"
#define ALLOW "Access-Control-Allow-"

int
cors_check_origin(struct call *c, const char *origin)
{
	static const char wrong[] = "%s is not an origin: expected SCHEME://HOST[:PORT], such as "
				    "http://localhost:3000, or *";
	const char *host = strstr(origin, "://");

	if (strcmp(origin, "*") == 0) {
		return 0;
	}
	if (host == NULL || host == origin || host[3] == '\0') {
		return call_fail(c, ERR_VALIDATION, wrong, origin);
	}
	/* Browsers write neither a path nor capital letters, so such an origin would never match. */
	for (const char *p = origin; *p != '\0'; p++) {
		bool good = (*p < 'A' || *p > 'Z') && *p > ' ' && *p < 0x7f && *p != ',';

		if (!good || (*p == '/' && p != host + 1 && p != host + 2)) {
			return call_fail(c, ERR_VALIDATION, wrong, origin);
		}
	}
	return 0;
}

bool
cors_is_preflight(const struct server *s, struct MHD_Connection *connection, const char *method)
{
	return strcmp(method, "OPTIONS") == 0 && access_origin_is_allowed(s, connection);
}

static bool
cors_add(struct MHD_Response *response, const char *name, const char *value)
{
	return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Allow all headers that the page asks for, since each SDK has its own, and more with each version. */
static bool
allow_request(struct MHD_Connection *connection, struct MHD_Response *response)
{
	const char *headers = access_header(connection, ASKED "Headers");
	const char *method = access_header(connection, ASKED "Method");

	return (method[0] == '\0' || cors_add(response, ALLOW "Methods", method)) &&
	       (headers[0] == '\0' || cors_add(response, ALLOW "Headers", headers)) &&
	       (access_header(connection, ASKED "Private-Network")[0] == '\0' ||
		cors_add(response, ALLOW "Private-Network", "true")) &&
	       cors_add(response, "Access-Control-Max-Age", "172800");
}

enum MHD_Result
cors_allow(const struct server *s, struct MHD_Connection *connection, struct MHD_Response *response,
	   bool preflight)
{
	/* A cache must not give the answer for one origin to another. */
	if (s->cors != NULL && strcmp(s->cors, "*") != 0 && !cors_add(response, "Vary", "Origin")) {
		return MHD_NO;
	}
	if (!access_origin_is_allowed(s, connection)) {
		return MHD_YES;
	}
	return cors_add(response, ALLOW "Origin", s->cors) &&
			       cors_add(response, "Access-Control-Expose-Headers",
					"x-amzn-RequestId, x-amz-crc32, Date") &&
			       (!preflight || allow_request(connection, response))
		       ? MHD_YES
		       : MHD_NO;
}
