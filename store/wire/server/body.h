/*
 * body - the body of one request
 *
 * The received bytes are counted, regardless of Content-Length, for each request and, in @all, for all requests
 * together.
 */
#ifndef STORE_WIRE_SERVER_BODY_H
#define STORE_WIRE_SERVER_BODY_H

#include <stdatomic.h>

#include "store/wire/proto/gzip.h"

enum { BODY_SMALL = 16 * 1024 }; /* bytes of a body that takes little memory and time */

/* Error messages for a body that is too large, and for too many bytes of all bodies. */
#define BODY_TOO_LARGE "a request may have 16 MB at most"
#define BODY_OVERLOAD "too many large requests at once; try again"

struct body {
	struct buf bytes; /* heap */
	size_t dropped;   /* number of bytes that were discarded */
	bool too_large;
	bool overload; /* all bodies together are too large */
};

/**
 * body_announced - set too_large if the header Content-Length (or "") announces a body that is too large or is invalid
 */
void body_announced(struct body *b, const char *length);

/**
 * body_collect - append a piece, or discard it and set too_large or overload
 *
 * Return: false if so much was discarded that the connection should be closed without an answer.
 */
bool body_collect(struct body *b, atomic_size_t *all, struct slice piece);

/**
 * body_unpack - replace the bytes by the unpacked ones, as if these had been received
 * @coding: as gzip_unpack()
 *
 * Return: false if the bytes are not in that coding.  Sets too_large or overload as body_collect().
 */
bool body_unpack(struct body *b, enum gzip_coding coding, atomic_size_t *all);

/** body_drop - release the bytes */
void body_drop(struct body *b, atomic_size_t *all);

#endif
