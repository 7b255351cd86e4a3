/*
 * sink - bytes to a descriptor in big pieces; the first failure is kept
 *
 * Append to @buf freely, call sink_drain() now and then, sink_finish() at the
 * end.  After a failure everything is dropped.  On a terminal control characters are shown as \u001b
 * (visible.h); elsewhere every byte is written as it is.
 */
#ifndef TOOLS_OUT_SINK_H
#define TOOLS_OUT_SINK_H

#include <errno.h>
#include <zlib.h>

#include "store/base/core/buf.h"

#include "tools/out/pager.h"

enum { SINK_PIECE = 256 * 1024 };

struct sink {
	int fd;
	gzFile gz;      /* compressed on the way; NULL: not */
	struct buf buf; /* heap; not yet written */
	bool terminal;  /* @fd is one */
	bool colors;    /* what switches its colours stays */
	uint64_t bytes; /* written, before they are compressed */
	bool paged;     /* what does not fit on the terminal goes through a pager */
	struct pager pager;
	struct buf *first; /* takes the first line, and nothing is written; else NULL */
	int failed;        /* errno of the first failed write, or 0 */
};

void sink_init(struct sink *s, int fd);

/** sink_quit - has its reader had enough of it, in the pager? */
static inline bool
sink_quit(const struct sink *s)
{
	return s->paged && s->failed == EPIPE;
}

/** sink_compress - with gzip, from the first byte on */
void sink_compress(struct sink *s);

/** sink_flush - write everything out; Return: false once any write has failed */
bool sink_flush(struct sink *s);

/** sink_drain - write when a piece is full; Return: as sink_flush() */
static inline bool
sink_drain(struct sink *s)
{
	return s->buf.len < SINK_PIECE ? s->failed == 0 : sink_flush(s);
}

/** sink_put - append, drained on the way */
bool sink_put(struct sink *s, struct slice bytes);

/** sink_finish - write everything out, the end of what is compressed too; Return: as sink_flush() */
bool sink_finish(struct sink *s);

/** sink_release - free the memory; neither writes nor closes */
void sink_release(struct sink *s);

#endif
