/*
 * http_answer - what the HTTP door says to one request, before it is sent
 *
 *   answer_init(); the body, or answer_error(), answer_refuse(); answer_seal(); answer_send()
 */
#ifndef STORE_WIRE_SERVER_HTTP_ANSWER_H
#define STORE_WIRE_SERVER_HTTP_ANSWER_H

#include "store/base/core/buf.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/server/server_int.h"

/* What is told when the answers that nobody has read yet are too large together. */
#define ANSWERS_OVERLOAD "too many large answers that are not read yet; try again"

struct answer {
	unsigned status;           /* HTTP's */
	const char *type;          /* Content-Type */
	struct buf body;           /* heap */
	uint32_t crc;              /* of the body, as it is sent */
	enum gzip_coding accepted; /* that the client understands */
	bool packed;               /* the body is in it */
	bool last;                 /* the connection ends with it */
	bool preflight;            /* it says what a web page may send */
};

/** answer_init - 200, DynamoDB's content type, no body */
void answer_init(struct answer *a);

/** answer_error - status and body for a failure */
void answer_error(const struct server *s, struct answer *a, const struct error *e);

/** answer_refuse - likewise for what is refused before there is an operation */
void answer_refuse(const struct server *s, struct answer *a, enum err code, const char *message);

/**
 * answer_seal - the body is complete: sum it up
 *
 * Thread:  any.  Not part of answer_send(), where a large body would hold up the loop.
 */
void answer_seal(struct answer *a);

/** answer_worth_packing - the client understands a coding of ours, and it would make a difference */
bool answer_worth_packing(const struct answer *a);

/** answer_pack - likewise any thread but the loop */
void answer_pack(struct answer *a);

/** answer_send - queue it; libmicrohttpd takes the body over.  Thread: the loop */
enum MHD_Result answer_send(struct server *s, struct MHD_Connection *connection, struct answer *a);

/** answer_release - of an answer that may not have been sent */
void answer_release(struct answer *a);

#endif
