/* aws_fetch - sends each request on a connection of its own, since requests are rare */
#include "store/wire/client/aws_fetch.h"

#include "store/base/text/url.h"
#include "store/wire/client/libcurl.h"
#include "store/wire/client/post_handle.h"

static void
aws_fetch_set(const struct libcurl *lib, CURL *curl, const struct aws_fetch *f,
	      const struct curl_slist *headers)
{
	(void)lib->easy_setopt(curl, CURLOPT_URL, f->url);
	(void)lib->easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)f->connect_ms);
	(void)lib->easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)f->ms);
	if (f->trust == NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_NOPROXY, "*");
	}
	if (f->body == NULL) {
		(void)lib->easy_setopt(curl, CURLOPT_HTTPGET, 1L);
	} else {
		(void)lib->easy_setopt(curl, CURLOPT_POSTFIELDS, f->body);
	}
	(void)lib->easy_setopt(curl, CURLOPT_CUSTOMREQUEST, f->method);
	(void)lib->easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
}

int
aws_fetch(struct call *c, const struct aws_fetch *f, struct aws_fetched *out)
{
	const struct client_options to = {.trust = f->trust == NULL ? (struct aws_trust){0}
								    : *f->trust};
	struct curl_slist header = {(char *)f->header, NULL};
	struct libcurl lib;
	int r = libcurl_load(c, LIBCURL_NAME, &lib);

	assert(f->method != NULL && f->url != NULL);
	if (r < 0) {
		return r;
	}
	/* libcurl counts these calls; global_cleanup() below undoes this one. */
	if (lib.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
		mem_out();
	}
	struct post_handle *h = post_handle_new(&lib, &to);

	h->most = AWS_FETCH_MAX;
	post_handle_begin(h, c, false, 0);
	aws_fetch_set(&lib, h->curl, f, f->header == NULL ? NULL : &header);
	CURLcode code = post_handle_perform(h);

	(void)lib.easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &out->status);
	out->body = buf_view(&h->answer);
	r = code == CURLE_OK
		    ? 0
		    : call_fail(c, ERR_UNREACHABLE, "%s: %s", url_shown(&c->arena, f->url),
				h->too_long ? "its answer is too long" : lib.easy_strerror(code));
	post_handle_free(h);
	lib.global_cleanup();
	return r;
}
