/* hash - 64 bits of a key, for tables in memory only: never stored */
#ifndef STORE_LOCAL_HASH_H
#define STORE_LOCAL_HASH_H

#include <stdint.h>

#include "store/base/slice.h"

/** hash_bytes - eight bytes at a time; the upper half is the better one */
static inline uint64_t
hash_bytes(struct slice s)
{
	const uint64_t factor = 0x9e3779b97f4a7c15U;
	uint64_t h = s.len * factor;
	uint64_t word;
	size_t i = 0;

	for (; i + sizeof(word) <= s.len; i += sizeof(word)) {
		memcpy(&word, s.at + i, sizeof(word));
		h = (h ^ word) * factor;
		h ^= h >> 32;
	}
	word = 0;
	if (i < s.len) {
		memcpy(&word, s.at + i, s.len - i);
	}
	h = (h ^ word) * factor;
	return h ^ h >> 32;
}

#endif
