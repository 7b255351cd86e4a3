/* pieces - a long text of which a stretch is in memory: it grows at the end and is forgotten at the beginning */
#ifndef FS_MADE_PIECES_H
#define FS_MADE_PIECES_H

#include <sys/uio.h>

#include "store/base/core/buf.h"

/* Made, filled, and then appended. */
struct piece {
	struct piece *next;
	uint64_t at;     /* offset of its first byte */
	struct buf text; /* on the heap */
};

/* Zero is the empty text. */
struct pieces {
	struct piece *first;
	struct piece *last;
	struct piece *spare; /* to be used again */
	uint64_t end;        /* of the text so far */
};

void pieces_release(struct pieces *t);

/** pieces_bytes - the memory that the text takes now */
size_t pieces_bytes(const struct pieces *t);

/** pieces_new - an empty piece; give it to pieces_append() */
struct piece *pieces_new(struct pieces *t);

/** pieces_append - put it at the end, or its bytes into what room the last one has; an empty one is none */
void pieces_append(struct pieces *t, struct piece *p);

/** pieces_forget - bytes before @offset need not be there any more; the last piece stays */
void pieces_forget(struct pieces *t, uint64_t offset);

/**
 * pieces_find - the bytes from @offset on, which is not forgotten
 * @parts: gets up to @max stretches of together up to @size bytes
 * @end:   the offset behind them
 *
 * Return: how many parts
 */
int pieces_find(const struct pieces *t, uint64_t offset, size_t size, struct iovec *parts, int max,
		uint64_t *end);

#endif
