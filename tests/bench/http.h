/*
 * http - a minimal HTTP/1.1 client for the benchmarks
 *
 * The benchmarks measure the server; an HTTP library in the client would use more processor time than the server.
 * Any error ends the program.
 */
#ifndef TESTS_BENCH_HTTP_H
#define TESTS_BENCH_HTTP_H

#include <stddef.h>

struct http {
	int fd;
	char *at; /* the last answer, NUL-terminated */
	size_t len;
	size_t room;
	const char *body; /* the body in it as it was sent, with chunk lengths */
};

/** http_open - connect to @address: HOST:PORT, or the directory of a store for its socket */
void http_open(struct http *h, const char *address);

/** http_ask - send a DynamoDB operation and read its answer, which must have status 200 */
void http_ask(struct http *h, const char *operation, const char *body, size_t len);

void http_close(struct http *h);

/** die - print the reason and exit */
void die(const char *what, const char *why) __attribute__((noreturn));

#endif
