/*
 * clients - as many threads putting items durably over a store's socket, each on a connection of its own
 *
 *   clients STORE TABLE THREADS SECONDS      prints puts/s; TABLE has the string keys PK and SK
 *
 * The requests are written by hand: what is measured is the server, and an HTTP
 * library for the client would take more of the processors than it does.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "store/base/clock.h"

enum { BODY_BYTES = 512, MESSAGE_BYTES = 4096 };

struct client {
	struct sockaddr_un address;
	const char *table;
	unsigned number;
	uint64_t until_ms;
	atomic_ulong *puts;
};

static void
die(const char *what)
{
	(void)fprintf(stderr, "clients: %s\n", what);
	exit(1);
}

static int
connect_to(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0) {
		die("the store has no socket: mount or serve it");
	}
	return fd;
}

static void
send_put(const struct client *cl, int fd, unsigned long i)
{
	char body[BODY_BYTES];
	char message[MESSAGE_BYTES];
	int length = snprintf(body, sizeof(body),
			      "{\"TableName\":\"%s\",\"Item\":{\"PK\":{\"S\":\"client%03u\"},"
			      "\"SK\":{\"S\":\"%012lu\"},\"Pad\":{\"S\":\"%060d\"}}}",
			      cl->table, cl->number, i, 0);
	int n = snprintf(message, sizeof(message),
			 "POST / HTTP/1.1\r\nHost: localhost\r\n"
			 "X-Amz-Target: DynamoDB_20120810.PutItem\r\n"
			 "Content-Type: application/x-amz-json-1.0\r\n"
			 "Content-Length: %d\r\n\r\n%s",
			 length, body);

	if (length >= BODY_BYTES || write(fd, message, (size_t)n) != n) {
		die("a request could not be sent");
	}
}

/* Is it all there?  libmicrohttpd writes the header's name as here. */
static bool
is_whole(const char *answer, size_t length)
{
	const char *end = strstr(answer, "\r\n\r\n");
	const char *bytes = strstr(answer, "Content-Length: ");

	return end != NULL && bytes != NULL &&
	       length >= (size_t)(end - answer) + 4 + strtoul(bytes + 16, NULL, 10);
}

static void
read_answer(int fd)
{
	char answer[MESSAGE_BYTES + 1];
	size_t length = 0;

	do {
		ssize_t n = read(fd, answer + length, MESSAGE_BYTES - length);

		if (n <= 0) {
			die("no answer");
		}
		length += (size_t)n;
		answer[length] = '\0';
	} while (!is_whole(answer, length));
	if (strncmp(answer, "HTTP/1.1 200 ", strlen("HTTP/1.1 200 ")) != 0) {
		die(answer);
	}
}

static void *
put_until(void *arg)
{
	const struct client *cl = arg;
	int fd = connect_to(&cl->address);

	for (unsigned long i = 0; clock_steady_ms() < cl->until_ms; i++) {
		send_put(cl, fd, i);
		read_answer(fd);
		atomic_fetch_add(cl->puts, 1);
	}
	(void)close(fd);
	return NULL;
}

int
main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (argc != 5) {
		(void)fprintf(stderr, "usage: clients STORE TABLE THREADS SECONDS\n");
		return 2;
	}
	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", argv[1]) >=
	    (int)sizeof(address.sun_path)) {
		die("the name of the store is too long");
	}
	size_t n = (size_t)atol(argv[3]);
	uint64_t ms = (uint64_t)atol(argv[4]) * 1000;
	uint64_t until = clock_steady_ms() + ms;
	pthread_t *thread = calloc(n, sizeof(*thread));
	struct client *client = calloc(n, sizeof(*client));
	atomic_ulong puts = 0;

	for (size_t i = 0; i < n; i++) {
		client[i] = (struct client){address, argv[2], (unsigned)i, until, &puts};
		if (pthread_create(&thread[i], NULL, put_until, &client[i]) != 0) {
			die("no thread");
		}
	}
	for (size_t i = 0; i < n; i++) {
		(void)pthread_join(thread[i], NULL);
	}
	printf("%.0f puts/s\n", (double)puts * 1000 / (double)ms);
	free(client);
	free(thread);
	return 0;
}
