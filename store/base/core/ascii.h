/* ascii - classes of ASCII bytes, independent of the locale; blanks are those of JSON: space, tab, CR, LF */
#ifndef STORE_BASE_CORE_ASCII_H
#define STORE_BASE_CORE_ASCII_H

#include <stdint.h>

#include "store/base/core/slice.h"

static inline bool
ascii_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static inline bool
ascii_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n';
}

/** ascii_word - letter, digit or '_' */
static inline bool
ascii_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ascii_digit(ch) || ch == '_';
}

static inline char
ascii_lower(char ch)
{
	return (char)(ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch);
}

/** ascii_same - return true if @a and @b are equal, ignoring the case of ASCII letters */
static inline bool
ascii_same(struct slice a, struct slice b)
{
	size_t i = 0;

	while (a.len == b.len && i < a.len && ascii_lower(a.at[i]) == ascii_lower(b.at[i])) {
		i++;
	}
	return i == a.len && i == b.len;
}

/** ascii_digits_end - offset of the first byte of @s from @at on that is no digit; @s.len if there is none */
static inline size_t
ascii_digits_end(struct slice s, size_t at)
{
	while (at < s.len && ascii_digit(s.at[at])) {
		at++;
	}
	return at;
}

/** ascii_count - parse @s as a number of 1 to 18 digits; Return: false if it is anything else */
static inline bool
ascii_count(struct slice s, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < s.len && ascii_digit(s.at[i]); i++) {
		*out = *out * 10 + (uint64_t)(s.at[i] - '0');
	}
	return s.len >= 1 && s.len <= 18 && ascii_digits_end(s, 0) == s.len;
}

/** ascii_trim - @s without the blanks at both ends */
static inline struct slice
ascii_trim(struct slice s)
{
	while (s.len > 0 && ascii_blank(s.at[0])) {
		s = slice_skip(s, 1);
	}
	while (s.len > 0 && ascii_blank(s.at[s.len - 1])) {
		s.len--;
	}
	return s;
}

#endif
