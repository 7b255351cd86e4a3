/*
 * slice - borrowed bytes with their length; not NUL-terminated, never freed
 *
 * A function that returns a slice documents whose memory it points into ("borrowed until ...").
 */
#ifndef STORE_BASE_CORE_SLICE_H
#define STORE_BASE_CORE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "store/base/core/arena.h"

struct slice {
	const char *at; /* may be NULL only when len is 0 */
	size_t len;     /* bytes */
};

/* A slice of a string literal; the second form is an initializer for static data. */
#define SLICE(literal) ((struct slice){(literal), sizeof(literal) - 1})
#define SLICE_INIT(literal) \
	{ \
		(literal), sizeof(literal) - 1 \
	}

/* printf("%.*s", SLICE_ARG(s)) */
#define SLICE_ARG(s) (int)(s).len, (s).at

static inline struct slice
slice_of(const char *at, size_t len)
{
	return (struct slice){at, len};
}

/** slice_from - the bytes of a C string; the empty slice for NULL */
static inline struct slice
slice_from(const char *string)
{
	return (struct slice){string, string == NULL ? 0 : strlen(string)};
}

static inline bool
slice_eq(struct slice a, struct slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool
slice_is(struct slice a, const char *string)
{
	return slice_eq(a, slice_from(string));
}

/** slice_cmp - compare as unsigned bytes; a prefix sorts before its extensions; Return: < 0, 0 or > 0 */
static inline int
slice_cmp(struct slice a, struct slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int r = n == 0 ? 0 : memcmp(a.at, b.at, n);

	return r != 0 ? r : (a.len > b.len) - (a.len < b.len);
}

/** slice_order - slice_cmp() for qsort() and bsearch() of an array of slices */
static inline int
slice_order(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

static inline bool
slice_starts(struct slice s, struct slice prefix)
{
	return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.at, prefix.at, prefix.len) == 0);
}

static inline bool
slice_ends(struct slice s, struct slice suffix)
{
	return s.len >= suffix.len &&
	       (suffix.len == 0 || memcmp(s.at + s.len - suffix.len, suffix.at, suffix.len) == 0);
}

/** slice_skip - @s without its first @offset bytes, @offset <= len */
static inline struct slice
slice_skip(struct slice s, size_t offset)
{
	/* The address of an empty slice may be NULL: do not add to it. */
	return offset == 0 ? s : (struct slice){s.at + offset, s.len - offset};
}

/** slice_chr - address of the first @ch of @s, or NULL */
static inline const char *
slice_chr(struct slice s, char ch)
{
	return s.len == 0 ? NULL : memchr(s.at, ch, s.len);
}

/** slice_rchr - address of the last @ch of @s, or NULL */
static inline const char *
slice_rchr(struct slice s, char ch)
{
	return s.len == 0 ? NULL : memrchr(s.at, ch, s.len);
}

/** slice_take - the bytes of @rest up to the first @ch, or all of them; moves @rest past that @ch */
static inline struct slice
slice_take(struct slice *rest, char ch)
{
	const char *end = slice_chr(*rest, ch);
	struct slice first = *rest;

	if (end == NULL) {
		*rest = slice_skip(first, first.len);
	} else {
		first.len = (size_t)(end - first.at);
		*rest = (struct slice){end + 1, rest->len - first.len - 1};
	}
	return first;
}

/** slice_be - decode at most eight bytes as a big-endian number */
static inline uint64_t
slice_be(struct slice s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		n = n << 8 | (unsigned char)s.at[i];
	}
	return n;
}

/** slice_copy - copy @s to @a, followed by a NUL that the length does not count */
static inline struct slice
slice_copy(struct arena *a, struct slice s)
{
	char *copy = arena_bytes(a, s.len + 1);

	if (s.at != NULL) {
		memcpy(copy, s.at, s.len);
	}
	copy[s.len] = '\0';
	return (struct slice){copy, s.len};
}

/** slice_cstr - copy @s to @a as a C string; an embedded NUL cuts it off for its readers */
static inline const char *
slice_cstr(struct arena *a, struct slice s)
{
	return slice_copy(a, s).at;
}

#endif
