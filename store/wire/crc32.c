/* crc32 - slicing by eight: a page of 1 MB must not cost as much as its JSON */
#include "store/wire/crc32.h"

enum { POLYNOMIAL = (int)0xedb88320 };

void
crc32_init(struct crc32 *crc)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t sum = b;

		for (int bit = 0; bit < 8; bit++) {
			sum = (sum >> 1) ^ ((sum & 1) != 0 ? (uint32_t)POLYNOMIAL : 0);
		}
		crc->table[0][b] = sum;
	}
	for (int k = 1; k < 8; k++) {
		for (int b = 0; b < 256; b++) {
			uint32_t before = crc->table[k - 1][b];

			crc->table[k][b] = (before >> 8) ^ crc->table[0][before & 0xff];
		}
	}
}

uint32_t
crc32_of(const struct crc32 *crc, struct slice bytes)
{
	const unsigned char *at = (const unsigned char *)bytes.at;
	size_t left = bytes.len;
	uint32_t sum = 0xffffffff;

	for (; left >= 8; left -= 8, at += 8) {
		uint32_t first = sum ^ ((uint32_t)at[0] | (uint32_t)at[1] << 8 |
					(uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);

		sum = crc->table[7][first & 0xff] ^ crc->table[6][first >> 8 & 0xff] ^
		      crc->table[5][first >> 16 & 0xff] ^ crc->table[4][first >> 24] ^
		      crc->table[3][at[4]] ^ crc->table[2][at[5]] ^ crc->table[1][at[6]] ^
		      crc->table[0][at[7]];
	}
	for (; left > 0; left--, at++) {
		sum = (sum >> 8) ^ crc->table[0][(sum ^ *at) & 0xff];
	}
	return ~sum;
}
