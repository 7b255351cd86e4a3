/*
 * sink - buffered output to a descriptor, optionally compressed or through a pager
 *
 * Append to @buf freely, call sink_drain() now and then, sink_finish() at the end. The first failed write is kept in
 * @failed; after it everything is dropped. On a terminal control characters are escaped as \u001b (escape.h);
 * elsewhere, and in compressed output, bytes are written unchanged. One thread uses a sink.
 */
#ifndef TOOLS_OUT_SINK_H
#define TOOLS_OUT_SINK_H

#include <zlib.h>

#include "tools/out/pager.h"

enum { SINK_PIECE = 256 * 1024 };

struct sink {
	int fd;
	gzFile gz;      /* on a duplicate of @fd; NULL: not compressed */
	struct buf buf; /* heap; not yet written */
	bool terminal;  /* @fd is a terminal */
	bool colors;    /* sequences that switch colors are not escaped */
	uint64_t bytes; /* written, before compression */
	bool paged;     /* use a pager if the output does not fit on the terminal */
	struct pager pager;
	struct buf *first; /* if not NULL, it gets the first line, and nothing is written */
	int failed;        /* errno of the first failed write, or 0 */
};

/** sink_init - begin; @fd is borrowed; -1: a sink with @first, or one that gets its descriptor later */
void sink_init(struct sink *s, int fd);

/** sink_quit - return true if the user left the pager before the end */
static inline bool
sink_quit(const struct sink *s)
{
	return s->paged && s->failed == EPIPE;
}

/** sink_compress - compress with gzip; to be called before the first byte */
void sink_compress(struct sink *s);

/** sink_flush - write the buffer; an incomplete character stays on a terminal; Return: false once a write has failed */
bool sink_flush(struct sink *s);

/** sink_drain - write if the buffer has SINK_PIECE bytes; Return: as sink_flush(); also false if the pager was left */
bool sink_drain(struct sink *s);

/** sink_put - append, then as sink_drain() */
bool sink_put(struct sink *s, struct slice bytes);

/** sink_finish - write the rest, finish the compression, wait for the pager; Return: as sink_flush() */
bool sink_finish(struct sink *s);

/**
 * sink_release - free the memory without writing the buffer; harmless after sink_finish()
 *
 * If the output is compressed and not finished, the trailer is written; a running pager is waited for. @fd stays open.
 */
void sink_release(struct sink *s);

#endif
