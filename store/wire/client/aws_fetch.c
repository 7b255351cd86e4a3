/* aws_fetch - sends each request with a new handle of libcurl, since requests are rare */
#include "store/wire/client/aws_fetch.h"

#include <assert.h>

#include "store/base/core/buf.h"
#include "store/base/core/mem.h"
#include "store/base/text/url.h"
#include "store/wire/client/libcurl.h"

struct aws_fetch_state {
	const struct call *c;
	struct buf body;
	bool too_long;
};

static size_t
aws_fetch_receive(char *bytes, size_t size, size_t n, void *arg)
{
	struct aws_fetch_state *s = arg;

	s->too_long = size * n > AWS_FETCH_MAX - s->body.len;
	if (s->too_long) {
		return 0;
	}
	buf_put(&s->body, bytes, size * n);
	return size * n;
}

static int
aws_fetch_goes_on(void *arg, curl_off_t total, curl_off_t now, curl_off_t to_send, curl_off_t gone)
{
	const struct aws_fetch_state *s = arg;

	(void)total;
	(void)now;
	(void)to_send;
	(void)gone;
	return call_given_up(s->c);
}

static void
aws_fetch_set_server(const struct libcurl *lib, CURL *curl, const struct aws_fetch *f)
{
	(void)lib->easy_setopt(curl, CURLOPT_URL, f->url);
	(void)lib->easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	(void)lib->easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	(void)lib->easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)f->connect_ms);
	(void)lib->easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)f->ms);
	(void)lib->easy_setopt(curl, CURLOPT_USERAGENT, LIBCURL_AGENT);
	if (f->trust == NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_NOPROXY, "*");
	} else {
		libcurl_set_trust(lib, curl, f->trust->file, f->trust->folder);
	}
}

static void
aws_fetch_set_request(const struct libcurl *lib, CURL *curl, const struct aws_fetch *f,
		      const struct curl_slist *headers, struct aws_fetch_state *s)
{
	(void)lib->easy_setopt(curl, CURLOPT_CUSTOMREQUEST, f->method);
	if (f->body != NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_POSTFIELDS, f->body);
	}
	(void)lib->easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	(void)lib->easy_setopt(curl, CURLOPT_WRITEFUNCTION, aws_fetch_receive);
	(void)lib->easy_setopt(curl, CURLOPT_WRITEDATA, s);
	(void)lib->easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, aws_fetch_goes_on);
	(void)lib->easy_setopt(curl, CURLOPT_XFERINFODATA, s);
	(void)lib->easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

int
aws_fetch(struct call *c, const struct aws_fetch *f, struct aws_fetched *out)
{
	struct aws_fetch_state s = {.c = c};
	struct curl_slist headers[2];
	struct curl_slist *list = NULL;
	struct libcurl lib;
	int r = libcurl_load(c, LIBCURL_NAME, &lib);

	assert(f->method != NULL && f->url != NULL);
	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < 2; i++) {
		if (f->header[i] != NULL) {
			headers[i] = (struct curl_slist){(char *)f->header[i], list};
			list = &headers[i];
		}
	}
	buf_init(&s.body, &c->arena);
	/* libcurl counts these calls; global_cleanup() below undoes this one. */
	CURL *curl = lib.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? lib.easy_init() : NULL;

	if (curl == NULL) {
		mem_out();
	}
	aws_fetch_set_server(&lib, curl, f);
	aws_fetch_set_request(&lib, curl, f, list, &s);
	CURLcode code = lib.easy_perform(curl);

	(void)lib.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
	out->body = buf_view(&s.body);
	lib.easy_cleanup(curl);
	lib.global_cleanup();
	if (code != CURLE_OK) {
		return call_fail(c, ERR_UNREACHABLE, "%s: %s", url_shown(&c->arena, f->url),
				 s.too_long ? "its answer is too long" : lib.easy_strerror(code));
	}
	return 0;
}
