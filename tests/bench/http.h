/*
 * http - HTTP/1.1 by hand, for the benchmarks' clients
 *
 * What is measured is the server; an HTTP library for the client would take more
 * of the processors than it does.  What goes wrong ends the program.
 */
#ifndef TESTS_BENCH_HTTP_H
#define TESTS_BENCH_HTTP_H

#include <stddef.h>

struct http {
	int fd;
	char *at; /* the last answer, NUL-terminated */
	size_t len;
	size_t room;
	const char *body; /* in it, as it was sent: chunks have their lengths between them */
};

/** http_open - @address: a store's directory, whose socket it is, or HOST:PORT */
void http_open(struct http *h, const char *address);

/** http_ask - an operation of DynamoDB, and its answer, which must be 200 */
void http_ask(struct http *h, const char *operation, const char *body, size_t len);

void http_close(struct http *h);

/** die - say why and end */
void die(const char *what, const char *why) __attribute__((noreturn));

#endif
