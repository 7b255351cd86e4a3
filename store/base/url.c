/* url - see url.h */
#include "store/base/url.h"

#include "store/base/buf.h"

/* Up to the last '@': a password may have others, and slashes, though it should not. */
const char *
url_shown(struct arena *a, const char *url)
{
	const char *host = strstr(url, "://");
	const char *at = host == NULL ? NULL : strrchr(host, '@');

	if (at == NULL) {
		return url;
	}
	struct buf shown;

	buf_init(&shown, a);
	buf_put(&shown, url, (size_t)(host - url) + strlen("://"));
	buf_str(&shown, at + 1);
	buf_char(&shown, '\0');
	return shown.at;
}
