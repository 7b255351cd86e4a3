/*
 * post - kept connections, and the headers and signature of a request
 *
 * A handle of libcurl is a connection.  A thread takes an idle one for the time of a request, so there are as many as
 * requests have been in flight concurrently.  Each request is signed (sigv4.h) with the server's time.
 */
#include "store/wire/client/post.h"

#include "store/base/core/clock.h"
#include "store/base/text/url.h"
#include "store/op/op.h"
#include "store/wire/client/libcurl.h"
#include "store/wire/client/post_handle.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/proto/wire.h"

enum {
	IDLE_MAX = 64,   /* connections kept */
	HEADERS_MAX = 7, /* headers of one request */
};

/* The parts of an endpoint's URL. */
struct post_target {
	const char *url;
	const char *host; /* value of the Host header, which is signed */
	const char *path;
};

struct post {
	struct libcurl lib;
	struct arena arena; /* of the strings in the next fields */
	struct client_options to;
	struct post_target server;  /* for all operations except those on streams */
	struct post_target streams; /* for operations on streams */
	pthread_mutex_t lock;       /* guards the next fields */
	struct post_handle *idle;   /* newest first */
	unsigned n_idle;
};

/* ------------------------------------------------------------ connections */

static struct post_handle *
post_take(struct post *p)
{
	{
		lock_scope(&p->lock);
		struct post_handle *h = p->idle;

		if (h != NULL) {
			p->idle = h->next;
			p->n_idle--;
			return h;
		}
	}
	return post_handle_new(&p->lib, &p->to);
}

static void
give_back(struct post *p, struct post_handle *h)
{
	{
		lock_scope(&p->lock);
		if (p->n_idle < IDLE_MAX) {
			h->next = p->idle;
			p->idle = h;
			p->n_idle++;
			return;
		}
	}
	post_handle_free(h);
}

/* ------------------------------------------------------------ one request */

static struct slice
post_operation(struct call *c, const struct post_request *rq)
{
	static const char *const targets[] = {
		[OP_DYNAMODB] = WIRE_TARGET_DYNAMODB,
		[OP_STREAMS] = WIRE_TARGET_STREAMS,
		[OP_ITEMFS] = WIRE_TARGET_ITEMFS,
	};
	bool known = rq->name == NULL;

	return slice_from(arena_print(&c->arena, "%s%s",
				      known ? targets[op_group(rq->type)] : WIRE_TARGET_DYNAMODB,
				      known ? op_name(rq->type) : rq->name));
}

/*
 * Set the headers of a request; their text is in the call's arena.  Signed are those that name the client, the server
 * and the operation, which come first, in the order of their names; a proxy may change other headers.
 */
static void
post_set_headers(const struct post *p, struct call *c, const struct post_request *rq,
		 const struct post_target *to, struct curl_slist line[HEADERS_MAX])
{
	bool sign = rq->key != NULL && p->to.region != NULL;
	struct sigv4_header h[HEADERS_MAX] = {{SLICE("Content-Type"), SLICE(WIRE_CONTENT_TYPE)}};
	size_t n = 1;

	if (sign) {
		int64_t seconds = ((int64_t)clock_now_ms() + rq->ahead_ms) / 1000;

		h[n++] = (struct sigv4_header){SLICE("Host"), slice_from(to->host)};
		h[n++] = (struct sigv4_header){SLICE("X-Amz-Date"),
					       slice_from(sigv4_stamp(c, seconds))};
		if (rq->key->token.len > 0) {
			h[n++] = (struct sigv4_header){SLICE("X-Amz-Security-Token"),
						       rq->key->token};
		}
	}
	h[n++] = (struct sigv4_header){SLICE("X-Amz-Target"), post_operation(c, rq)};
	if (sign) {
		const struct sigv4_request signing = {.method = "POST",
						      .path = to->path,
						      .headers = h,
						      .n_headers = n,
						      .body = rq->body};

		h[n++] = (struct sigv4_header){
			SLICE("Authorization"),
			slice_from(sigv4_sign(c, rq->key, p->to.region, &signing))};
	}
	h[n++] = (struct sigv4_header){SLICE("Expect"), SLICE("")}; /* libcurl omits it then */
	for (size_t i = 0; i < n; i++) {
		line[i] = (struct curl_slist){arena_print(&c->arena, "%.*s: %.*s",
							  SLICE_ARG(h[i].name),
							  SLICE_ARG(h[i].value)),
					      i + 1 < n ? &line[i + 1] : NULL};
	}
}

