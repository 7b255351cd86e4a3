/* url - see url.h */
#include "store/base/url.h"

/* Up to the last '@': a password may have others, and slashes, though it should not. */
const char *
url_shown(struct arena *a, const char *url)
{
	const char *host = strstr(url, "://");
	const char *at = host == NULL ? NULL : strrchr(host, '@');

	if (at == NULL) {
		return url;
	}
	size_t scheme = (size_t)(host - url) + strlen("://");
	size_t rest = strlen(at + 1);
	char *shown = arena_bytes(a, scheme + rest + 1);

	memcpy(shown, url, scheme);
	memcpy(shown + scheme, at + 1, rest + 1);
	return shown;
}
