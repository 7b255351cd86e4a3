/* post_target - splits a URL with libcurl's parser */
#include "store/wire/client/post_target.h"

#include <stdlib.h>
#include <string.h>

#include "store/base/core/mem.h"
#include "store/base/text/url.h"

static const char *
post_target_host(struct call *c, const char *scheme, const char *host, const char *port)
{
	bool usual = port == NULL || strcmp(port, strcmp(scheme, "https") == 0 ? "443" : "80") == 0;

	return arena_print(&c->arena, "%s%s%s", host, usual ? "" : ":", usual ? "" : port);
}

int
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
		*out = (struct post_target){url, post_target_host(c, scheme, host, port),
					    slice_cstr(&c->arena, slice_from(path))};
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

struct post_target
post_target_copy(const struct post_target *t)
{
	return (struct post_target){mem_string(t->url), mem_string(t->host), mem_string(t->path)};
}

void
post_target_free(const struct post_target *t)
{
	free((char *)t->url);
	free((char *)t->host);
	free((char *)t->path);
}
