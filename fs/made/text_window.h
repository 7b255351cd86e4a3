/* text_window - a window of a long text in memory: it grows at the end and is freed at the beginning */
#ifndef FS_MADE_TEXT_WINDOW_H
#define FS_MADE_TEXT_WINDOW_H

#include <sys/uio.h>

#include "store/base/core/base.h"

/* A part of the text: allocated, filled, and then appended. */
struct piece {
	struct piece *next;
	uint64_t at;     /* offset of its first byte */
	struct buf text; /* on the heap */
};

/* Zero is the empty text. */
struct text_window {
	struct piece *first;
	struct piece *last;
	struct piece *spare; /* kept for reuse */
	uint64_t end;        /* offset of the end of the text */
};

void text_window_release(struct text_window *t);

/** text_window_bytes - the memory that the text takes now, in bytes */
size_t text_window_bytes(const struct text_window *t);

/** text_window_new - allocate an empty piece; pass it to text_window_append() */
struct piece *text_window_new(struct text_window *t);

/** text_window_append - append the piece, or copy its bytes to the last one if they fit; takes ownership */
void text_window_append(struct text_window *t, struct piece *p);

/** text_window_forget - allow bytes before @offset to be freed; the last piece stays */
void text_window_forget(struct text_window *t, uint64_t offset);

/**
 * text_window_find - find the bytes from @offset on, which have not been freed
 * @parts: gets up to @max stretches of up to @size bytes together
 * @end:   the offset after them
 *
 * Return: the number of parts
 */
int text_window_find(const struct text_window *t, uint64_t offset, size_t size, struct iovec *parts,
		     int max, uint64_t *end);

#endif
