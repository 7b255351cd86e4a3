/* utf8 - see utf8.h */
#include "store/base/core/utf8.h"

#include <assert.h>
#include <stdint.h>

/* Bytes 2..n of a well-formed sequence, given its first byte; only the range of the second byte varies. */
struct lead {
	unsigned more; /* bytes that follow */
	uint8_t lo;    /* lo..hi: range of the first of them */
	uint8_t hi;
};

static struct lead
lead_of(uint8_t b)
{
	if (b >= 0xc2 && b <= 0xdf) {
		return (struct lead){1, 0x80, 0xbf};
	}
	if (b >= 0xe0 && b <= 0xef) {
		/* E0: no overlong forms; ED: no surrogates */
		return (struct lead){2, b == 0xe0 ? 0xa0 : 0x80, b == 0xed ? 0x9f : 0xbf};
	}
	if (b >= 0xf0 && b <= 0xf4) {
		/* F0: no overlong forms; F4: nothing above 10FFFF */
		return (struct lead){3, b == 0xf0 ? 0x90 : 0x80, b == 0xf4 ? 0x8f : 0xbf};
	}
	return (struct lead){0};
}

size_t
utf8_length(struct slice s)
{
	const uint8_t *p = (const uint8_t *)s.at;
	struct lead l = lead_of(p[0]);

	if (p[0] < 0x80) {
		return 1;
	}
	if (l.more == 0 || (s.len > 1 && (p[1] < l.lo || p[1] > l.hi))) {
		return 0;
	}
	for (size_t i = 2; i <= l.more && i < s.len; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	return l.more + 1;
}

bool
utf8_valid(struct slice s)
{
	const uint8_t *p = (const uint8_t *)s.at;
	size_t i = 0;

	while (i < s.len) {
		uint64_t word;

		/* Most text is ASCII: check eight bytes at a time. */
		if (s.len - i >= sizeof(word)) {
			memcpy(&word, p + i, sizeof(word));
			if ((word & UINT64_C(0x8080808080808080)) == 0) {
				i += sizeof(word);
				continue;
			}
		}
		if (p[i] < 0x80) {
			i++;
			continue;
		}
		size_t n = utf8_length(slice_skip(s, i));

		if (n == 0 || n > s.len - i) {
			return false;
		}
		i += n;
	}
	return true;
}

struct slice
utf8_cut(struct slice s, size_t max)
{
	if (s.len <= max) {
		return s;
	}
	while (max > 0 && !utf8_begins(s.at[max])) {
		max--;
	}
	return slice_of(s.at, max);
}

struct slice
utf8_past_mark(struct slice s)
{
	const struct slice mark = SLICE(UTF8_MARK);

	return slice_starts(s, mark) ? slice_skip(s, mark.len) : s;
}

size_t
utf8_characters(struct slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		n += utf8_begins(s.at[i]);
	}
	return n;
}

size_t
utf8_encode(char *to, uint32_t ch)
{
	static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
	unsigned more = ch < 0x80 ? 0 : (ch < 0x800 ? 1 : (ch < 0x10000 ? 2 : 3));

	*to++ = (char)(leads[more] | ch >> (6 * more));
	for (unsigned left = more; left > 0; left--) {
		*to++ = (char)(0x80 | ((ch >> (6 * (left - 1))) & 0x3f));
	}
	return more + 1;
}

size_t
utf8_units(struct slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		/* A character counts at its first byte; four bytes are a surrogate pair. */
		n += (size_t)utf8_begins(s.at[i]) + (size_t)((uint8_t)s.at[i] >= 0xf0);
	}
	return n;
}
