/*
 * body - the bytes of one request, kept as they come and given back
 *
 * Counted whatever Content-Length says, for one request and, in @all, for all
 * of them together.
 */
#ifndef STORE_WIRE_SERVER_BODY_H
#define STORE_WIRE_SERVER_BODY_H

#include <stdatomic.h>

#include "store/base/core/buf.h"
#include "store/wire/proto/gzip.h"

enum { BODY_SMALL = 16 * 1024 }; /* bytes; costs little, in memory and in time */

/* What is told of a body that is too large, and of all together. */
#define BODY_TOO_LARGE "a request may have 16 MB at most"
#define BODY_OVERLOAD "too many large requests at once; try again"

struct body {
	struct buf bytes; /* heap */
	size_t dropped;   /* bytes that were not kept */
	bool too_large;
	bool overload; /* all bodies together are too large */
};

/** body_announced - what the header Content-Length says, "" for none: a body that is too large
 * need not be sent to be refused */
void body_announced(struct body *b, const char *length);

/** body_collect - keep one more piece; false: not even the reason for a refusal is worth reading
 * more */
bool body_collect(struct body *b, atomic_size_t *all, struct slice piece);

/**
 * body_unpack - what was sent is packed: take what it holds instead, as if that had come
 * @coding: as gzip_unpack()
 *
 * Return: false when it is not of that coding; what is too large is too_large, or overload
 */
bool body_unpack(struct body *b, enum gzip_coding coding, atomic_size_t *all);

/** body_drop - give its bytes back */
void body_drop(struct body *b, atomic_size_t *all);

#endif
