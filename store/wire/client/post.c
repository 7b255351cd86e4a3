/*
 * post - kept connections, and the headers and signature of a request
 *
 * A handle of libcurl is a connection.  A thread takes an idle one for the time of a request, so there are as many as
 * requests have been in flight concurrently.  Each request is signed (sigv4.h) with the server's time.
 */
#include "store/wire/client/post.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/text/url.h"
#include "store/op/op.h"
#include "store/wire/client/libcurl.h"
#include "store/wire/client/post_handle.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/proto/wire.h"

enum {
	IDLE_MAX = 64,    /* connections kept */
	DATE_MAX = 64,    /* bytes of X-Amz-Date */
	TARGET_MAX = 128, /* bytes of X-Amz-Target */
	LINES_MAX = 7,    /* headers of one request */
};

/* The parts of an endpoint's URL, on the heap. */
struct post_target {
	const char *url;
	const char *host; /* value of the Host header, which is signed */
	const char *path;
};

struct post {
	struct libcurl lib;
	struct post_target server;  /* for all operations except those on streams */
	struct post_target streams; /* for operations on streams */
	struct post_connection to;  /* its strings on the heap */
	const char *region;   /* heap: the region in signatures; NULL: requests are not signed */
	pthread_mutex_t lock; /* guards the next fields */
	struct post_handle *idle; /* newest first */
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

static const char *
target_of(const struct post_request *rq, char target[TARGET_MAX])
{
	static const char *const targets[] = {
		[OP_DYNAMODB] = WIRE_TARGET_DYNAMODB,
		[OP_STREAMS] = WIRE_TARGET_STREAMS,
		[OP_ITEMFS] = WIRE_TARGET_ITEMFS,
	};
	bool known = rq->name == NULL;

	(void)snprintf(target, TARGET_MAX, "%s%s",
		       known ? targets[op_group(rq->type)] : WIRE_TARGET_DYNAMODB,
		       known ? op_name(rq->type) : rq->name);
	return target;
}

/* The headers of one request, the last one first; the text is in the call's arena. */
struct post_lines {
	struct curl_slist *first;
	struct curl_slist line[LINES_MAX];
	size_t n;
};

static void
post_add_line(struct post_lines *l, struct call *c, const char *name, struct slice value)
{
	assert(l->n < LINES_MAX);
	l->line[l->n] = (struct curl_slist){
		arena_print(&c->arena, "%s: %.*s", name, SLICE_ARG(value)), l->first};
	l->first = &l->line[l->n++];
}

static struct slice
signing_time(struct call *c, int64_t ahead_ms)
{
	time_t seconds = (time_t)(((int64_t)clock_now_ms() + ahead_ms) / 1000);
	char *text = arena_bytes(&c->arena, DATE_MAX);
	struct tm tm;

	(void)strftime(text, DATE_MAX, "%Y%m%dT%H%M%SZ", gmtime_r(&seconds, &tm));
	return slice_from(text);
}

/* Sign the headers that name the client, the server and the operation; a proxy may change other headers. */
static void
add_signature(const struct post *p, struct call *c, const struct post_request *asked,
	      const struct post_signer *signer, struct post_lines *l)
{
	const struct post_target *to =
		op_group(asked->type) == OP_STREAMS ? &p->streams : &p->server;
	struct slice token = signer->key->token;
	struct slice date = signing_time(c, signer->ahead_ms);
	char target[TARGET_MAX];
	struct sigv4_header headers[5] = {
		{SLICE("content-type"), SLICE(WIRE_CONTENT_TYPE)},
		{SLICE("host"), slice_from(to->host)},
		{SLICE("x-amz-date"), date},
	};
	size_t n = 3;

	if (token.len > 0) {
		headers[n++] = (struct sigv4_header){SLICE("x-amz-security-token"), token};
		post_add_line(l, c, "X-Amz-Security-Token", token);
	}
	headers[n++] =
		(struct sigv4_header){SLICE("x-amz-target"), slice_from(target_of(asked, target))};
	struct sigv4_request rq = {.method = "POST",
				   .path = to->path,
				   .headers = headers,
				   .n_headers = n,
				   .body = asked->body};

	post_add_line(l, c, "Host", slice_from(to->host));
	post_add_line(l, c, "X-Amz-Date", date);
	post_add_line(l, c, "Authorization",
		      slice_from(sigv4_sign(c, signer->key, p->region, date, &rq)));
}

void
post_send(struct post *p, struct call *c, const struct post_request *rq, uint64_t until_ms,
	  const struct post_signer *signer, struct post_answer *out)
{
	struct post_handle *h = post_take(p);
	struct post_lines lines = {0};
	char target[TARGET_MAX];

	assert(rq->name != NULL || rq->type < OP_COUNT);
	post_handle_begin(h, c, rq->once, until_ms);
	post_add_line(&lines, c, "Expect", SLICE("")); /* libcurl omits it then */
	post_add_line(&lines, c, "Content-Type", SLICE(WIRE_CONTENT_TYPE));
	post_add_line(&lines, c, "X-Amz-Target", slice_from(target_of(rq, target)));
	if (signer != NULL && signer->key != NULL && p->region != NULL) {
		add_signature(p, c, rq, signer, &lines);
	}
	(void)p->lib.easy_setopt(h->curl, CURLOPT_URL,
				 op_group(rq->type) == OP_STREAMS ? p->streams.url : p->server.url);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, lines.first);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDS, rq->body.at);
	(void)p->lib.easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->body.len);
	CURLcode code = post_handle_perform(h);

	(void)p->lib.easy_setopt(h->curl, CURLOPT_HTTPHEADER, NULL);
	post_handle_judge(c, h, code, rq->body, out);
	give_back(p, h);
}

/* ------------------------------------------------------------ open and close */

static const char *
copy_text(const char *text)
{
	return text == NULL ? NULL : mem_string(text);
}

static const char *
post_target_host(struct call *c, const char *scheme, const char *host, const char *port)
{
	bool usual = port == NULL || strcmp(port, strcmp(scheme, "https") == 0 ? "443" : "80") == 0;

	return mem_string(
		arena_print(&c->arena, "%s%s%s", host, usual ? "" : ":", usual ? "" : port));
}

/* Split a URL with libcurl's parser; fail if it is not http(s)://HOST:PORT. */
static int
post_target_read(struct call *c, const struct libcurl *lib, const char *url,
		 struct post_target *out)
{
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
		*out = (struct post_target){
			mem_string(url), post_target_host(c, scheme, host, port), mem_string(path)};
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

static void
post_target_free(const struct post_target *t)
{
	free((char *)t->url);
	free((char *)t->host);
	free((char *)t->path);
}

int
post_open(struct call *c, const struct post_options *o, struct post **out)
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
	p->to = (struct post_connection){copy_text(o->socket), copy_text(o->trust_file),
					 copy_text(o->trust_folder)};
	p->region = copy_text(o->region);
	(void)pthread_mutex_init(&p->lock, NULL);
	r = post_target_read(c, &lib, o->url, &p->server);
	r = r < 0 ? r : post_target_read(c, &lib, streams_url, &p->streams);
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
	post_target_free(&p->server);
	post_target_free(&p->streams);
	free((char *)p->to.socket);
	free((char *)p->to.trust_file);
	free((char *)p->to.trust_folder);
	free((char *)p->region);
	free(p);
}
