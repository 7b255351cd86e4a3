/*
 * segment - FNV-1a with a finalizer: short keys that differ in their last byte spread evenly too
 */
#include "store/local/read/segment.h"

static const uint64_t FNV_OFFSET = UINT64_C(0xcbf29ce484222325);
static const uint64_t FNV_PRIME = UINT64_C(0x100000001b3);

uint32_t
segment_of(struct slice partition, uint32_t total)
{
	uint64_t h = FNV_OFFSET;

	for (size_t i = 0; i < partition.len; i++) {
		h = (h ^ (unsigned char)partition.at[i]) * FNV_PRIME;
	}
	h ^= h >> 33;
	h *= UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	return (uint32_t)(((h >> 32) * total) >> 32);
}
