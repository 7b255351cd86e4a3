/* mask_hash - see mask_int.h: digests of values; equal values have equal digests, different ones have different ones */
#include "store/base/text/sha256.h"

#include "tools/mask/mask_int.h"
#include "tools/text/fmt.h"

enum {
	SHOWN = 16,     /* bytes of a digest that are used: 128 bits */
	HALF_BITS = 26, /* numbers of twice this size are permuted, see mask_hash_small() */
	ROUNDS = 6,
	SMALL_DIGITS = 15, /* such numbers are below 2^52 */
};

void
mask_mac(struct masking *mk, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	assert(mk->m->key != NULL);
	sha256_keyed_mac(&mk->key, bytes, mac);
}

struct slice
mask_hash_text(struct masking *mk, struct slice text)
{
	uint8_t mac[SHA256_BYTES];

	mask_mac(mk, text, mac);
	return fmt_slice(
		&mk->c->arena, "%016lx%016lx",
		(unsigned long)slice_be(slice_of((const char *)mac, SHOWN / 2)),
		(unsigned long)slice_be(slice_of((const char *)mac + SHOWN / 2, SHOWN / 2)));
}

/* Permute the numbers below 2^52 by a keyed Feistel network, so results stay distinct, and exact in a double. */
static uint64_t
mask_hash_small(struct masking *mk, uint64_t n)
{
	const uint64_t half = (UINT64_C(1) << HALF_BITS) - 1;
	uint64_t left = n >> HALF_BITS;
	uint64_t right = n & half;

	assert(n >> (2 * HALF_BITS) == 0);
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint8_t mac[SHA256_BYTES];
		struct buf b = {.arena = &mk->c->arena};

		buf_fmt(&b, "number %u ", round);
		buf_u64be(&b, right);
		mask_mac(mk, buf_view(&b), mac);
		uint64_t next = left ^ (slice_be(slice_of((const char *)mac, 8)) & half);

		left = right;
		right = next;
	}
	return left << HALF_BITS | right;
}

/* Append 36 digits; the first one is not 0, so the number is not below 2^52. */
static void
mask_hash_large(struct masking *mk, struct slice number, struct buf *out)
{
	uint8_t mac[SHA256_BYTES];

	mask_mac(mk, number, mac);
	buf_fmt(out, "%u", 1 + mac[0] % 9U);
	for (size_t i = 0; i < 5; i++) {
		uint64_t part = slice_be(slice_of((const char *)mac + 1 + 6 * i, 6));

		buf_fmt(out, "%07lu", (unsigned long)(part % 10000000U));
	}
}

static struct slice
mask_hash_number(struct masking *mk, struct slice number)
{
	struct buf out = {.arena = &mk->c->arena};
	uint64_t n;

	if (number.len <= SMALL_DIGITS && ascii_count(number, &n)) {
		buf_fmt(&out, "%lu", (unsigned long)mask_hash_small(mk, n));
	} else {
		buf_str(&out, slice_starts(number, SLICE("-")) ? "-" : "");
		mask_hash_large(mk, number, &out);
	}
	return buf_view(&out);
}

struct value
mask_hash(struct masking *mk, const struct value *v)
{
	struct value out = *v;

	if (v->type == VALUE_N) {
		out.text = mask_hash_number(mk, v->text);
	} else if (v->type == VALUE_B) {
		uint8_t mac[SHA256_BYTES];

		mask_mac(mk, v->text, mac);
		out.text = slice_copy(&mk->c->arena, slice_of((const char *)mac, SHOWN));
	} else {
		out.text = mask_hash_text(mk, v->text);
	}
	return out;
}
