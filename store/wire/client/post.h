/*
 * post - sends one request to a server, over connections that are kept
 *
 * Reports exactly how far a request came, so that the caller can decide whether to send it again.
 */
#ifndef STORE_WIRE_CLIENT_POST_H
#define STORE_WIRE_CLIENT_POST_H

#include "store/op/op.h"
#include "store/wire/client/aws_profile.h"
#include "store/wire/proto/credentials.h"

struct aws_keys;
struct post;

/* The server of a client.  Everything except the keys is copied. */
struct client_options {
	const char *url;         /* http(s)://HOST:PORT */
	const char *streams_url; /* for operations on streams; NULL: @url */
	const char *socket;      /* Unix socket, less than 108 bytes, whose server may be silent for
				    any time; NULL: TCP */
	struct aws_keys *keys;   /* sign the requests (client.c); NULL: requests are not signed */
	const char *region;      /* the region in signatures; set if @keys is */
	struct aws_trust trust;
};

struct post_request {
	enum op_type type;
	const char
		*name; /* of an operation that op.def does not have, instead of @type's; or NULL */
	struct slice body;
	bool once; /* never send it a second time on a new connection when a kept one breaks */
	const struct credential *key; /* NULL: do not sign */
	int64_t ahead_ms;             /* the server's clock minus this machine's */
};

/* How far a request came. */
enum post_fate {
	POST_ANSWERED,
	POST_NOT_SENT, /* not sent completely, so the server cannot have carried it out */
	POST_LOST,     /* sent, but there is no answer or a damaged one */
};

struct post_answer {
	enum post_fate fate;
	long status;         /* of HTTP, if POST_ANSWERED */
	struct slice body;   /* in the call's arena */
	const char *problem; /* error message, valid as long as the call; NULL if POST_ANSWERED */
	bool passing;        /* the problem may be temporary */
	uint64_t date_ms;    /* the server's time; 0: unknown */
};

/**
 * post_open - prepare for requests to a server, without connecting; options are copied
 *
 * Errors:  -ERR_VALIDATION  not http(s)://HOST:PORT
 *          those of libcurl_load()
 */
int post_open(struct call *c, const struct client_options *o, struct post **out) must_check;

/** post_close - close all connections; no request may be in flight; NULL is harmless */
void post_close(struct post *p);

/**
 * post_send - send one request and wait for its answer
 * @until_ms: time limit by the steady clock, after which the request counts as lost or not sent; 0: none
 *
 * Returns at most about a tenth of a second after the call was given up (call_given_up()).
 *
 * Thread:  any number; each request in flight has a connection of its own
 */
void post_send(struct post *p, struct call *c, const struct post_request *rq, uint64_t until_ms,
	       struct post_answer *out);

#endif
