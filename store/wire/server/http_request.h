/* http_request - one HTTP request, between its bytes (http_request.c) and its operation (operation.c) */
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

/* One request from its headers until its answer is out. */
struct request {
	struct work work; /* first: a worker hands it back */
	struct server *s;
	struct MHD_Connection *connection;
	struct connection *place; /* what is known of the connection */
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

	/* or the page */
	struct page_request page;
};

/**
 * operation_begin - carry out what the request asks for; its stage is ANSWERED in the end
 * @path: of its URL
 *
 * Thread: the loop
 */
void operation_begin(struct request *r, const char *path);

/**
 * operation_keeps - the answer has its body: account for it, or answer 503 instead
 * @must: the operation was carried out and has changed something: its answer cannot be another
 *
 * Return: false when the answer is another one now.  Thread: any
 */
bool operation_keeps(struct request *r, bool must);

/** operation_hand_back - the answer has its body: it can be sent, and the call ends.  Thread: any */
void operation_hand_back(struct request *r);

#endif
