/* http_request - state of one HTTP request, shared by its input and output (http_request.c) and operation.c */
#ifndef STORE_WIRE_SERVER_HTTP_REQUEST_H
#define STORE_WIRE_SERVER_HTTP_REQUEST_H

#include "store/page/page.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/server/body.h"
#include "store/wire/server/http_answer.h"
#include "store/wire/server/server_int.h"

enum stage {
	ARRIVING,
	UNDER_WAY, /* the engine or a worker has it */
	SUSPENDED, /* likewise, and the connection must be resumed at the end */
	ANSWERED,  /* the answer can be sent */
};

/* One request, from its headers until its answer was sent. */
struct request {
	struct work work; /* first: see request_of_work() */
	struct server *s;
	struct MHD_Connection *connection;
	struct connection *place; /* in server.connections */
	struct body body;
	bool head_too_large;
	bool counted; /* in server.open */
	_Atomic enum stage stage;
	struct answer answer;

	/* the operation */
	struct sigv4_request headers;
	enum gzip_coding coding; /* of the body */
	struct call c;
	struct op_in in;
	struct op_out out;

	/* or a page */
	struct page_request page;

	struct arena_loan memory; /* of the call; the last field, because it is not zeroed */
};

/** request_of_work - return the request that has @w */
static inline struct request *
request_of_work(struct work *w)
{
	return (void *)w;
}

/**
 * operation_begin - carry out the operation of a request that has arrived, after which its stage is ANSWERED
 * @path: of its URL
 *
 * The operation may end after the return, in another thread.
 * Thread: the loop
 */
void operation_begin(struct request *r, const char *path);

/**
 * operation_keeps - account for the complete body of the answer, or replace the answer by 503
 * @must: the operation has changed something, so its answer must not be replaced
 *
 * Return: false if the answer was replaced.
 * Thread: any
 */
bool operation_keeps(struct request *r, bool must);

/** operation_hand_back - end the call and let the loop send the answer; @r may be freed then; Thread: any */
void operation_hand_back(struct request *r);

#endif
