/*
 * http_answer - the answer to one request: status, headers and body
 *
 *   append the body, or answer_error(), or answer_refuse(); maybe answer_pack(); answer_seal(); answer_send()
 */
#ifndef STORE_WIRE_SERVER_HTTP_ANSWER_H
#define STORE_WIRE_SERVER_HTTP_ANSWER_H

#include "store/wire/proto/gzip.h"
#include "store/wire/server/server_int.h"

/* Error message for too many bytes of unread answers. */
#define ANSWERS_OVERLOAD "too many large answers that are not read yet; try again"

struct answer {
	unsigned status;           /* of HTTP */
	const char *type;          /* Content-Type */
	struct buf body;           /* heap */
	uint32_t crc;              /* of the body as it is sent */
	enum gzip_coding accepted; /* the best coding that the client accepts, or GZIP_PLAIN */
	bool packed;               /* the body is in that coding */
	bool last;                 /* close the connection after it */
	bool preflight;            /* add the headers that let a web page send requests */
};

/** answer_error - set the status and append the body for an error */
void answer_error(const struct server *s, struct answer *a, const struct error *e);

/** answer_refuse - as answer_error(), for a request that is refused without a call's error */
void answer_refuse(const struct server *s, struct answer *a, enum err code, const char *message);

/**
 * answer_seal - compute the checksum of the complete body
 *
 * Not part of answer_send(), where a large body would block the loop.
 * Thread:  any
 */
void answer_seal(struct answer *a);

/** answer_worth_packing - Return: whether the client accepts a coding, and the body is large enough for it */
bool answer_worth_packing(const struct answer *a);

/** answer_pack - pack the body in the accepted coding, once; Thread: any except the loop, which it would block */
void answer_pack(struct answer *a);

/** answer_send - queue the answer; libmicrohttpd takes over the body; Thread: the loop */
enum MHD_Result answer_send(struct server *s, struct MHD_Connection *connection, struct answer *a);

#endif
