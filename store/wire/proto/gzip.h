/* gzip - compression of HTTP bodies; the only user of zlib in this layer */
#ifndef STORE_WIRE_PROTO_GZIP_H
#define STORE_WIRE_PROTO_GZIP_H

#include "store/base/core/base.h"

/* Receives one piece of the unpacked bytes.  Return false to stop unpacking. */
typedef bool gzip_take_fn(void *arg, struct slice piece);

/* A Content-Encoding. */
enum gzip_coding {
	GZIP_PLAIN,   /* none, or "identity" */
	GZIP_GZIP,    /* one or more gzip streams in a row */
	GZIP_DEFLATE, /* zlib's format, as HTTP calls it */
	GZIP_UNKNOWN,
};

/** gzip_coding - parse the header Content-Encoding; "" if there is none */
enum gzip_coding gzip_coding(const char *header);

/**
 * gzip_unpack - unpack @packed and pass the bytes to @take, piece by piece
 * @coding: GZIP_GZIP or GZIP_DEFLATE
 *
 * Return: false if @packed is not in that coding or is incomplete; true also if @take stopped it.
 */
bool gzip_unpack(struct slice packed, enum gzip_coding coding, gzip_take_fn *take, void *arg);

/**
 * gzip_pack - append @plain, packed, to @out; favors speed over size
 * @coding: GZIP_GZIP or GZIP_DEFLATE
 */
void gzip_pack(struct slice plain, enum gzip_coding coding, struct buf *out);

/** gzip_sum - the checksum of gzip (CRC-32, IEEE 802.3), also used by the header x-amz-crc32 */
uint32_t gzip_sum(struct slice bytes);

/**
 * gzip_accepted - Return: the supported coding with the highest weight in an Accept-Encoding header, the first one
 * of several; GZIP_PLAIN if the header accepts none of them
 */
enum gzip_coding gzip_accepted(const char *accept);

#endif
