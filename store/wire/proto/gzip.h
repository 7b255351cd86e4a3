/* gzip - compressed bodies; the one user of zlib */
#ifndef STORE_WIRE_PROTO_GZIP_H
#define STORE_WIRE_PROTO_GZIP_H

#include <stdint.h>

#include "store/base/core/buf.h"

/* Takes one piece of what was packed; false: no more of it. */
typedef bool gzip_take_fn(void *arg, struct slice piece);

/* A Content-Encoding. */
enum gzip_coding {
	GZIP_PLAIN,   /* none, or "identity" */
	GZIP_GZIP,    /* may be several gzip streams, one behind the other */
	GZIP_DEFLATE, /* zlib's format, as HTTP calls it */
	GZIP_UNKNOWN,
};

/** gzip_coding - what the header Content-Encoding says, "" for none */
enum gzip_coding gzip_coding(const char *header);

/**
 * gzip_unpack - hand what @packed holds to @take, piece by piece
 * @coding: GZIP_GZIP or GZIP_DEFLATE
 *
 * Return: false when it is not of that coding, or not all of it; true also when @take wanted no more
 */
bool gzip_unpack(struct slice packed, enum gzip_coding coding, gzip_take_fn *take, void *arg);

/**
 * gzip_pack - @plain, packed with more regard to time than to size, at the end of @out
 * @coding: GZIP_GZIP or GZIP_DEFLATE
 */
void gzip_pack(struct slice plain, enum gzip_coding coding, struct buf *out);

/** gzip_sum - the checksum of gzip (CRC-32, IEEE 802.3), which x-amz-crc32 is too */
uint32_t gzip_sum(struct slice bytes);

/** gzip_accepted - the coding that an Accept-Encoding header likes best, of several the first; GZIP_PLAIN: none of ours */
enum gzip_coding gzip_accepted(const char *accept);

#endif
