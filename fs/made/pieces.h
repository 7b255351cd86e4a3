/* pieces - a window of a long text in memory: it grows at the end and is freed at the beginning */
#ifndef FS_MADE_PIECES_H
#define FS_MADE_PIECES_H

#include <sys/uio.h>

#include "store/base/core/buf.h"

/* A part of the text: allocated, filled, and then appended. */
struct piece {
	struct piece *next;
	uint64_t at;     /* offset of its first byte */
	struct buf text; /* on the heap */
};

/* Zero is the empty text. */
struct pieces {
	struct piece *first;
	struct piece *last;
	struct piece *spare; /* kept for reuse */
	uint64_t end;        /* offset of the end of the text */
};

void pieces_release(struct pieces *t);

/** pieces_bytes - the memory that the text takes now, in bytes */
size_t pieces_bytes(const struct pieces *t);

/** pieces_new - allocate an empty piece; pass it to pieces_append() */
struct piece *pieces_new(struct pieces *t);

/** pieces_append - append the piece, or copy its bytes to the last one if they fit; takes ownership */
void pieces_append(struct pieces *t, struct piece *p);

/** pieces_forget - allow bytes before @offset to be freed; the last piece stays */
void pieces_forget(struct pieces *t, uint64_t offset);

/**
 * pieces_find - find the bytes from @offset on, which have not been freed
 * @parts: gets up to @max stretches of up to @size bytes together
 * @end:   the offset after them
 *
 * Return: the number of parts
 */
int pieces_find(const struct pieces *t, uint64_t offset, size_t size, struct iovec *parts, int max,
		uint64_t *end);

#endif
