/*
 * streams - pages of several Queries or Scans, fetched ahead by threads
 *
 *   request --fetch--> page (items, their merge keys and lines) --> streams_next()
 *
 * Each request is one stream.  With one job the caller fetches a page when it asks for it.  With several jobs, threads
 * keep one page of each stream ready beside the page in use, so that at most two pages of a stream are in memory.
 */
#ifndef TOOLS_SESSION_STREAMS_H
#define TOOLS_SESSION_STREAMS_H

#include "store/engine/engine.h"

/* The part of the page's text that belongs to an item: its merge key ends at @line, its line at @end. */
struct stream_piece {
	size_t line;
	size_t end;
};

/* A fetched page and its prepared text. */
struct stream_page {
	struct call call; /* memory of the page; call.error: why it could not be fetched */
	struct page page;
	/* Merge key and line of each item, by the prepare function; or the text of page.in_text; heap */
	struct buf text;
	const struct stream_piece *pieces; /* one for each item */
	size_t stream;                     /* index of its stream */
};

/** stream_prepare_fn - prepare a new page; Thread: the one that fetched it */
typedef void stream_prepare_fn(void *arg, struct stream_page *p);

struct streams_options {
	struct engine *engine;
	const struct op_in *requests; /* OP_QUERY or OP_SCAN; borrowed until streams_free() */
	size_t n;
	uint64_t most; /* items wanted from each stream; 0: all */
	unsigned jobs; /* threads, at most 64 are started; 0 or 1: none */
	bool patient;  /* repeat a request after a temporary failure, see patience.h */
	uint64_t now_ms;
	stream_prepare_fn *prepare;
	void *arg;
	bool transient; /* items are needed only by @prepare, and freed after it */
	const struct page_text
		*text; /* how an engine may write items into a page's text; or NULL */
};

enum { STREAMS_END = 1 };

struct streams;

/** streams_new - start fetching; Return: free with streams_free() */
struct streams *streams_new(const struct streams_options *o);

/** streams_free - stop fetching, wait for the threads, free all pages; NULL is harmless */
void streams_free(struct streams *s);

/**
 * streams_next - the next page of stream @i, valid until the next call for this stream
 * @c: gets the error of a page that could not be fetched
 *
 * Return: 0, STREAMS_END, or -ERR_* of the request
 */
int streams_next(struct streams *s, struct call *c, size_t i, struct stream_page **out) must_check;

/** streams_any - the next page of the stream that has one ready first; Return: as streams_next() */
int streams_any(struct streams *s, struct call *c, struct stream_page **out) must_check;

#endif
