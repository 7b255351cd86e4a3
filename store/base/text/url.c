/* url - see url.h */
#include "store/base/text/url.h"

#include <arpa/inet.h>
#include <strings.h>

/* Removes everything up to the last '@': a password may contain '@' and '/', though it should not. */
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

/* ------------------------------------------------------------ on this machine, or far */

enum { HOST_MAX = 256 };

/* Returns HOST:PORT of a URL, given after "://". */
static struct slice
url_authority(const char *rest)
{
	struct slice server = slice_of(rest, strcspn(rest, "/?#"));
	const char *at = slice_rchr(server, '@');

	return at == NULL ? server : slice_skip(server, (size_t)(at + 1 - server.at));
}

/* Copies the host of a URL, given after "://", without user, port and brackets. Returns false if it has none. */
static bool
url_host(const char *rest, char *host, size_t room)
{
	struct slice server = url_authority(rest);
	bool bracket = slice_starts(server, SLICE("["));

	/* With a slash in the password, the host cannot be found. */
	if (strchr(server.at + server.len, '@') != NULL ||
	    (bracket && slice_chr(server, ']') == NULL)) {
		return false;
	}
	server = slice_skip(server, bracket);
	struct slice name = slice_take(&server, bracket ? ']' : ':');

	return name.len > 0 && snprintf(host, room, "%.*s", SLICE_ARG(name)) < (int)room;
}

static bool
url_host_is_near(const char *host)
{
	static const char local[] = "localhost";
	size_t n = strlen(host);
	size_t own = sizeof(local) - 1;
	struct in_addr v4;
	struct in6_addr v6;

	if (n >= own && strcasecmp(host + n - own, local) == 0) {
		return n == own || host[n - own - 1] == '.';
	}
	if (inet_pton(AF_INET, host, &v4) == 1) {
		return ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	return inet_pton(AF_INET6, host, &v6) == 1 &&
	       (IN6_IS_ADDR_LOOPBACK(&v6) ||
		(IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == IN_LOOPBACKNET));
}

bool
url_is_far(const char *name)
{
	struct slice s = slice_from(name);
	char host[HOST_MAX];

	if (!slice_starts(s, SLICE("http://")) && !slice_starts(s, SLICE("https://"))) {
		return slice_starts(s, SLICE("dynamodb:"));
	}
	return !url_host(strstr(name, "://") + strlen("://"), host, sizeof(host)) ||
	       !url_host_is_near(host);
}

/* ------------------------------------------------------------ one way to write a server */

static int
url_hex(char ch)
{
	ch = ascii_lower(ch);
	if (ascii_digit(ch)) {
		return ch - '0';
	}
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* Converts the host in place: decodes escapes, to lower case, without '.' at the end. */
static void
url_unescape(char *host)
{
	char *to = host;

	for (const char *from = host; *from != '\0'; from++) {
		int high = from[0] == '%' ? url_hex(from[1]) : -1;
		int low = high < 0 ? -1 : url_hex(from[2]);

		*to++ = ascii_lower(low < 0 ? *from : (char)(high * 16 + low));
		from += low < 0 ? 0 : 2;
	}
	while (to > host && to[-1] == '.') {
		to--;
	}
	*to = '\0';
}

/* Appends an address in its canonical notation; a name as it is. */
static void
url_put_host(struct buf *b, const char *host)
{
	char text[INET6_ADDRSTRLEN];
	struct in_addr v4;
	struct in6_addr v6;

	if (inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_V4MAPPED(&v6)) {
		memcpy(&v4, &v6.s6_addr[12], sizeof(v4));
		host = inet_ntop(AF_INET, &v4, text, sizeof(text));
	} else if (inet_pton(AF_INET6, host, &v6) == 1) {
		host = inet_ntop(AF_INET6, &v6, text, sizeof(text));
	} else if (inet_aton(host, &v4) != 0) {
		host = inet_ntop(AF_INET, &v4, text, sizeof(text));
	}
	bool own = strcmp(host, "127.0.0.1") == 0 || strcmp(host, "::1") == 0;

	buf_str(b, own ? "localhost" : host);
}

/* Returns the port of a URL, given after "://"; @usual if it has none. */
static unsigned long
url_port(const char *rest, unsigned long usual)
{
	struct slice server = url_authority(rest);
	const char *colon = slice_rchr(server, ':');

	if (colon == NULL || memchr(colon, ']', (size_t)(server.at + server.len - colon)) != NULL ||
	    colon + 1 == server.at + server.len) {
		return usual;
	}
	return strtoul(colon + 1, NULL, 10);
}

struct slice
url_server(struct arena *a, const char *url)
{
	const char *rest = strstr(url, "://");
	bool tls = strncasecmp(url, "https:", strlen("https:")) == 0;
	char host[HOST_MAX];
	struct buf b;

	if (rest == NULL || (!tls && strncasecmp(url, "http:", strlen("http:")) != 0) ||
	    !url_host(rest + strlen("://"), host, sizeof(host))) {
		return SLICE("");
	}
	url_unescape(host);
	buf_init(&b, a);
	url_put_host(&b, host);
	buf_fmt(&b, ":%lu", url_port(rest + strlen("://"), tls ? 443 : 80));
	return buf_view(&b);
}
