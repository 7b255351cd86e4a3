#include "tests/bench/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { HEADER_BYTES = 1024, ROOM_BYTES = 64 * 1024 };

void
die(const char *what, const char *why)
{
	(void)fprintf(stderr, "%s: %s\n", what, why == NULL ? "failed" : why);
	exit(1);
}

static int
connect_unix(const char *store)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int n = snprintf(to.sun_path, sizeof(to.sun_path), "%s/socket", store);

	if (n >= (int)sizeof(to.sun_path) || fd < 0 ||
	    connect(fd, (const struct sockaddr *)&to, sizeof(to)) < 0) {
		die(store, "the store has no socket: mount or serve it");
	}
	return fd;
}

static int
connect_tcp(const char *address, const char *colon)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)strtoul(colon + 1, NULL, 10))};
	char host[64];
	int one = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(host, sizeof(host), "%.*s", (int)(colon - address), address);
	if (fd < 0 || inet_pton(AF_INET, host, &to.sin_addr) != 1 ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) < 0 ||
	    connect(fd, (const struct sockaddr *)&to, sizeof(to)) < 0) {
		die(address, strerrordesc_np(errno));
	}
	return fd;
}

void
http_open(struct http *h, const char *address)
{
	const char *colon = address[0] == '/' ? NULL : strrchr(address, ':');

	*h = (struct http){.room = ROOM_BYTES, .at = malloc(ROOM_BYTES)};
	h->fd = colon == NULL ? connect_unix(address) : connect_tcp(address, colon);
}

void
http_close(struct http *h)
{
	(void)close(h->fd);
	free(h->at);
}

/* Read one more piece of the answer. */
static void
read_more(struct http *h)
{
	if (h->len + 1 == h->room) {
		h->room *= 2;
		h->at = realloc(h->at, h->room);
	}
	ssize_t n = h->at == NULL ? 0 : read(h->fd, h->at + h->len, h->room - h->len - 1);

	if (n <= 0) {
		die("the server", "no answer");
	}
	h->len += (size_t)n;
	h->at[h->len] = '\0';
}

/* The headers end at @end; read the body that they announce. */
static void
read_body(struct http *h, size_t end)
{
	const char *length = strcasestr(h->at, "\r\nContent-Length:");
	static const char last[] = "\r\n0\r\n\r\n";

	if (length != NULL && length < h->at + end) {
		size_t n = strtoul(length + strlen("\r\nContent-Length:"), NULL, 10);

		while (h->len < end + n) {
			read_more(h);
		}
	} else {
		while (strcmp(h->at + h->len - strlen(last), last) != 0) {
			read_more(h);
		}
	}
	h->body = h->at + end;
}

static void
read_answer(struct http *h)
{
	const char *end = NULL;

	h->len = 0;
	while (end == NULL) {
		read_more(h);
		end = strstr(h->at, "\r\n\r\n");
	}
	read_body(h, (size_t)(end - h->at) + 4);
	if (strncmp(h->at, "HTTP/1.1 200 ", strlen("HTTP/1.1 200 ")) != 0) {
		die("the server", h->at);
	}
}

void
http_ask(struct http *h, const char *operation, const char *body, size_t len)
{
	char header[HEADER_BYTES];
	/* DynamoDB Local requires a signature, but does not check it. */
	int n = snprintf(header, sizeof(header),
			 "POST / HTTP/1.1\r\nHost: localhost\r\n"
			 "X-Amz-Target: DynamoDB_20120810.%s\r\n"
			 "X-Amz-Date: 20260101T000000Z\r\n"
			 "Authorization: AWS4-HMAC-SHA256 "
			 "Credential=any/20260101/us-east-1/dynamodb/aws4_request, "
			 "SignedHeaders=host;x-amz-date, Signature=0\r\n"
			 "Content-Type: application/x-amz-json-1.0\r\n"
			 "Content-Length: %zu\r\n\r\n",
			 operation, len);
	struct iovec parts[2] = {{header, (size_t)n}, {(char *)body, len}};

	if (writev(h->fd, parts, 2) != (ssize_t)(n + (ssize_t)len)) {
		die("the server", "a request could not be sent");
	}
	read_answer(h);
}
