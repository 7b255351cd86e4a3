/* crc32 - the checksum of x-amz-crc32 (IEEE 802.3, as in zlib), eight bytes a step */
#ifndef STORE_WIRE_CRC32_H
#define STORE_WIRE_CRC32_H

#include <stdint.h>

#include "store/base/slice.h"

/* table[k][b]: what the byte b does to the sum k bytes later. */
struct crc32 {
	uint32_t table[8][256];
};

/** crc32_init - fill the tables; afterwards any number of threads may use them */
void crc32_init(struct crc32 *crc);

uint32_t crc32_of(const struct crc32 *crc, struct slice bytes);

#endif
