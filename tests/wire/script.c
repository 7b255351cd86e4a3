/* script - see script.h; serves one connection at a time */
#include "tests/wire/script.h"

#include <sys/socket.h>

#include "store/wire/proto/endpoint.h"

#include "tests/support/unit.h"

/* Read the head and any bytes after it.  Return: bytes, or 0 if the peer has closed */
static size_t
read_head(int fd, char *text)
{
	size_t n = 0;

	do {
		ssize_t got = recv(fd, text + n, SCRIPT_REQUEST_MAX - 1 - n, 0);

		if (got <= 0) {
			return 0;
		}
		n += (size_t)got;
		text[n] = '\0';
	} while (strstr(text, "\r\n\r\n") == NULL);
	return n;
}

/* Read one request, without keeping a long body.  Return: false if the peer has closed */
static bool
read_request(int fd, char *text)
{
	char rest[SCRIPT_REQUEST_MAX];
	size_t n = read_head(fd, text);

	if (n == 0) {
		return false;
	}
	const char *length = strcasestr(text, "Content-Length:");
	size_t whole = (size_t)(strstr(text, "\r\n\r\n") + 4 - text) +
		       (length == NULL ? 0 : strtoul(length + 15, NULL, 10));

	while (n < whole) {
		bool fits = whole < SCRIPT_REQUEST_MAX;
		ssize_t got = recv(fd, fits ? text + n : rest, fits ? whole - n : sizeof(rest), 0);

		if (got <= 0) {
			return false;
		}
		n += (size_t)got;
		text[fits ? n : 0] = '\0';
	}
	return true;
}

/* The peer gets a reset, whatever it has sent in the meantime. */
static void
reset(int fd)
{
	char byte;
	struct linger at_once = {.l_onoff = 1};

	(void)!recv(fd, &byte, 1, 0);
	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

/* Answer one request.  Return: false: close the connection */
static bool
answer(struct script *s, int fd)
{
	const char *step = s->answers[s->requests];
	bool last = strncmp(step, SCRIPT_LAST, strlen(SCRIPT_LAST)) == 0;

	if (strcmp(step, SCRIPT_RESET) == 0) {
		reset(fd);
		s->requests++;
		return false;
	}
	if (!read_request(fd, s->request) || step[0] == '\0') {
		return false;
	}
	s->requests++;
	if (strcmp(step, SCRIPT_SILENT) == 0) {
		return false;
	}
	step += last ? strlen(SCRIPT_LAST) : 0;
	(void)send(fd, step, strlen(step), MSG_NOSIGNAL);
	return !last;
}

static void *
follow(void *arg)
{
	struct script *s = arg;
	int fd;

	while ((fd = accept(s->listener, NULL, NULL)) >= 0) {
		while (answer(s, fd)) {
		}
		(void)close(fd);
	}
	return NULL;
}

struct engine *
script_start_as(struct script *s, struct call *c, const char *const *answers,
		struct client_options o)
{
	char url[64];
	struct engine *e = NULL;

	*s = (struct script){.answers = answers};
	int r = endpoint_listen_tcp(c, "127.0.0.1:0", false, &s->listener, &s->port);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	(void)pthread_create(&s->thread, NULL, follow, s);
	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d", s->port);
	o.url = url;
	r = client_open_url(c, &o, &e);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	return e;
}

struct engine *
script_start(struct script *s, struct call *c, const char *const *answers)
{
	return script_start_as(s, c, answers, (struct client_options){0});
}

void
script_stop(struct script *s, struct engine *e)
{
	engine_close(e);
	(void)shutdown(s->listener, SHUT_RDWR);
	(void)pthread_join(s->thread, NULL);
	(void)close(s->listener);
}
