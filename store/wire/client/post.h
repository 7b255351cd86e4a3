/*
 * post - one request to a server, over connections that are kept
 *
 * Says exactly how far a request came, so that its caller can judge whether
 * to send it again; decides nothing of that itself.
 */
#ifndef STORE_WIRE_CLIENT_POST_H
#define STORE_WIRE_CLIENT_POST_H

#include "store/base/core/buf.h"
#include "store/op/op.h"
#include "store/wire/proto/credentials.h"

struct post;

struct post_options {
	const char *url;          /* where operations go */
	const char *streams_url;  /* and those of streams; NULL: there too */
	const char *socket;       /* "": TCP, else the Unix socket to use, under 108 bytes */
	bool patient;             /* nobody is given up because it is silent */
	const char *region;       /* for which keys sign; NULL: none does */
	const char *trust_file;   /* certificates, see aws_trust.h; NULL: the system's */
	const char *trust_folder; /* likewise */
};

/* Who signs a request, and when. */
struct post_signer {
	const struct credential *key; /* NULL: nobody */
	int64_t ahead_ms;             /* of this machine's clock; 0: it is right */
};

/* What is asked. */
struct post_request {
	enum op_type type;
	const char
		*name; /* of an operation that op.def does not have, instead of @type's; or NULL */
	struct slice body;
	bool once; /* never send it a second time on a new connection when a kept one breaks */
};

/* How far it came. */
enum post_fate {
	POST_ANSWERED,
	POST_NOT_SENT, /* not all of it: nobody can have carried it out */
	POST_LOST,     /* sent, and no answer, or one that is damaged */
};

struct post_answer {
	enum post_fate fate;
	long status;         /* HTTP's; POST_ANSWERED */
	struct slice body;   /* in the call's arena */
	const char *problem; /* what went wrong, in the call's arena; else NULL */
	bool passing;        /* of a problem: another time it may go well */
	uint64_t date_ms;    /* the server's time; 0: it does not say */
};

/**
 * post_open - no connection is made yet; options are copied
 *
 * Errors:  -ERR_VALIDATION  not http(s)://HOST:PORT, those of libcurl_load()
 */
int post_open(struct call *c, const struct post_options *o, struct post **out)
	__attribute__((warn_unused_result));

/** post_close - gives back all connections; NULL: nothing */
void post_close(struct post *p);

/**
 * post_send - an operation's request
 * @until_ms: steady clock: it is lost or not sent if there is no answer by then; 0: no such time
 * @signer: NULL: nobody
 *
 * Who waits no longer (call_given_up()) waits a tenth of a second longer at most.
 *
 * Thread:  any number; each one in flight has a connection of its own
 */
void post_send(struct post *p, struct call *c, const struct post_request *rq, uint64_t until_ms,
	       const struct post_signer *signer, struct post_answer *out);

#endif
