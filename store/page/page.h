/*
 * page - what a browser shows of a store: its tables, their item collections, their changes
 *
 *   /                                    tables, keys, indexes, counts
 *   /?pattern=NAME&p.PARAMETER=V         an access pattern, and the items that it reads
 *   /TABLE?index=I&pk=V&filter=E         item collections, in pages: &from=KEY
 *         &op=begins_with&sk=V           a condition on the sort key (page_key.h); order=desc turns the order
 *   /TABLE?index=I&shapes=1              its kinds of items
 *   /TABLE?changes=now|oldest|ITERATOR   what its stream tells
 *
 * Nothing here writes. Links are relative, so that all of it may stand below a secret path.
 * Every value of a store is escaped, and a page may load nothing: see page_html.h.
 */
#ifndef STORE_PAGE_PAGE_H
#define STORE_PAGE_PAGE_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"

struct page_patterns;

/* An argument in the query of a URL, decoded. */
struct page_argument {
	struct slice name;
	struct slice value;
};

/* A path, and its arguments. */
struct page_request {
	struct slice path; /* begins with '/' */
	const struct page_argument *at;
	size_t n;
	const struct page_patterns *patterns; /* page_patterns.h; NULL: none */
};

/** page_argument - the first one of that name; .at == NULL: not given */
struct slice page_argument(const struct page_request *rq, const char *name);

/**
 * page_answer - append the page, one that tells of an error, too
 *
 * Return: the status of HTTP
 * Thread: any but one that must not wait
 */
unsigned page_answer(struct call *c, struct engine *e, const struct page_request *rq,
		     struct buf *out);

#endif
