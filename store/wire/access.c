/* access - what a request's headers say of the one who sends it */
#include "store/wire/access.h"

#include "store/wire/endpoint.h"

const char *
access_header(struct MHD_Connection *connection, const char *name)
{
	const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

	return value == NULL ? "" : value;
}

bool
access_host_is_here(const struct server *s, struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return s->peer == CODEC_OWN || host == NULL || endpoint_host_is_here(host, s->self);
}

/* What gathering needs: the array is filled from its beginning. */
struct gathering {
	struct sigv4_header *headers;
	size_t n;
};

static enum MHD_Result
take_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct gathering *g = arg;

	(void)kind;
	g->headers[g->n++] = (struct sigv4_header){slice_from(name), slice_from(value)};
	return MHD_YES;
}

void
access_gather(const struct server *s, struct call *c, struct MHD_Connection *connection,
	      struct sigv4_request *rq)
{
	if (s->peer == CODEC_OWN) {
		return;
	}
	int n = MHD_get_connection_values(connection, MHD_HEADER_KIND, NULL, NULL);
	struct gathering g = {
		.headers = arena_new(&c->arena, struct sigv4_header, n > 0 ? (size_t)n : 1)};

	(void)MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &g);
	rq->headers = g.headers;
	rq->n_headers = g.n;
}

int
access_check(const struct server *s, struct call *c, const struct sigv4_request *rq)
{
	if (s->peer == CODEC_OWN) {
		return 0;
	}
	return s->known.n == 0 ? sigv4_well_formed(c, rq) : sigv4_check(c, &s->known, rq);
}
