/*
 * page - what a browser shows of a store: its tables, their item collections, their changes
 *
 *   /                                  tables, keys, indexes, counts
 *   /TABLE?index=I&pk=V&filter=E       item collections, in pages: &from=KEY
 *   /TABLE?changes=now|oldest|ITERATOR what its stream tells
 *
 * Nothing here writes. Links are relative, so that all of it may stand below a secret path.
 * Every value of a store is escaped, and a page may load nothing: see page_html.h.
 */
#ifndef STORE_PAGE_PAGE_H
#define STORE_PAGE_PAGE_H

#include "store/base/buf.h"
#include "store/engine/engine.h"

/* A path, and what stands behind its '?', decoded; .at == NULL: not given. */
struct page_request {
	struct slice path; /* begins with '/' */
	struct slice index;
	struct slice pk;      /* a partition key, as typed */
	struct slice filter;  /* an expression with its literals in place */
	struct slice from;    /* ExclusiveStartKey as typed JSON */
	struct slice after;   /* name of a table: those behind it */
	struct slice changes; /* "now", "oldest" or the iterator of a shard */
};

/**
 * page_answer - append the page, one that tells of an error, too
 *
 * Return: the status of HTTP
 * Thread: any but one that must not wait
 */
unsigned page_answer(struct call *c, struct engine *e, const struct page_request *rq,
		     struct buf *out);

#endif
