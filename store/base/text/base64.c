/* base64 - accepts only the canonical text of given bytes, so a round trip is exact */
#include "store/base/text/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
base64_encode(struct buf *out, struct slice bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.at;
	size_t len = (bytes.len + 2) / 3 * 4;
	char *to = buf_room(out, len);

	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t left = bytes.len - i;
		uint32_t v = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (left > 2 ? p[i + 2] : 0);

		*to++ = letters[v >> 18];
		*to++ = letters[v >> 12 & 63];
		*to++ = left > 1 ? letters[v >> 6 & 63] : '=';
		*to++ = left > 2 ? letters[v & 63] : '=';
	}
	out->len += len;
}

/* Returns the six bits of one letter, or -1. */
static int
letter_bits(char ch)
{
	if (ch >= 'A' && ch <= 'Z') {
		return ch - 'A';
	}
	if (ch >= 'a' && ch <= 'z') {
		return ch - 'a' + 26;
	}
	if (ch >= '0' && ch <= '9') {
		return ch - '0' + 52;
	}
	if (ch == '+') {
		return 62;
	}
	return ch == '/' ? 63 : -1;
}

bool
base64_decode(struct buf *out, struct slice text)
{
	if (text.len % 4 != 0) {
		return false;
	}
	size_t pad = 0;

	while (pad < 2 && pad < text.len && text.at[text.len - 1 - pad] == '=') {
		pad++;
	}
	size_t digits = text.len - pad;
	size_t len = text.len / 4 * 3 - pad;
	char *to = buf_room(out, len);
	uint32_t v = 0;

	for (size_t i = 0; i < digits; i++) {
		int bits = letter_bits(text.at[i]);

		if (bits < 0) {
			return false;
		}
		v = v << 6 | (uint32_t)bits;
		if (i % 4 != 0) {
			/* The second, third and fourth letter of a group each complete a byte. */
			*to++ = (char)(v >> (6 - 2 * (i % 4)));
		}
	}
	/* The bits under the padding must be zero: otherwise another text would decode to the same bytes. */
	if (pad > 0 && (v & ((1U << (2 * pad)) - 1)) != 0) {
		return false;
	}
	out->len += len;
	return true;
}
