/*
 * number_key - numbers as bytes that sort, for keys of items and indexes
 *
 * FORMAT.md, "Numbers in keys", has the format and examples: a sign byte, the power of ten of the first digit, then the
 * digits in pairs. In a negative number, all bits after the sign are inverted, and ff ends it, so that a longer
 * coefficient, which is the lower number, sorts before its prefix.
 */
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/number_int.h"

enum {
	KEY_NEGATIVE = 1,
	KEY_ZERO = 2,
	KEY_POSITIVE = 3,
	KEY_BIAS = -LIMIT_EXPONENT_MIN,
	KEY_END = 0xff,
};

void
number_to_key(struct buf *out, const struct number *n)
{
	if (n->coefficient == 0) {
		buf_char(out, KEY_ZERO);
		return;
	}
	char digits[LIMIT_DIGITS + 1];
	int count = number_digits(digits, n->coefficient);
	uint8_t turn = n->negative ? 0xff : 0;
	char *to = buf_room(out, 3 + (size_t)(count + 1) / 2);
	char *start = to;

	*to++ = n->negative ? KEY_NEGATIVE : KEY_POSITIVE;
	*to++ = (char)((count + n->exponent - 1 + KEY_BIAS) ^ turn);
	digits[count] = '0';
	for (int i = 0; i < count; i += 2) {
		*to++ = (char)((1 + 10 * (digits[i] - '0') + (digits[i + 1] - '0')) ^ turn);
	}
	if (n->negative) {
		*to++ = (char)KEY_END;
	}
	out->len += (size_t)(to - start);
}

bool
number_from_key(struct slice key, struct number *out)
{
	const uint8_t *p = (const uint8_t *)key.at;

	if (key.len == 1 && p[0] == KEY_ZERO) {
		*out = (struct number){0};
		return true;
	}
	if (key.len < 3 || (p[0] != KEY_NEGATIVE && p[0] != KEY_POSITIVE)) {
		return false;
	}
	bool negative = p[0] == KEY_NEGATIVE;
	uint8_t turn = negative ? 0xff : 0;
	size_t end = key.len - (negative ? 1 : 0);
	unsigned pair = 0;
	u128 v = 0;

	if (end < 3 || end > 2 + LIMIT_DIGITS / 2 || (negative && p[end] != KEY_END)) {
		return false;
	}
	for (size_t i = 2; i < end; i++) {
		pair = (unsigned)(p[i] ^ turn) - 1;
		if (pair > 99 || (i == 2 && pair < 10)) {
			return false;
		}
		v = v * 100 + pair;
	}
	if (pair == 0) {
		return false;
	}
	int digits = 2 * (int)(end - 2);

	if (pair % 10 == 0) {
		v /= 10;
		digits--;
	}
	*out = (struct number){v, (int)(p[1] ^ turn) - KEY_BIAS - (digits - 1), negative};
	return true;
}
