/*
 * streams - the pages of several Querys or Scans, fetched ahead in threads
 *
 *   request --fetch--> page (items, their merge keys and lines) --> streams_next()
 *
 * Each request is one stream.  With one job pages are fetched by the caller,
 * when asked for.  With more, so many threads keep one page ready for each
 * stream beside the one in use, so at most two are in memory.
 */
#ifndef TOOLS_SESSION_STREAMS_H
#define TOOLS_SESSION_STREAMS_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"

/* Where an item's part of the page's text lies: its key up to @line, its line up to @end. */
struct stream_piece {
	size_t line;
	size_t end;
};

/* A fetched page and what was prepared of it. */
struct stream_page {
	struct call call; /* its memory; error: why it could not be fetched */
	struct page page;
	/* Prepared: the merge key and the line of one item after the other; or page.in_text; heap */
	struct buf text;
	const struct stream_piece *pieces; /* one each item */
	size_t stream;                     /* whose page it is */
};

/** stream_prepare_fn - work on a new page, in the thread that fetched it */
typedef void stream_prepare_fn(void *arg, struct stream_page *p);

struct streams_options {
	struct engine *engine;
	const struct op_in *requests; /* OP_QUERY or OP_SCAN; borrowed until streams_free() */
	size_t n;
	uint64_t most; /* items wanted of each stream; 0: all */
	unsigned jobs; /* threads; 0 or 1: none */
	bool patient;  /* a failure that may pass ends it only as patience.h says */
	uint64_t now_ms;
	stream_prepare_fn *prepare;
	void *arg;
	bool transient; /* items are needed only to prepare the page, and gone after it */
	const struct page_text
		*text; /* or NULL: how an engine may write items into a page's text */
};

enum { STREAMS_END = 1 };

struct streams;

struct streams *streams_new(const struct streams_options *o);

/** streams_free - stop fetching, wait for the threads, free all pages; NULL is harmless */
void streams_free(struct streams *s);

/**
 * streams_next - the next page of stream @i; the one before it is freed
 * @c:   gets the error of a page that could not be fetched
 *
 * Return:  0, or STREAMS_END.
 */
int streams_next(struct streams *s, struct call *c, size_t i, struct stream_page **out)
	__attribute__((warn_unused_result));

/** streams_any - the next page of whichever stream has one first */
int streams_any(struct streams *s, struct call *c, struct stream_page **out)
	__attribute__((warn_unused_result));

#endif
