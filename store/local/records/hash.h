/* hash - hash functions for use in memory; their results are never stored */
#ifndef STORE_LOCAL_RECORDS_HASH_H
#define STORE_LOCAL_RECORDS_HASH_H

#include "store/base/core/base.h"

struct hash128 {
	uint64_t low;
	uint64_t high;
};

/* Random, to distinguish sets. */
struct hash_key {
	uint64_t at[4];
};

__extension__ typedef unsigned __int128 hash_wide;

/* The 128-bit product of two words. */
static inline struct hash128
hash_multiply(uint64_t a, uint64_t b)
{
	hash_wide product = (hash_wide)a * b;

	return (struct hash128){(uint64_t)product, (uint64_t)(product >> 64)};
}

static inline uint64_t
hash_word(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* The last bytes, at most 16, as two words. With 8 bytes or more the words may overlap. */
static inline struct hash128
hash_tail(struct slice s)
{
	struct hash128 w = {0, 0};

	if (s.len >= 8) {
		return (struct hash128){hash_word(s.at), hash_word(s.at + s.len - 8)};
	}
	if (s.len > 0) {
		memcpy(&w.low, s.at, s.len);
	}
	return w;
}

/** hash_keyed - keyed hash of @s, computed sixteen bytes at a time */
static inline struct hash128
hash_keyed(const struct hash_key *key, struct slice s)
{
	uint64_t low = key->at[0] ^ s.len;
	uint64_t high = key->at[1];

	for (; s.len > 16; s = slice_skip(s, 16)) {
		struct hash128 m = hash_multiply(hash_word(s.at) ^ low,
						 hash_word(s.at + 8) ^ high ^ key->at[2]);

		low = m.low ^ m.high;
		high += m.high ^ key->at[3];
	}
	struct hash128 tail = hash_tail(s);
	struct hash128 m = hash_multiply(tail.low ^ low, tail.high ^ high ^ key->at[2]);
	struct hash128 end = hash_multiply(m.low ^ key->at[3], m.high ^ key->at[1] ^ low);

	return (struct hash128){end.low ^ end.high, end.high + m.low + (high ^ key->at[0])};
}

/** hash_bytes - hash of @s with a fixed key */
static inline uint64_t
hash_bytes(struct slice s)
{
	static const struct hash_key fixed = {{0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U,
					       0x94d049bb133111ebU, 0xd6e8feb86659fd93U}};

	return hash_keyed(&fixed, s).low;
}

/** hash_join - keyed hash of two hashes and a number */
static inline struct hash128
hash_join(const struct hash_key *key, struct hash128 a, struct hash128 b, uint64_t c)
{
	struct hash128 m =
		hash_multiply(a.low ^ b.low ^ key->at[0], a.high + b.high + c + key->at[1]);
	struct hash128 n = hash_multiply(a.high ^ key->at[2] ^ c, b.low + key->at[3] + m.high);

	return (struct hash128){m.low ^ m.high ^ n.high, n.low ^ m.low};
}

#endif
