/* cors - the headers of cross-origin resource sharing; nothing without --cors */
#include "store/wire/server/cors.h"

#include "store/wire/server/access.h"

#define ASKED "Access-Control-Request-"
#define ALLOW "Access-Control-Allow-"

int
cors_check_origin(struct call *c, const char *origin)
{
	static const char wrong[] = "%s is not an origin: SCHEME://HOST[:PORT], as in "
				    "http://localhost:3000, or *";
	const char *host = strstr(origin, "://");

	if (strcmp(origin, "*") == 0) {
		return 0;
	}
	if (host == NULL || host == origin || host[3] == '\0') {
		return call_fail(c, ERR_VALIDATION, wrong, origin);
	}
	/* Browsers write neither a path nor a capital letter; what has one would match nothing. */
	for (const char *p = origin; *p != '\0'; p++) {
		bool good = (*p < 'A' || *p > 'Z') && *p > ' ' && *p < 0x7f && *p != ',';

		if (!good || (*p == '/' && p != host + 1 && p != host + 2)) {
			return call_fail(c, ERR_VALIDATION, wrong, origin);
		}
	}
	return 0;
}

static bool
is_allowed(const struct server *s, struct MHD_Connection *connection)
{
	const char *origin = access_header(connection, "Origin");

	return s->cors != NULL && origin[0] != '\0' &&
	       (strcmp(s->cors, "*") == 0 || strcmp(s->cors, origin) == 0);
}

bool
cors_is_preflight(const struct server *s, struct MHD_Connection *connection, const char *method)
{
	return strcmp(method, "OPTIONS") == 0 && is_allowed(s, connection);
}

static bool
cors_add(struct MHD_Response *response, const char *name, const char *value)
{
	return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Which headers is up to the page: each SDK has its own, and more with each version. */
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
	if (!is_allowed(s, connection)) {
		return MHD_YES;
	}
	return cors_add(response, ALLOW "Origin", s->cors) &&
			       cors_add(response, "Access-Control-Expose-Headers",
					"x-amzn-RequestId, x-amz-crc32, Date") &&
			       (!preflight || allow_request(connection, response))
		       ? MHD_YES
		       : MHD_NO;
}
