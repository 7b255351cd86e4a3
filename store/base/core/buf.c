/* buf - see buf.h */
#include "store/base/core/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/core/mem.h"

enum { BUF_FIRST_BYTES = 64 };

static void
core_buf_grow(struct buf *b, size_t need)
{
	size_t cap = b->cap == 0 ? BUF_FIRST_BYTES : b->cap;

	while (cap < need) {
		if (__builtin_mul_overflow(cap, 2, &cap)) {
			abort();
		}
	}
	if (b->arena != NULL) {
		char *at = arena_bytes(b->arena, cap);

		if (b->at != NULL) {
			memcpy(at, b->at, b->len);
		}
		b->at = at;
	} else {
		b->at = mem_resized(b->at, cap, 1);
	}
	b->cap = cap;
}

void
buf_release(struct buf *b)
{
	if (b->arena == NULL) {
		free(b->at);
	}
	buf_init(b, b->arena);
}

char *
buf_grow(struct buf *b, size_t n)
{
	size_t need;

	if (__builtin_add_overflow(b->len, n, &need)) {
		abort();
	}
	core_buf_grow(b, need);
	return b->at + b->len;
}

void
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		abort();
	}
	char *at = buf_room(b, (size_t)n + 1);

	va_start(ap, fmt);
	(void)vsnprintf(at, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

static void
put_be(struct buf *b, uint64_t v, size_t bytes)
{
	char *at = buf_room(b, bytes);

	for (size_t i = 0; i < bytes; i++) {
		at[i] = (char)(v >> (8 * (bytes - 1 - i)));
	}
	b->len += bytes;
}

void
buf_u16be(struct buf *b, uint16_t v)
{
	put_be(b, v, sizeof(v));
}

void
buf_u32be(struct buf *b, uint32_t v)
{
	put_be(b, v, sizeof(v));
}

void
buf_u64be(struct buf *b, uint64_t v)
{
	put_be(b, v, sizeof(v));
}

void
buf_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7) {
		buf_char(b, (char)(v | 0x80));
	}
	buf_char(b, (char)v);
}

/* Rejects a superfluous last byte and bits above 64. */
bool
varint_read_long(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		uint64_t byte = *(*at)++;

		if (shift == 63 && byte > 1) {
			return false;
		}
		v |= (byte & 0x7F) << shift;
		if (byte < 0x80) {
			*out = v;
			return byte > 0 || shift == 0;
		}
	}
	return false;
}