void
post_send(struct post *p, struct call *c, const struct post_request *rq, uint64_t until_ms,
	  struct post_answer *out)
{
	struct post_handle *h = post_take(p);
	const struct post_target *to = op_group(rq->type) == OP_STREAMS ? &p->streams : &p->server;
	struct curl_slist lines[HEADERS_MAX];

	assert(rq->name != NULL || rq->type < OP_COUNT);
	post_handle_begin(h, c, rq->once, until_ms);
	post_set_headers(p, c, rq, to, lines);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_URL, to->url);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, lines);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDS, rq->body.at);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->body.len);
	CURLcode code = post_handle_perform(h);

	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, NULL);
	post_handle_judge(c, h, code, rq->body, out);
	give_back(p, h);
}

/* ------------------------------------------------------------ open and close */

static const char *
post_copy(struct post *p, const char *text)
{
	return text == NULL ? NULL : slice_cstr(&p->arena, slice_from(text));
}

static const char *
post_target_host(struct post *p, const char *scheme, const char *host, const char *port)
{
	bool usual = port == NULL || strcmp(port, strcmp(scheme, "https") == 0 ? "443" : "80") == 0;

	return arena_print(&p->arena, "%s%s%s", host, usual ? "" : ":", usual ? "" : port);
}

/* Split a URL with libcurl's parser; fail if it is not http(s)://HOST:PORT. */
static int
post_target_read(struct call *c, struct post *p, const char *url, struct post_target *out)
{
	const struct libcurl *lib = &p->lib;
	CURLU *parts = lib->url();
	char *scheme = NULL;
	char *host = NULL;
	char *port = NULL;
	char *path = NULL;
	bool good = parts != NULL && lib->url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
		    lib->url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
		    lib->url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
		    lib->url_get(parts, CURLUPART_PATH, &path, 0) == CURLUE_OK &&
		    (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);

	if (good) {
		(void)lib->url_get(parts, CURLUPART_PORT, &port, 0);
		*out = (struct post_target){post_copy(p, url),
					    post_target_host(p, scheme, host, port),
					    post_copy(p, path)};
	}
	lib->free(scheme);
	lib->free(host);
	lib->free(port);
	lib->free(path);
	lib->url_cleanup(parts);
	return good ? 0
		    : call_fail(c, ERR_VALIDATION, "%s is not http(s)://HOST:PORT",
				url_shown(&c->arena, url));
}

int
post_open(struct call *c, const struct client_options *o, struct post **out)
{
	const char *streams_url = o->streams_url == NULL ? o->url : o->streams_url;
	struct libcurl lib;
	int r = libcurl_load(c, LIBCURL_NAME, &lib);

	if (r < 0) {
		return r;
	}
	/* libcurl counts these calls; post_close() undoes this one. */
	if (lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_out();
	}
	struct post *p = mem_new(struct post);

	p->lib = lib;
	arena_init(&p->arena, SIZE_MAX);
	p->to = (struct client_options){
		.socket = post_copy(p, o->socket),
		.region = post_copy(p, o->region),
		.trust = {post_copy(p, o->trust.file), post_copy(p, o->trust.folder)}};
	(void)pthread_mutex_init(&p->lock, NULL);
	r = post_target_read(c, p, o->url, &p->server);
	r = r < 0 ? r : post_target_read(c, p, streams_url, &p->streams);
	if (r < 0) {
		post_close(p);
		return r;
	}
	*out = p;
	return 0;
}

void
post_close(struct post *p)
{
	if (p == NULL) {
		return;
	}
	while (p->idle != NULL) {
		struct post_handle *h = p->idle;

		p->idle = h->next;
		post_handle_free(h);
	}
	p->lib.global_cleanup();
	(void)pthread_mutex_destroy(&p->lock);
	arena_drop(&p->arena);
	free(p);
}
