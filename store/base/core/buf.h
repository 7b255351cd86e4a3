/*
 * buf - byte buffer that grows at the end
 *
 * With an arena, the bytes live as long as the arena and buf_release() is not needed.  Without one they are on the
 * heap and the owner calls buf_release().  Growing never fails: see arena.h on running out of memory.
 */
#ifndef STORE_BASE_CORE_BUF_H
#define STORE_BASE_CORE_BUF_H

#include <stdint.h>

#include "store/base/core/slice.h"

struct buf {
	struct arena *arena; /* NULL: heap */
	char *at;
	size_t len;
	size_t cap;
};

/** buf_init - initialize an empty buffer; @a may be NULL for the heap */
static inline void
buf_init(struct buf *b, struct arena *a)
{
	*b = (struct buf){.arena = a};
}

/** buf_release - free heap bytes and empty the buffer; frees nothing if the bytes are in an arena */
void buf_release(struct buf *b);

/** buf_grow - the slow path of buf_room(): always reallocate */
char *buf_grow(struct buf *b, size_t n) __attribute__((returns_nonnull));

/** buf_room - make room for @n more bytes and return the address for them; the caller adds to len */
static inline char *
buf_room(struct buf *b, size_t n)
{
	/* An empty buffer allocates even if @n is 0, so that there is no arithmetic on NULL. */
	return b->at != NULL && n <= b->cap - b->len ? b->at + b->len : buf_grow(b, n);
}

static inline void
buf_put(struct buf *b, const void *bytes, size_t n)
{
	if (n > 0) {
		memcpy(buf_room(b, n), bytes, n);
		b->len += n;
	}
}

void buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline void
buf_char(struct buf *b, char ch)
{
	*buf_room(b, 1) = ch;
	b->len++;
}

static inline void
buf_slice(struct buf *b, struct slice s)
{
	buf_put(b, s.at, s.len);
}

/** buf_set - replace the contents by @s, which is not in the buffer */
static inline void
buf_set(struct buf *b, struct slice s)
{
	b->len = 0;
	buf_slice(b, s);
}

static inline void
buf_str(struct buf *b, const char *string)
{
	buf_slice(b, slice_from(string));
}

/** buf_clear - empty the buffer and keep its memory */
static inline void
buf_clear(struct buf *b)
{
	b->len = 0;
}

/** buf_view - the contents; borrowed until the next append */
static inline struct slice
buf_view(const struct buf *b)
{
	return (struct slice){b->at, b->len};
}

/* Append big-endian integers: their bytes sort as the numbers do. */
void buf_u16be(struct buf *b, uint16_t v);
void buf_u32be(struct buf *b, uint32_t v);
void buf_u64be(struct buf *b, uint64_t v);

/** buf_varint - append @v as LEB128: seven bits per byte, low bits first, 1..10 bytes */
void buf_varint(struct buf *b, uint64_t v);

/** buf_text - append the length of @s as a varint, then @s */
static inline void
buf_text(struct buf *b, struct slice s)
{
	buf_varint(b, s.len);
	buf_slice(b, s);
}

/* The slow path of varint_read(). */
bool varint_read_long(const unsigned char **at, const unsigned char *end, uint64_t *out);

/**
 * varint_read - parse a varint and move *at past it
 *
 * Return: false if the input is cut off or is not in the form that buf_varint() writes; *at is then unspecified.
 */
static inline bool
varint_read(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
	const unsigned char *p = *at;

	if (p < end && p[0] < 0x80) {
		*out = p[0];
		*at = p + 1;
		return true;
	}
	if (end - p >= 2 && p[1] < 0x80 && p[1] > 0) {
		*out = (uint64_t)p[1] << 7 | (p[0] & 0x7F);
		*at = p + 2;
		return true;
	}
	return varint_read_long(at, end, out);
}

#endif
